"""Plain data to models; every mistake of shape becomes a finding at its own place."""

from __future__ import annotations

import difflib
import json
import operator
import re
from collections.abc import Iterable
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from kb.finding import Finding, Severity
from kb.load.fields import field_names, mapping_at, model_in
from kb.qualifiers import UNSTATED, Interface, Metric, interfaces_of
from kb.source import START, Part, Place, Position, Route, Span

M = TypeVar("M", bound=BaseModel)

_AT = re.compile(r" at line (\d+) column (\d+)\Z")
_KINDS = {
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "string_type": "a text",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "float_type": "a number",
    "model_attributes_type": "a mapping",
    "date_type": "a date",
    "decimal_type": "a number",
    "int_from_float": "a whole number",
    "date_from_datetime_parsing": "a date that exists",
}


_WORDS = ("enum", "literal_error")
_WAYS_IN = (*_WORDS, *_KINDS, "string_pattern_mismatch")
"""What a value is told that fits one of several ways in to its field."""

NO_NAMESAKE = 0.85
"""How alike an interface must be to be meant: 'orionlink' is no slip of 'neuronlink'."""

MAX_MISTAKES = 100
"""Mistakes of one record that become findings of their own."""
LARGE = 100_000
"""Characters from which on what lies deeper is read only where no field is missing."""


def shape(
    model: type[M], data: Any, place: Place, text: str | None = None
) -> tuple[M | None, list[Finding]]:
    """`data` as a `model`, or None and one finding for each mistake in it.

    `place` is where `data` itself is written; findings point at the fields below it. A
    model that reads JSON strictly needs the JSON `text` that `data` came from.
    """
    try:
        if text is None:
            return model.model_validate(data), []
        return model.model_validate_json(_without_bulk(model, data, text)), []
    except ValidationError as error:
        details = _causes(error.errors(include_url=False)[:MAX_MISTAKES])
        details = [d for d in details if d["type"] != "missing" or _route(d["loc"], data)[1]]
        findings = [
            _unknown_word(together, data, place)
            if any(detail["type"] in _WORDS for detail in together)
            else _finding(together[0], data, place, model)
            for together in _mistakes(details, data)
        ]
        if (more := error.error_count() - MAX_MISTAKES) > 0:
            message = f"this record has {more} further mistakes, which are not listed"
            findings.append(_error("further-findings", message, place, "correct the others first"))
        return None, findings


def _without_bulk(model: type[BaseModel], data: Any, text: str) -> str:
    """The text; where it is large, without what lies deeper than a missing field.

    pydantic keeps a copy of all that a missing field is missing from: of ten megabytes ten times.
    """
    if len(text) <= LARGE:
        return text
    thin = _thinned(model, data)
    return text if thin is data else json.dumps(thin)


def _thinned(model: type[BaseModel], data: Any) -> Any:
    """The data, without what is inside an object that lacks a field; itself where none does."""
    if isinstance(data, list):
        items = [_thinned(model, item) for item in data]
        return data if all(map(operator.is_, items, data)) else items
    if not isinstance(data, dict):
        return data
    fields = {field.alias or name: field for name, field in model.model_fields.items()}
    if any(field.is_required() and name not in data for name, field in fields.items()):
        return {k: v for k, v in data.items() if not isinstance(v, (list, dict))}
    held = {name: model_in(field.annotation) for name, field in fields.items() if name in data}
    thin = {name: _thinned(inner, data[name]) for name, inner in held.items() if inner is not None}
    return data if all(thin[name] is data[name] for name in thin) else {**data, **thin}


def _causes(details: list[ErrorDetails]) -> list[ErrorDetails]:
    """The mistakes without those that only follow: a list lacks what was refused inside it."""
    inside = [d["loc"] for d in details if d["type"] != "too_short"]
    return [
        detail
        for detail in details
        if detail["type"] != "too_short"
        or not any(loc[: len(detail["loc"])] == detail["loc"] for loc in inside)
    ]


def _finding(detail: ErrorDetails, data: Any, place: Place, model: type[BaseModel]) -> Finding:
    kind = detail["type"]
    route, missing = _route(detail["loc"], data)
    at = place.at(*route)
    name = _name(route)
    value = detail.get("input")
    if kind == "json_invalid":
        return _broken(str(detail.get("ctx", {}).get("error", "")), place)
    if kind == "missing":
        return _error(
            "missing-field", f"the field '{missing}' is missing", at, f"add '{missing}: …'"
        )
    if kind == "extra_forbidden":
        names = field_names(model)
        # A name that belongs elsewhere in the record is no slip.
        known = route[-1] in names
        near = [] if known else difflib.get_close_matches(str(route[-1]), names, n=1)
        remedy = f"did you mean '{near[0]}'?" if near else "remove it or correct its name"
        return _error("unknown-field", f"{name} is not a field here", at.key(), remedy)
    if kind in _KINDS:
        return _error(
            "wrong-type",
            f"{name} must be {_KINDS[kind]}, not {_described(value)}",
            at,
            _type_remedy(kind, value, model, route),
        )
    message = detail["msg"].removeprefix("Value error, ").replace("Input should ", "it must ")
    if kind == "string_pattern_mismatch":
        message = f"{_quote(value)} does not fit {name}"
        pattern = detail.get("ctx", {}).get("pattern", "")
        return _error("malformed-value", message, at, f"write it so that it matches {pattern}")
    return _error("malformed-value", f"{name}: {message}", at, "correct the value")


def _mistakes(details: list[ErrorDetails], data: Any) -> Iterable[list[ErrorDetails]]:
    """What pydantic says, with what is one mistake together.

    Where a field takes words or something else, each way in refuses the value for itself.
    """
    places = {_route(detail["loc"], data)[0] for detail in details if detail["type"] in _WORDS}
    found: dict[object, list[ErrorDetails]] = {}
    for number, detail in enumerate(details):
        route = _route(detail["loc"], data)[0]
        one = route in places and detail["type"] in _WAYS_IN
        found.setdefault(route if one else number, []).append(detail)
    return found.values()


def _unknown_word(details: list[ErrorDetails], data: Any, place: Place) -> Finding:
    """The finding for a value that is none of the words of its field."""
    route = _route(details[0]["loc"], data)[0]
    value = details[0].get("input")
    words = [word for detail in details if detail["type"] in _WORDS for word in _expected(detail)]
    others = [_KINDS[detail["type"]] for detail in details if detail["type"] in _KINDS]
    cutoff = 0.6
    if route and route[-1] == "interface":
        fitting = interfaces_of(_metric_around(route, data))
        words = [w for w in words if w in fitting or w not in {str(one) for one in Interface}]
        others = ["'other NAME' with the name that the source prints and a 'role'"]
        cutoff = NO_NAMESAKE
    if words == [UNSTATED] and others:
        return _error(
            "wrong-type",
            f"{_name(route)} must be {others[0]}, not {_described(value)}",
            place.at(*route),
            f"write {others[0]}, or '{UNSTATED}' where the source is silent",
        )
    near = difflib.get_close_matches(str(value), words, n=1, cutoff=cutoff)
    hint = f"did you mean '{near[0]}'? " if near else ""
    return _error(
        "unknown-word",
        f"{_quote(value)} is not a word for {_name(route)}",
        place.at(*route),
        f"{hint}use one of {', '.join(words)}" + "".join(f", or {other}" for other in others),
    )


def _expected(detail: ErrorDetails) -> list[str]:
    expected = str(detail.get("ctx", {}).get("expected", ""))
    return expected.replace("'", "").replace(" or ", ", ").split(", ")


def _metric_around(route: Route, data: Any) -> Metric | None:
    """The metric of the claim that holds the field at `route`; links have a bandwidth."""
    if route[0] in ("links", "direction_sums"):
        return Metric.LINK_BANDWIDTH
    found = data.get("metric") if isinstance(data, dict) else None
    for step in route[:-1]:
        data = data[step]
        found = data.get("metric", found) if isinstance(data, dict) else found
    return Metric.of(found) if found in set(Metric) else None


def _name(route: Route) -> str:
    """What a reader calls the value at `route`; items of a list count from 1."""
    if not route:
        return "the document"
    if isinstance(route[-1], str):
        return f"'{route[-1]}'"
    return f"item {route[-1] + 1} of {_name(route[:-1])}"


def _broken(problem: str, place: Place) -> Finding:
    """The finding for JSON that one reader takes and the stricter one doesn't."""
    match = _AT.search(problem)
    at = Position(int(match[1]), int(match[2])) if match else START.start
    message = f"this is no valid JSON: {_AT.sub('', problem)}"
    where = Place(place.path, (), Part.VALUE, Span(at, at))
    return _error("invalid-json", message, where, "write the file with `kb measure`, never by hand")


def _error(rule: str, message: str, place: Place, remedy: str) -> Finding:
    return Finding(rule, Severity.ERROR, message, place, remedy)


def _route(location: tuple[int | str, ...], data: Any) -> tuple[Route, str]:
    """The parts of a pydantic location that are in the data, and the first that is not.

    pydantic puts names of union members and keys marks into locations; they match nothing
    in the data and are skipped.
    """
    route: list[int | str] = []
    skipped = ""
    for step in location:
        listed = isinstance(data, list) and isinstance(step, int) and step < len(data)
        if not listed and not (isinstance(data, dict) and step in data):
            skipped = str(step)
            continue
        data = data[step]
        route.append(step)
    return tuple(route), skipped


def _quote(value: object) -> str:
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else text[:57] + "…"


def _described(value: object) -> str:
    if value is None:
        return "empty"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, bool):
        return str(value).lower()
    return f"the text {_quote(value)}" if isinstance(value, str) else f"the number {value}"


def _type_remedy(kind: str, value: object, model: type[BaseModel], route: Route) -> str:
    if kind == "string_type" and isinstance(value, (int, float)) and not isinstance(value, bool):
        return f"put it in quotes: '{value}'"
    if kind == "tuple_type":
        return f"write a list: [{value}]" if isinstance(value, str) else "write a list"
    example = mapping_at(model, route) if _KINDS[kind] == "a mapping" else ""
    return f"write {_KINDS[kind]}" + (f": {example}" if example else "")
