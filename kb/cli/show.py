"""`kb show`: one claim, product, source, decision or evidence record, in full."""

from __future__ import annotations

import argparse
import datetime
from collections.abc import Iterator

from pydantic import BaseModel

from kb.cli.catalogue import open_corpus, unknown
from kb.cli.days import day
from kb.corpus import ClaimEntry, Corpus
from kb.history import statement_on
from kb.model.claim import AXES, Statement
from kb.model.product import Product


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser("show", help="show one record in full")
    parser.add_argument("id", help="such as tpu-v6e, tpu-v6e/chip-hbm-bandwidth or 0001")
    parser.add_argument("--derived", action="store_true", help="what is computed for a product")
    parser.add_argument("--as-of", type=day, help="the statement of a claim on a day")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Print the record; an unknown id is exit 2 with the nearest ids."""
    product = args.id.partition("/")[0]
    # A look at one product reads that file alone; another kind of id needs everything.
    corpus = open_corpus(args, only=(product,), kinds=("specs",)).corpus
    if product not in corpus.products:
        corpus = open_corpus(args).corpus
    if args.id in corpus.claims:
        entry = corpus.claims[args.id]
        if args.as_of is not None:
            return _on_day(entry, args.as_of, corpus)
        shown: Iterator[str] = claim_lines(entry, corpus)
        data = {"product": entry.product.product, **_plain(entry.claim)}
    else:
        record = _record(args.id, corpus)
        if args.derived and isinstance(record, Product):
            return _computed(record, corpus)
        shown = product_lines(record) if isinstance(record, Product) else _fields(record)
        data = _plain(record)
    if args.json:
        print(_json({"schema_version": 1, "id": args.id, "record": data}))
    else:
        print("\n".join(shown))
    return 0


def _on_day(entry: ClaimEntry, wanted: datetime.date, corpus: Corpus) -> int:
    statement = statement_on(entry, wanted)
    if statement is None:
        print(f"{entry.id}: no dated statement on or before {wanted}")
        return 1
    print(f"{entry.id} on {wanted}: {statement.published}\n  {_statement(statement, corpus)}")
    return 0


def _computed(product: Product, corpus: Corpus) -> int:
    from kb.estimate import derived_of  # late: it brings the judge along

    for item in derived_of(product.product, corpus):
        print(f"{item.title}: {item.text} = {item.formula}, from {', '.join(item.parents)}")
        if item.printed is not None:
            word = "agrees with" if item.agrees else "differs beyond rounding from"
            print(f"  {word} what is printed, {item.printed}")
        for note in item.notes:
            print(f"  {note}")
    return 0


def _record(name: str, corpus: Corpus) -> BaseModel:
    for table in (corpus.products, corpus.decisions, corpus.evidence, corpus.sources):
        if name in table:
            return table[name].value
    identity = corpus.identify(name)
    if identity.product is not None:
        return identity.product
    if len(identity.candidates) > 1:
        raise unknown("one product", f"{name} (it may mean {', '.join(identity.candidates)})", ())
    known = (*corpus.claims, *corpus.products, *corpus.decisions, *corpus.evidence, *corpus.sources)
    raise unknown("record", name, known)


def _json(value: object) -> str:
    import json  # late: a look at one claim needs none

    return json.dumps(value, ensure_ascii=False)


def _plain(record: BaseModel) -> dict[str, object]:
    return record.model_dump(mode="json", exclude_none=True, by_alias=True)


def product_lines(product: Product) -> Iterator[str]:
    """A product as lines of text: identity, composition, and one line a claim."""
    yield f"{product.product}: {product.name}"
    yield f"  {product.summary}"
    if product.not_to_be_confused_with:
        yield f"  not to be confused with: {', '.join(product.not_to_be_confused_with)}"
    for scope, part in product.composition.items():
        topology = f", {part.topology}" if part.topology else ""
        yield f"  1 {scope} = {part.count} × {part.of}{topology}"
    yield "claims:"
    width = max((len(claim.id) for claim in product.claims), default=0)
    for claim in product.claims:
        yield f"  {claim.id:<{width}}  {claim.current.published}"


def claim_lines(entry: ClaimEntry, corpus: Corpus) -> Iterator[str]:
    """A claim as lines of text: value, qualifiers, statements, assessments."""
    claim = entry.claim
    yield f"{entry.id}: {claim.current.published}"
    yield f"  {entry.product.name}, {_words(claim.metric)}"
    for axis in AXES:
        value = claim.value_of(axis)
        if value is None:
            continue
        assessment = claim.assessment_of(axis)
        settled = f" (assessed: {_words(assessment.value)})" if assessment else ""
        shown = " + ".join(value) if isinstance(value, tuple) else _words(value)
        yield f"  {_words(axis)}: {shown}{settled}"
    yield "statements:"
    for statement in claim.statements:
        yield f"  {_statement(statement, corpus)}"
    if claim.precedence:
        yield f"  why the current one: {claim.precedence}"
    for assessment in claim.assessments:
        carried = ", ".join((*assessment.sources, *assessment.evidence))
        yield f"assessment of {_words(assessment.axis)}: {_words(assessment.value)}"
        yield f"  {assessment.reasoning} [{carried}]"
    if claim.note:
        yield f"note: {claim.note}"
    yield f"written in {entry.place.path}"


def _statement(statement: Statement, corpus: Corpus) -> str:
    source = corpus.sources.get(statement.source or "")
    title = source.value.title if source else "no source"
    kind = " (third-party copy)" if source and source.value.kind == "third_party_copy" else ""
    where = f", {statement.locator}" if statement.locator else ""
    day = f", as of {statement.as_of}" if statement.as_of else ", undated"
    text = f"{statement.status}: {statement.published} — {title}{kind}{where}{day}"
    own = [
        f"{_words(axis)} {_words(value)}"
        for axis in AXES
        if (value := getattr(statement, axis)) is not None
    ]
    return f"{text} [{'; '.join(own)}]" if own else text


def _fields(record: BaseModel) -> Iterator[str]:
    for name, value in _plain(record).items():
        if isinstance(value, list | dict):
            if value:
                yield f"{name}: {_json(value)}"
        else:
            yield f"{name}: {value}"


def _words(value: object) -> str:
    return str(value).replace("_", " ")
