"""The site by mkdocs itself, from a copy of the project: it builds, or it says why not."""

from __future__ import annotations

import os
import posixpath
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("specs", "decisions", "evidence", "docs")
DECISION = "decisions/0001-jax-on-hgx-b200-or-tpu-v6e.md"

pytestmark = pytest.mark.slow


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the project to spoil."""
    return copied(tmp_path)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of an unspoiled copy, built strictly."""
    folder = copied(tmp_path_factory.mktemp("site"))
    answer = build(folder, "--strict")
    assert answer.returncode == 0, answer.stderr
    return folder / "built"


def copied(folder: Path) -> Path:
    """The project's content in `folder`; the program itself stays where it is installed."""
    for name in COPIED:
        shutil.copytree(ROOT / name, folder / name)
    (folder / "kb").mkdir()
    shutil.copy(ROOT / "kb" / "mkdocs_hook.py", folder / "kb")
    for name in ("mkdocs.yml", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    return folder


def build(project: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(ROOT)}
    # -I would hide PYTHONPATH; -P keeps the copied `kb/` folder off the import path.
    command = [sys.executable, "-P", "-m", "mkdocs", "build", "--site-dir", "built", *words]
    return subprocess.run(
        command, cwd=project, env=environment, capture_output=True, text=True, check=False
    )


def plant(project: Path, old: str, new: str) -> int:
    """Change one line of the decision; gives the number of that line."""
    path = project / DECISION
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")
    return text[: text.index(old)].count("\n") + 1


def test_a_strict_build_succeeds_and_all_its_links_arrive(built: Path) -> None:
    pages = {path.relative_to(built).as_posix(): read(path) for path in built.rglob("*.html")}
    assert "decisions/0001/index.html" in pages
    assert "guide/compare/index.html" in pages
    missing = [
        f"{name} -> {target}"
        for name, page in pages.items()
        for target in page.links
        if name != "404.html" and not arrives(name, target, pages, built)
    ]
    assert not missing


def arrives(name: str, target: str, pages: dict[str, Page], built: Path) -> bool:
    """Whether a link of the page `name` leads to a file, and to an anchor on it."""
    parts = urlsplit(target)
    if parts.scheme or parts.netloc:
        return True
    there = name
    if parts.path:
        there = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(parts.path)))
        if not (built / there).is_file():
            there = posixpath.normpath(f"{there}/index.html")
    fragment = unquote(parts.fragment)
    return (built / there).is_file() and (not fragment or fragment in pages[there].ids)


def test_no_page_asks_another_machine_for_anything(built: Path) -> None:
    for path in built.rglob("*.html"):
        outside = [a for a in read(path).loaded if urlsplit(a).netloc]
        assert not outside, path


def test_a_board_against_a_chip_stops_the_build(project: Path) -> None:
    line = plant(project, "left: hgx-b200/gpu-hbm-capacity", "left: hgx-b200/board-hbm-capacity")
    answer = build(project)
    assert answer.returncode != 0
    assert "error[device-versus-system]" in answer.stderr
    assert f"{DECISION}:{line}:" in answer.stderr
    assert "hgx-b200/gpu-hbm-capacity" in answer.stderr
    assert not (project / "built" / "index.html").exists()


def test_a_link_against_a_memory_stops_the_build(project: Path) -> None:
    plant(project, "left: hgx-b200/gpu-hbm-bandwidth", "left: hgx-b200/gpu-nvlink-bandwidth")
    answer = build(project)
    assert answer.returncode != 0
    assert "error[memory-versus-link]" in answer.stderr
    assert f"{DECISION}:" in answer.stderr


def test_a_broken_record_stops_the_build_without_a_traceback(project: Path) -> None:
    (project / "specs" / "broken.yml").write_text("product: [\n", encoding="utf-8")
    answer = build(project)
    assert answer.returncode != 0
    assert "specs/broken.yml" in answer.stderr
    assert "Traceback" not in answer.stderr


@pytest.mark.parametrize("docs", ["docs", "kb-docs"])
def test_a_hand_written_page_can_not_hide_a_record(project: Path, docs: str) -> None:
    (project / "docs").rename(project / docs)
    site = project / "mkdocs.yml"
    site.write_text(site.read_text("utf-8").replace("docs_dir: docs", f"docs_dir: {docs}"), "utf-8")
    folder = project / docs / "products"
    folder.mkdir()
    (folder / "tpu-v6e.md").write_text("# Mine\n", encoding="utf-8")
    answer = build(project)
    assert answer.returncode != 0
    assert f" {docs}/products/tpu-v6e.md has the place of a generated page" in answer.stderr
    assert f"move it below {docs}/guide/" in answer.stderr


def test_a_hostile_name_is_shown_and_does_nothing(project: Path) -> None:
    name = "</title><script>alert(1)</script>]( javascript:alert(2) )<img src=x onerror=alert(3)>"
    spec = project / "specs" / "hostile.yml"
    spec.write_text(HOSTILE.format(name=name.replace("'", "''")), encoding="utf-8")
    record = project / DECISION
    text = record.read_text(encoding="utf-8")
    named = re.sub(r"^title: .*", f"title: '{name}'", text, count=1, flags=re.M)
    record.write_text(named, encoding="utf-8")
    answer = build(project)
    assert answer.returncode == 0, answer.stderr
    for path in (project / "built").rglob("*.html"):
        page = read(path)
        assert not page.handlers, path
        assert "alert(1)" not in page.scripts, path
        assert not [a for a in page.links if a.strip().lower().startswith("javascript:")], path
    shown = (project / "built" / "products" / "hostile" / "index.html").read_text(encoding="utf-8")
    assert "&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;" in shown


HOSTILE = """\
product: hostile
name: '{name}'
vendor: '{name}'
layer: accelerator
accelerator: gpu
summary: '{name}'
"""


class Page(HTMLParser):
    """Links, anchors and loaded files of one built page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.ids: set[str] = set()
        self.handlers: set[str] = set()
        self.scripts = ""
        self.is_data = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag == "script":
            self.is_data = found.get("type") == "application/ld+json"
        self.handlers |= {name for name in found if name.startswith("on")}
        if found.get("id"):
            self.ids.add(found["id"] or "")
        if tag == "a" and found.get("href"):
            self.links.append(found["href"] or "")
        if tag in ("script", "img", "iframe") and found.get("src"):
            self.loaded.append(found["src"] or "")
        if tag == "link" and found.get("rel") in ("stylesheet", "preload", "preconnect"):
            self.loaded.append(found.get("href") or "")

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "script" and not self.is_data:
            self.scripts += data


def read(path: Path) -> Page:
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    page.close()
    return page


def test_a_label_of_the_style_sheet_is_the_head_of_its_column(built: Path) -> None:
    """On a phone a table has no head, so the style sheet says what some cells are."""
    style = (ROOT / "kb" / "pages" / "assets" / "kb.css").read_text("utf-8")
    pages = "\n".join(path.read_text("utf-8") for path in built.rglob("*.html"))
    labels = re.findall(
        r"\.(kb-[a-z]+) td:nth-child\((\d)\)\S* \{ content: \"(.*?):? \"; \}", style
    )
    assert len(labels) >= 10
    for kind, number, label in labels:
        part = pages.partition(f"kb-stack {kind}")[2].partition("</thead>")[0]
        heads = re.findall(r"<th[^>]*>(.*?)</th>", part, re.DOTALL)
        assert heads[int(number) - 1] == label


def test_drawings_pass_markdown_by_and_arrive_as_they_were_rendered(built: Path) -> None:
    for name, least in (("evidence/matmul-512-f32-cpu-20261130-1", 3), ("decisions", 1)):
        text = (built / name / "index.html").read_text("utf-8")
        shown = re.findall(r'<svg\b[^>]*role="img".*?</svg>', text, re.S)
        assert len(shown) >= least
        assert all(len(drawing) > 1000 for drawing in shown)
        assert "data-kb" not in text
    file = built / "evidence" / "matmul-512-f32-cpu-20261130-1-warm_host.svg"
    way = max(re.findall(r' d="([^"]*)"', file.read_text("utf-8")), key=len)
    assert f'd="{way}"' in (
        file.parent / file.name.removesuffix("-warm_host.svg") / "index.html"
    ).read_text("utf-8")
    assert way[:40] not in (built / "search" / "search_index.json").read_text("utf-8")


def test_the_frame_of_a_page_has_no_indents_and_its_article_is_untouched(built: Path) -> None:
    text = (built / "guide" / "compare" / "index.html").read_text("utf-8")
    frame, _, rest = text.partition("<article")
    assert not re.search(r"\n[ \n]", frame + rest.rpartition("</article>")[2])
    assert re.search(r"<pre>.*\n  +\S", rest, re.S)
