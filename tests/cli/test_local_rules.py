"""A stranger's folder is only read where its own rules may not run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import kb
from kb.cli import main
from kb.home import NO_OWN_RULES
from kb.rules.example import base_files

SPEC = "specs/bolt/bolt-b8.yml"
RULE = '''"""The file is there.

**Why.** A rule runs code.

**Refused**

```yaml
```

**Accepted**

```yaml
```
"""

from pathlib import Path

Path("ran").write_text("yes")
'''


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The sound base with a rule that leaves a trace as soon as it is loaded."""
    for name, text in base_files().items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "validators").mkdir()
    (tmp_path / "validators/leaves_a_trace.py").write_text(RULE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [["--no-local-validators", "check"], ["check", "--no-local-validators"], ["check"]],
)
def test_nothing_of_the_folder_runs(
    project: Path,
    words: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if len(words) == 1:
        monkeypatch.setenv(NO_OWN_RULES, "1")
    assert main(words) == 0
    assert not (project / "ran").exists()
    said = capsys.readouterr().out
    assert "not run: 1 rule of the project itself, as asked: leaves-a-trace" in said


def test_without_the_word_the_rule_is_loaded(project: Path) -> None:
    assert main(["check"]) == 2
    assert (project / "ran").read_text() == "yes"


def test_programs_read_which_rules_were_left_out(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert project.is_dir()
    assert main(["check", "--no-local-validators", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["skipped_rules"] == ["leaves-a-trace"]
    assert report["crashes"] == []


def test_a_waiver_of_a_rule_that_was_left_out_is_left_alone(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = project / SPEC
    text = spec.read_text("utf-8")
    spec.write_text(f"# kb: ignore[leaves-a-trace] it is known\n{text}", encoding="utf-8")
    assert main(["check", "--no-local-validators"]) == 0
    assert "unused-waiver" not in capsys.readouterr().out


def test_rendering_runs_none_either(project: Path) -> None:
    assert main(["--no-local-validators", "render", "--out", str(project / "out")]) == 0
    assert not (project / "ran").exists()


def test_the_environment_reaches_the_hook_of_mkdocs(project: Path) -> None:
    (project / "docs").mkdir()
    (project / "docs/guide.md").write_text("# Guide\n", encoding="utf-8")
    hook = Path(kb.__file__).with_name("mkdocs_hook.py")
    config = f"site_name: t\nhooks: [{hook}]\ntheme: {{name: mkdocs}}\n"
    (project / "mkdocs.yml").write_text(config, encoding="utf-8")
    environment = os.environ | {NO_OWN_RULES: "1", "NO_MKDOCS_2_WARNING": "1"}
    words = [sys.executable, "-m", "mkdocs", "build", "--site-dir", str(project / "site")]
    result = subprocess.run(
        words, cwd=project, env=environment, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    assert (project / "site/products/index.html").is_file()
    assert not (project / "ran").exists()
