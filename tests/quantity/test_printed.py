"""Numbers as sources print them: value, interval, digits, or a refusal with its place."""

from fractions import Fraction

import pytest

from kb.qualifiers import Metric
from kb.quantity import Interval, Quantity, QuantityError, decimal_text, parse_quantity

M = Metric
F = Fraction

# Text, metric, value in base units, half of the last printed digit in base units.
READ: list[tuple[str, Metric, F | int, F | int]] = [
    ("1,638 GB/s", M.MEMORY_BANDWIDTH, 1_638 * 10**9, F(10**9, 2)),
    ("1638 GBps", M.MEMORY_BANDWIDTH, 1_638 * 10**9, F(10**9, 2)),
    ("1.638 TB/s", M.MEMORY_BANDWIDTH, 1_638 * 10**9, F(10**9, 2)),
    ("1.4 TB", M.MEMORY_CAPACITY, 14 * 10**11, 5 * 10**10),
    ("1.40 TB", M.MEMORY_CAPACITY, 14 * 10**11, 5 * 10**9),
    ("9.20e14 ops/s", M.COMPUTE_THROUGHPUT, 92 * 10**13, 5 * 10**11),
    ("9.2e14 ops/s", M.COMPUTE_THROUGHPUT, 92 * 10**13, 5 * 10**12),
    ("9E+14 FLOPs/s", M.COMPUTE_THROUGHPUT, 9 * 10**14, 5 * 10**13),
    ("34_400_000_000 bytes", M.MEMORY_CAPACITY, 34_400_000_000, F(1, 2)),
    ("33014398976 bytes", M.MEMORY_CAPACITY, 33_014_398_976, F(1, 2)),
    ("183359 MiB", M.MEMORY_CAPACITY, 183_359 * 2**20, 2**19),
    ("31.25 GiB", M.MEMORY_CAPACITY, F(3125, 100) * 2**30, F(2**30, 200)),
    ("192GB (8x24GB)", M.MEMORY_CAPACITY, 192 * 10**9, F(10**9, 2)),
    ("141GB", M.MEMORY_CAPACITY, 141 * 10**9, F(10**9, 2)),
    ("576\u00a0TB/s", M.MEMORY_BANDWIDTH, 576 * 10**12, 5 * 10**11),
    ("576\u202fTB/s", M.MEMORY_BANDWIDTH, 576 * 10**12, 5 * 10**11),
    ("576\u2009TB/s\u00a0", M.MEMORY_BANDWIDTH, 576 * 10**12, 5 * 10**11),
    ("  576 TB/s", M.MEMORY_BANDWIDTH, 576 * 10**12, 5 * 10**11),
    ("1.200 Gbit/s", M.MEMORY_BANDWIDTH, 150_000_000, F(125_000_000, 2000)),
    ("3584 Gbps", M.LINK_BANDWIDTH, 448 * 10**9, F(125_000_000, 2)),
    ("13 Petabits/sec", M.LINK_BANDWIDTH, 1625 * 10**12, F(125 * 10**12, 2)),
    ("Up to 700W (configurable)", M.POWER, 700, F(1, 2)),
    ("up to 1,000 W", M.POWER, 1000, F(1, 2)),
    ("~14.3 kW", M.POWER, 14_300, 50),
    ("~ 14.3 kW", M.POWER, 14_300, 50),
    ("about 14.3 kW", M.POWER, 14_300, 50),
    ("269 microseconds", M.LATENCY, F(269, 10**6), F(1, 2 * 10**6)),
    ("8.09 ms", M.LATENCY, F(809, 10**5), F(5, 10**6)),
    ("+5 W", M.POWER, 5, F(1, 2)),
    ("0.5 W", M.POWER, F(1, 2), F(1, 20)),
    ("1,234,567 tokens/s", M.RATE, 1_234_567, F(1, 2)),
    ("256 chips", M.COUNT, 256, 0),
    ("8", M.COUNT, 8, 0),
    ("3.20 USD/h", M.PRICE, F(32, 36_000), F(5, 1000) / 3600),
]


@pytest.mark.parametrize(("text", "metric", "base", "half"), READ)
def test_a_printed_value_has_the_value_and_the_interval_of_its_digits(
    text: str, metric: Metric, base: F | int, half: F | int
) -> None:
    quantity = parse_quantity(text, metric)
    assert quantity.base == base
    assert quantity.interval == Interval(F(base) - half, F(base) + half)
    assert quantity.text == text


@pytest.mark.parametrize(
    ("text", "remembered"),
    [
        ("up to 1,000 W", {"up_to"}),
        ("Up to 700W (configurable)", {"up_to"}),
        ("UP TO 700 W", {"up_to"}),
        ("up to ~700 W", {"up_to", "approximate"}),
        ("~14.3 kW", {"approximate"}),
        ("≈14.3 kW", {"approximate"}),
        ("approx. 14.3 kW", {"approximate"}),
        ("about 14 kW", {"approximate"}),
        ("14.3 kW", set()),
    ],
)
def test_a_limit_and_an_approximation_are_remembered(text: str, remembered: set[str]) -> None:
    quantity = parse_quantity(text, Metric.POWER)
    marks = {"up_to": quantity.up_to, "approximate": quantity.approximate}
    assert {name for name, is_set in marks.items() if is_set} == remembered


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("1,638 GB/s", "1638"),
        ("1.200 GB/s", "1200"),
        ("0.05 GB/s", "5"),
        ("8e12 B/s", "8"),
        ("1_000 GB/s", "1000"),
    ],
)
def test_digits_are_kept_without_separators(text: str, digits: str) -> None:
    assert parse_quantity(text, Metric.MEMORY_BANDWIDTH).digits == digits


# Text, rule, and what the offsets of the refusal point at.
REFUSED: list[tuple[str, str, str]] = [
    ("", "malformed-quantity", ""),
    ("   ", "malformed-quantity", "   "),
    ("GB", "malformed-quantity", "GB"),
    ("-5 GB", "malformed-quantity", "-5 GB"),
    ("−5 GB", "malformed-quantity", "−5 GB"),
    (".5 GB", "malformed-quantity", ".5 GB"),
    ("n/a", "malformed-quantity", "n/a"),
    ("Configurable up to 1,000 GB", "malformed-quantity", "Configurable up to 1,000 GB"),
    ("0 GB", "malformed-quantity", "0"),
    ("0.00 GB", "malformed-quantity", "0.00"),
    ("1,99 GB", "malformed-quantity", ",99 GB"),
    ("1,6384 GB", "malformed-quantity", ",6384 GB"),
    ("1.638,5 GB", "malformed-quantity", ",5 GB"),
    ("1e400 GB", "malformed-quantity", "1e400"),
    ("1e-31 GB", "malformed-quantity", "1e-31"),
    ("10^30 GB", "unknown-unit", "^30 GB"),
    ("1" + "0" * 40 + " GB", "malformed-quantity", "1" + "0" * 40),
    ("0." + "0" * 40 + "1 GB", "malformed-quantity", "0." + "0" * 40 + "1"),
    ("5", "unknown-unit", ""),
    ("5 (GB)", "unknown-unit", " "),
    ("4 x 200 GB", "unknown-unit", "x 200 GB"),
    ("9/18 GB", "malformed-quantity", "/18 GB"),
    ("144 | 72 GB", "unknown-unit", "| 72 GB"),
    ("44 to 180 GB", "unknown-unit", "to 180 GB"),
    ("1 638 GB", "malformed-quantity", "638 GB"),
    ("1\u202f638 GB", "malformed-quantity", "638 GB"),
    ("5\u00a0foo\u00a0bar", "unknown-unit", "foo\u00a0bar"),
    ("32 GB GB", "unknown-unit", "GB GB"),
    ("32 gb (HBM)", "ambiguous-unit", "gb"),
    ("  32\u00a0gb", "ambiguous-unit", "gb"),
    ("180 GB/s", "unit-of-another-metric", "GB/s"),
    ("١٨٠ GB", "malformed-quantity", "١٨٠ GB"),
]


@pytest.mark.parametrize(("text", "rule", "shown"), REFUSED)
def test_what_is_no_single_clear_number_is_refused_at_its_place(
    text: str, rule: str, shown: str
) -> None:
    with pytest.raises(QuantityError) as caught:
        parse_quantity(text, Metric.MEMORY_CAPACITY)
    assert caught.value.rule == rule
    assert text[caught.value.start : caught.value.end] == shown
    assert caught.value.remedy


@pytest.mark.parametrize("text", ["9" * 5000 + " GB", "x" * 5000, "5 " + "G" * 5000])
def test_a_text_of_thousands_of_characters_is_refused_at_once(text: str) -> None:
    with pytest.raises(QuantityError, match=r"the printed value has \d+ characters") as caught:
        parse_quantity(text, Metric.MEMORY_CAPACITY)
    assert caught.value.rule == "malformed-quantity"


def test_the_largest_and_the_smallest_number_still_have_a_ratio_as_a_float() -> None:
    large = parse_quantity("1e30 EB", Metric.MEMORY_CAPACITY)
    small = parse_quantity("1e-30 bit", Metric.MEMORY_CAPACITY)
    assert float(large.base / small.base) == pytest.approx(8e78)


def test_a_number_without_unit_is_a_count_and_nothing_else() -> None:
    assert parse_quantity("256", Metric.COUNT).unit.kind == "number"
    for metric in Metric:
        if metric is not Metric.COUNT:
            with pytest.raises(QuantityError, match="the value has no unit"):
                parse_quantity("256", metric)


@pytest.mark.parametrize(
    ("text", "metric", "plain"),
    [
        ("1,638 GBps", Metric.MEMORY_BANDWIDTH, "1638 GB/s"),
        ("9.20e14 ops/s", Metric.COMPUTE_THROUGHPUT, "920000000000000 OP/s"),
        ("31.25 GiB", Metric.MEMORY_CAPACITY, "31.25 GiB"),
        ("8 GPUs", Metric.COUNT, "8 GPUs"),
        ("8", Metric.COUNT, "8"),
    ],
)
def test_a_quantity_reads_plainly_in_a_message(text: str, metric: Metric, plain: str) -> None:
    assert parse_quantity(text, metric).plain == plain


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (F(1), "1"),
        (F(9, 4), "2.25"),
        (F(1, 3), "0.333333"),
        (F(10**21), "1" + "0" * 21),
        (F(1, 10**6), "0.000001"),
        (F(13421772801, 10**10), "1.34218"),
    ],
)
def test_a_decimal_text_has_no_exponent(value: F, text: str) -> None:
    assert decimal_text(value) == text


def test_a_tiny_number_is_not_shown_as_nothing() -> None:
    assert float(decimal_text(F(269, 10**9))) == pytest.approx(2.69e-7)


def test_an_interval_holds_its_ends_and_nothing_outside() -> None:
    interval = Interval(F(135, 100), F(145, 100))
    assert F(135, 100) in interval
    assert F(145, 100) in interval
    assert F(146, 100) not in interval
    assert "1.4" not in interval
    assert interval / Interval(F(1), F(2)) == Interval(F(135, 200), F(145, 100))
    assert interval.scale(F(2)) == Interval(F(27, 10), F(29, 10))
    assert interval.overlaps(Interval(F(145, 100), F(2)))
    assert not interval.overlaps(Interval(F(146, 100), F(2)))


def test_equal_texts_are_one_quantity() -> None:
    a, b = (parse_quantity("1.4 TB", Metric.MEMORY_CAPACITY) for _ in range(2))
    assert isinstance(a, Quantity)
    assert a == b
