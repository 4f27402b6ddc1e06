"""Names resolve to exactly the product they mean, and never to a relative of it."""

from __future__ import annotations

import pytest

from kb.corpus import Corpus
from kb.home import Project, home
from kb.load import load

EXACT = {
    "B200": "hgx-b200",
    "NVIDIA B200": "hgx-b200",
    "B200-SXM-180GB": "hgx-b200",
    "HGX B200": "hgx-b200",
    "hgx b200": "hgx-b200",
    "DGX B200": "dgx-b200",
    "B300": "hgx-b300",
    "HGX B300 NVL16": "hgx-b300",
    "GB200 NVL72": "gb200-nvl72",
    "GB200 superchip": "gb200-superchip",
    "GB300 NVL72": "gb300-nvl72",
    "GB300": "gb300-nvl72",
    "H100 SXM": "h100-sxm",
    "H100 NVL": "h100-nvl",
    "H100 PCIe": "h100-pcie",
    "H200 SXM": "h200-sxm",
    "TPU v6e": "tpu-v6e",
    "TPU v6 lite": "tpu-v6e",
    "Trillium": "tpu-v6e",
    "Google TPU v6e": "tpu-v6e",
    "TPU v5e": "tpu-v5e",
    "TPU v5p": "tpu-v5p",
    "Ironwood": "tpu7x",
    "TPU7x (Ironwood)": "tpu7x",
    "AMD MI300X": "mi300x",
    "AWS Trainium2": "trainium2",
    "Intel Gaudi 3": "gaudi3",
    "JAX": "jax",
    "CUDA": "cuda",
}

SHARED = ("H100", "NVIDIA GB200", "GB200", "H100 (variant unstated)", "Trainium")

OTHER = (
    "B20",
    "B2000",
    "GB20",
    "XB200",
    "TPU v6",
    "v6e-",
    "H10",
    "Kubernetes pod",
    "",
    "Blackwell",
)


@pytest.fixture(scope="module")
def catalogue() -> Corpus:
    return load(Project(home()), kinds=("specs",)).corpus


@pytest.mark.parametrize(("name", "product"), EXACT.items())
def test_an_exact_name_means_one_product(catalogue: Corpus, name: str, product: str) -> None:
    found = catalogue.identify(name).product
    assert found is not None
    assert found.product == product


@pytest.mark.parametrize("name", SHARED)
def test_a_shared_name_means_none_of_its_products_alone(catalogue: Corpus, name: str) -> None:
    identity = catalogue.identify(name)
    assert identity.product is None
    assert len(identity.candidates) > 1


@pytest.mark.parametrize("name", OTHER)
def test_an_unknown_name_is_no_product_and_never_a_guess(catalogue: Corpus, name: str) -> None:
    identity = catalogue.identify(name)
    assert identity.product is None
    assert len(identity.candidates) != 1


def test_no_two_products_claim_one_name(catalogue: Corpus) -> None:
    for entry in catalogue.products.values():
        product = entry.value
        for name in (product.product, product.name, *product.aliases):
            found = catalogue.identify(name)
            shared = product.product in found.candidates and len(found.candidates) > 1
            assert found.product == product or shared, name
