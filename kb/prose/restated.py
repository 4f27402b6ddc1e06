"""Numbers that restate others: what is left of a whole, and digits that change their unit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from kb.prose.arithmetic import in_unit_of, number_text, plain
from kb.prose.context import Sentence
from kb.prose.numbers import JUDGED, Amount
from kb.prose.remark import Remark, wrong

_LEAVES = re.compile(r"\bleav(?:es|ing)\s(?:about\s|only\s|just\s)?\Z")
_OF_THE = re.compile(r"\s(?:out\s)?of\s(?:the|its|a|all)\s")


def remainders(sentence: Sentence) -> Iterator[Remark]:
    """`84 GB of weights leave 57 of the 141 GB`: a difference, to the digits that are printed."""
    quantities = [a for a in sentence.amounts if a.kind in JUDGED]
    for taken, left, whole in zip(quantities, quantities[1:], quantities[2:], strict=False):
        lead = max(taken.end, left.start - 20), left.start
        if not (taken.kind == left.kind == whole.kind) or not _LEAVES.search(sentence.text, *lead):
            continue
        if _OF_THE.fullmatch(sentence.text, left.end, whole.start) is None:
            continue
        earlier = [a.base for a in quantities if a.kind == left.kind and a.end <= left.start]
        slack = max(left.step + taken.step + whole.step, whole.base / 100)
        if any(abs(whole.base - base - left.base) <= slack for base in earlier):
            continue
        real = whole.base - taken.base
        if real > 0 and abs(real - left.base) > slack:
            value = f"{number_text(real / (left.unit.factor if left.unit else 1))} {left.label}"
            text = f"{plain(whole)} less {plain(taken)} is {value}, not {plain(left)}"
            yield wrong(left.start, left.end, ("unit", "arithmetic"), text, value)


_SAME = re.compile(r"(?:That|This|Which)(?:['’]s|\s(?:is|means|makes|equals))\s(?:about\s|just\s)?")


_SO = re.compile(r",\s(?:so|hence|i\.e\.|thus)\s")


def continued(sentence: Sentence, before: Amount | None) -> Iterator[Remark]:
    """`It has a 400 Gb/s card. That is 400 GB/s`: the same digits under another unit."""
    amounts = [a for a in sentence.amounts if a.kind in JUDGED]
    told = [(before, a) for a in amounts[:1] if before is not None]
    told = [p for p in told if _SAME.fullmatch(sentence.text, sentence.start, p[1].start)]
    told += [p for p in pairwise(amounts) if _SO.search(sentence.text, p[0].end, p[1].start)]
    for one, amount in told:
        if (one.kind, one.number) != (amount.kind, amount.number) or one.base == amount.base:
            continue
        value = in_unit_of(one, amount)
        text = f"{plain(one)} is {value}, not {plain(amount)}"
        yield wrong(amount.start, amount.end, ("unit", "arithmetic"), text, value)
