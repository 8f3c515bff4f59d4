"""Whole games of two browsers on two machines, over HTTPS, with cables that are pulled: `make test-browser`."""

import contextlib
import os
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from mmgames.play import listening
from mmgames.running.replays import replay
from tests import programs
from tests.accessibility import sticks_out, violations
from tests.network.machines import SERVER, Machine, machines
from tests.room_server import Guest, Host, certificate, serving

PATIENT = 60_000  # a busy machine is not a defect

pytestmark = [
    pytest.mark.skipif(not os.environ.get("ROOMS"), reason="`make test-browser` asks for it"),
    pytest.mark.program("browser"),
    pytest.mark.program("ip"),
    pytest.mark.program("openssl"),
]


class Desk(NamedTuple):
    machine: Machine
    page: Any


class Network(NamedTuple):
    host: Host
    machines: list[Machine]
    browsers: list[Any]


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Network]:
    playwright = pytest.importorskip("playwright.sync_api")
    folder = tmp_path_factory.mktemp("network")
    command = programs.path_of("browser")
    assert command
    trusted, key = certificate(folder, f"IP:{SERVER}")
    with machines(2) as made:
        place = listening.listening(SERVER, certificate=trusted, key=key)
        with serving(folder / "records", place) as host, playwright.sync_playwright() as engine:
            browsers = [
                engine.chromium.launch(executable_path=one.browser(folder, command), args=["--no-sandbox"])
                for one in made
            ]
            yield Network(host, made, browsers)
            for browser in browsers:
                browser.close()


@pytest.fixture
def desks(network: Network) -> Iterator[list[Desk]]:
    """A fresh profile of the browser on each machine; nothing may go wrong in it or be loaded elsewhere."""
    with contextlib.ExitStack() as stack:
        wrong: list[str] = []
        pages = [_page(browser, network.host.server.url, wrong, stack) for browser in network.browsers]
        yield [Desk(machine, page) for machine, page in zip(network.machines, pages, strict=True)]
    assert wrong == []


def _page(browser: Any, url: str, wrong: list[str], stack: contextlib.ExitStack) -> Any:
    context = browser.new_context(reduced_motion="reduce", ignore_https_errors=True)
    stack.callback(context.close)
    context.set_default_timeout(PATIENT)
    page = context.new_page()
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: request.url.startswith((url, "data:")) or wrong.append(request.url))
    return page


def sit(page: Any, guest: Guest) -> None:
    page.goto(guest.server.invitation(guest.key))
    page.locator(".seats li").first.wait_for()


def my_turn(page: Any) -> bool:
    """Wait until the seat is to move (True) or the game is over (False)."""
    page.locator(".turn.yours, .end").first.wait_for()
    return page.locator(".end").count() == 0


def click(page: Any) -> None:
    before = page.locator(".board").get_attribute("data-number")
    page.locator(".spot").first.click()
    page.locator(f'.board:not([data-number="{before}"])').wait_for()


def press(page: Any, last: bool = False) -> None:
    """Make the first or last of the moves that are named."""
    before = page.locator(".board").get_attribute("data-number")
    moves = page.locator(".moves button")
    (moves.last if last else moves.first).click()
    page.locator(f'.board:not([data-number="{before}"])').wait_for()


def play_to_the_end(pages: list[Any]) -> None:
    for number in range(9):
        page = pages[number % 2]
        if not my_turn(page):
            break
        click(page)
    for page in pages:
        page.locator(".end").wait_for()


def rows(network: Network, game: str) -> list[dict[str, Any]]:
    """The records of a game, each of which replays."""
    saved = network.host.server.rooms.games.saved
    found = [row for name in saved.files() if name.startswith(game) for row in saved.rows(name)[1]]
    assert all(len(list(replay(row))) == row["length"] + 1 for row in found)
    return found


def test_two_machines_play_one_game_after_the_other_while_somebody_looks_on(network: Network, desks: Any) -> None:
    room = network.host.open("TicTacToe", "person", "person")
    pages = [desk.page for desk in desks]
    watching = pages[1].context.new_page()
    sit(pages[0], room["x"])
    sit(pages[1], room["o"])
    sit(watching, room["spectator"])
    assert "you look on" in watching.locator("h1").inner_text()
    watching.locator('.board[data-number="1"] img').wait_for()
    assert watching.locator(".spot, .moves button, #said").count() == 0
    assert violations(watching) == []
    pages[0].locator(".seats", has_text="1 looking on").wait_for()
    play_to_the_end(pages)
    watching.locator(".end").wait_for()
    assert pages[0].locator("nav").is_hidden() and pages[0].locator("main a").count() == 0
    time.sleep(1.0)
    pages[1].get_by_role("button", name="Play again").click()
    for page in (*pages, watching):
        page.locator('.board[data-number="1"]').wait_for()
    play_to_the_end(pages)
    watching.locator(".end").wait_for()
    played = rows(network, "TicTacToe")
    assert len(played) == 2 and all(row["failed"] is None and "unfinished" not in row for row in played)


def test_a_cable_is_pulled_and_plugged_in_again_and_no_move_is_lost(network: Network, desks: Any) -> None:
    room = network.host.open("Breakthrough", "person", "person")
    (one, x), (_, o) = desks
    first, second = [role for role in room if role != "spectator"]
    sit(x, room[first])
    sit(o, room[second])
    for page in (x, o):
        assert my_turn(page)
        press(page)
    assert my_turn(x)
    one.plug(False)
    x.locator(".moves button").first.click()  # it cannot arrive now
    o.locator(".stand", has_text=f"{first} is not here").wait_for()
    assert network.host.server.rooms.listed()[-1]["seats"][0]["here"] is False
    one.plug(True)
    o.locator(".turn.yours").wait_for()
    o.locator(".seats .gone").wait_for(state="detached")
    assert o.locator(".board").get_attribute("data-number") == "4", "the click has arrived, once"
    for number in range(200):
        page = (o, x)[number % 2]
        if not my_turn(page):
            break
        press(page, last=True)
    for page in (x, o):
        page.locator(".end").wait_for()
    (row,) = rows(network, "Breakthrough")
    assert row["failed"] is None and "unfinished" not in row


def test_a_talk_between_machines_hides_the_manual_from_spectators(network: Network, desks: Any) -> None:
    room = network.host.open("WirePuzzle", "person", "person")
    solver, expert = (desk.page for desk in desks)
    watching = expert.context.new_page()
    sit(solver, room["solver"])
    sit(expert, room["expert"])
    sit(watching, room["spectator"])
    while my_turn(solver):
        solver.locator("#said").fill("I see wires; the first one, then?")
        before = solver.locator(".board").get_attribute("data-number")
        solver.locator(".moves button").first.click()
        solver.locator(f'.board:not([data-number="{before}"])').wait_for()
        shown = watching.locator(".board img").count()
        assert not shown or watching.locator(".end").count(), "nothing of what one of them sees"
        assert "The manual:" not in watching.locator(".side").inner_text()
        if not my_turn(expert):
            break
        expert.locator("#said").fill("Try the next one.")
        expert.locator("#said").press("Enter")
        expert.locator(".turn.yours").wait_for(state="detached")
    for page in (solver, expert, watching):
        page.locator(".end").wait_for()
    watching.locator(".board img").wait_for()
    (row,) = rows(network, "WirePuzzle")
    assert row["failed"] is None and row["agents"] == ["person", "person"]


def test_the_host_opens_rooms_on_the_page_and_invites_to_them(network: Network, desks: Any) -> None:
    teacher, pupil = (desk.page for desk in desks)
    host = network.host
    teacher.goto(f"{host.server.url}#/host/{host.key}")
    teacher.get_by_role("link", name="Games", exact=True).click()
    teacher.locator(".games a", has_text="Tic Tac Toe").click()
    teacher.locator("#seat-o").select_option("random")
    teacher.locator("#count").fill("2")
    teacher.locator("#start").click()
    teacher.locator(".room h2", has_text="Tic Tac Toe").first.wait_for()
    for width in (1280, 390):
        teacher.set_viewport_size({"width": width, "height": 800})
        assert violations(teacher) == [] and not sticks_out(teacher)
    last = teacher.locator(".room").last
    address = last.get_by_label(", X", exact=False).first.input_value()
    pupil.goto(address)
    assert my_turn(pupil)
    last.get_by_text("X, here").wait_for()
    last.get_by_role("button", name="Another address for", exact=False).first.click()
    teacher.get_by_role("button", name="Make another one").click()
    pupil.locator("#alert", has_text="by invitation").wait_for()
    pupil.goto("about:blank")
    last.get_by_role("button", name="Close room", exact=False).click()
    teacher.get_by_role("button", name="Close it").click()
    pupil.goto(address)
    pupil.locator("#alert", has_text="by invitation").wait_for()
