"""As many processes as have a core to themselves."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kb.checking.cores import cores


@pytest.fixture
def eight(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine of eight cores, all of them allowed."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 8)


def system(root: Path, **files: str) -> Path:
    """A root with files in it; `__` stands for a slash."""
    for name, text in files.items():
        path = root / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


@pytest.mark.usefixtures("eight")
@pytest.mark.parametrize(
    ("load", "left"),
    [
        ("0.00 0.00 0.00 1/300 9\n", 8),
        ("3.20 0.00 0.00 4/300 9\n", 5),
        ("3.20 0.00 0.00 1/300 9\n", 8),  # they ended meanwhile
        ("0.10 0.00 0.00 6/300 9\n", 8),  # they begin, or it is one moment
        ("60.00 9.00 9.00 70/300 9\n", 1),
        ("no numbers\n", 8),
        ("", 8),
    ],
)
def test_others_who_run_are_left_their_cores(tmp_path: Path, load: str, left: int) -> None:
    assert cores(system(tmp_path, proc__loadavg=load)) == left


@pytest.mark.usefixtures("eight")
@pytest.mark.parametrize(
    ("own", "limits", "left"),
    [
        ("0::/\n", {"": "max 100000"}, 8),
        ("0::/\n", {"": "250000 100000"}, 2),
        ("0::/\n", {"": "50000 100000"}, 1),
        ("0::/job/step\n", {"": "max 100000", "job": "300000 100000", "job/step": "max 100000"}, 3),
        ("0::/job/step\n", {"job": "600000 100000", "job/step": "400000 100000"}, 4),
        ("3:cpu:/\n", {}, 8),
        ("0::/\n", {"": "a few"}, 8),
    ],
)
def test_no_more_than_the_container_may_use(
    tmp_path: Path, own: str, limits: dict[str, str], left: int
) -> None:
    system(tmp_path, proc__self__cgroup=own)
    for folder, text in limits.items():
        path = tmp_path / "sys/fs/cgroup" / folder / "cpu.max"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert cores(tmp_path) == left


@pytest.mark.usefixtures("eight")
def test_the_first_kind_of_control_groups_counts_too(tmp_path: Path) -> None:
    folder = "sys/fs/cgroup/cpu/cpu.cfs_"
    for limit, left in (("350000", 3), ("-1", 8)):
        (tmp_path / folder).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / f"{folder}quota_us").write_text(limit)
        (tmp_path / f"{folder}period_us").write_text("100000")
        assert cores(tmp_path) == left


def test_a_system_that_says_nothing_has_what_the_process_may_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2}, raising=False)
    assert cores(tmp_path) == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert cores(tmp_path) == 1
    assert cores() >= 1
