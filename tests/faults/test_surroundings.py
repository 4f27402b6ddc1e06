"""A disk that is full, a folder that is read-only, two runs at once, a record that was edited."""

from __future__ import annotations

import contextlib
import datetime
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kb.load import load_files
from kb.model.evidence import parse
from kb.model.gates import disagreements
from kb.rules.example import base_files
from tests.faults.conftest import base, tree
from tests.faults.test_kills import CASES, MEASURE, case_of, measured
from tests.fuzz.targets import judged
from tests.ledger import note

KB = Path(sys.executable).with_name("kb")
EVIDENCE = "evidence/matmul-acme-x1-1.json"
WRITING = [name for name in CASES if name != "render"]


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([KB, *words], cwd=folder, capture_output=True, text=True, check=False)


def refused(done: subprocess.CompletedProcess[str], code: int) -> None:
    """It did not happen, it says why, and nobody sees a traceback."""
    assert done.returncode == code, (done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    assert done.stderr.strip()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own with room for a project and little more."""
    folder = tmp_path / "disk"
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(folder)]
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no mount")
    if done.returncode:
        pytest.skip(f"nothing can be mounted here: {done.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITING)
def test_a_full_disk_costs_nothing_that_was_there(name: str, small_disk: Path) -> None:
    case, folder = case_of(name), base(small_disk / "project")
    case.prepare(folder)
    old = tree(folder)
    ballast = folder.parent / "ballast"
    with contextlib.suppress(OSError), ballast.open("wb", buffering=0) as stream:
        while stream.write(b"\0" * 4096):
            pass  # until it is full
    refused(run(folder, *case.words), case.unwritten)
    assert tree(folder) == old
    ballast.unlink()
    assert run(folder, *case.words).returncode in case.whole
    note("full disk", name, 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITING)
def test_a_read_only_folder_is_named(name: str, tmp_path: Path) -> None:
    case, folder = case_of(name), base(tmp_path / "project")
    case.prepare(folder)
    old = tree(folder)
    if os.geteuid() != 0:
        pytest.skip("only root can mount a folder read-only, and root ignores modes")
    bind = ["mount", "--bind", str(folder), str(folder)]
    if subprocess.run(bind, capture_output=True, check=False).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        subprocess.run(["mount", "-o", "remount,ro,bind", str(folder)], check=True)
        refused(run(folder, *case.words), case.unwritten)
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
    assert tree(folder) == old
    note("read-only folder", name, 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["supersede", "fix", "import", "index"])
def test_two_at_once_leave_what_one_leaves(name: str, tmp_path: Path) -> None:
    case, start = case_of(name), base(tmp_path / "start")
    case.prepare(start)
    alone = shutil.copytree(start, tmp_path / "alone")
    assert run(alone, *case.words).returncode == 0
    wanted = case.look(alone)
    both = shutil.copytree(start, tmp_path / "both")
    words = [str(KB), *case.words]
    running = [
        subprocess.Popen(words, cwd=both, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
        for _ in range(2)
    ]
    told = [process.communicate()[1] for process in running]
    assert not any(b"Traceback" in text for text in told), told
    assert {process.returncode for process in running} <= {0, *case.again, 2}
    assert any(process.returncode == 0 for process in running)
    assert case.look(both) == wanted
    note("two at once", name, 1)


@pytest.mark.slow
def test_two_measurements_at_once_make_two_records(tmp_path: Path) -> None:
    """Each with its own compiled text, though both may end in one second."""
    folder = base(tmp_path / "project")
    words = [str(KB), *MEASURE]
    running = [subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL) for _ in range(2)]
    assert {process.wait() for process in running} <= {0, 1}
    assert () in measured(folder).values()
    names = [path.name for path in (folder / "evidence").glob("matmul-64-*.json")]
    assert len(names) == 2
    note("two at once", "measure", 1)


CLOCK = """\
import datetime, os, time
real, begun = time.time, time.time()
def jumped():
    now = real()
    return now + (float(os.environ["JUMP"]) if now > begun + 1 else 0)
time.time, time.time_ns = jumped, lambda: int(jumped() * 1e9)
class Clock(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(jumped(), tz)
datetime.datetime = Clock
"""
"""Python reads this file at its start: a second later the clock of the day jumps."""


@pytest.mark.slow
@pytest.mark.parametrize("jump", [-86_400.0, 315_360_000.0], ids=["a day back", "ten years on"])
def test_a_clock_that_jumps_while_measuring_spoils_no_duration(jump: float, tmp_path: Path) -> None:
    folder = base(tmp_path / "project")
    (tmp_path / "clock").mkdir()
    (tmp_path / "clock" / "sitecustomize.py").write_text(CLOCK, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "clock"), "JUMP": str(jump)}
    begun = datetime.datetime.now(tz=datetime.UTC)
    done = subprocess.run(
        [KB, *MEASURE], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 1), done.stderr
    (path,) = (folder / "evidence").glob("matmul-64-*.json")
    record = parse(path.read_text("utf-8"))
    assert disagreements(record) == ()
    assert all(0 <= stage.seconds < 600 for stage in record.stages)
    assert all(0 < s < 600 for seen in record.measurements for s in seen.samples)
    told = datetime.datetime.fromisoformat(record.created)
    possible = (begun, begun + datetime.timedelta(seconds=jump))
    assert min(abs(told - moment) for moment in possible) < datetime.timedelta(minutes=10)
    if jump < 0:
        assert run(folder, "check").returncode == 0
    note("clock", "measure", 1)


@pytest.mark.slow
def test_a_clock_that_jumps_loses_nothing(tmp_path: Path) -> None:
    """Files from the future, and files of 1980, are judged like any other."""
    folder = base(tmp_path / "project")
    first = run(folder, "check", "--format", "json")
    for seconds in (4_000_000_000, 315_532_800):
        for path in folder.rglob("*"):
            os.utime(path, (seconds, seconds))
        again = run(folder, "check", "--format", "json")
        assert (again.returncode, again.stdout) == (first.returncode, first.stdout)
    spec = folder / "specs/bolt/bolt-b8.yml"
    spec.write_text(spec.read_text("utf-8").replace("product: ", "produkt: "), encoding="utf-8")
    os.utime(spec, (315_532_800, 315_532_800))
    assert run(folder, "check").returncode == 1, "an older date hides no change"
    note("clock", "check", 3)


@pytest.mark.slow
def test_an_edited_record_is_caught_wherever_it_is_edited() -> None:
    """A digit of the record changed, or its end cut off: an error, never a sound record."""
    text = base_files()[EVIDENCE]
    digits = [at for at, char in enumerate(text) if char.isdecimal()][::9]
    for at in digits:
        changed = text[:at] + ("1" if text[at] != "1" else "2") + text[at + 1 :]
        found = judged(EVIDENCE, changed).findings
        assert any(item.mark.path == EVIDENCE for item in found), text[at - 30 : at + 5]
    cuts = range(0, len(text.rstrip()) - 1, len(text) // 40)
    for at in cuts:
        loaded = load_files({**base_files(), EVIDENCE: text[:at]})
        assert loaded.findings
        assert not loaded.corpus.evidence
    note("edited record", "evidence", len(digits) + len(cuts))
