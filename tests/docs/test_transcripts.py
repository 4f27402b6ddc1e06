"""Every `$ kb …` in the README prints what the README says it prints.

A comment `<!-- in: FOLDER -->` before a block names the folder in which it is run. What
`make` prints differs from machine to machine; `.ci/run` runs those two commands for real.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

import pytest

from kb.cli import main
from kb.finding import with_extra
from kb.rules.collect import collect

ROOT = Path(__file__).resolve().parents[2]
_BLOCK = re.compile(
    r"(?:^<!-- in: (?P<folder>\S+) -->\n+)?^```console\n(?P<text>.*?)^```", re.MULTILINE | re.DOTALL
)


@dataclass(frozen=True)
class Transcript:
    """A command and what it prints."""

    folder: Path
    command: str
    printed: str


def transcripts(page: Path) -> list[Transcript]:
    found = []
    for block in _BLOCK.finditer(page.read_text("utf-8")):
        folder = ROOT / (block["folder"] or ".")
        for part in re.split(r"^\$ ", block["text"], flags=re.MULTILINE)[1:]:
            command, _, printed = part.partition("\n")
            found.append(Transcript(folder, command.partition("#")[0].strip(), printed.strip()))
    return found


README = transcripts(ROOT / "README.md")
RUN = [t for t in README if Path(shlex.split(t.command)[0]).name == "kb"]


def test_the_readme_opens_with_the_two_commands() -> None:
    assert [transcript.command for transcript in README[:2]] == ["make site", "make test"]
    assert len(RUN) >= 3


@pytest.mark.parametrize("transcript", RUN, ids=lambda transcript: transcript.command)
def test_a_command_prints_what_the_readme_shows(
    transcript: Transcript, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(transcript.folder)
    main(shlex.split(transcript.command)[1:])
    assert capsys.readouterr().out.strip() == transcript.printed


def test_the_reader_is_told_where_a_command_is_run() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    hidden = re.findall(r"^(.*)\n\n<!-- in: (\S+) -->$", text, re.MULTILINE)
    assert len(hidden) == text.count("<!-- in: ") > 0
    assert [folder for said, folder in hidden if f"`cd {folder}`" not in said] == []


def test_every_other_command_of_the_readme_is_one_that_exists() -> None:
    named = re.findall(r"`kb ([a-z]+)", (ROOT / "README.md").read_text("utf-8"))
    assert named
    from kb.cli import COMMANDS

    assert set(named) <= set(COMMANDS)


def test_the_changelog_names_every_command_and_counts_the_products() -> None:
    from kb.cli import COMMANDS
    from kb.home import Project
    from kb.load import load

    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert set(COMMANDS) - set(re.findall(r"`kb ([a-z]+)", text)) == set()
    assert f"of {len(load(Project(ROOT)).corpus.products)} products" in text


def test_the_readme_says_how_the_command_gets_on_the_path() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    assert "`. .venv/bin/activate`" in text
    assert "pip install 'CHECKOUT[jax]'" in text
    assert re.search(r"^wrote build/evidence/matmul-512-f32-cpu-\d{8}-\d{6}-1.json$", text, re.M)


def test_no_page_and_no_message_installs_the_package_by_its_bare_name() -> None:
    """It is on no index; `with_extra` is the one place that says how an extra is installed."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "kb").rglob("*.py")]
    bare = re.compile(r"accelerator-kb\[|pip install (?:-\S+ )*accelerator-kb")
    assert [p.name for p in pages if bare.search(p.read_text("utf-8"))] == []
    assert with_extra("jax").startswith("pip install 'CHECKOUT[jax]', where CHECKOUT is ")


@pytest.mark.parametrize("name", ["quick-start.md", "tutorial.md", "fast-checks.md"])
def test_a_page_counts_the_rules_of_the_folder_that_it_begins(name: str) -> None:
    """Playing the page is slow; this notices at once when a rule was added."""
    text = (ROOT / "docs" / "guide" / name).read_text("utf-8")
    begun, *_ = re.findall(r"^\$ (kb init.*)$", text, re.MULTILINE)
    own = 0 if "--without example" in begun else 1
    counted = set(re.findall(r"checked by (\d+) rules", text))
    assert counted == {str(len(collect().rules) + own)}
