"""What a model has at a place: its field names, and a mapping written out as an example."""

from __future__ import annotations

from typing import Annotated, Any, get_args, get_origin

from pydantic import BaseModel

from kb.source import Route


def field_names(model: type[BaseModel]) -> list[str]:
    """Every field name of a model and of the models inside it, for suggestions."""
    names: dict[str, None] = {}
    queue: list[Any] = [model]
    seen: set[Any] = set()
    while queue:
        item = queue.pop()
        if _is_model(item) and item not in seen:
            seen.add(item)
            for name, field in item.model_fields.items():
                names[field.alias or name] = None
                queue.append(field.annotation)
        queue.extend(getattr(item, "__args__", ()))
    return list(names)


def mapping_at(model: type[BaseModel], route: Route) -> str:
    """The mapping that belongs at `route`, with its needed fields; empty where it is not known."""
    hints: list[Any] = [model]
    for step in route:
        hints = [inner for hint in hints for inner in _inside(hint, step)]
    written = (_written(plain) for hint in hints for plain in _plain(hint))
    return next(filter(None, written), "")


def model_in(hint: Any) -> type[BaseModel] | None:
    """The model that a field of this type holds, or a list of."""
    if _is_model(hint):
        model: type[BaseModel] = hint
        return model
    found = (model_in(part) for part in getattr(hint, "__args__", ()))
    return next((model for model in found if model is not None), None)


def _is_model(hint: object) -> bool:
    return isinstance(hint, type) and issubclass(hint, BaseModel)


def _plain(hint: object) -> list[Any]:
    """The types that a hint stands for, without its union and annotations."""
    if get_origin(hint) is Annotated:
        return _plain(get_args(hint)[0])
    if _is_model(hint) or get_origin(hint) in (dict, tuple, list):
        return [hint]
    return [plain for inner in get_args(hint) for plain in _plain(inner)]


def _inside(hint: object, step: int | str) -> list[Any]:
    """The hints of what lies under `step`."""
    found = []
    for plain in _plain(hint):
        if _is_model(plain):
            field = plain.model_fields.get(str(step))
            found += [] if field is None else [field.annotation]
        else:
            found.append(get_args(plain)[1 if get_origin(plain) is dict else 0])
    return found


def _written(hint: Any) -> str:
    if _is_model(hint):
        needed = [name for name, field in hint.model_fields.items() if field.is_required()]
        return "{" + ", ".join(f"{name}: …" for name in needed) + "}"
    if get_origin(hint) is dict:
        key, value = get_args(hint)
        inner = next(filter(None, (_written(plain) for plain in _plain(value))), "")
        return f"{getattr(key, '__name__', 'name').upper()}: {inner}" if inner else ""
    return ""
