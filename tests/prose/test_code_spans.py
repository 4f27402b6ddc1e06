"""Code in prose: a run of backticks ends at the next run of the same length."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from kb.spans import FENCE, code_spans, outside_fences, without_code


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("a `b` c", ["b"]),
        ("a ``b ` c`` d", ["b ` c"]),
        ("a `b`` c", []),
        ("``a` b ``", ["a` b "]),
        ("`a``b` c", ["a``b"]),
        ("`a` ``b` `c`", ["a", " "]),
        ("```a` b", []),
    ],
)
def test_spans(text: str, spans: list[str]) -> None:
    assert [span.text for span in code_spans(text)] == spans


def test_prose_without_its_code() -> None:
    body = "one `two` three\n\n~~~\nfour\n~~~\n\nfive ``six\n"
    assert without_code(body) == "one  three\n\n\n\nfive ``six\n"


def test_a_span_may_be_held_to_its_paragraph() -> None:
    text = "a `b\n\nc` d `e`"
    assert [span.text for span in code_spans(text)] == ["b\n\nc", "e"]
    assert [span.text for span in code_spans(text, within_paragraph=True)] == [" d "]


@pytest.mark.parametrize(
    ("body", "prose"),
    [
        ("```a``` b\n7 GB\n", "```a``` b\n7 GB\n"),  # code in a line opens nothing
        ("```\n7 GB\n```python\n8 GB\n```\n9 GB\n", "\n9 GB\n"),  # words close nothing
        ("  ```\n7 GB\n   ```\n8 GB", "\n8 GB"),
        ("    ```\n7 GB\n", "    ```\n7 GB\n"),
        ("````\n```\n7 GB\n`````  \n8 GB", "\n8 GB"),
        ("~~~ `a`\n7 GB\n```\n~~~\n8 GB", "\n8 GB"),
        ("a\n```\n7 GB", "a\n"),
        ("a\n```", "a\n"),
    ],
)
def test_a_fence_is_what_common_mark_calls_one(body: str, prose: str) -> None:
    assert FENCE.sub("", body) == prose
    assert [line for _, line in outside_fences(body.split("\n")) if "GB" in line] == [
        line for line in prose.split("\n") if "GB" in line
    ]


LINES = st.sampled_from(
    [
        "a",
        "",
        "```",
        "````",
        "~~~",
        "~~~~",
        "```py",
        "~~~ py",
        "```a```",
        " ```",
        "   ~~~",
        "`` ` ``",
    ]
)


@given(st.lists(LINES, max_size=12))
def test_a_parser_of_common_mark_finds_the_same_fences(lines: list[str]) -> None:
    tokens = MarkdownIt("commonmark").parse("\n".join(lines))
    fenced = {n for t in tokens if t.type == "fence" and t.map for n in range(*t.map)}
    ours = {n for n, line in outside_fences(lines) if line}
    assert ours == {n for n, line in enumerate(lines) if line and n not in fenced}
