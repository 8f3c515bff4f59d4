"""Every page that we make, in a real browser: axe-core finds nothing wrong, and nothing sticks out, on a desk in light
colours and on a telephone in dark ones."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mmgames import cli
from mmgames.running.matches import match
from tests.accessibility import sticks_out, violations
from tests.browser.conftest import DESK, PATIENT, TELEPHONE
from tests.play_server import serving as serving_play
from tests.test_viewer import Scripted
from tests.test_viewer import serving as serving_calls

LIGHT, DARK = {**DESK, "color_scheme": "light"}, {**TELEPHONE, "color_scheme": "dark"}


@pytest.fixture
def page(browser: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    """On a telephone, in dark colours, unless a test says otherwise."""
    context = browser.new_context(reduced_motion="reduce", **getattr(request, "param", DARK))
    context.set_default_timeout(PATIENT)
    yield context.new_page()
    context.close()


def check(page: Any) -> None:
    assert violations(page) == []
    assert not sticks_out(page)


@pytest.mark.parametrize("page", [LIGHT, DARK], ids=["desk", "telephone"], indirect=True)
def test_the_play_page_from_the_gallery_to_the_replay(page: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("mmgames.play.browser_game.GRACE", 0.0)
    with serving_play(tmp_path) as client:
        page.goto(client.url)
        page.locator(".games a").first.wait_for()
        check(page)
        page.goto(f"{client.url}#/new/KuhnPoker")
        page.locator("#seat-player_1").select_option("chat")
        check(page)
        page.locator("#seat-player_1").select_option("person")
        page.locator("#start").click()
        page.locator(".stand button").first.wait_for()
        check(page)
        other = page.context.new_page()  # who has been here, and goes
        other.goto(page.locator(".address").input_value())
        other.locator(".turn").wait_for()
        page.locator(".seats li", has_text="a person, not here").wait_for(state="detached")
        other.close()
        page.get_by_role("button", name="Let an agent play on").click()
        while page.locator(".end").count() == 0:
            page.locator(".moves button").first.click()
            page.locator(".turn.yours, .end").first.wait_for()
        page.get_by_role("button", name="Show everything").wait_for()
        check(page)
        page.get_by_role("link", name="Replay it").click()
        page.locator("[role=status]", has_text="Step 0 of").wait_for()
        check(page)
        page.get_by_role("link", name="All episodes of this file").click()
        page.locator("table").wait_for()
        check(page)


def test_a_game_that_has_not_come_yet(page: Any, tmp_path: Path) -> None:
    with serving_play(tmp_path) as client:
        page.route("**/events*", lambda route: None)  # nothing is heard of it
        page.goto(f"{client.url}#/new/KuhnPoker")
        page.locator("#start").click()
        page.get_by_text("Waiting for the game").wait_for()
        check(page)


def test_a_long_talk_is_reached_and_scrolled_with_keys(page: Any, tmp_path: Path) -> None:
    with serving_play(tmp_path) as client:
        page.goto(f"{client.url}#/new/WirePuzzle")
        page.locator("#start").click()
        page.locator("#said").fill("\n".join(["I see a wire."] * 40))
        page.get_by_role("button", name="Send", exact=True).click()
        talk = page.locator(".chat", has_text="I see a wire.")
        talk.wait_for()
        check(page)
        talk.evaluate("one => { one.scrollTop = 0; }")
        talk.focus()
        page.keyboard.press("ArrowDown")
        for _ in range(200):
            if talk.evaluate("one => one.scrollTop"):
                break
            page.wait_for_timeout(50)
        assert talk.evaluate("one => one.scrollTop") > 0


def test_the_pages_of_calls(page: Any, tmp_path: Path) -> None:
    match("mmgames/TicTacToe-v0", (Scripted(), "random"), 2, out=tmp_path / "run.jsonl", on_illegal="retry_random")
    with serving_calls(tmp_path) as viewer:
        page.goto(viewer.url)
        check(page)
        page.locator("table.calls tbody tr a").first.click()
        assert page.get_by_text("how it ended").is_visible()
        check(page)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Pages that commands write."""
    folder = tmp_path_factory.mktemp("pages")
    asked = ["--agent", "random", "--agent", "oracle", "--episodes", "1"]
    commands = (
        ["demo", "KuhnPoker", "WirePuzzle", "--out", str(folder / "demo")],
        ["eval", "vs-bench", *asked, "--only", "TicTacToe", "--out", str(folder / "run")],
        ["report", str(folder / "run"), "--out", str(folder / "report.html"), "--episodes", "1"],
        ["arena", "TicTacToe", *asked[:3], "minimax", "--games", "2", "--page", str(folder / "arena.html")],
    )
    for command in commands:
        assert cli.main(command) == 0
    return {"demo": folder / "demo" / "index.html", **{name: folder / f"{name}.html" for name in ("report", "arena")}}


@pytest.mark.parametrize(
    ("name", "page"),  # the report and the arena's page have one style
    [("demo", LIGHT), ("demo", DARK), ("report", DARK), ("arena", LIGHT)],
    indirect=["page"],
)
def test_the_pages_that_commands_write(page: Any, written: dict[str, Path], name: str) -> None:
    page.goto(written[name].as_uri())
    check(page)
