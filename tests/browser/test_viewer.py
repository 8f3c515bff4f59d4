"""The viewer clicked through in a real browser, without a screen, on a desk and on a telephone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mmgames.running.matches import match
from tests.test_viewer import NASTY, Scripted, serving


@pytest.mark.parametrize("width", [1280, 390])
def test_a_call_is_searched_and_opened_and_nothing_runs(browser: Any, tmp_path: Path, width: int) -> None:
    match("mmgames/TicTacToe-v0", (Scripted(), "random"), 2, out=tmp_path / "run.jsonl", on_illegal="retry_random")
    with serving(tmp_path) as viewer:
        page = browser.new_page(viewport={"width": width, "height": 800})
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda message: wrong.append(message.text))
        page.on(
            "request", lambda request: request.url.startswith((viewer.url[:-5], "data:")) or wrong.append(request.url)
        )
        page.goto(viewer.url)
        every = page.locator("table.calls tbody tr").count()
        page.get_by_role("searchbox").fill("zebra")
        page.locator("select[name=where]").select_option("replies")
        page.get_by_label("refused or failed only").check()
        page.get_by_role("button", name="Search").click()
        rows = page.locator("table.calls tbody tr")
        assert 0 < rows.count() < every and page.locator("mark").first.inner_text() == "zebra"
        assert page.get_by_role("searchbox").input_value() == "zebra"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        rows.first.locator("a").click()
        assert page.locator("pre.reply").inner_text() == NASTY
        picture = page.locator(".message img").last
        picture.scroll_into_view_if_needed()
        assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") == 64
        assert page.get_by_text("its fingerprint is that of what was sent").is_visible()
        assert page.get_by_text("refused, not in the asked form").is_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.get_by_role("link", name="back to the list").click()
        assert page.get_by_label("refused or failed only").is_checked(), "the search is still there"
        assert wrong == [] and page.title() == "Calls"
        page.close()
