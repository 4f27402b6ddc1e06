"""Every published row about TPU v6e and HGX B200 in the fact sheet is a statement here.

The sheet is no part of the project: without it these tests are skipped. A row without a
statement stands in `uncovered.yml` with a reason from a closed list.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from kb.corpus import Corpus
from kb.home import Project, home
from kb.load import load

HERE = Path(__file__).parent
FACTS = HERE.parents[2] / "shared" / "facts" / "accelerators.md"
SECTIONS = {"1.1": "tpu-v6e", "1.2": "tpu-v6e", "1.4": "tpu-v6e", "1.5": "tpu-v6e",
            "2.1": "hgx-b200", "2.2": "hgx-b200"}  # fmt: skip
REASONS = {"not a figure", "duplicate wording", "outside scope"}
WORDS = {"one": "1", "two": "2"}

pytestmark = pytest.mark.skipif(
    not FACTS.is_file(),
    reason="needs the fact sheet the catalogue was written from; the project passes without it",
)


@dataclass(frozen=True)
class Row:
    """One row of a table of the sheet."""

    section: str
    metric: str
    scope: str
    printed: str
    keys: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{self.section} | {self.scope} | {self.metric} | {self.printed}"

    @property
    def numbers(self) -> set[str]:
        found = {digits(text) for text in re.findall(r"\d[\d,_.]*(?:e\d+)?", self.printed)}
        return found | {value for word, value in WORDS.items()
                        if re.search(rf"\b{word}\b", self.printed)}  # fmt: skip


def digits(text: str) -> str:
    """The digits and points of the first number in a text."""
    match = re.search(r"\d[\d,_.]*(?:e\d+)?", text)
    return re.sub(r"[^\d.]", "", match[0]).rstrip(".") if match else ""


def rows() -> list[Row]:
    found, section = [], ""
    for line in FACTS.read_text(encoding="utf-8").splitlines():
        if heading := re.match(r"### (\d\.\d)", line):
            section = heading[1]
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if section not in SECTIONS or len(cells) < 7 or cells[0] in ("product", "---"):
            continue
        keys = tuple(re.findall(r"\[([A-Za-z]+\d*[a-z]*)\]", cells[6]))
        found.append(Row(section, cells[2], cells[1], cells[3], keys))
    return found


@pytest.fixture(scope="module")
def catalogue() -> Corpus:
    return load(Project(home()), kinds=("specs",)).corpus


@pytest.fixture(scope="module")
def sources_of() -> dict[str, list[str]]:
    known: dict[str, list[str]] = yaml.safe_load((HERE / "fact_keys.yml").read_text())
    return known


@pytest.fixture(scope="module")
def uncovered() -> dict[str, str]:
    listed: dict[str, str] = yaml.safe_load((HERE / "uncovered.yml").read_text())
    return listed


def printed_by(corpus: Corpus, product: str, sources: set[str]) -> set[str]:
    """The numbers that statements of a product print from these sources."""
    return {
        digits(statement.published)
        for entry in corpus.claims_of(product)
        for statement in entry.claim.statements
        if statement.source in sources
    }


def test_each_row_is_a_statement_or_has_its_reason(
    catalogue: Corpus, sources_of: dict[str, list[str]], uncovered: dict[str, str]
) -> None:
    found = rows()
    assert len(found) > 120
    missing = []
    for row in found:
        sources = {name for key in row.keys for name in sources_of.get(key, ())}
        printed = printed_by(catalogue, SECTIONS[row.section], sources)
        if not row.numbers & printed and row.name not in uncovered:
            missing.append(row.name)
    assert not missing, "\n".join(missing)


def test_the_list_of_reasons_is_closed_and_names_real_rows(uncovered: dict[str, str]) -> None:
    assert set(uncovered.values()) <= REASONS
    assert set(uncovered) <= {row.name for row in rows()}


def test_every_key_of_the_sheet_names_sources_that_exist(
    catalogue: Corpus, sources_of: dict[str, list[str]]
) -> None:
    unknown = {name for names in sources_of.values() for name in names} - set(catalogue.sources)
    assert not unknown


def test_no_source_is_a_paper_of_the_project_itself(catalogue: Corpus) -> None:
    titles = [entry.value.title for entry in catalogue.sources.values()]
    locators = [
        statement.locator or ""
        for entry in catalogue.claims.values()
        for statement in entry.claim.statements
    ]
    inside = re.compile(r"\bproject\b|\bpart [AB]\b|\bidea \d", re.IGNORECASE)
    assert len(locators) > 400
    assert not [text for text in (*titles, *locators) if inside.search(text)]
