"""The wheel on its own: built from the sdist, installed alone, used far from the checkout."""

from __future__ import annotations

import json
import os
import re
import subprocess
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUNDLED = ("schemas", "specs", "validators")

SOURCES = """\
sources:
  acme-datasheet:
    title: Acme X1 data sheet
    publisher: Acme
    kind: vendor_page
    version: edition 1
    retrieved: 2026-11-30
"""

PRODUCT = """\
product: acme-x1
name: Acme X1
vendor: Acme
layer: accelerator
accelerator: chip
summary: A chip that nobody sells.
claims:
  - id: chip-hbm-capacity
    metric: memory_capacity
    interface: hbm
    scope: chip
    basis: vendor_peak
    statements:
      - published: "32 GB"
        source: acme-datasheet
        locator: table 1
        as_of: 2026-11-30
        status: current
"""

pytestmark = pytest.mark.slow


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a program without anything that could lead it back to the checkout."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_"))}
    return subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )


def must(*command: str | Path, cwd: Path) -> str:
    done = run(*command, cwd=cwd)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@dataclass(frozen=True)
class Installed:
    """The `kb` program of a wheel, and the wheel it came from."""

    wheel: Path
    kb: Path

    def check(self, project: Path) -> subprocess.CompletedProcess[str]:
        return run(self.kb, "check", cwd=project)


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    home = tmp_path_factory.mktemp("alone")
    venv.create(home, with_pip=True)
    scripts = home / ("Scripts" if os.name == "nt" else "bin")
    must(
        scripts / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
        "--constraint", ROOT / "constraints.txt", wheel, cwd=home,
    )  # fmt: skip
    return Installed(wheel, scripts / "kb")


def project(folder: Path, product: str) -> Path:
    specs = folder / "specs"
    (specs / "acme").mkdir(parents=True)
    (specs / "sources.yml").write_text(SOURCES, "utf-8")
    (specs / "acme" / "acme-x1.yml").write_text(product, "utf-8")
    return folder


def test_the_wheel_brings_kb_and_nothing_beside_it(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        top = {name.split("/")[0] for name in archive.namelist()}
    assert top == {"kb", "-".join(wheel.name.split("-")[:2]) + ".dist-info"}


def test_the_wheel_bundles_every_file_of_the_checkout(wheel: Path) -> None:
    # hatchling's `only-include` says nothing when a folder is missing.
    with zipfile.ZipFile(wheel) as archive:
        inside = {name for name in archive.namelist() if name.startswith("kb/_bundled/")}
    outside = {
        f"kb/_bundled/{path.relative_to(ROOT).as_posix()}"
        for folder in BUNDLED
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and not path.name.startswith(".")
    }
    assert inside == outside
    assert {name.split("/")[2] for name in inside} == {name.split("/")[0] for name in BUNDLED}


def test_the_wheel_brings_the_cuda_sources(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        inside = {Path(name).name for name in archive.namelist() if "/measure/cuda/" in name}
    sources = [p for p in (ROOT / "kb/measure/cuda").iterdir() if p.suffix in (".cu", ".h", ".cc")]
    assert len(sources) >= 14
    assert {path.name for path in sources} <= inside


def test_every_validator_is_a_rule(installed: Installed, tmp_path: Path) -> None:
    listed = json.loads(must(installed.kb, "rules", "--json", cwd=tmp_path))
    slugs = {rule["slug"] for rule in listed["rules"]}
    files = {path.stem for path in (ROOT / "validators").glob("[!_]*.py")}
    assert slugs
    assert slugs == {name.replace("_", "-") for name in files}


def test_a_good_knowledge_base_passes(installed: Installed, tmp_path: Path) -> None:
    done = installed.check(project(tmp_path, PRODUCT))
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_bad_knowledge_base_fails_by_name(installed: Installed, tmp_path: Path) -> None:
    done = installed.check(project(tmp_path, PRODUCT.replace("32 GB", "32 gb")))
    assert done.returncode == 1, done.stdout + done.stderr
    assert "specs/acme/acme-x1.yml:14:24: error[ambiguous-unit]" in done.stdout


def test_an_empty_knowledge_base_was_not_checked(installed: Installed, tmp_path: Path) -> None:
    done = installed.check(tmp_path)
    assert done.returncode == 2, done.stdout + done.stderr


OWN_RULE = '''"""A product's summary ends without a full stop.

**Why.** It stands in a sentence of its own on the page.

**Refused**

```yaml spec
summary: An example
```

**Accepted**

```yaml spec
summary: An example.
```
"""

from kb.rules import Problem, rule


@rule(over="product")
def full_stop(entry, corpus):
    if not entry.value.summary.endswith("."):
        yield Problem(entry.place.at("summary"), "no full stop", "end it with a full stop")
'''


def test_a_project_brings_rules_of_its_own(installed: Installed, tmp_path: Path) -> None:
    folder = project(tmp_path, re.sub(r"(?m)^(summary: .*)\.$", r"\1", PRODUCT))
    assert installed.check(folder).returncode == 0
    (folder / "validators").mkdir()
    (folder / "validators" / "full_stop.py").write_text(OWN_RULE, encoding="utf-8")
    done = installed.check(folder)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "error[full-stop]" in done.stdout
