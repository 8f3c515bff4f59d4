"""Environments in the middle of a game, and states, are values: copies and pickles play on alike and apart."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest

from mmgames.core.spec import GameSpec
from mmgames.envs.aec import AecEnv
from mmgames.envs.parallel import ParallelEnv
from mmgames.testing import playing
from mmgames.testing.playing import SMALL, advance, begin, choose, digest, episodes, few, moves, positions

COPIERS: dict[str, Callable[[Any], Any]] = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda thing: pickle.loads(pickle.dumps(thing)),
}
FACES: dict[str, Callable[..., Any]] = {"aec": AecEnv, "parallel": ParallelEnv, "solo": gymnasium.make}


def shown(spec: GameSpec) -> dict[str, Any]:
    """What the seats of an environment are to see: everything, but for pictures that take their time."""
    keys = playing.keys_but_pictures if spec.simulator.slow_picture else playing.all_keys
    return {"observe": keys(spec), "size": SMALL}


def looks(env: Any) -> str:
    """All that the seats of an environment can see just now."""
    face = env.unwrapped
    return digest([face._observe(seat) for seat in range(len(face.game.seats))], face.live.totals)


def act(env: Any, rng: np.random.Generator) -> str:
    """One random action (a joint one in the parallel face) and what came of it; over and over at the end."""
    face: Any = env.unwrapped
    if isinstance(env, gymnasium.Env):
        if face._over:
            return "over"
        return digest(env.step(choose(face.live, face.seat, rng)))
    if not env.agents:
        return "over"
    roles = env.possible_agents
    if hasattr(env, "agent_selection"):
        agent = env.agent_selection
        finished = env.terminations[agent] or env.truncations[agent]
        env.step(None if finished else choose(face.live, roles.index(agent), rng))
        return digest(env.rewards, env.terminations, env.infos)
    return digest(env.step({roles[seat]: choose(face.live, seat, rng) for seat in face.live.movers}))


def go_to_mid_game(env: Any) -> None:
    """Start an episode and play a few actions of it, fewer in games that seldom last that long."""
    for actions in (3, 2, 1, 0):
        for seed in range(11, 21):
            env.reset(seed=seed)
            rng = np.random.default_rng(seed)
            for _ in range(actions):
                act(env, rng)
            if env.unwrapped.live.movers:
                return
    raise AssertionError("every episode ends with its first action")


def play_on(env: Any, actions: int) -> list[str]:
    rng = np.random.default_rng(99)
    return [act(env, rng) + looks(env) for _ in range(actions)]


@pytest.mark.parametrize("face", FACES)
def test_copies_made_mid_game_play_on_alike_and_apart(spec: GameSpec, face: str) -> None:
    env = FACES[face](spec.id, **shown(spec), frames=2)
    go_to_mid_game(env)
    before = looks(env)
    stories = []
    for way, copier in COPIERS.items():
        twin = copier(env)
        assert looks(twin) == before, way
        stories.append(play_on(twin, few(spec, 7)))
        assert looks(env) == before, f"playing the copy moved the original ({way})"
    own = play_on(env, few(spec, 7))
    assert len(set(own)) > 1
    assert stories == [own] * len(COPIERS)


@pytest.mark.parametrize("face", FACES)
def test_copies_can_be_made_before_the_first_reset(spec: GameSpec, face: str) -> None:
    env = FACES[face](spec.id, **shown(spec))
    for copier in COPIERS.values():
        twin = copier(env)
        twin.reset(seed=2)
        env.reset(seed=2)
        assert looks(twin) == looks(env)
        env = FACES[face](spec.id, **shown(spec))


def test_states_compare_by_value(spec: GameSpec) -> None:
    for live in positions(spec, seed=6, most=20):
        state = live.state
        for twin in (copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
            assert twin == state
            seats = (*range(len(live.game.seats)), None)
            assert [live.game.view(twin, seat) for seat in seats] == [live.view(seat) for seat in seats]


def test_a_transition_gives_a_different_state(spec: GameSpec) -> None:
    live, rng = begin(spec, 8), np.random.default_rng(8)
    visited = [live.state]
    while live.movers and len(visited) < 12:
        advance(live, rng)
        assert all(live.state != earlier for earlier in visited), "two positions of one episode compare equal"
        visited.append(live.state)


def test_playing_and_looking_leave_a_state_as_it_was(spec: GameSpec) -> None:
    for live in positions(spec, seed=4, most=episodes(spec, 15)):
        game, state = live.game, live.state
        kept = pickle.loads(pickle.dumps(state))  # an immutable state may well be its own deep copy
        seats = (*range(len(game.seats)), None)
        looked = [digest(game.view(state, seat)) for seat in seats]
        game.returns(state)
        game.events(state)
        for seat in live.movers:
            game.legal(state, seat)
        chosen = {seat: choose(live, seat, np.random.default_rng(0)) for seat in live.movers}
        if chosen:
            game.play(state, moves(live, chosen), np.random.default_rng(1))
        assert state == kept
        assert [digest(game.view(state, seat)) for seat in seats] == looked


def test_play_depends_on_nothing_but_state_actions_and_rng(spec: GameSpec) -> None:
    for live in positions(spec, seed=13, most=episodes(spec, 8)):
        if not live.movers:
            break
        chosen = moves(live, {seat: choose(live, seat, np.random.default_rng(6)) for seat in live.movers})
        once, again = (live.game.play(live.state, chosen, np.random.default_rng(5)) for _ in range(2))
        assert once == again
