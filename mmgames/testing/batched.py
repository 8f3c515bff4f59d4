"""The batched face plays the same rules as the game, thousands of rows at a time."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import pytest

import mmgames
from mmgames.core import registry
from mmgames.core.agents import known_agents
from mmgames.core.game import CHANCE
from mmgames.core.kernel import scramble
from mmgames.core.spec import GameSpec
from mmgames.testing.playing import digest
from mmgames.testing.records import any_legal


def dice(noise: Any) -> Any:
    """A generator that draws exactly this noise, so that a single game can follow a row."""
    return SimpleNamespace(bit_generator=SimpleNamespace(random_raw=lambda: int(noise)))


def comes_to(game: Any, state: Any, wanted: Any, rng: Any) -> bool:
    """Whether a state is the wanted one, or becomes it by some outcome of chance."""
    if game.movers(state) != (CHANCE,):
        return state == wanted
    outcomes = [outcome for outcome, _ in game.chance(state)]
    return any(comes_to(game, game.play(state, {CHANCE: outcome}, rng), wanted, rng) for outcome in outcomes)


def test_rows_follow_the_single_game(batched_spec: GameSpec) -> None:
    """Each row, replayed through `play`, `returns`, `features` and `names`, gives what the batched face gave."""
    rows = 4
    env = mmgames.vector_env(batched_spec.id, rows)
    loaded = registry.load(batched_spec.id)
    game, seats = env.game, range(len(env.seats))
    observation, _ = env.reset(seed=31)
    rng = np.random.default_rng(31)
    restarts = 0
    for _ in range(2 * batched_spec.length + 5 if batched_spec.length <= 60 else 120):
        before, streams, over = env.rows.copy(), env._streams.copy(), env._over.copy()
        actions = any_legal(observation["action_mask"], rng)
        observation, rewards, terminated, truncated, _ = env.step(actions)
        assert not truncated.any()
        for i in range(rows):
            now, noise = game.state_of(env.rows[i]), dice(scramble(streams[i]))
            if over[i]:
                restarts += 1
                assert not rewards[i].any() and not any(game.returns(now))
            else:
                was = game.state_of(before[i])
                moves = {seat: int(actions[i, seat]) for seat in game.movers(was)}
                assert comes_to(game, game.play(was, moves, noise), now, noise)
                assert rewards[i] == pytest.approx(np.subtract(game.returns(now), game.returns(was)))
            assert terminated[i] == (game.movers(now) == ())
            for seat in seats:
                view = game.view(now, seat)
                assert np.array_equal(observation["features"][i, seat], loaded.picture.features(view))
                mask = observation["action_mask"][i, seat]
                assert terminated[i] or np.flatnonzero(mask).tolist() == sorted(loaded.words.names(view))
    assert restarts or batched_spec.length > 60


def test_rows_start_where_a_game_can_start(batched_spec: GameSpec) -> None:
    env = mmgames.vector_env(batched_spec.id, 12)
    env.reset(seed=4)
    states = [env.game.state_of(row) for row in env.rows]
    for state in states:
        assert env.game.movers(state) not in ((), (CHANCE,))
        assert not any(env.game.returns(state))
    assert (batched_spec.chance == "none") == all(state == states[0] for state in states)


def test_an_illegal_action_ends_its_row_and_costs_only_the_offender(batched_spec: GameSpec) -> None:
    env = mmgames.vector_env(batched_spec.id, 3)
    masks = env.reset(seed=6)[0]["action_mask"]
    actions = any_legal(masks, np.random.default_rng(6))
    forbidden = np.argwhere((masks == 0) & masks.any(axis=-1, keepdims=True))
    assert len(forbidden) == 0 or env.kernel.mask is not None
    for row, seat, action in forbidden[:1]:  # none where everybody may always do everything
        actions[row, seat] = action
        _, rewards, terminated, _, _ = env.step(actions)
        assert terminated.tolist() == [i == row for i in range(3)]
        assert rewards[row].tolist() == [-1.0 if other == seat else 0.0 for other in range(len(env.seats))]


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
            rng = np.random.default_rng(2)
            for _ in range(5):
                observation, *_ = env.step(any_legal(observation["action_mask"], rng))
            assert observation in env.observation_space
            env.close()
