"""Every kind of finding is explained, and its examples are what they are said to be."""

from __future__ import annotations

import pytest

from kb.cli import main
from kb.prose.answer import answer
from kb.prose.kinds import LINT_KINDS
from kb.prose.known import Known
from kb.prose.remark import RULES


def test_every_kind_of_finding_has_its_page() -> None:
    made = {*RULES.values(), "wrong-number", "ambiguous-number", "unknown-number"}
    assert made == set(LINT_KINDS)


@pytest.mark.parametrize("slug", LINT_KINDS)
def test_wrong_examples_get_exactly_this_finding(slug: str, catalogue: Known) -> None:
    kind = LINT_KINDS[slug]
    level = "wrong" if kind.severity == "error" else "open"
    for example in kind.wrong:
        found = answer(example, catalogue).findings
        assert {(f.rule, f.level) for f in found} == {(slug, level)}, example


@pytest.mark.parametrize("slug", LINT_KINDS)
def test_right_examples_get_none(slug: str, catalogue: Known) -> None:
    for example in LINT_KINDS[slug].right:
        assert answer(example, catalogue).findings == (), example


@pytest.mark.parametrize("slug", LINT_KINDS)
def test_explain_prints_the_kind(slug: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", slug]) == 0
    told = capsys.readouterr().out
    assert LINT_KINDS[slug].message in told
    assert LINT_KINDS[slug].wrong[0] in told
