"""Reads optimised HLO text into computations and instructions.

The text is no stable format, so nothing is assumed beyond `%name = type opcode(…), …`. A
line that does not fit is counted, never dropped in silence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod

BITS = {
    "pred": 8, "s4": 4, "u4": 4, "s8": 8, "u8": 8, "s16": 16, "u16": 16, "s32": 32, "u32": 32,
    "s64": 64, "u64": 64, "f16": 16, "bf16": 16, "f32": 32, "f64": 64, "c64": 64, "c128": 128,
    "f8e5m2": 8, "f8e4m3fn": 8, "f8e4m3": 8, "f8e8m0fnu": 8, "f4e2m1fn": 4,
}  # fmt: skip
"""Bits of one element, by HLO type; `token` and opaque types hold none."""

LARGEST_ARRAY = 2**62
"""Elements; a type that names more of them is no type of a program."""
MOST_TIMES = 10
"""How many times its own length a program may be with every call written out."""
DEEPEST_CALLS = 100
RUNS = ("while", "conditional", "call", "async-start", "call-start")
"""Instructions that are nothing but the computations they call."""
_HUGE = re.compile(r"[0-9]{19}|(?:,[0-9<=]+){64}")
_ARRAY = re.compile(r"\b([a-z][a-z0-9]*)\[([0-9,<=]*)\](\{[^{}]*\})?")
_SIZE = re.compile(r"[0-9]+")
_HEAD = re.compile(r"^(ENTRY )?%?([^\s(]+) \(.*\{\s*$")
_LINE = re.compile(r"^\s+(?:ROOT )?%?([^\s=]+) = (.*)$")
_OPCODE = re.compile(r"([a-z][a-z0-9-]*)\(")
_NAMES = re.compile(r"%([\w.\-]+)")
_CALLED = re.compile(r"\b(calls|to_apply|body|condition|branch_computations)=(\{[^}]*\}|%[\w.\-]+)")
_TARGET = re.compile(r'custom_call_target="([^"]*)"')
_KIND = re.compile(r"\bkind=(k\w+)")
_SOURCE = re.compile(r'\bop_name="((?:[^"\\]|\\.)*)"')


@dataclass(frozen=True, slots=True)
class Array:
    """The type of one array: element type, dimensions and the text of its layout."""

    dtype: str
    dims: tuple[int, ...]
    layout: str

    @property
    def elements(self) -> int:
        """How many elements it has."""
        return prod(self.dims)

    @property
    def bytes(self) -> int:
        """Its logical size, without padding."""
        return (self.elements * BITS.get(self.dtype, 0) + 7) // 8


@dataclass(frozen=True, slots=True)
class Instruction:
    """One line of a computation."""

    name: str
    type: str
    opcode: str
    operands: tuple[str, ...]
    inside: str
    """The text between the parentheses."""
    attributes: str
    """What follows the operands."""

    @property
    def text(self) -> str:
        """The line again, for a message."""
        return f"%{self.name} = {self.type} {self.opcode}({self.inside}){self.attributes}"

    @property
    def arrays(self) -> tuple[Array, ...]:
        """The arrays of its result, several for a tuple."""
        return arrays(self.type)

    @property
    def called(self) -> dict[str, tuple[str, ...]]:
        """Computations that it calls, by the word that names their part."""
        return {word: tuple(_NAMES.findall(names)) for word, names in _called(self.attributes)}

    @property
    def target(self) -> str:
        """The target of a custom call; empty for others."""
        found = _TARGET.search(self.attributes)
        return found[1] if found else ""

    @property
    def fusion_kind(self) -> str:
        """The kind of a fusion; empty for others."""
        found = _KIND.search(self.attributes)
        return found[1] if found else ""

    @property
    def source(self) -> str:
        """The operation of the program that it came from, without its wrapping."""
        found = _SOURCE.search(self.attributes)
        return found[1].replace("\\'", "'") if found else ""

    def attribute(self, name: str) -> str:
        """The text of an attribute up to the next comma outside brackets; empty if absent."""
        at = re.search(rf"\b{name}=", self.attributes)
        if at is None:
            return ""
        return _until_comma(self.attributes, at.end())


@dataclass(frozen=True, slots=True)
class Computation:
    """A named list of instructions."""

    name: str
    instructions: tuple[Instruction, ...]
    by_name: dict[str, Instruction]
    readers: dict[str, tuple[Instruction, ...]]
    """What takes each result, in order."""

    @classmethod
    def of(cls, name: str, instructions: Sequence[Instruction]) -> Computation:
        """The computation of some instructions, with its lists of names."""
        readers: dict[str, list[Instruction]] = {}
        for each in instructions:
            for operand in dict.fromkeys(each.operands):
                readers.setdefault(operand, []).append(each)
        return cls(
            name,
            tuple(instructions),
            {each.name: each for each in instructions},
            {operand: tuple(found) for operand, found in readers.items()},
        )


@dataclass(slots=True)
class Module:
    """A whole program."""

    entry: str = ""
    computations: dict[str, Computation] = field(default_factory=dict)
    instructions: int = 0
    unparsed: list[str] = field(default_factory=list)


def parse(text: str) -> Module:
    """The module in `text`; lines that are not understood are kept in `unparsed`.

    A call of what is not there, of itself, or of more than any program holds is such a line,
    so that whoever follows calls comes to an end.
    """
    module, name = Module(), ""
    current: list[Instruction] | None = None
    for line in text.splitlines():
        if current is None:
            head = _HEAD.match(line)
            if head is not None and " = " not in line.split("(", 1)[0]:
                current, name = [], head[2]
                module.entry = name if head[1] else module.entry
        elif line.startswith("}"):
            module.computations[name] = Computation.of(name, current)
            current = None
        elif line.strip():
            read = instruction(line)
            module.instructions += 1
            if read is None:
                module.unparsed.append(line)
            else:
                current.append(read)
    return _sound(module)


def _sound(module: Module) -> Module:
    """The module without calls that lead nowhere, in a circle or too far."""
    most = 10_000 + MOST_TIMES * module.instructions
    sizes: dict[str, int] = {}
    depths: dict[str, int] = {}
    for name in _callees_first(module):
        inside = module.computations[name]
        kept: list[Instruction] = []
        size = depth = 0
        for each in inside.instructions:
            called = [
                key
                for word, keys in each.called.items()
                for key in keys
                if key in module.computations or (each.opcode in RUNS and word != "condition")
            ]
            more = sum(sizes.get(key, most) for key in called)
            deeper = max((depths.get(key, DEEPEST_CALLS) for key in called), default=0)
            if deeper >= DEEPEST_CALLS or size + more >= most:
                module.unparsed.append(each.text)
                continue
            kept.append(each)
            size, depth = size + 1 + more, max(depth, deeper + 1)
        sizes[name], depths[name] = size, depth
        if len(kept) < len(inside.instructions):
            module.computations[name] = Computation.of(name, kept)
    return module


def _callees_first(module: Module) -> list[str]:
    """The names of all computations, each behind those that it calls, as far as that can be."""
    done: dict[str, None] = {}
    begun: set[str] = set()
    queue = list(reversed(module.computations))
    while queue:
        name = queue.pop()
        if name in begun:
            done[name] = None
            continue
        begun.add(name)
        queue.append(name)
        for each in module.computations[name].instructions:
            called = (key for keys in each.called.values() for key in keys)
            queue += [key for key in called if key in module.computations and key not in begun]
    return list(done)


def instruction(line: str) -> Instruction | None:
    """The instruction on a line, or None where the line does not fit."""
    found = _LINE.match(line)
    if found is None:
        return None
    rest = found[2]
    end = _type_end(rest)
    opcode = _OPCODE.match(rest, end + 1) if end > 0 else None
    if opcode is None:
        return None
    close = _closing(rest, opcode.end() - 1)
    if close < 0 or not _plausible(rest[:end]):
        return None
    inside = rest[opcode.end() : close]
    names = tuple(_NAMES.findall(inside))
    return Instruction(found[1], rest[:end], opcode[1], names, inside, rest[close + 1 :])


def _plausible(text: str) -> bool:
    """Whether a type is one that a program could have; its sizes are then small numbers."""
    return not _HUGE.search(text) and all(a.elements < LARGEST_ARRAY for a in arrays(text))


def arrays(text: str) -> tuple[Array, ...]:
    """Every array type in a text."""
    return tuple(
        Array(dtype, tuple(int(d) for d in _SIZE.findall(dims)), layout or "")
        for dtype, dims, layout in _ARRAY.findall(text)
    )


def _called(attributes: str) -> list[tuple[str, str]]:
    return [(word, names) for word, names in _CALLED.findall(attributes)]


def _type_end(text: str) -> int:
    """Where the type at the start of `text` ends; 0 where there is none."""
    if text.startswith("("):
        return _closing(text, 0) + 1
    depth = 0
    for at, char in enumerate(text):
        depth += (char in "{[(") - (char in "}])")
        if char == " " and depth == 0:
            return at
    return 0


def _closing(text: str, at: int) -> int:
    """The index of the parenthesis that closes the one at `at`, minding quotes; -1 if none."""
    depth, quoted, escaped = 0, False, False
    for index in range(at, len(text)):
        char = text[index]
        if quoted:
            quoted = char != '"' or escaped
            escaped = char == "\\" and not escaped
            continue
        if char == '"':
            quoted, escaped = True, False
        depth += (char == "(") - (char == ")")
        if depth == 0:
            return index
    return -1


def _until_comma(text: str, start: int) -> str:
    depth, quoted = 0, False
    for index in range(start, len(text)):
        char = text[index]
        if char == '"' and text[index - 1] != "\\":
            quoted = not quoted
        if quoted:
            continue
        depth += (char in "{[(") - (char in "}])")
        if char == "," and depth == 0:
            return text[start:index]
    return text[start:]
