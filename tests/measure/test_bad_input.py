"""What goes wrong in a run ends with exit code 1, a word for its kind, and what to do about it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kb.cli import main
from kb.measure.study.matrix import STATE
from kb.model.evidence import parse
from kb.model.gates import disagreements

MODULE = """\
import jax.numpy as jnp


def step(x, w):
    return jnp.tanh(x @ w)


def stumbles(x, w):
    raise RuntimeError("no luck today")


def empty(x, w):
    return jnp.log(-jnp.abs(x)) @ w
"""
SHAPES = """\
id: dense-step
summary: One dense layer.
inputs:
  x: {shape: [16, 32], dtype: f32}
  w: {shape: [WIDE, 8], dtype: f32}
"""
QUICK = ("--samples", "10", "--max-seconds", "0.2", "--boundary", "warm_host")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a module of one's own and two files of shapes."""
    (tmp_path / "mine.py").write_text(MODULE, encoding="utf-8")
    for name, wide in (("fits", "32"), ("misfits", "31")):
        text = SHAPES.replace("WIDE", wide)
        (tmp_path / f"{name}.yml").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def failed(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[str, str]:
    """Kind and message of a command that ends with 1, in JSON and on the terminal alike."""
    assert main(["measure", *words, "--out", "out", "--json"]) == 1
    said = capsys.readouterr()
    failure = json.loads(said.out)["failure"]
    assert said.err.startswith(f"error: {failure['kind']}: {failure['message']}\n  fix: ")
    assert "Traceback" not in said.err
    assert failure["remedy"]
    assert not list(Path("out").glob("*.json"))
    return failure["kind"], failure["message"]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "words",
    [("run", "matmall-64-f32"), ("run", "matmul-64"), ("ab", "matmul-64-f32", "matmall")],
    ids=" ".join,
)
def test_an_unknown_workload(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    kind, message = failed(capsys, *words)
    assert (kind, words[-1] in message) == ("unknown_workload", True)


@pytest.mark.usefixtures("folder")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("function", "shapes", "kind", "said"),
    [
        ("mine:stumbles", "fits", "callable_raised", "no luck today"),
        ("mine:step", "misfits", "wrong_shapes", "31"),
        ("mine:jump", "fits", "unknown_workload", "jump"),
        ("theirs:step", "fits", "unknown_workload", "theirs"),
    ],
)
def test_a_function_of_ones_own_that_fails(
    function: str, shapes: str, kind: str, said: str,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    found, message = failed(capsys, "run", function, "--shapes", f"{shapes}.yml", *QUICK)
    assert found == kind
    assert said in message


@pytest.mark.usefixtures("folder")
@pytest.mark.slow
@pytest.mark.parametrize("words", [("run", *QUICK), ("ab", "matmul-64-f32", "matmul-64-f32")],
                         ids=["run", "ab"])  # fmt: skip
def test_a_device_that_is_not_there(
    words: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setenv("JAX_PLATFORMS", "abacus")
    kind, message = failed(capsys, *words)
    assert (kind, "abacus" in message) == ("no_device", True)


@pytest.mark.slow
def test_a_result_that_is_no_number_is_kept_as_failing(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("run", "mine:empty", "--shapes", "fits.yml", *QUICK, "--out", "out")
    assert main(["measure", *words]) == 1
    assert "not publishable" in capsys.readouterr().out
    (path,) = (folder / "out").glob("*.json")
    record = parse(path.read_text(encoding="utf-8"))
    assert not record.correctness.passed
    assert record.correctness.nan_count == 16 * 8


@pytest.mark.slow
def test_a_function_of_ones_own_from_the_command_to_the_record(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("run", "mine:step", "--shapes", "fits.yml", *QUICK, "--out", "out", "--json")
    code = main(["measure", *words])
    record = parse((folder / json.loads(capsys.readouterr().out)["file"]).read_text("utf-8"))
    assert code == (0 if record.publishable else 1)
    assert disagreements(record) == ()
    assert record.workload.id == "dense-step"
    assert record.workload.function == "mine.step"
    assert [each.shape for each in record.workload.inputs] == [(16, 32), (32, 8)]
    assert record.correctness.passed
    assert record.compiled is not None
    assert record.command.startswith("kb measure run mine:step --shapes fits.yml --boundary")
    assert (folder / "out" / record.compiled.hlo.file).is_file()


@pytest.mark.slow
def test_a_sweep_that_is_killed_loses_at_most_the_running_cell(folder: Path) -> None:
    text = "matrix: three\nworkloads: {matmul: [16, 24, 32]}\nsamples: 10\nmax_seconds: 0.05\n"
    (folder / "three.yml").write_text(text, encoding="utf-8")
    start = "from kb.cli import main; raise SystemExit(main())"
    words = [sys.executable, "-c", start, "measure", "sweep", "three.yml", "--out", "out", "--json"]
    first = subprocess.Popen(words, stdout=subprocess.DEVNULL, start_new_session=True)
    try:
        done = finished(folder, at_least=1)
    finally:
        os.killpg(first.pid, signal.SIGKILL)
    assert first.wait() == -signal.SIGKILL
    before = {path: path.stat().st_mtime_ns for path in finished(folder)}
    assert len(before) in (1, 2)
    assert set(done) <= set(before)
    second = subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)
    answer = json.loads(second.stdout)
    assert answer["kept"] == len(before)
    assert [cell["cell"] for cell in answer["cells"]] == [f"matmul-{n}-f32" for n in (16, 24, 32)]
    assert [cell["kind"] for cell in answer["cells"]] == [None] * 3
    assert {path: path.stat().st_mtime_ns for path in before} == before
    for cell in answer["cells"]:
        assert disagreements(parse((folder / cell["file"]).read_text("utf-8"))) == ()


def finished(folder: Path, at_least: int = 0) -> list[Path]:
    """What the sweep remembers, and the records that go with it, once there are so many."""
    until = time.monotonic() + 120
    while time.monotonic() < until:
        states = list((folder / "out" / STATE).rglob("*.json"))
        if len(states) >= at_least:
            return states
        time.sleep(0.05)
    raise AssertionError(f"no cell was finished within 120 seconds in {folder}")
