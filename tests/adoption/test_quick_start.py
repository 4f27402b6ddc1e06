"""The quick start, word for word, by a new user who has an empty folder and the wheel alone."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.docs.console import Done, play, rewritten

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "guide" / "quick-start.md"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def done(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Done]:
    """What came of every command of the page, with CHECKOUT read as the wheel."""
    folder = tmp_path_factory.mktemp("empty")
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_", "KB_"))}
    env |= {"PIP_CONSTRAINT": str(ROOT / "constraints.txt"), "NO_MKDOCS_2_WARNING": "1"}
    text = PAGE.read_text(encoding="utf-8")
    found = play(text, folder, {"CHECKOUT": str(wheel)}, env)
    if os.environ.get("KB_REWRITE"):
        PAGE.write_text(rewritten(text, found), encoding="utf-8")
    return found


def test_every_command_prints_what_the_page_shows(
    done: list[Done], capsys: pytest.CaptureFixture[str]
) -> None:
    with capsys.disabled():
        lines = [f"{item.seconds:7.2f}  {item.step.command}" for item in done]
        total = f"{sum(item.seconds for item in done):7.2f}  all of it"
        sys.stdout.write("\n".join(["", "seconds  command", *lines, total, ""]))
    wrong = [(i.step.command, i.code, i.step.printed, i.output) for i in done if not i.as_shown]
    assert wrong == []


def test_the_check_fails_between_the_mistake_and_its_repair_and_at_no_other_time(
    done: list[Done],
) -> None:
    checks = [item for item in done if item.step.command.startswith("kb check")]
    assert [item.code for item in checks] == [0, 1, 1, 0]
    assert [i.step.command for i in done if i.code] == ["kb check", "kb check --format github"]
    first = checks[2].output.splitlines()[0]
    assert first.startswith("::error file=decisions/0001-jax-on-hgx-b200-or-tpu-v6e.md,line=")
    assert "memory" in first
    assert "link" in first


def test_nothing_was_taken_from_the_checkout(
    done: list[Done],
) -> None:
    assert done[0].step.command == "python3 -m venv .venv"
    assert not any(str(ROOT) in item.output for item in done)
