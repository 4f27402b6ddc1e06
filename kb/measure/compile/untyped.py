"""Calls into jax that its own type hints leave open, each with a type of ours."""

from __future__ import annotations

import importlib
from typing import Any


def _sharding() -> Any:
    return importlib.import_module("jax.sharding")


def spec(*axes: Any) -> Any:
    """How the dimensions of an array lie on the axes of a mesh."""
    return _sharding().PartitionSpec(*axes)


def shape(dims: tuple[int, ...], dtype: Any, sharding: Any = None) -> Any:
    """The shape, type and place of an array that does not exist."""
    jax: Any = importlib.import_module("jax")
    return jax.ShapeDtypeStruct(dims, dtype, sharding=sharding)
