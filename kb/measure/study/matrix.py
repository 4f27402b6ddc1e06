"""A matrix of workloads from one YAML file: what is in it, and what is done of it already.

A finished cell is a file of its own, written at once; so a sweep that was killed goes on
where it was and loses at most the cell that was running. Nothing is measured here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from kb.finding import CheckError
from kb.measure import family
from kb.measure.run.failure import Failed, FailureKind
from kb.writing import replace_file

MOST_CELLS = 10_000
STATE = ".sweep"
"""Folder beside the records in which a sweep remembers what is done."""


Sizes = dict[str, list[list[int] | int]]


class Matrix(BaseModel):
    """A file that names families, sizes, formats and policies; every combination is a cell."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    matrix: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    """Its name."""
    workloads: Sizes
    """Sizes by family."""
    formats: list[str] = ["f32"]
    precision: list[str] = ["default"]
    samples: int = Field(default=20, ge=1, le=500)
    max_seconds: float = Field(default=5.0, gt=0, le=3600)
    timeout_seconds: float = Field(default=300.0, gt=0, le=36000)
    """After which a cell is given up, compiling included."""

    @field_validator("workloads")
    @classmethod
    def _not_empty(cls, value: Sizes) -> Sizes:
        if not value or not all(value.values()):
            raise ValueError("name at least one family with one size")
        return value


@dataclass(frozen=True, slots=True)
class Cell:
    """One workload of a matrix."""

    family: str
    sizes: tuple[int, ...]
    number_format: str
    policy: str

    @property
    def plain(self) -> dict[str, Any]:
        """As `kb.measure.family.build` takes it."""
        return {
            "family": self.family,
            "sizes": list(self.sizes),
            "number_format": self.number_format,
            "policy": self.policy,
        }

    @property
    def id(self) -> str:
        """The id of its workload."""
        return family.build(self.family, self.sizes, self.number_format, self.policy).id


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a cell."""

    file: str | None
    """The name of its record; None where it failed."""
    publishable: bool
    median: float | None
    """Of a warm call, in seconds."""
    kind: str | None = None
    """What kept it from being measured."""
    message: str | None = None


def read(path: Path) -> Matrix:
    """The matrix at `path`; raises `CheckError` that says what is wrong in it."""
    try:
        matrix = Matrix.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise CheckError(f"{path.name} can't be read: {error}", "Correct it.") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(step) for step in first["loc"]) or "the file"
        raise CheckError(f"{path.name}, {where}: {first['msg']}", "Correct it.") from error
    try:
        found = len({cell.id for cell in cells(matrix)})
    except Failed as error:
        raise CheckError(f"{path.name}: {error}", error.remedy) from error
    if not 0 < found <= MOST_CELLS:
        raise CheckError(f"{path.name} has {found} cells.", f"Name up to {MOST_CELLS}.")
    return matrix


def cells(matrix: Matrix) -> Iterator[Cell]:
    """Every cell once, in the order of the file; a policy that changes nothing is left out."""
    seen = set()
    for name, listed in matrix.workloads.items():
        for sizes in listed:
            for number_format in matrix.formats:
                for policy in matrix.precision:
                    given = (sizes,) if isinstance(sizes, int) else tuple(sizes)
                    cell = Cell(name, given, number_format, policy)
                    multiplies = family.build(name, given, number_format).multiply
                    idle = policy != "default" and multiplies != "backend_default"
                    if not idle and cell.id not in seen:
                        seen.add(cell.id)
                        yield cell


class Progress:
    """What is done of a matrix, in a folder beside its records."""

    def __init__(self, matrix: Matrix, fingerprint: str, folder: Path) -> None:
        """`fingerprint` names device and versions: another one begins anew."""
        text = json.dumps([matrix.model_dump(mode="json"), fingerprint], sort_keys=True)
        mark = hashlib.sha256(text.encode()).hexdigest()[:12]
        self.folder = folder / STATE / f"{matrix.matrix}-{mark}"
        self.records = folder

    def done(self, cell: Cell) -> Done | None:
        """What became of a cell; None where it has to be measured (again)."""
        try:
            data = json.loads(self._path(cell).read_text(encoding="utf-8"))
            found = Done(**data)
        except (OSError, ValueError, TypeError):  # never finished, or not ours
            return None
        if found.file is not None and not (self.records / found.file).is_file():
            return None  # its record was taken away
        return found

    def note(self, cell: Cell, done: Done) -> None:
        """Remembers what became of a cell; raises `Failed` when that can't be written."""
        data = {name: getattr(done, name) for name in Done.__dataclass_fields__}
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            replace_file(self._path(cell), json.dumps(data).encode())
        except OSError as error:
            raise Failed(
                FailureKind.NOT_WRITTEN,
                f"What is done can't be written to {self.folder}: {error.strerror}.",
                "Make room there; cells that are finished stay finished.",
            ) from error

    def _path(self, cell: Cell) -> Path:
        return self.folder / f"{cell.id}.json"
