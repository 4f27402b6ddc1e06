"""The lines that the CPU build leaves out are found, and none is overlooked."""

from __future__ import annotations

import re

import pytest

from kb.measure.cuda.kernels import source_files
from kb.measure.cuda.untested import of_file, untested


def test_both_sides_and_nesting() -> None:
    text = "a\n#ifdef KB_HOST\nb\n#else\nc\n#if X\nd\n#elif Y\n#endif\n#endif\ne\n"
    text += "#ifndef KB_HOST\nf\n#endif\n"
    assert untested(text) == ((5, 9), (13, 13))


@pytest.mark.parametrize(
    "line", ["#if defined(KB_HOST)", "#if KB_HOST", "#undef KB_HOST", "#ifdef KB_HOST && X"]
)
def test_another_way_to_ask_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="line 1 asks for KB_HOST"):
        untested(f"{line}\nx\n#endif")


def test_every_instruction_of_a_gpu_is_listed() -> None:
    assembly = 0
    for path in source_files():
        lines = path.read_text("utf-8").splitlines()
        listed = {n for first, last in of_file(path) for n in range(first, last + 1)}
        for number, line in enumerate(lines, start=1):
            if re.search(r"\basm\b", line):
                assembly += 1
                assert number in listed, f"{path.name}:{number}"
    assert assembly >= 15
