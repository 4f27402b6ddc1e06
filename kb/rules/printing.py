"""What the rules about printed values share: the one reader of quantities, as problems."""

from __future__ import annotations

from collections.abc import Iterator

from kb.quantity import QuantityError
from kb.rules.declare import Problem, StatementEntry


def misprints(entry: StatementEntry, kind: str) -> Iterator[Problem]:
    """The problem of one kind (a slug of `QuantityError`) with a printed value, if it has it."""
    try:
        entry.statement.quantity(entry.owner.claim.metric)
    except QuantityError as error:
        if error.rule == kind:
            yield Problem(
                entry.place.at("published"),
                f"{entry.owner.id} prints {entry.statement.published!r}: {error}",
                error.remedy,
                label="not read",
                within=(error.start, error.end),
            )
