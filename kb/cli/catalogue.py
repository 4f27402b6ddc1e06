"""What several commands share: reading the catalogue, and finding a record by its id."""

from __future__ import annotations

import argparse
from collections.abc import Collection

from kb.cli.project import open_project
from kb.finding import CheckError
from kb.load import KINDS, Loaded, load
from kb.lookup import called, claim, product, unknown

__all__ = ["called", "claim", "open_corpus", "product", "unknown"]


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
