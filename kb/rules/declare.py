"""How a rule is written: one decorated generator, and the problems that it yields."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

from kb.corpus import ClaimEntry, Corpus, Entry
from kb.finding import Label, Moved, Severity
from kb.source import Part, Place, Position, Span

if TYPE_CHECKING:
    # A base without evidence or decisions is checked without building their models.
    from kb.model.artefact import Artefact
    from kb.model.claim import Statement
    from kb.model.decision import Decision
    from kb.model.evidence import Evidence
    from kb.model.kernels import KernelMatrix
    from kb.model.product import Family, Product, Source
    from kb.model.result import Import
    from kb.model.study import Study
    from kb.rules.judged import Judged
    from kb.rules.judged_results import JudgedResults

Over = Literal[
    "corpus",
    "record",
    "product",
    "claim",
    "statement",
    "comparison",
    "result_comparison",
    "decision",
    "evidence",
    "artefact",
]
"""What a rule looks at, one at a time. A rule over the whole corpus runs again after any change."""

NEEDING = ("comparison", "result_comparison", "decision")
"""What a rule looks at that may be without the fields that the rule is about."""

AnyRecord: TypeAlias = (
    "Product | Source | Family | Decision | Evidence | Artefact | Import | KernelMatrix | Study"
)
"""What a file holds."""

Item: TypeAlias = "Entry[AnyRecord] | ClaimEntry"
"""What a rule over records looks at: every record of every kind, and every claim."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What a rule found. The engine adds the slug, the severity, line and column."""

    place: Place
    """Where in the data."""
    message: str
    """One sentence with the actual values inside."""
    remedy: str
    """What to type instead, as an imperative."""
    label: str = ""
    """The concrete reason, shown beside the excerpt."""
    related: tuple[Label, ...] = ()
    """Other places that belong to it."""
    within: tuple[int, int] | None = None
    """Offsets into the text at `place`, where only a part of it is meant."""
    moved: Moved | None = None
    """The value that a record relied on, and what it is now."""


Problems = Iterable[Problem]


def odd_field(problem: Problem) -> str | None:
    """The name of a field with a value of the wrong type, which no report could show."""
    fits = {
        "place": _is_place(problem.place),
        "related": _is_tuple(problem.related, _is_label),
        "moved": problem.moved is None or _is_moved(problem.moved),
        "within": problem.within is None or _is_tuple(problem.within, _is_number, 2),
    }
    for name in ("message", "remedy", "label"):
        fits[name] = isinstance(getattr(problem, name), str)
    return next((name for name, right in fits.items() if not right), None)


def _is_tuple(value: object, fits: Callable[[object], bool], length: int | None = None) -> bool:
    right = isinstance(value, tuple) and all(fits(item) for item in value)
    return right and (length is None or len(value) == length)  # type: ignore[arg-type]


def _is_number(value: object) -> bool:
    return type(value) is int


def _is_label(value: object) -> bool:
    if not isinstance(value, Label):
        return False
    texts: tuple[object, ...] = (value.text,)
    return all(isinstance(text, str) for text in texts) and _is_place(value.place)


def _is_moved(value: object) -> bool:
    texts = (value.what, value.before, value.after) if isinstance(value, Moved) else (None,)
    return all(isinstance(text, str) for text in texts)


def _is_place(value: object) -> bool:
    if not isinstance(value, Place):
        return False
    kinds = ((value.path, str), (value.route, tuple), (value.part, Part))
    right = all(isinstance(part, kind) for part, kind in kinds)
    return right and (value.span is None or _is_span(value.span))


def _is_span(value: object) -> bool:
    ends = (value.start, value.end) if isinstance(value, Span) else (None,)
    return all(
        isinstance(end, Position) and _is_number(end.line) and _is_number(end.column)
        for end in ends
    )


@dataclass(frozen=True)
class StatementEntry:
    """One statement with the claim that it belongs to and its own place."""

    owner: ClaimEntry
    statement: Statement
    place: Place


@dataclass(frozen=True)
class Declared:
    """A decorated function: what it looks at and how much its findings matter."""

    over: Over
    severity: Severity
    check: Callable[..., Iterable[object]]
    """What it yields is looked at when it runs, since a stranger wrote it."""
    needs: tuple[str, ...] = ()
    """Fields of what it looks at; where all of them are empty it has nothing to say."""


@overload
def rule(
    *, over: Literal["corpus"], severity: Severity = ...
) -> Callable[[Callable[[Corpus], Problems]], Declared]: ...
@overload
def rule(
    *, over: Literal["record"], severity: Severity = ...
) -> Callable[[Callable[[Item, Corpus], Problems]], Declared]: ...
@overload
def rule(
    *, over: Literal["product"], severity: Severity = ...
) -> Callable[[Callable[[Entry[Product], Corpus], Problems]], Declared]: ...
@overload
def rule(
    *, over: Literal["claim"], severity: Severity = ...
) -> Callable[[Callable[[ClaimEntry, Corpus], Problems]], Declared]: ...
@overload
def rule(
    *, over: Literal["statement"], severity: Severity = ...
) -> Callable[[Callable[[StatementEntry, Corpus], Problems]], Declared]: ...
@overload
def rule(
    *, over: Literal["comparison"], severity: Severity = ..., needs: tuple[str, ...] = ...
) -> Callable[[Callable[[Judged], Problems]], Declared]: ...
@overload
def rule(
    *, over: Literal["result_comparison"], severity: Severity = ..., needs: tuple[str, ...] = ...
) -> Callable[[Callable[[JudgedResults], Problems]], Declared]: ...
@overload
def rule(
    *, over: Literal["decision"], severity: Severity = ..., needs: tuple[str, ...] = ...
) -> Callable[[Callable[[Entry[Decision], Corpus], Problems]], Declared]: ...
@overload
def rule(
    *, over: Literal["evidence"], severity: Severity = ...
) -> Callable[[Callable[[Entry[Evidence], Corpus], Problems]], Declared]: ...
@overload
def rule(
    *, over: Literal["artefact"], severity: Severity = ...
) -> Callable[[Callable[[Entry[Artefact], Corpus], Problems]], Declared]: ...
def rule(
    *, over: Over, severity: Severity = Severity.ERROR, needs: tuple[str, ...] = ()
) -> Callable[..., Any]:
    """Declare the rule of a file; its slug is the file's name.

    The function gets one thing of the kind `over` and the corpus (`corpus` alone, and a
    judged comparison, come without). It yields `Problem`s and has no memory. `needs` names
    fields of a decision (`evidence`) or of a judged comparison (`verdict.reasons`): the rule is
    not asked where all of them are empty, which most rules are spared by most records.
    """

    def declare(check: Callable[..., Problems]) -> Declared:
        return Declared(over, severity, check, needs)

    return declare
