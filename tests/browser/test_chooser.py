"""Two claims and their verdict: looked up in files, kept in the address."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow
Open = Callable[..., "Page"]
HBM = ("hgx-b200/gpu-hbm-bandwidth", "tpu-v6e/chip-hbm-bandwidth")
BOARD = ("hgx-b200/board-nvlink-bandwidth", "tpu-v6e/chip-ici-bandwidth")
DIFFERENT = ("hgx-b200/board-hbm-capacity", "tpu-v6e/chip-hbm-capacity")


def result(page: Page) -> str:
    page.locator(".kb-result .kb-chip").wait_for()
    return page.locator(".kb-result").inner_text()


def of(pair: tuple[str, str]) -> str:
    return f"comparisons/choose/?{urlencode({'left': pair[0], 'right': pair[1]})}"


def test_it_opens_with_a_verdict(visit: Open) -> None:
    text = result(visit("comparisons/choose/"))
    assert "7.7 TB/s" in text
    assert "1638 GBps" in text
    assert "comparable ratio 4.70 (the digits allow 4.67 to 4.73)" in text
    assert "rests on a third-party copy" in text
    assert "vendor's peak" in text


def test_what_is_open_shows_its_conditions(visit: Open) -> None:
    text = result(visit(of(BOARD)))
    assert "? undetermined" in text
    assert "2.25" in text
    assert "4.50" in text
    assert "What would settle it" in text
    assert "ratio " not in text.split("Why:")[0]


def test_what_differs_shows_reasons_and_what_to_use(visit: Open, asked: list[str]) -> None:
    page = visit(of(("hgx-b200/gpu-nvlink-bandwidth", "tpu-v6e/chip-nic-bandwidth")))
    text = result(page)
    assert "✗ not comparable" in text
    assert "Why:" in text
    assert "What may be set beside the left one instead:" in text
    files = [a for a in asked if "/api/verdicts/" in a]
    assert [a.partition("/api/verdicts/")[2] for a in files] == [
        "hgx-b200/gpu-nvlink-bandwidth.json"
    ]


def test_choosing_by_keyboard_changes_verdict_and_address(visit: Open) -> None:
    page = visit("comparisons/choose/")
    result(page)
    right = page.get_by_label("Right")
    right.focus()
    before = right.input_value()
    page.keyboard.press("ArrowDown")
    page.wait_for_function("(old) => document.querySelector('#kb-right').value !== old", arg=before)
    chosen = right.input_value()
    assert urlencode({"right": chosen}) in page.url
    page.reload()
    result(page)
    assert page.get_by_label("Right").input_value() == chosen


def test_another_metric_offers_its_own_claims(visit: Open) -> None:
    page = visit("comparisons/choose/")
    result(page)
    page.get_by_label("Metric").select_option("power")
    result(page)
    labels = page.locator("#kb-left option").all_text_contents()
    assert labels
    assert all(re.search(r"\d ?k?W, ", label) for label in labels), labels
    assert page.locator("#kb-left optgroup").count() > 1


def test_an_unknown_claim_in_the_address_falls_back(visit: Open) -> None:
    assert "4.70" in result(visit("comparisons/choose/?left=no/such&right=x%3Cscript%3E"))


def test_without_javascript_the_way_round_is_shown(visit: Open) -> None:
    page = visit("comparisons/choose/", java_script_enabled=False)
    assert "Without it, these pages show every verdict" in page.locator(".kb-choose").inner_text()
    page.locator(".kb-choose a").first.click()
    assert page.url.endswith("/comparisons/hgx-b200--tpu-v6e/")


TWO = "comparisons/two-products/"


def cells(page: Page) -> list[str]:
    page.locator(".kb-two tbody td").first.wait_for()
    return page.locator(".kb-two tbody td").all_inner_texts()


def test_any_two_products_get_their_matrix(visit: Open) -> None:
    page = visit(f"{TWO}?left=mi300x&right=h100-sxm")
    text = page.locator(".kb-two")
    shown = cells(page)
    assert "Ratios are H100 SXM over AMD MI300X" in text.inner_text()
    assert "✓ comparable 0.632 (the digits allow 0.625 to 0.639) 2 cautions" in shown
    assert any(cell.startswith("✗ not comparable precision") for cell in shown)
    assert text.locator("details li", has_text="one number format says nothing").count() == 1
    assert any("\ninstead: " in cell for cell in shown)
    cautions = text.locator("details[open]", has_text="Cautions, which go with the ratios")
    assert cautions.locator("li").count() >= 2
    text.locator("td a", has_text="0.632").click()
    assert "left=h100-sxm%2Fgpu-hbm-bandwidth&right=mi300x%2Fgpu-hbm-bandwidth" in page.url
    assert "ratio 0.632" in result(page)


def test_an_open_cell_says_what_would_settle_it(visit: Open) -> None:
    page = visit(f"{TWO}?left=hgx-b200&right=tpu-v6e")
    cells(page)
    opened = page.locator(".kb-two td", has_text="? undetermined")
    first = opened.first.locator("details")
    assert opened.count() == page.locator(".kb-two td details").count() > 0
    assert not first.get_by_text("a source for").is_visible()
    first.locator("summary").press("Enter")
    assert "whether the figure counts one direction or adds both" in first.inner_text()
    listed = page.locator(".kb-two div > details li", has_text="What would settle it: a source")
    assert listed.count() > 0


def test_the_browser_s_matrix_is_that_of_the_page(visit: Open, base: str) -> None:
    page = visit(f"{TWO}?left=hgx-b200&right=mi300x")
    made = [c.split(" ", 2)[0] for c in cells(page)]
    page.goto(f"{base}comparisons/hgx-b200--mi300x/")
    tables = page.locator(".kb-scroll table:has(thead th:first-child:empty)")
    told = [t.split(" ", 1)[0] for t in tables.locator("tbody .kb-chip").all_inner_texts()]
    assert {sign: made.count(sign) for sign in "✓✗?"} == {s: told.count(s) for s in "✓✗?"}


def test_two_products_are_kept_in_the_address_and_chosen_by_keyboard(visit: Open) -> None:
    page = visit(TWO)
    cells(page)
    other = page.get_by_label("Other")
    other.focus()
    page.keyboard.press("ArrowUp")
    page.locator(".kb-two", has_text="Ratios are HGX B200 over TPU v5p.").wait_for()
    chosen = other.input_value()
    assert f"right={chosen}" in page.url
    page.reload()
    cells(page)
    assert page.get_by_label("Other").input_value() == chosen == "tpu-v5p"


def test_an_unknown_product_falls_back(visit: Open) -> None:
    page = visit(f"{TWO}?left=no-such&right=%3Cscript%3E")
    cells(page)
    assert page.get_by_label("One").input_value() == "hgx-b200"
    assert page.get_by_label("Other").input_value() == "tpu-v6e"


def test_two_products_without_javascript_lead_to_pages(visit: Open) -> None:
    page = visit(TWO, java_script_enabled=False)
    page.locator(".kb-two a").first.click()
    page.get_by_role("link", name="against HGX B200").first.click()
    assert "Ratios are" in page.locator("article").inner_text()
