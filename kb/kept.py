"""What is found about an object once and then lies in the object's own dictionary."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

Owner = TypeVar("Owner")
T = TypeVar("T")


def kept(find: Callable[[Owner], T]) -> Callable[[Owner], T]:
    """`find`, run at most once for an object that has a `__dict__` and doesn't change.

    For a room above the object's own, which can't give it a cached property. What `find`
    raises is not kept.
    """
    name = f"{find.__module__}.{find.__qualname__}"

    def found(owner: Owner) -> T:
        store = owner.__dict__
        if name not in store:
            store[name] = find(owner)
        return cast("T", store[name])

    return found
