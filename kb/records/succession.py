"""Which decision replaces which: both ends of every link, and circles of replacement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kb.corpus import Corpus
from kb.source import Place


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with a link between two decisions."""

    place: Place
    message: str
    remedy: str
    other: Place
    """The other end."""


def one_sided(key: str, corpus: Corpus) -> Iterator[Fault]:
    """Every replacement of a decision that is written at one end only, or against the status."""
    entry = corpus.decisions[key]
    for field, other_field in (("supersedes", "superseded_by"), ("superseded_by", "supersedes")):
        for index, other in enumerate(getattr(entry.value, field)):
            end = corpus.decisions.get(other)
            if end is None or key in getattr(end.value, other_field):
                continue
            if field == "supersedes" and entry.value.status == "draft":
                continue  # it only says what it is meant for; the old one still holds
            old, new = (other, key) if field == "supersedes" else (key, other)
            yield Fault(
                entry.place.at(field, index),
                f"{key} says {field.replace('_', ' ')} {other}, and {other} doesn't say "
                f"{other_field.replace('_', ' ')} {key}",
                f"kb supersede {old} {new}, which writes both ends",
                end.place.at(other_field),
            )
    yield from _against_status(corpus, key)
    yield from _sections(corpus, key)


def _against_status(corpus: Corpus, key: str) -> Iterator[Fault]:
    entry = corpus.decisions[key]
    decision = entry.value
    if decision.status == "superseded" and not decision.superseded_by:
        yield Fault(
            entry.place.at("status"),
            f"decision {key} is superseded, and no decision replaces it",
            "add 'superseded_by: [<id>]', or write 'status: deprecated'",
            entry.place.at("status"),
        )
    there = [other for other in decision.superseded_by if other in corpus.decisions]
    if there and decision.status != "superseded":
        by = ", ".join(decision.superseded_by)
        yield Fault(
            entry.place.at("status"),
            f"decision {key} is {decision.status}, and superseded_by names {by}",
            f"kb supersede {key} {decision.superseded_by[0]}",
            entry.place.at("superseded_by"),
        )


def _sections(corpus: Corpus, key: str) -> Iterator[Fault]:
    entry = corpus.decisions[key]
    replacing, replaced = "supersedes_sections", "superseded_sections"
    for field, other_field in ((replacing, replaced), (replaced, replacing)):
        for index, item in enumerate(getattr(entry.value, field)):
            end = corpus.decisions.get(item.decision)
            if end is not None and any(
                back.decision == key and back.section == item.section
                for back in getattr(end.value, other_field)
            ):
                continue
            old, new = (item.decision, key) if field == replacing else (key, item.decision)
            missing = "there is no such decision" if end is None else f"{item.decision} is silent"
            yield Fault(
                entry.place.at(field, index, "decision"),
                f"{key} and {item.decision} should both say that section '{item.section}' is "
                f"replaced, and {missing}",
                f'kb supersede {old} {new} --section "{item.section}"',
                end.place.at(other_field) if end else entry.place.at(field, index),
            )


def circle_of(key: str, corpus: Corpus) -> tuple[str, ...] | None:
    """The shortest circle of replacement through a decision, from its smallest id on."""
    circle = _way_back(key, corpus)
    if circle is None:
        return None
    least = circle.index(min(circle))
    return (*circle[least:], *circle[:least])


def _way_back(start: str, corpus: Corpus) -> tuple[str, ...] | None:
    """The shortest way from a decision back to itself."""
    ways: list[tuple[str, ...]] = [(start,)]
    seen: set[str] = set()
    for way in ways:
        for step in corpus.decisions[way[-1]].value.supersedes:
            if step == start:
                return way
            if step not in seen and step in corpus.decisions:
                seen.add(step)
                ways.append((*way, step))
    return None
