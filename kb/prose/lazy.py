"""A property that is computed once, without the lock of Python 3.11's `cached_property`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

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


def kept(owner: object, name: str, make: Callable[[], T]) -> T:
    """What another room finds about an object, found once; it lies beside the lazy values."""
    store = owner.__dict__
    if name not in store:
        store[name] = make()
    found: T = store[name]
    return found
