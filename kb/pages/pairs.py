"""Which claims to set side by side: the matrix of two products and its most telling pairs."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from kb.compare import explained
from kb.corpus import ClaimEntry, Corpus
from kb.operand import Operand, operand_of_claim
from kb.pages.verdicts import Judged
from kb.pages.words import name
from kb.qualifiers import ROLES_OF_METRIC, Layer, Metric, Scope
from kb.quantity import QuantityError
from kb.verdict import StepKind, Verdict, VerdictKind

MOST_PAIRS = 10
"""Pairs of products that get a page where no decision chooses among them."""

NEAR = (0.8, 1.25)
"""Printed values this close are taken for each other."""


Judge = Callable[[Operand, Operand, Corpus], Verdict]
"""What judges two sides: `compare`, or one that also searches, or one that remembers."""


@dataclass(frozen=True)
class Group:
    """All claims of two products with one metric and one role."""

    title: str
    rows: tuple[ClaimEntry, ...]
    columns: tuple[ClaimEntry, ...]
    judged: tuple[Judged, ...]

    @cached_property
    def by_pair(self) -> dict[tuple[str, str], Judged]:
        """Each verdict by the two claim ids."""
        return {(item.left.id, item.right.id): item for item in self.judged}

    @property
    def allowed(self) -> list[Judged]:
        """The pairs for which a ratio may be printed."""
        return [item for item in self.judged if item.verdict.allows_ratio]


@dataclass(frozen=True)
class Matrix:
    """Two products side by side: every verdict, and the most telling ones."""

    left: str
    right: str
    groups: tuple[Group, ...]
    lessons: dict[str, list[Judged]]


def matrices(corpus: Corpus) -> list[Matrix]:
    """One matrix for each pair of products; judged once for all pages."""
    made = []
    for left, right in product_pairs(corpus):
        found = groups(corpus, left, right)
        made.append(Matrix(left, right, tuple(found), instructive(corpus, left, right, found)))
    return made


def product_pairs(corpus: Corpus) -> list[tuple[str, str]]:
    """The products to set side by side: those between which decisions choose.

    Without any such decision, the first pairs of the catalogue, so that a new knowledge
    base has something to look at.
    """
    chosen: dict[tuple[str, str], None] = {}
    for _, entry in sorted(corpus.decisions.items()):
        decision = entry.value
        named = [option.accelerator for option in decision.options if option.accelerator]
        known = [key for key in dict.fromkeys(named) if key in corpus.products]
        _add(chosen, itertools.combinations(known, 2))
        _add(
            chosen,
            (
                (item.left.partition("/")[0], item.right.partition("/")[0])
                for item in decision.comparisons
            ),
        )
    if not chosen:
        hardware = [
            key
            for key, entry in sorted(corpus.products.items())
            if entry.value.layer is Layer.ACCELERATOR and entry.value.claims
        ]
        _add(chosen, itertools.islice(itertools.combinations(hardware, 2), MOST_PAIRS))
    return [pair for pair in chosen if all(key in corpus.products for key in pair)]


def remembering(judge: Judge) -> Judge:
    """A judge that is asked once for each two claims, however many pages show them."""
    known: dict[tuple[str, str], Verdict] = {}

    def judged(left: Operand, right: Operand, corpus: Corpus) -> Verdict:
        key = left.label, right.label
        if key not in known:
            known[key] = judge(left, right, corpus)
        return known[key]

    return judged


def _add(chosen: dict[tuple[str, str], None], pairs: Iterable[tuple[str, str]]) -> None:
    for left, right in pairs:
        if left != right and (right, left) not in chosen:
            chosen[(left, right)] = None


def readable(corpus: Corpus, product: str) -> list[tuple[ClaimEntry, Operand]]:
    """Every claim of a product whose value can be read, as a side of a comparison.

    Counts of parts are left out: that one chip has 4 ports and another 18 links compares
    nothing by itself.
    """
    found = []
    for entry in corpus.claims_of(product):
        if entry.claim.metric is Metric.COUNT:
            continue
        try:
            found.append((entry, operand_of_claim(entry)))
        except QuantityError:
            continue
    return found


def groups(corpus: Corpus, left: str, right: str) -> list[Group]:
    """The matrix of two products, cut by metric and role; groups with one empty side left out."""
    return groups_by(corpus, left, right, explained)


def groups_by(corpus: Corpus, left: str, right: str, judge: Judge) -> list[Group]:
    """The same with another judge: the search for what to use instead takes most of the time."""
    sides = readable(corpus, left), readable(corpus, right)
    keys = list(dict.fromkeys((op.metric, _role(op)) for _, op in sides[0]))
    found = []
    for title, rows, columns in (*_by_role(sides, keys), *_of_open_role(sides, keys)):
        if not rows or not columns:
            continue
        judged = tuple(Judged(a, b, judge(x, y, corpus)) for a, x in rows for b, y in columns)
        found.append(Group(title, tuple(e for e, _ in rows), tuple(e for e, _ in columns), judged))
    return found


Readable = list[tuple[ClaimEntry, Operand]]
Cut = tuple[str, Readable, Readable]
"""A title, and the claims of each side that belong together."""


def _by_role(sides: tuple[Readable, Readable], keys: list[tuple[Metric, object]]) -> Iterator[Cut]:
    """The claims of one metric and role."""
    for metric, role in keys:
        rows, columns = (
            [(e, op) for e, op in side if (op.metric, _role(op)) == (metric, role)]
            for side in sides
        )
        yield group_title(metric, role), rows, columns


def _of_open_role(
    sides: tuple[Readable, Readable], keys: list[tuple[Metric, object]]
) -> Iterator[Cut]:
    """Figures whose source leaves open what they are of, against all that they may be like."""
    for metric in dict.fromkeys(metric for metric, _ in keys if metric in ROLES_OF_METRIC):
        rows, columns = ([(e, op) for e, op in side if op.metric is metric] for side in sides)
        open_rows, open_columns = (
            [(e, op) for e, op in side if _role(op) is None and op.get("includes") is None]
            for side in (rows, columns)
        )
        title = f"{name(metric)}: role left open"
        yield title, open_rows, [(e, op) for e, op in columns if _role(op) is not None]
        yield title, [(e, op) for e, op in rows if _role(op) is not None], open_columns


def _role(operand: Operand) -> object:
    """What a memory or link is for; None where that is open or it is about none."""
    return None if operand.is_open("role") else operand.get("role")


def group_title(metric: Metric, role: object) -> str:
    """What a table of a matrix is about: `memory bandwidth: device memory`."""
    return name(metric) + (f": {name(role)}" if role is not None else "")


def lookalikes(corpus: Corpus, left: str, right: str) -> list[Judged]:
    """Figures of one accelerator that lie close together and measure different things."""
    found: list[tuple[float, Judged]] = []
    for (a, x), (b, y) in itertools.product(readable(corpus, left), readable(corpus, right)):
        same_group = (x.metric, x.get("role")) == (y.metric, y.get("role"))
        if same_group or x.quantity.unit.dimension != y.quantity.unit.dimension:
            continue
        closeness = float(x.quantity.base / y.quantity.base)
        if _of_one_device(x) and _of_one_device(y) and NEAR[0] <= closeness <= NEAR[1]:
            judged = Judged(a, b, explained(x, y, corpus))
            if judged.verdict.kind is VerdictKind.NOT_COMPARABLE:
                found.append((abs(closeness - 1), judged))
    return [judged for _, judged in sorted(found, key=lambda item: (item[0], item[1].anchor))]


def _of_one_device(operand: Operand) -> bool:
    scope = operand.get("scope")
    return isinstance(scope, Scope) and scope.level == 2


def instructive(
    corpus: Corpus, left: str, right: str, found: list[Group]
) -> dict[str, list[Judged]]:
    """The most telling pairs, by what they teach: at most two for each lesson."""
    everything = [item for group in found for item in group.judged]

    def of(kind: VerdictKind) -> list[Judged]:
        return sorted((j for j in everything if j.verdict.kind is kind), key=_interest)

    derived = of(VerdictKind.AFTER_DERIVATION)
    assessed = [
        j for j in derived if any(step.kind is StepKind.ASSESSED for step in j.verdict.derivation)
    ]
    counted = [j for j in derived if any(step.factor != 1 for step in j.verdict.derivation)]
    lessons = {
        "Comparable as printed": _varied(of(VerdictKind.COMPARABLE)),
        "Comparable on an assessment": _varied(assessed),
        "Comparable after counting": _varied(counted),
        "Looks alike, is not": lookalikes(corpus, left, right)[:2],
        "Open until a source speaks": _varied(
            [j for j in of(VerdictKind.UNDETERMINED) if j.verdict.conditional]
        ),
    }
    return {title: pairs for title, pairs in lessons.items() if pairs}


def _interest(judged: Judged) -> tuple[int, int, str]:
    """Two vendor figures at device scope first, few doubts before many."""
    plain = sum(
        str(entry.claim.value_of("basis")).startswith(("vendor", "advertised"))
        for entry in (judged.left, judged.right)
    )
    open_axes = len(judged.verdict.reasons) + len(judged.verdict.derivation)
    return (-plain, open_axes, judged.anchor)


def _varied(judged: list[Judged], most: int = 2) -> list[Judged]:
    """The first pairs, each of another metric and interface."""
    seen: dict[object, Judged] = {}
    for item in judged:
        seen.setdefault((item.left.claim.metric, item.left.claim.value_of("interface")), item)
    return list(seen.values())[:most]
