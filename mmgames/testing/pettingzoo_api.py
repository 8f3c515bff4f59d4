"""The AEC and parallel faces pass PettingZoo's own test kits."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pettingzoo
from pettingzoo import test as kit

from mmgames.core.spec import GameSpec
from mmgames.envs.aec import AecEnv
from mmgames.envs.base import modes_here
from mmgames.envs.parallel import ParallelEnv
from mmgames.testing.playing import SMALL, all_keys, choose, few, sampled, strictly

# Advice of the kits that our flat observation dict, role names and free text knowingly do not take.
ACCEPTED = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
    "Action space for each agent probably should be",
    "We recommend agents to be named in the format",
    "Agents have different observation space sizes",  # the seats of a game may look at different pictures
    "Action mask numpy array is all zeros",  # whoever has finished has nothing left to do
    "State numpy array is all zeros",  # in some position everything may be in the middle of its range
)
CYCLES = 25


@strictly(*ACCEPTED)
def test_aec_follows_the_api(spec: GameSpec) -> None:
    kit.api_test(sampled(AecEnv(spec.id, size=SMALL)), num_cycles=few(spec, CYCLES))
    kit.api_test(sampled(AecEnv(spec.id, size=SMALL, observe=all_keys(spec), frames=2)), num_cycles=3)


@strictly(*ACCEPTED)
def test_parallel_follows_the_api(spec: GameSpec) -> None:
    kit.parallel_api_test(sampled(ParallelEnv(spec.id, size=SMALL)), num_cycles=few(spec, CYCLES))
    kit.parallel_api_test(sampled(ParallelEnv(spec.id, size=SMALL, observe=all_keys(spec), frames=2)), num_cycles=3)


@strictly(*ACCEPTED)
def test_aec_is_deterministic_by_the_kit(spec: GameSpec) -> None:
    kit.seed_test(lambda: AecEnv(spec.id, size=SMALL), num_cycles=few(spec, CYCLES))


@strictly(*ACCEPTED)
def test_parallel_is_deterministic_by_the_kit(spec: GameSpec) -> None:
    kit.parallel_seed_test(lambda: ParallelEnv(spec.id, size=SMALL), num_cycles=few(spec, CYCLES))


@strictly(*ACCEPTED)
def test_the_global_state_passes_the_kit(spec: GameSpec) -> None:
    faces = [sampled(make(spec.id, observe="features")) for make in (AecEnv, ParallelEnv)]
    kit.state_test(*faces, num_cycles=few(spec, 10))
    for env in faces:
        last = env.state()
        env.reset(seed=1)
        assert last.any() or env.state().any(), "The global state is all zeros, at the start and after random play."
        assert env.state_space is not None and env.state() in env.state_space
        seen = [env._observe(seat)["features"] for seat in range(len(env.possible_agents))]
        assert np.array_equal(env.state(), np.concatenate(seen))


@strictly(*ACCEPTED)
def test_every_render_mode_renders(spec: GameSpec) -> None:
    def make(render_mode: str) -> AecEnv:
        return sampled(AecEnv(spec.id, size=SMALL, render_mode=render_mode))

    if "human" in modes_here():
        kit.render_test(make)
    else:  # PettingZoo's test begins with a window, and not everybody who writes a game has a package for that
        for mode in modes_here():
            assert make(mode).render() is not None


def legal_only(env: Any, agent: str) -> Any:
    """Stands in for an action space whose samples are legal moves; the kit knows no masks."""
    live, seat, rng = env.live, env.possible_agents.index(agent), np.random.default_rng(7)
    return SimpleNamespace(sample=lambda: choose(live, seat, rng))


@strictly(*ACCEPTED)
def test_max_cycles_truncates_simultaneous_games(simultaneous_spec: GameSpec) -> None:
    class Aec(AecEnv):
        action_space = legal_only

    class Parallel(ParallelEnv):
        action_space = legal_only

    id = simultaneous_spec.id
    kit.max_cycles_test(
        SimpleNamespace(
            env=lambda max_cycles: sampled(Aec(id, size=SMALL, max_cycles=max_cycles)),
            parallel_env=lambda max_cycles: sampled(Parallel(id, size=SMALL, max_cycles=max_cycles)),
        )
    )


@strictly(*ACCEPTED)
def test_the_registry_makes_the_same_environments(spec: GameSpec) -> None:
    aec = pettingzoo.make("aec", spec.id, size=SMALL, max_cycles=3)
    parallel = pettingzoo.make("parallel", spec.id, size=SMALL, max_cycles=3)
    assert isinstance(aec, AecEnv) and isinstance(parallel, ParallelEnv)
    assert aec.max_steps == parallel.max_steps == 3
    assert aec.possible_agents == parallel.possible_agents == list(aec.game.seats)
