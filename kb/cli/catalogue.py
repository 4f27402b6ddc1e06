"""What several commands share: opening the project, and finding a record by its id."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Collection, Iterable

from kb.corpus import ClaimEntry, Corpus
from kb.finding import CheckError
from kb.home import Project, find_project, project_at
from kb.load import KINDS, Loaded, load


def open_project(args: argparse.Namespace) -> Project:
    """The project that `--project` names, else the one around the working folder."""
    if args.project is not None and not args.project.is_dir():
        raise CheckError(f"there is no folder {str(args.project)!r}", "correct --project")
    return find_project() if args.project is None else project_at(args.project)


def open_corpus(
    args: argparse.Namespace, only: Collection[str] = (), kinds: Collection[str] = KINDS
) -> Loaded:
    """Load the project; raises `CheckError` where it holds no product that can be read."""
    loaded = load(open_project(args), only, kinds)
    if not loaded.corpus.products and not only:
        raise CheckError(
            "no product could be read", "run `kb check` to see why, or `kb --project DIR`"
        )
    return loaded


def claim(corpus: Corpus, name: str) -> ClaimEntry:
    """The claim `<product>/<claim>`; raises `CheckError` with the nearest ids."""
    found = corpus.claims.get(name)
    if found is None:
        raise unknown("claim", name, corpus.claims)
    return found


def unknown(what: str, name: str, known: Iterable[str]) -> CheckError:
    """The error for an id that is not there, with what was probably meant."""
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    tail = name.rpartition("/")[2]
    near += [n for n in names if n.endswith(f"/{tail}") and n not in near]
    remedy = f"did you mean {' or '.join(near[:3])}?" if near else "see `kb list`"
    return CheckError(f"there is no {what} {name!r}", remedy)
