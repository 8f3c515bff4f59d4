"""Value decomposition networks for teams: `mmgames train vdn ID` runs it.

A team is paid together: its reward is the mean of all seats'. The value of a joint move is the sum of what each seat's
network says of its own action in its own observation (Sunehag et al., 2017), so each seat can choose for itself and yet
all learn from the one reward. One network plays all seats. It learns from rollouts of many episodes at once: towards
lambda-returns that a slower copy of it, the target network, closes, and with random moves that become fewer.

A seat that is not to move adds nothing to the sum, so games of turns are learned by the same lines. What is trained is
a checkpoint like IPPO's that plays its best action: `ippo:DIR/policy.npz`.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from mmgames.baselines.learning import ippo_on_cuda
from mmgames.baselines.learning.ippo import POLICY, Net
from mmgames.baselines.learning.ippo_recipe import IppoRecipe
from mmgames.baselines.learning.recipes import changed, from_one_up, from_zero_to_one, numbers_from, widths
from mmgames.baselines.learning.several_processes import Processes
from mmgames.baselines.learning.torch_devices import device_named
from mmgames.baselines.learning.training_env import make_batch
from mmgames.baselines.learning.training_log import Training, outcome, restore_state, state_arrays
from mmgames.core.spec import GameSpec
from mmgames.errors import MmgamesError

__all__ = ["VdnRecipe", "VdnTraining", "outcome", "recipe_for", "train"]

NEVER = -1e9  # the value of an illegal action


@dataclass(frozen=True)
class VdnRecipe:
    """Everything that decides what is learned; `seed` and the game do the rest."""

    steps: int = 4_000_000  # of single episodes, to learn from
    num_envs: int = 512
    rollout: int = 16  # steps of each episode between two updates
    epochs: int = 2
    minibatches: int = 4
    layers: tuple[int, ...] = (128, 128)
    gamma: float = 0.97
    trace: float = 0.8  # lambda: how far a return looks at what was really paid before it believes the target network
    rate: float = 5e-4
    random_moves: float = 1.0  # their share; it goes to the last one in a straight line over half of the steps
    last_random_moves: float = 0.05
    target: int = 10  # updates between two copies of the network into the target network
    scale: float = 5.0  # rewards are divided by this
    sharing: float = 1.0  # a team shares all of its reward: nothing but 1 is possible
    others: str = ""  # the team plays all seats: nobody can be named

    def __post_init__(self) -> None:
        from_one_up(self, "vdn", "steps", "num_envs", "rollout", "epochs", "minibatches", "target")
        numbers_from(self, "vdn", 0, "rate", "scale", above=True)
        from_zero_to_one(self, "vdn", "gamma", "trace", "random_moves", "last_random_moves")
        widths(self, "vdn")
        if self.sharing != 1 or self.others:
            raise MmgamesError("vdn: the team has all seats and shares its reward; ippo has sharing= and others=.")


def recipe_for(game_id: str, **changes: Any) -> VdnRecipe:
    """The recipe with changes of one's own; it is the same for all games."""
    return changed(VdnRecipe(), "vdn", changes)


def chosen_values(values: Tensor, mask: Tensor, action: Tensor) -> Tensor:
    """[…]: the sum over the seats of the values [… seat, action] of what they do; who does not move adds nothing."""
    return (values.gather(-1, action[..., None])[..., 0] * mask.any(-1)).sum(-1)


def best_values(values: Tensor, mask: Tensor) -> Tensor:
    """[…]: the sum over the seats of the values of their best legal actions."""
    return (values.masked_fill(~mask, NEVER).amax(-1) * mask.any(-1)).sum(-1)


def lambda_returns(rewards: Tensor, best: Tensor, done: Tensor, gamma: float, trace: float) -> Tensor:
    """[time, env]: what a team gets from a step on: paid, and where the trace or the rollout ends, believed.

    `best` [time + 1, env] is what the target network believes, `done` [time + 1, env] whether an episode was over
    before the step."""
    returns, after = torch.zeros_like(rewards), best[-1]
    for time in range(len(rewards) - 1, -1, -1):
        mixed = (1 - trace) * best[time + 1] + trace * after
        after = returns[time] = rewards[time] + gamma * mixed * ~done[time + 1]
    return returns


class VdnTraining(Training):
    """A run: the environment, the network and its target, where they stand, and what is written down of it."""

    trainer, same = "vdn", ("game", "options", "recipe", "seed")
    recipe_for = staticmethod(recipe_for)

    @classmethod
    def check_game(cls, spec: GameSpec) -> None:
        if not spec.batched or spec.utility == "zero_sum":
            why = "has no compiled kernel" if not spec.batched else "is a game of opponents"
            raise MmgamesError(f"{spec.id} {why}; vdn learns for a team, over batches. Overcooked is one.")

    def __init__(
        self, game_id: str, recipe: VdnRecipe, *, seed: int = 0, device: str = "auto",
        options: dict[str, Any] | None = None, command: str = "", threads: int | None = None,
    ) -> None:  # fmt: skip
        self.recipe, self.seed, self.options, self.command = recipe, seed, options or {}, command
        self.device, self.processes = device_named(device), Processes(recipe.num_envs)
        how = IppoRecipe(layers=recipe.layers, num_envs=recipe.num_envs)
        self.env = make_batch(game_id, how, None, threads, self.options, self.device, self.processes)
        self.game_id = self.env.game.spec.id
        torch.manual_seed(seed)
        inputs = self.env.single_observation_space["features"].shape
        self.net, self.target = (Net(how, inputs, self.env.kernel.num_actions, inputs) for _ in range(2))
        self.net.to(self.device), self.target.to(self.device)
        self.target.load_state_dict(self.net.state_dict())
        self.optimizer = torch.optim.Adam(self.net.parameters(), recipe.rate, eps=1e-5)
        new, shape = partial(torch.zeros, device=self.device), (recipe.rollout + 1, recipe.num_envs)
        self.done, self.cut = new(shape, dtype=torch.bool), new(shape[1], dtype=torch.bool)
        seats = *shape, len(self.env.seats)
        self.played = {  # [time, env, seat, …]; the last time is that after the rollout
            "features": new(*seats, *inputs), "mask": new(*seats, self.env.kernel.num_actions, dtype=torch.bool),
            "action": new(seats, dtype=torch.int64), "reward": new(seats),
        }  # fmt: skip
        self.random_moves = new(())
        self.episodes = ippo_on_cuda.episodes_of(self.env, None)
        on_card = isinstance(self.episodes, ippo_on_cuda.CardEpisodes)
        self.generator = torch.Generator(self.device if on_card else "cpu").manual_seed(seed)
        self.observation, self.done[0] = self.episodes.reset(seed, 0)
        self.fast_rollout: Callable[[], None] = self.rollout
        if on_card:
            before = self.everything()
            self.fast_rollout = ippo_on_cuda.Recorded(self.rollout, self.generator)
            self.env.threads.stream = 0
            self.restore_arrays(before)

    @torch.no_grad()
    def rollout(self) -> None:
        """Play `recipe.rollout` steps of every episode, with a share of random moves; what was seen and done."""
        for time in range(self.recipe.rollout + 1):
            now = {name: part[time] for name, part in self.played.items()}
            now["features"].copy_(self.observation["features"])
            now["mask"].copy_(self.observation["action_mask"])
            if time < self.recipe.rollout:
                seen = now["features"].flatten(0, 1)
                best = self.net(seen, seen, None)[0].view(now["mask"].shape).masked_fill(~now["mask"], NEVER).argmax(-1)
                noise = torch.rand(best.shape, generator=self.generator, device=self.generator.device)
                explore = noise.to(self.device) < self.random_moves
                now["action"].copy_(torch.where(explore, self.episodes.random_actions().to(self.device), best))
                paid, done = now["reward"], self.done[time + 1]
                self.observation = self.episodes.step(now["action"], paid, done, self.cut)

    def learn(self) -> dict[str, float]:
        """One rollout and one update; the row of the log that tells of it."""
        recipe, progress = self.recipe, min(1.0, 2 * self.updates_done / self.updates)
        random_moves = recipe.random_moves + (recipe.last_random_moves - recipe.random_moves) * progress
        if self.updates_done % recipe.target == 0:
            self.target.load_state_dict(self.net.state_dict())
        self.random_moves.fill_(random_moves)
        self.fast_rollout()
        features, mask, action, reward = self.played.values()
        with torch.no_grad():
            flat = features.flatten(0, 2)
            best = best_values(self.target(flat, flat, None)[0].view(mask.shape), mask)
            paid = reward[:-1].mean(-1) / recipe.scale
            returns = lambda_returns(paid, best, self.done, recipe.gamma, recipe.trace)
        losses = []
        for part in self.minibatches(self.done[:-1]):
            seen = features[:-1].flatten(0, 1)[part]
            values = self.net(seen.flatten(0, 1), seen.flatten(0, 1), None)[0].view(*seen.shape[:2], -1)
            value = chosen_values(values, mask[:-1].flatten(0, 1)[part], action.flatten(0, 1)[part])
            loss = (value - returns.flatten()[part]).square().mean()
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(self.net.parameters(), 10.0)
            self.optimizer.step()
            losses.append(loss.detach())
        self.done[0] = self.done[-1]
        self.done_steps += recipe.num_envs * recipe.rollout
        loss = torch.stack(losses).mean().item()
        if not math.isfinite(loss):
            raise MmgamesError("vdn: the loss is no number any more; try a smaller rate, or a larger scale.")
        row = {"loss": loss, "random_moves": random_moves}
        return row | self.episodes.returns([*range(len(self.env.seats))], self.processes)

    def minibatches(self, done: Tensor) -> Iterator[Tensor]:
        """The numbers of steps to learn from; one that only starts an episode anew teaches nothing."""
        steps = (~done).flatten().nonzero()[:, 0]
        for _ in range(self.recipe.epochs):
            order = torch.randperm(len(steps), generator=self.generator, device=self.generator.device)
            yield from steps[order.to(steps.device)].chunk(self.recipe.minibatches)

    def about(self) -> dict[str, Any]:
        """What the checkpoint says of itself."""
        return {
            "game": self.game_id, "options": self.options, "observe": "features",
            "inputs": list(self.env.single_observation_space["features"].shape),
            "actions": self.env.kernel.num_actions, "nets": [list(range(len(self.env.seats)))],
            "layers": list(self.recipe.layers), "activation": "relu", "core": "", "greedy": True, "trainer": "vdn",
            "steps": self.done_steps, "seed": self.seed, "command": self.command, "recipe": asdict(self.recipe),
        }  # fmt: skip

    def policy(self) -> dict[str, np.ndarray]:
        net = self.net.state_dict()
        return {f"0.{name}": tensor.cpu().numpy() for name, tensor in net.items() if name.startswith(POLICY)}

    def everything(self) -> dict[str, np.ndarray]:
        arrays = self.episodes.save() | {"over": self.done.cpu().numpy()}
        arrays["generator"] = self.generator.get_state().cpu().numpy()
        for name, state in self._states().items():
            arrays |= state_arrays(name, state)
        return arrays

    def restore_arrays(self, arrays: dict[str, np.ndarray]) -> None:
        self.observation = self.episodes.restore(arrays, {})
        self.done.copy_(torch.from_numpy(arrays["over"]))
        self.generator.set_state(torch.from_numpy(arrays["generator"]))
        for name, state in self._states().items():
            restore_state(name, state, arrays)

    def _states(self) -> dict[str, nn.Module | torch.optim.Optimizer]:
        return {"net": self.net, "target": self.target, "adam": self.optimizer}


train = VdnTraining.train
