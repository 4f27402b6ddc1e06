"""Small rows and folders in the shape that MLCommons publishes; the figures are invented."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ROW: dict[str, Any] = {
    "ID": "9.9-0001",
    "Submitter": "Acme",
    "Availability": "available",
    "Category": "closed",
    "Suite": "datacenter",
    "System": "Acme Node (8x H200)",
    "Platform": "H200x8",
    "UsedModel": "stable-diffusion-xl",
    "Model": "stable-diffusion-xl",
    "Scenario": "Offline",
    "Accuracy": "CLIP_SCORE: 31.75  FID_SCORE: 23.5",
    "Nodes": 1,
    "Processor": "Some CPU",
    "Accelerator": "NVIDIA H200-SXM-141GB",
    "a#": 8,
    "Location": "closed/Acme/results/H200x8/stable-diffusion-xl/Offline",
    "Software": "TensorRT",
    "Notes": "",
    "compliance": 1,
    "errors": 0,
    "version": "v5.1",
    "inferred": 0,
    "has_power": False,
    "weight_data_types": "fp8",
    "Details": "https://github.com/mlcommons/inference_results_v5.1/tree/main/closed/Acme",
    "Performance_Result": 19.25,
    "Performance_Units": "Samples/s",
}
"""A sound row; tests change what they are about."""

LOG = """\
================================================
MLPerf Results Summary
================================================
SUT name : PySUT
Scenario : Offline
Mode     : PerformanceOnly
Samples per second: 7.25
Result is : VALID
"""

SYSTEM: dict[str, Any] = {
    "submitter": "Acme",
    "division": "closed",
    "status": "available",
    "system_type": "datacenter",
    "system_name": "Acme B200 node",
    "accelerator_model_name": "NVIDIA B200-SXM-180GB",
    "accelerators_per_node": 8,
    "number_of_nodes": 1,
    "accelerator_memory_capacity": "180 GB",
    "accelerator_interconnect": "18x 5th Gen NVLink, 14.4 TB/s aggregated bandwidth",
    "host_processor_model_name": "Some CPU",
    "framework": "TensorRT 10",
    "other_software_stack": {"runtime": "CUDA 13"},
}


def row(**changes: object) -> dict[str, Any]:
    """The sound row with some fields changed; `a#` is `count` here. None takes a field out."""
    data = {**ROW, **{"a#" if key == "count" else key: value for key, value in changes.items()}}
    return {key: value for key, value in data.items() if value is not None}


def summary(folder: Path, *rows: dict[str, Any]) -> Path:
    """A summary file with these rows."""
    path = folder / "summary_results.json"
    path.write_text(json.dumps(list(rows), indent=2), encoding="utf-8")
    return path


def submission(top: Path, *, log: str = LOG, formats: str = "{'unet': 'fp8', 'vae': 'fp32'}",
               **changes: object) -> Path:  # fmt: skip
    """A submission folder of one result for round v4.1."""
    home = top / "inference_v4.1" / "closed" / "Acme"
    result = home / "results" / "b200x8" / "stable-diffusion-xl" / "offline"
    measured = home / "measurements" / "b200x8" / "stable-diffusion-xl" / "offline"
    for folder in (result / "performance/run_1", result / "accuracy", measured, home / "systems"):
        folder.mkdir(parents=True, exist_ok=True)
    (result / "performance/run_1/mlperf_log_summary.txt").write_text(log, "utf-8")
    accuracy = "{'accuracy_results': {'CLIP_SCORE': 31.74, 'FID_SCORE': 23.5}}\nhash=31e4\n"
    (result / "accuracy/accuracy.txt").write_text(accuracy, "utf-8")
    (measured / "b200x8_offline.json").write_text(json.dumps({"weight_data_types": formats}))
    (home / "systems/b200x8.json").write_text(json.dumps({**SYSTEM, **changes}), "utf-8")
    return top / "inference_v4.1"
