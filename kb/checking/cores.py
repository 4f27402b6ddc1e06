"""How many processes can run at once without waiting for one another, or for somebody else.

A second process that has no core to itself makes a check slower: its work is the same, and
what the two tell each other comes on top.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path


def cores(root: Path = Path("/")) -> int:
    """The cores that this process may use, that its container pays for, and that are idle now.

    At least 1, and each of the three where the system says it. `root` holds `proc` and `sys`.
    """
    affinity = getattr(os, "sched_getaffinity", None)
    allowed = len(affinity(0)) if affinity else os.cpu_count() or 1
    return max(1, min([allowed, *_quotas(root), *_idle(root)]))


def _quotas(root: Path) -> Iterator[int]:
    """Whole cores that control groups allow, of the process's own group and those around it."""
    top = root / "sys/fs/cgroup"
    with suppress(OSError, ValueError):
        lines = (root / "proc/self/cgroup").read_text().splitlines()
        own = [line[3:] for line in lines if line.startswith("0::")]
        for folder in (top / group.strip("/") for group in own):
            for group in (folder, *folder.parents):
                if group.is_relative_to(top):
                    yield from _quota(group / "cpu.max")
    with suppress(OSError, ValueError):  # the first version of control groups
        limit = int((top / "cpu/cpu.cfs_quota_us").read_text())
        period = int((top / "cpu/cpu.cfs_period_us").read_text())
        if limit > 0 < period:
            yield limit // period


def _quota(path: Path) -> Iterator[int]:
    with suppress(OSError, ValueError):
        limit, period = path.read_text().split()
        if limit != "max":
            yield int(limit) // int(period)


def _idle(root: Path) -> Iterator[int]:
    """Cores on which nobody else runs.

    The number of those who run now jumps about, and the mean of the last minute holds what has
    ended since; so the smaller of the two counts.
    """
    with suppress(OSError, ValueError, IndexError):
        words = (root / "proc/loadavg").read_text().split()
        others = min(int(words[3].partition("/")[0]) - 1, round(float(words[0])))
        yield (os.cpu_count() or 1) - max(0, others)
