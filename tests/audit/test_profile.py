"""Device time from synthetic profiles: leaves, joins, idle time."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import jax.profiler
import pytest
from jsonschema import Draft202012Validator

from kb.cli import audit, parser
from kb.finding import CheckError
from kb.home import home
from kb.measure.audit.profile import Device, Event, devices, leaves, read, runtime
from kb.model.artefact import Artefact, KernelClass, parse

EVIDENCE = Path(__file__).resolve().parents[2] / "evidence"


@dataclass(frozen=True)
class Raw:
    """An event as the profiler's reader gives it."""

    event: Event

    @property
    def name(self) -> str:
        return self.event.name

    @property
    def start_ns(self) -> float:
        return self.event.start

    @property
    def duration_ns(self) -> float:
        return self.event.length

    @property
    def stats(self) -> list[tuple[str, str]]:
        return [("hlo_op", self.event.op)]


@dataclass(frozen=True)
class Line:
    """A line of a plane."""

    name: str
    events: list[Raw]


@dataclass(frozen=True)
class Plane:
    """A device."""

    name: str
    lines: list[Line]


@dataclass(frozen=True)
class Data:
    """A profile."""

    planes: list[Plane]


def record() -> Artefact:
    path = next(EVIDENCE.glob("transformer-layer-hgx-b200-*.json"))
    return parse(path.read_text(encoding="utf-8"))


Row = tuple[str, int, int]
"""An instruction, its start and its length in picoseconds."""


def plane(rows: Sequence[Row], line: str, number: int, program: str, device: str) -> str:
    """One line of one device, with the statistics that a profiler writes."""
    stats = ["hlo_op"] + (["hlo_module", "program_id"] if program else [])
    metadata = "".join(
        f'stat_metadata {{ key: {i} value {{ id: {i} name: "{name}" }} }}\n'
        for i, name in enumerate(stats, 1)
    )
    named = "".join(
        f'event_metadata {{ key: {i} value {{ id: {i} name: "{op or "Memcpy"}" }} }}\n'
        for i, (op, _, _) in enumerate(rows, 1)
    )
    module = f'stats {{ metadata_id: 2 str_value: "{program}" }} ' if program else ""
    module += "stats { metadata_id: 3 int64_value: 7 }" if program else ""
    events = "".join(
        f"events {{ metadata_id: {i} offset_ps: {start} duration_ps: {length} "
        + (f'stats {{ metadata_id: 1 str_value: "{op}" }} {module}' if op else "")
        + " }\n"
        for i, (op, start, length) in enumerate(rows, 1)
    )
    return (
        f'planes {{ name: "{device}" {named}{metadata}'
        f'lines {{ id: {number} name: "{line}" timestamp_ns: 0 {events} }} }}\n'
    )


def profile(
    path: Path,
    *rows: Row,
    device: str = "/device:GPU:0",
    line: str = "Stream #1",
    program: str = "",
    more: str = "",
) -> Path:
    """A synthetic profile on disk."""
    data: Any = jax.profiler.ProfileData
    text = plane(rows, line, 1, program, device) + more
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


def test_copies_are_no_communication(tmp_path: Path) -> None:
    rows = (("gemm_fusion_dot.13", 0, 4_000), ("", 4_000, 1_000), ("copy.3", 5_000, 1_000))
    seen = runtime(read(profile(tmp_path / "p.pb", *rows)), record())
    assert seen.by_group == pytest.approx({"generated": 4, "copies": 2})


def test_two_devices_are_added_and_idle_time_is_each_ones_own(tmp_path: Path) -> None:
    rows = (("gemm_fusion_dot.13", 0, 4_000), ("gemm_fusion_dot.13", 6_000, 2_000))
    more = plane(rows[:1], "Stream #1", 1, "", "/device:GPU:1")
    seen = runtime(read(profile(tmp_path / "p.pb", *rows, more=more)), record())
    assert seen.devices == 2
    assert [seen.busy, seen.idle] == pytest.approx([10, 2])


def test_lines_that_show_the_same_work_again_are_not_added() -> None:
    work, again = Event("Stream #1", 0, 4, "x"), Event("XLA Ops", 0, 4, "x")
    beside = Event("Async XLA Ops", 0, 9, "copy-start.1")
    lines = [Line(event.line, [Raw(event)]) for event in (again, beside, work)]
    (gpu,) = devices(Data([Plane("/device:GPU:0", lines)]), "p")
    assert [event.line for event in gpu.work] == ["Stream #1"]
    assert [event.line for event in gpu.beside] == ["Async XLA Ops"]
    (tpu,) = devices(Data([Plane("/device:TPU:0", lines[:2])]), "p")
    assert [event.line for event in tpu.work] == ["XLA Ops"]


def test_asynchronous_spans_stand_beside_the_work(tmp_path: Path) -> None:
    path = profile(tmp_path / "p.pb", ("gemm_fusion_dot.13", 0, 4_000))
    (device,) = read(path)
    spans = (Event("Async XLA Ops", 0, 9, "a"), Event("Async XLA Ops", 5, 12, "b"))
    seen = runtime([replace(device, beside=spans)], record())
    assert [seen.busy, seen.asynchronous] == pytest.approx([4, 12])


def test_one_of_several_programs_has_to_be_named(tmp_path: Path) -> None:
    other = plane([("gemm_fusion_dot.13", 0, 3_000)], "Stream #1", 1, "jit_other", "/device:GPU:1")
    path = profile(
        tmp_path / "p.pb", ("gemm_fusion_dot.13", 0, 4_000), program="jit_layer", more=other
    )
    with pytest.raises(CheckError, match=r"several programs: jit_layer\(7\)") as caught:
        runtime(read(path), record())
    assert "--program" in caught.value.remedy
    seen = runtime(read(path), record(), "jit_layer")
    assert seen.program == "jit_layer(7)"
    assert [seen.busy, seen.others] == pytest.approx([4, 3])
    with pytest.raises(CheckError, match="no single program 'jit_third'"):
        runtime(read(path), record(), "jit_third")


def test_an_instruction_that_the_variants_class_differently_is_not_joined() -> None:
    known = record()
    first, second = known.variants
    odd = first.kernels[0].model_copy(update={"kernel_class": KernelClass.VENDOR_LIBRARY})
    changed = known.model_copy(
        update={"variants": (first, second.model_copy(update={"kernels": (odd,)}))}
    )
    name, other = first.kernels[0].name, first.kernels[1].name
    events = (Event("Stream #1", 0, 4, name), Event("Stream #1", 4, 5, other))
    seen = runtime([Device("/device:GPU:0", events)], changed)
    assert seen.unjoined == 4


def test_a_profile_of_another_program_is_refused(tmp_path: Path) -> None:
    path = profile(tmp_path / "p.pb", ("never_heard_of", 0, 4_000))
    with pytest.raises(CheckError, match="No instruction of the profile is in"):
        runtime(read(path), record())


def test_the_command_gives_shares_of_device_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = profile(
        tmp_path / "p.xplane.pb", ("gemm_fusion_dot.13", 0, 6_000), ("unknown", 6_000, 2_000)
    )
    stored = next(EVIDENCE.glob("transformer-layer-hgx-b200-*.json"))
    words = ["audit", str(stored), "--profile", str(path)]
    assert audit.run(parser("audit").parse_args(words)) == 0
    said = capsys.readouterr().out
    assert "generated: 75.0%" in said
    assert "not joined to the record: 25.0%" in said
    assert audit.run(parser("audit").parse_args([*words, "--json"])) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["run_time"]["generated"] == 0.75
    schema = json.loads((home() / "schemas/audit-output.schema.json").read_text("utf-8"))
    assert [e.message for e in Draft202012Validator(schema).iter_errors(data)] == []


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
