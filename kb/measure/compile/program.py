"""A program to compile: a function by name, its inputs and how they lie on a mesh.

The parameters are in a small YAML file, the same for bundled workloads and for a user's own
function, so that nobody has to edit code to examine another shape.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from typing_extensions import TypeAliasType

from kb.finding import CheckError, quoted
from kb.model.artefact import Input

BUNDLED = Path(__file__).with_name("bundled")
SHORT = {
    "bf16": "bfloat16", "f16": "float16", "f32": "float32", "f64": "float64",
    "f8e4m3": "float8_e4m3fn", "f8e5m2": "float8_e5m2", "s8": "int8", "s32": "int32",
    "u8": "uint8", "u32": "uint32", "bool": "bool",
}  # fmt: skip
"""The number formats of a shape file, and what JAX calls them."""

Axis = str | None
S = TypeVar("S", bound="Shapes")


class Array(BaseModel):
    """One input: its shape, its number format and how it is split."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    shape: tuple[int, ...]
    dtype: str
    spec: tuple[Axis | tuple[str, ...], ...] = ()
    """One mesh axis, several or none for each dimension; nothing means replicated."""

    @field_validator("shape", "spec", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        # YAML has lists only, and a strict tuple refuses them.
        if isinstance(value, list):
            return tuple(tuple(v) if isinstance(v, list) else v for v in value)
        return value

    @field_validator("dtype")
    @classmethod
    def _known(cls, value: str) -> str:
        if value not in SHORT:
            raise ValueError(f"{value!r} is no number format; use one of {', '.join(SHORT)}")
        return value


Tree = TypeAliasType("Tree", "Array | dict[str, Tree]")
"""An array, or a dictionary of more of them."""


class Shapes(BaseModel):
    """A shape file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    summary: str
    function: str = ""
    """`package.module:function`; the command line may name it instead."""
    mesh: dict[str, int] = {}
    static: dict[str, bool | int | float | str] = {}
    """Keyword arguments that are fixed before tracing."""
    inputs: dict[str, Tree]
    """Positional arguments in order; a nested mapping becomes a dictionary of arrays."""

    def arrays(self) -> Iterator[tuple[str, Array]]:
        """Every array with its dotted name."""
        yield from _flat("", self.inputs)

    def described(self) -> tuple[Input, ...]:
        """The inputs as a record holds them."""
        return tuple(
            Input(name=name, shape=a.shape, dtype=a.dtype, spec=tuple(map(_joined, a.spec)))
            for name, a in self.arrays()
        )


def bundled() -> dict[str, Path]:
    """The shape file of every bundled workload, by id."""
    return {path.stem: path for path in sorted(BUNDLED.glob("*.yml"))}


def find(workload: str, shapes: Path | None) -> Shapes:
    """The program that the command line means; raises `CheckError` with the remedy.

    `workload` is a bundled id, or `package.module:function` together with a shape file.
    """
    if ":" in workload:
        if shapes is None:
            remedy = f"Give its inputs: --shapes FILE; {BUNDLED.name}/*.yml are patterns."
            raise CheckError(f"{workload} needs to know its shapes.", remedy)
        return read(shapes).model_copy(update={"function": workload})
    known = bundled()
    if workload not in known:
        remedy = f"Type one of {', '.join(known)}, or package.module:function."
        raise CheckError(f"There is no compile workload {quoted(workload)}.", remedy)
    return read(shapes or known[workload])


def read(path: Path) -> Shapes:
    """The shape file at `path`; raises `CheckError` that says what is wrong in it."""
    return read_as(path, Shapes)


def read_as(path: Path, kind: type[S]) -> S:
    """The same for a kind of shape file that holds more."""
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        return kind.model_validate(data)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise CheckError(f"{path.name} can't be read: {error}", "Correct it.") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(step) for step in first["loc"])
        raise CheckError(f"{path.name}, {where}: {first['msg']}", "Correct it.") from error


def load(name: str) -> Callable[..., Any]:
    """The function `package.module:function`; raises `CheckError` where there is none."""
    module, _, attribute = name.partition(":")
    try:
        found: Any = importlib.import_module(module)
        for step in attribute.split("."):
            found = getattr(found, step)
    except (ImportError, AttributeError) as error:
        raise CheckError(
            f"{name} can't be imported: {error}", "Write package.module:function."
        ) from error
    if not callable(found):
        raise CheckError(f"{name} is no function.", "Write package.module:function.")
    function: Callable[..., Any] = found
    return function


def takes_mesh(function: Callable[..., Any]) -> bool:
    """Whether a function wants the mesh as a keyword, as one with `shard_map` does."""
    try:
        return "mesh" in inspect.signature(function).parameters
    except (TypeError, ValueError):
        return False


def _flat(prefix: str, tree: Mapping[str, Tree]) -> Iterator[tuple[str, Array]]:
    for name, value in tree.items():
        if isinstance(value, Array):
            yield prefix + name, value
        else:
            yield from _flat(f"{prefix}{name}.", value)


def _joined(axis: Axis | tuple[str, ...]) -> str | None:
    return "+".join(axis) if isinstance(axis, tuple) else axis
