"""Says who wrote the code of an instruction, by the compiler's own words for it.

Names of device kernels are no evidence and aren't looked at: a name says neither which
library nor which instruction. On a TPU there is no vendor library to call; routines inside
the compiler have a class of their own.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Collection

from kb.measure.compile.hlo import Instruction
from kb.model.artefact import KernelClass

NO_KERNEL = frozenset(
    [
        "parameter",
        "constant",
        "bitcast",
        "tuple",
        "get-tuple-element",
        "after-all",
        "partition-id",
        "replica-id",
        "opt-barrier",
        "domain",
        "add-dependency",
    ]
)
"""Instructions that launch nothing."""

COPIES = frozenset(["copy", "copy-start", "copy-done", "slice-start", "slice-done"])
"""Movement within one device; `-done` halves only wait."""

_TRITON = re.compile(r'"kind":"(__triton[^"]*)"')
_FUSION = re.compile(r'"fusion_backend_config":\{"kind":"([^"]+)"')
_LIBRARY = (
    "__cublas$*", "__cudnn$*", "cusolver_*", "cusparse_*", "cudnn_rnn*", "cublas_*",
    "xla.gpu.ext.cub_*", "__cub$*",
)  # fmt: skip
_HELPER = ("__gpu$TopK", "cu_threefry2x32*", "dce_sink*", "annotate_device_placement")
_HAND = (
    "__gpu$xla.gpu.triton", "__gpu$xla.gpu.ptx", "mosaic_gpu*", "triton_kernel_call*",
    "tpu_custom_call",
)  # fmt: skip
_TPU_INTERNAL = (
    "ConcatBitcast", "AllocateBuffer", "NopReturnToken", "X64*", "MoveTo*", "PinToDevice",
    "Sharding", "SPMD*", "TopK", "PartialReduce", "Cholesky", "InvertDiagBlocks*",
    "LuDecompositionBlock", "QrDecompositionBlock", "EighTpu", "ResizeBilinear*",
    "BitcastToSparse*", "Eigh", "AssumeGatherIndicesInBound",
)  # fmt: skip
_TPU_NOTHING = ("ConcatBitcast", "AllocateBuffer", "NopReturnToken", "AssumeGather*")
"""Compiler-internal marks that stand for a view or an allocation, for no work."""


def launches_nothing(instruction: Instruction) -> bool:
    """Whether an instruction is bookkeeping only."""
    if instruction.opcode in NO_KERNEL:
        return True
    return instruction.opcode == "custom-call" and _fits(instruction.target, _TPU_NOTHING)


def classify(
    instruction: Instruction, platform: str, shipped: Collection[str], *, contracts: bool
) -> tuple[KernelClass, str]:
    """The class of a kernel and the compiler's own word for it.

    `contracts` says whether a matrix product is inside, `shipped` lists the custom-call
    targets that come with jaxlib.
    """
    if instruction.opcode == "custom-call":
        return _custom_call(instruction.target, platform, shipped), instruction.target
    if platform == "tpu":
        kind = instruction.fusion_kind or instruction.opcode
        return (KernelClass.XLA_MATRIX if contracts else KernelClass.XLA_VECTOR), kind
    if instruction.opcode == "fft":
        return KernelClass.VENDOR_LIBRARY, "fft (cuFFT)"
    if instruction.opcode == "fusion":
        return _gpu_fusion(instruction)
    return KernelClass.XLA_NATIVE, instruction.opcode


def _gpu_fusion(instruction: Instruction) -> tuple[KernelClass, str]:
    triton = _TRITON.search(instruction.attributes)
    if triton is not None:
        return KernelClass.XLA_TRITON, triton[1]
    kind = _FUSION.search(instruction.attributes)
    if kind is not None and kind[1].startswith(("__cudnn", "__cublas")):
        return KernelClass.VENDOR_LIBRARY, kind[1]
    return KernelClass.XLA_NATIVE, kind[1] if kind is not None else instruction.fusion_kind


def _custom_call(target: str, platform: str, shipped: Collection[str]) -> KernelClass:
    if _fits(target, _HAND):
        return KernelClass.HAND_WRITTEN
    if platform == "tpu":
        internal = _fits(target, _TPU_INTERNAL)
        return KernelClass.COMPILER_INTERNAL if internal else KernelClass.HAND_WRITTEN
    if _fits(target, _LIBRARY):
        return KernelClass.VENDOR_LIBRARY
    if _fits(target, _HELPER) or target in shipped:
        return KernelClass.RUNTIME_HELPER
    return KernelClass.HAND_WRITTEN


def _fits(target: str, patterns: Collection[str]) -> bool:
    return any(fnmatch.fnmatchcase(target, pattern) for pattern in patterns)
