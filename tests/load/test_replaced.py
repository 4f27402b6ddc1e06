"""A project's own product may take an installed one's place, but not in silence."""

from __future__ import annotations

import shutil
from pathlib import Path

from kb.finding import Severity
from kb.home import Project, home
from kb.load import load


def _copy(root: Path) -> Path:
    target = root / "specs" / "google"
    target.mkdir(parents=True)
    shutil.copy(home() / "specs" / "google" / "tpu-v6e.yml", target)
    return target / "tpu-v6e.yml"


def test_a_copy_of_the_installed_file_says_nothing(tmp_path: Path) -> None:
    _copy(tmp_path)
    assert load(Project(tmp_path)).findings == ()


def test_other_figures_under_an_installed_id_are_a_warning(tmp_path: Path) -> None:
    spec = _copy(tmp_path)
    spec.write_text(spec.read_text("utf-8").replace('"1638 GBps"', '"9900 GBps"'), "utf-8")
    loaded = load(Project(tmp_path))
    assert [(f.rule, f.severity) for f in loaded.findings] == [
        ("replaced-record", Severity.WARNING)
    ]
    current = loaded.corpus.claims["tpu-v6e/chip-hbm-bandwidth"].claim.current
    assert current.published == "9900 GBps"


def test_markdown_that_is_no_page_is_a_record_whatever_its_name(tmp_path: Path) -> None:
    folder = tmp_path / "decisions"
    folder.mkdir()
    for name in ("README.md", "index.md", "template.md", "_draft.md", "serve.md"):
        (folder / name).write_text("no front matter\n", "utf-8")
    loaded = load(Project(tmp_path), kinds=("decisions",))
    assert [(f.rule, f.place.path) for f in loaded.findings] == [
        ("front-matter", "decisions/serve.md")
    ]
