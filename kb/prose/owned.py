"""Software that is given a figure of hardware: `vLLM has 3.35 TB/s`, `JAX (918 TFLOPS)`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kb.prose.bind import Bound
from kb.prose.context import Sentence
from kb.prose.numbers import Amount
from kb.prose.remark import Remark, wrong


def softwares(sentence: Sentence) -> int:
    """How many frameworks and compute APIs a sentence names."""
    named = sum(name.software for name in sentence.names)
    return named + sum(m.axis == "software" for m in sentence.mentions)


_HAS = re.compile(
    r"\s(?:has|offers|provides|comes with|features|tops out at|stops at|"
    r"is limited to)\s(?:an?\s|up to\s)?(?:(?:memory|HBM)\s)?"
    r"(?:bandwidth\s|peak\s)?(?:of\s)?"
)


def owned(sentence: Sentence, bound: Sequence[Bound]) -> Iterator[Remark]:
    """`vLLM has a memory bandwidth of 3.35 TB/s`, `JAX (918 TFLOPS)`: software has none."""
    if sentence.has("doubt"):
        return
    yield from _in_brackets(sentence, bound)
    if any(not n.software for n in sentence.names) and softwares(sentence) < 2:
        return
    for end in _software_ends(sentence):
        for item in bound:
            amount = item.amount
            capacity = amount.kind in _OF_HARDWARE and softwares(sentence) > 1
            behind = _HAS.fullmatch(sentence.text, end, max(end, amount.start)) is not None
            if capacity and behind and _BRACKET.match(sentence.text, amount.end, sentence.end):
                yield _of_none(amount)
    if sentence.names:
        return
    for mention in (m for m in sentence.mentions if m.axis == "software"):
        for item in bound:
            amount = item.amount
            rate = amount.kind in ("operations", "information_rate") and not item.products
            if rate and _HAS.fullmatch(sentence.text, mention.end, max(mention.end, amount.start)):
                yield _of_none(amount)


_OF_HARDWARE = frozenset({"information", "information_rate", "operations"})
_BRACKET = re.compile(r"\s(?:of\s(?:\w+\s){1,2})?\((?:\w+\s)?[\w-]{2,12}\)")
"""The accelerator that has it, as an aside: `PyTorch offers 141 GB (H200)`."""


def _of_none(amount: Amount) -> Remark:
    text = "a framework or compute API has no such figure; name the accelerator"
    return wrong(amount.start, amount.end, ("layer",), text)


def _software_ends(sentence: Sentence) -> list[int]:
    """Where the names of software end."""
    software = [n.end for n in sentence.names if n.software]
    return [*software, *(m.end for m in sentence.mentions if m.axis == "software")]


def _in_brackets(sentence: Sentence, bound: Sequence[Bound]) -> Iterator[Remark]:
    software = _software_ends(sentence)
    for amount in (b.amount for b in bound if b.amount.kind in ("operations", "information_rate")):
        opened = sentence.text[max(sentence.start, amount.start - 2) : amount.start] == " ("
        closed = sentence.text.find(")", amount.end, sentence.end)
        if not opened or closed < 0 or amount.start - 2 not in software:
            continue
        if any(amount.end <= n.start < closed for n in sentence.names):
            continue  # `JAX (610 TFLOPS on a v6e)` ran on it
        if sentence.values("basis") & {"measured", "achieved"}:
            continue
        yield _of_none(amount)
