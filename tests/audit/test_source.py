"""The source scan: what is a kernel, what only looks like one, and what rules it has."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.measure.audit.marks import Found, Mark
from kb.measure.audit.source import Scan, scan

PALLAS = """
import jax
from jax.experimental import pallas as pl

def kernel(x, o):
    o[...] = x[...] * 2

def double(x):
    return pl.pallas_call(kernel, out_shape=x)(x)
"""

RULED = """
import jax
from jax.experimental.custom_partitioning import custom_partitioning

@jax.custom_vjp
def op(x):
    return _call(x)

def _call(x):
    return jax.ffi.ffi_call("team_kernel", x)(x)

def _forward(x):
    return op(x), x

op.defvjp(_forward, lambda r, g: (g,))
"""

CUDA = """
#include <cublas_v2.h>
// __global__ void not_this(float* x) {}
template <typename T>
__global__ void __launch_bounds__(256) scale(T* x, int n) {
  int i = threadIdx.x;
  if (i < n) { x[i] *= 3; }
  asm volatile("bar.sync 0;");
}
/* __global__ void nor_this() {} */
static __global__ void second(const float* a) { }
void host() { cublasSgemm(h); }
"""


MOSAIC = "import functools\nfrom jax.experimental.pallas import mosaic_gpu as m\n"


def tree(tmp_path: Path, **files: str) -> Scan:
    for name, text in files.items():
        path = tmp_path / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return scan(tmp_path)


def marks(seen: Scan) -> list[tuple[Mark, str]]:
    return [(each.mark, each.name) for each in seen.found]


def only(seen: Scan) -> Found:
    (found,) = seen.found
    return found


def test_a_pallas_kernel_with_its_size_and_without_rules(tmp_path: Path) -> None:
    found = only(tree(tmp_path, a_dot_py=PALLAS))
    assert (found.mark, found.name, found.line, found.lines) == (Mark.PALLAS, "kernel", 9, 2)
    assert (found.gradient, found.sharding) == (False, False)


def test_a_rule_that_reaches_the_call_counts(tmp_path: Path) -> None:
    found = only(tree(tmp_path, a_dot_py=RULED))
    assert (found.mark, found.name) == (Mark.FFI_TARGET, "team_kernel")
    assert (found.gradient, found.sharding) == (True, False)
    sharded = RULED.replace("@jax.custom_vjp", "@custom_partitioning\n@jax.custom_vjp")
    assert only(tree(tmp_path, a_dot_py=sharded)).sharding is True


def test_cuda_kernels_without_those_in_comments(tmp_path: Path) -> None:
    seen = tree(tmp_path, k_dot_cu=CUDA)
    assert marks(seen) == [
        (Mark.CUDA_KERNEL, "scale"),
        (Mark.CUDA_KERNEL, "second"),
        (Mark.INLINE_PTX, "asm"),
        (Mark.VENDOR_CALL, "cublasSgemm"),
    ]
    assert [found.line for found in seen.found[:2]] == [5, 11]
    assert seen.found[0].lines == 5


def test_kernels_that_a_macro_begins_are_found_in_every_file(tmp_path: Path) -> None:
    (tmp_path / "own.h").write_text(
        '#define OWN extern "C" \\\n  __global__ void\n#define host /* __global__ */ void\n'
        "__device__ unsigned pair(int n) { return n; }\nhost first(int n) { }\n"
    )
    (tmp_path / "named.cuh").write_text("#define NAMED(name) __global__ void name##_f32(int n)\n")
    (tmp_path / "a.cu").write_text("OWN __launch_bounds__(256)\nscale(float* x) {\n}\n")
    (tmp_path / "b.cu").write_text("NAMED(second) { }\n")
    kernels = [each for each in scan(tmp_path).found if each.mark is Mark.CUDA_KERNEL]
    assert [(each.name, each.line) for each in kernels] == [("scale", 2), ("second", 1)]


def kernels_of(tmp_path: Path, text: str) -> list[tuple[str, int]]:
    (tmp_path / "a.cu").write_text(text, encoding="utf-8")
    found = scan(tmp_path).found
    return [(each.name, each.line) for each in found if each.mark is Mark.CUDA_KERNEL]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("#define DEF(T, name) __global__ void name(T* x)\nDEF(float, add) {}\nDEF(int, sub) {}\n",
         [("add", 2), ("sub", 3)]),
        ("#define PRE __global__\n#define KERNEL PRE void\nKERNEL nested(int*) {\n}\n",
         [("nested", 3)]),
        ("#define KERNEL __global__ void\n#define DEF(name) KERNEL name##_f32(int n)\nDEF(x) { }\n",
         [("x", 3)]),
        ("#define SIZED(n) __global__ __launch_bounds__(n) void\nSIZED(256) scale(int* x) { }\n",
         [("scale", 2)]),
        ("#define COPY(T) __global__ void copy_all(T* x) { }\nCOPY(float)\n", [("copy_all", 2)]),
        ('#define TOLD(s) "__global__ here" s\nint y = sizeof(TOLD("x"));\n', []),
        ("__global__ void (*pointer)(int);\n", []),
        ("template <typename T>\n__global__ static void __launch_bounds__(128, 2) f(T x) { }\n",
         [("f", 2)]),
    ],
)  # fmt: skip
def test_a_kernel_has_the_name_that_its_macro_gives_it(
    tmp_path: Path, text: str, named: list[tuple[str, int]]
) -> None:
    assert kernels_of(tmp_path, text) == named


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("import triton\n@triton.jit\ndef k(x): ...\n", Mark.TRITON),
        ("import triton as t\n@t.jit\ndef k(x): ...\n", Mark.TRITON),
        ("from triton import jit\n@jit\ndef k(x): ...\n", Mark.TRITON),
        ("from numba import cuda\n@cuda.jit\ndef k(x): ...\n", Mark.NUMBA_CUDA),
        ("from numba import cuda\n@cuda.jit(fastmath=True)\ndef k(x): ...\n", Mark.NUMBA_CUDA),
        ("import cupy as cp\nk = cp.RawKernel(src, 'k')\n", Mark.CUPY_RAW),
        ("import pynvml\n", Mark.DEVICE_TOOL),
        ("import cupyx.jit\n@cupyx.jit.rawkernel()\ndef k(x): ...\n", Mark.CUPY_RAW),
        (f"{MOSAIC}@m.kernel(out_shape=x)\ndef f(x): ...\n", Mark.PALLAS),
        (f"{MOSAIC}@functools.partial(m.kernel, out_shape=x)\ndef f(x): ...\n", Mark.PALLAS),
        ("import triton.language as tl\ny = tl.inline_asm_elementwise('x')\n", Mark.INLINE_PTX),
        ("import os\nos.environ['NCCL_ALGO'] = 'Ring'\n", Mark.VARIABLE),
        ("flags = '--xla_gpu_enable_triton_gemm=false'\n", Mark.VARIABLE),
        ("import subprocess\nsubprocess.run(['nvidia-smi', '-q'])\n", Mark.DEVICE_TOOL),
        ("run(['nsys', 'profile'])\n", Mark.PROFILING),
    ],
)
def test_what_python_source_binds(tmp_path: Path, text: str, mark: Mark) -> None:
    assert only(tree(tmp_path, a_dot_py=text)).mark is mark


@pytest.mark.parametrize(
    "text",
    [
        "# triton.jit, nvidia-smi, pallas_call\n",
        "'''uses pallas_call(kernel) and __global__ kernels'''\n",
        "import jax\nf = jax.jit(lambda x: x)\n",
        "from numba import jit\n@jit\ndef k(x): ...\n",
        "class RawKernel: ...\nRawKernel()\n",
        "names = ['nvidia', 'smi']\n",
    ],
)
def test_what_only_looks_like_it_is_not_counted(tmp_path: Path, text: str) -> None:
    assert tree(tmp_path, a_dot_py=text).found == []


@pytest.mark.parametrize(
    ("name", "text", "mark"),
    [
        ("Dockerfile", "FROM nvidia/cuda:13.0-devel\n", Mark.CONTAINER),
        ("a_dot_yml", "image: nvcr.io/nvidia/jax:26.01\n", Mark.CONTAINER),
        ("a_dot_sh", "apt-get install nvidia-driver-570\n", Mark.DRIVER_PIN),
        ("Makefile", "k.o: k.cu\n\tnvcc -c k.cu\n", Mark.BUILD),
        (".github__workflows__ci_dot_yml", "run: nsys profile x\n", Mark.PROFILING),
        ("a_dot_sh", "export CUDA_VISIBLE_DEVICES=0\n", Mark.VARIABLE),
        ("a_dot_sh", "pip install 'jax[cuda13]'\n", Mark.DRIVER_PIN),
        ("requirements_dot_txt", "cupy-cuda12x==13.0\n", Mark.DRIVER_PIN),
        ("job_dot_yml", "limits: {nvidia.com/gpu: 8}\n", Mark.CONTAINER),
    ],
)
def test_assumptions_in_tools_and_ci(tmp_path: Path, name: str, text: str, mark: Mark) -> None:
    found = only(tree(tmp_path, **{name: text}))
    assert found.mark is mark
    assert found.mark.group == "tooling"


IN_TEXT = """
import cupy
SOURCE = r'''
extern "C" __global__ void first(float* x) {
  x[0] = 1;
}
__global__ void second(float* x) { }
'''
first = cupy.RawKernel(SOURCE, "first")
module = cupy.RawModule(code=SOURCE)
"""


def test_kernels_inside_a_text_are_counted_where_they_stand_and_once(tmp_path: Path) -> None:
    seen = tree(tmp_path, a_dot_py=IN_TEXT)
    assert [(f.mark, f.name, f.line, f.lines) for f in seen.found] == [
        (Mark.CUPY_RAW, "first", 4, 3),
        (Mark.CUPY_RAW, "second", 7, 1),
    ]
    plain = tree(tmp_path, a_dot_py="SOURCE = '__global__ void only(float* x) { }'\n")
    assert marks(plain) == [(Mark.CUDA_KERNEL, "only")]


def test_a_raw_kernel_of_unknown_text_has_the_name_that_it_is_given(tmp_path: Path) -> None:
    seen = tree(tmp_path, a_dot_py="import cupy as cp\nk = cp.RawKernel(read(), 'scale')\n")
    assert marks(seen) == [(Mark.CUPY_RAW, "scale")]


@pytest.mark.parametrize("line", ["from team.names import TARGET", "from .names import TARGET"])
def test_a_target_that_another_file_names_is_found_there(tmp_path: Path, line: str) -> None:
    call = f"import jax\n{line}\nf = jax.ffi.ffi_call(TARGET, None)\n"
    seen = tree(tmp_path, team__names_dot_py="TARGET = 'team_scale'\n", team__use_dot_py=call)
    assert marks(seen) == [(Mark.FFI_TARGET, "team_scale")]


def test_a_file_in_ptx_is_assembly(tmp_path: Path) -> None:
    text = "// .entry no\n.visible .entry scale(\n .param .u64 x\n)\n{\n ret;\n}\n"
    found = only(tree(tmp_path, k_dot_ptx=text))
    assert (found.mark, found.name, found.line) == (Mark.INLINE_PTX, "scale", 2)


def test_a_notebook_is_named_as_not_read(tmp_path: Path) -> None:
    seen = tree(tmp_path, a_dot_ipynb="{}")
    assert (seen.files, seen.unread) == (0, ["a.ipynb: a notebook; export its code as Python"])


def test_a_remark_in_a_script_is_no_assumption(tmp_path: Path) -> None:
    assert tree(tmp_path, a_dot_sh="# nvidia-smi was used once\ntrue\n").found == []


def test_a_file_that_can_not_be_read_is_named(tmp_path: Path) -> None:
    seen = tree(tmp_path, a_dot_py="def f(:\n", b_dot_py="import pynvml\n")
    assert seen.unread == ["a.py: no valid Python in line 1"]
    assert len(seen.found) == 1


def test_installed_packages_and_hidden_folders_are_left_out(tmp_path: Path) -> None:
    seen = tree(tmp_path, **{"venv__a_dot_py": PALLAS, ".x__a_dot_py": PALLAS, "b_dot_py": "x=1\n"})
    assert (seen.files, seen.found) == (1, [])
