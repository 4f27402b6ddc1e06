"""The Python page runs, and names exactly what the package exports."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import kb

PAGE = Path(__file__).resolve().parents[2] / "docs" / "guide" / "python.md"


def test_the_examples_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PAGE.parents[2])
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S)
    assert len(blocks) == 7
    pytest.importorskip("pandas", reason="comes with the extra dev")
    pytest.importorskip("polars", reason="comes with the extra dev")
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)  # noqa: S102 - our own page
    assert names["verdict"]


def test_the_page_names_every_public_name_once() -> None:
    table = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| `")]
    named = [name for line in table for name in re.findall(r"`(\w+)`", line.split("|")[1])]
    assert sorted(named) == sorted(kb.__all__)


def test_every_public_name_is_there_and_documented() -> None:
    for name in kb.__all__:
        assert getattr(kb, name).__doc__, name
    assert len(kb.__all__) <= 30


def test_a_public_name_that_is_a_room_too_can_be_called_whatever_was_imported() -> None:
    rooms = {path.stem for path in Path(kb.__file__).parent.iterdir()}
    assert rooms & set(kb.__all__) == {"compare", "load"}
    code = (
        "{}; import kb; base = kb.load(); pair = ('hgx-b200/gpu-hbm-bandwidth',"
        " 'tpu-v6e/chip-hbm-bandwidth'); print(kb.compare(*pair, base).ratio)"
    )
    for before in ("pass", "import kb.load, kb.compare", "from kb.load import load"):
        done = subprocess.run(
            [sys.executable, "-c", code.format(before)], capture_output=True, text=True, check=False
        )
        assert done.stdout == "550/117\n", done.stderr


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'compere'"):
        _ = kb.compere
