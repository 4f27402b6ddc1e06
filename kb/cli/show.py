"""`kb show`: one claim, product, source, decision, evidence record or published result."""

from __future__ import annotations

import argparse
import datetime
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath

from pydantic import BaseModel

from kb.cli.catalogue import called, open_corpus, product, unknown
from kb.cli.days import day
from kb.cli.fields import field_lines
from kb.corpus import ClaimEntry, Corpus, Entry
from kb.finding import CheckError, Finding, quoted
from kb.history import statement_on
from kb.model.claim import AXES, Statement
from kb.model.product import Product
from kb.pages.text import plural
from kb.pages.words import name as words


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser("show", help="show one record in full")
    parser.add_argument("id", help="such as tpu-v6e, tpu-v6e/chip-hbm-bandwidth or 0001")
    parser.add_argument("--derived", action="store_true", help="what is computed for a product")
    parser.add_argument(
        "--as-of", type=day, metavar="DAY", help="what a claim, or all of a product, said on a day"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Print the record; an unknown id is exit 2 with the nearest ids."""
    key = args.id.partition("/")[0]
    # A look at one product reads that file alone; another kind of id needs everything.
    corpus = open_corpus(args, only=(key,), kinds=("specs",)).corpus
    if key not in corpus.products:
        loaded = open_corpus(args)
        corpus = loaded.corpus
        _refuse_unread(key, loaded.findings, corpus)
    found = corpus.claims.get(args.id) or _record(args.id, corpus)
    if args.as_of is not None or args.derived:
        lines, data, code = _special(args, found, corpus)
    elif isinstance(found, ClaimEntry):
        lines, code = list(claim_lines(found, corpus)), 0
        data = {"product": found.product.product, **_plain(found.claim)}
    else:
        data, code = _plain(found), 0
        # A field may have several lines; those behind the first are indented.
        fields = (part for line in field_lines(data) for part in line.split("\n"))
        lines = list(product_lines(found) if isinstance(found, Product) else fields)
    if args.json:
        print(_json({"schema_version": 1, "id": args.id, "record": data}))
    else:
        print("\n".join(map(one_line, lines)))
    return code


def one_line(text: str) -> str:
    """Text from a file on one line, without anything that a terminal might obey."""
    if text.isprintable():
        return text
    from kb.report.text import safe  # late: it brings the rules along, and few texts need it

    return safe(text)


Shown = tuple[list[str], dict[str, object], int]
"""Lines for a person, data for a program, and the exit code."""


def _special(args: argparse.Namespace, found: ClaimEntry | BaseModel, corpus: Corpus) -> Shown:
    """What `--as-of` and `--derived` ask for; raises `CheckError` where a record has no such."""
    if args.as_of is not None and args.derived:
        raise CheckError(
            "computed values follow from the current statements, not from those of a day",
            f"leave out --as-of, or --derived: kb show {args.id} --as-of {args.as_of}",
        )
    if isinstance(found, ClaimEntry) and not args.derived:
        return _on_day(found, args.as_of, corpus)
    if isinstance(found, Product):
        if args.derived:
            return _computed(found, corpus)
        return _all_on_day(found, args.as_of, corpus)
    if isinstance(found, ClaimEntry):
        raise CheckError(
            f"{args.id} is a claim, and values are computed for a product",
            f"kb show {found.product.product} --derived",
        )
    option = "--derived" if args.derived else "--as-of"
    raise CheckError(
        f"{args.id} is no product, so it has nothing for {option}", f"kb show {args.id}"
    )


def _on_day(entry: ClaimEntry, wanted: datetime.date, corpus: Corpus) -> Shown:
    statement = statement_on(entry, wanted)
    data = _of_day(wanted, {entry.id: statement})
    if statement is None:
        return [f"{entry.id}: no dated statement on or before {wanted}"], data, 1
    head = f"{entry.id} on {wanted}: {statement.published}"
    return [head, f"  {_statement(statement, corpus)}"], data, 0


def _all_on_day(product: Product, wanted: datetime.date, corpus: Corpus) -> Shown:
    """Every claim of a product that has a dated statement; the others are counted."""
    said = {e.claim.id: statement_on(e, wanted) for e in corpus.claims_of(product.product)}
    dated = {key: statement for key, statement in said.items() if statement is not None}
    share = f"{len(dated)} of {plural(len(said), 'claim')}"
    lines = [f"{product.product} on {wanted}: {share} with a statement dated on or before it"]
    wide = max(map(len, dated), default=0)
    digits = max((len(s.published) for s in dated.values()), default=0)
    lines += [
        f"  {key:<{wide}}  {statement.published:<{digits}}  as of {statement.as_of}"
        for key, statement in dated.items()
    ]
    data = _of_day(wanted, {f"{product.product}/{key}": s for key, s in said.items()})
    return lines, data, 0 if dated else 1


def _of_day(wanted: datetime.date, said: Mapping[str, Statement | None]) -> dict[str, object]:
    plain = {key: None if s is None else _plain(s) for key, s in said.items()}
    return {"as_of": str(wanted), "statements": plain}


def _computed(product: Product, corpus: Corpus) -> Shown:
    from kb.estimate import derived_of  # late: it brings the judge along

    lines: list[str] = []
    rows: list[dict[str, object]] = []
    for item in derived_of(product.product, corpus):
        lines.append(f"{item.title}: {item.text} = {item.formula}, from {', '.join(item.parents)}")
        if item.printed is not None:
            word = "agrees with" if item.agrees else "differs beyond rounding from"
            lines.append(f"  {word} what is printed, {item.printed}")
        lines += [f"  {note}" for note in item.notes]
        rows.append({
            "title": item.title, "text": item.text, "formula": item.formula,
            "parents": list(item.parents), "printed": item.printed,
            "agrees": item.agrees, "notes": list(item.notes),
        })  # fmt: skip
    nothing = f"{product.product}: its claims are too few to compute anything from"
    return lines or [nothing], {"derived": rows}, 0


def _refuse_unread(key: str, findings: Iterable[Finding], corpus: Corpus) -> None:
    """Raise where a file is called like the record and could not be read as one."""
    broken = [f.place.path for f in findings if PurePath(f.place.path).stem == key]
    if broken and not corpus.identify(key).product:
        raise CheckError(
            f"{quoted(key)} can't be shown: {broken[0]} has {plural(len(broken), 'error')}",
            "kb check says what is wrong with it",
        )


def _record(name: str, corpus: Corpus) -> BaseModel:
    tables: tuple[Mapping[str, Entry[BaseModel]], ...] = (
        corpus.products, corpus.decisions, corpus.evidence, corpus.artefacts, corpus.kernels,
        corpus.studies, corpus.imports, corpus.sources,
    )  # fmt: skip
    for table in tables:
        if name in table:
            return table[name].value
    if name in corpus.results:
        return corpus.results[name].result
    if corpus.identify(name).candidates or corpus.identify(name).product:
        return product(corpus, name)
    every = (corpus.claims, corpus.results, *tables)
    raise unknown("record", name, [k for table in every for k in table], others=called(corpus))


def _json(value: object) -> str:
    import json  # late: a look at one claim needs none

    return json.dumps(value)  # ASCII only, so that no text can command a terminal


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
    yield f"  {entry.product.name}, {_value(claim.metric)}"
    if entry.override:
        yield f"  departs from the catalogue: {entry.override}"
    if entry.replaced is not None:
        yield f"  the catalogue says: {_statement(entry.replaced.current, corpus)}"
    for axis in AXES:
        value = claim.value_of(axis)
        if value is None:
            continue
        assessment = claim.assessment_of(axis)
        settled = f" (assessed: {_value(assessment.value)})" if assessment else ""
        yield f"  {words(axis)}: {_value(value)}{settled}"
    yield "statements:"
    for statement in claim.statements:
        yield f"  {_statement(statement, corpus)}"
    if claim.precedence:
        yield f"  why the current one: {claim.precedence}"
    for assessment in claim.assessments:
        carried = ", ".join((*assessment.sources, *assessment.evidence))
        yield f"assessment of {words(assessment.axis)}: {_value(assessment.value)}"
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
        f"{words(axis)} {_value(value)}"
        for axis in AXES
        if (value := getattr(statement, axis)) is not None
    ]
    return f"{text} [{'; '.join(own)}]" if own else text


def _value(value: object) -> str:
    """What a claim says on one axis, with the word of a file where that reads otherwise."""
    if isinstance(value, tuple):
        return " + ".join(_value(item) for item in value)
    if isinstance(value, dict):
        return ", ".join(f"{words(key)} {item}" for key, item in value.items())
    shown, written = words(value), str(value)
    return shown if shown.casefold() == written.casefold() else f"{shown} ({written})"
