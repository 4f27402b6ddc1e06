"""One decision walks its whole life, with the commands that a person would type."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from kb.model.evidence import Evidence
from kb.model.gates import sealed
from tests.records.conftest import Run, begun, commit, record, replace, runner

FILLED = """\
options:  # one accelerator each
  - {id: acme, title: JAX on Acme X1, framework: JAX, accelerator: acme-x1}
  - {id: bolt, title: JAX on Bolt B8, framework: JAX, accelerator: bolt-b8}
"""
GROUNDS = """\
deployment:
  accelerators: 1
  shapes: ["512x512, 512x512"]
  narrow: The service multiplies these two and nothing else.
  service_objective: 2 ms at the median
  failure_domain: one chip
"""
COST = """\
cost:
  engineering: {low: 1, high: 2, by: Ada}
  operation:
    - {option: acme, price: 2.70 USD/h, currency: USD, region: here, term: on demand,
       date: 2026-11-30, source: price list}
"""
CITING = "It reads [1,638 GB/s](claim:acme-x1/chip-hbm-bandwidth)."
CARRIED = """\
evidence: [matmul-acme-x1-1]
bottleneck: {boundary: warm_host, observed: arithmetic, evidence: matmul-acme-x1-1}
chosen: acme"""
EVIDENCE = "evidence/matmul-acme-x1-1.json"
ACME = "specs/acme/acme-x1.yml"


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose decision 0002 went from draft to accepted, committed at every step."""
    project = begun(tmp_path_factory.mktemp("walked"))
    kb = runner(project)
    assert kb("new", "decision", "--title", "Multiply on Acme X1", "--question", "On what?") == 0
    path = record(project, "0002")
    assert path.name == "0002-multiply-on-acme-x1.md"
    assert kb("check") == 0
    commit(project, "Draft")

    text = path.read_text("utf-8")
    start, end = text.index("options:"), text.index("varied:")
    path.write_text(text[:start] + FILLED + text[end:], encoding="utf-8")
    replace(
        path,
        ("varied: []", "varied: [accelerator]"),
        ("## Context\n", f"## Context\n\n{CITING}\n"),
        ("name it before this becomes a hypothesis", "A matmul on Acme X1."),
    )
    assert kb("status", "0002", "hypothesis", "--note", "to be measured") == 0
    commit(project, "Hypothesis")
    assert kb("status", "0002", "accepted") == 1, "nothing was measured yet"
    assert "status: hypothesis" in path.read_text("utf-8")

    text = path.read_text("utf-8")
    start, end = text.index("deployment: open"), text.index("portability: open")
    text = text[:start] + GROUNDS + text[end:]
    start, end = text.index("cost: open"), text.index("review_by:")
    path.write_text(text[:start] + COST + text[end:], encoding="utf-8")
    replace(
        path,
        ("evidence: []", CARRIED),
        ("what the result must still be good for", "a forecast that keeps its two digits"),
    )
    assert kb("check") == 0
    commit(project, "Add evidence")
    assert kb("status", "0002", "accepted", "--note", "measured") == 0
    assert kb("check") == 0
    commit(project, "Accept")
    return project


@pytest.fixture
def project(tmp_path: Path, walked: Path) -> Path:
    return shutil.copytree(walked, tmp_path / "project")


@pytest.fixture
def accepted(project: Path) -> Path:
    return record(project, "0002")


def test_from_draft_to_superseded(  # noqa: PLR0915 - a whole life in its order
    project: Path, kb: Run, accepted: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = accepted.read_text("utf-8")
    assert "options:  # one accelerator each" in text, "comments stay"
    assert "by: Ada Example\n" in text
    assert "@" not in text
    assert "id: acme-x1/chip-hbm-bandwidth" in text
    capsys.readouterr()

    # The specification moves within the tolerance of 10 %.
    replace(project / ACME, ('"1,638 GB/s"', '"1,700 GB/s"'))
    # What `kb fix` would do: the figure on a citation follows the catalogue, under the seal.
    replace(accepted, ("[1,638 GB/s]", "[1,700 GB/s]"))
    kb("check")
    out = capsys.readouterr().out
    assert "warning[stale-pin]" in out
    assert "was 1,638 GB/s, is 1,700 GB/s: +3.79 %, tolerance 10 %" in out
    assert "suspect-decision" not in out
    assert "accepted-text-changed" not in out
    assert kb("review", "0002") == 0
    assert "restamped by Ada Example" in capsys.readouterr().out
    kb("check")
    assert "stale-pin" not in capsys.readouterr().out

    # A second small step: together they are beyond it, since the accepted value is remembered.
    replace(project / ACME, ('"1,700 GB/s"', '"1,850 GB/s"'))
    replace(accepted, ("[1,700 GB/s]", "[1,850 GB/s]"))
    assert kb("check") == 1
    out = capsys.readouterr().out
    assert "error[suspect-decision]" in out
    assert "was 1,638 GB/s, is 1,850 GB/s: +12.9 %, tolerance 10 %" in out
    assert "before: 1,638 GB/s; now: 1,850 GB/s" in out
    assert kb("status") == 0
    assert "accepted, suspect" in capsys.readouterr().out
    assert kb("review", "0002") == 1
    assert '--confirm "<why it still holds>"' in capsys.readouterr().out
    assert kb("review", "0002", "--confirm", "arithmetic binds, not memory") == 0
    assert "reviewed by Ada Example" in capsys.readouterr().out
    kb("check")
    assert "suspect-decision" not in capsys.readouterr().out
    commit(project, "Review")

    # Another decision takes its place.
    assert kb("new", "decision", "--title", "On Bolt B8", "--question", "On what now?") == 0
    assert kb("supersede", "0002", "0003") == 2, "a draft replaces nothing"
    replace(
        record(project, "0003"),
        ("name it before this becomes a hypothesis", "A matmul on Bolt B8."),
    )
    assert kb("status", "0003", "hypothesis") == 0
    capsys.readouterr()
    assert kb("supersede", "0002", "0003", "--note", "Bolt B8 is here") == 0
    assert "0002 is superseded by 0003" in capsys.readouterr().out
    old, new = accepted.read_text("utf-8"), record(project, "0003").read_text("utf-8")
    assert "status: superseded" in old
    assert 'superseded_by:\n  - "0003"' in old
    assert 'supersedes:\n  - "0002"' in new
    commit(project, "Supersede")
    kb("check")
    out = capsys.readouterr().out
    assert "supersession" not in out
    assert "illegal-transition" not in out
    assert kb("log", "0002") == 0
    events = [line.split()[2] for line in capsys.readouterr().out.splitlines()[:-1]]
    assert [event.rstrip(":") for event in events] == [
        "draft", "hypothesis", "accepted", "restamped", "reviewed", "superseded",
    ]  # fmt: skip


def test_removed_or_edited_evidence_fails_the_check(
    project: Path, kb: Run, accepted: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert accepted.is_file()
    path = project / EVIDENCE
    whole = path.read_text("utf-8")
    path.unlink()
    assert kb("check") == 1
    assert "there is no evidence record 'matmul-acme-x1-1'" in capsys.readouterr().out

    # Sealed anew by its editor, so that the record agrees with itself: the pin still knows.
    data = json.loads(whole)
    data["created"] = "2026-11-29T00:00:00Z"
    forged = sealed(Evidence.model_validate_json(json.dumps(data)))
    path.write_text(json.dumps(forged.model_dump(mode="json"), indent=2), encoding="utf-8")
    assert kb("check") == 1
    out = capsys.readouterr().out
    assert "error[suspect-decision]" in out
    assert "evidence was edited" in out


def test_a_text_changed_after_acceptance_is_found(
    project: Path, kb: Run, accepted: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replace(accepted, ("## What stays open", "## What is settled"))
    assert kb("check") == 1
    assert "error[accepted-text-changed]" in capsys.readouterr().out
    replace(accepted, ("## What is settled", "## What stays open"))
    path = project / "decisions" / accepted.name
    erratum = "\n> **Erratum 2026-11-30.** Read *chip* for *ship*.\n"
    path.write_text(path.read_text("utf-8") + erratum, encoding="utf-8")
    kb("check")
    assert "accepted-text-changed" not in capsys.readouterr().out
