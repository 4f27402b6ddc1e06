"""Inputs of a megabyte, each of one piece over and over, and what a target does with them.

Run as a program it prints one JSON line a case: processor seconds, megabytes, what was raised.
Each case has a fork of its own, so that none pays for the memory of another.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import sys
import time
import traceback
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.fuzz.targets import FRONT, TARGETS

SIZE = 1_000_000
STOP = 10
"""Processor seconds after which a case is ended: it has failed long before."""
PLAIN = ("a", "9", " ", "\n", "[", "(", "{", '"', "\\", "- ", "a: ", "|", "é", "1 GB ", "#", "`",
         "<", ",", "%", "=")  # fmt: skip
"""Pieces for every target; those below are (head, piece, tail) of one target."""

_LINES = ("", "\n")
_SPEC = "product: fuzz\nclaims:\n"
_STATEMENT = "- id: c\n  metric: power\n  statements:\n"
_HLO = "HloModule m\n\nENTRY %main (a: f32[2]) -> f32[2] {\n"
_ROW = '{"ID": "§", "Submitter": "a", "Result": 1.5}, '
_OPEN = (
    '{"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": '
    '{"uri": "file://BASE/README.md", "languageId": "markdown", "version": 1, "text": "'
)
_ASKED = (
    '"}}}\n{"jsonrpc": "2.0", "id": 1, "method": "textDocument/codeAction", "params": '
    '{"textDocument": {"uri": "file://BASE/README.md"}, "context": {"diagnostics": []}, '
    '"range": {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}}}\n'
)
_CALL = (
    '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", '
    '"params": {"name": "lint", "arguments": {"text": "'
)
THREADED = ("profile", "editor")
"""Targets with threads, which a fork would lose: each case loads for itself what it needs."""
SHAPED: dict[str, tuple[tuple[str, str, str], ...]] = {
    "spec": (
        ("", "- a\n", ""), ("a: [", "[],", "]"), ("", "k§: 1\n", ""), ("", "k: 1\n", ""),
        ("a: &a [1]\nb: [", "*a,", "]"), ("a: [", "&a§ 1,", "]"), (_SPEC, "- {id: c§}\n", ""),
        ("a: [", "!x 1,", "]"), ("", "# kb: ignore[unknown-unit] a\n", ""), ("a: >\n", "  a\n", ""),
        ("a: [", "{<<: 1},", "]"), ("a: [", "12:30,", "]"), ("a: [", r'"\x1b",', "]"),
        ("", "? a\n", ""), ("", "---\n", ""), ("a: [", "? ,", "]"),
        ("sources:\n", "  s§: {title: a}\n", ""), (_SPEC + _STATEMENT, "  - {published: 1 W}\n", ""),
        (_SPEC, "- {id: c, metric: power, statements: []}\n", ""),
        ("product: fuzz\nnot_to_be_confused_with: [", "p§, ", "]"),
        ('a: "', r"\u0041", '"'), ("%", "TAG a b\n", ""), ("overrides:\n", "- {claim: a§/b}\n", ""),
    ),
    "front": (
        (FRONT + "options:\n", "- {id: o§}\n", ""), (FRONT + "evidence: [", "e§, ", "]"),
        (FRONT + "comparisons:\n", "- {left: a/b, right: c/d}\n", ""),
        (FRONT + "supersedes: [", '"§", ', "]"), (FRONT + 'rule: {when: "', "a + ", '"}'),
        (FRONT + "pins:\n", "  a/b§: {value: 1}\n", ""), (FRONT + 'question: "', "1 GB ", '"'),
        (FRONT + "controlled: [", "a, ", "]"),
    ),
    "body": (
        ("", "[1 W](claim:a/b) ", ""), ("", "# a\n\n", ""), ("", "> ", ""), ("", "- a\n", ""),
        ("| a | b |\n|---|---|\n", "| 1 | 2 |\n", ""), ("|", "a|", "\n|---|\n"), ("", "[a]: b\n", ""),
        ("", "![a](b)", ""), ("", "<a>", ""), ("", "<!-- a -->", ""), ("", "<!-- kb: ignore[a] -->\n", ""),
        ("", "```\na\n```\n", ""), ("", "1 GB is 2 GB. ", ""), ("", "1.5× ", ""), ("", "**", ""),
        ("", "*a _b ", ""), ("", "a*", ""), ("", "`a", ""), ("", "[[", ""), ("", "&amp;", ""),
        ("", "  " * 40 + "- a\n", ""), ("", "http://a.b ", ""), ("", "[1 W](evidence:a#b) ", ""),
        ("", "[", "](claim:a/b)" ), ("", "[a](", ""), ("", "<", ">"), ("", "1\n===\n", ""),
        ("", "Bolt B8 has 180 GB. ", ""), ("", "Bolt B8 ", "180 GB"),
    ),
    "lint": (
        ("", "Bolt B8 has 180 GB per GPU. ", ""), ("", "180 GB, ", ""), ("", "Bolt B8, ", "180 GB"),
        ("", "twice ", ""), ("", "2× ", ""), ("", "9/18 PFLOPS ", ""), ("| a |\n|---|\n", "| 1 GB |\n", ""),
        ("|", " 1 GB |", "\n"), ("", "# Bolt B8\n\n1 GB\n\n", ""), ("", "1,000,", ""), ("", "1 GB\n", ""),
        ("", "- Bolt B8: 1 GB\n", ""), ("", "per ", ""), ("", "8 × ", ""), ("", "a-", ""), ("", "1e", ""),
        ("", "Bolt B8 is 2× as fast as Acme X1. ", ""), ("", "[1 GB](claim:a/b) ", ""),
        ("", "25 % of 1 GB ", ""), ("", ".. a::\n", ""), ("", "Ω 1 GB ", ""),
        ("", "Bolt B8 has 148 GB more than Acme X1, ", ""), ("", "３２ GB ", ""), ("", "1\u200b8 GB ", ""),
    ),
    "evidence": (
        ("[", "1,", "1]"), ("[", "[],", "1]"), ("", "[", ""), ("", '{"a":', ""), ("{", '"k§": 1, ', '"z": 1}'),
        ("{", '"k": 1, ', '"z": 1}'), ('{"id": "', "a", '"}'), ('{"id": ', "9", "}"), ('{"id": 0.', "9", "}"),
        ('{"samples": [', "1.5, ", "1]}"), ('{"evidence_class": "imported", "results": [', '{"id": "§"}, ', "{}]}"),
        ('{"study": "a", "sides": [', "{}, ", "{}]}"), ('{"evidence_class": "compiled_not_executed", "variants": [', "{}, ", "{}]}"),
        ('{"id": 1e', "9", "}"), ('{"a": "', r"\u001b", '"}'), ('{"a": "', r"\ud800", '"}'), ("{", '"k§" : 1, ', '"z": 1}'),
        ('{"evidence_class": "compiled_not_executed", "variants": [', '{"kernels": [{"a": 1, "b": 2, "c": 3}]}, ', "{}]}"),
        ('{"evidence_class": "compiled_not_executed", "variants": [{"kernels": [', '{"kernel_class": 1, "a": 1}, ', "{}]}]}"),
        ('{"evidence_class": "imported", ', '"k§": 1, ', '"z": 1}'),
    ),
    "expression": (("", "(", ""), ("", "a + ", "a > a"), ("1 [", "G", "] > 1")),
    "hlo": (
        ("", _HLO + "  ROOT %a = f32[2]{0} add(%a, %a)\n}\n\n", ""),
        (_HLO, "  %a§ = f32[2]{0} add(%a, %b)\n", "}\n"), (_HLO, "  %a§ = f32[2]{0} add(\n", "}\n"),
        (_HLO, "  %a = f32[9]{0} fusion(%a), kind=kLoop, calls=%main\n", "}\n"),
        (_HLO + "  %a = f32[", "9", "] add(%a)\n}\n"), (_HLO + "  %a = f32[", "9,", "] add(%a)\n}\n"),
        (_HLO + "  %a = (", "f32[2], ", "f32[2]) add(%a)\n}\n"), (_HLO + "  %a = f32[2] add(", "%a, ", "%a)\n}\n"),
        (_HLO, "  %a = f32[2] call(%a), to_apply=%main\n", "}\n"),
        (_HLO + '  %a = f32[2] custom-call(%a), backend_config="', "a", '"\n}\n'),
        (_HLO + '  %a = f32[2] custom-call(%a), backend_config="', r"\"", '"\n}\n'),
        (_HLO, "  %a = f32[2] all-reduce(%a), replica_groups={{0,1}}, to_apply=%x\n", "}\n"),
        (_HLO + "  %a = f32[2] all-reduce(%a), replica_groups={", "{0,1},", "}, to_apply=%x\n}\n"),
        ("", "\nFileNames\n1 a\n", ""), ("\nFileNames\n", "1 a\n", ""), ('"', "/a", '"'), ("", ' source_file="', ""),
        ("", "module = ", ""), ("", '"/a/b" ', ""), ("", ".entry a(\n", ""), ("", "mma.sync.", ""),
        ('module = "', r"\00/a", '"'),
    ),
    "description": (("", "a: 1\n", ""), ("", "a {", ""), ("", "}", ""), ('a: "', "b", '"'), ("", "# a\n", "")),
    "profile": (("\x0a", "\x0a\x02", ""), ("", "\x0a\x00", ""), ("", "\xff", ""), ("", "\x12\x04\x0a\x02a", "")),
    "source": (
        ("", "def f(): pass\n", ""), ("", "import jax\n", ""), ("x = ", "-", "1"), ("x = ", "1+", "1"),
        ("", "__global__ ", ""), ("", "__global__ void f(", ""), ("", "/*", ""), ("", "//\n", ""), ("", "asm ", ""),
        ("", "cublas", ""), ("", "pallas_call(f)\n", ""), ("", "x = RawKernel('__global__ void f() {}')\n", ""),
        ("__global__ void f(int a) {", "{", ""), ("", ".entry a(\n", ""), ("x = '", "ffi", "'"), ("x = [", "[", ""),
        ("__global__ ", "a ", "("), ("__global__ ", "__a__ (b) ", "f("),
    ),
    "foreign": (
        ("# 1. A\n\n", "Date: 2026-01-01\n", ""), ("# 1. A\n\n## Status\n\n", "Accepted\n", ""),
        ("# 1. A\n\n## Status\n\n", "Superseded by [a](b.md)\n", ""), ("---\n", "a§: b\n", "---\n# A\n"),
        ("---\nstatus: a\n", "# b\n", "---\n# A\n"), ("# A\n\n", "* Status: a\n", ""), ("", "# A\n", ""),
        ("title: a\nstatus: b\n", "k§: [a]\n", ""), ("# 1. A\n\n", "```\n", ""), ("# 1. A\n\nDate: ", "9", "\n"),
        ("# ", "1. ", "A\n\n## Status\n\nAccepted\n"), ("# ADR ", "- ", "A\n\n## Status\n\nAccepted\n"),
    ),
    "results": (
        ("[", "1,", "1]"), ("[", "[],", "1]"), ("[", "[", "]"), ("[", "{},", "{}]"), ("[", _ROW, "{}]"),
        ('[{"ID": "', "a", '"}]'), ("[", _ROW.replace("1.5", "1e999"), "{}]"), ('[{"Result": ', "9", "}]"),
    ),
    "line": (
        ('{"id": 1, "text": "', "Bolt B8 has 180 GB per GPU. ", '"}'), ('{"id": ', "[", ""), ('{"id": 1e', "9", "}"),
        ('{"id": 1, "left": {"product": "', "a", '"}}'), ("{", '"k§": 1, ', '"z": 1}'), ('{"id": ', "9", "}"),
        ('{"left": {"published": "', "9", '", "product": "a", "metric": "power"}, "right": {}}'),
    ),
    "editor": (  # one message: many of them are many inputs
        (_OPEN, "Bolt B8 has 180 GB per GPU. ", _ASKED), (_OPEN, "1 GB ", _ASKED), (_OPEN, r"\n", _ASKED),
        (_OPEN, "[180 GB](claim:a/b) ", _ASKED), ("", "[", ""), ('{"jsonrpc": "2.0", "id": 1, "method": "', "a", '"}'),
        ('{"jsonrpc": "2.0", "id": ', "9", ', "method": "a"}'), ("{", '"k§": {}, ', '"z": 1}'),
    ),
    "assistant": (
        (_CALL, "Bolt B8 has 180 GB per GPU. ", '"}}}'), (_CALL, "1 GB ", '"}}}'), ("", "[", ""),
        ('{"jsonrpc": "2.0", "id": 1, "method": "', "a", '"}'), ("{", '"k§": {}, ', '"z": 1}'),
        (_CALL.replace("lint", "show").replace("text", "id"), "a", '"}}}'),
        (_CALL.replace("lint", "search").replace("text", "words"), "a ", '"}}}'),
    ),
    "query": (
        ("SELECT ", "1,", "1"), ("SELECT ", "(", ""), ("SELECT ", "1+", "1"), ("SELECT ", "-", "1"),
        ("SELECT '", "a", "'"), ("", "SELECT 1; ", ""), ("", "a ", ""), ("SELECT 1 WHERE ", "1 OR ", "1"),
        ("SELECT 1 ", "UNION SELECT 1 ", ""), ("", "-- a\n", ""),
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Cost:
    """What one case cost."""

    target: str
    case: str
    seconds: float
    megabytes: float
    fault: str


def cases(target: str) -> Iterator[tuple[str, str, str]]:
    """Head, piece and tail of every case of a target."""
    yield from (("", piece, "") for piece in PLAIN)
    yield from SHAPED.get(target, ())


def built(head: str, piece: str, tail: str, size: int = SIZE) -> bytes:
    """An input of about `size` bytes; `§` in the piece is the number of its repetition."""
    count = (size - len(head) - len(tail)) // len(piece.encode())
    middle = piece * count
    if "§" in piece:
        before, after = piece.split("§")
        middle = "".join(f"{before}{n}{after}" for n in range(count))[: size - len(head)]
        middle = middle[: middle.rfind(piece[-1]) + 1]
    encoding = "latin-1" if max(piece, default="a") == "\xff" else "utf-8"
    return (head + middle + tail).encode(encoding)


def cost(target: str, case: tuple[str, str, str]) -> Cost:
    """Run one case in a fork."""
    data = built(*case)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        if target in THREADED:
            warm(target)
        stop = STOP + int(time.process_time())
        resource.setrlimit(resource.RLIMIT_CPU, (stop, stop))
        started, before = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        fault = ""
        try:
            TARGETS[target](data)
        except BaseException:  # noqa: BLE001 (whatever it is, it is told)
            fault = "".join(traceback.format_exc().splitlines(keepends=True)[-6:])
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        told = [time.process_time() - started, used / 1000, fault[:3000]]
        os.write(writing, json.dumps(told).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    name = repr("|".join(case))[:70]
    if not said:
        return Cost(target, name, 0, 0, f"ended with {code}")
    return Cost(target, name, *json.loads(said))


def warm(target: str) -> None:
    """Load what a target needs, so that no case pays for it."""
    for data in (b"a", b"1 W", b"{}", b"id: a"):
        TARGETS[target](data)


def main(names: list[str]) -> None:
    """Print the cost of every case of the targets that are named, or of all."""
    for target in names or TARGETS:
        if target not in THREADED:
            warm(target)
        gc.freeze()
        for case in cases(target):
            print(json.dumps(asdict(cost(target, case))), flush=True)  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
