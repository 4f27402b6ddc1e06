"""`kb explain`: says what a rule refuses, why, and what it accepts instead."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from kb.cli.catalogue import unknown
from kb.cli.project import open_project
from kb.cli.rules import rule_data, told_data
from kb.finding import CheckError
from kb.prose.kinds import LINT_KINDS, LintKind
from kb.records.dialects.judge import KINDS
from kb.rules.collect import Collected, Rule, collect, slug_of
from kb.rules.loading import BASELINE, RESERVED, WAIVING, Told

Subparsers = argparse._SubParsersAction  # noqa: SLF001 (argparse gives the type no public name)


def add_parser(subparsers: Subparsers[argparse.ArgumentParser]) -> None:
    """Add `explain` with its argument."""
    parser = subparsers.add_parser("explain", help="explain a rule")
    parser.add_argument("slug", metavar="SLUG", help="as in brackets of a report")
    parser.add_argument("--json", action="store_true", help="print it as JSON")


def run(args: argparse.Namespace) -> int:
    """Print the rule; raises `CheckError` with the nearest slugs where there is none."""
    collected = collect(open_project(args))
    if args.json:
        print(json.dumps({"schema_version": 1, **_data(args.slug, collected)}, indent=2))
    else:
        print("\n".join(explanation(args.slug, collected)))
    return 0


def explanation(slug: str, collected: Collected) -> list[str]:
    """The lines about one slug; raises `CheckError` with the nearest slugs where there is none."""
    found = _find(slug, collected)
    if isinstance(found, LintKind):
        return _lint(slug, found)
    return _rule(found) if isinstance(found, Rule) else _told(slug, found)


def _data(slug: str, collected: Collected) -> dict[str, Any]:
    found = _find(slug, collected)
    if isinstance(found, LintKind):
        return lint_data(slug, found)
    return rule_data(found) if isinstance(found, Rule) else told_data(slug, found)


def _find(slug: str, collected: Collected) -> Rule | Told | LintKind:
    found = collected.find(slug) or RESERVED.get(slug) or LINT_KINDS.get(slug) or _foreign(slug)
    if found is None:
        _refused(slug, collected)
        known = [*(r.slug for r in collected.rules), *RESERVED, *LINT_KINDS, *KINDS]
        raise unknown("rule", slug, known, "kb rules")
    return found


def _refused(slug: str, collected: Collected) -> None:
    """Raise what is wrong with a file of that name that is no rule."""
    for refusal in collected.refusals:
        if slug_of(Path(refusal.name)) == slug:
            raise CheckError(f"{refusal.name} is no rule: {refusal.reason}", refusal.remedy)


def _foreign(slug: str) -> Told | None:
    """A defect of other tools' decision records, as `kb check --decisions` names it."""
    if slug not in KINDS:
        return None
    why = "`kb check --decisions DIR` reads records of other tools and finds this in them."
    return Told(KINDS[slug], why, "Correct the record; the finding says where and how.")


def _rule(rule: Rule) -> list[str]:
    text = rule.text
    return [
        f"{rule.slug} ({rule.declared.severity.value}, looks at each {rule.declared.over})"
        if rule.declared.over != "corpus"
        else f"{rule.slug} ({rule.declared.severity.value}, looks at everything together)",
        "",
        text.message,
        "",
        f"Why: {text.why.lstrip()}",
        "",
        "Refused",
        "",
        text.refused,
        "",
        "Accepted",
        "",
        text.accepted,
        "",
        "The examples lie on a small invented knowledge base with acme-x1 and bolt-b8.",
        f"To silence it at one place: kb: ignore[{rule.slug}] <reason>, as a comment.",
    ]


def lint_data(slug: str, kind: LintKind) -> dict[str, Any]:
    """A kind of finding of `kb lint`, as plain data."""
    return {
        "slug": slug,
        "severity": kind.severity,
        "message": kind.message,
        "why": kind.why,
        "wrong": list(kind.wrong),
        "right": list(kind.right),
        "remedy": kind.remedy,
    }


def _lint(slug: str, kind: LintKind) -> list[str]:
    return [
        f"{slug} ({kind.severity}, from kb lint)",
        "",
        kind.message,
        "",
        f"Why: {kind.why}",
        "",
        "Wrong",
        *(f"  {example}" for example in kind.wrong),
        "",
        "Right",
        *(f"  {example}" for example in kind.right),
        "",
        f"What to do: {kind.remedy}",
    ]


def _told(slug: str, told: Told) -> list[str]:
    level = "error, or warning for an unused one" if slug in WAIVING else "error"
    about = "reading files"
    if slug in WAIVING or slug in BASELINE:
        about = "waivers" if slug in WAIVING else "--baseline"
    return [
        f"{slug} ({level}, from {about})",
        "",
        told.message,
        "",
        f"Why: {told.why}",
        "",
        f"What to do: {told.remedy}",
    ]
