"""The page of a rule says in words what the rule looks at, whatever that is."""

from __future__ import annotations

from typing import get_args

from kb.pages.rule import SUBJECTS
from kb.rules.declare import Over


def test_everything_that_a_rule_may_look_at_has_words() -> None:
    assert set(SUBJECTS) == set(get_args(Over))
