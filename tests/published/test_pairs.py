"""Legal and illegal pairs of published results, each with the verdict that it must get."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from kb.compare import compare, explained
from kb.corpus import Corpus
from kb.home import Project
from kb.load import load
from kb.model.result import PublishedResult
from kb.operand import Operand, operand_of_claim
from kb.published import VIEWS, named, operand_of_result
from kb.quantity import decimal_text
from kb.verdict import VerdictKind

ROOT = Path(__file__).resolve().parents[2]
PAIRS = yaml.safe_load(Path(__file__).with_name("pairs.yml").read_text("utf-8"))
CHANGES = ("change", "flag", "larger")
"""What a pair may do to a side; the side is another result then."""
FILES = {"L/": "mlperf-inference-v5.1/", "E/": "mlperf-inference-v4.1/"}


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return load(Project(ROOT), kinds=("specs", "evidence")).corpus


def full(name: str) -> str:
    return FILES[name[:2]] + name[2:]


def side(corpus: Corpus, pair: dict[str, Any], which: str) -> Operand:
    found = named(full(pair[which]), corpus)
    assert found is not None, pair[which]
    entry, view = found
    data = entry.result.model_dump(mode="json") | pair.get(f"change_{which}", {})
    data["flags"] += [flag] if (flag := pair.get(f"flag_{which}")) else []
    data["id"] += "-changed" if set(pair) & {f"{w}_{which}" for w in CHANGES} else ""
    if larger := pair.get(f"larger_{which}"):
        data["accelerators"]["per_node"] = larger
    result = PublishedResult.model_validate_json(json.dumps(data))
    return operand_of_result(replace(entry, result=result), view)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair["pair"])
def test_a_pair_gets_its_verdict(pair: dict[str, Any], corpus: Corpus) -> None:
    left, right = side(corpus, pair, "left"), side(corpus, pair, "right")
    verdict = explained(left, right, corpus, strict=pair.get("strict", False))
    assert verdict.kind == pair["verdict"]
    assert [reason.axis for reason in verdict.reasons] == pair.get("axes", [])
    shown = None if verdict.ratio is None else decimal_text(verdict.ratio, 3)
    assert shown == pair.get("ratio")
    if "steps" in pair:
        assert [step.kind.value for step in verdict.derivation] == pair["steps"]
    if "cautions" in pair:
        assert {caution.about for caution in verdict.cautions} == set(pair["cautions"])
    if "instead" in pair:
        assert verdict.use_instead == tuple(full(name) for name in pair["instead"])


def test_there_are_legal_and_illegal_pairs() -> None:
    assert len(PAIRS) >= 12
    assert {pair["verdict"] for pair in PAIRS} == {kind.value for kind in VerdictKind}


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair["pair"])
def test_the_other_way_round_is_the_same_verdict(pair: dict[str, Any], corpus: Corpus) -> None:
    left, right = side(corpus, pair, "left"), side(corpus, pair, "right")
    strict = pair.get("strict", False)
    one, other = compare(left, right, strict=strict), compare(right, left, strict=strict)
    assert one.kind is other.kind
    assert {r.axis for r in one.reasons} == {r.axis for r in other.reasons}
    assert {c.about for c in one.cautions} == {c.about for c in other.cautions}
    if one.ratio is not None and other.ratio is not None:
        assert one.ratio * other.ratio == 1


def test_a_result_and_a_specification_never_compare(corpus: Corpus) -> None:
    result = next(iter(corpus.results.values()))
    for claim in ("tpu-v6e/chip-peak-bf16", "hgx-b200/gpu-hbm-bandwidth"):
        verdict = compare(operand_of_result(result), operand_of_claim(corpus.claims[claim]), corpus)
        assert verdict.kind is VerdictKind.NOT_COMPARABLE
        assert [reason.axis for reason in verdict.reasons] == ["benchmark"]


def test_no_proxy_stands_in_for_measured_power(corpus: Corpus) -> None:
    for entry in corpus.results.values():
        for view in VIEWS:
            if entry.result.power is None and view in ("power", "per_watt"):
                with pytest.raises(ValueError, match="no measured power"):
                    operand_of_result(entry, view)
            else:
                assert operand_of_result(entry, view).quantity.number > 0


def test_every_result_compares_with_itself_and_with_another_scenario_never(corpus: Corpus) -> None:
    entries = list(corpus.results.values())
    for entry in entries:
        operand = operand_of_result(entry)
        assert compare(operand, operand).ratio == 1
    for one, other in itertools.pairwise(entries):
        verdict = compare(operand_of_result(one), operand_of_result(other))
        if one.result.scenario is not other.result.scenario:
            assert verdict.kind is VerdictKind.NOT_COMPARABLE
            assert "scenario" in {reason.axis for reason in verdict.reasons}
