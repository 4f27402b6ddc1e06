"""What the project stands on: locked versions, their licences, builds that repeat, few rights."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
FREE = ("MIT", "BSD", "Apache", "PSF", "Python Software Foundation", "MPL", "Mozilla", "0BSD",
        "Zlib", "CC0", "ISC", "HPND", "Unlicense")  # fmt: skip
"""Beginnings of licences that any part of the project may depend on."""
EXTRAS_ONLY = re.compile(
    r"(?P<postgres>psycopg(-binary)?\tLGPL-3.0-only)|(?P<aot>libtpu\tGoogle Cloud.*"
    r"|(nvidia|jax-cuda|cuda)-[\w-]+\t.*(NVIDIA|Other/Proprietary|LicenseRef).*)"
)
"""Packages with other terms; each comes with an extra that is named for what it brings."""


def lines_of(name: str) -> list[str]:
    text = (ROOT / name).read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def licences() -> dict[str, str]:
    return dict(line.split("\t") for line in lines_of("licences.txt"))


def test_every_version_is_exact_and_no_address_is_named() -> None:
    assert all(re.fullmatch(r"[\w.-]+==[\w.!+-]+", line) for line in lines_of("constraints.txt"))


def test_every_locked_package_has_a_licence_that_we_may_use() -> None:
    locked = [line.partition("==")[0] for line in lines_of("constraints.txt")]
    assert list(licences()) == locked, "run tools/licences after make lock"
    other = [
        name
        for name, told in licences().items()
        if not told.startswith(FREE) and not EXTRAS_ONLY.fullmatch(f"{name}\t{told}")
    ]
    assert not other


def test_what_is_always_installed_is_permissive() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    names = [re.match(r"[\w.-]+", line) for line in project["dependencies"]]
    known = {name.lower(): told for name, told in licences().items()}
    told = {match[0]: known[match[0].lower()] for match in names if match}
    assert told
    assert all(text.startswith(("MIT", "BSD", "Apache")) for text in told.values()), told


def test_shipped_workflows_ask_for_no_more_than_they_need() -> None:
    text = (ROOT / "kb/adopt/files/github.yml").read_text("utf-8")
    block = re.search(r"(?m)^permissions:\n((?:  .+\n)+)", text)
    assert block is not None
    asked = yaml.safe_load(block[1])
    assert set(asked.items()) <= {("contents", "read"), ("security-events", "write")}
    assert "secrets." not in text
    assert "pull_request_target" not in text


@pytest.mark.slow
def test_two_builds_give_the_same_bytes(tmp_path: Path) -> None:
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_"))}
    clean["SOURCE_DATE_EPOCH"] = "1700000000"
    hashes = []
    for name in ("one", "two"):
        out = tmp_path / name
        words = [sys.executable, "-m", "build", "--wheel", "--outdir", str(out), str(ROOT)]
        done = subprocess.run(words, env=clean, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        (wheel,) = out.glob("*.whl")
        hashes.append(hashlib.sha256(wheel.read_bytes()).hexdigest())
    assert hashes[0] == hashes[1]
