"""The same records as JSON, beside the pages; ids and verdicts are those of the pages."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel

from kb.compare.text import verdict_data
from kb.corpus import Corpus, Entry
from kb.model.decision import Decision
from kb.pages import links
from kb.pages.pairs import Matrix
from kb.records.people import without_addresses

SCHEMA_VERSION = 1
R = TypeVar("R", bound=BaseModel)


def data_files(corpus: Corpus, pairs: Sequence[Matrix]) -> dict[str, str]:
    """One JSON file for each product, decision, evidence record and pair of products."""
    records = [
        (links.product_path, corpus.products),
        (links.decision_path, corpus.decisions),
        (links.evidence_path, corpus.evidence),
    ]
    files = {}
    for path_of, table in records:
        for key, entry in table.items():
            files[_json(path_of(key))] = _text({"id": key, "record": _plain(entry.value)})
    for matrix in pairs:
        files[_json(links.pair_path(matrix.left, matrix.right))] = _text(_pair(matrix))
    return files


def record_pages(records: Mapping[str, Entry[R]], write: Callable[[R], str]) -> dict[str, str]:
    """The page that `write` makes of each evidence record, and its JSON with every field."""
    files = {}
    for key, entry in sorted(records.items()):
        at = links.evidence_path(key)
        files[at] = write(entry.value)
        files[_json(at)] = _text({"id": key, "record": entry.value.model_dump(mode="json")})
    return files


def _json(page: str) -> str:
    return page.removesuffix(".md") + ".json"


def json_line(data: dict[str, Any]) -> str:
    """JSON for programs: no blanks, one line."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"


def _text(data: dict[str, Any]) -> str:
    return json_line({"schema_version": SCHEMA_VERSION} | data)


def _plain(record: BaseModel) -> dict[str, Any]:
    shown = without_addresses(record) if isinstance(record, Decision) else record
    return shown.model_dump(mode="json", exclude_none=True, by_alias=True)


def _pair(matrix: Matrix) -> dict[str, Any]:
    verdicts = [
        {
            "group": group.title,
            "left": item.left.id,
            "right": item.right.id,
            "left_published": item.left.claim.current.published,
            "right_published": item.right.claim.current.published,
            **verdict_data(item.verdict),
        }
        for group in matrix.groups
        for item in group.judged
    ]
    return {"left": matrix.left, "right": matrix.right, "verdicts": verdicts}
