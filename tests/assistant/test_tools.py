"""A real server in a process of its own, asked as an assistant asks it."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

pytest.importorskip("mcp", reason="comes with the extra mcp")

from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult, TextContent

from kb.home import home

KB = Path(sys.executable).with_name("kb")
PAGE = (home() / "docs/guide/assistants.md").read_text("utf-8")
HBM, ICI = "tpu-v6e/chip-hbm-bandwidth", "tpu-v6e/chip-ici-bandwidth"
B200 = "hgx-b200/gpu-hbm-bandwidth"
CLAIM = "bolt-b8/gpu-hbm-bandwidth"

pytestmark = pytest.mark.slow


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """The base of examples, on top of the installed catalogue."""
    return shutil.copytree(home() / "kb" / "rules" / "base", tmp_path / "base")


def talk(base: Path, work: Callable[[Client], Awaitable[None]]) -> None:
    """Start the server as the page says, do the work, and say goodbye."""
    (block,) = re.findall(r"^```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    words = json.loads(block)["mcpServers"]["accelerator-kb"]
    assert words["command"] == "kb"

    async def run() -> None:
        args = [word.replace("PATH/TO/YOUR/FOLDER", str(base)) for word in words["args"]]
        server = StdioServerParameters(command=str(KB), args=args)
        async with Client(server, read_timeout_seconds=60) as client:
            await work(client)

    asyncio.run(run())


async def told(client: Client, tool: str, **words: object) -> dict[str, Any]:
    answer = await client.call_tool(tool, words)
    assert isinstance(answer, CallToolResult)
    assert not answer.is_error, answer.content
    content: dict[str, Any] | None = answer.structured_content
    assert content is not None
    return content


async def refused(client: Client, tool: str, **words: object) -> str:
    answer = await client.call_tool(tool, words)
    assert isinstance(answer, CallToolResult)
    assert answer.is_error
    (part,) = answer.content
    assert isinstance(part, TextContent)
    return part.text


def printed(base: Path, *words: str) -> dict[str, Any]:
    done = subprocess.run([KB, "--project", base, *words], capture_output=True, check=True)
    data: dict[str, Any] = json.loads(done.stdout)
    return data


def fits(name: str, data: object) -> bool:
    schema = json.loads((home() / f"schemas/{name}.schema.json").read_text("utf-8"))
    return Draft202012Validator(schema).is_valid(data)


def test_the_tools_only_read_and_say_what_they_take(base: Path) -> None:
    async def work(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {"search", "show", "compare", "lint", "impact"}
        for tool in tools.values():
            assert tool.annotations is not None
            assert tool.annotations.read_only_hint
            assert not tool.annotations.open_world_hint
            assert tool.description
        assert tools["compare"].input_schema["required"] == ["left", "right"]

    before = {path: path.read_bytes() for path in base.rglob("*") if path.is_file()}
    talk(base, work)
    assert {path: path.read_bytes() for path in base.rglob("*") if path.is_file()} == before


def test_answers_are_those_of_the_commands(base: Path) -> None:
    async def work(client: Client) -> None:
        seen = await told(client, "compare", left=B200, right=HBM)
        assert seen["verdict"] == "comparable"
        assert seen == printed(base, "compare", B200, HBM, "--json")
        other = await told(client, "compare", left=B200, right=ICI)
        assert other["verdict"] == "not_comparable"
        shown = await told(client, "show", id=HBM)
        assert shown == printed(base, "show", HBM, "--json")
        resting = await told(client, "impact", id=CLAIM)
        assert resting == printed(base, "impact", CLAIM, "--json")
        assert resting["rows"]
        assert fits("compare-output", seen)
        assert fits("show-output", shown)

    talk(base, work)


def test_a_wrong_sentence_is_found_where_it_stands(base: Path) -> None:
    text = "A TPU v6e chip has HBM at 7,700 GB/s."

    async def work(client: Client) -> None:
        (remark,) = (await told(client, "lint", text=text))["findings"]
        assert remark["rule"] == "wrong-product"
        assert text[remark["start"] : remark["end"]] == "7,700 GB/s"
        right = "A TPU v6e chip has HBM at 1,638 GB/s."
        assert (await told(client, "lint", text=right))["verdict"] == "valid"

    talk(base, work)


def test_search_sees_what_changed_meanwhile(base: Path) -> None:
    spec = base / "specs/bolt/bolt-b8.yml"

    async def work(client: Client) -> None:
        found = (await told(client, "search", words="Bolt"))["rows"]
        assert {"product", "claim"} <= {row["kind"] for row in found}
        assert (await told(client, "search", words="Zephyr"))["rows"] == []
        spec.write_text(
            spec.read_text("utf-8").replace("name: Bolt B8", "name: Zephyr B8"), "utf-8"
        )
        assert (await told(client, "search", words="Zephyr"))["rows"]
        assert len((await told(client, "search", words="Bolt", limit=1))["rows"]) == 1
        rule = (home() / "validators/unknown_unit.py").read_text("utf-8")
        (base / "validators").mkdir(exist_ok=True)
        own = base / "validators/zebra_crossing.py"
        own.write_text(rule.replace("unknown-unit", "zebra-crossing"), "utf-8")
        assert (await told(client, "search", words="zebra"))["rows"]

    talk(base, work)


def test_questions_at_the_same_time_are_answered_one_by_one(base: Path) -> None:
    async def work(client: Client) -> None:
        told_to = client.instructions or ""
        assert all(f"`{word}`" in told_to for word in ("comparable", "after_derivation"))
        asked = [
            *(told(client, "search", words="Bolt") for _ in range(3)),
            *(told(client, "compare", left=B200, right=HBM) for _ in range(3)),
            *(told(client, "lint", text="A TPU v6e has 32 GB.") for _ in range(3)),
        ]
        answers = await asyncio.gather(*asked)
        assert all(answer["rows"] for answer in answers[:3])
        assert {answer["verdict"] for answer in answers[3:6]} == {"comparable"}
        assert {answer["verdict"] for answer in answers[6:]} == {"valid"}

    talk(base, work)


def test_what_is_refused_says_what_to_type_instead(base: Path) -> None:
    async def work(client: Client) -> None:
        near = await refused(client, "compare", left="tpu-v6e/chip-hbm-bandwith", right=HBM)
        assert "there is no claim 'tpu-v6e/chip-hbm-bandwith'" in near
        assert f"fix: did you mean {HBM}" in near
        assert "there is no record '--help'" in await refused(client, "show", id="--help")
        assert "no word" in await refused(client, "search", words=" ")
        assert "Traceback" not in await refused(client, "impact", id="x\ny")
        (base / "specs/bolt/bolt-b8.yml").write_bytes(b"\xff")
        assert await told(client, "show", id=HBM), "one bad file hides no other"

    talk(base, work)


def test_a_folder_that_is_not_there_is_told_at_once(tmp_path: Path) -> None:
    done = subprocess.run(
        [KB, "--project", tmp_path / "nowhere", "mcp"], input="", capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "there is no folder" in done.stderr


def test_what_is_no_message_gets_an_error_and_every_question_its_answer(base: Path) -> None:
    """Also when the input ends while an answer is being made."""
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "a", "version": "1"},
    }
    compare = {"name": "compare", "arguments": {"left": B200, "right": HBM}}
    lines = [
        "garbage",
        '{"jsonrpc": "2.0"}',
        json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}),
        json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json.dumps({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": compare}),
    ]
    done = subprocess.run(
        [KB, "--project", base, "mcp"], input="\n".join(lines), capture_output=True, text=True,
        check=True, timeout=60,
    )  # fmt: skip
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(a["id"], a.get("error", {}).get("code")) for a in answers] == [
        (None, -32700), (None, -32600), (1, None), (2, None),
    ]  # fmt: skip
    assert all("write one JSON-RPC 2.0 message" in a["error"]["message"] for a in answers[:2])
    assert answers[3]["result"]["structuredContent"]["verdict"] == "comparable"
