"""The configurations that the editor page shows can be read, and start the server."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

from kb.cli import COMMANDS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "guide" / "editors.md").read_text("utf-8")


def block(language: str) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    return str(found)


def test_helix_starts_the_server_for_both_languages() -> None:
    read = tomllib.loads(block("toml"))
    server = read["language-server"]["kb"]
    assert (server["command"], *server["args"]) == ("kb", "lsp")
    assert "lsp" in COMMANDS
    assert {one["name"]: "kb" in one["language-servers"] for one in read["language"]} == {
        "markdown": True,
        "yaml": True,
    }


def test_vs_code_starts_the_server() -> None:
    read = json.loads(block("json"))
    command = (read["glspc.server.command"], *read["glspc.server.commandArguments"])
    assert command == ("kb", "lsp")


def test_neovim_starts_the_server_where_a_knowledge_base_begins() -> None:
    text = block("lua")
    assert 'cmd = { "kb", "lsp" }' in text
    assert text.count("{") == text.count("}")
    assert re.search(r"root_markers = \{ \"specs\", \"decisions\", \"pyproject.toml\" \}", text)
