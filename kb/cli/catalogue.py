"""What several commands share: opening the project, and finding a record by its id."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Collection, Iterable
from dataclasses import replace

from kb.corpus import ClaimEntry, Corpus
from kb.finding import CheckError
from kb.home import FOLDERS, Project, find_project, project_at
from kb.load import KINDS, Loaded, load
from kb.model.product import Product


def open_project(args: argparse.Namespace) -> Project:
    """The project that `--project` names, else the one around the working folder."""
    if args.project is not None and not args.project.is_dir():
        raise CheckError(f"there is no folder {str(args.project)!r}", "correct --project")
    project = find_project() if args.project is None else project_at(args.project)
    return replace(project, own_rules=False) if args.no_local_validators else project


def content_folders(project: Project) -> list[str]:
    """The folders that hold content, as a person writes them."""
    return [f"{getattr(project, name)}/" for name in FOLDERS if name != "validators"]


def nothing_checked(project: Project, command: str) -> CheckError:
    """The error of a `command` that checks first, where there is nothing to check."""
    looked = ", ".join(content_folders(project))
    return CheckError(
        f"nothing was checked: {str(project.root)!r} holds no content (looked in {looked})",
        f"run it inside a knowledge base, or name one: kb --project DIR {command}",
    )


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
    if found is not None:
        return found
    meant = corpus.identify(name).product
    if meant is not None:
        raise CheckError(
            f"{name!r} is a product; a claim of it is needed",
            f"see `kb show {meant.product}` for its claims, and write {meant.product}/CLAIM",
        )
    raise unknown("claim", name, corpus.claims)


def product(corpus: Corpus, name: str) -> Product:
    """The product with this id, name or alias; raises `CheckError` with what may be meant."""
    found = corpus.identify(name)
    if found.product is not None:
        return found.product
    members = [key for key in found.candidates if key in corpus.products]
    if members:
        raise CheckError(
            f"{name!r} alone names no product: it may mean {', '.join(members)}",
            f"write one of them, such as {members[0]}",
        )
    raise unknown("product", name, corpus.products, "kb list products")


def unknown(what: str, name: str, known: Iterable[str], see: str = "kb list") -> CheckError:
    """The error for an id that is not there, with what was probably meant.

    `see` is the command that lists the ids.
    """
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    tail = name.rpartition("/")[2]
    near += [n for n in names if n.endswith(f"/{tail}") and n not in near]
    remedy = f"did you mean {' or '.join(near[:3])}?" if near else f"see `{see}`"
    return CheckError(f"there is no {what} {name!r}", remedy)
