"""Bad records: one finding each, at its place, with what to type; never a traceback."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from kb.home import Project
from kb.load import load
from kb.rules.collect import collect
from kb.rules.example import TODAY, base_files, judge_files
from kb.rules.run import judge

COLLECTED = collect()
PATH = "decisions/0002-example.md"
HEAD = '---\nid: "0002"\ntitle: T\nstatus: draft\ndate: 2026-11-30\n'
RULE = """\
options:
  - {id: acme, title: Acme X1, accelerator: acme-x1}
rule:
  choose: acme
  when: a + b > 1
  otherwise: acme
  inputs: {a: acme-x1/chip-hbm-bandwidth, b: acme-x1/chip-hbm-capacity}
"""
COST = """\
cost:
  operation:
    - {option: a, price: 2 euros, currency: EUR, region: a, term: b, date: 2026-11-30, source: c}
"""


@dataclass(frozen=True)
class Bad:
    """A bad record, and the finding that it must give."""

    name: str
    text: str
    rule: str
    line: int
    remedy: str


CASES = [
    Bad("a status with a typo", HEAD.replace("draft", "acepted") + "---\n", "unknown-word", 4,
        "did you mean 'accepted'?"),
    Bad("a front matter that ends early", '---\nid: "0002"\ntitle: T\n---\nstatus: draft\n',
        "missing-field", 2, "add 'status: …'"),
    Bad("a front matter that never ends", HEAD + "\n# Text\n", "front-matter", 1,
        "close it with a line '---'"),
    Bad("a tab", HEAD + "options:\n\t- {id: a, title: A}\n---\n", "invalid-yaml", 7, "syntax"),
    Bad("a day that YAML turns round", HEAD.replace("2026-11-30", "2026-1-3") + "---\n",
        "malformed-value", 5, "correct the value"),
    Bad("a day that does not exist", HEAD.replace("2026-11-30", "2026-02-31") + "---\n",
        "wrong-type", 5, "write a date that exists"),
    Bad("an hour that YAML makes a number", HEAD.replace("title: T", "title: 12:30") + "---\n",
        "ambiguous-scalar", 3, "put it in quotes"),
    Bad("an id without quotes", HEAD.replace('"0002"', "0002") + "---\n", "ambiguous-scalar", 2,
        "put it in quotes"),
    Bad("two records with one id", HEAD.replace("0002", "0001") + "---\n", "duplicate-id", 2,
        "rename or remove one of the two"),
    Bad("an expression that mixes units", HEAD + RULE + "---\n", "inapplicable-rule", 10,
        "add only what is of one kind"),
    Bad("a pin to a deleted claim", HEAD + "pins: [{id: acme-x1/chip-hbm-size, hash: a}]\n---\n",
        "dangling-reference", 6, "did you mean acme-x1/chip-hbm-"),
    Bad("shares that don't add up", HEAD + "portability:\n  state: counted\n  shares: {generated: 9"
        ", library: 9, hand_written: 9, evidence: a}\n---\n", "malformed-value", 8, "correct"),
    Bad("counted without the numbers", HEAD + "portability: counted\n---\n", "malformed-value", 6,
        "correct the value"),
    Bad("days that run backwards", HEAD + "cost: {engineering: {low: 9, high: 2, by: A}}\n---\n",
        "malformed-value", 6, "correct the value"),
    Bad("a price in no unit", HEAD + COST + "---\n", "malformed-value", 8, "correct the value"),
    Bad("a log that forgets its word", HEAD + "log: [{date: 2026-11-30, event: acepted}]\n---\n",
        "unknown-word", 6, "did you mean 'accepted'?"),
]  # fmt: skip


@pytest.mark.parametrize("bad", CASES, ids=lambda bad: bad.name)
def test_one_finding_at_its_place_with_a_remedy(bad: Bad) -> None:
    report = judge_files({PATH: bad.text}, COLLECTED)
    assert not report.crashes
    found = [(i.finding.rule, i.mark.path, i.mark.span.start.line) for i in report.findings]
    assert (bad.rule, PATH, bad.line) in found
    item = next(i for i in report.findings if i.finding.rule == bad.rule)
    assert bad.remedy in item.finding.remedy


def test_circles_are_found_once_and_walk_never_ends_in_one() -> None:
    texts = {
        f"decisions/000{n}-x.md": HEAD.replace("0002", f"000{n}").replace("draft", "superseded")
        + f'supersedes: ["000{before}"]\nsuperseded_by: ["000{after}"]\n---\n'
        for n, before, after in ((2, 4, 3), (3, 2, 4), (4, 3, 2))
    }
    report = judge_files(texts, COLLECTED)
    rules = [i.finding.rule for i in report.findings]
    assert rules == ["circular-supersession"]
    assert report.findings[0].finding.message == (
        "0002 supersedes 0004 supersedes 0003 supersedes 0002"
    )


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("ends", [b"\n", b"\r\n"])
def test_marks_and_line_ends_move_no_line(tmp_path: Path, mark: bytes, ends: bytes) -> None:
    text = (HEAD.replace("draft", "acepted") + "---\n").encode()
    for name, content in base_files().items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, "utf-8")
    (tmp_path / PATH).write_bytes(mark + text.replace(b"\n", ends))
    report = judge(load(Project(tmp_path)), COLLECTED, TODAY)
    found = [(i.finding.rule, i.mark.span.start.line) for i in report.findings]
    assert found == [("unknown-word", 4)]
