"""The calls into JAX that describe an absent device and compile for it.

Everything private or unstable of JAX that this wing needs is behind a function here.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import re
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any

from kb.measure.compile import untyped
from kb.measure.compile.description import Description
from kb.measure.compile.outcome import Refused, busy, compiler_limit, refused
from kb.measure.compile.program import SHORT, Array, Shapes, Tree
from kb.measure.compile.targets import Wanted
from kb.model.artefact import RefusalKind

PACKAGES = (
    "jax", "jaxlib", "libtpu", "jax-cuda13-plugin", "jax-cuda13-pjrt", "nvidia-cuda-nvcc",
    "nvidia-nvvm",
)  # fmt: skip
_LIBTPU = re.compile(r"libtpu\s*==\s*([\d.*]+)")
_REGISTERS = ("registrations", "ffi_handlers")
_PROBE = 131072
"""Rows of a float32 square that no HBM of today holds."""


def environment(wanted: Wanted, folder: Path) -> dict[str, str]:
    """Variables under which a compiler looks for no device and writes into `folder` only."""
    quiet = {"TF_CPP_MIN_LOG_LEVEL": "2", "TPU_STDERR_LOG_LEVEL": "2"}
    # A dump of what an emitter does makes LLVM look up its own call stack, kernel by kernel.
    quiet["LLVM_DISABLE_SYMBOLIZATION"] = "1"
    # The body of a hand-written kernel holds the place of its source, path and line, which
    # would make the same program another one in another folder.
    placeless = {"JAX_TRACEBACK_IN_LOCATIONS_LIMIT": "0"}
    common = {"JAX_PLATFORMS": "cpu", "TMPDIR": str(folder), **quiet, **placeless}
    if wanted.family.platform != "tpu":
        return common
    # The lock keeps two programs from one device; there is none here to fight over.
    named = {"TPU_ACCELERATOR_TYPE": "v6e-8", "TPU_WORKER_HOSTNAMES": "localhost"}
    return common | named | {"ALLOW_MULTIPLE_LIBTPU_LOAD": "1", "TPU_LOG_DIR": str(folder)}


def versions(platform: str) -> dict[str, str]:
    """The packages that shape the compiled program, with their versions."""
    found = {}
    for name in PACKAGES:
        other = "cuda" if platform == "tpu" else "tpu"
        if other in name or ("nv" in name and platform == "tpu"):
            continue
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def mismatch(platform: str, found: Mapping[str, str], pins: Iterable[str]) -> str | None:
    """Which installed packages do not fit each other, in words; None where all fit.

    `pins` are the requirements that the installed jax states, such as `libtpu==0.0.42.*`.
    JAX only warns of a mismatch and then knows no such device.
    """
    if platform == "cuda":
        names = ("jax", "jaxlib", "jax-cuda13-plugin", "jax-cuda13-pjrt")
        seen = {name: found[name] for name in names if name in found}
        if len(set(seen.values())) < 2:
            return None
        told = ", ".join(f"{name} {number}" for name, number in seen.items())
        return f"The installed versions do not fit each other: {told}."
    pin = next((each for each in map(_LIBTPU.match, pins) if each), None)
    number = found.get("libtpu")
    if pin is None or number is None or _fits(number, pin[1]):
        return None
    return f"libtpu {number} is installed and jax {found.get('jax')} asks for {pin[1]}."


def _fits(number: str, pin: str) -> bool:
    stem = pin.removesuffix(".*")
    return number == stem or (stem != pin and number.startswith(f"{stem}."))


def pins() -> tuple[str, ...]:
    """What the installed jax requires; nothing where it is not installed."""
    try:
        return tuple(requires("jax") or ())
    except PackageNotFoundError:
        return ()


def topology(wanted: Wanted, description: Description | None) -> Any:
    """The absent devices; raises `Refused` where the compiler knows no such arrangement."""
    topologies: Any = importlib.import_module("jax.experimental.topologies")
    try:
        if wanted.family.platform == "tpu":
            found = topologies.get_topology_desc(
                platform="tpu", topology_name=wanted.topology, **_small(wanted)
            )
        else:
            found = topologies.get_topology_desc(
                platform="cuda",
                topology_name="",
                target_config=description.text if description else "",
                topology=wanted.topology,
            )
    # Backends raise what they like here, from ValueError to their own types.
    except Exception as error:
        raise _no_topology(wanted, str(error)) from error
    kind = found.devices[0].device_kind if found.devices else ""
    if kind != wanted.family.kind:
        told = f"describes {kind!r}" if kind else "names no device"
        raise refused(
            RefusalKind.BAD_DESCRIPTION,
            f"The target description {told}, and {wanted.family.product} is made of "
            f"{wanted.family.kind!r}.",
            "Give the description of that device, or leave --description out.",
        )
    return found


def _small(wanted: Wanted) -> dict[str, Any]:
    # One chip is less than the 2x2 chips that a host has by default.
    return {"chips_per_host_bounds": [1, 1, 1]} if wanted.arrangement == "1x1" else {}


def _no_topology(wanted: Wanted, text: str) -> Refused:
    if "lockfile" in text:
        return busy(text)
    if "version" in text.lower() and "PJRT" in text:
        return refused(RefusalKind.WRONG_VERSION, text, wanted.family.remedy)
    remedy = f"Name an arrangement that exists: --target {wanted.family.example}."
    return refused(RefusalKind.NO_SUCH_TOPOLOGY, text, remedy)


def mesh(shapes: Shapes, devices: list[Any], platform: str) -> Any:
    """The program's mesh over the absent devices, in torus order on a TPU; None without one."""
    import numpy as np
    from jax.experimental import mesh_utils
    from jax.sharding import Mesh

    if not shapes.mesh:
        return None
    sizes = tuple(shapes.mesh.values())
    if np.prod(sizes) != len(devices):
        asked = " x ".join(f"{name} {size}" for name, size in shapes.mesh.items())
        raise refused(
            RefusalKind.MESH_MISMATCH,
            f"The mesh {asked} does not cover {len(devices)} devices exactly.",
            "Change --mesh or the arrangement of --target.",
        )
    if platform == "tpu":
        return Mesh(mesh_utils.create_device_mesh(sizes, devices), tuple(shapes.mesh))
    return Mesh(np.array(devices, dtype=object).reshape(sizes), tuple(shapes.mesh))


def arguments(shapes: Shapes, over: Any, device: Any) -> list[Any]:
    """The inputs without values, each with its sharding."""
    return [_abstract(tree, over, device) for tree in shapes.inputs.values()]


def _abstract(tree: Tree, over: Any, device: Any) -> Any:
    import jax.numpy as jnp
    from jax.sharding import NamedSharding, SingleDeviceSharding

    if not isinstance(tree, Array):
        return {name: _abstract(each, over, device) for name, each in tree.items()}
    placed: Any = SingleDeviceSharding(device)
    if over is not None:
        placed = NamedSharding(over, untyped.spec(*tree.spec))
    return untyped.shape(tree.shape, jnp.dtype(SHORT[tree.dtype]), placed)


def shipped_targets() -> frozenset[str]:
    """Custom-call targets that come with JAX's CUDA plugin, so that nobody here wrote them."""
    try:
        plugin = importlib.import_module("jax_cuda13_plugin")
    except ImportError:
        return frozenset()
    names: set[str] = set()
    for found in pkgutil.iter_modules(plugin.__path__):
        try:
            module = importlib.import_module(f"{plugin.__name__}.{found.name}")
        except ImportError:  # libraries lie among the modules
            continue
        for word in _REGISTERS:
            if hasattr(module, word):
                names |= set(getattr(module, word)())
    return frozenset(names)


def tpu_limit(device: Any) -> int | None:
    """The memory that the TPU compiler grants a program, from its own refusal.

    No field says it, so a program that can't fit is offered and the answer is read.
    """
    import jax
    import jax.numpy as jnp
    from jax.sharding import SingleDeviceSharding

    large = untyped.shape((_PROBE, _PROBE), jnp.dtype("float32"), SingleDeviceSharding(device))
    try:
        jax.jit(lambda x: x + 1).trace(large).lower().compile()
    except jax.errors.JaxRuntimeError as error:
        return compiler_limit(str(error))
    return None


def xla_flops(compiled: Any) -> float | None:
    """XLA's own count for one device; on a GPU from the CPU client, since its own has none."""
    costs = compiled.cost_analysis()
    if costs is None:
        try:
            import jax

            xla_client: Any = importlib.import_module("jaxlib.xla_client")
            client = jax.devices("cpu")[0].client
            module = compiled.runtime_executable().hlo_modules()[0]
            costs = xla_client._xla.hlo_module_cost_analysis(client, module)  # noqa: SLF001
        except Exception:  # noqa: BLE001 - a private interface that may go away
            return None
    found = (costs or {}).get("flops")
    return float(found) if found is not None and found >= 0 else None


def given_flags() -> dict[str, str]:
    """Flags from the environment that change what a compiler does."""
    return {
        name: os.environ[name] for name in ("XLA_FLAGS", "LIBTPU_INIT_ARGS") if os.environ.get(name)
    }
