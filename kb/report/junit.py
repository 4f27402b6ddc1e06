"""The report as JUnit XML: one test case a rule, so that a pipeline lists what was checked.

A rule with findings at error level is a failed case; warnings and notes stand in a passed
case's output, since the format knows no level between. A rule that crashed is an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from xml.sax.saxutils import escape, quoteattr

from kb.finding import Severity
from kb.report import closing, repository_path
from kb.report.text import safe
from kb.rules.result import Crash, Located, Report


def render(report: Report) -> str:
    """One suite with a case for each rule that ran, failed, or has findings."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    by_rule: dict[str, list[Located]] = {note.slug: [] for note in report.notes if note.ran}
    for item in report.findings:
        by_rule.setdefault(item.finding.rule, []).append(item)
    failures = sum(1 for items in by_rule.values() if _errors(items))
    counts = _attributes(
        name="kb check",
        tests=str(len(by_rule) + len(report.crashes)),
        failures=str(failures),
        errors=str(len(report.crashes)),
    )
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f"<testsuites{counts}>"
    yield f"  <testsuite{counts}>"
    for slug, items in by_rule.items():
        yield from _case(report, slug, items)
    for crash in report.crashes:
        yield from _crashed(crash)
    yield f"    <system-out>{_text(closing(report))}</system-out>"
    yield "  </testsuite>"
    yield "</testsuites>"


def _case(report: Report, slug: str, items: list[Located]) -> Iterator[str]:
    head = f"    <testcase{_attributes(classname='kb.check', name=slug)}"
    if not items:
        yield f"{head}/>"
        return
    yield f"{head}>"
    if errors := _errors(items):
        first = _attributes(message=errors[0].finding.message, type=slug)
        yield f"      <failure{first}>{_text(_told(report, errors))}</failure>"
    if others := [item for item in items if item not in errors]:
        yield f"      <system-out>{_text(_told(report, others))}</system-out>"
    yield "    </testcase>"


def _crashed(crash: Crash) -> Iterator[str]:
    yield f"    <testcase{_attributes(classname='kb.check', name=crash.rule)}>"
    about = _attributes(message=crash.reason, type="rule failed")
    yield f"      <error{about}>{_text([crash.reason, f'fix: {crash.remedy}'])}</error>"
    yield "    </testcase>"


def _errors(items: list[Located]) -> list[Located]:
    return [item for item in items if item.finding.severity is Severity.ERROR]


def _told(report: Report, items: list[Located]) -> Iterator[str]:
    for item in items:
        finding, start = item.finding, item.mark.span.start
        where = f"{repository_path(report, item.mark.path)}:{start.line}:{start.column}"
        yield f"{where}: {finding.severity.value}: {finding.message}"
        if finding.remedy:
            yield f"  fix: {finding.remedy}"


def _attributes(**values: str) -> str:
    return "".join(f" {name}={quoteattr(safe(value))}" for name, value in values.items())


def _text(lines: Iterable[str]) -> str:
    # Control characters and lone surrogates are no XML, escaped or not; `safe` names them.
    return escape("\n".join(safe(line) for line in lines))
