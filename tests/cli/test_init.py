"""`kb init`: what it writes is sound, and nothing that was there is lost."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from kb.adopt import DISTRIBUTION, installed_from, is_bare
from kb.cli import main
from kb.home import find_project

SOUND = "no findings in 2 files"
RECORD = "0001-jax-on-hgx-b200-or-tpu-v6e.md"
NYGARD = """\
# 7. Use PostgreSQL

Date: 2025-03-01

## Status

Accepted

## Context

We need a database.
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "repository"
    root.mkdir()
    monkeypatch.chdir(root)
    return root


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def content(root: Path) -> dict[str, bytes]:
    return {p.relative_to(root).as_posix(): p.read_bytes() for p in root.rglob("*") if p.is_file()}


def check(capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert main(["check"]) == 0, capsys.readouterr().out
    return capsys.readouterr().out


CI = (".pre-commit-config.yaml", ".github/workflows/kb.yml", ".gitlab-ci.yml")
ADDRESS = f"{DISTRIBUTION} @ git+https://forge.example/kb@abc"


def test_files_for_ci_name_no_index_and_say_what_to_type(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """This installation came from a folder, so nobody knows yet where CI gets kb."""
    for _ in range(2):  # what is true is said again
        assert main(["init"]) == 0
        told = capfd.readouterr().err
        assert told.startswith(f"note: {', '.join(CI)} can't install kb elsewhere")
        assert f"  fix: kb init --from '{DISTRIBUTION} @ git+https://" in told
    assert "language: system" in (folder / CI[0]).read_text("utf-8")
    for name in CI:
        assert "pip install" not in (folder / name).read_text("utf-8")
    for line in (command(folder, CI[1]), command(folder, CI[2])):
        done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert "Type  kb init --from 'accelerator-kb @ git+https://HOST/" in done.stderr
    assert main(["init", "--from", ADDRESS]) == 0
    assert capfd.readouterr() == (
        "".join(f"renewed {name}\n" for name in CI) + "next: kb check\n",
        "",
    )
    assert all(ADDRESS in (folder / name).read_text("utf-8") for name in CI)
    for line in (command(folder, CI[1]), command(folder, CI[2])):
        assert line == f'python -m pip install "{ADDRESS}"'
    assert main(["init"]) == 0
    assert capfd.readouterr() == ("nothing to write\nnext: kb check\n", "")


def command(root: Path, name: str) -> str:
    """What a service runs to install kb, as it reads its file."""
    data = yaml.safe_load((root / name).read_text("utf-8"))
    if name == ".gitlab-ci.yml":
        (line,) = data["kb"]["before_script"]
    else:
        (line,) = (
            s["run"] for s in data["jobs"]["check"]["steps"] if s.get("name") == "Install kb"
        )
    return str(line)


def test_from_leaves_everything_but_the_address_in_the_files_for_ci(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["init"]) == 0
    own = {
        "specs/sources.yml": "sources:\n  ours: {title: T, publisher: P, kind: vendor_page}\n",
        "mkdocs.yml": "site_name: Ours\n",
        "docs/about.md": "# Ours\n",
        "decisions/0001-ours.md": "mine\n",
        "validators/ours.py": "# mine\n",
    }
    write(folder, own)
    for name in ("decisions/" + RECORD, "validators/decision_without_decider.py", CI[2]):
        (folder / name).unlink()
    workflow = folder / CI[1]
    workflow.write_text(workflow.read_text("utf-8") + "      - run: echo ours\n", "utf-8")
    before = content(folder)
    for arguments in (["--from", ADDRESS], ["--from", ADDRESS, "--force"], ["--force"]):
        assert main(["init", *arguments]) == 0
        after = content(folder)
        assert {name: after[name].decode() for name in own} == own
        assert not any(name.startswith(("decisions/0001-jax", "validators/dec")) for name in after)
        if arguments == ["--from", ADDRESS]:
            changed = {
                name for name in before.keys() | after if before.get(name) != after.get(name)
            }
            assert changed == {CI[0], CI[1]}
            assert b"- run: echo ours" in after[CI[1]]
        assert ADDRESS.encode() in after[CI[1]]  # a forced file keeps the address that it had
    assert main(["init"]) == 0
    out = capsys.readouterr().out
    assert "kept specs" not in out


OTHERS = {
    CI[2]: """\
lint:
  script:
    - python -m pip install "ruff==0.6"
kb:
  script:
    - pip install git+https://forge.example/kb
    - kb check
""",
    CI[0]: """\
repos:
  - repo: local
    hooks:
      - id: types
        entry: mypy
        language: python
        additional_dependencies: ["types-requests"]
      - id: kb-check
        entry: kb check
        language: system
""",
}


def test_what_other_tools_install_is_neither_read_nor_changed(folder: Path) -> None:
    write(folder, OTHERS)
    for said in ([], ["--from", ADDRESS]):
        assert main(["init", *said]) == 0
        assert {name: (folder / name).read_text("utf-8") for name in OTHERS} == OTHERS
        written = (folder / CI[1]).read_text("utf-8")
        assert "ruff" not in written
        assert "types-requests" not in written
    assert ADDRESS in (folder / CI[1]).read_text("utf-8")


def test_our_own_lines_are_renewed_beside_those_of_other_tools(folder: Path) -> None:
    assert main(["init", "--from", "Accelerator_KB==1.0"]) == 0
    for name, others in OTHERS.items():
        with (folder / name).open("a", encoding="utf-8") as stream:
            stream.write(others.replace("kb:", "other:"))
    before = content(folder)
    assert main(["init", "--from", ADDRESS]) == 0
    old, new = b"Accelerator_KB==1.0", ADDRESS.encode()
    for name in CI:
        assert (folder / name).read_bytes() == before[name].replace(old, new)


def test_a_bare_name_is_taken_and_doubted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "--from", f"{DISTRIBUTION}==0.1.0"]) == 0
    for _ in range(2):
        told = capsys.readouterr().err
        assert f"note: {', '.join(CI)}: pip looks up {DISTRIBUTION} by its name" in told
        assert "whoever registers it would run code in your CI" in told
        assert main(["init"]) == 0


@pytest.mark.parametrize(
    ("requirement", "bare"),
    [
        (DISTRIBUTION, True),
        (f"{DISTRIBUTION}[docs] >= 0.1", True),
        ("accelerator_kb==1.0", True),
        ("Accelerator.KB", True),
        (f"{DISTRIBUTION}; python_version>'3'", True),
        (ADDRESS, False),
        ("git+file:///srv/kb", False),
        ("wheels/accelerator_kb-0.1.0-py3-none-any.whl", False),
    ],
)
def test_a_name_that_pip_looks_up_is_told_from_an_address(requirement: str, *, bare: bool) -> None:
    assert is_bare(requirement) is bare


@pytest.mark.parametrize(
    ("noted", "requirement"),
    [
        (None, None),
        ({"url": "file:///home/ada/kb", "dir_info": {"editable": True}}, None),
        ({"url": "file:///srv/kb.git", "vcs_info": {"vcs": "git", "commit_id": "abc"}}, None),
        ({"url": "http://forge.example/kb.whl", "archive_info": {}}, None),
        (
            {"url": "https://forge.example/kb", "vcs_info": {"vcs": "git", "commit_id": "abc"}},
            ADDRESS,
        ),
        (
            {
                "url": "https://forge.example/kb.whl",
                "archive_info": {"hash": "sha256=12", "hashes": {"sha256": "12"}},
            },
            f"{DISTRIBUTION} @ https://forge.example/kb.whl#sha256=12",
        ),
        (
            {
                "url": "ssh://git@forge.example/mono",
                "vcs_info": {"vcs": "git", "commit_id": "abc"},
                "subdirectory": "kb",
            },
            f"{DISTRIBUTION} @ git+ssh://git@forge.example/mono@abc#subdirectory=kb",
        ),
    ],
)
def test_the_address_of_the_installation_is_read_where_others_reach_it(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    noted: dict[str, object] | None,
    requirement: str | None,
) -> None:
    """A real distribution on the path, as pip leaves one."""
    info = tmp_path / "accelerator_kb-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {DISTRIBUTION}\nVersion: 0.1.0\n")
    if noted is not None:
        (info / "direct_url.json").write_text(json.dumps(noted))
    monkeypatch.syspath_prepend(str(tmp_path))
    assert installed_from() == requirement


def test_nothing_is_said_of_an_index_where_no_file_asks_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    parts = ["github", "gitlab", "pre-commit"]
    assert main(["init", *(word for part in parts for word in ("--without", part))]) == 0
    assert capsys.readouterr().err == ""


def test_an_empty_folder_becomes_a_sound_knowledge_base(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["init"]) == 0
    told = capsys.readouterr().out
    assert {line.removeprefix("wrote ") for line in told.splitlines()[:-1]} == set(content(folder))
    assert check(capsys).startswith(SOUND)
    assert find_project().root == folder


def test_a_second_run_changes_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init"]) == 0
    before = content(folder)
    capsys.readouterr()
    assert main(["init"]) == 0
    assert content(folder) == before
    assert capsys.readouterr().out == "nothing to write\nnext: kb check\n"


def test_a_file_that_is_there_stays_and_force_replaces_only_what_is_ours(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder, {"mkdocs.yml": "site_name: Ours\n"})
    assert main(["init"]) == 0
    told = capsys.readouterr().out
    assert "kept mkdocs.yml, which is there already; see `kb init --show mkdocs.yml`" in told
    assert (folder / "mkdocs.yml").read_text() == "site_name: Ours\n"
    assert main(["init", "--show", "mkdocs.yml", "--name", "Theirs"]) == 0
    shown = capsys.readouterr().out
    assert 'site_name: "Theirs"' in shown
    assert (folder / "mkdocs.yml").read_text() == "site_name: Ours\n"
    assert main(["init", "--force", "--name", "Theirs"]) == 0
    assert (folder / "mkdocs.yml").read_text() == "site_name: Ours\n"
    hook = folder / ".kb" / "mkdocs_hook.py"
    hook.write_text("# broken\n")
    assert main(["init"]) == 0
    assert hook.read_text() == "# broken\n"
    assert main(["init", "--force"]) == 0
    assert "from kb.mkdocs_hook import" in hook.read_text()


def test_on_a_terminal_it_asks_before_it_overwrites(folder: Path) -> None:
    """A real terminal: Python's `pty` runs `kb init` and types the answers."""
    write(folder, {"mkdocs.yml": "site_name: Ours\n"})
    typed = (
        "import os, pty, sys\n"
        "asked = [b'Atlas\\n', b'\\n', b'n\\n', b'y\\n']\n"
        "def read(fd):\n"
        "    data = os.read(fd, 4096)\n"
        "    if data.rstrip().endswith((b']:', b'] ', b']')) and asked:\n"
        "        os.write(fd, asked.pop(0))\n"
        "    return data\n"
        "sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:], read, lambda fd: b'')))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", typed, str(Path(sys.executable).with_name("kb")), "init"],
        cwd=folder, stdin=subprocess.PIPE, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "mkdocs.yml is there already; overwrite it? [y/N]" in done.stdout
    assert (folder / "mkdocs.yml").read_text() == "site_name: Ours\n"
    assert "Atlas is a knowledge base" in (folder / "docs" / "about.md").read_text("utf-8")


def test_what_is_written_again_is_not_seen_by_git(folder: Path) -> None:
    subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)
    assert main(["init"]) == 0
    write(folder, {"build/kb.sqlite": "x", ".cache/y": "y", "validators/__pycache__/z.pyc": "z"})
    done = subprocess.run(
        ["git", "status", "--porcelain", "--untracked-files=all"],
        cwd=folder, capture_output=True, text=True, check=True,
    )  # fmt: skip
    seen = {line.removeprefix("?? ") for line in done.stdout.splitlines()}
    assert ".gitignore" in seen
    assert not any("build/" in n or ".cache/" in n or "__pycache__" in n for n in seen)


@pytest.mark.parametrize("force", [[], ["--force"]])
def test_a_gitignore_that_is_there_is_never_replaced(
    folder: Path, capsys: pytest.CaptureFixture[str], force: list[str]
) -> None:
    write(folder, {".gitignore": "node_modules/\nbuild\n!/.cache/\n"})
    assert main(["init", *force]) == 0
    assert (folder / ".gitignore").read_text() == "node_modules/\nbuild\n!/.cache/\n"
    assert "left .gitignore as it is; it lacks: /.cache/ __pycache__/" in capsys.readouterr().out
    write(
        folder,
        {
            ".gitignore": "**/__pycache__/\n/build/\n.cache\nkb.sarif\n"
            "/gl-code-quality-report.json\n"
        },
    )
    assert main(["init", *force]) == 0
    assert "lacks" not in capsys.readouterr().out


def test_records_of_another_tool_stay_and_ci_judges_them_too(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder, {"docs/adr/0007-use.md": NYGARD})
    before = content(folder)
    assert main(["init"]) == 0
    told = capsys.readouterr().out
    assert "left docs/adr/ as it is: 1 decision records (nygard)" in told
    after = content(folder)
    assert {name: after[name] for name in before} == before
    for name in (".github/workflows/kb.yml", ".gitlab-ci.yml", ".pre-commit-config.yaml"):
        assert b"kb check --decisions docs/adr" in after[name], name
    assert check(capsys).startswith(SOUND)
    assert main(["check", "--decisions", "docs/adr"]) == 0


@pytest.mark.parametrize("name", ["my adrs", "a: b #c"])
def test_a_folder_with_blanks_is_one_word_for_every_service(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    write(folder, {f"{name}/0007-use.md": NYGARD, ".adr-dir": name})
    assert main(["init", "--from", ADDRESS]) == 0
    assert f"`kb check --decisions '{name}'`" in capsys.readouterr().out
    hook, workflow, pipeline = (yaml.safe_load((folder / n).read_text("utf-8")) for n in CI)
    ours = hook["repos"][0]["hooks"][1]
    runs = [step.get("run", "") for step in workflow["jobs"]["check"]["steps"]]
    (run,) = (run for run in runs if "--decisions" in run)
    for line in (ours["entry"], run, pipeline["kb"]["script"][1]):
        assert shlex.split(line)[:4] == ["kb", "check", "--decisions", name]
    assert " " not in ours["id"]
    assert re.match(ours["files"], f"{name}/0007-use.md")


def test_folders_that_hold_something_else_are_left_alone_and_nothing_in_them_runs(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trap = folder.parent / "trap"
    write(
        folder,
        {
            "specs/api.yml": "openapi: 3.0.0\n",
            "validators/forms.py": f"open({str(trap)!r}, 'w')\n",
            "decisions/0007-use.md": NYGARD,
        },
    )
    assert main(["init"]) == 0
    told = capsys.readouterr().out
    assert "specs/ is taken by something else, so ours is kb-specs/" in told
    table = (folder / "pyproject.toml").read_text("utf-8")
    for kind in ("specs", "decisions", "validators"):
        assert f'{kind} = "kb-{kind}"' in table
    assert "evidence" not in table
    assert (folder / "kb-decisions" / RECORD).is_file()
    assert check(capsys).startswith(SOUND)
    assert not trap.exists()
    assert main(["init"]) == 0
    assert "nothing to write" in capsys.readouterr().out


PAGES = {"docs/index.md": "# Ours\n", "docs/guide/x.md": "[gone](y.md)\n"}


def test_pages_that_are_there_stay_out_of_the_site(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder, PAGES)
    assert main(["init"]) == 0
    told = capsys.readouterr().out
    assert "docs/ is taken by something else, so ours is kb-docs/" in told
    assert "docs_dir: kb-docs\n" in (folder / "mkdocs.yml").read_text("utf-8")
    assert (folder / "kb-docs" / "about.md").is_file()
    assert not (folder / "docs" / "about.md").exists()
    assert main(["init"]) == 0
    assert "nothing to write" in capsys.readouterr().out


@pytest.mark.slow
def test_the_site_of_a_repository_with_pages_is_built(folder: Path) -> None:
    pytest.importorskip("material", reason="comes with the extra docs")
    write(folder, PAGES)
    assert main(["init"]) == 0
    with (folder / "mkdocs.yml").open("a") as stream:
        stream.write("extra: {kb: {pagefind: false}}\n")  # another test searches
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"],
        cwd=folder, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    assert (folder / "build" / "site" / "decisions" / "0001" / "index.html").is_file()
    assert not (folder / "build" / "site" / "guide").exists()
    home = (folder / "build" / "site" / "index.html").read_text("utf-8")
    for linked in ("find/", "reader/", "cite/"):
        assert f'href="{linked}"' in home
    index = json.loads(
        (folder / "build" / "site" / "search" / "search_index.json").read_text("utf-8")
    )
    listed = [e["text"] for e in index["docs"] if e["location"] == "products/"]
    assert listed
    assert not any("TPU v6e" in text for text in listed), "the list would be one long line"
    assert any(e["location"].startswith("products/tpu-v6e/") for e in index["docs"])
    assert 'data-md-color-scheme="slate"' in home, "a dark site for whoever reads in the dark"


def test_without_the_example_the_first_record_is_the_first(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["init", "--without", "example"]) == 0
    assert not (folder / "decisions").exists()
    assert not (folder / "validators").exists()
    assert main(["new", "decision", "--title", "T", "--question", "Q?"]) == 0
    assert "wrote decisions/0001-t.md" in capsys.readouterr().out


def test_the_table_is_appended_to_a_pyproject_and_its_line_ends_stay(folder: Path) -> None:
    own = b"# ours\r\n[project]\r\nname = 'x'\r\n"
    (folder / "pyproject.toml").write_bytes(own)
    assert main(["init", "--without", "site", "--without", "github"]) == 0
    assert (folder / "pyproject.toml").read_bytes() == (
        own + b"\r\n[tool.kb]  # the knowledge base begins here\r\n"
    )
    assert not (folder / "mkdocs.yml").exists()
    assert not (folder / ".github").exists()


@pytest.mark.parametrize(
    ("files", "arguments", "message"),
    [
        ({"pyproject.toml": "[tool\n"}, [], "pyproject.toml can't be read"),
        ({"docs": "a file\n"}, [], "nothing was written"),
        ({"mkdocs.yml/x": "a folder\n"}, [], "mkdocs.yml is there and is no file"),
        ({}, ["--name", 'a"b'], "--name 'a\"b' can't stand in YAML"),
        ({}, ["--from", "x\ny"], "--from 'x\\ny' can't stand in YAML"),
        ({}, ["--show", "setup.py"], "kb init writes no 'setup.py'"),
        ({"there": "x"}, ["there"], "is no folder"),
    ],
)
def test_what_can_not_be_done_is_said_and_nothing_is_written(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    files: dict[str, str],
    arguments: list[str],
    message: str,
) -> None:
    write(folder, files)
    before = content(folder)
    assert main(["init", *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert "  fix: " in error
    assert content(folder) == before


def test_a_link_that_leads_out_is_not_followed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outside = folder.parent / "outside"
    outside.mkdir()
    (folder / "docs").symlink_to(outside)
    assert main(["init"]) == 2
    assert "leads out of" in capsys.readouterr().err
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize(
    ("schema", "name"),
    [
        ("vendor.github-workflows", ".github/workflows/kb.yml"),
        ("vendor.gitlab-ci", ".gitlab-ci.yml"),
    ],
)
@pytest.mark.parametrize("said", [[], ["--from", ADDRESS]], ids=["open", "told"])
def test_the_services_accept_their_files(
    folder: Path, schema: str, name: str, said: list[str]
) -> None:
    pytest.importorskip("check_jsonschema", reason="comes with the extra dev")
    write(folder, {"docs/adr/0007-use.md": NYGARD})
    assert main(["init", *said]) == 0
    accepted = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, name],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert accepted.returncode == 0, accepted.stdout + accepted.stderr


@pytest.mark.parametrize("said", [[], ["--from", ADDRESS]], ids=["open", "told"])
def test_the_configuration_of_pre_commit_is_valid(folder: Path, said: list[str]) -> None:
    pytest.importorskip("pre_commit", reason="comes with the extra dev")
    write(folder, {"docs/adr/0007-use.md": NYGARD})
    assert main(["init", *said]) == 0
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "validate-config", ".pre-commit-config.yaml"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
