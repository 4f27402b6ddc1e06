"""Replacing files whole: who reads, now or after a run that was killed, sees the old or the new.

A draft lies beside its target under a hidden name that holds the number of the process. The
next run that writes there removes what dead processes left.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import stat
from pathlib import Path

ENDING = ".kb-part"


def draft_of(target: Path) -> Path:
    """A free hidden name beside `target`; drafts of processes that have died are removed."""
    for left in target.parent.glob(f".*{ENDING}*"):
        if not alive(_process(left.name)):
            remove(left)
    free = target.with_name(f".{target.name[:50]}.{os.getpid()}{ENDING}")
    remove(free)  # of an earlier process of this number
    return free


def replace_file(target: Path, content: bytes) -> None:
    """Let `content` take the place of `target`, which keeps its mode; links are not followed.

    Raises `OSError` where that fails; the old file is then untouched and no draft is left.
    """
    draft = draft_of(target)
    try:
        with draft.open("xb") as stream:  # never through a link that somebody laid there
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        if target.is_file():
            draft.chmod(stat.S_IMODE(target.stat().st_mode))
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def replace_folder(target: Path, draft: Path) -> None:
    """Let the folder `draft` take the place of `target`, which may be there or not.

    Both change places in one step where the system can do that, so that no reader finds
    nothing. Raises `OSError` where it fails; `target` is then as it was.
    """
    if not target.exists():
        draft.rename(target)
    elif _exchange(draft, target):
        remove(draft)
    else:
        old = draft.with_name(f"{draft.name}-old")
        target.rename(old)
        try:
            draft.rename(target)
        except BaseException:  # an interrupt too must not cost the old folder
            old.rename(target)
            raise
        remove(old)


def _exchange(one: Path, other: Path) -> bool:
    """Let two paths change places in one step; False where system or file system can't."""
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if rename is None:
        return False
    here, exchange = -100, 2  # AT_FDCWD and RENAME_EXCHANGE of Linux
    return bool(rename(here, os.fsencode(one), here, os.fsencode(other), exchange) == 0)


def remove(path: Path) -> None:
    """Remove a file or a folder with all that is in it, where it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def alive(process: int) -> bool:
    """Whether a process of that number runs, whoever owns it."""
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def _process(name: str) -> int:
    """The process that a draft's name tells; one that no process can have where it tells none."""
    number = name.partition(ENDING)[0].rpartition(".")[2]
    return int(number) if number.isdecimal() else 2**40
