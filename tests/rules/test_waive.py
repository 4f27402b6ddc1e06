"""Waivers silence one rule at one place for a stated reason, and tell on themselves."""

from __future__ import annotations

import datetime

import pytest

from kb.load import load_files
from kb.rules.collect import collect
from kb.rules.example import TODAY, base_files
from kb.rules.result import Report
from kb.rules.run import judge
from kb.rules.waive import waivers
from kb.source import Document

COLLECTED = collect()
SPEC = "specs/example/example.yml"
HEAD = """\
product: example
name: Example
vendor: Example
layer: accelerator
accelerator: gpu
summary: An example.
sparse_mode: {mode: structured_2_4, source: bolt-datasheet}
claims:
  - id: gpu-hbm-capacity
    metric: memory_capacity
    interface: hbm
    scope: gpu
    basis: advertised
    statements:
"""
BAD = '      - {published: "180 gb", source: bolt-datasheet, locator: memory}'


def judged(text: str, path: str = SPEC, today: datetime.date = TODAY) -> Report:
    return judge(load_files({**base_files(), path: text}), COLLECTED, today)


def slugs(report: Report) -> list[tuple[str, int]]:
    return [(item.finding.rule, item.mark.span.start.line) for item in report.findings]


@pytest.mark.parametrize(
    "lines",
    [
        f"{BAD}  # kb: ignore[ambiguous-unit] printed like this in the manual\n",
        f"      # kb: ignore[ambiguous-unit] printed like this in the manual\n{BAD}\n",
        f"      # kb: ignore[ambiguous-unit] the manual\n      # and a remark\n\n{BAD}\n",
        f"{BAD}  # kb: ignore[ambiguous-unit] until 2026-11-30 a new edition is announced\n",
        f"{BAD}  #kb:ignore[ambiguous-unit]: the manual\n",
    ],
    ids=["same line", "line above", "over a remark", "last day", "tight"],
)
def test_a_waiver_with_a_reason_silences(lines: str) -> None:
    report = judged(HEAD + lines)
    assert slugs(report) == []
    (waived,) = report.waived
    assert waived.located.finding.rule == "ambiguous-unit"
    assert "manual" in waived.reason or "edition" in waived.reason
    assert report.exit_code == 0


@pytest.mark.parametrize(
    ("comment", "slug"),
    [
        ("kb: ignore[ambiguous-unit]", "waiver-without-reason"),
        ("kb: ignore[ambiguous-unit] until 2027-01-01", "waiver-without-reason"),
        ("kb: ignore[ambiguous-unit] until 2026-11-29 soon", "expired-waiver"),
        ("kb: ignore[ambiguous-unit] until tomorrow or so", "malformed-waiver"),
        ("kb: ignore ambiguous-unit as printed", "malformed-waiver"),
        ("kb: ignore[Ambiguous Unit] as printed", "malformed-waiver"),
    ],
)
def test_a_faulty_waiver_silences_nothing_and_is_a_finding(comment: str, slug: str) -> None:
    report = judged(f"{HEAD}{BAD}  # {comment}\n")
    assert slugs(report) == [("ambiguous-unit", 15), (slug, 15)]
    assert report.findings[1].mark.line[report.findings[1].mark.span.start.column - 1] == "#"
    assert report.waived == ()


def test_a_waiver_of_another_rule_is_unused() -> None:
    report = judged(f"{HEAD}{BAD}  # kb: ignore[unknown-unit] as printed\n")
    assert slugs(report) == [("ambiguous-unit", 15), ("unused-waiver", 15)]


def test_two_waivers_for_one_line_are_one_too_many() -> None:
    comment = "# kb: ignore[ambiguous-unit] as printed"
    report = judged(f"{HEAD}      {comment}\n{BAD}  {comment}\n")
    assert slugs(report) == [("unused-waiver", 16)]
    assert report.findings[0].finding.message == "another waiver already silences it"


def test_a_waiver_of_no_rule_names_the_nearest() -> None:
    report = judged(f"{HEAD}{BAD}  # kb: ignore[ambiguous-units] as printed\n")
    assert report.findings[1].finding.remedy == "did you mean 'ambiguous-unit'?"


def test_a_waiver_on_a_sound_line_is_unused_and_a_warning() -> None:
    report = judged(HEAD.replace("claims:", "claims:  # kb: ignore[file-name] why not") + BAD)
    assert ("unused-waiver", 8) in slugs(report)
    assert report.count(report.findings[0].finding.severity) == 1


def test_text_that_looks_like_a_waiver_is_text() -> None:
    quoted = '    note: "x # kb: ignore[ambiguous-unit] in a text"\n'
    block = "    note: |\n      x\n      # kb: ignore[ambiguous-unit] in a block\n"
    for note in (quoted, block):
        text = HEAD.replace("    statements:\n", f"{note}    statements:\n") + BAD + "\n"
        assert [slug for slug, _ in slugs(judged(text))] == ["ambiguous-unit"]


DECISION = """\
---
id: "0002"
title: An example
status: draft
date: 2026-11-30
comparisons:
  # kb: ignore[memory-versus-link] shown to explain why it is wrong
  - left: bolt-b8/gpu-link-bandwidth
    right: acme-x1/chip-hbm-bandwidth
---

# An example

<!-- kb: ignore[unknown-unit] nothing here -->
Text.

```markdown
<!-- kb: ignore[unknown-unit] an example of a waiver -->
```
"""


def test_a_waiver_stands_over_the_line_it_means() -> None:
    report = judged(DECISION, "decisions/0002-example.md")
    # The finding is on the line of the right side, so a waiver above the left one misses it.
    assert slugs(report) == [
        ("unused-waiver", 7),
        ("memory-versus-link", 9),
        ("unused-waiver", 14),
    ]
    moved = DECISION.replace("  # kb: ignore[memory-versus-link] shown to explain", "  # it does")
    moved = moved.replace(
        "chip-hbm-bandwidth\n", "chip-hbm-bandwidth  # kb: ignore[memory-versus-link] shown\n"
    )
    assert slugs(judged(moved, "decisions/0002-example.md")) == [("unused-waiver", 14)]


def test_markdown_comments_count_in_the_body_only() -> None:
    document = Document("decisions/0001-x.md", DECISION, body_line=11)
    assert [(waiver.slug, waiver.line) for waiver in waivers(document)] == [
        ("memory-versus-link", 8),
        ("unknown-unit", 15),
    ]


def test_findings_of_the_reader_can_be_waived_too() -> None:
    text = HEAD + BAD.replace("gb", "GB") + "\ncolour: red  # kb: ignore[unknown-field] a remark\n"
    report = judged(text)
    assert slugs(report) == []
    assert report.blind.records_unparsed == 1
