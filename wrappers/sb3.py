"""Stable-Baselines3 over the batched face: thousands of episodes as one VecEnv. Needs the extra `train`."""

from collections.abc import Iterable
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from mmgames.core.registry import missing_extra
from mmgames.envs.solo_vector import SoloVectorEnv
from mmgames.envs.vector import BatchedEnv
from mmgames.errors import MissingExtra, MmgamesError

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as error:
    raise MissingExtra(missing_extra("The VecEnv for Stable-Baselines3", ("train",))) from error


class BatchedVecEnv(VecEnv):
    """`num_envs` episodes of a compiled game for PPO, A2C, MaskablePPO and whatever else takes a VecEnv.

    With `seat=` it is that seat against `others=`, as in `gym.make_vec`. Without it all seats learn: every seat of each
    episode counts as an environment of its own, for one policy that plays them all, in games whose seats move at the
    same time. All other options go to the batched face. A single key of `observe=` is a plain array, as `flat=True`.
    """

    def __init__(
        self,
        env_id: str,
        num_envs: int,
        *,
        seat: str | int | None = None,
        observe: Iterable[str] | str = "features",
        **options: Any,
    ) -> None:
        keys = (observe,) if isinstance(observe, str) else tuple(observe)
        if "state" in keys:
            raise MmgamesError("BatchedVecEnv: a policy of Stable-Baselines3 must not be shown the global state.")
        # Stable-Baselines3 keeps an observation until after the next step, so every step makes new ones.
        settled: dict[str, Any] = {
            "flat": len(keys) == 1,
            "autoreset_mode": "SameStep",
            "statistics": True,
            "copy": True,
        }
        for name in settled:
            if name in options:
                raise MmgamesError(f"BatchedVecEnv: {name}= is settled by what Stable-Baselines3 needs; leave it out.")
        settings: dict[str, Any] = {**options, **settled, "observe": keys}
        self.env: Any
        if seat is None:
            self.env = BatchedEnv(env_id, num_envs, **settings)
            if self.env.game.spec.dynamics != "simultaneous":
                raise MmgamesError(
                    f"{self.env.game.spec.id}: its seats take turns, so name the one that learns with seat=, and who "
                    "plays the others with others=."
                )
        else:
            self.env = SoloVectorEnv(env_id, num_envs, seat=seat, **settings)
        self._seats = len(self.env.seats) if seat is None else 1
        self._seed: Any = None
        self._actions: Any = None
        super().__init__(
            num_envs * self._seats, self.env.single_observation_space, spaces.Discrete(self.env.kernel.num_actions)
        )

    def _rows(self, seen: Any) -> Any:
        """Arrays [env, seat, …] as one row for each seat of each episode."""
        if isinstance(seen, dict):
            return {key: self._rows(array) for key, array in seen.items()}
        return seen if isinstance(self.env, SoloVectorEnv) else seen.reshape(self.num_envs, *seen.shape[2:])

    def reset(self) -> Any:
        observation, info = self.env.reset(seed=self._seed)
        self._seed = None
        self._masks = self._rows(info["action_mask"])
        return self._rows(observation)

    def seed(self, seed: int | None = None) -> list[int | None]:
        """The seed of the next reset."""
        self._seed = seed
        return [seed] * self.num_envs

    def step_async(self, actions: np.ndarray) -> None:
        self._actions = actions.reshape(self.env._no_actions.shape)

    def step_wait(self) -> Any:
        observation, rewards, terminated, truncated, info = self.env.step(self._actions)
        self._masks = self._rows(info["action_mask"])
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        over = np.repeat(terminated | truncated, self._seats)
        if over.any():
            returns = self._rows(info["episode"]["r"])
            for row in np.flatnonzero(over).tolist():
                episode = row // self._seats
                infos[row] = {
                    "terminal_observation": self._final(info["final_obs"], row),
                    "TimeLimit.truncated": bool(truncated[episode] and not terminated[episode]),
                    "episode": {"r": float(returns[row]), "l": int(info["episode"]["l"][episode]), "t": 0.0},
                }
        for name in ("sparse", "shaping"):
            if name in info:
                for row, paid in enumerate(self._rows(info[name]).tolist()):
                    infos[row][name] = paid
        return self._rows(observation), self._rows(rewards), over, infos

    def _final(self, final: Any, row: int) -> Any:
        if isinstance(self.env, SoloVectorEnv):
            return final[row]
        place = row // self._seats, row % self._seats
        return {key: array[place] for key, array in final.items()} if isinstance(final, dict) else final[place]

    def close(self) -> None:
        self.env.threads.end()

    def action_masks(self) -> np.ndarray:
        """The legal actions of every row, where MaskablePPO looks for them."""
        return self._masks.astype(bool)

    def _chosen(self, indices: Any) -> list[int]:
        if indices is None:
            return list(range(self.num_envs))
        return [indices] if isinstance(indices, int) else list(indices)

    def env_method(self, method_name: str, *arguments: Any, indices: Any = None, **named: Any) -> list[Any]:
        if method_name != "action_masks":
            raise MmgamesError(f"BatchedVecEnv: there are no single environments, so {method_name!r} cannot be called.")
        masks = self.action_masks()
        return [masks[row] for row in self._chosen(indices)]

    def has_attr(self, attr_name: str) -> bool:
        return attr_name == "action_masks"

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        if attr_name == "render_mode":
            return [None for _ in self._chosen(indices)]
        if attr_name == "action_masks":
            return [self.action_masks for _ in self._chosen(indices)]
        raise AttributeError(f"BatchedVecEnv: there are no single environments with an attribute {attr_name!r}.")

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise AttributeError(f"BatchedVecEnv: there are no single environments to set {attr_name!r} in.")

    def env_is_wrapped(self, wrapper_class: type[gymnasium.Wrapper], indices: Any = None) -> list[bool]:
        # Returns and lengths are told, as a Monitor would.
        return [wrapper_class.__name__ == "Monitor" for _ in self._chosen(indices)]
