"""The fingerprint: exact product names, and nothing that names a person or a machine."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.measure.run.environment import FLAGS, autotune, flags, without_paths
from kb.model.identity import class_of, product_of, speaks_for
from kb.qualifiers import EvidenceClass


@pytest.mark.parametrize(
    ("kind", "product"),
    [
        ("TPU v6 lite", "tpu-v6e"),
        ("NVIDIA B200", "hgx-b200"),
        ("NVIDIA GB200", "other"),
        ("NVIDIA B300 SXM6 AC", "hgx-b300"),
        ("TPU v5 lite", "tpu-v5e"),
        ("nvidia b200", "other"),
        ("cpu", "other"),
    ],
)
def test_only_an_exact_name_is_a_product(kind: str, product: str) -> None:
    assert product_of(kind) == product
    on_target = class_of(product) is EvidenceClass.EXECUTED_ON_TARGET
    assert on_target is (product != "other")


@pytest.mark.parametrize(
    ("given_value", "kept"),
    [
        ("--xla_dump_to=/home/ada/dump --xla_flag=2", "--xla_dump_to=<path> --xla_flag=2"),
        ("--xla_dump_to=dump/here", "--xla_dump_to=<path>"),
        (r"--out=C:\Users\ada", "--out=<path>"),
        ("~/flags", "<path>"),
        ("cuda,cpu", "cuda,cpu"),
    ],
)
def test_paths_leave_a_value_and_the_rest_stays(given_value: str, kept: str) -> None:
    assert without_paths(given_value) == kept


@given(st.text(max_size=60))
def test_no_separator_of_a_path_ever_stays(value: str) -> None:
    assert not set(without_paths(value)) & {"/", "\\"}


def test_only_listed_variables_are_kept() -> None:
    seen = flags({"HOSTNAME": "box", "JAX_PLATFORMS": "cpu", "HOME": "/root"})
    assert seen == {"JAX_PLATFORMS": "cpu"}
    assert list(FLAGS) == sorted(FLAGS)


def test_an_unlisted_accelerator_speaks_for_itself_only() -> None:
    assert "no product" in speaks_for("gpu", "NVIDIA T4", "cpu name", "other")
    assert "hgx-b200" in speaks_for("gpu", "NVIDIA B200", "cpu name", "hgx-b200")


def test_autotuning_settings_are_read_from_the_flags() -> None:
    seen = autotune("gpu", "--xla_gpu_autotune_level=4 --xla_gpu_load_autotune_results_from=x")
    assert (seen.applies, seen.level, seen.loaded_results) == (True, "4", True)
    assert not autotune("cpu", "").applies
