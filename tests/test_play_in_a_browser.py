"""Whole games played through the play page in a real browser, without a screen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from mmgames.replays import replay
from tests.play_server import Client, serving

PATIENT = 60_000  # a busy machine is not a defect


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    with serving(tmp_path) as client:
        yield client


@pytest.fixture
def new_page(browser: Any, client: Client) -> Iterator[Any]:
    """Makes pages of browsers that know nothing of each other; nothing may go wrong on them or be loaded elsewhere."""
    contexts, wrong = [], []

    def made(**settings: Any) -> Any:
        context = browser.new_context(reduced_motion="reduce", **settings)
        context.set_default_timeout(PATIENT)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda request: request.url.startswith((client.url, "data:")) or wrong.append(request.url))
        return page

    yield made
    for context in contexts:
        context.close()
    assert wrong == []


def begin(page: Any, client: Client, game: str, **agents: str) -> None:
    page.goto(f"{client.url}#/new/{game}")
    for role, agent in agents.items():
        page.locator(f"#seat-{role}").select_option(agent)
    page.locator("#start").click()


def turn_or_end(page: Any) -> bool:
    """Wait until the seat is to move (True) or the game is over (False)."""
    page.locator(".turn.yours, .end").first.wait_for()
    return page.locator(".end").count() == 0


def kept(client: Client) -> dict[str, Any]:
    """The only record there is, replayed."""
    (name,) = client.table.shelf.files()
    (row,) = client.table.shelf.rows(name)[1]
    assert row["failed"] is None and "unfinished" not in row
    assert len(list(replay(row))) == row["length"] + 1
    return row


def test_tic_tac_toe_is_played_by_clicking_in_the_picture(client: Client, new_page: Any) -> None:
    page = new_page()
    page.goto(client.url)
    page.locator(".games a", has_text="TicTacToe").click()
    page.locator("#seat-o").select_option("minimax")
    page.locator("#start").click()
    page.locator(".spot").first.wait_for()
    board = page.locator(".board").bounding_box()
    page.mouse.click(board["x"] + board["width"] * 0.55, board["y"] + board["height"] * 0.55)  # the middle cell
    clicked = 1
    page.locator(".spot").nth(6).wait_for()
    while turn_or_end(page):
        spots = page.locator(".spot")
        before = spots.count()
        spots.first.click()
        clicked += 1
        page.locator(f".board:not(:has(.spot:nth-of-type({before})))").wait_for()
    row = kept(client)
    assert row["actions"][0] == [4, None]
    assert sum(step[0] is not None for step in row["actions"]) == clicked
    assert f"{row['returns'][0]:g}" in page.locator(".end tr", has_text="x (you)").inner_text()
