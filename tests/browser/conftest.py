"""Pages of the play server in a real browser, without a screen."""

from collections.abc import Iterator
from typing import Any

import pytest

DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}
TELEPHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 800}}
PATIENT = 60_000  # a busy machine is not a defect


@pytest.fixture
def new_page(browser: Any) -> Iterator[Any]:
    """Makes pages of browsers that know nothing of each other; nothing may go wrong on them or be loaded elsewhere."""
    contexts, wrong = [], []

    def made(script: str = "", **settings: Any) -> Any:
        context = browser.new_context(reduced_motion="reduce", **settings)
        context.set_default_timeout(PATIENT)
        context.add_init_script(script)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        own = ("http://127.0.0.1:", "data:")
        page.on("request", lambda request: request.url.startswith(own) or wrong.append(request.url))
        return page

    yield made
    for context in contexts:
        context.close()
    assert wrong == []
