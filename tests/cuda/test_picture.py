"""The picture of timing boundaries says what the judge of records says."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_the_committed_picture_holds_the_verdicts_of_today() -> None:
    pytest.importorskip("matplotlib")
    spec = importlib.util.spec_from_file_location("picture", ROOT / "tools/timing_picture.py")
    assert spec is not None
    assert spec.loader is not None
    picture = importlib.util.module_from_spec(spec)
    import sys

    sys.modules["picture"] = picture
    spec.loader.exec_module(picture)
    verdicts = [picture.judge(picture.interval(row)).encloses for row in picture.ROWS]
    assert verdicts == [True, False, True, True, False]
    text = picture.OUT.read_text("utf-8")
    assert all(row.name in text for row in picture.ROWS)
    assert text.count("✓ encloses the work") == verdicts.count(True)
    assert text.count("✗ refused") == verdicts.count(False)
