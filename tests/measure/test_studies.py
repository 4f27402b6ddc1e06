"""Studies as real processes make them, and what happens when one is altered."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from kb.cli import main
from kb.load import load_files
from kb.measure.study.buckets import POLICIES, lengths
from kb.measure.study.process import forced
from kb.model.measurement import Interval
from kb.model.study import Study, Verdict, decide, disagreements, parse, sealed


def run(folder: Path, *words: str) -> Study:
    """One study through the command, in a folder that holds nothing else."""
    folder.mkdir()
    assert main(["measure", *words, "--out", str(folder)]) == 0
    return parse(next(folder.glob("*.json")).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def lessons(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return run(tmp_path_factory.mktemp("studies") / "lessons", "retrace")


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Study:
    folder = tmp_path_factory.mktemp("studies") / "pair"
    words = ("matmul-64-f32", "matmul-192-f32", "--vary", "shapes", "--max-seconds", "3")
    return run(folder, "ab", *words)


def test_every_lesson_shows_its_fault(lessons: Study) -> None:
    assert lessons.sound, lessons.checks
    traces = {name: f.value for name, f in lessons.values().items() if name.endswith("_traces")}
    assert traces == {
        "jit_in_the_loop_traces": 8,
        "jit_outside_traces": 1,
        "static_value_traces": 8,
        "traced_value_traces": 1,
        "new_shapes_traces": 8,
        "weak_types_traces": 2,
        "lax_cond_traces": 1,
    }
    assert lessons.values()["side_effects"].value == 1


def test_padding_buys_fewer_compilations(tmp_path: Path) -> None:
    asked = tmp_path / "lengths.txt"
    asked.write_text("5\n70\n6\n5\n\n130\n", encoding="utf-8")
    study = run(tmp_path / "out", "bucket", "--lengths", str(asked), "--passes", "1")
    counted = {name: study.values()[f"{name}_compilations"].value for name in POLICIES}
    assert counted == {"exact": 4, "steps_of_64": 3, "powers_of_two": 3, "longest": 1}
    assert study.values()["exact_padding"].value == 0
    assert study.values()["longest_padding"].value == pytest.approx(1 - 216 / (5 * 130))


def test_a_larger_product_is_slower_and_the_rounds_say_so(pair: Study) -> None:
    assert pair.sound, pair.checks
    assert pair.pair is not None
    assert (pair.pair.verdict, pair.pair.varied) == (Verdict.SLOWER, "shapes")
    assert pair.controlled["program"] == "kb.measure.kernels:matmul"
    sides = {each.name: each for each in pair.series}
    assert len(sides["first"].samples) == len(sides["second"].samples) >= 40
    assert list(disagreements(pair)) == []


def altered(study: Study, **changes: object) -> Study:
    return sealed(study.model_copy(update=changes))


def test_an_altered_study_contradicts_itself(pair: Study) -> None:
    assert pair.pair is not None
    wrong = pair.pair.model_copy(update={"verdict": Verdict.FASTER})
    assert [route for route, _ in disagreements(altered(pair, pair=wrong))] == [("pair", "verdict")]
    faster = pair.series[1].model_copy(update={"samples": pair.series[1].samples[::-1]})
    moved = altered(pair, series=(pair.series[0], faster, *pair.series[2:]))
    assert ("figures",) in [route for route, _ in disagreements(moved)]
    unsealed = pair.model_copy(update={"command": "kb measure ab a b"})
    assert [route for route, _ in disagreements(unsealed)] == [("content_hash",)]


def test_a_loaded_study_is_judged_like_any_record(pair: Study) -> None:
    text = pair.model_copy(update={"command": "kb measure ab a b"}).model_dump_json()
    loaded = load_files({f"evidence/{pair.id}.json": text})
    assert [finding.rule for finding in loaded.findings] == ["evidence-hash-mismatch"]
    assert pair.id in loaded.corpus.studies


@pytest.mark.parametrize(
    ("low", "high", "ratio", "verdict"),
    [
        (0.99, 1.01, 1.0, Verdict.EQUIVALENT),
        (1.04, 1.06, 1.05, Verdict.SLOWER),
        (0.93, 0.96, 0.95, Verdict.FASTER),
        (1.001, 1.06, 1.02, Verdict.UNDECIDED),  # leaves out 1, but is within the margin
        (0.97, 1.08, 1.04, Verdict.UNDECIDED),  # beyond the margin, but 1 is possible
        (0.96, 1.02, 0.99, Verdict.UNDECIDED),
    ],
)
def test_a_verdict_needs_interval_and_margin(
    low: float, high: float, ratio: float, verdict: Verdict
) -> None:
    span = Interval(method="percentile_bootstrap", level=0.95, coverage=0.95, low=low, high=high)
    assert decide(span, ratio, 0.03) is verdict


def test_a_pair_that_differs_in_two_things_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["measure", "ab", "matmul-64-f32", "softmax-64x32-f32", "--out", str(tmp_path)]
    assert main(words) == 2
    assert "differ in program and shapes" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_collectives_on_forced_devices_are_right_and_say_functional_only(
    tmp_path: Path,
) -> None:
    words = ("collectives", "--devices", "4", "--sizes", "4KiB", "--samples", "3")
    study = run(tmp_path / "out", *words)
    assert study.functional_only
    assert study.sound, study.checks
    assert study.device.count == 4
    one = {each.name: each for each in study.series}["all_reduce_4096"]
    assert one.median is not None
    values = study.values()
    assert values["all_reduce_4096_algbw"].value == pytest.approx(4096 / one.median)
    bus, factor = values["all_reduce_4096_busbw"].value, 2 * 3 / 4
    assert bus == pytest.approx(values["all_reduce_4096_algbw"].value * factor)
    assert "one direction" in study.controlled["convention"]


@pytest.mark.parametrize("mode", ["strong", "weak"])
def test_scaling_keeps_the_work_of_the_step_or_of_the_device(tmp_path: Path, mode: str) -> None:
    small = ("--batch", "64", "--width", "32", "--devices", "4", "--samples", "3")
    study = run(tmp_path / "out", "scale", mode, *small)
    assert study.sound, study.checks
    facts = [each.facts for each in study.series]
    assert [each["devices"] for each in facts] == [1, 2, 4]
    wanted = [64, 64, 64] if mode == "strong" else [64, 128, 256]
    assert [each["batch"] for each in facts] == wanted
    assert facts[0]["collectives"] == "none"
    assert "all-reduce" in str(facts[2]["collectives"])
    assert ("speedup_4" in study.values()) == (mode == "strong")


@pytest.mark.slow
def test_two_processes_find_each_other_and_the_slowest_counts(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    variables = {
        **os.environ,
        "JAX_PLATFORMS": "cpu",
        "JAX_CPU_COLLECTIVES_IMPLEMENTATION": "gloo",
        "XLA_FLAGS": forced(2),
    }
    start = "from kb.cli import main; raise SystemExit(main())"
    words = [sys.executable, "-c", start, "measure", "collectives", "--kind", "all_reduce"]
    words += ["--sizes", "4KiB", "--samples", "3", "--out", str(tmp_path), "--json"]
    words += ["--coordinator", f"127.0.0.1:{port}", "--processes", "2", "--process"]
    started = [
        subprocess.Popen(
            [*words, str(index)], env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True,
        )
        for index in range(2)
    ]  # fmt: skip
    said = [each.communicate(timeout=120) for each in started]
    assert [each.returncode for each in started] == [0, 0], said
    study = parse(json.dumps(json.loads(said[0][0])["study"]))
    assert said[1][0] == ""
    assert len(list(tmp_path.glob("*.json"))) == 1
    assert study.sound, study.checks
    assert study.device.count == 4
    assert study.series[0].facts["processes"] == 2


def test_made_up_lengths_are_the_same_every_time() -> None:
    assert lengths(60, 1024) == lengths(60, 1024)
    assert len(set(lengths(60, 1024))) > 40
    assert max(lengths(60, 64)) <= 64
