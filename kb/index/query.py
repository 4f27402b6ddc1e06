"""Asking the index: read-only by construction, with a limit on rows and time."""

from __future__ import annotations

import time
from dataclasses import dataclass

from sqlalchemy import Connection, text
from sqlalchemy.exc import SQLAlchemyError

from kb.index.database import Database, DatabaseError

CANNED: dict[str, tuple[str, str]] = {
    "open-axes": (
        "claims whose source leaves a needed axis open",
        (
            "SELECT id, direction, sparsity, scope FROM claim "
            "WHERE 'unstated' IN (direction, sparsity, scope) ORDER BY id"
        ),
    ),
    "undetermined": (
        "comparisons of decisions that are undetermined, and on which axes",
        (
            "SELECT decision, left_claim, right_claim, reasons FROM comparison "
            "WHERE verdict = 'undetermined' ORDER BY decision"
        ),
    ),
    "refused": (
        "comparisons of decisions that are refused, and on which axes",
        (
            "SELECT decision, left_claim, right_claim, reasons FROM comparison "
            "WHERE verdict = 'not_comparable' ORDER BY decision"
        ),
    ),
    "rests-on": (
        "every record and what it rests on directly",
        "SELECT record, other FROM rests_on ORDER BY record, other",
    ),
    "most-cited-sources": (
        "sources by the number of claims that rest on them",
        (
            "SELECT other AS source, count(*) AS claims FROM rests_on "
            "JOIN source ON source.id = rests_on.other GROUP BY other ORDER BY claims DESC, other"
        ),
    ),
    "third-party-only": (
        "claims whose current statement is a third-party copy",
        (
            "SELECT claim.id, statement.source FROM claim "
            "JOIN statement ON statement.claim = claim.id AND statement.status = 'current' "
            "JOIN source ON source.id = statement.source "
            "WHERE source.kind = 'third_party_copy' ORDER BY claim.id"
        ),
    ),
    "contradictions": (
        "claims whose statements print different values",
        (
            "SELECT claim, count(DISTINCT exact) AS prints FROM statement "
            "GROUP BY claim HAVING count(DISTINCT exact) > 1 ORDER BY prints DESC, claim"
        ),
    ),
    "hbm-bandwidth": (
        "device memory bandwidth of one accelerator, in TB/s",
        (
            "SELECT product, published, value / 1e12 AS tb_s FROM claim "
            "WHERE metric = 'memory_bandwidth' AND role = 'device_memory' "
            "AND scope IN ('chip', 'gpu') AND basis LIKE 'vendor%' ORDER BY value DESC"
        ),
    ),
    "hypotheses": (
        "decisions without evidence that can carry them, and what to measure next",
        "SELECT id, title, next_measurement FROM decision WHERE status = 'hypothesis' ORDER BY id",
    ),
    "evidence": (
        "evidence records by class",
        "SELECT evidence_class, id, workload, product FROM evidence ORDER BY evidence_class, id",
    ),
}
"""Questions that are asked often: a sentence and its SQL. They run on both databases."""


@dataclass(frozen=True)
class Answer:
    """The rows of a query."""

    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    cut: bool
    """Whether there were more rows than the limit."""


def query(database: Database, sql: str, *, limit: int = 1_000, seconds: float = 10.0) -> Answer:
    """Run one statement that reads; a canned name runs its statement.

    Raises `DatabaseError` for a statement that writes, fails, or takes too long.
    """
    statement = CANNED[sql][1] if sql in CANNED else sql
    engine = database.reader()
    try:
        with engine.connect() as connection:
            _bound(connection, database, seconds)
            # psycopg reads a bare % as a parameter; SQLite does not.
            sent = statement if database.path else statement.replace("%", "%%")
            result = connection.exec_driver_sql(sent)
            if not result.returns_rows:
                raise DatabaseError("the statement returns no rows", "write a SELECT")
            found = result.fetchmany(limit + 1)
            columns = tuple(result.keys())
            connection.rollback()
    except SQLAlchemyError as error:
        reason = str(getattr(error, "orig", None) or error).split("\n")[0]
        raise DatabaseError(f"the query failed: {reason}", "see `kb query --tables`") from None
    return Answer(columns, tuple(tuple(row) for row in found[:limit]), len(found) > limit)


def _bound(connection: Connection, database: Database, seconds: float) -> None:
    """Let the statement read only, and end it after `seconds`."""
    if database.path is None:
        connection.exec_driver_sql("SET TRANSACTION READ ONLY")
        connection.exec_driver_sql(f"SET LOCAL statement_timeout = {int(seconds * 1000)}")
        return
    raw = connection.connection.dbapi_connection
    end = time.monotonic() + seconds
    if raw is not None:
        raw.set_progress_handler(lambda: time.monotonic() > end, 10_000)


def search(database: Database, words: str, limit: int = 20) -> Answer:
    """Records that hold all the words, best first; a word may be a value such as `1638`.

    Raises `DatabaseError` where there is no index.
    """
    asked = [word for word in words.split() if word]
    if not asked:
        raise DatabaseError("there are no words to search for", "kb index search 1638")
    engine = database.reader()
    try:
        with engine.connect() as connection:
            if database.path is not None:
                match = " ".join('"' + word.replace('"', '""') + '"*' for word in asked)
                sql = "SELECT kind, id, words FROM search WHERE search MATCH :m ORDER BY rank"
                found = connection.execute(text(f"{sql} LIMIT :n"), {"m": match, "n": limit})
            else:
                found = connection.execute(text(_POSTGRES_SEARCH), {
                    "w": [f"%{word}%" for word in asked], "n": limit})  # fmt: skip
            return Answer(("kind", "id", "words"), tuple(tuple(row) for row in found), cut=False)
    except SQLAlchemyError as error:
        reason = str(getattr(error, "orig", None) or error).split("\n")[0]
        raise DatabaseError(f"the search failed: {reason}", "kb index build") from None


_POSTGRES_SEARCH = """
SELECT kind, id, words FROM (
    SELECT 'product' AS kind, id, name || ' ' || summary AS words FROM product
    UNION ALL SELECT 'claim', id, published || ' ' || metric FROM claim
    UNION ALL SELECT 'source', id, title || ' ' || publisher FROM source
    UNION ALL SELECT 'decision', id, title FROM decision
) AS found
WHERE (id || ' ' || words) ILIKE ALL (:w) ORDER BY kind, id LIMIT :n
"""
