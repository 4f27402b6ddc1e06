"""The portability audit: three numbers, the layer table, and which decision binds.

It takes what was compiled and what the source scan found and counts. Nothing is weighted,
and no mark is given.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kb.measure.audit.days import Days
from kb.measure.audit.profile import Runtime
from kb.measure.audit.source import Scan
from kb.model.artefact import Artefact
from kb.model.share import GROUPS, hand_written, share_text, touched, uncounted
from kb.qualifiers import Word


class Binds(Word):
    """Which of the two decisions sets the cost of a switch."""

    COMPUTE_API = (
        "compute_api",
        "The compute API binds: kernels written for it have to be written again.",
    )
    FRAMEWORK = (
        "framework",
        "The framework binds: nothing is written by hand, so another backend generates it "  # noqa: ISC004
        "again; performance is not carried over and has to be shown anew.",
    )
    UNDETERMINED = (
        "undetermined",
        "Undetermined: no program was compiled, and the source shows no hand-written kernel.",
    )


@dataclass(frozen=True, slots=True)
class ToRewrite:
    """One hand-written kernel."""

    name: str
    seen_in: str
    """`program` or the file that defines or calls it."""
    sites: int
    lines: int
    gradient: str
    sharding: str


@dataclass(frozen=True, slots=True)
class Audit:
    """Everything that was counted for one program or tree."""

    name: str
    records: tuple[Artefact, ...] = ()
    scan: Scan | None = None
    runtime: Runtime | None = None
    days: Days | None = None

    @property
    def kernels(self) -> tuple[ToRewrite, ...]:
        """Distinct hand-written kernels: from the programs and from the source."""
        return (*self._in_programs(), *self._in_source())

    @property
    def counted(self) -> str:
        """How many there are, programs and source apart, since one kernel may be in both."""
        said = []
        for where, found in (("programs", self._in_programs()), ("source", self._in_source())):
            listed = tuple(found)
            if listed or (self.records if where == "programs" else self.scan):
                sites = sum(each.sites for each in listed)
                said.append(f"{len(listed)} in the {where} ({sites} call sites)")
        return ", ".join(said) or "none looked for"

    def _in_programs(self) -> Iterator[ToRewrite]:
        seen = {}
        for record in self.records:
            for target, digest, sites in hand_written(record):
                seen[record.target.product, target, digest] = sites
        for (product, target, digest), sites in sorted(seen.items()):
            name = f"{target} ({digest[:12]})"
            yield ToRewrite(name, f"program for {product}", sites, 0, "not known", "not known")

    def _in_source(self) -> Iterator[ToRewrite]:
        grouped: dict[tuple[str, str], list[int]] = {}
        found = self.scan.of("hand_written") if self.scan else ()
        for i, each in enumerate(found):
            grouped.setdefault((each.name, each.path), []).append(i)
        for (name, path), places in sorted(grouped.items()):
            first = found[places[0]]
            yield ToRewrite(
                name,
                f"{path}:{first.line} ({first.mark.replace('_', ' ')})",
                len(places),
                max(found[i].lines for i in places),
                _known(first.gradient),
                _known(first.sharding),
            )

    @property
    def names(self) -> tuple[str, ...]:
        """The names under which a person estimates: the source's own where there is source."""
        from_source = {each.name for each in self.scan.of("hand_written")} if self.scan else set()
        targets = {t for r in self.records for t, _, _ in hand_written(r)}
        return tuple(sorted(from_source or targets))

    @property
    def binds(self) -> Binds:
        """The decision that binds, as far as it was looked at."""
        rejected = any(r.refusal and r.refusal.kind == "rejected" for r in self.records)
        if self.kernels or rejected:
            return Binds.COMPUTE_API
        compiled = any(record.variants for record in self.records)
        return Binds.FRAMEWORK if compiled else Binds.UNDETERMINED


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
    looked = bool(audit.scan or compiled)
    library = _per_target(compiled, "library")
    direct = f"; {calls} direct calls in source" if calls else ""
    return (
        Layer("program in JAX", "not bound", _programs(compiled)),
        Layer(
            "kernels that XLA generates",
            "not bound, but performance is not carried over",
            _per_target(compiled, "generated"),
        ),
        Layer("library calls under XLA", "bound", f"{library}{direct}"),
        Layer(
            "hand-written kernels and custom calls",
            "bound: each is a rewrite",
            audit.counted if looked else "not looked at",
        ),
        Layer(
            "profiling, tooling and CI",
            "often bound",
            "not looked at: no source was given" if tools is None else f"{tools} places",
        ),
    )


def _programs(records: Sequence[Artefact]) -> str:
    products = sorted({record.target.product for record in records})
    return f"compiles for {', '.join(products)}" if products else "not compiled"


def _per_target(records: Sequence[Artefact], group: str) -> str:
    shown = []
    for record in records:
        for each in GROUPS:
            if each == group:
                work = share_text(record, each)
                moved = share_text(record, each, touched)
                shown.append(f"{record.target.product}: FLOPs {work}, bytes {moved}")
    return "; ".join(shown) or "not compiled"


def lines(audit: Audit) -> Iterator[str]:
    """The audit for a terminal."""
    yield f"portability of {audit.name}"
    yield "1. who does the work"
    yield from _work(audit)
    yield f"2. kernels to rewrite: {audit.counted}"
    for each in audit.kernels:
        size = f", {each.lines} lines" if each.lines else ""
        yield f"   {each.name}: {each.sites} call sites{size}, {each.seen_in}"
        yield f"     gradient {each.gradient}, sharding rule {each.sharding}"
    yield "3. engineering days"
    yield from _days(audit)
    if audit.scan is not None:
        yield from _assumptions(audit.scan)
    yield "layers"
    for layer in layers(audit):
        yield f"   {layer.layer} [{layer.bound}]: {layer.found}"
    yield f"binding decision: {audit.binds.sentence}"


def _work(audit: Audit) -> Iterator[str]:
    if audit.runtime is not None:
        seen = audit.runtime
        for group in (*GROUPS, "communication"):
            yield f"   {group.replace('_', '-')}: {seen.share(group):.1%} of device time"
        apart = seen.unjoined / seen.busy if seen.busy else 0.0
        yield f"   not joined: {apart:.1%}; idle time stands apart"
    for record in audit.records:
        if record.refusal is not None:
            yield f"   {record.target.product}: {record.refusal.kind}: {record.refusal.message}"
            continue
        for group in GROUPS:
            internal = group == "library" and record.target.product.startswith("tpu")
            word = "compiler-internal" if internal else group.replace("_", "-")
            yield (
                f"   {record.target.product}, {word}: contraction FLOPs "
                f"{share_text(record, group)}, bytes {share_text(record, group, touched)} "
                "(compiled only)"
            )
        hidden = uncounted(record)
        if hidden:
            yield f"     work that can't be seen from outside: {', '.join(hidden)}"
    if not audit.records and audit.runtime is None:
        yield "   not known: no program was compiled and no profile was given"


def _days(audit: Audit) -> Iterator[str]:
    days = audit.days
    if not audit.names:
        yield "   no hand-written kernel was found, so there is none to estimate"
        return
    if days is None:
        yield "   not given. A person has to say: --days FILE, three figures for each of"
        yield f"   {', '.join(audit.names)}"
        return
    for each in days.used:
        yield f"   {each.kernel}: {each.low:g} to {each.high:g}, by {each.by} ({each.basis})"
    if days.complete:
        yield f"   together {days.low:g} to {days.high:g} days, as estimated by people"
    else:
        yield f"   no total: nobody estimated {', '.join(days.without)}"
    if days.unknown:
        yield f"   estimated, but no counted kernel: {', '.join(days.unknown)}"


def _assumptions(scan: Scan) -> Iterator[str]:
    tools = scan.of("tooling")
    yield f"tooling assumptions: {len(tools)} in {scan.files} files"
    yield from (f"   {t.mark.replace('_', ' ')}: {t.name}, {t.path}:{t.line}" for t in tools[:20])
    if len(tools) > 20:
        yield f"   and {len(tools) - 20} more"
    yield from (f"   not read: {each}" for each in scan.unread)


def _known(value: bool | None) -> str:  # noqa: FBT001 - a three-valued answer
    return "does not apply" if value is None else "rule seen" if value else "no rule seen"
