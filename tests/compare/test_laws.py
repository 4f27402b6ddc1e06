"""Laws that hold for any two numbers, whatever their qualifiers."""

import itertools
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from kb.compare import compare, explained
from kb.compare.text import verdict_data, verdict_lines
from kb.corpus import Corpus
from kb.home import Project
from kb.load import load
from kb.model.claim import AXES, AXIS_WORDS
from kb.operand import Given, Operand, operand_of_claim, operand_of_fields
from kb.qualifiers import UNSTATED, Interface, Metric
from kb.quantity import decimal_text, parse_quantity
from kb.units import KINDS_OF_METRIC, labels
from kb.verdict import Verdict, VerdictKind

Pair = tuple[dict[str, Any], dict[str, Any]]

ROOT = Path(__file__).parents[2]
CATALOGUE: Corpus = load(Project(ROOT), kinds=("specs",)).corpus
CLAIMS = [operand_of_claim(entry) for entry in CATALOGUE.claims.values()]
PRODUCTS = (
    "TPU v6e",
    "HGX B200",
    "TPU7x",
    "HGX B300",
    "DGX B200",
    "GB200 NVL72",
    "Acme A",
    "H100 SXM",
)
VAGUE = ("GB200", "H100", "Bolt B (variant unstated)", "JAX", "CUDA")
BY_KIND = {
    metric: sorted(label for label, unit in labels().items() if unit.kind in kinds)
    for metric, kinds in KINDS_OF_METRIC.items()
}

QUICK = settings(derandomize=True, max_examples=60, deadline=None)
MANY = settings(QUICK, max_examples=400)

# Drawing each of twenty axes from Hypothesis costs more than judging the pair, so only a
# seed is drawn; the same seed always makes the same side.
SEEDS = st.integers(0, 2**32 - 1)


def number(random: Random) -> str:
    """A printed number with up to seven digits, perhaps with decimals."""
    digits, decimals = random.randrange(1, 10 ** random.randint(1, 7)), random.randint(0, 4)
    if random.random() < 0.5 or decimals == 0:
        return f"{digits:,}"
    whole, part = divmod(digits, 10**decimals)
    return f"{whole}.{part:0{decimals}d}"


def fields(random: Random, metric: Metric | None = None) -> dict[str, Any]:
    """Any product, metric and value with any word, or none, on every axis."""
    chosen = metric or Metric.of(random.choice([str(metric) for metric in Metric]))
    made: dict[str, Any] = {
        "product": random.choice(PRODUCTS if random.random() < 0.9 else VAGUE),
        "metric": chosen.value,
        "published": f"{number(random)} {random.choice(BY_KIND[chosen])}",
    }
    for axis, words in AXIS_WORDS.items():
        if random.random() < 0.6:
            # Open words are one in a dozen, so that most pairs are decided by other axes.
            rare = random.random() < 0.92
            made[axis] = str(random.choice([w for w in words if w != UNSTATED or not rare]))
    if random.random() < 0.2:
        made["count"] = random.choice((1, 2, 8, 16, 72, 256))
    elif random.random() < 0.5:
        made["scope"] = random.choice(("chip", "gpu"))
    if random.random() < 0.1:
        made["includes"] = random.sample(list(Interface), random.randint(1, 3))
    if chosen is Metric.PRICE and random.random() < 0.7:
        made["terms"] = {"currency": "USD", "term": random.choice(("1 year", "spot"))}
        made["terms"] |= {"region": "eu", "date": "2026"} if random.random() < 0.7 else {}
    return made


def unlike(seed: int) -> Pair:
    """Two sides that share nothing on purpose."""
    random = Random(seed)  # noqa: S311 - no secret
    return fields(random), fields(random)


def alike(seed: int) -> Pair:
    """Two sides that share all but two axes, so that many pairs get a ratio."""
    random = Random(seed)  # noqa: S311 - no secret
    left = fields(random)
    right = fields(random, Metric.of(left["metric"]))
    left.pop("layer", None)
    changed = {"published", *random.sample([*AXES, "product"], random.randint(0, 3))}
    if random.random() < 0.7:
        changed.add("product")
    return left, left | {axis: value for axis, value in right.items() if axis in changed}


def side(given: dict[str, Any]) -> Operand:
    return operand_of_fields(Given.model_validate(given), CATALOGUE)


def judge(left: dict[str, Any], right: dict[str, Any]) -> Verdict:
    return compare(side(left), side(right), CATALOGUE)


def test_every_axis_is_generated() -> None:
    assert set(AXES) == set(AXIS_WORDS) | {"count", "includes", "terms"}


@MANY
@given(SEEDS)
def test_no_combination_of_qualifiers_raises(seed: int) -> None:
    verdict = judge(*unlike(seed))
    assert verdict.allows_ratio == (verdict.ratio is not None) == (verdict.interval is not None)
    assert verdict.allows_ratio == (not verdict.reasons)
    assert "\n".join(verdict_lines(verdict, proof=True))
    assert verdict_data(verdict)["verdict"] == verdict.kind.value


@MANY
@given(SEEDS)
def test_no_combination_of_like_sides_raises(seed: int) -> None:
    verdict = judge(*alike(seed))
    kinds = {reason.state for reason in verdict.reasons}
    expected = {
        VerdictKind.NOT_COMPARABLE: "differs" in kinds,
        VerdictKind.UNDETERMINED: kinds == {"open"},
    }
    assert expected.get(verdict.kind, not kinds)
    assert verdict_data(verdict)


@MANY
@given(SEEDS, st.booleans())
def test_comparing_is_antisymmetric(
    seed: int,
    strict: bool,  # noqa: FBT001 - drawn
) -> None:
    left, right = map(side, alike(seed))
    verdict = compare(left, right, CATALOGUE, strict=strict)
    mirrored = compare(right, left, CATALOGUE, strict=strict)
    assert mirrored.kind is verdict.kind
    assert {(r.axis, r.state, r.right, r.left) for r in mirrored.reasons} == {
        (r.axis, r.state, r.left, r.right) for r in verdict.reasons
    }
    assert {c.about for c in mirrored.cautions} == {c.about for c in verdict.cautions}
    assert len(mirrored.conditional) == len(verdict.conditional)
    assert sorted(1 / c.ratio for c in mirrored.conditional) == sorted(
        c.ratio for c in verdict.conditional
    )
    assert (mirrored.fraction is None) == (verdict.fraction is None)
    if verdict.ratio is not None and mirrored.ratio is not None:
        assert verdict.ratio * mirrored.ratio == 1
        assert verdict.interval is not None
        assert mirrored.interval is not None
        assert verdict.interval.low * mirrored.interval.high == 1


@MANY
@given(SEEDS)
def test_an_interval_holds_the_point_and_every_ratio_of_the_digits(seed: int) -> None:
    left, right = map(side, alike(seed))
    verdict = compare(left, right, CATALOGUE)
    event(verdict.kind.value)
    if not verdict.allows_ratio:
        return
    assert verdict.ratio is not None
    assert verdict.interval is not None
    assert verdict.ratio in verdict.interval
    exact = left.quantity.interval == right.quantity.interval and verdict.ratio == 1
    if exact or any(step.replaces for step in verdict.derivation):
        return
    factor = verdict.ratio / (left.quantity.base / right.quantity.base)
    corners = [
        a / b * factor
        for a in (left.quantity.interval.low, left.quantity.interval.high)
        for b in (right.quantity.interval.low, right.quantity.interval.high)
    ]
    assert (min(corners), max(corners)) == (verdict.interval.low, verdict.interval.high)


@MANY
@given(SEEDS)
def test_a_definite_difference_beats_an_open_axis(seed: int) -> None:
    left, right = alike(seed)
    verdict = judge(left, right)
    assume(verdict.kind is VerdictKind.NOT_COMPARABLE)
    layer = {"layer": "framework"}, {"layer": "compute_api"}
    worse = judge({**left, **layer[0]}, {**right, **layer[1]})
    assert worse.kind is VerdictKind.NOT_COMPARABLE
    open_left = {**left, "product": "H100"}
    assert judge({**open_left, **layer[0]}, {**right, **layer[1]}).kind is worse.kind


SPELLINGS = {
    "GB/s": 10**9, "GBps": 10**9, "TB/s": 10**12, "MB/s": 10**6, "GB/sec": 10**9,
    "gigabytes/s": 10**9, "TBps": 10**12,
}  # fmt: skip


@QUICK
@given(
    st.integers(1, 10**6),
    st.sampled_from(sorted(SPELLINGS)),
    st.sampled_from(sorted(SPELLINGS)),
    st.sampled_from(CLAIMS),
)
def test_the_spelling_of_a_unit_changes_nothing(
    megabytes: int, one: str, other: str, claim: Operand
) -> None:
    def printed(label: str) -> dict[str, Any]:
        places = {10**6: 0, 10**9: 3, 10**12: 6}[SPELLINGS[label]]
        whole, part = divmod(megabytes, 10**places)
        digits = f"{whole}.{part:0{places}d}" if places else str(whole)
        common = {"product": "Acme A", "metric": "memory_bandwidth", "scope": "chip"}
        axes = {"interface": "hbm", "basis": "vendor_peak"}
        return {**common, **axes, "published": f"{digits} {label}"}

    a, b = (compare(side(printed(label)), claim, CATALOGUE) for label in (one, other))
    assert (a.kind, a.ratio, a.interval) == (b.kind, b.ratio, b.interval)
    assert [r.axis for r in a.reasons] == [r.axis for r in b.reasons]


@MANY
@given(SEEDS, st.sampled_from(Metric))
def test_a_printed_quantity_reads_back_as_itself(seed: int, metric: Metric) -> None:
    random = Random(seed)  # noqa: S311 - no secret
    digits, label = number(random), random.choice(BY_KIND[metric])
    blank = random.choice(("", " ", "\u00a0", "\u202f"))
    quantity = parse_quantity(f"{digits}{blank}{label}", metric)
    again = parse_quantity(quantity.text, metric)
    assert again == quantity
    assert quantity.number == Fraction(digits.replace(",", ""))
    assert (quantity.label, quantity.unit) == (label, labels()[label])
    assert quantity.base in quantity.interval
    canonical = parse_quantity(f"{digits} {quantity.unit.symbol}", metric)
    assert (canonical.base, canonical.interval) == (quantity.base, quantity.interval)


@QUICK
@given(st.fractions(min_value=Fraction(1, 10**9), max_value=10**12), st.integers(3, 12))
def test_a_decimal_text_is_near_and_plain(value: Fraction, digits: int) -> None:
    text = decimal_text(value, digits)
    assert "e" not in text
    assert abs(Fraction(text) / value - 1) <= Fraction(1, 10 ** (digits - 1))


def _ratio(left: Operand, right: Operand) -> Fraction | None:
    return compare(left, right, CATALOGUE).ratio


def test_ratios_are_transitive_through_derivations() -> None:
    """a/b times b/c is a/c, wherever all three are allowed and no other value steps in."""
    found = 0
    for metric in (Metric.MEMORY_CAPACITY, Metric.MEMORY_BANDWIDTH, Metric.LINK_BANDWIDTH):
        some = [claim for claim in CLAIMS if claim.metric is metric][::3]
        ratios = {(a.label, b.label): _ratio(a, b) for a in some for b in some}
        for a, b, c in itertools.permutations([claim.label for claim in some], 3):
            first, second, third = ratios[a, b], ratios[b, c], ratios[a, c]
            if first is not None and second is not None and third is not None:
                assert first * second == third, (a, b, c)
                found += 1
    assert found > 500


def test_every_pair_of_one_claim_with_all_others_is_judged_and_explained() -> None:
    hub = next(c for c in CLAIMS if c.label == "hgx-b200/gpu-nvlink-bandwidth")
    links = [c for c in CLAIMS if c.metric is Metric.LINK_BANDWIDTH]
    kinds = set()
    for other in links[::3]:
        verdict = explained(hub, other, CATALOGUE)
        kinds.add(verdict.kind)
        for name in verdict.use_instead:
            assert name in CATALOGUE.claims
    assert len(kinds) >= 3


@pytest.mark.parametrize("scope", ["core", "die", "board", "host", "slice", "pod", "rack"])
def test_never_divided_whatever_the_scope(scope: str) -> None:
    """Power, counts, bisections, payloads and mixed totals never shrink to one accelerator."""
    one = {"product": "Acme A", "count": 8, "scope": scope, "basis": "vendor_peak"}
    link = {"metric": "link_bandwidth", "published": "8 TB/s", "interface": "ici",
            "direction": "one_way"}  # fmt: skip
    whole: list[dict[str, Any]] = [
        {"metric": "power", "published": "8 kW"},
        {"metric": "count", "published": "8 links"},
        {"metric": "frequency", "published": "8 GHz"},
        {"metric": "memory_capacity", "published": "8 TB", "includes": ["hbm", "lpddr"]},
        *({**link, "aggregation": a} for a in ("bisection", "all_reduce_payload", "switch", "bus")),
    ]
    for figure in whole:
        verdict = judge(
            {**one, **figure}, {**one, **figure, "product": "Bolt", "scope": "gpu", "count": 1}
        )
        assert not verdict.allows_ratio
        assert "scope" in {reason.axis for reason in verdict.reasons}
        assert verdict.derivation == ()
