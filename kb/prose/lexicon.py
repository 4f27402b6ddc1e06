"""The words by which people qualify a number, read from `words.txt`, and number words.

Each line of the file says an axis (or a role in the sentence), a value, and the spellings
that mean it. A spelling is a run of words; hyphens and blanks between them are alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

Words = tuple[str, ...]

UNSPACED = "\u2e80-\u9fff\uac00-\ud7af"
"""Chinese, Japanese and Korean letters, which stand beside numbers without a blank."""

LETTER = rf"[^\W{UNSPACED}]"
"""A letter, digit or underscore that makes one word with its neighbours."""


def _lines() -> Iterator[tuple[tuple[str, str], list[str]]]:
    """What a line of the file means, and its spellings."""
    for line in Path(__file__).with_name("words.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            head, *spellings = line.split("|")
            axis, value = head.split()
            yield (axis, value), [spelling.strip() for spelling in spellings]


_LINES = tuple(_lines())
_TERMS = sorted(
    (s for _, spellings in _LINES for s in spellings if re.match(f"[{UNSPACED}]", s)), key=len
)
WORD = re.compile(
    rf"\d+:\d+|[^\W_{UNSPACED}]+(?:_[^\W_{UNSPACED}]+)*|{'|'.join(reversed(_TERMS))}|[{UNSPACED}]"
)
"""One word of a sentence; hyphens and apostrophes end it. Letters that stand without blanks
are words one by one, save for the terms of the file."""

_ALL = {
    tuple(WORD.findall(spelling.casefold())): meaning
    for meaning, spellings in _LINES
    for spelling in spellings
}

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

DECIMAL_COMMA = frozenset(
    (
        *("le", "la", "les", "de", "des", "du", "une", "un", "et", "avec", "chaque", "est", "au"),
        *("el", "los", "las", "con", "por", "que", "en", "cada", "tiene", "del", "se", "y", "para"),
        *("il", "di", "della", "ogni", "una", "che", "um", "uma", "com", "tem", "dos", "em"),
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
"""Function words of German, French, Spanish, Italian and Portuguese: `1.200` is a thousand."""

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
