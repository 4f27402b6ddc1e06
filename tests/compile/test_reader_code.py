"""The CUDA pieces of the execution reader, through the real compiler; nothing runs here."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from kb.pages.reader.code import PIECES

pytestmark = pytest.mark.slow


def nvcc() -> Path:
    """The compiler of the wheels; a skip where it is not installed."""
    found = sorted(Path(sysconfig.get_path("purelib")).glob("nvidia/*/bin/nvcc"))
    if not found:
        if os.environ.get("KB_REQUIRE_AOT"):
            pytest.fail("nvcc is not installed")
        pytest.skip("nvcc is not installed; it comes with the extra aot-cuda")
    return found[-1]


@pytest.mark.parametrize("key", [key for key, p in PIECES.items() if p.language == "cuda"])
def test_a_cuda_piece_compiles_for_b200_without_a_warning(key: str, tmp_path: Path) -> None:
    source = tmp_path / f"{key}.cu"
    source.write_text(PIECES[key].text, "utf-8")
    include = nvcc().parents[1] / "include"
    command = [nvcc(), "-arch=sm_100", "-ptx", "-Werror=all-warnings", f"-I{include}", source]
    answer = subprocess.run(
        [*map(str, command), "-o", str(tmp_path / "out.ptx")],
        capture_output=True, text=True, check=False,
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
    )  # fmt: skip
    assert answer.returncode == 0, answer.stdout + answer.stderr
    ptx = (tmp_path / "out.ptx").read_text("utf-8")
    assert ".target sm_100" in ptx
    assert (".entry" in ptx) == ("__global__" in PIECES[key].text)
