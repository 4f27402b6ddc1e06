"""Nothing in a record, or in a compiled text beside it, says whose machine it was."""

from __future__ import annotations

import gzip
import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from kb.measure.compile.redact import redacted

KB = Path(sys.executable).with_name("kb")
SECRETS = ("janeroe", "hidden-project", "private-dump", "tr0ub4dor")
PROGRAM = """\
import jax

@jax.named_scope("scope")
def step(a, b):
    return jax.numpy.tanh(a @ b).sum(axis=0)
"""
SHAPES = """\
id: dense-step
summary: One dense layer.
inputs:
  a: {shape: [64, 64], dtype: f32}
  b: {shape: [64, 64], dtype: f32}
"""


@pytest.mark.slow
@pytest.mark.parametrize("boundary", ["warm_host", "profile_device"])
def test_a_measured_record_tells_no_name_and_no_path(boundary: str, tmp_path: Path) -> None:
    """A program of a user's own, compiled for real from a folder with telling names."""
    home = tmp_path / "janeroe"
    work = home / "hidden-project"
    work.mkdir(parents=True)
    (work / "mine.py").write_text(PROGRAM, encoding="utf-8")
    (work / "shapes.yml").write_text(SHAPES, encoding="utf-8")
    environment = os.environ | {
        "HOME": str(home), "USER": "janeroe", "LOGNAME": "janeroe", "JAX_PLATFORMS": "cpu",
        "HF_TOKEN": "tr0ub4dor", "KB_DATABASE_URL": "postgresql://janeroe:tr0ub4dor@db/x",
        "XLA_FLAGS": f"--xla_dump_to={tmp_path}/private-dump --xla_dump_hlo_as_text",
        "PYTHONPATH": str(work),
    }  # fmt: skip
    words = ["measure", "run", "mine:step", "--shapes", "shapes.yml", "--boundary", boundary]
    done = subprocess.run(
        [KB, *words, "--samples", "3", "--max-seconds", "0.2", "--out", "out"],
        cwd=work, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stderr
    assert (work / "out").is_dir(), done.stderr
    assert list((tmp_path / "private-dump").iterdir()), "the flag was obeyed, so it was seen"
    written = sorted((work / "out").iterdir())
    assert {path.suffix for path in written} == {".json", ".gz"}
    for path in written:
        raw = path.read_bytes()
        text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode()
        told = [*SECRETS, str(tmp_path), str(Path(sys.prefix)), platform.node()]
        assert not [word for word in told if len(word) > 3 and word in text], path
        assert "/" + work.parts[1] + "/" not in text
    record = json.loads(next(p for p in written if p.suffix == ".json").read_text("utf-8"))
    assert record["environment"]["flags"]["XLA_FLAGS"] == (
        "--xla_dump_to=<path> --xla_dump_hlo_as_text"
    )


@pytest.mark.parametrize(
    "text",
    [
        'source_file="/home/jane roe/model.py" source_line=3',
        'source_file="/home/jane \\" roe/model.py" source_end_line=3',
        'custom_call_target="/home/jane roe/lib.so"',
        '"/home/jane/lib.so"',
        '\nFileNames\n1 "/home/jane/model.py"\n2 "/home/roe/a b.py"\n\n',
    ],
)
def test_a_path_is_taken_out_whatever_is_in_it(text: str) -> None:
    assert not [word for word in ("jane", "roe", "home") if word in redacted(f"%a = f32[] {text}")]
