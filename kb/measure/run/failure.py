"""Why a run gave no record, as a word, so that a sweep and a script can tell cases apart."""

from __future__ import annotations

from kb.finding import CheckError
from kb.qualifiers import Word

_LONGEST = 400


class FailureKind(Word):
    """What kept a run from happening."""

    UNKNOWN_WORKLOAD = "unknown_workload", "No workload or function has this name."
    CALLABLE_RAISED = "callable_raised", "The program raised an exception."
    WRONG_SHAPES = "wrong_shapes", "The shapes or types of the inputs do not fit the program."
    NO_REFERENCE = "no_reference", "The result can't be held against a float64 reference."
    NO_DEVICE = "no_device", "The device that was asked for is not there."
    OUT_OF_MEMORY = "out_of_memory", "The program does not fit into memory."
    TIMED_OUT = "timed_out", "The run did not end in time."
    KILLED = "killed", "Something ended the measuring process."
    CRASHED = "crashed", "The measuring process ended without an answer."
    NOT_WRITTEN = "not_written", "The record could not be written."


class Failed(CheckError):  # noqa: N818 - named like the answer it is, as `Refused`
    """A run that could not happen, with its kind."""

    def __init__(self, kind: FailureKind, message: str, remedy: str) -> None:
        super().__init__(message, remedy)
        self.kind = kind


def of_exception(error: Exception, doing: str) -> Failed:
    """The failure that an exception of JAX or of a user's program stands for.

    `doing` says what was going on, as in "tracing matmul-512-f32".
    """
    if isinstance(error, Failed):
        return error
    if isinstance(error, CheckError):
        return Failed(FailureKind.NO_REFERENCE, str(error), error.remedy)
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or ["no message"]
    text = f"{type(error).__name__} while {doing}: {lines[0]}"[:_LONGEST]
    if isinstance(error, MemoryError) or "RESOURCE_EXHAUSTED" in str(error):
        remedy = "Take smaller shapes, or a device with more memory."
        return Failed(FailureKind.OUT_OF_MEMORY, text, remedy)
    if isinstance(error, TypeError | ValueError) and _about_shapes(str(error)):
        remedy = "Correct the shapes or types of the inputs."
        return Failed(FailureKind.WRONG_SHAPES, text, remedy)
    remedy = "Call the function on these inputs on a CPU first, and see `kb measure device`."
    return Failed(FailureKind.CALLABLE_RAISED, text, remedy)


def _about_shapes(text: str) -> bool:
    words = ("shape", "dimension", "contracting", "broadcast", "argument", "dtype", "rank")
    return any(word in text.lower() for word in words)
