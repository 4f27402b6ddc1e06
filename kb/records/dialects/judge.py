"""What is wrong with a foreign log: ten kinds of defect, each with place and remedy."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kb.finding import Finding, Label, Severity
from kb.records.dialects.folder import Log
from kb.records.dialects.header import titled_number
from kb.records.dialects.links import number_of, slug_of
from kb.records.dialects.record import DayRead, Foreign, Link, Status
from kb.source import Part, Place, Position, Span

KINDS = {
    "missing-status": "A record has no status.",
    "odd-status": "A status is no word of its log.",
    "placeholder": "Text of the template was left in.",
    "bad-front-matter": "YAML refuses a header, or reads less than is written.",
    "bad-date": "A date is none, or contradicts another.",
    "duplicate-number": "Two records of a log have one number.",
    "number-mismatch": "A record's number is not that of its file or folder.",
    "dangling-link": "A link leads to no record.",
    "one-sided-link": "Only one end of a link names the other.",
    "status-link-conflict": "Status and links say different things.",
}
"""Every kind of finding about foreign records, in one sentence."""

BACK = {
    "supersedes": "superseded_by",
    "superseded_by": "supersedes",
    "amends": "amended_by",
    "amended_by": "amends",
}
SILENT = ("typed", "madr3", "madr4")
"""Dialects that have no field for what a record supersedes."""

LIVE = ("draft", "proposed", "accepted", "unknown")

_TEMPLATE = re.compile(r"\[(?![xX ]?\])[^\]]{4,}\](?!\()|\{[^{}]{4,}\}")
_NAMED = re.compile(r"(?:ADR-?)?(\d{8}-[\w-]+|\d{1,4}(?![\d]))", re.IGNORECASE)


@dataclass(frozen=True)
class _Judge:
    """One record in its log."""

    log: Log
    record: Foreign

    def place(self, line: int, path: str | None = None) -> Place:
        inside = path or self.record.path
        name = f"{self.log.folder}/{inside}" if self.log.folder else inside
        lines = self.record.text.split("\n") if path is None else []
        # YAML may point behind the last line, where something that was opened never ends.
        line = min(line, len(lines)) if lines else line
        text = lines[line - 1] if lines else ""
        span = Span(Position(line, 1), Position(line, max(len(text.rstrip()), 1) + 1))
        return Place(name, (), Part.VALUE, span)

    def say(
        self,
        kind: str,
        line: int,
        message: str,
        remedy: str,
        severity: Severity = Severity.ERROR,
        related: tuple[Label, ...] = (),
    ) -> Finding:
        return Finding(kind, severity, message, self.place(line), remedy, "", related)

    def header(self) -> Iterator[Finding]:
        for fault in self.record.header.faults:
            yield self.say("bad-front-matter", fault.line, fault.message, fault.remedy)
        template = [
            item
            for item in self.record.header.items
            if self.record.dialect not in ("kep", *SILENT)
            and item.key not in ("status", "date")
            and _TEMPLATE.fullmatch(item.value.strip())
        ]
        for item in template:
            yield self.say(
                "placeholder",
                item.line,
                f"the text of the template still stands behind '{item.name}': {item.value}",
                f"fill '{item.name}' in, or drop the field",
            )

    def status(self) -> Iterator[Finding]:
        status, first = self.record.status, self.record.header.first_line
        if status.as_written is None:
            line = self.record.header.status.line if self.record.header.status else first
            madr = self.record.dialect in ("madr3", "madr4")
            yield self.say(
                "missing-status",
                line,
                "the record has no status",
                f"add a status: {_own_words(self.log)}",
                Severity.WARNING if madr else Severity.ERROR,
            )
        elif status.odd and status.line and not self._refused(status.line):
            severity = Severity.ERROR if status.normal == "unknown" else Severity.WARNING
            yield self.say(
                "odd-status", status.line, _odd(status), _instead(status, self.log), severity
            )

    def _refused(self, line: int) -> bool:
        return any(fault.line == line for fault in self.record.header.faults)

    def dates(self) -> Iterator[Finding]:
        for read in (self.record.date, self.record.updated):
            if read is None or read.why is None or read.line is None:
                continue
            yield self.say("bad-date", read.line, f"{read.why}", _day_remedy(read), _weight(read))
        first, last = self.record.date, self.record.updated
        if last and last.line and first.iso and last.iso and last.iso < first.iso:
            yield self.say(
                "bad-date",
                last.line,
                f"changed on {last.iso}, before it was made on {first.iso}",
                "correct one of the two days",
                Severity.WARNING,
            )

    def number(self) -> Iterator[Finding]:
        own = self.record.header.find("kep-number", "id")
        said = (own.value, own.line) if own and re.fullmatch(r"\d+[a-z]?", own.value) else None
        said = said or titled_number(self.record.text.split("\n"))
        name = number_of(self.record.path)
        if said and name and name != "0" and (said[0].lstrip("0") or "0") != name:
            yield self.say(
                "number-mismatch",
                said[1],
                f"the record says {said[0]}, and it is called {slug_of(self.record.path)}",
                "make them agree; the name is what links use",
            )

    def links(self) -> Iterator[Finding]:
        seen: set[str] = set()
        for link in self.record.links:
            key = number_of(link.target) or link.target
            if link.found is False and key not in seen:
                seen.add(key)
                mild = link.type == "see_also"
                yield self.say(
                    "dangling-link",
                    link.line,
                    f"{link.origin} leads to {link.target}, and the log has no such record",
                    "write that record, or correct the target",
                    Severity.WARNING if mild else Severity.ERROR,
                )
            elif link.found:
                yield from self._other_end(link)

    def _other_end(self, link: Link) -> Iterator[Finding]:
        back = BACK.get(link.type)
        other = next(r for r in self.log.records if r.path == link.target)
        if back is None or other.path == self.record.path:
            return
        if any(far.type == back and far.target == self.record.path for far in other.links):
            return
        live = link.type == "supersedes" and other.status.normal in LIVE
        if not live and other.dialect in SILENT:
            return  # its dialect has no field for it
        word = {"superseded_by": "Supersedes", "supersedes": "Superseded by"}.get(
            link.type, back.replace("_", " ").capitalize()
        )
        end = "and is still in force" if live else "says nothing of it"
        yield self.say(
            "one-sided-link",
            link.line,
            f"this record is linked to {other.path} ({link.type.replace('_', ' ')}), which {end}",
            f"add '{word}' with a link to {self.record.path} to {other.path}",
            Severity.ERROR if live else Severity.WARNING,
            (Label(self.place(1, other.path), "the other end"),),
        )

    def conflicts(self) -> Iterator[Finding]:
        status = self.record.status
        after = [link for link in self.record.links if link.type == "superseded_by"]
        if status.normal == "superseded" and not after and status.line:
            yield self.say(
                "status-link-conflict",
                status.line,
                f"the record is {status.as_written!r}, and no field names its successor",
                "name the successor, or write 'deprecated'",
            )
        if after and status.normal in ("draft", "proposed", "accepted"):
            yield self.say(
                "status-link-conflict",
                after[0].line,
                f"the record names {after[0].target} as its successor and is {status.as_written!r}",
                "write 'superseded by' as its status, or take the successor out",
            )

    def named_twice(self) -> Iterator[Finding]:
        after = [link for link in self.record.links if link.type == "superseded_by"]
        names = {number_of(link.target) or slug_of(link.target) or link.target for link in after}
        if len({link.origin for link in after}) > 1 and len(names) > 1:
            yield self.say(
                "status-link-conflict",
                after[-1].line,
                f"two fields name different successors: {' and '.join(sorted(names))}",
                "make them agree",
            )
        for link in self.record.links:
            said = _NAMED.match(link.text)
            if said and not _same(said[1], link.target):
                yield self.say(
                    "status-link-conflict",
                    link.line,
                    f"the link says {link.text} and leads to {link.target}",
                    "make text and target agree",
                )


def judge_log(log: Log) -> tuple[Finding, ...]:
    """Everything that is wrong with a log, by its own habits."""
    found = [*log.unread]
    for record in log.records:
        judge = _Judge(log, record)
        for part in (
            judge.header(),
            judge.status(),
            judge.dates(),
            judge.number(),
            judge.links(),
            judge.conflicts(),
            judge.named_twice(),
        ):
            found += part
    return (*found, *_duplicates(log))


def _duplicates(log: Log) -> Iterator[Finding]:
    by: dict[str, list[Foreign]] = {}
    for record in log.records:
        number = number_of(record.path)
        if number not in (None, "0"):
            by.setdefault(str(number), []).append(record)
    for same in by.values():
        for record in same if len(same) > 1 else ():
            others = [other for other in same if other is not record]
            judge = _Judge(log, record)
            yield judge.say(
                "duplicate-number",
                1,
                f"{record.number} is used by {' and '.join(o.path for o in others)} as well",
                "give the later record the next free number",
                related=tuple(Label(judge.place(1, o.path), "the same number") for o in others),
            )


def _odd(status: Status) -> str:
    shown = repr(status.as_written)
    odd = status.odd or ""
    return f"the status {odd}" if shown in odd else f"the status {shown}: {odd}"


def _instead(status: Status, log: Log) -> str:
    if status.guess:
        return f"did you mean {status.guess.capitalize()}?"
    return f"write one word of the log's own: {_own_words(log)}"


def _own_words(log: Log) -> str:
    words = {
        (record.status.as_written or "").split(" ")[0].lower()
        for record in log.records
        if record.status.normal != "unknown" and record.status.odd is None
    }
    return ", ".join(sorted(words - {""})) or "proposed, accepted, rejected, deprecated"


def _day_remedy(read: DayRead) -> str:
    if read.guess:
        return f"did you mean {read.guess}?"
    return "write a day that exists, as YYYY-MM-DD, or drop the field while nothing is decided"


def _weight(read: DayRead) -> Severity:
    return Severity.WARNING if read.iso else Severity.ERROR


def _same(said: str, target: str) -> bool:
    if re.match(r"\d{8}-", said):
        return slug_of(target) == said or target == said
    number = number_of(target)
    return number is None or number.rstrip("abcdefghij") == (said.lstrip("0") or "0")
