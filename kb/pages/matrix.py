"""The parts of a matrix of two products: its cells, the ratios it allows, the reasons it gives.

Every cell is a verdict. Where a page has no room for every verdict in full, these parts
still say each answer, what a ratio rests on, and why there is none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction

from kb.corpus import ClaimEntry
from kb.pages import links
from kb.pages.pairs import Group
from kb.pages.ratio import allowed, ratio
from kb.pages.text import blocks, box, bullets, chip, code, esc, plural, table, wide
from kb.pages.verdicts import Judged
from kb.pages.words import claim_title, name, verdict_chip
from kb.quantity import Interval
from kb.verdict import Verdict, VerdictKind

Target = Callable[[Judged], str]
"""Where the whole verdict of a pair is; empty where no page has it."""


def judged_table(at: str, group: Group, target: Target) -> str:
    """The table of one group: left claims down, right claims across, a verdict in each cell."""
    head = ["", *(_header(at, entry) for entry in group.columns)]
    rows = [
        [
            _header(at, row),
            *(_cell(group.by_pair[row.id, column.id], target) for column in group.columns),
        ]
        for row in group.rows
    ]
    return wide(table(head, rows))


def _header(at: str, entry: ClaimEntry) -> str:
    target = links.way(at, links.claim_target(entry.id))
    title = esc(claim_title(entry.claim))
    printed = esc(entry.claim.current.published)
    return f"**{printed}**<br>[{title}]({target})<br>{code(entry.claim.id)}"


def _cell(judged: Judged, target: Target) -> str:
    """A verdict in a cell: the sign, the ratio with its range or the axes, the way to the whole."""
    verdict, where = judged.verdict, target(judged)
    mark = verdict_chip(verdict.kind)
    if verdict.ratio is None:
        axes = esc(", ".join(dict.fromkeys(name(r.axis) for r in verdict.reasons))) or "why"
        return (f"{mark} [{axes}]({where})" if where else f"{mark} {axes}") + _remedy(verdict)
    value, span = span_of(judged)
    shown = f"**{ratio(value)}**"
    lines = [f"{mark} [{shown}]({where})" if where else f"{mark} {shown}"]
    if span.low != span.high:
        lines.append(allowed(span))
    if verdict.cautions:
        lines.append(plural(len(verdict.cautions), "caution"))
    return "<br>".join(lines)


def _remedy(verdict: Verdict) -> str:
    """What would settle an open verdict, below it in its cell."""
    if verdict.kind is not VerdictKind.UNDETERMINED:
        return ""
    told = esc("; ".join(dict.fromkeys(r.settle for r in verdict.reasons if r.settle)))
    return f"<details><summary>to settle it</summary>{told}</details>" if told else ""


def span_of(judged: Judged) -> tuple[Fraction, Interval]:
    """A ratio and what the printed digits allow; raises `ValueError` where none is allowed."""
    value, interval = judged.verdict.ratio, judged.verdict.interval
    if value is None or interval is None:
        raise ValueError(f"{judged.anchor} allows no ratio and can't be drawn")
    return value, interval


def ratios_table(group: Group, target: Target) -> str:
    """Every ratio that a group allows, with what both figures are; empty without any."""
    rows = []
    for item in group.allowed:
        value, span = span_of(item)
        text = f"{code(item.left.claim.id)}<br>{code(item.right.claim.id)}"
        where = target(item)
        shown = f"[{text}]({where})" if where else text
        rows.append((shown, ratio(value), allowed(span), _qualified(item)))
    return (
        wide(table(("left, right", "ratio", "the digits allow", "both figures are"), rows))
        if rows
        else ""
    )


def _qualified(judged: Judged) -> str:
    """What both sides share, in words, and the steps that it took."""
    claims = judged.left.claim, judged.right.claim
    shared = [
        name(claims[0].value_of(axis))
        for axis in ("basis", "precision", "direction")
        if claims[0].value_of(axis) is not None
        and claims[0].value_of(axis) == claims[1].value_of(axis)
    ]
    steps = list(dict.fromkeys(name(step.kind) for step in judged.verdict.derivation))
    told = [", ".join(shared), f"after {', '.join(steps)}" if steps else ""]
    return esc("; ".join(text for text in told if text))


def reasons(group: Group) -> str:
    """Why pairs of a group allow no ratio, the commonest first, with what would settle it."""
    found = Counter(
        (name(r.axis), r.why, r.settle) for j in group.judged for r in j.verdict.reasons
    )
    return bullets(
        f"**{esc(axis)}** ({plural(number, 'pair')}): {esc(why)}."
        + (f" What would settle it: {esc(settle)}." if settle else "")
        for (axis, why, settle), number in sorted(
            found.items(), key=lambda i: (-i[1], i[0][0], i[0][1], i[0][2] or "")
        )
    )


def refused(what: str, group: Group) -> str:
    """The reasons in a box, where a chart or ratios would stand if any pair allowed one."""
    return box("refused", blocks(f"**{what}:** no pair here allows a ratio.", reasons(group)))


def cautions(group: Group) -> str:
    """The cautions of all ratios of a group, each once; they go wherever a ratio is shown."""
    told = dict.fromkeys((c.about, c.text) for j in group.allowed for c in j.verdict.cautions)
    return bullets(f"{chip('caution', name(about))} {esc(text)}" for about, text in told)
