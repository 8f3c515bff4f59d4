"""Illegal actions are never replaced in silence, and a cap on the steps truncates."""

import contextlib
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces

from mmgames.core import registry
from mmgames.core.spec import GameSpec
from mmgames.envs.aec import AecEnv
from mmgames.envs.parallel import ParallelEnv
from mmgames.errors import IllegalAction, MmgamesError
from mmgames.testing.playing import begin, choose, illegal_actions, keys_but_pictures, malformed_actions, positions
from mmgames.text.refusals import REFUSAL_KINDS, Illegal


def assert_sentence(reason: str) -> None:
    assert "\n" not in reason and len(reason.split()) > 3 and reason[-1] in ".?", reason


def assert_refused(info: dict[str, Any]) -> None:
    """An info tells why an action is no move, and of which kind that is."""
    assert_sentence(info["illegal"])
    assert info["illegal_kind"] in REFUSAL_KINDS


def joint(env: Any, chosen: dict[int, Any]) -> dict[str, Any]:
    """What the parallel face takes for these seats."""
    return {env.possible_agents[seat]: action for seat, action in chosen.items()}


def faces(spec: GameSpec, **options: Any) -> tuple[Any, Any, Any]:
    """The AEC, the parallel and the Gymnasium face of a game, none of which draws."""
    options["observe"] = keys_but_pictures(spec)
    solo = gymnasium.make(spec.id, disable_env_checker=True, **options)
    return AecEnv(spec.id, **options), ParallelEnv(spec.id, **options), solo.unwrapped


def mid_game(env: Any, seed: int = 2) -> None:
    """Reset and play a transition, where the game is longer than that."""
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    if env.game.spec.length > 2:
        for _ in env.live.movers:
            env.step(choose(env.live, env.possible_agents.index(env.agent_selection), rng))


def test_aec_ends_for_everybody_and_says_why(spec: GameSpec) -> None:
    env = AecEnv(spec.id, observe=keys_but_pictures(spec))
    mid_game(env)
    for action in illegal_actions(env.live, env.possible_agents.index(env.agent_selection)):
        mid_game(env)
        offender = env.agent_selection
        env.step(action)
        assert env.rewards == {agent: -1.0 if agent == offender else 0.0 for agent in env.possible_agents}
        assert all(env.terminations.values()) and all(env.truncations.values())
        assert_refused(env.infos[offender])
        assert [agent for agent in env.possible_agents if "illegal" in env.infos[agent]] == [offender]
        for _ in env.possible_agents:
            env.step(None)
        assert env.agents == []


def test_parallel_fines_the_offender_and_ends(spec: GameSpec) -> None:
    env = ParallelEnv(spec.id, observe=keys_but_pictures(spec))
    env.reset(seed=3)
    for action in illegal_actions(env.live, env.live.movers[0]):
        env.reset(seed=3)
        rng = np.random.default_rng(3)
        guilty, *innocent = (env.possible_agents[seat] for seat in env.live.movers)
        actions = {role: choose(env.live, env.possible_agents.index(role), rng) for role in innocent}
        _, rewards, terminations, _, infos = env.step({guilty: action, **actions})
        assert rewards == {role: -1.0 if role == guilty else 0.0 for role in env.possible_agents}
        assert all(terminations.values()) and env.agents == []
        assert_refused(infos[guilty])
        assert [role for role in env.possible_agents if "illegal" in infos[role]] == [guilty]


def test_gymnasium_fines_and_ends(spec: GameSpec) -> None:
    env: Any = gymnasium.make(spec.id, observe=keys_but_pictures(spec), disable_env_checker=True)
    env.reset(seed=4)
    face = env.unwrapped
    for action in illegal_actions(face.live, face.seat):
        env.reset(seed=4)
        observation, reward, terminated, truncated, info = env.step(action)
        assert (reward, terminated, truncated) == (-1.0, True, False)
        assert_refused(info)
        assert observation in env.observation_space


def assert_raises(error: type[MmgamesError], spec: GameSpec, actions: Any, **options: Any) -> None:
    """Each of these actions raises one sentence in every face, and leaves the game standing."""
    rng = np.random.default_rng(5)
    aec, parallel, solo = faces(spec, **options)
    for env in (aec, parallel, solo):
        env.reset(seed=5)
        seat = solo.seat if env is solo else env.live.movers[0]
        state, chosen = env.state_value, {mover: choose(env.live, mover, rng) for mover in env.live.movers}
        for action in actions(env.live, seat):
            with pytest.raises(error) as caught:
                env.step(joint(env, {**chosen, seat: action}) if env is parallel else action)
            assert_sentence(str(caught.value))
            assert spec.id in str(caught.value) and isinstance(caught.value, IllegalAction) == (error is IllegalAction)
        assert env.state_value == state
        env.step(joint(env, chosen) if env is parallel else chosen[seat])


def test_what_is_no_action_at_all_raises_in_every_face(spec: GameSpec) -> None:
    """Whatever the policy for illegal moves is."""
    assert_raises(MmgamesError, spec, malformed_actions)


def test_what_the_action_space_refuses_is_never_a_move(spec: GameSpec) -> None:
    live = begin(spec, 5)
    for seat in live.movers:
        space = live.space(seat)
        for action in malformed_actions(live, seat):
            with contextlib.suppress(OverflowError):  # what Gymnasium before 1.4 says of very large numbers
                assert isinstance(space, spaces.Box) or action not in space
        for action in illegal_actions(live, seat):
            assert isinstance(live.check(seat, action), Illegal)
        space.seed(7)
        for _ in range(20):
            live.check(seat, space.sample())  # raises nothing


def test_random_legal_actions_are_moves_and_lie_in_the_space(spec: GameSpec) -> None:
    rng = np.random.default_rng(8)
    for live in positions(spec, seed=8, most=40):
        for seat in live.movers:
            action = live.sample(seat, rng)
            assert action in live.space(seat)
            assert not isinstance(live.check(seat, action), Illegal)


def test_a_legal_step_says_nothing_of_illegality(spec: GameSpec) -> None:
    env: Any = gymnasium.make(spec.id, observe=keys_but_pictures(spec))
    env.reset(seed=4)
    face = env.unwrapped
    *_, info = env.step(choose(face.live, face.seat, np.random.default_rng(4)))
    assert "illegal" not in info


def test_nobody_acts_out_of_turn(spec: GameSpec) -> None:
    for env in faces(spec):
        env.reset(seed=4)
        action = choose(env.live, env.live.movers[0], np.random.default_rng(4))
        for seat in set(range(len(env.game.seats))) - set(env.live.movers):
            refused = env._check(seat, action)
            assert isinstance(refused, Illegal)
            assert_sentence(refused.reason)


def test_illegal_error_raises_one_sentence_and_leaves_the_game_standing(spec: GameSpec) -> None:
    assert_raises(IllegalAction, spec, illegal_actions, illegal="error")


def test_max_steps_truncates_and_does_not_terminate(spec: GameSpec) -> None:
    rng = np.random.default_rng(6)
    aec, parallel, solo = faces(spec, max_steps=1)
    parallel.reset(seed=6)
    chosen = {seat: choose(parallel.live, seat, rng) for seat in parallel.live.movers}
    *_, terminations, truncations, _ = parallel.step(joint(parallel, chosen))
    over = not parallel.live.movers
    assert set(terminations.values()) == {over} and set(truncations.values()) == {not over}
    assert parallel.agents == []

    aec.reset(seed=6)
    for _ in aec.live.movers:
        aec.step(choose(aec.live, aec.possible_agents.index(aec.agent_selection), rng))
    over = not aec.live.movers
    assert set(aec.terminations.values()) == {over} and set(aec.truncations.values()) == {not over}

    solo.reset(seed=6)
    _, _, terminated, truncated, _ = solo.step(choose(solo.live, solo.seat, rng))
    assert truncated == (not terminated) == bool(solo.live.movers)


@pytest.mark.parametrize("cap", [1, 2, 3, 4])
def test_max_steps_counts_transitions_in_every_seat(spec: GameSpec, cap: int) -> None:
    """As the matches and the other faces count them: the moves of the others too, also before the first own turn."""
    for seat in range(len(registry.load(spec.id).game().seats)):
        env: Any = gymnasium.make(
            spec.id, seat=seat, observe=keys_but_pictures(spec), max_steps=cap, disable_env_checker=True
        ).unwrapped
        played: list[Any] = []
        play = env.live.play
        env.live.play = lambda moves, play=play, played=played: (played.append(moves), play(moves))[1]
        env.reset(seed=7)
        rng = np.random.default_rng(7)
        over = truncated = False
        while not over:
            assert len(played) <= cap
            going = env.live.movers and len(played) < cap
            action = choose(env.live, seat, rng) if going else env.action_space.sample()
            observation, _, terminated, truncated, info = env.step(action)
            assert "illegal" not in info
            over = terminated or truncated
        assert truncated == bool(env.live.movers)
        assert len(played) == cap or not truncated
        assert observation in env.observation_space
