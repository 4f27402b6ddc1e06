"""Inputs that look right at first sight: for each target, texts of the shapes it reads."""

from __future__ import annotations

import json
from functools import reduce
from pathlib import Path

from hypothesis import strategies as st

from kb.rules.example import base_files

WORDS = (
    "product", "claims", "id", "metric", "statements", "published", "source", "status", "title",
    "evidence", "comparisons", "left", "right", "options", "rule", "when", "inputs", "pins",
    "acme-x1", "bolt-b8", "gpu-hbm-capacity", "memory_capacity", "power", "unstated", "draft",
    "accepted", "1 GB", "180 GB", "1,638 GB/s", "9e99 W", "0x1", "010", "1e3", "12:30", "no", "~",
    "2026-11-30", "2026-13-99", "../x", "/etc/passwd", "a/b", "acme-x1/gpu-hbm-capacity", "",
    "\u202e", "\x1b[31m", "é", "\ud83d\ude00", "::error::x", "<script>", "{{x}}", "%0A", "*a", "&a",
    "!x", "|", ">", "'", '"', "#", "- ", ": ", "0001", "imported", "compiled_not_executed", "study",
)  # fmt: skip
NUMBERS = st.one_of(
    st.integers(-(10**40), 10**40), st.floats(), st.sampled_from([0, 1, -1, 10**400, 1e308])
)
word = st.one_of(st.sampled_from(WORDS), st.text(max_size=12))
leaf = st.one_of(word, NUMBERS, st.booleans(), st.none())
tree = st.recursive(
    leaf, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(word, inner, max_size=5),
    max_leaves=15,
)  # fmt: skip
LINE = '{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {}}'
_RECORD = base_files()["evidence/matmul-acme-x1-1.json"]


def cuts(texts: tuple[str, ...], pieces: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Sound texts with some stretches taken out, doubled, or replaced by a piece."""
    change = st.tuples(st.floats(0, 1), st.integers(0, 30), pieces, st.booleans())
    changes = st.lists(change, min_size=1, max_size=4)
    return st.tuples(st.sampled_from(texts), changes).map(
        lambda pair: reduce(_cut, pair[1], pair[0])
    )


def _cut(text: str, change: tuple[float, int, str, bool]) -> str:
    where, length, piece, doubled = change
    at = int(where * len(text))
    return text[:at] + piece + text[at if doubled else at + length :]


def joined(*words: str) -> st.SearchStrategy[str]:
    """Words of one language in any order, and words of none between them."""
    return st.lists(st.one_of(st.sampled_from(words), word), max_size=25).map("".join)


def _with(prefix: str) -> tuple[str, ...]:
    return tuple(text for path, text in base_files().items() if path.startswith(prefix))


def _front(text: str) -> str:
    return text.split("---\n")[1]


def patched(record: str) -> st.SearchStrategy[str]:
    """A record with values at some of its places replaced."""
    data = json.loads(record)
    steps = st.lists(st.integers(0, 40), min_size=1, max_size=5)
    return st.lists(st.tuples(steps, tree), min_size=1, max_size=3).map(
        lambda changes: json.dumps(reduce(_patch, changes, json.loads(json.dumps(data))))
    )


def _patch(data: object, change: tuple[list[int], object]) -> object:
    steps, value = change
    if not steps or not isinstance(data, dict | list) or not data:
        return value
    keys = list(data) if isinstance(data, dict) else list(range(len(data)))
    key = keys[steps[0] % len(keys)]
    data[key] = _patch(data[key], (steps[1:], value))
    return data


HLO = """HloModule m, entry_computation_layout={(f32[8,8]{1,0})->f32[8,8]{1,0}}

%add (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %s = f32[] add(%a, %b)
}

%body (p: (s32[], f32[8,8])) -> (s32[], f32[8,8]) {
  %p = (s32[], f32[8,8]) parameter(0)
  %g = f32[8,8]{1,0} get-tuple-element(%p), index=1
  ROOT %d = f32[8,8]{1,0} dot(%g, %g), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}

ENTRY %main (x: f32[8,8]) -> f32[8,8] {
  %x = f32[8,8]{1,0} parameter(0), metadata={op_name="x"}
  %w = (s32[], f32[8,8]) while(%x), condition=%add, body=%body, backend_config={"known_trip_count":{"n":"5"}}
  %r = f32[8,8]{1,0} all-reduce(%x), replica_groups=[2,4]<=[8], to_apply=%add
  %c = f32[8,8,4,4]{3,2,1,0} convolution(%x, %r), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f
  %k = f32[8,8]{1,0} custom-call(%c), custom_call_target="__cublas$gemm", backend_config={"gemm_backend_config":{}}
  ROOT %f = f32[8,8]{1,0} fusion(%k), kind=kLoop, calls=%body
}
"""
ADR = (
    "# 1. Use a way\n\nDate: 2026-01-05\n\n## Status\n\nSuperseded by [2](0002-b.md)\n\nText.\n",
    "---\nstatus: accepted\ndate: 2026-01-05\ndeciders: [a, b]\n---\n# A title\n\nText.\n",
    "# A title\n\n* Status: accepted\n* Date: 2026-01-05\n\nText.\n",
    "title: A\nkep-number: 12\nstatus: implementable\nsuperseded-by: [kep-1]\n",
    "RFC: 1\nTitle: A\nStatus: Draft\n\nText.\n",
)
ROW: dict[str, object] = json.loads(
    (Path(__file__).parents[1] / "mlperf" / "summary_results.json").read_text("utf-8")
)[0]
SIDE = {"product": "acme-x1", "metric": "memory_capacity", "published": "180 GB", "scope": "gpu"}

_URIS = st.sampled_from(
    ("file://BASE/decisions/0001-acme-or-bolt.md", "file://BASE/README.md", "file://BASE/specs/bolt/bolt-b8.yml",
     "untitled:1", "", "file:///../../etc/passwd", "https://a/b", "file:///%00", "x")
)  # fmt: skip
_AT = st.fixed_dictionaries({"line": st.integers(-2, 40), "character": st.integers(-2, 90)})
_RANGE = st.fixed_dictionaries({"start": _AT, "end": _AT})
_TEXT = st.one_of(
    word, st.sampled_from((*base_files().values(), "[180 GB](claim:bolt-b8/gpu-hbm-capacity)"))
)
TEXTS = st.fixed_dictionaries(
    {
        "textDocument": st.fixed_dictionaries(
            {"uri": _URIS, "version": st.integers(-1, 9), "languageId": st.just("markdown"), "text": _TEXT}
        ),
        "position": _AT, "range": _RANGE, "context": st.just({"includeDeclaration": True, "diagnostics": []}),
        "contentChanges": st.lists(
            st.one_of(
                st.fixed_dictionaries({"text": _TEXT}),
                st.fixed_dictionaries({"text": _TEXT, "range": _RANGE}),
            ),
            max_size=3,
        ),
        "changes": st.just([]), "id": st.integers(0, 9),
    }
)  # fmt: skip
"""Parameters that fit every question of an editor."""
CALLS = st.fixed_dictionaries(
    {
        "name": st.sampled_from(("search", "show", "compare", "lint", "impact", "rm")),
        "arguments": st.dictionaries(
            st.sampled_from(("words", "limit", "id", "left", "right", "text", "language")), leaf, max_size=4
        ),
        "requestId": st.integers(0, 9),
    }
)  # fmt: skip
"""Calls of the tools of an assistant."""


def conversations(
    methods: tuple[str, ...], params: st.SearchStrategy[object]
) -> st.SearchStrategy[str]:
    """Some lines, most of them messages."""
    sound = st.fixed_dictionaries(
        {"jsonrpc": st.just("2.0"), "method": st.sampled_from(methods), "params": params},
        optional={"id": st.one_of(st.integers(0, 9), word)},
    )
    line = st.one_of(
        sound.map(json.dumps), sound.map(json.dumps), tree.map(json.dumps), cuts((LINE,), word)
    )
    return st.lists(line.map(lambda text: text.replace("\n", " ")), max_size=6).map("\n".join)


SHAPES: dict[str, st.SearchStrategy[str]] = {
    "spec": st.one_of(tree.map(json.dumps), cuts(_with("specs/"), word)),
    "front": st.one_of(
        tree.map(json.dumps), cuts(tuple(map(_front, _with("decisions/"))), word),
    ),
    "body": joined(
        "# ", "\n", "\n\n", "[1 W](claim:", "acme-x1/gpu-hbm-capacity", ")", "`", "```\n", "| ", "|---|\n",
        "<!--", "-->", "<a>", "![", "](", "> ", "1 GB", "2×", "**", "[^1]", "&lt;", "~~~", "\\",
        "](javascript:x)", "](evidence:matmul-acme-x1-1#", "warm_host.median", "](compare:", "..",
    ),
    "lint": joined(
        "Bolt B8", "Acme X1", " 180 GB", "1.4 TB", " per GPU", "dense ", "sparse ", "FP8 ", "2× ", "| ",
        "\n", "\n|---|\n", ".. note::\n", "twice ", "a-", "1,", "\u00a0", "9/18 ", "PFLOPS", "۱۲ GB", "½",
    ),
    "quantity": joined(
        "1", "638", ",", ".", " ", "GB", "/s", "Gbps", "TFLOPS", "up to ", "~", "e30", "e-31", "(", ")",
        "_", "gb", "+", "-", "²", "٣", "W", "\u202f", "about ", "%", "$", "0",
    ),
    "evidence": st.one_of(patched(_RECORD), cuts((_RECORD,), word), tree.map(json.dumps)),
    "expression": joined(
        "rate", "size", "power", " ", "(", ")", "+", "-", "*", "/", ">=", "<", ">", "1", "0", "2.5", "[GB]",
        "[W]", "[", "]", " and ", " or ", "**", "__", ".", "9" * 40,
    ),
    "hlo": cuts((HLO,), joined("%add", "%body", "f32[", "]", "9" * 30, ",", "{", "}", "(", ")", '"', "\n", "=")),
    "description": joined(
        "gpu_device_info", " {\n", "}\n", ": ", "device_memory_size", "1", "nan", "-1e999", '"', "\n", "core_count",
        "device_description_str", "# a\n", ";", "cuda_compute_capability",
    ),
    "source": joined(
        "def f(a):\n    ", "import jax\n", "pl.pallas_call(", ")", "\n", "__global__ void k(", "{", "}", "asm (",
        "cublasSgemm(", "/*", "*/", "'''", '"', ".entry k(", "x = ", "ffi_call", "@triton.jit\n", "\x00", "nsys",
    ),
    "foreign": cuts(ADR, word),
    "results": st.one_of(
        st.lists(st.one_of(tree, patched(json.dumps(ROW)).map(json.loads)), max_size=4).map(json.dumps),
        cuts((json.dumps([ROW, ROW]),), word),
    ),
    "line": st.one_of(
        patched(json.dumps({"id": 1, "left": SIDE, "right": SIDE})),
        patched(json.dumps({"id": 1, "text": "Bolt B8 has 180 GB per GPU."})),
        cuts((json.dumps({"id": 1, "left": SIDE, "right": SIDE}),), word),
    ),
    "editor": conversations(
        ("textDocument/hover", "textDocument/definition", "textDocument/references", "textDocument/completion",
         "textDocument/codeAction", "textDocument/didOpen", "textDocument/didChange", "textDocument/didClose",
         "textDocument/didSave", "workspace/didChangeWatchedFiles", "$/cancelRequest", "shutdown", "nothing"),
        st.one_of(TEXTS, tree),
    ),
    "assistant": conversations(
        ("tools/call", "tools/list", "ping", "resources/list", "notifications/cancelled", "nothing"),
        st.one_of(CALLS, tree),
    ),
    "query": joined(
        "SELECT ", "* ", "FROM ", "claim", "product", " WHERE ", "1=1", ";", "--", "'", '"', "ATTACH ", "PRAGMA ",
        "INSERT INTO ", "WITH RECURSIVE ", "(", ")", "*", "OR ", "NEAR(", ":word", "load_extension", "\x00",
    ),
}  # fmt: skip
