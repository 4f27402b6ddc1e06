"""Hostile records under a strict Content-Security-Policy: all of them are shown, none acts.

The only scripts inside a page that the policy lets run are those of the theme, by the hashes
that a site of the theme alone gives.
"""

from __future__ import annotations

import base64
import csv
import functools
import hashlib
import http.server
import io
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit
from xml.etree import ElementTree

import pytest
import yaml

from tests.browser.conftest import ROOT, Quiet
from tests.browser.hostile import PAYLOADS, lay_out
from tests.ledger import note

if TYPE_CHECKING:
    from playwright.sync_api import Dialog, Page

pytestmark = pytest.mark.slow
Open = Callable[..., "Page"]
SCRIPT = re.compile(r"<script(?P<what>[^>]*)>(?P<text>.*?)</script>", re.DOTALL)
DEPTHS = ("index.md", "a/index.md", "a/b/index.md", "a/b/c/index.md")
ATOM = "{http://www.w3.org/2005/Atom}"
MOST = 2
"""Pages of one kind: they are made by the same code."""
LIVELY = """() => [...document.querySelectorAll('*')].flatMap((e) => [
  ...[...e.attributes].filter((a) => /^on|^style$|^srcdoc$|^formaction$/i.test(a.name)
    && !e.closest('.md-header, .md-sidebar, .md-top, .md-search')).map((a) => a.name),
  ...[...e.attributes].filter((a) => /^(href|src|action|data|xlink:href)$/i.test(a.name)
    && /^\\s*(javascript|data|vbscript):/i.test(a.value)).map((a) => a.value),
  ...(/^(iframe|object|embed|base|form|img|style)$/i.test(e.localName)
    && e.closest('article') && !e.closest('.kb-form') ? [e.localName] : []),
])"""
"""Attributes and elements that could act, wherever records are shown; the theme's script sets
styles of its own on its header and side bars, which no policy forbids."""


def config(folder: Path, *, alone: bool) -> None:
    """Our own settings for a site without hand-written pages; `alone` leaves only the theme."""
    text = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:\n")[0] + "\n"
    settings = yaml.safe_load(text)
    settings["hooks"] = [str(ROOT / settings["hooks"][0])]
    for name in ("hooks", "extra_css", "extra_javascript") if alone else ():
        del settings[name]
    (folder / "mkdocs.yml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    (folder / "docs").mkdir()


def build(folder: Path) -> Path:
    """The site by mkdocs."""
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--site-dir", str(folder / "built")],
        cwd=folder, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return folder / "built"


@pytest.fixture(scope="module")
def hashes(tmp_path_factory: pytest.TempPathFactory) -> frozenset[str]:
    """Of the scripts that the theme puts into pages of any depth."""
    folder = tmp_path_factory.mktemp("theme")
    config(folder, alone=True)
    for name in DEPTHS:
        path = folder / "docs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("# A page\n\n## A part\n\nText.\n", encoding="utf-8")
    found = set()
    for path in build(folder).rglob("*.html"):
        for match in SCRIPT.finditer(path.read_text("utf-8")):
            if "src=" not in match["what"] and "json" not in match["what"]:
                digest = hashlib.sha256(match["text"].encode()).digest()
                found.add(f"'sha256-{base64.b64encode(digest).decode()}'")
    assert 3 <= len(found) <= 9
    return frozenset(found)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the hostile records."""
    folder = tmp_path_factory.mktemp("hostile")
    lay_out(folder)
    config(folder, alone=False)
    site = build(folder)
    (site / "favicon.ico").touch()  # a browser asks for it where a file is no page
    return site


@pytest.fixture(scope="module")
def base(built: Path, hashes: frozenset[str]) -> Iterator[str]:
    """The address of the site, which gives the policy with every answer."""
    scripts = " ".join(["'self'", "'wasm-unsafe-eval'", *sorted(hashes)])  # Pagefind is WebAssembly
    policy = (
        f"default-src 'self'; script-src {scripts}; img-src 'self' data:; object-src 'none'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )

    class Strict(Quiet):
        def end_headers(self) -> None:
            self.send_header("Content-Security-Policy", policy)
            super().end_headers()

    handler = functools.partial(Strict, directory=str(built))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def holding(built: Path) -> list[str]:
    """Pages that show something of the records: every decision, and some of each other kind."""
    kinds: dict[str, list[str]] = {}
    for path in sorted(built.rglob("*.html")):
        if "pwned" in (text := path.read_text("utf-8")) or "elsewhere.example" in text:
            name = path.relative_to(built).as_posix().removesuffix("index.html")
            kinds.setdefault(name.partition("/")[0], []).append(name)
    assert {"comparisons", "decisions", "evidence", "products", "sources"} <= set(kinds)
    return [*kinds.pop("decisions"), *(name for names in kinds.values() for name in names[:MOST])]


def untouched(page: Page) -> None:
    """Nothing of a record ran, or could run."""
    assert page.evaluate("window.pwned") is None, page.url
    assert page.evaluate(LIVELY) == [], page.url
    assert page.locator(".md-content").count() == 1, page.url


def test_no_page_lets_a_record_act(visit: Open, built: Path, base: str) -> None:
    page = visit()
    dialogs: list[str] = []

    def dismiss(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", dismiss)
    listed = holding(built)
    for path in listed:
        page.goto(base + path)
        page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
        untouched(page)
        assert page.url == base + path
        if number := re.match(r"decisions/(\d+)/", path):
            payload = PAYLOADS[int(number[1]) - 1]
            assert payload in page.locator("article pre").first.inner_text(), "shown as written"
    assert not dialogs
    note("policy", "pages", len(listed))


def test_what_a_page_reads_by_script_is_inert_too(visit: Open, base: str) -> None:
    page = visit("comparisons/choose/")
    page.locator(".kb-form").first.wait_for()
    untouched(page)
    page.goto(f"{base}comparisons/two-products/")
    page.locator(".kb-form select").first.wait_for()
    for n in range(page.locator(".kb-form select").count()):
        page.locator(".kb-form select").nth(n).select_option(index=1)
    untouched(page)
    for words in ("pwned", "onerror", "<script>window.pwned", "elsewhere", "180 GB"):
        page.goto(f"{base}find/?find={quote(words)}")
        page.locator(".kb-said", has_text="results for").wait_for()
        untouched(page)
    assert page.locator(".kb-found li").count() > 0


def test_the_search_of_the_theme_shows_and_runs_nothing(visit: Open) -> None:
    page = visit()
    page.locator(".md-search__input").first.click()
    for words in ("javascript", "window", "bold"):
        page.locator(".md-search__input").first.fill(words)
        page.keyboard.press("End")
        page.locator(".md-search-result__link").first.wait_for(timeout=60_000)
        untouched(page)


def test_a_drawing_that_is_opened_by_itself_runs_nothing(
    visit: Open, built: Path, base: str
) -> None:
    page = visit()
    paths = sorted(built.rglob("*.svg"))
    shown = 0
    for path in paths:
        page.goto(base + path.relative_to(built).as_posix())
        assert page.evaluate("window.pwned") is None, path
        assert page.evaluate("document.documentElement.localName") == "svg", path
        assert page.evaluate("document.querySelectorAll('script, [style]').length") == 0, path
        shown += "pwned" in page.evaluate("document.documentElement.textContent")
    assert shown > 1, "drawings show the names"
    note("policy", "drawings", len(paths))


def test_the_feed_holds_text_and_nothing_else(built: Path) -> None:
    """A type of html or xhtml would let a reader of feeds run it."""
    root = ElementTree.parse(built / "feed.xml").getroot()  # noqa: S314 - made by us
    entries = root.findall(f"{ATOM}entry")
    assert len(entries) >= len(PAYLOADS)
    assert all(element.tag.startswith(ATOM) for element in root.iter())
    assert {e.get("type", "text") for e in root.iter()} <= {"text", "application/atom+xml"}
    places = [e.get("href", "") for e in root.iterfind(f"{ATOM}entry/{ATOM}link")]
    assert all(place and not urlsplit(place).scheme + urlsplit(place).netloc for place in places)
    said = {title.text for title in root.iterfind(f"{ATOM}entry/{ATOM}title")}
    assert any("<script>" in (text or "") for text in said)


def test_no_cell_of_a_table_is_a_formula(built: Path) -> None:
    tables = list(built.rglob("*.csv"))
    rows = [row for t in tables for row in csv.reader(io.StringIO(t.read_text("utf-8")))]
    cells = [cell for row in rows for cell in row]
    assert any("HYPERLINK" in cell for cell in cells)
    number = re.compile(r"[-+]?[\d.]+(?:e[-+]?\d+)?\Z")
    risky = [c for c in cells if c.lstrip().startswith(("=", "+", "-", "@")) or c[:1] in "\t\r\n"]
    assert not [cell for cell in risky if cell and not number.match(cell)]


def test_the_policy_would_tell(visit: Open, built: Path, said: list[str]) -> None:
    """The control: a script of ours inside a page is refused and seen."""
    (built / "control.html").write_text(
        "<!doctype html><p style='color:red'>a</p><script>window.pwned=1</script>", "utf-8"
    )
    page = visit("control.html")
    assert page.evaluate("window.pwned") is None
    assert len(said) == 2
    assert all("Content Security Policy" in line for line in said)
    said.clear()
