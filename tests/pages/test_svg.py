"""Drawings in fewer letters show the same lines."""

from __future__ import annotations

import re

import pytest

from kb.pages.svg import short_paths, shorter

PATH = """\
<path d="M 241.916 104.48
L 241.976 104.48
M 100 20.25
L 100 80.75
L 36.5 80.2
z
M 5 5
C 6 7.123456 8 9 10 11
L 12 13
" clip-path="url(#a)" fill="none" stroke="currentColor" stroke-linejoin="miter"/>
"""


def places(path: str) -> list[tuple[float, float]]:
    """Where a path of ours leads, one place a letter; curves and ends by themselves."""
    found: list[tuple[float, float]] = []
    x = y = 0.0
    for letter, text in re.findall(r"([MmLlhvCz])([^A-Za-z]*)", path):
        numbers = [float(number) for number in re.findall(r"-?\d*\.?\d+", text)]
        if letter == "C":
            x, y = numbers[-2:]
        elif letter in "ML":
            x, y = numbers
        elif letter in "ml":
            x, y = x + numbers[0], y + numbers[1]
        elif letter in "hv":
            x, y = (x + numbers[0], y) if letter == "h" else (x, y + numbers[0])
        found.append((x, y))
    return found


def test_a_path_leads_where_it_led() -> None:
    drawn = re.search(r' d="([^"]*)"', short_paths(PATH))
    assert drawn is not None
    wanted = [
        (241.9, 104.5), (242, 104.5), (100, 20.25), (100, 80.75), (36.5, 80.2), (36.5, 80.2),
        (5, 5), (10, 11), (12, 13),
    ]  # fmt: skip
    found = places(drawn[1])
    assert len(found) == len(wanted)
    for seen, told in zip(found, wanted, strict=True):
        assert seen == pytest.approx(told, abs=0.06)


def test_rounding_does_not_add_up_along_a_path() -> None:
    steps = "\n".join(f"L {number * 0.26} {number * 0.34}" for number in range(1, 1000))
    drawn = re.search(r' d="([^"]*)"', short_paths(f'<path d="M 0 0\n{steps}\n" stroke="red"/>\n'))
    assert drawn is not None
    assert places(drawn[1])[-1] == pytest.approx((999 * 0.26, 999 * 0.34), abs=0.06)


def test_only_what_says_nothing_is_left_out() -> None:
    text = (
        '<svg viewBox="0 0 9 9">\n<g>\n<g clip-path="url(#a)">\n<text fill="currentColor" '
        'font-size="12px" transform="rotate(-0 1 2)">1.123456</text>\n</g>\n</g>\n</svg>'
    )
    assert shorter(text) == (
        '<svg fill="currentColor" font-size="10px" font-family="sans-serif" viewBox="0 0 9 9">\n'
        '<g clip-path="url(#a)">\n<text font-size="12px">1.12</text>\n</g>\n</svg>'
    )
