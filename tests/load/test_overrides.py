"""A project corrects or extends an installed product by its own claims, with a reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.cli import main
from kb.compare import compare
from kb.finding import Severity
from kb.home import Project
from kb.load import load
from kb.operand import operand_of_claim

SOURCES = """\
sources:
  our-contract:
    title: Our contract
    publisher: Example
    kind: vendor_page
    retrieved: 2026-11-30
"""
OVERRIDE = """\
overrides: tpu-v6e
reason: the contract states less than the page
claims:
  - id: chip-hbm-bandwidth
    metric: memory_bandwidth
    scope: chip
    interface: hbm
    aggregation: per_device
    basis: vendor_peak
    statements:
      - {published: "1600 GB/s", source: our-contract, locator: page 2}
  - id: chip-contract-power
    metric: power
    scope: chip
    power_state: maximum
    basis: vendor_peak
    statements:
      - {published: "300 W", source: our-contract, locator: page 3}
"""


def project(root: Path, text: str = OVERRIDE, name: str = "tpu-v6e.yml") -> Project:
    (root / "specs").mkdir()
    (root / "specs" / "sources.yml").write_text(SOURCES, encoding="utf-8")
    (root / "specs" / name).write_text(text, encoding="utf-8")
    return Project(root)


def test_a_claim_is_replaced_and_another_added_and_the_rest_stays(tmp_path: Path) -> None:
    plain = load(Project(tmp_path)).corpus
    loaded = load(project(tmp_path))
    assert loaded.findings == ()
    corpus = loaded.corpus
    changed = corpus.claims["tpu-v6e/chip-hbm-bandwidth"]
    assert (changed.claim.current.published, changed.own) == ("1600 GB/s", True)
    assert changed.place.path == "specs/tpu-v6e.yml"
    assert corpus.claims["tpu-v6e/chip-contract-power"].own
    assert set(corpus.claims) == {*plain.claims, "tpu-v6e/chip-contract-power"}
    kept = corpus.claims["tpu-v6e/chip-hbm-capacity"]
    assert (kept.own, kept.override) == (False, "")
    assert changed.claim in kept.product.claims
    assert len(kept.product.claims) == len(list(plain.claims_of("tpu-v6e"))) + 1


def test_the_reason_travels_with_every_comparison(tmp_path: Path) -> None:
    corpus = load(project(tmp_path)).corpus
    left, right = (
        operand_of_claim(corpus.claims[f"{product}/{claim}-hbm-bandwidth"])
        for product, claim in (("hgx-b200", "gpu"), ("tpu-v6e", "chip"))
    )
    verdict = compare(left, right, corpus)
    assert verdict.ratio == left.quantity.base / right.quantity.base
    told = "tpu-v6e/chip-hbm-bandwidth departs from the catalogue: the contract states less"
    assert any(caution.text.startswith(told) for caution in verdict.cautions)


NAMES = """\
overrides: mi300x
reason: the name that our driver prints
devices: [{platform: %s, kind: %s}]
"""


def test_an_override_can_give_a_product_the_name_of_its_devices(tmp_path: Path) -> None:
    loaded = load(project(tmp_path, NAMES % ("gpu", "Our Name"), "mi300x.yml"))
    assert loaded.findings == ()
    changed = loaded.corpus.products["mi300x"].value
    assert [(one.platform, one.kind) for one in changed.devices] == [("gpu", "Our Name")]
    assert len(changed.claims) == len(list(loaded.corpus.claims_of("mi300x"))) > 5


@pytest.mark.parametrize("kind", ["Some CPU", "cpu"])
def test_no_override_makes_a_cpu_an_accelerator_of_the_catalogue(tmp_path: Path, kind: str) -> None:
    loaded = load(project(tmp_path, NAMES % ("cpu", kind), "mi300x.yml"))
    (finding,) = loaded.findings
    assert (finding.rule, finding.severity) == ("misplaced-override", Severity.ERROR)
    assert "a run on a CPU never speaks for a gpu" in finding.message
    assert finding.place.route == ("devices",)
    assert loaded.corpus.products["mi300x"].value.devices == ()


def test_an_override_that_changes_nothing_is_refused(tmp_path: Path) -> None:
    text = "overrides: mi300x\nreason: none\n"
    (finding,) = load(project(tmp_path, text, "mi300x.yml")).findings
    assert "it changes nothing; give it 'claims' or 'devices'" in finding.message


def test_kb_check_judges_the_override_and_kb_show_tells_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = project(tmp_path).root
    monkeypatch.chdir(root)
    assert main(["check"]) == 0, capsys.readouterr().out
    capsys.readouterr()
    assert main(["show", "tpu-v6e/chip-hbm-bandwidth"]) == 0
    shown = capsys.readouterr().out
    assert "departs from the catalogue: the contract states less than the page" in shown
    assert "the catalogue says: current: 1638 GBps — " in shown
    assert main(["show", "tpu-v6e/chip-contract-power"]) == 0
    assert "the catalogue says" not in capsys.readouterr().out
    spec = root / "specs" / "tpu-v6e.yml"
    spec.write_text(OVERRIDE.replace("1600 GB/s", "1600 gb/s"), encoding="utf-8")
    assert main(["check"]) == 1
    assert "specs/tpu-v6e.yml:11:27: error[ambiguous-unit]" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "name", "rule", "remedy"),
    [
        (OVERRIDE.replace("reason: the contract states less than the page\n", ""),
         "tpu-v6e.yml", "missing-field", "add 'reason: …'"),
        (OVERRIDE.replace("tpu-v6e", "tpu-v6f"), "tpu-v6f.yml", "misplaced-override", "tpu-v6e"),
        (OVERRIDE, "v6e.yml", "misplaced-override", "rename the file to tpu-v6e.yml"),
        (OVERRIDE.replace("chip-contract-power", "chip-hbm-bandwidth"),
         "tpu-v6e.yml", "duplicate-id", "rename or remove one of the two"),
    ],
)  # fmt: skip
def test_an_override_that_can_not_be_laid_over_anything(
    tmp_path: Path, text: str, name: str, rule: str, remedy: str
) -> None:
    (finding,) = load(project(tmp_path, text, name)).findings
    assert (finding.rule, finding.severity) == (rule, Severity.ERROR)
    assert remedy in finding.remedy
    assert finding.place.path == f"specs/{name}"


def test_a_claim_that_says_nothing_new_is_a_warning(tmp_path: Path) -> None:
    entry = load(Project(tmp_path)).corpus.claims["tpu-v6e/chip-hbm-capacity"].claim
    text = "overrides: tpu-v6e\nreason: none\nclaims: [" + entry.model_dump_json(
        exclude_none=True
    ) + "]\n"  # fmt: skip
    (finding,) = load(project(tmp_path, text)).findings
    assert (finding.rule, finding.severity) == ("misplaced-override", Severity.WARNING)
    assert finding.place.route == ("claims", 0, "id")


def test_a_product_of_the_project_is_corrected_in_its_own_file(tmp_path: Path) -> None:
    found = project(tmp_path)
    (tmp_path / "specs" / "own").mkdir()
    own = "product: acme\nname: Acme\nvendor: Acme\nlayer: accelerator\nsummary: None.\n"
    (tmp_path / "specs" / "own" / "acme.yml").write_text(own, encoding="utf-8")
    (tmp_path / "specs" / "tpu-v6e.yml").unlink()
    (tmp_path / "specs" / "acme.yml").write_text(
        OVERRIDE.replace("tpu-v6e", "acme"), encoding="utf-8"
    )
    (finding,) = load(found).findings
    assert finding.rule == "misplaced-override"
    assert finding.remedy == "correct specs/own/acme.yml itself"
