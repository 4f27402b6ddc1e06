"""Below HLO on a GPU, and what may stay in a stored text."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.finding import CheckError
from kb.measure.compile import description, ptx
from kb.measure.compile.redact import redacted

text = (Path(__file__).with_name("texts")).joinpath


def stored(name: str) -> str:
    return text(name).read_text(encoding="utf-8")


def test_matrix_instructions_are_read_from_ptx_and_not_from_names() -> None:
    found = ptx.matrix_instructions(stored("gemm_fusion_dot_13.ptx"))
    assert found == {"gemm_fusion_dot_13": {"mma.sync": 8}}
    forced = ptx.matrix_instructions(stored("tcgen05_excerpt.ptx"))
    assert forced == {"gemm_fusion_dot_general_1": {"tcgen05.mma": 8}}
    named = ".entry my_mma_gemm(\n) { ret; }"
    assert ptx.matrix_instructions(named) == {"my_mma_gemm": {}}


def test_the_architecture_is_read() -> None:
    assert ptx.architecture(stored("gemm_fusion_dot_13.ptx")) == "sm_100a"
    assert ptx.architecture("") is None


def test_registers_and_spills_from_the_assembler() -> None:
    found = ptx.assembled(stored("ptxas.txt"))
    assert found["gemm_fusion_dot_13"] == ptx.Assembled(36, 0, 0, 0)
    assert found["fusion_24"] == ptx.Assembled(32, 1464, 2860, 3028)


def test_equal_instructions_share_a_kernel() -> None:
    joined = ptx.kernel_of_instruction(stored("thunk_sequence.txt"), stored("thunk_metadata.txt"))
    assert {joined[f"gemm_fusion_dot.{n}"] for n in (8, 9, 10)} == {"gemm_fusion_dot_10"}
    assert joined["loop_add_fusion"] == "loop_add_fusion"


def test_launches_by_kind() -> None:
    kinds = [each.kind for each in ptx.launches(stored("thunk_sequence.txt")).values()]
    assert (kinds.count("kCustomKernel"), kinds.count("kAllReduce")) == (16, 2)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("# only a remark\n", "is empty"),
        ('platform_name: "CUDA"', "gpu_device_info.core_count"),
        ("gpu_device_info {", "ends inside 'gpu_device_info'"),
        ("platform_name:", "ends after 'platform_name'"),
        ("}", "a brace too many"),
        ("\x00", "can't be read"),
    ],
)
def test_an_unfit_description_is_refused_before_xla_sees_it(text: str, said: str) -> None:
    with pytest.raises(CheckError, match=said):
        description.check(text, "test")


@pytest.mark.parametrize(
    "field", [name for names in description.NEEDED.values() for name in names if name != "major"]
)
def test_every_field_of_the_description_is_asked_for(field: str) -> None:
    whole = description.BUNDLED.read_text(encoding="utf-8")
    cut = whole.replace(f"{field}:", f"{field}_gone:").replace(f"{field} {{", f"{field}_gone {{")
    with pytest.raises(CheckError, match=field):
        description.check(cut, "test")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("core_count: 148", "core_count: -3", "core_count is -3"),
        ("device_memory_size: 191514411008", "device_memory_size: many", "many"),
        ("clock_rate_ghz: 1.965", "clock_rate_ghz: inf", "clock_rate_ghz is inf"),
        ("l2_cache_size: 132644864", "l2_cache_size: 0", "lacks gpu_device_info.l2_cache_size"),
    ],
)
def test_a_field_that_holds_no_size_is_refused(old: str, new: str, said: str) -> None:
    whole = description.BUNDLED.read_text(encoding="utf-8")
    with pytest.raises(CheckError, match=said):
        description.check(whole.replace(old, new), "test")


def test_a_description_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CheckError, match=r"mine\.pbtxt can't be read: No such file"):
        description.read(tmp_path / "mine.pbtxt")


def test_the_bundled_description_is_complete_and_cut_short_it_is_not() -> None:
    whole = description.read(None)
    assert (whole.kind, whole.memory_bytes) == ("NVIDIA B200", 191_514_411_008)
    for share in (0.3, 0.6, 0.9):
        with pytest.raises(CheckError):
            description.check(whole.text[: int(len(whole.text) * share)], "test")


def test_what_belongs_to_one_machine_is_taken_out() -> None:
    body = "QUJD" * 40
    raw = (
        'HloModule m\n\nFileNames\n1 "/home/someone/secret.py"\n\nStackFrames\n1 {a=1}\n\n'
        "ENTRY %e (p: f32[8]) -> f32[8] {\n  ROOT %p = f32[8]{0} parameter(0), "
        'metadata={op_name="jit(f)/dot" source_file="/home/x.py" source_line=3 '
        f'stack_frame_id=7}}, backend_config={{"body":"{body}"}}\n}}\n'
    )
    clean = redacted(raw)
    assert "/home" not in clean
    assert body not in clean
    assert 'op_name="jit(f)/dot"' in clean
    assert '"body":"sha256:' in clean
    assert redacted(clean) == clean


def test_a_kernel_for_a_gpu_names_no_file_of_the_machine() -> None:
    code = "ML\\EFR" + "x" * 300
    call = 'custom-call(%a), backend_config={kernel_hash = "b\\B6", module = "CODE", last = 1}'
    raw = call.replace("CODE", f"{code}\\00/home/someone/kernel.py\\00add")
    clean = redacted(raw)
    assert "/home" not in clean
    assert clean.endswith("last = 1}")
    assert clean == redacted(raw.replace("someone", "nobody").replace("b\\B6", "c\\B7"))
    assert clean != redacted(raw.replace("add", "sub"))
