"""The package from a program: a knowledge base that was read, and what can be asked of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from kb.compare import explained
from kb.corpus import ClaimEntry, Corpus
from kb.finding import CheckError, Finding, quoted, with_extra
from kb.home import Project, find_project, project_at
from kb.load import load as read
from kb.lookup import claim as find_claim
from kb.operand import Given, Operand, operand_of_claim, operand_of_fields
from kb.prose.answer import Answer, Language, answer
from kb.prose.known import Known, known
from kb.quantity import Quantity
from kb.rules.result import Report
from kb.verdict import Verdict

if TYPE_CHECKING:
    import pandas
    import polars

Side = str | Given | Mapping[str, object]
"""A claim id, or the fields of a number that is in no catalogue."""
Table = Literal["claims", "statements", "evidence", "samples", "decisions", "findings"]


@dataclass(frozen=True, repr=False)
class KnowledgeBase:
    """A project on top of the installed catalogue, as it was read from disk."""

    project: Project
    corpus: Corpus
    """Everything by id."""
    findings: tuple[Finding, ...]
    """What was wrong with the files themselves; `check` judges their content."""

    def __repr__(self) -> str:
        """Where it lies and how much it holds."""
        return f"KnowledgeBase({str(self.project.root)!r}, {self.corpus!r})"

    def claim(self, name: str) -> ClaimEntry:
        """A claim by its id; raises `CheckError` that names the nearest ids."""
        return find_claim(self.corpus, name)

    def quantity(self, name: str) -> Quantity:
        """What a claim's current statement prints; `.to_pint()` gives it to pint.

        Raises `QuantityError` where it can't be read.
        """
        claim = self.claim(name).claim
        return claim.current.quantity(claim.metric)

    def compare(self, left: Side, right: Side) -> Verdict:
        """The verdict on two claims or numbers, with the claims to use instead.

        Raises `CheckError` for an unknown id and `QuantityError` for a printed value that
        can't be read. Fields that don't fit raise pydantic's `ValidationError`.
        """
        return explained(self._side(left), self._side(right), self.corpus)

    def lint(self, text: str, language: Language = "markdown") -> Answer:
        """What is wrong or open in the numbers of a text; offsets count characters from 0."""
        return answer(text, self._known, language)

    def check(self) -> Report:
        """What `kb check` finds. The rules in the project's `validators/` are run."""
        from kb.rules.run import check_project

        return check_project(self.project)

    def rows(self, table: Table) -> list[dict[str, object]]:
        """A table as plain rows; values are in base units (bytes, operations, seconds)."""
        return _rows(self, table)

    def to_pandas(self, table: Table) -> pandas.DataFrame:
        """A table as a frame of pandas; raises `CheckError` without the extra `pandas`."""
        frame: pandas.DataFrame = _frame("pandas", self, table)
        return frame

    def to_polars(self, table: Table) -> polars.DataFrame:
        """A table as a frame of Polars; raises `CheckError` without the extra `polars`."""
        frame: polars.DataFrame = _frame("polars", self, table)
        return frame

    @cached_property
    def _known(self) -> Known:
        return known(self.corpus)

    def _side(self, side: Side) -> Operand:
        if isinstance(side, str):
            return operand_of_claim(self.claim(side))
        given = side if isinstance(side, Given) else Given.model_validate(dict(side))
        return operand_of_fields(given, self.corpus)


def load(folder: str | Path | None = None) -> KnowledgeBase:
    """Read the knowledge base in `folder`, or that around the working folder.

    Outside any knowledge base it is the installed catalogue alone. Raises `CheckError`
    where a folder can't be read.
    """
    project = find_project() if folder is None else project_at(Path(folder))
    loaded = read(project)
    return KnowledgeBase(project, loaded.corpus, loaded.findings)


def compare(left: Side, right: Side, base: KnowledgeBase | None = None) -> Verdict:
    """The verdict on two claims or numbers; see `KnowledgeBase.compare`.

    Without `base` the one around the working folder is read, each time anew.
    """
    return (base or load()).compare(left, right)


def lint(text: str, base: KnowledgeBase | None = None, language: Language = "markdown") -> Answer:
    """What is wrong or open in the numbers of a text; see `KnowledgeBase.lint`."""
    return (base or load()).lint(text, language)


def _rows(base: KnowledgeBase, table: Table) -> list[dict[str, object]]:
    from kb.index import rows  # late: it brings the database along

    makers: Mapping[str, Callable[[], Any]] = {
        "claims": lambda: rows.claims(base.corpus),
        "statements": lambda: rows.statements(base.corpus),
        "evidence": lambda: rows.evidence(base.corpus),
        "samples": lambda: rows.samples(base.corpus),
        "decisions": lambda: rows.decisions(base.corpus),
        "findings": lambda: rows.findings(base.check()),
    }
    if table not in makers:
        raise CheckError(f"there is no table {quoted(table)}", f"use one of {', '.join(makers)}")
    return list(makers[table]())


def _frame(library: str, base: KnowledgeBase, table: Table) -> Any:  # noqa: ANN401 (either frame)
    import importlib

    try:
        module = importlib.import_module(library)
    except ModuleNotFoundError:
        raise CheckError(f"{library} is not installed", with_extra(library)) from None
    rows = base.rows(table)
    if not rows:
        from kb.index.rows import columns

        names = columns(table)
        return module.DataFrame({name: [] for name in names})
    # A column whose first rows are empty must not be taken for one of nothing but nulls.
    options = {"infer_schema_length": None} if library == "polars" else {}
    return module.DataFrame(rows, **options)
