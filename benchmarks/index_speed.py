"""How long the index takes to build, and each canned query to answer.

    python benchmarks/index_speed.py --decisions 1000 --specs 100
    python benchmarks/index_speed.py --postgresql postgresql+psycopg://user@host/database

The check that comes before a build isn't in the figures. Every query is asked as `kb query`
asks it, with its own connection, and the median of several times is shown.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter

from generate import knowledge_base, write
from timing import machine

from kb.home import project_at
from kb.index import Database, build, open_database, query
from kb.index.canned import CANNED
from kb.rules.gate import Checked, checked

TIMES = 9


def main() -> None:
    """Print one table for each database."""
    parser = argparse.ArgumentParser(description="Time the index.")
    parser.add_argument("--decisions", type=int, default=1_000)
    parser.add_argument("--specs", type=int, default=100)
    parser.add_argument(
        "--postgresql", metavar="URL", help="an empty database, no superuser's login"
    )
    args = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory(prefix="kb-index-") as name:
        base = Path(name) / "base"
        write(knowledge_base(args.decisions, args.specs), base)
        found = checked(project_at(base))
        measure("SQLite", open_database(None, Path(name) / "index.sqlite"), found)
        if args.postgresql:
            measure("PostgreSQL", open_database(args.postgresql, Path(name)), found)


def measure(kind: str, database: Database, found: Checked) -> None:
    """Build, build again, and ask everything."""
    counts: dict[str, int] = {}

    def fill() -> None:
        counts.update(build(found.corpus, found.report, database, "benchmark"))

    print(f"{kind}: build {_seconds(fill):.2f} s, again {_seconds(fill):.2f} s")
    print(f"  {sum(counts.values()):,} rows, and as many words as there are records")
    # The most cited claim, so that the answer isn't empty.
    most = query(
        database, "SELECT other FROM rests_on GROUP BY other ORDER BY COUNT(*) DESC, other LIMIT 1"
    ).rows[0][0]
    for name, canned in CANNED.items():
        word = (canned.default or str(most)) if canned.asks else ""
        rows = len(query(database, name, word).rows)
        took = [_seconds(partial(query, database, name, word)) for _ in range(TIMES)]
        print(f"  {name:20} {statistics.median(took) * 1e3:8.2f} ms  {rows:5,} rows")


def _seconds(call: Callable[[], object]) -> float:
    start = perf_counter()
    call()
    return perf_counter() - start


if __name__ == "__main__":
    main()
