"""The compilers themselves, where they are installed: programs, refusals, and the same again.

`KB_REQUIRE_AOT=1` turns every skip for a missing wheel into a failure.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from kb.cli import main
from kb.home import home
from kb.measure.compile.outcome import Outcome
from kb.measure.compile.process import Request, compile_for
from kb.measure.compile.program import find
from kb.measure.compile.targets import FAMILIES, target
from kb.model.artefact import Artefact, inventory_hash, parse

EVIDENCE = Path(__file__).resolve().parents[2] / "evidence"
BOTH = tuple(family.example for family in FAMILIES.values())

pytestmark = pytest.mark.slow


def compiled(workload: str, name: str, description: Path | None = None) -> Outcome:
    """The outcome, or a skip with the reason; `KB_REQUIRE_AOT=1` makes it a failure."""
    wanted = target(name)
    if wanted.family.missing:
        why = f"not installed: {', '.join(wanted.family.missing)}; {wanted.family.remedy}"
        if os.environ.get("KB_REQUIRE_AOT"):
            pytest.fail(why)
        pytest.skip(why)
    return compile_for(Request(find(workload, None), wanted, description))


def committed(workload: str, name: str) -> Artefact:
    stem = f"{workload}-{name.replace(':', '-')}-"
    path = max(EVIDENCE.glob(f"{stem}*.json"))
    return parse(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize("workload", ["mlp-stack", "collectives", "pallas-add"])
def test_what_is_committed_can_be_made_again(workload: str, name: str) -> None:
    outcome, known = compiled(workload, name), committed(workload, name)
    assert outcome.refusal is None
    if outcome.versions != known.versions:
        pytest.skip(f"other versions: {outcome.versions} here, {known.versions} committed")
    assert outcome.program == known.program
    assert outcome.target == known.target
    assert [inventory_hash(v) for v in outcome.variants] == [
        inventory_hash(v) for v in known.variants
    ]
    assert [v.hlo.sha256 for v in outcome.variants] == [v.hlo.sha256 for v in known.variants]


def test_the_tpu_compiler_names_its_limit() -> None:
    seen = compiled("too-large", "tpu-v6e:2x4").refusal
    assert seen is not None
    assert (seen.kind, seen.limit_bytes) == ("out_of_memory", 33_554_432_000)


def test_a_hand_written_call_is_rejected_on_a_tpu_with_a_reason() -> None:
    seen = compiled("ffi-call", "tpu-v6e:2x4").refusal
    assert seen is not None
    assert seen.kind == "rejected"
    assert "kb_scale" in seen.message


def test_a_topology_that_does_not_exist_is_refused() -> None:
    seen = compiled("matmul-8192", "tpu-v6e:3x3").refusal
    assert seen is not None
    assert seen.kind == "no_such_topology"
    assert "tpu-v6e:2x4" in seen.remedy


def test_two_processes_at_once_share_the_tpu_compiler() -> None:
    """By itself libtpu lets one process in, and the second dies over a lock file."""
    request = Request(find("matmul-8192", None), target("tpu-v6e:2x4"), None)
    if request.wanted.family.missing:
        compiled("matmul-8192", "tpu-v6e:2x4")  # skips, or fails where the wheels are required
    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(compile_for, [request, request]))
    assert [outcome.refusal for outcome in both] == [None, None]
    assert both[0].variants[0].hlo.sha256 == both[1].variants[0].hlo.sha256


@pytest.mark.parametrize(
    ("name", "package", "said"),
    [
        ("tpu-v6e:2x4", "libtpu", "libtpu 0.0.1 is installed"),
        ("hgx-b200:8", "jax-cuda13-plugin", "jax-cuda13-plugin 0.0.1"),
    ],
)
def test_a_wheel_of_another_version_is_a_typed_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, package: str, said: str
) -> None:
    if target(name).family.missing:
        compiled("matmul-8192", name)
    info = tmp_path / f"{package.replace('-', '_')}-0.0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 0.0.1\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    seen = compile_for(Request(find("matmul-8192", None), target(name), None)).refusal
    assert seen is not None
    assert (seen.kind, said in seen.message) == ("wrong_version", True)
    assert "pip install" in seen.remedy


def test_the_answers_of_the_command_fit_their_schema(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in BOTH:
        if target(name).family.missing:
            compiled("ffi-call", name)
    assert main(["measure", "compile", "ffi-call", "--out", str(tmp_path), "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    schema = json.loads((home() / "schemas/measure-compile-output.schema.json").read_text("utf-8"))
    assert [e.message for e in Draft202012Validator(schema).iter_errors(data)] == []
    assert [answer["refusal"] and answer["refusal"]["kind"] for answer in data["answers"]] == [
        "rejected",
        None,
    ]


def test_an_audit_of_a_program_compiles_it_for_both_and_counts_on_both(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in BOTH:
        if target(name).family.missing:
            compiled("pallas-add", name)
    assert main(["audit", "pallas-add", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [(k["name"], k["where"], k["gradient"]) for k in data["kernels_to_rewrite"]] == [
        ("kernel", "tpu-v6e", False),
        ("kernel", "hgx-b200", False),
    ]
    assert data["binds"] == "compute_api"


def test_the_command_of_the_guide_compiles_for_both(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = EVIDENCE.parent / "docs/guide/compiled-evidence.md"
    lines = re.findall(r"^\$ (kb measure compile .*)$", page.read_text("utf-8"), re.M)
    assert len(lines) == 1
    words = shlex.split(lines[0])[1:]
    for name in (words[i + 1] for i, word in enumerate(words) if word == "--target"):
        if target(name).family.missing:
            compiled("matmul-8192", name)
    assert main([*words, "--out", str(tmp_path)]) == 0
    assert "undecided without the device: 1 of 1" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["tpu-v6e:2x2", "hgx-b200:4"])
def test_a_mesh_that_does_not_cover_the_devices_is_refused(name: str) -> None:
    seen = compiled("collectives", name).refusal
    assert seen is not None
    assert seen.kind == "mesh_mismatch"


def test_an_empty_description_is_refused_though_xla_would_take_it(tmp_path: Path) -> None:
    empty = tmp_path / "empty.pbtxt"
    empty.write_text("", encoding="utf-8")
    seen = compiled("matmul-8192", "hgx-b200:1", empty).refusal
    assert seen is not None
    assert seen.kind == "bad_description"


def test_one_target_that_fails_leaves_the_other_and_nothing_is_lost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in BOTH:
        if target(name).family.missing:
            pytest.skip(f"not installed: {target(name).family.missing}")
    words = ["measure", "compile", "ffi-call", "--out", str(tmp_path)]
    assert main(words) == 1
    said = capsys.readouterr().out
    assert "rejected" in said
    assert "1 hand_written" in said
    assert len(list(tmp_path.glob("*.json"))) == 2


def test_a_users_own_function_is_compiled_from_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if target("hgx-b200:1").family.missing:
        pytest.skip(f"not installed: {target('hgx-b200:1').family.missing}")
    (tmp_path / "mine.py").write_text("def double(x):\n    return x @ x\n", encoding="utf-8")
    (tmp_path / "shapes.yml").write_text(
        "id: mine\nsummary: A product.\ninputs: {x: {shape: [256, 256], dtype: bf16}}\n",
        encoding="utf-8",
    )
    root = str(EVIDENCE.parent)
    monkeypatch.chdir(tmp_path)
    words = ["--project", root, "measure", "compile", "mine:double", "--shapes", "shapes.yml"]
    code = main([*words, "--target", "hgx-b200:1", "--out", str(tmp_path / "out")])
    assert code == 0, capsys.readouterr()
    (record,) = [parse(p.read_text("utf-8")) for p in (tmp_path / "out").glob("*.json")]
    assert record.program.flops.contraction == 2 * 256**3


def test_a_program_that_raises_is_a_typed_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = target("hgx-b200:1")
    if wanted.family.missing:
        pytest.skip(f"not installed: {wanted.family.missing}")
    (tmp_path / "broken.py").write_text("def f(a, b):\n    raise KeyError('no')\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    shapes = find("matmul-8192", None).model_copy(update={"function": "broken:f"})
    seen = compile_for(Request(shapes, wanted, None)).refusal
    assert seen is not None
    assert seen.kind == "tracing_failed"
    assert "KeyError" in seen.message


def test_a_compiler_that_takes_too_long_is_stopped() -> None:
    seen = compile_for(Request(find("matmul-8192", None), target(BOTH[0]), None, 0.01)).refusal
    assert seen is not None
    assert seen.kind == "timed_out"


def test_a_process_that_dies_is_a_typed_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    seen = compile_for(Request(find("matmul-8192", None), target(BOTH[0]), None)).refusal
    assert seen is not None
    assert seen.kind == "crashed"
    assert "exit code 1 while starting" in seen.message


def test_a_program_that_ends_the_process_is_a_typed_answer_that_names_the_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = target("hgx-b200:1")
    if wanted.family.missing:
        pytest.skip(f"not installed: {wanted.family.missing}")
    text = "import os, signal\ndef f(a, b):\n    os.kill(os.getpid(), signal.SIGSEGV)\n"
    (tmp_path / "fatal.py").write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    shapes = find("matmul-8192", None).model_copy(update={"function": "fatal:f"})
    seen = compile_for(Request(shapes, wanted, None)).refusal
    assert seen is not None
    assert (seen.kind, "signal 11 while tracing" in seen.message) == ("crashed", True)
