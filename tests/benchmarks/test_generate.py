"""The generated knowledge base is sound, and a planted mistake is found by its rule."""

from __future__ import annotations

from collections import Counter
from functools import cache

from benchmarks.generate import knowledge_base
from kb.load import load_files
from kb.rules.collect import Collected, collect
from kb.rules.example import TODAY
from kb.rules.result import Report
from kb.rules.run import judge


@cache
def rules() -> Collected:
    return collect()


def judged(files: dict[str, str]) -> Report:
    return judge(load_files(files), rules(), TODAY)


def test_without_mistakes_no_rule_has_anything_to_say() -> None:
    files = knowledge_base(30, 12, evidence=5)
    report = judged(files)
    assert report.findings == ()
    assert len(report.files) == len(files) == 30 + 12 + 5 + 1
    assert not report.crashes


def test_every_rule_finds_each_copy_of_its_mistake_and_hardly_another() -> None:
    sound = knowledge_base(2, 3)
    report = judged(knowledge_base(2, 3, mistakes=2))
    found = Counter(item.finding.rule for item in report.findings)
    assert set(found) == {rule.slug for rule in rules().rules}
    # An example may break one rule at two places, never another rule.
    assert all(count in (2, 4) for count in found.values()), found
    assert not {item.mark.path for item in report.findings} & set(sound)


def test_one_seed_gives_one_text_and_another_another() -> None:
    one = knowledge_base(5, 4, evidence=2, mistakes=1, seed=3)
    assert knowledge_base(5, 4, evidence=2, mistakes=1, seed=3) == one
    assert knowledge_base(5, 4, evidence=2, mistakes=1, seed=4) != one


def test_records_are_all_different() -> None:
    texts = list(knowledge_base(40, 20).values())
    assert len(set(texts)) == len(texts)
