"""`kb list`: what the catalogue holds, one line a record."""

from __future__ import annotations

import argparse
import datetime
import json
import sys
from collections.abc import Iterator

from kb.cli.catalogue import open_corpus, product
from kb.cli.days import day
from kb.cli.show import one_line
from kb.cli.table import table
from kb.corpus import ClaimEntry, Corpus
from kb.finding import CheckError
from kb.history import statement_on
from kb.pages.text import plural
from kb.pages.words import name as words
from kb.qualifiers import EvidenceClass, Word

KINDS = (
    "claims", "products", "sources", "decisions", "evidence", "results", "metrics", "axes", "units"
)  # fmt: skip


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser("list", help="list what the catalogue holds")
    parser.add_argument(
        "kind", nargs="?", choices=KINDS, default="claims", help="what to list (default: claims)"
    )
    parser.add_argument(
        "--product", metavar="NAME", help="only claims of this product (id, name or alias)"
    )
    parser.add_argument(
        "--as-of", type=day, metavar="DAY", help="claims as they were printed on a day"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Print the rows, as a table or as JSON."""
    for option, given in (("--product", args.product), ("--as-of", args.as_of)):
        if given is not None and args.kind != "claims":
            raise CheckError(
                f"{option} chooses among claims, not among {args.kind}",
                f"kb list claims {option} {given}",
            )
    rows = list(_rows(args))
    if args.json:
        listed = [{"id": row[0], "text": list(row[1:])} for row in rows]
        # ASCII only, so that no text can command a terminal.
        print(json.dumps({"schema_version": 1, "kind": args.kind, "rows": listed}))
    elif rows:
        print("\n".join(_table(rows)))
    else:
        print(f"no {args.kind}{_narrowed(args)}", file=sys.stderr)
    return 0


def _narrowed(args: argparse.Namespace) -> str:
    """What the listing was limited to, in words."""
    product = f" of {args.product}" if args.product else ""
    return product + (f" with a statement dated on or before {args.as_of}" if args.as_of else "")


def _table(rows: list[tuple[str, ...]]) -> Iterator[str]:
    # JSON has the words of an axis as files write them; a person reads them spelled out.
    return table([[one_line(words(c) if isinstance(c, Word) else c) for c in r] for r in rows])


def _rows(args: argparse.Namespace) -> Iterator[tuple[str, ...]]:
    if args.kind == "units":
        return _units()
    if args.kind == "axes":
        return _axes()
    if args.kind == "metrics":
        return _metrics()
    corpus = open_corpus(args).corpus
    if args.kind == "claims":
        return _claims(corpus, args.product, args.as_of)
    return _results(corpus) if args.kind == "results" else _records(args.kind, corpus)


def _claims(
    corpus: Corpus, name: str | None, wanted: datetime.date | None
) -> Iterator[tuple[str, ...]]:
    """Claims of all products or of one, as they stand or as they stood on a day."""
    entries = corpus.claims.values() if name is None else _of(corpus, name)
    for entry in entries:
        if wanted is None:
            yield entry.id, entry.claim.current.published, entry.claim.metric
        elif (statement := statement_on(entry, wanted)) is not None:
            yield entry.id, statement.published, str(statement.as_of)


def _of(corpus: Corpus, name: str) -> Iterator[ClaimEntry]:
    return corpus.claims_of(product(corpus, name).product)


def _records(kind: str, corpus: Corpus) -> Iterator[tuple[str, ...]]:
    if kind == "products":
        for item in corpus.products.values():
            yield item.value.product, item.value.name, plural(len(item.value.claims), "claim")
    elif kind == "sources":
        for key, source in corpus.sources.items():
            yield key, source.value.kind, source.value.title
    elif kind == "decisions":
        for key, decision in corpus.decisions.items():
            yield key, decision.value.status, decision.value.title
    else:
        for key, evidence in corpus.evidence.items():
            yield key, evidence.value.evidence_class, evidence.value.workload.id
        for key, study in corpus.studies.items():
            yield key, study.value.evidence_class, study.value.subject
        for key, compiled in corpus.artefacts.items():
            yield key, EvidenceClass.COMPILED_NOT_EXECUTED, compiled.value.program.id
        for key, made in corpus.kernels.items():
            yield (
                key,
                EvidenceClass.COMPILED_NOT_EXECUTED,
                plural(len(made.value.sources), "source"),
            )
        for key, taken in corpus.imports.items():
            yield key, EvidenceClass.IMPORTED, plural(len(taken.value.results), "published result")


def _results(corpus: Corpus) -> Iterator[tuple[str, ...]]:
    for key, entry in corpus.results.items():
        result = entry.result
        yield key, result.published, result.benchmark, result.scenario


def _metrics() -> Iterator[tuple[str, ...]]:
    """What a claim can be about, with the axes that it then needs."""
    from kb.model.claim import AXES
    from kb.operand import needed_axes
    from kb.qualifiers import Metric

    for metric in Metric:
        needed = needed_axes(metric, {}, None)
        axes = ", ".join(axis for axis in AXES if axis in needed)
        yield metric.value, metric.sentence, f"needs {axes}" if axes else "needs no axis"


def _axes() -> Iterator[tuple[str, ...]]:
    from kb.model.claim import AXIS_WORDS, words_on
    from kb.qualifiers import RESULT_AXES

    for axis in AXIS_WORDS:
        yield from ((axis, word, sentence) for word, sentence in words_on(axis))
    for axis, members in RESULT_AXES.items():
        yield from ((axis, word.value, word.sentence) for word in members or ())


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
