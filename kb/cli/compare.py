"""`kb compare`: the verdict for two claims or results, or for lines from standard input."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from kb.cli.catalogue import claim, open_corpus, unknown
from kb.compare import explained
from kb.compare.text import verdict_data, verdict_lines
from kb.corpus import Corpus
from kb.finding import CheckError
from kb.load.shape import shape
from kb.operand import Given, Operand, operand_of_claim, operand_of_fields
from kb.published import VIEWS, named, operand_of_result
from kb.quantity import QuantityError
from kb.source import Place, json_object


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser(
        "compare",
        help="compare two claims or two published results",
        description="A published result may be followed by #per_accelerator, #per_watt or #power.",
    )
    parser.add_argument("left", nargs="?", help="id of the left claim or result")
    parser.add_argument("right", nargs="?", help="id of the right claim or result")
    parser.add_argument(
        "--stdin",
        action="store_true",
        help='JSON lines {"id", "left": …, "right": …} from standard input, each side an id or '
        "the fields of a number",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--explain", action="store_true", help="print the chain of steps as a proof"
    )
    parser.add_argument(
        "--exit-code", action="store_true", help="end with 1 where no ratio is allowed"
    )
    parser.add_argument("--strict", action="store_true", help="let no assessment count")


def run(args: argparse.Namespace) -> int:
    """Print the verdict. A refusal is an answer, so it is 0 unless `--exit-code` is given."""
    if args.stdin:
        specs = open_corpus(args, kinds=("specs",)).corpus
        whole = cache(lambda: open_corpus(args, kinds=("specs", "imports")).corpus)
        return _stream(specs, whole, strict=args.strict)
    if args.left is None or args.right is None:
        raise CheckError(
            "two claim ids are needed",
            "kb compare hgx-b200/gpu-hbm-bandwidth tpu-v6e/chip-hbm-bandwidth",
        )
    products = {name.partition("/")[0] for name in (args.left, args.right)}
    corpus = open_corpus(args, only=products, kinds=("specs",)).corpus
    if not products <= set(corpus.products):  # a result, or an error that names the nearest ids
        corpus = open_corpus(args, kinds=("specs", "imports")).corpus
    left, right = (_operand(corpus, name) for name in (args.left, args.right))
    verdict = explained(left, right, corpus, strict=args.strict)
    if args.json:
        data = {"schema_version": 1, "left": args.left, "right": args.right}
        print(json.dumps(data | verdict_data(verdict), ensure_ascii=False))
    else:
        print("\n".join(verdict_lines(verdict, proof=args.explain)))
    return 1 if args.exit_code and not verdict.allows_ratio else 0


def _operand(corpus: Corpus, name: str) -> Operand:
    if name.partition("/")[0] in corpus.imports:
        return _result(corpus, name)
    entry = claim(corpus, name)
    try:
        return operand_of_claim(entry)
    except QuantityError as error:
        raise CheckError(f"{entry.id}: {error}", f"{error.remedy}; see `kb check`") from None


def _result(corpus: Corpus, name: str) -> Operand:
    found = named(name, corpus)
    if found is None:
        key, _, view = name.partition("#")
        if key in corpus.results:
            raise CheckError(f"a result has no {view!r}", f"write one of {', '.join(VIEWS[1:])}")
        raise unknown("result", key, corpus.results)
    try:
        return operand_of_result(*found)
    except ValueError as error:
        raise CheckError(str(error), "compare the published performance instead") from None


def _stream(specs: Corpus, whole: Callable[[], Corpus], *, strict: bool) -> int:
    failed = False
    for number, line in enumerate(_lines(), start=1):
        if isinstance(line, str) and not line.strip():
            continue
        answer = _answer(line, number, specs, whole, strict=strict)
        failed = failed or "error" in answer
        print(json.dumps(answer, ensure_ascii=False, allow_nan=False), flush=True)
    return 1 if failed else 0


def _lines() -> Iterator[str | UnicodeDecodeError]:
    """Every line of standard input; what is no UTF-8 is an error and no guess."""
    if sys.stdin is None:
        raise CheckError("standard input is closed", "kb compare --stdin < lines.jsonl")
    raw = getattr(sys.stdin, "buffer", None)
    if raw is None:
        yield from sys.stdin
        return
    for line in raw:
        try:
            yield line.decode("utf-8")
        except UnicodeDecodeError as error:
            yield error


def _answer(
    line: str | UnicodeDecodeError,
    number: int,
    specs: Corpus,
    whole: Callable[[], Corpus],
    *,
    strict: bool,
) -> dict[str, Any]:
    """The answer to one line; what can't be read gets an `error`, and the rest go on.

    Published results are read with the first id that is of no product.
    """
    name: Any = None
    try:
        if isinstance(line, UnicodeDecodeError):
            raise line
        record = json_object(line)
        name = record.get("id")
        unknown = sorted(set(record) - {"id", "left", "right"})
        if unknown:
            raise ValueError(f"unknown fields: {', '.join(unknown)}")
        ids = (side for side in (record.get("left"), record.get("right")) if isinstance(side, str))
        known = all(key.partition("/")[0] in specs.products for key in ids)
        corpus = specs if known else whole()
        left, right = (_given(record, side, corpus) for side in ("left", "right"))
        data = verdict_data(explained(left, right, corpus, strict=strict))
    except (ValueError, OverflowError) as error:
        return {"id": name, "line": number, "error": _one_line(error)}
    return {"id": name, "schema_version": 1} | data


def _given(record: dict[str, Any], side: str, corpus: Corpus) -> Operand:
    fields = record.get(side)
    if isinstance(fields, str):
        try:
            return _operand(corpus, fields)
        except CheckError as error:
            raise ValueError(f"{side}: {error}; {error.remedy}") from None
    if not isinstance(fields, dict):
        raise ValueError(f"'{side}' must be an id, or an object with product, metric and published")
    given, findings = shape(Given, fields, Place(side))
    if given is None:
        raise ValueError(f"{side}: " + "; ".join(f"{f.message} ({f.remedy})" for f in findings))
    try:
        return operand_of_fields(given, corpus)
    except QuantityError as error:
        raise ValueError(f"{side}.published: {error}; {error.remedy}") from None


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
