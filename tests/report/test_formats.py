"""Each format shows the same report, and no value of a file can write into the format."""

from __future__ import annotations

import json
import re

import pytest

from kb.cli.terminal import show
from kb.finding import Finding, Label, Severity
from kb.report import FORMATS, WITHOUT_CLOSING, renderer
from kb.report.text import render as text
from kb.rules.fingerprint import fingerprinted
from kb.rules.result import BlindSpots, Crash, Located, Mark, Report, RuleNote, Waived
from kb.source import Place, Position, Span

LINE = '  - {published: "180 gb", source: bolt-datasheet}'
NASTY = "a\r\n::error file=x::boom %0A , : \x1b[31m\u202e ##[set]\x00"


def span(line: int, start: int, end: int) -> Span:
    return Span(Position(line, start), Position(line, end))


def located(
    message: str = "'gb' has more than one reading",
    severity: Severity = Severity.ERROR,
    mark: Mark | None = None,
    remedy: str = "write 'GB' or 'Gbit'",
    rule: str = "ambiguous-unit",
    related: str = "the other one",
) -> Located:
    mark = mark or Mark("specs/a.yml", span(3, 22, 24), LINE)
    place = Place(mark.path)
    finding = Finding(rule, severity, message, place, remedy, "not read", (Label(place, related),))
    return Located(finding, mark, (Mark("specs/b.yml", span(7, 1, 2), "x: 1", related),))


REPORT = Report(
    findings=fingerprinted((located("it is old", Severity.WARNING, rule="undated"), located())),
    waived=(Waived(located("silenced"), "as printed"),),
    crashes=(Crash("broken-rule", "KeyError at acme/x", "correct validators/broken_rule.py"),),
    blind=BlindSpots(claims_open=2, comparisons_undetermined=1),
    files=("specs/a.yml", "specs/b.yml"),
    rules=41,
    known=(located("known before", rule="old-one"),),
    notes=(RuleNote("ambiguous-unit", Severity.ERROR, "A unit has two readings.", "**Why.**"),),
    prefix="kb/",
)

EXPECTED = """\
specs/a.yml:3:22: warning[undated]
  it is old
    3 |   - {published: "180 gb", source: bolt-datasheet}
      |                      ^^ not read
  specs/b.yml:7:1: related: the other one
  fix: write 'GB' or 'Gbit'

specs/a.yml:3:22: error[ambiguous-unit]
  'gb' has more than one reading
    3 |   - {published: "180 gb", source: bolt-datasheet}
      |                      ^^ not read
  specs/b.yml:7:1: related: the other one
  fix: write 'GB' or 'Gbit'

rule failed: broken-rule: KeyError at acme/x
  fix: correct validators/broken_rule.py

1 error, 1 warning (1 waived, 1 in the baseline) in 2 files, checked by 41 rules
not judged: 2 claims with an open needed axis, 1 undetermined comparison
the check is not complete: a rule did not run to its end
"""


def test_text_is_what_people_read() -> None:
    assert text(REPORT) == EXPECTED


def test_colours_change_nothing_but_colours() -> None:
    coloured = text(REPORT, colour=True)
    assert coloured != EXPECTED
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == EXPECTED


def test_a_clean_report_says_so() -> None:
    clean = Report((), files=("specs/a.yml",), rules=41)
    assert text(clean) == "no findings in 1 file, checked by 41 rules\n"


def test_a_long_line_is_cut_around_the_caret() -> None:
    line = "x" * 300 + "BAD" + "y" * 300
    shown = text(Report((located(mark=Mark("a", span(1, 301, 304), line)),), files=("a",), rules=1))
    quoted, carets = shown.splitlines()[2:4]
    assert len(quoted) < 120
    assert quoted.count("…") == 2
    assert carets.index("^") == quoted.index("BAD")
    assert carets.count("^") == 3


def test_the_caret_stands_right_behind_escaped_characters() -> None:
    line = "a\x07\tb: BAD"
    shown = text(Report((located(mark=Mark("a", span(1, 7, 10), line)),), files=("a",), rules=1))
    quoted, carets = shown.splitlines()[2:4]
    assert carets.index("^") == quoted.index("BAD")


def test_the_caret_stands_right_under_a_wide_script() -> None:
    line = "帯域幅 e\u0301: 高速"
    mark = Mark("a", span(1, 9, 11), line)
    shown = text(Report((located(mark=mark),), files=("a",), rules=1))
    quoted, carets = shown.splitlines()[2:4]
    # Three characters of two columns, a blank, an accented letter, a colon and a blank.
    assert carets.index("^") == quoted.index("|") + 2 + 10
    assert carets.count("^") == 4


def nasty() -> Report:
    mark = Mark(NASTY, span(1, 1, 3), NASTY)
    return Report(
        fingerprinted((located(NASTY, mark=mark, remedy=NASTY, related=NASTY),)),
        crashes=(Crash(NASTY, NASTY, NASTY),),
        files=(NASTY,),
        rules=1,
    )


def test_text_obeys_no_character_of_a_file() -> None:
    shown = text(nasty())
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", shown)
    assert "\\u{1b}" in shown
    # No new line begins inside a value: every line is one of the report's own.
    starts = (
        r"^a\\u",
        "^  ",
        "^      ",
        "^    1",
        "^rule failed",
        "^$",
        r"^\d error",
        "^the check",
    )
    assert all(any(re.match(start, line) for start in starts) for line in shown.splitlines())


def test_github_writes_one_command_a_finding() -> None:
    shown = renderer("github")(nasty())
    lines = shown.split("\n")
    commands = [line for line in lines if line.startswith("::")]
    assert len(commands) == 2
    assert len(lines) == 5  # two commands, two lines of summary, and the end of the last line
    assert "\r" not in shown
    for command in commands:
        properties, message = re.fullmatch(r"::error ([^:]*)::(.*)", command).groups()  # type: ignore[union-attr]
        assert not re.search(r"%(?!25|0A|0D|3A|2C)", properties + message)
        assert properties.count(",") == (3 if properties.startswith("file") else 0)
    assert lines[2].startswith("1 error in 1 file")


def test_github_shows_no_character_that_a_terminal_obeys() -> None:
    shown = renderer("github")(nasty())
    assert all(line.isprintable() for line in shown.splitlines())
    assert "\\u{1b}" in shown


def test_github_keeps_ordinary_text_readable() -> None:
    first = renderer("github")(REPORT).splitlines()[0]
    assert first == (
        "::error file=kb/specs/a.yml,line=3,col=22,title=ambiguous-unit::'gb' has more than one "
        "reading%0Akb/specs/b.yml:7: related: the other one%0Afix: write 'GB' or 'Gbit'"
    )
    assert renderer("github")(REPORT).splitlines()[1].startswith("::warning ")


def test_json_holds_everything() -> None:
    data = json.loads(renderer("json")(REPORT))
    assert data["schema_version"] == 1
    assert data["exit_code"] == 2
    assert data["counts"] == {
        "error": 1, "warning": 1, "note": 0, "waived": 1, "baseline": 1, "files": 2, "rules": 41,
    }  # fmt: skip
    assert data["blind_spots"]["claims_open"] == 2
    first = data["findings"][1]
    assert (first["rule"], first["severity"]) == ("ambiguous-unit", "error")
    assert (first["path"], first["line"], first["column"]) == ("specs/a.yml", 3, 22)
    assert first["end"] == {"line": 3, "column": 24}
    assert first["related"][0]["path"] == "specs/b.yml"
    assert data["waived"][0]["reason"] == "as printed"
    assert data["crashes"][0]["rule"] == "broken-rule"


def test_json_gives_every_value_back_unchanged() -> None:
    shown = renderer("json")(nasty())
    assert shown.isascii()
    assert json.loads(shown)["findings"][0]["message"] == NASTY


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_shows_every_finding(name: str) -> None:
    shown = renderer(name)(REPORT)
    assert "ambiguous-unit" in shown
    assert "undated" in shown
    assert "broken-rule" in shown


@pytest.mark.parametrize("name", sorted(set(FORMATS) - WITHOUT_CLOSING))
def test_every_format_says_what_was_not_judged_and_that_a_rule_failed(name: str) -> None:
    shown = renderer(name)(REPORT)
    assert "2 claims with an open needed axis" in shown
    assert "1 in the baseline" in shown
    assert "the check is not complete" in shown


def test_a_format_without_room_for_it_says_so_beside_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in FORMATS:
        show(REPORT, name)
        shown, beside = capsys.readouterr()
        assert "2 claims with an open needed axis" in (beside if name in WITHOUT_CLOSING else shown)
        assert bool(beside) == (name in WITHOUT_CLOSING)


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(ValueError, match="no format"):
        renderer("xml")
