"""Leaderboards: results of many runs on one page, ranked where they can be, chosen by what agents saw and were read."""

import json
import re
import runpy
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mmgames import suites
from mmgames.cli import main
from mmgames.errors import MissingExtra
from mmgames.suites.pages import leaderboard, report
from mmgames.suites.results import standings
from tests.players import Says


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs of one suite in two readings, and of another one."""
    home = tmp_path_factory.mktemp("runs")
    writer = Says("Action: <PASS>", name="<b>writer</b>", about={"model": "writer", "observe": ["text"]})
    for agent in ("random", writer):
        suites.find("vs-bench").evaluate(agent, 2, only=["KuhnPoker", "TicTacToe-Recognise"], out=home / "a")
    suites.find("comma").evaluate("oracle", 2, only=["WirePuzzle"], out=home / "b" / "deep")
    return home


@pytest.fixture
def made(runs: Path, tmp_path: Path) -> Callable[..., Path]:
    """Writes a file like that of the random agent with something changed."""
    like = json.loads((runs / "a" / "vs-bench-random.result.json").read_text("utf-8"))

    def write(name: str, change: Callable[[dict[str, Any]], object] = lambda result: None, **facts: Any) -> Path:
        result = {**json.loads(json.dumps(like)), "agent": name, **facts}
        change(result)
        path = tmp_path / "files" / f"{name}.result.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(result), "utf-8")
        return path

    return write


def test_a_leaderboard_has_every_suite_and_leads_to_episodes(runs: Path, tmp_path: Path, capsys: Any) -> None:
    assert main(["leaderboard", str(runs), "--out", str(tmp_path / "board")]) == 0
    text = (tmp_path / "board" / "index.html").read_text("utf-8")
    assert '<section id="vs-bench"' in text and '<section id="comma"' in text
    assert "<b>writer" not in text and "&lt;b&gt;writer" in text
    assert "<script" not in text and "default-src 'none'" in text
    for page in (linked := set(re.findall(r'href="(?!#)([^"]+)"', text))):
        assert 'class="turn"' in (tmp_path / "board" / page).read_text("utf-8")
    assert len(linked) == 2 and not re.search(r'src="|url\(', text)
    (tmp_path / "empty").mkdir()
    capsys.readouterr()
    assert main(["leaderboard", str(tmp_path / "empty"), "--out", str(tmp_path / "none")]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "There is no result to show." in said and "holds no results" in said
    assert not (tmp_path / "none").exists()


def test_what_an_agent_saw_how_it_was_read_and_what_is_exact_is_known(runs: Path, made: Callable[..., Path]) -> None:
    found, told = standings.gather([runs, runs / "a"])
    by_agent = {one.agent: one for one in found}
    assert told == [] and len(found) == 3, "a file that is named twice is there once"
    writer, random = by_agent["<b>writer</b>"], by_agent["random"]
    assert (writer.seen, writer.readings) == ("words alone", ("paragraph",))
    assert (random.seen, random.readings) == (standings.POSITION, ("paragraph", "released"))
    said = {"header": {"prompts": {}, "agents": [{"person": True, "observe": "('rgb', 'text')"}, None]}}
    assert standings.seen_by(said) == "picture and words"

    def one_value(result: dict[str, Any]) -> None:
        result["rows"] = [row for row in result["rows"] if row["environment"] == "mmgames/KuhnPoker-v0"]
        result["rows"][0] |= {"episodes": 1, "interval": None, "standard_error": None}

    exact, chance = (standings.read(made(f"of {asked}", one_value, episodes=asked)) for asked in (100, 1))
    mean = exact.means["decision making"]
    assert mean.interval == (mean.score, mean.score) and chance.means["decision making"].interval is None


def test_the_best_come_first_and_a_part_of_the_rows_has_no_place(made: Any, runs: Path, tmp_path: Path) -> None:
    def every_recognised(score: float) -> Callable[[dict[str, Any]], None]:
        def change(result: dict[str, Any]) -> None:
            row = next(one for one in result["rows"] if "Recognise" in one["environment"])
            names = [entry.id for entry in suites.find("vs-bench").every if "Recognise" in entry.id]
            figures = {"raw": score, "normalised": score, "interval": [score - 3, score + 4]}
            result["rows"] = [{**row, "environment": name, **figures} for name in names]

        return change

    part = made("part", lambda result: [row.update(normalised=99.0) for row in result["rows"]])
    files = [made(name, every_recognised(score)) for name, score in (("low", 20.0), ("high", 70.0))]
    found, told = standings.gather([*files, part])
    assert told == []
    order = standings.ranked(found, "perception")
    assert [(one.agent, one.means["perception"].whole) for one in order] == [
        ("high", True), ("low", True), ("part", False),
    ]  # fmt: skip
    mean = order[0].means["perception"]
    assert mean.score == pytest.approx(70.0) and mean.rows == mean.of == 10
    assert mean.interval == pytest.approx((70 - 3 / 10**0.5, 70 + 4 / 10**0.5)), "of ten rows that are independent"
    suites.find("vs-bench").evaluate("random", 2, edition=2, only=["Particles-Recognise"], out=tmp_path / "second")
    found, told = standings.gather([runs, tmp_path / "second"])
    text = leaderboard.page(found, told, {})
    assert not told and len(found) == 4
    first, second = (text.index(f'<section id="vs-bench{more}"') for more in ("", "-second-edition"))
    assert text.index("Particles", second) > second > text.index("KuhnPoker", first)


def test_what_cannot_be_shown_is_named_in_a_sentence(made: Callable[..., Path], tmp_path: Path, capsys: Any) -> None:
    good = made("good")
    rows = "its rows are not those of a result"
    made("half").write_text('{"suite": ', "utf-8")
    made("list").write_text("[1]", "utf-8")
    made("elsewhere", suite="acme")
    made("odd", rows=[3])
    made("nan", lambda result: result["rows"][0].update(normalised=float("nan")))
    made("later", lambda result: result["rows"][0].update(environment="mmgames/Later-v0"))
    made("reading", lambda result: result["header"].update(prompts={}), reading="<i>between the lines</i>")
    bad = {"half": "cannot be read as a result", "list": "it is no result of an evaluation", "odd": rows, "nan": rows}
    bad |= {"elsewhere": "Unknown suite 'acme'", "later": "has no entry mmgames/Later-v0", "reading": rows}
    out = tmp_path / "board"
    assert main(["leaderboard", str(good.parent), str(tmp_path / "nowhere"), "--out", str(out)]) == 0
    said = capsys.readouterr().err.splitlines()
    text = (out / "index.html").read_text("utf-8")
    assert len(said) == len(bad) + 1 == text.count("Left out: ")
    for name, reason in bad.items():
        (line,) = [line for line in said if f"{name}.result.json" in line]
        assert reason in line
    assert "good" in text and "<i>between" not in text and ">not kept<" in text


def test_what_cannot_be_read_costs_its_page(
    made: Any, tmp_path: Path, capsys: Any, runs: Path, monkeypatch: Any
) -> None:
    file = made("random")
    (file.parent / "odd.jsonl").write_text('{"about": {"match": 3}}\n{"episode": 0}\n', "utf-8")
    assert main(["leaderboard", str(file), "--out", str(tmp_path / "board")]) == 0
    assert "Left out: the episodes in" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "board").iterdir()] == ["index.html"]

    def missing(*args: Any) -> str:
        raise MissingExtra("mmgames/Chess-v0 needs a package that is not installed.")

    monkeypatch.setattr(report, "page", missing)
    assert main(["leaderboard", str(runs / "a"), "--out", str(tmp_path / "other")]) == 0
    assert "mmgames/Chess-v0 needs a package" in capsys.readouterr().err
    assert (tmp_path / "other" / "index.html").exists()


def test_runs_that_are_kept_are_small_and_say_the_same(runs: Path, tmp_path: Path) -> None:
    keep = runpy.run_path(str(Path(__file__).parents[1] / "docs" / "keep_runs.py"))["main"]
    assert keep([str(runs / "a"), "--out", str(tmp_path / "kept")]) == 0
    (before, _), (after, told) = standings.gather([runs / "a"]), standings.gather([tmp_path / "kept"])
    assert told == [] and [one.means for one in after] == [one.means for one in before]
    assert not any("values" in row for one in after for row in one.result["rows"])
    for path in (files := list((tmp_path / "kept" / "a").glob("*.jsonl"))):
        assert len(path.read_text("utf-8").splitlines()) == 2, "what it is about, and an episode"
    assert files
    copy = tmp_path / "a"
    shutil.copytree(runs / "a", copy)
    file = copy / "vs-bench-random.result.json"
    file.write_text(json.dumps({**json.loads(file.read_text("utf-8")), "sealed": "k1"}), "utf-8")
    assert main(["leaderboard", str(copy), "--out", str(tmp_path / "board")]) == 0
    text = (tmp_path / "board" / "index.html").read_text("utf-8")
    assert ">sealed<" in text and "sealed with key k1" in text and "not kept" in text, "one page would show both"
    assert [path.name for path in (tmp_path / "board").iterdir()] == ["index.html"]


def test_in_a_browser_rows_are_chosen_by_what_agents_saw(browser: Any, runs: Path, tmp_path: Path) -> None:
    from tests.accessibility import sticks_out, violations

    assert main(["leaderboard", str(runs / "a"), "--out", str(tmp_path / "board")]) == 0
    context = browser.new_context(viewport={"width": 390, "height": 800}, color_scheme="dark")
    page = context.new_page()
    page.goto((tmp_path / "board" / "index.html").as_uri())

    def shown() -> set[str]:
        return {name.strip() for name in page.locator("section tbody tr:visible td:first-child").all_inner_texts()}

    assert shown() == {"random", "<b>writer</b>"}
    page.get_by_label("words alone").check()
    assert shown() == {"<b>writer</b>"}
    page.get_by_label("released").check()
    assert shown() == set(), "it was read by the paragraph"
    page.get_by_role("group", name="What agents see").get_by_label("all").check()
    assert shown() == {"random"}, "nothing of it has to be read"
    assert violations(page) == [] and not sticks_out(page)
    page.get_by_role("link", name="Episodes of random").first.click()
    assert page.locator("h1").inner_text() == "VS-Bench"
    context.close()
