"""The kinds of mistakes in prose: a page each, with wrong and right examples, and their index."""

from __future__ import annotations

from kb.pages import links
from kb.pages.text import bullets, chip, code, esc, link, page, plural
from kb.prose.kinds import LINT_KINDS, LintKind


def mistake_pages() -> dict[str, str]:
    """One page a kind of finding of `kb lint`, and the index of them."""
    ordered = sorted(LINT_KINDS.items())
    return {links.MISTAKES: _index(), **{links.mistake_path(s): _kind(s, k) for s, k in ordered}}


def _index() -> str:
    items = [
        f"{link(code(slug), f'{slug}.md')} {_severity(kind)}<br>{esc(kind.message)}"
        for slug, kind in sorted(LINT_KINDS.items())
    ]
    return page(
        "# Mistakes in prose",
        f"{plural(len(items), 'kind')} of finding that {code('kb lint')} has on the numbers of a "
        "text. An *error* contradicts the catalogue or itself; a *warning* is a question.",
        bullets(items),
    )


def _severity(kind: LintKind) -> str:
    return chip(f"level-{kind.severity}", kind.severity)


def _kind(slug: str, kind: LintKind) -> str:
    return page(
        f"# {esc(slug)}",
        f"{_severity(kind)} · from {code('kb lint')}",
        f"**{esc(kind.message)}**",
        "## Why",
        esc(kind.why),
        "## Wrong",
        bullets([esc(example) for example in kind.wrong]),
        "## Right",
        bullets([esc(example) for example in kind.right]),
        "## What to do",
        esc(kind.remedy),
    )
