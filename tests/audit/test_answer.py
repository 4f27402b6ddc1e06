"""The audit as a whole: counts, brackets, days by people, the layer table, what binds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kb.cli import COMMANDS, audit, parser
from kb.finding import CheckError
from kb.measure.audit.answer import Audit, Binds, Declined, layers
from kb.measure.audit.days import held_against, read
from kb.measure.audit.report import lines
from kb.measure.audit.source import Scan, scan
from kb.model.artefact import Artefact, Refusal, RefusalKind, parse

EVIDENCE = Path(__file__).resolve().parents[2] / "evidence"
KERNEL = "__global__ void scale(float* x) { }\n"


def record(stem: str) -> Artefact:
    path = next(EVIDENCE.glob(f"{stem}-*.json"))
    return parse(path.read_text(encoding="utf-8"))


def run(*words: str) -> int:
    if "audit" not in COMMANDS:
        pytest.skip("the command is not registered yet")
    return audit.run(parser("audit").parse_args(["audit", *words]))


def test_a_compiled_program_gives_a_bracket_and_no_single_share() -> None:
    seen = Audit("layer", (record("transformer-layer-hgx-b200"),))
    said = "\n".join(lines(seen))
    assert "library: contraction FLOPs 0.0% to 100.0%" in said
    assert "(compiled only)" in said
    assert seen.binds is Binds.FRAMEWORK


def test_a_hand_written_call_binds_the_compute_api() -> None:
    seen = Audit("call", (record("ffi-call-hgx-b200"),))
    (kernel,) = seen.kernels
    assert (kernel.name, kernel.where, kernel.sites) == ("kb_scale", "hgx-b200", 1)
    assert (kernel.gradient, kernel.sharding) == (False, False)
    assert seen.binds is Binds.COMPUTE_API
    assert "work that can't be seen from outside" in "\n".join(lines(seen))


def test_a_rejected_program_binds_too() -> None:
    seen = Audit("call", (record("ffi-call-tpu-v6e"), record("ffi-call-hgx-b200")))
    assert seen.binds is Binds.COMPUTE_API
    assert seen.counted == ("tpu-v6e 1 kernel at 1 place, rejected; hgx-b200 1 kernel at 1 place")


def test_a_kernel_that_both_compilers_take_is_counted_and_said_to_be_one_source() -> None:
    seen = Audit("sum", (record("pallas-add-tpu-v6e"), record("pallas-add-hgx-b200")))
    assert [(k.name, k.where) for k in seen.kernels] == [
        ("kernel", "tpu-v6e"),
        ("kernel", "hgx-b200"),
    ]
    assert {k.note for k in seen.kernels} == {
        "compiles for hgx-b200 and tpu-v6e: one source, tuned again"
    }
    alone = Audit("sum", (record("pallas-add-tpu-v6e"),))
    assert "one source" not in alone.kernels[0].note


def test_nothing_compiled_and_nothing_found_is_undetermined() -> None:
    seen = Audit("empty", (), Scan())
    assert seen.binds is Binds.UNDETERMINED
    assert "the source shows no hand-written kernel" in seen.binding


def test_where_nothing_was_looked_at_nothing_is_said_of_kernels() -> None:
    absent = Refusal(kind=RefusalKind.MISSING_WHEEL, message="jax is not installed", remedy="x")
    said = "\n".join(lines(Audit("ffi-call", declined=(Declined("tpu-v6e:2x4", absent),))))
    assert "hand-written kernel was found" not in said
    assert "the source shows" not in said
    assert "   not known: nothing was compiled and no source was given" in said
    assert "Undetermined: no program was compiled, and no source was given." in said


@pytest.mark.parametrize("name", ["some/file.json", "file.json", "/no/where"])
def test_a_path_that_is_not_there_is_no_workload(name: str) -> None:
    with pytest.raises(CheckError, match=f"There is no file or folder '{name}'"):
        run(name)


def test_every_layer_of_the_table_is_filled_in(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(KERNEL, encoding="utf-8")
    (tmp_path / "Dockerfile").write_text("FROM nvidia/cuda:13.0\n", encoding="utf-8")
    seen = Audit("both", (record("transformer-layer-hgx-b200"),), scan(tmp_path))
    found = {layer.layer: layer.found for layer in layers(seen)}
    assert len(found) == 5
    assert found["profiling, tooling and CI"] == "1 place"
    assert found["hand-written kernels and custom calls"] == (
        "hgx-b200 0 kernels at 0 places; source 1 kernel at 1 place"
    )
    assert "__cublas$lt$matmul" in found["library calls under XLA"]
    assert all(found.values())


DAYS = """
estimates:
  - {kernel: scale, low: 2, likely: 4, high: 9, by: A. Person, basis: ported a like one in 2025}
"""


def days(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "days.yml"
    path.write_text(text, encoding="utf-8")
    return path


def test_days_are_a_range_with_a_name_and_a_basis(tmp_path: Path) -> None:
    held = held_against(read(days(tmp_path, DAYS)), ["scale"])
    assert (held.low, held.high, held.complete) == (2, 9, True)


def test_a_kernel_without_an_estimate_leaves_no_total(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(KERNEL + KERNEL.replace("scale", "second"), encoding="utf-8")
    seen = Audit("tree", (), scan(tmp_path))
    held = held_against(read(days(tmp_path, DAYS)), seen.names)
    said = "\n".join(lines(Audit("tree", (), seen.scan, None, held)))
    assert "no total: nobody estimated second" in said
    assert "together" not in said


def test_without_a_person_no_days_are_given(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(KERNEL, encoding="utf-8")
    said = "\n".join(lines(Audit("tree", (), scan(tmp_path))))
    assert "A person has to say" in said


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("by: A. Person, ", "", "by"),
        ("basis: ported a like one in 2025", "basis: x", "basis"),
        ("high: 9", "high: 3", "not in order"),
        ("low: 2, likely: 4, high: 9", "low: 4, likely: 4, high: 4", "no estimate"),
        ("low: 2, ", "", "low"),
        ("estimates:", "estimated:", "estimates"),
    ],
)
def test_an_estimate_that_is_none_is_refused(tmp_path: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(CheckError, match=said) as caught:
        read(days(tmp_path, DAYS.replace(old, new)))
    assert "estimates:" in caught.value.remedy


def test_the_command_on_a_tree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "k.cu").write_text(KERNEL, encoding="utf-8")
    estimates = days(tmp_path, DAYS)
    assert run(str(tmp_path), "--days", str(estimates), "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert said["engineering_days"] == {"low": 2, "high": 9, "by": ["A. Person"]}
    assert said["binds"] == "compute_api"
    assert [each["sites"] for each in said["kernels_to_rewrite"]] == [1]


def test_the_command_on_a_record(capsys: pytest.CaptureFixture[str]) -> None:
    path = next(EVIDENCE.glob("transformer-layer-hgx-b200-*.json"))
    assert run(str(path)) == 0
    assert "binding decision: The framework binds" in capsys.readouterr().out


def test_what_is_neither_tree_nor_program_is_refused() -> None:
    with pytest.raises(CheckError, match="no compile workload"):
        run("no-such-thing")


def test_a_record_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(CheckError, match="no record of a compiled program"):
        run(str(path))
