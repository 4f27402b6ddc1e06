"""Places in JSON are those that YAML's reader gives, in any layout and at any size."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.load import load_files
from kb.load.json_text import fields_below, hidden_in, json_places
from kb.load.nodes import compose_at_once
from kb.source import Position, Route, Span

# YAML's reader refuses what lies beyond the first plane and is written as two escapes.
TEXTS = st.text(
    st.characters(codec="utf-8", max_codepoint=0xD7FF, exclude_categories=["Cc", "Zl", "Zp"]),
    max_size=5,
)
LEAVES = st.none() | st.booleans() | st.integers(-999, 999) | TEXTS | st.just('"\\/\n')
DATA = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4)
)
EVIDENCE = Path(__file__).parents[2] / "evidence"


LAYOUTS = st.fixed_dictionaries(
    {"indent": st.sampled_from([None, 0, 1, 3]), "ensure_ascii": st.booleans()}
)


@given(DATA, LAYOUTS)
def test_every_place_is_that_of_the_closer_look(data: object, layout: dict[str, Any]) -> None:
    text = json.dumps(data, **layout)
    values, keys = json_places(text)
    seen = compose_at_once(text, "a.json")
    assert dict(values) == dict(seen.values)
    assert dict(keys) == dict(seen.keys)
    assert fields_below(data) == len(keys)


@pytest.mark.parametrize("route", [(0,), ("a", 0), ("b",), ("a", "b"), ("c", 2), ("c", "d")])
def test_a_route_to_nothing_is_no_place(route: Route) -> None:
    values, keys = json_places('{"a": 1, "c": [2, 3]}')
    assert route not in values
    assert route not in keys


def test_the_place_of_an_item_is_no_key() -> None:
    values, keys = json_places('{"c": [2, 3]}')
    assert values["c", 1].start == Position(1, 11)
    assert ("c", 1) not in keys


def test_a_committed_record_has_the_places_of_the_closer_look() -> None:
    for path in islice(sorted(EVIDENCE.glob("*.json"), key=lambda p: p.stat().st_size), 12):
        text = path.read_text("utf-8")
        values, keys = json_places(text)
        seen = compose_at_once(text, path.name)
        assert (dict(values), dict(keys)) == (dict(seen.values), dict(seen.keys))


def test_a_hidden_character_is_named_at_its_value_or_key() -> None:
    text = '{"a": ["x", "\\u202e"],\n "\\u001b": 1}'
    values, keys = json_places(text)
    found = list(hidden_in(json.loads(text), "a.json", values, keys))
    places = [(f.rule, f.place.span.start) for f in found if f.place.span]
    assert places == [
        ("hidden-character", Position(2, 2)),
        ("hidden-character", Position(1, 13)),
    ]


def test_an_imported_record_hides_no_character() -> None:
    text = '{"evidence_class": "imported", "command": "a\\u001b[31m", "results": []}'
    found = load_files({"evidence/x.json": text}).findings
    assert [f.place.span for f in found if f.rule == "hidden-character"] == [
        Span(Position(1, 43), Position(1, 56))
    ]
