"""Citations: where they stand, what is wrong with them, and how they are repaired."""

from __future__ import annotations

import pytest

from kb.prose.cite import citations, faults, repaired
from kb.prose.known import Known

B200 = "claim:hgx-b200/gpu-hbm-capacity"
RATIO = "compare:hgx-b200/gpu-hbm-bandwidth..tpu-v6e/chip-hbm-bandwidth"
BACK = "compare:tpu-v6e/chip-hbm-bandwidth..hgx-b200/gpu-hbm-bandwidth"


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
        (f"[5 times]({RATIO})", "stale-citation", "4.70 times"),
        (f"[0 times]({RATIO})", "stale-citation", "4.70 times"),
        (f"[0 %]({BACK})", "stale-citation", "21.3 %"),
        (f"[21 %]({BACK})", None, ""),
        (f"[0.2×]({BACK})", "stale-citation", "0.213×"),
        (f"[0.21×]({BACK})", None, ""),
        (f"[0 GB]({B200})", "stale-citation", "180 GB"),
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


MATMUL = "evidence:matmul-512-f32-cpu-20261130-1"
PLANNED = "evidence:transformer-gradient-hgx-b200-8-20261130-1#planned_bytes"
PADDING = "evidence:bucketing-cpu-20261130-152832-1#steps_of_64_padding"


@pytest.mark.parametrize(
    ("said", "target", "right"),
    [
        *((zero, f"{MATMUL}#warm_host.median", "1.32 ms")
          for zero in ("0 s", "0.0 s", "0 ms", "0.001 s", "1 ms", "2 GB", "0.00125")),
        ("1.254 s", f"{MATMUL}#warm_host.median", "1.318 ms"),
        ("1254 µs", f"{MATMUL}#warm_host.median", "1318 µs"),
        ("0.00125 s", f"{MATMUL}#warm_host.median", "0.00132 s"),
        ("0.1 s", f"{MATMUL}#compile", "26.8 ms"),
        ("0 samples", f"{MATMUL}#warm_host.n", "380 samples"),
        ("380 ms", f"{MATMUL}#warm_host.n", "380"),
        ("0 GB", PLANNED, "1.86 GB"),
        ("2 GB", PLANNED, "1.86 GB"),
        ("1 ms", PLANNED, "1.86 GB"),
        ("0 %", PADDING, "17.6 %"),
        ("0.2", PADDING, "0.176"),
        ("0 s", PADDING, "17.6 %"),
        ("0 s", PADDING.replace("padding", "building"), "17.5 s"),
        ("0", PADDING.replace("padding", "compilations"), "7"),
        ("0 s", PADDING.replace("padding", "compilations"), "7"),
    ],
)  # fmt: skip
def test_a_text_that_rounds_its_target_away_is_stale_and_mended(
    said: str, target: str, right: str, catalogue: Known
) -> None:
    text = f"It is [{said}]({target})."
    (fault,) = faults(text, catalogue.corpus)
    assert fault.flaw == "stale-citation"
    assert repr(said) in fault.message
    fixed = repaired(text, catalogue.corpus)
    assert fixed == f"It is [{right}]({target})."
    assert not list(faults(fixed, catalogue.corpus))


@pytest.mark.parametrize(
    ("said", "target"),
    [
        *((said, f"{MATMUL}#warm_host.median")
          for said in ("1.3 ms", "1.32 ms", "1318 µs", "0.0013 s", "the median")),
        ("380 samples", f"{MATMUL}#warm_host.n"),
        ("26.8 ms", f"{MATMUL}#compile"),
        ("1.73 GiB", PLANNED),
        ("18 %", PADDING),
        ("0 %", PADDING.replace("steps_of_64", "exact")),
    ],
)  # fmt: skip
def test_two_digits_are_enough_and_a_value_may_be_nought(
    said: str, target: str, catalogue: Known
) -> None:
    assert not list(faults(f"[{said}]({target})", catalogue.corpus))


def test_what_a_record_does_not_hold_is_named_as_it_was_written(catalogue: Known) -> None:
    (fault,) = faults(f"[1 s]({MATMUL}#compilation)", catalogue.corpus)
    assert "'compilation'" in fault.message
    assert "median" not in fault.message
