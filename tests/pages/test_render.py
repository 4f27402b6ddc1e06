"""The whole site: the same bytes twice, an anchor for every claim, and links that arrive."""

from __future__ import annotations

import hashlib
import json
import os
import posixpath
import re
import subprocess
import sys
from pathlib import Path

import pytest

from kb.corpus import Corpus
from kb.pages import links
from kb.publish import Files

ROOT = Path(__file__).resolve().parents[2]
_LINK = re.compile(r"\]\((?!<)([^)\s]+)(?:\s+\"[^\"]*\")?\)")
_EXAMPLE = re.compile(r"<pre>.*?</pre>", re.DOTALL)
_ANCHOR = re.compile(r"\{[^}]*#([\w.-]+)[^}]*\}|\bid=\"([\w.-]+)\"")

_PROGRAM = """
import hashlib, sys
from pathlib import Path
from kb.home import Project
from kb.publish import site
files = site(Project(Path(sys.argv[1]))).files
print(hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest())
"""


@pytest.mark.slow
def test_another_process_with_other_hashes_gives_the_same_bytes(published: Files) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": "4711", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", _PROGRAM, str(ROOT)]
    answer = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    digest = hashlib.sha256(repr(sorted(published.items())).encode()).hexdigest()
    assert answer.stdout.strip() == digest


def test_every_claim_has_its_anchor_and_its_printed_value(
    site: dict[str, str], corpus: Corpus
) -> None:
    for entry in corpus.claims.values():
        path, _, anchor = links.claim_target(entry.id).partition("#")
        assert site[path].count(f"{{ #{anchor} }}") == 1, entry.id


def test_every_internal_link_arrives(site: dict[str, str]) -> None:
    known = {path: anchors(text) for path, text in site.items()}
    missing = []
    for path, text in site.items():
        if not path.endswith(".md"):
            continue
        for target in _LINK.findall(_EXAMPLE.sub("", text)):
            if target.startswith(("http:", "https:")):
                continue
            file, _, anchor = target.partition("#")
            file = file.partition("?")[0]
            there = posixpath.normpath(posixpath.join(posixpath.dirname(path), file or "."))
            there = there if file else path
            if there not in known or (anchor and anchor not in known[there]):
                missing.append(f"{path} -> {target}")
    assert not missing


def anchors(text: str) -> set[str]:
    """Every anchor that a page sets itself."""
    return {a or b for a, b in _ANCHOR.findall(text)}


def test_no_anchor_is_set_twice_on_a_page(site: dict[str, str]) -> None:
    for path, text in site.items():
        if path.endswith(".md"):
            found = re.findall(r"^#+ .*\{ #([\w.-]+) \}$|<details id=\"([\w.-]+)\"", text, re.M)
            names = [a or b for a, b in found]
            assert len(names) == len(set(names)), path


def test_json_files_are_json_and_carry_their_version(site: dict[str, str]) -> None:
    files = {path: text for path, text in site.items()
             if path.endswith(".json") and not path.startswith("api/schemas/")}  # fmt: skip
    assert files
    assert all(json.loads(text)["schema_version"] == 1 for text in files.values())


def test_superseded_statements_are_kept_and_unstated_axes_said_aloud(
    site: dict[str, str], corpus: Corpus
) -> None:
    page = site["products/tpu-v6e.md"]
    claim = corpus.claims["tpu-v6e/chip-peak-bf16"].claim
    part = page.split("{ #chip-peak-bf16 }")[1].split("\n### ")[0]
    assert "does not state the **sparsity**" in part
    assert "Assessment, not the vendor's word" in part
    assert part.count("<summary>") == (len(claim.statements) > 1)
    for statement in claim.statements:
        assert statement.published.split()[0] in part
