"""Applying waivers to findings: what is silenced, and which waivers are findings themselves."""

from __future__ import annotations

import datetime
import difflib
from collections.abc import Collection, Container, Iterable
from dataclasses import dataclass, field

from kb.finding import Finding, Severity, quoted
from kb.rules.collect import Collected
from kb.rules.loading import READING
from kb.rules.result import Located, Mark, Waived
from kb.rules.waive import Waiver


@dataclass
class Settled:
    """Findings that stay, and findings that a waiver silences."""

    findings: list[Located] = field(default_factory=list)
    waived: list[Waived] = field(default_factory=list)


def settle(
    located: Iterable[Located],
    noted: Iterable[tuple[Waiver, Mark]],
    collected: Collected,
    crashed: Collection[str],
    today: datetime.date,
    unseen: Container[tuple[str, str]] = frozenset(),
) -> Settled:
    """Silence what proper waivers silence, and add a finding for each other waiver.

    A waiver of a rule that crashed or was skipped is left alone: nobody knows whether it is
    needed. So is one of a rule that stopped early in its file: `unseen` has path and slug.
    """
    settled = Settled()
    proper: dict[tuple[str, int, str], Waiver] = {}
    marks: dict[Waiver, Mark] = {}
    for waiver, mark in noted:
        marks[waiver] = mark
        key = (mark.path, waiver.line, waiver.slug)
        fault = _fault(waiver, today)
        if fault is None and key in proper:
            fault = _unused(waiver, collected, "another waiver already silences it")
        if fault is None:
            proper[key] = waiver
        else:
            settled.findings.append(Located(fault, mark))
    used: set[Waiver] = set()
    for item in located:
        key = (item.mark.path, item.mark.span.start.line, item.finding.rule)
        if key in proper:
            used.add(proper[key])
            settled.waived.append(Waived(item, proper[key].reason))
        else:
            settled.findings.append(item)
    for waiver in proper.values():
        if waiver in used or (marks[waiver].path, waiver.slug) in unseen:
            continue
        if waiver.slug not in {*crashed, *collected.skipped}:
            settled.findings.append(Located(_unused(waiver, collected), marks[waiver]))
    return settled


def _fault(waiver: Waiver, today: datetime.date) -> Finding | None:
    """What is wrong with the waiver itself; None for one that counts."""
    if waiver.malformed:
        return Finding(
            "malformed-waiver",
            Severity.ERROR,
            f"this comment is no waiver: {waiver.malformed}",
            waiver.place,
            "write it as 'kb: ignore[<slug>] <reason>', or 'until 2026-12-31 <reason>'",
        )
    if not waiver.reason:
        return Finding(
            "waiver-without-reason",
            Severity.ERROR,
            f"this waiver of '{waiver.slug}' gives no reason, so it silences nothing",
            waiver.place,
            f"write the reason behind the bracket: kb: ignore[{waiver.slug}] <reason>",
        )
    if waiver.until is not None and waiver.until < today:
        return Finding(
            "expired-waiver",
            Severity.ERROR,
            f"this waiver of '{waiver.slug}' ended on {waiver.until}",
            waiver.place,
            "correct what it silenced, or agree on a new day",
        )
    return None


def _unused(waiver: Waiver, collected: Collected, why: str = "") -> Finding:
    known = [*(rule.slug for rule in collected.rules), *READING]
    message = why or f"no finding of '{waiver.slug}' is on line {waiver.line}"
    remedy = "remove the comment, or move it to the line it is meant for"
    if waiver.slug not in known:
        near = difflib.get_close_matches(waiver.slug, known, n=1)
        message = f"there is no rule {quoted(waiver.slug)}"
        remedy = f"did you mean '{near[0]}'?" if near else "see `kb rules` for the slugs"
    return Finding("unused-waiver", Severity.WARNING, message, waiver.place, remedy)
