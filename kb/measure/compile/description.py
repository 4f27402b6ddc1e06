"""Checks the description of a GPU that is handed to XLA.

XLA accepts an empty or half-written description without a word and compiles for a device
that does not exist. Every field is therefore looked at here, before XLA sees the text.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kb.finding import CheckError

BUNDLED = Path(__file__).with_name("b200.pbtxt")
"""What ships for the B200: facts that the device reports, as openxla/xla lists them."""

NEEDED = {
    "": ("platform_name", "device_description_str", "dnn_version_info", "runtime_version"),
    "dnn_version_info": ("major",),
    "runtime_version": ("major",),
    "gpu_device_info": (
        "cuda_compute_capability", "core_count", "fpus_per_core", "clock_rate_ghz",
        "threads_per_warp", "threads_per_block_limit", "threads_per_core_limit",
        "block_dim_limit_x", "block_dim_limit_y", "block_dim_limit_z",
        "registers_per_core_limit", "registers_per_block_limit", "shared_memory_per_block",
        "shared_memory_per_core", "shared_memory_per_block_optin", "l2_cache_size",
        "memory_bandwidth", "device_memory_size",
    ),
    "cuda_compute_capability": ("major",),
}  # fmt: skip
"""Every field that must be there and must not be zero or empty, by its message."""

_TOKEN = re.compile(r'\s*([\w.+-]+|"[^"\n]*"|[{}:;,])')
_REMARK = re.compile(r"#[^\n]*")
REMEDY = "take kb/measure/compile/b200.pbtxt as the pattern, or leave --description out"


@dataclass(frozen=True, slots=True)
class Description:
    """A description that was found complete."""

    text: str
    sha256: str
    kind: str
    memory_bytes: int
    origin: str


def read(path: Path | None) -> Description:
    """The description in a file, or the bundled one; raises `CheckError` where it is unfit."""
    try:
        text = (path or BUNDLED).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is no UTF-8 text"
        name = path.name if path else BUNDLED.name
        raise CheckError(f"The target description {name} can't be read: {why}.", REMEDY) from error
    return check(text, "kb/measure/compile/b200.pbtxt" if path is None else path.name)


def check(text: str, origin: str) -> Description:
    """The description in `text`; raises `CheckError` that names every missing field."""
    fields = _fields(text)
    if not fields:
        raise CheckError("The target description is empty.", REMEDY)
    missing = [
        f"{message}.{name}".lstrip(".")
        for message, names in NEEDED.items()
        for name in names
        if fields.get((message, name), "0").strip('"') in ("", "0", "0.0")
    ]
    if missing:
        raise CheckError(f"The target description lacks {', '.join(missing)}.", REMEDY)
    odd = [
        f"{name} is {fields[message, name]}"
        for message, names in NEEDED.items()
        for name in names
        if fields[message, name] != "{" and message and not _positive(fields[message, name])
    ]
    if odd:
        raise CheckError(f"The target description is odd: {', '.join(odd)}.", REMEDY)
    digest = hashlib.sha256(text.encode()).hexdigest()
    kind = fields["", "device_description_str"].strip('"')
    memory = int(float(fields["gpu_device_info", "device_memory_size"]))
    return Description(text, digest, kind, memory, origin)


def _positive(value: str) -> bool:
    try:
        return 0 < float(value) < float("inf")
    except ValueError:
        return False


def _fields(text: str) -> dict[tuple[str, str], str]:
    """Every field by its message and name; the value of a message is `{`.

    Raises `CheckError` where the text is no text-format protocol buffer, as one that was cut
    off is.
    """
    found: dict[tuple[str, str], str] = {}
    open_ = [""]
    words = _words(_REMARK.sub("", text).rstrip())
    name = ""
    for word in words:
        if word == "{":
            found[open_[-1], name] = word
            open_.append(name)
        elif word == "}":
            open_.pop()
        elif word == ":":
            found[open_[-1], name] = _value(words, name)
        elif word not in ";,":
            name = word
        if not open_:
            raise CheckError("The target description closes a brace too many.", REMEDY)
    if len(open_) > 1:
        raise CheckError(f"The target description ends inside {open_[-1]!r}.", REMEDY)
    return found


def _value(words: Iterator[str], name: str) -> str:
    value = next(words, None)
    if value is None:
        raise CheckError(f"The target description ends after {name!r}.", REMEDY)
    return value


def _words(text: str) -> Iterator[str]:
    at = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise CheckError(
                f"The target description can't be read at {text[at : at + 20]!r}.", REMEDY
            )
        at = token.end()
        yield token[1]
