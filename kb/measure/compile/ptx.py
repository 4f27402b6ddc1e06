"""Reads what lies below HLO on a GPU: PTX, the assembler's report and the launch list.

Which matrix instructions a kernel holds is read from its PTX, never guessed from its name.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

_ENTRY = re.compile(r"\.entry\s+([\w$]+)\s*\(")
_MATRIX = re.compile(r"\b(tcgen05\.mma|wgmma\.mma_async|mma\.sync)")
_TARGET = re.compile(r"^\.target\s+(\w+)", re.M)
_COMPILING = re.compile(r"Compiling entry function '([^']+)' for '(\w+)'")
_SPILLS = re.compile(
    r"(\d{1,9}) bytes stack frame, (\d{1,9}) bytes spill stores, (\d{1,9}) bytes spill loads"
)
_USED = re.compile(r"Used (\d{1,9}) registers(?:.*?\b(\d{1,9}) bytes smem)?")
_LAUNCH = re.compile(r"^\s*(\d{1,9}): (k\w+)\s+\[[^\]]*\]\s*(\S*)")
_THUNK = re.compile(r'profile_annotation: "([^"]+)"\s+thunk_id: (\d{1,9})')


@dataclass(frozen=True, slots=True)
class Assembled:
    """What the assembler says of one kernel."""

    registers: int
    stack_bytes: int
    spill_store_bytes: int
    spill_load_bytes: int
    shared_bytes: int = 0
    """Shared memory that the source declares; a launch may ask for more."""

    @property
    def spill_bytes(self) -> int:
        """Stores and loads together."""
        return self.spill_store_bytes + self.spill_load_bytes


@dataclass(frozen=True, slots=True)
class Launch:
    """One line of the runtime's launch list."""

    kind: str
    kernel: str


def matrix_instructions(ptx: str) -> dict[str, dict[str, int]]:
    """Matrix instructions by family, for each kernel of a PTX text."""
    parts = _ENTRY.split(ptx)
    names, bodies = parts[1::2], parts[2::2]
    return {
        name: dict(sorted(Counter(_MATRIX.findall(body)).items()))
        for name, body in zip(names, bodies, strict=True)
    }


def architecture(ptx: str) -> str | None:
    """The architecture that a PTX text is for, such as `sm_100a`; None where it has none."""
    found = _TARGET.search(ptx)
    return found[1] if found else None


def assembled(report: str) -> dict[str, Assembled]:
    """Registers and spills by kernel, from what `ptxas -v` prints."""
    found: dict[str, Assembled] = {}
    name, frame = "", (0, 0, 0)
    for line in report.splitlines():
        compiling = _COMPILING.search(line)
        if compiling:
            name, frame = compiling[1], (0, 0, 0)
        spills = _SPILLS.search(line)
        if spills:
            frame = int(spills[1]), int(spills[2]), int(spills[3])
        used = _USED.search(line)
        if used and name:
            found[name] = Assembled(int(used[1]), *frame, int(used[2] or 0))
    return found


def launches(sequence: str) -> dict[int, Launch]:
    """The launch list by number: kind of each launch and the kernel's name."""
    rows = (_LAUNCH.match(line) for line in sequence.splitlines())
    return {int(row[1]): Launch(row[2], row[3]) for row in rows if row}


def kernel_of_instruction(sequence: str, metadata: str) -> dict[str, str]:
    """The kernel's name by the name of the HLO instruction that launches it.

    XLA emits equal fusions once, so several instructions may share a kernel.
    """
    listed = launches(sequence)
    pairs = ((name, int(number)) for name, number in _THUNK.findall(metadata))
    return {name: listed[number].kernel for name, number in pairs if number in listed}
