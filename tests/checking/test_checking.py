"""A check from the cache says what a check without one says, and judges only what it must."""

from __future__ import annotations

import datetime
import json
import os
import pickle
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.generate import knowledge_base, write
from kb.checking import check, state, store, workers
from kb.checking.part import Part
from kb.checking.record import rule_in, rule_out
from kb.checking.state import read_files
from kb.checking.whole import Known, check_whole
from kb.home import Project, project_at
from kb.rules.collect import Late, collect
from kb.rules.example import TODAY
from kb.rules.result import Report
from kb.rules.run import check_project
from tests.checking.conftest import Recheck


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def test_it_is_the_plain_check(project: Project, recheck: Recheck) -> None:
    assert recheck() == check_project(project, TODAY)


def test_with_every_rule_firing_it_is_the_plain_check(tmp_path: Path, cache: Path) -> None:
    write(knowledge_base(3, 3, evidence=1, mistakes=1), tmp_path / "base")
    project = project_at(tmp_path / "base")
    plain = check_project(project, TODAY)
    assert len({item.finding.rule for item in plain.findings}) > 70
    for _ in range(2):
        assert check(project, TODAY, cache=cache, jobs=1) == plain


def test_rules_that_are_read_when_they_are_asked_say_the_same(tmp_path: Path) -> None:
    write(knowledge_base(3, 3, evidence=1, mistakes=1), tmp_path / "base")
    project = project_at(tmp_path / "base")
    late = tuple(rule_in(json.loads(json.dumps(rule_out(rule)))) for rule in collect().rules)
    assert all(isinstance(rule.declared.check, Late) for rule in late)
    outcome = check_whole(project, read_files(project, TODAY), TODAY, Known(heads=late), 1)
    assert [rule.declared.check for rule in outcome.rules.rules] == [
        rule.declared.check for rule in late
    ]
    assert outcome.report == check_project(project, TODAY)


def test_a_result_names_what_it_rests_on_elsewhere_and_once(
    project: Project, recheck: Recheck, cache: Path
) -> None:
    recheck()
    stored = store.load(cache)
    assert stored is not None
    files = stored.read("files")["files"]
    found = {path: result[1] for path, (_, _, result) in files.items() if path and result}
    assert len(found) == 20
    for path, asked in found.items():
        assert f"document:{path}" not in asked
        assert not {name.replace("?", ":", 1) for name in asked if "?" in name} & set(asked)
    decision = next(path for path in found if path.startswith(project.decisions))
    assert any(name.startswith("claim:") for name in found[decision])


def test_nothing_is_judged_where_nothing_changed(
    project: Project, recheck: Recheck, judged: list[str]
) -> None:
    first = recheck()
    assert len(judged) == 20
    judged.clear()
    assert recheck() == first
    assert judged == []
    tomorrow = TODAY + datetime.timedelta(days=1)
    assert check(project, tomorrow) == first
    assert len(judged) == 20


def test_another_day_judges_nothing_anew(
    project: Project, cache: Path, recheck: Recheck, judged: list[str]
) -> None:
    first = recheck()
    judged.clear()
    assert check(project, TODAY + datetime.timedelta(days=1), cache=cache) == first
    assert judged == []


def test_a_changed_claim_judges_exactly_its_dependents(
    project: Project, recheck: Recheck, judged: list[str]
) -> None:
    recheck()
    judged.clear()
    spec = min(project.folder("specs").rglob("*-g*.yml"))
    claim = f"{spec.stem}/gpu-hbm-bandwidth"
    edit(
        spec,
        "        source: datasheet-0\n        locator: table 3",
        "        source: datasheet-0\n        locator: row 3",
    )
    digits = re.search(r'gpu-hbm-bandwidth.*?published: "(\d+) GB/s"', spec.read_text(), re.S)
    assert digits
    edit(spec, f'"{digits[1]} GB/s"', f'"{int(digits[1]) + 1} GB/s"')
    report = recheck()
    texts = {p: p.read_text() for p in project.folder("decisions").iterdir()}
    dependents = {f"decisions/{p.name}" for p, text in texts.items() if claim in text}
    filed = f'"product": "{spec.stem}"'  # whose device it is, its product says
    records = project.folder("evidence").iterdir()
    dependents |= {f"evidence/{p.name}" for p in records if filed in p.read_text("utf-8")}
    assert 0 < len(dependents) < len(texts)
    assert set(judged) == {spec.relative_to(project.root).as_posix(), *dependents}
    assert {item.finding.rule for item in report.findings} >= {"stale-citation"}
    assert report == check_project(project, TODAY)


def test_a_new_decision_is_the_only_one_judged(
    project: Project, recheck: Recheck, judged: list[str]
) -> None:
    recheck()
    judged.clear()
    old = next(project.folder("decisions").glob("0003-*.md"))
    text = old.read_text().replace('id: "0003"', 'id: "0999"')
    (old.parent / "0999-another.md").write_text(text)
    assert recheck() == check_project(project, TODAY)
    assert judged == ["decisions/0999-another.md"]


def test_what_waited_for_a_record_is_judged_when_it_comes(
    project: Project, recheck: Recheck, judged: list[str]
) -> None:
    record = next(project.folder("evidence").iterdir())
    text = record.read_text()
    record.unlink()
    assert {item.finding.rule for item in recheck().findings} == {"dangling-reference"}
    judged.clear()
    record.write_text(text)
    assert recheck().findings == ()
    assert 1 < len(judged) < 10


def test_processes_change_neither_order_nor_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "FEW", 10)
    write(knowledge_base(40, 6, evidence=3, mistakes=1), tmp_path / "base")
    project = project_at(tmp_path / "base")
    one = check(project, TODAY, jobs=1)
    assert len(one.findings) > 70
    assert check(project, TODAY, jobs=3) == one


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_process_that_is_killed_is_made_up_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "FEW", 10)
    here = os.getpid()
    really = Part.judge

    def judge(self: Part, *rest: object) -> object:
        if os.getpid() != here:
            os._exit(9)
        return really(self, *rest)  # type: ignore[arg-type]  # as it was called

    write(knowledge_base(40, 6), tmp_path / "base")
    project = project_at(tmp_path / "base")
    one = check(project, TODAY, jobs=1)
    monkeypatch.setattr(Part, "judge", judge)
    assert check(project, TODAY, jobs=2) == one


RULE = '''"""A title is short.

**Why.** People read it.

**Refused**

```yaml decision
title: A very long title
```

**Accepted**

```yaml decision
title: Short
```
"""

from kb.rules import Problem, rule


@rule(over="{over}")
def long_title({arguments}):
    for one in corpus.decisions.values():
        if len(one.value.title) > {most}:
            yield Problem(one.place.at("title"), "too long", "shorten it")
'''


def test_a_rule_about_everything_runs_again_after_any_change(
    project: Project, recheck: Recheck
) -> None:
    folder = project.folder("validators")
    folder.mkdir()
    rule = folder / "long_title.py"
    rule.write_text(RULE.format(over="corpus", arguments="corpus", most=100))
    assert recheck().findings == ()
    decision = next(project.folder("decisions").glob("0004-*.md"))
    edit(decision, "title: Run", f"title: {'Run ' * 15}")
    assert {item.finding.rule for item in recheck().findings} == {"long-title"}
    rule.write_text(RULE.format(over="corpus", arguments="corpus", most=5000))
    assert recheck().findings == ()


def test_a_rule_that_crashes_is_told_every_time(project: Project, recheck: Recheck) -> None:
    folder = project.folder("validators")
    folder.mkdir()
    text = RULE.format(over="decision", arguments="entry, corpus", most="1 / 0")
    (folder / "long_title.py").write_text(text)
    for _ in range(2):
        report = recheck()
        assert report == check_project(project, TODAY)
        assert [crash.rule for crash in report.crashes] == ["long-title"]
        assert report.exit_code == 2


READING = """
from pathlib import Path


@rule(over="decision")
def long_title(entry, corpus):
    for word in (Path(__file__).parent / "data" / "words.txt").read_text().split():
        if word in entry.value.title:
            yield Problem(entry.place.at("title"), f"says {word}", "leave it out")
"""


@pytest.mark.parametrize("most", [state.MOST_DATA, 0])
def test_what_a_rule_reads_beside_itself_is_looked_at(
    project: Project, recheck: Recheck, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(state, "MOST_DATA", most)
    folder = project.folder("validators")
    (folder / "data").mkdir(parents=True)
    head, _, _ = RULE.partition("@rule")
    (folder / "long_title.py").write_text(f"{head}{READING}")
    words = folder / "data" / "words.txt"
    words.write_text("nowhere")
    assert recheck() == check_project(project, TODAY)
    assert recheck().findings == ()
    title = re.search(
        r"^title: (\w+)", next(project.folder("decisions").glob("0004-*.md")).read_text(), re.M
    )
    assert title
    words.write_text(title[1])
    report = recheck()
    assert report == check_project(project, TODAY)
    assert {item.finding.rule for item in report.findings} == {"long-title"}


def test_what_can_not_be_read_beside_a_rule_stops_no_check(
    project: Project, recheck: Recheck
) -> None:
    folder = project.folder("validators")
    folder.mkdir()
    os.mkfifo(folder / "pipe")
    (folder / "gone.txt").symlink_to("nowhere")
    (folder / "memory.txt").symlink_to("/proc/self/mem")
    assert recheck().findings == ()


@pytest.mark.parametrize("name", ["prose/words.txt", "units.txt", "rules/artefact.json"])
def test_the_data_of_the_program_belong_to_its_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    package = tmp_path / "kb"
    shutil.copytree(Path(state.__file__).parents[1], package)
    monkeypatch.setattr(state, "__file__", str(package / "checking" / "state.py"))
    before = state._program.__wrapped__()
    assert state._program.__wrapped__() == before
    with (package / name).open("a", encoding="utf-8") as file:
        file.write("\n")
    assert state._program.__wrapped__() != before


COUNTED = """
@rule(over="decision")
def long_title(entry, corpus):
    count = len(list(corpus.decisions_on("matmul-generated-0")))
    if len(entry.value.title) > 12:
        yield Problem(entry.place.at("title"), f"too long beside {count}", "shorten it")
"""


def test_what_decisions_rest_on_is_asked_anew_for_each(project: Project, recheck: Recheck) -> None:
    folder = project.folder("validators")
    folder.mkdir()
    head, _, _ = RULE.partition("@rule")
    (folder / "long_title.py").write_text(f"{head}{COUNTED}")
    assert recheck() == check_project(project, TODAY)
    changed = next(project.folder("decisions").glob("0004-*.md"))
    edit(changed, "evidence: [matmul-generated-1]", "evidence: [matmul-generated-0]")
    assert recheck() == check_project(project, TODAY)


def test_what_git_remembers_is_looked_at(project: Project, recheck: Recheck) -> None:
    git = ["git", "-C", str(project.root), "-c", "user.name=A", "-c", "user.email=a@b.c"]
    decision = next(project.folder("decisions").glob("0005-*.md"))
    rejected = decision.read_text().replace("status: hypothesis", "status: rejected")
    decision.write_text(rejected)
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-qm", "first"], check=True)
    assert recheck() == check_project(project, TODAY)
    edit(decision, "status: rejected", "status: hypothesis")
    for _ in range(2):
        report = recheck()
        assert report == check_project(project, TODAY)
        assert [item.finding.rule for item in report.findings] == ["illegal-transition"]


class Trap:
    """Writes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.path,)


def damaged(whole: bytes, tmp_path: Path) -> dict[str, bytes]:
    head, report, files = whole.split(b"\n", 2)
    kind, code, run, _ = json.loads(head)

    def forged(report: object, files: object) -> bytes:
        parts = [json.dumps(part).encode() for part in (report, files)]
        return b"\n".join((json.dumps([kind, code, run, store._check(*parts)]).encode(), *parts))

    wrong = json.loads(report)
    wrong["findings"] = [[["rule", "error", 5, [], "", "", []], [], [], ""]]
    odd = json.loads(files)
    odd["files"] = {path: [state, {"a": 1}, 7] for path, (state, _, _) in odd["files"].items()}
    return {
        "empty": b"",
        "cut": whole[: len(whole) // 2],
        "one byte": whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:],
        "no text": bytes(range(256)),
        "of another version": whole.replace(b"check 3", b"check 2"),
        "a pickle": pickle.dumps(Trap(tmp_path / "sprung")),
        "wrong types in the report": forged(wrong, json.loads(files)),
        "wrong types in the files": forged([], odd),
        "lists for everything": forged([], []),
        "deep": forged([], json.loads("[" * 900 + "]" * 900)),
    }


def test_a_damaged_or_foreign_cache_is_as_good_as_none(
    project: Project, recheck: Recheck, cache: Path, tmp_path: Path
) -> None:
    edit(next(project.folder("decisions").glob("0002-*.md")), "GB/s](claim", "GB/s] (claim")
    plain: Report = recheck()
    assert plain.findings
    whole = cache.read_bytes()
    for what, content in damaged(whole, tmp_path).items():
        cache.write_bytes(content)
        assert recheck() == plain, what
        assert cache.read_bytes() == whole, what
    assert not (tmp_path / "sprung").exists()
    assert [path.name for path in cache.parent.iterdir()] == [cache.name]


def test_the_cache_of_another_project_says_nothing(
    project: Project, recheck: Recheck, cache: Path, tmp_path: Path
) -> None:
    write(knowledge_base(10, 6, evidence=3, seed=1), tmp_path / "other")
    decision = tmp_path / "other" / "decisions" / "0001-recommender.md"
    edit(decision, "status: hypothesis", "status: accepted")
    check(project_at(tmp_path / "other"), TODAY, cache=cache)
    assert recheck() == check_project(project, TODAY)
    assert recheck().findings == ()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a file away")
def test_the_cache_of_another_user_is_not_read(recheck: Recheck, cache: Path) -> None:
    recheck()
    assert store.load(cache) is not None
    os.chown(cache, 12345, 12345)
    assert store.load(cache) is None


def test_where_no_cache_can_be_written_the_check_goes_on(project: Project, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    there = tmp_path / "file" / "check.json"
    assert check(project, TODAY, cache=there) == check_project(project, TODAY)


def test_a_process_with_more_threads_is_not_forked() -> None:
    """A fork copies one thread and every lock, so its child could wait for ever."""
    code = "from kb.checking.workers import can_fork; print(can_fork())"
    thread = "threading.Thread(target=time.sleep, args=(600,), daemon=True)"
    begun = f"import threading, time; {thread}.start()"
    for before, answer in (("", sys.platform == "linux"), (f"{begun}; ", False)):
        done = subprocess.run(
            [sys.executable, "-c", before + code], capture_output=True, text=True, check=True
        )
        assert done.stdout.strip() == str(answer)


def test_where_the_system_does_not_tell_its_threads_nothing_is_forked(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A container may have no `/proc`."""
    monkeypatch.setattr(workers, "TASKS", tmp_path / "proc")
    assert workers.can_fork() is False
    assert check(project, TODAY, jobs=4) == check_project(project, TODAY)
