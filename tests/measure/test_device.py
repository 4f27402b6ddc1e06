"""What a device says of itself against the catalogue, with figures as NVML and JAX give them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from kb.cli import main
from kb.cli.measure.device import data, lines
from kb.corpus import Corpus
from kb.estimate.reported import Agreement, Held, hold
from kb.home import home, project_at
from kb.load import load
from kb.measure.run import nvml, surroundings
from kb.model.evidence import Device, Environment, Hardware
from kb.model.identity import speaks_for
from kb.verdict import VerdictKind


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return load(project_at(home())).corpus


def device(product: str, platform: str = "gpu", memory: int | None = None) -> Device:
    return Device(
        platform=platform,
        kind=product,
        product=product,
        count=8,
        speaks_for=speaks_for(platform, product, "cpu", product),
        memory_bytes=memory,
    )


class Library:
    """NVML as the driver of a GPU answers it: bytes, milliwatts, MHz."""

    NVMLError = RuntimeError

    def __init__(self, mib: float, limit_watts: float) -> None:
        self.total = int(mib * 2**20)
        self.limit = int(limit_watts * 1000)

    def __getattr__(self, name: str) -> object:
        memory = type("Memory", (), {"total": self.total})
        answers = {
            "nvmlDeviceGetHandleByIndex": 0,
            "nvmlSystemGetDriverVersion": "570.124",
            "nvmlDeviceGetName": b"NVIDIA B200",
            "nvmlDeviceGetMemoryInfo": memory,
            "nvmlDeviceGetEnforcedPowerLimit": self.limit,
            "nvmlDeviceGetPowerUsage": 140_000,
            "nvmlDeviceGetClockInfo": 120,
            "nvmlDeviceGetTemperature": 31,
        }
        if name not in answers:
            raise AttributeError(name)
        return lambda *_: answers[name]


def reported(mib: float, limit_watts: float = 1000) -> Hardware:
    return nvml.read(Library(mib, limit_watts), 0)


def by_claim(held: tuple[Held, ...]) -> dict[str, Held]:
    return {each.claim.partition("/")[2]: each for each in held}


def test_the_label_of_180_gb_is_another_quantity_than_183359_mib(corpus: Corpus) -> None:
    held = by_claim(hold(device("hgx-b200"), reported(183359), corpus))
    label, listed = held["gpu-hbm-capacity"], held["gpu-hbm-reported"]
    assert (label.figure.text, label.published) == ("183359 MiB", "180 GB")
    assert label.agreement is Agreement.OTHER_QUANTITY
    assert label.verdict.kind is VerdictKind.NOT_COMPARABLE
    assert label.verdict.fraction is not None
    assert float(label.verdict.fraction.value) == pytest.approx(183359 * 2**20 / 180e9)
    assert (listed.agreement, listed.published) == (Agreement.AGREES, "183359 MiB")
    assert held["gpu-hbm-usable"].agreement is Agreement.OTHER_QUANTITY
    assert set(held) == {
        "gpu-hbm-capacity",
        "gpu-hbm-reported",
        "gpu-hbm-usable",
        "gpu-power-maximum",
        "gpu-power-default",
    }


def test_what_the_driver_cuts_off_is_no_difference(corpus: Corpus) -> None:
    held = by_claim(hold(device("hgx-b200"), reported(183359.9), corpus))
    assert held["gpu-hbm-reported"].agreement is Agreement.AGREES


def test_another_size_than_such_devices_list_differs(corpus: Corpus) -> None:
    held = by_claim(hold(device("hgx-b200"), reported(143771), corpus))
    assert held["gpu-hbm-reported"].agreement is Agreement.DIFFERS
    assert held["gpu-hbm-capacity"].agreement is Agreement.OTHER_QUANTITY


def test_a_second_standing_statement_may_be_the_one_that_agrees(corpus: Corpus) -> None:
    for mib in (143771, 144384):
        held = by_claim(hold(device("h200-sxm"), reported(mib, 700), corpus))
        listed = held["gpu-hbm-reported"]
        assert (listed.agreement, listed.published) == (Agreement.AGREES, f"{mib} MiB")


def test_a_power_limit_is_a_setting_and_no_reading_of_a_prefix(corpus: Corpus) -> None:
    held = by_claim(hold(device("hgx-b200"), reported(183359, 1000), corpus))
    limit = held["gpu-power-default"]
    assert limit.agreement is Agreement.OTHER_QUANTITY
    said = " ".join(caution.text for caution in limit.verdict.cautions)
    assert "142.9 % of the vendor's figure" in said
    assert "prefix" not in said
    assert [reason.why for reason in limit.verdict.reasons] == [
        "the limit that is set on a device is not the vendor's figure"
    ]


def test_what_jax_may_use_of_a_tpu_is_held_and_of_a_gpu_is_a_setting(corpus: Corpus) -> None:
    tpu = by_claim(hold(device("tpu-v6e", "tpu", 33_554_432_000), None, corpus))
    assert tpu["chip-hbm-usable"].agreement is Agreement.AGREES
    assert tpu["chip-hbm-capacity"].agreement is Agreement.OTHER_QUANTITY
    assert hold(device("hgx-b200", "gpu", 144_000_000_000), None, corpus) == ()
    # Half of a chip is a device there, and no claim is about a half.
    assert hold(device("tpu7x", "tpu", 100_000_000_000), None, corpus) == ()
    assert hold(device("other"), reported(183359), corpus) == ()


def shown(held: tuple[Held, ...]) -> tuple[str, dict[str, object]]:
    made = Environment(
        python="3.11", jax="0.10", jaxlib="0.10", backend_version="x", operating_system="Linux",
        machine="x86_64", cpu_model="cpu", usable_cpus=2, load_average=None, flags={},
        hardware_before=reported(183359),
    )  # fmt: skip
    used = device("hgx-b200")
    return "\n".join(lines(used, made, held)), data(used, made, held)


def test_the_table_and_its_json_say_the_same(corpus: Corpus) -> None:
    text, plain = shown(hold(device("hgx-b200"), reported(183359), corpus))
    assert "held against the catalogue:\n  memory, by the driver: 183359 MiB\n" in text
    assert "hgx-b200/gpu-hbm-reported = 183359 MiB (reported by the device): agrees\n" in text
    assert "hgx-b200/gpu-hbm-capacity = 180 GB (advertised): other quantity; 106.8 % of it" in text
    assert text.count("memory, by the driver") == 1
    assert "driver 570.124, SM clock 120 MHz, memory clock 120 MHz, 140.0 W, 31 °C" in text
    schema = json.loads((home() / "schemas/measure-device-output.schema.json").read_text("utf-8"))
    assert list(Draft202012Validator(schema).iter_errors(plain)) == []
    rows = plain["catalogue"]["rows"]  # type: ignore[index] # plain data of our own
    assert [row["agreement"] for row in rows].count("agrees") == 1


@pytest.mark.parametrize(("mib", "code"), [(183359, 0), (143771, 1)])
def test_the_exit_code_tells_a_device_that_contradicts_the_catalogue(
    mib: int, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, made = surroundings.here()
    made = made.model_copy(update={"hardware_before": reported(mib)})
    monkeypatch.setattr(surroundings, "here", lambda: (device("hgx-b200"), made))
    assert main(["--project", str(home()), "measure", "device"]) == code
    assert ("differs" in capsys.readouterr().out) == bool(code)


def test_a_cpu_is_no_product_to_hold_against(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["measure", "device"]) == 0
    assert "there is nothing to hold it against" in capsys.readouterr().out
    assert main(["measure", "device", "--json"]) == 0
    held = json.loads(capsys.readouterr().out)["catalogue"]
    assert (held["rows"], "no product" in held["why_none"]) == ([], True)
