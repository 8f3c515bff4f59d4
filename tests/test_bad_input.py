"""What cannot be had is refused in a sentence that names the thing and says how to mend it."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest

import mmgames
from mmgames.agents.finding import make_agent
from mmgames.baselines.random import Random
from mmgames.core import registry
from mmgames.core.spec import Agents, Option
from mmgames.errors import IllegalAction
from tests.environments import begun
from tests.players import Acts
from tests.refusing import refused

COIN = "mmgames/CoinDilemma-v0"
TURNS = "mmgames/TicTacToe-v0"
ALONE = "mmgames/Sudoku-v0"


BOTH: dict[str, Callable[..., Any]] = {"aec": mmgames.aec_env, "parallel": mmgames.parallel_env}
MAKERS = {**BOTH, "vector": lambda id, **options: mmgames.vector_env(id, 2, **options)}
FACES = {**BOTH, "solo": lambda id, **options: gymnasium.make(id, **options)}


@pytest.mark.parametrize("face", MAKERS)
def test_an_unknown_environment_gets_the_nearest_suggested_if_there_is_one(face: str) -> None:
    for wrong in ("mmgames/CoinDilema-v0", "mmgames/coindilemma-v0", "mmgames/CoinDilemma-v9"):
        refused(partial(MAKERS[face], wrong), repr(wrong), f"Did you mean {COIN!r}?", "mmgames list")
    assert "Did you mean" not in refused(lambda: MAKERS[face]("xyzzy"), "'xyzzy'", "mmgames list")
    refused(lambda: MAKERS[face](3), "3", "mmgames list")


@pytest.mark.parametrize("make", [gymnasium.make, lambda id, **kw: gymnasium.make_vec(id, 2, **kw)])
def test_an_unknown_agent_or_seat_gets_the_nearest_suggested(make: Callable[..., Any]) -> None:
    named = ("agent 'self_intrest'", COIN, "random", "Did you mean 'self_interest'?")
    refused(lambda: make(COIN, others="self_intrest"), *named)
    refused(lambda: make(COIN, seat="bleu"), "seat 'bleu'", COIN, "red, blue", "Did you mean 'blue'?")
    for seat in (2, -1, True, 0.5):
        refused(partial(make, COIN, seat=seat), f"seat {seat!r}", "red, blue")


def test_agents_and_options_of_theirs_that_cannot_be_had_are_named() -> None:
    refused(lambda: gymnasium.make(COIN, others="minimax"), "agent 'minimax'", "Known:")
    spec = registry.find(TURNS)
    refused(lambda: make_agent("random:speed=3", spec), "option 'speed'", "agent 'random'", "Known: none")
    refused(lambda: make_agent("random:3", spec), "Agent 'random' takes no option '3'. Known: none.")
    refused(lambda: make_agent("minimax:dept=3", spec), "option 'dept'", "agent 'minimax'", "Did you mean 'depth'?")
    things: tuple[Any, ...] = (3, object(), ["random"])
    for thing in things:
        refused(partial(make_agent, thing, spec), type(thing).__name__, "act(turn)")
    agent = Random()
    assert make_agent(agent, spec) is agent
    elsewhere = Agents({"learned": "surely_not_installed:Policy", "lost": "mmgames.gone:Lost"})
    spec = replace(registry.find(TURNS), agents=elsewhere)
    assert "pip" not in refused(lambda: make_agent("learned", spec), "'learned'", "surely_not_installed")
    assert "pip" not in refused(lambda: make_agent("lost", spec), "'lost'", "mmgames.gone")


def test_others_must_fit_the_other_seats() -> None:
    refused(lambda: gymnasium.make(COIN, others=["random", "random"]), "2 agents", "1 other seat", "blue")
    refused(lambda: gymnasium.make(COIN, others=[]), "0 agents", "blue")
    refused(lambda: gymnasium.make(COIN, others={"bleu": "random"}), "seat 'bleu'", "Did you mean 'blue'?")
    refused(lambda: gymnasium.make(COIN, seat="red", others={"red": "random"}), "seat 'red'", "Known: blue")
    refused(lambda: gymnasium.make(ALONE, others=["solver"]), "1 agents", f"{ALONE} has no other seats.")
    assert registry.find("CoinDilemma") is registry.find("CoinDilemma-v0") is registry.find(COIN)


@pytest.mark.parametrize("make", [mmgames.aec_env, mmgames.parallel_env])
def test_faces_of_all_seats_take_no_seat_and_no_others(make: Callable[..., Any]) -> None:
    for name in ("seat", "others"):
        message = refused(partial(make, TURNS, **{name: "random"}), f"{name}=", "give all seats", "gym.make", TURNS)
        assert "Unknown" not in message and "Did you mean" not in message
    listing = refused(partial(make, TURNS, xyzzy=1), "Known: ", "max_steps", "max_cycles").partition("Known: ")[2]
    assert "seat" not in listing and "others" not in listing
    refused(lambda: gymnasium.make(TURNS, xyzzy=1), "Known: ", ", seat, others, ")


def test_numbers_that_cannot_be_are_refused_in_one_sentence() -> None:
    for name in ("episodes", "processes", "seed", "max_steps"):
        refused(partial(mmgames.match, TURNS, "random", **{"episodes": 2, name: True}), "True")
    for clues in (81, 23, 1, -1, 24.5, "many"):
        sentence = "is not possible; give 24 to 80, or 0 for as many as the difficulty says."
        refused(partial(gymnasium.make, ALONE, clues=clues), f"{ALONE}: clues={clues!r} {sentence}")
    assert mmgames.load_game(ALONE, clues=30, difficulty="hard").clues == (30, 30)
    assert mmgames.load_game(ALONE, clues=60).clues == (60, 60)
    named = ("clues=60", "difficulty='hard'", "27 to 31", ALONE)
    refused(lambda: gymnasium.make(ALONE, clues=60, difficulty="hard"), *named)
    for action in (float("inf"), float("-inf"), float("nan")):
        env = begun(gymnasium.make("mmgames/TicTacToe-Rule-v0", actions="discrete", disable_env_checker=True), 1)
        _, reward, terminated, _, info = env.step(action)
        assert (reward, terminated) == (0.0, True) and "is not one of the answers" in info["illegal"]


@pytest.mark.parametrize("make", FACES.values(), ids=FACES)
@pytest.mark.filterwarnings("ignore:.*render_modes")  # gymnasium.make has its say before the environment
def test_every_face_refuses_what_it_does_not_know(make: Callable[..., Any]) -> None:
    refused(lambda: make(COIN, obseve="rgb"), "option 'obseve'", COIN, "Did you mean 'observe'?")
    refused(lambda: make(COIN, xyzzy=1), "option 'xyzzy'", "Known:")
    refused(lambda: make(COIN, observe="rbg"), "observation 'rbg'", "Did you mean 'rgb'?")
    refused(lambda: make(COIN, observe=("rgb", "txt")), "observation 'txt'", "Did you mean 'text'?")
    refused(lambda: make(COIN, observe=()), "observe=", "rgb", COIN)
    for size in (0, 63, 2049, -512, 64.5, "512", None):
        refused(partial(make, COIN, size=size), f"size={size!r}", "64", "2048", COIN)
    for frames in (0, -1, 65, 1.5, "3"):
        refused(partial(make, COIN, frames=frames), f"frames={frames!r}", "64", COIN)
    refused(lambda: make(COIN, render_mode="rgb_aray"), "render mode 'rgb_aray'", "Did you mean 'rgb_array'?")
    refused(lambda: make(COIN, illegal="penalise"), "illegal policy 'penalise'", "penalty, error")
    refused(lambda: make(COIN, reasoning="coat"), "reasoning 'coat'", "Did you mean 'cot'?")
    for cap in (0, -3, 2.5, "9", True):
        refused(partial(make, COIN, max_steps=cap), f"max_steps={cap!r}", "at least 1", COIN)
    refused(make(COIN, render_mode="ansi").unwrapped.render, "reset()", COIN)


def test_options_of_a_game_are_checked_by_its_spec() -> None:
    options = {"players": Option(2, "how many play", low=2, high=5)}
    options["board"] = Option("small", "which board", choices=("small", "large"))
    options["chance"] = Option(0.5, "how often it rains", low=0.0, high=1.0)
    spec = replace(registry.find(TURNS), options=options)
    check = spec.check_options
    assert check({"players": np.int64(3), "chance": 1}) == {"players": 3, "board": "small", "chance": 1.0}
    assert type(check({"players": 3.0})["players"]) is int
    assert check({"players": 3}) == {"players": 3, "board": "small", "chance": 0.5}
    refused(lambda: check({"players": 6}), "players=6", "at least 2", "at most 5", spec.id)
    refused(lambda: check({"players": "3"}), "players", "a whole number", "'3'")
    refused(lambda: check({"players": 2.5}), "players", "a whole number", "2.5")
    for wrong in (True, float("nan"), float("inf")):
        refused(partial(check, {"players": wrong}), "players", str(wrong))
    refused(lambda: check({"chance": 1.5}), "chance=1.5", "at most 1")
    refused(lambda: check({"chance": float("nan")}), "chance", "nan")
    refused(lambda: check({"board": "larg"}), "board='larg'", "'small', 'large'", "Did you mean 'large'?")
    refused(lambda: check({"bord": "large"}), "option 'bord'", "Did you mean 'board'?")


def test_real_options_are_checked_in_every_face(spec: Any) -> None:
    for name, option in spec.options.items():
        checked = option.choices or option.low is not None or option.high is not None
        for make in FACES.values() if checked else ():
            refused(partial(make, spec.id, **{name: object()}), name, spec.id)


def test_text_does_not_travel_through_shared_memory() -> None:
    def make(**kwargs: Any) -> Any:
        return gymnasium.make_vec(TURNS, num_envs=2, vectorization_mode="async", size=96, **kwargs)

    refused(make, "shared memory", "shared_memory=False")
    for observe in (("rgb", "text"), ("legal_actions",)):
        refused(partial(make, observe=observe), "shared_memory=False")
    with_pipes = make(vector_kwargs={"shared_memory": False})
    observation, _ = with_pipes.reset(seed=[3, 4])
    alone = [gymnasium.make(TURNS, size=96).reset(seed=seed)[0] for seed in (3, 4)]
    assert tuple(observation["text"]) == tuple(one["text"] for one in alone)
    assert tuple(observation["legal_actions"]) == tuple(one["legal_actions"] for one in alone)
    with_pipes.step(np.array([0, 4]))
    with_pipes.close()
    numbers_only = make(observe=("rgb", "features", "action_mask"))
    observation, _ = numbers_only.reset(seed=[3, 4])
    assert observation["rgb"].shape[0] == 2
    numbers_only.close()


@pytest.mark.parametrize("id", [COIN, TURNS])
def test_steps_before_the_first_reset_and_after_the_end_are_refused(id: str) -> None:
    aec, parallel = mmgames.aec_env(id, max_steps=1), mmgames.parallel_env(id, max_steps=1)
    solo: Any = gymnasium.make(id, max_steps=1).unwrapped
    refused(lambda: aec.step(0), "reset()", id)
    refused(lambda: aec.observe(aec.possible_agents[0]), "reset()", id)
    refused(lambda: parallel.step(dict.fromkeys(parallel.possible_agents, 0)), "reset()", id)
    refused(lambda: solo.step(0), "reset()", id)
    aec.reset(seed=1)
    while aec.agents:
        agent = aec.agent_selection
        aec.step(None if aec.terminations[agent] or aec.truncations[agent] else 0)
    parallel.reset(seed=1)
    parallel.step(dict.fromkeys(parallel.possible_agents, 0))
    solo.reset(seed=1)
    solo.step(solo.game.legal(solo.live.state, solo.seat)[0])
    refused(lambda: aec.step(0), "reset()", id)
    refused(lambda: parallel.step(dict.fromkeys(parallel.possible_agents, 0)), "reset()", id)
    refused(lambda: solo.step(0), "reset()", id)
    refused(lambda: mmgames.vector_env(COIN, 2).step(np.zeros((2, 2), int)), "reset()", COIN)


def test_seats_and_actions_that_do_not_exist_are_refused() -> None:
    parallel = begun(mmgames.parallel_env(COIN, observe="features"), 1)
    refused(lambda: parallel.step({"red": 0, "bleu": 0}), "seat 'bleu'", "Did you mean 'blue'?")
    refused(lambda: parallel.step({"red": 0}), "'blue'", "to move", COIN)
    aec = begun(mmgames.aec_env(COIN, observe="features"), 1)
    refused(lambda: aec.observe("bleu"), "seat 'bleu'", "Did you mean 'blue'?")
    env = begun(gymnasium.make(TURNS, illegal="error", disable_env_checker=True), 1)
    taken = env.step(4)[0]["action_mask"].argmin()
    refused(lambda: env.step(taken), f"{taken!r} is not legal", "Legal:", TURNS, kind=IllegalAction)


def test_who_plays_illegally_loses_one_point_and_the_others_get_nothing_more() -> None:
    env = begun(mmgames.aec_env("mmgames/Hanabi-v0"), 1)
    env.step(5)
    assert env.rewards == {"player_0": 1.0, "player_1": 1.0}, "the first card begins a firework"
    env.step(0)  # nothing is discarded while all hints are there
    assert env.rewards == {"player_0": 0, "player_1": -1} and env._cumulative_rewards == {"player_0": 1, "player_1": -1}
    assert all(env.terminations.values()) and all(env.truncations.values())


def test_what_batches_and_agents_cannot_do_is_refused() -> None:
    env = mmgames.vector_env(COIN, 3)
    for early in (partial(env.step, np.zeros((3, 2), int)), env.state, env.save):
        refused(early, "call reset() before", COIN)
    env.reset(seed=1)
    shapes: tuple[Any, ...] = (np.zeros(3, int), np.zeros((2, 2), int), np.zeros((3, 3), int), 0)
    for wrong in shapes:
        refused(partial(env.step, wrong), "(3, 2)", str(np.shape(wrong)), COIN)
    refused(lambda: env.step(np.zeros((3, 2))), "whole numbers", "float64")
    for action in (-1, 5):
        refused(partial(env.step, np.full((3, 2), action)), "between 0 and 4", COIN)
    one_seat = begun(gymnasium.make_vec(COIN, num_envs=3), 1)
    refused(lambda: one_seat.step(np.zeros((3, 2), int)), "(3,)", "(3, 2)")
    refused(lambda: one_seat.step(np.zeros(3)), "whole numbers", "float64")
    refused(lambda: one_seat.step(np.full(3, 5)), "between 0 and 4")
    counts: tuple[Any, ...] = (0, -1, 1.5, "2", True)
    for rows in counts:
        refused(partial(mmgames.vector_env, COIN, rows), f"num_envs={rows!r}", "at least 1", COIN)
    refused(lambda: mmgames.vector_env(ALONE, 2), ALONE, "no compiled kernel", "vectorization_mode='sync'")
    refused(lambda: mmgames.vector_env(COIN, 2, colour="red"), "option 'colour'", COIN)
    refused(lambda: gymnasium.make_vec(COIN, 2, others=Acts(0)), "Acts", "vectorization_mode='sync'")
    env = begun(gymnasium.make(COIN, others=Acts(77)), 1)
    refused(lambda: env.step(0), "Acts", "'blue'", "a whole number from 0 to 4, not 77")
    env = begun(gymnasium.make(TURNS, others=Acts(4)), 1)
    refused(lambda: env.step(4), "Acts", "'o'", "4 is not legal")
