"""How fast `kb lint` reads: 1,000 generated Markdown pages of about 5 kB in one process.

Usage: python benchmarks/lint_pages.py [--pages N]. Prints megabytes a second on one core for
documentation (a figure in every twentieth sentence), for pages about hardware (in every third)
and for pages of nothing but figures; then how the time grows from N/4 pages to N.
"""

from __future__ import annotations

import argparse
import gc
import random
import time
from pathlib import Path

from kb.home import Project as Knowledge
from kb.home import home
from kb.load import load
from kb.prose.answer import answer
from kb.prose.known import Known, known

FILLER = (
    "The scheduler groups requests by length before they reach the accelerator. Short windows "
    "leave it waiting for the host, and every new shape compiles again unless lengths are "
    "bucketed. What binds is found by a profile and not by a data sheet. "
)
FIGURES = (
    "One B200 GPU holds 180 GB of HBM3E and reads it at 7.7 TB/s. ",
    "A v6e chip moves 800 GBps over ICI, both directions added. ",
    "MI300X prints 1.3 PFLOPS for BF16 without and 2.61 PFLOPS with structured sparsity. ",
    "Two vendor peaks, 7.7 TB/s for one B200 and 1638 GBps for one v6e chip, differ by 4.7×. ",
    "H100 SXM, FP64 on the Tensor Cores: 67 teraFLOPS. ",
)
TABLE = """
| per GPU | HGX B200 | HGX B300 |
|---|---|---|
| HBM | 180 GB | 270 GB |
| power limit | 1,000 W | 1,100 W |

"""


def page(rng: random.Random, every: int) -> str:
    """One page: headings, paragraphs and a table; a figure after `every` fillers."""
    parts = [f"# Page {rng.randrange(10**6)}\n\n"]
    size = 0
    while size < 5000:
        text = FILLER * every + rng.choice(FIGURES)
        parts += [text, "\n\n"]
        size += len(text)
    return "".join([*parts, TABLE])


def main() -> None:
    """Time both kinds of pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=1000)
    count = parser.parse_args().pages
    catalogue = known(load(Knowledge(Path(home())), kinds=("specs",)).corpus)
    gc.freeze()
    gc.set_threshold(50_000)  # as the command line does
    rng = random.Random(1)  # noqa: S311 - the same pages on every machine
    for name, every in (("documentation", 7), ("about hardware", 1), ("only figures", 0)):
        pages = [page(rng, every) for _ in range(count)]
        size = sum(len(text.encode()) for text in pages) / 1e6
        quarter, _ = timed(pages[: count // 4], catalogue)
        seconds, checked = timed(pages, catalogue)
        grows = seconds / quarter
        print(
            f"{name}: {size:.1f} MB, {checked} statements, {size / seconds:.2f} MB/s; "
            f"4 times the pages take {grows:.1f} times as long"
        )


def timed(pages: list[str], catalogue: Known) -> tuple[float, int]:
    """Seconds of one core for all pages, and how many statements were checked."""
    started = time.process_time()
    checked = sum(answer(text, catalogue).checked for text in pages)
    return time.process_time() - started, checked


if __name__ == "__main__":
    main()
