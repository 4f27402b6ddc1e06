"""Outputs, streams and interrupts: nothing is lost, and nothing ends in a traceback."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from kb.cli import main
from kb.cli.writing import write_file
from kb.finding import CheckError
from kb.rules.example import base_files

SPEC = "specs/bolt/bolt-b8.yml"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The sound base on disk."""
    folder = tmp_path / "kb-base"
    for name, text in base_files().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def export(root: Path, out: Path) -> int:
    return main(["--project", str(root), "export", "--out", str(out)])


def test_no_output_replaces_content(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (root / SPEC).read_text("utf-8")
    link = root / "out.csv"
    link.symlink_to(SPEC)
    commands = (
        ["export", "--out", str(root / SPEC)],
        ["export", "--out", str(link)],
        ["schema", "--out", str(root / "specs")],
        ["check", "--baseline", str(root / "evidence" / "new.json"), "--write-baseline"],
    )
    for words in commands:
        assert main(["--project", str(root), *words]) == 2
        assert "is inside the content folder" in capsys.readouterr().err
    assert (root / SPEC).read_text("utf-8") == before
    assert not (root / "evidence" / "new.json").exists()


def test_a_new_file_has_the_mode_of_the_umask_and_an_old_one_keeps_its_own(
    root: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.csv"
    assert export(root, out) == 0
    assert stat.S_IMODE(out.stat().st_mode) & 0o600 == 0o600
    mask = os.umask(0o022)
    os.umask(mask)
    assert stat.S_IMODE(out.stat().st_mode) == 0o666 & ~mask
    out.chmod(0o640)
    assert export(root, out) == 0
    assert stat.S_IMODE(out.stat().st_mode) == 0o640


def test_links_pipes_and_devices_stay_what_they_are(root: Path, tmp_path: Path) -> None:
    link, pipe = tmp_path / "link.csv", tmp_path / "pipe"
    link.symlink_to("real.csv")
    assert export(root, link) == 0
    assert link.is_symlink()
    assert "bolt-b8" in (tmp_path / "real.csv").read_text("utf-8")
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text("utf-8")))
    reader.start()
    assert export(root, pipe) == 0
    reader.join(10)
    assert pipe.is_fifo()
    assert "bolt-b8" in read[0]
    assert export(root, Path("/dev/null")) == 0
    assert Path("/dev/null").is_char_device()


def test_a_draft_is_removed_on_any_failure(tmp_path: Path) -> None:
    with pytest.raises(UnicodeEncodeError):
        write_file(tmp_path / "a.csv", "\udc80")
    with pytest.raises(CheckError, match="can't be written"):
        write_file(tmp_path, "a folder is no file")
    assert list(tmp_path.iterdir()) == []


def kb(root: Path, line: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """A line of the shell in which `kb` is this installation."""
    program = f'kb() {{ "{sys.executable}" -c "from kb.cli import main; exit(main())" "$@"; }}\n'
    return subprocess.run(
        ["bash", "-c", program + line],
        cwd=root,
        env={**os.environ, **environment},
        capture_output=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("kb check >&-", b"error: standard output is closed"),
        ("kb compare --stdin <&-", b"error: standard input is closed"),
        ("kb lint --stdin <&-", b"error: standard input is closed"),
    ],
)
def test_a_closed_stream_is_named(root: Path, line: str, said: bytes) -> None:
    done = kb(root, line)
    assert done.returncode == 2
    assert done.stderr.startswith(said)
    assert b"Traceback" not in done.stderr


def test_a_device_that_is_a_pipe_is_written(root: Path) -> None:
    done = kb(root, "kb export --out /dev/stdout | cat")
    assert b"bolt-b8" in done.stdout
    (root / "pyproject.toml").write_text("project = 5\n", encoding="utf-8")
    assert b"is no checkout of" in kb(root, "kb schema").stderr


def test_errors_never_reach_the_answer(root: Path) -> None:
    done = kb(root, "kb show nothing --json 2>&-")
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"")


def test_json_stays_json_where_the_output_knows_ascii_only(root: Path) -> None:
    text = (root / SPEC).read_text("utf-8")
    name = "\u00b5Bolt \U0001f600"
    (root / SPEC).write_text(text.replace("name: ", f"name: {name} ", 1), encoding="utf-8")
    done = kb(root, "kb show bolt-b8 --json", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert done.stdout.isascii()
    assert name in json.dumps(json.loads(done.stdout), ensure_ascii=False)


INTERRUPTED = """
import sys

class Interrupt:
    def find_spec(self, name, *_):
        if name == "kb.cli.check":
            raise KeyboardInterrupt

from kb.cli import main
sys.meta_path.insert(0, Interrupt())
sys.exit(main(["check"]))
"""


def test_an_interrupt_while_a_command_is_imported_is_quiet() -> None:
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, check=False)
    assert done.returncode == 130
    assert done.stderr == b"interrupted\n"


def test_lint_names_what_it_can_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("fifo.md")
    Path("empty").mkdir()
    Path("loop.md").symlink_to("loop.md")
    for name, said in (
        ("fifo.md", "'fifo.md' is neither a file nor a folder but a pipe, socket or device"),
        ("empty", "there is no .md, .rst or .txt file in 'empty'"),
        ("loop.md", "'loop.md' is a link to itself or to what is not there"),
    ):
        assert main(["lint", name]) == 2
        assert said in capsys.readouterr().err


def test_a_working_folder_that_is_gone_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert main(["check"]) == 2
    assert "the working folder is no longer there" in capsys.readouterr().err
