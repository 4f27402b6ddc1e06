"""`kb graph`: decisions as a picture, in Mermaid or as SVG."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from kb.cli.catalogue import unknown
from kb.cli.desk import open_desk
from kb.records.graph import graph_of, mermaid, svg


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser("graph", help="draw which decision replaces which")
    parser.add_argument("id", nargs="?", help="one decision, with all that it rests on")
    parser.add_argument("--format", choices=("mermaid", "svg"), default="mermaid")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write it there")


def run(args: argparse.Namespace) -> int:
    """Print or write the graph."""
    desk = open_desk(args)
    if args.id is not None and args.id not in desk.corpus.decisions:
        raise unknown("decision", args.id, desk.corpus.decisions)
    graph = graph_of(desk.corpus, args.id)
    text = svg(graph) if args.format == "svg" else mermaid(graph)
    if args.out is None:
        sys.stdout.write(text)
    else:
        args.out.write_text(text, encoding="utf-8")
        print(f"wrote {args.out}: {len(graph.labels)} boxes, {len(graph.arrows)} arrows")
    return 0
