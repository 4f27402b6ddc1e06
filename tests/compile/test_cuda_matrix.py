"""Every kernel by NVRTC and by nvcc for three architectures, with no GPU."""

from __future__ import annotations

import hashlib
import json
import os
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path

import pytest

from kb.measure.cuda import compilers, ffi
from kb.measure.cuda.failure import CudaFailure, FailureKind
from kb.measure.cuda.kernels import ARCHITECTURES, KERNELS, Kernel, source_files
from kb.measure.cuda.matrix import matrix, write
from kb.model.kernels import KernelMatrix, hash_of, parse

SHAPES = """
id: ffi-softmax
summary: The softmax kernel between two plain steps.
function: kb.measure.cuda.ffi:program
inputs: {x: {shape: [512, 1024], dtype: f32}}
"""

ROOT = Path(__file__).resolve().parents[2]
HERE = find_spec("cuda") is not None and find_spec("cuda.core") is not None

needs_nvrtc = pytest.mark.skipif(
    not HERE and "KB_REQUIRE_AOT" not in os.environ, reason="cuda-core is not installed"
)


@pytest.fixture(scope="module")
def record() -> KernelMatrix:
    return matrix(ARCHITECTURES, "kb measure cuda compile", datetime.now(UTC), lambda _: None)


@needs_nvrtc
@pytest.mark.slow
def test_every_kernel_compiles_where_it_is_meant_to(record: KernelMatrix) -> None:
    tools = {"nvrtc"} | ({"nvcc"} if compilers.find_nvcc() else set())
    if "KB_REQUIRE_AOT" in os.environ:
        assert tools == {"nvrtc", "nvcc"}
    for kernel in KERNELS.values():
        for architecture in ARCHITECTURES:
            here = [
                b for b in record.built if (b.kernel, b.architecture) == (kernel.id, architecture)
            ]
            assert {b.compiler for b in here} == tools
            if not kernel.runs_on(architecture):
                assert all("not supported on .target" in (b.refusal or "") for b in here)
                continue
            cubins = [b for b in here if b.artefact == "cubin"]
            texts = [b for b in here if b.artefact == "ptx"]
            assert len(cubins) == len(texts) == len(tools)
            assert {b.artefact_for for b in cubins} == {architecture.rstrip("a")}
            assert {b.artefact_for for b in texts} == {architecture}
            assert all(0 < (b.registers or 0) <= 255 for b in cubins)
            assert {family for b in here for family in b.matrix} == _families(kernel)
            most = 227 * 1024
            assert all((b.static_shared_bytes or 0) + b.dynamic_shared_bytes <= most for b in here)
    assert record.spilled == ()


def _families(kernel: Kernel) -> set[str]:
    return {kernel.family} if kernel.family else set()


@needs_nvrtc
@pytest.mark.slow
def test_a_record_is_written_whole_and_under_a_free_name(
    record: KernelMatrix, tmp_path: Path
) -> None:
    first, path = write(record, tmp_path)
    second, other = write(record, tmp_path)
    assert (path.name, other.name) == (f"{first.id}.json", f"{second.id}.json")
    assert parse(path.read_text("utf-8")) == first
    assert first.content_hash == hash_of(first) != second.content_hash


def test_the_committed_matrix_is_of_these_sources() -> None:
    paths = sorted((ROOT / "evidence").glob("cuda-kernels-*.json"))
    assert paths
    newest = parse(paths[-1].read_text("utf-8"))
    stored = {source.file: source.sha256 for source in newest.sources}
    now = {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in source_files()}
    assert stored == now
    assert {b.kernel for b in newest.built} == set(KERNELS)
    assert {b.architecture for b in newest.built} == set(ARCHITECTURES)
    assert {b.compiler for b in newest.built} == {"nvrtc", "nvcc"}


def test_a_matrix_has_no_place_for_a_time() -> None:
    schema = json.dumps(KernelMatrix.model_json_schema())
    assert "seconds" not in schema
    assert "rate" not in schema


@needs_nvrtc
@pytest.mark.parametrize("name", ["sm_999", "sm_20", "hopper", "sm_100a;ls", "sm_100b"])
def test_an_unknown_architecture_is_one_clear_failure(name: str) -> None:
    with pytest.raises(CudaFailure, match="it knows sm_75, sm_80") as caught:
        compilers.nvrtc(KERNELS["chain-f32"], name)
    assert caught.value.kind is FailureKind.UNKNOWN_ARCHITECTURE


@needs_nvrtc
def test_the_wrong_architecture_is_told_in_the_compilers_own_words() -> None:
    with pytest.raises(CudaFailure, match=r"wgmma\.fence' not supported on \.target 'sm_100a'"):
        compilers.nvrtc(KERNELS["matmul-bf16-wgmma"], "sm_100a")


@needs_nvrtc
def test_a_source_that_does_not_compile_is_a_failure_without_paths(tmp_path: Path) -> None:
    class Broken(Kernel):
        __slots__ = ()

        @property
        def path(self) -> Path:
            found = tmp_path / "broken.cu"
            found.write_text("KB_KERNEL broken( {", "utf-8")
            return found

    kernel = KERNELS["chain-f32"]
    fields = {name: getattr(kernel, name) for name in Kernel.__dataclass_fields__}
    with pytest.raises(CudaFailure) as caught:
        compilers.nvrtc(Broken(**fields), "sm_100a")
    assert caught.value.kind is FailureKind.COMPILATION_FAILED
    assert str(tmp_path) not in str(caught.value)


@needs_nvrtc
@pytest.mark.slow
def test_the_ffi_library_loads_and_shows_in_the_program_of_an_absent_b200(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kb.measure.compile.process import Request, compile_for
    from kb.measure.compile.program import find
    from kb.measure.compile.targets import target
    from kb.model.artefact import KernelClass

    library = ffi.build_device(tmp_path / "softmax.so")
    monkeypatch.setenv(ffi.LIBRARY, str(library))
    shapes = tmp_path / "shapes.yml"
    shapes.write_text(SHAPES, "utf-8")
    asked = Request(find("kb.measure.cuda.ffi:program", shapes), target("hgx-b200:1"), None, 300.0)
    outcome = compile_for(asked)
    assert outcome.refusal is None, outcome.refusal
    for variant in outcome.variants:
        ours = [k for k in variant.kernels if k.kernel_class is KernelClass.HAND_WRITTEN]
        assert [k.kind for k in ours] == [ffi.TARGET]
        assert ffi.TARGET in outcome.texts[variant.name]
