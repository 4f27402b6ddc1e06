"""Characters that a database can't hold: both store the same in their place."""

from __future__ import annotations

import dataclasses
import datetime
import json
from pathlib import Path

import pytest

from kb.home import Project
from kb.index import Database, DatabaseError, build, open_database, query, search
from kb.load import load
from kb.rules.collect import Collected
from kb.rules.example import base_files
from kb.rules.gate import Checked
from kb.rules.run import judge


@pytest.fixture
def base(request: pytest.FixtureRequest) -> Database:
    """An empty database of the kind that a test names."""
    database: Database = request.getfixturevalue(request.param)
    return database


BOTH = pytest.mark.parametrize("base", ["sqlite", "postgres"], indirect=True)


@BOTH
@pytest.mark.parametrize("odd", ["\0", "\ud800"])
def test_one_character_does_not_block_a_build(base: Database, small: Checked, odd: str) -> None:
    (key, entry), *_ = small.corpus.sources.items()
    source = entry.value.model_copy(update={"title": f"Bolt{odd}guide", "publisher": odd})
    changed = {key: dataclasses.replace(entry, value=source)}
    twin = {f"a{odd}": entry, "a\ufffd": entry}
    corpus = dataclasses.replace(small.corpus, sources={**small.corpus.sources, **changed, **twin})
    build(corpus, small.report, base, "here")
    told = query(base, "SELECT title, publisher FROM source ORDER BY title")
    assert ("Bolt\ufffdguide", "\ufffd") in told.rows
    assert ("source", key) in {row[:2] for row in search(base, "bolt guide").rows}
    assert query(base, "SELECT count(*) FROM source WHERE id = 'a\ufffd'").rows == ((1,),)


@BOTH
def test_a_null_character_in_the_text_of_evidence_is_replaced(
    base: Database, tmp_path: Path
) -> None:
    for name, text in base_files().items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    record = next(
        one for one in tmp_path.glob("evidence/**/*.json") if "command" in one.read_text()
    )
    data = json.loads(record.read_text("utf-8"))
    data["command"] = "one\0two"
    record.write_text(json.dumps(data), encoding="utf-8")
    loaded = load(Project(tmp_path))
    build(loaded.corpus, judge(loaded, Collected(()), datetime.date(2026, 1, 1)), base, "here")
    assert ("one\ufffdtwo",) in query(base, "SELECT command FROM evidence").rows


@BOTH
@pytest.mark.parametrize("namespace", ["\udcff", "a\0b", "n" * 201])
def test_a_namespace_that_is_none_is_refused(
    base: Database, small: Checked, namespace: str
) -> None:
    with pytest.raises(DatabaseError, match="the namespace") as caught:
        build(small.corpus, small.report, base, namespace)
    assert caught.value.remedy.startswith("--namespace NAME")
    build(small.corpus, small.report, base, "n" * 200)


def test_an_address_that_is_no_text_is_refused() -> None:
    with pytest.raises(DatabaseError, match="no database address"):
        open_database("postgresql://kb@/\udcff", Path("unused"))
