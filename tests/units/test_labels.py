"""Every label that sources print, against factors worked out by hand."""

import string
from fractions import Fraction

import pytest

from kb.qualifiers import Metric
from kb.quantity import QuantityError, parse_quantity
from kb.units import COUNTED, KINDS, KINDS_OF_METRIC, Unit, ambiguous, labels, suggest

DECIMAL = {"k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "P": 10**15, "E": 10**18}
BINARY = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40, "Pi": 2**50}
BIT = Fraction(1, 8)

# Label as printed, kind, and how many bytes, operations, watts, seconds … one of it is.
# From design.md section 3 and from every value and header of the fact sheet.
PRINTED: list[tuple[str, str, int | Fraction]] = [
    ("GB", "information", 10**9),
    ("GiB", "information", 1_073_741_824),
    ("MiB", "information", 1_048_576),
    ("KiB", "information", 1024),
    ("MB", "information", 10**6),
    ("kB", "information", 1000),
    ("TB", "information", 10**12),
    ("TiB", "information", 1_099_511_627_776),
    ("PB", "information", 10**15),
    ("B", "information", 1),
    ("bytes", "information", 1),
    ("bit", "information", BIT),
    ("Gb", "information", 125_000_000),
    ("GBps", "information_rate", 10**9),
    ("GB/s", "information_rate", 10**9),
    ("GB/sec", "information_rate", 10**9),
    ("GB/second", "information_rate", 10**9),
    ("TB/s", "information_rate", 10**12),
    ("TBps", "information_rate", 10**12),
    ("PB/s", "information_rate", 10**15),
    ("GiBps", "information_rate", 2**30),
    ("GiB/s", "information_rate", 2**30),
    ("GiB/sec", "information_rate", 2**30),
    ("bytes/s", "information_rate", 1),
    ("B/s", "information_rate", 1),
    ("Gbps", "information_rate", 125_000_000),
    ("Gb/s", "information_rate", 125_000_000),
    ("Gbit/s", "information_rate", 125_000_000),
    ("Tbps", "information_rate", 125_000_000_000),
    ("Mbps", "information_rate", 125_000),
    ("Petabits/sec", "information_rate", 125 * 10**12),
    ("TFLOPS", "flop_rate", 10**12),
    ("TFLOPs", "flop_rate", 10**12),
    ("TFLOP/s", "flop_rate", 10**12),
    ("TFLOPs/s", "flop_rate", 10**12),
    ("teraFLOPS", "flop_rate", 10**12),
    ("teraflops", "flop_rate", 10**12),
    ("PFLOPS", "flop_rate", 10**15),
    ("PFLOPs", "flop_rate", 10**15),
    ("petaFLOPS", "flop_rate", 10**15),
    ("petaflops", "flop_rate", 10**15),
    ("exaFLOPS", "flop_rate", 10**18),
    ("EFLOPS", "flop_rate", 10**18),
    ("GFLOPS", "flop_rate", 10**9),
    ("FLOPs/s", "flop_rate", 1),
    ("FLOP/s", "flop_rate", 1),
    ("TOPS", "op_rate", 10**12),
    ("TOPs", "op_rate", 10**12),
    ("POPS", "op_rate", 10**15),
    ("petaops", "op_rate", 10**15),
    ("petaOPS", "op_rate", 10**15),
    ("ops/s", "op_rate", 1),
    ("W", "power", 1),
    ("kW", "power", 1000),
    ("MW", "power", 10**6),
    ("watts", "power", 1),
    ("J", "energy", 1),
    ("mJ", "energy", Fraction(1, 1000)),
    ("Wh", "energy", 3600),
    ("kWh", "energy", 3_600_000),
    ("Hz", "frequency", 1),
    ("MHz", "frequency", 10**6),
    ("GHz", "frequency", 10**9),
    ("ns", "time", Fraction(1, 10**9)),
    ("µs", "time", Fraction(1, 10**6)),  # the micro sign
    ("μs", "time", Fraction(1, 10**6)),  # the Greek letter
    ("us", "time", Fraction(1, 10**6)),
    ("microseconds", "time", Fraction(1, 10**6)),
    ("ms", "time", Fraction(1, 1000)),
    ("s", "time", 1),
    ("min", "time", 60),
    ("h", "time", 3600),
    ("tokens/s", "token_rate", 1),
    ("tokens per second", "token_rate", 1),
    ("samples/s", "sample_rate", 1),
    ("queries/s", "query_rate", 1),
    ("USD/h", "money_rate", Fraction(1, 3600)),
    ("$/hour", "money_rate", Fraction(1, 3600)),
    ("chips", "number", 1),
    ("GPUs", "number", 1),
    ("TensorCores", "number", 1),
    ("", "number", 1),
]

DIMENSIONS = {
    "information": "[information]",
    "information_rate": "[information] / [time]",
    "flop_rate": "[flop] / [time]",
    "op_rate": "[op] / [time]",
    "power": "[energy] / [time]",
    "energy": "[energy]",
    "frequency": "[cycle] / [time]",
    "time": "[time]",
    "token_rate": "[token] / [time]",
    "sample_rate": "[sample] / [time]",
    "query_rate": "[query] / [time]",
    "money_rate": "[money] / [time]",
}


@pytest.mark.parametrize(("label", "kind", "factor"), PRINTED)
def test_a_printed_label_has_the_factor_worked_out_by_hand(
    label: str, kind: str, factor: int | Fraction
) -> None:
    unit = labels()[label]
    assert (unit.kind, unit.factor) == (kind, factor)


@pytest.mark.parametrize("kind", KINDS)
def test_every_label_has_the_dimension_that_its_kind_promises(kind: str) -> None:
    mine = [unit for unit in labels().values() if unit.kind == kind]
    assert mine
    if kind == "number":
        assert {unit.dimension for unit in mine} == {f"[{thing}]" for thing in COUNTED}
    else:
        assert {unit.dimension for unit in mine} == {DIMENSIONS[kind]}


def _expected_factor(label: str, unit: Unit) -> Fraction | None:
    """The factor that the spelling of a data label promises, read letter by letter."""
    bare = label
    for ending in ("/second", "/sec", "/s", "ps"):
        if unit.kind == "information_rate":
            bare = bare.removesuffix(ending)
    long = {"kilo": "k", "mega": "M", "giga": "G", "tera": "T", "peta": "P", "exa": "E"}
    long |= {"kibi": "Ki", "mebi": "Mi", "gibi": "Gi", "tebi": "Ti", "pebi": "Pi"}
    for word, short in long.items():
        if bare.lower().startswith(word) and bare[len(word) :].rstrip("s") in ("byte", "bit"):
            bare = short + bare[len(word) :]
    one = BIT if bare.endswith(("b", "bit", "bits")) else Fraction(1)
    for short, factor in {**BINARY, **DECIMAL}.items():
        rest = bare.removeprefix(short)
        if rest != bare and rest.rstrip("s") in ("B", "b", "Byte", "byte", "bit"):
            return factor * one
    return one if bare.rstrip("s") in ("B", "b", "byte", "bit") else None


def test_every_data_label_means_what_its_letters_say() -> None:
    data = {
        label: unit
        for label, unit in labels().items()
        if unit.kind in ("information", "information_rate")
    }
    assert len(data) > 300
    wrong = {
        label: (unit.factor, expected)
        for label, unit in data.items()
        if (expected := _expected_factor(label, unit)) != unit.factor
    }
    assert wrong == {}


def test_every_data_label_says_whether_its_prefix_is_binary_and_whether_it_counts_bits() -> None:
    for label, unit in labels().items():
        if unit.kind not in ("information", "information_rate"):
            continue
        binary = "i" in label.removesuffix("bit").removesuffix("bits")[:2] or "bi" in label[:4]
        if unit.prefix == "binary":
            assert binary, label
            assert unit.factor * 8 % 1024 == 0
        assert unit.counts_bits == (
            unit.factor.denominator == 8
            or unit.name.startswith(
                tuple(f"{p}bit" for p in ("kilo", "mega", "giga", "tera", "peta", "exa"))
                + tuple(f"{p}bit" for p in ("kibi", "mebi", "gibi", "tebi", "pebi"))
            )
        ), label


def test_the_canonical_symbol_of_a_unit_is_itself_a_label_of_that_unit() -> None:
    for label, unit in labels().items():
        assert labels()[unit.symbol] == unit, label


def test_no_label_is_both_known_and_ambiguous() -> None:
    assert not set(labels()) & set(ambiguous())


def test_the_choices_of_an_ambiguous_label_are_known_and_differ() -> None:
    for label, choices in ambiguous().items():
        factors = {labels()[choice].factor for choice in choices}
        assert len(factors) == len(choices) > 1, label


def test_a_label_never_changes_kind_by_the_case_of_one_letter_unnoticed() -> None:
    """Two labels that differ in case alone differ by bits, by mega against milli, or not."""
    by_folded: dict[str, set[str]] = {}
    for label in labels():
        by_folded.setdefault(label.casefold(), set()).add(label)
    harmful = {"gb", "kb", "tb", "mb", "pb", "eb"}
    for folded, spellings in by_folded.items():
        factors = {labels()[s].factor for s in spellings}
        if len(factors) > 1:
            stem = folded.removesuffix("second").removesuffix("sec").rstrip("/")
            stem = stem.removesuffix("/s").removesuffix("ps")
            plain = stem in harmful or stem in {"mw", "mj", "mwh"} or stem.endswith("ib")
            assert plain, spellings


REFUSED = [
    ("gb", ("GB", "Gbit")),
    ("mb", ("MB", "Mbit")),
    ("tb", ("TB", "Tbit")),
    ("kb", ("kB", "kbit")),
    ("KB", ("kB", "KiB")),
    ("Kb", ("kbit", "Kibit")),
    ("G", ("GB", "GiB")),
    ("M", ("MB", "MiB")),
    ("T", ("TB", "TiB")),
    ("K", ("kB", "KiB")),
    ("b", ("B", "bit")),
    ("gbps", ("GB/s", "Gbit/s")),
    ("gb/s", ("GB/s", "Gbit/s")),
    ("gb/sec", ("GB/s", "Gbit/s")),
    ("KB/s", ("kB/s", "KiB/s")),
    ("Kbps", ("kbit/s", "Kibit/s")),
    ("bps", ("B/s", "bit/s")),
    ("G/s", ("GB/s", "GiB/s", "Gbit/s")),
]


@pytest.mark.parametrize(("label", "choices"), REFUSED)
def test_a_label_with_two_readings_is_refused_with_the_spellings(
    label: str, choices: tuple[str, ...]
) -> None:
    metric = Metric.LINK_BANDWIDTH if "s" in label else Metric.MEMORY_CAPACITY
    text = f"32 {label}"
    with pytest.raises(QuantityError) as caught:
        parse_quantity(text, metric)
    assert caught.value.rule == "ambiguous-unit"
    assert ambiguous()[label] == choices
    assert text[caught.value.start : caught.value.end] == label
    for choice in choices:
        assert f"'{choice}'" in caught.value.remedy


@pytest.mark.parametrize(
    "label",
    ["Gigs", "GBs/ss", "gB", "Gbaud", "gilbert", "FLOPS/W", "%", "x", "TB/s*", "Go", "GB/ s"],
)
def test_an_unknown_label_is_refused_and_never_guessed(label: str) -> None:
    with pytest.raises(QuantityError) as caught:
        parse_quantity(f"5 {label}", Metric.MEMORY_CAPACITY)
    assert caught.value.rule in ("unknown-unit", "ambiguous-unit")


def test_an_unknown_label_is_answered_with_near_ones() -> None:
    assert "GB/s" in suggest("GBs/s")
    assert suggest("zzzzzzzz") == ()


def test_every_kind_belongs_to_exactly_one_metric_but_the_data_rate() -> None:
    owners: dict[str, list[Metric]] = {}
    for metric, kinds in KINDS_OF_METRIC.items():
        for kind in kinds:
            owners.setdefault(kind, []).append(metric)
    assert set(owners) == set(KINDS)
    shared = {kind: metrics for kind, metrics in owners.items() if len(metrics) > 1}
    assert shared == {"information_rate": [Metric.MEMORY_BANDWIDTH, Metric.LINK_BANDWIDTH]}


@pytest.mark.parametrize(
    ("label", "metric"),
    [
        ("GB", Metric.MEMORY_BANDWIDTH),
        ("GB/s", Metric.MEMORY_CAPACITY),
        ("GHz", Metric.MEMORY_BANDWIDTH),
        ("GB/s", Metric.FREQUENCY),
        ("TFLOPS", Metric.RATE),
        ("tokens/s", Metric.COMPUTE_THROUGHPUT),
        ("W", Metric.ENERGY),
        ("J", Metric.POWER),
        ("s", Metric.RATE),
        ("GPUs", Metric.MEMORY_CAPACITY),
        ("TB", Metric.COUNT),
        ("USD/h", Metric.RATE),
    ],
)
def test_a_unit_of_another_metric_is_refused(label: str, metric: Metric) -> None:
    with pytest.raises(QuantityError) as caught:
        parse_quantity(f"12 {label}", metric)
    assert caught.value.rule == "unit-of-another-metric"
    assert (caught.value.start, caught.value.end) == (3, 3 + len(label))


def test_things_that_are_counted_never_turn_into_each_other() -> None:
    dimensions = [f"[{thing}]" for thing in COUNTED]
    assert len(set(dimensions)) == len(COUNTED)
    different = ["vCPUs", "NICs", "MXUs", "lanes", "GPUs", "dies", "links", "ports", "hosts", "VMs"]
    assert len({labels()[label].dimension for label in different}) == len(different)


def test_the_metric_decides_that_a_flop_count_is_a_rate() -> None:
    # "918 TFLOPs" is what a vendor prints for a rate.
    assert parse_quantity("918 TFLOPs", Metric.COMPUTE_THROUGHPUT).base == 918 * 10**12


def test_labels_are_printable_and_have_no_outer_blanks() -> None:
    allowed = set(string.ascii_letters + " /$µμ")
    for label in labels():
        assert label == label.strip()
        assert set(label) <= allowed, label
