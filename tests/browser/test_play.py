"""Whole games played through the play page in a real browser, without a screen."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mmgames.core import registry
from mmgames.play import tour
from mmgames.running.replays import replay
from tests.accessibility import sticks_out, violations
from tests.browser.conftest import DESK, TELEPHONE
from tests.play_server import Client, serving


def begin(page: Any, client: Client, game: str, clock: str = "", **agents: str) -> Any:
    """The page, on which a new game begins."""
    page.goto(f"{client.url}#/new/{game}")
    for role, agent in agents.items():
        page.locator(f"#seat-{role}").select_option(agent)
    if clock:
        page.locator("form > details", has_text="Options").last.locator("summary").click()
        page.locator("#clock").fill(clock)
    page.locator("#start").click()
    return page


def press(page: Any, name: str) -> None:
    """What gives something away is asked for, and then meant."""
    page.get_by_role("button", name=name).click()
    page.locator("dialog button", has_text=name).click()


def turn_or_end(page: Any) -> bool:
    """Wait until the seat is to move (True) or the game is over (False)."""
    page.locator(".turn.yours, .end").first.wait_for()
    return page.locator(".end").count() == 0


@contextlib.contextmanager
def a_move(page: Any) -> Iterator[None]:
    """What is done meanwhile leads to another position."""
    before = page.locator(".board").get_attribute("data-number")
    yield
    page.locator(f'.board:not([data-number="{before}"])').wait_for()


def kept(client: Client) -> dict[str, Any]:
    """The only record there is, replayed."""
    (name,) = client.hosted.saved.files()
    (row,) = client.hosted.saved.rows(name)[1]
    assert row["failed"] is None and "unfinished" not in row
    assert len(list(replay(row))) == row["length"] + 1
    return row


def test_tic_tac_toe_is_played_by_clicking_in_the_picture(client: Client, new_page: Any) -> None:
    page = new_page()
    page.goto(client.url)
    page.locator(".games a", has_text="Tic Tac Toe").click()
    page.locator("#seat-o").select_option("minimax")
    page.locator("#start").click()
    page.locator(".spot").first.wait_for()
    page.locator("body:not(.resting)").wait_for()
    board = page.locator(".board").bounding_box()
    page.mouse.click(board["x"] + board["width"] * 0.55, board["y"] + board["height"] * 0.55)  # the middle cell
    clicked = 1
    page.locator(".spot").nth(6).wait_for()
    while turn_or_end(page):
        with a_move(page):
            page.locator(".spot").first.click()
        clicked += 1
    row = kept(client)
    assert row["actions"][0] == [4, None]
    assert sum(step[0] is not None for step in row["actions"]) == clicked
    assert f"{row['returns'][0]:g}" in page.locator(".end tr", has_text="x (you)").inner_text()


def test_coin_dilemma_is_played_with_arrow_keys_on_a_phone(client: Client, new_page: Any) -> None:
    page = begin(new_page(**TELEPHONE, has_touch=True), client, "CoinDilemma", blue="self_interest")
    keys = ("ArrowRight", "ArrowUp", "ArrowLeft", "ArrowDown")
    for step in range(50):
        page.locator(".turn.yours").wait_for()
        page.locator(".status", has_text=f"Step {step + 1} of 50").wait_for()
        assert step or page.evaluate("document.documentElement.scrollWidth") <= 390, "nothing sticks out"
        page.keyboard.press(keys[step % 4])
    assert not turn_or_end(page)
    row = kept(client)
    names = {"ArrowRight": 1, "ArrowUp": 3, "ArrowLeft": 2, "ArrowDown": 4}
    assert [step[0] for step in row["actions"]] == [names[keys[step % 4]] for step in range(50)]


def test_wire_puzzle_is_played_by_two_browsers_that_talk(client: Client, new_page: Any) -> None:
    solver, expert = new_page(), new_page()
    begin(solver, client, "WirePuzzle", expert="person")
    expert.goto(solver.locator(".address").input_value())
    expert.locator("h1", has_text="you are expert").wait_for()
    assert "The manual:" in expert.locator(".side details", has_text="Rules and manual").inner_text()
    assert "The manual:" not in solver.locator(".side").inner_text()

    solver.locator(".turn.yours").wait_for()
    assert expert.locator(".turn.yours").count() == 0
    nasty = "<img src=x onerror=\"document.title='run'\"> What <b>now</b>?"
    solver.locator("#said").fill(nasty)
    solver.locator("#said").press("Enter")
    heard = expert.locator(".chat li", has_text="What <b>now</b>?")
    heard.wait_for()
    assert nasty in heard.inner_text() and "Solver" in heard.inner_text()
    assert expert.locator(".chat img").count() == 0 and expert.title() != "run"

    solver.reload()
    solver.locator(".chat li.own", has_text="What <b>now</b>?").wait_for()
    expert.locator(".turn.yours").wait_for()
    expert.locator("#said").fill("I have no idea. Try them one after the other.")
    expert.get_by_role("button", name="Send").click()
    wire = 0
    while turn_or_end(solver):
        wire += 1
        solver.locator("#said").fill("As you say.")
        with a_move(solver):  # in the picture, then by a button
            solver.locator(".spot" if wire == 1 else ".moves button").nth(wire - 1).click()
        if turn_or_end(expert):
            expert.locator("#said").fill("Go on.")
            with a_move(expert), a_move(solver):
                expert.locator("#said").press("Enter")
    expert.locator(".end").wait_for()
    row = kept(client)
    assert row["agents"] == ["person", "person"]
    assert row["actions"][0] == [nasty, None] and row["actions"][2] == ["As you say.\ncut_wire_1", None]


def test_spy_is_played_with_clues_and_a_vote(client: Client, new_page: Any) -> None:
    page = begin(new_page(), client, "Spy")
    clues = 0
    while turn_or_end(page):
        with a_move(page):
            if page.locator(".moves button").count():
                page.locator(".moves button", has_text="N/A").click()
            else:
                clues += 1
                page.locator("#said").fill(f"I see something, number {clues}.")
                page.locator("#said").press("Enter")
    assert page.locator(".chat li.own").count() == clues > 0
    assert page.locator(".chat li:not(.own)").count() >= clues
    assert kept(client)["agents"][0] == "person"


def test_viki_kitchen_is_played_to_its_end_and_replayed(client: Client, new_page: Any) -> None:
    page = begin(new_page(), client, "VikiKitchen")
    while turn_or_end(page):
        with a_move(page):
            page.get_by_role("button", name="Wait", exact=True).click()
    row = kept(client)
    page.get_by_role("link", name="Replay it").click()
    scrub = page.locator(".scrub")
    scrub.wait_for()
    page.locator("[role=status]", has_text="Step 0 of").wait_for()
    assert page.locator("aside p", has_text="→ Wait").count() >= 1
    scrub.focus()
    page.keyboard.press("End")
    page.locator("[role=status]", has_text=f"Step {row['length']} of {row['length']}").wait_for()
    page.locator("aside", has_text="It is over.").wait_for()


def test_a_board_is_played_with_the_keyboard_alone(client: Client, new_page: Any) -> None:
    page = begin(new_page(), client, "TicTacToe")
    page.locator(".turn.yours").wait_for()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "Enter"):  # the first one takes the first cell
        page.keyboard.press(key)
    page.locator(".spot").nth(6).wait_for()
    page.locator("#said").fill("C3")
    page.keyboard.press("Enter")
    page.locator(".turn.yours, .end, #alert:not(:empty)").first.wait_for()
    press(page, "Leave the game")
    page.locator(".turn.over", has_text="x has left.").wait_for()
    (name,) = client.hosted.saved.files()
    (row,) = client.hosted.saved.rows(name)[1]
    assert row["actions"][0] == [4, None] and row["unfinished"]


def test_what_is_refused_is_told_on_the_page(client: Client, new_page: Any) -> None:
    page = new_page()
    page.goto(f"{client.url}#/game/nothing/nothing")
    page.locator("#alert", has_text="There is no such game").wait_for()
    begin(page, client, "TicTacToe")
    page.locator("#said").fill("the moon")
    page.keyboard.press("Enter")
    page.locator("#alert", has_text="That is no move").wait_for()
    assert page.locator(".spot").count() == 9, "and one can go on"
    page.goto(client.url.replace(client.token, "stale"))
    assert "stale" in page.locator("body").inner_text()


def test_the_focus_stays_and_who_types_goes_on_typing_looks_back_and_resigns(client: Client, new_page: Any) -> None:
    page = begin(new_page(), client, "TicTacToe", o="random")
    page.locator(".turn.yours").wait_for()
    page.locator(".spot").nth(4).focus()
    focused = "document.activeElement.className"
    while turn_or_end(page):
        page.wait_for_function(f"{focused}.includes('spot')")
        with a_move(page):
            page.keyboard.press("Enter")
    page.wait_for_function(f"{focused}.includes('turn')")
    assert page.locator(".turn.over").inner_text().endswith((": three in a row.", "the board is full."))
    page = begin(new_page(), client, "TicTacToe", o="random")
    page.locator(".turn.yours").wait_for()
    first = page.locator(".board img").get_attribute("src")
    page.locator("#said").focus()
    with a_move(page):
        page.keyboard.type("B2")
        page.keyboard.press("Enter")
    page.locator(".turn.yours").wait_for()
    assert page.evaluate("document.activeElement.id") == "said"
    page.get_by_label("look back").focus()
    page.keyboard.press("Home")
    page.locator(".board img[alt^='Position 1 of 3']").wait_for()
    assert page.locator(".board img").get_attribute("src") == first and page.locator(".spot").count() == 0
    page.keyboard.press("End")
    page.locator(".spot").first.wait_for()
    press(page, "Resign")
    page.locator(".turn.over", has_text="X has resigned.").wait_for()


def test_a_partner_who_closes_the_browser_is_missed_and_replaced(
    client: Client, new_page: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mmgames.play.browser_game.GRACE", 0.0)
    page, partner = new_page(), new_page()
    begin(page, client, "TicTacToe", o="person")
    partner.goto(page.locator(".address").input_value())
    page.locator(".seats li", has_text="o a person").wait_for()
    page.locator(".spot").first.click()
    page.locator(".turn", has_text="Waiting for o (a person)").wait_for()
    partner.locator(".turn.yours").wait_for()
    partner.context.close()
    page.locator(".stand", has_text="o is not here.").wait_for()
    with a_move(page):
        page.get_by_role("button", name="Let an agent play on for o").click()
    page.locator(".seats li", has_text="for a person who is away").wait_for()
    page.locator(".turn.yours").wait_for()


def test_one_browser_goes_from_hand_to_hand(client: Client, new_page: Any) -> None:
    page = begin(new_page(), client, "TicTacToe", o="person")
    for number, role in enumerate("xoxox"):
        page.locator("h1", has_text=f"you are {role}").wait_for()
        page.locator(".turn.yours").wait_for()
        page.locator(".spot").first.click()
        if number < 4:
            page.get_by_role("button", name=f"Play {'ox'[number % 2]} here").click()
    page.locator(".turn.over, .turn.yours, .stand button").first.wait_for()


def test_a_chat_model_is_asked_for_by_a_form(client: Client, new_page: Any) -> None:
    page = new_page()
    page.goto(f"{client.url}#/new/TicTacToe")
    page.locator("#seat-o").select_option("chat")
    assert "endpoint" in page.locator("#seat-o-does").inner_text()
    page.locator("#start").click()
    assert page.evaluate("document.activeElement.id") == "o-model", "the browser asks for what is missing"
    assert page.locator("#alert").inner_text() == ""
    page.locator("#seat-o").select_option("minimax")
    page.locator(".agent summary").click()
    page.locator("#o-depth").fill("2")
    page.locator("#start").click()
    page.locator(".turn.yours").wait_for()
    assert [game._agents for game in client.hosted._games.values()] == [["person", "minimax:depth=2"]]


def test_a_hidden_hand_is_shown_when_it_is_over(client: Client, new_page: Any) -> None:
    page = begin(new_page(), client, "KuhnPoker", player_1="random")
    while turn_or_end(page):
        with a_move(page):
            page.locator(".moves button").first.click()
    page.locator(".board img[alt^='All that was hidden']").wait_for()
    page.locator("summary", has_text="The position in words").click()
    words = page.locator("pre.told")
    assert "The card of Player 1" in words.inner_text() and "not known" not in words.inner_text()
    page.get_by_role("button", name="Show everything").click()
    page.locator(".board img[alt='What Player 0 saw']").wait_for()
    assert "Your card" in words.inner_text()


COUNTED = """
window.tones = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) { window.tones++; return start.apply(this, when); };
"""


def play_cell(page: Any, name: str, then: int) -> None:
    page.locator(f".spot[aria-label={name}]").click()
    page.locator("ol.course li").nth(then).wait_for()
    page.locator(".turn.yours").wait_for()


def test_moves_are_listed_jumped_to_and_taken_back_by_keys(client: Client, new_page: Any) -> None:
    page = begin(new_page(), client, "TicTacToe", o="minimax")
    page.locator(".turn.yours").wait_for()
    assert not page.locator("ol.course").is_visible(), "there is nothing to list yet"
    start = page.locator(".board img").get_attribute("src")
    play_cell(page, "A1", 2)
    assert page.locator("ol.course li").all_inner_texts() == ["Start", "1. X A1", "2. O B2"]
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press(",")
    page.locator(".board img[alt^='Position 2 of 3']").wait_for()
    assert page.locator("ol.course [aria-current]").inner_text() == "1. X A1" and page.locator(".spot").count() == 0
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
    press(page, "Offer a draw")
    page.locator(".turn.over", has_text="Draw: both have agreed to it.").wait_for()


def test_sounds_are_off_until_they_are_turned_on(client: Client, new_page: Any) -> None:
    page = begin(new_page(COUNTED), client, "TicTacToe", o="random")
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


@pytest.mark.parametrize("settings", [{**DESK, "color_scheme": "dark"}, {**TELEPHONE, "color_scheme": "light"}])
def test_the_new_parts_are_accessible(client: Client, new_page: Any, settings: dict[str, Any]) -> None:
    page, other = new_page(**settings), new_page(**settings)
    page.goto(f"{client.url}#/new/TicTacToe")
    page.locator("summary", has_text="three pictures").click()
    page.locator(".tour img").nth(2).wait_for()
    assert violations(page) == [] and not sticks_out(page)
    page.reload()
    begin(page, client, "TicTacToe", clock="300+5", o="person")
    other.goto(page.locator(".address").input_value())
    page.locator(".clock.runs").wait_for()
    assert page.locator(".clock").count() == 2
    page.locator(".spot").first.click()
    other.locator(".turn.yours").wait_for()
    press(other, "Offer a draw")
    page.get_by_role("button", name="Agree").wait_for()
    for shown in (page, other):
        assert violations(shown) == [] and not sticks_out(shown)
    page.get_by_role("button", name="Decline").click()
    other.locator(".stand", has_text="x declines the draw.").wait_for()
    assert "Who runs out of time has lost." in other.locator(".hands > .note").inner_text()


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
        assert "Clock: 300+5 seconds." in page.locator(".hands > .note").inner_text()
