"""Sound YAML that is read without its places comes to what the closer look comes to."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kb.home import home
from kb.load.markdown import split
from kb.load.nodes import LaterSpans, compose, compose_at_once
from kb.load.plain import UnusualError, plain_data

PIECES = st.sampled_from([
    "a", "b", "yes", "no", "~", "null", "true", "010", "1", "-7", "1.5", "1.", "1e3", "12:30",
    "1_000", "2026-11-30", "<<", "=", ": ", ":", "\n", "\n", "\n  ", "\n    ", "- ", "- ", "? ",
    ", ", "[", "]", "{", "}", "'", '"', "|\n", ">\n", "|-\n  ", "#", " # x", "&x ", "*x", "!",
    "!!str ", "!!int ", "---\n", "...\n", "%YAML 1.1\n", "\\", "\\u202e", "\u202e", "\x07", "é",
    "🙂", "\t", "@", "`", "9" * 41,
])  # fmt: skip


def same(text: str) -> bool:
    """Whether both ways come to one thing; true where the short one was taken."""
    short, full = compose(text, "a.yml", 2), compose_at_once(text, "a.yml", 2)
    assert repr(short.data) == repr(full.data)  # 1 and 1.0 and True are told apart
    assert (short.findings, short.lost) == (full.findings, full.lost)
    taken = isinstance(short.values, LaterSpans)
    assert dict(short.values) == dict(full.values)
    assert dict(short.keys) == dict(full.keys)
    assert not (taken and full.findings)
    return taken


@given(st.lists(PIECES, max_size=14).map("".join))
@example("a: 1\nb: [x, {c: 'd'}]\n")
@example("a: &x [1]\nb: *x\n")
@example("a: 1\na: 2\n")
@example("a: 1\n---\nb: 2\n")
@example("? [a]\n: b\n")
@example("")
def test_both_ways_come_to_one_thing(text: str) -> None:
    same(text)


def test_what_is_written_here_is_read_the_short_way() -> None:
    texts = [path.read_text("utf-8") for path in sorted((home() / "specs").rglob("*.yml"))]
    folder = Path(__file__).parents[2] / "decisions"
    for path in sorted(folder.glob("[0-9]*.md")):
        parts, _ = split(path.read_text("utf-8"), path.name)
        assert parts is not None
        texts.append(parts.front)
    taken = [same(text) for text in texts]
    assert len(taken) >= 40
    assert sum(taken) > 0.9 * len(taken)


@pytest.mark.parametrize(
    "text",
    [
        "a: 1\na: 2",
        "a: !x 1",
        "a: &x 1",
        "a: *x",
        "a: 010",
        "<<: {a: 1}",
        "a: \u202e",
        'a: "\\u202e"',
        "%YAML 1.1\n---\na: 1",
        "[" * 70 + "]" * 70,
        "a: [" + "1," * 70_000 + "]",
        "- a\n--- b",
        "",
    ],
)
def test_what_costs_a_closer_look_is_left_to_it(text: str) -> None:
    with pytest.raises(UnusualError):
        plain_data(text)
