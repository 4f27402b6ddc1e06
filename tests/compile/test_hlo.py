"""Reading optimised HLO: traps of the text, contractions, collectives, loops."""

from __future__ import annotations

import pytest

from kb.measure.compile.hlo import arrays, instruction, parse
from kb.measure.compile.inventory import Inventory, Setting, take

GPU = Setting("gpu", 8, tuned_by_timing=True)
TPU = Setting("tpu", 8)


def module(*lines: str, more: str = "") -> str:
    body = "\n".join(f"  {line}" for line in lines)
    return f"HloModule m\n\n{more}\nENTRY %main (p: f32[8]) -> f32[8] {{\n{body}\n}}\n"


def taken(text: str, setting: Setting = GPU) -> Inventory:
    return take(parse(text), setting)


def test_a_tuple_type_and_its_layout_are_read_whole() -> None:
    read = instruction(
        "  %s = (bf16[8,4]{1,0:T(8,128)(2,1)S(1)}, u32[]{:S(2)}) copy-start(%p), x={a=1}"
    )
    assert read is not None
    assert (read.opcode, read.operands) == ("copy-start", ("p",))
    assert [a.bytes for a in read.arrays] == [64, 4]


def test_a_parenthesis_in_a_name_does_not_end_the_operands() -> None:
    line = """  %p = f32[2]{0} parameter(0), metadata={op_name="p[\\'a)(b\\']" x=1}"""
    read = instruction(line)
    assert read is not None
    assert read.source == "p['a)(b']"


def test_sizes_below_a_byte_are_rounded_up_and_a_token_has_none() -> None:
    assert [a.bytes for a in arrays("f4e2m1fn[3]{0}")] == [2]
    assert [a.bytes for a in arrays("s4[3]{0}")] == [2]
    assert [a.bytes for a in arrays("token[]")] == [0]


def test_a_line_that_is_not_understood_is_counted_and_kept() -> None:
    read = parse(module("%p = f32[8]{0} parameter(0)", "this is no instruction"))
    assert read.instructions == 2
    assert read.unparsed == ["  this is no instruction"]


def test_text_without_an_entry_gives_nothing_and_does_not_fail() -> None:
    assert taken("HloModule empty\n").kernels == []


@pytest.mark.parametrize(
    ("line", "flops"),
    [
        # A batched product as a TPU writes it: the window picks one pair out of four each.
        (
            (
                "convolution(%a, %b), window={size=4x8 stride=3x7 lhs_dilate=4x8}, "
                "dim_labels=0b1f_0o1i->01bf"
            ),
            2 * 4 * 8 * 16 * 16 * 32,
        ),
        # Full convolution with padding: every position of eight heads meets one element.
        (
            (
                "convolution(%c, %d), window={size=1x8 pad=0_0x7_7 rhs_reversal=0x1}, "
                "dim_labels=0bf1_i1o0->0b1f"
            ),
            2 * 4 * 16 * 8 * 64 * 128,
        ),
    ],
)
def test_a_product_in_the_form_of_a_convolution(line: str, flops: int) -> None:
    results = {"0b1f": "f32[4,8,16,16]{3,2,1,0}", "0bf1": "bf16[4,16,8,128]{3,2,1,0}"}
    result = results[line.partition("dim_labels=")[2][:4]]
    given = (
        "%a = bf16[4,16,8,32]{3,2,1,0} parameter(0)",
        "%b = bf16[4,16,8,32]{3,2,1,0} parameter(1)",
        "%c = bf16[4,16,64,1]{3,2,1,0} parameter(2)",
        "%d = bf16[64,8,128,1]{3,2,1,0} parameter(3)",
    )
    kernel = taken(module(*given, f"ROOT %r = {result} {line}"), TPU).kernels[0]
    assert kernel.flops == flops
    assert (kernel.kernel_class, kernel.matrix) == ("xla_matrix", {"mxu": 1})


def test_a_library_product_is_counted_from_its_configuration() -> None:
    config = (
        'backend_config={"gemm_backend_config":{"dot_dimension_numbers":'
        '{"lhs_contracting_dimensions":["2"],"rhs_contracting_dimensions":["1"]}}}'
    )
    kernel = taken(
        module(
            "%a = bf16[2,16,32]{2,1,0} parameter(0)",
            "%b = bf16[2,32,64]{2,1,0} parameter(1)",
            "ROOT %r = (f32[2,16,64]{2,1,0}, s8[99]{0}) custom-call(%a, %b), "
            f'custom_call_target="__cublas$lt$matmul", {config}',
        )
    ).kernels[0]
    assert kernel.flops == 2 * 2 * 16 * 64 * 32
    assert (kernel.kernel_class, kernel.undecided) == ("vendor_library", True)
    assert kernel.operands == "bf16 x bf16 -> f32"


def test_a_contraction_whose_configuration_is_unreadable_is_not_counted_as_zero() -> None:
    line = (
        "ROOT %r = f32[8]{0} custom-call(%p, %p), "
        'custom_call_target="__cublas$gemm", backend_config={}'
    )
    kernel = taken(module("%p = f32[8]{0} parameter(0)", line)).kernels[0]
    assert kernel.flops is None


LOOP = """%body (t: f32[8]) -> f32[8] {
  %t = f32[8]{0} parameter(0)
  ROOT %ar = f32[8]{0} all-reduce(%t), replica_groups={{0,1},{2,3}}, to_apply=%add
}

%cond (t: f32[8]) -> pred[] {
  %t = f32[8]{0} parameter(0)
  %n = s32[] constant(12)
  %i = s32[] parameter(1)
  ROOT %less = pred[] compare(%i, %n), direction=LT
}
"""


@pytest.mark.parametrize(
    ("note", "times", "open_loops"),
    [
        (', backend_config={"known_trip_count":{"n":"5"}}', 5, 0),
        ("", 12, 0),  # from the condition
    ],
)
def test_what_is_in_a_loop_is_multiplied(note: str, times: int, open_loops: int) -> None:
    loop = f"ROOT %w = f32[8]{{0}} while(%p), condition=%cond, body=%body{note}"
    found = taken(module("%p = f32[8]{0} parameter(0)", loop, more=LOOP))
    (row,) = found.collectives
    assert (row.executions, row.payload_bytes, found.open_loops) == (times, times * 32, open_loops)
    assert (row.groups, row.group_size) == (2, 2)


def test_a_loop_of_unknown_length_is_said_to_be_open() -> None:
    unclear = LOOP.replace("direction=LT", "direction=NE")
    loop = "ROOT %w = f32[8]{0} while(%p), condition=%cond, body=%body"
    found = taken(module("%p = f32[8]{0} parameter(0)", loop, more=unclear))
    assert found.open_loops == 1
    assert found.collectives[0].executions == 1


@pytest.mark.parametrize(
    ("line", "kind", "payload", "wire"),
    [
        ("f32[8]{0} all-reduce(%p), replica_groups=[1,8]<=[8]", "all-reduce", 32, 56),
        (
            "(f32[8]{0}, f32[64]{0}) all-gather-start(%p), replica_groups=[1,8]<=[8]",
            "all-gather", 256, 224,
        ),
        ("f32[1]{0} reduce-scatter(%p), replica_groups=[1,8]<=[8]", "reduce-scatter", 32, 28),
        (
            "((f32[8]{0}), f32[1]{0}) reduce-scatter-start(%p), replica_groups=[1,8]<=[8]",
            "reduce-scatter", 32, 28,
        ),
        ("f32[8]{0} collective-permute(%p), source_target_pairs={{0,1},{1,0}}",
         "collective-permute", 32, 32),
        ("f32[8]{0} all-reduce(%p), replica_groups={{0}}", "all-reduce", 32, 0),
    ],
)  # fmt: skip
def test_payload_and_wire_bytes(line: str, kind: str, payload: int, wire: int) -> None:
    found = taken(module("%p = f32[8]{0} parameter(0)", f"ROOT %c = {line}"))
    (row,) = found.collectives
    assert (row.kind, row.payload_bytes, row.wire_bytes) == (kind, payload, wire)


def test_an_all_reduce_of_which_a_slice_is_used_is_told_apart() -> None:
    lines = (
        "%p = f32[8]{0} parameter(0)",
        "%i = s32[] parameter(1)",
        "%ar = f32[8]{0} all-reduce(%p), replica_groups=[1,8]<=[8]",
    )
    sliced = "ROOT %s = f32[1]{0} dynamic-slice(%ar, %i), dynamic_slice_sizes={1}"
    used = "ROOT %s = f32[8]{0} negate(%ar)"
    assert taken(module(*lines, sliced)).collectives[0].then_sliced == 1
    assert taken(module(*lines, used)).collectives[0].then_sliced == 0


FUSED = """%scatter (t: f32[8]) -> f32[1] {
  %t = f32[8]{0} parameter(0)
  %i = s32[] parameter(1)
  %ar = f32[8]{0} all-reduce(%t), replica_groups=[1,8]<=[8], to_apply=%add
  ROOT %s = f32[1]{0} dynamic-slice(%ar, %i), dynamic_slice_sizes={1}
}
"""


def test_a_collective_inside_a_fusion_is_found() -> None:
    line = "ROOT %f = f32[1]{0} fusion(%p, %p), kind=kCustom, calls=%scatter"
    found = taken(module("%p = f32[8]{0} parameter(0)", line, more=FUSED), TPU)
    assert found.kernels == []
    assert found.collectives[0].then_sliced == 1


@pytest.mark.parametrize(
    ("target", "setting", "expected"),
    [
        ("__cudnn$fmhaSoftmax", GPU, "vendor_library"),
        ("cusolver_potrf_ffi", GPU, "vendor_library"),
        ("__gpu$TopK", GPU, "runtime_helper"),
        ("__gpu$xla.gpu.triton", GPU, "hand_written"),
        ("mosaic_gpu_v2", GPU, "hand_written"),
        ("somebodys_kernel", GPU, "hand_written"),
        ("cu_new_thing", Setting("gpu", 1, frozenset({"cu_new_thing"})), "runtime_helper"),
        ("tpu_custom_call", TPU, "hand_written"),
        ("TopK", TPU, "compiler_internal"),
        ("InvertDiagBlocksLowerTriangular", TPU, "compiler_internal"),
    ],
)
def test_who_wrote_a_custom_call(target: str, setting: Setting, expected: str) -> None:
    line = f'ROOT %c = f32[8]{{0}} custom-call(%p), custom_call_target="{target}"'
    kernel = taken(module("%p = f32[8]{0} parameter(0)", line), setting).kernels[0]
    assert kernel.kernel_class.value == expected
    assert (kernel.config_sha256 is not None) == (expected == "hand_written")


def test_views_and_second_halves_are_no_kernels() -> None:
    found = taken(
        module(
            "%p = f32[8]{0} parameter(0)",
            "%b = f32[2,4]{1,0} bitcast(%p)",
            "%s = (f32[8]{0}, f32[8]{0}, u32[]) copy-start(%p)",
            "%d = f32[8]{0} copy-done(%s)",
            'ROOT %c = f32[8]{0} custom-call(%d), custom_call_target="ConcatBitcast"',
        ),
        TPU,
    )
    assert found.kernels == []
    assert found.copies == {"copy-start": 1}
