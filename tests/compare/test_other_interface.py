"""A memory or link without a word of its own: kept by its printed name, compared by its role."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from kb.compare import compare
from kb.compare.matrix import compare_all
from kb.load import load_files
from kb.operand import Given, Operand, needed_axes, operand_of_claim, operand_of_fields
from kb.pages.pairs import groups_by
from kb.qualifiers import Metric
from kb.verdict import Verdict, VerdictKind

OWN = """
product: {key}
name: {key}
vendor: Example
layer: accelerator
accelerator: chip
summary: An example.
{counted}claims:
  - id: chip-link-bandwidth
    metric: link_bandwidth
    interface: {link}
    role: {role}
    scope: chip
    direction: one_way
    aggregation: {sum}
    basis: vendor_peak
    statements: [{{published: "{published}", source: sheet}}]
"""
SHEET = "sources: {sheet: {title: Sheet, publisher: Example, kind: vendor_page}}\n"


def product(key: str, link: str, published: str, **more: str) -> str:
    counted = f"links: [{{interface: {link}, count: 4, source: sheet}}]\n"
    fields = {"role": "scale_up_link", "sum": "per_device", "counted": counted} | more
    return OWN.format(key=key, link=link, published=published, **fields)


LOADED = load_files(
    {
        "specs/sources.yml": SHEET,
        "specs/one.yml": product("one", "other OrionLink", "900 GB/s"),
        "specs/two.yml": product("two", "other Lyra Link", "100 GB/s", sum="per_link"),
        "specs/three.yml": product("three", "nvlink", "300 GB/s"),
        "specs/four.yml": product("four", "unstated", "300 GB/s", role="unstated", counted=""),
        "specs/five.yml": product("five", "other Host-X", "300 GB/s", role="host_link"),
    }
)
CORPUS = LOADED.corpus
LINK = {"product": "X", "metric": "link_bandwidth", "published": "450 GB/s", "scope": "chip",
        "direction": "one_way", "aggregation": "total", "basis": "vendor_peak"}  # fmt: skip


def claim(key: str) -> Operand:
    return operand_of_claim(CORPUS.claims[f"{key}/chip-link-bandwidth"])


def side(**fields: object) -> Operand:
    given: dict[str, Any] = LINK | fields
    return operand_of_fields(Given.model_validate(given), CORPUS)


def abouts(verdict: Verdict) -> set[str]:
    return {caution.about for caution in verdict.cautions}


def test_such_a_specification_is_read_and_nothing_is_lost() -> None:
    assert LOADED.findings == ()
    assert claim("one").get("interface") == "other OrionLink"


def test_two_of_another_name_are_never_one_interface() -> None:
    verdict = compare(claim("one"), side(interface="other Lyra Link", role="scale_up_link"), CORPUS)
    assert (verdict.kind, verdict.ratio) == (VerdictKind.COMPARABLE, Fraction(2))
    assert "topology" in abouts(verdict)  # what two links of one role are told apart by
    same = compare(claim("one"), side(interface="other OrionLink", role="scale_up_link"), CORPUS)
    assert (same.kind, same.ratio) == (VerdictKind.COMPARABLE, Fraction(2))
    assert "topology" not in abouts(same)


def test_the_links_of_a_device_are_counted_by_their_name() -> None:
    verdict = compare(claim("two"), claim("three"), CORPUS)
    assert (verdict.kind, verdict.ratio) == (VerdictKind.AFTER_DERIVATION, Fraction(4, 3))


def test_a_link_of_another_role_is_another_thing() -> None:
    verdict = compare(claim("one"), claim("five"), CORPUS)
    assert verdict.kind is VerdictKind.NOT_COMPARABLE
    assert [reason.axis for reason in verdict.reasons] == ["interface"]


@pytest.mark.parametrize("role", [{}, {"role": "unstated"}])
def test_without_its_role_it_stays_open(role: dict[str, str]) -> None:
    verdict = compare(side(interface="other OrionLink", **role), claim("three"), CORPUS)
    assert verdict.kind is VerdictKind.UNDETERMINED
    assert [reason.axis for reason in verdict.reasons] == ["role"]
    axes = {"interface": "other OrionLink"}
    assert "role" in needed_axes(Metric.LINK_BANDWIDTH, axes, None)


def test_an_open_interface_is_assumed_by_role_and_never_by_the_link_of_another_vendor() -> None:
    verdict = compare(side(interface="unstated"), claim("three"), CORPUS)
    assert verdict.kind is VerdictKind.UNDETERMINED
    (assumed,) = verdict.conditional
    assert assumed.when == (("left", "role", "scale_up_link"),)
    assert assumed.ratio == Fraction(3, 2)


def test_all_at_once_is_judged_as_one_by_one() -> None:
    operands = [operand_of_claim(entry) for entry in CORPUS.claims.values()]
    for cell in compare_all(operands, CORPUS):
        alone = compare(operands[cell.left], operands[cell.right], CORPUS)
        assert cell.kind is alone.kind


@pytest.mark.parametrize(("left", "right"), [("four", "one"), ("one", "four"), ("four", "four")])
def test_an_open_link_has_its_row_when_two_products_are_set_side_by_side(
    left: str, right: str
) -> None:
    found = groups_by(CORPUS, left, right, compare)
    judged = [item for group in found for item in group.judged]
    names = [(item.left.id.partition("/")[0], item.right.id.partition("/")[0]) for item in judged]
    assert names == [(left, right)]
    if left != right:
        assert judged[0].verdict.kind is VerdictKind.UNDETERMINED
