"""The knowledge base as a database: built from the corpus, never edited, rebuilt at will.

This is the only room that knows SQLModel. SQLite is the default; `KB_DATABASE_URL` puts the
same tables on PostgreSQL, where several repositories share them under namespaces.
"""

from kb.index.canned import CANNED, datasette
from kb.index.database import Database, DatabaseError, open_database
from kb.index.query import Answer, query
from kb.index.search import search
from kb.index.write import build

__all__ = [
    "CANNED",
    "Answer",
    "Database",
    "DatabaseError",
    "build",
    "datasette",
    "open_database",
    "query",
    "search",
]
