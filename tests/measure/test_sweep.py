"""A matrix of workloads: what is in it, that nothing is measured twice, and what a kill leaves."""

import errno
import json
import os
from pathlib import Path

import pytest

from kb.cli import main
from kb.finding import CheckError
from kb.measure.run.failure import Failed, FailureKind
from kb.measure.study.matrix import STATE, Done, Progress, cells, read
from kb.writing import replace_file

TEXT = """
matrix: small
workloads:
  matmul: [16, [8, 16, 4]]
  softmax: [[4, 8]]
formats: [f32, bf16]
precision: [default, bfloat16]
samples: 10
max_seconds: 0.05
"""


def matrix_file(folder: Path, text: str = TEXT) -> Path:
    path = folder / "matrix.yml"
    path.write_text(text, encoding="utf-8")
    return path


def test_every_combination_is_a_cell_but_a_policy_that_changes_nothing(tmp_path: Path) -> None:
    found = [cell.id for cell in cells(read(matrix_file(tmp_path)))]
    assert found == [
        "matmul-16-f32",
        "matmul-16-f32-bfloat16",
        "matmul-16-bf16",
        "matmul-8x16x4-f32",
        "matmul-8x16x4-f32-bfloat16",
        "matmul-8x16x4-bf16",
        "softmax-4x8-f32",
        "softmax-4x8-bf16",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("matrix: small\n", "workloads"),
        ("matrix: small\nworkloads: {matmal: [1]}\n", "matmal"),
        ("matrix: small\nworkloads: {matmul: [[1, 2]]}\n", "m, k, n"),
        ("matrix: small\nworkloads: {matmul: [0]}\n", "above zero"),
        ("matrix: small\nworkloads: {matmul: [4]}\nformats: [f7]\n", "f7"),
        ("matrix: small\nworkloads: {matmul: []}\n", "at least one"),
        ("matrix: [", "can't be read"),
    ],
)
def test_a_wrong_matrix_is_refused_with_what_is_wrong(
    tmp_path: Path, text: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = matrix_file(tmp_path, text)
    with pytest.raises(CheckError) as caught:
        read(path)
    assert said in f"{caught.value} {caught.value.remedy}"
    assert main(["measure", "sweep", str(path), "--out", str(tmp_path)]) == 2
    assert "matrix.yml" in capsys.readouterr().err


def test_what_is_finished_is_never_measured_again(tmp_path: Path) -> None:
    matrix = read(matrix_file(tmp_path))
    first, second, third = list(cells(matrix))[:3]
    state = Progress(matrix, "here", tmp_path)
    (tmp_path / "one.json").write_text("{}", encoding="utf-8")
    state.note(first, Done("one.json", publishable=True, median=1e-3))
    failed = Done(None, publishable=False, median=None, kind="timed_out", message="too slow")
    state.note(second, failed)
    again = Progress(matrix, "here", tmp_path)
    assert again.done(first) == Done("one.json", publishable=True, median=1e-3)
    assert again.done(second) == failed
    assert again.done(third) is None
    assert Progress(matrix, "another version", tmp_path).done(first) is None
    (tmp_path / "one.json").unlink()
    assert again.done(first) is None


def test_half_a_state_file_is_a_cell_that_is_not_done(tmp_path: Path) -> None:
    matrix = read(matrix_file(tmp_path))
    state, cell = Progress(matrix, "here", tmp_path), next(cells(matrix))
    state.note(cell, Done(None, publishable=False, median=None, kind="killed", message="-9"))
    path = next((tmp_path / STATE).rglob("*.json"))
    path.write_text(path.read_text(encoding="utf-8")[:10], encoding="utf-8")
    assert state.done(cell) is None


def test_a_write_that_fails_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kept.json"
    path.write_text("whole", encoding="utf-8")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)  # where a full disk shows at the latest
    with pytest.raises(OSError, match="No space left"):
        replace_file(path, b"new")
    assert path.read_text(encoding="utf-8") == "whole"
    assert [each.name for each in tmp_path.iterdir()] == ["kept.json"]


def test_a_state_that_cannot_be_written_is_a_typed_failure(tmp_path: Path) -> None:
    matrix = read(matrix_file(tmp_path))
    (tmp_path / STATE).write_text("a file where a folder should be", encoding="utf-8")
    done = Done(None, publishable=False, median=None)
    with pytest.raises(Failed) as caught:
        Progress(matrix, "here", tmp_path).note(next(cells(matrix)), done)
    assert caught.value.kind is FailureKind.NOT_WRITTEN


@pytest.mark.slow
def test_a_sweep_goes_on_where_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "matrix: two\nworkloads: {matmul: [16, 24]}\nsamples: 10\nmax_seconds: 0.05\n"
    path, out = matrix_file(tmp_path, text), tmp_path / "out"
    code = main(["measure", "sweep", str(path), "--out", str(out), "--json"])
    first = json.loads(capsys.readouterr().out)
    # Whether so few samples are steady is up to the machine; the code says what the cells say.
    assert code == (0 if all(cell["publishable"] for cell in first["cells"]) else 1)
    assert first["kept"] == 0
    kept, lost = (out / Path(cell["file"]).name for cell in first["cells"])
    lost.unlink()
    before = kept.stat().st_mtime_ns
    main(["measure", "sweep", str(path), "--out", str(out), "--json"])
    assert json.loads(capsys.readouterr().out)["kept"] == 1
    assert kept.stat().st_mtime_ns == before
    assert len(list(out.glob("*.json"))) == 2
