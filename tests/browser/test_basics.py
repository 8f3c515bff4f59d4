"""What players expect of the page: the list of moves, moves taken back, draws, clocks, sounds, three pictures, keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from mmgames.core import registry
from mmgames.play import tour
from tests.accessibility import sticks_out, violations
from tests.play_server import Client, serving

DESK = {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"}
TELEPHONE = {"viewport": {"width": 390, "height": 800}, "color_scheme": "light"}
COUNTED = """
window.tones = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) { window.tones++; return start.apply(this, when); };
"""


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    with serving(tmp_path) as client:
        yield client


@pytest.fixture
def new_page(browser: Any) -> Iterator[Any]:
    contexts, wrong = [], []

    def made(**settings: Any) -> Any:
        context = browser.new_context(reduced_motion="reduce", **settings)
        context.set_default_timeout(60_000)
        context.add_init_script(COUNTED)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        return page

    yield made
    for context in contexts:
        context.close()
    assert wrong == []


def begin(page: Any, client: Client, agent: str, clock: str = "") -> None:
    page.goto(f"{client.url}#/new/TicTacToe")
    page.locator("#seat-o").select_option(agent)
    if clock:
        page.locator("form > details", has_text="Options").last.locator("summary").click()
        page.locator("#clock").fill(clock)
    page.locator("#start").click()
    page.locator(".turn.yours").wait_for()


def play_cell(page: Any, name: str, then: int) -> None:
    page.locator(f".spot[aria-label={name}]").click()
    page.locator("ol.course li").nth(then).wait_for()
    page.locator(".turn.yours").wait_for()


def test_moves_are_listed_jumped_to_and_taken_back_by_keys(client: Client, new_page: Any) -> None:
    page = new_page()
    begin(page, client, "minimax")
    assert not page.locator("ol.course").is_visible(), "there is nothing to list yet"
    start = page.locator(".board img").get_attribute("src")
    play_cell(page, "A1", 2)
    assert page.locator("ol.course li").all_inner_texts() == ["Start", "1. x A1", "2. o B2"]
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press(",")
    page.locator(".board img[alt^='Position 2 of 3']").wait_for()
    assert page.locator("ol.course [aria-current]").inner_text() == "1. x A1" and page.locator(".spot").count() == 0
    page.locator("ol.course [aria-current]").focus()
    page.keyboard.press("Home")
    page.locator(".board img[alt^='Position 1 of 3']").wait_for()
    assert page.evaluate("document.activeElement.textContent") == "Start"
    assert page.locator(".board img").get_attribute("src") == start
    page.keyboard.press("End")
    page.locator(".spot").first.wait_for()

    page.reload()  # what this page has not seen is asked for
    page.locator("ol.course li").nth(2).wait_for()
    page.locator("ol.course button", has_text="Start").click()
    page.locator(".board img[alt^='Position 1 of 3']").wait_for()
    assert page.locator(".board img").get_attribute("src") == start

    page.get_by_role("button", name="Take back").focus()
    page.keyboard.press("Enter")
    page.locator(".spot").nth(8).wait_for()
    assert page.locator("ol.course li").count() == 1
    assert not page.get_by_role("button", name="Take back").is_visible()
    page.get_by_role("button", name="Offer a draw").click()
    page.locator(".turn.over", has_text="Draw: both have agreed to it.").wait_for()


def test_sounds_are_off_until_they_are_turned_on(client: Client, new_page: Any) -> None:
    page = new_page()
    begin(page, client, "random")
    play_cell(page, "A1", 2)
    assert page.evaluate("tones") == 0
    button = page.get_by_role("button", name="Sounds")
    assert button.get_attribute("aria-pressed") == "false"
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    before = page.evaluate("tones")
    assert before > 0
    page.locator(".spot").first.click()
    page.locator("ol.course li").nth(4).wait_for()
    page.wait_for_function(f"tones > {before}")
    page.reload()
    assert button.get_attribute("aria-pressed") == "true", "it is remembered"


@pytest.mark.parametrize("settings", [DESK, TELEPHONE], ids=["desk, dark", "telephone, light"])
def test_the_new_parts_are_accessible(client: Client, new_page: Any, settings: dict[str, Any]) -> None:
    page, other = new_page(**settings), new_page(**settings)
    page.goto(f"{client.url}#/new/TicTacToe")
    page.locator("summary", has_text="three pictures").click()
    page.locator(".tour img").nth(2).wait_for()
    assert violations(page) == [] and not sticks_out(page)
    page.reload()
    begin(page, client, "person", clock="300+5")
    other.goto(page.locator(".address").input_value())
    page.locator(".clock.runs").wait_for()
    assert page.locator(".clock").count() == 2
    page.locator(".spot").first.click()
    other.locator(".turn.yours").wait_for()
    other.get_by_role("button", name="Offer a draw").click()
    page.get_by_role("button", name="Agree").wait_for()
    for shown in (page, other):
        assert violations(shown) == [] and not sticks_out(shown)
    page.get_by_role("button", name="Decline").click()
    other.locator(".stand", has_text="x declines the draw.").wait_for()
    assert "Who runs out of time has lost." in other.locator("section > .note").inner_text()


@pytest.mark.parametrize("name", ["TicTacToe", "CoinDilemma", "KuhnPoker", "WirePuzzle", "Sudoku", "VikiKitchen"])
def test_a_game_of_every_kind_is_shown_in_three_pictures(name: str) -> None:
    start, move, end = tour.pictures(registry.find(name).id)
    assert start["picture"] != end["picture"] and all(
        one["picture"].startswith("data:image/png") for one in (move, end)
    )
    for one, begins in ((start, "The start: "), (move, "A move: "), (end, "The end: ")):
        assert one["sentence"].startswith(begins) and one["sentence"].rstrip("”").endswith((".", "!", "?", "…"))
        assert "moves" not in move["sentence"], "the move has a name"


def test_nothing_is_drawn_before_somebody_looks(client: Client, new_page: Any) -> None:
    tour.pictures.cache_clear()
    page = new_page()
    page.goto(f"{client.url}#/new/TicTacToe")
    page.locator("#start").wait_for()
    assert tour.pictures.cache_info().currsize == 0
    page.locator("summary", has_text="three pictures").click()
    page.locator(".tour img").nth(2).wait_for()
    assert tour.pictures.cache_info().currsize == 1
    assert page.locator(".tour p").first.inner_text() == "The start: three in a row on nine cells."


@pytest.mark.parametrize("agents", [["person", "random"], []], ids=["at once", "after the form"])
def test_a_game_that_is_named_with_a_clock_has_it(tmp_path: Path, new_page: Any, agents: list[str]) -> None:
    begun = {"game": "mmgames/TicTacToe-v0", "agents": agents, "seed": 0, "options": {}, "clock": "300+5"}
    with serving(tmp_path, begin=begun) as client:
        page = new_page()
        page.goto(client.url)
        if not agents:
            page.locator("#start").click()
        page.locator(".clock").first.wait_for()
        assert "Clock: 300+5 seconds." in page.locator("section > .note").inner_text()
