"""Pages that run as a whole in an empty folder print what they show.

The quick start has a test of its own, since it installs the wheel.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.docs.console import play, rewritten

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guide"
MARK = "<!-- runs: in an empty folder -->"
PAGES = sorted(
    page.name
    for page in GUIDE.glob("*.md")
    if MARK in page.read_text("utf-8") and page.name != "quick-start.md"
)

pytestmark = pytest.mark.slow


def test_there_are_such_pages() -> None:
    assert "tutorial.md" in PAGES


@pytest.mark.parametrize("name", PAGES)
def test_every_command_prints_what_the_page_shows(name: str, tmp_path: Path) -> None:
    env = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    env["PATH"] = f"{Path(sys.executable).parent}:{env['PATH']}"
    page = GUIDE / name
    text = page.read_text("utf-8")
    done = play(text, tmp_path, {}, env)
    if os.environ.get("KB_REWRITE"):
        page.write_text(rewritten(text, done), encoding="utf-8")
    wrong = [(i.step.command, i.code, i.step.printed, i.output) for i in done if not i.as_shown]
    assert wrong == []
