"""The held-out sentences: how many wrong ones are caught, and how many right ones are left."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

import yaml

from kb.prose.answer import answer
from kb.prose.known import Known

SENTENCES: list[dict[str, Any]] = yaml.safe_load(
    Path(__file__).with_name("sentences.yml").read_text("utf-8")
)


def test_every_sentence_has_a_name_of_its_own_and_a_reason() -> None:
    names = Counter(item["id"] for item in SENTENCES)
    assert max(names.values()) == 1
    assert all(item["why"] for item in SENTENCES)


def test_wrong_ones_are_caught_with_the_right_axis_and_right_ones_left_alone(
    catalogue: Known,
) -> None:
    table: Counter[tuple[str, str]] = Counter()
    missed, flagged = [], []
    for item in SENTENCES:
        found = answer(item["text"], catalogue)
        table[item["expect"], found.verdict] += 1
        axes = {axis for f in found.findings if f.level == "wrong" for axis in f.axes}
        if item["expect"] == "invalid" and not axes & set(item["axes"]):
            missed.append(item["id"])
        if item["expect"] == "valid" and found.verdict == "invalid":
            flagged.append(item["id"])
    sys.stdout.write(f"{dict(sorted(table.items()))} missed: {missed} flagged: {flagged}\n")
    wrong = sum(n for (want, _), n in table.items() if want == "invalid")
    right = sum(n for (want, _), n in table.items() if want == "valid")
    assert len(missed) <= 0.2 * wrong
    assert len(flagged) <= 0.05 * right


def test_findings_stand_where_the_number_stands(catalogue: Known) -> None:
    text = "# Size\n\nOne B200 GPU has 372 GB\u00a0of HBM3E.\n"
    (finding,) = answer(text, catalogue).findings
    assert text[finding.start : finding.end] == "372 GB"
    assert "180 GB" in finding.message
