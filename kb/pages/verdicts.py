"""One verdict for a reader: the answer first, then reasons, steps, conditions, cautions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from kb.compare import explained
from kb.compare.text import WORDS
from kb.corpus import ClaimEntry, Corpus
from kb.operand import operand_of_claim
from kb.pages import links
from kb.pages.ratio import ratio, ratio_within
from kb.pages.text import blocks, bullets, chip, code, esc, fold, link
from kb.pages.words import name, verdict_chip
from kb.qualifiers import UNSTATED
from kb.quantity import QuantityError, decimal_text
from kb.verdict import Conditional, Reason, Step, Verdict, VerdictKind

_ID = re.compile(r"[A-Za-z0-9]+(?:[-./_][A-Za-z0-9]+)+")


@dataclass(frozen=True)
class Linker:
    """Turns the ids of sources, claims and evidence in a judge's sentence into links."""

    page: str
    corpus: Corpus

    def text(self, sentence: str) -> str:
        """The sentence as inline Markdown."""
        parts: list[str] = []
        end = 0
        for match in _ID.finditer(sentence):
            target = self._target(match[0])
            if target is not None:
                label = link(esc(match[0]), links.way(self.page, target))
                # `esc` trims, and the blanks beside a link count.
                parts += [_spaced(sentence[end : match.start()]), label]
                end = match.end()
        return "".join([*parts, _spaced(sentence[end:])])

    def _target(self, word: str) -> str | None:
        known = (self.corpus.sources, self.corpus.claims, self.corpus.evidence)
        return links.record_target(word, self.corpus) if any(word in t for t in known) else None


def _spaced(text: str) -> str:
    """Escaped text that keeps one blank at either end where there was any."""
    if not text.strip():
        return " " if text else ""
    ends = [" " if end.isspace() else "" for end in (text[0], text[-1])]
    return f"{ends[0]}{esc(text)}{ends[1]}"


@dataclass(frozen=True)
class Judged:
    """Two claims and the verdict about them."""

    left: ClaimEntry
    right: ClaimEntry
    verdict: Verdict

    @property
    def anchor(self) -> str:
        """The anchor of this comparison on a page."""
        return links.pair_anchor(self.left.id, self.right.id)


def judge(corpus: Corpus, left: str, right: str) -> Judged | None:
    """The verdict for two claim ids; None where one is unknown or its value can't be read."""
    entries = corpus.claims.get(left), corpus.claims.get(right)
    if entries[0] is None or entries[1] is None:
        return None
    try:
        sides = [operand_of_claim(entry) for entry in entries if entry]
    except QuantityError:
        return None
    return Judged(entries[0], entries[1], explained(sides[0], sides[1], corpus))


def answer(verdict: Verdict) -> str:
    """The short answer for a table cell, as inline Markdown: a ratio, or what is in the way."""
    if verdict.ratio is not None:
        return f"{verdict_chip(verdict.kind)} **{ratio(verdict.ratio)}**"
    axes = ", ".join(dict.fromkeys(name(reason.axis) for reason in verdict.reasons))
    return f"{verdict_chip(verdict.kind)} {esc(axes)}".rstrip()


def claim_link(page: str, entry: ClaimEntry) -> str:
    """A claim as its printed value, with its id as the link."""
    target = links.way(page, links.claim_target(entry.id))
    return f"**{esc(entry.claim.current.published)}** {link(code(entry.id), target)}"


def verdict_block(page: str, judged: Judged, corpus: Corpus, note: str = "") -> str:
    """The whole verdict as Markdown."""
    verdict, told = judged.verdict, Linker(page, corpus)
    left, right = claim_link(page, judged.left), claim_link(page, judged.right)
    head = f"{left} against {right}"
    return blocks(
        f"{head}<br>\n{verdict_chip(verdict.kind)} {_headline(verdict)}",
        note,
        verdict_body(verdict, told),
        _remedy(page, verdict.use_instead, corpus),
    )


def verdict_body(verdict: Verdict, told: Linker) -> str:
    """What a verdict rests on: reasons, steps, conditions, a fraction, cautions."""
    return blocks(
        _reasons(verdict.reasons, told),
        _steps(verdict, told),
        _conditions(verdict.conditional),
        esc(fraction(verdict)),
        _cautions(verdict, told),
    )


def verdict_fold(page: str, judged: Judged, corpus: Corpus, *, opened: bool = False) -> str:
    """The whole verdict under one line that says its answer, with the pair's anchor."""
    left, right = judged.left, judged.right
    found = judged.verdict.ratio
    shown = f" <strong>{ratio(found)}</strong>" if found is not None else ""
    summary = f"{code(left.id)} against {code(right.id)} {verdict_chip(judged.verdict.kind)}{shown}"
    return fold(summary, verdict_block(page, judged, corpus), anchor=judged.anchor, opened=opened)


def _headline(verdict: Verdict) -> str:
    if verdict.ratio is not None:
        return f"ratio **{ratio_within(verdict.ratio, verdict.interval)}**"
    axes = " and ".join(dict.fromkeys(name(reason.axis) for reason in verdict.reasons))
    if verdict.kind is VerdictKind.UNDETERMINED:
        return f"a source leaves open: {esc(axes)}"
    return f"the two differ in {esc(axes)}" if axes else WORDS[verdict.kind]


def _reasons(reasons: Iterable[Reason], told: Linker) -> str:
    items = []
    for reason in reasons:
        verb = "is open" if reason.state == "open" else "differs"
        text = (
            f"**{esc(name(reason.axis))} {verb}**: {_value(reason.left)} against "
            f"{_value(reason.right)}. {told.text(_sentence(reason.why))}"
        )
        if reason.settle:
            settle = _sentence(reason.settle, capital=False)
            text += f" What would settle it: {told.text(settle)}"
        items.append(text)
    return bullets(items)


def _value(text: str) -> str:
    return "*unstated*" if text == UNSTATED else f"*{esc(name(text))}*"


def _sentence(text: str, *, capital: bool = True) -> str:
    shown = text[:1].upper() + text[1:] if capital else text
    return shown if shown.endswith((".", "?", "!")) else f"{shown}."


def _steps(verdict: Verdict, told: Linker) -> str:
    if not verdict.derivation:
        return ""
    done = verdict.kind is VerdictKind.AFTER_DERIVATION
    head = "Steps taken, each with its licence:" if done else "Steps that would be licensed:"
    return blocks(head, "\n".join(f"1. {_step(step, told)}" for step in verdict.derivation))


def _step(step: Step, told: Linker) -> str:
    label = chip("step", name(step.kind), step.kind.sentence)
    return f"{step.side}: {told.text(step.step)} {label}<br>licence: {told.text(step.licence)}"


def _conditions(conditional: Iterable[Conditional]) -> str:
    items = [esc(condition(item)) for item in conditional]
    if not items:
        return ""
    return blocks("No ratio may be printed, but these would follow:", bullets(items))


def condition(item: Conditional) -> str:
    """One condition and the ratio that would follow, as plain text."""
    when = " and ".join(
        f"the {side} {name(axis)} is {name(value)}" for side, axis, value in item.when
    )
    return f"If {when}: {ratio_within(item.ratio, item.interval)}"


def fraction(verdict: Verdict) -> str:
    """The share of a vendor's figure, as plain text; empty where there is none."""
    found = verdict.fraction
    if found is None:
        return ""
    share = decimal_text(found.value * 100, 4)
    what = {"reported": "The device reports", "achieved": "The measurement achieves"}[found.kind]
    return f"{what} {share} % of the vendor's figure. That is a fraction, no comparison."


def _cautions(verdict: Verdict, told: Linker) -> str:
    # The sentence in front also keeps this list apart from a numbered one above it.
    listed = bullets(
        f"{chip('caution', name(caution.about))} {told.text(caution.text)}"
        for caution in verdict.cautions
    )
    head = "Cautions, which go wherever this verdict is shown:"
    return blocks(head, listed) if verdict.cautions else ""


def _remedy(page: str, names: Iterable[str], corpus: Corpus) -> str:
    shown = [claim_link(page, corpus.claims[name]) for name in names if name in corpus.claims]
    return f"Use instead: {', '.join(shown)}" if shown else ""
