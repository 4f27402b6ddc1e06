"""What an editor shows beside a name: value, qualifiers, source and verdict, in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.compare import explained
from kb.compare.text import verdict_lines
from kb.corpus import ClaimEntry, Corpus
from kb.lsp.names import Named
from kb.lsp.session import Judged
from kb.model.claim import AXES
from kb.operand import operand_of_claim
from kb.qualifiers import words
from kb.quantity import QuantityError
from kb.report.text import safe

_ACTIVE = re.compile(r"([\\`*_\[\]#!|<>~&$])")


def hover_text(named: Named, judged: Judged) -> str:
    """A few lines about what is named."""
    corpus = judged.corpus
    match named.kind:
        case "claim":
            lines = _claim(corpus.claims[named.id], corpus)
        case "comparison":
            lines = _comparison(named, corpus)
        case "product":
            product = corpus.products[named.id].value
            lines = iter((f"**{_plain(product.name)}** ({_plain(product.vendor)})",
                          _plain(product.summary),
                          f"{len(product.claims)} claims"))  # fmt: skip
        case "source":
            source = corpus.sources[named.id].value
            told = [source.publisher, words(source.kind)]
            told += [f"retrieved {source.retrieved}"] if source.retrieved else []
            lines = iter((f"**{_plain(source.title)}**", _plain(", ".join(told))))
        case "decision":
            decision = corpus.decisions[named.id].value
            head = f"**{_plain(decision.title)}** ({decision.status}, {decision.date})"
            lines = iter((head, _plain(decision.question or "")))
        case "evidence":
            lines = _evidence(named.id, corpus)
        case _:
            lines = iter((f"**{named.id}**", _plain(judged.slugs[named.id])))
    return "\n\n".join(line for line in lines if line)


def _claim(entry: ClaimEntry, corpus: Corpus) -> Iterator[str]:
    claim, current = entry.claim, entry.claim.current
    yield f"**{_plain(current.published)}** {_plain(words(claim.metric))} of {entry.product.name}"
    axes = (
        f"{words(axis)}: {_value(value)}{_settled(entry, axis)}"
        for axis in AXES
        if (value := claim.value_of(axis)) is not None
    )
    yield _plain("; ".join(axes))
    source = corpus.sources.get(current.source or "")
    where = f", {current.locator}" if current.locator else ""
    title = source.value.title if source else "no source"
    day = f", as of {current.as_of}" if current.as_of else ", undated"
    yield _plain(f"{title}{where}{day}")
    others = sorted({s.published for s in claim.statements} - {current.published})
    if others:
        yield _plain(f"also printed: {', '.join(others)}")
    if entry.override:
        yield _plain(f"departs from the catalogue: {entry.override}")


def _settled(entry: ClaimEntry, axis: str) -> str:
    assessment = entry.claim.assessment_of(axis)
    return f" (assessed: {words(assessment.value)})" if assessment else ""


def _value(value: object) -> str:
    return " + ".join(words(v) for v in value) if isinstance(value, tuple) else words(value)


def _comparison(named: Named, corpus: Corpus) -> Iterator[str]:
    try:
        left, right = (operand_of_claim(corpus.claims[key]) for key in (named.id, named.other))
    except QuantityError as error:
        yield _plain(f"not judged: {error}")
        return
    verdict = explained(left, right, corpus)
    first, *rest = verdict_lines(verdict)
    yield f"**{_plain(first)}**"
    yield "\n".join(f"- {_plain(line.strip())}" for line in rest)


def _evidence(key: str, corpus: Corpus) -> Iterator[str]:
    if key in corpus.evidence:
        record = corpus.evidence[key].value
        yield f"**{_plain(record.workload.id)}** on {_plain(record.device.product)}"
        yield _plain(words(record.evidence_class))
    else:
        compiled = corpus.artefacts[key].value
        yield f"**{_plain(compiled.id)}** compiled for {_plain(compiled.target.product)}"
        yield "compiled, not executed: it holds no time"


def _plain(text: str) -> str:
    return _ACTIVE.sub(r"\\\1", safe(text))
