"""Plain data to models; every mistake of shape becomes a finding at its own place."""

from __future__ import annotations

import difflib
import json
import operator
import re
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from kb.finding import Finding, Severity
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
        findings = [_finding(detail, data, place, model) for detail in _once(details, data)]
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
    held = {name: _model_in(field.annotation) for name, field in fields.items() if name in data}
    thin = {name: _thinned(inner, data[name]) for name, inner in held.items() if inner is not None}
    return data if all(thin[name] is data[name] for name in thin) else {**data, **thin}


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """The model that a field holds, or a list of."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    found = (_model_in(part) for part in getattr(annotation, "__args__", ()))
    return next((model for model in found if model is not None), None)


def _causes(details: list[ErrorDetails]) -> list[ErrorDetails]:
    """The mistakes without those that only follow: a list lacks what was refused inside it."""
    inside = [d["loc"] for d in details if d["type"] != "too_short"]
    return [
        detail
        for detail in details
        if detail["type"] != "too_short"
        or not any(loc[: len(detail["loc"])] == detail["loc"] for loc in inside)
    ]


def _once(details: list[ErrorDetails], data: Any) -> list[ErrorDetails]:
    """The mistakes, with one for a value that fits none of several sets of words."""
    kept: list[ErrorDetails] = []
    words: dict[Route, ErrorDetails] = {}
    for detail in details:
        route, _ = _route(detail["loc"], data)
        if detail["type"] in _WORDS:
            first = words.setdefault(route, detail)
            if first is not detail:
                told = f"{first['ctx']['expected']}, {detail['ctx']['expected']}"
                first["ctx"] = {**first["ctx"], "expected": told}
                continue
        kept.append(detail)
    return kept


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
        near = difflib.get_close_matches(str(route[-1]), _fields(model), n=1)
        remedy = f"did you mean '{near[0]}'?" if near else "remove it or correct its name"
        return _error("unknown-field", f"{name} is not a field here", at.key(), remedy)
    if kind in _WORDS:
        expected = str(detail.get("ctx", {}).get("expected", ""))
        words = expected.replace("'", "").replace(" or ", ", ").split(", ")
        near = difflib.get_close_matches(str(value), words, n=1)
        hint = f"did you mean '{near[0]}'? " if near else ""
        return _error(
            "unknown-word",
            f"{_quote(value)} is not a word for {name}",
            at,
            f"{hint}use one of {', '.join(words)}",
        )
    if kind in _KINDS:
        return _error(
            "wrong-type",
            f"{name} must be {_KINDS[kind]}, not {_described(value)}",
            at,
            _type_remedy(kind, value),
        )
    message = detail["msg"].removeprefix("Value error, ").replace("Input should ", "it must ")
    if kind == "string_pattern_mismatch":
        message = f"{_quote(value)} does not fit {name}"
        pattern = detail.get("ctx", {}).get("pattern", "")
        return _error("malformed-value", message, at, f"write it so that it matches {pattern}")
    return _error("malformed-value", f"{name}: {message}", at, "correct the value")


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


def _fields(model: type[BaseModel]) -> list[str]:
    """Every field name of a model and of the models inside it, for suggestions."""
    names: dict[str, None] = {}
    queue: list[Any] = [model]
    seen: set[Any] = set()
    while queue:
        item = queue.pop()
        if isinstance(item, type) and issubclass(item, BaseModel) and item not in seen:
            seen.add(item)
            for name, field in item.model_fields.items():
                names[field.alias or name] = None
                queue.append(field.annotation)
        queue.extend(getattr(item, "__args__", ()))
    return list(names)


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


def _type_remedy(kind: str, value: object) -> str:
    if kind == "string_type" and isinstance(value, (int, float)) and not isinstance(value, bool):
        return f"put it in quotes: '{value}'"
    if kind == "tuple_type":
        return f"write a list: [{value}]" if isinstance(value, str) else "write a list"
    return f"write {_KINDS[kind]}"
