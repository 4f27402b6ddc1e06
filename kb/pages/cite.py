"""Typed citations of a record's prose: where each leads, and what the reader sees on it."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass

from kb.compare.text import WORDS
from kb.corpus import Corpus
from kb.model.artefact import CANNOT
from kb.model.result import CANNOT as IMPORTED_CANNOT
from kb.pages import links
from kb.pages.prose import Target
from kb.pages.result_pair import judged as result_verdict
from kb.pages.verdicts import judge
from kb.pages.words import name, qualifiers
from kb.published import named


@dataclass(frozen=True)
class Citer:
    """Resolves the citations of one page."""

    at: str
    """The page on which they stand."""
    corpus: Corpus
    decisions: Mapping[str, str]
    """Id of each decision by the path of its file."""

    def resolve(self, target: str) -> Target | None:
        """Where a citation leads; None for what is not in the knowledge base."""
        kind, _, rest = target.partition(":")
        if kind == "claim":
            return self._claim(rest)
        if kind == "compare":
            return self._compare(rest)
        if kind == "evidence":
            return self._evidence(rest)
        if kind == "result":
            return self._result(rest)
        return self._path(target)

    def _claim(self, claim: str) -> Target | None:
        entry = self.corpus.claims.get(claim)
        if entry is None:
            return None
        words = ", ".join(
            f"{name(axis)}: {name(value)}"
            for axis, value in qualifiers(entry.claim)
            if not isinstance(value, (tuple, dict))
        )
        return Target(links.way(self.at, links.claim_target(claim)), f"{claim}; {words}")

    def _compare(self, pair: str) -> Target | None:
        """The verdict stands on the same page, among the decision's comparisons."""
        left, _, right = pair.partition("..")
        if published := self._results(left, right):
            return published
        judged = judge(self.corpus, left, right)
        if judged is None:
            return None
        cautions = [caution.text for caution in judged.verdict.cautions]
        return Target(f"#{judged.anchor}", "; ".join([WORDS[judged.verdict.kind], *cautions]))

    def _results(self, left: str, right: str) -> Target | None:
        """Two published results have a page of their own."""
        one, other = named(left, self.corpus), named(right, self.corpus)
        if one is None or other is None:
            return None
        verdict = result_verdict((one[0], other[0]), one[1], self.corpus)
        said = [WORDS[verdict.kind], *(c.text for c in verdict.cautions)] if verdict else []
        page = links.result_pair_path(one[0].id, other[0].id)
        return Target(links.way(self.at, page), "; ".join(said))

    def _result(self, name_: str) -> Target | None:
        entry = self.corpus.results.get(name_)
        if entry is None:
            return None
        result = entry.result
        about = f"{result.benchmark} {name(result.scenario)}, {result.version} {result.division}"
        who = f"{result.submitter}, {result.formats}, {name(result.availability)}"
        return Target(links.way(self.at, links.result_target(entry)), f"{about}; {who}")

    def _evidence(self, target: str) -> Target | None:
        record, _, field = target.partition("#")
        if record in self.corpus.studies:
            study = self.corpus.studies[record].value
            return Target(links.way(self.at, links.evidence_path(record)), study.cannot)
        entry = self.corpus.evidence.get(record)
        if record in self.corpus.artefacts:
            return Target(links.way(self.at, links.evidence_path(record)), CANNOT)
        if record in self.corpus.imports:
            return Target(links.way(self.at, links.evidence_path(record)), IMPORTED_CANNOT)
        if entry is None:
            return None
        boundary = field.partition(".")[0]
        known = {str(seen.boundary) for seen in entry.value.measurements}
        tail = f"#{boundary}" if boundary in known else ""
        return Target(
            links.way(self.at, links.evidence_path(record) + tail), entry.value.device.speaks_for
        )

    def _path(self, target: str) -> Target | None:
        """A link to the file of another decision or of a record becomes one to its page."""
        if target.startswith("#"):
            return Target(target)
        path = posixpath.normpath(posixpath.join("decisions", target.partition("#")[0]))
        if path.startswith("evidence/"):
            return self._evidence(path.removeprefix("evidence/").removesuffix(".json"))
        other = self.decisions.get(path)
        return None if other is None else Target(links.way(self.at, links.decision_path(other)))
