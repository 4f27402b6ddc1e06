"""Verdicts for the chooser: one file a claim, judged here so that a browser only looks them up.

A pair lies in the file of the claim whose id sorts first. Reasons, cautions and steps that
many pairs share are written once a file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from kb.compare import compare
from kb.compare.text import verdict_data
from kb.corpus import ClaimEntry, Corpus
from kb.operand import Operand, operand_of_claim
from kb.pages import links
from kb.pages.data import json_line
from kb.pages.pairs import Judge, group_title
from kb.pages.ratio import ratio_within
from kb.pages.verdicts import condition, fraction
from kb.pages.words import claim_title, name, qualifiers
from kb.qualifiers import UNSTATED, Metric
from kb.quantity import QuantityError
from kb.verdict import Verdict

MOST = 60_000
"""Pairs up to which every claim can be chosen; beyond, only products that decisions name."""

Side = tuple[ClaimEntry, Operand]


def shard_path(claim: str) -> str:
    """The file with the verdicts of a claim against those whose ids sort after its own."""
    return f"api/verdicts/{claim}.json"


def chosen(corpus: Corpus) -> dict[Metric, list[Side]]:
    """The claims that can be chosen, by metric and in the order of their ids."""
    sides = _sides(corpus, corpus.products)
    if _pairs(sides) > MOST:
        sides = _sides(corpus, _named(corpus))
    return sides


def is_whole(corpus: Corpus) -> bool:
    """Whether the chooser offers every claim."""
    return _pairs(_sides(corpus, corpus.products)) <= MOST


def shard_files(corpus: Corpus, judge: Judge = compare) -> dict[str, str]:
    """The list of claims to choose from, and every file of verdicts."""
    sides = chosen(corpus)
    files = {"api/chooser.json": json_line(_offer(sides))}
    for members in sides.values():
        for number, left in enumerate(members):
            files[shard_path(left[0].id)] = json_line(
                _shard(left, members[number + 1 :], corpus, judge)
            )
    return files


def _sides(corpus: Corpus, products: Iterable[str]) -> dict[Metric, list[Side]]:
    wanted = set(products)
    found: dict[Metric, list[Side]] = {}
    for _, entry in sorted(corpus.claims.items()):
        if entry.product.product not in wanted or entry.claim.metric is Metric.COUNT:
            continue
        try:
            operand = operand_of_claim(entry)
        except QuantityError:
            continue
        found.setdefault(entry.claim.metric, []).append((entry, operand))
    return {metric: members for metric, members in found.items() if len(members) > 1}


def _pairs(sides: dict[Metric, list[Side]]) -> int:
    return sum(len(members) * (len(members) - 1) // 2 for members in sides.values())


def _named(corpus: Corpus) -> set[str]:
    """Products that are an option of a decision or stand in one of its comparisons."""
    found: set[str] = set()
    for entry in corpus.decisions.values():
        found |= {option.accelerator for option in entry.value.options if option.accelerator}
        pairs = ((item.left, item.right) for item in entry.value.comparisons)
        found |= {side.partition("/")[0] for pair in pairs for side in pair}
    return found


def _offer(sides: dict[Metric, list[Side]]) -> dict[str, Any]:
    """What the two lists of the chooser show."""
    claims = [
        {
            "id": entry.id,
            "product_name": entry.product.name,
            "metric": metric.value,
            "group": group_title(metric, operand.get("role")),
            "title": claim_title(entry.claim),
            "published": entry.claim.current.published,
            "qualifiers": list(_told(entry)),
            "page": links.address(links.claim_target(entry.id)),
        }
        for metric, members in sides.items()
        for entry, operand in members
    ]
    metrics = [[metric.value, name(metric)] for metric in sides]
    return {"schema_version": 1, "metrics": metrics, "claims": claims}


def _told(entry: ClaimEntry) -> Iterable[str]:
    for axis, value in qualifiers(entry.claim):
        if value == UNSTATED:
            yield f"{name(axis)} unstated"
        elif not isinstance(value, (tuple, dict, int)) and axis not in ("role", "layer"):
            yield name(value)


def _shard(left: Side, others: Sequence[Side], corpus: Corpus, judge: Judge) -> dict[str, Any]:
    parts: dict[str, int] = {}
    verdicts = {
        entry.id: _short(judge(left[1], operand, corpus), parts) for entry, operand in others
    }
    return {
        "schema_version": 1,
        "claim": left[0].id,
        "parts": [json.loads(part) for part in parts],
        "verdicts": verdicts,
    }


def _short(verdict: Verdict, parts: dict[str, int]) -> dict[str, Any]:
    """A verdict whose lists are numbers of shared parts; empty fields are left out."""
    data = verdict_data(verdict)
    for field in ("reasons", "cautions", "derivation"):
        data[field] = [
            parts.setdefault(json.dumps(item, ensure_ascii=False), len(parts))
            for item in data[field]
        ]
    if verdict.ratio is not None:
        data["shown"] = ratio_within(verdict.ratio, verdict.interval)
    data["conditional"] = [condition(item) for item in verdict.conditional]
    data["fraction"] = fraction(verdict)
    return {key: value for key, value in data.items() if value}
