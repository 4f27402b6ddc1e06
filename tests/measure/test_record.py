"""Records: written once, hashed, judged again, and silent about other devices."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from kb.finding import CheckError
from kb.measure.run.record import publish, text, write
from kb.model.evidence import Ceiling, Evidence, GateName, parse
from kb.model.gates import content_hash, disagreements, gates, refusal, sealed
from kb.model.measurement import GuardVerdict
from kb.qualifiers import Boundary, EvidenceClass

Data = dict[str, Any]

WRITER = """
import sys
from pathlib import Path
from kb.measure.run.record import write
from kb.model.evidence import parse
record, folder = parse(Path(sys.argv[1]).read_text()), Path(sys.argv[2])
for _ in range(15):
    write(record, folder)
"""


def failed(record: Evidence) -> set[GateName]:
    return {gate.gate for gate in gates(record) if not gate.passed}


def test_a_record_survives_its_file(record: Evidence) -> None:
    again = parse(text(record))
    assert again == record
    assert content_hash(json.loads(text(record))) == record.content_hash
    assert disagreements(again) == ()


def test_a_fresh_record_is_complete(record: Evidence) -> None:
    warm = record.measurement(Boundary.WARM_HOST)
    assert warm is not None
    assert warm.n == len(warm.samples) == len(record.guard.ready_at_stop) >= 20
    assert [gate.gate for gate in record.gates] == list(GateName)
    # On a shared machine the time may drift; nothing else may go wrong here.
    assert failed(record) <= {GateName.STEADY}


def test_two_writers_never_share_a_name(record: Evidence, tmp_path: Path) -> None:
    source, folder = tmp_path / "source.json", tmp_path / "evidence"
    source.write_text(text(record), encoding="utf-8")
    command = [sys.executable, "-c", WRITER, str(source), str(folder)]
    writers = [subprocess.Popen(command) for _ in range(2)]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    base = record.id.rpartition("-")[0]
    names = {path.name for path in folder.iterdir()}
    assert names == {f"{base}-{number}.json" for number in range(1, 31)}
    for path in folder.iterdir():
        written = parse(path.read_text(encoding="utf-8"))
        assert written.id == path.stem
        assert disagreements(written) == ()


def test_an_existing_file_is_left_alone(record: Evidence, tmp_path: Path) -> None:
    taken = tmp_path / f"{record.id}.json"
    taken.write_text("mine", encoding="utf-8")
    assert not publish(taken, b"other")
    written, path = write(record, tmp_path)
    assert taken.read_text(encoding="utf-8") == "mine"
    assert written.id.endswith("-2")
    assert path.name == f"{written.id}.json"
    assert len(list(tmp_path.iterdir())) == 2


def test_a_folder_that_is_a_file_is_one_sentence(record: Evidence, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(CheckError, match="can't be written"):
        write(record, tmp_path / "file")


def faster(data: Data) -> None:
    warm = data["measurements"][0]
    warm["median"] /= 2


def fewer_samples(data: Data) -> None:
    data["measurements"][0]["samples"].pop()


def looser(data: Data) -> None:
    data["correctness"]["tolerance"]["bound"] *= 10


def promoted(data: Data) -> None:
    data["evidence_class"] = "executed_on_target"


def renamed_product(data: Data) -> None:
    data["device"]["product"] = "tpu-v6e"


def waved_through(data: Data) -> None:
    data["correctness"]["nan_count"] = 5


def flipped(data: Data) -> None:
    data["publishable"] = not data["publishable"]


TAMPERING = [faster, fewer_samples, looser, promoted, renamed_product, waved_through, flipped]


@pytest.mark.parametrize("tamper", TAMPERING)
@pytest.mark.parametrize("rehash", [False, True], ids=["old hash", "new hash"])
def test_tampering_is_seen_even_with_a_new_hash(
    record: Evidence, tamper: Callable[[Data], None], *, rehash: bool
) -> None:
    data = json.loads(text(record))
    tamper(data)
    if rehash:
        data["content_hash"] = content_hash(data)
    found = disagreements(parse(json.dumps(data)))
    routes = {disagreement.route[0] for disagreement in found}
    assert ("content_hash" in routes) is not rehash
    assert routes - {"content_hash"}


def test_a_changed_sentence_breaks_the_hash(record: Evidence) -> None:
    data = json.loads(text(record))
    data["command"] += " --fast"
    assert [d.route for d in disagreements(parse(json.dumps(data)))] == [("content_hash",)]


def test_unknown_keys_and_loose_types_are_no_record(record: Evidence) -> None:
    for key, value in (("winner", "cpu"), ("publishable", "yes"), ("schema_version", 2)):
        with pytest.raises(ValidationError):
            parse(json.dumps({**json.loads(text(record)), key: value}))


@pytest.mark.parametrize("product", ["tpu-v6e", "hgx-b200", "other"])
def test_a_cpu_run_refuses_to_speak_for_an_accelerator(record: Evidence, product: str) -> None:
    assert record.device.product == "other"
    assert record.evidence_class is EvidenceClass.EXECUTED_ELSEWHERE
    assert "can't support a statement about a TPU or a GPU" in record.device.speaks_for
    why = refusal(record, product)
    assert why is not None
    assert product in why


def on_target(record: Evidence, ceiling: Ceiling | None) -> Evidence:
    """The record as it would be had it run on a v6e; tests the judge, is written nowhere."""
    device = record.device.model_copy(update={"product": "tpu-v6e"})
    changes = {"device": device, "evidence_class": EvidenceClass.EXECUTED_ON_TARGET}
    return sealed(record.model_copy(update={**changes, "ceiling": ceiling}))


def test_a_run_on_the_target_speaks_for_it_alone(record: Evidence) -> None:
    there = on_target(record, Ceiling(claim="tpu-v6e/chip-peak-bf16", flops_per_second=918e12))
    assert refusal(there, "tpu-v6e") is None
    assert refusal(there, "hgx-b200") is not None
    assert GateName.PHYSICALLY_POSSIBLE not in failed(there)


@pytest.mark.parametrize("peak", [None, Ceiling(claim="a/b", flops_per_second=1e6)])
def test_a_rate_above_the_peak_or_without_one_is_no_record(
    record: Evidence, peak: Ceiling | None
) -> None:
    there = on_target(record, peak)
    assert GateName.PHYSICALLY_POSSIBLE in failed(there)
    assert not there.publishable


def test_each_gate_closes_for_its_own_reason(record: Evidence) -> None:
    guard = record.guard.model_copy(update={"verdict": GuardVerdict.TOO_FAST})
    events = record.events.model_copy(update={"compilations_during_samples": 1})
    unnamed = record.environment.model_copy(update={"cpu_model": "unknown"})
    changes: dict[GateName, Data] = {
        GateName.SYNCHRONISED: {"guard": guard},
        GateName.EVENT_COUNTS: {"events": events},
        GateName.FINGERPRINT_COMPLETE: {"environment": unnamed},
        GateName.ENOUGH_SAMPLES: {"measurements": ()},
    }
    for gate, change in changes.items():
        assert gate in failed(record.model_copy(update=change))


COMMITTED = sorted((Path(__file__).parents[2] / "evidence").glob("matmul-512-f32-*.json"))


@pytest.mark.parametrize("path", COMMITTED, ids=[path.stem for path in COMMITTED])
def test_the_committed_record_still_holds(path: Path) -> None:
    committed = parse(path.read_text(encoding="utf-8"))
    assert committed.id == path.stem
    assert disagreements(committed) == ()
    assert text(committed) == path.read_text(encoding="utf-8")
