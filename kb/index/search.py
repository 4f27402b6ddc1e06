"""Finding records by the words that people type, in the same way on both databases.

The words were cut by `kb.index.words` before they were stored, and what is asked is cut in
the same way, so that nothing is left of it that a database could read as a command.
"""

from __future__ import annotations

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from kb.index.bounds import Bounds, limited
from kb.index.database import Database, DatabaseError, failure
from kb.index.query import Answer
from kb.index.words import cut

SQLITE_TABLE = """
CREATE VIRTUAL TABLE search USING fts5(
    namespace UNINDEXED, kind UNINDEXED, id UNINDEXED, place UNINDEXED, shown UNINDEXED,
    head, body,
    tokenize = "ascii tokenchars '.'")
"""
"""Words come cut, so the tokenizer does nothing but part them at blanks."""
POSTGRES_WORDS = "array_to_tsvector(string_to_array(btrim(head || body), ' '))"
POSTGRES_TABLE = f"""
CREATE TABLE IF NOT EXISTS search (
    namespace text NOT NULL, kind text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL,
    place bigint NOT NULL, shown text NOT NULL, head text NOT NULL, body text NOT NULL,
    PRIMARY KEY (namespace, kind, id));
CREATE INDEX IF NOT EXISTS search_words ON search USING gin (({POSTGRES_WORDS}))
"""
SEARCH_COLUMNS = ("namespace", "kind", "id", "place", "shown", "head", "body")
INTO = "INSERT INTO search VALUES (:namespace, :kind, :id, :place, :shown, :head, :body)"

SHOWN = 160
"""How much of a record is shown."""
ASKED = 16
"""Words of a question that are looked up."""


def search(database: Database, words: str, limit: int = 20, seconds: float = 10.0) -> Answer:
    """Records that hold all the words, or begin a word with them, the closest first.

    Closest is what is called so: the words in their order, then as whole words of its name or
    value, then by its `place`: products before claims before all else.
    Raises `DatabaseError` where there are no words, or no index.
    """
    asked = [*dict.fromkeys(cut(words))][:ASKED]
    if not asked:
        raise DatabaseError(f"there is no word or number in {words!r}", "kb index search 1638")
    ordered = f"% {' '.join(cut(words))} %"
    given: dict[str, object] = {"most": limit, "size": SHOWN, "ordered": ordered}
    given |= {f"w{number}": f"% {word} %" for number, word in enumerate(asked)}
    if database.path is not None:
        given["match"] = " ".join(f'"{word}"*' for word in asked)
    else:
        given["match"] = " & ".join(f"'{word}':*" for word in asked)
    engine = database.reader()
    try:
        with engine.connect() as connection:
            limited(connection, database, Bounds(limit, seconds))
            found = connection.execute(text(_statement(database, len(asked))), given)
            rows = tuple(tuple(row)[:3] for row in found)
            connection.rollback()
    except SQLAlchemyError as error:
        raise failure("the search failed", error, database, "kb index build") from None
    return Answer(("kind", "id", "words"), rows, cut=False)


def _statement(database: Database, words: int) -> str:
    """The statement; every word of the question is bound, none is written into it."""
    whole = " + ".join(f"CASE WHEN head LIKE :w{n} THEN 1 ELSE 0 END" for n in range(words))
    match = "search MATCH :match"
    if database.path is None:
        match = f"{POSTGRES_WORDS} @@ CAST(:match AS tsquery)"
    # A shared database holds the installed catalogue once a namespace: one row is enough.
    return f"""
        SELECT kind, id, substr(shown, 1, :size) AS told,
            CASE WHEN head LIKE :ordered THEN 0 ELSE 1 END AS apart,
            {whole} AS called, min(place) AS nearest
        FROM search WHERE {match} GROUP BY kind, id, told, apart, called
        ORDER BY apart, called DESC, nearest, kind, id LIMIT :most
    """  # noqa: S608 - only the numbers of its parameters are written into it
