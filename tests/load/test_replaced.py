"""A project's own product may take an installed one's place, but not in silence."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kb.checking import check
from kb.finding import Severity
from kb.home import Project, home
from kb.load import load
from kb.rules.run import check_project


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


@pytest.mark.parametrize("product", ["tpu-v6e", "mi300x", "gaudi3"])
def test_a_processor_never_takes_the_place_of_an_accelerator(tmp_path: Path, product: str) -> None:
    """Else a run on a CPU would be filed, and cited, as one of a TPU or a GPU."""
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / f"{product}.yml").write_text(
        f"product: {product}\nname: A CPU\nvendor: Example\nlayer: accelerator\n"
        "summary: An example.\ndevices: [{platform: cpu, kind: Example CPU}]\n",
        "utf-8",
    )
    loaded = load(Project(tmp_path))
    assert [f.severity for f in loaded.findings] == [Severity.ERROR]
    assert all(one.platform != "cpu" for one in loaded.corpus.products[product].value.devices)
    project = Project(tmp_path, own_rules=False)
    cache = tmp_path / "cache"
    for report in (check_project(project), check(project), check(project, cache=cache)):
        assert report.exit_code == 1
        assert [item.finding for item in report.findings] == list(loaded.findings)
    again = check(project, cache=cache)
    assert [item.finding for item in again.findings] == list(loaded.findings)


@pytest.mark.parametrize(
    ("product", "kind", "why"),
    [
        ("hgx-b200", "NVIDIA GeForce RTX 4090", "no other device is hgx-b200"),
        ("mi300x", "NVIDIA GB200", "devices of several products report 'NVIDIA GB200'"),
        ("mi300x", "NVIDIA B200", "a device that reports 'NVIDIA B200' is hgx-b200"),
    ],
)
def test_no_other_device_becomes_a_known_product(
    tmp_path: Path, product: str, kind: str, why: str
) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / f"{product}.yml").write_text(
        f"overrides: {product}\nreason: a test\ndevices: [{{platform: gpu, kind: {kind}}}]\n",
        "utf-8",
    )
    loaded = load(Project(tmp_path))
    (finding,) = loaded.findings
    assert (finding.rule, finding.severity) == ("misplaced-override", Severity.ERROR)
    assert why in finding.message
    assert loaded.corpus.products[product].value.devices == ()
