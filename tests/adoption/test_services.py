"""What is shipped for pre-commit and GitHub, run by the real pre-commit and a real shell."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from kb.home import NO_OWN_RULES

ROOT = Path(__file__).resolve().parents[2]
RECORD = "decisions/0001-jax-on-hgx-b200-or-tpu-v6e.md"
KB = Path(sys.executable).with_name("kb")
CLEAN = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_", "GIT_"))}
WHO = {"GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.com"}
WHO |= {key.replace("AUTHOR", "COMMITTER"): value for key, value in WHO.items()}

pytestmark = pytest.mark.slow


def run(*command: object, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(word) for word in command],
        cwd=cwd, env={**CLEAN, **WHO, **env}, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository that `kb init` began, committed."""
    root = tmp_path / "repository"
    root.mkdir()
    run("git", "init", "--quiet", cwd=root)
    done = run(KB, "init", "--without", "site", cwd=root)
    assert done.returncode == 0, done.stderr
    run("git", "add", "--all", cwd=root)
    run("git", "commit", "--quiet", "--message", "Begin", cwd=root)
    return root


def spoil(root: Path, old: str, new: str) -> None:
    path = root / RECORD
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def plant(root: Path) -> None:
    spoil(root, "right: tpu-v6e/chip-hbm-bandwidth", "right: tpu-v6e/chip-ici-bandwidth")


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="pre-commit clones a git repository")
def test_pre_commit_runs_the_hooks_of_this_repository(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    head = run("git", "rev-parse", "HEAD", cwd=ROOT).stdout.strip()
    hooks = "\n".join(f"      - id: kb-{name}" for name in ("check", "lint", "fix"))
    (project / ".pre-commit-config.yaml").write_text(
        f"repos:\n  - repo: {ROOT}\n    rev: {head}\n    hooks:\n{hooks}\n"
    )
    env = {
        "PRE_COMMIT_HOME": str(tmp_path_factory.mktemp("pre-commit")),
        "PIP_CONSTRAINT": str(ROOT / "constraints.txt"),
    }

    def pre_commit(*words: str) -> subprocess.CompletedProcess[str]:
        return run(sys.executable, "-m", "pre_commit", *words, cwd=project, **env)

    done = pre_commit("run", "--all-files")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("Passed") == 3

    plant(project)
    done = pre_commit("run", "kb-check", "--all-files")
    assert done.returncode == 1
    assert "- exit code: 1" in done.stdout
    assert f"{RECORD}:14:47: error[memory-versus-link]" in done.stdout

    run("git", "checkout", "--", RECORD, cwd=project)
    spoil(project, "[7.7 TB/s](", "[8.7 TB/s](")
    done = pre_commit("run", "kb-fix", "--all-files")
    assert "files were modified by this hook" in done.stdout
    assert run("git", "diff", "--exit-code", "--", RECORD, cwd=project).returncode == 0

    (project / "note.md").write_text("A TPU v6e chip has 32 GB of HBM at 7,700 GB/s.\n")
    run("git", "add", "--all", cwd=project)
    done = pre_commit("run", "kb-lint")
    assert done.returncode == 1
    assert "note.md:1:" in done.stdout


def test_the_manifests_are_valid() -> None:
    commands = (
        ("pre_commit", "validate-manifest", ".pre-commit-hooks.yaml"),
        ("check_jsonschema", "--builtin-schema", "vendor.github-actions", "action.yml"),
    )
    for command in commands:
        done = run(sys.executable, "-m", *command, cwd=ROOT)
        assert done.returncode == 0, done.stdout + done.stderr


def action_steps() -> dict[str, dict[str, Any]]:
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    return {step["name"]: step for step in action["runs"]["steps"]}


@pytest.fixture
def runner(tmp_path: Path) -> dict[str, str]:
    """What GitHub gives a step: two files and a folder; kb is this environment's."""
    folder = tmp_path / "runner"
    folder.mkdir()
    for name in ("output", "summary"):
        (folder / name).touch()
    (folder / "kb").symlink_to(sys.prefix)
    return {
        "RUNNER_TEMP": str(folder),
        "GITHUB_OUTPUT": str(folder / "output"),
        "GITHUB_STEP_SUMMARY": str(folder / "summary"),
    }


def test_the_action_annotates_and_leaves_sarif_and_a_summary(
    project: Path, runner: dict[str, str]
) -> None:
    step = action_steps()["Check"]
    assert set(step["env"]) == {"PROJECT", "ARGUMENTS", NO_OWN_RULES}
    inside = project / "knowledge"
    inside.mkdir()
    for path in [p for p in project.iterdir() if p.name not in (".git", "knowledge")]:
        shutil.move(path, inside / path.name)
    plant(inside)
    env = {**runner, "PROJECT": "knowledge", "ARGUMENTS": ""}
    done = run("bash", "-e", "-c", step["run"], cwd=project, **env)
    assert done.returncode == 1, done.stderr
    assert f"::error file=knowledge/{RECORD},line=14,col=47" in done.stdout
    summary = Path(env["GITHUB_STEP_SUMMARY"]).read_text("utf-8")
    assert f"| knowledge/{RECORD}:14 | error: memory-versus-link |" in summary
    _, _, sarif = Path(env["GITHUB_OUTPUT"]).read_text("utf-8").strip().partition("=")
    (result,) = yaml.safe_load(Path(sarif).read_text("utf-8"))["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place["uri"] == f"knowledge/{RECORD}"


def test_the_action_installs_what_it_is_told_to(tmp_path: Path, wheel: Path) -> None:
    step = action_steps()["Install kb"]
    # What kb needs was installed by other tests often enough.
    env = {"RUNNER_TEMP": str(tmp_path), "REQUIREMENT": str(wheel), "PIP_NO_DEPS": "1"}
    done = run("bash", "-e", "-c", step["run"], cwd=tmp_path, **env)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "kb" / "bin" / "kb").is_file()
    assert step["env"]["REQUIREMENT"] == "${{ inputs.requirement }}"


def test_the_action_installs_its_own_version_by_hashes(tmp_path: Path) -> None:
    step = action_steps()["Install kb"]
    assert step["env"]["HERE"] == "${{ github.action_path }}"
    env = {"RUNNER_TEMP": str(tmp_path), "REQUIREMENT": "", "HERE": str(ROOT)}
    done = run("bash", "-e", "-c", step["run"], cwd=tmp_path, **env)
    assert done.returncode == 0, done.stderr
    told = run(tmp_path / "kb" / "bin" / "kb", "list", cwd=tmp_path)
    assert "tpu-v6e" in told.stdout


def test_the_workflows_of_kb_init_run_in_a_shell(project: Path, runner: dict[str, str]) -> None:
    """Their own commands, from their own files, on a knowledge base with a mistake."""
    plant(project)
    path = {"PATH": f"{KB.parent}:{CLEAN['PATH']}"}
    github = yaml.safe_load((project / ".github" / "workflows" / "kb.yml").read_text("utf-8"))
    steps = {step.get("name"): step for step in github["jobs"]["check"]["steps"]}
    done = run("bash", "-e", "-c", steps["Check"]["run"], cwd=project, **runner, **path)
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith(f"::error file={RECORD},line=14,col=47")
    assert "memory-versus-link" in Path(runner["GITHUB_STEP_SUMMARY"]).read_text("utf-8")
    assert steps["Show the findings under Security"]["with"] == {"sarif_file": "kb.sarif"}
    assert (project / "kb.sarif").is_file()

    gitlab = yaml.safe_load((project / ".gitlab-ci.yml").read_text("utf-8"))["kb"]
    done = run("bash", "-e", "-c", "\n".join(gitlab["script"]), cwd=project, **path)
    assert done.returncode == 1
    issues = yaml.safe_load(
        (project / gitlab["artifacts"]["reports"]["codequality"]).read_text("utf-8")
    )
    assert [i["check_name"] for i in issues] == ["memory-versus-link"]


FORK = "${{ github.event.pull_request.head.repo.fork && '1' || '' }}"


@pytest.mark.parametrize("fork", ["1", ""])
def test_the_rules_of_a_fork_do_not_run(project: Path, runner: dict[str, str], fork: str) -> None:
    """`fork` is what the expression of GitHub comes to; GitLab sets the variable or doesn't."""
    mark = project / "ran"
    (project / "validators" / "trap.py").write_text(f"open({str(mark)!r}, 'w').close()\n")
    env = {**runner, "PATH": f"{KB.parent}:{CLEAN['PATH']}", "PROJECT": ".", "ARGUMENTS": ""}
    env |= {NO_OWN_RULES: fork}
    action = action_steps()["Check"]
    github = yaml.safe_load((project / ".github" / "workflows" / "kb.yml").read_text("utf-8"))
    job = github["jobs"]["check"]
    assert action["env"][NO_OWN_RULES] == job["env"][NO_OWN_RULES] == FORK
    (step,) = (step for step in job["steps"] if step.get("name") == "Check")
    gitlab = yaml.safe_load((project / ".gitlab-ci.yml").read_text("utf-8"))["kb"]
    for script in (action["run"], step["run"], "\n".join(gitlab["script"])):
        mark.unlink(missing_ok=True)
        done = run("bash", "-e", "-c", script, cwd=project, **env)
        # The file is no rule, so a run that reads it is not complete.
        assert done.returncode == (0 if fork else 2), done.stdout + done.stderr
        assert mark.exists() is not bool(fork)


def test_gitlab_sets_it_for_another_project_alone(project: Path) -> None:
    gitlab = yaml.safe_load((project / ".gitlab-ci.yml").read_text("utf-8"))["kb"]
    first, *others = gitlab["rules"]
    ids = ("$CI_MERGE_REQUEST_SOURCE_PROJECT_ID", "$CI_MERGE_REQUEST_PROJECT_ID")
    assert first["if"] == (f'$CI_PIPELINE_SOURCE == "merge_request_event" && {" != ".join(ids)}')
    assert first["variables"] == {NO_OWN_RULES: "1"}
    assert not any("variables" in rule for rule in others)
