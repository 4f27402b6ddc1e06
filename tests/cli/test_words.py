"""What a record says of itself in a terminal."""

from __future__ import annotations

from kb.cli.measure.words import describe
from kb.home import Project, home
from kb.load import load


def test_a_run_on_an_unlisted_device_says_whom_it_speaks_for() -> None:
    corpus = load(Project(home()), kinds=("evidence",)).corpus
    first = describe(corpus.evidence["matmul-512-f32-cpu-20261130-1"].value)[0]
    assert first.endswith("(executed elsewhere: it speaks for this device alone)")
