"""Device time from synthetic profiles: leaves, joins, idle time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax.profiler
import pytest

from kb.finding import CheckError
from kb.measure.audit.profile import Event, leaves, read, runtime
from kb.model.artefact import Artefact, parse

EVIDENCE = Path(__file__).resolve().parents[2] / "evidence"


def record() -> Artefact:
    path = next(EVIDENCE.glob("transformer-layer-hgx-b200-*.json"))
    return parse(path.read_text(encoding="utf-8"))


def profile(path: Path, *events: tuple[str, int, int], device: str = "/device:GPU:0") -> Path:
    """A profile with events of one stream: instruction, start and length in picoseconds."""
    names = sorted({op for op, _, _ in events})
    metadata = "\n".join(
        f'event_metadata {{ key: {i} value {{ id: {i} name: "k{i}" }} }}'
        for i in range(1, len(names) + 1)
    )
    rows = "\n".join(
        f"events {{ metadata_id: {names.index(op) + 1} offset_ps: {start} duration_ps: {length} "
        f'stats {{ metadata_id: 1 str_value: "{op}" }} }}'
        for op, start, length in events
    )
    text = (
        f'planes {{ name: "{device}" {metadata}\n'
        'stat_metadata { key: 1 value { id: 1 name: "hlo_op" } }\n'
        f'lines {{ id: 1 name: "Stream #1" timestamp_ns: 0 {rows} }} }}'
    )
    data: Any = jax.profiler.ProfileData
    path.write_bytes(data.text_proto_to_serialized_xspace(text))
    return path


def test_time_is_joined_by_instruction_and_the_rest_stands_apart(tmp_path: Path) -> None:
    path = profile(
        tmp_path / "p.pb",
        ("gemm_fusion_dot.13", 0, 6_000_000),
        ("all-reduce-start", 6_000_000, 2_000_000),
        ("never_heard_of", 9_000_000, 2_000_000),
    )
    seen = runtime(read(path), record())
    assert seen.devices == 1
    assert seen.by_group == pytest.approx({"generated": 6000, "communication": 2000})
    assert (seen.unjoined, seen.idle) == pytest.approx((2000, 1000))
    assert seen.share("generated") == pytest.approx(0.6)


def test_an_event_that_holds_others_is_not_counted_twice() -> None:
    outer, first, second = Event("a", 0, 10, "o"), Event("a", 0, 4, "x"), Event("a", 5, 10, "y")
    assert leaves([outer, first, second]) == [first, second]
    deep = Event("a", 6, 7, "z")
    assert leaves([outer, first, second, deep]) == [first, deep]
    assert leaves([outer, Event("b", 1, 2, "other line")])[0] == outer


def test_events_that_follow_each_other_are_all_leaves() -> None:
    row = [Event("a", t, t + 1, "x") for t in range(3)]
    assert leaves(row) == row


def test_a_profile_without_a_device_is_refused(tmp_path: Path) -> None:
    path = profile(tmp_path / "p.pb", ("dot", 0, 5), device="/host:CPU")
    with pytest.raises(CheckError, match="no device events"):
        read(path)


def test_what_is_no_profile_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "p.pb"
    path.write_bytes(b"\xff\xff\xff not a profile")
    with pytest.raises(CheckError):
        read(path)
