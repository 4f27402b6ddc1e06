"""Every way in which text or bytes of a stranger reach kb, each as one function of bytes.

A function returns when kb answered as it should: with findings that say what is wrong and
what to do, or with the refusal that its caller turns into one. Anything else raises.
"""

from __future__ import annotations

import contextlib
import datetime
import functools
import json
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path

from kb.cli.compare import _answer
from kb.cli.lint import line_answer
from kb.corpus import Corpus
from kb.files import decode
from kb.finding import CheckError, Finding
from kb.index import Database
from kb.load import load_files
from kb.prose.answer import answer
from kb.prose.cite import citations, faults
from kb.prose.known import Known, known
from kb.prose.readings import readings
from kb.qualifiers import Metric
from kb.quantity import QuantityError, parse_quantity
from kb.records.dialects.convert import convert_log
from kb.records.dialects.folder import read_logs
from kb.records.dimension import ExpressionError, Value, dimension_of
from kb.records.evaluate import check, holds
from kb.records.expression import parse
from kb.report.text import render
from kb.rules.collect import Collected, collect
from kb.rules.example import TODAY, base_files
from kb.rules.result import Report
from kb.rules.run import judge
from kb.units import labels
from tests.fuzz.talk import assistant, editor

FRONT = 'id: "0100"\ntitle: A title\nstatus: draft\ndate: 2026-11-30\n'
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")


@functools.cache
def rules() -> Collected:
    """The rules that came with kb."""
    return collect()


@functools.cache
def small() -> Known:
    """The invented catalogue of the examples, as the prose checker needs it."""
    return known(corpus())


@functools.cache
def corpus() -> Corpus:
    """The invented catalogue of the examples."""
    return load_files(base_files()).corpus


def text_of(data: bytes) -> str | None:
    """The text of a file, or None where `kb.files` refuses the bytes with a finding."""
    text, findings = decode(data, "fuzz")
    assert (text is None) == bool(findings)
    told(findings)
    return text


def told(findings: list[Finding]) -> None:
    """Every finding says what is wrong and what to do."""
    assert all(f.message and f.remedy and f.rule for f in findings)


def judged(path: str, text: str) -> Report:
    """The report on one file laid over the sound base; no rule crashed over it."""
    loaded = load_files({**base_files(), path: text})
    report = judge(loaded, rules(), TODAY)
    assert not report.crashes, report.crashes
    told([item.finding for item in report.findings])
    lines = text.count("\n") + 1
    for item in report.findings:
        if item.mark.path == path:
            assert 1 <= item.mark.span.start.line <= lines, item
    assert not CONTROL.search(render(report))
    return report


def spec(data: bytes) -> None:
    """A file in `specs/`."""
    if (text := text_of(data)) is not None:
        judged("specs/fuzz/fuzz.yml", text)


def front(data: bytes) -> None:
    """The front matter of a decision."""
    if (text := text_of(data)) is not None:
        judged("decisions/0100-fuzz.md", f"---\n{text}\n---\n\n# A title\n")


def body(data: bytes) -> None:
    """The Markdown of a decision, judged, and as the site shows it."""
    from kb.pages.prose import Target, prose

    if (text := text_of(data)) is None:
        return
    judged("decisions/0100-fuzz.md", f"---\n{FRONT}---\n{text}")
    shown = prose(text, lambda _: Target("../a.html", "a"))
    assert "<script" not in shown.lower()


def lint(data: bytes) -> None:
    """Prose of anybody, in each of the languages."""
    if (text := text_of(data)) is None:
        return
    # Of a large text, what `kb lint FILE` does is measured, and that once.
    for language in ("markdown", "rst", "plain") if len(text) < 10_000 else ("markdown",):
        found = answer(text, small(), language)
        assert all(0 <= f.start <= f.end <= len(text) for f in found.findings)
    assert all(text[c.start : c.end] == c.text for c in citations(text))
    faults(text, corpus())
    if len(text) < 10_000:
        assert all(readings(text, small()))


def quantity(data: bytes) -> None:
    """What a source printed, under every metric."""
    text = data.decode("utf-8", "replace")
    for metric in Metric:
        try:
            found = parse_quantity(text, metric)
        except QuantityError as error:
            refused(str(error), error.remedy)
            places = 0, error.start, error.end, len(text) + 1
            assert list(places) == sorted(places), places
        else:
            assert found.interval.low <= found.base <= found.interval.high
            assert found.plain


def evidence(data: bytes) -> None:
    """A record in `evidence/`."""
    if (text := text_of(data)) is not None:
        judged("evidence/fuzz.json", text)


def expression(data: bytes) -> None:
    """A rule of choice, with inputs of three dimensions."""
    inputs = _inputs()
    try:
        read = parse(data.decode("utf-8", "replace"))
        check(read, {name: value.dimension for name, value in inputs.items()})
        holds(read, inputs)
    except ExpressionError as error:
        refused(str(error), error.remedy)


def refused(message: str, remedy: str) -> None:
    """A refusal says what is wrong and what to write."""
    assert message
    assert remedy


@functools.cache
def _inputs() -> Mapping[str, Value]:
    units = {"rate": "GB/s", "size": "GB", "power": "W"}
    return {
        name: Value(Fraction(3, 7), dimension_of(labels()[unit].dimension))
        for name, unit in units.items()
    }


def hlo(data: bytes) -> None:
    """A compiler's text: HLO, PTX and what the assembler reports."""
    from kb.measure.compile import ptx
    from kb.measure.compile.hlo import parse as parse_hlo
    from kb.measure.compile.inventory import Setting, input_layouts, take, tiled_inputs
    from kb.measure.compile.redact import redacted

    text = data.decode("utf-8", "replace")
    module = parse_hlo(text)
    platform = ("tpu", "cuda", "cpu")[len(data) % 3]
    assert take(module, Setting(platform, 8)).collectives is not None
    tiled_inputs(module)
    input_layouts(module)
    redacted(text)
    for read in (ptx.matrix_instructions, ptx.architecture, ptx.assembled, ptx.launches):
        read(text)


def description(data: bytes) -> None:
    """A description of a device in protobuf's text format."""
    from kb.measure.compile.description import check as check_description

    with contextlib.suppress(CheckError):
        check_description(data.decode("utf-8", "replace"), "fuzz")


def profile(data: bytes) -> None:
    """A profile of a device."""
    from kb.measure.audit.profile import leaves, read

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "fuzz.xplane.pb")
        path.write_bytes(data)
        with contextlib.suppress(CheckError):
            for device in read(path):
                leaves(device.work)


def source(data: bytes) -> None:
    """Source code that `kb audit` looks through, under each of its endings."""
    from kb.measure.audit.source import scan

    for ending in (".py", ".cu", ".ptx", ".sh"):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, f"fuzz{ending}").write_bytes(data)
            seen = scan(Path(folder))
            assert seen.files + len(seen.unread) >= 1


def foreign(data: bytes) -> None:
    """A decision record of another tool."""
    for name in ("0001-a.md", "kep.yaml"):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "kep").mkdir()
            Path(folder, "kep", name).write_bytes(data)
            for log in read_logs(Path(folder)):
                for record in convert_log(log, set(), datetime.date(2026, 11, 30)):
                    judged(f"decisions/{record.name}", record.text)


def results(data: bytes) -> None:
    """Published results of MLPerf."""
    from kb.mlperf import take

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "summary_results.json")
        path.write_bytes(data)
        with contextlib.suppress(CheckError):
            taken = take(path, corpus(), chosen=lambda _: True)
            assert taken.read == len(taken.results) + len(taken.skipped)


def line(data: bytes) -> None:
    """A line that `kb compare --stdin` and `kb lint --stdin` read."""
    text = data.decode("utf-8", "replace").replace("\n", " ")
    for found in (
        _answer(text, 1, corpus(), corpus, strict=False),
        line_answer(text, 1, small(), told=True),
    ):
        assert "error" in found or "verdict" in found
        json.dumps(found, allow_nan=False)


def query(data: bytes) -> None:
    """SQL, and words to search for, on an index."""
    from kb.index import DatabaseError, query, search

    text = data.decode("utf-8", "replace")
    asks: tuple[Callable[[], object], ...] = (
        lambda: query(index(), text, seconds=0.2),
        lambda: query(index(), "claims", text, seconds=0.2),
        lambda: search(index(), text),
    )
    for ask in asks:
        with contextlib.suppress(DatabaseError):
            ask()


@functools.cache
def index() -> Database:
    """An index of the examples, in a file of its own."""
    from kb.index import build, open_database

    folder = Path(tempfile.mkdtemp(prefix="kb-fuzz-"))
    loaded = load_files(base_files())
    database = open_database(None, folder / "index.sqlite")
    build(loaded.corpus, judge(loaded, rules(), TODAY), database, "fuzz")
    return database


TARGETS: dict[str, Callable[[bytes], None]] = {
    each.__name__: each
    for each in (
        spec, front, body, lint, quantity, evidence, expression, hlo, description, profile,
        source, foreign, results, line, query, editor, assistant,
    )
}  # fmt: skip


def seeds(name: str) -> Iterator[Path]:
    """The small corpus of a target."""
    yield from sorted((Path(__file__).parent / "corpus" / name).iterdir())
