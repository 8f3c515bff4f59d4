"""Batches of games without a kernel: the same in any number of processes, and the same as games played alone."""

import os
import signal
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces

import mmgames
from mmgames.core import registry
from mmgames.core.actions import from_unit
from mmgames.core.live import LiveGame
from mmgames.core.seeding import row_stream
from mmgames.envs.process_batch import ProcessBatch
from mmgames.errors import MmgamesError
from tests.refusing import refused
from tests.toys import PUCK
from tests.toys import known as toys

MINES = "mmgames/Minesweeper-v0"


@pytest.fixture(autouse=True)
def known() -> Iterator[None]:
    with toys():
        yield


def some_steps(env: Any, count: int) -> list[Any]:
    told = []
    for _ in range(count):
        observation, rewards, terminated, truncated, _ = env.step(env.random_actions())
        told.append((observation["features"], observation["action_mask"], rewards, terminated, truncated))
    return told


def equal(one: list[Any], other: list[Any]) -> bool:
    pairs = zip(one, other, strict=True)
    return all(np.array_equal(a, b) for mine, theirs in pairs for a, b in zip(mine, theirs, strict=True))


def test_processes_change_nothing_and_one_that_is_killed_is_told_of() -> None:
    drift = mmgames.from_gymnasium("tests.guests.heap:guests/Drift-v3")
    here = ProcessBatch(drift, 5, threads=1)
    elsewhere = ProcessBatch(drift, 5, threads=2)
    try:
        first, second = here.reset(seed=4)[0], elsewhere.reset(seed=4)[0]
        assert np.array_equal(first["features"], second["features"])
        assert equal(some_steps(here, 20), some_steps(elsewhere, 20)), "more than two episodes each"
        worker = elsewhere._workers[1][0]
        os.kill(worker.pid, signal.SIGKILL)
        worker.join()
        with pytest.raises(MmgamesError, match=r"has died \(exit code -9\)\. threads=1 plays them in this one"):
            elsewhere.step(elsewhere.random_actions())
    finally:
        here.close()
        elsewhere.close()
    refused(lambda: ProcessBatch(PUCK, 4, threads=2), r"gave up; .* It says: There is no environment")


def test_rows_are_the_episodes_of_the_game() -> None:
    env = ProcessBatch(PUCK, 3, threads=1)
    observation, _ = env.reset(seed=7)
    assert observation["features"].shape == (3, 2, 6) and observation["action_mask"].shape == (3, 2, 2)
    loaded = registry.load(PUCK)
    alone = LiveGame(loaded, loaded.game())
    for episode in range(2):
        alone.start(np.random.default_rng(row_stream(7 + 1, f"episode {episode}")))
        while alone.movers:
            assert np.array_equal(observation["features"][1], [alone.features(seat) for seat in (0, 1)])
            assert observation["action_mask"][1].all()
            actions = env.random_actions()
            paid = alone.play({seat: actions[1, seat] for seat in (0, 1)})
            observation, rewards, terminated, _, _ = env.step(actions)
            np.testing.assert_allclose(rewards[1], paid, rtol=1e-6)
        assert terminated[1] and not observation["action_mask"][1].any()
        observation, rewards, terminated, _, _ = env.step(env.random_actions())
        assert not rewards[1].any() and not terminated[1], "the next step only starts it anew"


@pytest.mark.parametrize("game", [PUCK, MINES])
def test_what_is_saved_goes_on_bit_by_bit(game: str) -> None:
    env, other = ProcessBatch(game, 4, threads=1), ProcessBatch(game, 4, threads=1)
    env.reset(seed=1)
    some_steps(env, 30)
    saved = env.save()
    after = some_steps(env, 30)
    other.restore(saved)
    assert equal(after, some_steps(other, 30))
    refused(lambda: ProcessBatch(game, 3, threads=1).restore(saved), "of another kind of batch")


def test_rows_can_be_started_anew_time_can_be_short_and_an_illegal_action_ends_its_episode() -> None:
    env = ProcessBatch(PUCK, 3, threads=1, max_steps=2)
    first = env.reset(seed=1)[0]["features"]
    env.step(env.random_actions())
    fresh = env.reset(options={"reset_mask": np.array([True, False, False])})[0]["features"]
    assert not np.array_equal(fresh[0], first[0]), "another episode"
    *_, terminated, truncated, _ = env.step(env.random_actions())
    assert not terminated.any() and truncated.tolist() == [False, True, True]
    env = ProcessBatch(MINES, 2, threads=1)
    env.reset(seed=0)
    actions = env.random_actions()
    env.step(actions)
    again = env.random_actions()
    again[0] = actions[0]  # it is open already
    _, rewards, terminated, _, info = env.step(again)
    assert rewards[0, 0] == -1 and terminated[0] and info["illegal"].tolist() == [[True], [False]]


def test_what_cannot_be_played_in_batches_or_is_no_action_is_said() -> None:
    refused(lambda: ProcessBatch("mmgames/Spy-v0"), "is played in words")
    refused(lambda: ProcessBatch(PUCK, colour=1), "Unknown option 'colour'")
    env = ProcessBatch(PUCK, 2, threads=1)
    assert (env.state_space.low.min(), env.state_space.high.max()) == (-1, 1)
    refused(lambda: env.step(env.random_actions()), "call reset")
    env.reset(seed=0)
    for actions, sentence in (
        (np.zeros((2, 2), np.int64), r"takes numbers from -1 to 1 of shape \(2, 2, 2\), not int64"),
        (np.full((2, 2, 2), 1.5), "must lie between -1 and 1"),
        (np.full((2, 2, 2), np.nan), "must lie between -1 and 1"),
    ):
        refused(partial(env.step, actions), sentence)


def test_numbers_of_learners_are_scaled_to_the_bounds_which_are_told_to_who_is_to_move() -> None:
    wide = spaces.Box(np.array([-2, 0, 5], np.float32), np.array([2, 1, 5], np.float32))
    assert from_unit(wide, np.array([0.5, -3.0, 0.1, 9.0])).tolist() == [1.0, 0.0, 5.0]
    whole = spaces.Box(0, 10, (1, 2), np.int16)
    action = from_unit(whole, np.array([1.0, -0.41]))
    assert action.tolist() == [[10, 3]] and whole.contains(action)
    env = mmgames.parallel_env(PUCK, observe=("text", "legal_actions"))
    observations, _ = env.reset(seed=0)
    told = "2 numbers, each from -1 to 1"
    assert observations["left"]["legal_actions"] == (told,)
    assert observations["left"]["text"].endswith(f"## Legal actions\n{told}")
    assert env.observation_space("left").contains(observations["left"])
    while env.agents:
        observations, *_ = env.step({role: np.zeros(2, np.float32) for role in env.agents})
    assert observations["left"]["legal_actions"] == ()
    pendulum = mmgames.from_gymnasium("Pendulum-v1", words={"rules": "Swing it up."})
    seen, _ = mmgames.parallel_env(pendulum, observe="legal_actions").reset(seed=0)
    assert seen["player"]["legal_actions"] == ("1 number, from -2 to 2",)
