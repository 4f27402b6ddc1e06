"""Citations: where they stand, what is wrong with them, and how they are repaired."""

from __future__ import annotations

import pytest

from kb.prose.cite import citations, faults, repaired
from kb.prose.known import Known

B200 = "claim:hgx-b200/gpu-hbm-capacity"
RATIO = "compare:hgx-b200/gpu-hbm-bandwidth..tpu-v6e/chip-hbm-bandwidth"


def test_a_citation_knows_its_places() -> None:
    text = f"It holds [180 GB]({B200}), not `[1 GB]({B200})`."
    (found,) = citations(text)
    assert text[found.start : found.end] == "180 GB"
    assert text[found.target_start : found.target_end] == B200
    assert (found.kind, found.target) == ("claim", "hgx-b200/gpu-hbm-capacity")


@pytest.mark.parametrize(
    ("text", "flaw", "replacement"),
    [
        (f"[180 GB]({B200})", None, ""),
        (f"[180GB of HBM3E]({B200})", None, ""),
        (f"[the memory]({B200})", None, ""),
        (f"[192 GB]({B200})", "stale-citation", "180 GB"),
        (f"[180 GiB]({B200})", "stale-citation", "180 GB"),
        (f"[some 192 GB each]({B200})", "stale-citation", "some 180 GB each"),
        ("[1,638 GB/s](claim:tpu-v6e/chip-hbm-bandwidth)", None, ""),
        (f"[4.7×]({RATIO})", None, ""),
        (f"[4.70]({RATIO})", None, ""),
        (f"[5.1×]({RATIO})", "stale-citation", "4.7×"),
        (f"[5 times]({RATIO})", None, ""),
        ("[x](claim:hgx-b200/gpu-hbm-capcity)", "broken-citation", ""),
        ("[x](compare:hgx-b200/gpu-hbm-bandwidth)", "broken-citation", ""),
        ("[2](compare:hgx-b200/board-nvlink-bandwidth..tpu-v6e/chip-hbm-bandwidth)",
         "compare-citation-without-ratio", ""),
        ("[x](decision:0001)", None, ""),
        ("[x](decision:9999)", "broken-citation", ""),
        ("[x](evidence:nobody)", "broken-citation", ""),
    ],
)  # fmt: skip
def test_each_fault_is_named(
    text: str, flaw: str | None, replacement: str, catalogue: Known
) -> None:
    found = list(faults(text, catalogue.corpus))
    assert [f.flaw for f in found] == ([flaw] if flaw else [])
    assert all(f.remedy and f.message for f in found)
    assert [f.replacement for f in found] == ([replacement] if flaw else [])


def test_a_broken_id_suggests_a_near_one(catalogue: Known) -> None:
    (fault,) = faults("[x](claim:hgx-b200/gpu-hbm-capcity)", catalogue.corpus)
    assert "hgx-b200/gpu-hbm-capacity" in fault.remedy


def test_a_rule_is_looked_up_where_the_rules_are_known(catalogue: Known) -> None:
    text = "[x](rule:dense-versus-spars)"
    assert list(faults(text, catalogue.corpus)) == []
    (fault,) = faults(text, catalogue.corpus, rules={"dense-versus-sparse"})
    assert "dense-versus-sparse" in fault.remedy


def test_repair_touches_link_texts_only(catalogue: Known) -> None:
    text = f"192 GB, [192 GB]({B200}) and\n\n    [192 GB]({B200})\n\n`192 GB` [a]({B200})\n"
    fixed = repaired(text, catalogue.corpus)
    assert fixed == text.replace("[192 GB]", "[180 GB]", 1)[: len(text)] or "192 GB," in fixed
    assert repaired(fixed, catalogue.corpus) == fixed
