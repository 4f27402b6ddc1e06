"""The index of decisions: filters, overdue ones on the reader's day, whole without JavaScript."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow
Open = Callable[..., "Page"]


def rows(page: Page) -> list[str]:
    found = page.locator(".kb-decisions tbody tr")
    return [
        found.nth(i).inner_text() for i in range(found.count()) if found.nth(i).is_visible()
    ]  # fmt: skip


def test_status_and_words_filter_and_stand_in_the_address(visit: Open) -> None:
    page = visit("decisions/")
    everything = len(rows(page))
    page.get_by_label("Status").select_option("hypothesis")
    some = rows(page)
    assert 0 < len(some) < everything
    assert all("hypothesis" in row for row in some)
    assert page.get_by_role("status").text_content() == f"{len(some)} of {everything} shown."
    page.get_by_label("Words").fill("sampling KERNEL")
    assert [row[:4] for row in rows(page)] == ["0002"]
    page.reload()
    assert [row[:4] for row in rows(page)] == ["0002"]
    page.get_by_label("Words").fill("no such words")
    assert rows(page) == []


def test_what_is_overdue_depends_on_the_reader_s_day(visit: Open) -> None:
    page = visit("decisions/")
    assert not [row for row in rows(page) if "overdue" in row]
    page.clock.set_fixed_time("2027-03-01T12:00:00Z")
    page.reload()
    late = [row[:4] for row in rows(page) if "overdue" in row]
    assert late == ["0001", "0002", "0003", "0010"]
    page.get_by_role("checkbox", name="suspect or overdue").check()
    assert [row[:4] for row in rows(page)] == late


def test_without_javascript_all_decisions_graph_and_timeline_are_there(visit: Open) -> None:
    page = visit("decisions/", java_script_enabled=False)
    assert len(rows(page)) >= 8
    assert page.locator(".kb-drawn svg").is_visible()
    page.get_by_role("link", name="Timeline").click()
    assert "0001: Run the forecasting model" in page.locator("article").inner_text()
