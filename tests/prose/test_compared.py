"""`kb lint` calls nothing valid that `kb compare` refuses; and it says what it doesn't judge."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from kb.prose.answer import answer
from kb.prose.known import Known

LISTED = yaml.safe_load(Path(__file__).with_name("compared.yml").read_text("utf-8"))


@pytest.mark.parametrize("item", LISTED, ids=[str(n) for n in range(1, len(LISTED) + 1)])
def test_what_compare_refuses_or_leaves_open_is_never_valid(
    item: dict[str, str], catalogue: Known
) -> None:
    found = answer(item["text"], catalogue)
    assert found.verdict == item["expect"], found.findings
    assert item["axis"] in {axis for finding in found.findings for axis in finding.axes}


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("NVLink gives each B200 1.8 TB/s in each direction.", "0.9 TB/s"),
        ("A v6e chip's ICI gives 800 GB/s in each direction.", "400 GB/s"),
    ],
)
def test_the_message_names_what_the_suggestion_does(
    text: str, right: str, catalogue: Known
) -> None:
    (finding,) = answer(text, catalogue).findings
    assert finding.suggestion == right
    assert finding.message.endswith(f"under these words it is {right}")


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("An A100 has 80 GB at 2,039 GB/s, 312 TFLOPS in BF16 and 400 W.", 4),
        ("| GPU | Memory |\n|---|---|\n| A100 | 80 GB |\n| H200 | 141 GB |\n", 1),
        ("The interconnect moves 57 GB/s and the memory 24 GB.", 2),
        ("An H200 has 141 GB and takes 3.2 s for 1,024 tokens.", 0),
        ("The file has 12 GB, the job takes 30 s on 8 nodes.", 0),
        ("The ordinary house draws 400 W.", 0),
        ("An H200 job needs 97 GB.", 0),
    ],
)
def test_figures_of_no_product_of_the_catalogue_are_counted(
    text: str, count: int, catalogue: Known
) -> None:
    assert answer(text, catalogue).unjudged == count


@pytest.mark.parametrize(
    "text",
    [
        "The H100 SXM5 is what we rent. Each H100 reads its memory at 3.35 TB/s.",
        "Our nodes have the H100 SXM.\n\nAn H100 draws 700 W.",
        "A DGX H100 has 640 GB of memory. B200: 180 GB.",
    ],
)
def test_what_the_text_said_before_is_not_asked(text: str, catalogue: Known) -> None:
    assert answer(text, catalogue).findings == ()


@pytest.mark.parametrize(
    "text",
    [
        "Each H100 reads its memory at 3.35 TB/s.",
        "The H100 SXM5 costs more than the H100 NVL. Each H100 reads its memory at 3.35 TB/s.",
        "The H200 SXM is new. Each H100 reads its memory at 3.35 TB/s.",
    ],
)
def test_which_form_is_asked_where_none_or_several_were_named(text: str, catalogue: Known) -> None:
    (finding,) = answer(text, catalogue).findings
    assert finding.message.startswith("which one?")
    assert not finding.remedy


def test_an_author_is_not_told_to_settle_what_the_source_leaves_open(catalogue: Known) -> None:
    (finding,) = answer("A DGX H100 computes 32 PFLOPS in FP8.", catalogue).findings
    assert finding.message == "the source marks it neither dense nor sparse"
    assert finding.remedy.startswith("the text can't settle it: name the source")


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("The ridge point lies at 989e12 / 3.35e12 = 195 FLOPs per byte.", "195"),
        ("The ridge point lies at 989 / 3.35 = 295 FLOPs per byte.", ""),
        ("140 GB / 4.8 TB/s = 29 ms.", ""),
        ("165 / 275 = 60 %.", ""),
        ("24 x 8 / 2 = 96.", ""),
        ("7680 / 8 * 3996e6 * 2 = 7.672 TB/s.", ""),
        ("The share is 1/2 = 0.5, then 1000 / 999 = 1.0.", ""),
    ],
)
def test_a_written_quotient_is_checked(text: str, wrong: str, catalogue: Known) -> None:
    told = [text[f.start : f.end] for f in answer(text, catalogue).findings if f.level == "wrong"]
    assert told == ([wrong] if wrong else [])


@pytest.mark.parametrize(
    "text",
    [
        "In the third generation the H100 SXM has 900 GB/s, the fifth has 1.8 TB/s.",
        "A B200 draws 1,000 W, a tenth of a rack of 10 kW.",
        "The H200 SXM (4.8 TB/s) is 1x the H200 NVL (4.8 TB/s).",
        "PyTorch runs on an H200 (141 GB) and JAX on a v6e (32 GB).",
        "JAX (610 TFLOPS on a v6e) and PyTorch (590) were measured.",
        "4.6 vs 5 PF in dense FP8, nowhere near the 2x of the sparse column.",
    ],
)
def test_the_right_form_of_a_mended_kind_has_no_error(text: str, catalogue: Known) -> None:
    assert [f.message for f in answer(text, catalogue).findings if f.level == "wrong"] == []
