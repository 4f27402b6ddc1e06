"""How a number is read: product, claim, qualifiers, the words that decided, and how surely."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kb.cli import main
from kb.prose.known import Known
from kb.prose.readings import Reading, readings


def read(text: str, catalogue: Known) -> list[Reading]:
    return list(readings(text, catalogue))


def test_what_stands_at_the_number_decides(catalogue: Known) -> None:
    text = "A B200 peaks at 4.5 PFLOPS in FP8, dense."
    (found,) = read(text, catalogue)
    assert found.products == ("hgx-b200",)
    assert found.metrics == ("compute_throughput",)
    assert found.claims == ("hgx-b200/gpu-peak-fp8-dense",)
    assert found.confidence == "stated"
    assert found.stated["precision"] == ("fp8",)
    words = [text[word.start : word.end] for word in found.words]
    assert {"B200", "FP8", "dense"} <= set(words)


def test_a_heading_or_the_sentence_before_is_only_inferred(catalogue: Known) -> None:
    (found,) = read("# TPU v6e\n\nOne chip has 32 GB of HBM.\n", catalogue)
    assert found.claims == ("tpu-v6e/chip-hbm-capacity",)
    assert found.confidence == "inferred"


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("B200: 9 PFLOPS.", "which number format?"),
        ("It has 180 GB of HBM.", "which product is it about?"),
        ("B200 is new. Something else has 37 GB.", "which product is it about?"),
    ],
)
def test_too_little_context_asks_the_question(text: str, question: str, catalogue: Known) -> None:
    found = read(text, catalogue)[-1]
    assert found.confidence == "open"
    assert found.question == question


def test_the_command_prints_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.md"
    page.write_text("Each B200 carries 180 GB of HBM3E.\n", "utf-8")
    assert main(["lint", "--readings", str(page)]) == 0
    assert "1:19: 180 GB: hgx-b200/gpu-hbm-capacity (stated by" in capsys.readouterr().out
    assert main(["lint", "--readings", "--json", str(page)]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["readings"][0]["claims"] == ["hgx-b200/gpu-hbm-capacity"]


def test_where_a_limit_ends_the_reading_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = "Each B200 carries 180 GB of HBM3E.\n\n"
    page = tmp_path / "page.md"
    page.write_text(line * 2_001, "utf-8")
    assert main(["lint", "--readings", str(page)]) == 0
    last = capsys.readouterr().out.rstrip().rpartition("\n")[2]
    assert last.startswith(f"{page.name}:4001:19: ") or ":4001:19: " in last
    assert "2,000 figures are judged at most" in last
    assert main(["lint", "--readings", "--json", str(page)]) == 0
    data = json.loads(capsys.readouterr().out)
    assert len(data["readings"]) == 2_000
    assert data["unread"]["start"] == 2_000 * len(line) + 18
