"""A report and the viewer of calls, opened and clicked through in a real browser, without a screen."""

from pathlib import Path
from typing import Any

import pytest

from mmgames import cli, suites
from mmgames.running.matches import match
from tests.accessibility import sticks_out
from tests.players import Says
from tests.test_viewer import NASTY as NASTY_REPLY
from tests.test_viewer import Scripted, serving

NASTY = "<script>document.title = 'run'</script><img src=x onerror=\"document.title = 'run'\">\nAction: <STAY>"
WIDE = {"width": 1280, "height": 900}


def talker() -> Says:
    """Answers everything with markup around a move."""
    about = {"model": "talker", "sampling": {"temperature": 0.0}}
    return Says(NASTY, name="talker", about=about, observe=("rgb", "text"))


def shown(browser: Any, runs: Path, **size: int) -> Any:
    """The page of a report, and a list of all that went wrong on it."""
    out = runs.with_suffix(".html")
    assert cli.main(["report", str(runs), "--out", str(out), "--episodes", "1"]) == 0
    page = browser.new_page(viewport={**WIDE, **size})
    page.wrong = []
    page.on("pageerror", lambda error: page.wrong.append(str(error)))
    page.on("request", lambda request: request.url[:5] in ("file:", "data:") or page.wrong.append(request.url))
    page.goto(out.as_uri())
    return page


def shows(picture: Any, width: int = 100) -> bool:
    """Whether a picture that has come into sight is shown; it is loaded then and not before."""
    picture.scroll_into_view_if_needed()
    return bool(picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > width)


def test_every_turn_of_a_game_can_be_reached_by_clicking(browser: Any, tmp_path: Path) -> None:
    runs = tmp_path / "run"
    suite, only = suites.find("vs-bench"), ["CoinDilemma", "MonsterHunt", "KuhnPoker"]
    for agent in (talker(), "oracle"):
        suite.evaluate(agent, 1, only=only, out=runs)
    page = shown(browser, runs)
    table = page.locator("table").nth(2)  # two tables of facts are folded away above it
    first, *games, last = table.locator("thead th").all_inner_texts()
    assert (first, last) == ("agent", "overall, normalised") and sorted(games) == sorted(only)
    grey, ours = table.locator("tr.published td").first, table.locator("tr.ours td").first
    assert grey.evaluate("cell => getComputedStyle(cell).color") != ours.evaluate(
        "cell => getComputedStyle(cell).color"
    )
    assert page.locator("svg").count() == 2

    facts = page.locator("details", has_text="talker").first
    assert not facts.locator("td", has_text="0.0").first.is_visible()
    facts.locator("summary").first.click()
    assert facts.get_by_text("agent sampling temperature").is_visible()
    assert facts.get_by_text("prompts of mmgames/CoinDilemma-v0").is_visible()

    coins = page.locator("details.file", has_text="CoinDilemma").filter(has_text="talker")
    turn = coins.locator(".turn").first
    assert not turn.is_visible() and not turn.locator("img").evaluate("image => image.complete"), "not yet looked at"
    coins.locator("summary").first.click()
    coins.locator("details > summary", has_text="Episode 0").click()
    assert turn.is_visible() and turn.locator("pre.reply").inner_text() == NASTY
    assert shows(turn.locator("img"))
    assert "<STAY>" in turn.inner_text() and "reward" in turn.inner_text()
    prompt = turn.locator("details pre")
    assert not prompt.is_visible()
    turn.locator("details summary").click()
    assert prompt.is_visible() and "## Rules" in prompt.inner_text()
    turn.locator("details summary").click()
    assert not prompt.is_visible(), "it folds up again"

    poker = page.locator("details.file", has_text="KuhnPoker")
    poker.locator("summary").first.click()
    poker.locator("details > summary", has_text="View 0").click()
    assert poker.locator("pre.refused").first.is_visible() and "refused:" in poker.inner_text()
    assert page.wrong == [] and page.title() == suite.title, "nothing ran and nothing was loaded"
    assert not sticks_out(page)
    page.close()


def test_questions_are_opened_with_picture_reply_and_answer(browser: Any, tmp_path: Path) -> None:
    runs = tmp_path / "run"
    suites.find("lvlm-playground").evaluate(talker(), 1, only=["TicTacToe-Rule", "Chess-Perceive"], out=runs)
    page = shown(browser, runs, width=390)
    for file in page.locator("details.file").all():
        file.locator("summary").first.click()
        file.locator("details > summary", has_text="Question 0").click()
        assert shows(file.locator("img").first)
        assert file.locator("pre.reply").first.is_visible() and file.get_by_text("Right:").is_visible()
    assert page.wrong == []
    assert not sticks_out(page), "it fits a telephone too"
    page.close()


@pytest.mark.parametrize("name", ["comma", "viki", "vision-zero"])
def test_the_other_suites_have_pages_that_open(name: str, browser: Any, tmp_path: Path) -> None:
    only = {"comma": ["WirePuzzle"], "viki": ["VikiKitchen-Plan", "VikiTrajectory"], "vision-zero": []}[name]
    suites.find(name).evaluate("random", 1, only=only, out=tmp_path / "run")
    page = shown(browser, tmp_path / "run")
    file = page.locator("details.file").first
    file.locator("summary").first.click()
    file.locator("details > summary").first.click()
    assert shows(file.locator("img").first, 50)
    assert page.wrong == [] and page.locator(".wide").first.locator("tr.ours").count() == 1
    page.close()


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
        assert not sticks_out(page)
        rows.first.locator("a").click()
        assert page.locator("pre.reply").inner_text() == NASTY_REPLY
        picture = page.locator(".message img").last
        picture.scroll_into_view_if_needed()
        assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") == 64
        assert page.get_by_text("its fingerprint is that of what was sent").is_visible()
        assert page.get_by_text("refused, not in the asked form").is_visible()
        assert not sticks_out(page)
        page.get_by_role("link", name="back to the list").click()
        assert page.get_by_label("refused or failed only").is_checked(), "the search is still there"
        assert wrong == [] and page.title() == "Calls"
        page.close()
