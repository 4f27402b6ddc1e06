"""The lists of sentences: recall, false alarms, and suggestions that mend what they are for."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

sys.path.insert(0, str(Path(__file__).parent))
from score_prose import LISTS, score  # type: ignore[import-not-found] # a script beside this

from kb.home import Project, home
from kb.load import load
from kb.prose.answer import answer
from kb.prose.known import Known, known

OWN = [file for file in LISTS if file.exists()]


@pytest.fixture(scope="module")
def catalogue() -> Known:
    return known(load(Project(home()), kinds=("specs", "decisions", "evidence")).corpus)


def items(file: Path) -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = yaml.safe_load(file.read_text("utf-8"))
    return loaded


@pytest.mark.parametrize("file", OWN, ids=[file.stem for file in OWN])
def test_four_of_five_wrong_ones_are_caught_and_few_right_ones_flagged(
    file: Path, catalogue: Known
) -> None:
    listed = items(file)
    assert max(Counter(item["id"] for item in listed).values()) == 1
    found = score(listed, catalogue)
    sys.stdout.write("\n".join([file.name, *found.lines(), ""]))
    assert found.recall >= 0.8, found.missed
    assert found.false_alarms <= 0.05, found.flagged


@pytest.mark.parametrize("file", OWN, ids=[file.stem for file in OWN])
def test_a_suggestion_put_in_its_place_leaves_no_error_there(file: Path, catalogue: Known) -> None:
    for item in items(file):
        text = item["text"]
        for finding in answer(text, catalogue).findings:
            if finding.level != "wrong" or not finding.suggestion:
                continue
            mended = text[: finding.start] + finding.suggestion + text[finding.end :]
            end = finding.start + len(finding.suggestion)
            still = [
                f
                for f in answer(mended, catalogue).findings
                if f.level == "wrong" and f.start < end and finding.start < f.end
            ]
            assert not still, (item["id"], finding.suggestion)
