"""Other tools that check linked items, beside `kb check` on as many.

    python benchmarks/peers.py --items 2000

TRLC, Doorstop and StrictDoc are installed from PyPI into an environment that is thrown away.
Each gets as many items as we have records, in its own notation, each item linked to another.
They do less: none of them knows a unit, a scope or a comparison.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import venv
from pathlib import Path

from generate import knowledge_base, write
from timing import Cost, machine, run

PEERS = ("trlc", "doorstop", "strictdoc")
TEXT = "One accelerator reads its memory at {n} GB/s, and the layers stay below that rate."


def main() -> None:
    """Print items a second for each tool."""
    parser = argparse.ArgumentParser(description="Time other tools on linked items.")
    parser.add_argument("--items", type=int, default=2_000)
    items = parser.parse_args().items
    print(machine())
    with tempfile.TemporaryDirectory(prefix="kb-peers-") as name:
        folder = Path(name)
        venv.create(folder / "venv", with_pip=True)
        bin_ = folder / "venv" / "bin"
        run([bin_ / "python", "-m", "pip", "install", "--quiet", *PEERS], folder)
        listed = run([bin_ / "python", "-m", "pip", "list", "--format", "freeze"], folder).output
        versions = dict(
            line.lower().split("==") for line in listed.split() if line.count("==") == 1
        )
        shown = {
            f"TRLC {versions['trlc']}": _trlc(folder / "trlc", bin_, items),
            f"Doorstop {versions['doorstop']}": _doorstop(folder / "doorstop", bin_, items),
            **_strictdoc(folder / "strictdoc", bin_, items, versions["strictdoc"]),
            **_kb(folder, items),
        }
        for what, cost in shown.items():
            print(f"{what:32} {items / cost.wall:9,.0f} items/s wall {items / cost.cpu:9,.0f} cpu")


def _trlc(folder: Path, bin_: Path, items: int) -> Cost:
    folder.mkdir()
    kind = "type Item {\n  text String\n  parent optional Item\n}\n"
    (folder / "model.rsl").write_text(f"package Base\n{kind}")
    rows = ["package Base\n"]
    for n in range(items):
        link = f"  parent = Item_{n // 2}\n" if n else ""
        rows.append(f'Item Item_{n} {{\n  text = "{TEXT.format(n=n)}"\n{link}}}\n')
    (folder / "items.trlc").write_text("".join(rows))
    return run([bin_ / "trlc", folder], folder)


def _doorstop(folder: Path, bin_: Path, items: int) -> Cost:
    folder.mkdir()
    run(["git", "init", "-q"], folder)
    run([bin_ / "doorstop", "create", "REQ", "req"], folder)
    for n in range(1, items + 1):
        link = f"links:\n- REQ{n // 2:06d}: null\n" if n > 1 else "links: []\n"
        (folder / "req" / f"REQ{n:06d}.yml").write_text(
            f"active: true\nderived: false\nheader: ''\nlevel: 1.{n}\n{link}normative: true\n"
            f"ref: ''\nreviewed: null\ntext: |\n  {TEXT.format(n=n)}\n"
        )
    return run([bin_ / "doorstop", "--no-reformat"], folder, codes=(0, 1))


def _strictdoc(folder: Path, bin_: Path, items: int, version: str) -> dict[str, Cost]:
    folder.mkdir()
    rows = ["[DOCUMENT]\nTITLE: Items\n"]
    for n in range(items):
        link = f"RELATIONS:\n- TYPE: Parent\n  VALUE: REQ-{n // 2}\n" if n else ""
        rows.append(
            f"\n[REQUIREMENT]\nUID: REQ-{n}\nTITLE: Item {n}\nSTATEMENT: {TEXT.format(n=n)}\n{link}"
        )
    (folder / "items.sdoc").write_text("".join(rows))
    command = [bin_ / "strictdoc", "export", folder, "--formats", "json"]
    command += ["--output-dir", folder / "out"]
    return {
        f"StrictDoc {version}, cold": run(command, folder),
        f"StrictDoc {version}, unchanged": run(command, folder),
    }


def _kb(folder: Path, items: int) -> dict[str, Cost]:
    base, cache = folder / "base", {"KB_CACHE_DIR": str(folder / "cache")}
    write(knowledge_base(items - items // 11, items // 11), base)
    command = [Path(sys.executable).parent / "kb", "--project", base, "check"]
    return {
        "kb check, cold": run(command, folder, given=cache),
        "kb check, unchanged": run(command, folder, given=cache),
    }


if __name__ == "__main__":
    main()
