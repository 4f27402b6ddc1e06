"""Takes out of compiled text what belongs to one machine, and nothing else.

Stack frames carry file names, and the body of a Pallas kernel carries them encoded; shapes,
layouts, schedules and settings stay.
"""

from __future__ import annotations

import hashlib
import re

_FRAMES = re.compile(r"\n(?:FileNames|FunctionNames|FileLocations|StackFrames)\n(?:.+\n)*")
_FRAME_ID = re.compile(r" ?stack_frame_id=\d+")
_SOURCE = re.compile(r' ?source_file="(?:[^"\\]|\\.)*"| ?source_(?:end_)?(?:line|column)=\d+')
_BODY = re.compile(r'"body":\s?"([A-Za-z0-9+/=]{64,})"')
_ASM = re.compile(r"backend_config=\"(?:[^\"\\]|\\.){2000,}\"")
_MODULE = re.compile(r'(?<=\bmodule = )"(?:[^"\\]|\\.){200,}"')
_KERNEL_HASH = re.compile(r'(?<=\bkernel_hash = )"(?:[^"\\]|\\.)*"')
_INNER_PATH = re.compile(r"(?<=\\00)/[^\\\"]*(?=\\00)")
_PATH = re.compile(r'(?<=")/[^"\n/]*/[^"\n]*(?=")')


def redacted(text: str) -> str:
    """HLO text without file names, source lines and encoded kernel bodies.

    A body is replaced by its hash, so that two kernels still differ.
    """
    text = _FRAMES.sub("\n", text)
    text = _FRAME_ID.sub("", _SOURCE.sub("", text))
    text = _BODY.sub(lambda found: f'"body":"sha256:{_hash(found[1])}"', text)
    text = _ASM.sub(lambda found: f'backend_config="sha256:{_hash(found[0])}"', text)
    text = _MODULE.sub(lambda found: f'"sha256:{_hash(_INNER_PATH.sub("", found[0]))}"', text)
    text = _KERNEL_HASH.sub('"<hash>"', text)  # it is taken over the names of files too
    text = _PATH.sub("<path>", text)
    return re.sub(r"\n{3,}", "\n\n", text)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
