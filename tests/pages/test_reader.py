"""The execution reader: every cell is told in full, its figures exist and its code runs."""

from __future__ import annotations

import itertools
import subprocess
import sys

import pytest

from kb.corpus import Corpus
from kb.pages import links
from kb.pages.reader.cells import CELLS
from kb.pages.reader.code import PIECES
from kb.pages.reader.page import ASKS
from kb.pages.reader.parts import EDGES, INCLUDED, Edge, Path, Stage


@pytest.fixture
def reader(site: dict[str, str]) -> str:
    return site[links.READER]


def test_there_is_one_cell_for_each_path_and_stage() -> None:
    assert [(c.path, c.stage) for c in CELLS] == list(itertools.product(Path, Stage))


def test_all_text_stands_in_the_page(reader: str) -> None:
    for cell in CELLS:
        part = reader.split(f"{{ #{cell.anchor} }}")[1].split("</div>", maxsplit=1)[0]
        assert all(question in part for _, question in ASKS)
        assert f"(#boundary-{cell.edge})" in part
        assert all(PIECES[key].text in part for key in cell.code)
        assert "**Next measurement:**" in part
    assert all(trap in reader for _, _, trap in EDGES.values())
    assert all(f"{{ #boundary-{edge} }}" in reader for edge in Edge)
    for parts in (parts for _, parts in INCLUDED.values()):
        assert ", ".join(parts) in reader


def test_it_says_that_it_computes_no_speed(reader: str) -> None:
    assert "**runs nothing and computes no speed**" in reader


def test_its_figures_and_programs_are_those_of_the_catalogue(reader: str, corpus: Corpus) -> None:
    compiled = {(e.value.target.product, e.value.program.id) for e in corpus.artefacts.values()}
    for cell in CELLS:
        assert set(cell.figures) <= set(corpus.claims), cell.anchor
        assert {(cell.product, name) for name in cell.programs} <= compiled, cell.anchor
        for name in cell.figures:
            published = corpus.claims[name].claim.current.published
            assert f"**{published}**" in reader


def test_every_piece_is_shown_and_every_boundary_is_used() -> None:
    assert {key for cell in CELLS for key in cell.code} == set(PIECES)
    assert {cell.edge for cell in CELLS} == set(Edge)


def test_another_catalogue_has_the_map_without_figures(reader: str) -> None:
    from kb.pages.reader import reader_pages

    bare = reader_pages(Corpus())[links.READER]
    assert "**Figures that bound it**" in reader
    assert "**Figures that bound it**" not in bare
    assert "**What the compiler made of it**" not in bare
    assert bare.count("**Next measurement:**") == len(CELLS)


@pytest.mark.slow
@pytest.mark.parametrize("key", [key for key, p in PIECES.items() if p.language == "python"])
def test_a_python_piece_runs_as_it_stands(key: str) -> None:
    checked = {
        "trace": "assert traces == [(8,), (16,)]",
        "stages": "assert 'stablehlo' in lowered.as_text() and 'ENTRY' in compiled.as_text()",
        "warm": "assert 0 < dispatched <= warm_host",
        "sharded": "assert text.count('all-reduce(') == 1 and mesh.size == 4",
    }
    code = f"import os\nos.environ['JAX_PLATFORMS'] = 'cpu'\n{PIECES[key].text}\n{checked[key]}\n"
    flags = "--xla_force_host_platform_device_count=4"
    answer = subprocess.run(
        [sys.executable, "-c", code],
        env={"XLA_FLAGS": flags, "PATH": "/usr/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
