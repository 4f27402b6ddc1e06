"""A decision rests on a value that has moved beyond its tolerance, or means something else.

**Why.** A decision outlives the figures that it was made with. When a specification, a
price or a measurement changes by more than the decision itself allows, nobody knows
whether it still holds until somebody looks.

**Refused**

```yaml decision
kind: project
status: accepted
confirmation: a test
decision-makers: [Ada]
approvals: [{by: Ada, date: 2026-11-30}]
seal: "414faac3b621f2fd7d4246db575fe83d2d762b8c5d65095be24237e5604340ff"
tolerance: 1 %
pins:
  - id: acme-x1/chip-hbm-bandwidth
    hash: "00"
    values: {published: 1500 GB/s}
```

**Accepted**

```yaml decision
status: draft
kind: project
tolerance: 1 %
pins:
  - id: acme-x1/chip-hbm-bandwidth
    hash: "00"
    values: {published: 1500 GB/s}
```
"""

from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.finding import Label, Moved
from kb.model.decision import Decision
from kb.records.pins import Move, moves
from kb.rules import Problem, rule


@rule(over="decision", needs=("pins",))
def suspect_decision(entry: Entry[Decision], corpus: Corpus) -> Iterator[Problem]:
    """Yield each pin of an accepted decision that puts it in doubt."""
    decision = entry.value
    if decision.status != "accepted":
        return
    for move in moves(entry, corpus):
        if move.kind.doubtful:
            yield Problem(
                entry.place.at("pins", move.index, "id"),
                f"decision {decision.id} is suspect: {move.pin.id} was {move.before}, is "
                f"{move.after}: {move.why}",
                f'look at it again: kb review {decision.id} --confirm "<why it still holds>", or '
                f"kb supersede {decision.id} <new id>",
                label="moved since it was accepted",
                related=tuple(_where(move, corpus)),
                moved=Moved(move.pin.id, move.before, move.after),
            )


def _where(move: Move, corpus: Corpus) -> Iterator[Label]:
    name = move.pin.id.partition("#")[0]
    if name in corpus.claims:
        claim = corpus.claims[name]
        index = claim.claim.statements.index(claim.claim.current)
        place = claim.place.at("statements", index, "published")
        yield Label(place, f"before: {move.before}; now: {move.after}")
    elif name in corpus.evidence:
        yield Label(corpus.evidence[name].place.at("content_hash"), "the record as it is now")
