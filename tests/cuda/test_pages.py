"""What a reader sees of compile matrices and of CUDA runs."""

from __future__ import annotations

import json
from pathlib import Path

from kb.corpus import Corpus, Entry
from kb.model.cudarun import CudaRun
from kb.model.kernels import parse
from kb.pages.cudarun import cuda_section
from kb.pages.kernels import kernel_pages, with_kernels
from kb.source import Place

ROOT = Path(__file__).resolve().parents[2]
NEWEST = max((ROOT / "evidence").glob("cuda-kernels-*.json"))


def test_the_table_has_a_row_for_every_build_and_names_the_families() -> None:
    record = parse(NEWEST.read_text("utf-8"))
    corpus = Corpus(kernels={record.id: Entry(record, Place("evidence/x.json"))})
    text = kernel_pages(corpus)[f"evidence/{record.id}.md"]
    cubins = [b for b in record.built if b.artefact == "cubin" and b.refusal is None]
    assert text.count("| cubin for sm") == len(cubins)
    assert all(word in text for word in ("tcgen05.mma", "wgmma", "mma.sync", "not supported on"))
    assert "Lines that no test on a CPU reaches" in text
    assert record.id in with_kernels("# Evidence\n", corpus)
    assert with_kernels("# Evidence\n", Corpus()) == "# Evidence\n"


def test_a_run_shows_why_its_interval_may_be_believed() -> None:
    steps = [
        {"kind": "record", "stream": 1, "event": "start"},
        {"kind": "launch", "stream": 1, "what": "<b>kernel</b>"},
        {"kind": "record", "stream": 1, "event": "stop"},
        {"kind": "synchronise", "event": "stop"},
        {"kind": "read"},
    ]
    interval = {"boundary": "device_events", "start": "start", "stop": "stop", "steps": steps}
    run = CudaRun.model_validate_json(
        json.dumps(
            {
                "implementation": "kernel", "called": "kernel", "source_sha256": None,
                "architecture": "sm_90a", "artefact": "cubin", "grid": [1, 1, 1],
                "block": [32, 1, 1], "shared_bytes": 0, "graph_launches": 4, "l2": "flushed",
                "l2_bytes": 8, "driver_version": "13.0", "versions": {}, "clocks": [],
                "clocks_missing_because": "NVML: none", "checked_samples": 20,
                "intervals": [interval],
            }
        )
    )  # fmt: skip
    text = cuda_section(run)
    assert "Both events enclose the work" in text
    assert "graph of 4 launches" in text
    assert "<b>" not in text
    assert cuda_section(None) == ""
