"""Every foreign record of the shared cases is read rightly, and judged at the right lines."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from kb.finding import Finding, Severity
from kb.records.dialects import Foreign, judge_log, read_logs

CASES = Path(__file__).resolve().parents[3] / "shared/cases/decisions"

pytestmark = pytest.mark.skipif(not CASES.is_dir(), reason="the shared cases are not here")

FILES: list[dict[str, Any]] = (
    yaml.safe_load((CASES / "expect.yml").read_text("utf-8"))["files"] if CASES.is_dir() else []
)
each_file = pytest.mark.parametrize("expected", FILES, ids=[item["file"] for item in FILES])


@pytest.fixture(scope="module")
def records() -> dict[str, Foreign]:
    return {f"{log.folder}/{r.path}": r for log in read_logs(CASES) for r in log.records}


@pytest.fixture(scope="module")
def findings() -> list[Finding]:
    return [finding for log in read_logs(CASES) for finding in judge_log(log)]


def test_every_file_is_a_record(records: dict[str, Foreign]) -> None:
    assert set(records) == {item["file"] for item in FILES}


@each_file
def test_it_is_read_as_it_must_be(expected: dict[str, Any], records: dict[str, Foreign]) -> None:
    record = records[expected["file"]]
    assert record.dialect == expected["dialect"]
    assert record.title == expected["title"]
    assert record.number == expected["number"]
    if "slug" in expected:
        assert record.slug == expected["slug"]
    status = expected["status"]
    assert record.status.as_written == status["as_written"]
    assert record.status.line == status["line"]
    assert record.status.normal == status["normal"]
    if "guess" in status:
        assert record.status.guess == status["guess"]
    _same_day(expected["date"], record.date)
    if "updated" in expected:
        assert record.updated is not None
        _same_day(expected["updated"], record.updated)


def _same_day(expected: dict[str, Any], read: Any) -> None:  # noqa: ANN401 - from YAML
    assert read.as_written == expected["as_written"]
    assert read.line == expected["line"]
    assert read.iso == _day(expected["iso"])
    if "guess" in expected:
        assert read.guess == _day(expected["guess"])
    assert read.from_name == (expected.get("from") == "file name")


def _day(text: str | None) -> datetime.date | None:
    return None if text is None else datetime.date.fromisoformat(text)


@each_file
def test_its_links_lead_where_they_must(
    expected: dict[str, Any], records: dict[str, Foreign]
) -> None:
    found = [(k.type, k.target, k.origin, k.line, k.found) for k in records[expected["file"]].links]
    wanted = [(k["type"], k["target"], k["from"], k["line"], k["found"]) for k in expected["links"]]
    assert sorted(found) == sorted(wanted)


@each_file
def test_its_defects_are_found_at_their_lines(
    expected: dict[str, Any], findings: list[Finding]
) -> None:
    for defect in expected["defects"]:
        places = _places(expected["file"], defect)
        hits = [f for f in findings if any(_fits(f, *place) for place in places)]
        assert hits, f"nothing says {defect['kind']} at line {defect['line']}"
        assert all(hit.remedy for hit in hits)
        if "related" in defect:
            named = {label.place.path for hit in hits for label in hit.related}
            assert defect["related"] in named | {hit.place.path for hit in hits}


@each_file
def test_nothing_else_is_reported(expected: dict[str, Any], findings: list[Finding]) -> None:
    own = [f for f in findings if f.place.path == expected["file"]]
    allowed = [
        place for item in FILES for d in item["defects"] for place in _places(item["file"], d)
    ]
    other = [
        f
        for f in own
        if f.severity is not Severity.NOTE and not any(_fits(f, *place) for place in allowed)
    ]
    assert other == []


Spot = tuple[str, str, int | None]


def _places(file: str, defect: dict[str, Any]) -> list[Spot]:
    """Where a finding counts as this defect: its own place, and those that are as good."""
    own: Spot = (file, defect["kind"], defect["line"])
    others = [
        (
            other.get("file", file),
            other.get("kind", defect["kind"]),
            other.get("line", None if "file" in other else defect["line"]),
        )
        for other in defect.get("also_ok", ())
    ]
    return [own, *others]


def _fits(finding: Finding, file: str, kind: str, line: int | None) -> bool:
    at = finding.place.span
    assert at is not None
    return (
        finding.place.path == file
        and finding.rule == kind
        and (line is None or at.start.line == line)
    )
