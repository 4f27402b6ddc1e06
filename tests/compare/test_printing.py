"""What the way of printing adds to a verdict: disputes, limits and copies."""

from __future__ import annotations

import pytest

from kb.compare import compare
from kb.corpus import Corpus
from kb.load import load_files
from kb.operand import operand_of_claim

SOURCES = """
sources:
  page: {title: Page, publisher: Acme, kind: vendor_page}
  copy: {title: Copy, publisher: Other, kind: third_party_copy}
"""
SPEC = """
product: {name}
name: {name}
vendor: Acme
layer: accelerator
summary: An example.
claims:
  - id: gpu-hbm
    metric: memory_capacity
    interface: hbm
    scope: gpu
    basis: advertised
    statements:
      - {{published: "180 GB", source: {source}}}
      - {{published: "{other}", source: page, status: {status}}}
"""


def corpus(other: str, status: str = "disputed", source: str = "page") -> Corpus:
    files = {"specs/sources.yml": SOURCES}
    files["specs/a1.yml"] = SPEC.format(name="a1", other=other, status=status, source=source)
    files["specs/b1.yml"] = SPEC.format(
        name="b1", other="180 GB", status="concurring", source="page"
    )
    loaded = load_files(files)
    assert loaded.findings == ()
    return loaded.corpus


def cautions(found: Corpus) -> dict[str, str]:
    left, right = (operand_of_claim(found.claims[f"{name}/gpu-hbm"]) for name in ("a1", "b1"))
    return {caution.about: caution.text for caution in compare(left, right, found).cautions}


def test_a_disputed_value_travels_with_the_verdict() -> None:
    text = cautions(corpus("192 GB"))["conflict"]
    assert text == "sources disagree about a1/gpu-hbm: 192 GB too"


@pytest.mark.parametrize(
    ("other", "status"), [("180.2 GB", "disputed"), ("192 GB", "superseded"), ("no", "disputed")]
)
def test_no_dispute_is_made_up(other: str, status: str) -> None:
    assert "conflict" not in cautions(corpus(other, status))


def test_a_third_party_copy_is_said() -> None:
    assert "source" in cautions(corpus("180 GB", "concurring", source="copy"))
    assert "source" not in cautions(corpus("180 GB", "concurring"))
