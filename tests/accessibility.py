"""What axe-core finds wrong with a page: contrast, names, roles, what keys cannot reach."""

from importlib import resources
from typing import Any

import pytest


def violations(page: Any) -> list[str]:
    """A line for each violation on a page, with the first place where it is; everything that is folded is opened."""
    package = pytest.importorskip("axe_playwright_python")
    page.evaluate((resources.files(package) / "axe.min.js").read_text("utf-8"))
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    found = page.evaluate("rules => axe.run(document, rules)", {"resultTypes": ["violations"]})["violations"]
    return [f"{one['id']} ({len(one['nodes'])} times): {one['nodes'][0]['html'][:200]}" for one in found]


def sticks_out(page: Any) -> bool:
    """Whether a page is wider than its window, once all of it is there."""
    page.wait_for_load_state()
    return bool(page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"))
