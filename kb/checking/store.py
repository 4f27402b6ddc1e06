"""The cache file: one per project, in the user's cache folder.

It lies outside the project, so that nobody can commit results that hide findings. It holds
JSON and is read as such; nothing in it is ever run. A file that is damaged, was written by
another version or belongs to another user is as good as none. A new one takes its place as a
whole.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kb.writing import draft_of

FORMAT = "accelerator-kb check 5"
BROKEN = (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError)
"""What reading a damaged or foreign cache may raise; it is then ignored."""


def cache_folder() -> Path:
    """Where caches lie: `KB_CACHE_DIR`, else the user's cache folder."""
    if own := os.environ.get("KB_CACHE_DIR"):
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path("~/.cache").expanduser()) / "accelerator-kb"


def cache_file(root: Path) -> Path:
    """The cache of the project at `root`."""
    name = hashlib.sha256(os.fsencode(root.resolve())).hexdigest()[:24]
    return cache_folder() / f"check-{name}.json"


@dataclass(frozen=True)
class Stored:
    """What lies in a cache file: the last report, and everything it was drawn up from."""

    code: str
    """State of the program and of the rules that wrote it."""
    run: str
    """State of everything that the report depends on."""
    report: bytes
    files: bytes

    def read(self, part: str) -> Any:
        """One of the two parts; raises one of `BROKEN` where it is no JSON."""
        return json.loads(getattr(self, part))


def load(path: Path) -> Stored | None:
    """The cache at `path`, or None where there is none that can be used."""
    try:
        with path.open("rb") as file:
            if os.name == "posix" and os.fstat(file.fileno()).st_uid != os.getuid():
                return None
            head, report, files = file.read().split(b"\n", 2)
        kind, code, run, check = json.loads(head)
    except (OSError, *BROKEN):
        return None
    whole = isinstance(code, str) and isinstance(run, str) and check == _check(report, files)
    return Stored(code, run, report, files) if kind == FORMAT and whole else None


def save(path: Path, code: str, run: str, report: Any, files: Any) -> None:
    """Let a new cache take the place of the old one; where it can't be written, there is none."""
    parts = [json.dumps(part, separators=(",", ":")).encode() for part in (report, files)]
    head = json.dumps([FORMAT, code, run, _check(*parts)]).encode()
    with contextlib.suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = draft_of(path)
        try:
            with draft.open("xb") as file:
                draft.chmod(0o600)
                file.write(b"\n".join((head, *parts)))
            draft.replace(path)
        except OSError:
            draft.unlink(missing_ok=True)


def _check(*parts: bytes) -> str:
    found = hashlib.blake2b(digest_size=16)
    for part in parts:
        found.update(part)
    return found.hexdigest()
