"""Pages, JSON, CSV, JSON-LD and database name the same records with the same hashes."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from kb.corpus import Corpus
from kb.home import Project
from kb.pages import links
from kb.pages.api import tables
from kb.publish import DATABASE, Files, database, site
from kb.rules.gate import Checked
from kb.rules.result import Report

ROOT = Path(__file__).resolve().parents[2]
PAIRS = {"products": "product", "claims": "claim", "sources": "source", "decisions": "decision"}
"""Tables of the API, and those of the database that hold the same records."""


@pytest.fixture(scope="module")
def rows(published: Files, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """Every table of the database, opened as any reader of SQLite opens it."""
    path = tmp_path_factory.mktemp("database") / "catalogue.sqlite"
    content = published[DATABASE]
    assert isinstance(content, bytes)
    path.write_bytes(content)
    connection = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    connection.row_factory = sqlite3.Row
    assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    names = [*PAIRS.values(), "evidence", "file", "statement", "comparison"]
    found = {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in names}  # noqa: S608
    connection.close()
    return found


def text(published: Files, path: str) -> str:
    content = published[path]
    return content if isinstance(content, str) else content.decode()


def table(published: Files, name: str) -> list[dict[str, str]]:
    found: list[dict[str, str]] = json.loads(text(published, f"api/{name}.json"))["rows"]
    return found


def test_json_csv_and_database_hold_the_same_ids(
    published: Files, rows: dict[str, list[Any]]
) -> None:
    for name, own in PAIRS.items():
        in_json = [row["id"] for row in table(published, name)]
        lines = io.StringIO(text(published, f"api/{name}.csv"))
        in_csv = [row["id"] for row in csv.DictReader(lines)]
        assert in_json == in_csv == sorted(row["id"] for row in rows[own]), name
        assert in_json


def test_hashes_are_those_of_the_files_everywhere(
    published: Files, rows: dict[str, list[Any]]
) -> None:
    in_database = {row["path"]: row["sha256"] for row in rows["file"]}
    for name in (*PAIRS, "evidence", "compiled"):
        for row in table(published, name):
            real = hashlib.sha256((ROOT / row["path"]).read_bytes()).hexdigest()
            assert row["sha256"] == real, row["id"]
            assert in_database[row["path"]] == real, row["id"]
    held = {row["id"]: row["content_hash"] for row in rows["evidence"]}
    for row in table(published, "evidence"):
        assert row["content_hash"] == held[row["id"]]


def test_printed_values_are_the_same_everywhere(
    published: Files, rows: dict[str, list[Any]]
) -> None:
    in_database = {row["id"]: row["published"] for row in rows["claim"]}
    told = re.compile(r'<script type="application/ld\+json">(.*?)</script>')
    in_pages: dict[str, str] = {}
    for row in table(published, "products"):
        data = json.loads(told.findall(text(published, links.product_path(row["id"])))[0])
        assert data["productID"] == row["id"]
        in_pages |= {item["propertyID"]: item["value"] for item in data["additionalProperty"]}
    for row in table(published, "claims"):
        assert row["published"] == in_database[row["id"]] == in_pages[row["id"]]


def test_verdicts_of_the_database_are_those_of_the_pages(
    published: Files, rows: dict[str, list[Any]]
) -> None:
    judged = {row["id"]: row["verdict"] for row in table(published, "comparisons")}
    shared = 0
    for row in rows["comparison"]:
        key = f"{row['left_claim']}..{row['right_claim']}"
        if key in judged:
            shared += 1
            assert judged[key] == row["verdict"]
    assert shared


def test_the_list_names_every_file_with_its_size_and_hash(published: Files) -> None:
    listed = json.loads(text(published, "api/index.json"))["files"]
    for entry in listed:
        content = published[f"api/{entry['path']}"]
        data = content.encode() if isinstance(content, str) else content
        assert len(data) == entry["bytes"]
        assert hashlib.sha256(data).hexdigest() == entry["sha256"]
        assert f"api/{entry.get('records', 'index.json')}" in published
    paths = {f"api/{entry['path']}" for entry in listed}
    unlisted = {p for p in published if p.startswith("api/")} - paths - {"api/index.json"}
    assert all(path.startswith("api/verdicts/") for path in unlisted)
    assert DATABASE in paths


def test_every_file_fits_its_schema(published: Files) -> None:
    schemas = {
        "api/index.json": "api-index",
        "api/chooser.json": "api-chooser",
        **{f"api/{name}.json": "api-table" for name in tables(Corpus(), (), ())},
        # Every twentieth file of verdicts: all have one maker.
        **dict.fromkeys(
            sorted(p for p in published if p.startswith("api/verdicts/"))[::20], "api-verdicts"
        ),
    }
    judges = {
        name: jsonschema.Draft202012Validator(
            json.loads(text(published, f"api/schemas/{name}.schema.json"))
        )
        for name in set(schemas.values())
    }
    for path, name in schemas.items():
        judges[name].validate(json.loads(text(published, path)))


def test_every_page_of_a_row_exists(published: Files) -> None:
    for name in tables(Corpus(), (), ()):
        for row in table(published, name):
            path, _, anchor = row["page"].partition("#")
            there = f"{path.rstrip('/')}.md"
            there = there if there in published else f"{path}index.md"
            assert there in published, row["page"]
            if anchor:
                assert f"#{anchor} " in text(published, there), row["page"]


def test_the_database_is_the_same_twice_and_names_no_folder(
    published: Files, found: Checked
) -> None:
    again = database(found.corpus, found.report)
    assert again == published[DATABASE]
    assert str(ROOT).encode() not in again


def test_a_project_that_fails_its_check_has_no_files(tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "x.yml").write_text("product: [\n", "utf-8")
    found = site(Project(tmp_path))
    assert found.report.exit_code
    assert not found.files


@pytest.mark.slow
def test_unchanged_content_is_not_judged_again_and_changed_content_is(tmp_path: Path) -> None:
    spec = tmp_path / "specs" / "acme" / "acme-x1.yml"
    spec.parent.mkdir(parents=True)
    spec.write_text("product: acme-x1\nname: One\nvendor: Acme\nlayer: accelerator\n"
                    "accelerator: gpu\nsummary: A first.\n", "utf-8")  # fmt: skip
    project = Project(tmp_path)
    first = site(project)
    assert first.report.exit_code == 0, first.report
    assert site(project) is first
    spec.write_text(spec.read_text("utf-8").replace("A first.", "A second one."), "utf-8")
    assert "A second one." in text(site(project).files, "products/acme-x1.md")


def test_an_empty_report_gives_a_database_too() -> None:
    content = database(Corpus(), Report(()))
    assert content.startswith(b"SQLite format 3")
