"""Each kind of page: accessible, light enough, no wider than a phone, printable, quiet."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import Page, Response

pytestmark = pytest.mark.slow
Open = Callable[..., "Page"]
PHONE, NARROW, DESKTOP = (390, 844), (320, 800), (1280, 900)
KINDS = {
    "home": "",
    "products": "products/",
    "product": "products/tpu-v6e/",
    "comparisons": "comparisons/",
    "pair": "comparisons/hgx-b200--tpu-v6e/",
    "verdicts in full": "comparisons/hgx-b200--tpu-v6e-compute-throughput/",
    "short pair": "comparisons/hgx-b200--mi300x/",
    "any two": "comparisons/two-products/",
    "chooser": "comparisons/choose/",
    "decisions": "decisions/",
    "timeline": "decisions/timeline/",
    "decision": "decisions/0001/",
    "reader": "reader/",
    "evidence": "evidence/",
    "measured": "evidence/matmul-512-f32-cpu-20261130-1/",
    "compiled": "evidence/transformer-layer-tpu-v6e-2x4-20261130-1/",
    "kernels": "evidence/cuda-kernels-20261130-1/",
    "imported": "evidence/mlperf-inference-v5.1/",
    "study": "evidence/bucketing-cpu-20261130-152832-1/",
    "results": "results/",
    "benchmark": "results/llama2-70b-99/",
    "two results": "results/5.1-0069-stable-diffusion-xl-offline--"
    "google-tpu-v6-x4-flax-stable-diffusion-xl-offline/",
    "rules": "rules/",
    "rule": "rules/dense-versus-sparse/",
    "mistake": "mistakes/wrong-unit/",
    "words": "words/",
    "dictionary": "words/dictionary/",
    "sources": "sources/",
    "cite": "cite/",
    "search": "find/",
    "guide": "guide/compare/",
    "guide with code": "guide/commands/",
}
"""One page of each kind."""

UNFOLD = "[...document.querySelectorAll('details')].slice(0, 9).forEach((d) => { d.open = true; })"
"""Not all: a page with hundreds of them would keep axe busy for a minute."""
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
LIMIT = 300_000
"""Bytes that a page and all that it loads may weigh, compressed, without search."""


@pytest.fixture(scope="module")
def axe() -> Axe:
    return pytest.importorskip("axe_playwright_python.sync_playwright").Axe()


def barriers(axe: Axe, page: Page, only: dict[str, object]) -> list[str]:
    """What axe says against WCAG 2.2 AA, a line for each of the first places."""
    results = axe.run(page, options={"runOnly": only, "resultTypes": ["violations"]})
    return [
        f"{v['id']}: {node['html'][:160]} {node['failureSummary'][:300]}"
        for v in results.response["violations"]
        for node in v["nodes"][:3]
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_is_light_fits_a_phone_and_has_no_barrier(visit: Open, kind: str, axe: Axe) -> None:
    answers: list[Response] = []

    def hear(answer: Response) -> None:  # playwright takes no method of a built-in type
        answers.append(answer)

    page = visit(KINDS[kind], PHONE, hear, color_scheme="light")
    page.wait_for_load_state("networkidle")
    counted = {
        answer.url: len(gzip.compress(answer.body(), 6))
        for answer in answers
        if answer.ok and not answer.url.startswith("blob:")
        if "/search/" not in answer.url and "/pagefind/" not in answer.url
    }
    assert len(counted) > 3
    assert sum(counted.values()) < LIMIT, sorted(counted.items(), key=lambda i: -i[1])[:4]
    for size in (DESKTOP, NARROW, PHONE):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= size[0], f"{wide} of {size[0]}"
    page.evaluate(UNFOLD)
    assert barriers(axe, page, {"type": "tag", "values": WCAG}) == []
    page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
    page.evaluate("document.body.dataset.mdColorScheme = 'slate'")
    assert barriers(axe, page, {"type": "tag", "values": WCAG}) == []


def test_a_reader_who_likes_it_dark_gets_it_dark(visit: Open) -> None:
    page = visit(color_scheme="dark")
    page.wait_for_function("document.body.dataset.mdColorScheme === 'slate'")


@pytest.mark.parametrize("kind", ["product", "decision", "pair", "reader"])
def test_on_paper_everything_is_unfolded_and_the_menu_is_gone(visit: Open, kind: str) -> None:
    page = visit(KINDS[kind], java_script_enabled=False)
    page.emulate_media(media="print")
    folded = page.locator("article details > :not(summary)")
    assert all(folded.nth(i).is_visible() for i in range(min(folded.count(), 30)))
    assert not page.locator(".md-header").is_visible()
    assert not page.locator(".md-search__input").first.is_visible()


def test_every_kind_of_page_can_be_read_without_javascript(visit: Open, base: str) -> None:
    page = visit(java_script_enabled=False)
    for kind, path in KINDS.items():
        page.goto(base + path)
        assert page.locator("article h1").is_visible(), kind
        assert len(page.locator("article").inner_text()) > 200, kind


@pytest.mark.parametrize("kind", ["product", "measured"])
def test_a_drawing_keeps_its_contrast_in_both_modes(visit: Open, kind: str) -> None:
    colours = set()
    for scheme in ("light", "dark"):
        page = visit(KINDS[kind], color_scheme=scheme)
        colours.add(page.evaluate("getComputedStyle(document.querySelector('article svg')).color"))
    assert len(colours) == 2


def test_the_head_names_the_feed(visit: Open) -> None:
    page = visit(KINDS["decision"])
    named = page.locator('link[type="application/atom+xml"]').get_attribute("href")
    answer = page.request.get(f"{page.url}{named}")
    assert answer.ok
    assert "<feed" in answer.text()


def test_a_claim_has_a_permanent_link(visit: Open) -> None:
    page = visit("products/tpu-v6e/")
    page.locator('a[title="Permanent link to this claim"][href$="#chip-hbm-bandwidth"]').click()
    assert page.url.endswith("products/tpu-v6e/#chip-hbm-bandwidth")
    assert page.locator("#chip-hbm-bandwidth").is_visible()


def test_a_word_explains_itself(visit: Open) -> None:
    page = visit("products/tpu-v6e/")
    word = page.locator("a.kb-chip", has_text="vendor's peak").first
    assert "peak" in (word.get_attribute("title") or "").lower() or word.get_attribute("href")
    word.click()
    assert "/words/#basis-vendor-peak" in page.url
