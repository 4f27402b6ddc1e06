"""Device kinds lead to products that the catalogue has, and to no relative of them."""

from __future__ import annotations

import pytest

from kb.corpus import Corpus
from kb.home import Project, home
from kb.load import load
from kb.model.device_kinds import PRODUCT_OF_KIND
from kb.model.identity import product_of


@pytest.fixture(scope="module")
def catalogue() -> Corpus:
    return load(Project(home()), kinds=("specs",)).corpus


def test_every_known_kind_is_a_product_of_the_catalogue(catalogue: Corpus) -> None:
    assert set(PRODUCT_OF_KIND.values()) <= set(catalogue.products)


def test_where_the_catalogue_knows_the_name_both_mean_one_product(catalogue: Corpus) -> None:
    for kind, product in PRODUCT_OF_KIND.items():
        identity = catalogue.identify(kind)
        if identity.product is not None:
            assert identity.product.product == product, kind


@pytest.mark.parametrize(
    "kind",
    ["NVIDIA GB200", "NVIDIA B2000", "NVIDIA RTX B200", "nvidia b200", "TPU v6", "TPU v3", "cpu",
     "NVIDIA H100", ""],
)  # fmt: skip
def test_any_other_kind_is_other_and_never_a_guess(kind: str) -> None:
    assert product_of(kind) == "other"
