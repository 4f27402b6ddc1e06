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
