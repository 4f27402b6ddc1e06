"""Judging published benchmark results, by the rules of the benchmark's owner.

What MLCommons forbids to compare is a difference. What it asks to be said beside every
comparison is a caution. A derived metric is judged only where it was asked for. The numbers
in parentheses are sections of the messaging guidelines.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from kb.compare.pair import SIDES, Item, Judge, Pair
from kb.compare.rounds import alike, multi_stream_changed
from kb.corpus import ResultEntry
from kb.model.result import FlagKind, PublishedResult
from kb.operand import Operand
from kb.qualifiers import (
    UNSTATED,
    Division,
    Metric,
    Normalisation,
    RunKind,
    Scenario,
    Verification,
    words,
)
from kb.quantity import decimal_text, parse_quantity
from kb.verdict import Caution, Side, Step, StepKind

UNREVIEWED = (
    "unverified results have not been through a review and may use measurement methodologies "
    "or workload implementations that are inconsistent with the specification "
    "(messaging guidelines 5)"
)
"""What must be said where a verified and an unverified result stand side by side."""

Both = tuple[PublishedResult, PublishedResult]


def both(pair: Pair) -> Both | None:
    """The two results; None where a side is no result."""
    left, right = pair.left.published, pair.right.published
    return None if left is None or right is None else (left.result, right.result)


def other_figure(pair: Pair) -> Iterator[Item]:
    """A result compares with results only (4)."""
    if both(pair) is None:
        yield pair.differs(
            "benchmark",
            "a result of a benchmark may be compared with compatible results of that benchmark "
            "and with no other figure, such as a vendor's peak or an own measurement "
            "(messaging guidelines 4)",
            _what(pair.left),
            _what(pair.right),
        )


def _what(operand: Operand) -> str:
    return "no result" if operand.published is None else operand.published.result.benchmark


def validity(pair: Pair) -> Iterator[Item]:
    """A run that broke the rules of its benchmark is no result (10)."""
    for side in SIDES:
        entry = pair.side(side).published
        if entry is None:
            continue
        broken = _broken(entry)
        values = dict.fromkeys(SIDES, "valid") | {side: broken or "doubtful"}
        if broken:
            why = (
                f"{pair.side(side).label} broke the benchmark's rules: {broken} "
                "(messaging guidelines 10)"
            )
            yield pair.differs("validity", why, values["left"], values["right"])
        elif entry.result.flagged(FlagKind.DUPLICATE_ID):
            why = "two rows of the source have this identity, and nothing says which one holds"
            yield pair.open("validity", why, side, settles="which of the two rows is the result")


def _broken(entry: ResultEntry) -> str:
    result = entry.result
    kinds = [FlagKind.INVALID_RUN, FlagKind.NOT_COMPLIANT]
    if result.division is not Division.OPEN:
        kinds += [FlagKind.ACCURACY_MISSED]
    return "; ".join(flag.note for flag in result.flags if flag.kind in kinds)


def benchmark(pair: Pair) -> Iterator[Item]:
    """Benchmark, quality target, and in the open division the model itself (4)."""
    if both(pair) is None:
        return
    for axis, why in (
        (
            "benchmark",
            "results of different benchmarks count different work (messaging guidelines 4)",
        ),
        (
            "accuracy_target",
            "a lower quality target allows what a higher one doesn't (messaging guidelines 4)",
        ),
    ):
        if pair.left.get(axis) != pair.right.get(axis):
            yield pair.differs(axis, why)
            return
    if pair.left.get("model") != pair.right.get("model"):
        yield pair.differs(
            "model", "another model is another amount of work (messaging guidelines 5)"
        )


def version(pair: Pair) -> Iterator[Item]:
    """Only compatible rounds, which MLCommons names and nobody else (4)."""
    results = both(pair)
    if results is None or results[0].version == results[1].version:
        return
    left, right = results
    rounds = {left.version, right.version}
    if left.benchmark != right.benchmark or left.scenario is not right.scenario:
        return  # that difference decides already
    if left.scenario is Scenario.MULTI_STREAM and multi_stream_changed(rounds):
        yield pair.differs(
            "version", "multi-stream before v2.0 was another scenario (messaging guidelines 4)"
        )
        return
    known = alike(left.benchmark, left.scenario, rounds)
    if known is None or pair.strict:
        yield pair.open(
            "version",
            "only MLCommons says which rounds are compatible, and for these it is not known "
            "(messaging guidelines 4)",
            settles=f"that {' and '.join(sorted(rounds))} are compatible for {left.benchmark}",
        )
        return
    shown = f"{left.version} against {right.version}"
    licence = f"{known.reasoning} [{', '.join(known.sources)}]"
    text = f"version of both sides: {shown} is assessed as compatible"
    yield Step(StepKind.ASSESSED, "left", text, licence)
    yield Caution("version", f"{shown}; compatible by assessment and not by MLCommons' own table")


def setting(pair: Pair) -> Iterator[Item]:
    """Scenario, division and suite (4, 5)."""
    results = both(pair)
    if results is None:
        return
    left, right = results
    if left.scenario is not right.scenario:
        yield pair.differs(
            "scenario", "another scenario is another experiment (messaging guidelines 4)"
        )
    if left.division is not right.division:
        yield pair.differs(
            "division",
            "every way in which an open result would not qualify as a closed one must be said, "
            "and the records don't say them (messaging guidelines 5)",
        )
    if left.suite is not right.suite:
        yield pair.open(
            "suite",
            "the two suites lay the benchmark out for other systems (messaging guidelines 5)",
            *SIDES,
            settles="that its suite's results compare with those of the other suite",
        )


def counted(pair: Pair) -> Iterator[Item]:
    """What the numbers count."""
    results = both(pair)
    if results is None:
        return
    if pair.left.metric is not pair.right.metric:
        yield pair.differs(
            "metric", "they measure different quantities", pair.left.metric, pair.right.metric
        )
        return
    unfit = (FlagKind.UNIT_UNFIT, FlagKind.LATENCY_FOR_THROUGHPUT)
    odd: list[Side] = [s for s, r in zip(SIDES, results, strict=True) if r.flagged(*unfit)]
    if odd:
        units = " and ".join(dict.fromkeys(results[s == "right"].printed_unit for s in odd))
        why = f"{units} does not fit the scenario, so it is open what the number counts"
        yield pair.open("unit", why, *odd)
        return
    left, right = pair.left.quantity.unit, pair.right.quantity.unit
    if left.dimension == right.dimension:
        return
    kinds = {left.kind, right.kind}
    scenarios = {result.scenario for result in results}
    if kinds == {"sample_rate", "query_rate"} and Scenario.SERVER in scenarios:
        # Between two scenarios it is the scenario that decides.
        if len(scenarios) == 1:
            yield Caution("unit", "a query of the server scenario holds one sample")
    else:
        why = "the units have different dimensions"
        yield pair.differs("unit", why, pair.left.quantity.label, pair.right.quantity.label)


def run(pair: Pair) -> Iterator[Item]:
    """A performance run and a power run are tuned for different ends."""
    results = both(pair)
    if results is not None and results[0].run is not results[1].run:
        yield pair.differs(
            "run",
            "the compatibility table says that results of performance and of power submissions "
            "are not comparable",
        )


def normalisation(pair: Pair) -> Iterator[Item]:
    """Totals of unlike systems, and what was asked to be divided (5, 9)."""
    results = both(pair)
    if results is None:
        return
    left, right = pair.left.get("normalisation"), pair.right.get("normalisation")
    if left is not right:
        yield pair.differs(
            "normalisation", "one figure is divided and the other is not (messaging guidelines 9)"
        )
    elif left is Normalisation.TOTAL:
        yield from _totals(pair)
    else:
        divide = _per_watt if left is Normalisation.PER_WATT else _per_accelerator
        for side in SIDES:
            yield from divide(pair, side)


def _totals(pair: Pair) -> Iterator[Item]:
    counts = [pair.side(side).get("accelerator_count") for side in SIDES]
    if pair.left.metric is Metric.LATENCY:
        if counts[0] != counts[1]:
            text = (
                f"{counts[0]} against {counts[1]} accelerators; a latency is no sum "
                "(messaging guidelines 5)"
            )
            yield Caution("accelerator_count", text)
    elif UNSTATED in counts:
        yield pair.open(
            "accelerator_count",
            "a throughput without the number of accelerators can't be told from that of another "
            "size (messaging guidelines 5)",
            *(side for side, n in zip(SIDES, counts, strict=True) if n == UNSTATED),
            settles="how many accelerators did the work",
        )
    elif counts[0] != counts[1]:
        yield pair.differs(
            "accelerator_count",
            "the totals are of systems of unlike size, so their ratio says more about the number "
            "of accelerators than about any one of them (messaging guidelines 5)",
        )


def _per_accelerator(pair: Pair, side: Side) -> Iterator[Item]:
    operand = pair.side(side)
    entry, count = operand.published, operand.get("accelerator_count")
    if entry is None:
        return
    if operand.metric is not Metric.RATE:
        why = "only a throughput adds up over accelerators; a latency doesn't"
        yield pair.differs("normalisation", why, operand.metric, operand.metric)
    elif entry.result.flagged(FlagKind.MIXED_ACCELERATORS):
        why = f"{entry.id} has accelerators of several kinds, so none has the average"
        yield pair.differs("normalisation", why, *("mixed" if s == side else "" for s in SIDES))
    elif not isinstance(count, int):
        why = "the number of accelerators is not given, so nothing can be divided by it"
        yield pair.open("accelerator_count", why, side, settles="how many accelerators it has")
    else:
        share = decimal_text(operand.quantity.number / count, 4)
        unit = operand.quantity.label
        yield Step(
            StepKind.DIVIDE_BY_COUNT,
            side,
            f"{operand.quantity.text} ÷ {count} accelerators = {share} {unit} each",
            "a derived metric may be compared where its basis is said; it is no official metric "
            "of the benchmark (messaging guidelines 9) [mlcommons-messaging-guidelines]",
            Fraction(1, count),
        )


def _per_watt(pair: Pair, side: Side) -> Iterator[Item]:
    operand = pair.side(side)
    power = operand.published.result.power if operand.published else None
    if power is None or power.metric is not Metric.POWER or operand.metric is not Metric.RATE:
        why = (
            "a throughput for each watt needs a throughput and the power measured beside it "
            "(messaging guidelines 6)"
        )
        yield pair.differs("normalisation", why)
        return
    watts = parse_quantity(power.published, power.metric).base
    yield Step(
        StepKind.DIVIDE_BY_POWER,
        side,
        f"{operand.quantity.text} ÷ {decimal_text(watts, 6)} W of measured system power",
        "only the officially measured system power may be used (messaging guidelines 6) "
        "[mlcommons-messaging-guidelines]",
        1 / watts,
    )


def said(pair: Pair) -> Iterator[Item]:
    """What must be said beside a comparison, and what else keeps it from being about chips."""
    results = both(pair)
    if results is None:
        return
    left, right = results
    if left.accelerators.nodes != right.accelerators.nodes:
        counts = f"{left.accelerators.nodes} against {right.accelerators.nodes} nodes"
        yield Caution("nodes", f"{counts}; between nodes there is a network")
    if left.availability is not right.availability:
        text = (
            f"{left.availability} against {right.availability}; the difference must be said "
            "(messaging guidelines 5)"
        )
        yield Caution("availability", text)
    if left.verification is not right.verification:
        yield Caution("verification", f"verified against unverified: {UNREVIEWED}")
    elif left.verification is Verification.UNVERIFIED:
        yield Caution(
            "verification", "neither result was verified by MLCommons (messaging guidelines 1)"
        )
    if left.division is Division.OPEN and right.division is Division.OPEN:
        yield Caution(
            "division",
            "open results may differ in more than the records say (messaging guidelines 5)",
        )
    yield from _formats(pair)
    if Normalisation.TOTAL not in (pair.left.get("normalisation"), pair.right.get("normalisation")):
        kind = words(pair.left.get("normalisation"))
        yield Caution(
            "normalisation", f"{kind} is derived and no official metric (messaging guidelines 9)"
        )
    yield from _submissions(left, right)


def _formats(pair: Pair) -> Iterator[Item]:
    left, right = (pair.side(side).word("number_formats") for side in SIDES)
    if UNSTATED in (left, right):
        yield Caution("number_formats", f"weights in {left} against {right}: one is not stated")
    elif left != right:
        yield Caution(
            "number_formats",
            f"weights in {left} against {right}; the closed division allows it where the quality "
            "target is met",
        )


def _submissions(left: PublishedResult, right: PublishedResult) -> Iterator[Item]:
    if (left.submitter, left.system, left.software) != (
        right.submitter,
        right.system,
        right.software,
    ):
        yield Caution(
            "submission",
            "each result belongs to a whole submission: system, software and tuning together; no "
            "part of the ratio may be put down to the accelerator alone",
        )
    for result in (left, right):
        for flag in result.flags:
            if flag.kind in (FlagKind.INFERRED, FlagKind.VIRTUALISED):
                sentence = flag.kind.sentence.rstrip(".")
                yield Caution("submission", f"{result.submitter}: {sentence.lower()}")


def measured_power(pair: Pair) -> Iterator[Item]:
    """Power of a system of another size, or of a power run that is no power run (6)."""
    if both(pair) is None or pair.left.metric not in (Metric.POWER, Metric.ENERGY):
        return
    if RunKind.PERFORMANCE in (pair.left.get("run"), pair.right.get("run")):
        yield pair.differs("run", "only a power run has a power (messaging guidelines 6)")


RESULT_JUDGES: tuple[Judge, ...] = (
    other_figure,
    validity,
    benchmark,
    version,
    setting,
    counted,
    run,
    measured_power,
    normalisation,
    said,
)
"""They judge a pair with a published result in place of the judges of specifications."""
