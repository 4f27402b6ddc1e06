"""What makes JAX trace or compile again, each case beside the form that does not.

A case passes when the framework's own events show the fault: then the evidence teaches it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter_ns
from typing import Any

from kb.measure.run import framework, stages
from kb.measure.run.sample import Progress
from kb.measure.study.draft import Draft, timed
from kb.model.study import Check, Figure, Series, StudyKind
from kb.qualifiers import Boundary

CALLS = 8

Step = Callable[[int], object]
"""The call of one turn."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One way to call, and how many traces it must cost over `CALLS` calls."""

    name: str
    title: str
    make: Callable[[], Step]
    traces: int


def study(params: dict[str, Any], progress: Progress) -> Draft:
    """Every lesson once."""
    import jax

    calls = int(params.get("calls", CALLS))
    rows, checks, figures = [], [], []
    for lesson in lessons(calls):
        progress(lesson.title)
        series, traces, compilations = run(lesson, calls)
        rows.append(series)
        figures += [
            Figure(name=f"{lesson.name}_traces", title=f"traces: {lesson.title}",
                   value=float(traces), unit="count"),
            Figure(name=f"{lesson.name}_compilations", title=f"compilations: {lesson.title}",
                   value=float(compilations), unit="count"),
        ]  # fmt: skip
        why = f"{traces} traces in {calls} calls, {lesson.traces} expected"
        checks.append(Check(name=lesson.name, passed=traces == lesson.traces, why=why))
    said, refused = side_effects(calls), branch_on_a_value()
    figures.append(
        Figure(name="side_effects", title=f"side effects seen in {calls} calls",
               value=float(said), unit="count")
    )  # fmt: skip
    checks += [
        Check(name="side_effect_at_trace_time", passed=said == 1,
              why=f"a side effect in a traced function happened {said} times in {calls} calls"),
        Check(name="branch_on_a_value", passed=refused is not None,
              why=f"a Python branch on a traced value raises {refused or 'nothing'}"),
    ]  # fmt: skip
    return Draft(
        kind=StudyKind.RETRACING,
        name="retracing",
        subject="What makes a function be traced and compiled again",
        cannot="Its counts hold for this version of JAX on any device; its times are this "
        "machine's.",
        device=jax.devices()[0],
        controlled={"calls": f"{calls} of each case", "program": "one sine of 128 x 128 float32"},
        series=rows,
        figures=figures,
        checks=checks,
    )


def run(lesson: Lesson, calls: int) -> tuple[Series, int, int]:
    """The times of one lesson with the traces and compilations of its own function."""
    framework.forget()
    step, seconds = lesson.make(), []
    with stages.listen() as events:
        for turn in range(calls):
            start = perf_counter_ns()
            framework.wait(step(turn))
            seconds.append((perf_counter_ns() - start) / 1e9)
    traces = events.of(Boundary.LOWER)
    compilations = events.of(Boundary.COMPILE)
    made = timed(
        lesson.name, lesson.title, seconds, Boundary.END_TO_END,
        calls=calls, traces=traces, compilations=compilations,
    )  # fmt: skip
    return made, traces, compilations


def lessons(calls: int) -> tuple[Lesson, ...]:
    """The cases, each faulty form followed by the sound one."""
    import jax
    import jax.numpy as jnp
    import numpy as np

    x = np.linspace(-1, 1, 128 * 128, dtype=np.float32).reshape(128, 128)
    sound = jax.jit(lambda a: jnp.sin(a))  # noqa: PLW0108 - the jitted function of the lesson

    def recreated() -> Step:
        return lambda _: jax.jit(lambda a: jnp.sin(a))(x)  # noqa: PLW0108 - a new one each time

    def static() -> Step:
        scaled = jax.jit(lambda a, n: jnp.sin(a) * n, static_argnums=1)
        return lambda turn: scaled(x, turn)

    def dynamic() -> Step:
        scaled = jax.jit(lambda a, n: jnp.sin(a) * n)
        return lambda turn: scaled(x, np.float32(turn))

    def shapes() -> Step:
        return lambda turn: sound(x[: 128 - turn])

    def weak() -> Step:
        scaled = jax.jit(lambda a, n: jnp.sin(a) * n)
        return lambda turn: scaled(x, 2.0 if turn % 2 else np.float32(2))

    def conditional() -> Step:
        chosen = jax.jit(lambda a, up: jax.lax.cond(up, jnp.sin, jnp.cos, a))
        return lambda turn: chosen(x, turn % 2 == 0)

    return (
        Lesson("jit_in_the_loop", "a jitted function made anew for every call", recreated, calls),
        Lesson("jit_outside", "the same function jitted once", lambda: lambda _: sound(x), 1),
        Lesson("static_value", "a static argument with a new value each time", static, calls),
        Lesson("traced_value", "the same argument as a traced value", dynamic, 1),
        Lesson("new_shapes", "an input of a new shape each time", shapes, calls),
        Lesson("weak_types", "a Python number and an array number in turns", weak, 2),
        Lesson("lax_cond", "a choice by value with lax.cond, both ways taken", conditional, 1),
    )


def side_effects(calls: int) -> int:
    """How often an append inside a jitted function happens in `calls` calls."""
    import jax
    import jax.numpy as jnp

    heard: list[int] = []

    def loud(a: Any) -> Any:
        heard.append(1)
        return jnp.sin(a)

    jitted = jax.jit(loud)
    for _ in range(calls):
        framework.wait(jitted(1.0))
    return len(heard)


def branch_on_a_value() -> str | None:
    """The name of what JAX raises for a Python branch on a traced value."""
    import jax

    try:
        jax.jit(lambda a: a if a > 0 else -a)(1.0)
    except jax.errors.TracerBoolConversionError as error:
        return type(error).__name__
    return None
