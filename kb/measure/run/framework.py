"""The few calls into jax that its own type hints don't cover, each with a type of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    import jax
    import numpy as np

T = TypeVar("T")


class Pending(Protocol):
    """An array that may still be in the making."""

    def is_ready(self) -> bool:
        """Whether the device has finished it; doesn't wait."""


def _jax() -> Any:
    """The jax module without its partial annotations; imported on the first call."""
    import jax

    return jax


def wait(result: T) -> T:
    """`result`, any nest of arrays, once the device has finished all of it."""
    done: T = _jax().block_until_ready(result)
    return done


def leaves(result: object) -> tuple[Pending, ...]:
    """The arrays in `result`, any nest of them; what is no array is left out."""
    found = _jax().tree_util.tree_leaves(result)
    return tuple(leaf for leaf in found if isinstance(leaf, _jax().Array))


def abstract(array: np.ndarray) -> jax.ShapeDtypeStruct:
    """The shape and type of `array` without its values or a device."""
    shape: jax.ShapeDtypeStruct = _jax().ShapeDtypeStruct(array.shape, array.dtype)
    return shape


def setting(name: str) -> str | None:
    """The text of jax's configuration value `name`; None when it is not set."""
    value = getattr(_jax().config, name)
    return None if value is None else str(value)
