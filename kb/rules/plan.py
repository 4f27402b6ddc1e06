"""The rules side by side, by what they look at and by what they need.

A file is judged by the same hundred rules as the one before it. Which of them look at
decisions, and which of those need the same fields, is found out once.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection
from dataclasses import dataclass

from kb.corpus import Entry
from kb.rules.collect import Rule
from kb.rules.declare import Over

Subject = tuple[object, ...]
"""One thing that a rule looks at, as the arguments of the rule."""


@dataclass(frozen=True)
class Group:
    """Rules that look at one kind of thing and need the same of it."""

    needs: tuple[Callable[[object], object], ...]
    rules: tuple[tuple[int, Rule], ...]
    """Each with its number among all rules."""

    def asked(self, subjects: list[Subject]) -> list[Subject]:
        """Those of the subjects that hold what the rules need.

        Raises what looking for it raises, such as `AttributeError` for a field that is not there.
        """
        if not self.needs:
            return subjects
        return [subject for subject in subjects if self._has_any(subject[0])]

    def _has_any(self, subject: object) -> bool:
        record = subject.value if isinstance(subject, Entry) else subject
        return any(need(record) for need in self.needs)


Plan = dict[Over, tuple[Group, ...]]

_LAST: list[tuple[Collection[Rule], Plan]] = []


def plan(rules: Collection[Rule]) -> Plan:
    """The groups of some rules, kept for the same rules and the next file."""
    for last, found in _LAST:
        if last is rules:
            return found
    groups: dict[Over, dict[tuple[str, ...], list[tuple[int, Rule]]]] = {}
    for number, rule in enumerate(rules):
        declared = rule.declared
        groups.setdefault(declared.over, {}).setdefault(declared.needs, []).append((number, rule))
    made: Plan = {
        over: tuple(
            Group(tuple(map(operator.attrgetter, needs)), tuple(group))
            for needs, group in by_needs.items()
        )
        for over, by_needs in groups.items()
    }
    _LAST[:] = [(rules, made)]
    return made
