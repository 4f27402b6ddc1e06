"""Verdicts don't depend on what was judged before: known silence is silence."""

from __future__ import annotations

import itertools

import pytest

from kb.compare import judge
from kb.compare.judge import compare
from kb.corpus import Corpus
from kb.home import Project, home
from kb.load import load
from kb.operand import Given, Operand, operand_of_claim, operand_of_fields

PRODUCTS = ("tpu-v6e", "hgx-b200", "gaudi3")


@pytest.fixture(scope="module")
def catalogue() -> Corpus:
    return load(Project(home()), only=PRODUCTS, kinds=("specs",)).corpus


def test_a_pair_whose_profiles_are_known_to_be_silent_is_judged_as_if_they_were_not(
    catalogue: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    sides: list[Operand] = [operand_of_claim(entry) for entry in catalogue.claims.values()]
    every = itertools.product(sides, repeat=2)
    pairs = [(one, other) for one, other in every if one.metric is other.metric]
    for one, other in pairs:
        compare(one, other)  # every silence is known from here on
    short = [compare(one, other) for one, other in pairs]
    monkeypatch.setattr(judge, "profiles", lambda _: None)
    assert [compare(one, other) for one, other in pairs] == short
    plain = [v for v in short if v.allows_ratio and not v.cautions and not v.derivation]
    assert 50 < len(plain) < len(pairs) / 2


def test_what_was_compared_before_takes_no_caution_away(catalogue: Corpus) -> None:
    """The first figure is none of the catalogue's, the second is; their words are the same."""

    def side(product: str, published: str) -> Operand:
        fields = {"metric": "memory_capacity", "interface": "on_chip", "scope": "chip",
                  "basis": "advertised", "product": product, "published": published}  # fmt: skip
        return operand_of_fields(Given.model_validate(fields), catalogue)

    other = side("hgx-b200", "120 MiB")
    for published in ("97 MiB", "96 MiB"):
        cautions = compare(side("gaudi3", published), other, catalogue).cautions
        assert [caution.about for caution in cautions] == ["interface"]
