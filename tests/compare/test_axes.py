"""One table an axis: comparable, not comparable, open, and derived where a licence exists."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from kb.compare import compare
from kb.corpus import Corpus
from kb.load import load_files
from kb.operand import Given, Operand, operand_of_claim, operand_of_fields
from kb.quantity import Interval
from kb.verdict import Verdict, VerdictKind

F = Fraction

# One invented maker whose boards have eight GPUs of two dies and 18 links, and one whose
# chips have two cores, no sparse mode, and stand in pods of 16.
SPECS = {
    "specs/sources.yml": """
sources:
  sheet: {title: Sheet, publisher: Maker, kind: vendor_page}
  copy: {title: A copy of the sheet, publisher: Somebody, kind: third_party_copy}
families:
  - {name: Bolt, members: [bolt-b8, bolt-c8]}
""",
    "specs/bolt/bolt-b8.yml": """
product: bolt-b8
name: Bolt B8
vendor: Maker
layer: accelerator
accelerator: gpu
summary: A board of eight GPUs.
composition:
  gpu: {of: die, count: 2}
  board: {of: gpu, count: 8}
links:
  - {interface: nvlink, count: 18, source: sheet}
direction_sums:
  - {interface: nvlink, source: sheet, locator: footnote, reasoning: Adds both directions.}
sparse_mode: {mode: structured_2_4, precisions: [fp4, fp8, bf16], source: sheet}
claims:
  - id: gpu-peak-fp8-dense
    metric: compute_throughput
    scope: gpu
    precision: fp8
    engine: matrix
    sparsity: dense
    basis: vendor_peak
    statements:
      - {published: "4.5 PFLOPS", source: sheet}
  - id: gpu-peak-fp8-sparse
    metric: compute_throughput
    scope: gpu
    precision: fp8
    engine: matrix
    sparsity: structured_2_4
    basis: vendor_peak
    statements:
      - {published: "9 PFLOPS", source: sheet}
  - id: gpu-peak-fp4-sparse
    metric: compute_throughput
    scope: gpu
    precision: fp4
    engine: matrix
    sparsity: structured_2_4
    basis: vendor_peak
    statements:
      - {published: "18 PFLOPS", source: sheet}
  - id: gpu-peak-bf16-sparse
    metric: compute_throughput
    scope: gpu
    precision: bf16
    engine: matrix
    sparsity: structured_2_4
    basis: vendor_peak
    dense_factor: {factor: 2, source: sheet, locator: footnote}
    statements:
      - {published: "4.5 PFLOPS", source: sheet}
  - id: gpu-nvlink-bandwidth
    metric: link_bandwidth
    scope: gpu
    interface: nvlink
    direction: unstated
    basis: vendor_peak
    assessments:
      - {axis: direction, value: bidirectional_sum, reasoning: Said elsewhere., sources: [sheet]}
    statements:
      - {published: "1.8 TB/s", source: sheet}
  - id: gpu-hbm-capacity
    metric: memory_capacity
    scope: gpu
    interface: hbm
    basis: advertised
    statements:
      - {published: "180 GB", source: copy}
      - {published: "820 GB", source: copy, status: disputed}
      - {published: "820 GiB", source: copy, status: disputed}
  - id: gpu-hbm-bandwidth
    metric: memory_bandwidth
    scope: gpu
    interface: hbm
    basis: vendor_peak
    statements:
      - {published: "1640 GBps", source: sheet}
      - {published: "1600 GBps", source: sheet, status: superseded}
""",
    "specs/bolt/bolt-c8.yml": """
product: bolt-c8
name: Bolt C8
vendor: Maker
layer: accelerator
summary: The sibling.
""",
    "specs/acme/acme-x1.yml": """
product: acme-x1
name: Acme X1
vendor: Acme
layer: accelerator
accelerator: chip
summary: A chip of two cores without a sparse mode.
composition:
  chip: {of: core, count: 2}
  pod: {of: chip, count: 16, topology: 2D torus}
sparse_mode: {mode: none, assessment: No page names one.}
""",
}


def _corpus() -> Corpus:
    loaded = load_files(SPECS)
    assert loaded.findings == ()
    return loaded.corpus


CORPUS = _corpus()

CAPACITY = {"product": "Bolt B8", "metric": "memory_capacity", "published": "180 GB",
            "scope": "gpu", "interface": "hbm", "basis": "vendor_peak"}  # fmt: skip
LINK = {"product": "Bolt B8", "metric": "link_bandwidth", "published": "1.8 TB/s",
        "scope": "gpu", "interface": "nvlink", "direction": "bidirectional_sum",
        "aggregation": "total", "basis": "vendor_peak"}  # fmt: skip
ICI = {**LINK, "product": "Acme X1", "published": "800 GB/s", "scope": "chip", "interface": "ici"}
PEAK = {"product": "Bolt B8", "metric": "compute_throughput", "published": "4.5 PFLOPS",
        "scope": "gpu", "precision": "fp8", "sparsity": "dense", "engine": "matrix",
        "basis": "vendor_peak"}  # fmt: skip
POWER = {"product": "Bolt B8", "metric": "power", "published": "1,000 W", "scope": "gpu",
         "basis": "vendor_peak"}  # fmt: skip
TIME = {"product": "JAX", "metric": "latency", "published": "8 ms", "basis": "measured",
        "boundary": "warm_host", "layer": "framework"}  # fmt: skip
TERMS = {"currency": "USD", "term": "on demand", "region": "eu", "date": "2026-01-01"}
PRICE = {"product": "Bolt B8", "metric": "price", "published": "4 USD/h", "scope": "gpu",
         "terms": TERMS}  # fmt: skip


def side(fields: dict[str, Any], **changes: object) -> Operand:
    kept = {k: v for k, v in (fields | changes).items() if v is not None}
    return operand_of_fields(Given.model_validate(kept), CORPUS)


def judge(left: Operand, right: Operand, *, strict: bool = False) -> Verdict:
    return compare(left, right, CORPUS, strict=strict)


C, D = VerdictKind.COMPARABLE, VerdictKind.AFTER_DERIVATION
N, U = VerdictKind.NOT_COMPARABLE, VerdictKind.UNDETERMINED

Row = tuple[str, Operand, Operand, VerdictKind, Fraction | str]
# Axis, left, right, verdict, and the exact ratio or the axis that stands in the way.
TABLE: list[Row] = [
    ("metric", side(CAPACITY), side(LINK), N, "metric"),
    ("unit", side(CAPACITY), side(CAPACITY, product="X", published="0.09 TB"), C, F(2)),
    ("unit", side(CAPACITY), side(CAPACITY, product="X", published="180 GiB"), D,
     F(10**9, 2**30)),
    ("unit", side(LINK), side(LINK, product="X", published="14400 Gbps"), D, F(1)),
    ("unit", side(CAPACITY), side(CAPACITY, published="180 GiB"), N, "unit"),
    ("interface", side(LINK), side(ICI), C, F(9, 4)),
    ("interface", side(LINK), side(ICI, interface="nic"), N, "interface"),
    ("interface", side(LINK), side(ICI, interface=None), U, "interface"),
    ("role", side(LINK, interface="nvlink_c2c"), side(ICI, interface="pcie"), C, F(9, 4)),
    ("role", side(LINK, role="host_link"), side(ICI), N, "interface"),
    ("includes", side(CAPACITY, interface=None, includes=["hbm", "lpddr"]),
     side(CAPACITY, interface=None, includes=["lpddr", "hbm"], published="90 GB"), C, F(2)),
    ("includes", side(CAPACITY, includes=["hbm", "lpddr"]), side(CAPACITY, product="X"), N,
     "includes"),
    ("scope", side(CAPACITY), side(CAPACITY, product="Acme X1", scope="chip"), C, F(1)),
    ("scope", side(CAPACITY, scope="board"), side(CAPACITY, product="X"), D, F(1, 8)),
    ("scope", side(CAPACITY, product="Acme X1", scope="core"), side(CAPACITY), D, F(2)),
    ("scope", side(CAPACITY, scope="board"),
     side(CAPACITY, product="Acme X1", scope="pod"), D, F(2)),
    ("scope", side(CAPACITY, scope="die"), side(CAPACITY), N, "scope"),
    ("scope", side(CAPACITY, product="X", scope="board"), side(CAPACITY), N, "scope"),
    ("scope", side(CAPACITY, scope=None, published="1 GB"), side(CAPACITY), U, "scope"),
    ("scope", side(CAPACITY, product="X", scope="board"),
     side(CAPACITY, product="Y", scope="board"), U, "scope"),
    ("scope", side(POWER, scope="board"), side(POWER, product="X"), N, "scope"),
    ("count", side(CAPACITY, product="X", scope="board", count=4),
     side(CAPACITY, product="Y"), D, F(1, 4)),
    ("count", side(CAPACITY, scope="board", count=4), side(CAPACITY, product="Y"), U, "scope"),
    ("count", side(CAPACITY, scope="board", count=16), side(CAPACITY, product="Y"), N, "scope"),
    ("count", side(CAPACITY, scope="gpu", count=8), side(CAPACITY, product="Y"), U, "scope"),
    ("direction", side(LINK), side(ICI, direction="one_way"), D, F(9, 8)),
    ("direction", side(LINK, direction="one_way"), side(ICI), N, "direction"),
    ("direction", side(LINK), side(ICI, direction="unstated"), U, "direction"),
    ("direction", side(LINK), side(ICI, direction=None), U, "direction"),
    ("aggregation", side(LINK, aggregation="per_device"), side(ICI), C, F(9, 4)),
    ("aggregation", side(LINK, aggregation=None, published="1 TB/s"), side(ICI), C, F(5, 4)),
    ("aggregation", side(LINK, aggregation="per_link", published="100 GB/s"), side(ICI), D,
     F(9, 4)),
    ("aggregation", side(LINK), side(ICI, aggregation="per_link"), N, "aggregation"),
    ("aggregation", side(LINK), side(ICI, aggregation="to_one_peer"), N, "aggregation"),
    ("aggregation", side(LINK), side(ICI, aggregation="unstated"), U, "aggregation"),
    ("sparsity", side(PEAK), side(PEAK, product="Acme X1", sparsity=None), C, F(1)),
    ("sparsity", side(PEAK, sparsity="structured_2_4", published="9 PFLOPS"),
     side(PEAK, product="Acme X1"), D, F(1)),
    ("sparsity", side(PEAK, sparsity="structured_2_4", published="18 PFLOPS", precision="fp4"),
     side(PEAK, product="Acme X1", precision="fp4"), N, "sparsity"),
    ("sparsity", side(PEAK, sparsity="structured_2_4", published="4.5 PFLOPS", precision="bf16"),
     side(PEAK, product="Acme X1", precision="bf16"), D, F(1, 2)),
    ("sparsity", side(PEAK), side(PEAK, product="Acme X1", sparsity="unstated"), U, "sparsity"),
    ("sparsity", side(PEAK), side(PEAK, product="X", sparsity=None), U, "sparsity"),
    ("precision", side(PEAK), side(PEAK, product="X", precision="bf16"), N, "precision"),
    ("precision", side(PEAK), side(PEAK, product="X", precision="unstated"), U, "precision"),
    ("precision", side(PEAK), side(PEAK, product="X", precision=None), U, "precision"),
    ("accumulator", side(PEAK, accumulator="fp32"), side(PEAK, product="X", accumulator="fp16"),
     N, "accumulator"),
    ("accumulator", side(PEAK, accumulator="fp32"),
     side(PEAK, product="X", accumulator="unstated"), C, F(1)),
    ("output", side(PEAK, output="fp32"), side(PEAK, product="X", output="bf16"), N, "output"),
    ("engine", side(PEAK, engine="vector"), side(PEAK, product="X"), N, "engine"),
    ("engine", side(PEAK, engine="unstated"), side(PEAK, product="X"), U, "engine"),
    ("engine", side(PEAK, engine=None, published="1 PFLOPS"), side(PEAK, product="X"), C, F(2, 9)),
    ("engine", side(PEAK, precision="fp64", engine=None, published="1 PFLOPS"),
     side(PEAK, product="X", precision="fp64"), U, "engine"),
    ("arithmetic", side(PEAK, arithmetic="native"), side(PEAK, product="X", arithmetic="converted"),
     N, "arithmetic"),
    ("counting", side(PEAK, counting="multiply_add_is_two"),
     side(PEAK, product="X", counting="multiply_add_is_one"), N, "counting"),
    ("basis", side(CAPACITY, basis="advertised"), side(CAPACITY, product="X"), C, F(1)),
    ("basis", side(CAPACITY, basis="usable"), side(CAPACITY, product="X"), N, "basis"),
    ("basis", side(CAPACITY, basis="device_reported"),
     side(CAPACITY, product="X", basis="usable"), N, "basis"),
    ("basis", side(CAPACITY, basis="unstated"), side(CAPACITY, product="X"), U, "basis"),
    ("basis", side(CAPACITY, basis="usable", published="1 GB"),
     side(CAPACITY, product="X", basis=None), U, "basis"),
    ("power_state", side(POWER), side(POWER, product="X", power_state="maximum"), C, F(1)),
    ("power_state", side(POWER, power_state="default"),
     side(POWER, product="X", power_state="maximum"), N, "power_state"),
    ("boundary", side(TIME), side(TIME, published="4 ms"), C, F(2)),
    ("boundary", side(TIME), side(TIME, boundary="dispatch_only"), N, "boundary"),
    ("boundary", side(TIME), side(TIME, boundary="unstated"), U, "boundary"),
    ("boundary", side(TIME), side(TIME, boundary=None), U, "boundary"),
    ("layer", side(TIME), side(TIME, layer="kernel", product="cuBLAS"), N, "layer"),
    ("layer", side(PEAK, product="CUDA", layer="compute_api", scope=None),
     side(PEAK, product="ROCm", layer="compute_api", scope=None), N, "layer"),
    ("terms", side(PRICE), side(PRICE, product="X", published="2 USD/h"), C, F(2)),
    ("terms", side(PRICE), side(PRICE, product="X", terms={**TERMS, "region": "us"}), N, "terms"),
    ("terms", side(PRICE), side(PRICE, product="X", terms={**TERMS, "term": "3 years"}), N,
     "terms"),
    ("terms", side(PRICE), side(PRICE, product="X", terms=None), U, "terms"),
    ("product_identity", side(CAPACITY), side(CAPACITY, product="Bolt"), U, "product_identity"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("axis", "left", "right", "kind", "expected"),
    TABLE,
    ids=[f"{row[0]}-{row[3]}-{i}" for i, row in enumerate(TABLE)],
)
def test_an_axis_decides_as_the_design_says(
    axis: str, left: Operand, right: Operand, kind: VerdictKind, expected: Fraction | str
) -> None:
    verdict = judge(left, right)
    assert verdict.kind is kind, (axis, verdict)
    if isinstance(expected, str):
        assert expected in {reason.axis for reason in verdict.reasons}
        assert verdict.ratio is None
        assert verdict.interval is None
        assert all(reason.why for reason in verdict.reasons)
        state = "differs" if kind is N else "open"
        first = verdict.reasons[0]
        assert first.state == state
        assert bool(first.settle) == (state == "open")
    else:
        assert verdict.ratio == expected
        assert verdict.interval is not None
        assert verdict.ratio in verdict.interval
        assert verdict.reasons == ()
        assert bool(verdict.derivation) == (kind is D)
        assert all(step.licence for step in verdict.derivation)


def test_every_axis_of_a_claim_has_a_row() -> None:
    axes = set(Given.model_fields) - {"product", "published"}
    assert axes <= {row[0] for row in TABLE}


def test_an_interval_is_what_the_digits_allow_and_nothing_wider() -> None:
    verdict = judge(
        side(CAPACITY, scope="board", published="1.4 TB"),
        side(CAPACITY, product="X", published="141GB"),
    )
    assert verdict.ratio == F(175, 141)
    # 1.35 to 1.45 TB over eight, against 140.5 to 141.5 GB.
    assert verdict.interval == Interval(F(16875, 14150), F(18125, 14050))


def test_an_exact_step_does_not_widen_the_interval() -> None:
    verdict = judge(
        side(CAPACITY, published="2 GiB"), side(CAPACITY, product="X", published="1 GB")
    )
    factor = F(2**30, 10**9)
    assert verdict.ratio == 2 * factor
    assert verdict.interval == Interval(factor * F(3, 2) / F(3, 2), factor * F(5, 2) / F(1, 2))


def test_a_printed_dense_row_brings_its_own_digits() -> None:
    sparse = side(PEAK, sparsity="structured_2_4", published="9 PFLOPS")
    verdict = judge(sparse, side(PEAK, product="Acme X1", published="1.0 PFLOPS"))
    assert verdict.ratio == F(9, 2)
    assert verdict.interval == Interval(F(445, 105), F(455, 95))


# -- fractions ---------------------------------------------------------------------------


def test_a_reported_fraction_above_one_is_legal_and_doubts_the_label() -> None:
    reported = side(CAPACITY, published="183359 MiB", basis="device_reported")
    for verdict in (judge(reported, side(CAPACITY)), judge(side(CAPACITY), reported)):
        assert verdict.kind is N
        assert verdict.fraction is not None
        assert verdict.fraction.kind == "reported"
        assert verdict.fraction.value == F(183_359 * 2**20, 180 * 10**9)
        assert round(float(verdict.fraction.value), 3) == 1.068
        assert verdict.fraction.interval == Interval(
            F(2 * 183_359 - 1, 2) * 2**20 / (F(361, 2) * 10**9),
            F(2 * 183_359 + 1, 2) * 2**20 / (F(359, 2) * 10**9),
        )
        assert "unit" in {caution.about for caution in verdict.cautions}


@pytest.mark.parametrize(
    ("published", "value", "doubted"),
    [("3.6 PFLOPS", F(4, 5), False), ("9.0 PFLOPS", F(2), True), ("4.5 PFLOPS", F(1), False)],
)
def test_an_achieved_fraction_is_given_and_doubted_above_one(
    published: str, value: Fraction, doubted: object
) -> None:
    measured = side(PEAK, published=published, basis="measured", boundary="device_events")
    verdict = judge(measured, side(PEAK))
    assert verdict.fraction is not None
    assert (verdict.fraction.kind, verdict.fraction.value) == ("achieved", value)
    assert ("above_peak" in {caution.about for caution in verdict.cautions}) is doubted


@pytest.mark.parametrize(
    "changes",
    [
        {"precision": "bf16"},
        {"sparsity": "unstated"},
        {"product": "Acme X1"},
        {"engine": "vector"},
        {"boundary": "unstated"},
        {"boundary": "dispatch_only"},
        {"boundary": "compile"},
        {"boundary": "lower"},
        {"scope": "board"},
    ],
    ids=str,
)
def test_no_fraction_where_more_than_the_basis_differs(changes: dict[str, str]) -> None:
    fields = PEAK | {"published": "3.6 PFLOPS", "basis": "measured", "boundary": "device_events"}
    verdict = judge(side(fields, **changes), side(PEAK))
    assert verdict.kind is N
    assert verdict.fraction is None


# -- conditional ratios ------------------------------------------------------------------


def test_an_open_direction_gives_exactly_two_ratios() -> None:
    left = side(LINK, published="14.4 TB/s", scope="board", direction="unstated")
    verdict = judge(left, side(ICI))
    assert verdict.kind is U
    ratios = {item.when: item.ratio for item in verdict.conditional}
    assert ratios == {
        (("left", "direction", "bidirectional_sum"),): F(9, 4),
        (("left", "direction", "one_way"),): F(9, 2),
    }
    # 14.35 to 14.45 TB/s over eight, against 799.5 to 800.5 GB/s.
    widest = Interval(F(14_350, 8) / F(8005, 10), F(14_450, 8) / F(7995, 10))
    assert [item.interval for item in verdict.conditional] == [widest, widest.scale(F(2))]


def test_the_mirrored_open_direction_gives_the_inverse_ratios() -> None:
    left = side(LINK, published="14.4 TB/s", scope="board", direction="unstated")
    mirrored = judge(side(ICI), left)
    assert {item.ratio for item in mirrored.conditional} == {F(4, 9), F(2, 9)}


def test_any_other_open_axis_gives_one_ratio_if_it_agrees() -> None:
    verdict = judge(side(PEAK, product="Acme X1", sparsity="unstated"), side(PEAK))
    assert [(item.when, item.ratio) for item in verdict.conditional] == [
        ((("left", "sparsity", "dense"),), F(1))
    ]


def test_an_unnamed_product_gives_no_conditional_ratio() -> None:
    assert judge(side(CAPACITY), side(CAPACITY, product="Bolt")).conditional == ()


# -- assessments -------------------------------------------------------------------------


def test_an_assessment_is_a_shown_step_and_strict_ignores_it() -> None:
    nvlink = operand_of_claim(CORPUS.claims["bolt-b8/gpu-nvlink-bandwidth"])
    verdict = judge(nvlink, side(ICI))
    assert (verdict.kind, verdict.ratio) == (D, F(9, 4))
    assert [step.kind for step in verdict.derivation] == ["assessed"]
    assert "Said elsewhere. [sheet]" in verdict.derivation[0].licence
    assert "direction" in {caution.about for caution in verdict.cautions}
    strict = judge(nvlink, side(ICI), strict=True)
    assert strict.kind is U
    assert {item.ratio for item in strict.conditional} == {F(9, 4), F(9, 2)}


def test_an_assessed_sum_may_be_halved_by_its_own_licence() -> None:
    nvlink = operand_of_claim(CORPUS.claims["bolt-b8/gpu-nvlink-bandwidth"])
    verdict = judge(nvlink, side(ICI, direction="one_way"))
    assert (verdict.kind, verdict.ratio) == (D, F(9, 8))
    assert [step.kind for step in verdict.derivation] == ["assessed", "both_directions_to_one"]


def test_loose_fields_get_the_assessment_unless_they_say_unstated() -> None:
    filled = side(LINK, direction=None)
    assert judge(filled, side(ICI)).ratio == F(9, 4)
    assert judge(side(LINK, direction="unstated"), side(ICI)).kind is U


# -- one slot, one statement -------------------------------------------------------------


def test_a_statement_against_itself_is_exactly_one_even_with_open_axes() -> None:
    for entry in CORPUS.claims.values():
        for statement in entry.claim.statements:
            operand = operand_of_claim(entry, statement)
            verdict = judge(operand, operand_of_claim(entry, statement), strict=True)
            assert (verdict.kind, verdict.ratio) == (C, F(1))
            assert verdict.interval == Interval(F(1), F(1))
            assert (*verdict.cautions, *verdict.derivation, *verdict.reasons) == ()


def test_equal_printings_of_one_slot_agree_exactly_whatever_their_prefix() -> None:
    a = side(CAPACITY, product="X", published="1638 GB")
    for spelling in ("1,638 GB", "1.638 TB", "1638 gigabytes"):
        verdict = judge(a, side(CAPACITY, product="X", published=spelling))
        assert verdict.interval == Interval(F(1), F(1))


def test_editions_that_contradict_each_other_compare_with_that_caution() -> None:
    entry = CORPUS.claims["bolt-b8/gpu-hbm-bandwidth"]
    new, old = (operand_of_claim(entry, statement) for statement in entry.claim.statements)
    verdict = judge(new, old)
    assert (verdict.kind, verdict.ratio) == (C, F(41, 40))
    assert "conflict" in {caution.about for caution in verdict.cautions}


def test_editions_that_differ_within_rounding_carry_no_conflict() -> None:
    a, b = (side(CAPACITY, product="X", published=text) for text in ("1.64 TB", "1638 GB"))
    assert "conflict" not in {caution.about for caution in judge(a, b).cautions}


def test_equal_digits_under_two_units_in_one_slot_are_refused() -> None:
    entry = CORPUS.claims["bolt-b8/gpu-hbm-capacity"]
    _, decimal, binary = (operand_of_claim(entry, s) for s in entry.claim.statements)
    verdict = judge(decimal, binary)
    assert (verdict.kind, verdict.ratio) == (N, None)
    assert [reason.axis for reason in verdict.reasons] == ["unit"]


# -- cautions ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "right", "about"),
    [
        (side(LINK), side(ICI), "topology"),
        (side(POWER, published="up to 1,000 W"), side(POWER, product="Acme X1"), "rounding"),
        (side(POWER, published="~1.0 kW"), side(POWER, product="Acme X1"), "rounding"),
        (side(CAPACITY), side(CAPACITY, product="X"), "product_identity"),
        (side(PEAK), side(PEAK, product="Acme X1", sparsity=None), "sparsity"),
        (side(PEAK, counting="unstated"), side(PEAK, product="Acme X1"), "counting"),
        (side(POWER), side(POWER, product="Acme X1", power_state="default"), "power_state"),
        (side(PEAK, published="4.5 POPS"), side(PEAK, product="Acme X1"), "unit"),
        (
            operand_of_claim(CORPUS.claims["bolt-b8/gpu-hbm-capacity"]),
            side(CAPACITY, product="Acme X1"),
            "source",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_differs_without_forbidding_travels_as_a_caution(
    left: Operand, right: Operand, about: str
) -> None:
    for verdict in (judge(left, right), judge(right, left)):
        assert verdict.allows_ratio
        assert about in {caution.about for caution in verdict.cautions}


def test_a_comparison_without_the_catalogue_still_judges() -> None:
    sparse = side(PEAK, sparsity="structured_2_4", published="9 PFLOPS")
    verdict = compare(sparse, side(PEAK, product="Acme X1"), None)
    assert verdict.kind is N
    assert [reason.axis for reason in verdict.reasons] == ["sparsity"]


def test_reasons_name_both_values() -> None:
    reason = judge(side(PEAK), side(PEAK, product="X", precision="bf16")).reasons[0]
    assert (reason.left, reason.right) == ("fp8", "bf16")


def test_a_definite_difference_comes_before_an_open_axis() -> None:
    left = replace(side(PEAK, sparsity="unstated", scope="die"))
    verdict = judge(left, side(PEAK, product="X", precision="bf16"))
    assert verdict.kind is N
    states = [reason.state for reason in verdict.reasons]
    assert states == sorted(states)
    assert {"differs", "open"} == set(states)
