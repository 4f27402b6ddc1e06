"""Whatever stands in a foreign file, reading, judging and importing it never breaks or loses."""

from __future__ import annotations

import datetime
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from kb.records.dialects.convert import convert_log
from kb.records.dialects.folder import Log, _record
from kb.records.dialects.header import header_of
from kb.records.dialects.judge import judge_log

NAMES = ("0001-x.md", "20260101-x.md", "x.md", "kep.yaml", "7a-x.md")
PIECES = (
    "---", "\n", "\n", "\n\n", ": ", "- ", "* Status: ", "**Status**: ", "**Date:** ", "Status: ",
    "## Status\n", "# 7. Title\n", "superseded by ", "accepted", "[a](0002-y.md)", "[x] Draft | B",
    "(was: proposed)", "date: ", "2026-17-03", "2026-01-02", "1/2/3", "31-Feb-2026", "TBD",
    "superseded_by: ", "[0001, 0002]", "{", "}", "[", "]", "|", "\t", "```", "~~~", "é", "<!-- a",
    "-->", "&a ", "*a", "!!int ", "0000", "kep-number: ", "id: ", "Replaces: ", "n/a", "#12",
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(NAMES), st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_any_text_is_read_judged_and_kept(name: str, text: str) -> None:
    header = header_of(name, text)
    if header is None:
        return
    record = _record(Path(), name, (header, text, False), frozenset({name}))
    log = Log("", (record,))
    lines = text.split("\n")
    for finding in judge_log(log):
        assert finding.remedy
        assert finding.place.span is not None
        assert 1 <= finding.place.span.start.line <= len(lines)
    (ours,) = convert_log(log, set(), datetime.date(2026, 11, 30))
    kept = ours.text.split("\n")
    assert [line for line in lines if line.strip() and line not in kept] == []
