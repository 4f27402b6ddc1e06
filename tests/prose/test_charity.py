"""Errors rest on clear syntax: a name that is only near accuses nobody, a clear one does."""

from __future__ import annotations

import pytest

from kb.prose.answer import answer
from kb.prose.known import Known

PAIRS = (
    # A name behind a comparison, and the same figure given to it by a verb.
    (
        "Gaudi 3 has 1,835 TFLOPS in BF16, which beats the 989 TFLOPS and 80 GB of an H100.",
        "An H100 SXM has 989 TFLOPS in dense FP8.",
    ),
    ("The B200 outruns an H100 (80 GB) and has 7.7 TB/s.", "The H100 SXM has 7.7 TB/s of HBM."),
    # The list goes on about the subject.
    (
        "The MI325X raises memory to 256 GB and 6 TB/s from the 192 GB and 5.3 TB/s of the MI300X.",
        "The MI325X has 192 GB of memory.",
    ),
    # Two products as one subject, then two figures of a kind each.
    (
        "The H200 and the MI300X are rivals: 141 GB and 4.8 TB/s here, 192 GB and 5.3 TB/s there.",
        "H200 and MI300X have 4.8 TB/s and 8 TB/s respectively.",
    ),
    # A product that has no name here.
    (
        "The H200 has 4.8 TB/s of HBM; the generation after that 7.7 TB/s.",
        "The H200 has 7.7 TB/s of HBM.",
    ),
    # Forms of one product without its name.
    (
        "The H100 (SXM: 700 W, PCIe: 350 W) has 80 GB in both forms; only the NVL has 94 GB.",
        "The H100 PCIe has 94 GB.",
    ),
    # A bare generation beside another TPU.
    (
        "A TPU v5p peaks at 459 TFLOPS in bfloat16; v4 had 275 TFLOPS.",
        "A TPU v5p peaks at 275 TFLOPS in bfloat16.",
    ),
    # A word that belongs to what is counted, and the same word at the figure.
    (
        "A v5p chip has 95 GB of HBM at 2.77 TB/s, with up to 8,960 chips in a pod.",
        "A v5p pod has 2.77 TB/s of HBM bandwidth.",
    ),
    # What is said ahead of a change is said of its end.
    (
        "int8 doubles the rate: 918 TFLOPs to 1,836 TOPs on v6e.",
        "The v6e has 918 TOPs in int8.",
    ),
    # A unit that stands for several is decimal or binary for none of them.
    (
        "| | TPU v4 | TPU v5e |\n|---|---|---|\n| HBM (GB) | 32 | 16 |\n",
        "| | TPU v4 | TPU v5e |\n|---|---|---|\n| HBM (GB) | 32 | 32 |\n",
    ),
    # So many of them, without their noun.
    (
        "An H100 SXM has 80 GB; eight make 640 GB.",
        "An H100 SXM has 640 GB of HBM per GPU.",
    ),
    # Where the rows stand is no scope of theirs.
    (
        "| Level (H100 node) | Rate |\n|---|---|\n| PCIe Gen5 x16 | 128 GB/s |\n",
        "| Level | Rate |\n|---|---|\n| NVLink of an H100 SXM, one direction | 900 GB/s |\n",
    ),
    # A slice counts its chips in its name.
    (
        "A v5e-16 spreads 256 GB of HBM over four hosts.",
        "A v5e chip spreads 256 GB of HBM over four hosts.",
    ),
    # What is done, and a kind of figure.
    (
        "For an all-reduce within a host the v6e has 800 GB/s of ICI per chip.",
        "The all-reduce bandwidth of a v6e is 800 GB/s per chip.",
    ),
    # A remark behind other figures of a row, and the figure of the row.
    (
        "| a | b | c | d |\n|--|--|--|--|\n| MI300X | memory | 192 GB | direction of 128 GB/s |\n",
        "| | MI300X |\n|---|---|\n| memory bandwidth | 128 GB/s |\n",
    ),
    # Between two GPUs of a board, and the board.
    (
        "| a | b | c | d |\n|---|---|---|---|\n| HGX B200 | board of 8 | GPU-to-GPU | 1.8 TB/s |\n",
        "The HGX B200 board has 1.8 TB/s of NVLink in total.",
    ),
    # A card has one link to its host.
    (
        "On a B200 the PCIe Gen5 x16 link is about 64 GB/s each way.",
        "On a B200 each NVLink link is about 900 GB/s each way.",
    ),
    # Chains of factors are one product.
    (
        "MI355X: 8 x 288 GB x 0.9 = 2,074 GB.",
        "MI355X: 8 x 288 GB x 0.9 = 2,304 GB.",
    ),
    # A factor is no ratio to a number of the next statement.
    (
        "GB300 NVL72: 1,080 PFLOPS of dense FP4, GB200 720, 1.5x, while FP8 stays at 720 PFLOPS.",
        "GB300 NVL72 has 1,080 PFLOPS of dense FP4, 2.5x the 720 PFLOPS of GB200 NVL72.",
    ),
)


@pytest.mark.parametrize(("right", "wrong"), PAIRS, ids=range(len(PAIRS)))
def test_only_clear_syntax_accuses(right: str, wrong: str, catalogue: Known) -> None:
    found = [f.message for f in answer(right, catalogue).findings if f.level == "wrong"]
    assert found == []
    assert answer(wrong, catalogue).verdict == "invalid"


MORE = (
    ("Ironwood does 4,614 TFLOPS in FP8, ten times as much as the v6e.", "arithmetic"),
    ("140 GB of weights leave 1 GB, leaving 12 GB of the 141 GB.", "arithmetic"),
    ("The node has a 400 Gb/s card. That is 400 GB/s.", "arithmetic"),
    ("Four Ironwood chips are 8 devices with 192 GiB of HBM each.", "scope"),
    ("Our v5e run holds 118 TFLOP/s per chip. With 197 TFLOPs as the peak, MFU is 70 %.", "unit"),
    ("vLLM has a memory bandwidth of 3.35 TB/s.", "layer"),
    ("A node of eight MI300X has 1,128 GB of HBM3.", "product_identity"),
    ("Our 32 H100s add up to 2.56 PB of HBM.", "unit"),
)


@pytest.mark.parametrize(("text", "axis"), MORE)
def test_what_a_sentence_shows_is_checked(text: str, axis: str, catalogue: Known) -> None:
    wrong = [f for f in answer(text, catalogue).findings if f.level == "wrong"]
    assert axis in {a for finding in wrong for a in finding.axes}
