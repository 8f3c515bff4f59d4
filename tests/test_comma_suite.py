"""The COMMA suite: pairs, measures of a talk, published figures."""

import json

import pytest

import mmgames
from mmgames import cli, suites
from mmgames.suites.pages import comma as comma_page
from mmgames.suites.pages import layout
from mmgames.suites.spoken.dialogue import USAGE, WORDS, efficiency, error_tags, tokens, tokens_written
from tests.players import Says

PUZZLES = [entry.id for entry in suites.find("comma").entries]


@pytest.fixture(scope="module")
def scripted():
    return suites.find("comma").evaluate("oracle", episodes=4, seed=3)


def test_the_scripted_pair_solves_everything_leaks_nothing_and_overall_rows_are_means(scripted):
    for row in scripted["rows"]:
        assert row["raw"] == row["partial"]["mean"] == 100, row["environment"]
        assert row["mistakes"]["mean"] == row["leaks"]["mean"] == 0
        assert row["length"]["mean"] <= 10 and 0.5 < row["efficiency"] <= 1
    for measure in ("partial", "mistakes", "length", "table_length", "tokens", "leaks"):
        means = [row[measure]["mean"] for row in scripted["rows"]]
        assert scripted["overall"][measure]["mean"] == pytest.approx(sum(means) / 10)
    assert scripted["overall"]["success"]["mean"] == 100 and 0.5 < scripted["overall"]["efficiency"] <= 1


def test_rows_tell_length_in_both_ways_what_a_mute_solver_gets_and_what_was_published():
    pair = suites.find("comma").evaluate("oracle", episodes=3, only=["WirePuzzle"])["rows"][0]
    assert pair["length"]["mean"] == 2 and pair["table_length"]["mean"] == 1  # two messages of the solver, one answer
    alone = suites.find("comma").evaluate("random", episodes=20, only=["WirePuzzle"], rules="released")["rows"][0]
    assert alone["length"]["mean"] > 4 > alone["table_length"]["mean"]
    row = suites.find("comma").evaluate("oracle", 8, only="WirePuzzle")["rows"][0]
    assert row["raw"] == 100 == row["above_chance"]["mean"] and 0 < row["chance"]["mean"] < 100
    assert "mute" in row["chance"]["source"]
    suite = suites.find("comma")
    only = ["WhoPuzzle"]
    released = suite.evaluate("random", episodes=30, only=only, rules="released")["rows"][0]
    assert released["published"]["value"] == released["published_partial"] == 44
    paper = suite.evaluate("random", episodes=3, only=only)["rows"][0]
    assert paper["published"] is None and "published_partial" not in paper


def test_the_page_has_the_papers_tables_with_ours_in_them(scripted):
    suite = suites.find("comma")
    random = suite.evaluate("random", episodes=40, seed=1, rules="released")
    page = suite.page("mmgames eval comma", [random, scripted], {})
    for title in ("Table 1", "Table 2", "Table 3", "Table 4", "Table 5", "Figure 3", "Figure 5", "Section 5.3"):
        assert f"## {title}" in page
    assert "| *GPT-4o* | 98.0 <sub>±1.4</sub> |" in page and "| repeated mistake |" in page
    assert "Where the paper slips" in page and "by the sentence" in page
    assert layout.unexplained(comma_page.tables([random])) == [] and len(PUZZLES) == 10
    assert set(PUZZLES) == {id for id in mmgames.specs if id.endswith("Puzzle-v0")}


def test_capabilities_are_means_over_their_puzzles_with_errors(scripted):
    tables = {table.title: table for table in comma_page.tables([scripted])}
    success, table = tables["Table 3: success, %"], tables["Capabilities: success, %"]
    whole = {row.name: row.cells for row in success.rows}["GPT-4o"]
    cells = {row.name: row.cells for row in table.rows}
    two = whole["Atm"], whole["Telehealth"]
    private = cells["GPT-4o"]["private information"]
    assert private.value == pytest.approx(sum(cell.value for cell in two) / 2)
    assert private.error == pytest.approx(sum(cell.error**2 for cell in two) ** 0.5 / 2)
    assert {cell.value for cell in cells["scripted pair"].values()} == {100}
    (short, *_) = comma_page.tables([{**scripted, "rows": scripted["rows"][:3]}])[2].rows
    assert set(short.cells) == set()  # Wire, Telehealth and Who alone make no capability


def test_talks_with_who_does_not_help_count_their_full_length_and_do_not_fail():
    row = suites.find("comma").evaluate(("random", "random"), episodes=5, only=["PasswordPuzzle"])["rows"][0]
    assert row["raw"] == 0 and row["length"]["mean"] == 10 and row["solved_by_turn"] == [0.0] * 10
    assert row["errors"]["acted without asking"] == 1
    result = suites.find("comma").evaluate(("scripted_solver", "random"), episodes=3, seed=1)
    assert all(row["failed"] == 0 for row in result["rows"]) and result["overall_normalised"] < 80
    result = suites.find("comma").evaluate(("random", "scripted_expert"), episodes=3, seed=1)
    assert all(row["failed"] == 0 for row in result["rows"])


def test_the_command_takes_a_pair_and_plots_turns(tmp_path, capsys):
    plot = tmp_path / "turns.png"
    words = "eval comma --solver scripted_solver --expert random --episodes 2 --only WirePuzzle --json --turns"
    assert cli.main([*words.split(), str(plot)]) == 0
    assert json.loads(capsys.readouterr().out)["agent"] == "scripted_solver + random"
    assert plot.read_bytes().startswith(b"\x89PNG")


def test_efficiency_counts_the_tokens_that_a_service_tells(tmp_path):
    thinks, told = Says("Hello.", about="thinks"), {"only": "WirePuzzle", "out": tmp_path}
    thinks.last_call = {"tokens_out": 700}
    row = suites.find("comma").evaluate((thinks, "random"), 1, **told)["rows"][0]
    assert row["tokens"]["mean"] == 7000 and row["tokens_counted"]["solver"] == "completion tokens"
    assert suites.find("comma").evaluate((thinks, "random"), 1, **told)["rows"][0]["tokens"] == row["tokens"]


def said(seat, speech="", *results):
    done = [{"action": name, "mistake": bool(what), "repeated": what == "again"} for name, what in results]
    return {"seat": seat, "speech": speech, "actions": [name for name, _ in results], "results": done}


NAMES = ("cut_wire_1", "cut_wire_2", "cut_wire_3")


def tagged(*messages):
    return {tag for tag, count in error_tags(messages, NAMES).items() if count}


def test_errors_are_tagged():
    assert tagged(said("solver", "", ("cut_wire_1", True)), said("expert")) == {"acted without asking"}
    again = (said("solver", "Hi", ("cut_wire_1", True)), said("expert"), said("solver", "", ("cut_wire_1", "again")))
    assert tagged(*again) == {"repeated mistake"}
    advice = (said("solver", "Which?"), said("expert", "Please do cut_wire_2 now."))
    assert tagged(*advice, said("solver", "", ("cut_wire_3", True))) == {"ignored the expert", "expert named an action"}
    assert tagged(*advice, said("solver", "", ("cut_wire_2", False))) == {"expert named an action"}
    both = (said("solver", "Which?"), said("expert", "Either cut_wire_1 or cut_wire_2."))
    assert tagged(*both, said("solver", "", ("cut_wire_3", True))) == {"expert named an action"}
    acts = tagged(said("solver", "Which?"), said("expert", "I know this.\nCUT_WIRE_2."))
    assert acts == {"expert acted", "expert named an action"}
    acts = "I cut wire 2.|Then I will cut the wire two.|I'll cut_wire_2"
    speaks = "Cut wire 2.|I would never cut wire 2.|I say: cut wire 2.|You cut wire 2."
    for speeches, expected in ((acts, True), (speaks, False)):
        for speech in speeches.split("|"):
            assert (ACTED in tagged(said("solver", "Which?"), said("expert", speech))) == expected, speech


NAMED, IGNORED, ACTED = "expert named an action", "ignored the expert", "expert acted"
SPEECHES = {
    "Cut the wire number two.|Now please cut wire 2!|You should cut wire two.": {NAMED, IGNORED},
    "How many wires are there?|Wire 2 is red, is it?|I know about wire 2.": set(),
    "Do not cut wire 2.|If it is red, cut wire 2.|Shall you cut wire 2?|You could cut wire 2.": {NAMED},
    "I once cut wire 2 myself.|Cut wire 1. Cut wire 2.": {NAMED},
}


@pytest.mark.parametrize("speeches", SPEECHES)
def test_an_order_of_one_action_in_plain_words_is_tagged_and_nothing_else_can_be_ignored(speeches):
    for speech in speeches.split("|"):
        talk = (said("solver", "Which?"), said("expert", speech), said("solver", "", ("cut_wire_3", True)))
        assert tagged(*talk) == SPEECHES[speeches], speech


def test_words_and_efficiency_are_counted():
    talk = [said("solver", "Two words, really?", ("cut_wire_1", False)), said("expert", "Yes.")]
    assert tokens(talk) == 5 + 1 + 2
    assert efficiency(0.0, 100) == 0 and efficiency(1.0, 0) == 1 and efficiency(0.5, 1000) == pytest.approx(0.5)
    spoken = {"seat": "solver", "speech": "Red?", "actions": [], "results": []}
    thought = {"seat": "solver", "reply": "<think>" + "hm " * 3200 + "</think> Red?"}
    record = {"transcript": [spoken], "replies": [thought]}
    total, counted = tokens_written(record, ("solver", "expert"))
    assert total > 3200 and counted == {"solver": WORDS, "expert": WORDS} and efficiency(1.0, total) < 0.4
    told = {**record, "replies": [], "completion_tokens": [5000, None]}
    assert tokens_written(told, ("solver", "expert")) == (5000, {"solver": USAGE, "expert": WORDS})
    assert tokens_written({"transcript": [spoken]}, ("solver", "expert"))[0] == 2, "records of before"
