"""Tables outside Markdown: their cells get the same places and verdicts as a Markdown table's."""

from __future__ import annotations

import pytest

from kb.prose.answer import Language, answer
from kb.prose.known import Known
from kb.prose.text import prose_of

GRID = """\
+--------------+-----------+----------+
| per GPU      | HGX B200  | H200 SXM |
+==============+===========+==========+
| HBM          | 180 GB    | 180 GB   |
+--------------+-----------+----------+
"""
SIMPLE = """\
========  ========  ============
chip      HBM (GB)  HBM (GBps)
========  ========  ============
TPU v6e   32        1638
TPU v5e   32        819
========  ========  ============
"""
LIST = """\
.. list-table:: Peaks
   :header-rows: 1

   * - GPU
     - FP8 dense
   * - B200
     - 9,000 TFLOPS
   * - MI300X
     - 2.61 PFLOPS
"""
COMMA = """\
.. csv-table:: Memory
   :header: "GPU", "HBM"

   "B200", "180 GB"
   "H100 SXM", 141 GB
"""
PIPES = """\
Memory of one GPU

| GPU | HBM |
| B200 | 288 GB |
"""
CASES: list[tuple[Language, str, str, str]] = [
    ("rst", GRID, "180 GB", "wrong-product"),
    ("plain", GRID, "180 GB", "wrong-product"),
    ("rst", SIMPLE, "32", "wrong-product"),
    ("rst", LIST, "9,000 TFLOPS", "wrong-sparsity"),
    ("rst", COMMA, "141 GB", "wrong-product"),
    ("plain", PIPES, "288 GB", "wrong-product"),
]


@pytest.mark.parametrize(("language", "text", "stretch", "rule"), CASES)
def test_the_one_wrong_cell_is_found_at_its_place(
    language: Language, text: str, stretch: str, rule: str, catalogue: Known
) -> None:
    found = answer(text, catalogue, language).findings
    assert [(text[f.start : f.end], f.rule) for f in found] == [(stretch, rule)]
    assert found[0].start == text.rindex(stretch)


def test_headings_hold_for_what_is_below_and_directives_are_no_prose(catalogue: Known) -> None:
    text = "TPU v6e\n=======\n\nPeaks\n-----\n\nEach chip peaks at 459 TFLOPs in bf16.\n"
    assert [f.rule for f in answer(text, catalogue, "rst").findings] == ["wrong-product"]
    hidden = "TPU v6e\n=======\n\nAs code::\n\n    HBM: 64 GB\n\n.. note:: 64 GB of HBM\n"
    assert answer(hidden, catalogue, "rst").findings == ()


@pytest.mark.parametrize(
    "text",
    [
        "=== ===\n",
        "=== ===\na\n",
        ".. list-table::\n\n   * -\n",
        ".. csv-table::\n\n   ,,\n",
        "+--+\n|",
        "| a |\n" * 3,
        "+-+\n",
    ],
)
def test_a_table_that_is_cut_short_is_read_as_far_as_it_goes(text: str) -> None:
    languages: tuple[Language, ...] = ("rst", "plain")
    for language in languages:
        segments = prose_of(text, language).segments
        assert all(0 <= s.start <= s.end <= len(text) for s in segments)
