"""Judges an evidence record: may it be published, what may it speak for, was it altered.

Everything is computed again from the record alone, so a stored verdict is never
believed. Pure functions; nothing is read or written.
"""

from __future__ import annotations

import hashlib
import json
import math
import statistics
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from kb.model import cudarun
from kb.model.evidence import OTHER, Evidence, Gate, GateName
from kb.model.measurement import CacheState, GuardVerdict, Measurement
from kb.qualifiers import Boundary, EvidenceClass
from kb.source import Route

MINIMUM_SAMPLES = 20
STEADY_WITHIN = 0.10

NO_WORK = (Boundary.TRACE, Boundary.LOWER, Boundary.COMPILE, Boundary.DISPATCH_ONLY)
"""Intervals that end before the work is done, or without any."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One stored value that the rest of the record contradicts."""

    route: Route
    """Where in the record's data it stands."""
    message: str
    """One sentence with both values."""


def content_hash(record: Evidence | Mapping[str, object]) -> str:
    """SHA-256 (hex) over the record's canonical JSON without its `content_hash` field.

    Canonical is: keys sorted, no blanks, ASCII escapes, shortest float digits. Takes a
    model or the plain data of a JSON file; both give the same digest. A field that a later
    version added is absent where it says nothing, so that older records keep their hash.
    """
    data = plain(record) if isinstance(record, Evidence) else dict(record)
    data.pop("content_hash", None)
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def plain(record: Evidence) -> dict[str, object]:
    """The record as its JSON file holds it."""
    return record.model_dump(mode="json", exclude_defaults=True)


def gates(record: Evidence) -> tuple[Gate, ...]:
    """Every gate with its outcome and reason, in a fixed order; ignores stored outcomes."""
    warm = record.primary
    outcomes = {
        GateName.CORRECT: _correct(record),
        GateName.SYNCHRONISED: _synchronised(record, warm),
        GateName.EVENT_COUNTS: _event_counts(record),
        GateName.CACHE_STATE_KNOWN: _cache_state(record),
        GateName.ENOUGH_SAMPLES: _enough(warm),
        GateName.STEADY: _steady(warm),
        GateName.PHYSICALLY_POSSIBLE: _possible(record, warm),
        GateName.FINGERPRINT_COMPLETE: _fingerprint(record),
    }
    return tuple(Gate(gate=g, passed=ok, why=why) for g, (ok, why) in outcomes.items())


def sealed(record: Evidence) -> Evidence:
    """The record with its gates, `publishable` and `content_hash` computed from the rest."""
    outcome = gates(record)
    passed = all(gate.passed for gate in outcome)
    judged = record.model_copy(update={"gates": outcome, "publishable": passed})
    return judged.model_copy(update={"content_hash": content_hash(judged)})


def refusal(record: Evidence, product: str) -> str | None:
    """Why the record can't carry a statement about `product`; None when it can.

    A record speaks for the one product it ran on and for nothing else, so a CPU run
    supports no statement about a TPU or a GPU.
    """
    if record.evidence_class is EvidenceClass.EXECUTED_ON_TARGET:
        if record.device.product == product != OTHER:
            return None
        return f"{record.id} ran on {record.device.product}, not on {product}."
    return (
        f"{record.id} is {record.evidence_class}: it ran on {record.device.kind} "
        f"({record.device.platform}), so it says nothing about {product}."
    )


def disagreements(record: Evidence) -> tuple[Disagreement, ...]:
    """Every stored verdict or summary that its own record contradicts; empty when sound."""
    found = [*_verdicts(record), *_declared(record)]
    for index, measurement in enumerate(record.measurements):
        found += _summary(index, measurement)
    found += _paired(record)
    return tuple(found)


def _paired(record: Evidence) -> Iterator[Disagreement]:
    """The noise test and the queue sweep against their raw samples."""
    for index, point in enumerate(record.queue_sweep):
        if point.median != statistics.median(point.samples):
            text = f"The median is stored as {point.median:g}, the samples give another."
            yield Disagreement(("queue_sweep", index, "median"), text)
    seen = record.noise
    if seen is None:
        return
    ratios = [b / a for a, b in zip(seen.first, seen.second, strict=False)]
    if len(seen.first) != len(seen.second) or seen.ratio != statistics.median(ratios):
        yield Disagreement(("noise", "ratio"), f"The ratio is stored as {seen.ratio:g}, "
                           "the rounds give another.")  # fmt: skip
    effect = max(abs(seen.interval.low - 1), abs(seen.interval.high - 1))
    if not math.isclose(seen.smallest_effect, effect, abs_tol=1e-12):
        text = f"The smallest effect is stored as {seen.smallest_effect:g}, not {effect:g}."
        yield Disagreement(("noise", "smallest_effect"), text)


def _verdicts(record: Evidence) -> Iterator[Disagreement]:
    """The hash, the gates and `publishable` against what the content gives."""
    digest, outcome = content_hash(record), gates(record)
    if record.content_hash != digest:
        text = f"The content hash is {record.content_hash[:12]}…, the content gives {digest[:12]}…."
        yield Disagreement(("content_hash",), text)
    if record.gates != outcome:
        stored = {gate.gate: gate for gate in record.gates}
        names = ", ".join(gate.gate for gate in outcome if stored.get(gate.gate) != gate)
        text = f"The stored gates differ from what the record gives: {names or 'their order'}."
        yield Disagreement(("gates",), text)
    passed = all(gate.passed for gate in outcome)
    if record.publishable != passed:
        text = f"Publishable is stored as {record.publishable}, the gates give {passed}."
        yield Disagreement(("publishable",), text)


def _declared(record: Evidence) -> Iterator[Disagreement]:
    """The evidence class against the device, and the bound against its formula."""
    on_target = record.evidence_class is EvidenceClass.EXECUTED_ON_TARGET
    if on_target == (record.device.product == OTHER):
        text = f"Class {record.evidence_class} does not fit product {record.device.product!r}."
        yield Disagreement(("evidence_class",), text)
    allowed = record.correctness.tolerance
    piled = math.sqrt(allowed.length) * allowed.unit_roundoff
    expected = allowed.factor * (piled + math.sqrt(allowed.steps) * allowed.coarse_roundoff)
    if not math.isclose(allowed.bound, expected, rel_tol=1e-12):
        text = f"The bound is stored as {allowed.bound:g}, its formula gives {expected:g}."
        yield Disagreement(("correctness", "tolerance", "bound"), text)


def _summary(index: int, measurement: Measurement) -> list[Disagreement]:
    """Stored summary values that the raw samples contradict."""
    samples = measurement.samples
    expected: dict[str, float] = {
        "n": len(samples),
        "median": statistics.median(samples),
        "spread.minimum": min(samples),
        "spread.maximum": max(samples),
    }
    stored: dict[str, float] = {
        "n": measurement.n,
        "median": measurement.median,
        "spread.minimum": measurement.spread.minimum,
        "spread.maximum": measurement.spread.maximum,
    }
    return [
        Disagreement(
            ("measurements", index, *name.split(".")),
            f"{name} is stored as {stored[name]:g}, the samples give {value:g}.",
        )
        for name, value in expected.items()
        if stored[name] != value
    ]


Outcome = tuple[bool, str]


def _correct(record: Evidence) -> Outcome:
    seen, bound = record.correctness, record.correctness.tolerance.bound
    if seen.nan_count or seen.inf_count:
        return False, f"{seen.nan_count} NaN and {seen.inf_count} infinite elements."
    if seen.norm_error is None or seen.norm_error > bound:
        return False, f"Norm error {seen.norm_error} is above the bound {bound:.3g}."
    if seen.share_out_of_tolerance > 0:
        return False, f"{seen.share_out_of_tolerance:.3%} of the elements are out of tolerance."
    if not seen.passed:
        return False, "The check is stored as failed although its numbers pass."
    return True, f"Norm error {seen.norm_error:.3g} is within the bound {bound:.3g}."


def _synchronised(record: Evidence, warm: Measurement | None) -> Outcome:
    guard = record.guard
    if guard.verdict is GuardVerdict.DISPATCH_ONLY:
        return False, guard.why
    if warm is None or len(guard.ready_at_stop) != warm.n:
        return False, "The guard did not watch every sample."
    pending = guard.ready_at_stop.count(False)
    if pending:
        return False, f"{pending} of {warm.n} results were not ready when the clock stopped."
    if guard.boundary in NO_WORK:
        return False, f"{guard.boundary.value}: {guard.boundary.sentence}"
    if record.cuda is None and record.measurement(Boundary.DEVICE_EVENTS) is not None:
        return False, "The record does not say in which streams its events lie."
    if record.cuda is not None:
        measured = {m.boundary: m.n for m in record.measurements}
        if (why := cudarun.refusal(record.cuda, measured)) is not None:
            return False, why
    return guard.verdict is GuardVerdict.SYNCHRONISED, guard.why


def _event_counts(record: Evidence) -> Outcome:
    seen = record.events
    text = (
        f"{seen.compilations} compilation before the samples, "
        f"{seen.compilations_during_samples} among them."
    )
    if seen.traces_during_samples:
        return False, f"{seen.traces_during_samples} traces among the samples."
    library = record.cuda is not None and record.cuda.implementation.brings_its_code
    wanted = 0 if library else 1
    return seen.compilations == wanted and seen.compilations_during_samples == 0, text


def _cache_state(record: Evidence) -> Outcome:
    cache = record.cache
    return cache.state is not CacheState.UNKNOWN, f"{cache.state}: {cache.state.sentence}"


def _enough(warm: Measurement | None) -> Outcome:
    if warm is None:
        return False, "There are no samples."
    if warm.interval is None or len(warm.samples) < MINIMUM_SAMPLES:
        return False, f"{len(warm.samples)} samples; {MINIMUM_SAMPLES} are needed."
    return True, f"{len(warm.samples)} samples with an interval of the median."


def _steady(warm: Measurement | None) -> Outcome:
    if warm is None or warm.drift is None:
        return False, "There are too few samples to see a drift."
    change = warm.drift.relative_change
    return abs(change) <= STEADY_WITHIN, f"The last third differs from the first by {change:+.1%}."


def _possible(record: Evidence, warm: Measurement | None) -> Outcome:
    if warm is None or warm.median <= 0:
        return False, "There is no time above zero to form a rate from."
    best = min(warm.samples)
    if record.device.product == OTHER:
        if record.workload.flops is None:
            return True, "No operations are counted, so no rate is claimed."
        rate = record.workload.flops / best
        return True, f"{rate:.3g} FLOP/s at best; the device is no product with a peak to exceed."
    moved = _within_bandwidth(record, best)
    if not moved[0] or record.workload.flops is None:
        return moved
    if record.ceiling is None:
        return False, f"No dense peak of {record.device.product} was given to compare with."
    rate = record.workload.flops / best
    peak, claim = record.ceiling.flops_per_second, record.ceiling.claim
    text = f"{rate:.3g} FLOP/s at best, {claim} is {peak:.3g} FLOP/s a device."
    return rate <= peak * record.device.count, text


def _within_bandwidth(record: Evidence, seconds: float) -> Outcome:
    """Whether memory could deliver the arrays in time; unknown is no objection.

    Arrays that stay in on-chip memory from call to call need no device memory, so only
    larger ones are held against its rate.
    """
    top, size = record.ceiling, record.workload.bytes_touched
    if top is None or top.bytes_per_second is None or top.on_chip_bytes is None:
        return True, "No operations are counted, so no rate is claimed."
    devices = record.device.count
    if size <= top.on_chip_bytes * devices:
        return True, "The arrays may stay on the chip, so the memory's rate bounds nothing."
    rate = size / seconds
    text = (
        f"{rate:.3g} byte/s at best, {top.bandwidth_claim} is "
        f"{top.bytes_per_second:.3g} byte/s a device."
    )
    return rate <= top.bytes_per_second * devices, text


def _fingerprint(record: Evidence) -> Outcome:
    named = {
        "python": record.environment.python,
        "jax": record.environment.jax,
        "jaxlib": record.environment.jaxlib,
        "backend version": record.environment.backend_version,
        "operating system": record.environment.operating_system,
        "cpu model": record.environment.cpu_model,
        "device kind": record.device.kind,
        "command": record.command,
    }
    missing = [name for name, value in named.items() if value in ("", "unknown")]
    if missing:
        return False, f"Not known: {', '.join(missing)}."
    return True, "Device, versions, settings and program are named."
