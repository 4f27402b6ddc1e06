"""The words by which people qualify a number, read from `words.txt`, and number words.

Each line of the file says an axis (or a role in the sentence), a value, and the spellings
that mean it. A spelling is a run of words; hyphens and blanks between them are alike.
"""

from __future__ import annotations

import re
from pathlib import Path

WORD = re.compile(r"\d+:\d+|[^\W_]+(?:_[^\W_]+)*")
"""One word of a sentence; hyphens and apostrophes end it."""

Words = tuple[str, ...]


def _read() -> dict[Words, tuple[str, str]]:
    table: dict[Words, tuple[str, str]] = {}
    for line in Path(__file__).with_name("words.txt").read_text("utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        head, *spellings = line.split("|")
        axis, value = head.split()
        for spelling in spellings:
            table[tuple(WORD.findall(spelling.casefold()))] = axis, value
    return table


_ALL = _read()

WORDS = {words: meaning for words, meaning in _ALL.items() if meaning[0] != "other"}
"""Spellings as runs of lower-case words, with the axis and the value they mean."""

OTHERS = tuple(words for words, meaning in _ALL.items() if meaning[0] == "other")
"""Names of accelerators that the catalogue doesn't hold."""

NUMBER_WORDS = {
    word: value
    for value, words in {
        1: ("one", "single", "ein", "eine", "einem", "einen", "a", "an"),
        2: ("two", "zwei", "both", "beide"),
        3: ("three", "drei"),
        4: ("four", "vier"),
        5: ("five", "fünf"),
        6: ("six", "sechs"),
        7: ("seven", "sieben"),
        8: ("eight", "acht"),
        9: ("nine", "neun"),
        10: ("ten", "zehn"),
        12: ("twelve", "zwölf"),
        16: ("sixteen", "sechzehn"),
        18: ("eighteen", "achtzehn"),
        20: ("twenty", "zwanzig"),
        32: ("zweiunddreißig",),
        64: ("vierundsechzig",),
        72: ("zweiundsiebzig",),
    }.items()
    for word in words
}
"""Numbers that people spell out."""

GERMAN = frozenset(
    (
        "allerdings",
        "als",
        "auch",
        "auf",
        "aus",
        "bei",
        "beim",
        "das",
        "dem",
        "den",
        "der",
        "des",
        "die",
        "ein",
        "eine",
        "einen",
        "erreicht",
        "es",
        "für",
        "hat",
        "im",
        "ist",
        "je",
        "kommt",
        "laut",
        "liest",
        "mit",
        "nicht",
        "nur",
        "pro",
        "seine",
        "seinen",
        "sich",
        "sind",
        "und",
        "von",
        "wird",
        "zu",
    )
)
"""Function words that mark a sentence as German."""

ENGLISH = frozenset(
    (
        "a",
        "an",
        "and",
        "as",
        "at",
        "by",
        "for",
        "has",
        "in",
        "is",
        "it",
        "its",
        "of",
        "per",
        "that",
        "the",
        "to",
        "with",
    )
)
"""Function words that mark a sentence as English."""

COUNTED = {
    word: kind
    for kind, words in {
        "accelerator": (
            "chip",
            "chips",
            "gpu",
            "gpus",
            "card",
            "cards",
            "accelerator",
            "accelerators",
            "karten",
            "oams",
        ),
        "device": ("device", "devices"),
        "host": (
            "host",
            "hosts",
            "server",
            "servers",
            "machine",
            "machines",
            "node",
            "nodes",
            "box",
            "boxes",
            "rechner",
        ),
        "virtual_machine": ("vm", "vms"),
        "tensorcore": ("tensorcore", "tensorcores"),
        "sparsecore": ("sparsecore", "sparsecores"),
        "tensor_core": ("tensor",),
        "matrix_unit": ("mxu", "mxus"),
        "multiprocessor": ("sm", "sms"),
        "link": ("link", "links", "nvlinks"),
        "port": ("port", "ports"),
        "network_card": ("nic", "nics"),
        "virtual_cpu": ("vcpu", "vcpus"),
        "die": ("die", "dies"),
    }.items()
    for word in words
}
"""What a plain count may count, by the word that follows it."""
