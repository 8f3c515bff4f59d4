"""Two people in real browsers, without a screen: a study from the invitation to the thanks. Its pages pass axe-core."""

from pathlib import Path
from typing import Any

from mmgames.running import records
from mmgames.text.plain import ORDINALS
from tests.accessibility import sticks_out, violations
from tests.browser.conftest import DESK, PATIENT, TELEPHONE
from tests.study_server import serving_study, study
from tests.test_studies import right_wire

SIZES = ({**DESK, "color_scheme": "light"}, {**TELEPHONE, "color_scheme": "dark"})


def check(page: Any) -> None:
    assert violations(page) == [] and not sticks_out(page)


def press(page: Any, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def heading(page: Any, name: str) -> None:
    page.get_by_role("heading", name=name).wait_for()
    check(page)


def test_two_browsers_from_the_invitation_to_the_thanks(browser: Any, tmp_path: Path) -> None:
    with serving_study(tmp_path, study("browser"), elsewhere=True) as visitor:
        contexts = [browser.new_context(reduced_motion="reduce", **size) for size in SIZES]
        pages = [context.new_page() for context in contexts]
        wrong: list[str] = []
        for page in pages:
            page.set_default_timeout(PATIENT)
            page.on("pageerror", lambda error: wrong.append(str(error)))
            page.goto(visitor.client.url)
            heading(page, "Before you begin")
            press(page, "I agree and take part")
            heading(page, "How it goes")
            press(page, "Go on")
            heading(page, "A few questions first")
            press(page, "Send and go on")
            page.get_by_role("alert").get_by_text("has no answer yet").wait_for()
            page.get_by_label("5", exact=True).check()
            press(page, "Send and go on")
        solver, expert = pages
        for page in pages:
            heading(page, "Next: WirePuzzle")
            page.reload()
            press(page, "I am ready")
        solver.get_by_text("left for this turn").wait_for()
        solver.locator("#said").fill("What shall I cut?")
        press(solver, "Send")
        expert.locator(".turn.yours").wait_for()
        check(expert)
        expert.locator("#said").fill("Look closely.")
        press(expert, "Send")
        solver.locator(".turn.yours").wait_for()
        wire = ORDINALS[int(right_wire(0).rpartition("_")[2]) - 1]
        press(solver.locator(".moves"), f"Cut the {wire} wire")
        for page in pages:
            page.get_by_role("button", name="Go on").wait_for()
            check(page)
            assert not page.get_by_role("link", name="All games").is_visible()
            press(page, "Go on")
            press(page, "I am ready")
            heading(page, "Question")
            page.locator("#reply").fill("A1")
            press(page, "Send")
            page.get_by_role("heading", name="A few questions at the end").wait_for()
            press(page, "Send and go on")
            heading(page, "Thank you")
        watching = contexts[1].new_page()
        watching.goto(visitor.dashboard)
        watching.get_by_text("2 have come, 2 are done, 0 have gone.").wait_for()
        check(watching)
        for context in contexts:
            context.close()
        assert wrong == []
    (row,) = records.read(tmp_path / "out" / "records" / "1-WirePuzzle-person-person.jsonl")[1]
    assert row["events"]["solved"] and row["events"]["turns"] == 2
