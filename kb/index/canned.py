"""Questions that are asked often, each a sentence and its SQL. They run on both databases."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass

OLD = 180
"""Days after which evidence is looked at again, where nobody says otherwise."""


@dataclass(frozen=True)
class Canned:
    """One question; `asks` is what stands for `:word` in its SQL, empty where nothing does."""

    sentence: str
    sql: str
    asks: str = ""
    default: str | None = None
    """What is taken where no word is given; None where one is needed."""
    about_record: bool = False
    """Whether the word is the id of a record."""
    read: Callable[[str], object] = str
    """The word as the database gets it; raises `ValueError` where it can't be read."""
    unread: str = ":word"
    """The same in SQL of SQLite, for Datasette, which sends what was typed."""


def day_before(days: str) -> str:
    """The day so many days ago, as records write it."""
    today = datetime.datetime.now(tz=datetime.UTC).date()
    return (today - datetime.timedelta(days=int(days))).isoformat()


CANNED: dict[str, Canned] = {
    "rests-on": Canned(
        "what rests on a claim, a source, evidence or a decision, directly or through others",
        "WITH RECURSIVE found(namespace, kind, record) AS ("
        "SELECT namespace, kind, record FROM rests_on WHERE other = :word "
        "UNION SELECT r.namespace, r.kind, r.record FROM rests_on r JOIN found f "
        "ON r.namespace = f.namespace AND r.other = f.record AND r.other_kind = f.kind) "
        "SELECT DISTINCT record, kind FROM found ORDER BY record, kind",
        asks="an id, such as hgx-b200/gpu-hbm-bandwidth",
        about_record=True,
    ),
    "undetermined": Canned(
        "comparisons of decisions that are undetermined, and why",
        "SELECT decision, left_claim, right_claim, reasons, why FROM comparison "
        "WHERE verdict = 'undetermined' ORDER BY decision, number",
    ),
    "refused": Canned(
        "comparisons of decisions that are refused, and why",
        "SELECT decision, left_claim, right_claim, reasons, why FROM comparison "
        "WHERE verdict = 'not_comparable' ORDER BY decision, number",
    ),
    "old-evidence": Canned(
        f"evidence older than so many days ({OLD}, where none are named)",
        "SELECT id, evidence_class, created, product FROM evidence "
        "WHERE substr(created, 1, 10) < :word ORDER BY created, id",
        asks="a number of days",
        default=str(OLD),
        read=day_before,
        unread=f"date('now', '-' || coalesce(nullif(:word, ''), '{OLD}') || ' days')",
    ),
    "bottlenecks": Canned(
        "decisions by the bottleneck that was observed",
        "SELECT coalesce(bottleneck, 'none observed') AS bottleneck, id, status, title, observed "
        "FROM decision ORDER BY 1, id",
    ),
    "open-axes": Canned(
        "claims whose source leaves a needed axis open",
        "SELECT id, direction, sparsity, scope FROM claim "
        "WHERE 'unstated' IN (direction, sparsity, scope) ORDER BY id",
    ),
    "most-cited-sources": Canned(
        "sources by the number of claims that rest on them",
        "SELECT other AS source, count(DISTINCT record) AS claims FROM rests_on "
        "WHERE other_kind = 'source' AND kind = 'claim' "
        "GROUP BY other ORDER BY claims DESC, other",
    ),
    "third-party-only": Canned(
        "claims whose current statement is a third-party copy",
        "SELECT claim.id, statement.source FROM claim "
        "JOIN statement ON statement.claim = claim.id AND statement.namespace = claim.namespace "
        "AND statement.status = 'current' "
        "JOIN source ON source.id = statement.source AND source.namespace = claim.namespace "
        "WHERE source.kind = 'third_party_copy' ORDER BY claim.id",
    ),
    "contradictions": Canned(
        "claims whose statements print different values",
        "SELECT claim, count(DISTINCT exact) AS prints FROM statement "
        "GROUP BY namespace, claim HAVING count(DISTINCT exact) > 1 ORDER BY prints DESC, claim",
    ),
    "hbm-bandwidth": Canned(
        "device memory bandwidth of one accelerator, in TB/s",
        "SELECT product, published, value / 1e12 AS tb_s FROM claim "
        "WHERE metric = 'memory_bandwidth' AND role = 'device_memory' "
        "AND scope IN ('chip', 'gpu') AND basis LIKE 'vendor%' ORDER BY value DESC, product",
    ),
    "hypotheses": Canned(
        "decisions without evidence that can carry them, and what to measure next",
        "SELECT id, title, next_measurement FROM decision WHERE status = 'hypothesis' ORDER BY id",
    ),
    "evidence": Canned(
        "evidence records by class",
        "SELECT evidence_class, id, workload, product FROM evidence ORDER BY evidence_class, id",
    ),
    "spills": Canned(
        "hand-written CUDA kernels whose registers spill, by architecture",
        "SELECT kernel, architecture, compiler, registers, spill_store_bytes, spill_load_bytes "
        "FROM cuda_build WHERE spill_store_bytes > 0 OR spill_load_bytes > 0 "
        "ORDER BY kernel, architecture, compiler",
    ),
    "kernel-classes": Canned(
        "compiled programs by who wrote their kernels: launches, and bytes of operands and results "
        "at their logical size",
        "SELECT evidence, variant, kernel_class, "
        "CAST(sum(executions) AS bigint) AS launches, CAST(sum(bytes) AS bigint) AS bytes "
        "FROM kernel GROUP BY evidence, variant, kernel_class "
        "ORDER BY evidence, variant, kernel_class",
    ),
    "wire-bytes": Canned(
        "compiled programs by the bytes that one device sends at least in a step",
        "SELECT evidence, variant, kind, CAST(sum(wire_bytes) AS bigint) AS wire_bytes "
        "FROM collective "
        "GROUP BY evidence, variant, kind ORDER BY 4 DESC, evidence, variant, kind",
    ),
    "published": Canned(
        "published results of a product, by benchmark and scenario",
        "SELECT benchmark, scenario, division, published, accelerators, system, id FROM result "
        "WHERE product = :word ORDER BY benchmark, scenario, division, value DESC, id",
        asks="a product, such as hgx-b200",
        about_record=True,
    ),
    "citations": Canned(
        "where a claim, evidence or a comparison is cited in prose",
        "SELECT decision, line, kind, text FROM citation "
        "WHERE :word IN (target, left_claim, right_claim) "
        "ORDER BY decision, line",
        asks="an id, such as hgx-b200/gpu-hbm-bandwidth",
        about_record=True,
    ),
}
"""Every question by its name."""


def datasette(database: str) -> dict[str, object]:
    """The configuration of Datasette that offers the same questions on the same file."""
    queries = {
        name: {
            "title": canned.sentence,
            "sql": canned.sql.replace(":word", canned.unread),
            "params": ["word"] * bool(canned.asks),
        }
        for name, canned in CANNED.items()
    }
    return {
        "title": "accelerator-kb",
        "description": "Built by `kb index build`. Never edited, rebuilt at will.",
        "databases": {database: {"queries": queries}},
    }
