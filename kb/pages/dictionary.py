"""The data dictionary: every field of every kind of file, from the models themselves."""

from __future__ import annotations

import datetime
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from kb.model.decision import Decision
from kb.model.evidence import Evidence
from kb.model.fields import models_in, sentences
from kb.model.product import Product, SourceList
from kb.pages import links
from kb.pages.text import code, esc, page, stacked, table
from kb.qualifiers import Word

FILES: dict[str, type[BaseModel]] = {
    "specs/<vendor>/<product>.yml": Product,
    "specs/sources.yml": SourceList,
    "decisions/NNNN-slug.md, front matter": Decision,
    "evidence/<id>.json": Evidence,
}
"""What each kind of file holds."""


def dictionary_page() -> dict[str, str]:
    """The page of all fields."""
    intro = (
        "Every field that a file may hold. A field that is not here is refused, and none is "
        "ever converted from another type. The JSON schemas in the repository say the same."
    )
    parts = ["# Data dictionary", intro]
    seen: set[str] = set()
    for name, model in FILES.items():
        parts.append(f"## {esc(name)}")
        for inner in sorted(models_in(model).values(), key=lambda m: (m is not model, m.__name__)):
            if inner.__name__ not in seen:
                seen.add(inner.__name__)
                parts.append(_fields(inner))
    return {links.DICTIONARY: page(*parts)}


def _fields(model: type[BaseModel]) -> str:
    said = sentences(model)
    rows = []
    for name, field in model.model_fields.items():
        shown = field.alias or name
        need = "required" if field.is_required() else ""
        rows.append((code(shown), esc(_type(field.annotation)), need, esc(said.get(shown, ""))))
    heading = f"### {esc(model.__name__)}\n\n{esc((model.__doc__ or '').strip())}"
    return f"{heading}\n\n{stacked(table(('field', 'type', '', 'meaning'), rows))}"


PLAIN = {str: "text", int: "whole number", bool: "true or false", float: "number",
         datetime.date: "day"}  # fmt: skip
"""Types of single values, as words."""


def _type(annotation: Any) -> str:  # noqa: ANN401 - an annotation can be anything
    """An annotation in words: `list of Part`, `one of dense, unstated`, `day`."""
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _type(inner[0])
    if origin is Literal:
        return f"one of {', '.join(str(word) for word in inner)}"
    if origin is tuple:
        return f"list of {_type(inner[0])}"
    if origin is dict:
        return f"{_type(inner[1])}, by {_type(inner[0])}"
    if origin in (Union, UnionType):
        return " or ".join(_type(item) for item in inner if item is not NoneType)
    if isinstance(annotation, type) and issubclass(annotation, Word):
        return f"a word of {annotation.__name__}"
    return PLAIN.get(annotation, getattr(annotation, "__name__", str(annotation)))
