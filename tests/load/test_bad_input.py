"""Bad input: one finding, at its place, with a remedy; never a traceback, and the rest is read."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from kb.home import Project
from kb.load import load
from kb.model.product import Part, Product
from kb.qualifiers import Layer, Scope
from kb.report.text import render
from kb.rules.collect import collect
from kb.rules.example import EVIDENCE, TODAY, base_files
from kb.rules.loading import READING
from kb.rules.result import Report
from kb.rules.run import judge

COLLECTED = collect()
HEAD = "product: example\nname: Example\nvendor: Example\nlayer: accelerator\nsummary: S.\n"
CLAIM = """\
claims:
  - id: a
    metric: memory_capacity
    interface: hbm
    scope: gpu
    basis: advertised
    statements:
      - {published: "180 GB", source: bolt-datasheet, locator: a}
"""
DECISION = '---\nid: "0002"\ntitle: T\nstatus: draft\ndate: 2026-11-30\n%s---\nText.\n'
BOMB = "aliases:\n- &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"- &{name} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdef", "bcdefg", strict=True)
)


@dataclass(frozen=True)
class Bad:
    """One bad file and the one finding that it must give."""

    name: str
    content: str | bytes
    rule: str
    line: int
    column: int
    path: str = "specs/example/example.yml"


COMPOSED = "composition: {%s}\n"
CASES = [
    Bad("broken syntax", HEAD + "claims: [\n", "invalid-yaml", 7, 1),
    Bad("a text with a colon", HEAD.replace("S.", "a: b"), "invalid-yaml", 5, 11),
    Bad("a tab as indentation", HEAD + "claims:\n\t- id: a\n", "invalid-yaml", 7, 1),
    Bad("two documents", HEAD + "---\n" + HEAD, "invalid-yaml", 6, 1),
    Bad("a duplicate key", HEAD + "name: Other\n", "duplicate-key", 6, 1),
    Bad("a wrong type", HEAD + "aliases: X1\n", "wrong-type", 6, 10),
    Bad("a number for a text", HEAD.replace("name: Example", "name: 7"), "wrong-type", 2, 7),
    Bad("a list as a file", "- a\n- b\n", "wrong-type", 1, 1),
    Bad("a text as a file", "nothing but text\n", "wrong-type", 1, 1),
    Bad("an unknown field", HEAD + "colour: red\n", "unknown-field", 6, 1),
    Bad("a missing field", HEAD.replace("vendor: Example\n", ""), "missing-field", 1, 1),
    Bad("a word of no set", HEAD.replace("layer: accelerator", "layer: hardware"),
        "unknown-word", 4, 8),
    Bad("010", HEAD + "aliases: [010]\n", "ambiguous-scalar", 6, 11),
    Bad("no", HEAD.replace("S.", "no"), "ambiguous-scalar", 5, 10),
    Bad("1e400", HEAD + "aliases: [1e400]\n", "ambiguous-scalar", 6, 11),
    Bad("12:30", HEAD + "aliases: [12:30]\n", "ambiguous-scalar", 6, 11),
    Bad("a merge key", HEAD + "<<: {a: b}\n", "odd-key", 6, 1),
    Bad("a tag", HEAD + "aliases: !!set {a, b}\n", "tagged-value", 6, 10),
    Bad("python objects", HEAD.replace("S.", "!!python/object/apply:os.system [ls]"),
        "tagged-value", 5, 10),
    Bad("an alias bomb", HEAD + BOMB, "oversized-document", 7, 3),
    Bad("an alias of itself", HEAD + "aliases: &a [*a]\n", "oversized-document", 6, 10),
    Bad("deep nesting", HEAD + f"aliases: {'[' * 70}{']' * 70}\n", "oversized-document", 6, 70),
    Bad("a board of boards", HEAD + COMPOSED % "board: {of: board, count: 2}",
        "malformed-value", 6, 14),
    Bad("a board of pods", HEAD + COMPOSED % "board: {of: pod, count: 2}",
        "malformed-value", 6, 14),
    Bad("a chip of GPUs", HEAD + COMPOSED % "chip: {of: gpu, count: 2}", "malformed-value", 6, 14),
    Bad("a circle of three",
        HEAD + COMPOSED % "pod: {of: slice, count: 2}, slice: {of: rack, count: 2}, "
        "rack: {of: pod, count: 2}",
        "malformed-value", 6, 14),
    Bad("the name of a section", HEAD.replace("example", "index"), "malformed-value", 1, 10),
    Bad("the name of a section as a record's",
        re.sub(r'"id": "[^"]*"', '"id": "index"', base_files()[EVIDENCE], count=1),
        "malformed-value", 3, 9, EVIDENCE),
    Bad("an endless count", HEAD + COMPOSED % f"pod: {{of: chip, count: {10**30}}}",
        "malformed-value", 6, 38),
    Bad("an empty file", "", "wrong-type", 1, 1),
    Bad("only a comment", "# nothing\n", "wrong-type", 1, 1),
    Bad("Latin-1", b"product: example\nname: caf\xe9\n", "unreadable-file", 2, 10),
    Bad("binary", b"\x89PNG\r\n\x1a\n\x00\x00", "unreadable-file", 1, 1),
    Bad("NUL", HEAD.replace("S.", "a\x00b"), "unreadable-file", 5, 11),
    Bad("UTF-16", HEAD.encode("utf-16"), "unreadable-file", 1, 1),
    Bad("an escape code", HEAD.replace("S.", "\x1b[31mred"), "unreadable-file", 5, 10),
    Bad("a lone CR", HEAD.replace("S.", "a\rb"), "unreadable-file", 5, 11),
    Bad("U+2028", HEAD.replace("S.", '"a\u2028b"'), "unreadable-file", 5, 12),
    Bad("U+2029", HEAD.replace("S.", '"a\u2029b"'), "unreadable-file", 5, 12),
    Bad("U+0085", HEAD.replace("S.", '"a\x85b"'), "unreadable-file", 5, 12),
    Bad("U+2028 in a decision", (DECISION % "").replace("Text", "a\u2028b"), "unreadable-file",
        7, 2, "decisions/0002-example.md"),
    Bad("no front matter", "# T\n", "front-matter", 1, 1, "decisions/0002-example.md"),
    Bad("open front matter", "---\nid: x\n", "front-matter", 1, 1, "decisions/0002-example.md"),
    Bad("empty front matter", "---\n---\n", "front-matter", 1, 1, "decisions/0002-example.md"),
    Bad("an empty decision", "", "front-matter", 1, 1, "decisions/0002-example.md"),
    Bad("a number as id", (DECISION % "").replace('"0002"', "2"), "wrong-type", 2, 5,
        "decisions/0002-example.md"),
    Bad("a day that does not exist", (DECISION % "").replace("2026-11-30", "2026-02-30"),
        "wrong-type", 5, 7, "decisions/0002-example.md"),
    Bad("a key written twice in front matter", DECISION % "title: U\n", "duplicate-key", 6, 1,
        "decisions/0002-example.md"),
    Bad("a reference to nothing", DECISION % "evidence: [none]\n", "dangling-reference", 6, 12,
        "decisions/0002-example.md"),
    Bad("broken JSON", '{\n "id": 1,\n}\n', "invalid-json", 3, 1, "evidence/broken.json"),
    Bad("a key twice in JSON", '{"id": "a", "id": "b"}', "duplicate-key", 1, 13,
        "evidence/broken.json"),
    Bad("an empty JSON file", "", "invalid-json", 1, 1, "evidence/broken.json"),
    Bad("a list as evidence", "[]", "wrong-type", 1, 1, "evidence/broken.json"),
    Bad("NaN in JSON", base_files()[EVIDENCE].replace('"seed": 20261130', '"seed": NaN'),
        "wrong-type", 29, 13, EVIDENCE),
    Bad("deep JSON", "[" * 100_000, "invalid-json", 1, 1, "evidence/broken.json"),
    Bad("an unknown field in evidence",
        base_files()[EVIDENCE].replace('{\n  "schema', '{\n  "winner": "x",\n  "schema'),
        "unknown-field", 2, 3, EVIDENCE),
]  # fmt: skip


def project(folder: Path, path: str, content: str | bytes) -> Project:
    """The sound base on disk with one file more, or one file replaced."""
    raw = {name: text.encode() for name, text in base_files().items()}
    raw[path] = content if isinstance(content, bytes) else content.encode()
    for name, data in raw.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return Project(folder)


def checked(found: Project) -> Report:
    return judge(load(found), COLLECTED, TODAY)


def slugs(report: Report) -> list[tuple[str, str, int, int]]:
    return [
        (item.finding.rule, item.mark.path, *_position(item.mark.span.start))
        for item in report.findings
    ]


def _position(start: object) -> tuple[int, int]:
    return start.line, start.column  # type: ignore[attr-defined]


@pytest.mark.parametrize("bad", CASES, ids=lambda bad: bad.name)
def test_one_finding_with_place_and_remedy(bad: Bad, tmp_path: Path) -> None:
    report = checked(project(tmp_path, bad.path, bad.content))
    about = [item for item in slugs(report) if item[1] == bad.path]
    assert about == [(bad.rule, bad.path, bad.line, bad.column)]
    assert all(item.finding.remedy for item in report.findings)
    assert report.exit_code == 1
    assert not report.crashes
    assert bad.rule in READING or bad.rule == "dangling-reference"
    assert "Traceback" not in render(report)


def test_a_byte_order_mark_and_windows_line_ends_are_no_mistake(tmp_path: Path) -> None:
    spec = "\ufeff" + (HEAD + CLAIM).replace("\n", "\r\n")
    assert slugs(checked(project(tmp_path, "specs/example/example.yml", spec))) == []
    decision = "\ufeff" + (DECISION % "").replace("\n", "\r\n")
    assert slugs(checked(project(tmp_path, "decisions/0002-example.md", decision))) == []


def test_positions_hold_with_windows_line_ends(tmp_path: Path) -> None:
    spec = (HEAD + CLAIM.replace("GB", "gb")).replace("\n", "\r\n")
    found = slugs(checked(project(tmp_path, "specs/example/example.yml", spec)))
    assert found == [("ambiguous-unit", "specs/example/example.yml", 13, 26)]


def test_mistakes_in_several_files_are_all_said_in_one_run(tmp_path: Path) -> None:
    project(tmp_path, "specs/example/example.yml", HEAD + "colour: red\nshape: round\n")
    found = project(tmp_path, "decisions/0002-example.md", "# T\n")
    rules = [rule for rule, *_ in slugs(checked(found))]
    assert rules == ["front-matter", "unknown-field", "unknown-field"]


def test_links_that_lead_nowhere_or_out_are_findings(tmp_path: Path) -> None:
    found = project(tmp_path / "kb", "specs/example/example.yml", HEAD + CLAIM)
    specs = tmp_path / "kb" / "specs"
    (tmp_path / "outside.yml").write_text(HEAD, encoding="utf-8")
    (specs / "loop.yml").symlink_to("loop.yml")
    (specs / "gone.yml").symlink_to("nowhere.yml")
    (specs / "out.yml").symlink_to(tmp_path / "outside.yml")
    (specs / "self").symlink_to(specs)  # a folder that contains itself
    os.mkfifo(specs / "pipe.yml")
    (specs / "folder.yml").mkdir()
    report = checked(found)
    assert [(rule, path) for rule, path, *_ in slugs(report)] == [
        ("unreadable-file", f"specs/{name}.yml") for name in ("gone", "loop", "out", "pipe")
    ] + [("unreadable-file", "specs/self")]
    assert report.blind.records_unparsed == 5


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_a_finding(tmp_path: Path) -> None:
    found = project(tmp_path, "specs/example/example.yml", HEAD + CLAIM)
    (tmp_path / "specs/example/example.yml").chmod(0)
    assert [rule for rule, *_ in slugs(checked(found))] == ["unreadable-file"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r'"samples": \[\s*[0-9.e-]+', '"samples": [0.0'),
        (r'"samples": \[\s*[0-9.e-]+', '"samples": [-1e-3'),
        (r'"samples": \[\s*[0-9.e-]+', '"samples": [1e200'),
        (r'"calls_per_sample": \d+', f'"calls_per_sample": {10**400}'),
        (r'"seed": \d+', f'"seed": {10**31}'),
    ],
)
def test_a_number_that_no_run_can_give_is_refused(old: str, new: str, tmp_path: Path) -> None:
    text, count = re.subn(old, new, base_files()[EVIDENCE], count=1)
    assert count == 1
    found = slugs(checked(project(tmp_path, EVIDENCE, text)))
    assert ("malformed-value", EVIDENCE) in {item[:2] for item in found}


def test_a_count_along_a_circle_ends() -> None:
    """`model_copy` checks nothing, so counting must end by itself."""
    parts = {
        Scope.HOST: Part(of=Scope.BOARD, count=2),
        Scope.BOARD: Part(of=Scope.CHIP, count=4),
    }
    made = Product(
        product="a", name="A", vendor="V", layer=Layer.ACCELERATOR, summary="S.", composition=parts
    )
    assert made.count_in(Scope.HOST, Scope.GPU) == 8
    circle = {**parts, Scope.BOARD: Part(of=Scope.HOST, count=2)}
    assert made.model_copy(update={"composition": circle}).count_in(Scope.HOST, Scope.GPU) is None
