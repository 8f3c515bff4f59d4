"""First screens of games in a real browser: all that is needed is in sight, and a double click hurts nobody.

CLICKS says how many double clicks there are in each game. SCREENS names a folder for pictures of all first screens.
"""

import os
import random
from pathlib import Path
from typing import Any

import pytest

import mmgames
from mmgames.testing import left_out
from tests.browser.test_play import begin, turn_or_end
from tests.play_server import Client

PLAYABLE = sorted(mmgames.specs[id].name for id in mmgames.specs.keys() - left_out(mmgames.specs.values()))
LOOKED_AT = PLAYABLE if "SCREENS" in os.environ else ["Chess", "Hanabi", "KuhnPoker", "WirePuzzle", "Gomoku", "Spy"]
PRESSED = "window.pressed = []; addEventListener('pointerdown', event => pressed.push(event.timeStamp), true);"
SIZES = ({"width": 1280, "height": 800}, {"width": 390, "height": 844})


@pytest.mark.parametrize("game", PLAYABLE if "CLICKS" in os.environ else ["TicTacToe"])
def test_double_clicks_make_one_move_each_and_end_nothing(client: Client, new_page: Any, game: str) -> None:
    page, rng, asked = new_page(PRESSED, viewport=SIZES[0]), random.Random(game), list[str]()
    page.on("request", lambda one: asked.append(one.url.rpartition("/")[2]) if one.method == "POST" else None)
    for click in range(int(os.environ.get("CLICKS", "6"))):
        if not click or not turn_or_end(page):
            begin(page, client, game)
            turn_or_end(page)
        page.locator("body:not(.resting)").wait_for()
        asked.clear()
        costly = click % 3 == 2
        if not costly and page.locator(".moves button").count() == 0:
            page.locator("#said").fill("I see something.")
        where = ".head .row button" if costly else ".spot, .moves button, .moves:empty ~ .field form button"
        target = rng.choice(page.locator(f":is({where}):visible").all())
        target.scroll_into_view_if_needed()
        box = target.bounding_box()
        for _ in range(2):
            page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            page.wait_for_timeout(rng.uniform(20, 250))
        apart = page.evaluate("pressed.at(-1) - pressed.at(-2)")  # a busy machine may take longer than was meant
        if costly:
            page.locator("dialog button", has_text="Go on playing").click()
        page.wait_for_timeout(300)
        assert set(asked) <= {"move"} and not (costly and asked), "it is asked for first"
        assert len(asked) <= 1 or apart > 450, f"two moves by clicks {apart:.0f} ms apart"


@pytest.mark.parametrize("game", LOOKED_AT)
@pytest.mark.parametrize("size", SIZES)
def test_board_moves_and_field_are_in_sight_together(
    client: Client, new_page: Any, game: str, size: dict[str, int]
) -> None:
    page = begin(new_page(viewport=size), client, game)
    page.locator(".turn.yours").wait_for()
    for part in (".goal", ".board", ".moves", "#said"):
        if part == ".moves" and not page.locator(".moves button").count():
            continue  # a clue is typed
        box = page.locator(part).bounding_box()
        assert box["height"] > 0 and box["y"] >= 0 and box["y"] + box["height"] <= size["height"], part
    for scheme in ("light", "dark") if "SCREENS" in os.environ else ():
        page.emulate_media(color_scheme=scheme)
        page.screenshot(path=Path(os.environ["SCREENS"], f"{game}-{size['width']}-{scheme}.png"))
