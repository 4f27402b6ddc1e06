"""What a file says never commands the terminal of who looks at it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from kb.cli import main
from kb.cli.show import one_line
from kb.rules.example import base_files

SPEC = "specs/bolt/bolt-b8.yml"
DECISION = "decisions/0001-acme-or-bolt.md"
EVIL = r"\e[2J\0\u009b31m\u202e\x7f"
LINES = EVIL + r"\nforged: line"
LOOKS = [
    ("show", "bolt-b8"),
    ("show", "bolt-b8/board-hbm-capacity"),
    ("show", "0001"),
    ("show", "bolt-datasheet"),
    ("list",),
    ("list", "products"),
    ("list", "sources"),
    ("list", "decisions"),
]


def spoilt(folder: Path) -> None:
    """The sound base with commands to a terminal in its names, titles and numbers."""
    for name, text in base_files().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        pattern = r"(?m)^([ -]*(?:name|title|summary)): .*$|(locator): [^,}\n]*"
        path.write_text(re.sub(pattern, _spoilt, text), encoding="utf-8")


def _spoilt(match: re.Match[str]) -> str:
    key = match[1] or match[2]  # a name is one line, or it is no name
    return f'{key}: "a {LINES if "summary" in key else EVIL} b"'


@pytest.mark.parametrize("words", LOOKS, ids=" ".join)
def test_no_command_reaches_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    spoilt(tmp_path)
    for option in ((), ("--json",)):
        main(["--project", str(tmp_path), *words, *option])
        out = capsys.readouterr().out
        assert out
        assert all(line.isprintable() for line in out.split("\n"))
        assert not out.startswith("forged")
        assert "\nforged" not in out
        if option:
            json.loads(out)
        elif words != ("list",):
            assert "\\u{1b}[2J" in out


def test_lint_shows_no_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.md"
    page.write_text("[x\u202e](claim:a\u200e) end\n", encoding="utf-8")
    for name in ("text", "github", "json", "gitlab", "sarif", "junit"):
        main(["lint", str(page), "--format", name])
        out = capsys.readouterr().out
        assert "broken-citation" in out
        assert all(line.isprintable() for line in out.split("\n")), name


def test_ordinary_text_stays_as_it_is() -> None:
    assert one_line("8 × 180 GB\u202fé") == "8 × 180 GB\u202fé"
    assert one_line("a\x1b[1m\nb\tc") == "a\\u{1b}[1m\\u{a}b c"
