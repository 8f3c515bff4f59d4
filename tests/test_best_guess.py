"""The best guess at somebody's next move: from what can be seen alone, and better than any other."""

from collections import defaultdict
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mmgames.baselines.search import best_guess_dilemmas
from mmgames.baselines.search.best_guess import GUESSERS, author_shares, best_guess
from mmgames.baselines.search.best_guess_worlds import particles
from mmgames.core import registry
from mmgames.errors import MmgamesError
from mmgames.suites.papers.vs_bench import SUITE
from mmgames.tasks.predict import Seen, question
from mmgames.tasks.predict_recipes import RECIPES
from mmgames.tasks.questions import Style
from tests import environments
from tests.refusing import refused


def begun(name: str) -> Any:
    return environments.begun(environments.make(f"mmgames/{name}-Predict-v0", observe="text"))


def rights(name: str, questions: int) -> tuple[float, float]:
    env, rng = begun(name), np.random.default_rng(0)
    found = []
    for _ in range(questions):
        env.reset()
        asked = env.question
        right = best_guess(asked, rng) in [asked.names[action] for action in asked.correct]
        found.append((right, len(asked.correct) / len(asked.names)))
    return tuple(np.mean(found, axis=0))  # type: ignore[return-value]


def test_every_game_that_is_asked_about_has_its_guess() -> None:
    assert set(GUESSERS) == set(RECIPES)
    assert author_shares(RECIPES["Breakthrough"], 0) == {"minimax:3": 67.0, "minimax:4": 100.0, "minimax:5": 33.0}
    assert set(author_shares(RECIPES["Hanabi"], 1)) == {"rule_bot"}
    (row,) = SUITE.evaluate("best_guess", episodes=30, only=["KuhnPoker-Predict"])["rows"]
    assert row["raw"] > 70 and row["episodes"] == 30 and row["failed"] == 0
    assert set(row["by_action"]) == {"<BET>", "<PASS>"} and 0 < row["f1"] <= 100
    refused(lambda: SUITE.evaluate("best_guess", episodes=1, only=["KuhnPoker"]), "best_guess")


def test_in_kuhn_poker_no_other_guess_is_better() -> None:
    env, rng = begun("KuhnPoker"), np.random.default_rng(0)
    told: dict[str, list[Any]] = defaultdict(list)
    for _ in range(1500):
        env.reset()
        told[env.question.text].append(env.question)
    for asked in told.values():
        guess = best_guess(asked[0], rng)
        rate = {name: np.mean([number in one.correct for one in asked]) for number, name in asked[0].names.items()}
        assert rate[guess] >= max(rate.values()) - 2 * (0.25 / len(asked)) ** 0.5


@pytest.mark.parametrize("name", ["KuhnPoker", "Hanabi"])
def test_what_is_hidden_does_not_change_the_guess(name: str) -> None:
    loaded = registry.load(name)
    game, rng, env = loaded.game(), np.random.default_rng(0), begun(name)
    for _ in range(4):
        (moment, *_) = env.source._moments(rng)
        other = replace(moment, states=(game.imagine(moment.states[-1], moment.asked, rng),))
        guesses = {
            best_guess(question(loaded, game, replace(one, choices=()), Style(drawn=False)), np.random.default_rng(1))
            for one in (moment, replace(other, moves={moment.seat: game.legal(other.states[-1], moment.seat)[0]}))
        }
        assert len(guesses) == 1
        with pytest.raises(MmgamesError, match="hides something"):
            question(loaded, game, moment, Style(drawn=False)).seen.states()


FOUND_OUT = {"CoinDilemma": (40, 0.8, 0.5), "Pong": (20, 0.6, 0.5)}
FOUND_OUT |= {"KnightsArchersZombies": (60, 0.8, 0.25), "Particles": (60, 0.8, 0.25)}


@pytest.mark.parametrize("name", FOUND_OUT)
def test_who_plays_is_found_out_from_how_they_move(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(best_guess_dilemmas, "GAMES_PLAYED", 20)
    questions, least, most = FOUND_OUT[name]
    right, chance = rights(name, questions)
    assert right > least and chance < most


def test_speeds_and_the_landmark_that_is_meant_do_not_change_the_guess() -> None:
    game, rng, env = registry.load("Particles").game(scenario="adversary"), np.random.default_rng(0), begun("Particles")
    differ = 0
    for _ in range(6):
        (moment, *_) = env.source._moments(rng)
        others = tuple(game.imagine(state, moment.asked, rng) for state in moment.states)
        differ += others != moment.states
        shares = author_shares(RECIPES["Particles"], moment.seat)
        seen = [Seen(game, replace(moment, states=states)) for states in (moment.states, others)]
        first, second = (particles(each, shares) for each in seen)
        assert first == second and first[moment.moves[moment.seat]] > 0
    assert differ
