"""What an editor sees while somebody types, told by the real server over its own wire."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from kb.cli import main
from tests.lsp.conftest import KB, Editor, editor

RECORD = "decisions/0001-jax-on-hgx-b200-or-tpu-v6e.md"
Play = Callable[[Editor], Coroutine[Any, Any, None]]


Stage = tuple[Path, Callable[[Play], None]]


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """What `kb init` writes with a product and an override more, in one editor for all scenes."""
    root = tmp_path_factory.mktemp("project")
    assert main(["init", str(root), "--without", "site", "--without", "github"]) == 0
    for name, text in {"sources": SOURCES, "acme-x1": SPEC, "tpu-v6e": OVERRIDE}.items():
        # Line ends of Windows on disk change no line and no column.
        (root / "specs" / f"{name}.yml").write_bytes(text.encode().replace(b"\n", b"\r\n"))
    with asyncio.Runner() as runner:
        opened = editor(root)
        it = runner.run(opened.__aenter__())
        try:
            yield root, lambda scene: runner.run(asyncio.wait_for(scene(it), 120))
        finally:
            runner.run(opened.__aexit__(None, None, None))


def text_of(folder: Path, name: str = RECORD) -> str:
    return (folder / name).read_text(encoding="utf-8")


def at(text: str, word: str, inside: int = 1) -> types.Position:
    """The place of a word in a text, in UTF-16 units."""
    offset = text.index(word) + inside
    line = text.count("\n", 0, offset)
    start = text.rfind("\n", 0, offset) + 1
    return types.Position(line, len(text[start:offset].encode("utf-16-le")) // 2)


def marked(text: str, found: types.Range) -> str:
    """The stretch of a text (without characters beyond the basic plane) that a range marks."""
    lines = text.split("\n")
    assert found.start.line == found.end.line
    return lines[found.start.line][found.start.character : found.end.character]


def test_findings_come_and_go_as_the_text_is_typed(stage: Stage) -> None:
    folder, play = stage
    text = text_of(folder)
    wrong = text.replace("right: tpu-v6e/chip-hbm", "right: tpu-v6e/chip-ici")

    async def scene(it: Editor) -> None:
        it.open(RECORD)
        it.type(RECORD, wrong)
        await it.until(lambda: it.codes(RECORD) == ["memory-versus-link"])
        (found,) = it.shown[it.uri(RECORD)]
        assert found.severity is types.DiagnosticSeverity.Error
        assert found.source == "kb"
        assert marked(wrong, found.range) == "tpu-v6e/chip-ici-bandwidth"
        assert "fix: use hgx-b200/gpu-nvlink-bandwidth instead of" in found.message
        related = found.related_information or []
        assert [Path(r.location.uri).name for r in related] == ["hgx-b200.yml", "tpu-v6e.yml"]
        assert text_of(folder) == text  # nothing was saved
        it.type(RECORD, text)
        await it.until(lambda: it.codes(RECORD) == [])

    play(scene)


def test_the_right_value_is_one_quick_fix_away(stage: Stage) -> None:
    folder, play = stage
    text = text_of(folder)
    wrong = text.replace("[7.7 TB/s]", "[8.7 TB/s]")

    async def scene(it: Editor) -> None:
        it.open(RECORD)
        it.type(RECORD, wrong)
        await it.until(lambda: it.codes(RECORD) == ["stale-citation"])
        first, *rest = await actions(it, RECORD, wrong, "8.7 TB/s")
        assert first.title == "Write 7.7 TB/s"
        assert first.is_preferred
        assert applied(wrong, first, it.uri(RECORD)) == text
        assert [action.title for action in rest] == [
            "Silence stale-citation here, for a reason that you write"
        ]
        silenced = applied(wrong, rest[0], it.uri(RECORD))
        assert "<!-- kb: ignore[stale-citation]  -->\n" in silenced
        it.type(RECORD, silenced)
        # Without a reason it silences nothing; with one it does.
        await it.until(lambda: "waiver-without-reason" in it.codes(RECORD))
        it.type(RECORD, silenced.replace("]  -->", "] as the old sheet has it -->"))
        await it.until(lambda: it.codes(RECORD) == [])

    play(scene)


def test_a_number_becomes_a_citation_and_a_claim_another(stage: Stage) -> None:
    folder, play = stage
    text = text_of(folder)

    async def scene(it: Editor) -> None:
        it.open(RECORD)
        bare = text.replace("on paper.", "on paper. One v6e chip holds 32 GB.")
        it.type(RECORD, bare)
        await it.until(lambda: it.codes(RECORD) == ["uncited-quantity"])
        offered = {a.title: a for a in await actions(it, RECORD, bare, "32 GB")}
        cite = offered["Cite tpu-v6e/chip-hbm-capacity"]
        cited = applied(bare, cite, it.uri(RECORD))
        assert "holds [32 GB](claim:tpu-v6e/chip-hbm-capacity)." in cited
        it.type(RECORD, cited)
        await it.until(lambda: it.codes(RECORD) == [])
        wrong = text.replace("right: tpu-v6e/chip-hbm", "right: tpu-v6e/chip-ici")
        it.type(RECORD, wrong)
        await it.until(lambda: it.codes(RECORD) == ["memory-versus-link"])
        offered = {
            a.title: a for a in await actions(it, RECORD, wrong, "tpu-v6e/chip-ici-bandwidth")
        }
        swap = "Use tpu-v6e/chip-hbm-bandwidth instead of tpu-v6e/chip-ici-bandwidth"
        assert applied(wrong, offered[swap], it.uri(RECORD)) == text

    play(scene)


def test_an_ambiguous_unit_is_corrected_in_a_spec(stage: Stage) -> None:
    folder, play = stage
    name = "specs/acme-x1.yml"
    spec = SPEC.replace("96 GB", "96 gb")
    assert b"\r\n" in (folder / name).read_bytes()

    async def scene(it: Editor) -> None:
        it.open(name, language="yaml")
        it.type(name, spec)
        await it.until(lambda: it.codes(name) == ["ambiguous-unit"])
        offered = {a.title: a for a in await actions(it, name, spec, "gb")}
        assert applied(spec, offered["Write GB"], it.uri(name)) == SPEC
        line = applied(spec, offered["Silence ambiguous-unit here, for a reason that you write"],
                       it.uri(name))  # fmt: skip
        assert '"96 gb"  # kb: ignore[ambiguous-unit] \n' in line
        it.type(name, SPEC)
        await it.until(lambda: it.codes(name) == [])

    play(scene)


def test_hover_tells_value_qualifiers_source_and_verdict(stage: Stage) -> None:
    folder, play = stage
    text = text_of(folder)

    async def scene(it: Editor) -> None:
        it.open(RECORD)
        claim = await hover(it, text, "hgx-b200/gpu-hbm-bandwidth, right")
        assert claim.startswith("**7.7 TB/s** memory bandwidth of HGX B200")
        assert "scope: gpu; interface: hbm" in claim
        assert "HGX B200 column, memory bandwidth row, undated" in claim
        claim = await hover(it, text, "tpu-v6e/chip-hbm-bandwidth}")
        assert "departs from the catalogue: the sheet prints another figure" in claim
        assert "Acme X1 data sheet, table 1, undated" in claim
        verdict = await hover(it, text, "left: hgx")
        assert verdict.startswith("**comparable: 4.7 (the digits allow 4.669 to 4.733)**")
        assert "caution" in verdict
        assert "Trillium" in await hover(it, text, "accelerator: tpu-v6e", 15)
        assert await hover(it, text, "Nothing was") == ""

    play(scene)


def test_ids_are_completed_where_they_belong(stage: Stage) -> None:
    folder, play = stage
    text = text_of(folder)

    async def scene(it: Editor) -> None:
        it.open(RECORD)
        typed = text.replace("on paper.", "see [32 GB](claim:tpu-v6e/chip-hbm")
        it.type(RECORD, typed)
        offered = await complete(it, typed, "see [32 GB](claim:tpu-v6e/chip-hbm", 34)
        capacity = offered["tpu-v6e/chip-hbm-capacity"]
        assert capacity.detail == "32 GB, memory capacity"
        assert isinstance(capacity.text_edit, types.TextEdit)
        assert marked(typed, capacity.text_edit.range) == "tpu-v6e/chip-hbm"
        offered = await complete(it, text, "accelerator: hgx-b200", 15)
        assert offered["hgx-b200"].detail == "HGX B200"
        waiver = text.replace("comparisons:", "comparisons:  # kb: ignore[mem")
        it.type(RECORD, waiver)
        offered = await complete(it, waiver, "ignore[mem", 10)
        assert {"memory-versus-link", "unused-waiver"} <= set(offered)
        assert await complete(it, waiver, "Nothing was", 4) == {}

    play(scene)


def test_definition_leads_to_the_spec_and_references_to_what_rests_on_it(stage: Stage) -> None:
    folder, play = stage
    text = text_of(folder)

    async def scene(it: Editor) -> None:
        it.open(RECORD)
        where = types.TextDocumentIdentifier(it.uri(RECORD))
        position = at(text, "claim:tpu-v6e/chip-hbm-bandwidth", 10)
        params = types.DefinitionParams(where, position)
        found = await it.client.text_document_definition_async(params)
        assert isinstance(found, types.Location)
        assert found.uri == it.uri("specs/tpu-v6e.yml")
        assert marked(OVERRIDE, found.range) == "chip-hbm-bandwidth"
        params = types.DefinitionParams(where, at(text, "claim:hgx-b200/gpu-hbm", 10))
        found = await it.client.text_document_definition_async(params)
        assert isinstance(found, types.Location)
        assert found.uri.endswith("/specs/nvidia/hgx-b200.yml")
        spec = types.TextDocumentIdentifier(it.uri("specs/sources.yml"))
        resting = await it.client.text_document_references_async(
            types.ReferenceParams(
                types.ReferenceContext(include_declaration=False), spec, at(SOURCES, "acme-x1")
            )
        )
        places = [(Path(r.uri).name, r.range.start.line) for r in resting or []]
        assert sorted(places[:2]) == [("acme-x1.yml", 14), ("tpu-v6e.yml", 11)]
        assert places[2:] == [(Path(RECORD).name, 13)]

    play(scene)


def test_other_markdown_is_judged_as_prose_and_columns_are_the_clients(stage: Stage) -> None:
    play = stage[1]
    page = "docs/note.md"
    text = "# 🚀🚀\r\n\r\n🚀 A TPU v6e chip reads its HBM at 1,638 Gbps.\r\n"

    async def scene(it: Editor) -> None:
        it.open(page, text)
        await it.until(lambda: bool(it.codes(page)))
        (found,) = it.shown[it.uri(page)]
        line = text.split("\r\n")[2].encode("utf-16-le")
        start, end = found.range.start.character, found.range.end.character
        assert line[2 * start : 2 * end].decode("utf-16-le") == "1,638 Gbps"
        offered = await actions(it, page, text, "1,638")
        assert offered[0].title == "Write 1638 GBps"

    play(scene)


def test_a_broken_table_is_told_and_the_server_lives(stage: Stage) -> None:
    folder, play = stage
    table = folder / "pyproject.toml"
    sound = table.read_text("utf-8")

    async def scene(it: Editor) -> None:
        it.open(RECORD)
        table.write_text("[tool.kb]\nspecs = 3\n", encoding="utf-8")
        it.type(RECORD, text_of(folder).replace("[7.7 TB/s]", "[8.7 TB/s]"))
        await it.until(lambda: bool(it.messages))
        assert "specs = 3 is no folder inside the project" in it.messages[-1]
        table.write_text(sound, encoding="utf-8")
        it.type(RECORD, text_of(folder).replace("[7.7 TB/s]", "[6.7 TB/s]"))
        await it.until(lambda: it.codes(RECORD) == ["stale-citation"])

    play(scene)


async def actions(it: Editor, name: str, text: str, word: str) -> list[types.CodeAction]:
    place = at(text, word)
    params = types.CodeActionParams(
        types.TextDocumentIdentifier(it.uri(name)),
        types.Range(place, place),
        types.CodeActionContext(diagnostics=[]),
    )
    found = await it.client.text_document_code_action_async(params)
    return [action for action in found or [] if isinstance(action, types.CodeAction)]


def applied(text: str, action: types.CodeAction, uri: str) -> str:
    """A text after an action, whose one edit stays on one line."""
    assert action.edit
    assert action.edit.changes
    ((where, (edit,)),) = action.edit.changes.items()
    assert where == uri
    lines = text.split("\n")
    start, end = edit.range.start, edit.range.end
    assert start.line == end.line
    line = lines[start.line]
    lines[start.line] = line[: start.character] + edit.new_text + line[end.character :]
    return "\n".join(lines)


async def hover(it: Editor, text: str, word: str, inside: int = 1) -> str:
    where = types.TextDocumentIdentifier(it.uri(RECORD))
    found = await it.client.text_document_hover_async(
        types.HoverParams(where, at(text, word, inside))
    )
    if found is None:
        return ""
    assert isinstance(found.contents, types.MarkupContent)
    return found.contents.value


async def complete(
    it: Editor, text: str, word: str, inside: int
) -> dict[str, types.CompletionItem]:
    where = types.TextDocumentIdentifier(it.uri(RECORD))
    found = await it.client.text_document_completion_async(
        types.CompletionParams(where, at(text, word, inside))
    )
    assert isinstance(found, types.CompletionList)
    return {item.label: item for item in found.items}


SOURCES = """\
sources:
  acme-x1-sheet:
    title: Acme X1 data sheet
    publisher: Acme
    kind: vendor_page
    retrieved: 2026-11-30
"""
SPEC = """\
product: acme-x1
name: Acme X1
vendor: Acme
layer: accelerator
accelerator: gpu
summary: An accelerator that is not in the catalogue.
claims:
  - id: gpu-hbm-capacity
    metric: memory_capacity
    scope: gpu
    interface: hbm
    basis: advertised
    statements:
      - published: "96 GB"
        source: acme-x1-sheet
        locator: table 1
"""
OVERRIDE = """\
overrides: tpu-v6e
reason: the sheet prints another figure
claims:
  - id: chip-hbm-bandwidth
    metric: memory_bandwidth
    scope: chip
    interface: hbm
    aggregation: per_device
    basis: vendor_peak
    statements:
      - published: "1638 GBps"
        source: acme-x1-sheet
        locator: table 1
"""


@pytest.mark.slow
def test_what_is_no_message_is_answered_and_told_in_a_line(tmp_path: Path) -> None:
    """A request that can't be read gets its error; the log has no traceback."""
    bodies = [
        b"garbage",
        b"\xff\xfe",
        b"[" * 100_000,
        b'[{"jsonrpc": "2.0", "id": 9, "method": "shutdown"}]',
        b"null",
        b'{"id": 7, "method": "shutdown"}',
        b'{"jsonrpc": "1.0", "id": 8, "method": "shutdown"}',
        b'{"jsonrpc": "2.0", "id": 6, "method": "nothing/known"}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "textDocument/hover", "params": {"position": 5}}',
        b'{"jsonrpc": "2.0", "id": 2, "method": "shutdown"}',
        b'{"jsonrpc": "2.0", "method": "exit"}',
    ]
    sent = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(b), b) for b in bodies)
    done = subprocess.run(
        [KB, "lsp"], input=sent, capture_output=True, cwd=tmp_path, check=False, timeout=60
    )
    answers = [
        json.loads(body) for body in re.findall(rb"\r\n\r\n(\{.*?\})(?=Content|$)", done.stdout)
    ]
    refused = [(a["id"], a["error"]["code"]) for a in answers if "error" in a]
    assert refused == [
        (None, -32700), (None, -32700), (None, -32700), (None, -32600), (None, -32600),
        (7, -32600), (8, -32600), (6, -32601), (1, -32602),
    ]  # fmt: skip
    assert b'{"id": 2, "jsonrpc": "2.0", "result": null}' in done.stdout
    assert b"Traceback" not in done.stderr
    assert all(line.startswith(b"kb lsp: ") for line in done.stderr.splitlines())


@pytest.mark.slow
@pytest.mark.parametrize(("digits", "code"), [(b"99999999999", 2), (b"9" * 5000, 0)])
def test_a_header_that_promises_too_much_ends_it_with_a_word(digits: bytes, code: int) -> None:
    sent = b"Content-Length: " + digits + b"\r\n\r\n{}"
    done = subprocess.run([KB, "lsp"], input=sent, capture_output=True, check=False, timeout=60)
    assert done.returncode == code
    assert b"Traceback" not in done.stderr
    assert (b"64,000,000 are read" in done.stderr) == (code == 2)
