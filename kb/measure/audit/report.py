"""Prints an audit for a terminal: the three numbers, tools, layers, and what binds."""

from __future__ import annotations

from collections.abc import Iterator

from kb.measure.audit.answer import Audit, ToRewrite, layers
from kb.measure.audit.profile import Runtime
from kb.measure.audit.source import Scan
from kb.model.artefact import CANNOT, Artefact
from kb.model.share import GROUPS, share_text, touched, uncounted

SHOWN = 20
"""How many places of one list are printed; the JSON output has all."""


def lines(audit: Audit) -> Iterator[str]:
    """The audit, line by line."""
    yield f"portability of {audit.name}"
    yield "1. who does the work"
    yield from _work(audit)
    yield f"2. kernels to rewrite: {audit.counted}"
    for each in audit.kernels:
        yield from _kernel(each)
    yield "3. engineering days"
    yield from _days(audit)
    if audit.scan is not None:
        yield from _assumptions(audit.scan)
    yield "layers"
    for layer in layers(audit):
        yield f"   {layer.layer} [{layer.bound}]: {layer.found}"
    yield f"binding decision: {audit.binding}"
    if audit.records and audit.runtime is None:
        yield CANNOT


def _work(audit: Audit) -> Iterator[str]:
    if audit.runtime is not None:
        yield from _run_time(audit.runtime)
    for record in audit.records:
        yield from _compiled(record)
    for each in audit.declined:
        yield f"   {each.target}: {each.refusal.kind}: {each.refusal.message}"
        yield f"     fix: {each.refusal.remedy}"
    if not audit.records and audit.runtime is None:
        yield "   not known: no program was compiled and no profile was given"


def _run_time(seen: Runtime) -> Iterator[str]:
    devices = "1 device" if seen.devices == 1 else f"{seen.devices} devices"
    yield f"   by leaf device time on {devices}, of {seen.program or 'a program without a name'}"
    for group in (*GROUPS, "communication", "copies"):
        yield f"     {group.replace('_', '-')}: {seen.share(group):.1%}"
    apart = seen.unjoined / seen.busy if seen.busy else 0.0
    yield f"     not joined to the record: {apart:.1%}"
    yield (
        f"     apart from that: idle {_time(seen.idle)}, asynchronous beside the work "
        f"{_time(seen.asynchronous)}, other programs {_time(seen.others)}"
    )


def _time(nanoseconds: float) -> str:
    return f"{nanoseconds / 1e6:.4g} ms"


def _compiled(record: Artefact) -> Iterator[str]:
    if record.refusal is not None:
        yield f"   {record.target.product}: {record.refusal.kind}: {record.refusal.message}"
        return
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


def _kernel(each: ToRewrite) -> Iterator[str]:
    size = f", {each.lines} lines" if each.lines else ""
    places = "1 place" if each.sites == 1 else f"{each.sites} places"
    yield f"   {each.name}: {places}{size}, {each.seen_in}"
    rules = f"gradient {_known(each.gradient)}, sharding {_known(each.sharding)}"
    yield f"     {rules}{f'; {each.note}' if each.note else ''}"


def _known(value: bool | None) -> str:  # noqa: FBT001 - a three-valued answer
    return "not known or not meant" if value is None else "rule seen" if value else "no rule seen"


def _days(audit: Audit) -> Iterator[str]:
    days = audit.days
    if not audit.names:
        looked = audit.compiled or audit.scan is not None
        yield (
            "   no hand-written kernel was found, so there is none to estimate"
            if looked
            else "   not known: nothing was compiled and no source was given"
        )
        return
    if days is None:
        yield "   not given. A person has to say: --days FILE, three figures for each of"
        yield f"   {', '.join(audit.names)}"
        return
    for each in days.used:
        three = f"{each.low:g}, {each.likely:g}, {each.high:g} days"
        yield f"   {each.kernel}: {three} (least, likely, most), by {each.by} ({each.basis})"
    if days.complete:
        yield f"   together {days.low:g} to {days.high:g} days, as estimated by people"
    else:
        yield f"   no total: nobody estimated {', '.join(days.without)}"
    if days.unknown:
        yield f"   estimated, but no counted kernel: {', '.join(days.unknown)}"


def _assumptions(scan: Scan) -> Iterator[str]:
    tools = scan.of("tooling")
    files = "1 file" if scan.files == 1 else f"{scan.files} files"
    yield f"tooling assumptions: {len(tools)} in {files}"
    yield from (
        f"   {t.mark.replace('_', ' ')}: {t.name}, {t.path}:{t.line}" for t in tools[:SHOWN]
    )
    if len(tools) > SHOWN:
        yield f"   and {len(tools) - SHOWN} more; --json has them all"
    yield from (f"   not read: {each}" for each in scan.unread)
