"""Box actions learned by `mmgames train ippo` and by PPO of Stable-Baselines3, over one face and with one recipe.

  python benchmarks/box_learning.py
  python benchmarks/box_learning.py mmgames/TwoRobotPickCube-v0 --steps 90000 --seconds 600 --threads 2 --curve pick.png

Pendulum's recipe stands here, the others are those of `mmgames train ippo`. Both learn in turn from the episodes of a
ProcessBatch; every seat of an episode is a row for Stable-Baselines3. It prints the mean return of the episodes that
ended, as learning went on, and the processor seconds that each took (but for those of other processes). Needs the extra
`train`.
"""

import json
import math
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnv

from mmgames.baselines.learning.ippo import IppoTraining, recipe_for
from mmgames.envs.process_batch import ProcessBatch
from mmgames.text.command_line import read_arguments

PENDULUM = "gymnasium/Pendulum-v1"
SETTINGS = {
    "num_envs": 8, "rollout": 256, "epochs": 10, "minibatches": 32, "gamma": 0.9, "gae": 0.95, "clip": 0.2,
    "rate": 1e-3, "last_rate": 1e-3, "entropy": 0.0, "layers": (64, 64), "activation": "tanh", "trunk": "separate",
    "scale": 10.0, "deviation": 0.5,
}  # fmt: skip
Curve = list[dict[str, float]]


class SeatRows(VecEnv):
    """A ProcessBatch for Stable-Baselines3: every seat of every episode is a row, and all of them move at once."""

    def __init__(self, batch: ProcessBatch, scale: float) -> None:
        self.batch, self.scale, self.seats = batch, scale, len(batch.seats)
        features: Any = batch.single_observation_space["features"]
        super().__init__(batch.num_envs * self.seats, features, batch.single_action_space)
        self.running, self.ended = np.zeros((batch.num_envs, self.seats)), []

    def reset(self) -> np.ndarray:
        return self._rows(self.batch.reset(seed=0)[0])

    def _rows(self, observation: dict[str, np.ndarray]) -> np.ndarray:
        return observation["features"].reshape(self.num_envs, -1)

    def step_async(self, actions: np.ndarray) -> None:
        self.actions = actions.reshape(self.batch.arrays.actions.shape)

    def step_wait(self) -> Any:
        observation, rewards, terminated, truncated, _ = self.batch.step(self.actions)
        over, infos = terminated | truncated, [{} for _ in range(self.num_envs)]
        self.running += rewards
        seen = self._rows(observation)
        if over.any():
            self.ended.extend(self.running[over].mean(axis=1).tolist())
            self.running[over] = 0.0
            for row in np.flatnonzero(np.repeat(over, self.seats)):
                cut = bool(truncated[row // self.seats] and not terminated[row // self.seats])
                infos[row] = {"terminal_observation": seen[row], "TimeLimit.truncated": cut}
            seen = self._rows(self.batch.reset(options={"reset_mask": over})[0])
        return seen, rewards.reshape(-1) / self.scale, np.repeat(over, self.seats), infos

    def close(self) -> None:
        self.batch.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [None] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None: ...

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        raise AttributeError(method_name)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False] * self.num_envs


class KeptCurve(BaseCallback):
    """Keeps a point of the curve for every rollout, and stops when the time is used up."""

    def __init__(self, rows: SeatRows, seconds: float) -> None:
        super().__init__()
        self.rows, self.seconds, self.curve, self.begun = rows, seconds, [], time.perf_counter()

    def _on_step(self) -> bool:
        return time.perf_counter() - self.begun < self.seconds

    def _on_rollout_end(self) -> None:
        if self.rows.ended:
            steps = self.num_timesteps // self.rows.seats
            self.curve.append({"steps": steps, "return": float(np.mean(self.rows.ended))})
            self.rows.ended = []


def learn_ippo(game: str, recipe: Any, options: dict[str, Any], seconds: float, threads: int, seed: int) -> Curve:
    training = IppoTraining(game, recipe, seed=seed, device="cpu", options=options, threads=threads)
    curve, begun = [], time.perf_counter()
    while training.done_steps < recipe.steps and time.perf_counter() - begun < seconds:
        row = training.learn()
        if "return" in row:
            curve.append({"steps": training.done_steps, "return": row["return"]})
    training.env.close()
    return curve


def learn_sb3(game: str, recipe: Any, options: dict[str, Any], seconds: float, threads: int, seed: int) -> Curve:
    rows = SeatRows(ProcessBatch(game, recipe.num_envs, threads=threads, **options), recipe.scale)
    layers = list(recipe.layers)

    def rate(left: float) -> float:
        """In a straight line, as IPPO's goes; `left` is the share of the steps that are still to come."""
        return recipe.last_rate + (recipe.rate - recipe.last_rate) * left

    model = PPO(
        "MlpPolicy", rows, n_steps=recipe.rollout, n_epochs=recipe.epochs, learning_rate=rate,
        batch_size=recipe.rollout * rows.num_envs // recipe.minibatches, gamma=recipe.gamma, gae_lambda=recipe.gae,
        clip_range=recipe.clip, ent_coef=recipe.entropy, vf_coef=recipe.value, max_grad_norm=recipe.norm, seed=seed,
        device="cpu",
        policy_kwargs={"net_arch": {"pi": layers, "vf": layers}, "log_std_init": math.log(recipe.deviation)},
    )  # fmt: skip
    kept = KeptCurve(rows, seconds)
    model.learn(recipe.steps * rows.seats, kept)
    rows.close()
    return kept.curve


def tenths(curve: Curve, steps: int) -> list[str]:
    """The mean return in each tenth of the steps."""
    parts = [[one["return"] for one in curve if part < 10 * one["steps"] / steps <= part + 1] for part in range(10)]
    return [f"{np.mean(part):.2f}" if part else "–" for part in parts]


def main() -> None:
    args = read_arguments(__doc__, __file__)
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    settings = SETTINGS if args.id == PENDULUM else {}
    recipe = recipe_for(args.id, **{**settings, "steps": args.steps, **dict(args.recipe)})
    curves: dict[str, Curve] = {}
    for name, learn in (("mmgames ippo", learn_ippo), ("Stable-Baselines3 PPO", learn_sb3)):
        begun, busy = time.perf_counter(), time.process_time()
        curves[name] = learn(args.id, recipe, dict(args.set), args.seconds, args.threads, args.seed)
        took, busy = time.perf_counter() - begun, time.process_time() - busy
        if not curves[name]:
            sys.exit(f"{name}: no episode has ended; give it more steps or seconds.")
        points = ", ".join(tenths(curves[name], args.steps))
        print(f"{name}: {curves[name][-1]['steps']:.0f} steps, {busy:.0f} processor seconds of {took:.0f}", flush=True)
        print(f"  mean return in each tenth of the steps: {points}", flush=True)
    if args.json:
        args.json.write_text(json.dumps(curves))
    if args.curve:
        draw(args.id, curves, args.curve)


def draw(game: str, curves: dict[str, Curve], path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure((6, 3.5), layout="constrained")
    axes = figure.add_subplot()
    for (name, curve), colour in zip(curves.items(), ("#2060a0", "#c06020"), strict=False):
        steps, returns = ([one[key] for one in curve] for key in ("steps", "return"))
        axes.plot(steps, returns, color=colour, alpha=0.25)
        wide = max(1, len(curve) // 20)
        means = [np.mean(returns[max(0, at - wide) : at + wide + 1]) for at in range(len(curve))]
        axes.plot(steps, means, label=name, color=colour)
    axes.set(xlabel="steps", ylabel="return per seat", title=game)
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=120)


if __name__ == "__main__":
    main()
