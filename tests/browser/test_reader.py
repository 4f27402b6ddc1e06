"""The execution reader in a browser: by keyboard, by address, without JavaScript."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow
Open = Callable[..., "Page"]
NINE = [f"{p}-{s}" for p in ("jax-gpu", "jax-tpu", "cuda") for s in
        ("compile", "execution", "scaling")]  # fmt: skip


def shown(page: Page) -> list[str]:
    """Anchors of the cells that can be seen."""
    heads = page.locator(".kb-cell h2")
    return [
        heads.nth(i).get_attribute("id") or "" for i in range(heads.count())
        if heads.nth(i).is_visible()
    ]  # fmt: skip


def test_a_path_and_a_stage_are_chosen_by_keyboard(visit: Open) -> None:
    page = visit("reader/")
    assert shown(page) == ["jax-gpu-compile"]
    page.get_by_role("radio", name="JAX on B200").focus()
    page.keyboard.press("ArrowDown")
    assert shown(page) == ["jax-tpu-compile"]
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    assert shown(page) == ["jax-tpu-execution"]
    assert page.url.endswith("#jax-tpu-execution")
    assert page.get_by_role("status").text_content() == "Shown: JAX on v6e, execution."
    assert page.locator(".kb-grid [aria-current]").get_attribute("href") == "#jax-tpu-execution"


@pytest.mark.parametrize("anchor", ["cuda-scaling", "jax-tpu-compile"])
def test_the_address_holds_the_state(visit: Open, anchor: str) -> None:
    page = visit(f"reader/#{anchor}")
    assert shown(page) == [anchor]
    page.reload()
    assert shown(page) == [anchor]
    assert page.locator("input[name=kb-path]:checked").count() == 1


def test_a_link_of_the_table_chooses_too(visit: Open) -> None:
    page = visit("reader/")
    page.locator('.kb-grid a[href="#cuda-execution"]').click()
    assert shown(page) == ["cuda-execution"]
    assert page.get_by_role("radio", name="direct CUDA").is_checked()


def test_all_nine_can_be_shown_and_are_printed(visit: Open) -> None:
    page = visit("reader/")
    page.get_by_role("checkbox", name="show all nine").check()
    assert shown(page) == NINE
    page.get_by_role("checkbox", name="show all nine").uncheck()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert shown(page) == NINE
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert len(shown(page)) == 1


def test_everything_is_there_without_javascript(visit: Open) -> None:
    page = visit("reader/", java_script_enabled=False)
    assert shown(page) == NINE
    assert page.locator("article input").count() == 0
    for boundary in ("program", "compile", "device", "scaling"):
        assert page.locator(f"#boundary-{boundary}").is_visible()
    page.locator('.kb-grid a[href="#cuda-execution"]').click()
    assert page.url.endswith("#cuda-execution")
