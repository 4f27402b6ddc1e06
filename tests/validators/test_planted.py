"""One mistake per rule, planted in a copy of the real catalogue: that rule, on that line, alone.

The cases of `test_cases` speak of two invented products and their decision. Here these stand
among everything that the repository ships, so a rule that is silent or loud only because the
example base is small shows itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from kb.load import load_files
from kb.rules.collect import Rule
from kb.rules.example import TODAY, base_files
from kb.rules.run import judge
from tests.validators.test_cases import CASES, COLLECTED, marked

ROOT = Path(__file__).parents[2]
ENDINGS = (".yml", ".md", ".json")
Found = tuple[str, str, int, str]

pytestmark = pytest.mark.slow


def renumbered(text: str) -> str:
    """The example's decisions are 0001 to 0009, as the real ones are: here 9001 to 9009."""
    return re.sub(r"(?<![.\w])0(00[1-9])\b", r"9\1", text)


def beside(files: Mapping[str, str]) -> dict[str, str]:
    """The example's files, under names and numbers that the real ones don't use."""
    return {
        beside_path(path): text if path.startswith("evidence/") else renumbered(text)
        for path, text in files.items()
    }


def beside_path(path: str) -> str:
    return renumbered(path).replace("specs/sources.yml", "specs/acme/sources.yml")


@cache
def real_files() -> dict[str, str]:
    paths = [
        path
        for folder in ("specs", "decisions", "evidence")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in ENDINGS
    ]
    return {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in paths}


def found_with(files: Mapping[str, str]) -> set[Found]:
    corpus = load_files({**real_files(), **beside({**base_files(), **files})})
    report = judge(corpus, COLLECTED, TODAY)
    assert not report.crashes
    return {
        (item.finding.rule, item.mark.path, item.mark.span.start.line, marked(item))
        for item in report.findings
    }


def test_without_a_mistake_the_copy_is_sound() -> None:
    assert found_with({}) == set()


@pytest.mark.parametrize("rule", COLLECTED.rules, ids=lambda rule: rule.slug)
def test_the_planted_mistake_is_found_and_nothing_else(rule: Rule) -> None:
    planted = next(case for case in CASES if case.slug == rule.slug and case.expect)
    assert found_with(planted.files) == {
        (rule.slug, beside_path(path), line, renumbered(marks))
        for path, line, marks in planted.expect
    }
