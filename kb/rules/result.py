"""What a run of the rules comes to: findings with lines, crashes, counts and an exit code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from kb.finding import Finding, Severity
from kb.source import Span


@dataclass(frozen=True, slots=True)
class Mark:
    """A stretch of a file with the text of its first line."""

    path: str
    span: Span
    line: str
    """The whole text of the line on which the stretch begins."""
    text: str = ""
    """What is to be seen there."""


@dataclass(frozen=True, slots=True)
class Located:
    """A finding whose places are resolved to lines and columns."""

    finding: Finding
    mark: Mark
    related: tuple[Mark, ...] = ()
    fingerprint: str = ""
    """Names the finding in this and later runs, wherever its lines move."""

    @property
    def order(self) -> tuple[str, Span, str]:
        """By path, line, column and slug."""
        return self.mark.path, self.mark.span, self.finding.rule


@dataclass(frozen=True, slots=True)
class Waived:
    """A finding that a waiver silences, and the reason that it gives."""

    located: Located
    reason: str


@dataclass(frozen=True, slots=True)
class Crash:
    """A rule that did not finish, or a file that is no rule."""

    rule: str
    """The slug, or the file's name."""
    reason: str
    remedy: str


def reason_of(error: BaseException) -> str:
    """Kind and text of what a stranger's code raised; its own text may raise again."""
    name = type(error).__name__
    try:
        text = str(error)
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 (a text may raise anything)
        text = "it has no readable text"
    return f"{name}: {text[:LONGEST_REASON]}"


LONGEST_REASON = 1000
"""Characters of an error's text that are told."""


@dataclass(frozen=True, slots=True)
class RuleNote:
    """What a report says about one rule, or about one kind of finding of the reader."""

    slug: str
    severity: Severity
    message: str
    """One sentence."""
    help: str
    """Why, and what is refused and accepted, in Markdown."""
    ran: bool = True
    """False for what no validator says."""


@dataclass(frozen=True, slots=True)
class BlindSpots:
    """What a run could not judge. A short list of findings means little beside long ones here."""

    claims_open: int = 0
    """Claims in which a needed axis is missing or unstated and no assessment settles it."""
    comparisons_undetermined: int = 0
    """Comparisons that an open axis leaves undecided."""
    comparisons_unjudged: int = 0
    """Comparisons whose claims are missing or can't be read."""
    records_unparsed: int = 0
    """Files that became no record."""
    figures_unjudged: int = 0
    """Figures in prose of a product that the catalogue doesn't have, or of none named."""


@dataclass(frozen=True)
class Report:
    """Everything that a run has to say; each format shows this and computes nothing."""

    findings: tuple[Located, ...]
    waived: tuple[Waived, ...] = ()
    crashes: tuple[Crash, ...] = ()
    blind: BlindSpots = field(default_factory=BlindSpots)
    files: tuple[str, ...] = ()
    """Content files of the project that were read or tried."""
    rules: int = 0
    """How many rules ran to the end."""
    known: tuple[Located, ...] = ()
    """Findings that a baseline hides."""
    notes: tuple[RuleNote, ...] = ()
    """Every rule that ran to the end, then every other slug that a finding may have."""
    prefix: str = ""
    """The folder of the knowledge base inside its repository, with a slash behind it."""
    skipped: tuple[str, ...] = ()
    """Slugs of the project's own rules, where they may not run."""

    def count(self, severity: Severity) -> int:
        """How many findings have that severity."""
        return sum(1 for item in self.findings if item.finding.severity is severity)

    @property
    def exit_code(self) -> int:
        """0 clean, 1 findings at error level, 2 where the check is not complete."""
        if self.crashes or not self.files or not self.rules:
            return 2
        return 1 if self.count(Severity.ERROR) else 0

    def only(self, wanted: Callable[[str], bool]) -> Report:
        """The same run, with the findings in some files only.

        Crashes and blind spots stay: they are about the run, not about a file.
        """
        return replace(
            self,
            findings=tuple(item for item in self.findings if wanted(item.mark.path)),
            waived=tuple(item for item in self.waived if wanted(item.located.mark.path)),
            known=tuple(item for item in self.known if wanted(item.mark.path)),
            files=tuple(path for path in self.files if wanted(path)),
        )
