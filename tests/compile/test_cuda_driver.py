"""The whole path from a kernel to its evidence, over a stand-in for NVIDIA's driver.

cuda.core, NVRTC and every line of Python are the real ones; device memory lies on the host
and launches run through the CPU builds of the kernels. So it shows that calls, checks, steps
and records are right; it shows nothing about time, and its device is no product.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from kb.measure.cuda import shim
from kb.measure.cuda.kernels import KERNELS
from kb.model.evidence import Evidence, parse
from kb.model.gates import disagreements
from kb.qualifiers import Boundary, EvidenceClass

CUDA_H = "nvidia/cu13/include/cuda.h"
ROOT = Path(__file__).resolve().parents[2]
HEADERS = next(
    (p for p in map(Path, sys.path) if (p / "nvidia/cu13/include/cuda.h").exists()), None
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        (find_spec("cuda") is None or HEADERS is None) and "KB_REQUIRE_AOT" not in os.environ,
        reason="the CUDA wheels are not installed",
    ),
]


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment in which the stand-in is found."""
    folder = tmp_path_factory.mktemp("driver")
    tool = shutil.which("g++")
    assert tool is not None
    assert HEADERS is not None
    subprocess.run(
        [tool, "-std=c++17", "-O1", "-fPIC", "-shared", f"-I{HEADERS}/nvidia/cu13/include",
         str(ROOT / "tests/cuda/driver.cc"), "-o", str(folder / "libcuda.so.1"),
         "-Wl,-soname,libcuda.so.1", "-ldl"],
        check=True,
    )  # fmt: skip
    kernels = sorted({shim.library(k.source)._name for k in KERNELS.values()})
    return {
        **os.environ,
        "LD_LIBRARY_PATH": str(folder),
        "KB_DRIVER_KERNELS": ":".join(kernels),
        "PYTHONPATH": str(ROOT),
    }


Done = subprocess.CompletedProcess[str]


def check(surroundings: dict[str, str], out: Path, *names: str) -> Done:
    return subprocess.run(
        [str(Path(sys.executable).with_name("kb")), "measure", "cuda", "check", "--small",
         "--without-jax", "--out", str(out), *names],
        env=surroundings, cwd=ROOT, capture_output=True, text=True, check=False, timeout=400,
    )  # fmt: skip


def records(folder: Path) -> list[Evidence]:
    return [parse(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))]


def test_a_kernel_gives_two_records_that_judge_themselves(
    driver: dict[str, str], tmp_path: Path
) -> None:
    done = check(driver, tmp_path, "chain-f32", "matmul-bf16-tcgen05", "matmul-bf16-mma")
    assert "chain-4099-f32" in done.stdout, done.stderr
    found = [r for r in records(tmp_path) if "-kernel-" in r.id]
    assert len(found) == 6
    for record in found:
        assert record.evidence_class is EvidenceClass.EXECUTED_ELSEWHERE
        assert record.device.product == "other"
        assert record.cuda is not None
        assert record.cuda.checked_samples == sum(m.n for m in record.measurements)
        assert list(disagreements(record)) == []
        assert {g.gate.value for g in record.gates if not g.passed} <= {"steady"}
    kinds = {tuple(sorted(m.boundary for m in record.measurements)) for record in found}
    assert kinds == {
        (Boundary.DEVICE_EVENTS,),
        tuple(sorted((Boundary.WARM_HOST, Boundary.THROUGHPUT))),
    }


def test_a_vendor_library_that_is_missing_fails_the_check_and_says_so(
    driver: dict[str, str], tmp_path: Path
) -> None:
    if find_spec("nvidia.cublas") is not None:
        pytest.skip("cuBLAS is installed")
    done = check(driver, tmp_path, "triad-f32")
    assert done.returncode == 1
    assert "FAILED missing wheel: cuBLAS" in done.stdout


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("old", "driver too old: the driver runs CUDA up to 12.4, NVRTC makes code for 13.0."),
        ("no-device", "no device: the driver sees no GPU."),
        ("memory", "out of memory: allocating"),
        ("launch", "launch failed: launching copy_f32: CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"),
        ("asynchronous", "asynchronous error: waiting for a stream: CUDA_ERROR_ILLEGAL_ADDRESS"),
        ("wrong", "wrong result: copy_f32 for copy-f32"),
    ],
)
def test_a_fault_is_one_typed_failure_and_leaves_no_sample(
    driver: dict[str, str], tmp_path: Path, fault: str, said: str
) -> None:
    done = check({**driver, "KB_DRIVER_FAULT": fault}, tmp_path, "copy-f32")
    assert done.returncode == 1
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert records(tmp_path) == []


def test_without_a_driver_the_script_says_so_and_exits_with_1(tmp_path: Path) -> None:
    if shutil.which("nvidia-smi"):
        pytest.skip("this machine may have a driver")
    kb = Path(sys.executable).with_name("kb")
    done = subprocess.run(
        [str(ROOT / "scripts/gpu-check"), "--out", str(tmp_path)],
        env={**os.environ, "KB": str(kb)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "no driver: this machine has no NVIDIA driver" in done.stderr
    assert list(tmp_path.iterdir()) == []
