"""`kb measure device`: the device that a run would use, beside what the catalogue says of it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any

from kb.cli.catalogue import open_corpus
from kb.cli.measure.arguments import Subparsers
from kb.pages.words import name as words
from kb.quantity import decimal_text

if TYPE_CHECKING:
    from kb.estimate.reported import Held
    from kb.model.evidence import Device, Environment, Hardware

NO_PRODUCT = "it is no product of the catalogue, so there is nothing to hold it against"
NO_FIGURE = "it reports no figure that the catalogue could hold"


def add(actions: Subparsers[argparse.ArgumentParser], name: str) -> None:
    """Adds the view of the device."""
    one = actions.add_parser(
        name,
        help="show the device that a run would use, and hold its figures against the catalogue",
        description="The memory and the power limit that the driver reports are judged against "
        "each claim about the product. Exit code 0: no figure contradicts the catalogue. 1: one "
        "does, or there is no device.",
    )
    one.add_argument("--json", action="store_true", help="print it as JSON")


def run(args: argparse.Namespace) -> int:
    """0 unless a figure of the device differs from a claim about the same quantity."""
    from kb.estimate.identity import may_be, named
    from kb.estimate.reported import Agreement, hold
    from kb.measure.run.process import require_jax
    from kb.measure.run.surroundings import here
    from kb.model.evidence import OTHER

    require_jax()
    corpus = open_corpus(args, kinds=("specs",)).corpus
    found, environment = here()
    device = named(found, environment.cpu_model, corpus)
    held: tuple[Held, ...] = ()
    if device.product != OTHER:
        held = hold(device, environment.hardware_before, corpus)
    if args.json:
        print(json.dumps(data(device, environment, held), indent=2))
    else:
        print("\n".join(lines(device, environment, held)))
        if (how := may_be(device, environment.cpu_model, corpus)) is not None:
            print(f"  {how}")
    return 1 if any(each.agreement is Agreement.DIFFERS for each in held) else 0


def why_none(device: Device, held: tuple[Held, ...]) -> str | None:
    """Why nothing was held against the catalogue; None where something was."""
    from kb.model.evidence import OTHER

    if device.product == OTHER:
        return NO_PRODUCT
    return None if held else NO_FIGURE


def data(device: Device, environment: Environment, held: tuple[Held, ...]) -> dict[str, Any]:
    """Everything as plain data."""
    from kb.compare.text import verdict_data

    rows = [
        {
            "figure": each.figure.what,
            "reported": each.figure.text,
            "reported_basis": each.figure.basis.value,
            "claim": each.claim,
            "published": each.published,
            "basis": each.basis,
            "agreement": each.agreement.value,
            "comparison": verdict_data(each.verdict),
        }
        for each in held
    ]
    return {
        "schema_version": 1,
        "device": device.model_dump(mode="json"),
        "environment": environment.model_dump(mode="json"),
        "catalogue": {"why_none": why_none(device, held), "rows": rows},
    }


def lines(device: Device, environment: Environment, held: tuple[Held, ...]) -> Iterator[str]:
    """Everything as a person reads it."""
    yield f"{device.count} x {device.kind} ({device.platform}), product {device.product}"
    yield f"  {device.speaks_for}"
    yield f"  python {environment.python}, jax {environment.jax}, jaxlib {environment.jaxlib}"
    yield f"  {environment.usable_cpus} x {environment.cpu_model}"
    if environment.container is not None:
        yield f"  in a container ({environment.container})"
    if device.memory_bytes is not None:
        yield f"  JAX may use {device.memory_bytes:,} bytes of each device"
    if environment.hardware_before is not None:
        yield f"  {_hardware(environment.hardware_before)}"
    for name, value in environment.flags.items():
        yield f"  {name}={value}"
    why = why_none(device, held)
    yield "held against the catalogue:" if why is None else f"not held against the catalogue: {why}"
    for figure, beside in groupby(held, key=lambda each: each.figure):
        yield f"  {figure.what}: {figure.text}"
        yield from (f"    {_beside(each)}" for each in beside)


def _beside(held: Held) -> str:
    return f"{held.claim} = {held.published} ({words(held.basis)}): {_said(held)}"


def _hardware(seen: Hardware) -> str:
    """Clocks, power, temperature and what holds the clock down, as far as they are known."""
    known = (
        (f"driver {seen.driver}", True),
        (f"SM clock {seen.sm_clock_mhz} MHz", seen.sm_clock_mhz is not None),
        (f"memory clock {seen.memory_clock_mhz} MHz", seen.memory_clock_mhz is not None),
        (f"{seen.power_watts} W", seen.power_watts is not None),
        (f"{seen.temperature_celsius} °C", seen.temperature_celsius is not None),
        (f"held down by {', '.join(seen.throttled_by)}", bool(seen.throttled_by)),
    )
    return ", ".join(text for text, there in known if there)


def _said(held: Held) -> str:
    """The agreement with its reason."""
    verdict = held.verdict
    share = verdict.fraction.value if verdict.fraction is not None else verdict.ratio
    parts = [words(held.agreement)]
    if share is not None and share != 1:
        parts.append(f"{decimal_text(share * 100, 4)} % of it")
    parts += [reason.why for reason in verdict.reasons]
    wanted = ("unit", "conflict")
    parts += [caution.text for caution in verdict.cautions if caution.about in wanted]
    return "; ".join(parts)
