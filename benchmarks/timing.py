"""Running a command and saying what it cost: seconds on the wall, of the processor, and memory."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter


@dataclass(frozen=True)
class Cost:
    """What one command cost, with all processes that it started."""

    wall: float
    """Seconds."""
    cpu: float
    """Seconds of the processor, user and system together."""
    peak: float
    """Largest resident memory of one of its processes, in MB."""
    output: str

    def __str__(self) -> str:
        """As a row of a table."""
        return f"{self.wall:8.2f} s wall {self.cpu:8.2f} s cpu {self.peak:7.0f} MB"


def run(
    command: Sequence[str | Path],
    folder: Path,
    *,
    codes: tuple[int, ...] = (0,),
    given: Mapping[str, str] | None = None,
) -> Cost:
    """Run a command to its end; another exit code than `codes` raises `RuntimeError`."""
    words = [str(word) for word in command]
    start = perf_counter()
    process = subprocess.Popen(  # noqa: S603 - the benchmark names its own programs
        words,
        cwd=folder,
        env={**_environment(), **(given or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    kept: list[str] = []
    stream = process.stdout
    reader = threading.Thread(target=lambda: kept.append(stream.read() if stream else ""))
    reader.start()
    _, status, used = os.wait4(process.pid, 0)
    wall = perf_counter() - start
    reader.join()
    code = process.returncode = os.waitstatus_to_exitcode(status)
    output = "".join(kept)
    if code not in codes:
        raise RuntimeError(f"{' '.join(words[:4])} … ended with {code}:\n{output[-2000:]}")
    return Cost(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1000, output)


def _environment() -> dict[str, str]:
    """Ours, but for the wish to keep no bytecode: an installed program has its own."""
    return {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}


def machine() -> str:
    """What the figures were taken on, and how busy it was."""
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    version = ".".join(map(str, sys.version_info[:3]))
    return f"{os.cpu_count()} cores, Python {version}, load averages {load}"
