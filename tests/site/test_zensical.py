"""The rendered tree under MkDocs' successor: every page is there, and a bad link is no success."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from kb.cli.render import write
from kb.home import Project
from kb.publish import site

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the configuration and the rendered pages."""
    folder = tmp_path_factory.mktemp("zensical")
    (folder / "zensical.yml").write_bytes((ROOT / "zensical.yml").read_bytes())
    write(site(Project(ROOT)).files, folder / "build" / "pages")
    return folder


def build(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [Path(sys.executable).with_name("zensical"), "build", "--config-file", "zensical.yml",
         "--strict"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_every_page_is_built_and_a_bad_link_is_refused(project: Path) -> None:
    answer = build(project)
    assert answer.returncode == 0, answer.stdout[-3000:] + answer.stderr[-3000:]
    pages, built = project / "build" / "pages", project / "build" / "zensical"
    for page in pages.rglob("*.md"):
        path = page.relative_to(pages)
        folder = path.parent if path.name == "index.md" else path.with_suffix("")
        assert (built / folder / "index.html").is_file(), path
    assert (built / "assets" / "kb.js").is_file()
    assert (built / "api" / "catalogue.sqlite").is_file()
    (pages / "spoiled.md").write_text("# Spoiled\n\n[nowhere](no-such-page.md)\n", "utf-8")
    answer = build(project)
    assert answer.returncode != 0
    told = re.sub("\x1b\\[[0-9;]*m", "", answer.stderr)  # coloured even where nobody sees it
    for name in ("spoiled.md", "no-such-page.md"):
        assert name in told, told
