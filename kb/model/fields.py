"""The sentences under the fields of a model, read from its source for schemas and pages."""

import ast
import functools
import inspect
import textwrap
from typing import Any

from pydantic import BaseModel


@functools.cache
def sentences(model: type[BaseModel]) -> dict[str, str]:
    """The docstring under each field, by the field's name in a file.

    Read only when a schema or a data dictionary is written: pydantic's own switch for it
    reads every source file at each start.
    """
    found: dict[str, str] = {}
    for base in reversed(model.__mro__):
        if issubclass(base, BaseModel) and base is not BaseModel:
            found |= _documented(base)
    return {
        field.alias or name: found[name]
        for name, field in model.model_fields.items()
        if name in found
    }


def _documented(model: type[BaseModel]) -> dict[str, str]:
    tree = ast.parse(textwrap.dedent(inspect.getsource(model))).body[0]
    if not isinstance(tree, ast.ClassDef):
        return {}
    found = {}
    for field, text in zip(tree.body, tree.body[1:], strict=False):
        if not isinstance(field, ast.AnnAssign) or not isinstance(field.target, ast.Name):
            continue
        if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
            found[field.target.id] = " ".join(str(text.value.value).split())
    return found


def models_in(model: type[BaseModel]) -> dict[str, type[BaseModel]]:
    """The model and every model inside it, by name."""
    found: dict[str, type[BaseModel]] = {}
    queue: list[Any] = [model]
    while queue:
        item = queue.pop()
        if isinstance(item, type) and issubclass(item, BaseModel) and item.__name__ not in found:
            found[item.__name__] = item
            queue += [field.annotation for field in item.model_fields.values()]
        queue += getattr(item, "__args__", ())
    return found
