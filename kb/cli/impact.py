"""`kb impact ID`: everything that rests on a source, a claim, a product or an evidence record."""

from __future__ import annotations

import argparse
import json

from kb.cli.catalogue import open_corpus, unknown
from kb.records.impact import Node, Rests, impact, nodes_named


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser(
        "impact", help="what rests on a record, directly or through others"
    )
    parser.add_argument("id", help="a source, product, claim, evidence record or decision")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Print what rests on the record, each thing below what it rests on."""
    corpus = open_corpus(args).corpus
    named = nodes_named(args.id, corpus)
    if not named:
        known = (
            *corpus.claims,
            *corpus.sources,
            *corpus.evidence,
            *corpus.imports,
            *corpus.results,
            *corpus.artefacts,
            *corpus.decisions,
        )
        raise unknown("record", args.id, (*known, *corpus.products))
    found = impact(args.id, corpus)
    if args.json:
        rows = [{"kind": r.node[0], "id": r.node[1], "how": r.how, "on": r.on[1]} for r in found]
        print(json.dumps({"schema_version": 1, "id": args.id, "rows": rows}, ensure_ascii=False))
        return 0
    below: dict[Node, list[Rests]] = {}
    for item in found:
        below.setdefault(item.on, []).append(item)
    for node in named:
        print(f"{node[0]} {node[1]}")
        _tree(node, below, 1)
    counts: dict[str, int] = {}
    for item in found:
        counts[item.node[0]] = counts.get(item.node[0], 0) + 1
    told = ", ".join(
        f"{n} {kind}{'s' if n > 1 and kind != 'evidence' else ''}" for kind, n in counts.items()
    )
    print(f"{told or 'nothing'} rest{'' if len(found) > 1 else 's'} on it")
    return 0


def _tree(node: Node, below: dict[Node, list[Rests]], depth: int) -> None:
    for item in below.get(node, ()):
        print(f"{'  ' * depth}{item.node[0]} {item.node[1]}: {item.how}")
        _tree(item.node, below, depth + 1)
