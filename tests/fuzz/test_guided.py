"""A search for inputs that reach new code finds none that makes kb raise or hang."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.targets import TARGETS
from tests.fuzz.test_structured import TIMES
from tests.ledger import note

pytest.importorskip("atheris", reason="comes with the extra fuzz, for Python 3.11 to 3.13 on Linux")

SHORT = ("expression", "quantity", "hlo", "lint")
"""Targets of a short run: those that answer thousands of inputs a second."""
SECONDS = 60
RUNS = ("-runs=500", "-seed=1") if TIMES == 1 else ()
"""A short run tries the same inputs each time, so that what it says is about the change."""


@pytest.mark.slow
@pytest.mark.parametrize("name", SHORT if TIMES == 1 else [n for n in TARGETS if n != "profile"])
def test_the_search_finds_nothing(name: str, tmp_path: Path) -> None:
    words = [sys.executable, str(Path(__file__).with_name("explore.py")), name, str(SECONDS)]
    done = subprocess.run(
        [*words, str(tmp_path), *RUNS], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    found = [path.read_bytes() for path in tmp_path.iterdir()]
    assert done.returncode == 0, (found, done.stdout[-2000:], done.stderr[-3000:])
    ran = re.search(r"number_of_executed_units: (\d+)", done.stderr)
    assert ran is not None
    assert int(ran[1]) > 100
    note("guided", name, int(ran[1]))
