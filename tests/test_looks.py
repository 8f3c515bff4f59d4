"""Looks: the same game in other pictures and words. The kit has what holds for every game and look."""

import pickle
import re
from collections import Counter
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import mmgames
from mmgames import suites
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.core.look_names import KINDS, looks_of
from mmgames.core.looks import THEMES, Translator, turned_cells
from mmgames.play.gallery import set_up
from mmgames.play.position_json import introduction, position
from mmgames.running.replays import replay
from mmgames.testing import playing
from mmgames.text.refusals import Illegal
from tests.cases import cases
from tests.refusing import refused


def begin(game: str, look: str, *moves: int, **options: Any) -> LiveGame:
    live = playing.begin(registry.find(game), 4, look=look, **options)
    for move in moves:
        live.play({live.movers[0]: move})
    return live


def test_boards_turn_as_pictures_do_and_a_quarter_turn_goes_clockwise() -> None:
    told = begin("TicTacToe", "quarter", 0, 1).loaded.words.describe(begin("TicTacToe", "quarter", 0, 1).view(0))
    assert told.splitlines()[:4] == ["  1 2 3", "A . . X", "B . . O", "C . . ."]
    board = np.arange(9).reshape(3, 3)
    turns = {"mirrored": board[:, ::-1], "flipped": board[::-1], "rotated": np.rot90(board, 2)}
    turns |= {"quarter": np.rot90(board, -1), "three quarters": np.rot90(board)}
    for how, turned in turns.items():
        assert turned_cells(how, 3, 3) == np.argsort(turned.ravel()).tolist(), how


def test_moves_are_clicked_and_read_as_the_look_shows_them() -> None:
    usual, mirrored = (begin("TicTacToe", look) for look in ("usual", "mirrored"))
    moves = [position(live.loaded, live.game, live.view(0))["moves"] for live in (usual, mirrored)]
    places = [{move["action"]: move["boxes"] for move in each} for each in moves]
    assert places[1][0] == places[0][2] != places[0][0] and mirrored.read(0, "A3") == 0 and usual.read(0, "A3") == 2
    live = begin("CoinDilemma", "mirrored+compass")
    west = live.read(0, '{"action": "<WEST>"}')
    assert live.loaded.words.names(live.view(0))[west] == "<WEST>" and west == 1  # <RIGHT> in the game
    assert isinstance(live.read(0, "<LEFT>"), Illegal)
    live = begin("KuhnPoker", "numbered")
    assert list(live.loaded.words.names(live.view(live.movers[0])).values()) == ["1: <PASS>", "2: <BET>"]
    assert list(live.loaded.words.plain_names(live.view(live.movers[0])).values()) == ["1: pass", "2: bet"]
    assert [live.read(live.movers[0], text) for text in ("2", "<BET>", '{"action": "2: <BET>"}')] == [1, 1, 1]
    live = begin("Chess", "night")
    assert live.read(0, "Nf3") == begin("Chess", "usual").read(0, "Nf3")
    assert "Black makes the first move" in live.loaded.words.rules(live.view(0))
    told = introduction(live.loaded, live.game, live.view(0))
    assert told["role"] == "white" and told["called"] == {"white": "Black", "black": "White"}


def test_a_game_that_cannot_take_a_look_says_so() -> None:
    refused(lambda: mmgames.aec_env("Gomoku", look="night+swapped"), "has two looks of one kind: night, swapped")
    talk = "talk/CoinDilemma-v0"
    refused(lambda: mmgames.aec_env(talk, look="night"), f"Unknown look 'night' for {talk}. Known: usual.")


def test_colours_are_called_what_they_look_like() -> None:
    translator = Translator(THEMES["swapped"].words)
    said = translator.say("Red takes the blue coin; redder things stay.")
    assert said == "Blue takes the rust coin; redder things stay."
    assert translator.back("Blue takes the rust coin.") == "Red takes the blue coin."
    picture = np.array([[[205, 58, 50], [255, 255, 255], [24, 24, 27]]], np.uint8)
    assert THEMES["swapped"].paint(picture)[0, 0].tolist() == [50, 58, 205]
    assert THEMES["night"].paint(picture)[0, 1:].tolist() == [[0, 0, 0], [228, 228, 231]]
    assert begin("Gomoku", "night").loaded.words.you(begin("Gomoku", "night").view(0)).startswith("You play white.")


def test_agents_and_records_know_nothing_of_a_look() -> None:
    agents, looks = ["minimax:depth=1", "random"], ({}, {"look": "quarter+night+shapes"})
    games = [mmgames.match("Reversi", agents, episodes=2, seed=5, **options).episodes for options in looks]
    assert [one["actions"] for one in games[0]] == [one["actions"] for one in games[1]]
    assert games[1][0]["options"] == {"look": "quarter+night+shapes"}
    *_, last = replay(games[1][0])
    assert last.totals == games[1][0]["returns"]
    loaded = last.loaded
    assert pickle.loads(pickle.dumps(loaded)).look == loaded.look != registry.load("Reversi").look


def test_environments_show_the_look() -> None:
    usual, night = (gymnasium.make("mmgames/Gomoku-v0", look=look, size=96) for look in ("usual", "night"))
    seen = [env.reset(seed=1)[0] for env in (usual, night)]
    assert np.array_equal(seen[1]["rgb"], THEMES["night"].paint(seen[0]["rgb"]))
    assert np.array_equal(seen[0]["action_mask"], seen[1]["action_mask"])
    assert any(option["name"] == "look" for option in set_up("mmgames/Gomoku-v0", {"look": "night"})["options"])
    refused(lambda: mmgames.vector_env("CoinDilemma", 2, look="night"), "look")
    result = suites.find("vs-bench").evaluate("random", 2, only=["CoinDilemma"], look="rotated+swapped")
    usual = suites.find("vs-bench").evaluate("random", 2, only=["CoinDilemma"])
    assert result["rows"][0]["raw"] == usual["rows"][0]["raw"] and result["header"] != usual["header"]


def test_the_guide_says_which_games_take_which_looks() -> None:
    guide = (Path(__file__).parent.parent / "docs/guides/looks.md").read_text("utf-8")
    every = {look for kind in KINDS.values() for look in kind}
    told: dict[str, set[str]] = {}
    for line in guide.splitlines():
        games, _, looks = line.strip("| ").partition(" | ")
        named = set(re.findall(r"`(\w+)`", looks))
        if looks.startswith("all"):
            named = every - named
        told |= {game: named for game in games.split(", ") if f"mmgames/{game}-v0" in mmgames.specs}
    assert told == {spec.name: set(looks_of(spec)[1:]) for spec in mmgames.specs.values() if spec.looks}


@pytest.mark.parametrize(("task", "look"), cases(__file__)["tasks"])
def test_questions_are_the_same_in_other_looks_and_right_answers_are_right_in_its_words(task: str, look: str) -> None:
    envs = [
        gymnasium.make(f"mmgames/{task}-v0", look=one, actions="text", size=160).unwrapped for one in ("usual", look)
    ]
    differ = Counter()
    for seed in range(12):
        (usual, _), (other, _) = (env.reset(seed=seed) for env in envs)
        differ["pictures"] += not np.array_equal(usual["rgb"], other["rgb"])
        differ["texts"] += usual["text"] != other["text"]
        first, second = (env.question for env in envs)
        assert first.correct == second.correct
        answers = [env.source.truth(env.question)["answer"] for env in envs]
        differ["answers"] += answers[0] != answers[1]
        for env, answer in zip(envs, answers, strict=True):
            *_, info = stepped = env.step(env.source.as_reply(answer))
            assert stepped[1] == 1.0, (answer, info)
    assert differ["texts"] == 12 or task in ("Reversi-Perceive", "Chess-Ask", "Gomoku-Ask", "TicTacToe-Ask")
    assert differ["texts"] > 0 and (differ["pictures"] == 12 or look == "compass")
    assert (differ["answers"] > 0) == (task.endswith(("Recognise", "Predict")))


def test_questions_refuse_looks_that_do_not_fit_them() -> None:
    def asked(task: str, **options: Any) -> Any:
        return lambda: gymnasium.make(f"mmgames/{task}-v0", **options)

    refused(asked("Reversi-Perceive", look="quarter"), "looks of colours, pieces and words, not quarter")
    refused(asked("Sudoku-Ask", look="night"), "Unknown look 'night' for mmgames/Sudoku-v0")
    refused(asked("Reversi-Rule", look="night", reading="released"), "the usual look alone")
    refused(asked("Spy-Count", look="night"), "the usual look alone")
