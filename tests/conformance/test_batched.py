"""The batched face plays the same rules as the game, thousands of rows at a time."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import pytest

import mmgames
from mmgames.core import batch, registry
from mmgames.core.agents import known_agents
from mmgames.core.kernel import scramble
from mmgames.core.spec import GameSpec
from tests.conformance.playing import digest


def dice(noise: Any) -> Any:
    """A generator that draws exactly this noise, so that a single game can follow a row."""
    return SimpleNamespace(bit_generator=SimpleNamespace(random_raw=lambda: int(noise)))


def test_rows_follow_the_single_game(batched_spec: GameSpec) -> None:
    """Each row, replayed through `play`, `view`, `features` and `names`, gives what the batched face gave."""
    env = mmgames.vector_env(batched_spec.id, 5)
    rooms = registry.load(batched_spec.id)
    game, seats = env.game, range(len(env.seats))
    env.reset(seed=31)
    rng = np.random.default_rng(31)
    restarts = 0
    for _ in range(2 * batched_spec.length + 5 if batched_spec.length <= 100 else 150):
        rows, streams, over = env.rows.copy(), env._streams.copy(), env._over.copy()
        actions = rng.integers(game.num_actions, size=(5, len(env.seats)))
        observation, rewards, terminated, truncated, _ = env.step(actions)
        assert not truncated.any()
        for i in range(5):
            before, noise = batch.RowState(rows[i]), scramble(streams[i])
            if over[i]:
                restarts += 1
                after = game.start(dice(noise))
                assert not rewards[i].any()
            else:
                after = game.play(before, dict(enumerate(actions[i].tolist())), dice(noise))
                paid = np.subtract(game.returns(after), game.returns(before))
                assert rewards[i] == pytest.approx(paid)
            assert after == batch.RowState(env.rows[i])
            assert terminated[i] == (game.movers(after) == ())
            for seat in seats:
                view = game.view(after, seat)
                assert np.array_equal(observation["features"][i, seat], rooms.picture.features(view))
                if not terminated[i]:
                    mask = observation["action_mask"][i, seat]
                    assert np.flatnonzero(mask).tolist() == sorted(rooms.words.names(view))
    assert restarts or batched_spec.length > 100


def test_a_single_game_starts_like_a_row(batched_spec: GameSpec) -> None:
    env = mmgames.vector_env(batched_spec.id, 3)
    env.reset(seed=4)
    streams = env._streams - batch.GOLDEN
    for i in range(3):
        assert env.game.start(dice(scramble(streams[i]))) == batch.RowState(env.rows[i])


def test_what_was_returned_stays_as_it_was(batched_spec: GameSpec) -> None:
    env = mmgames.vector_env(batched_spec.id, 4)
    first, _ = env.reset(seed=1)
    kept = digest(first)
    actions = np.zeros((4, len(env.seats)), int)
    second = env.step(actions)
    kept_second = digest(second)
    env.step(actions)
    assert (digest(first), digest(second)) == (kept, kept_second)


def test_one_seat_of_many_episodes_is_what_gymnasium_expects(batched_spec: GameSpec) -> None:
    envs = [gymnasium.make_vec(batched_spec.id, num_envs=6) for _ in range(2)]
    histories = []
    for env in envs:
        observation, _ = env.reset(seed=8)
        assert observation in env.observation_space
        env.action_space.seed(8)
        seen = [digest(observation)]
        for _ in range(20):
            observation, rewards, terminated, truncated, _ = env.step(env.action_space.sample())
            assert observation in env.observation_space
            assert rewards.shape == terminated.shape == truncated.shape == (6,)
            seen.append(digest(observation, rewards, terminated))
        histories.append(seen)
        env.close()
    assert histories[0] == histories[1]


def test_every_compiled_agent_plays_every_seat(batched_spec: GameSpec) -> None:
    for name in (*batched_spec.agents, "random"):
        assert name in known_agents(batched_spec)
        for seat in batched_spec.seats:
            env = gymnasium.make_vec(batched_spec.id, num_envs=8, seat=seat, others=name)
            observation, _ = env.reset(seed=2)
            for _ in range(5):
                observation, *_ = env.step(np.zeros(8, int))
            assert observation in env.observation_space
            env.close()
