"""The built site in Debian's Chromium. Where one of them is missing, these tests are skipped."""

from __future__ import annotations

import functools
import http.server
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Response

ROOT = Path(__file__).resolve().parents[2]
WORDS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
         "--disable-background-networking"]  # fmt: skip
DESKTOP = (1280, 900)


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files without a word."""

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as `mkdocs build --strict` makes it."""
    out = tmp_path_factory.mktemp("site")
    answer = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(out)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
    return out


@pytest.fixture(scope="session")
def base(built: Path) -> Iterator[str]:
    """The address of the served site."""
    handler = functools.partial(Quiet, directory=str(built))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("chromium is not installed: apt-get install chromium")
    sync = pytest.importorskip("playwright.sync_api", reason="pip install '.[dev]'")
    with sync.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=WORDS)
        yield running
        running.close()


Open = Callable[..., "Page"]


@pytest.fixture
def said() -> list[str]:
    """What the console of any page said."""
    return []


@pytest.fixture
def asked() -> list[str]:
    """Every address that a page asked for."""
    return []


@pytest.fixture
def visit(browser: Browser, base: str, said: list[str], asked: list[str]) -> Iterator[Open]:
    """Open a page in a context of its own; whatever the console says fails the test."""
    contexts = []

    def opened(
        path: str = "",
        size: tuple[int, int] = DESKTOP,
        heard: Callable[[Response], None] | None = None,
        **options: Any,  # noqa: ANN401
    ) -> Page:
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce", **options
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: said.append(f"{page.url}: {message.text}"))
        page.on("pageerror", lambda error: said.append(f"{page.url}: {error}"))
        if heard:
            page.on("response", heard)
        page.on("request", lambda request: asked.append(request.url))
        page.goto(base + path)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not said
    assert all(address.startswith((base, "blob:", "data:")) for address in asked)
