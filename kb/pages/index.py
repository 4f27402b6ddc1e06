"""The home page: what can be compared, why something can't, and what was decided."""

from __future__ import annotations

from collections.abc import Sequence

from kb.corpus import Corpus
from kb.pages import links
from kb.pages.decision import status_chip
from kb.pages.pairs import Matrix
from kb.pages.ratio import ratio
from kb.pages.text import blocks, bullets, esc, link, page, plural
from kb.pages.verdicts import Judged
from kb.pages.words import claim_title, name, verdict_chip
from kb.rules.collect import Rule
from kb.verdict import VerdictKind

SHOWN = 12
"""Decisions and own products on the home page; the newest decisions where there are more."""


def home_page(corpus: Corpus, pairs: Sequence[Matrix], rules: Sequence[Rule]) -> dict[str, str]:
    """The first page; its examples are judged like everything else, none is written by hand."""
    return {
        links.HOME: page(
            "# Numbers that can be compared",
            "Accelerators are chosen from numbers that look alike and are not: one chip and a "
            "whole board, dense and sparse, one direction and both, a promise and a measurement. "
            "Here every number carries what it means, every comparison gets a verdict with "
            "reasons, and every decision names the evidence that it rests on.",
            *_examples(corpus, pairs),
            _own_products(corpus),
            _decided(corpus),
            _inside(corpus, rules),
        )
    }


def _examples(corpus: Corpus, pairs: Sequence[Matrix]) -> list[str]:
    """For the first pair of products: what compares, what doesn't, and what stays open."""
    if not pairs:
        return ["Nothing is set side by side yet. A decision with two accelerators starts it."]
    left, right = pairs[0].left, pairs[0].right
    found = [judged for items in pairs[0].lessons.values() for judged in items]
    target = links.way(links.HOME, links.pair_path(left, right))
    names = [esc(corpus.products[key].value.name) for key in (left, right)]
    more = " · ".join(
        (
            f"[All of {' against '.join(names)}]({target})",
            f"[Any two products]({links.ANY_TWO})",
            f"[Any two claims]({links.CHOOSE})",
        )
    )
    parts = []
    for title, kinds in (
        ("What can be compared", (VerdictKind.COMPARABLE, VerdictKind.AFTER_DERIVATION)),
        ("Why something can't", (VerdictKind.NOT_COMPARABLE, VerdictKind.UNDETERMINED)),
    ):
        shown = [j for j in found if j.verdict.kind in kinds]
        first = {j.verdict.kind: j for j in reversed(shown)}
        items = [_example(first[kind], target) for kind in kinds if kind in first]
        parts.append(blocks(f"## {title}", bullets(items) or "No example yet."))
    return [*parts, more]


def _example(judged: Judged, page_: str) -> str:
    verdict = judged.verdict
    sides = " against ".join(
        f"**{esc(entry.claim.current.published)}** ({esc(entry.product.name)}, "
        f"{esc(claim_title(entry.claim))})"
        for entry in (judged.left, judged.right)
    )
    head = f"[{sides}]({page_}#{judged.anchor}): {verdict_chip(verdict.kind)}"
    if verdict.ratio is not None:
        # A ratio goes nowhere without the cautions and steps that belong to it.
        steps = ", ".join(dict.fromkeys(name(step.kind) for step in verdict.derivation))
        about = ", ".join(dict.fromkeys(name(c.about) for c in verdict.cautions))
        tail = (f"; steps: {esc(steps)}" if steps else "") + (
            f"; cautions about {esc(about)}" if about else ""
        )
        return f"{head} ratio **{ratio(verdict.ratio)}**{tail}."
    reason = verdict.reasons[0]
    return f"{head} {esc(name(reason.axis))}: {esc(reason.why)}."


def _own_products(corpus: Corpus) -> str:
    """The project's products, where they stand beside the installed catalogue."""
    own = [key for key, entry in corpus.products.items() if entry.own]
    if not own or len(own) == len(corpus.products):
        return ""
    items = [
        f"{link(esc(product.name), links.way(links.HOME, links.product_path(key)))}, by "
        f"{esc(product.vendor)}: {plural(len(product.claims), 'claim')}"
        for key in own[:SHOWN]
        for product in (corpus.products[key].value,)
    ]
    more = f"[And {len(own) - SHOWN} more]({links.PRODUCTS})" if len(own) > SHOWN else ""
    return blocks("## Products of our own", bullets(items), more)


def _decided(corpus: Corpus) -> str:
    items = []
    newest = sorted(corpus.decisions.items(), key=lambda pair: (str(pair[1].value.date), pair[0]))
    for key, entry in sorted(newest[-SHOWN:]):
        decision = entry.value
        target = links.way(links.HOME, links.decision_path(key))
        text = f"{status_chip(decision)} {link(f'{key}: {esc(decision.title)}', target)}"
        if decision.status == "hypothesis" and decision.next_measurement:
            text += f"<br>Next measurement: {esc(_first(decision.next_measurement))}"
        items.append(text)
    more = len(corpus.decisions) - len(items)
    return blocks(
        "## What was decided",
        bullets(items) or "Nothing yet.",
        f"[And {plural(more, 'older decision')}]({links.DECISIONS})" if more else "",
    )


def _first(text: str) -> str:
    """The first sentence of a text."""
    end = text.find(". ")
    return text if end < 0 else text[: end + 1]


def _inside(corpus: Corpus, rules: Sequence[Rule]) -> str:
    statements = sum(len(entry.claim.statements) for entry in corpus.claims.values())
    counts = [
        (
            plural(len(corpus.products), "product"),
            links.PRODUCTS,
            f"with {plural(len(corpus.claims), 'claim')} and {plural(statements, 'statement')}",
        ),
        (plural(len(corpus.sources), "source"), links.SOURCES, "each listed once"),
        (
            plural(len(corpus.evidence), "measured record"),
            links.EVIDENCE,
            "with boundary, samples and what it can't say",
        ),
        (
            plural(len(corpus.artefacts) + len(corpus.kernels), "compiled record"),
            f"{links.EVIDENCE}#compiled",
            "of what a compiler made for a device that is not here",
        ),
        (
            plural(len(corpus.results), "published result"),
            links.RESULTS,
            "of a benchmark, judged by its owner's rules",
        ),
        (plural(len(rules), "rule"), links.RULES, "which stop the build on an invalid comparison"),
        ("mistakes in prose", links.MISTAKES, "that are looked for in any text"),
        ("the words", links.WORDS, "that qualify a number"),
    ]
    return blocks(
        "## What is inside",
        bullets(
            f"[{what}]({target}), {tail}"
            for what, target, tail in counts
            if not what.startswith("0 ")
        ),
    )
