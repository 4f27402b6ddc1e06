"""The fields of a record as indented lines, for records without a layout of their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

MOST_NUMBERS = 12
"""Numbers of one field that are shown; the JSON has them all."""


def field_lines(fields: Mapping[str, object], indent: str = "") -> Iterator[str]:
    """One line a field; what is inside a field stands below it, two blanks further in."""
    for name, value in fields.items():
        head = f"{indent}{name}:"
        if isinstance(value, Mapping):
            if value:
                yield head
                yield from field_lines(value, f"{indent}  ")
        elif isinstance(value, list | tuple):
            yield from _listed(head, value, f"{indent}  ")
        else:
            yield f"{head} {_text(value, indent)}"


def _listed(head: str, items: Sequence[object], indent: str) -> Iterator[str]:
    if items and all(isinstance(item, bool | int | float) for item in items):
        yield f"{head} {_numbers(items)}"
    elif items:
        yield head
        for item in items:
            yield from _item(item, indent)


def _item(item: object, indent: str) -> Iterator[str]:
    """An entry of a list: its first line begins with a dash, the others stand below it."""
    if isinstance(item, Mapping):
        lines = list(field_lines(item))
    elif isinstance(item, list | tuple):
        lines = list(_listed("values:", item, "  "))
    else:
        lines = [_text(item, f"{indent}  ")]
    for number, line in enumerate(lines):
        yield f"{indent}{'  ' if number else '- '}{line}"


def _numbers(items: Sequence[object]) -> str:
    """All of a few numbers, or how many there are and how far they reach."""
    if len(items) <= MOST_NUMBERS:
        return ", ".join(_text(item) for item in items)
    if all(isinstance(item, bool) for item in items):
        return f"{sum(item is True for item in items)} of {len(items)} true; --json has each"
    reach = [item for item in items if isinstance(item, int | float)]
    return f"{len(items)} numbers from {min(reach):.4g} to {max(reach):.4g}; --json has each"


def _text(value: object, indent: str = "") -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value).rstrip().replace("\n", f"\n{indent}  ")
