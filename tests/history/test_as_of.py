"""Which statement was current on a day, on one claim with dated and undated statements."""

from __future__ import annotations

import datetime

import pytest

from kb.corpus import Corpus
from kb.history import changes, statement_on, undated
from kb.load import load_files

SPEC = """
product: a1
name: A1
vendor: Acme
layer: accelerator
summary: An example.
claims:
  - id: hbm
    metric: memory_bandwidth
    interface: hbm
    scope: gpu
    basis: vendor_peak
    statements:
      - {published: "1638 GBps", source: s, as_of: 2026-08-26, status: current}
      - {published: "1638 GB/s", source: s, as_of: 2026-08-26, status: concurring}
      - {published: "1640 GBps", source: s, as_of: 2025-03-01, status: superseded}
      - {published: "9999 GBps", source: s, as_of: 2026-09-01, status: disputed}
      - {published: "1600 GBps", source: s, status: superseded}
  - id: undated
    metric: count
    scope: gpu
    statements: [{published: "8 GPUs", source: s}]
"""


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    loaded = load_files({"specs/a1.yml": SPEC})
    assert loaded.findings == ()
    return loaded.corpus


@pytest.mark.parametrize(
    ("day", "published"),
    [
        ("2025-02-28", None),
        ("2025-03-01", "1640 GBps"),
        ("2026-08-25", "1640 GBps"),
        ("2026-08-26", "1638 GBps"),
        ("2027-01-01", "1638 GBps"),
    ],
)
def test_the_newest_dated_statement_wins(corpus: Corpus, day: str, published: str | None) -> None:
    found = statement_on(corpus.claims["a1/hbm"], datetime.date.fromisoformat(day))
    assert (found and found.published) == published


def test_an_undated_statement_never_wins(corpus: Corpus) -> None:
    assert statement_on(corpus.claims["a1/undated"], datetime.date(2030, 1, 1)) is None
    assert undated(corpus) == 1


def test_changes_lists_each_claim_that_differs_once(corpus: Corpus) -> None:
    found = list(changes(corpus, datetime.date(2025, 6, 1), datetime.date(2026, 9, 1)))
    assert [(c.entry.id, c.before and c.before.published, c.after and c.after.published)
            for c in found] == [("a1/hbm", "1640 GBps", "1638 GBps")]  # fmt: skip
    assert not list(changes(corpus, datetime.date(2025, 6, 1), datetime.date(2025, 7, 1)))
