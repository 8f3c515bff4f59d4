"""Reports, comparisons, pages in a paper's layout, and a person in a model's place."""

import html.parser
import json
import re
from pathlib import Path
from typing import Any

import pytest

from mmgames import cli, suites
from mmgames.errors import MmgamesError
from mmgames.suites.pages import charts, html_tables, layout, tables
from mmgames.suites.pages.layout import Cell, Comparison, PaperTable, TableRow
from mmgames.suites.papers import published
from mmgames.suites.results import result_files
from mmgames.suites.results.comparison import compare
from mmgames.text.tables import text_table
from tests.players import Says
from tests.refusing import refused

NASTY = "<script>alert(1)</script><img src=x onerror=alert(1)>"


def nasty() -> Says:
    return Says(NASTY, name=f"model {NASTY}", about=NASTY, observe=("rgb", "text"), size=64)


class Page(html.parser.HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "img", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_a_report_shows_the_table_the_plots_and_every_turn_and_runs_nothing(tmp_path: Path) -> None:
    suite, only = suites.find("vs-bench"), ["CoinDilemma", "MonsterHunt", "KuhnPoker"]
    for agent, episodes in (("random", 2), (nasty(), 1)):
        suite.evaluate(agent, episodes, only=only, out=tmp_path / "run")
    assert cli.main(["report", str(tmp_path / "run"), "--out", str(tmp_path / "page.html"), "--episodes", "1"]) == 0
    text = (tmp_path / "page.html").read_text()
    page = Page(text)
    assert page.open == [], "every tag is closed"
    names = [tag for tag, _ in page.tags]
    assert "script" not in names and names.count("svg") == 2
    for tag, attributes in page.tags:
        assert not any(name.startswith("on") for name in attributes)
        if tag == "img":
            assert (attributes["src"] or "").startswith("data:image/png;base64,")
    assert "http" not in text.replace("http-equiv", ""), "nothing is loaded from elsewhere"
    said = "".join(page.words)
    assert NASTY in said and "random (published)" in said and "100.0 % illegal" in said
    assert "1. red" in said and "## Now" in said and "reward" in said


def test_published_models_stand_beside_ours_with_their_bars(tmp_path: Path) -> None:
    suites.find("vs-bench").evaluate("random", 2, only=["KuhnPoker-Predict"], out=tmp_path)
    assert cli.main(["report", str(tmp_path), "--out", str(tmp_path / "page.html")]) == 0
    beside = (tmp_path / "page.html").read_text().partition("Beside the published models")[2].partition("<h2>")[0]
    row = next(line for line in beside.splitlines() if '<tr class="published"><td>gpt-4.1</td>' in line)
    assert "54.0" in row and row.count('<i class="bar">') == 9
    assert "Table 1" in beside and "Table 3" not in beside, "a table without anything of ours is left out"
    table = published.tables("vs_bench")["Table 2"]
    assert table.row("o4-mini").cells["Hanabi"] == Cell(42.9, 30.5)
    assert table.row("o4-mini").published and table.value("Random", "Overall") == 0.0
    refused(lambda: table.row("o4-mimi"), "o4-mini")


def test_a_score_below_zero_is_a_bar_that_goes_left_of_the_line_at_zero() -> None:
    def rects(*scores: float) -> list[tuple[float, float]]:
        rows = [{"environment": "a/B-v0", "normalised": score, "normalised_standard_error": None} for score in scores]
        drawn = charts.bars([{"rows": [row]} for row in rows], ["B"])
        assert Page(drawn).open == []
        found = re.findall(r'<rect x="([\d.]+)%" y="\d+" width="([\d.]+)%', drawn)
        return [(float(x), float(wide)) for x, wide in found]

    (left, wide), (zero, _) = rects(-40.0, 80.0)
    assert left == 0 and zero > 0 and left + wide == pytest.approx(zero, abs=0.02)
    assert rects(80.0)[0][0] == 0, "without one the line is at the edge"
    (left, wide), (zero, _) = rects(-4000.0, 0.0)
    assert left == 0 and wide == pytest.approx(zero, abs=0.02), "a long one is cut at the edge"
    table = PaperTable("T", ["c"], [TableRow("worse", {"c": Cell(-1.0)}), TableRow("better", {"c": Cell(3.0)})])
    page = html_tables.paper_tables([table])
    assert "left:0.0%;width:25.0%" in page and "left:25.0%;width:75.0%" in page
    alone = PaperTable("Theirs", ["c"], [TableRow("model", {"c": Cell(2.0)}, "published")])
    assert "Theirs" in html_tables.paper_tables([table, alone]), "nothing published stands beside ours otherwise"
    assert "Theirs" not in html_tables.paper_tables([PaperTable("T", ["c"], [*table.rows, *alone.rows]), alone])


def test_questions_are_shown_with_their_answers_and_their_picture_once(tmp_path: Path) -> None:
    suites.find("lvlm-playground").evaluate("random", 2, only=["TicTacToe-Rule"], out=tmp_path)
    assert cli.main(["report", str(tmp_path), "--out", str(tmp_path / "page.html")]) == 0
    said = "".join(Page((tmp_path / "page.html").read_text()).words)
    assert "Question 0" in said and "Question 1" in said and "Right:" in said
    suites.find("viki").evaluate(nasty(), 1, only=["VikiKitchen-Activate"], out=tmp_path / "run")
    assert cli.main(["report", str(tmp_path / "run"), "--out", str(tmp_path / "page.html"), "--episodes", "1"]) == 0
    shown = re.findall(r"<details><summary>Question 0:.*?</details>", (tmp_path / "page.html").read_text(), re.S)
    asked = [part.count("<pre class=") for part in shown]
    assert asked and min(asked) == 2, "not read, and asked again"
    assert all(part.count("<img") <= 1 for part in shown) and any("<img" in part for part in shown)


def test_prompts_are_shown_as_they_were_given_and_what_lost_a_game_is_too(tmp_path: Path) -> None:
    """To who reads alone, and soon says nothing that is a move."""
    about = {"model": "blind", "observe": ["text"], "reasoning": "cot"}
    agent = Says("B2", *(f"Hm {number}." for number in range(2, 9)), name="blind", about=about, reasoning="cot")
    suites.find("lvlm-playground").evaluate(agent, 1, only=["TicTacToe"], out=tmp_path)
    assert cli.main(["report", str(tmp_path), "--out", str(tmp_path / "page.html")]) == 0
    said = "".join(Page((tmp_path / "page.html").read_text()).words)
    rules = agent.prompts[-1].partition("## Now")[0]
    assert rules in said and said.count("## Legal actions") == 1, "the opponent's; it has to know what is legal"
    assert "it did not get the picture" in said and "no move" in said
    assert all(f"Hm {number}." in said for number in (2, 3, 4))


def test_two_runs_are_compared_with_paired_intervals(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    suite, only = suites.find("vs-bench"), ["CoinDilemma", "MonsterHunt"]
    for agent in ("random", "oracle"):
        suite.evaluate(agent, 20, only=only, out=tmp_path / agent)
    assert cli.main(["compare", str(tmp_path / "random"), str(tmp_path / "oracle"), "--json"]) == 0
    (pair,) = json.loads(capsys.readouterr().out)
    *games, overall = pair["rows"]
    for row in (*games, overall):
        low, high = row["interval"]
        assert 0 < low < row["difference"] < high and row["paired"]
    assert cli.main(["compare", str(tmp_path / "random"), str(tmp_path / "oracle")]) == 0
    assert "oracle compared with random" in capsys.readouterr().out
    assert cli.main(["compare", str(tmp_path / "random")]) == 2
    assert cli.main(["compare", str(tmp_path / "nothing"), str(tmp_path / "random")]) == 2
    one, two = (result_files.read(tmp_path / agent)[0] for agent in ("random", "oracle"))
    for row in two["rows"]:
        row["missing"] = 1
        del row["deals"]
    assert not compare(one, two)[0]["paired"], "files that tell no deals do not say which one is missing"
    refused(lambda: compare(one, {**two, "suite": "t"}), "cannot be compared")


def test_a_summary_fits_a_terminal_and_says_who_is_meant(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    long = "somebody_with_a_name_that_is_longer_than_any_column"
    results = [suites.find("viki").evaluate(agent, 3, only="VikiKitchen-Plan") for agent in ("random", "oracle")]
    made = {"agents": [{"model": f"house/{long}"}]}
    results = [results[0], {**results[1], "agent": f"chat:{long},base_url=http://x:1/v1", "header": made}]
    assert max(map(len, text_table(*tables.summary(results)).splitlines())) <= tables.COLUMNS
    assert tables.short_agents(results)[results[1]["agent"]] == "somebody…_column"
    assert tables.short_agents([results[1], {**results[1], "agent": "b"}])["b"].endswith(" 2")
    command = ["eval", "vs-bench", "--agent", "random", "--only", "CoinDilemma", "--episodes", "5", "--out"]
    assert cli.main([*command, str(tmp_path)]) == 0
    told = capsys.readouterr().out.splitlines()
    assert max(map(len, told)) <= tables.COLUMNS
    overall, game = (next(at for at, line in enumerate(told) if what in line) for what in ("decision", "CoinDilemma "))
    assert overall < game and "difference" not in "".join(told)
    with pytest.raises(MmgamesError, match="holds results of vs-bench; give comma a folder of its own"):
        suites.find("comma").evaluate("random", 1, out=tmp_path)


def test_a_person_is_measured_like_a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    typed = iter(["Hm.", "", "B2", "", *["A1", "", "A2", "", "A3", "", "C1", "", "C2", "", "C3", ""] * 20])
    monkeypatch.setattr("builtins.input", lambda sign="": next(typed))
    agent = f"person:pictures={tmp_path / 'seen'},size=64"
    command = ["eval", "lvlm-playground", "--agent", agent, "--episodes", "1", "--out", str(tmp_path / "run")]
    assert cli.main([*command, "--only", "TicTacToe"]) == 0
    shown = capsys.readouterr().out
    assert "Your last reply was no move" in shown and "Picture: " in shown and "as before" in shown
    assert list((tmp_path / "seen").glob("*.png"))
    (file,) = (tmp_path / "run").glob("*.calls.jsonl")
    replies = [row["reply"] for row in map(json.loads, file.read_text().splitlines()[1:]) if "reply" in row]
    assert replies[:2] == ["Hm.", "B2"]


COLUMNS = ("Overall", "Some Game", "Other Game")
OURS = TableRow("random", {"Some Game": Cell(1.0, 0.1), "Other Game": Cell(5.04)})
THEIRS = TableRow("Random", {"Some Game": Cell(1.5, None), "Other Game": Cell(5.0)}, "published: random")


def table(**explained: str) -> PaperTable:
    comparison = Comparison("random", "Random", {"Some Game": 0.1}, explained)
    return PaperTable("Table 9: scores", COLUMNS, (OURS, THEIRS), comparisons=(comparison,))


def test_a_difference_beyond_two_standard_errors_and_rounding_needs_a_reason():
    assert layout.unexplained([table()]) == ["Table 9: scores: random, Some Game: -0.50"]
    assert layout.NOT_EXPLAINED in layout.write(table())
    told = table(**{"Some Game": "the paper counts **twice**"})
    assert layout.unexplained([told]) == []
    assert "random, Some Game (-0.5, -3.5 standard errors): the paper counts **twice**" in layout.write(told)
    (_, other) = table().differences()
    assert not other.large and other.value == 0.0


def test_tables_mark_what_was_published_and_pages_say_what_failed():
    lines = layout.write(table()).splitlines()
    assert "|  | Overall | Some Game | Other Game |" in lines
    assert "| random | – | 1.0 <sub>±0.1</sub> <sup>a</sup> | 5.0 |" in lines
    assert "| *Random* | – | 1.5 | 5.0 |" in lines
    assert lines.index("| **ours** |  |  |  |") < lines.index("| **published: random** |  |  |  |")
    row = TableRow("random", {"Overall": Cell(1.0, 0.03), "Some Game": Cell(1.0, 0.0)})
    written = layout.write(PaperTable("T", COLUMNS, [row]))
    assert "| random | 1.0 <sub>±0.03</sub> | 1.0 <sub>±0.0</sub> | – |" in written
    row = TableRow("[x](javascript:1)<b>", {"Overall": Cell(1.0)})
    written = layout.write(PaperTable("T", COLUMNS, [row]))
    assert "<b>" not in written and "[x](" not in written
    row = {"environment": "mmgames/X-v0", "failed": 0, "missing": 2, "broken": 0, "illegal": {"illegal": 0}}
    result = {"agent": "random", "rows": [row]}
    page = layout.page("T", "mmgames eval t", [result], [table()], ["It says 3."], {"A plot": "a b.png"})
    assert "2 values are missing" in page
    assert page.index("a%20b.png") < page.index(layout.SLIPS) < page.index("1. It says 3.")
