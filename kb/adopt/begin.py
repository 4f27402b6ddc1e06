"""The first files of a knowledge base, from templates that lie beside this module."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from kb.adopt.origin import install, language
from kb.adopt.surroundings import ABOUT
from kb.compare import compare
from kb.corpus import Corpus
from kb.finding import CheckError
from kb.home import toml
from kb.operand import operand_of_claim

TEMPLATES = Path(__file__).with_name("files")
PARTS = ("github", "gitlab", "pre-commit", "site", "example")
"""What may be left out."""
SCHEMAS = ".kb/schemas"
"""Where editors find the schemas of the files."""
HOOK = ".kb/mkdocs_hook.py"
SITE = "mkdocs.yml"
TABLE = "pyproject.toml"
CI = {
    "pre-commit": ".pre-commit-config.yaml",
    "github": ".github/workflows/kb.yml",
    "gitlab": ".gitlab-ci.yml",
}
"""The files that install kb elsewhere, by their part."""
_SERVICES = {
    "pre-commit": "pre-commit-config.yaml",
    "github": "github.yml",
    "gitlab": "gitlab-ci.yml",
}
IGNORES = ".gitignore"
"""Belongs to the whole repository, so one that is there already is never replaced."""
CITED = ("hgx-b200/gpu-hbm-bandwidth", "tpu-v6e/chip-hbm-bandwidth")
"""The two claims that the first record sets side by side."""


@dataclass(frozen=True)
class Setting:
    """What the templates are filled with."""

    name: str
    """Title of the site."""
    requirement: str | None
    """What pip installs to get kb; None where nobody said so yet."""
    who: str
    """Who decides, for the first record."""
    today: str
    folders: Mapping[str, str]
    """The content folders by kind, as `[tool.kb]` has them."""
    figures: Mapping[str, str]
    """LEFT, RIGHT and RATIO of the first record, as the catalogue has them now."""
    foreign: tuple[str, ...] = ()
    """Folders of decision records of another tool, which stay as they are."""
    without: tuple[str, ...] = ()
    """Which of `PARTS` are left out."""
    docs: str = "docs"
    """The folder of the site's hand-written pages."""


def beginnings(setting: Setting, schemas: Mapping[str, str]) -> dict[str, str]:
    """Every file to write by its path, but for the table in `pyproject.toml`."""
    specs, decisions = setting.folders["specs"], setting.folders["decisions"]
    parts = {
        "example": {
            f"{decisions}/0001-jax-on-hgx-b200-or-tpu-v6e.md": "decisions/first.md",
            f"{setting.folders['validators']}/decision_without_decider.py": (
                "validators/decision_without_decider.py.txt"
            ),
        },
        **{part: {CI[part]: template} for part, template in _SERVICES.items()},
        "site": {SITE: "mkdocs.yml", HOOK: "hook.py.txt"},
    }
    if not setting.docs.startswith(("..", "/")):  # else it is somebody else's folder
        parts["site"][f"{setting.docs}/{ABOUT}"] = ABOUT
    files = {f"{specs}/sources.yml": "specs/sources.yml", IGNORES: "gitignore"}
    for part in (part for part in parts if part not in setting.without):
        files |= parts[part]
    written = {path: _filled(template, setting) for path, template in files.items()}
    return written | {f"{SCHEMAS}/{name}.schema.json": text for name, text in schemas.items()}


def _filled(template: str, setting: Setting) -> str:
    text = (TEMPLATES / template).read_text(encoding="utf-8")
    words = {
        "NAME": _quoted(setting.name),
        "TITLE": setting.name,
        "INSTALL": install(setting.requirement),
        "LANGUAGE": language(setting.requirement),
        "DOCS": "" if setting.docs == "docs" else f"docs_dir: {_plain(setting.docs)}",
        "TODAY": setting.today,
        "WHO": _quoted(setting.who),
        "HOOK": HOOK,
        "SCHEMAS": "../" * (setting.folders["specs"].count("/") + 1) + SCHEMAS,
        "CONTENT": _content(setting.folders.values()),
        "FOREIGN": "\n".join(_foreign(template, setting)),
        **setting.figures,
    }
    for word, value in words.items():
        # A line that holds a word alone goes with it where there is nothing to say.
        text = text.replace(f"@{word}@\n", f"{value}\n" if value else "")
        text = text.replace(f"@{word}@", value)
    return text


def _quoted(text: str) -> str:
    """A text as one YAML scalar; JSON's strings are YAML's."""
    return json.dumps(text, ensure_ascii=False)


def _plain(text: str) -> str:
    """A text as one YAML scalar, in quotes only where it could mean something else without."""
    return text if re.fullmatch(r"\^?[\w ./\\-]+", text) else _quoted(text)


def _content(folders: Iterable[str]) -> str:
    names = sorted(re.escape(name) for name in folders)
    return rf"^({'|'.join(names)})/|^pyproject\.toml$"


def _foreign(template: str, setting: Setting) -> Iterator[str]:
    """The step that judges the records of another tool, in the words of one service."""
    for folder in setting.foreign:
        command = f"kb check --decisions {shlex.quote(folder)}"
        slug = re.sub(r"[^\w.-]+", "-", folder)
        if template == "github.yml":
            yield f"      - name: {_plain(f'Check {folder}')}"
            yield "        if: ${{ !cancelled() }}"
            yield f"        run: {_plain(f'{command} --format github')}"
        elif template == "gitlab-ci.yml":
            yield f"    - {_plain(command)}"
        elif template == "pre-commit-config.yaml":
            yield f"      - id: kb-check-{slug}"
            yield f"        name: {_plain(command)}"
            yield f"        entry: {_plain(command)}"
            yield f"        {language(setting.requirement)}"
            yield "        pass_filenames: false"
            yield f"        files: {_plain(f'^{re.escape(folder)}/')}"


def with_table(text: str, folders: Mapping[str, str]) -> str:
    """`pyproject.toml` with a `[tool.kb]` table at its end; unchanged where it has one.

    Raises `CheckError` where the text is no TOML, since appending could change its meaning.
    """
    tool = toml(text, "pyproject.toml").get("tool", {})
    if isinstance(tool, dict) and "kb" in tool:
        return text
    end = "\r\n" if "\r\n" in text else "\n"
    named = [f'{kind} = "{name}"' for kind, name in folders.items() if kind != name]
    lines = ["[tool.kb]  # the knowledge base begins here", *named]
    lead = "" if not text.strip() else text.rstrip("\r\n") + end + end
    return lead + end.join(lines) + end


def not_ignored(present: str, wanted: str) -> tuple[str, ...]:
    """The patterns of `wanted` that a present `.gitignore` lacks, in any usual spelling."""
    there = {_pattern(line) for line in present.splitlines()}
    lines = (line for line in wanted.splitlines() if line and not line.startswith("#"))
    return tuple(line for line in lines if _pattern(line) not in there)


def _pattern(line: str) -> str:
    """A pattern of one name without what doesn't change that it holds at the top: `/build/`."""
    return line.strip().removeprefix("**/").strip("/")


def figures_of(corpus: Corpus) -> dict[str, str]:
    """What the first record cites, as the installed catalogue prints it today."""
    left, right = (operand_of_claim(corpus.claims[key]) for key in CITED)
    verdict = compare(left, right, corpus)
    if verdict.ratio is None:
        raise CheckError(f"{CITED[0]} and {CITED[1]} have no ratio", "install kb again")
    return {
        "LEFT": left.quantity.text,
        "RIGHT": right.quantity.text,
        "RATIO": f"{float(verdict.ratio):.1f}",
    }
