"""Texts to stretches of prose: positions hold, and what is no prose is blank."""

from __future__ import annotations

import pytest

from kb.prose.text import Segment, prose_of

PAGE = """# Memory of `32 GB`

One chip holds **32 GB**, see <https://example.com/180GB> and [a page](https://x.org/7.7TB).
<!-- 14.4 TB/s --> More `code 9 GB` here.

> - A quoted item of 16 GB

```
99 GB in code
```

| GPU | HBM (GB) |
|---|---|
| B200 | 180 |
| `H100` | 80 |
"""


def shown(text: str, segment: Segment) -> str:
    return " ".join(prose_of(text).plain[segment.start : segment.end].split())


def test_the_copy_has_the_same_length() -> None:
    prose = prose_of(PAGE)
    assert len(prose.plain) == len(PAGE)
    assert prose.plain.count("\n") == PAGE.count("\n")


def test_code_addresses_comments_and_marks_are_blank() -> None:
    plain = prose_of(PAGE).plain
    prose = "".join(plain[s.start : s.end] for s in prose_of(PAGE).segments)
    assert "32 GB" in prose
    for gone in ("180GB", "7.7TB", "14.4", "9 GB", "**", "99 GB"):
        assert gone not in prose


def test_every_kind_of_stretch_is_found_once() -> None:
    segments = prose_of(PAGE).segments
    kinds = [segment.kind for segment in segments]
    assert kinds == ["heading", "paragraph", "paragraph", *["cell"] * 6]
    assert shown(PAGE, segments[2]) == "A quoted item of 16 GB"


def test_a_cell_knows_its_heads() -> None:
    cell = prose_of(PAGE).segments[6]
    assert shown(PAGE, cell) == "180"
    heads = [" ".join(PAGE[a:b].split()) for a, b in cell.heads]
    assert heads == ["B200", "HBM (GB)", "GPU"]
    assert " ".join(PAGE[slice(*cell.above[-1])].split()) == "Memory of `32 GB`"


@pytest.mark.parametrize(
    "text", ["", "\n\n", "|", "| a |\n|--|\n| |", "`", "[](", "<!--", "a\rb\r\n"]
)
def test_odd_texts_are_no_trouble(text: str) -> None:
    assert len(prose_of(text).plain) == len(text)


def test_typed_citations_are_not_judged_as_prose() -> None:
    assert "180" not in prose_of("It holds [180 GB](claim:hgx-b200/gpu-hbm-capacity).").plain


def test_restructured_text_leaves_directives_out() -> None:
    text = "Title\n=====\n\nHolds 32 GB::\n\n    99 GB\n\n.. note::\n    14 GB\n\nThe end, 16 GB.\n"
    prose = prose_of(text, "rst")
    seen = " ".join(prose.plain[s.start : s.end] for s in prose.segments)
    assert "32 GB" in seen
    assert "16 GB" in seen
    assert "99 GB" not in seen
    assert "14 GB" not in seen
