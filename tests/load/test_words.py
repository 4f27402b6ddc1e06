"""A value that is none of the words of its field is one mistake, with the words that fit there."""

from __future__ import annotations

from typing import Any

import pytest

from kb.finding import Finding
from kb.load.shape import shape
from kb.model.claim import Claim
from kb.model.product import Product
from kb.source import Place

LINK: dict[str, Any] = {
    "id": "chip-link",
    "metric": "link_bandwidth",
    "scope": "chip",
    "direction": "one_way",
    "statements": [{"published": "900 GB/s"}],
}
MEMORY = {**LINK, "metric": "memory_capacity", "statements": [{"published": "80 GB"}]}


def one(data: dict[str, Any], model: type[Claim | Product] = Claim) -> Finding:
    read, (finding,) = shape(model, data, Place("a.yml"))
    assert read is None
    return finding


@pytest.mark.parametrize("written", ["orionlink", "NVLink 6", "other", 7])
def test_the_link_of_another_vendor_is_no_slip_of_a_known_one(written: object) -> None:
    finding = one({**LINK, "interface": written})
    assert finding.rule == "unknown-word"
    assert "did you mean" not in finding.remedy
    assert "'other NAME'" in finding.remedy
    assert "unstated" in finding.remedy


@pytest.mark.parametrize(("data", "fits", "unfit"), [(LINK, "nic", "hbm"), (MEMORY, "hbm", "nic")])
def test_a_link_is_offered_no_memory_and_a_memory_no_link(
    data: dict[str, Any], fits: str, unfit: str
) -> None:
    words = one({**data, "interface": "mine"}).remedy.removeprefix("use one of ").split(", ")
    assert fits in words
    assert unfit not in words


def test_a_statement_is_told_the_words_of_its_claim() -> None:
    statement = {"published": "900 GB/s", "interface": "mine"}
    finding = one({**LINK, "statements": [statement]})
    assert finding.place.route == ("statements", 0, "interface")
    assert "hbm" not in finding.remedy


def test_a_slip_of_the_hand_is_still_recognised() -> None:
    assert one({**LINK, "interface": "nvlnk"}).remedy.startswith("did you mean 'nvlink'? ")


def test_a_number_or_unstated_is_asked_for_once() -> None:
    finding = one({**LINK, "interface": "nvlink", "count": "many"})
    assert (finding.rule, finding.message) == (
        "wrong-type",
        "'count' must be a whole number, not the text 'many'",
    )


@pytest.mark.parametrize(
    ("field", "value", "wanted"),
    [
        ("composition", "8 gpu", "SCOPE: {of: …, count: …}"),
        ("composition", {"board": "8 gpu"}, "{of: …, count: …}"),
        ("sparse_mode", "none", "{mode: …}"),
        ("links", ["18 nvlink"], "{interface: …, count: …, source: …}"),
    ],
)
def test_a_mapping_is_asked_for_with_its_fields(field: str, value: object, wanted: str) -> None:
    head = {"product": "x", "name": "X", "vendor": "V", "layer": "accelerator", "summary": "S."}
    finding = one({**head, field: value}, Product)
    assert finding.rule == "wrong-type"
    assert wanted in finding.remedy


def test_a_field_of_another_part_of_the_record_is_no_slip() -> None:
    mode = {"mode": "none", "source": "sheet", "locator": "note 2"}
    data = {"product": "a", "name": "A", "vendor": "B", "layer": "accelerator",
            "accelerator": "gpu", "summary": "An example.", "sparse_mode": mode}  # fmt: skip
    finding = one(data, Product)
    assert (finding.rule, finding.remedy) == ("unknown-field", "remove it or correct its name")
    misspelt = one({**data, "sparse_mode": {"mode": "none", "sorce": "sheet"}}, Product)
    assert misspelt.remedy == "did you mean 'source'?"
