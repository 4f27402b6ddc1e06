"""`kb lint` and `kb fix` as people and programs call them."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from kb.cli import main
from kb.home import home

WRONG = "# GPUs\n\nOne B200 GPU has 372 GB of HBM3E.\n"


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def kb(*words: str | Path) -> int:
    return main(["--project", str(home()), *map(str, words)])


def test_a_wrong_number_is_shown_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    page.write_text(WRONG, encoding="utf-8")
    assert kb("lint", page) == 1
    out = capsys.readouterr().out
    assert f"{page}:3:18: error[" in out
    assert "180 GB" in out


def test_a_folder_is_read_whole_and_json_has_a_version(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a").mkdir()
    for name in ("a/one.md", "two.rst", "three.txt", "skipped.py"):
        (tmp_path / name).write_text(WRONG, encoding="utf-8")
    assert kb("lint", tmp_path, "--json") == 1
    data = json.loads(capsys.readouterr().out)
    assert data["schema_version"] == 1
    assert data["counts"]["files"] == 3
    assert {finding["column"] for finding in data["findings"]} == {18}


def applied(text: str, findings: list[dict[str, Any]]) -> str:
    """The text with every suggestion in its place, from the last to the first."""
    lines = text.split("\n")
    for finding in reversed(findings):
        if (change := finding["suggestion"]) is None:
            continue
        start, end = change["start"], change["end"]
        assert start["line"] == end["line"]
        line = lines[start["line"] - 1]
        put = change["replacement"]
        lines[start["line"] - 1] = line[: start["column"] - 1] + put + line[end["column"] - 1 :]
    return "\n".join(lines)


def test_what_is_suggested_can_be_put_in_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "A B200 GPU holds 372 GB of HBM3E.\n\n"
        "| Chip | HBM | HBM bandwidth |\n|---|---|---|\n| TPU v6e | 32 GB | 7,700 GB/s |\n\n"
        "One [B200](claim:hgx-b200/gpu-hbm-capacity) has 180 GB; "
        "[190 GB](claim:hgx-b200/gpu-hbm-capacity) is stale.\n",
        encoding="utf-8",
    )
    assert kb("lint", page, "--json") == 1
    found = json.loads(capsys.readouterr().out)["findings"]
    mended = applied(page.read_text("utf-8"), found)
    assert "holds 180 GB" in mended
    assert "| 1638 GBps |" in mended
    assert "[180 GB](claim:hgx-b200/gpu-hbm-capacity) is stale" in mended
    page.write_text(mended, encoding="utf-8")
    assert kb("lint", page) in (0, 1)
    assert "372" not in capsys.readouterr().out


def test_where_several_values_may_be_meant_nothing_is_suggested(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    page.write_text("The H100 has 141 GB of HBM.\n", encoding="utf-8")
    assert kb("lint", page, "--json") == 1
    found = json.loads(capsys.readouterr().out)["findings"]
    assert [finding["suggestion"] for finding in found] == [None]


def test_a_right_page_is_clean(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("One B200 GPU has 180 GB of HBM3E.\n", encoding="utf-8")
    assert kb("lint", page) == 0


@pytest.mark.parametrize("words", [(), ("nowhere.md",), ("--stdin", "page.md")])
def test_nothing_to_read_is_an_error(words: tuple[str, ...]) -> None:
    assert kb("lint", *words) == 2


def test_lines_are_answered_one_by_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    records = [
        {"id": "a", "text": WRONG},
        {"id": "b", "text": "Nothing to see."},
        {"id": "c"},
        {"id": "d", "text": "HGX B200: 7.7 TB/s of memory bandwidth."},
    ]
    text = "\n".join([*map(json.dumps, records), "{", ""])
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    assert kb("lint", "--stdin") == 1
    answers = lines(capsys)
    assert [a.get("verdict") for a in answers] == [
        "invalid",
        "nothing_found",
        None,
        "ambiguous",
        None,
    ]
    assert [a["id"] for a in answers] == ["a", "b", "c", "d", None]
    (finding,) = answers[0]["findings"]
    assert set(finding) == {
        "rule", "severity", "axis", "axes", "message", "start", "end", "suggestion",
    }  # fmt: skip
    assert WRONG[finding["start"] : finding["end"]] == "372 GB"
    assert "error" in answers[2]
    assert answers[4]["line"] == 5


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"id": "a", "text": "180 GB", "text": "9 GB"}', "'text' is written twice"),
        ('{"id": {"b": 1, "b": 2}, "text": "x"}', "'b' is written twice"),
        ('{"id": NaN, "text": "x"}', "NaN is no JSON number"),
        ('{"id": 1e999, "text": "x"}', "not JSON compliant"),
        ('{"id": [-Infinity], "text": "x"}', "-Infinity is no JSON number"),
        ('{"id": ' + "[" * 100_000, "brackets"),
    ],
)
def test_a_line_that_can_be_read_two_ways_is_an_error(
    line: str, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f'{line}\n{{"id": "\\u001b", "text": "x"}}\n'))
    assert kb("lint", "--stdin") == 1
    out = capsys.readouterr().out
    assert "NaN," not in out
    assert "\x1b" not in out
    first, second = (json.loads(text) for text in out.splitlines())
    assert said in first["error"]
    assert (first["id"], second["id"]) == (None, "\x1b")


def test_fix_shows_a_diff_first_and_writes_only_when_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    before = "It holds [192 GB](claim:hgx-b200/gpu-hbm-capacity), 192 GB.\r\n"
    page.write_bytes(before.encode())
    assert kb("fix", page) == 1
    out = capsys.readouterr().out
    assert "-It holds [192 GB]" in out
    assert "+It holds [180 GB]" in out
    assert page.read_bytes() == before.encode()
    assert kb("fix", page, "--apply") == 0
    assert page.read_bytes() == before.replace("[192 GB]", "[180 GB]").encode()
    assert kb("fix", page) == 0


def test_the_projects_own_pages_and_decisions_pass() -> None:
    root = home()
    pages = [root / name for name in ("docs", "decisions", "README.md") if (root / name).exists()]
    assert kb("lint", *pages) == 0
    assert kb("fix") == 0
