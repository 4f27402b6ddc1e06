"""Paths that mean harm: names, links, devices, and folders that are somebody else's."""

from __future__ import annotations

import json
import os
import re
import stat
from pathlib import Path

import pytest

from kb.cli import main
from kb.home import Project
from kb.load import load
from kb.report import FORMATS
from kb.rules.example import base_files
from tests.hostile.test_hostile import checked, laid_out

SPEC = "specs/bolt/bolt-b8.yml"
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
NAMES = (
    "a\nb.yml", "a\r\n::error::owned\n.yml", "\x1b[31mred.yml", "\x1b]0;title\x07.yml",
    "a%0A::error::owned.yml", "\u202eyml.elif.yml", "a,line=1,title=owned.yml", "a\x9b31m.yml",
    "-rf.yml", "--help.yml", " .yml", "a:b::c.yml", "$(touch owned).yml", "`touch owned`.yml",
    "a'b\"c&<x>.yml", "a" * 240 + ".yml", "é\u0301\u200b.yml",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", FORMATS)
def test_a_name_speaks_to_no_terminal_and_to_no_service(
    form: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    laid_out(tmp_path)
    (tmp_path / "specs" / name).write_text("product: [\n", encoding="utf-8")
    assert main(["--project", str(tmp_path), "check", "--no-cache", "--format", form]) == 1
    said = capsys.readouterr()
    assert not CONTROL.search(said.out.replace("\t", " ") + said.err.replace("\t", " "))
    assert not [line for line in said.out.splitlines() if re.match(r"::error(?! file=specs)", line)]
    if form in ("json", "gitlab", "sarif"):
        json.loads(said.out)
    assert not (tmp_path / "owned").exists()


def test_names_that_differ_in_case_only_are_a_finding(tmp_path: Path) -> None:
    """Where a file system has one name for both, the checkout would lose one of them."""
    project = laid_out(tmp_path)
    text = (tmp_path / SPEC).read_text("utf-8")
    (tmp_path / "specs/bolt/Bolt-B8.yml").write_text(text.replace("bolt-b8", "bolt-b9"), "utf-8")
    evidence = (tmp_path / "evidence/matmul-acme-x1-1.json").read_text("utf-8")
    (tmp_path / "evidence/Matmul-acme-x1-1.json").write_text(evidence, "utf-8")
    found = {(i.finding.rule, i.mark.path) for i in checked(project).findings}
    assert ("file-name", "specs/bolt/Bolt-B8.yml") in found
    assert ("file-name", "evidence/Matmul-acme-x1-1.json") in found


def test_a_device_is_named_and_not_read(tmp_path: Path) -> None:
    project = laid_out(tmp_path)
    path = tmp_path / "specs/zero.yml"
    try:
        os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 5))  # /dev/zero never ends
    except PermissionError:
        pytest.skip("only root can make a device")
    (item,) = checked(project).findings
    assert (item.finding.rule, item.mark.path) == ("unreadable-file", "specs/zero.yml")
    assert "no regular file" in item.finding.message


@pytest.mark.parametrize(
    "target", ["/etc/passwd", "../../outside.yml", "/dev/zero", "/proc/self/environ"]
)
@pytest.mark.parametrize("name", ["specs/a.yml", "decisions/0009-a.md", "evidence/a.json"])
def test_a_link_out_of_the_project_is_not_followed(name: str, target: str, tmp_path: Path) -> None:
    project = laid_out(tmp_path / "project")
    (tmp_path / "outside.yml").write_text("secret: 1\n", encoding="utf-8")
    (project.root / name).symlink_to(target)
    (item,) = checked(project).findings
    assert (item.finding.rule, item.mark.path) == ("unreadable-file", name)
    assert "leads out of the project" in item.finding.message


def test_a_path_longer_than_the_system_takes_is_named(tmp_path: Path) -> None:
    project = laid_out(tmp_path)
    here = os.getcwd()  # noqa: PTH109 - to come back
    os.chdir(tmp_path / "specs")
    try:
        for _ in range(20):
            os.mkdir("d" * 250)  # noqa: PTH102 - the whole path would be too long
            os.chdir("d" * 250)
        with open("far.yml", "w", encoding="utf-8") as stream:  # noqa: PTH123 - the same
            stream.write("product: far\n")
    finally:
        os.chdir(here)
    found = checked(project).findings
    assert found
    assert {i.finding.rule for i in found} == {"unreadable-file"}
    assert all(i.finding.remedy for i in found)


@pytest.mark.parametrize("folder", ["..", "/", "/etc", "../x", "specs/../..", "~", "a\nb", ""])
def test_a_table_names_no_folder_outside(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    laid_out(tmp_path)
    table = f"[tool.kb]\nspecs = {json.dumps(folder)}\n"
    (tmp_path / "pyproject.toml").write_text(table, encoding="utf-8")
    assert main(["--project", str(tmp_path), "check"]) == 2
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("out", ["specs", "decisions", "evidence", ".", "specs/new", "validators"])
@pytest.mark.parametrize("command", ["render", "export"])
def test_no_output_goes_into_content(
    command: str, out: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    laid_out(tmp_path)
    (tmp_path / "validators").mkdir()
    monkeypatch.chdir(tmp_path)
    before = {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}
    words = ["--out", f"{out}/x.json" if command == "export" else out]
    assert main([command, *words]) == (0 if (command, out) == ("export", ".") else 2)
    after = {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}
    assert before.items() <= after.items()
    assert "fix: " in capsys.readouterr().err or out == "."


def test_a_record_names_no_file_outside_its_folder(tmp_path: Path) -> None:
    """A compiled text is read from beside its record, and from nowhere else."""
    text = base_files()["evidence/matmul-acme-x1-1.json"]
    data = json.loads(text)
    digest = "0" * 64
    data["compiled"] = {"hlo": {"file": "../../../etc/passwd", "sha256": digest}}
    project = Project(tmp_path)
    laid_out(tmp_path)
    (tmp_path / "evidence/matmul-acme-x1-1.json").write_text(json.dumps(data), encoding="utf-8")
    loaded = load(project)
    assert not loaded.corpus.evidence
    assert ("malformed-value", "file") in {
        (f.rule, str(f.place.route[-1])) for f in loaded.findings if f.place.route
    }
