"""The way from our pages into MkDocs: check first, then hand the pages over as virtual files.

This is the only module that knows mkdocs. It holds no content and no judgement; what it
publishes is what `kb render` writes. Name it under `hooks:` in `mkdocs.yml`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.livereload import LiveReloadServer
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from kb.finding import CheckError, Severity
from kb.home import FOLDERS, Project, home, project_at
from kb.pages import render
from kb.report.text import render as report_text
from kb.rules.gate import checked
from kb.rules.result import Report

STYLE = "assets/kb.css"
"""The style of the generated pages, which `mkdocs.yml` names under `extra_css:`."""
SHOWN = 5
"""Findings that the error of a stopped build shows; `kb check` shows all."""


def on_files(files: Files, /, *, config: MkDocsConfig, **_: Any) -> Files:  # noqa: ANN401
    """Add every page to the hand-written ones; a hand-written page of that path wins nothing."""
    try:
        pages = _checked_pages(_project(config), _extra(config))
    except CheckError as error:
        raise PluginError(f"{error}\n  fix: {error.remedy}") from None
    for path, text in pages.items():
        if files.get_file_from_path(path) is not None:
            raise PluginError(
                f"docs/{path} has the place of a generated page\n"
                "  fix: rename it, or move it below docs/guide/"
            )
        files.append(File.generated(config, path, content=text))
    if files.get_file_from_path(STYLE) is None:  # a project of one's own has no copy of it
        style = (home() / "docs" / STYLE).read_text(encoding="utf-8")
        files.append(File.generated(config, STYLE, content=style))
    return files


def on_page_markdown(markdown: str, /, *, page: Page, **_: Any) -> str:  # noqa: ANN401
    """Give a generated page the whole width: it is in no sidebar, so its own is empty."""
    if page.file.generated_by is not None:
        page.meta.setdefault("hide", ["navigation"])
    return markdown


def on_page_content(html: str, /, *, page: Page, **_: Any) -> str:  # noqa: ANN401
    """Keep a heading from data escaped in the page's title.

    Themes undo the escaping when they strip tags from a title, and print it: a product
    named `</title><script>` would run. A title from the metadata is printed as it is.
    """
    if page.file.generated_by is not None and page.title and not page.is_homepage:
        page.meta["title"] = re.sub(r"<[^>]*>", "", page.title)
    return html


def on_serve(server: LiveReloadServer, /, *, config: MkDocsConfig, **_: Any) -> LiveReloadServer:  # noqa: ANN401
    """Build again when a record changes, not only when a hand-written page does."""
    project = _project(config)
    for folder in [*(project.folder(name) for name in FOLDERS), *_extra(config)]:
        if folder.is_dir():
            server.watch(str(folder))
    return server


def _project(config: MkDocsConfig) -> Project:
    return project_at(Path(config.config_file_path).parent)


def _extra(config: MkDocsConfig) -> list[Path]:
    """Further evidence folders: `extra: {kb: {evidence: [build/evidence]}}` in mkdocs.yml."""
    named = config.extra.get("kb", {}).get("evidence", [])
    folders = [Path(config.config_file_path).parent / str(name) for name in named]
    return [folder for folder in folders if folder.is_dir()]


def _checked_pages(project: Project, extra: list[Path]) -> dict[str, str]:
    """The pages of a project that passes its check; raises `PluginError` for one that doesn't."""
    found = checked(project, extra)
    if found.report.exit_code:
        raise PluginError(_refusal(found.report))
    return render(found.corpus, found.rules)


def _refusal(report: Report) -> str:
    """The first errors of the report, as `kb check` prints them."""
    errors = [f for f in report.findings if f.finding.severity is Severity.ERROR]
    shown = Report(
        tuple(errors[:SHOWN]), crashes=report.crashes, files=report.files, rules=report.rules
    )
    head = "nothing is published, because the check found errors; `kb check` shows them all"
    return f"{head}\n\n{report_text(shown)}"
