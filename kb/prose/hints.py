"""Words that no list can hold: `one B200`, `one NVLink link`, `our matmul`, `in the baseboard`.

Each becomes a mention like those of the lexicon, or takes one away that only says where
something sits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from kb.prose.context import Mention, Sentence
from kb.prose.numbers import JUDGED

GROUPS = frozenset({"board", "host", "slice", "pod", "rack"})
"""Scopes of several accelerators."""

_INSIDE = re.compile(
    r"\b(?:in|inside|into|within|on|of)\s(?:the|a|an|its|this|that|each|every)\s(?:[\w-]+\s){0,2}\Z",
    re.I,
)


_AS_ONE = re.compile(
    r"\b(?:as|like)\s(?:a|one|a single|one single)\s(?:[\w-]+\s){0,1}"
    r"(?:gpu|accelerator|chip|device)\Z",
    re.I,
)
_STAYS = re.compile(
    r"\b(?:stays?|remains?|runs?|used)\s(?:in|inside|within)\s(?:the|a|one|its)\s\Z", re.I
)
_EACH_FIGURE = re.compile(r"each of (?:its|the)\s\d[\d.,]*\s?[KMGT]i?B\b", re.I)
"""`96 GiB each of its 192 GiB`: each of what was counted before."""
_ONE_MODULE = re.compile(r"\b(?:SXM\d?|OAM)\smodules?\Z", re.IGNORECASE)
"""One accelerator, and no board of several."""
_EACH_MODULE = re.compile(r"\b(?:each|every|per|single|one|OAM)\s\Z", re.IGNORECASE)
"""Of what a board carries several, so one accelerator: `each module draws 1,400 W`."""
_INTO = re.compile(r"\b(?:into|fits? in)\s(?:[\w-]+\s){1,2}\Z", re.I)
_AMONG = re.compile(
    r"\b(?:in|inside|on|for|auf|in unseren)\s(?:our\s|its\s)?(?:[\w-]+\s){0,1}\Z", re.I
)


def place(mention: Mention, mentions: Sequence[Mention], sentence: Sentence) -> bool:
    """Whether a group is only where one accelerator sits: `one H100 in the HGX baseboard`."""
    if mention.axis != "scope":
        return False
    if _STAYS.search(sentence.text, max(sentence.start, mention.start - 24), mention.start):
        return True
    if _EACH_FIGURE.match(sentence.text, mention.start, sentence.end):
        return True
    if _ONE_MODULE.search(sentence.text, max(0, mention.start - 6), mention.end):
        return True
    start = max(sentence.start, mention.start - 30)
    if sentence.text[mention.start : mention.end].lower() == "module" and _EACH_MODULE.search(
        sentence.text, start, mention.start
    ):
        return True
    if mention.value not in GROUPS:
        return _AS_ONE.search(sentence.text, start, mention.end) is not None
    several = sentence.text[mention.start : mention.end].lower().endswith("s")
    if several and _AMONG.search(sentence.text, start, mention.start):
        return True
    if _INTO.search(sentence.text, start, mention.start):
        return True
    single = any(
        m.axis == "scope" and m.value not in GROUPS and 0 < mention.start - m.end < 30
        for m in mentions
    )
    return single and _INSIDE.search(sentence.text, start, mention.start) is not None


_OWN_RUN = re.compile(
    r"\b(?:our|unser\w*|my)\s(?:[\w-]+\s){0,4}(?:kernel|run|job|benchmark|matmul|training|test|sweep|"
    r"gemm|implementation|loop|step|attention)s?\b",
    re.IGNORECASE,
)


_OURS = frozenset({"our", "my"})


def own_runs(sentence: Sentence) -> Iterable[Mention]:
    """`Our dense bf16 matmul reaches …`: what somebody ran, so a measured number."""
    if not sentence.vocabulary & _OURS and "unser" not in sentence.words().lower():
        return
    for match in _OWN_RUN.finditer(sentence.text, sentence.start, sentence.end):
        yield Mention("basis", "measured", match.start(), match.end())


_ENGLISH_ARTICLES = ("one", "single", "each", "every", "per", "a", "an")
_GERMAN_ARTICLES = ("eine", "ein", "einer", "einem", "je", "pro", "jeder", "jede")
_ALONE = ("einzelner", "einzelne", "einzelnen", "einzelnes", "einziger", "einzige", "seul", "seule")
_ARTICLES = frozenset((*_ENGLISH_ARTICLES, *_GERMAN_ARTICLES, *_ALONE))


def articles(sentence: Sentence) -> Iterable[Mention]:
    """`one B200` and `a v6e` mean one accelerator, unless a word for a group follows."""
    for name in sentence.names:
        before = sentence.text[max(sentence.start, name.start - 12) : name.start].split()
        after = sentence.text[name.end : name.end + 16].lower().lstrip(" -0123456789")
        sold = any(m.axis == "sold_as" and m.start == name.start for m in sentence.mentions)
        group = _SLICE.match(sentence.text, name.end) is not None or after.startswith(
            ("pod", "board", "host", "rack", "slice", "server", "system", "vm")
        )
        other = name.software or not name.products  # one Grace is no accelerator
        if before and before[-1].lower() in _ARTICLES and not (sold or group or other):
            yield Mention("scope", "gpu", name.start, name.end)


_SLICE = re.compile(r"-(?!1\b)\d{1,4}\b")
"""The size of a slice behind a name, as in `v5e-16`."""
_LINK = re.compile(
    r"(?<!is\s)(?<!was\s)\b(?:one|per|each|every|single|a|je|pro)\s(?:[\w-]+\s){0,2}"
    r"(?P<what>link|port)\b"
    r"|\b(?:each|every\sone)\sof\s(?:the|its|[\w-]+['’]s)\s(?:[\w-]+\s){0,3}(?P<whats>link|port)s\b",
    re.IGNORECASE,
)
_APIECE = re.compile(r"\s(?:each|apiece|je)\b(?!\s(?:way|direction)\b)")


_LINKS = frozenset({"link", "links", "nvlink", "nvlinks", "port", "ports"})


def single_links(sentence: Sentence) -> Iterable[Mention]:
    """`one NVLink link` and `per ICI port`, with the name of the link between the words."""
    if not sentence.vocabulary & _LINKS:
        return
    for match in _LINK.finditer(sentence.text, sentence.start, sentence.end):
        what = match["what"] or match["whats"]
        yield Mention("aggregation", f"per_{what.lower()}", match.start(), match.end())
    parts = [a for a in sentence.amounts if a.kind == "count" and a.label in ("link", "port")]
    for amount in sentence.amounts if parts else ():
        near = [p for p in parts if 0 < amount.start - p.end < 40]
        if amount.kind in JUDGED and near and _APIECE.match(sentence.text, amount.end):
            yield Mention("aggregation", f"per_{near[-1].label}", amount.end, amount.end + 5)


def asked(before: Sequence[Sentence]) -> Iterable[Mention]:
    """The part that the question before asks about: `What does one B200 give you? 18 PFLOPS`."""
    if not before or not before[0].words().endswith("?"):
        return ()
    question = before[0]
    parts = [m for m in question.mentions if m.axis == "scope"]
    return (*parts, *articles(question))


_SENT = re.compile(r"\b(?:sends?|push(?:es)?|transmits?|uploads?|sendet)\s(?:up to |at )*\Z", re.I)
_GOT = re.compile(r"\b(?:receiv\w+|pulls?|downloads?|empfängt)\s(?:up to |another |at )*\Z", re.I)


_WAY = re.compile(
    r"\s(?:up|down|upstream|downstream|in|out|to the host|from the host)(?=[\s.,;]|\Z)"
)


def each_way(sentence: Sentence) -> Iterable[Mention]:
    """`sends 900 GB/s and receives 900 GB/s`: two numbers, so each is of one direction."""
    rates = [a for a in sentence.amounts if a.kind == "information_rate"]
    if len(rates) < 2:
        return
    if all(_WAY.match(sentence.text, a.end, sentence.end) for a in rates):
        for amount in rates:
            yield Mention("direction", "one_way", amount.end, amount.end)
        return
    leads = [(max(sentence.start, a.start - 24), a.start) for a in rates]
    if all(any(word.search(sentence.text, *lead) for lead in leads) for word in (_SENT, _GOT)):
        for amount, lead in zip(rates, leads, strict=True):
            if _SENT.search(sentence.text, *lead) or _GOT.search(sentence.text, *lead):
                yield Mention("direction", "one_way", amount.start, amount.start)


_ACTIVITY = re.compile(r"\b(?:an|the|our|each|every|during|one|a single)\s\Z", re.IGNORECASE)
_RATE = re.compile(r"\s(?:bandwidth|rate|payload|throughput|figure|total)s?\b", re.IGNORECASE)


def activity(mention: Mention, sentence: Sentence) -> bool:
    """`for an all-reduce the chip has 800 GB/s`: what is done, and no kind of figure."""
    if mention.axis == "memory":  # `the wording reads as one direction`
        return sentence.text.startswith((" as ", " like "), mention.end)
    if mention.value == "nic":  # `networking per pod: 102.4 TB/s all-reduce, …`
        word = sentence.text[mention.start : mention.end].lower()
        return word == "networking" and bool(sentence.values("aggregation") & _COLLECTIVE)
    if mention.value != "all_reduce_payload":
        return False
    lead = max(sentence.start, mention.start - 12), mention.start
    done = _ACTIVITY.search(sentence.text, *lead)
    return done is not None and _RATE.match(sentence.text, mention.end, sentence.end) is None


_COLLECTIVE = frozenset({"all_reduce_payload", "bisection"})
_OUT = re.compile(r"out\b", re.IGNORECASE)


def of_verb(mention: Mention, sentence: Sentence) -> bool:
    """`tops out at 900 GB/s`: only behind a rate, or after `in and`, is `out` a direction."""
    text = sentence.text
    if mention.axis != "direction" or _OUT.fullmatch(text, mention.start, mention.end) is None:
        return False
    behind = any(0 <= mention.start - a.end < 3 for a in sentence.amounts)
    lead = text[max(sentence.start, mention.start - 7) : mention.start].lower()
    return not (behind or lead.endswith(("in and ", "in or ", "in/", "in + ")))


_OF_PEAK = re.compile(r"(?:%|percent)\s(?:of\s)?(?:(?:the|its|theoretical|dense|sparse)\s)*\Z")
_SHARE = frozenset({"mfu", "utilization", "utilisation"})


def denominator(sentence: Sentence, own: Sequence[Mention]) -> Sequence[Mention]:
    """`an MFU against the peak of 918 TFLOPS`: the share is measured, the peak is none."""
    if not any(m.axis == "rated" for m in own):
        return own
    text = sentence.text
    if any(a.kind == "percent" for a in sentence.amounts):
        own = [
            m
            for m in own
            if m.axis != "rated" or not _OF_PEAK.search(text, max(0, m.start - 30), m.start)
        ]
    return [m for m in own if text[m.start : m.end].lower() not in _SHARE]


_TAKES = re.compile(r"(?:takes?|dauert|needs?)\b", re.I)
_CLAUSE = re.compile(r"[,;]\s|\s(?:so|which|and|hence|thus|means?|implies)\s")


def estimated(mention: Mention, sentence: Sentence) -> bool:
    """Whether `takes` only gives the time that follows: `at 7.7 TB/s, so it takes 18 ms`."""
    if mention.axis != "basis" or _TAKES.match(sentence.text, mention.start) is None:
        return False
    timed = any(a.kind == "time" and 0 <= a.start - mention.end < 16 for a in sentence.amounts)
    before = [a for a in sentence.amounts if a.kind in JUDGED and a.end <= mention.start]
    return timed and any(_CLAUSE.search(sentence.text, a.end, mention.start) for a in before)


_NEW = re.compile(r"[,;]\s(?:and\s)?(?:(?:a|an|one|the|each|its|ein|jeder)\s)?\Z", re.IGNORECASE)


def counts_next(mention: Mention, sentence: Sentence) -> bool:
    """`…, a pod 4,096 chips`: the group is what the next number counts, and no more."""
    if mention.axis != "scope" or mention.value not in GROUPS:
        return False
    start = max(sentence.start, mention.start - 12)
    counted = any(a.kind == "count" and 0 < a.start - mention.end < 25 for a in sentence.amounts)
    return counted and _NEW.search(sentence.text, start, mention.start) is not None


_FACTOR = re.compile(
    r"\b(?:half|twice|double|Doppelte|Hälfte|mitad|moitié)\b[^.,;]{0,15}\Z", re.IGNORECASE
)


def of_factor(mention: Mention, sentence: Sentence) -> bool:
    """`3,958 TFLOPS; half of it without`: the word belongs to the half."""
    start = max(sentence.start, mention.start - 30)
    return _FACTOR.search(sentence.text, start, mention.start) is not None


_WITHOUT = re.compile(
    r"\b(?:without|no|w/o|excluding|ignoring|disregarding|minus|ohne|sans|sin|"
    r"not (?:counting|using|including))\s(?:[\w:-]+\s){0,2}\Z",
    re.IGNORECASE,
)


def negated(mention: Mention, sentence: Sentence) -> Mention:
    """`without using 2:4 sparsity` says dense, however many words stand between."""
    if mention.axis != "sparsity" or mention.value != "structured_2_4":
        return mention
    start = max(sentence.start, mention.start - 40)
    if _WITHOUT.search(sentence.text, start, mention.start) is None:
        return mention
    return Mention("sparsity", "dense", mention.start, mention.end)
