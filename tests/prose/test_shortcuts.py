"""A look that spares a text the long way never spares one that needs it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.prose.numbers import _NUMBER, has_free_digit, has_number
from kb.prose.text import blanked, uncited_of
from kb.rules.citing import _lowered
from kb.rules.collect import Rule, collect

PIECES = st.sampled_from([
    "180 GB", "B200", "8", "ſ", "7", "１８", "é9", "約5", "x", "_", "__", "*", "**", "-", ")-", "`",
    "``", "~~~\n", "```\n", "\n", "\n\n", " ", "<b>", "</b>", "<!--", "-->", "https://a.b/c1",
    "[1.8 TB/s](claim:a/b)", "[3](", ")", "](claim:a/b1", "[^1]", "[12]", "&nbsp;", "&times;", "§",
    "#", "$", "v6e", "2026-11-30", "fp8", ",", ".", ":", "(", "|", "\u00a0", "µ9",
])  # fmt: skip


@given(st.lists(PIECES, max_size=12).map("".join))
def test_a_text_with_a_number_has_a_free_digit(text: str) -> None:
    plain = blanked(text)
    assert has_number(plain) == (_NUMBER.search(plain) is not None)
    assert has_free_digit(uncited_of(text)) or not has_number(plain)


def test_the_usual_text_has_none() -> None:
    text = "A B200 reads [8 TB/s](claim:hgx-b200/gpu-hbm-bandwidth) in FP8."
    assert not has_free_digit(uncited_of(text))


def _namespace(rule: Rule) -> dict[str, Any]:
    found: dict[str, Any] = getattr(rule.declared.check, "__globals__")  # noqa: B009 (a function)
    return found


WORDED = {
    rule.slug: (names.get("SPEED") or names["CLAIM"], names["STEMS"])
    for rule in collect().rules
    if "STEMS" in (names := _namespace(rule))
}


def test_the_rules_about_wording_are_here() -> None:
    assert set(WORDED) == {
        "compiled-evidence-cited-for-speed",
        "portability-claim-without-numbers",
    }


@pytest.mark.parametrize("slug", WORDED)
@given(data=st.data())
def test_whatever_a_pattern_finds_holds_a_stem(slug: str, data: st.DataObject) -> None:
    pattern, stems = WORDED[slug]
    found = data.draw(st.from_regex(pattern, fullmatch=True))
    wide = "".join(chr(ord(c) + 0xFEE0) if "a" <= c <= "z" else c for c in found)
    for text in (found, found.swapcase(), wide):
        search = re.search(pattern, blanked(text))
        assert search is None or any(stem in _lowered(text) for stem in stems)
    assert any(stem in _lowered(found) for stem in stems)
