"""The baseline of `kb check`: reading the file, writing it, and refusing that it grows."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kb.cli.writing import refuse_content, write_file
from kb.finding import CheckError, quoted
from kb.home import Project
from kb.report import counted
from kb.rules.result import Report

if TYPE_CHECKING:
    from kb.rules.baseline import Baseline


@dataclass(frozen=True)
class BaselineOptions:
    """What the command line says about a baseline."""

    file: Path | None
    write: bool = False
    grow: bool = False

    def __post_init__(self) -> None:
        """Refuse options that mean nothing without each other."""
        if self.file is None and (self.write or self.grow):
            raise CheckError("no baseline file is named", "add --baseline FILE")
        if self.grow and not self.write:
            raise CheckError(
                "--grow-baseline changes nothing on its own", "add --write-baseline, or remove it"
            )


def apply(options: BaselineOptions, project: Project, whole: Report, report: Report) -> Report:
    """`report` as the baseline leaves it, after writing the file where that is asked for.

    `whole` is the report before it was limited to some paths. Raises `CheckError` where the
    file can't be read, would grow, or would be written from an incomplete check.
    """
    if options.file is None:
        return report
    from kb.rules.baseline import hide_known  # late: few checks have a baseline

    name = _name(project, options.file)
    if options.write:
        refuse_content(options.file, project)
        _write(options.file, name, whole, grow=options.grow)
    return hide_known(report, _read(options.file, name), whole.files)


def _read(file: Path, name: str) -> Baseline:
    from kb.rules.baseline import read_baseline

    try:
        return read_baseline(file.read_text(encoding="utf-8"), name)
    except FileNotFoundError:
        raise CheckError(
            f"there is no baseline {quoted(str(file))}", "create it with --write-baseline"
        ) from None
    except OSError as error:
        raise CheckError(
            f"the baseline {str(file)!r} can't be read: {error.strerror}", "correct the path"
        ) from None
    except ValueError as error:
        why = "it is no text" if isinstance(error, UnicodeDecodeError) else str(error)
        raise CheckError(
            f"{str(file)!r} is no baseline of kb check: {why}",
            "restore it from your version control, or remove it and use --write-baseline",
        ) from None


def _write(file: Path, name: str, whole: Report, *, grow: bool) -> None:
    from kb.rules.baseline import additions, baseline_text

    if whole.exit_code == 2:
        raise CheckError(
            "the check is not complete, so no baseline was written",
            "run it without --write-baseline to see what failed",
        )
    # Read in any case: what another program wrote is not replaced.
    more = additions(whole, _read(file, name)) if file.exists() else ()
    if more and not grow:
        first = more[0]
        raise CheckError(
            f"the baseline would grow by {counted(len(more), 'finding')}, such as "
            f"{first.finding.rule} in {first.mark.path}:{first.mark.span.start.line}",
            "correct what is new, or allow it with --grow-baseline",
        )
    write_file(file, baseline_text(whole.findings), "correct the path")


def _name(project: Project, file: Path) -> str:
    """The file as the report names it: from the knowledge base, also where it lies above."""
    absolute = file.parent.resolve() / file.name
    return Path(os.path.relpath(absolute, project.root.resolve())).as_posix()
