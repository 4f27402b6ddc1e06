"""Each field's sentence as the description in a schema."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from kb.model.fields import models_in, sentences


def describe(schema: dict[str, Any], model: type[BaseModel]) -> dict[str, Any]:
    """The schema of `model` with each field's sentence as its description."""
    models = models_in(model)
    parts = {model.__name__: schema, **schema.get("$defs", {})}
    for name, part in parts.items():
        if name in models:
            for field, sentence in sentences(models[name]).items():
                part.get("properties", {}).get(field, {})["description"] = sentence
    return schema
