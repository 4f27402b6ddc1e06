"""The few calls into jax that its own type hints don't cover, each with a type of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    import jax
    import numpy as np

T = TypeVar("T")


class Pending(Protocol):
    """An array that may still be in the making."""

    nbytes: int

    def is_ready(self) -> bool:
        """Whether the device has finished it; doesn't wait."""


def _jax() -> Any:
    """The jax module without its partial annotations; imported on the first call."""
    import jax

    return jax


def wait(result: T) -> T:
    """`result`, any nest of arrays, once the device has finished it and every side effect."""
    module = _jax()
    done: T = module.block_until_ready(result)
    module.effects_barrier()
    return done


def leaves(result: object) -> tuple[Pending, ...]:
    """The arrays in `result`, any nest of them; what is no array is left out."""
    found = _jax().tree_util.tree_leaves(result)
    return tuple(leaf for leaf in found if isinstance(leaf, _jax().Array))


def place(host: Any, device: jax.Device) -> Any:
    """A nest of arrays of the host on its way to `device`; doesn't wait."""
    return _jax().device_put(host, device)


def fetch(result: object) -> list[np.ndarray]:
    """The arrays of any nest, on the host and complete."""
    import numpy as np

    return [np.asarray(leaf) for leaf in _jax().tree_util.tree_leaves(result)]


def abstract(arrays: Any) -> Any:
    """The shapes and types of a nest of arrays without their values or a device."""
    module = _jax()
    return module.tree_util.tree_map(
        lambda array: module.ShapeDtypeStruct(array.shape, array.dtype), arrays
    )


def outline(function: Any, shapes: Any) -> list[Any]:
    """The shapes and types of the arrays that `function` returns for inputs of `shapes`."""
    found: list[Any] = _jax().tree_util.tree_leaves(_jax().eval_shape(function, *shapes))
    return found


def setting(name: str) -> str | None:
    """The text of jax's configuration value `name`; None when it is not set."""
    value = getattr(_jax().config, name)
    return None if value is None else str(value)


def forget() -> None:
    """Drops everything that jax has traced and compiled in this process."""
    _jax().clear_caches()


def use_policy(policy: str | None) -> None:
    """Sets jax's matmul precision for this process; None leaves it alone."""
    if policy is not None:
        _jax().config.update("jax_default_matmul_precision", policy)


def leave_out_places() -> None:
    """Keeps source paths and lines out of programs from now on.

    The body of a hand-written kernel holds them, so that the same program would have another
    identity in another folder, and than a compile-only record of it has.
    """
    _jax().config.update("jax_traceback_in_locations_limit", 0)
