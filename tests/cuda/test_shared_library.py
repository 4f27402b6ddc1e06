"""Shared libraries from C++: built for real, and refused with the compiler's own words."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest

from kb.finding import CheckError
from kb.measure.shared_library import FOR_HOST, BuildError, build, host_compiler


def test_a_library_is_built_loaded_and_called(tmp_path: Path) -> None:
    source = tmp_path / "six.cc"
    source.write_text('extern "C" int six() { return SIX; }\n', encoding="utf-8")
    built = build(host_compiler("A test"), source, *FOR_HOST, "-DSIX=6")
    assert built.name == "six.so"
    assert ctypes.CDLL(str(built)).six() == 6


def test_a_source_with_a_fault_names_itself_and_the_first_error(tmp_path: Path) -> None:
    source = tmp_path / "fault.cc"
    source.write_text('#warning "first a warning"\nint six() { return nobody; }\n', "utf-8")
    with pytest.raises(BuildError, match=r"fault\.cc does not build: .*error: .*nobody"):
        build(host_compiler("A test"), source, *FOR_HOST)


def test_without_a_compiler_the_purpose_and_the_package_are_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CheckError, match="The FFI program needs a C") as caught:
        host_compiler("The FFI program")
    assert caught.value.remedy == "apt-get install g++"
