"""The snippets of the page on CI are whole files that the services take."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "guide" / "ci.md").read_text("utf-8")
COMMIT = "4f1c2d9e0b6a5c3d8f7e1a2b9c0d4e5f6a7b8c9d"
WORKFLOW, HOOKS = (
    text.replace("OWNER/REPOSITORY", "tools/kb")
    .replace("ADDRESS", "https://forge.example/kb")
    .replace("COMMIT", COMMIT)
    for text in re.findall(r"^```yaml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        (WORKFLOW, ("check_jsonschema", "--builtin-schema", "vendor.github-workflows")),
        (HOOKS, ("pre_commit", "validate-config")),
    ],
    ids=["github", "pre-commit"],
)
def test_a_service_takes_the_snippet(text: str, command: tuple[str, ...], tmp_path: Path) -> None:
    pytest.importorskip(command[0], reason="comes with the extra dev")
    path = tmp_path / "snippet.yml"
    path.write_text(text, "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", *command, str(path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_page_names_no_release_and_hooks_that_exist() -> None:
    assert not re.search(r"@v\d+\.\d+\.\d+\b(?! *#)|rev: v", PAGE)
    (used,) = yaml.safe_load(HOOKS)["repos"]
    there = [h["id"] for h in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))]
    assert [hook["id"] for hook in used["hooks"]] == there
    assert there[0] == "kb-fix", "what it mends is no finding of the others"
