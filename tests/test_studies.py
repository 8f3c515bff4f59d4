"""Studies with people, over HTTP and without browsers: from the invitation to the row of a suite."""

import json
import re
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mmgames import cli
from mmgames.arena.arena import read
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.core.seeding import fresh_rng
from mmgames.errors import MmgamesError
from mmgames.play.rebuilt_prompts import rebuild
from mmgames.play.recorded_calls import CallsFile
from mmgames.running import records
from mmgames.running.episodes import episode_seed
from mmgames.running.matches import match
from mmgames.running.replays import replay
from mmgames.studies.assignment import orders
from mmgames.suites import find
from mmgames.suites.results import result_files
from tests.cases import cases
from tests.play_server import the_end, your_turn
from tests.players import Acts, sampled
from tests.refusing import refused
from tests.study_server import TEXTS, Visitor, serving_study, study, until_killed

WIRE = study("wire")


def right_wire(number: int) -> str:
    """The wire that has to be cut in a deal, as whoever looks behind the scenes knows it."""
    game: Any = registry.load("mmgames/WirePuzzle-v0").game()
    live = LiveGame(registry.load("mmgames/WirePuzzle-v0"), game)
    for wire in range(1, 7):
        live.start(fresh_rng(episode_seed(7, number, game))[0])
        names = live.loaded.words.names(live.view(0))
        if f"cut_wire_{wire}" in names:
            live.play({0: live.read(0, f"cut_wire_{wire}")})
            if game.events(live.state)["solved"]:
                return f"cut_wire_{wire}"
    raise AssertionError("no wire solves it")


def role_of(messages: Iterator[dict[str, Any]]) -> str:
    return next(message["begin"]["role"] for message in messages if "begin" in message)


def solve(pair: list[Visitor], number: int) -> dict[str, str]:
    """One describes and asks, the other tells what to do, and it is done; who had which role."""
    roles = {}
    for who in pair:
        with who.playing() as (_, messages):
            roles[role_of(messages)] = who
    solver, expert = roles["solver"], roles["expert"]
    with solver.playing() as (one, solving), expert.playing() as (two, reading):
        assert one.move("own", your_turn(solving)["number"], "What shall I cut?")[0] == 200
        frame = your_turn(reading)
        assert frame["talk"] == [["Solver", "What shall I cut?"]]
        assert two.move("own", frame["number"], f"Please cut wire {right_wire(number)[-1]}.")[0] == 200
        assert one.move("own", your_turn(solving)["number"], right_wire(number))[0] == 200
        assert the_end(solving)["file"] == "", "replays are the experimenter's"
        the_end(reading)
    return {role: who.now()["code"] for role, who in roles.items()}


def begin(visitor: Visitor) -> Visitor:
    person = visitor.join()
    assert person.at("instructions")["text"] == "Talk."
    person.does(stage="instructions")
    assert person.at("before")["questions"][0]["ask"] == "How old are you?"
    status, why = person.does(stage="before", answers={"age": "old"})
    assert status == 422 and why["error"] == "“How old are you?” is answered with a number."
    assert person.does(stage="before", answers={"age": "31"})[0] == 200
    return person


def test_two_people_solve_a_puzzle_from_the_invitation_to_the_row(tmp_path: Path, capsys: Any) -> None:
    with serving_study(tmp_path, WIRE) as visitor:
        welcome = visitor.asks("study")
        assert (welcome["title"], welcome["consent"], welcome["full"]) == ("A study", "Do you agree?", False)
        first = begin(visitor)
        assert first.at("lobby")["waits"] == 2
        pair = [first, begin(visitor)]
        played = []
        for number in range(2):
            for person in pair:
                assert person.ready()["round"] == number + 1
            played.append(solve(pair, number))
        assert played[0]["solver"] == played[1]["expert"], "they change places"
        for person in pair:
            assert person.at("after")["questions"][0]["choices"] == ["yes", "no"]
            assert person.does(stage="after", answers={"again": "yes"})[0] == 200
            assert person.at("thanks")["code"] in played[0].values()
        seen = visitor.progress()
        assert [one["stage"] for one in seen["people"]] == ["thanks", "thanks"]
        assert seen["games"] == [{"game": "WirePuzzle", "over": 2, "now": 0}]
        assert visitor.looks("progress", "guess")[0] == 403
    out = tmp_path / "out"
    about, rows = records.read(out / "records" / "1-WirePuzzle-person-person.jsonl")
    assert about["agents"] == ["person", "person"] and about["seed"] == 7
    for row, roles in zip(rows, played, strict=True):
        assert row["participants"] == roles and row["events"]["solved"] and len(list(replay(row))) == 4
        assert [reply["seat"] for reply in row["replies"]] == ["solver", "expert", "solver"]
        assert len(row["seconds"]) == 3 and all(seconds > 0 for seconds in row["seconds"])
    for call in CallsFile(out / "records" / "1-WirePuzzle-person-person.jsonl").calls():
        assert rebuild(about, rows[call.episode], call.seat, call.number).fingerprint == call.took["prompt"]
    assert {row["answers"]["age"] for row in records.read(out / "answers.jsonl")[1] if row["when"] == "before"} == {31}
    kept = "".join(path.read_text() for path in out.rglob("*.jsonl"))
    assert "127.0.0.1" not in kept and "Mozilla" not in kept and not any(person.key in kept for person in pair)
    asked = ["eval", "comma", "--only", "WirePuzzle", "--episodes", "10"]
    people = ["--agent", f"records:{out},as=people"]
    assert cli.main([*asked, *people, "--seed", "7", "--agent", "random", "--json"]) == 0
    ours, random = json.loads(capsys.readouterr().out)["results"]
    (row,) = ours["rows"]
    assert (row["agent"], row["raw"], row["episodes"], row["missing"]) == ("people", 100.0, 2, 0)
    assert row["people"] == {"participants": 2, "given_up": 0} and row["length"]["mean"] == 2.0
    assert row["standard_error"] is None, "both values are of one pair"
    assert random["rows"][0]["episodes"] == 10 and cli.main([*asked, *people]) == 2
    assert "was dealt from seed 7, and not from 0; say --seed 7" in capsys.readouterr().err
    assert cli.main([*asked, *people, "--seed", "7", "--set", "turns=5"]) == 2
    assert "people played mmgames/WirePuzzle-v0 with" in capsys.readouterr().err
    assert cli.main(["eval", "comma", *people, "--episodes", "2", "--seed", "7"]) == 0
    told = capsys.readouterr().out
    assert "WirePuzzle: 2 values of 2 people" in told and "not played in the records of people" in told.lower()
    assert "(over 1 of 10 environments)" in told


def test_a_killed_study_goes_on_in_the_middle_of_a_round(tmp_path: Path) -> None:
    text = WIRE.replace("rounds = 2", "rounds = 1")
    with until_killed(tmp_path, text) as visitor:
        pair = [begin(visitor) for _ in range(2)]
        for person in pair:
            person.ready()
        with pair[0].playing() as (game, messages):
            number = your_turn(messages)["number"]
            time.sleep(0.1)
            assert game.move("own", number, "Hello?")[0] == 200
        with pair[1].playing() as (game, messages):
            your_turn(messages)
        address, port = visitor.client.url, visitor.client.port
    with serving_study(tmp_path, text) as visitor:
        assert (visitor.client.url, visitor.client.port) == (address, port)
        pair = [Visitor(visitor.client, visitor.dashboard, person.key) for person in pair]
        with pair[1].playing() as (game, messages):
            assert your_turn(messages)["talk"] == [["Solver", "Hello?"]] and game.move("own", 2, "Yes?")[0] == 200
        with pair[0].playing() as (game, messages):
            assert game.move("own", your_turn(messages)["number"], right_wire(0))[0] == 200
            the_end(messages)
        assert [person.at("after")["stage"] for person in pair] == ["after", "after"]
    (row,) = records.read(tmp_path / "out" / "records" / "1-WirePuzzle-person-person.jsonl")[1]
    assert [reply["reply"] for reply in row["replies"]] == ["Hello?", "Yes?", right_wire(0)]
    assert row["seconds"][0] >= 0.1, "times are kept, also those from before the stop"


SOLO = study("solo")


def test_seats_rotate_and_refusals_count(tmp_path: Path) -> None:
    with serving_study(tmp_path, SOLO) as visitor:
        person = visitor.join()
        person.ready()
        with person.playing() as (game, messages):
            assert role_of(messages) == "x"
            number = your_turn(messages)["number"]
            status, why = game.move("own", number, "Z9")
            assert status == 422 and "no move" in why["error"]
            assert game.move("own", number, 4)[0] == 200, "one refusal leaves another try"
            number = your_turn(messages)["number"]
            game.move("own", number, "Z9")
            game.move("own", number, "nothing")
            the_end(messages)
        person.ready()
        with person.playing() as (game, messages):
            assert role_of(messages) == "o"
            your_turn(messages)
            assert game.leave("own")[0] == 200 and the_end(messages)["headline"] == "O gave up."
        person.at("thanks")
    folder = tmp_path / "out" / "records"
    (first,) = records.read(folder / "1-TicTacToe-person-random.jsonl")[1]
    assert first["forfeit"] == "x" and first["returns"] == [-1.0, 1.0] and first["illegal"] == [3, 0]
    assert [reply["reply"] for reply in first["replies"]] == ["Z9", "B2", "Z9", "nothing"], "clicks are kept by name"
    assert ["refused" in reply for reply in first["replies"]] == [True, False, True, True]
    (second,) = records.read(folder / "1-TicTacToe-random-person.jsonl")[1]
    assert second["given_up"] == {"seat": "o", "why": "gave up"} and second["returns"] == [1.0, -1.0]
    assert len(list(replay(second))) == 2
    rated = read([tmp_path / "out"])
    assert sorted(rated.names) == [f"person {first['participants']['x']}", "random"] and len(rated.rows) == 2


def test_people_who_move_at_once(tmp_path: Path) -> None:
    with serving_study(tmp_path, '[[games]]\ngame = "CoinDilemma"\n') as visitor:
        pair = [visitor.join(), visitor.join()]
        for person in pair:
            person.ready()
        with pair[0].playing() as (one, red), pair[1].playing() as (two, blue):
            for number in (1, 2):
                assert your_turn(red)["number"] == your_turn(blue)["number"] == number
                assert one.move("own", number, "sideways")[0] == 422
                assert two.move("own", number, 0)[0] == one.move("own", number, 1)[0] == 200
            your_turn(red)
            visitor.asks("withdraw", {"key": pair[1].key})
            assert the_end(red)["headline"] == "Blue left the study."
        assert pair[1].now()["stage"] == "gone" and pair[0].at("thanks")
    (row,) = records.read(tmp_path / "out" / "records" / "1-CoinDilemma-person-person.jsonl")[1]
    assert row["illegal"] == [2, 0] and len(row["actions"]) == 2 and row["forfeit"] == "blue"
    assert row["returns"][1] <= -1


def test_a_turn_has_an_end_and_so_has_waiting(tmp_path: Path, study_clock: Any) -> None:
    text = WIRE.replace('instructions = "Talk."', "turn_seconds = 0.3\nwaiting_seconds = 60")
    text = text.replace('[[before]]\nid = "age"\nask = "How old are you?"\nkind = "number"\n', "")
    with serving_study(tmp_path, text) as visitor:
        pair = [visitor.join(), visitor.join()]
        for person in pair:
            person.ready()
        for person in pair:
            assert person.when(lambda now: now.get("step") == 1)["stage"] == "between"
        pair[0].ready()
        study_clock.ahead = 61.0
        assert pair[0].at("after")["stage"] == "after", "the other did not come, and the round is left out"
        assert pair[1].now()["why"] == "did not come within 60 seconds"
        alone = visitor.join()
        assert alone.at("lobby")
        study_clock.ahead = 122.0
        assert alone.at("after")["stage"] == "after", "nobody came"
        assert visitor.progress()["people"][1]["why"] == "did not come within 60 seconds"
    (row,) = records.read(tmp_path / "out" / "records" / "1-WirePuzzle-person-person.jsonl")[1]
    assert row["given_up"] == {"seat": "solver", "why": "took longer than 0.3 seconds"} and row["returns"] == [0.0, 0.0]


QUESTIONS = study("questions")


def test_answers_to_questions_make_a_row(tmp_path: Path, capsys: Any) -> None:
    with serving_study(tmp_path, QUESTIONS) as visitor:
        people = [visitor.join(), visitor.join()]
        seen = []
        for person in people:
            for _ in range(2):
                person.ready()
                asked = person.when(lambda now: now.get("asked") is not None)["asked"]
                assert asked["pictures"][0].startswith("data:image/png") and asked["answers"][:3] == ["A", "B", "C"]
                seen.append(asked["text"] + asked["pictures"][-1])
                sent = {"key": person.key, "call": asked["call"], "said": "A"}
                assert visitor.client.ask("api/answer", sent)[0] == 200
            person.at("thanks")
        assert len(set(seen)) == 4, "nobody sees a question twice, and each is asked once"
    out = tmp_path / "out"
    _, rows = records.read(out / "records" / "1-TicTacToe-Ask.jsonl")
    assert [row["number"] for row in rows] == [0, 1, 2, 3] and {row["reply"] for row in rows} == {"A"}
    asked_again = ["eval", "lvlm-playground", "--only", "TicTacToe-Ask", "--seed", "5", "--episodes", "9"]
    assert cli.main([*asked_again, "--agent", f"records:{out},as=people", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    (row,) = result["rows"]
    assert row["episodes"] == 4 and row["people"]["participants"] == 2
    assert row["raw"] == 100 * sum(one["score"] for one in rows) / 4
    assert [one["variant"] for one in result["unplayed"]] == ["balanced"], "another question, which nobody was asked"
    kept = out / "records" / "1-TicTacToe-Ask.calls.jsonl"
    kept.write_text(kept.read_text().replace('"prompt": "', '"prompt": "0'))
    assert cli.main([*asked_again, "--agent", f"records:{out}"]) == 2
    assert "is another one now than the one that was answered" in capsys.readouterr().err


def test_deals_are_fresh_for_everybody_and_places_end(tmp_path: Path) -> None:
    text = 'participants = 2\n[[games]]\ngame = "KuhnPoker"\nseats = ["person", "random"]\nrotate = true\nrounds = 2\n'
    with serving_study(tmp_path, text) as visitor:
        people = [visitor.join(), visitor.join()]
        status, why = visitor.client.ask("api/join", {"agree": True})
        assert status == 409 and "All places" in why["error"]
        assert visitor.client.ask("api/join", {"agree": False})[0] == 400
        for person in people:
            for _ in range(2):
                person.ready()
                with person.playing() as (game, messages):
                    your_turn(messages)
                    game.leave("own")
                    the_end(messages)
        assert [one["stage"] for one in visitor.progress()["people"]] == ["thanks", "thanks"]
    paths = [path for path in (tmp_path / "out" / "records").glob("*.jsonl") if "calls" not in path.name]
    seeds: dict[str, list[int]] = {}
    for about, rows in map(records.read, sorted(paths)):
        assert about["seed"] >= 2**48, "drawn when the study began"
        for row in rows:
            seeds.setdefault(*row["participants"].values(), []).append(row["seed"])
    assert [len(set(own)) for own in seeds.values()] == [2, 2], "nobody sees a deal twice, from whatever seat"


@pytest.mark.parametrize(("text", "why"), cases(__file__)["bad files"])
def test_a_bad_file_is_one_sentence_with_the_place(tmp_path: Path, capsys: Any, text: str, why: str) -> None:
    (tmp_path / "study.toml").write_text(TEXTS + text)
    assert cli.main(["study", str(tmp_path / "study.toml"), "--check"]) == 2
    said = capsys.readouterr().err
    assert why in said and said.count("\n") == 1 and str(tmp_path / "study.toml") in said
    assert not re.search(r"[.?]\.$", said), "a sentence ends once"


def test_the_example_is_whole(capsys: Any) -> None:
    example = Path(__file__).parent.parent / "examples" / "studies" / "wire.toml"
    assert cli.main(["study", str(example), "--check"]) == 0
    assert "7 rounds, 2 at a time, 12 combinations of orders and seats" in capsys.readouterr().out
    for games in range(2, 6):
        rows = orders(games, balanced=True)
        places = Counter((place, game) for row in rows for place, game in enumerate(row))
        after = Counter(pair for row in rows for pair in pairwise(row))
        assert len(places) == games**2 and len(set(places.values())) == 1
        assert len(after) == games * (games - 1) and len(set(after.values())) == 1


def test_who_wants_to_be_forgotten_is(tmp_path: Path, capsys: Any) -> None:
    text = SOLO.replace("rounds = 2", "rounds = 1") + "[[after]]\nid = 'say'\nask = 'What?'\n"
    with serving_study(tmp_path, text) as visitor:
        codes = []
        for said in ("secret", "open"):
            person = visitor.join()
            person.ready()
            with person.playing() as (game, messages):
                game.move("own", your_turn(messages)["number"], said)
                game.leave("own")
                the_end(messages)
            person.at("after")
            person.does(stage="after", answers={"say": said})
            codes.append(person.at("thanks")["code"])
        command = ["study", str(tmp_path / "study.toml"), "--out", str(tmp_path / "out"), "--forget"]
        assert cli.main([*command, codes[0]]) == 2 and "is being written by another run" in capsys.readouterr().err
    assert cli.main([*command, "nobody"]) == 2 and cli.main([*command, codes[0]]) == 0
    assert "1 rounds and questions were removed" in capsys.readouterr().out
    kept = "".join(path.read_text() for path in tmp_path.rglob("*.jsonl"))
    assert "secret" not in kept and codes[0] not in kept and "open" in kept and codes[1] in kept
    with serving_study(tmp_path, text) as visitor:
        assert [one["stage"] for one in visitor.progress()["people"]] == ["gone", "thanks"]
        assert visitor.looks("me", person.key)[0] == 200


def test_elsewhere_the_door_is_open_and_nothing_else_and_studies_are_not_mixed(tmp_path: Path) -> None:
    with serving_study(tmp_path, SOLO, elsewhere=True) as visitor:
        assert visitor.asks("study")["title"] == "A study"
        person = visitor.join()
        assert person.now()["stage"] == "between"
        for path, key in (("me", ""), ("me", "guess"), ("progress", person.key), ("game/none/events", person.key)):
            status, why = visitor.looks(path, key)
            assert status == 403 and "by invitation" in why["error"]
        assert visitor.client.ask("api/next", {"key": person.key})[0] == 403, "a key travels in the header alone"
        assert visitor.client.ask("api/study", token="guess")[0] == 403
        assert visitor.progress()["people"][0]["stage"] == "between"
    with pytest.raises(MmgamesError, match="begun with another file"), serving_study(tmp_path, QUESTIONS):
        pass


def stand() -> Acts:
    """Plays at random under the name that records have for people."""
    return Acts(sampled, name="person")


def recorded(folder: Path, game: str, agents: Any, episodes: int, groups: int = 0, **options: Any) -> list[Any]:
    """Records as a study would leave them; with `groups`, of so many people, who play in turn."""
    path = folder / f"{game}-{len(list(folder.glob('*')))}.jsonl"
    match(f"mmgames/{game}-v0", agents, episodes, 1, out=path, on_illegal="retry", **options)
    about, rows = records.read(path)
    for row in rows:
        row |= {"participants": {"somebody": f"p{row['episode'] % groups}"}} if groups else {}
    path.write_text("".join(json.dumps(line) + "\n" for line in [{"about": about}, *rows]))
    return rows


def test_vs_bench_and_playground_rows_of_people(tmp_path: Path, capsys: Any) -> None:
    one = stand()
    dilemma = recorded(tmp_path, "CoinDilemma", one, 6, groups=3)
    unbeaten = recorded(tmp_path, "TicTacToe", (one, "minimax"), 3, groups=3, begins="o")
    agent = f"records:{tmp_path},as=people"
    (row,) = find("vs-bench").evaluate(agent, 10, 1, only=["CoinDilemma"], out=tmp_path / "run")["rows"]
    values = np.array([np.mean(row["returns"]) for row in dilemma])
    assert row["raw"] == pytest.approx(values.mean()) and row["episodes"] == 6
    (kept,) = result_files.read(tmp_path / "run")[0]["rows"]
    assert kept["clusters"] == [0, 1, 2, 0, 1, 2]
    error = np.std([values[[place, place + 3]].mean() for place in range(3)], ddof=1) / np.sqrt(3)
    assert row["standard_error"] == pytest.approx(error), "over people, and not over episodes"
    (row,) = find("lvlm-playground").evaluate(agent, 10, 1, only=["TicTacToe"])["rows"]
    assert row["raw"] == pytest.approx(100 * np.mean([row["returns"][0] >= 0 for row in unbeaten]))
    scored = partial(find("vs-bench").evaluate, agent, 10, 1)
    others = "was played by person and minimax, and this entry wants person and mcts:"
    refused(lambda: scored(only=["TicTacToe"]), others)
    refused(lambda: scored(only=["KuhnPoker"]), r"Not played in the records of people: KuhnPoker\. Score other")
    recorded(tmp_path, "KuhnPoker", one, 2)
    refused(lambda: scored(only=["KuhnPoker"]), "a policy cannot be told from records of people")
    refused(lambda: scored(only=["CoinDilemma"], variant="text-only"), "variant='text-only' is for models")
    (tmp_path / "empty").mkdir()
    refused(lambda: find("vs-bench").evaluate(f"records:{tmp_path / 'empty'}", 10, 1), "holds no records of people")
    assert cli.main(["eval", "comma", "--agent", f"records:{tmp_path / 'nowhere'}"]) == 2
    assert "there is no folder" in capsys.readouterr().err


def test_missing_deals_are_told_and_changed_records_refused(tmp_path: Path) -> None:
    rows = recorded(tmp_path, "CoinDilemma", stand(), 4)
    (path,) = tmp_path.glob("*.jsonl")
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(line for place, line in enumerate(lines) if place != 2))
    (row,) = find("vs-bench").evaluate(f"records:{tmp_path}", 10, 1, only=["CoinDilemma"])["rows"]
    assert (row["episodes"], row["missing"]) == (3, 1)
    (row,) = find("vs-bench").evaluate(f"records:{tmp_path}", 1, 1, only=["CoinDilemma"])["rows"]
    assert (row["episodes"], row["missing"], row["raw"]) == (1, 0, pytest.approx(np.mean(rows[0]["returns"])))
    rows[0]["returns"] = [50.0, 50.0]
    path.write_text(lines[0] + json.dumps(rows[0]) + "\n")
    refused(lambda: find("vs-bench").evaluate(f"records:{tmp_path}", 10, 1, only=["CoinDilemma"]), "does not replay")
    recorded(tmp_path, "MonsterHunt", stand(), 2)
    path.write_text(path.read_text().splitlines(keepends=True)[0])  # whoever played it was forgotten
    scored = partial(find("vs-bench").evaluate, f"records:{tmp_path}", 10, 1)
    refused(lambda: scored(only=["CoinDilemma"]), "Not played in the records of people: CoinDilemma")
    (row,) = scored(only=["CoinDilemma", "MonsterHunt"])["rows"]
    assert row["episodes"] == 2
