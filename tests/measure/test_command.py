"""`kb measure` as a person or a pipe uses it, and what happens when it can't run."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from kb.cli import main
from kb.finding import CheckError
from kb.measure import WORKLOADS, Request, measure
from kb.measure.run.process import require_jax
from kb.model.evidence import parse
from kb.model.gates import disagreements, plain


def kb(*words: str) -> int:
    return main(["measure", *words])


def test_importing_the_room_loads_no_jax() -> None:
    code = "import kb.measure, kb.cli.measure, sys; print({'jax', 'numpy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_a_run_writes_a_sound_record_and_is_quiet_in_a_pipe(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = kb("run", "--out", str(tmp_path), "--max-seconds", "1", "--json")
    said = capsys.readouterr()
    assert said.err == ""
    answer = json.loads(said.out)
    record = parse(Path(answer["file"]).read_text(encoding="utf-8"))
    assert answer["schema_version"] == 1
    assert answer["record"] == plain(record)
    assert disagreements(record) == ()
    assert code == (0 if record.publishable else 1)
    assert record.command == "kb measure run matmul-512-f32 --samples 20 --max-seconds 1"


def test_too_few_samples_are_kept_and_labelled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--samples", "1", "--max-seconds", "0.001")
    assert kb("run", "softmax-512x1024-f32", "--out", str(tmp_path), *words) == 1
    assert "not publishable, enough_samples: 10 samples; 20 are needed." in capsys.readouterr().out
    assert len(list(tmp_path.glob("*.json"))) == 1


def test_the_list_names_every_workload(capsys: pytest.CaptureFixture[str]) -> None:
    assert kb("list") == 0
    said = capsys.readouterr().out
    assert all(name in said for name in WORKLOADS)
    assert kb("list", "--json") == 0
    rows = json.loads(capsys.readouterr().out)["workloads"]
    assert [row["id"] for row in rows] == list(WORKLOADS)


def test_the_device_says_how_far_it_speaks(capsys: pytest.CaptureFixture[str]) -> None:
    assert kb("device", "--json") == 0
    assert json.loads(capsys.readouterr().out)["device"]["product"] == "other"
    assert kb("device") == 0
    assert "can't support a statement" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "--shapes", "x.yml"), "Leave --shapes away"),
        (("run", "pkg:step"), "--shapes FILE"),
        (("run", "--peak", "918"), "--peak tpu-v6e/chip-peak-bf16=918e12"),
    ],
)
def test_a_mistake_is_answered_with_what_to_type(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert kb(*words) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("words", [("--samples", "0"), ("--max-seconds", "soon")])
def test_a_bad_number_is_refused_by_the_parser(
    words: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        kb("run", *words)
    assert stopped.value.code == 2
    assert f"type {words[0]} 20" in capsys.readouterr().err


def test_without_jax_the_remedy_is_to_install_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "jax", None)  # Python's own way to say: not installed
    with pytest.raises(CheckError):
        require_jax()
    assert kb("run") == 2
    assert "pip install 'CHECKOUT[jax]'" in capsys.readouterr().err
    assert kb("device") == 2


def test_a_backend_that_does_not_start_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAX_PLATFORMS", "abacus")
    with pytest.raises(CheckError, match="abacus") as caught:
        measure(Request("matmul-512-f32"))
    assert "\n" not in str(caught.value)
    assert caught.value.remedy


def test_records_go_to_the_evidence_folder_of_the_project(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.kb]\nevidence = "seen"\n', encoding="utf-8")
    words = ("measure", "run", "--samples", "1", "--max-seconds", "0.001")
    main(["--project", str(tmp_path), *words])
    assert {path.suffix for path in (tmp_path / "seen").iterdir()} == {".json", ".gz"}
    assert "wrote" in capsys.readouterr().out
