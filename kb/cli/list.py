"""`kb list`: what the catalogue holds, one line a record."""

from __future__ import annotations

import argparse
import datetime
import json
from collections.abc import Iterator

from kb.cli.catalogue import open_corpus
from kb.cli.days import day
from kb.corpus import Corpus
from kb.history import statement_on

KINDS = ("claims", "products", "sources", "decisions", "evidence", "axes", "units")


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser("list", help="list what the catalogue holds")
    parser.add_argument("kind", nargs="?", choices=KINDS, default="claims")
    parser.add_argument("--product", help="only claims of this product (id, name or alias)")
    parser.add_argument("--as-of", type=day, help="claims as they were printed on a day")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Print the rows, as a table or as JSON."""
    rows = list(_rows(args))
    if args.json:
        print(
            json.dumps(
                {
                    "schema_version": 1,
                    "kind": args.kind,
                    "rows": [{"id": row[0], "text": list(row[1:])} for row in rows],
                },
                ensure_ascii=False,
            )
        )
        return 0
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))] if rows else []
    for row in rows:
        print(
            "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        )
    return 0


def _rows(args: argparse.Namespace) -> Iterator[tuple[str, ...]]:
    if args.kind == "units":
        return _units()
    if args.kind == "axes":
        return _axes()
    corpus = open_corpus(args).corpus
    if args.as_of is not None:
        return _on_day(corpus, args.as_of)
    return _records(args.kind, corpus, args.product)


def _on_day(corpus: Corpus, wanted: datetime.date) -> Iterator[tuple[str, ...]]:
    for entry in corpus.claims.values():
        statement = statement_on(entry, wanted)
        if statement is not None:
            yield entry.id, statement.published, str(statement.as_of)


def _records(kind: str, corpus: Corpus, product: str | None) -> Iterator[tuple[str, ...]]:
    if kind == "claims":
        named = corpus.identify(product).product if product else None
        wanted = named.product if named else product
        for entry in corpus.claims.values():
            if wanted is None or entry.product.product == wanted:
                yield entry.id, entry.claim.current.published, str(entry.claim.metric)
    elif kind == "products":
        for item in corpus.products.values():
            yield item.value.product, item.value.name, f"{len(item.value.claims)} claims"
    elif kind == "sources":
        for key, source in corpus.sources.items():
            yield key, source.value.kind, source.value.title
    elif kind == "decisions":
        for key, decision in corpus.decisions.items():
            yield key, decision.value.status, decision.value.title
    else:
        for key, evidence in corpus.evidence.items():
            yield key, str(evidence.value.evidence_class), evidence.value.workload.id


def _axes() -> Iterator[tuple[str, ...]]:
    from kb.model.claim import AXIS_WORDS

    for axis, words in AXIS_WORDS.items():
        for word in words:
            yield axis, word.value, word.sentence


def _units() -> Iterator[tuple[str, ...]]:
    from kb.units import KINDS as UNIT_KINDS
    from kb.units import labels

    by_symbol: dict[str, list[str]] = {}
    kinds: dict[str, str] = {}
    for label, unit in labels().items():
        if unit.kind != "number":
            by_symbol.setdefault(unit.symbol, []).append(label)
            kinds[unit.symbol] = UNIT_KINDS[unit.kind]
    for symbol, spellings in by_symbol.items():
        yield symbol, kinds[symbol], " ".join(spellings)
