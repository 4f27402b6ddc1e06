"""A device is the product whose specification says its name, and a CPU is never an accelerator."""

from __future__ import annotations

import pytest

from kb.corpus import Corpus
from kb.estimate.identity import identified, may_be, named
from kb.home import Project, home
from kb.load import load, load_files
from kb.model.evidence import Device, Evidence, GateName, parse
from kb.model.gates import disagreements, refusal, sealed
from kb.model.identity import speaks_for
from kb.qualifiers import EvidenceClass
from kb.rules.example import EVIDENCE, base_files

MODEL = "Example CPU"
HEAD = """
product: {key}
name: {key}
vendor: Example
layer: accelerator
summary: An example.
"""
PEAK = """
sparse_mode: {mode: none, assessment: An example.}
claims:
  - id: chip-peak-fp32
    metric: compute_throughput
    scope: chip
    precision: fp32
    engine: vector
    basis: vendor_peak
    statements: [{published: "PEAK", source: sheet}]
"""
SHEET = "sources: {sheet: {title: Sheet, publisher: Example, kind: vendor_page}}\n"


def corpus_of(*own: str) -> Corpus:
    loaded = load_files({"specs/sources.yml": SHEET} | {
        f"specs/{text.split('product: ')[1].split()[0]}.yml": text for text in own
    })  # fmt: skip
    assert loaded.findings == ()
    return loaded.corpus


def spec(key: str, names: str, peak: str = "1,000 PFLOPS", accelerator: str = "") -> str:
    head = HEAD.format(key=key) + (f"accelerator: {accelerator}\n" if accelerator else "")
    return head + f"devices: {names}" + PEAK.replace("PEAK", peak)


CPU = spec("our-cpu", f"[{{platform: cpu, kind: {MODEL}}}]")
GPU = spec("our-gpu", "[{platform: gpu, kind: Our G1}]", accelerator="gpu")


def record(platform: str = "cpu", kind: str = "cpu") -> Evidence:
    """A sealed record as the measurement module makes it for a device that it knows no name of."""
    base = parse(base_files()[EVIDENCE])
    says = speaks_for(platform, kind, MODEL, "other")
    device = Device(platform=platform, kind=kind, product="other", count=1, speaks_for=says)
    changes = {
        "id": f"matmul-512-f32-{platform}-20261201-120000-1",
        "device": device,
        "evidence_class": EvidenceClass.EXECUTED_ELSEWHERE,
        "ceiling": None,
    }
    assert base.environment.cpu_model == MODEL
    return sealed(base.model_copy(update=changes))


def test_a_processor_that_a_product_names_speaks_for_it_and_for_no_accelerator() -> None:
    made = identified(record(), corpus_of(CPU, GPU))
    assert made.id == "matmul-512-f32-our-cpu-20261201-120000-1"
    assert made.evidence_class is EvidenceClass.EXECUTED_ON_TARGET
    assert made.ceiling is not None
    assert made.ceiling.claim == "our-cpu/chip-peak-fp32"
    assert disagreements(made) == ()
    assert refusal(made, "our-cpu") is None
    assert "not on tpu-v6e" in str(refusal(made, "tpu-v6e"))
    assert "can't support a statement about a TPU or a GPU" in made.device.speaks_for


def test_an_accelerator_of_ones_own_is_known_by_the_name_of_its_driver() -> None:
    made = identified(record("gpu", "Our G1"), corpus_of(CPU, GPU))
    assert refusal(made, "our-gpu") is None
    assert refusal(made, "our-cpu") is not None
    assert made.device.speaks_for == (
        "Speaks for our-gpu (Our G1) under the recorded settings only."
    )


@pytest.mark.parametrize(
    ("platform", "kind"),
    [("gpu", "Our G"), ("gpu", "our g1"), ("gpu", MODEL), ("tpu", "Our G1"), ("gpu", "cpu")],
)
def test_any_other_name_stays_a_device_of_no_product(platform: str, kind: str) -> None:
    seen = record(platform, kind)
    assert identified(seen, corpus_of(CPU, GPU)) == seen


def test_a_name_that_two_products_give_is_neither() -> None:
    twin = spec("our-cpu-2", f"[{{platform: cpu, kind: {MODEL}}}]")
    corpus = corpus_of(CPU, twin)
    assert identified(record(), corpus) == record()
    assert "our-cpu and our-cpu-2 both" in str(may_be(record().device, MODEL, corpus))


def test_a_rate_above_the_peak_of_ones_own_product_is_refused_like_any_other() -> None:
    made = identified(record(), corpus_of(spec("our-cpu", CPU.split("devices: ")[1].split("\n")[0],
                                               "1 GFLOPS")))  # fmt: skip
    assert [g.gate for g in made.gates if not g.passed] == [GateName.PHYSICALLY_POSSIBLE]
    assert not made.publishable


def test_what_makes_a_device_a_product_is_said_and_holds() -> None:
    line = str(may_be(record().device, MODEL, corpus_of()))
    names = line.split("'devices: ")[1].removesuffix("'")
    assert refusal(identified(record(), corpus_of(spec("mine", names))), "mine") is None


@pytest.mark.parametrize(
    ("names", "accelerator", "said"),
    [
        ("[{platform: cpu, kind: A Model}]", "chip", "a run on a CPU never speaks for a chip"),
        ("[{platform: CPU, kind: A Model}]", "gpu", "a run on a CPU never speaks for a gpu"),
        ("[{platform: cpu, kind: cpu}]", "", "JAX calls every processor 'cpu'"),
        ("[{platform: cpu, kind: unknown}]", "", "JAX calls every processor 'cpu'"),
        ("[{platform: cpu, kind: A}, {platform: gpu, kind: B}]", "", "describe the two as two"),
        ("[{platform: gpu, kind: NVIDIA B200}]", "gpu", "is hgx-b200"),
    ],
)
def test_no_product_takes_a_device_that_it_can_not_be(
    names: str, accelerator: str, said: str
) -> None:
    loaded = load_files({"specs/mine.yml": spec("mine", names, accelerator=accelerator)})
    assert [said in finding.message for finding in loaded.findings] == [True]
    assert loaded.findings[0].place.route == ("devices",)


def test_no_product_of_the_catalogue_is_a_processor() -> None:
    catalogue = load(Project(home()), kinds=("specs",)).corpus
    assert len(catalogue.products) > 20
    device = record().device
    assert named(device, MODEL, catalogue) == device
    names = [one for entry in catalogue.products.values() for one in entry.value.devices]
    assert not [one for one in names if one.platform == "cpu"]
