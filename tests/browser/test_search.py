"""Search by value, alias and rule: Pagefind's index, and the theme's own as the fallback."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow
Open = Callable[..., "Page"]
FIRST = 3
"""Results among which a value must lead to its claim."""
PATHS = "all => all.map((a) => a.pathname + a.hash)"
WANTED = (
    ("1638", "/products/tpu-v6e/#chip-hbm-bandwidth"),
    ("1638 GBps", "/products/tpu-v6e/#chip-hbm-bandwidth"),
    ("180 GB", "/products/hgx-b200/#gpu-hbm-capacity"),
    ("180GB", "/products/hgx-b200/#gpu-hbm-capacity"),
    ("7.7 TB/s", "/products/hgx-b200/#gpu-hbm-bandwidth"),
    ("Trillium", "/products/tpu-v6e/"),
    ("HGX B200", "/products/hgx-b200/"),
    ("dense-versus-sparse", "/rules/dense-versus-sparse/"),
)


@pytest.mark.parametrize(("words", "target"), WANTED)
def test_pagefind_finds(visit: Open, words: str, target: str) -> None:
    page = visit(f"find/?find={quote(words)}")
    page.locator(".kb-found li").first.wait_for()
    found = page.locator(".kb-found a").evaluate_all(PATHS)
    assert any(address.startswith(target) for address in found[:FIRST]), found[:10]


@pytest.mark.parametrize(("words", "target"), WANTED)
def test_the_search_of_the_theme_finds(visit: Open, words: str, target: str) -> None:
    page = visit()
    page.locator(".md-search__input").first.click()
    page.locator(".md-search__input").first.fill(words)
    page.keyboard.press("End")  # the theme listens for keys
    page.locator(".md-search-result__link").first.wait_for(timeout=60_000)
    # Results are pages with their parts; one whose title holds the value may come before.
    first = page.locator(".md-search-result__item").all()[:2]
    found = [item.locator(".md-search-result__link").evaluate_all(PATHS)[:FIRST] for item in first]
    assert any(address.startswith(target) for parts in found for address in parts), found


@pytest.mark.parametrize("words", ["80 GB", "80GB", "80gb"])
def test_the_search_of_the_theme_finds_a_value_however_its_unit_is_set(
    visit: Open, words: str
) -> None:
    page = visit()
    page.locator(".md-search__input").first.click()
    page.locator(".md-search__input").first.fill(words)
    page.keyboard.press("End")
    page.locator(".md-search-result__link").first.wait_for(timeout=60_000)
    told = page.locator(".md-search-result__item").all_inner_texts()
    spellings = {found for text in told for found in re.findall(r"(?<![\d.,])80 ?GB\b", text)}
    assert spellings == {"80 GB", "80GB"}, told[:5]


@pytest.mark.parametrize("words", ["80 GB", "80GB"])
def test_a_value_is_found_however_its_unit_is_set(visit: Open, words: str) -> None:
    page = visit(f"find/?find={quote(words)}")
    page.locator(".kb-found li").first.wait_for()
    titles = page.locator(".kb-found a").all_inner_texts()[:2]
    assert all(re.search(r"(?<![\d.,])80 ?GB\b", title) for title in titles), titles


def test_typing_searches_and_the_address_keeps_the_words(visit: Open) -> None:
    page = visit("find/")
    page.get_by_label("Words, values, aliases, rules").fill("NVLink")
    page.locator(".kb-found li").first.wait_for()
    assert page.url.endswith("?find=NVLink")
    listed = page.locator(".kb-found li").count()
    assert (page.locator(".kb-said").text_content() or "").startswith(f"{listed} results for")
    page.get_by_label("Words, values, aliases, rules").fill("qqqqzz")
    page.wait_for_function("document.querySelectorAll('.kb-found li').length === 0")
    assert "0 results" in (page.locator(".kb-said").text_content() or "")


def test_words_are_shown_and_do_nothing(visit: Open, said: list[str]) -> None:
    page = visit("find/?find=" + quote("<img src=x onerror=alert(1)>"))
    page.locator("#kb-query").wait_for()
    assert page.locator("article img").count() == 0
    assert not said


def test_without_an_index_the_page_says_what_to_do(visit: Open) -> None:
    page = visit("find/", java_script_enabled=False)
    assert "kb index search WORDS" in page.locator(".kb-search").inner_text()
