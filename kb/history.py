"""What the catalogue said on a day: the statement of each claim that was current then.

Only dates that a source itself carries count. An undated statement never wins, so a claim
without a dated statement has no answer for any day.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass

from kb.corpus import ClaimEntry, Corpus
from kb.model.claim import Statement

_RANK = {"current": 0, "concurring": 1, "superseded": 2}


@dataclass(frozen=True, slots=True)
class Change:
    """A claim whose statement differs between two days; None where there was none."""

    entry: ClaimEntry
    before: Statement | None
    after: Statement | None


def statement_on(entry: ClaimEntry, day: datetime.date) -> Statement | None:
    """The statement of a claim that was current on `day`; None where no dated one was.

    It is the newest one dated on or before the day. Of several with one date the current
    one wins. A disputed statement never wins.
    """
    dated = [
        (statement.as_of, -_RANK[statement.status], -position, statement)
        for position, statement in enumerate(entry.claim.statements)
        if statement.as_of is not None and statement.as_of <= day and statement.status != "disputed"
    ]
    return max(dated, key=lambda item: item[:3])[3] if dated else None


def changes(corpus: Corpus, before: datetime.date, after: datetime.date) -> Iterator[Change]:
    """Every claim that said something else on `after` than on `before`."""
    for entry in corpus.claims.values():
        then, now = statement_on(entry, before), statement_on(entry, after)
        if then is now:
            continue
        if then is None or now is None or then.published != now.published:
            yield Change(entry, then, now)


def undated(corpus: Corpus) -> int:
    """How many claims have no dated statement, and so no answer for any day."""
    return sum(
        1
        for entry in corpus.claims.values()
        if all(statement.as_of is None for statement in entry.claim.statements)
    )
