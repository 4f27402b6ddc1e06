"""What the project stands on: locked versions, their licences, builds that repeat, few rights."""

from __future__ import annotations

import hashlib
import json
import os
import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
FREE = ("MIT", "BSD", "Apache", "PSF", "Python Software Foundation", "MPL", "Mozilla", "0BSD",
        "Zlib", "CC0", "ISC", "HPND", "Unlicense")  # fmt: skip
"""Beginnings of licences that any part of the project may depend on."""
EXTRAS_ONLY = re.compile(
    r"(?P<postgres>psycopg(-binary)?\tLGPL-3.0-only)|(?P<aot>libtpu\tGoogle Cloud.*"
    r"|(nvidia|jax-cuda|cuda)-[\w-]+\t.*(NVIDIA|Other/Proprietary|LicenseRef).*)"
)
"""Packages with other terms; each comes with an extra that is named for what it brings."""


def lines_of(name: str) -> list[str]:
    text = (ROOT / name).read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def licences() -> dict[str, str]:
    return dict(line.split("\t") for line in lines_of("licences.txt"))


def test_every_version_is_exact_and_no_address_is_named() -> None:
    assert all(re.fullmatch(r"[\w.-]+==[\w.!+-]+", line) for line in lines_of("constraints.txt"))


def test_every_locked_package_has_a_licence_that_we_may_use() -> None:
    locked = [line.partition("==")[0] for line in lines_of("constraints.txt")]
    assert list(licences()) == locked, "run tools/licences after make lock"
    other = [
        name
        for name, told in licences().items()
        if not told.startswith(FREE) and not EXTRAS_ONLY.fullmatch(f"{name}\t{told}")
    ]
    assert not other


def test_what_is_always_installed_is_permissive() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    names = [re.match(r"[\w.-]+", line) for line in project["dependencies"]]
    known = {name.lower(): told for name, told in licences().items()}
    told = {match[0]: known[match[0].lower()] for match in names if match}
    assert told
    assert all(text.startswith(("MIT", "BSD", "Apache")) for text in told.values()), told


WORKFLOWS = ("kb/adopt/files/github.yml", ".github/workflows/release.yml")
RIGHTS = {
    "kb": {"": {"contents": "read", "security-events": "write"}, "check": None},
    "release": {
        "": {"contents": "read"},
        "build": None,
        "attest": {"contents": "read", "id-token": "write", "attestations": "write"},
        "publish": {"contents": "write"},
    },
}
"""What each workflow may, and each of its jobs where that is something else."""


def workflow(name: str) -> dict[str, Any]:
    """A workflow; of a template the words that are filled in are taken for plain ones."""
    text = (ROOT / name).read_text("utf-8")
    text = re.sub(r"(?m)^@[A-Z]+@\n", "", text)  # a line of its own, for a further step
    text = re.sub(r"@[A-Z]+@", "word", text)
    found: dict[str, Any] = yaml.safe_load(text)
    return found


@pytest.mark.parametrize("name", WORKFLOWS)
def test_shipped_workflows_ask_for_no_more_than_they_need(name: str) -> None:
    found = workflow(name)
    asked = {"": found["permissions"]}
    asked |= {job: told.get("permissions") for job, told in found["jobs"].items()}
    assert asked == RIGHTS[found["name"]]
    text = (ROOT / name).read_text("utf-8")
    assert "secrets." not in text
    assert "pull_request_target" not in text


def test_what_may_write_runs_no_code_of_ours() -> None:
    """Nothing is checked out or installed where a release can be signed or made."""
    jobs = workflow(".github/workflows/release.yml")["jobs"]
    for name in ("attest", "publish"):
        steps = jobs[name]["steps"]
        used = {step["uses"].partition("@")[0] for step in steps if "uses" in step}
        assert used <= {"actions/download-artifact", "actions/attest-build-provenance",
                        "actions/attest-sbom"}  # fmt: skip
        assert all(step["run"].startswith("gh release create ") for step in steps if "run" in step)


@pytest.mark.parametrize("name", [*WORKFLOWS, "action.yml"])
def test_actions_are_named_by_their_commit(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    used = re.findall(r"uses: *(.+)", text)
    assert used
    pinned = re.compile(r"[\w-]+(/[\w-]+)+@[0-9a-f]{40}  # v\d+\.\d+\.\d+")
    assert [each for each in used if not pinned.fullmatch(each)] == []


@pytest.mark.slow
def test_the_steps_of_a_release_run_in_a_shell(tmp_path: Path) -> None:
    """Their own commands, on a clone: the tag is compared, and the build repeats elsewhere."""
    if not (ROOT / ".git").exists():
        pytest.skip("a release is made from a clone")
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
    steps = {step.get("name"): step for step in
             workflow(".github/workflows/release.yml")["jobs"]["build"]["steps"]}  # fmt: skip
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    (clone / ".venv").mkdir()
    for path in Path(sys.prefix).iterdir():
        (clone / ".venv" / path.name).symlink_to(path)
    for name in (".site", ".dev"):  # nothing is installed anew
        (clone / ".venv" / name).unlink(missing_ok=True)
        (clone / ".venv" / name).touch()

    def run(name: str, tag: str) -> subprocess.CompletedProcess[str]:
        known = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
        return subprocess.run(
            ["bash", "-e", "-c", steps[name]["run"]], cwd=clone, check=False,
            env={**known, "GITHUB_REF_NAME": tag}, capture_output=True, text=True,
        )  # fmt: skip

    assert run("Compare the tag with the version", f"v{version}").returncode == 0
    assert run("Compare the tag with the version", "v9.9.9").returncode == 1
    built = run("Build twice in two places, and compare the bytes", f"v{version}")
    assert built.returncode == 0, built.stdout + built.stderr
    assert run("Write down the hashes", f"v{version}").returncode == 0
    names = sorted(path.name for path in (clone / "dist").iterdir())
    assert names == ["SHA256SUMS", f"accelerator_kb-{version}-py3-none-any.whl", "sbom.cdx.json"]
    sums = (clone / "dist/SHA256SUMS").read_text("utf-8").split()
    assert sums[1::2] == names[1:]


@pytest.mark.slow
def test_two_builds_give_the_same_bytes(tmp_path: Path) -> None:
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_"))}
    clean["SOURCE_DATE_EPOCH"] = "1700000000"
    hashes = []
    for name in ("one", "two"):
        out = tmp_path / name
        words = [sys.executable, "-m", "build", "--wheel", "--no-isolation"]
        words += ["--outdir", str(out), str(ROOT)]
        done = subprocess.run(words, env=clean, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        (wheel,) = out.glob("*.whl")
        hashes.append(hashlib.sha256(wheel.read_bytes()).hexdigest())
    assert hashes[0] == hashes[1]


def blocks(name: str) -> dict[str, str]:
    """The entries of a file with hashes, by what they pin."""
    text = (ROOT / "requirements" / name).read_text("utf-8")
    parts = re.split(r"\n(?=[A-Za-z0-9])", text)
    assert parts[0].startswith("# Locked versions and hashes")
    return {part.split()[0].lower(): part for part in parts[1:]}


def normal(line: str) -> str:
    return re.sub(r"[-_.]+(?=.*==)", "-", line).lower()


FILES = ["base.txt", "site.txt", "dev.txt", "fuzz.txt", "aot.txt"]


@pytest.mark.parametrize("name", FILES)
def test_every_package_has_its_hashes_and_the_locked_version(name: str) -> None:
    found = blocks(name)
    assert all(re.search(r"--hash=sha256:[0-9a-f]{64}", text) for text in found.values())
    assert not [text for text in found.values() if "://" in text or "index-url" in text]
    locked = {line.split("==")[0]: line for line in map(normal, lines_of("constraints.txt"))}
    of_other_systems = {normal(pin).split("==")[0] for pin in found} - locked.keys()
    builds = {"hatchling", "editables", "trove-classifiers", "tomlkit"}
    assert of_other_systems <= builds | {"httpx2-jsfetch", "pywin32"}, "run make lock"
    wrong = [pin for pin in map(normal, found) if locked.get(pin.split("==")[0], pin) != pin]
    assert not wrong, "run make lock"


def test_what_the_project_names_is_in_the_files_with_hashes() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = {"base.txt": [], "site.txt": ["docs", "jax"], "dev.txt": ["dev"], "fuzz.txt": ["fuzz"],
              "aot.txt": ["aot-cuda", "aot-tpu", "cuda", "dev"]}  # fmt: skip
    assert list(extras) == FILES
    for name in FILES:
        optional = project["optional-dependencies"]
        wanted = [*project["dependencies"], *(w for e in extras[name] for w in optional[e])]
        held = {normal(pin).split("==")[0] for pin in blocks(name)}
        named = {match[0] for line in wanted if (match := re.match(r"[\w.-]+", line))}
        missing = {re.sub(r"[-_.]+", "-", n).lower() for n in named} - held - {"accelerator-kb"}
        assert not missing, "run make lock"


def test_what_asks_for_advisories_is_locked_by_hash() -> None:
    found = blocks("audit.txt")
    assert any(pin.startswith("pip-audit==") for pin in found)
    assert all(re.search(r"--hash=sha256:[0-9a-f]{64}", text) for text in found.values())
    assert not [text for text in found.values() if "://" in text or "index-url" in text]


def test_nothing_is_installed_from_an_index_without_its_hash() -> None:
    """Every line that installs, of the makefile, of CI, of the action and of the audit."""
    found = []
    for name in ("Makefile", ".ci/run", "action.yml", "tools/audit"):
        text = (ROOT / name).read_text("utf-8").replace("\\\n", " ")
        for written in ('"${pip[@]}"', "$(INSTALL)", '"pip", "install"'):
            text = text.replace(written, "pip install")
        found += [line.strip() for line in re.findall("(?m)^.*pip install .*$", text)]
    bare = [line for line in found if not re.search("--require-hashes|--no-deps", line)]
    assert len(found) >= len(bare) + 5
    assert bare == [
        "INSTALL := -m pip install --quiet --disable-pip-version-check",  # used by the next two
        'pip=("$RUNNER_TEMP/kb/bin/python" -m pip install --quiet)',
        'pip install "$REQUIREMENT"',  # what a user names instead
    ]


@pytest.mark.slow
def test_an_installation_that_takes_nothing_without_its_hash(tmp_path: Path) -> None:
    python = tmp_path / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path)], check=True)
    pip = [str(python), "-m", "pip", "install", "--quiet"]
    subprocess.run(
        [*pip, "--require-hashes", "--requirement", str(ROOT / "requirements/base.txt")], check=True
    )
    subprocess.run([*pip, "--no-deps", "--no-build-isolation", str(ROOT)], check=True)
    assert subprocess.run([str(python), "-m", "pip", "check"], check=False).returncode == 0
    told = subprocess.run(
        [str(tmp_path / "bin" / "kb"), "list"], cwd=tmp_path, capture_output=True, check=True
    )
    assert b"tpu-v6e" in told.stdout


def tool(name: str, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(ROOT / "tools" / name), *words], env={**os.environ, **environment},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_bill_of_materials_lists_every_locked_package() -> None:
    first, again = tool("sbom", PYTHONHASHSEED="1"), tool("sbom", PYTHONHASHSEED="2")
    assert first.returncode == 0, first.stderr
    assert first.stdout == again.stdout, "equal locks give equal bytes"
    bom = json.loads(first.stdout)
    assert (bom["bomFormat"], bom["specVersion"]) == ("CycloneDX", "1.6")
    listed = [f"{part['name']}=={part['version']}" for part in bom["components"]]
    assert listed == lines_of("constraints.txt")
    refs = [part["bom-ref"] for part in bom["components"]]
    assert len(set(refs)) == len(refs)
    assert all(part["licenses"] for part in bom["components"])
    hashed = [part for part in bom["components"] if part.get("externalReferences")]
    assert len(hashed) >= len(set(map(normal, blocks("dev.txt"))) & set(map(normal, listed)))


@pytest.mark.slow
def test_an_audit_that_can_not_ask_says_that_it_judged_nothing(tmp_path: Path) -> None:
    """No network is never a clean bill."""
    nowhere = {"PIP_CONFIG_FILE": os.devnull, "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
               "PIP_FIND_LINKS": "", "PIP_EXTRA_INDEX_URL": "", "PIP_RETRIES": "0",
               "PIP_NO_CACHE_DIR": "1", "TMPDIR": str(tmp_path)}  # fmt: skip
    done = tool("audit", **nowhere)
    assert done.returncode == 3, done.stdout
    assert done.stdout.startswith("not judged: pip-audit can't be installed")


@pytest.mark.parametrize(
    ("answer", "code", "said"),
    [
        ([{"name": "a", "version": "1", "vulns": []}], 0, "no known vulnerability in 1 locked"),
        ([{"name": "a", "version": "1", "vulns": [{"id": "PYSEC-1"}]}], 1, "a 1: PYSEC-1"),
        ([{"name": "a", "skip_reason": "not on PyPI"}], 3, "not judged: 1 of 1 packages: a"),
        ([{"name": "a", "version": "1", "vulns": []}, {"name": "b", "skip_reason": "x"}], 3,
         "not judged: 1 of 2 packages: b"),
        ([], 3, "not judged: 0 of 0 packages"),
    ],
)  # fmt: skip
def test_an_audit_is_green_only_where_every_package_was_judged(
    answer: list[dict[str, object]], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    judged = runpy.run_path(str(ROOT / "tools/audit"))["judged"]
    assert judged(answer) == code
    assert capsys.readouterr().out.startswith(said)
