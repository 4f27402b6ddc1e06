"""What `kb check` loads, as a set of modules: start-up time follows from it on any machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
UNCHANGED = {
    "kb", "kb.characters", "kb.checking", "kb.checking.encode", "kb.checking.state",
    "kb.checking.store", "kb.cli", "kb.cli.baseline", "kb.cli.check", "kb.cli.examples",
    "kb.cli.project", "kb.cli.terminal", "kb.cli.writing", "kb.files", "kb.finding", "kb.home",
    "kb.records", "kb.records.git", "kb.report", "kb.report.text", "kb.rules", "kb.rules.result",
    "kb.source", "kb.writing",
}  # fmt: skip
"""Our modules in a check of an unchanged base. A new one needs a reason; a lost one is a gain."""
OF_SPECIFICATIONS = {
    "model": {
        "kb.model", "kb.model.base", "kb.model.claim", "kb.model.device_kinds", "kb.model.product",
    },
    "records": {"kb.records", "kb.records.commits", "kb.records.git"},
    "compare": set(),
    "prose": set(),
}  # fmt: skip
"""All that a change of a specification needs of these rooms, in a base of nothing else."""
READERS = {"annotated_types", "pydantic", "pydantic_core", "typing_inspection", "yaml"}
EVERYWHERE = {"typing_extensions", "_cython", "_cyutility", "cython_runtime"}
ROOMS = {
    "adopt", "estimate", "index", "lsp", "mcp", "measure", "mkdocs_hook", "pages", "publish",
    "schema",
}  # fmt: skip
"""Rooms of other commands."""


def modules(*command: str, **more: str) -> set[str]:
    """Names of the modules that a fresh interpreter holds after a command of `kb`."""
    code = (
        "import sys\n"
        "if sys.argv[1:]:\n"
        "    from kb.cli import main\n"
        "    assert main(sys.argv[1:]) == 0\n"
        "print('modules:', *sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *command], cwd=ROOT, env={**os.environ, **more},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return set(done.stdout.rpartition("modules:")[2].split())


def foreign(found: set[str], bare: set[str]) -> set[str]:
    """Packages that are neither ours nor Python's own."""
    tops = {name.partition(".")[0] for name in found - bare}
    return tops - set(sys.stdlib_module_names) - {"kb", "__mp_main__"}


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    folder = tmp_path_factory.mktemp("loaded")
    base, cache = folder / "base", str(folder / "cache")
    shutil.copytree(ROOT / "kb" / "rules" / "base", base)
    check = ("--project", str(base), "check")
    found = {
        "bare": modules(),
        "cold": modules(*check, KB_CACHE_DIR=cache),
        "unchanged": modules(*check, KB_CACHE_DIR=cache),
    }
    for kind in ("decisions", "evidence"):
        shutil.rmtree(base / kind)
    modules(*check, KB_CACHE_DIR=cache)
    with (base / "specs" / "acme" / "acme-x1.yml").open("a", encoding="utf-8") as spec:
        spec.write("# a remark\n")
    return {**found, "changed": modules(*check, KB_CACHE_DIR=cache)}


def test_a_check_of_an_unchanged_base_loads_exactly_these(loaded: dict[str, set[str]]) -> None:
    ours = {name for name in loaded["unchanged"] if name.partition(".")[0] == "kb"}
    assert ours == UNCHANGED


def test_a_check_of_an_unchanged_base_loads_no_library(loaded: dict[str, set[str]]) -> None:
    assert foreign(loaded["unchanged"], loaded["bare"]) == set()


def test_a_change_of_one_specification_loads_what_judges_specifications(
    loaded: dict[str, set[str]],
) -> None:
    for room, wanted in OF_SPECIFICATIONS.items():
        entered = {name for name in loaded["changed"] if name.startswith(f"kb.{room}")}
        assert entered == wanted, room
    assert "kb.rules.slots" in loaded["changed"], "no rule was read"
    assert "kb.rules.judged" not in loaded["changed"]
    assert "multiprocessing" not in loaded["changed"]


def test_a_cold_check_loads_models_and_yaml_and_nothing_else(loaded: dict[str, set[str]]) -> None:
    found = {
        name
        for name in foreign(loaded["cold"], loaded["bare"])
        if not name.startswith(("_sysconfigdata", *EVERYWHERE))
    }
    assert found == READERS


def test_a_cold_check_enters_no_room_of_another_command(loaded: dict[str, set[str]]) -> None:
    entered = {name.split(".")[1] for name in loaded["cold"] if name.startswith("kb.")}
    assert "rules" in entered
    assert entered & ROOMS == set()
