"""Accuracy against the benchmark's target, and the number formats of the weights."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from kb.mlperf.fields import Row
from kb.model.result import Accuracy, Component, FlagKind
from kb.qualifiers import Division, Precision

Range = tuple[float, float | None]

_LLAMA2 = {"ROUGE1": 44.4312, "ROUGE2": 22.0352, "ROUGEL": 28.6162}
_LLAMA3_8B = {"ROUGE1": 38.7792, "ROUGE2": 15.9075, "ROUGEL": 24.4957, "ROUGELSUM": 35.793}
_LLAMA3_EDGE = {"ROUGE1": 39.06, "ROUGE2": 16.1147, "ROUGEL": 24.6375, "ROUGELSUM": 36.124}


def _at_least(reference: Mapping[str, float], share: float) -> dict[str, Range]:
    return {metric: (value * share, None) for metric, value in reference.items()}


def _length(metric: str, reference: float, upper: float | None = None) -> dict[str, Range]:
    """How long the answers may be: between nine and eleven tenths of the reference."""
    return {metric: (reference * 0.9, (upper or reference) * 1.1)}


TARGETS: dict[str, dict[str, Range]] = {
    "resnet": {"acc": (76.46 * 0.99, None)},
    "retinanet": {"mAP": (37.55 * 0.99, None)},
    "dlrm-v2-99": {"AUC": (80.31 * 0.99, None)},
    "dlrm-v2-99.9": {"AUC": (80.31 * 0.999, None)},
    "3d-unet-99": {"DICE": (0.86170 * 0.99, None)},
    "3d-unet-99.9": {"DICE": (0.86170 * 0.999, None)},
    "llama2-70b-99": _at_least(_LLAMA2, 0.99) | _length("TOKENS_PER_SAMPLE", 294.45),
    "llama2-70b-99.9": _at_least(_LLAMA2, 0.999) | _length("TOKENS_PER_SAMPLE", 294.45),
    "llama3.1-8b": _at_least(_LLAMA3_8B, 0.99) | _length("GEN_LEN", 8167644),
    "llama3.1-8b-edge": _at_least(_LLAMA3_EDGE, 0.99) | _length("GEN_LEN", 3051113),
    "llama3.1-405b": _at_least({"ROUGEL": 21.6666, "exact_match": 90.1335}, 0.99)
    | _length("TOKENS_PER_SAMPLE", 684.68),
    "stable-diffusion-xl": {
        "CLIP_SCORE": (31.68631873, 31.81331801),
        "FID_SCORE": (23.01085758, 23.95007626),
    },
    "rgat": {"acc": (0.7286 * 0.99, None)},
    "pointpainting": {"mAP": (0.5425 * 0.999, None)},
    "deepseek-r1": {"exact_match": (81.3582 * 0.99, None)}
    | _length("TOKENS_PER_SAMPLE", 3886.2274),
    "whisper": {"ACCURACY": ((100.0 - 2.0671) * 0.99, None)},
}
"""The closed division's targets, as the submission checkers of v4.1 and v5.1 hold them.

Benchmarks whose target changed between the two are left out: no target, no verdict.
"""
TARGET_VERSIONS = ("v4.1", "v5.0", "v5.1")
"""The rounds whose checkers were read."""

_FIGURE = re.compile(r"([A-Za-z][\w-]*)['\"]?\s*[:=]\s*(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)")
_SPELLINGS = {
    "accuracy": "acc",
    "rouge1": "ROUGE1",
    "rouge2": "ROUGE2",
    "rougel": "ROUGEL",
    "rougelsum": "ROUGELSUM",
    "gen_len": "GEN_LEN",
    "tokens_per_sample": "TOKENS_PER_SAMPLE",
    "clip_score": "CLIP_SCORE",
    "fid_score": "FID_SCORE",
}
"""Names in an accuracy log, without case, by the name that the target has."""

FORMATS = {
    "fp4": Precision.FP4,
    "mxfp4": Precision.FP4,
    "nvfp4": Precision.FP4,
    "fp6": Precision.FP6,
    "fp8": Precision.FP8,
    "int4": Precision.INT4,
    "uint4": Precision.INT4,
    "int8": Precision.INT8,
    "uint8": Precision.INT8,
    "fp16": Precision.FP16,
    "bf16": Precision.BF16,
    "bfloat16": Precision.BF16,
    "tf32": Precision.TF32,
    "fp32": Precision.FP32,
}
"""Number formats as submitters spell them; what is printed is kept beside the word."""
_PART = re.compile(r"['\"]?([A-Za-z][\w-]*)['\"]?\s*:\s*['\"]?([A-Za-z0-9_]+)['\"]?")


def accuracy(
    row: Row, text: str, benchmark: str, version: str, division: Division
) -> tuple[Accuracy, ...]:
    """Every accuracy figure of a text, each with its target where the benchmark has one."""
    targets = TARGETS.get(benchmark, {}) if version in TARGET_VERSIONS else {}
    found: dict[str, float] = {}
    for name, value in _FIGURE.findall(text):
        if name.lower() == "hash":
            continue  # the digest of a log may look like a number
        metric = name if name in targets else _SPELLINGS.get(name.lower(), name)
        found.setdefault(metric, float(value))
    figures = tuple(_figure(metric, value, targets) for metric, value in found.items())
    closed = division is not Division.OPEN
    for metric in sorted(set(targets) - set(found)) if closed else ():
        row.flag(FlagKind.ACCURACY_MISSING, f"no {metric}, which has a target")
    for figure in figures:
        if figure.met is False and closed:
            row.flag(
                FlagKind.ACCURACY_MISSED, f"{figure.metric} {figure.value:g}: {_wanted(figure)}"
            )
    return figures


def _figure(metric: str, value: float, targets: Mapping[str, Range]) -> Accuracy:
    low, high = targets.get(metric, (None, None))
    low, high = (None if bound is None else float(f"{bound:.10g}") for bound in (low, high))
    return Accuracy(metric=metric, value=value, low=low, high=high)


def _wanted(figure: Accuracy) -> str:
    top = "" if figure.high is None else f" and at most {figure.high:.8g}"
    return f"at least {figure.low:.8g}{top} is asked for"


def number_formats(row: Row, text: str) -> tuple[Component, ...]:
    """The number format of each part of the model, or one for `all`; flags what is not known."""
    stated = text.strip()
    if not stated or stated.upper() in ("UNSET", "N/A", "TODO"):
        row.flag(FlagKind.PRECISION_UNSET, f"weights: {stated or 'nothing'}")
        return (Component(name="all", printed=stated or "unset", precision=Precision.UNSTATED),)
    return tuple(_components(row, stated))


def _components(row: Row, stated: str) -> Iterator[Component]:
    parts = _PART.findall(stated) or [("all", part) for part in re.split(r"[,;+\s]+", stated)]
    for name, printed in parts:
        precision = FORMATS.get(printed.lower())
        if precision is None:
            row.flag(FlagKind.PRECISION_UNREAD, f"{printed!r}")
        yield Component(name=name, printed=printed, precision=precision or Precision.UNSTATED)
