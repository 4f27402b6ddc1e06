"""Walks an optimised program once and lists kernels, collectives and copies.

Loops are multiplied by their trip count; a loop whose count is not in the text is walked
once and counted as open.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from dataclasses import dataclass, field

from kb.measure.compile import collectives
from kb.measure.compile.classes import COPIES, classify, launches_nothing
from kb.measure.compile.contraction import contractions
from kb.measure.compile.hlo import Computation, Instruction, Module
from kb.model.artefact import Collective, Kernel, KernelClass

_TRIPS = re.compile(r'"known_trip_count":\{"n":"(\d{1,15})"\}')
_LIMIT = re.compile(r"^\s*(\d{1,15})\s*$")
_PLAIN = re.compile(r"\{(\d{1,4}(?:,\d{1,4})*)?(?::[^{}]*)?\}")
MOST_DIGITS = 16
"""Of a count; what has more is no count of a program."""
_CONFIG = re.compile(r"backend_config=(.*)$", re.S)


@dataclass(slots=True)
class Inventory:
    """Everything that one device does in one step."""

    kernels: list[Kernel] = field(default_factory=list)
    sites: list[collectives.Site] = field(default_factory=list)
    copies: Counter[str] = field(default_factory=Counter)
    open_loops: int = 0

    @property
    def collectives(self) -> tuple[Collective, ...]:
        """The collectives as rows."""
        return collectives.table(self.sites)


@dataclass(frozen=True, slots=True)
class Setting:
    """What the walk has to know besides the text."""

    platform: str
    devices: int = 1
    shipped: frozenset[str] = frozenset()
    tuned_by_timing: bool = False
    """Whether a real device would choose matrix products by timing."""


def take(module: Module, setting: Setting) -> Inventory:
    """The inventory of a module from its entry on."""
    found = Inventory()
    entry = module.computations.get(module.entry)
    if entry is not None:
        _walk(entry, 1, module, setting, found)
    return found


def _walk(
    inside: Computation, times: int, module: Module, setting: Setting, found: Inventory
) -> None:
    for each in inside.instructions:
        if launches_nothing(each) or collectives.waits(each):
            continue
        nested, often = _nested(each, times, module, found)
        if nested is not None:
            for called in nested:
                _walk(called, times * often, module, setting, found)
        elif each.opcode in COPIES:
            if not each.opcode.endswith("-done"):
                found.copies[each.opcode] += times
        elif collectives.kind_of(each):
            found.sites.append(collectives.site(each, inside, module, times, setting.devices))
        else:
            _work(each, inside, times, module, setting, found)


def _nested(
    each: Instruction, times: int, module: Module, found: Inventory
) -> tuple[list[Computation] | None, int]:
    """The computations that an instruction runs as such, and how often; None for a kernel."""
    called = each.called
    if each.opcode == "while":
        trips = _trips(each, module)
        if trips is not None and trips * times >= 10**MOST_DIGITS:
            trips = None  # no program comes to its end with so many
        found.open_loops += trips is None
        return [module.computations[n] for n in called.get("body", ())], trips or 1
    if each.opcode == "conditional":
        names = [n for word, ns in called.items() if word != "to_apply" for n in ns]
        return [module.computations[n] for n in names], 1
    if each.opcode in ("call", "async-start", "call-start"):
        names = [n for word in ("calls", "to_apply") for n in called.get(word, ())]
        return [module.computations[n] for n in names], 1
    if each.opcode in ("async-done", "async-update", "call-done"):
        return [], 1
    return None, 1


def _trips(loop: Instruction, module: Module) -> int | None:
    """The trip count of a loop: as the compiler notes it, else from `counter < constant`."""
    noted = _TRIPS.search(loop.attributes)
    if noted is not None:
        return int(noted[1])
    for name in loop.called.get("condition", ()):
        condition = module.computations.get(name)
        lines = condition.instructions if condition else ()
        limits = [_LIMIT.match(e.inside) for e in lines if e.opcode == "constant"]
        less = [e for e in lines if e.opcode == "compare" and "direction=LT" in e.attributes]
        if len(limits) == 1 and limits[0] is not None and len(less) == 1:
            return int(limits[0][1])
    return None


def _work(
    each: Instruction,
    inside: Computation,
    times: int,
    module: Module,
    setting: Setting,
    found: Inventory,
) -> None:
    """Adds a kernel, or the collectives that a fusion hides."""
    hidden = list(collectives.inside_fusion(each, module))
    for inner, sliced in hidden:
        home = module.computations[each.called["calls"][0]]
        seen = collectives.site(inner, home, module, times, setting.devices)
        found.sites.append(
            collectives.Site(**{**{s: getattr(seen, s) for s in seen.__slots__}, "sliced": sliced})
        )
    if hidden:
        return
    work = list(contractions(each, inside, module))
    kind, word = classify(each, setting.platform, setting.shipped, contracts=bool(work))
    found.kernels.append(_kernel(each, inside, times, work, (kind, word), setting))


def _kernel(
    each: Instruction,
    inside: Computation,
    times: int,
    work: list[tuple[int | None, str]],
    named: tuple[KernelClass, str],
    setting: Setting,
) -> Kernel:
    kind, word = named
    formats = sorted({formats for _, formats in work if formats})
    by_hand = kind is KernelClass.HAND_WRITTEN
    library = kind in (KernelClass.VENDOR_LIBRARY, KernelClass.COMPILER_INTERNAL)
    opaque = each.opcode == "custom-call" and not work and (by_hand or library)
    flops = None if opaque or any(f is None for f, _ in work) else sum(f or 0 for f, _ in work)
    mxu = {"mxu": len(work)} if work and setting.platform == "tpu" else {}
    return Kernel(
        name=each.name,
        kernel_class=kind,
        kind=word,
        source=each.source,
        executions=times,
        flops=None if flops is None else flops * times,
        bytes=_bytes(each, inside) * times,
        operands="; ".join(formats),
        undecided=setting.tuned_by_timing and _tuned(kind, word, contracts=bool(work)),
        matrix=mxu,
        registers=None,
        spill_bytes=None,
        config_sha256=_config(each) if by_hand else None,
    )


def _tuned(kind: KernelClass, word: str, *, contracts: bool) -> bool:
    """Whether a device would time several implementations: products and convolutions only."""
    if kind is KernelClass.VENDOR_LIBRARY:
        return contracts or word.startswith("__cudnn$")
    return contracts and kind is KernelClass.XLA_TRITON


def _bytes(each: Instruction, inside: Computation) -> int:
    """Operands read once and results written once, at logical size."""
    read = [inside.by_name[name] for name in dict.fromkeys(each.operands) if name in inside.by_name]
    total = sum(array.bytes for operand in read for array in operand.arrays)
    return total + sum(array.bytes for array in each.arrays)


def _config(each: Instruction) -> str:
    found = _CONFIG.search(each.attributes)
    return hashlib.sha256((each.target + (found[1] if found else "")).encode()).hexdigest()


def tiled_inputs(module: Module) -> int:
    """Parameters of the program that are not laid out row-major without tiles."""
    return sum(not all(_row_major(a.layout) for a in each.arrays) for each in _given(module))


def input_layouts(module: Module) -> tuple[str, ...]:
    """The type of every parameter of the program with its layout, in their order."""
    return tuple(each.type for each in sorted(_given(module), key=lambda e: _number(e.inside)))


def _given(module: Module) -> list[Instruction]:
    entry = module.computations.get(module.entry)
    return [e for e in entry.instructions if e.opcode == "parameter"] if entry else []


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < MOST_DIGITS else 0


def _row_major(layout: str) -> bool:
    found = _PLAIN.fullmatch(layout) if layout else None
    if found is None:
        return not layout
    order = [int(dim) for dim in (found[1] or "").split(",") if dim]
    return order == sorted(order, reverse=True) and "T(" not in layout
