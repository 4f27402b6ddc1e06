"""What a product's name means: exactly one product, several, or nothing known."""

from pathlib import Path

import pytest

from kb.corpus import Corpus, normal_name
from kb.home import Project
from kb.load import load

CATALOGUE: Corpus = load(Project(Path(__file__).parents[2]), kinds=("specs",)).corpus


@pytest.mark.parametrize(
    ("name", "product"),
    [
        ("hgx-b200", "hgx-b200"),
        ("HGX B200", "hgx-b200"),
        ("hgx  b200", "hgx-b200"),
        ("NVIDIA HGX B200", "hgx-b200"),
        ("HGX\u00a0B200", "hgx-b200"),
        ("HGX™ B200", "hgx-b200"),
        ("B200", "hgx-b200"),
        ("TPU v6e", "tpu-v6e"),
        ("TPU_v6e", "tpu-v6e"),
        ("Trillium", "tpu-v6e"),
        ("trillium", "tpu-v6e"),
        ("TPU v6e (Trillium)", "tpu-v6e"),
        ("GB200 NVL72", "gb200-nvl72"),
        ("H100 SXM", "h100-sxm"),
        ("DGX B200", "dgx-b200"),
        ("TPU7x (Ironwood)", "tpu7x"),
    ],
)
def test_a_name_or_an_alias_means_its_product(name: str, product: str) -> None:
    identity = CATALOGUE.identify(name)
    assert identity.product is not None
    assert identity.product.product == product
    assert identity.candidates == ()
    assert identity.name == name


@pytest.mark.parametrize(
    ("name", "among"),
    [
        ("GB200", "gb200-nvl72"),
        ("H100", "h100-sxm"),
        ("H100", "h100-pcie"),
        ("H100 (variant unstated)", "h100-nvl"),
        ("H100 (model unknown)", "h100-nvl"),
        ("H200", "h200-nvl"),
        ("Blackwell", "hgx-b200"),
        ("Hopper", "h100-sxm"),
        ("NVL72", "gb300-nvl72"),
        ("B200 (variant unstated)", "hgx-b200"),
    ],
)
def test_a_shared_name_means_none_of_its_products_alone(name: str, among: str) -> None:
    identity = CATALOGUE.identify(name)
    assert identity.product is None
    assert among in identity.candidates


@pytest.mark.parametrize(
    "name",
    ["", "B", "B2000", "GB200 NVL7", "v6", "TPU v60e", "HGX B200 pro", "B200B200", "Instinct"],
)
def test_an_unknown_name_is_never_guessed_from_its_parts(name: str) -> None:
    identity = CATALOGUE.identify(name)
    assert identity.product is None
    assert identity.candidates == ()


def test_gb200_is_never_b200() -> None:
    for name in ("GB200", "NVIDIA GB200", "gb200", "GB200 NVL72", "GB200 superchip"):
        identity = CATALOGUE.identify(name)
        found = identity.candidates or (identity.product and (identity.product.product,))
        assert found
        assert "hgx-b200" not in found


def test_no_two_products_share_a_name_that_no_family_declares() -> None:
    families = {normal_name(family.value.name) for family in CATALOGUE.families}
    owners: dict[str, set[str]] = {}
    for entry in CATALOGUE.products.values():
        for name in (entry.value.product, entry.value.name, *entry.value.aliases):
            owners.setdefault(normal_name(name), set()).add(entry.value.product)
    shared = {name for name, products in owners.items() if len(products) > 1}
    assert shared <= families


def test_families_and_confusables_name_products_of_the_catalogue() -> None:
    for family in CATALOGUE.families:
        assert set(family.value.members) <= set(CATALOGUE.products)
    for entry in CATALOGUE.products.values():
        named = set(entry.value.not_to_be_confused_with)
        assert named <= set(CATALOGUE.products)
        assert entry.value.product not in named


def test_claims_of_a_product_come_in_the_order_of_its_file() -> None:
    entry = CATALOGUE.products["tpu-v6e"]
    ids = [claim.claim.id for claim in CATALOGUE.claims_of("tpu-v6e")]
    assert ids == [claim.id for claim in entry.value.claims]
    assert list(CATALOGUE.claims_of("no-such-product")) == []


def test_an_empty_corpus_knows_nothing_and_breaks_on_nothing() -> None:
    empty = Corpus()
    assert empty.identify("HGX B200").product is None
    assert list(empty.claims_of("hgx-b200")) == []
