"""Numbers in sentences: what is one, where it stands, and what it comes to."""

from __future__ import annotations

from fractions import Fraction

import pytest

from kb.prose.labels import header_label, unit_named
from kb.prose.names import tokens_of, words_of
from kb.prose.numbers import Amount, amounts, has_decimal_comma

READ: list[tuple[str, str, str, object]] = [
    ("180 GB", "180 GB", "information", 180 * 10**9),
    ("180GB", "180GB", "information", 180 * 10**9),
    ("180-GB cards", "180-GB", "information", 180 * 10**9),
    ("at 1638 GBps", "1638 GBps", "information_rate", 1638 * 10**9),
    ("7.7 TB/sec", "7.7 TB/sec", "information_rate", 77 * 10**11),
    ("7.7 terabytes per second", "7.7 terabytes per second", "information_rate", 77 * 10**11),
    ("200 Gbit/s", "200 Gbit/s", "information_rate", 25 * 10**9),
    ("3584 Gbps", "3584 Gbps", "information_rate", 448 * 10**9),
    ("9.6 Tb/s", "9.6 Tb/s", "information_rate", 12 * 10**11),
    ("32 GiB", "32 GiB", "information", 32 * 2**30),
    ("918 TFLOP/s", "918 TFLOP/s", "operations", 918 * 10**12),
    ("918 TFLOPs", "918 TFLOPs", "operations", 918 * 10**12),
    ("67 teraFLOPS", "67 teraFLOPS", "operations", 67 * 10**12),
    ("4.5 PF", "4.5 PF", "operations", 45 * 10**14),
    ("1.1 exaflops", "1.1 exaflops", "operations", 11 * 10**17),
    ("307 TOPS", "307 TOPS", "operations", 307 * 10**12),
    ("4.6 trillion operations each second", "4.6 trillion operations each second", "operations",
     46 * 10**11),
    ("5.2e14 operations", "5.2e14 operations", "work", 52 * 10**13),
    ("1.638e12 B/s", "1.638e12 B/s", "information_rate", 1638 * 10**9),
    ("34_400_000_000 bytes", "34_400_000_000 bytes", "information", 34_400_000_000),
    ("1,440 GB", "1,440 GB", "information", 1440 * 10**9),
    ("13\u202f392\u00a0GB", "13\u202f392\u00a0GB", "information", 13392 * 10**9),
    ("１８０ ＧＢ".translate({i: i - 0xFEE0 for i in range(0xFF01, 0xFF5F)}), "180 GB",
     "information", 180 * 10**9),
    ("4,8 TB/s", "4,8 TB/s", "information_rate", 48 * 10**11),
    ("4.7× as fast", "4.7×", "ratio", Fraction(47, 10)),
    ("4.7x faster", "4.7x", "ratio", Fraction(47, 10)),
    ("3.84 times", "3.84 times", "ratio", Fraction(384, 100)),
    ("25 %", "25 %", "percent", 25),
    ("25 percent", "25 percent", "percent", 25),
    ("256 chips", "256 chips", "count", 256),
    ("eight GPUs", "eight GPUs", "count", 8),
    ("1.28 ms", "1.28 ms", "time", Fraction(128, 100_000)),
    ("269 microseconds", "269 microseconds", "time", Fraction(269, 10**6)),
    ("31.25G", "31.25G", "open", Fraction(3125, 100)),
    ("~14.3 kW", "14.3 kW", "power", 14300),
]  # fmt: skip

NO_QUANTITIES = [
    "FP8 and bf16 on a v6e or an H100",
    "JAX 0.10.2 came out on 2026-11-30",
    "the 16.04.2026 release v2.29.0",
    "ConnectX-7, NVLink-5 and HBM3e",
    "p6-b200.48xlarge",
    "issue #180 of 2:4",
    "nothing here",
    "9" * 5000 + " GB",
    "1e999 GB",
    "0 GB",
]


def read(text: str) -> list[Amount]:
    return amounts(
        text,
        0,
        len(text),
        comma=has_decimal_comma(words_of(text)),
        tokens=tokens_of(text, 0, len(text)),
    )


@pytest.mark.parametrize(("text", "stretch", "kind", "value"), READ, ids=[r[0] for r in READ])
def test_a_number_is_read_where_it_stands(
    text: str, stretch: str, kind: str, value: object
) -> None:
    found = read(text)
    assert [(text[a.start : a.end], a.kind, a.base) for a in found] == [(stretch, kind, value)]


@pytest.mark.parametrize("text", NO_QUANTITIES)
def test_names_versions_and_dates_are_no_quantities(text: str) -> None:
    assert [a for a in read(text) if a.unit is not None or a.kind in ("ratio", "percent")] == []


def test_german_commas_and_points() -> None:
    text = "Der H200 kommt mit 4,8 TB/s auf 3.958 TFLOPS und liest 1.200 GB/s"
    assert [float(a.number) for a in read(text)] == [4.8, 3958, 1200]


def test_english_points_stay_decimal() -> None:
    assert [float(a.number) for a in read("the rate is 1.638 TB/s of HBM")] == [1.638]


@pytest.mark.parametrize(
    "text", ["9/18 petaFLOPS", "80 and 40 TFLOPS", "63 to 64 GB/s", "90–192 W", "144 | 72 PFLOPS"]
)
def test_neighbours_share_a_unit(text: str) -> None:
    first, second = read(text)
    assert first.unit == second.unit
    assert first.inherited
    assert not second.inherited


def test_what_is_left_takes_the_unit_before_it() -> None:
    text = "18 PFLOPS; without sparsity that leaves 9."
    assert [(float(a.number), a.kind) for a in read(text)] == [
        (18, "operations"),
        (9, "operations"),
    ]


def test_a_topology_is_no_product_of_numbers() -> None:
    (found,) = read("a 4x8 slice")
    assert (found.kind, found.parts) == ("topology", (4, 8))
    assert [a.kind for a in read("8 × 180 GB")] == ["bare", "information"]


@pytest.mark.parametrize(
    ("head", "symbol"),
    [
        ("HBM (GB)", "GB"),
        ("bandwidth, TB/s", "TB/s"),
        ("peak in TFLOPS", "TFLOP/s"),
        ("chips", None),
    ],
)
def test_a_table_head_carries_the_unit(head: str, symbol: str | None) -> None:
    label = header_label(head)
    assert (label and label.unit and label.unit.symbol) == symbol


@pytest.mark.parametrize("word", ["gbps", "chip", "iB", "Tensor", "PFx"])
def test_what_is_no_unit_is_none(word: str) -> None:
    assert unit_named(word, rate=False) is None


@pytest.mark.parametrize("digits", ["1" * 1_000_000, "1," * 50_000, "1" * 41, "1." * 5000 + "1"])
@pytest.mark.parametrize("tail", [" GB", "", "x4 GB"])
def test_a_run_of_digits_without_end_is_no_quantity(digits: str, tail: str) -> None:
    text = f"It holds {digits}{tail}."
    assert all(len(text[a.start : a.end]) < 60 for a in amounts(text, 0, len(text), comma=False))
