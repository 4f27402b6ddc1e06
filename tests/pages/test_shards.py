"""The chooser's files: each pair once, and the verdict is that of `compare`."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

from kb.compare import compare
from kb.compare.text import verdict_data
from kb.corpus import Corpus
from kb.operand import operand_of_claim
from kb.pages import shards
from kb.pages.ratio import ratio_within
from kb.pages.shards import MOST, chosen, is_whole, shard_files, shard_path


def test_each_pair_of_a_metric_lies_in_one_file(site: dict[str, str], corpus: Corpus) -> None:
    pairs = 0
    for members in chosen(corpus).values():
        for (left, _), (right, _) in itertools.combinations(members, 2):
            assert left.id < right.id
            assert right.id in json.loads(site[shard_path(left.id)])["verdicts"]
            if pairs > 500:
                break
            pairs += 1
    files = {p: json.loads(t) for p, t in site.items() if p.startswith("api/verdicts/")}
    total = sum(len(data["verdicts"]) for data in files.values())
    assert total == sum(len(m) * (len(m) - 1) // 2 for m in chosen(corpus).values())
    assert all(other > data["claim"] for data in files.values() for other in data["verdicts"])


def test_a_verdict_is_that_of_the_judge(site: dict[str, str], corpus: Corpus) -> None:
    wanted = ["tpu-v6e/chip-hbm-bandwidth", "tpu-v6e/chip-ici-bandwidth", "tpu-v6e/chip-peak-bf16",
              "tpu-v6e/chip-hbm-capacity"]  # fmt: skip
    seen: set[str] = set()
    for right in wanted:
        for left in (e for e in corpus.claims_of("hgx-b200") if e.id < right):
            if left.claim.metric is not corpus.claims[right].claim.metric:
                continue
            held = json.loads(site[shard_path(left.id)])
            short = held["verdicts"][right]
            found = compare(operand_of_claim(left), operand_of_claim(corpus.claims[right]), corpus)
            told = verdict_data(found)
            for field in ("reasons", "cautions", "derivation"):
                assert [held["parts"][n] for n in short.get(field, [])] == told[field]
            assert short["verdict"] == told["verdict"]
            assert short.get("ratio") == told["ratio"]
            shown = found.ratio and ratio_within(found.ratio, found.interval)
            assert short.get("shown") == shown
            seen.add(told["verdict"])
    assert seen == {"comparable", "after_derivation", "not_comparable", "undetermined"}


def test_what_can_be_chosen_has_a_page(site: dict[str, str]) -> None:
    data: dict[str, Any] = json.loads(site["api/chooser.json"])
    for claim in data["claims"]:
        path, _, anchor = claim["page"].partition("#")
        assert f"{{ #{anchor} }}" in site[f"{path.rstrip('/')}.md"]
    assert {claim["metric"] for claim in data["claims"]} == {key for key, _ in data["metrics"]}


def test_a_large_catalogue_offers_what_decisions_name(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert is_whole(corpus)
    assert MOST > 20_000
    monkeypatch.setattr(shards, "MOST", 100)
    assert not is_whole(corpus)
    offered = {e.product.product for members in chosen(corpus).values() for e, _ in members}
    assert offered == {"hgx-b200", "tpu-v6e"}
    files = shard_files(corpus)
    assert {p.split("/")[2] for p in files if p.startswith("api/verdicts/")} == offered
