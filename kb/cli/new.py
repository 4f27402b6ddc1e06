"""`kb new decision`: a draft with the next free id, asked for at a prompt or given as flags."""

from __future__ import annotations

import argparse
import re
import sys
import unicodedata

from kb.cli.days import day
from kb.cli.project import open_project
from kb.finding import CheckError
from kb.home import Project
from kb.model.decision import DECISION_ID
from kb.records.history import identity, taken_ids
from kb.records.people import name_of
from kb.records.placeholders import PLACEHOLDERS

TEMPLATE = """\
---
id: "{id}"
title: {title}
{kind}status: draft
date: {date}
decision-makers: [{who}]
question: {question}
options: []  # whole stacks: {{id: …, title: …, framework: …, kernel: …, accelerator: …}}
varied: []  # the one layer in which the options differ
controlled: []
comparisons: []
evidence: []
next_measurement: {measurement}
tolerance: 10 %  # how far a cited figure may move before the decision is doubted
quality_target: {quality}
deployment: open  # accelerators, shapes, service_objective, failure_domain
portability: open
cost: open  # engineering days as a range, a price of an accelerator-hour
review_by: {review}
log:
  - {{date: {date}, event: draft}}
---

## Context

## What the figures allow us to say

## What stays open

## Decision
"""
PROJECT = """\
---
id: "{id}"
title: {title}
{kind}status: draft
date: {date}
decision-makers: [{who}]
question: {question}
options: []  # each {{id: …, title: …}}
confirmation: {confirmation}
review_by: {review}
log:
  - {{date: {date}, event: draft}}
---

## Context

## Considered options

## Decision

## Consequences
"""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser("new", help="begin a decision record")
    parser.add_argument("what", choices=("decision",), help="what to begin")
    parser.add_argument("--title", help="the decision in one line")
    parser.add_argument("--question", help="the question that is decided")
    parser.add_argument("--kind", choices=("stack", "project"), default="stack")
    parser.add_argument("--id", help="four digits (default: the next free one on all branches)")
    parser.add_argument("--by", help="who decides (default: as git knows you)")
    parser.add_argument("--today", type=day, default=None, help="the day it begins on")


def run(args: argparse.Namespace) -> int:
    """Write a draft and print its path; raises `CheckError` where it can't be written."""
    import datetime  # late: argparse needs none

    project = open_project(args)
    taken = taken_ids(project)
    key = args.id or _next(taken)
    if not re.fullmatch(DECISION_ID, key):
        raise CheckError(f"{key!r} is no id", "write four digits, such as --id 0007")
    if key in taken:
        raise CheckError(
            f"the id {key} is taken, here or on another branch", f"--id {_next(taken)}"
        )
    title = args.title or _asked("Title", "--title")
    question = args.question or _asked("Question", "--question")
    today = args.today or datetime.datetime.now(tz=datetime.UTC).date()
    text = (PROJECT if args.kind == "project" else TEMPLATE).format(
        id=key,
        title=_scalar(title),
        kind="kind: project\n" if args.kind == "project" else "",
        date=today,
        who=_scalar(
            name_of(args.by or "") or identity(project.root) or PLACEHOLDERS["decision-makers"]
        ),
        question=_scalar(question),
        measurement=PLACEHOLDERS["next_measurement"],
        quality=PLACEHOLDERS["quality_target"],
        confirmation=PLACEHOLDERS["confirmation"],
        review=today + datetime.timedelta(days=90),
    )
    path = _written(project, key, title, text)
    print(f"wrote {path}")
    step = "accepted" if args.kind == "project" else "hypothesis"
    print(f"  next: fill it in, then kb check and kb status {key} {step}")
    return 0


def _next(taken: set[str]) -> str:
    return f"{max((int(key) for key in taken), default=0) + 1:04d}"


def _asked(what: str, flag: str) -> str:
    if not sys.stdin.isatty():
        raise CheckError(f"the {what.lower()} is missing", f"say it: {flag} '…'")
    answer = input(f"{what}: ").strip()
    if not answer:
        raise CheckError(f"the {what.lower()} is missing", f"say it: {flag} '…'")
    return answer


def _written(project: Project, key: str, title: str, text: str) -> str:
    folder = project.folder("decisions")
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{key}-{slug(title)}.md"
    try:
        # Never over a file that somebody else began in the meantime.
        with path.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError:
        raise CheckError(f"{path.name} is already there", "choose another --id") from None
    return path.relative_to(project.root).as_posix()


def slug(title: str) -> str:
    """A title as the words of a file name."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    words = re.findall(r"[a-z0-9]+", plain.lower())
    return "-".join(words)[:60].strip("-") or "untitled"


def _scalar(text: str) -> str:
    """A text as a YAML value that nobody can read as something else."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'
