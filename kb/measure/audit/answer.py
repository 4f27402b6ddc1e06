"""The portability audit: three numbers, the layer table, and which decision binds.

It takes what was compiled and what the source scan found and counts. Nothing is weighted,
and no mark is given.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kb.measure.audit.days import Days
from kb.measure.audit.marks import Found
from kb.measure.audit.profile import Runtime
from kb.measure.audit.source import Scan
from kb.model.artefact import Artefact, ByHand, Refusal
from kb.model.share import Group, hand_written, share_text, touched
from kb.qualifiers import Word


class Binds(Word):
    """Which of the two decisions sets the cost of a switch."""

    COMPUTE_API = (
        "compute_api",
        "The compute API binds: kernels written for it have to be written or tuned again.",
    )
    FRAMEWORK = (
        "framework",
        "The framework binds: nothing is written by hand, so another backend generates it "  # noqa: ISC004
        "again; performance is not carried over and has to be shown anew.",
    )
    UNDETERMINED = (
        "undetermined",
        "Undetermined: what was looked at doesn't tell.",
    )


@dataclass(frozen=True, slots=True)
class ToRewrite:
    """One hand-written kernel, as one program or one source file has it."""

    name: str
    where: str
    """The product that it was compiled for; empty where source shows it."""
    seen_in: str
    """`program for …` or the file and line that define or call it."""
    sites: int
    lines: int
    gradient: bool | None
    """Whether a rule was seen; None where it has no meaning or nothing tells."""
    sharding: bool | None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Declined:
    """A target that gave no compiled program and no record."""

    target: str
    refusal: Refusal


@dataclass(frozen=True, slots=True)
class Audit:
    """Everything that was counted for one program or tree."""

    name: str
    records: tuple[Artefact, ...] = ()
    scan: Scan | None = None
    runtime: Runtime | None = None
    days: Days | None = None
    declined: tuple[Declined, ...] = ()

    @property
    def kernels(self) -> tuple[ToRewrite, ...]:
        """Hand-written kernels: of each program, and of the source."""
        return (*self._in_programs(), *self._in_source())

    @property
    def counted(self) -> str:
        """How many there are; never summed, since one kernel may be seen in several places."""
        said = []
        for record in self.records:
            product = record.target.product
            listed = [each for each in self.kernels if each.where == product]
            if not listed and not record.variants:
                said.append(f"{product} not known, since it was not compiled")
                continue
            tail = f", {record.refusal.kind}" if record.refusal else ""
            said.append(f"{product} {_many(listed)}{tail}")
        if self.scan is not None:
            said.append(f"source {_many([each for each in self.kernels if not each.where])}")
        return "; ".join(said) or "not looked for"

    def _in_programs(self) -> Iterator[ToRewrite]:
        compiled = {r.target.product for r in self.records if r.variants}
        for record in self.records:
            for each in _of_record(record):
                both = len(compiled) > 1 and "pallas_call" in each.note
                told = f"compiles for {' and '.join(sorted(compiled))}: one source, tuned again"
                yield replace(each, note=told) if both else each

    def _in_source(self) -> Iterator[ToRewrite]:
        grouped: dict[tuple[str, str], list[Found]] = {}
        for each in self.scan.of("hand_written") if self.scan else ():
            grouped.setdefault((each.name, each.path), []).append(each)
        for (name, path), found in sorted(grouped.items()):
            first = found[0]
            yield ToRewrite(
                name,
                "",
                f"{path}:{first.line} ({first.mark.replace('_', ' ')})",
                len(found),
                max(each.lines for each in found),
                first.gradient,
                first.sharding,
            )

    @property
    def names(self) -> tuple[str, ...]:
        """The names under which a person estimates: the source's own where there is source."""
        from_source = {each.name for each in self.scan.of("hand_written")} if self.scan else set()
        return tuple(sorted(from_source or {each.name for each in self._in_programs()}))

    @property
    def binds(self) -> Binds:
        """The decision that binds, as far as it was looked at."""
        rejected = any(r.refusal and r.refusal.kind == "rejected" for r in self.records)
        if self.kernels or rejected:
            return Binds.COMPUTE_API
        return Binds.FRAMEWORK if self.compiled else Binds.UNDETERMINED

    @property
    def compiled(self) -> bool:
        """Whether any program was."""
        return any(record.variants for record in self.records)

    @property
    def binding(self) -> str:
        """The sentence on what binds; where that isn't known, what wasn't looked at."""
        if self.binds is not Binds.UNDETERMINED:
            return self.binds.sentence
        source = (
            "no source was given"
            if self.scan is None
            else "the source shows no hand-written kernel"
        )
        return f"Undetermined: no program was compiled, and {source}."


def _of_record(record: Artefact) -> Iterator[ToRewrite]:
    """The kernels of one program: from its compiled text, else from the traced program."""
    product, calls = record.target.product, record.program.by_hand
    if not record.variants:
        for call in calls:
            seen = f"program for {product}, which was not compiled"
            yield ToRewrite(call.name, product, seen, call.sites, 0, call.gradient, call.sharding,
                            call.primitive)  # fmt: skip
        return
    for target, digest, sites in hand_written(record):
        matched = _call(target, calls)
        yield ToRewrite(
            matched.name if matched else target,
            product,
            f"program for {product}, as {target}, configuration {digest[:12]}",
            sites,
            0,
            matched.gradient if matched else None,
            matched.sharding if matched else None,
            matched.primitive if matched else "",
        )


def _call(target: str, calls: Sequence[ByHand]) -> ByHand | None:
    """The traced call behind a custom call, where only one is possible."""
    foreign = [each for each in calls if each.primitive == "ffi_call"]
    named = [each for each in foreign if each.name == target]
    others = [each for each in calls if each not in foreign]
    possible = named or others
    if len({each.name for each in possible}) != 1:
        return None
    # Equal calls with and without a rule: the weaker word holds for all of them.
    return min(possible, key=lambda each: (bool(each.gradient), each.sharding))


def _many(listed: Sequence[ToRewrite]) -> str:
    sites = sum(each.sites for each in listed)
    kernels = "1 kernel" if len(listed) == 1 else f"{len(listed)} kernels"
    return f"{kernels} at {sites} {'place' if sites == 1 else 'places'}"


@dataclass(frozen=True, slots=True)
class Layer:
    """One row of the layer table."""

    layer: str
    bound: str
    found: str


def layers(audit: Audit) -> tuple[Layer, ...]:
    """The layer table, filled in from what was counted."""
    compiled = [record for record in audit.records if record.variants]
    tools = len(audit.scan.of("tooling")) if audit.scan else None
    calls = len(audit.scan.of("library")) if audit.scan else 0
    looked = bool(audit.scan or audit.records)
    direct = f"; {calls} direct calls in source" if calls else ""
    return (
        Layer("program in JAX", "not bound", _programs(compiled)),
        Layer(
            "kernels that XLA generates",
            "not bound, but performance is not carried over",
            _shares(audit, compiled, "generated"),
        ),
        Layer("library calls under XLA", "bound", f"{_shares(audit, compiled, 'library')}{direct}"),
        Layer(
            "hand-written kernels and custom calls",
            "bound: each is a rewrite",
            audit.counted if looked else "not looked at",
        ),
        Layer(
            "profiling, tooling and CI",
            "often bound",
            "not looked at: no source was given"
            if tools is None
            else f"{tools} {'place' if tools == 1 else 'places'}",
        ),
    )


def _programs(records: Sequence[Artefact]) -> str:
    products = sorted({record.target.product for record in records})
    return f"compiles for {', '.join(products)}" if products else "not compiled"


def _shares(audit: Audit, records: Sequence[Artefact], group: Group) -> str:
    shown = []
    if audit.runtime is not None:
        shown.append(f"{audit.runtime.share(group):.1%} of device time")
    for record in records:
        work = share_text(record, group)
        moved = share_text(record, group, touched)
        kinds = _kinds(record, group)
        shown.append(f"{record.target.product}: FLOPs {work}, bytes {moved}{kinds}")
    return "; ".join(shown) or "not compiled"


def _kinds(record: Artefact, group: Group) -> str:
    """Which library routines are called, in the compiler's words."""
    if group != "library":
        return ""
    names = {k.kind for v in record.variants for k in v.kernels if k.kernel_class.group == group}
    return f" ({', '.join(sorted(names))})" if names else ""
