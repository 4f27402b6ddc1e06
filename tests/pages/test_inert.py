"""Whatever stands in a record, a page shows it and it does nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from xml.etree import ElementTree

import markdown  # type: ignore[import-untyped]
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kb.pages.prose import Target, prose
from kb.pages.text import code, esc, fold, link, page, table, web_link

Made = Callable[[dict[str, str]], dict[str, str]]


HARMLESS = {"a", "abbr", "blockquote", "br", "code", "dd", "details", "div", "dl", "dt", "em",
            "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "span", "strong",
            "summary", "table", "tbody", "td", "th", "thead", "tr", "ul"}  # fmt: skip
PAYLOADS = (
    "<script>alert(1)</script>",
    "](javascript:alert(1))",
    "[x](javascript:alert(1))",
    "`</code><img src=x onerror=alert(1)>`",
    '" onmouseover="alert(1)',
    "{: onclick=alert(1) }",
    "| a | b |",
    "<!-- --><svg/onload=alert(1)>",
    "&lt;script&gt; &#60;script&#62;",
    "![x](https://example.com/x.png)",
    "<https://example.com/><b>",
    "</details></div><iframe>",
)


PARSER = markdown.Markdown(
    extensions=["attr_list", "md_in_html", "tables", "pymdownx.superfences", "toc"],
    extension_configs={"tables": {"use_align_attribute": True}},
)
"""The site's own parser, with the extensions of mkdocs.yml."""


class Seen(HTMLParser):
    """Tags, attributes and addresses of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.addresses: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            self.attributes.add(name)
            if name in ("href", "src", "action", "xlink:href"):
                self.addresses.append(value or "")
            if name == "id":
                self.ids.append(value or "")


def seen(text: str) -> Seen:
    """Everything in a Markdown page after the site's parser."""
    _, fence, rest = text.removeprefix("---\n").partition("\n---\n")
    body = rest if fence and text.startswith("---\n") else text
    found = Seen()
    found.feed(PARSER.reset().convert(body))
    found.close()
    return found


def harmless(text: str) -> None:
    found = seen(text)
    assert found.tags <= HARMLESS, found.tags - HARMLESS
    assert not {name for name in found.attributes if name.startswith("on") or name == "style"}
    for address in found.addresses:
        assert not address.strip().lower().startswith(("javascript:", "data:", "vbscript:"))


DRAWN = {"svg", "title", "desc", "defs", "marker", "path", "rect", "text"}
_DATA = re.compile(r'<script type="application/ld\+json">(.*?)</script>')
_DRAWING = re.compile(r'<div class="kb-scroll kb-drawn"[^>]*>(<svg.*?</svg>)</div>')


def without_our_own(text: str) -> str:
    """A page without its drawings and data, once these are seen to be just that."""
    for drawing in _DRAWING.findall(text):
        for element in ElementTree.fromstring(drawing).iter():  # noqa: S314 - made by us
            assert element.tag.rpartition("}")[2] in DRAWN
            assert not [name for name in element.attrib if name.startswith("on")]
    for data in _DATA.findall(text):
        assert not set(data) & set("<>&")
        json.loads(data)
    return _DATA.sub("", _DRAWING.sub("", text))


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_payload_is_shown_and_does_nothing(payload: str) -> None:
    text = page(
        f"# {esc(payload)} {{ #here }}",
        link(code(payload), "there.md"),
        table(("a", esc(payload)), [(esc(payload), code(payload))]),
        fold(code(payload), esc(payload)),
        web_link(esc(payload), payload),
        prose(payload, lambda _: Target("x.md", payload)),
    )
    harmless(text)
    assert "here" in seen(text).ids


SPEC = """\
product: bolt
name: {p}
vendor: {p}
layer: accelerator
accelerator: gpu
summary: {p}
aliases: [{p}]
composition: {{board: {{of: gpu, count: 8, topology: {p}}}}}
claims:
  - id: gpu-hbm-capacity
    metric: memory_capacity
    interface: hbm
    scope: gpu
    direction: unstated
    basis: advertised
    note: {p}
    precedence: {p}
    terms: {{region: {p}}}
    assessments:
      - {{axis: direction, value: one_way, reasoning: {p}, sources: [sheet]}}
    statements:
      - {{published: "180 GB", source: sheet, locator: {p}, header: {p}, note: {p}}}
      - {{published: "192 GB", source: sheet, locator: {p}, note: {p}, status: disputed}}
"""
SOURCES = """\
sources:
  sheet: {{title: {p}, publisher: {p}, kind: vendor_page, address: {p}, version: {p}, note: {p}}}
families:
  - {{name: {p}, members: [bolt], note: {p}}}
"""
DECISION = """\
---
id: "0001"
title: {p}
status: hypothesis
date: 2026-11-30
question: {p}
options: [{{id: a, title: {p}, framework: {p}, accelerator: bolt}}]
controlled: [{p}]
comparisons:
  - {{left: bolt/gpu-hbm-capacity, right: bolt/gpu-hbm-capacity, note: {p}, assessments: [{p}]}}
next_measurement: {p}
cost: {p}
pins: [{{id: {p}, hash: x, values: {{a: {p}}}}}]
---

# {body}

Text {body} and [180 GB](claim:bolt/gpu-hbm-capacity).

{body}
"""


@pytest.mark.parametrize("payload", PAYLOADS)
def test_records_are_inert_on_every_page(payload: str, made: Made) -> None:
    quoted = "'" + payload.replace("'", "''") + "'"
    site = made(
        {
            "specs/bolt.yml": SPEC.format(p=quoted),
            "specs/sources.yml": SOURCES.format(p=quoted),
            "decisions/0001-x.md": DECISION.format(p=quoted, body=payload),
        }
    )
    for path, text in site.items():
        if path.endswith(".md"):
            harmless(without_our_own(text))
    json.loads(_DATA.findall(site["products/bolt.md"])[0])
    assert "(../products/bolt.md#gpu-hbm-capacity" in site["decisions/0001.md"]


WILD = st.lists(
    st.sampled_from([
        "[", "]", "(", ")", "<", ">", "!", "`", "``", "```", "~~~", "{", "}", ":", "\\", '"', "'",
        "&", "#", "*", "_", "|", "\n", "\n\n", " ", "    ", "javascript:alert(1)", "onclick=x",
        "script", "img", "x", "1.", "-", "--", "claim:a/b", "https://e.org", "&#106;", "<!--",
        "-->", "=", "^", "$",
    ]),
    max_size=30,
).map("".join)  # fmt: skip


@settings(max_examples=400, deadline=None)
@example("[a\\](javascript:alert(1))")
@example("[a]: javascript:alert(1)\n\n[a]")
@example("`` ` ``<script>`")
@example("```{ .x onclick=y }\n<script>\n```")
@example("[![x](y)](javascript:alert(1))")
@example("[x](<javascript:alert(1)>)")
@example("[x](&#106;avascript:alert(1))")
@given(WILD)
def test_no_prose_gets_through(text: str) -> None:
    harmless(prose(text, lambda target: Target("x.md", target)))


@settings(max_examples=300, deadline=None)
@given(WILD)
def test_no_text_gets_through(text: str) -> None:
    harmless(page(f"- {esc(text)}", table(("a",), [(esc(text),), (code(text),)]), esc(text)))


def test_prose_keeps_markdown_and_resolves_citations() -> None:
    text = "**Bold** [4.7×](compare:a/b..c/d) and `x < y`\n\n```sh\nls <dir>\n```\n\n- item\n"
    shown = prose(text, lambda target: Target("#there", target))
    assert "**Bold**" in shown
    assert '[4.7×](#there "compare:a/b..c/d")' in shown
    assert "x &#60; y" in shown
    assert "<pre><code>ls &lt;dir&gt;</code></pre>" in shown
    assert "- item" in shown


def test_a_citation_of_nothing_is_plain_text() -> None:
    assert "](" not in prose("[1 TB/s](claim:no/such)", lambda _: None)
