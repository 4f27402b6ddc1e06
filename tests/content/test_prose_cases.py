"""The shared public sentences, where they are at hand: verdicts, axes and the confusion table."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest
import yaml

from kb.home import Project, home
from kb.load import load
from kb.prose import answer, known

CASES = Path(__file__).resolve().parents[3] / "shared" / "cases" / "prose.yml"


@pytest.mark.skipif(not CASES.exists(), reason="the shared cases are not beside this checkout")
def test_the_shared_sentences() -> None:
    catalogue = known(load(Project(home()), kinds=("specs",)).corpus)
    table: Counter[tuple[str, str]] = Counter()
    missed, flagged = [], []
    for case in yaml.safe_load(CASES.read_text("utf-8")):
        found = answer(case["text"], catalogue)
        table[case["expect"], found.verdict] += 1
        named = {axis for finding in found.findings for axis in finding.axes}
        if case["expect"] == "invalid" and (
            found.verdict != "invalid" or not named & set(case["axes"])
        ):
            missed.append(case["id"])
        if case["expect"] == "valid" and found.verdict == "invalid":
            flagged.append(case["id"])
    for (want, got), number in sorted(table.items()):
        sys.stdout.write(f"{want:>10} -> {got:<14} {number}\n")
    wrong = sum(n for (want, _), n in table.items() if want == "invalid")
    right = sum(n for (want, _), n in table.items() if want == "valid")
    caught = wrong - len(missed)
    shares = f"recall {caught / wrong:.2f}, right ones flagged {len(flagged) / right:.2f}"
    sys.stdout.write(f"{shares}\n")
    assert caught >= 0.8 * wrong, missed
    assert len(flagged) <= 0.05 * right, flagged
