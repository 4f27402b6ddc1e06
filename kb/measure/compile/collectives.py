"""Finds collectives in optimised HLO and counts what they put on the wire.

Payload follows the nccl-tests convention, and the bytes on the wire are payload times the
ring factor of the kind. A switch or a torus may do better or worse: it is a count of what
the algorithm moves, no prediction of time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kb.measure.compile.hlo import Array, Computation, Instruction, Module
from kb.model.artefact import Collective

KINDS = (
    "all-reduce", "all-gather", "reduce-scatter", "all-to-all", "ragged-all-to-all",
    "collective-permute", "collective-broadcast",
)  # fmt: skip
_OPCODES = {f"{kind}{tail}": kind for kind in KINDS for tail in ("", "-start")}
_IOTA = re.compile(r"^\[([1-9]\d{0,8}),([1-9]\d{0,8})\]<=")
_PAIR = re.compile(r"\{(\d+),(\d+)\}")


@dataclass(frozen=True, slots=True)
class Site:
    """One collective instruction and how often it runs."""

    kind: str
    asynchronous: bool
    dtype: str
    groups: int
    size: int
    payload: int
    executions: int
    source: str
    sliced: bool


def kind_of(instruction: Instruction) -> str:
    """The kind of collective; empty for other instructions and for `-done` halves."""
    return _OPCODES.get(instruction.opcode, "")


def waits(instruction: Instruction) -> bool:
    """Whether it is the second half of an asynchronous collective."""
    return instruction.opcode.removesuffix("-done") in KINDS and instruction.opcode.endswith(
        "-done"
    )


def inside_fusion(instruction: Instruction, module: Module) -> Iterator[tuple[Instruction, bool]]:
    """Collectives that a fusion holds, and whether only a slice of each is kept.

    A TPU writes a reduce-scatter that way: an all-reduce and a slice of it, fused.
    """
    for name in instruction.called.get("calls", ()):
        called = module.computations.get(name)
        for each in called.instructions if called else ():
            if kind_of(each) and called:
                yield each, _only_sliced(each, called, module)


def site(
    instruction: Instruction, inside: Computation, module: Module, executions: int, devices: int
) -> Site:
    """What one collective instruction moves; `devices` is the size of the whole program."""
    kind = kind_of(instruction)
    given = _result(instruction)
    payload = sum(array.bytes for array in given)
    groups, size = _groups(instruction, devices)
    if kind == "reduce-scatter":
        payload *= size  # the convention counts what goes in
    return Site(
        kind,
        instruction.opcode.endswith("-start"),
        "+".join(sorted({array.dtype for array in given})),
        groups,
        size,
        payload,
        executions,
        instruction.source,
        _only_sliced(instruction, inside, module),
    )


def _result(instruction: Instruction) -> tuple[Array, ...]:
    """The arrays that come out; an async start lists its operands before them."""
    found = instruction.arrays
    counts = len(instruction.operands)
    if instruction.opcode.endswith("-start") and len(found) >= 2 * counts > 0:
        return found[counts : 2 * counts]
    return found


def _groups(instruction: Instruction, devices: int) -> tuple[int, int]:
    """How many groups there are and how large each is, in both notations."""
    text = instruction.attribute("replica_groups")
    iota = _IOTA.match(text)
    if iota is not None:
        return int(iota[1]), int(iota[2])
    listed = re.findall(r"\{([\d,]+)\}", text)
    if listed:
        return len(listed), len(listed[0].split(","))
    pairs = _PAIR.findall(instruction.attribute("source_target_pairs"))
    if pairs:
        return 1, len({end for pair in pairs for end in pair})
    return 1, max(devices, 1)


MOST_READERS = 100
"""Readers of one result that are looked at; a reduce-scatter has one or two."""


def _only_sliced(instruction: Instruction, inside: Computation, module: Module) -> bool:
    """Whether everything that reads the result cuts a slice out of it."""
    if kind_of(instruction) != "all-reduce":
        return False
    names, asked = {instruction.name}, [instruction.name]
    readers: list[Instruction] = []
    for name in asked:
        found = inside.readers.get(name, ())
        if len(found) + len(readers) + len(asked) > MOST_READERS:
            return False
        for each in found:
            # a `-done` half or a view carries the result on
            if each.name not in names and (waits(each) or each.opcode == "bitcast"):
                names.add(each.name)
                asked.append(each.name)
            else:
                readers.append(each)
    readers = [each for each in readers if each.name not in names]
    return bool(readers) and all(_slices(each, names, module) for each in readers)


def _slices(reader: Instruction, names: set[str], module: Module) -> bool:
    if reader.opcode in ("dynamic-slice", "slice"):
        return True
    for name in reader.called.get("calls", ()):
        called = module.computations.get(name)
        places = [i for i, operand in enumerate(reader.operands) if operand in names]
        if called is None or reader.opcode != "fusion":
            return False
        taken = {f"parameter({i})" for i in places}
        given = {e.name for e in called.instructions if f"{e.opcode}({e.inside})" in taken}
        users = [e for e in called.instructions if given & set(e.operands)]
        return bool(users) and all(e.opcode == "dynamic-slice" for e in users)
    return False


def factor(kind: str, size: int) -> float:
    """Bytes that one device sends for each byte of payload, in a ring."""
    if size < 2:
        return 0.0
    if kind == "all-reduce":
        return 2 * (size - 1) / size
    if kind in ("all-gather", "reduce-scatter", "all-to-all", "ragged-all-to-all"):
        return (size - 1) / size
    return 1.0


def table(sites: list[Site]) -> tuple[Collective, ...]:
    """Equal collectives joined to one row each, the largest on the wire first."""
    grouped: dict[tuple[object, ...], list[Site]] = {}
    for each in sites:
        key = (each.kind, each.asynchronous, each.dtype, each.groups, each.size, each.source)
        grouped.setdefault(key, []).append(each)
    rows = [_row(group) for group in grouped.values()]
    return tuple(sorted(rows, key=lambda row: (-row.wire_bytes, row.kind, row.source)))


def _row(group: list[Site]) -> Collective:
    first = group[0]
    payload = sum(each.payload * each.executions for each in group)
    return Collective(
        kind=first.kind,
        asynchronous=first.asynchronous,
        dtype=first.dtype,
        groups=first.groups,
        group_size=first.size,
        sites=len(group),
        executions=sum(each.executions for each in group),
        payload_bytes=payload,
        wire_bytes=round(payload * factor(first.kind, first.size)),
        source=first.source,
        then_sliced=sum(each.sliced for each in group),
    )
