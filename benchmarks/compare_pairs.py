"""All pairs of 1,000 claims: verdicts a second, and the share of the time spent in pint.

Usage: python benchmarks/compare_pairs.py [CLAIMS]

The claims are those of the catalogue, repeated under other product names until there are
enough. The bulk judge and the one-by-one judge are timed in one run on the same machine,
so that their ratio means something where the seconds don't.
"""

from __future__ import annotations

import dataclasses
import sys
import time
from collections.abc import Callable

from kb import units
from kb.compare import compare
from kb.compare.matrix import compare_all
from kb.corpus import Corpus, Identity
from kb.home import find_project
from kb.load import load
from kb.operand import Operand, operand_of_claim


def operands(wanted: int) -> tuple[list[Operand], Corpus]:
    """`wanted` operands with the catalogue's mix of metrics and qualifiers."""
    corpus = load(find_project(), kinds=("specs",)).corpus
    real = [operand_of_claim(entry) for entry in corpus.claims.values()]
    found = real[:wanted]
    for round_ in range(wanted // len(real) + 1):
        for operand in real:
            product = operand.product
            if product is None or len(found) >= wanted:
                continue
            names = {"product": f"{product.product}-{round_}", "name": f"{product.name} {round_}"}
            copy = product.model_copy(update=names)
            found.append(dataclasses.replace(operand, identity=Identity(copy.name, copy)))
    return found, corpus


def seconds(work: Callable[[], object]) -> float:
    """Wall time of one call."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    """Print the figures, one a line."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    sides, corpus = operands(count)
    in_pint = seconds(lambda: [(s.quantity.base, s.quantity.unit.dimension) for s in sides])
    pairs = len(sides) * (len(sides) - 1) // 2
    bulk = seconds(lambda: sum(1 for _ in compare_all(sides, corpus)))
    sample = sides[:: max(1, len(sides) // 100)]
    single_pairs = len(sample) * (len(sample) - 1) // 2
    single = seconds(
        lambda: [compare(a, b, corpus) for i, a in enumerate(sample) for b in sample[i + 1 :]]
    )
    registry = units._registry.cache_info()  # noqa: SLF001 - the count of pint's registries
    print(f"claims                      {len(sides)}")
    print(f"pairs                       {pairs}")
    print(f"bulk, verdicts a second     {pairs / bulk:,.0f}")
    print(f"single, verdicts a second   {single_pairs / single:,.0f}")
    print(f"bulk over single            {pairs / bulk / (single_pairs / single):.1f}")
    print(f"share in pint, before loop  {in_pint / (in_pint + bulk):.1%}")
    print(f"pint registries made        {registry.currsize}")


if __name__ == "__main__":
    main()
