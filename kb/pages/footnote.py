"""The footnotes that MLCommons demands wherever results of its benchmarks are shown.

Sections 3.2, 5, 9 and 11.2 of the messaging guidelines. The sentences are theirs, since they
are demanded word for word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kb.corpus import Corpus, ResultEntry
from kb.pages.text import blocks, bullets, esc, web_link
from kb.pages.words import name
from kb.qualifiers import Verification

LEGEND = (
    "The MLPerf name and logo are registered and unregistered trademarks of MLCommons "
    "Association in the United States and other countries. All rights reserved. Unauthorized "
    "use strictly prohibited. See www.mlcommons.org for more information."
)
VERIFIED = "Result verified by MLCommons Association."
UNVERIFIED = "Result not verified by MLCommons Association."
BESIDE = (
    "Unverified results have not been through an MLPerf® review and may use measurement "
    "methodologies and/or workload implementations that are inconsistent with the MLPerf "
    "specification for verified results."
)
DERIVED = (
    "A figure for each accelerator or for each watt is derived here. It is not the primary "
    "metric of MLPerf® Inference and no official MLPerf metric. " + UNVERIFIED
)


def footnotes(entries: Iterable[ResultEntry], corpus: Corpus, *, derived: bool = False) -> str:
    """One note for each benchmark, round, division and scenario that is shown."""
    shown = list(entries)
    if not shown:
        return ""
    reviewed = {entry.result.verification for entry in shown}
    notes = list(_notes(shown, corpus))
    notes += [BESIDE] if len(reviewed) > 1 else []
    notes += [DERIVED] if derived else []
    return blocks("## Footnotes { #footnotes }", bullets([*notes, esc(LEGEND)]))


def _notes(shown: list[ResultEntry], corpus: Corpus) -> Iterator[str]:
    groups: dict[tuple[str, str, str, str, str, str], list[ResultEntry]] = {}
    for entry in shown:
        result = entry.result
        key = (
            result.version,
            result.division.value,
            result.benchmark,
            result.scenario.value,
            entry.record.id,
            result.verification.value,
        )
        groups.setdefault(key, []).append(entry)
    for key, group in groups.items():
        version, division, benchmark, scenario, _, verification = key
        record = group[0].record
        source = corpus.sources.get(record.source)
        where = record.source if source is None else source.value.address or source.value.title
        ids = ", ".join(dict.fromkeys(_entry(entry) for entry in group))
        said = VERIFIED if verification == Verification.VERIFIED else UNVERIFIED
        unverified = "" if verification == Verification.VERIFIED else "Unverified "
        yield (
            f"{unverified}MLPerf® {esc(version)} Inference {esc(division.capitalize())} "
            f"{esc(benchmark)} {esc(name(scenario))}. Retrieved from "
            f"{web_link(esc(where), where)} {esc(record.retrieved)}, entries {esc(ids)}. {said}"
        )


def _entry(entry: ResultEntry) -> str:
    """MLCommons' id of an entry; where its files have none, the path says which it is."""
    if entry.result.entry:
        return entry.result.entry
    return entry.result.locator.partition("/performance/")[0]
