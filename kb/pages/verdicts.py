"""One verdict for a reader: the answer first, then reasons, steps, conditions, cautions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kb.compare import explained
from kb.compare.text import WORDS, ratio_text
from kb.corpus import ClaimEntry, Corpus
from kb.operand import operand_of_claim
from kb.pages import links
from kb.pages.text import blocks, bullets, chip, code, esc, fold, link
from kb.pages.words import name, verdict_chip
from kb.qualifiers import UNSTATED
from kb.quantity import QuantityError, decimal_text
from kb.verdict import Conditional, Reason, Step, Verdict, VerdictKind


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
        return f"{verdict_chip(verdict.kind)} **{ratio_text(verdict.ratio)}**"
    axes = ", ".join(dict.fromkeys(name(reason.axis) for reason in verdict.reasons))
    return f"{verdict_chip(verdict.kind)} {esc(axes)}".rstrip()


def claim_link(page: str, entry: ClaimEntry) -> str:
    """A claim as its printed value, with its id as the link."""
    target = links.way(page, links.claim_target(entry.id))
    return f"**{esc(entry.claim.current.published)}** {link(code(entry.id), target)}"


def verdict_block(page: str, judged: Judged, corpus: Corpus, note: str = "") -> str:
    """The whole verdict as Markdown."""
    verdict = judged.verdict
    left, right = claim_link(page, judged.left), claim_link(page, judged.right)
    head = f"{left} against {right}"
    return blocks(
        f"{head}<br>\n{verdict_chip(verdict.kind)} {_headline(verdict)}",
        note,
        _reasons(verdict.reasons),
        _steps(verdict),
        _conditions(verdict.conditional),
        _fraction(verdict),
        _cautions(verdict),
        _remedy(page, verdict.use_instead, corpus),
    )


def verdict_fold(page: str, judged: Judged, corpus: Corpus, *, opened: bool = False) -> str:
    """The whole verdict under one line that says its answer, with the pair's anchor."""
    left, right = judged.left, judged.right
    shown = judged.verdict.ratio
    ratio = f" <strong>{decimal_text(shown, 3)}</strong>" if shown is not None else ""
    summary = f"{code(left.id)} against {code(right.id)} {verdict_chip(judged.verdict.kind)}{ratio}"
    return fold(summary, verdict_block(page, judged, corpus), anchor=judged.anchor, opened=opened)


def _headline(verdict: Verdict) -> str:
    if verdict.ratio is not None:
        return f"ratio **{esc(ratio_text(verdict.ratio, verdict.interval))}**"
    axes = " and ".join(dict.fromkeys(name(reason.axis) for reason in verdict.reasons))
    if verdict.kind is VerdictKind.UNDETERMINED:
        return f"a source leaves open: {esc(axes)}"
    return f"the two differ in {esc(axes)}" if axes else WORDS[verdict.kind]


def _reasons(reasons: Iterable[Reason]) -> str:
    items = []
    for reason in reasons:
        verb = "is open" if reason.state == "open" else "differs"
        text = (
            f"**{esc(name(reason.axis))} {verb}**: {_value(reason.left)} against "
            f"{_value(reason.right)}. {_sentence(reason.why)}"
        )
        if reason.settle:
            text += f" What would settle it: {_sentence(reason.settle, capital=False)}"
        items.append(text)
    return bullets(items)


def _value(text: str) -> str:
    return "*unstated*" if text == UNSTATED else f"*{esc(name(text))}*"


def _sentence(text: str, *, capital: bool = True) -> str:
    shown = text[:1].upper() + text[1:] if capital else text
    return esc(shown if shown.endswith((".", "?", "!")) else f"{shown}.")


def _steps(verdict: Verdict) -> str:
    if not verdict.derivation:
        return ""
    done = verdict.kind is VerdictKind.AFTER_DERIVATION
    head = "Steps taken, each with its licence:" if done else "Steps that would be licensed:"
    return blocks(head, "\n".join(f"1. {_step(step)}" for step in verdict.derivation))


def _step(step: Step) -> str:
    label = chip("step", name(step.kind), step.kind.sentence)
    return f"{step.side}: {esc(step.step)} {label}<br>licence: {esc(step.licence)}"


def _conditions(conditional: Iterable[Conditional]) -> str:
    items = []
    for item in conditional:
        when = " and ".join(
            f"the {side} {esc(name(axis))} is *{esc(name(value))}*"
            for side, axis, value in item.when
        )
        items.append(f"If {when}: {esc(ratio_text(item.ratio, item.interval))}")
    if not items:
        return ""
    return blocks("No ratio may be printed, but these would follow:", bullets(items))


def _fraction(verdict: Verdict) -> str:
    found = verdict.fraction
    if found is None:
        return ""
    share = decimal_text(found.value * 100, 4)
    what = {"reported": "The device reports", "achieved": "The measurement achieves"}[found.kind]
    return f"{what} **{share} %** of the vendor's figure. That is a fraction, no comparison."


def _cautions(verdict: Verdict) -> str:
    """Cautions by what they are about; two about one thing share a line."""
    about: dict[str, list[str]] = {}
    for caution in verdict.cautions:
        about.setdefault(caution.about, []).append(esc(caution.text))
    # The sentence in front also keeps this list apart from a numbered one above it.
    listed = bullets(
        f"{chip('caution', name(subject))} {'; '.join(texts)}" for subject, texts in about.items()
    )
    return blocks("Cautions, which go wherever this verdict is shown:", listed) if about else ""


def _remedy(page: str, names: Iterable[str], corpus: Corpus) -> str:
    shown = [claim_link(page, corpus.claims[name]) for name in names if name in corpus.claims]
    return f"Use instead: {', '.join(shown)}" if shown else ""
