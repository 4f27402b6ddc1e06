"""The committed records: sound, reproducible from their texts, and silent about speed."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from pathlib import Path

import pytest

from kb.cli import main
from kb.home import project_at
from kb.load import load, load_files
from kb.measure.compile import description
from kb.measure.compile.hlo import parse as read_hlo
from kb.measure.compile.inventory import Setting, take
from kb.measure.compile.program import bundled
from kb.measure.compile.record import unpack
from kb.measure.compile.report import lines
from kb.model.artefact import CANNOT, Artefact, hash_of, parse
from kb.model.evidence import Evidence
from kb.model.evidence import parse as parse_run
from kb.model.share import GROUPS, memory_verdict, shares
from kb.model.side import HOLDS_NO_TIME, NOT_RECORDED, says_not, side
from kb.model.sidebyside import differences, text
from kb.pages.artefact import artefact_pages

EVIDENCE = Path(__file__).resolve().parents[2] / "evidence"
PATHS = sorted(
    path
    for path in EVIDENCE.glob("*.json")
    if {"program", "variants"} <= set(json.loads(path.read_text("utf-8")))
)
each_record = pytest.mark.parametrize("path", PATHS, ids=[path.stem for path in PATHS])

SPEED = re.compile(
    r"\b(?:faster|slower|speed-?up|latency|throughput|FLOP/s|TFLOPS|tokens?/s|"
    r"\d\s?(?:ms|µs|GB/s))\b",
    re.I,
)


def opened(path: Path) -> Artefact:
    return parse(path.read_text(encoding="utf-8"))


def named(stem: str) -> Artefact:
    return opened(next(path for path in PATHS if path.stem.startswith(stem)))


@each_record
def test_the_content_gives_the_hash(path: Path) -> None:
    record = opened(path)
    assert record.content_hash == hash_of(record)
    assert record.id == path.stem


@each_record
def test_the_stored_text_gives_the_stored_inventory(path: Path) -> None:
    record = opened(path)
    platform = "tpu" if record.target.product == "tpu-v6e" else "gpu"
    for variant in record.variants:
        stored = unpack(record, variant, EVIDENCE)
        assert stored is not None
        assert hashlib.sha256(stored.encode()).hexdigest() == variant.hlo.sha256
        module = read_hlo(stored)
        assert (module.instructions, len(module.unparsed)) == (
            variant.hlo.instructions,
            variant.hlo.unparsed,
        )
        found = take(module, Setting(platform, record.target.devices, tuned_by_timing=False))
        assert found.collectives == variant.collectives
        assert [(k.name, k.flops, k.bytes) for k in found.kernels] == [
            (k.name, k.flops, k.bytes) for k in variant.kernels
        ]


@each_record
def test_no_path_or_host_is_in_a_record_or_its_text(path: Path) -> None:
    raw = path.read_text(encoding="utf-8")
    texts = [gzip.decompress(p.read_bytes()).decode() for p in path.parent.glob(f"{path.stem}-*")]
    for each in (raw, *texts):
        assert not re.search(r'"/(?:home|root|tmp|work|usr|opt)\b', each)
        assert "FileNames" not in each


@each_record
def test_nothing_that_is_said_about_it_speaks_of_speed(path: Path) -> None:
    record = opened(path)
    corpus = load_files({f"evidence/{path.name}": path.read_text("utf-8")}).corpus
    pages = artefact_pages(corpus)
    said = "\n".join([*lines(record), *(v for k, v in pages.items() if k.endswith(".md"))])
    said = said.replace("It holds no time, no rate and no winner", "")
    assert not SPEED.search(said)


@each_record
def test_shares_are_shares(path: Path) -> None:
    record = opened(path)
    for group in GROUPS:
        low, high = shares(record, group)
        assert 0 <= low <= high <= 1


def test_there_is_a_record_of_every_bundled_program_for_both_products() -> None:
    seen = {(opened(path).program.id, opened(path).target.product) for path in PATHS}
    assert seen >= {(name, product) for name in bundled() for product in ("tpu-v6e", "hgx-b200")}


def test_the_layer_is_one_program_for_both() -> None:
    left, right = named("transformer-layer-tpu"), named("transformer-layer-hgx")
    assert left.program.jaxpr_sha256 == right.program.jaxpr_sha256
    assert left.program.stablehlo_sha256 == right.program.stablehlo_sha256
    b, t, d, f = 8, 2048, 4096, 16384
    by_hand = 2 * b * t * d * d * 4 + 2 * b * t * t * d * 2 + 2 * b * t * d * f * 2
    assert left.program.flops.contraction == by_hand
    done = sum(k.flops or 0 for k in right.variants[0].kernels) * right.target.devices
    assert done == by_hand


def test_the_bracket_is_reported_and_not_its_middle() -> None:
    right = named("transformer-layer-hgx")
    assert [v.name for v in right.variants] == ["default", "library_gemm"]
    assert shares(right, "library") == (0.0, 1.0)
    assert any("0.0% to 100.0%" in line for line in lines(right))


def test_a_loop_over_layers_is_counted_eight_times_on_both() -> None:
    for stem in ("mlp-stack-tpu", "mlp-stack-hgx"):
        record = named(stem)
        work = sum(k.flops or 0 for k in record.variants[0].kernels) * record.target.devices
        assert work == record.program.flops.contraction
        assert sum(c.executions for c in record.variants[0].collectives) == 8


def test_the_hand_written_call_is_counted_on_one_side_and_rejected_on_the_other() -> None:
    gpu, tpu = named("ffi-call-hgx"), named("ffi-call-tpu")
    kinds = [k.kind for k in gpu.variants[0].kernels if k.kernel_class == "hand_written"]
    assert kinds == ["kb_scale"]
    assert tpu.refusal is not None
    assert (tpu.refusal.kind, "kb_scale" in tpu.refusal.message) == ("rejected", True)


def test_what_fits_nowhere_is_refused_by_one_and_by_arithmetic_on_the_other() -> None:
    tpu, gpu = named("too-large-tpu"), named("too-large-hgx")
    assert tpu.refusal is not None
    assert tpu.refusal.limit_bytes == 33_554_432_000
    assert gpu.refusal is None
    assert [memory_verdict(each).word for each in (tpu, gpu)] == ["does_not_fit"] * 2


def test_what_a_compiler_rejects_for_another_reason_says_nothing_about_memory() -> None:
    assert memory_verdict(named("ffi-call-tpu")).word == "undetermined"


def test_every_compiled_record_is_used_by_a_decision() -> None:
    cited = {
        name
        for entry in load(project_at(EVIDENCE.parent)).corpus.decisions.values()
        for name in entry.value.evidence
    }
    assert {path.stem for path in PATHS} <= cited


def test_a_target_without_a_device_holds_its_description_or_the_compiler_that_does() -> None:
    for path in PATHS:
        target = opened(path).target
        if target.product == "tpu-v6e":
            assert (target.description_text, target.description_sha256) == (None, None)
            assert "libtpu" in opened(path).versions
        else:
            assert target.description_text == description.BUNDLED.read_text("utf-8")


def test_the_layouts_of_the_inputs_are_kept() -> None:
    left, right = named("matmul-8192-tpu"), named("matmul-8192-hgx")
    assert left.variants[0].input_layouts == ("bf16[8192,8192]{1,0:T(8,128)(2,1)}",) * 2
    assert right.variants[0].input_layouts == ("bf16[8192,8192]{1,0}",) * 2


def test_side_by_side_says_what_remains_and_what_changes() -> None:
    left, right = named("transformer-layer-tpu"), named("transformer-layer-hgx")
    rows = {row.what: row for row in differences(left, right)}
    assert rows["program (jaxpr)"].same
    assert rows["wire bytes of one device"].same
    assert rows["work against the program's own"].right == "+0.00%"
    assert not rows["inputs not laid out row-major"].same
    assert all(row.same for row in differences(left, left))
    assert text(list(rows.values()), says_not(left, right)).splitlines()[-1] == CANNOT


def executed() -> Evidence:
    """A record of a run that keeps what the compiler made."""
    path = next(EVIDENCE.glob("softmax-512x1024-f32-cpu-*.json"))
    return parse_run(path.read_text(encoding="utf-8"))


def test_what_ran_stands_beside_what_was_only_compiled() -> None:
    ran, target = executed(), named("matmul-8192-hgx")
    assert ran.compiled is not None
    rows = {row.what: row for row in differences(target, ran)}
    assert (rows["ran"].left, rows["ran"].right) == ("no, compiled only", "yes")
    assert rows["kernels"].right == str(len(ran.compiled.kernels))
    assert rows["memory, argument"].right == f"{ran.compiled.plan.argument:,} B"
    assert rows["target"].right == "other, 1 x cpu"
    assert rows["collectives asked for"].right == NOT_RECORDED
    assert rows["memory against capacity"].right == "fits"
    assert "undetermined" in rows["program (jaxpr)"].note
    assert says_not(target, ran) == HOLDS_NO_TIME
    assert "ran" in {row.what for row in differences(ran, ran)}
    assert all(row.same for row in differences(ran, ran))


def test_the_lowered_program_tells_that_a_run_and_a_compilation_are_of_one() -> None:
    ran, target = executed(), named("matmul-8192-hgx")
    digest = ran.workload.stablehlo_sha256
    program = target.program.model_copy(update={"stablehlo_sha256": digest})
    rows = differences(ran, target.model_copy(update={"program": program}))
    assert next(r.note for r in rows if "jaxpr" in r.what) == "the same lowered program"


def test_a_run_without_its_compilation_is_no_side() -> None:
    with pytest.raises(ValueError, match="holds no compilation"):
        side(executed().model_copy(update={"compiled": None}))


def test_the_command_sets_a_run_beside_a_compilation(capsys: pytest.CaptureFixture[str]) -> None:
    project = ("--project", str(EVIDENCE.parent))
    left, right = executed().id, named("matmul-8192-tpu").id
    assert main([*project, "measure", "diff", left, right]) == 0
    said = capsys.readouterr().out
    assert "≠ ran\n    left:  yes\n    right: no, compiled only" in said
    assert said.strip().endswith(HOLDS_NO_TIME)
    assert main([*project, "measure", "diff", left, "matmul-512-f32-cpu-20261130-1"]) == 2
    assert "Measure it again" in capsys.readouterr().err


def test_two_programs_are_said_to_be_two() -> None:
    rows = differences(named("matmul-8192-tpu"), named("mlp-stack-tpu"))
    note = next(row.note for row in rows if row.what == "program (jaxpr)")
    assert "two programs" in note


def test_an_altered_record_is_found_out() -> None:
    data = json.loads(PATHS[0].read_text(encoding="utf-8"))
    data["program"]["function"] = "another:function"
    loaded = load_files({f"evidence/{PATHS[0].name}": json.dumps(data)})
    assert [finding.rule for finding in loaded.findings] == ["evidence-hash-mismatch"]


def test_a_compiled_record_with_a_time_in_it_is_refused() -> None:
    data = json.loads(PATHS[0].read_text(encoding="utf-8"))
    data["measurements"] = []
    loaded = load_files({f"evidence/{PATHS[0].name}": json.dumps(data)})
    assert "unknown-field" in {finding.rule for finding in loaded.findings}


def test_one_traced_program_may_be_lowered_in_two_ways_and_that_is_said() -> None:
    left, right = named("transformer-gradient-tpu"), named("transformer-gradient-hgx")
    assert left.program.jaxpr_sha256 == right.program.jaxpr_sha256
    rows = {row.what: row for row in differences(left, right)}
    lowered = rows["lowered program (StableHLO)"]
    assert (lowered.same, lowered.note) == (
        False,
        "JAX's own lowering rules differ between these platforms",
    )


@pytest.mark.parametrize("path", sorted(EVIDENCE.glob("*.gz")), ids=lambda path: path.name)
def test_no_stored_text_names_a_folder_of_a_machine(path: Path) -> None:
    text = gzip.decompress(path.read_bytes()).decode()
    assert not re.search(r"/(?:home|root|tmp|work|Users)/", text)
