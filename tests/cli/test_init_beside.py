"""`kb init` beside the CI files, pages and records that a repository has already."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
import yaml

from kb.adopt import is_bare, told, with_name
from kb.cli import main

ADDRESS = "accelerator-kb @ git+https://example.com/owner/repository@0123abc"
GITLAB = """\
lint:
  script:
    - python -m pip install "ruff==0.6"
    - ruff check .
numbers:
  script:
    - python -m pip install "accelerator_kb @ git+https://example.com/old@1"
    - kb check
"""
HOOKS = """\
repos:
  - repo: local
    hooks:
      - id: mypy
        language: python
        additional_dependencies: ["types-requests"]
      - id: kb-check
        entry: kb check
        language: python
        additional_dependencies: ["accelerator-kb @ git+https://example.com/old@1"]
"""


def begin(folder: Path, *words: str) -> int:
    return main(["init", str(folder), "--yes", "--without", "example", *words])


@pytest.mark.parametrize(
    ("name", "text"), [(".gitlab-ci.yml", GITLAB), (".pre-commit-config.yaml", HOOKS)]
)
def test_what_other_tools_are_installed_from_stays(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    assert begin(tmp_path) == 0
    assert (tmp_path / name).read_text("utf-8") == text
    assert "ruff==" not in (tmp_path / ".github/workflows/kb.yml").read_text("utf-8")
    assert begin(tmp_path, "--from", ADDRESS) == 0
    old = "@ git+https://example.com/old@1"
    ours = next(line for line in text.splitlines() if old in line)
    changed = (tmp_path / name).read_text("utf-8").splitlines()
    assert [a for a, b in zip(text.splitlines(), changed, strict=True) if a != b] == [ours]
    assert told("\n".join(changed)) == ADDRESS


@pytest.mark.parametrize(
    ("requirement", "bare"),
    [
        ("accelerator-kb", True),
        ("accelerator_kb==1.0", True),
        ("Accelerator.KB", True),
        ("accelerator-kb; python_version>'3'", True),
        ("accelerator-kb[jax]  >=1", True),
        (ADDRESS, False),
        ("git+https://example.com/accelerator-kb", False),
        ("accelerator-kb-tools", False),
    ],
)
def test_every_spelling_of_the_bare_name_is_one(requirement: str, *, bare: bool) -> None:
    assert is_bare(requirement) is bare


def test_an_address_alone_gets_the_name_by_which_it_is_found_again(tmp_path: Path) -> None:
    assert begin(tmp_path, "--from", "git+https://example.com/a@1") == 0
    workflow = tmp_path / ".github" / "workflows" / "kb.yml"
    assert told(workflow.read_text("utf-8")) == "accelerator-kb @ git+https://example.com/a@1"
    assert begin(tmp_path, "--from", ADDRESS) == 0
    assert told(workflow.read_text("utf-8")) == ADDRESS
    assert with_name(ADDRESS) == ADDRESS


@pytest.mark.parametrize("text", [f"{ADDRESS} #sha256=abc", "accelerator-kb: 1"])
def test_an_address_that_yaml_would_cut_is_refused(
    tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert begin(tmp_path, "--from", text) == 2
    assert "can't stand in YAML" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "about"),
    [
        ('docs_dir: "my docs"  # ours', "my docs/about.md"),
        ("docs_dir: pages/", "pages/about.md"),
        ("docs_dir: ../pages", None),
        ("site_name: x", "docs/about.md"),
    ],
)
def test_pages_go_where_the_site_has_them(
    tmp_path: Path, line: str, about: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    base = tmp_path / "base"
    base.mkdir()
    (base / "mkdocs.yml").write_text(f"{line}\n", "utf-8")
    assert begin(base) == 0
    wrote = [line for line in capsys.readouterr().out.splitlines() if "about.md" in line]
    assert wrote == ([f"wrote {about}"] if about else [])
    assert [p.name for p in tmp_path.iterdir()] == ["base"]


@pytest.mark.parametrize("folder", ["my adrs", "a(b)", "it's #1: x"])
def test_records_of_others_are_checked_whatever_their_folder_is_called(
    tmp_path: Path, folder: str
) -> None:
    (tmp_path / ".adr-dir").write_text(f"{folder}\n", "utf-8")
    (tmp_path / folder).mkdir()
    record = "# 1. Use X\n\nDate: 2026-01-01\n\n## Status\n\nAccepted\n\n## Context\n\nx\n"
    (tmp_path / folder / "0001-use-x.md").write_text(record, "utf-8")
    assert begin(tmp_path) == 0
    workflow = yaml.safe_load((tmp_path / ".github/workflows/kb.yml").read_text("utf-8"))
    steps = [step.get("run", "") for job in workflow["jobs"].values() for step in job["steps"]]
    (run,) = [run for run in steps if "--decisions" in run]
    assert shlex.split(run) == ["kb", "check", "--decisions", folder, "--format", "github"]
    gitlab = yaml.safe_load((tmp_path / ".gitlab-ci.yml").read_text("utf-8"))
    assert f"kb check --decisions {shlex.quote(folder)}" in gitlab["kb"]["script"]
    hooks = yaml.safe_load((tmp_path / ".pre-commit-config.yaml").read_text("utf-8"))
    (hook,) = [h for r in hooks["repos"] for h in r["hooks"] if "--decisions" in h["entry"]]
    assert shlex.split(hook["entry"]) == ["kb", "check", "--decisions", folder]
    assert " " not in hook["id"]
