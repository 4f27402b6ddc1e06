"""Coverage-guided search from the corpus of one target, for some seconds.

Inputs that reach new code are kept and changed again; `explore.py TARGET SECONDS FOLDER [OPTION…]`.
What fails is left in FOLDER as `crash-…`; put it into `corpus/TARGET/`,
so that it stays a test.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import atheris  # type: ignore[import-untyped]  # compiled, without types

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
with atheris.instrument_imports(include=["kb"]):
    from tests.fuzz.targets import TARGETS, seeds

LARGEST = 4_000


def main() -> None:
    """Search; ends the process with 0 when nothing was found."""
    name, seconds, folder, *more = sys.argv[1:]
    with tempfile.TemporaryDirectory() as copy:
        for path in seeds(name):
            shutil.copy(path, copy)
        options = [
            f"-max_total_time={seconds}", f"-max_len={LARGEST}", "-timeout=20", "-verbosity=0",
            "-rss_limit_mb=3000", "-print_final_stats=1", f"-artifact_prefix={folder}/", *more,
        ]  # fmt: skip
        atheris.Setup([sys.argv[0], *options, copy], TARGETS[name])
        atheris.Fuzz()


if __name__ == "__main__":
    main()
