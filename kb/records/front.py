"""Editing the front matter of a record: only the fields that change are written anew.

ruamel reads the front matter with its comments; what it writes for the changed fields is put
in their place, line by line. Every other byte of the file stays as it is: order, quotes,
blanks, comments, a byte order mark, CRLF line ends.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.error import YAMLError
from ruamel.yaml.scalarstring import DoubleQuotedScalarString

from kb.finding import CheckError
from kb.load.markdown import split
from kb.model.decision import Decision

ORDER = tuple(field.alias or name for name, field in Decision.model_fields.items())
"""Where a new field belongs: behind the ones that the model has before it."""

MARK = "\ufeff"


def edited(text: str, name: str, change: Callable[[dict[str, Any]], None]) -> str:
    """The text of a record after `change` was applied to its fields.

    `text` is the file as it is stored, `name` what messages call it. Raises `CheckError`
    where the front matter can't be edited safely.
    """
    mark = MARK if text.startswith(MARK) else ""
    ends = "\r\n" if "\r\n" in text else "\n"
    plain = text.removeprefix(MARK).replace("\r\n", "\n")
    parts, findings = split(plain, name)
    if parts is None:
        raise CheckError(f"{name}: {findings[0].message}", findings[0].remedy)
    front = _edited(parts.front, name, change)
    lines = plain.split("\n")
    close = parts.body_line - 2
    result = "\n".join([lines[0], *([front] if front else []), *lines[close:]])
    return mark + result.replace("\n", ends)


def quoted(text: str) -> DoubleQuotedScalarString:
    """A text that is written in quotes, since YAML might read it as something else."""
    mark: DoubleQuotedScalarString = DoubleQuotedScalarString(text)
    return mark


def _edited(front: str, name: str, change: Callable[[dict[str, Any]], None]) -> str:
    yaml = _yaml()
    try:
        data = yaml.load(front)
    except YAMLError as error:
        problem = str(getattr(error, "problem", None) or error).split("\n", maxsplit=1)[0]
        raise CheckError(
            f"{name}: the front matter is no valid YAML: {problem}", "run `kb check` for the place"
        ) from None
    if not isinstance(data, CommentedMap) or data.fa.flow_style():
        raise CheckError(f"{name}: the front matter is no list of fields", "write one field a line")
    before = {key: _frozen(value) for key, value in data.items()}
    change(data)
    changed = {key for key, value in data.items() if before.get(key) != _frozen(value)}
    _into_order(data, before)
    written = io.StringIO()
    yaml.dump(data, written)
    return _spliced(front, written.getvalue(), changed, set(before) - set(data))


def _yaml() -> YAML:
    yaml = YAML(typ="rt")
    yaml.preserve_quotes = True
    yaml.width = 100
    yaml.indent(mapping=2, sequence=4, offset=2)
    # One day that stands in two fields is written twice, not once with an alias to it.
    yaml.representer.ignore_aliases = lambda *_: True
    return yaml


def _frozen(value: object) -> str:
    return json.dumps(value, default=str, sort_keys=True)


def _into_order(data: CommentedMap, before: Mapping[str, str]) -> None:
    """Move new fields from the end to their place in the model's order."""
    for key in [key for key in data if key not in before]:
        rank = ORDER.index(key) if key in ORDER else len(ORDER)
        behind = [i for i, k in enumerate(data) if k != key and _rank(k) < rank]
        value = data.pop(key)
        data.insert(behind[-1] + 1 if behind else 0, key, value)


def _rank(key: str) -> int:
    return ORDER.index(key) if key in ORDER else -1


def _spliced(old: str, new: str, changed: set[str], gone: set[str]) -> str:
    """The old lines, with the blocks of changed fields taken from the new ones."""
    old_blocks, new_blocks = _blocks(old), _blocks(new)
    result: list[str] = list(old_blocks.pop("", []))
    new_blocks.pop("", None)
    for key, block in new_blocks.items():
        kept = old_blocks.get(key)
        result += block if kept is None or key in changed else kept
    lost = set(old_blocks) - set(new_blocks) - gone
    if lost:
        raise CheckError(
            f"the fields {', '.join(sorted(lost))} would be lost", "write one field a line"
        )
    return "\n".join(result)


def _blocks(text: str) -> dict[str, list[str]]:
    """The lines of each field by its key; what stands before the first one under ''."""
    data = _yaml().load(text)
    starts = sorted((data.lc.key(key)[0], key) for key in data)
    lines = text.rstrip("\n").split("\n")
    first = starts[0][0] if starts else len(lines)
    blocks: dict[str, list[str]] = {"": lines[:first]}
    ends = [line for line, _ in starts[1:]] + [len(lines)]
    for (start, key), end in zip(starts, ends, strict=True):
        blocks[str(key)] = lines[start:end]
    return blocks
