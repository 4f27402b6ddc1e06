"""Two programs in one process, round by round in random order, and one verdict.

They may differ in one thing only. Device, versions, flags and the state of the machine are
the same by construction, since both run here; both results are held against float64.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from kb.finding import CheckError
from kb.measure import custom, family
from kb.measure.run import correctness, framework, guard, stages
from kb.measure.run.failure import of_exception
from kb.measure.run.paired import Rounds, interleave, ratio_interval
from kb.measure.run.sample import Call, Progress, Wait, warm
from kb.measure.study.draft import Draft, timed
from kb.measure.workload import Workload
from kb.model.measurement import GuardVerdict, Interval
from kb.model.study import Check, Figure, Pair, StudyKind, Verdict, decide
from kb.qualifiers import Boundary

FEWEST = 40
MOST = 3200
LEVEL = 0.99
"""Of the interval that decides: there are six looks at most, and each may mislead."""
NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Ready:
    """One side: compiled, its inputs in place, its first result."""

    workload: Workload
    compiled: Callable[..., object]
    placed: tuple[Any, ...]
    result: object
    program: str
    """SHA-256 of its StableHLO."""

    def call(self) -> object:
        """One call; doesn't wait."""
        return self.compiled(*self.placed)


def study(params: dict[str, Any], progress: Progress) -> Draft:
    """The pair that `params` names: first, second, margin, max_seconds, vary."""
    import jax

    made = [_workload(params, side) for side in ("first", "second")]
    varied = difference(made[0], made[1], params.get("vary"))
    device = jax.devices()[0]
    ready = [_prepare(each, device, progress) for each in made]
    margin, limit = float(params["margin"]), float(params["max_seconds"])
    with stages.listen() as events, jax.transfer_guard("disallow"):
        seen = race(
            (ready[0].call, ready[1].call), framework.wait, margin=margin, max_seconds=limit,
            progress=progress,
        )  # fmt: skip
    compiled = events.of(Boundary.COMPILE) + events.of(Boundary.TRACE)
    verdict, checks = judged(seen, ready, compiled)
    first, second = (each.workload for each in ready)
    return Draft(
        kind=StudyKind.PAIR,
        name=f"{first.id}-and-{second.id}"[:80].rstrip("-"),
        subject=f"{second.id} against {first.id}",
        cannot="It says nothing about other shapes, formats, devices or versions, and a ratio of "
        "host times is no ratio of kernel times.",
        device=device,
        controlled=_controlled(ready),
        series=(
            timed("first", first.id, seen.rounds.first, program=ready[0].program[:16]),
            timed("second", second.id, seen.rounds.second, program=ready[1].program[:16]),
            timed("again", f"{first.id} once more", seen.again),
        ),
        figures=_figures(seen),
        checks=checks,
        pair=Pair(
            first=first.id, second=second.id, varied=varied, margin=margin,
            interval=seen.interval, verdict=verdict,
        ),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Race:
    """The rounds, with the first side once more in each, and what they say."""

    rounds: Rounds
    again: tuple[float, ...]
    interval: Interval
    noise: Interval
    """Of the first side over itself."""
    verdict: Verdict

    @property
    def ratio(self) -> float:
        """Median of second over first."""
        return median(self.rounds.ratios)

    @property
    def floor(self) -> float:
        """The smallest difference that may be claimed here, as a share."""
        return _floor(self.noise)


def _floor(noise: Interval) -> float:
    return max(abs(noise.low - 1), abs(noise.high - 1))


def race(
    sides: tuple[Call, Call],
    wait: Wait,
    *,
    margin: float,
    max_seconds: float,
    progress: Progress = lambda _: None,
) -> Race:
    """Rounds until the verdict stands or time is up; both sides are warmed up first."""
    for side in sides:
        warm(side, wait, max_seconds / 8)

    def stands(times: Sequence[Sequence[float]]) -> bool:
        ratios = [b / a for a, b in zip(times[0], times[1], strict=True)]
        interval = ratio_interval(ratios, LEVEL)
        verdict = decide(interval, median(ratios), margin)
        progress(f"{len(ratios)} rounds, ratio {interval.low:.3f} to {interval.high:.3f}")
        if verdict in (Verdict.FASTER, Verdict.SLOWER):
            noise = ratio_interval([b / a for a, b in zip(times[0], times[2], strict=True)])
            # More rounds narrow the noise too, so the question stays open until they do.
            return abs(median(ratios) - 1) > _floor(noise)
        return verdict is Verdict.EQUIVALENT

    all_three = (sides[0], sides[1], sides[0])
    seen = interleave(
        all_three, wait, fewest=FEWEST, most=MOST, max_seconds=max_seconds, enough=stands
    )
    again = tuple(b / a for a, b in zip(seen.times[0], seen.times[2], strict=True))
    interval, noise = ratio_interval(seen.ratios, LEVEL), ratio_interval(again)
    verdict = decide(interval, median(seen.ratios), margin)
    made = Race(seen, seen.times[2], interval, noise, verdict)
    if verdict in (Verdict.FASTER, Verdict.SLOWER) and abs(made.ratio - 1) <= made.floor:
        # The same program differs from itself by as much.
        return Race(seen, seen.times[2], interval, noise, Verdict.UNDECIDED)
    return made


def difference(first: Workload, second: Workload, stated: str | None) -> str:
    """The one thing in which two workloads differ; raises `CheckError` for more than one.

    `stated` is what a person says is varied; it must be what differs.
    """
    parts = {
        "program": (_name(first), _name(second)),
        "shapes": (_shapes(first), _shapes(second)),
        "formats": (_formats(first), _formats(second)),
        "precision": (first.policy, second.policy),
    }
    differ = [part for part, (a, b) in parts.items() if a != b]
    if len(differ) > 1:
        told = "; ".join(f"{part}: {parts[part][0]} against {parts[part][1]}" for part in differ)
        raise CheckError(
            f"{first.id} and {second.id} differ in {' and '.join(differ)} ({told}), so no "
            "difference of their times could be attributed to one of them.",
            "Compare two workloads that differ in one of these only.",
        )
    found = differ[0] if differ else NOTHING
    if stated is not None and stated != found:
        raise CheckError(
            f"What differs is {found}, not {stated}.", f"Type --vary {found}, or leave it away."
        )
    return found


def judged(seen: Race, ready: Sequence[Ready], compiled: int) -> tuple[Verdict, list[Check]]:
    """The verdict with the checks that it stands on; undecided where one fails."""
    checks = [
        Check(
            name="nothing_compiled",
            passed=compiled == 0,
            why=f"{compiled} traces or compilations among the rounds.",
        )
    ]
    for name, side in zip(("first", "second"), ready, strict=True):
        result = correctness.check(side.result, side.workload)
        error = "not finite" if result.norm_error is None else f"{result.norm_error:.3g}"
        why = f"norm error {error}, bound {result.tolerance.bound:.3g}"
        checks.append(Check(name=f"{name}_correct", passed=result.passed, why=why))
    null = guard.null_wait()
    for index, name in enumerate(("first", "second")):
        watches = [pair[index] for pair in seen.rounds.watches]
        found = guard.judge(watches, null, median(seen.rounds.times[index]), None)
        passed = found.verdict is GuardVerdict.SYNCHRONISED
        checks.append(Check(name=f"{name}_synchronised", passed=passed, why=found.why))
    sound = all(check.passed for check in checks)
    return (seen.verdict if sound else Verdict.UNDECIDED), checks


def _workload(params: dict[str, Any], side: str) -> Workload:
    name, shapes = params[side], params.get("shapes")
    if ":" not in name:
        return family.find(name)
    case = custom.Case.model_validate({**(shapes or {}), "function": name})
    slug = name.rpartition(":")[2].lower().replace("_", "-").replace(".", "-")
    return custom.from_case(case.model_copy(update={"id": f"{case.id}-{slug}"}))


def _prepare(workload: Workload, device: Any, progress: Progress) -> Ready:
    progress(f"compiling {workload.id}")
    framework.use_policy(workload.policy or "default")
    try:
        host = workload.arrays()
        staged = stages.stage(workload.function, framework.abstract(host), first=False)
        placed = framework.wait(framework.place(host, device))
        result = framework.wait(staged.compiled(*placed))
        done = workload.completed()
    except Exception as error:
        raise of_exception(error, f"preparing {workload.id}") from error
    return Ready(done, staged.compiled, placed, result, staged.stablehlo_sha256)


def _figures(seen: Race) -> tuple[Figure, ...]:
    low, high = seen.interval.low, seen.interval.high
    return (
        Figure(
            name="ratio", title="time of the second over the first, median of the rounds",
            value=seen.ratio, unit="ratio", low=low, high=high,
        ),
        Figure(
            name="noise_floor", title="smallest difference that may be claimed here",
            value=seen.floor, unit="share",
        ),
        Figure(name="rounds", title="rounds", value=float(len(seen.rounds.ratios)), unit="count"),
    )  # fmt: skip


def _controlled(ready: Sequence[Ready]) -> dict[str, str]:
    first, second = (each.workload for each in ready)
    same = {
        "process": "one, so device, versions and flags are the same",
        "boundary": "a warm call on the host clock, stopped when the result is ready",
    }
    parts = {"program": _name, "shapes": _shapes, "formats": _formats}
    return same | {part: say(first) for part, say in parts.items() if say(first) == say(second)}


def _name(workload: Workload) -> str:
    return f"{workload.function.__module__}:{workload.function.__qualname__}"


def _shapes(workload: Workload) -> str:
    shapes = [leaf.shape for leaf in _leaves(workload)]
    return ", ".join("x".join(map(str, shape)) or "scalar" for shape in shapes)


def _formats(workload: Workload) -> str:
    return ", ".join(str(leaf.dtype) for leaf in _leaves(workload))


def _leaves(workload: Workload) -> list[Any]:
    import jax

    return list(jax.tree_util.tree_leaves(framework.abstract(workload.arrays())))
