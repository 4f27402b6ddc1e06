"""The page of commands is what `--help` says; `KB_REWRITE=1` writes it anew."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from kb.cli import COMMANDS, parser

PAGE = Path(__file__).resolve().parents[2] / "docs" / "guide" / "commands.md"
HEAD = """\
# Commands

Every command with its options, as `kb COMMAND --help` prints them. Generated; a test compares it.
"""


def page() -> str:
    parts = [HEAD]
    for command, sentence in COMMANDS.items():
        top = parser(command)
        (choices,) = (a.choices for a in top._actions if a.dest == "command")
        assert isinstance(choices, dict)
        text = choices[command].format_help().rstrip()
        parts.append(
            f"## kb {command}\n\n{sentence[0].upper()}{sentence[1:]}.\n\n```text\n{text}\n```\n"
        )
    return "\n".join(parts)


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="argparse of each Python differs")
def test_the_page_is_what_the_help_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "90")
    text = page()
    if os.environ.get("KB_REWRITE"):
        PAGE.write_text(text, encoding="utf-8")
    assert PAGE.read_text("utf-8") == text
