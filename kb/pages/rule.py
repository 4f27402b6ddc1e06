"""The catalogue of rules, made from their docstrings: what each refuses, why, and what to write."""

from __future__ import annotations

from collections.abc import Sequence

from kb.pages import links
from kb.pages.prose import Target, prose
from kb.pages.text import bullets, chip, code, esc, link, page, plural
from kb.rules.collect import Rule

SUBJECTS = {
    "corpus": "the whole knowledge base",
    "record": "each record of every kind",
    "product": "each product",
    "claim": "each claim",
    "statement": "each statement",
    "comparison": "each comparison of a decision",
    "result_comparison": "each comparison of published results in a decision",
    "decision": "each decision",
    "artefact": "each compiled record",
    "evidence": "each evidence record",
}
"""What a rule looks at, in words."""


def rule_pages(rules: Sequence[Rule]) -> dict[str, str]:
    """One page a rule, and the index of them."""
    ordered = sorted(rules, key=lambda rule: rule.slug)
    pages = {links.rule_path(rule.slug): _rule(rule) for rule in ordered}
    return {links.RULES: _index(ordered), **pages}


def _index(rules: Sequence[Rule]) -> str:
    items = [
        f"{link(code(rule.slug), f'{rule.slug}.md')} {_severity(rule)}<br>{esc(rule.text.message)}"
        for rule in rules
    ]
    return page(
        "# Rules",
        f"{plural(len(rules), 'rule')} read every record before it is "
        "published. A finding of the level *error* stops the build of this site.",
        bullets(items),
    )


def _severity(rule: Rule) -> str:
    level = rule.declared.severity.value
    return chip(f"level-{level}", level)


def _rule(rule: Rule) -> str:
    text = rule.text
    return page(
        f"# {esc(rule.slug)}",
        f"{_severity(rule)} · looks at {SUBJECTS[rule.declared.over]}",
        f"**{esc(text.message)}**",
        "## Why",
        _shown(text.why),
        "## Refused",
        _shown(text.refused),
        "## Accepted",
        _shown(text.accepted),
        "## Silencing it",
        "A comment on the line, or alone on the line above, silences it with a reason: "
        f"{code(f'# kb: ignore[{rule.slug}] why it is right here')}. A waiver that silences "
        "nothing is itself a finding.",
    )


def _shown(text: str) -> str:
    return prose(text, _nowhere)


def _nowhere(_: str) -> Target | None:
    return None
