"""`kb serve` as a reader and a writer have it: pages over HTTP, and the check on every save."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kb.cli import main

pytest.importorskip("watchfiles", reason="comes with the extra watch")
pytest.importorskip("mkdocs", reason="comes with the extra docs")

pytestmark = pytest.mark.slow

KB = Path(sys.executable).with_name("kb")
PAGE = "decisions/0001/"
SECONDS = 240


@contextlib.contextmanager
def served(root: Path, log: Path) -> Iterator[str]:
    """The address of a project that is being served."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with log.open("w") as out:
        command = [str(KB), "--project", str(root), "serve", "--address", f"127.0.0.1:{port}"]
        serving = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
        try:
            yield f"http://127.0.0.1:{port}/"
        finally:
            serving.send_signal(2)
            serving.wait(180)
    assert serving.returncode in (0, 1, 130)


def get(address: str) -> tuple[int, str]:
    """Status and text of a page; 0 while nobody answers."""
    try:
        with urllib.request.urlopen(address, timeout=120) as answer:  # noqa: S310 - our own server
            return answer.status, answer.read().decode("utf-8")
    except urllib.error.HTTPError as error:
        return error.code, ""
    except (urllib.error.URLError, ConnectionError, TimeoutError):
        return 0, ""


def until(holds: Callable[[], bool], log: Path) -> None:
    end = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < end, log.read_text("utf-8")[-3000:]
        time.sleep(0.2)


def test_a_page_answers_and_shows_what_was_saved(tmp_path: Path) -> None:
    root, log = tmp_path / "base", tmp_path / "log.txt"
    assert main(["init", str(root)]) == 0
    record = next((root / "decisions").glob("0001-*.md"))
    sound = record.read_text("utf-8")
    title = next(line for line in sound.split("\n") if line.startswith("title:"))
    with served(root, log) as address:
        until(lambda: get(address)[0] == 200, log)
        assert "no findings in" in log.read_text("utf-8")
        assert get(address + PAGE)[0] == 200
        assert get(address + "nothing/")[0] == 404

        record.write_text(sound.replace(title, "title: Run it where the power is"), "utf-8")
        until(lambda: "Run it where the power is" in get(address + PAGE)[1], log)

        # A mistake is told at once, and the last sound page stays.
        record.write_text(sound.replace("7.7 TB/s", "8.8 TB/s"), "utf-8")
        until(lambda: "error[stale-citation]" in log.read_text("utf-8"), log)
        until(lambda: "nothing is published" in log.read_text("utf-8"), log)
        status, page = get(address + PAGE)
        assert (status, "8.8 TB/s" in page) == (200, False)

        record.write_text(sound, "utf-8")
        until(lambda: title.removeprefix("title: ") in get(address + PAGE)[1], log)
    assert get(address)[0] == 0  # nothing is left running
