"""The way from our pages into MkDocs: check first, then hand the pages over as virtual files.

This is the only module that knows mkdocs. It holds no content and no judgement; what it
publishes is what `kb render` writes. Name it under `hooks:` in `mkdocs.yml`.
"""

from __future__ import annotations

import asyncio
import gc
import importlib.util
import json
import re
from collections.abc import Mapping
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.livereload import LiveReloadServer
from mkdocs.plugins import get_plugin_logger
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

from kb.finding import CheckError, Severity
from kb.home import FOLDERS, Project, project_at
from kb.pages.feed import PATH as FEED
from kb.publish import Files as SiteFiles
from kb.publish import site
from kb.report.text import render as report_text
from kb.rules.result import Report

log = get_plugin_logger("kb")

_run = {"previewed": False}
"""What this run of MkDocs is; the hooks of one run share nothing else."""

_sound: SiteFiles = {}
"""What a preview showed before somebody saved a mistake."""

DRAWINGS = "kb-drawings"
"""The field of a page's metadata with its drawings, as long as others stand for them."""

_DRAWING = re.compile(r"<svg\b.*?</svg>", re.S)
_KEPT = re.compile(r'<svg data-kb="?(\d+)"?></svg>')

SHOWN = 5
"""Findings that the error of a stopped build shows; `kb check` shows all."""


def on_files(files: Files, /, *, config: MkDocsConfig, **_: Any) -> Files:  # noqa: ANN401
    """Add every page to the hand-written ones; a hand-written page of that path wins nothing."""
    pages = _previewed(config) if _run["previewed"] else _pages(config)
    for path, content in pages.items():
        if files.get_file_from_path(path) is not None:
            docs = Path(config.docs_dir).name
            raise PluginError(
                f"{docs}/{path} has the place of a generated page\n"
                f"  fix: rename it, or move it below {docs}/guide/"
            )
        files.append(File.generated(config, path, content=content))
    return files


def on_page_markdown(markdown: str, /, *, page: Page, **_: Any) -> str:  # noqa: ANN401
    """Give a generated page the whole width, and keep its drawings from the reading of Markdown.

    It is in no sidebar, so its own is empty. A drawing has thousands of numbers and no Markdown:
    to read it twice, as Markdown and for the search, would take a third of the time of a build.
    """
    if page.file.generated_by is None:
        return markdown
    page.meta.setdefault("hide", ["navigation"])
    drawings = page.meta[DRAWINGS] = []

    def kept(found: re.Match[str]) -> str:
        drawings.append(found[0])
        return f"<svg data-kb={len(drawings) - 1}></svg>"

    return _DRAWING.sub(kept, markdown)


def on_page_content(html: str, /, *, page: Page, **_: Any) -> str:  # noqa: ANN401
    """Keep a heading from data escaped in the page's title.

    Themes undo the escaping when they strip tags from a title, and print it: a product
    named `</title><script>` would run. A title from the metadata is printed as it is.
    """
    if page.file.generated_by is not None and page.title and not page.is_homepage:
        page.meta["title"] = re.sub(r"<[^>]*>", "", page.title)
    if page.meta.get("search", {}).get("exclude"):  # Pagefind does not know that field
        return f'<div data-pagefind-ignore="all">{html}</div>'
    return html


def on_post_page(output: str, /, *, page: Page, **_: Any) -> str:  # noqa: ANN401
    """Put the drawings back, and name the feed in the head, where feed readers look for it."""
    if page.file.generated_by is not None:
        drawings = page.meta[DRAWINGS]
        output = _KEPT.sub(lambda found: drawings[int(found[1])], output)
    target = get_relative_url(FEED, page.url)
    named = f'<link rel="alternate" type="application/atom+xml" title="Changes" href="{target}">'
    return _closed_up(output.replace("</head>", f"{named}</head>", 1))


def _closed_up(output: str) -> str:
    """The page without the indents and blank lines of the theme, a third of each small page.

    Only around the article, where nothing is set as it is typed.
    """
    before, article, rest = output.partition("<article")
    text, end, after = rest.rpartition("</article>")
    return f"{_lines(before)}{article}{text}{end}{_lines(after)}" if end else output


def _lines(text: str) -> str:
    return "\n".join(line for line in map(str.strip, text.split("\n")) if line) + "\n"


def on_startup(*, command: str, **_: Any) -> None:  # noqa: ANN401
    """Remember whether pages are only previewed, and let pages be built with less ado.

    Thousands of pages are millions of objects and next to no garbage: a tenth of the time of
    MkDocs itself goes into looking for some.
    """
    _run["previewed"] = command == "serve"
    gc.set_threshold(50_000, *gc.get_threshold()[1:])


def on_post_build(*, config: MkDocsConfig, **_: Any) -> None:  # noqa: ANN401
    """Make the search index from the finished pages, where Pagefind is installed.

    `extra: {kb: {pagefind: false}}` in mkdocs.yml leaves it to the search of the theme.
    """
    if _run["previewed"] or not config.extra.get("kb", {}).get("pagefind", True):
        return
    if importlib.util.find_spec("pagefind_bin") is None:
        log.info("Pagefind is not installed: the page Search points at the search of the theme")
        return
    try:
        # The service answers ten times a second: a record each would take most of a minute.
        with TemporaryDirectory(prefix="kb-claims-") as aside:
            _lay_down_claims(Path(config.site_dir), Path(aside))
            asyncio.run(_search_index(config.site_dir, aside))
    except Exception as error:  # noqa: BLE001 - whatever Pagefind raises, the site is whole without it
        log.warning("Pagefind made no index: %s", error)


async def _search_index(folder: str, claims: str) -> None:
    """Index every page, and each claim by itself: a value is found where it is defined."""
    from pagefind.index import IndexConfig, PagefindIndex

    told = IndexConfig(
        root_selector="article",
        exclude_selectors=[".headerlink"],
        output_path=f"{folder}/pagefind",
    )
    async with PagefindIndex(config=told) as index:
        await index.add_directory(folder)
        await index.add_directory(claims)


def _lay_down_claims(site: Path, folder: Path) -> None:
    claims = json.loads((site / "api" / "claims.json").read_text("utf-8"))["rows"]
    for number, claim in enumerate(claims):
        (folder / f"{number}.html").write_text(_as_page(claim), encoding="utf-8")


def _as_page(claim: Mapping[str, str]) -> str:
    """A claim as a page that is only searched; `place` is where it is shown."""
    title = f"{claim['product_name']}: {claim['published']}: {claim['title']}"
    told = {"title": title, "value": claim["published"], "place": claim["page"]}
    marks = "".join(
        f'<i data-pagefind-meta="{name}[title]" title="{escape(text)}"></i>'
        for name, text in told.items()
    )
    content = escape(f"{claim['published']} {claim['title']}, {claim['product_name']}")
    return (
        '<!doctype html><html lang="en"><title></title>'
        f'<article data-pagefind-filter="kind:claim">{marks}<p>{content}</p></article></html>'
    )


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


def _pages(config: MkDocsConfig) -> SiteFiles:
    """The pages of the project; raises `PluginError` where there are none to show."""
    try:
        return _checked_pages(_project(config), _extra(config))
    except CheckError as error:
        raise PluginError(f"{error}\n  fix: {error.remedy}") from None


def _previewed(config: MkDocsConfig) -> SiteFiles:
    """The pages, or the last sound ones: MkDocs answers no request after a failed build."""
    try:
        pages = _pages(config)
    except PluginError as error:
        if not _sound:
            raise
        log.error("%s", error)  # noqa: TRY400 - a traceback would say nothing
        return dict(_sound)
    _sound.clear()
    _sound.update(pages)
    return pages


def _checked_pages(project: Project, extra: list[Path]) -> SiteFiles:
    """The pages of a project that passes its check; raises `PluginError` for one that doesn't."""
    found = site(project, extra)
    if found.report.exit_code:
        raise PluginError(_refusal(found.report))
    return found.files


def _refusal(report: Report) -> str:
    """The first errors of the report, as `kb check` prints them."""
    errors = [f for f in report.findings if f.finding.severity is Severity.ERROR]
    shown = Report(
        tuple(errors[:SHOWN]), crashes=report.crashes, files=report.files, rules=report.rules
    )
    head = "nothing is published, because the check found errors; `kb check` shows them all"
    return f"{head}\n\n{report_text(shown)}"
