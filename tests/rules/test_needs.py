"""What a rule says that it needs: it is silent without that, and refused where it can't be."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.generate import knowledge_base
from kb.load import load_files
from kb.rules.collect import collect, collect_folders
from kb.rules.example import TODAY
from kb.rules.run import judge

RULE = '''"""A decision that is none.

**Why.** It is a test.

**Refused**

```yaml decision
evidence: []
```

**Accepted**

```yaml decision
evidence: []
```
"""

from kb.rules import rule


@rule({arguments})
def own(*_):
    yield from ()
'''


def test_every_rule_that_is_not_asked_would_have_said_nothing() -> None:
    loaded, rules = load_files(knowledge_base(4, 4, evidence=2, mistakes=1)), collect()
    needing = [rule for rule in rules.rules if rule.declared.needs]
    assert len(needing) > 30
    always = replace(
        rules,
        rules=tuple(
            replace(rule, declared=replace(rule.declared, needs=())) for rule in rules.rules
        ),
    )
    asked = judge(loaded, rules, TODAY)
    assert judge(loaded, always, TODAY) == asked
    assert {rule.slug for rule in needing} <= {item.finding.rule for item in asked.findings}


@pytest.mark.parametrize(
    "arguments",
    [
        'over="decision", needs="evidence"',
        'over="decision", needs=("evidence", 1)',
        'over="claim", needs=("statements",)',
        'over="corpus", needs=("decisions",)',
    ],
)
def test_needs_that_are_no_fields_are_refused(tmp_path: Path, arguments: str) -> None:
    (tmp_path / "own.py").write_text(RULE.replace("{arguments}", arguments), "utf-8")
    (refusal,) = collect_folders([tmp_path]).refusals
    assert "are no fields of a" in refusal.reason


def test_a_field_that_is_not_there_is_the_rules_own_crash(tmp_path: Path) -> None:
    text = RULE.replace("{arguments}", 'over="decision", needs=("evidences",)')
    (tmp_path / "own.py").write_text(text, "utf-8")
    report = judge(load_files(knowledge_base(1, 2)), collect_folders([tmp_path]), TODAY)
    (crash,) = report.crashes
    assert crash.rule == "own"
    assert "AttributeError at 0001" in crash.reason
