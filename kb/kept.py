"""What is found about an object once and then lies in the object's own dictionary.

Python 3.11's `cached_property` takes a lock each time; there is none here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, cast, overload

Owner = TypeVar("Owner")
T = TypeVar("T")


class lazy(Generic[T]):  # noqa: N801 - a decorator, named as one
    """What `functools.cached_property` is from Python 3.12 on."""

    def __init__(self, make: Callable[[Any], T]) -> None:
        self.make = make
        self.name = make.__name__
        self.__doc__ = make.__doc__

    @overload
    def __get__(self, owner: None, kind: type) -> lazy[T]: ...

    @overload
    def __get__(self, owner: object, kind: type) -> T: ...

    def __get__(self, owner: object | None, kind: type) -> lazy[T] | T:
        """The value; it lies in the object's own dictionary from then on."""
        if owner is None:
            return self
        value = self.make(owner)
        owner.__dict__[self.name] = value
        return value


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
