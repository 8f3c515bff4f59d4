"""The Gymnasium face passes Gymnasium's own checks, without a single warning."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env

from mmgames.baselines.random import Random
from mmgames.core.spec import GameSpec
from mmgames.errors import MmgamesError
from mmgames.testing.playing import SMALL, begin, choose, digest, episodes, few, sampled, strictly


def roles(spec: GameSpec) -> tuple[str, ...]:
    """The seats to try: all of them, or the first and the last where a picture is slow."""
    seats = begin(spec).game.seats
    return tuple(dict.fromkeys((seats[0], seats[-1]))) if spec.simulator.slow_picture else seats


def play_out(env: gymnasium.Env, seed: int, most: int = 40) -> list[tuple]:
    """What one seat gets from a random episode."""
    face: Any = env.unwrapped
    rng = np.random.default_rng(seed)
    env.action_space.seed(seed)
    seen: list[tuple] = [env.reset(seed=seed)]
    for _ in range(most):
        # Others may have ended the game before this seat's first turn; the step then only says so.
        action = choose(face.live, face.seat, rng) if face.live.movers else env.action_space.sample()
        seen.append(env.step(action))
        if seen[-1][2] or seen[-1][3]:
            break
    return seen


@pytest.mark.parametrize("observed", [{"size": SMALL}, {"observe": ("features",)}], ids=["all", "features"])
@strictly()
def test_every_seat_passes_the_environment_checker(spec: GameSpec, observed: dict[str, Any]) -> None:
    for role in roles(spec) if "size" in observed else roles(spec)[-1:]:  # the seats differ in what they see
        env = gymnasium.make(spec.id, seat=role, **observed)
        face: Any = sampled(env.unwrapped)
        assert env.spec is not None and env.metadata["render_modes"]  # so the checker tries every render mode
        check_env(face)
        env.close()


@strictly()
def test_whole_episodes_satisfy_the_passive_checker(spec: GameSpec) -> None:
    for role in roles(spec):
        env = gymnasium.make(spec.id, seat=role, size=SMALL)
        for observation, *_ in play_out(env, seed=5, most=few(spec, 40)):
            assert observation in env.observation_space
        env.close()


@strictly()
def test_rewards_add_up_to_the_return_in_every_seat(spec: GameSpec) -> None:
    """Also in seats whose first turn comes late, or never comes because the others end the game before it."""
    for role in roles(spec):
        env = gymnasium.make(spec.id, seat=role, observe="features")
        face: Any = env.unwrapped
        for seed in range(episodes(spec, 5)):
            rewards = [step[1] for step in play_out(env, seed, most=spec.length)[1:]]
            assert face.live.movers == ()
            assert sum(rewards) == pytest.approx(face.game.returns(face.live.state)[face.seat])


class Wobbly(Random):
    """Raises at its first turn, and never again."""

    raised = False

    def act(self, turn: Any) -> Any:
        if not self.raised:
            self.raised = True
            raise RuntimeError("no idea")
        return super().act(turn)


@strictly()
def test_an_agent_that_raises_breaks_the_episode_off(spec: GameSpec) -> None:
    for place, role in enumerate(roles(spec)) if len(spec.seats) > 1 else ():
        other = roles(spec)[place - 1]  # the rest play at random
        env = gymnasium.make(spec.id, seat=role, others={other: Wobbly()}, observe="features")
        face: Any = env.unwrapped
        rng = np.random.default_rng(3)
        with pytest.raises(RuntimeError, match="no idea"):
            face.reset(seed=3)
            for _ in range(spec.length):
                face.step(choose(face.live, face.seat, rng))
        for action in (env.action_space.sample(), None):
            with pytest.raises(MmgamesError) as caught:
                face.step(action)
            sentence = str(caught.value)
            assert "broke off when the agent Wobbly in seat" in sentence and "raised RuntimeError" in sentence
            assert sentence.endswith("reset() starts a new one.") and spec.id in sentence
        assert len(play_out(env, seed=3)) > 1


@strictly()
def test_the_mask_is_also_where_maskable_ppo_looks(discrete_spec: GameSpec) -> None:
    env: Any = gymnasium.make(discrete_spec.id, size=SMALL)
    observation, info = env.reset(seed=1)
    wanted = observation["action_mask"]
    assert np.array_equal(info["action_mask"], wanted)
    masks = env.unwrapped.action_masks()
    assert masks.dtype == bool and np.array_equal(masks, wanted.astype(bool))


@strictly()
def test_a_spec_made_of_names_survives_json(spec: GameSpec) -> None:
    seat = roles(spec)[-1]
    env = gymnasium.make(spec.id, seat=seat, others="random", observe=("rgb", "text"), size=SMALL, max_steps=7)
    assert env.spec is not None
    twin = gymnasium.make(EnvSpec.from_json(env.spec.to_json()))
    assert digest(play_out(twin, seed=9)) == digest(play_out(env, seed=9))


@strictly()
def test_copies_side_by_side_show_what_each_shows_alone(spec: GameSpec) -> None:
    shown: dict[str, Any] = {"size": SMALL, "observe": ("text", "rgb")}
    together: Any = gymnasium.make_vec(spec.id, num_envs=2, vectorization_mode="sync", **shown)
    observation, _ = together.reset(seed=[4, 5])
    for index, seed in enumerate((4, 5)):
        alone, _ = gymnasium.make(spec.id, **shown).reset(seed=seed)
        assert observation["text"][index] == alone["text"]
        assert np.array_equal(observation["rgb"][index], alone["rgb"])
    together.close()
