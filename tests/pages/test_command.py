"""`kb render`: what it writes, and where it refuses to write."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from kb.cli import main
from kb.cli.render import MARKER, refuse_target, write
from kb.finding import CheckError
from kb.home import Project
from kb.load import load_files
from kb.model.evidence import parse
from kb.model.gates import sealed
from kb.pages.assemble import _merged, assemble
from kb.rules.example import base_files

ROOT = Path(__file__).resolve().parents[2]


def render(*words: str | Path) -> int:
    return main(["--project", str(ROOT), "render", *map(str, words)])


@pytest.mark.slow
def test_pages_are_written_and_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "deep" / "pages"
    assert render("--out", out) == 0
    assert (out / "index.md").read_text(encoding="utf-8").startswith("# ")
    (out / "index.md").write_text("old", encoding="utf-8")
    assert render("--out", out) == 0
    assert (out / "index.md").read_text(encoding="utf-8") != "old"
    assert [p.name for p in out.parent.iterdir()] == ["pages"]
    assert "wrote" in capsys.readouterr().out


@pytest.mark.slow
def test_a_second_folder_of_evidence_is_shown(tmp_path: Path) -> None:
    record = parse(next((ROOT / "evidence").glob("matmul-512-f32-*.json")).read_text("utf-8"))
    fresh = sealed(record.model_copy(update={"id": f"{record.id}-again"}))
    folder = tmp_path / "measured"
    folder.mkdir()
    (folder / f"{fresh.id}.json").write_text(fresh.model_dump_json(), "utf-8")
    assert render("--out", tmp_path / "pages", "--evidence", folder) == 0
    for shown in (record.id, fresh.id):
        assert (tmp_path / "pages" / "evidence" / f"{shown}.md").is_file()


@pytest.mark.slow
def test_broken_extra_evidence_stops_the_writing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "measured"
    folder.mkdir()
    (folder / "broken.json").write_text("{", encoding="utf-8")
    assert render("--out", tmp_path / "pages", "--evidence", folder) == 1
    assert "measured/broken.json:1:2: error[invalid-json]" in capsys.readouterr().out
    assert not (tmp_path / "pages").exists()


@pytest.mark.parametrize("name", ["specs", "specs/new", "decisions", "docs", ".", "..", "kb/x"])
def test_content_is_never_written_over(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert render("--out", ROOT / name) == 2
    assert "error: " in capsys.readouterr().err


def test_a_stranger_s_folder_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.txt").write_text("keep", encoding="utf-8")
    assert render("--out", tmp_path) == 2
    assert "was not written by kb render" in capsys.readouterr().err
    assert (tmp_path / "mine.txt").read_text(encoding="utf-8") == "keep"


def test_a_file_of_the_user_among_the_pages_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "pages"
    write({"a/b.md": "ours\n"}, out)
    refuse_target(out, Project(ROOT))
    (out / "a" / "mine.md").write_text("keep", encoding="utf-8")
    assert render("--out", out) == 2
    assert "did not write, such as 'a/mine.md'" in capsys.readouterr().err
    assert (out / "a" / "mine.md").is_file()


INTERRUPTED = """
import sys
from pathlib import Path
from kb import writing
from kb.cli.render import write

writing._exchange = lambda *_: False  # as on a system that has no such call

def interrupt(event, _):
    if event == "os.rename":
        renames.append(event)
        if len(renames) == 2:
            raise KeyboardInterrupt

renames = []
out = Path(sys.argv[1])
write({"a.md": "old"}, out)
renames.clear()
sys.addaudithook(interrupt)
write({"a.md": "new"}, out)
"""


def test_an_interrupt_between_the_renames_keeps_the_old_tree(tmp_path: Path) -> None:
    out = tmp_path / "pages"
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, out], capture_output=True, check=False
    )
    assert b"KeyboardInterrupt" in done.stderr
    assert (out / "a.md").read_text("utf-8") == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["pages"]


def test_a_file_is_no_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    assert render("--out", tmp_path / "file") == 2
    assert "no folder" in capsys.readouterr().err


def test_an_empty_folder_is_answered_as_by_the_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["render", "--out", "my pages"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "nothing was checked" in said.err
    assert "kb --project DIR render --out 'my pages'" in said.err
    assert not list(tmp_path.iterdir())


def test_a_place_that_holds_no_folder_asks_for_another() -> None:
    with pytest.raises(CheckError) as caught:
        write({"a.md": "new\n"}, Path("/dev/null/x"))
    assert caught.value.remedy == "choose another --out"


def test_a_missing_evidence_folder_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert render("--out", tmp_path / "o", "--evidence", tmp_path / "no") == 2
    assert "there is no folder" in capsys.readouterr().err


def test_a_writing_that_fails_leaves_the_old_tree(tmp_path: Path) -> None:
    out = tmp_path / "pages"
    write({"a.md": "old\n"}, out)
    with pytest.raises(CheckError, match="can't be written"):
        write({"a.md": "new\n", "a.md/b.md": "a file is no folder\n"}, out)
    assert (out / "a.md").read_text(encoding="utf-8") == "old\n"
    assert (out / MARKER).is_file()
    assert [p.name for p in tmp_path.iterdir()] == ["pages"]


def test_no_record_takes_the_page_of_its_section() -> None:
    loaded = load_files(dict(base_files()))
    product = next(iter(loaded.corpus.products.values()))
    corpus = replace(loaded.corpus, products={**loaded.corpus.products, "index": product})
    with pytest.raises(CheckError, match="the product 'index'"):
        assemble(corpus, (), {})
    record = next(iter(loaded.corpus.evidence))
    with pytest.raises(CheckError, match="two records have the page"):
        _merged({f"evidence/{record}.md": "a"}, {f"evidence/{record}.md": "b"})
