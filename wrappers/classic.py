"""PettingZoo's classic layout: one array named "observation" beside the "action_mask", as its board games have it."""

from typing import Any

import gymnasium
import pettingzoo
from gymnasium import spaces
from pettingzoo.utils.wrappers import BaseParallelWrapper, BaseWrapper

from mmgames.errors import MmgamesError


class _Layout:
    """Which key of our observations becomes which of theirs."""

    def __init__(self, key: str, name: str, space: Any) -> None:
        self.key, self.name = key, name
        if not isinstance(space, spaces.Dict) or not {key, "action_mask"} <= set(space.spaces):
            raise MmgamesError(
                f"ClassicLayout needs an environment that observes {key!r} and 'action_mask': make it with "
                f"observe=({key!r}, 'action_mask'), or name another key."
            )

    def space(self, space: Any) -> spaces.Dict:
        return spaces.Dict({self.name: space[self.key], "action_mask": space["action_mask"]})

    def of(self, observation: Any) -> Any:
        if observation is None:
            return None
        return {self.name: observation[self.key], "action_mask": observation["action_mask"]}


class ClassicLayout(gymnasium.ObservationWrapper, gymnasium.utils.RecordConstructorArgs):
    """Observations as `{"observation": …, "action_mask": …}`, the first being our `key`: features, planes or rgb.

    Given an AEC or a parallel environment it makes an `AecClassicLayout` or a `ParallelClassicLayout` of it. `name`
    is for libraries that call the observation otherwise.
    """

    def __new__(cls, env: Any = None, *args: Any, **kwargs: Any) -> Any:
        if isinstance(env, pettingzoo.AECEnv):
            return AecClassicLayout(env, *args, **kwargs)
        if isinstance(env, pettingzoo.ParallelEnv):
            return ParallelClassicLayout(env, *args, **kwargs)
        return super().__new__(cls)

    def __init__(self, env: gymnasium.Env, key: str = "features", name: str = "observation") -> None:
        gymnasium.utils.RecordConstructorArgs.__init__(self, key=key, name=name)
        super().__init__(env)
        self._layout = _Layout(key, name, env.observation_space)
        self.observation_space = self._layout.space(env.observation_space)

    def observation(self, observation: Any) -> Any:
        return self._layout.of(observation)


class _AllSeatsLayout:
    """What the two PettingZoo faces share."""

    def __init__(self, env: Any, key: str = "features", name: str = "observation") -> None:
        super().__init__(env)  # type: ignore[call-arg]  # of the wrapper that it is mixed into
        self._layout = _Layout(key, name, env.observation_space(env.possible_agents[0]))
        self._spaces = {role: self._layout.space(env.observation_space(role)) for role in env.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._spaces[agent]


class AecClassicLayout(_AllSeatsLayout, BaseWrapper):
    """`ClassicLayout` for an AEC environment."""

    def observe(self, agent: str) -> Any:
        return self._layout.of(self.env.observe(agent))


class ParallelClassicLayout(_AllSeatsLayout, BaseParallelWrapper):
    """`ClassicLayout` for a parallel environment."""

    def reset(self, seed: int | None = None, options: dict | None = None) -> tuple[dict, dict]:
        observations, infos = self.env.reset(seed=seed, options=options)
        return {role: self._layout.of(seen) for role, seen in observations.items()}, infos

    def step(self, actions: Any) -> tuple[dict, dict, dict, dict, dict]:
        observations, *rest = self.env.step(actions)
        return {role: self._layout.of(seen) for role, seen in observations.items()}, *rest  # type: ignore[return-value]
