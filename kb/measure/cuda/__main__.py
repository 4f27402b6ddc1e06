"""The fresh process that runs a kernel's twin, or its FFI call, by JAX on the GPU."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

from kb.measure.cuda import ffi
from kb.measure.cuda.kernels import find
from kb.measure.run.plan import Settings, observe
from kb.measure.run.record import assemble, now, text
from kb.measure.run.sample import Stopping
from kb.model.evidence import Ceiling
from kb.qualifiers import Boundary
from kb.writing import replace_file


def main(result: Path, line: str) -> int:
    """Does what `line` asks and writes `result`; anything wrong ends in one line."""
    asked = json.loads(line)
    kernel = find(asked["kernel"])
    twin = kernel.twin
    import jax

    platform = jax.devices()[0].platform
    if platform != asked.get("platform", "gpu"):
        sys.stderr.write(f"JAX runs on {platform}, not on the GPU\n")
        return 1
    if asked["by"] == "ffi":
        ffi.register("cpu" if platform == "cpu" else "CUDA")
        twin = replace(twin, function=ffi.softmax)
    ceiling = asked.get("ceiling") and Ceiling.model_validate(asked["ceiling"])
    # The boundaries of a kernel's own record on the host's clock, so that the two compare.
    stopping = Stopping(fewest=30, max_seconds=3.0)
    settings = Settings(stopping, ceiling, (Boundary.THROUGHPUT,))
    begun = now()
    seen = observe(twin, settings, lambda _: None)
    record = assemble(seen, settings, asked["command"], begun)
    if not record.correctness.passed:
        sys.stderr.write(f"wrong result: norm error {record.correctness.norm_error}\n")
        return 1
    name = f"{kernel.id}-{asked['by']}-{record.id.removeprefix(twin.id + '-')}"
    replace_file(result, text(record.model_copy(update={"id": name})).encode())
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.stdin.read()))
