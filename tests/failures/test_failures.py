"""Failures that states decide, what goes wrong in answers to questions, and a model as judge of messages."""

import json
from collections import Counter
from importlib.resources import files

import pytest

from mmgames import cli, suites
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.core.seeding import fresh_rng
from mmgames.running.matches import match
from mmgames.running.replays import replay
from mmgames.suites.spoken import answers, failures, judging
from mmgames.suites.spoken.failures import false_statements
from mmgames.suites.spoken.judging import UNREADABLE, agreement, find_rubric
from mmgames.tasks.replays import questions_in
from mmgames.text.facts import Count, Fact, same
from tests.cases import cases
from tests.chat_server import serving, words
from tests.players import Acts, Says
from tests.refusing import refused

TABLES = cases(__file__)

PANELS = ("Wire", "Who", "Led", "Memory", "Color", "Password", "Maze")


def played(game, say, **options):
    return match(f"mmgames/{game}-v0", Acts(say), 1, 5, on_illegal="retry", **options).episodes[0]


def kinds(record):
    return [(failure.kind, failure.step) for failure in failures.found(record)]


def first_move(turn, words=""):
    return f"{words}\n{json.dumps({'action': next(iter(turn.names.values()))})}"


FACTS = [
    Fact(("b2",), "X", same(("X", "O")) | {"empty": "empty"}),
    Fact(("second wire", "wire 2"), "red", same(("red", "blue", "white"))),
    Fact(("third wire", "wire 3"), "blue", same(("red", "blue", "white"))),
    Fact(("slot 0",), "red 1", same(("red 1", "blue 1")), ("player_1",)),
    Fact(("display",), "YOU'RE", same(("YOU'RE", "UH UH", "WHAT?"))),
    Count("wires", 4),
]


def test_a_statement_that_is_not_true_is_false_and_nothing_else_is():
    for text in TABLES["false"]:
        assert false_statements(text, FACTS) == [text]
        assert false_statements(f"Hello there! {text}\nWhat now?", FACTS) == [text]
    for text in TABLES["not false"]:
        assert false_statements(text, FACTS) == []
        assert false_statements(text, []) == []


@pytest.mark.parametrize("game", ["Hanabi", "KuhnPoker", "TicTacToe", "Sudoku", *(f"{name}Puzzle" for name in PANELS)])
def test_true_statements_about_what_is_seen_are_never_false_and_others_are(game):
    loaded = registry.load(f"mmgames/{game}-v0")
    live = LiveGame(loaded, loaded.game())
    for seed in range(3):
        live.start(fresh_rng(seed)[0])
        facts = [fact for fact in failures.facts_of(live, 0) if isinstance(fact, Fact)]
        assert facts
        for fact in facts:
            thing = " ".join((*fact.owners[:1], fact.names[0]))
            right = next(said for said, meant in fact.values.items() if meant == fact.value)
            wrong = next(said for said, meant in fact.values.items() if meant != fact.value)
            assert false_statements(f"{thing}: {right}", facts) == []
            assert false_statements(f"{thing}: {wrong}", facts) == [f"{thing}: {wrong}"]


def test_false_statements_are_found_at_their_position_and_scripted_talks_have_none():
    record = played("TicTacToe", lambda turn: first_move(turn, "A1 is empty."))
    assert {step for kind, step in kinds(record) if kind == failures.FALSE} == set(range(1, len(record["actions"])))
    assert failures.counted([record])["examples"][failures.FALSE] == "o: A1 is empty."  # the first
    for entry in suites.find("comma").entries:
        for record in match(entry.id, ("scripted_solver", "scripted_expert"), 3, 11).episodes:
            assert failures.found(record) == [], entry.id


def role(said, seat="white", **more):
    replies = [{"seat": "white", "step": 0, "reply": ""}, {"seat": "black", "step": 0, "reply": ""}]
    record = {"replies": [*replies, {"seat": seat, "step": 1, "reply": said}], **more}
    return [failure.said for failure in failures._roles(record)]


def test_a_seat_that_says_to_be_another_is_confused():
    for said in ["I am black.", "So far so good.\nI'm playing black, and you lead.", "My side is black"]:
        assert role(said)
        assert not role(said, "black")
    assert role("I am the spy.", spies=[0]) and not role("I am the spy.") and not role("You are the spy.", spies=[0])
    assert role("I will cut wire 2.", "expert", action_names=["cut_wire_2"])
    assert not role("I will cut wire 2.", "solver", action_names=["cut_wire_2"])
    others = ("I am white.", "As black has no moves, I win.", "I am not black.", "Am I black?", "I am black, right?")
    for said in (*others, "I am black's worst opponent.", "You are black."):
        assert not role(said)


def test_loops_and_circles_are_found_unless_something_has_changed():
    def ask(turn):
        return "Which one?" if turn.role == "solver" else f"Message {turn.view.turn}."

    assert [step for kind, step in kinds(played("WirePuzzle", ask, max_steps=10)) if kind == failures.LOOP] == [4, 6, 8]
    assert failures.LOOP not in dict(kinds(played("TicTacToe", lambda turn: first_move(turn, "I take this one."))))
    for reply, circles in [
        ("The board is full. " * 5, True),
        ("The board is full. " * 4, False),
        ("and so on " * 25, True),
        ("[[" + "0, " * 300, True),
        ("[" + ", ".join(["[" + ", ".join(["0"] * 15) + "]"] * 15) + "]", False),  # an empty board of Gomoku
        ("[" + ",\n ".join(["[" + ", ".join(["0"] * 15) + "]"] * 24) + "]", True),
        ("A1 is free. B2 is free. C3 is not.", False),
        ("", False),
    ]:
        assert answers.loops(reply) == circles


def test_only_an_illegal_move_that_is_argued_for_is_a_plan_and_always_the_same_is_low_diversity():
    for plan, named in [("I take the corner because it is the best of all.", True), ("", False)]:

        def say(turn, plan=plan):
            return first_move(turn, plan) if turn.refused else f'{plan}\n{{"action": "A1"}}'

        record = played("TicTacToe", say)
        assert (failures.PLAN in dict(kinds(record))) == named
        assert all(step > 0 for kind, step in kinds(record) if kind == failures.PLAN)  # the first is legal
    for same_move in [True, False]:

        def say(turn, same_move=same_move):
            names = sorted(turn.names.values())
            return json.dumps({"action": names[0 if same_move else int(turn.rng.integers(len(names)))]})

        record = played("CoinDilemma", say, max_steps=20)
        assert (failures.NARROW in dict(kinds(record))) == same_move


def slips_of(game, agents, episodes, **options):
    """The slips of a match, by kind."""
    made = Counter()
    for record in match(f"mmgames/{game}-v0", agents, episodes, 3, **options).episodes:
        for step, live in enumerate(replay(record)):
            for seat in live.movers if step < len(record["actions"]) else ():
                made.update(live.loaded.words.slips(live.view(seat), record["actions"][step][seat]))
    return made


@pytest.mark.parametrize(("game", "best", "kinds"), TABLES["slips"])
def test_games_name_slips_that_good_players_do_not_make_and_careless_ones_do(game, best, kinds):
    options = {"starts": "random"} if game == "Overcooked" else {}
    assert not slips_of(game, best, 4)
    assert set(slips_of(game, "random", 60 if game == "Overcooked" else 12, **options)) == set(kinds)


def test_a_paddle_that_leaves_the_ball_has_over_adjusted():
    loaded = registry.load("mmgames/Pong-v0")
    game = loaded.game()
    view = game.view(game.start(fresh_rng(0)[0]), 0)
    for ball, before, now, over, *_ in TABLES["paddles"]:
        scene = view.scene._replace(ball=ball and tuple(ball), right=now)
        moved = view._replace(scene=scene, before=view.before._replace(right=before))
        assert loaded.words.slips(moved, 0) == ["over-adjusting"] * over


def test_slips_of_seats_that_reply_in_words_are_failures_of_their_kinds():
    bets = match("mmgames/KuhnPoker-v0", Acts(lambda turn: '{"action": "<BET>"}'), 30, 7).episodes
    counted = failures.counted(bets)
    jacks = sum(list(replay(record))[-1].view(1).cards[1] == 0 for record in bets)
    assert counted["kinds"]["ignored private information"] == {"times": jacks, "episodes": jacks} and jacks > 3
    assert counted["examples"]["ignored private information"] == "player_1: <BET>"


def test_the_command_and_the_page_count_what_is_kept(tmp_path, capsys):
    suite = suites.find("comma")
    pair = ("scripted_solver", "random")  # nobody answers, so the solver says the same again and again
    result = suite.evaluate(pair, episodes=2, only=["WirePuzzle"], out=tmp_path)
    counted = result["rows"][0]["failures"]
    assert counted["kinds"][failures.LOOP]["episodes"] == counted["episodes"] == 2
    assert "| scripted_solver + random | repetition loop | 100 |" in suite.page("mmgames", [result], {})
    capsys.readouterr()
    assert cli.main(["failures", str(tmp_path), "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["kinds"] == counted["kinds"]
    assert cli.main(["failures", str(tmp_path)]) == 0
    assert "repetition loop" in capsys.readouterr().out
    assert cli.main(["failures", str(tmp_path / "nothing")]) == 2
    assert cli.main(["failures", str(tmp_path), "--rubric", "comma"]) == 2, "nobody judges"


def test_what_is_counted_of_both_seats_of_broken_episodes_and_of_the_silent():
    one = {"episodes": 2, "unreadable": 0, "kinds": {"repetition loop": {"times": 3, "episodes": 1}}, "examples": {}}
    both = failures.together([{}, one, one])
    assert both["episodes"] == 4 and both["kinds"]["repetition loop"] == {"times": 6, "episodes": 2}
    assert failures.together([{}, {}]) == {}
    record = dict(played("TicTacToe", first_move))
    counted = failures.counted([record, {**record, "actions": [[8], [8]]}])
    assert counted["episodes"] == 1 and counted["unreadable"] == 1
    assert failures.counted(match("mmgames/TicTacToe-v0", "random", 2, 1).episodes) == {}
    assert failures.counted(match("mmgames/WirePuzzle-v0", "random", 2, 1).episodes) == {}


def counted(tmp_path, name, reply, number=12, suite="lvlm-playground", reading=None):
    chosen = suites.find(suite)
    chosen = chosen.with_reading(reading) if reading else chosen
    chosen.evaluate(Says(reply), number, only=[name], out=tmp_path)
    _, about, rows = next(iter(questions_in(tmp_path)))
    return answers.counted(about, rows)


@pytest.mark.parametrize(("reply", "narrow"), [("B", True), ("ABCD", False)])
def test_always_the_same_letter_is_low_diversity(tmp_path, reply, narrow):
    letters = iter(reply * 100)
    found = counted(tmp_path, "TicTacToe-Ask", lambda seen: f'{{"answer": "{next(letters)}"}}', 16)
    assert (answers.NARROW in found["kinds"]) == narrow and failures.LOOP not in found["kinds"]
    if narrow:
        assert found["examples"][answers.NARROW].startswith("B in ")


@pytest.mark.parametrize(
    ("reply", "copied"), [('{"action": "B2"}', True), ("Movement: B2", True), ('{"action": "A1"}', False)]
)
def test_an_example_that_is_copied_and_wrong_is_named(tmp_path, reply, copied):
    found = counted(tmp_path, "TicTacToe-Rule", lambda seen: reply, 30, reading="released" if reply[0] == "M" else None)
    _, _, rows = next(iter(questions_in(tmp_path)))
    wrong = sum(row["score"] == 0 for row in rows)
    assert wrong > 0 and found["kinds"].get(answers.COPIED, {"times": 0})["times"] == wrong * copied
    assert not answers._is_example("A1", "## Answer\nsuch as B2.\n\n## Question\nA1?"), "what is asked is no example"
    assert not answers._is_example("B", "## Answer\nAnswer: B"), "a letter stands in every prompt"


def test_an_argued_answer_that_is_not_possible_is_a_plan(tmp_path):
    plan = 'I take the corner because it is the best cell of all.\n{"action": "Z9"}'
    assert counted(tmp_path, "TicTacToe-Rule", lambda seen: plan, 6)["kinds"][failures.PLAN]["times"] == 6


def test_cells_are_counted_by_kind(tmp_path, capsys):
    found = counted(tmp_path, "TicTacToe-Perceive", lambda seen: "[[0, 0, 0], [0, 0, 0], [1, 1, 1]]", 20)
    cells = {cell["cell"]: cell for cell in found["cells"]}
    assert {name: cell["number"] for name, cell in cells.items()} == dict.fromkeys(
        ("an empty cell", "an O", "an X"), 60
    )
    assert cells["an empty cell"]["right"] == 0 and cells["an empty cell"]["taken_for"] == "an O"
    assert 0.4 < cells["an O"]["right"] / 60 < 0.9 and cells["an O"]["taken_for"] == "an X"
    assert cli.main(["failures", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "taken most often for" in said and "an empty cell" in said and "TicTacToe-Perceive-v0 Says" in said


def test_games_and_tasks_of_a_run_stand_in_one_table(tmp_path, capsys):
    suite = suites.find("lvlm-playground")
    suite.evaluate(Says(lambda seen: "Hm, hm. " * 30), 3, only=["TicTacToe", "TicTacToe-Ask"], out=tmp_path)
    assert cli.main(["failures", str(tmp_path), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["game"] for row in rows] == ["mmgames/TicTacToe-v0", *["mmgames/TicTacToe-Ask-v0"] * 2]
    assert all(row["kinds"][failures.LOOP]["times"] == 3 for row in rows[1:])


CASES = json.loads(files("mmgames.suites.spoken").joinpath("judge_calibration.json").read_text("utf-8"))


def test_agreement_goes_beyond_chance_and_every_label_is_calibrated_as_often():
    right = ["useful"] * 5 + ["unclear"] * 5
    assert agreement(right, right) == (10, 1.0, 1.0)
    assert agreement(["useful"] * 10, right) == (10, 0.5, 0.0)  # who always says the same agrees by chance
    mixed = agreement(["useful"] * 4 + ["unclear"] * 6, right)
    assert mixed.accuracy == 0.9 and mixed.kappa == pytest.approx(0.8)
    assert Counter(case["label"] for case in CASES) == dict.fromkeys(find_rubric().labels, 10)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    suites.find("comma").evaluate("oracle", episodes=2, only=["WirePuzzle"], out=folder)
    return folder


def people(request, number):
    """A judge that labels as people did, but for two; of other messages it finds all useful but one."""
    asked = words(request["messages"][-1])
    for place, case in enumerate(CASES):
        if f"## The message to judge\n{case['seat']}:\n> {case['message']}\n" in asked:
            return "I cannot say." if place < 2 else json.dumps({"answer": case["label"]})
    return json.dumps({"answer": "unclear" if "Please cut" in asked.split("## The message to judge")[1] else "useful"})


def test_a_judge_is_calibrated_and_asked_once(run, capsys):
    with serving(people) as server:
        command = ["failures", str(run), "--judge", f"chat:tiny,base_url={server.url}"]
        assert cli.main([*command, "--json"]) == 0
        (judged,) = json.loads(capsys.readouterr().out)["judged"]
        asked = len(server.requests)
        assert cli.main(command) == 0
        assert len(server.requests) == asked  # the journal answers
        said = capsys.readouterr().out
        assert cli.main([*command, "--episodes", "1", "--json"]) == 0
        (less,) = json.loads(capsys.readouterr().out)["judged"]
    share, chance = 68 / 70, (8 + 60) / 490  # each label ten times, of which two that are useful could not be read
    assert judged["agreement"]["messages"] == 70
    assert judged["agreement"]["accuracy"] == pytest.approx(share)
    assert judged["agreement"]["kappa"] == pytest.approx((share - chance) / (1 - chance))
    (game,) = judged["games"]
    assert game["labels"] == {"useful": 4, "unclear": 2}
    assert sum(less["games"][0]["labels"].values()) == 3
    assert "97 % of cases, Cohen's kappa 0.97" in said and UNREADABLE in said


def test_a_judge_sees_what_the_speaker_sees_and_judges_replies_of_other_games():
    (record,) = match("mmgames/AtmPuzzle-v0", ("scripted_solver", "scripted_expert"), 1, 3).episodes
    shown = {message.seat: judging.prompt(message, find_rubric()) for _, message in judging.messages(record)}
    assert f"PIN: {record['private']['PIN']}" in shown["solver"]
    assert record["private"]["PIN"] not in shown["expert"]
    (record,) = match("mmgames/WirePuzzle-v0", ("scripted_solver", "scripted_expert"), 1, 3).episodes
    messages = dict(judging.messages(record))
    assert "wire 1: " in messages[0].seen and "\nwires: " in messages[0].seen
    assert messages[0].seen in judging.prompt(messages[0], find_rubric()) and messages[1].seen == ""
    replies = [{"seat": "o", "step": 1, "reply": words} for words in ('{"action": "B2"}', "I am sure of it. " * 3)]
    record = dict(match("mmgames/TicTacToe-v0", "random", 1, 3).episodes[0], replies=replies)
    ((number, message),) = judging.messages(record)
    assert number == 1 and message.words == replies[1]["reply"] and "seat o of a game, TicTacToe" in message.task
    assert message.seen.count(": empty") == 8


def test_what_cannot_judge_is_refused_in_a_sentence(run, tmp_path, capsys):
    assert cli.main(["failures", str(run), "--judge", "random"]) == 2
    assert "cannot be a judge" in capsys.readouterr().err
    refused(lambda: judging.judge_run(tmp_path, "chat:tiny", 1), "no words", kind=judging.MmgamesError)


def test_the_papers_kinds_of_error_are_a_rubric_and_stand_beside_its_figure(run, capsys):
    same = find_rubric("comma").same_as

    def judge(request, number):
        said = json.loads(people(request, number)) if people(request, number) != "I cannot say." else {"answer": "leak"}
        return json.dumps({"answer": same[said["answer"]]})

    with serving(judge) as server:
        assert cli.main(["failures", str(run), "--judge", f"chat:tiny,base_url={server.url}", "--rubric", "comma"]) == 0
    said = capsys.readouterr().out
    assert "97 % of cases" in said and "communication" in said
    assert "Of 2 errors: communication 100 %" in said and "published, GPT-4o, largest first: 36 %, 24 %" in said
    assert all("roleplay" in words(request["messages"][-1]) for request in server.requests)


def test_a_rubric_of_ones_own_is_a_file(run, tmp_path, capsys):
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"labels": {"short": "it has few words", "long": "it has many"}}))
    with serving(lambda request, number: '{"answer": "short"}') as server:
        command = ["failures", str(run), "--judge", f"chat:tiny,base_url={server.url}", "--rubric", str(path)]
        assert cli.main([*command, "--json"]) == 0
        (judged,) = json.loads(capsys.readouterr().out)["judged"]
        assert judged["agreement"] is None and {*judged["games"][0]["labels"]} == {"short"}
        path.write_text(json.dumps({"labels": {"one": "x"}}))
        assert cli.main(command) == 2 and "two labels or more" in capsys.readouterr().err
        assert cli.main([*command[:-1], "mine"]) == 2 and "Unknown rubric 'mine'" in capsys.readouterr().err
