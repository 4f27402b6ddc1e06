"""The help of every command ends with examples that can be typed, and shells complete ids."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kb.cli import COMMANDS, main, parser
from kb.cli.examples import EXAMPLES

KB = Path(sys.executable).with_name("kb")
ROOT = Path(__file__).resolve().parents[2]


def test_every_command_has_examples() -> None:
    assert set(EXAMPLES) == set(COMMANDS)
    assert all(EXAMPLES.values())


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_shows_examples_that_can_be_parsed(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        parser(command).parse_args([command, "--help"])
    assert ended.value.code == 0
    help_text = capsys.readouterr().out
    for example in EXAMPLES[command]:
        assert f"\n  {example}\n" in help_text
        words = shlex.split(example.removeprefix('eval "$(').removesuffix(')"'))
        assert words[:2] == ["kb", command]
        assert parser(command).parse_args(words[1:]).command == command


def completed(line: str, cwd: Path) -> list[str]:
    """What argcomplete's shell code gets for a line, over the descriptor that it opens."""
    read, write = os.pipe()
    env = {**os.environ, "_ARGCOMPLETE": "1", "COMP_LINE": line, "COMP_POINT": str(len(line))}
    # The shell opens 8; a fixed number can be had in a child only by way of a shell.
    done = subprocess.run(
        ["bash", "-c", f'exec "{KB}" 8>&{write} 9>/dev/null'],
        cwd=cwd, env=env, pass_fds=(write,), capture_output=True, check=False,
    )  # fmt: skip
    os.close(write)
    with os.fdopen(read, "rb") as answer:
        found = answer.read().decode().split("\v")
    assert done.returncode == 0, done.stderr
    return [word.strip() for word in found if word.strip()]


def test_a_shell_completes_commands_options_and_ids() -> None:
    assert "compare" in completed("kb com", ROOT)
    assert "--format" in completed("kb check --f", ROOT)
    assert completed("kb show tpu-v6e/chip-hbm-b", ROOT) == ["tpu-v6e/chip-hbm-bandwidth"]
    assert "memory-versus-link" in completed("kb explain memory", ROOT)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_code_for_a_shell_names_kb(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    code = capsys.readouterr().out
    assert "kb" in code
    if shell == "bash":
        assert subprocess.run(["bash", "-n"], input=code, text=True, check=False).returncode == 0


def test_watching_checks_again_after_a_save_and_ends_when_interrupted(tmp_path: Path) -> None:
    pytest.importorskip("watchfiles", reason="comes with the extra dev")
    assert main(["init", str(tmp_path), "--without", "site"]) == 0
    record = next((tmp_path / "decisions").iterdir())
    sound = record.read_text("utf-8")
    log = tmp_path / "log.txt"
    with log.open("w") as out:
        watching = subprocess.Popen([KB, "check", "--watch"], cwd=tmp_path, stdout=out)
        try:
            _until(lambda: log.read_text().count("waiting for a save") == 1)
            time.sleep(0.5)  # the watcher begins after the first check
            record.write_text(sound.replace("7.7 TB/s", "8.8 TB/s"), "utf-8")
            _until(lambda: "error[stale-citation]" in log.read_text())
            record.write_text(sound, "utf-8")
            _until(lambda: log.read_text().count("no findings in 2 files") == 2)
        finally:
            watching.send_signal(2)
            watching.wait(30)
    assert watching.returncode in (0, 130)


def _until(holds: object) -> None:
    assert callable(holds)
    for _ in range(600):
        if holds():
            return
        time.sleep(0.1)
    raise AssertionError("it never became so")


TERMINAL = """\
import os, pty, sys
out = []
def read(fd):
    data = os.read(fd, 4096)
    out.append(data)
    return data
pty.spawn(sys.argv[1:], read, lambda fd: b"")
"""


@pytest.mark.parametrize(("extra", "colours"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_colours_go_to_a_terminal_unless_no_color_is_set(
    tmp_path: Path, extra: dict[str, str], *, colours: bool
) -> None:
    assert main(["init", str(tmp_path), "--without", "site"]) == 0
    record = next((tmp_path / "decisions").iterdir())
    # Line ends of Windows change no line and no column of a finding.
    text = record.read_text("utf-8").replace("7.7 TB/s", "8.8 TB/s")
    record.write_bytes(text.replace("\n", "\r\n").encode())
    env = {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | extra
    done = subprocess.run(
        [sys.executable, "-c", TERMINAL, KB, "check"],
        cwd=tmp_path, env=env, stdin=subprocess.PIPE, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ("\x1b[" in done.stdout) is colours
    line = text[: text.index("8.8 TB/s")].count("\n") + 1
    column = text.split("\n")[line - 1].index("8.8 TB/s") + 1
    assert f".md:{line}:{column}" in done.stdout
    assert main(["--project", str(tmp_path), "fix", "--apply"]) == 0
    assert b"\r\n" in record.read_bytes()
    assert b"7.7 TB/s" in record.read_bytes()
