"""How well prose is judged: recall, precision and the confusion table, for lists of sentences.

`python tests/content/score_prose.py [FILE…] [--show]` reads lists of `id, text, expect, axes`
(by default every list of this checkout and the shared cases, where they are beside it). A wrong
sentence counts as caught only when an error names one of its axes.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from kb.home import Project, home
from kb.load import load
from kb.prose.answer import Answer, answer
from kb.prose.known import Known, known

HERE = Path(__file__).resolve()
SHARED = HERE.parents[3] / "shared" / "cases" / "prose.yml"
ORDINALS = (
    *("second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    *("eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth"),
    *("eighteenth", "nineteenth", "twentieth", "twentyfirst", "twentysecond", "twentythird"),
)
LISTS = (
    HERE.with_name("pages.yml"),
    *(HERE.with_name(f"{ordinal}.yml") for ordinal in ORDINALS),
    HERE.with_name("mended.yml"),
    HERE.parents[1] / "prose" / "sentences.yml",
    SHARED,
)
WANTED = ("invalid", "valid", "ambiguous")
GIVEN = ("invalid", "valid", "ambiguous", "nothing_found")


@dataclass(frozen=True, slots=True)
class Score:
    """What became of one list of sentences."""

    table: Counter[tuple[str, str]]
    missed: tuple[str, ...]
    """Wrong sentences without an error on one of their axes."""
    flagged: tuple[str, ...]
    """Right sentences with an error."""

    def count(self, want: str) -> int:
        return sum(number for (wanted, _), number in self.table.items() if wanted == want)

    @property
    def recall(self) -> float:
        """The share of the wrong sentences that are caught with the right axis."""
        return 1 - len(self.missed) / max(1, self.count("invalid"))

    @property
    def false_alarms(self) -> float:
        """The share of the right sentences that get an error."""
        return len(self.flagged) / max(1, self.count("valid"))

    @property
    def precision(self) -> float:
        """The share of the sentences called invalid that are."""
        called = sum(number for (_, got), number in self.table.items() if got == "invalid")
        return self.table["invalid", "invalid"] / max(1, called)

    def lines(self) -> list[str]:
        """The confusion table, wanted verdicts down and given ones across, and the shares."""
        rows = [f"{'':>10}" + "".join(f"{given:>15}" for given in GIVEN)]
        for want in WANTED:
            counts = "".join(f"{self.table[want, given]:>15}" for given in GIVEN)
            rows.append(f"{want:>10}{counts}")
        shares = f"recall {self.recall:.3f}, precision {self.precision:.3f}"
        return [*rows, f"{shares}, right ones flagged {self.false_alarms:.3f}"]


def caught(item: dict[str, Any], found: Answer) -> bool:
    """Whether an error of `found` names an axis that the sentence is about."""
    axes = {axis for finding in found.findings if finding.level == "wrong" for axis in finding.axes}
    return found.verdict == "invalid" and bool(axes & set(item["axes"]))


def score(items: list[dict[str, Any]], catalogue: Known) -> Score:
    """Judge every sentence of a list against the catalogue."""
    table: Counter[tuple[str, str]] = Counter()
    missed, flagged = [], []
    for item in items:
        found = answer(item["text"], catalogue, item.get("language", "markdown"))
        table[item["expect"], found.verdict] += 1
        if item["expect"] == "invalid" and not caught(item, found):
            missed.append(item["id"])
        if item["expect"] == "valid" and found.verdict == "invalid":
            flagged.append(item["id"])
    return Score(table, tuple(missed), tuple(flagged))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path, help="lists of sentences (YAML)")
    parser.add_argument("--show", action="store_true", help="name the missed and the flagged")
    options = parser.parse_args()
    catalogue = known(load(Project(home()), kinds=("specs", "decisions", "evidence")).corpus)
    for file in options.files or [file for file in LISTS if file.exists()]:
        result = score(yaml.safe_load(file.read_text("utf-8")), catalogue)
        heading = f"{file.name}: {sum(result.table.values())} sentences"
        sys.stdout.write("\n".join([heading, *result.lines(), ""]))
        if options.show:
            names = f"missed: {', '.join(result.missed)}\nflagged: {', '.join(result.flagged)}\n"
            sys.stdout.write(names)
    return 0


if __name__ == "__main__":
    sys.exit(main())
