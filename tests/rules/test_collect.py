"""Rules are collected by path; a file that is no rule is refused by name, the others count."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from kb.home import Project, home
from kb.rules.collect import Collected, collect, collect_folders

DOCSTRING = '''"""A name is too short.

**Why.** Short names say nothing.

**Refused**

```yaml decision
title: X
```

**Accepted**

```yaml decision
title: A title
```
"""
'''
RULE = """
from kb.rules import Problem, rule


@rule(over="decision")
def short_title(entry, corpus):
    if len(entry.value.title) < 2:
        yield Problem(entry.place.at("title"), "the title is short", "write a longer one")
"""


def write(folder: Path, **files: str) -> Collected:
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return collect_folders([folder])


def slugs(collected: Collected) -> list[str]:
    return [rule.slug for rule in collected.rules]


def test_the_slug_is_the_file_name(tmp_path: Path) -> None:
    (rule,) = write(tmp_path / "validators", short_title=DOCSTRING + RULE).rules
    assert (rule.slug, rule.declared.over) == ("short-title", "decision")
    assert rule.text.message == "A name is too short."
    assert [block.kind for block in rule.text.blocks("refused")] == ["decision"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (DOCSTRING, "declares 0 rules"),
        (DOCSTRING + RULE + RULE.replace("short_title", "other"), "declares 2 rules"),
        (RULE, "no docstring"),
        ('"""A sentence."""\n' + RULE, "headings"),
        (DOCSTRING.replace("**Why.**", "**Reason.**") + RULE, "headings"),
        (DOCSTRING.replace("A name is too short.", "") + RULE, "'message'"),
        (DOCSTRING.replace("too short.", "too short") + RULE, "full stop"),
        (DOCSTRING.replace("```", "~~~") + RULE, "no fenced example"),
        ("def broken(:\n", "SyntaxError"),
        ("raise SystemExit(0)\n", "SystemExit"),
        ("import nothing_of_that_name\n", "ModuleNotFoundError"),
    ],
)
def test_a_file_that_is_no_rule_is_refused_by_name(tmp_path: Path, text: str, reason: str) -> None:
    found = write(tmp_path / "validators", a_good_one=DOCSTRING + RULE, odd=text)
    (refusal,) = found.refusals
    assert refusal.name == "validators/odd.py"
    assert reason in refusal.reason
    assert refusal.remedy
    assert [rule.slug for rule in found.rules] == ["a-good-one"]


@pytest.mark.parametrize("name", ["Title", "short-title", "2short", "short__title"])
def test_a_name_must_be_a_slug(tmp_path: Path, name: str) -> None:
    (refusal,) = write(tmp_path / "validators", **{name: DOCSTRING + RULE}).refusals
    assert "slug" in refusal.reason


def test_slugs_of_the_reader_are_taken(tmp_path: Path) -> None:
    (refusal,) = write(tmp_path / "validators", invalid_yaml=DOCSTRING + RULE).refusals
    assert "already taken by the reader" in refusal.reason


def test_a_project_may_add_rules_but_not_replace_one(tmp_path: Path) -> None:
    write(tmp_path / "validators", short_title=DOCSTRING + RULE, file_name=DOCSTRING + RULE)
    found = collect(Project(tmp_path))
    assert found.find("short-title") is not None
    (refusal,) = found.refusals
    assert "'file-name' is already taken" in refusal.reason
    kept = found.find("file-name")
    assert kept is not None
    assert kept.path.parent == home() / "validators"


def test_one_file_reached_twice_counts_once(tmp_path: Path) -> None:
    folder = tmp_path / "validators"
    write(folder, short_title=DOCSTRING + RULE)
    other = tmp_path / "again"
    other.symlink_to(folder)
    assert len(collect_folders([folder, other]).rules) == 1
    assert collect_folders([folder, other]).refusals == ()


def test_the_checkout_collects_its_own_rules_once() -> None:
    assert slugs(collect(Project(home()))) == slugs(collect()) != []


def test_underscore_files_are_skipped_and_nothing_is_left_on_the_import_path(
    tmp_path: Path,
) -> None:
    path, modules = list(sys.path), set(sys.modules)
    found = write(tmp_path / "validators", _helper="raise ValueError", short=DOCSTRING + RULE)
    assert [rule.slug for rule in found.rules] == ["short"]
    assert sys.path == path
    assert not {name for name in set(sys.modules) - modules if "validators" in name}


def test_a_project_without_validators_is_no_mistake(tmp_path: Path) -> None:
    assert slugs(collect(Project(tmp_path))) == slugs(collect())


def test_a_copy_of_a_rule_is_the_same_rule(tmp_path: Path) -> None:
    write(tmp_path / "one", short_title=DOCSTRING + RULE)
    write(tmp_path / "two", short_title=DOCSTRING + RULE)
    found = collect_folders([tmp_path / "one", tmp_path / "two"])
    assert (slugs(found), found.refusals) == (["short-title"], ())
    assert found.rules[0].path.parent.name == "one"
    write(tmp_path / "two", short_title=DOCSTRING + RULE + "# more\n")
    (refusal,) = collect_folders([tmp_path / "one", tmp_path / "two"]).refusals
    for folder in ("one", "two"):
        assert str(tmp_path / folder / "short_title.py") in refusal.reason
    assert "differs from" in refusal.reason


def test_a_clone_is_checked_by_a_kb_from_elsewhere(tmp_path: Path) -> None:
    shutil.copytree(home() / "validators", tmp_path / "validators")
    assert collect(Project(tmp_path)) == collect()
    assert collect(Project(tmp_path, own_rules=False)).skipped == ()
