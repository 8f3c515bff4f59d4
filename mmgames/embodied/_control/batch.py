"""ManiSkill's own batches: many scenes of a control game in one simulation on a CUDA device.

UNTESTED on CUDA: it was written and tried where there is none, with a single scene on the processor.
"""

from __future__ import annotations

from typing import Any

from mmgames.core import registry
from mmgames.embodied._control.game import HAND
from mmgames.embodied._control.world import make, quietly
from mmgames.errors import MmgamesError, unknown, unknown_option

REWARDS = ("normalized_dense", "sparse")


class ControlBatch:
    """All robots of `num_envs` scenes. Untested on CUDA, for which it is meant; one scene on the processor works.

    Everything is a PyTorch tensor on the simulation's device. Actions are [env, seat, number], as those of the game.
    Observations are {"features": [env, seat, number]}, ManiSkill's state as it is, the same for every seat; rewards
    [env, seat] are ManiSkill's, `reward="normalized_dense"` or `"sparse"`. An episode that ends is restarted in the
    same step; `info["final_observation"]` has what it ended with, in the rows of `info["_final_observation"]`. The
    numbers are not those of `gym.make`: neither features nor rewards, and simulation on CUDA rounds differently.
    """

    @quietly
    def __init__(
        self, env_id: str, num_envs: int = 1, *, device: str = "cuda", reward: str = REWARDS[0], **options: Any
    ) -> None:
        loaded = registry.load(env_id)
        where = loaded.spec.id
        for name in options:
            if name not in loaded.spec.options:
                raise unknown_option(name, f"{where}, batched", (*loaded.spec.options, "device", "reward"))
        if reward not in REWARDS:
            raise unknown("reward", reward, where, REWARDS)
        if isinstance(num_envs, bool) or not isinstance(num_envs, int) or num_envs < 1:
            raise MmgamesError(f"{where}: num_envs={num_envs!r} is out of range; it must be at least 1.")
        rules: Any = loaded.rules
        self.game = rules(loaded.spec, **options)
        self.seats, self.num_envs = self.game.seats, num_envs
        _check_device(where, num_envs, device)
        from mani_skill.vector.wrappers.gymnasium import ManiSkillVectorEnv

        self._env = ManiSkillVectorEnv(
            make(
                self.game.task,
                self.game.modes,
                num_envs=num_envs,
                sim_backend="physx_cpu" if device == "cpu" else f"physx_{device}",
                obs_mode="state",
                reward_mode=reward,
            )
        )
        self._closed = False

    @quietly
    def reset(self, seed: int | list[int] | None = None, options: dict | None = None) -> tuple[dict[str, Any], dict]:
        """Start all episodes; the same seed gives the same starts."""
        seen, info = self._env.reset(seed=seed, options=options)
        return self._features(seen), info

    @quietly
    def step(self, actions: Any) -> tuple[dict[str, Any], Any, Any, Any, dict]:
        """Joint actions [env, seat, number] -> observations, rewards [env, seat], terminated, truncated, info."""
        import torch

        given = torch.as_tensor(actions, dtype=torch.float32, device=self._env.device)
        wanted = (self.num_envs, len(self.seats), self.game.sizes[0])
        if tuple(given.shape) != wanted or not torch.isfinite(given).all() or given.abs().max() > 1:
            raise MmgamesError(
                f"{self.game.spec.id}: actions are numbers from -1 to 1 with the shape {wanted}; these are of the "
                f"shape {tuple(given.shape)}, or out of bounds."
            )
        agents = self._env.base_env.agent.agents_dict
        moves = {name: self._own_frame(agent, given[:, seat]) for seat, (name, agent) in enumerate(agents.items())}
        seen, rewards, terminated, truncated, info = self._env.step(moves)
        rewards = rewards.float()[:, None].expand(-1, len(self.seats))
        if "final_observation" in info:
            info["final_observation"] = self._features(info["final_observation"])
        return self._features(seen), rewards, terminated, truncated, info

    def _own_frame(self, agent: Any, moves: Any) -> Any:
        """As `game.own_frame`, for many at once."""
        if self.game.modes[0] != HAND:
            return moves
        import torch

        turn = agent.robot.pose.to_transformation_matrix()[:, :3, :3].transpose(1, 2)
        along, about = (torch.einsum("eij,ej->ei", turn, moves[:, part]) for part in (slice(0, 3), slice(3, 6)))
        return torch.cat([along, -about, moves[:, 6:]], dim=1)

    def _features(self, seen: Any) -> dict[str, Any]:
        return {"features": seen[:, None].expand(-1, len(self.seats), -1)}

    def close(self) -> None:
        if not self._closed:
            self._env.close_extras()
            self._closed = True


def _check_device(where: str, num_envs: int, device: str) -> None:
    import torch

    if device == "cpu":
        if num_envs > 1:
            raise MmgamesError(
                f"{where}: on the processor ManiSkill has one scene at a time, not {num_envs}; use gym.make_vec(…, "
                "vectorization_mode='sync'), or device='cuda'."
            )
    elif not torch.cuda.is_available():
        raise MmgamesError(
            f"{where}: ManiSkill's batches need a CUDA device, and PyTorch finds none here; use gym.make_vec(…, "
            "vectorization_mode='sync'), or num_envs=1 with device='cpu'."
        )
