"""The batched face plays the same rules as the game, thousands of rows at a time."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import pytest

import mmgames
from mmgames.core import registry
from mmgames.core.agents import known_agents, make_agent
from mmgames.core.batch import GOLDEN
from mmgames.core.errors import IllegalAction
from mmgames.core.game import CHANCE
from mmgames.core.kernel import below, scramble
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
    restarts = 0
    for _ in range(2 * batched_spec.length + 5 if batched_spec.length <= 60 else 120):
        before, streams, over = env.rows.copy(), env._streams.copy(), env._terminated.copy()
        actions = env.random_actions()
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


class Follower:
    """One row of `gym.make_vec`, played again through the Game contract with the same noise."""

    def __init__(self, env: Any, i: int) -> None:
        self.game, self.seat, self.kernel, self.most = env.game, env.seat, env.kernel, env.max_steps or 10**9
        self.stream, self.agent_stream = int(env._streams[i]), int(env._agent_streams[i])

    def noise(self, agent: bool = False) -> Any:
        name = "agent_stream" if agent else "stream"
        now = getattr(self, name)
        setattr(self, name, (now + int(GOLDEN)) % 2**64)
        return np.uint64(scramble(np.uint64(now)))

    def settled(self, state: Any) -> Any:
        while self.game.movers(state) == (CHANCE,):
            draw = (int(self.noise()) >> 11) * 2.0**-53
            for outcome, probability in self.game.chance(state):  # noqa: B007 - the last takes the rounding
                if draw < probability:
                    break
                draw -= probability
            state = self.game.play(state, {CHANCE: outcome}, dice(0))
        return state

    def start(self) -> Any:
        self.state, self.steps, self.paid = self.settled(self.game.start(dice(self.noise()))), 0, 0.0
        self.others_move()

    def choose(self, seat: int) -> int:
        out, noise = np.empty(self.kernel.room, np.int64), self.noise(agent=True)
        if self.kernel.moves is None:
            return int(below(noise, self.kernel.num_actions))
        return int(out[below(noise, self.kernel.moves(self.game.row_of(self.state), seat, out))])

    def play(self, moves: dict[int, int]) -> None:
        moves |= {seat: self.choose(seat) for seat in self.game.movers(self.state) if seat != self.seat}
        self.state = self.settled(self.game.play(self.state, moves, dice(self.noise())))
        self.steps += 1

    def others_move(self) -> None:
        while self.steps < self.most and self.game.movers(self.state) and self.seat not in self.game.movers(self.state):
            self.play({})

    def step(self, action: int) -> tuple[float, bool, bool]:
        if self.game.movers(self.state) and self.steps < self.most:
            self.play({self.seat: action})
            self.others_move()
        total = self.game.returns(self.state)[self.seat]
        reward, self.paid = total - self.paid, total
        over = not self.game.movers(self.state)
        return reward, over, not over and self.steps >= self.most


@pytest.mark.parametrize("max_steps", [None, 7])
def test_one_seat_meets_the_decisions_of_the_single_game(batched_spec: GameSpec, max_steps: int | None) -> None:
    """The others play until it is this seat's turn again, at the beginning too; rewards add up meanwhile."""
    seat = len(registry.load(batched_spec.id).game().seats) - 1
    env: Any = gymnasium.make_vec(batched_spec.id, num_envs=3, seat=seat, max_steps=max_steps).unwrapped
    env.reset(seed=3)
    env._streams[:], env._agent_streams[:] = np.arange(3) + 5, np.arange(3) + 50
    followers = [Follower(env, i) for i in range(3)]
    observation, _ = env.reset()
    for follower in followers:
        follower.start()
    rng, ended, ends = np.random.default_rng(3), np.zeros(3, bool), 0
    for _ in range(60):
        for i, follower in enumerate(followers):
            assert env.game.state_of(env.rows[i]) == follower.state
            assert np.array_equal(observation["features"][i], env.kernel.seen(env.rows[i], seat))
            assert ended[i] or observation["action_mask"][i].any(), "it is this seat's turn"
        actions = any_legal(observation["action_mask"], rng)
        observation, rewards, terminated, truncated, _ = env.step(actions)
        for i, follower in enumerate(followers):
            expected = (0.0, False, False)
            if ended[i]:
                follower.start()
            else:
                expected = follower.step(int(actions[i]))
            assert (rewards[i], terminated[i], truncated[i]) == pytest.approx(expected)
        ended = terminated | truncated
        ends += int(ended.sum())
    assert ends or (batched_spec.length > 60 and max_steps is None)


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
    assert len(forbidden) == 0 or env.kernel.moves is not None
    for row, seat, action in forbidden[:1]:  # none where everybody may always do everything
        actions[row, seat] = action
        strict = mmgames.vector_env(batched_spec.id, 3, illegal="error")
        strict.reset(seed=6)
        with pytest.raises(IllegalAction, match=f"{action} is not legal .* episode {row}"):
            strict.step(actions)
        _, rewards, terminated, _, info = env.step(actions)
        assert terminated.tolist() == [i == row for i in range(3)]
        assert np.argwhere(info["illegal"]).tolist() == [[row, seat]]
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
        compiled = hasattr(type(make_agent(name, batched_spec)), "policy") or name == "random"
        for seat in batched_spec.seats if compiled else ():
            env = gymnasium.make_vec(batched_spec.id, num_envs=8, seat=seat, others=name)
            observation, _ = env.reset(seed=2)
            rng = np.random.default_rng(2)
            for _ in range(5):
                observation, *_ = env.step(any_legal(observation["action_mask"], rng))
            assert observation in env.observation_space
            env.close()
