"""`kb rules`: lists every rule with its severity and what it looks at."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from kb.cli.project import open_project
from kb.finding import CheckError, quoted
from kb.home import Project
from kb.rules.collect import Collected, Refusal, Rule, collect
from kb.rules.loading import RESERVED, Told

Subparsers = argparse._SubParsersAction  # noqa: SLF001 (argparse gives the type no public name)


def add_parser(subparsers: Subparsers[argparse.ArgumentParser]) -> None:
    """Add `rules` with its arguments."""
    parser = subparsers.add_parser("rules", help="list the rules")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="print them as JSON")
    how.add_argument(
        "--test", action="store_true", help="try the project's own rules on their own examples"
    )


def run(args: argparse.Namespace) -> int:
    """Print the rules of this installation and project; 2 where a file is no rule."""
    project = open_project(args)
    collected = collect(project)
    if args.test:
        return _test(project, collected)
    print(json.dumps(_data(collected), indent=2) if args.json else "\n".join(_lines(collected)))
    return _told_refusals(collected)


def _told_refusals(collected: Collected) -> int:
    for refusal in collected.refusals:
        print("\n".join(refused_lines(refusal)), file=sys.stderr)
    return 2 if collected.refusals else 0


def _test(project: Project, collected: Collected) -> int:
    """Try the project's own rules on their examples; 1 where one doesn't do what it shows."""
    from kb.rules.example import example_faults  # late: it brings every model along

    own = [rule for rule in collected.rules if rule.path.parent == project.folder("validators")]
    if not own and not collected.refusals:
        where = quoted(str(project.folder("validators")))
        raise CheckError(
            f"there is no rule of your own in {where}",
            "the page 'Write a rule of your own' of the guide shows how to write one"
            if project.own_rules
            else "leave out --no-local-validators: testing a rule runs it",
        )
    wrong = False
    shipped = tuple(rule for rule in collected.rules if rule not in own)
    for rule in own:
        # Another rule of the same house may well ask for what this one's examples leave out.
        faults = list(example_faults(rule, Collected((*shipped, rule)) if shipped else collected))
        wrong = wrong or bool(faults)
        for fault in faults:
            print(f"error: {rule.slug}: {fault}")
            print(f"  fix: correct the example or the rule in {rule.path.name}")
        if not faults:
            print(f"{rule.slug}: refuses and accepts what it shows")
    return _told_refusals(collected) or int(wrong)


def refused_lines(refusal: Refusal) -> list[str]:
    """What to print about a file that is no rule."""
    return [f"error: {refusal.name} is no rule: {refusal.reason}", f"  fix: {refusal.remedy}"]


def _lines(collected: Collected) -> list[str]:
    width = max((len(rule.slug) for rule in collected.rules), default=0)
    lines = [
        f"{rule.slug:<{width}}  {rule.declared.severity.value:<7}  {rule.text.message}"
        for rule in collected.rules
    ]
    told = "explained by `kb explain`"
    return [
        *lines,
        "",
        (
            f"{len(collected.rules)} rules, {told}; besides {len(RESERVED)} kinds of finding about "
            "unreadable input, waivers and baselines:"
        ),
        ", ".join(RESERVED),
    ]


def _data(collected: Collected) -> dict[str, Any]:
    return {
        "schema_version": 1,
        "rules": [rule_data(rule) for rule in collected.rules],
        "reserved": [told_data(slug, told) for slug, told in RESERVED.items()],
    }


def told_data(slug: str, told: Told) -> dict[str, str]:
    """A kind of finding that no validator makes, as plain data."""
    return {"slug": slug, "message": told.message, "why": told.why, "remedy": told.remedy}


def rule_data(rule: Rule) -> dict[str, str]:
    """A validator with the parts of its docstring, as plain data."""
    return {
        "slug": rule.slug,
        "severity": rule.declared.severity.value,
        "over": rule.declared.over,
        "message": rule.text.message,
        "why": rule.text.why,
        "refused": rule.text.refused,
        "accepted": rule.text.accepted,
    }
