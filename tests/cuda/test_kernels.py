"""The kernels' own sources, run on the CPU against float64, and mistakes planted in them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kb.measure.cuda import cpu, shim
from kb.measure.cuda.failure import CudaFailure, FailureKind
from kb.measure.cuda.kernels import ARCHITECTURES, FOLDER, KERNELS, Kernel, require, source_hash


@pytest.mark.parametrize("kernel", KERNELS.values(), ids=lambda kernel: kernel.id)
def test_a_kernel_gives_what_float64_gives_at_ragged_sizes(kernel: Kernel) -> None:
    rows = list(cpu.check(kernel))
    assert len(rows) >= 3
    assert [row for row in rows if not row.right] == []


@pytest.fixture
def altered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A copy of the sources that a test may spoil."""
    folder = tmp_path / "sources"
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("__pycache__", "*.py"))
    monkeypatch.setattr(shim, "FOLDER", folder)
    shim.library.cache_clear()
    yield folder
    shim.library.cache_clear()


def spoil(folder: Path, source: str, old: str, new: str, count: int = 1) -> None:
    path = folder / source
    text = path.read_text("utf-8")
    assert text.count(old) >= 1
    path.write_text(text.replace(old, new, count), "utf-8")


def wrong(kernel: str) -> list[cpu.Row]:
    return [row for row in cpu.check(KERNELS[kernel]) if not row.right]


def test_a_forgotten_barrier_shows_as_a_race(altered: Path) -> None:
    spoil(altered, "matmul_f32.cu", "    __syncthreads();\n", "", 2)
    assert any("order of the threads" in row.note for row in wrong("matmul-f32"))


def test_a_wrong_index_shows(altered: Path) -> None:
    spoil(altered, "matmul_bf16_mma.cu", "r % 2 * 8;", "r / 2 * 8;")
    assert wrong("matmul-bf16-mma")


def test_a_wrong_tile_layout_shows(altered: Path) -> None:
    spoil(altered, "tiles.h", "row % 8 * 8 + depth % 8", "depth % 8 * 8 + row % 8")
    assert wrong("matmul-bf16-wgmma")
    assert wrong("matmul-bf16-tcgen05")


def test_a_wrong_instruction_size_shows(altered: Path) -> None:
    spoil(altered, "tcgen05.h", "(rows / 16) << 24", "(rows / 32) << 24")
    assert wrong("matmul-bf16-tcgen05")


def test_a_write_past_the_end_is_found(altered: Path) -> None:
    spoil(altered, "chain.cu", "i < n; i += step) z[i]", "i <= n; i += step) z[i]")
    with pytest.raises(CudaFailure, match="writes beyond the result") as caught:
        list(cpu.check(KERNELS["chain-f32"]))
    assert caught.value.kind is FailureKind.WRONG_RESULT


def test_a_read_past_the_end_shows_as_nan(altered: Path) -> None:
    spoil(altered, "rows.cu", "i < columns; i += blockDim.x) own += row[i]",
          "i <= columns; i += blockDim.x) own += row[i]")  # fmt: skip
    assert all(row.norm_error is None or row.norm_error > row.bound for row in wrong("row-sum-f32"))
    assert wrong("row-sum-f32")


def test_a_barrier_that_some_threads_skip_is_a_deadlock_and_no_hang(altered: Path) -> None:
    spoil(
        altered,
        "rows.cu",
        "  __syncthreads();\n  float total",
        "  if (threadIdx.x < 32) while (parts[0] != 12345.0f) __syncwarp();\n"
        "  __syncthreads();\n  float total",
    )
    spoil(altered, "rows.cu", "if (threadIdx.x < 32) while (parts[0] != 12345.0f) __syncwarp();",
          "if (threadIdx.x % 32 == 0) __syncwarp();")  # fmt: skip
    with pytest.raises(CudaFailure) as caught:
        list(cpu.check(KERNELS["row-sum-f32"]))
    assert caught.value.kind is FailureKind.DEADLOCK


def test_a_source_that_does_not_compile_is_a_failure(altered: Path) -> None:
    spoil(altered, "chain.cu", "return tanhf", "return nothing_of_the_kind")
    with pytest.raises(CudaFailure, match="nothing_of_the_kind") as caught:
        list(cpu.check(KERNELS["chain-f32"]))
    assert caught.value.kind is FailureKind.COMPILATION_FAILED


def test_every_kernel_says_where_it_runs_and_what_it_must_beat() -> None:
    for architecture in ARCHITECTURES:
        products = [k for k in KERNELS.values() if k.runs_on(architecture)]
        assert {"mma.sync"} < {k.family for k in products if k.family}
    assert [k.id for k in KERNELS.values() if k.vendor is None] == ["chain-f32"]
    with pytest.raises(CudaFailure, match="written for sm_90a, not sm_100a") as caught:
        require(KERNELS["matmul-bf16-wgmma"], "sm_100a")
    assert caught.value.kind is FailureKind.NOT_FOR_ARCHITECTURE


def test_the_hash_of_a_kernel_covers_its_headers(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from kb.measure.cuda import kernels

    folder = tmp_path / "sources"
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(kernels, "FOLDER", folder)
    kernel = KERNELS["chain-f32"]
    before = source_hash(kernel)
    (folder / "common.h").write_text("// other", "utf-8")
    assert source_hash(kernel) != before


def test_a_twin_rounds_where_its_result_is_rounded() -> None:
    twin = KERNELS["matmul-bf16-mma"].twin
    assert twin.tolerance.unit_roundoff == 2.0**-24
    assert twin.flops == 2 * 4096**3
    assert replace(KERNELS["copy-f32"], sizes=(8,)).twin.tolerance.bound < 2.0**-40
