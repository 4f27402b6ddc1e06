"""Rules by strangers: whatever one raises, yields or prints, it is named and the others run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kb.cli import main
from kb.finding import Severity
from kb.load import load_files
from kb.rules import judged
from kb.rules.collect import Collected, collect, collect_folders
from kb.rules.example import TODAY, base_files
from kb.rules.run import judge
from tests.rules.test_collect import DOCSTRING, RULE, write

YIELD = '        yield Problem(entry.place.at("title"), "the title is short", "write a longer one")'
SILENT = """
class Mute(Exception):
    def __str__(self):
        raise RuntimeError
"""


def body(text: str, head: str = "") -> str:
    """A rule whose function does `text` for every decision."""
    rule = RULE.replace("if len(entry.value.title) < 2:\n    ", "").replace(YIELD[4:].strip(), text)
    return DOCSTRING + head + rule


RAISED = {
    "GeneratorExit": "GeneratorExit",
    "asyncio": "__import__('asyncio').CancelledError",
    "pytest": "__import__('pytest').skip.Exception",
    "BaseException": "BaseException",
    "SystemExit": "SystemExit",
    "Mute": "Mute",
}


@pytest.mark.parametrize("error", RAISED.values(), ids=RAISED)
def test_what_a_rule_raises_ends_that_rule_alone(tmp_path: Path, error: str) -> None:
    folder = tmp_path / "validators"
    running = body(f"raise {error}('x'); yield", SILENT)
    loading = DOCSTRING + SILENT + RULE + f"\nraise {error}('x')\n"
    found = write(folder, running=running, loading=loading, sound=body(YIELD.strip()))
    report = judge(load_files(dict(base_files())), found, TODAY)
    assert [crash.rule for crash in report.crashes] == ["validators/loading.py", "running"]
    assert {item.finding.rule for item in report.findings} == {"sound"}
    assert report.exit_code == 2


def test_an_interrupt_is_no_fault_of_a_rule(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        write(tmp_path / "loading", odd="raise KeyboardInterrupt\n")
    found = write(tmp_path / "running", odd=body("raise KeyboardInterrupt; yield"))
    with pytest.raises(KeyboardInterrupt):
        judge(load_files(dict(base_files())), found, TODAY)


PLACE = 'entry.place.at("title")'
ODD = [
    (f'Problem({PLACE}, 5, "r")', "message"),
    (f'Problem({PLACE}, "m", None)', "remedy"),
    (f'Problem({PLACE}, "m", "r", label=5)', "label"),
    (f'Problem({PLACE}, "m", "r", related=[5])', "related"),
    (f'Problem({PLACE}, "m", "r", related=(5,))', "related"),
    (f'Problem({PLACE}, "m", "r", within=("a", "b"))', "within"),
    ('Problem("decisions/0001-acme-or-bolt.md", "m", "r")', "AttributeError"),
    ('Problem(type(entry.place)(entry.place.path, (), span=5), "m", "r")', "place"),
    ('Problem(type(entry.place)(5), "m", "r")', "AttributeError"),
]


@pytest.mark.parametrize(("problem", "said"), ODD)
def test_a_problem_with_an_odd_field_is_named(tmp_path: Path, problem: str, said: str) -> None:
    found = write(tmp_path / "validators", odd=body(f"yield {problem}"), sound=body(YIELD.strip()))
    report = judge(load_files(dict(base_files())), found, TODAY)
    (crash,) = report.crashes
    assert crash.rule == "odd"
    assert said in crash.reason
    assert {item.finding.rule for item in report.findings} == {"sound"}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ('over="decision", severity="bad"', "'bad' is no severity"),
        ('over="bad"', "looks over 'bad'"),
        ('over=["decision"]', "looks over"),
    ],
)
def test_a_rule_declared_oddly_is_refused(tmp_path: Path, options: str, said: str) -> None:
    text = DOCSTRING + RULE.replace('over="decision"', options)
    (refusal,) = write(tmp_path / "validators", odd=text).refusals
    assert said in refusal.reason
    for severity in Severity:
        assert severity.name in refusal.remedy or "over=" in refusal.remedy


@pytest.mark.parametrize(
    "action",
    ["print('noise')", "sys.stdout.close()", "sys.__stdout__.close()", "sys.stdout = None"],
)
@pytest.mark.parametrize("when", ["loading", "running"])
def test_what_a_rule_prints_stays_out_of_the_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], action: str, when: str
) -> None:
    for name, text in base_files().items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    head = f"\nimport sys\n{action}\n" if when == "loading" else "\nimport sys\n"
    doing = "yield from ()" if when == "loading" else f"{action}; yield from ()"
    (tmp_path / "validators").mkdir()
    (tmp_path / "validators" / "loud.py").write_text(body(doing, head), encoding="utf-8")
    code = main(["--project", str(tmp_path), "check", "--json"])
    shown = capsys.readouterr()
    report = json.loads(shown.out)
    assert (code, report["exit_code"], report["crashes"]) == (0, 0, [])
    assert ("noise" in shown.err) == action.startswith("print")


def test_a_comparison_at_which_judging_fails_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RecursionError("too deep")

    monkeypatch.setattr(judged, "compare", fail)
    report = judge(load_files(dict(base_files())), Collected(collect().rules), TODAY)
    assert report.exit_code == 2
    assert report.crashes
    for crash in report.crashes:
        assert " against " in crash.reason
        assert "was not judged: RecursionError: too deep" in crash.reason
    assert report.blind.comparisons_unjudged == len(report.crashes)


def test_no_folder_is_no_mistake(tmp_path: Path) -> None:
    assert collect_folders([tmp_path / "none"]) == Collected(())
