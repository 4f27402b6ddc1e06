"""Running rules: a crash stays alone, findings are sorted, and what is unseen is counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kb.corpus import Corpus, Entry
from kb.finding import Severity
from kb.home import Project
from kb.load import load_files
from kb.model.decision import Decision
from kb.rules import Problem
from kb.rules.catalogue import RuleText
from kb.rules.collect import Collected, Refusal, Rule, collect
from kb.rules.declare import Declared
from kb.rules.example import TODAY, base_files, judge_files
from kb.rules.result import Report
from kb.rules.run import check_project, judge
from kb.rules.unit import MOST_OF_A_RULE
from kb.source import Part, Place, Position, Span

DECISION = "decisions/0001-acme-or-bolt.md"


def made(slug: str, check: Callable[..., object], severity: Severity = Severity.ERROR) -> Rule:
    declared = Declared("decision", severity, check)  # type: ignore[arg-type]
    return Rule(slug, declared, RuleText("m.", "w", "r", "a"), Path(f"validators/{slug}.py"))


def sound(entry: Entry[Decision], _: Corpus) -> Iterator[Problem]:
    yield Problem(entry.place.at("title"), "seen", "do")


def crashing(entry: Entry[Decision], _: Corpus) -> Iterator[Problem]:
    yield Problem(entry.place.at("status"), "seen before the crash", "do")
    raise KeyError("nothing there")


def leaving(_entry: Entry[Decision], _: Corpus) -> Iterator[Problem]:
    raise SystemExit(0)


def run(*rules: Rule) -> Report:
    return judge(load_files(dict(base_files())), Collected(rules), TODAY)


@pytest.mark.parametrize(
    ("check", "reason"),
    [
        (crashing, "KeyError at 0001"),
        (leaving, "SystemExit at 0001"),
        (lambda _entry, _corpus: ["text"], "must yield Problem, not str"),
        (lambda _entry, _corpus: None, "TypeError at 0001"),
        (lambda _entry: [], "TypeError at 0001"),
        (lambda _e, _c: [Problem(Place("specs/none.yml"), "m", "r")], "is no document"),
    ],
    ids=["raises", "exits", "yields a text", "yields nothing", "wrong arguments", "wrong place"],
)
def test_a_rule_that_crashes_is_named_and_the_others_run(
    check: Callable[..., object], reason: str
) -> None:
    report = run(made("bad", check), made("good", sound))
    (crash,) = report.crashes
    assert crash.rule == "bad"
    assert reason in crash.reason
    assert "good" in {item.finding.rule for item in report.findings}
    assert (report.exit_code, report.rules) == (2, 1)


def test_what_was_found_before_a_crash_is_kept() -> None:
    report = run(made("bad", crashing))
    assert [item.finding.message for item in report.findings] == ["seen before the crash"]


def test_a_file_that_is_no_rule_makes_the_run_incomplete() -> None:
    refused = Collected((made("good", sound),), (Refusal("validators/x.py", "odd", "correct it"),))
    report = judge(load_files(dict(base_files())), refused, TODAY)
    assert report.exit_code == 2
    assert report.crashes[0].rule == "validators/x.py"


def test_no_rule_at_all_is_no_clean_run() -> None:
    assert run().exit_code == 2


def test_findings_are_sorted_by_path_line_column_and_slug() -> None:
    def several(entry: Entry[Decision], _: Corpus) -> Iterator[Problem]:
        for route in (("status",), ("id",), ("options", 1, "id"), ("options", 0, "id")):
            yield Problem(entry.place.at(*route), "m", "r")
        yield Problem(Place("specs/sources.yml"), "m", "r")

    report = run(made("b", several), made("a", several))
    order = [
        (i.mark.path, i.mark.span.start.line, i.mark.span.start.column, i.finding.rule)
        for i in report.findings
    ]
    assert order == sorted(order)
    assert [rule for *_, rule in order[:2]] == ["a", "b"]


def test_only_errors_decide_the_exit_code() -> None:
    assert run(made("a", sound, Severity.WARNING)).exit_code == 0
    assert run(made("a", sound, Severity.NOTE)).exit_code == 0
    assert run(made("a", sound)).exit_code == 1


def test_offsets_point_into_the_printed_text() -> None:
    spec = """\
product: example
name: Example
vendor: Example
layer: accelerator
summary: An example.
claims:
  - id: a
    metric: power
    scope: gpu
    basis: vendor_peak
    power_state: maximum
    statements:
      - {published: 700 Wats, source: bolt-datasheet, locator: a}
      - {published: "700\\u0020Wats", source: bolt-datasheet, locator: a, status: disputed}
"""
    report = judge_files({"specs/example/example.yml": spec}, collect())
    marked = [
        item.mark.line[item.mark.span.start.column - 1 : item.mark.span.end.column - 1]
        for item in report.findings
    ]
    # With an escape in the text, offsets of the value are no columns: the whole value then.
    assert marked == ["Wats", '"700\\u0020Wats"']


def test_what_a_run_could_not_judge_is_counted() -> None:
    spec = """\
product: example
name: Example
vendor: Example
layer: accelerator
accelerator: gpu
summary: An example.
claims:
  - id: link
    metric: link_bandwidth
    interface: nvlink
    scope: gpu
    direction: unstated
    basis: vendor_peak
    statements:
      - {published: "900 GB/s", source: bolt-datasheet, locator: a}
"""
    decision = """\
---
id: "0002"
title: An example
status: draft
date: 2026-11-30
comparisons:
  - {left: example/link, right: acme-x1/chip-link-bandwidth}
  - {left: example/none, right: acme-x1/chip-link-bandwidth}
---
"""
    files = {
        "specs/example/example.yml": spec,
        "decisions/0002-example.md": decision,
        "specs/example/broken.yml": "product: [",
    }
    blind = judge_files(files, collect()).blind
    assert (blind.claims_open, blind.records_unparsed) == (1, 1)
    assert (blind.comparisons_undetermined, blind.comparisons_unjudged) == (1, 1)


def test_rules_of_a_project_judge_it_beside_our_own(tmp_path: Path) -> None:
    (tmp_path / "decisions").mkdir()
    (tmp_path / "validators").mkdir()
    text = base_files()[DECISION].replace("evidence: [matmul-acme-x1-1]\n", "")
    (tmp_path / "decisions" / "0001-x.md").write_text(text, encoding="utf-8")
    own = Path(__file__).with_name("own_rule.txt").read_text("utf-8")
    (tmp_path / "validators" / "short_question.py").write_text(own, encoding="utf-8")
    report = check_project(Project(tmp_path), TODAY)
    assert not report.crashes
    found = {item.finding.rule for item in report.findings}
    # The invented products are not in the catalogue that came with the installation.
    assert found == {"short-question", "dangling-reference"}
    assert report.files == ("decisions/0001-x.md",)


def _line_by_line(entry: Entry[Decision], corpus: Corpus) -> Iterator[Problem]:
    """A problem on every line of the body that says `odd`."""
    path = entry.place.path
    for number, line in enumerate(corpus.documents[path].text.split("\n"), start=1):
        if line.startswith("odd"):
            span = Span(Position(number, 1), Position(number, 4))
            yield Problem(Place(path, (), Part.VALUE, span), "m", "r")


def _lines(*lines: str) -> Report:
    files = {DECISION: "\n".join([base_files()[DECISION], *lines, ""])}
    return judge(
        load_files({**base_files(), **files}), Collected((made("a", _line_by_line),)), TODAY
    )


WAIVED = "odd <!-- kb: ignore[a] known -->"


def test_waivers_where_a_rule_stopped_hide_nothing_and_are_not_called_unused() -> None:
    report = _lines(*[WAIVED] * (MOST_OF_A_RULE + 50), "odd", "fine <!-- kb: ignore[a] known -->")
    (stop,) = report.findings
    assert stop.finding.rule == "further-findings"
    assert "'a' stopped in this file after 1,000 findings" in stop.finding.message
    assert (len(report.waived), report.exit_code) == (MOST_OF_A_RULE, 1)


def test_a_rule_that_finds_just_as_much_as_it_may_did_not_stop() -> None:
    report = _lines(*[WAIVED] * MOST_OF_A_RULE, "fine <!-- kb: ignore[a] known -->")
    assert [item.finding.rule for item in report.findings] == ["unused-waiver"]
    assert report.exit_code == 0


def test_citations_behind_many_waived_ones_are_looked_at() -> None:
    waived = "[x](claim:nothing) <!-- kb: ignore[broken-citation] known -->"
    text = "\n".join([base_files()[DECISION], *[waived] * 150, "[x](claim:nothing)", ""])
    report = judge_files({DECISION: text}, collect())
    assert [item.finding.rule for item in report.findings] == ["broken-citation"]
    assert len(report.waived) == 150
