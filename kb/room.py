"""Rooms that can be called: `kb.load` is a module, and `kb.load()` reads a knowledge base."""

from __future__ import annotations

import importlib
from types import ModuleType


class Room(ModuleType):
    """A module that can be called as the function of the same name at the door.

    Python binds an imported room as an attribute of the package, so a function of its name
    beside it would not last.
    """

    def __call__(self, *arguments: object, **named: object) -> object:
        """Call `kb.api`'s function of the room's name."""
        name = self.__name__.rpartition(".")[2]
        return getattr(importlib.import_module("kb.api"), name)(*arguments, **named)
