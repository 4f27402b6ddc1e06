"""Code in prose: a run of backticks ends at the next run of the same length."""

from __future__ import annotations

import pytest

from kb.spans import code_spans, without_code


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
