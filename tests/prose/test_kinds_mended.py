"""Kinds of sentences that were once misread: each with its wrong and its right form."""

from __future__ import annotations

import pytest

from kb.prose.answer import answer
from kb.prose.known import Known

WRONG = [
    ("The H200 SXM has 450 GB/s of memory bandwidth.", "interface"),
    ("Four H100 NVL have 4 x 94 = 0.396 TB.", "unit"),
    ("4 nodes × 8 H200 × 141 GB = 3.6 TB.", "unit"),
    ("A v5e-8 slice has 16 GB × 8 = 182 GB of HBM.", "unit"),
    ("Four H100 NVL have 4 x 94 = 396 GB.", "unit"),
    ("At 5.3 TB/s the MI300X is 158% faster than the H100 SXM with its 3.35 TB/s.", "unit"),
    ("MI300X 192 GB at 5.3 TB/s, H100 SXM 80 GB at 3.35 TB/s: 2.6x the bandwidth.", "unit"),
    ("With 288 GB the MI355X holds twice as much as the MI300X with 192 GB.", "unit"),
    ("All 72 GPUs of the GB200 NVL72 share an aggregate NVLink bandwidth of 1.8 TB/s.", "scope"),
    ("Node: 8x H200, 640 GB GPU memory, 2 TB RAM.", "product_identity"),
    ("## Dense compute of a single H200\n\n- FP8: 3.96 PFLOPS\n", "sparsity"),
    (
        "| | HGX B200 | |\n|---|---|---|\n| | per GPU | 8 GPUs |\n| NVLink | 14.4 TB/s | |\n",
        "scope",
    ),
    ("The HBM capacity per chip is 16 GB for v5e and v5p.", "product_identity"),
    ("XLA runs at 918 TFLOPS.", "layer"),
    ("all_reduce_perf on 8x H100 SXM shows a busbw of 1,150 GB/s.", "basis"),
    ("Un nœud de huit MI300X a 2 048 Go de mémoire HBM3.", "product_identity"),
]
RIGHT = [
    "The links of an H200 SXM come to 2 x 450 = 0.9 TB/s of NVLink.",
    "The node draws 8 x 700 = 5.6 kW.",
    "The peak of 8 H200 is 989 × 8 = 7.9 PFLOPS.",
    "A buffer takes 4 x 1024 = 4 kB.",
    "We ran 3 times, and 8 × 80 GB = 640 GB of HBM were enough.",
    "4 nodes × 8 H200 × 141 GB = 4.5 TB.",
    "A v5e-8 slice has 16 GB × 8 = 128 GB of HBM.",
    "Four H100 NVL have 4 x 94 = 376 GB.",
    "At 5.3 TB/s the MI300X is 58% faster than the H100 SXM with its 3.35 TB/s.",
    "MI300X 192 GB at 5.3 TB/s, H100 SXM 80 GB at 3.35 TB/s: 1.6x the bandwidth.",
    "With 288 GB the MI355X holds 1.5 times as much as the MI300X with 192 GB.",
    "All 72 GPUs of the GB200 NVL72 share an aggregate NVLink bandwidth of 130 TB/s.",
    "Node: 8x H200, 1,128 GB GPU memory, 2 TB RAM.",
    "## Dense compute of a single H200\n\n- FP8: 1.98 PFLOPS\n",
    "| | HGX B200 | |\n|---|---|---|\n| | per GPU | 8 GPUs |\n| NVLink | 1.8 TB/s | |\n",
    "The HBM capacity per chip is 32 GB for v4 and v6e.",
    "XLA reached 610 TFLOPS in our run.",
    "all_reduce_perf on 8x H100 SXM shows a busbw of 475 GB/s.",
    "Un nœud de huit MI300X a 1 536 Go de mémoire HBM3.",
    "> Doesn't the TPU v5e have 32 GB per chip?\n\nNo, 16 GB. It's v6e that has 32 GB.",
    "> B200 has 20 PFLOPS of FP4!\n\nThat figure is the GB200's, with sparsity.",
    "NVLink on the H100 SXM: 900 GB/s (450 each way).",
    "B200: NVLink 1.8 TB/s, network 400 Gb/s.",
    "v4 pods have 4,096 chips, v5e and v6e pods 256.",
]


@pytest.mark.parametrize(("text", "axis"), WRONG)
def test_the_wrong_form_is_an_error_on_its_axis(text: str, axis: str, catalogue: Known) -> None:
    found = answer(text, catalogue)
    assert found.verdict == "invalid"
    assert axis in {a for f in found.findings if f.level == "wrong" for a in f.axes}


@pytest.mark.parametrize("text", RIGHT)
def test_the_right_form_has_no_error(text: str, catalogue: Known) -> None:
    assert [f.message for f in answer(text, catalogue).findings if f.level == "wrong"] == []
