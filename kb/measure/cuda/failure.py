"""What can go wrong on the way to a sample, one typed failure each.

A failure is raised before a sample is accepted, so nothing that follows it is a number.
"""

from __future__ import annotations

from kb.finding import CheckError
from kb.qualifiers import Word


class FailureKind(Word):
    """Why there is no sample."""

    MISSING_WHEEL = "missing_wheel", "A package or library that the step needs is not installed."
    NO_DRIVER = "no_driver", "The machine has no NVIDIA driver."
    DRIVER_TOO_OLD = "driver_too_old", "The driver is older than the CUDA that was compiled with."
    NO_DEVICE = "no_device", "The driver sees no GPU."
    UNKNOWN_ARCHITECTURE = "unknown_architecture", "The compiler does not know the architecture."
    NOT_FOR_ARCHITECTURE = "not_for_architecture", "The kernel is written for other architectures."
    COMPILATION_FAILED = "compilation_failed", "The compiler rejected the source."
    LAUNCH_FAILED = "launch_failed", "The driver refused the launch."
    ASYNCHRONOUS_ERROR = "asynchronous_error", "An accepted launch failed while it ran."
    OUT_OF_MEMORY = "out_of_memory", "The device has too little free memory."
    WRONG_RESULT = "wrong_result", "The result is out of tolerance."
    NOT_ENCLOSED = "not_enclosed", "The interval does not enclose the work."
    DEADLOCK = "deadlock", "Some threads wait at a barrier that others never reach."


class CudaFailure(CheckError):  # noqa: N818 - it is the failure, not an error of a program
    """A run that gave no sample, with its kind and what to do."""

    def __init__(self, kind: FailureKind, message: str, remedy: str) -> None:
        super().__init__(f"{kind.value.replace('_', ' ')}: {message}", remedy)
        self.kind = kind
