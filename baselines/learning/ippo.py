"""Independent PPO over batches of episodes, compiled ones or those of processes: `mmgames train ippo ID` runs it.

Every seat learns by proximal policy optimisation (Schulman et al., 2017) as if it were alone (de Witt et al., Is
independent learning all you need?, 2020), with a network of its own or one that all seats share. The advantages are
generalised estimates (Schulman et al., 2015). A seat that is not to move takes no part in a step: what it is paid until
its next turn belongs to its last move, so games of turns and games of joint moves are learned by the same lines.
With `critic="central"` the value is that of all seats' observations together (MAPPO, Yu et al., 2021). Choices are
drawn from a softmax, the numbers of box actions from normal distributions.

The same lines run on the CPU and on a graphics card. ppo_loss.py has the formulas, ippo_network.py the networks and
ippo_recipe.py the settings. The gradient of the loss comes from autograd or, on the CPU for networks of linear layers,
from fused_cpu_update.py, which gives the same numbers in less time; `Learner.__init__` chooses.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from torch import Tensor, nn

from mmgames.agents.finding import find_seat
from mmgames.baselines.learning import checkpoint_files
from mmgames.baselines.learning.fused_cpu_update import FusedCpuUpdate
from mmgames.baselines.learning.ippo_network import Net, NormalizedPictures
from mmgames.baselines.learning.ippo_recipe import IppoRecipe, recipe_for
from mmgames.baselines.learning.league import League
from mmgames.baselines.learning.learned import Checkpoint
from mmgames.baselines.learning.past import Snapshot, snapshot_arrays, snapshots_in
from mmgames.baselines.learning.ppo_loss import (
    Batch,
    advantages,
    gaussian_log_prob,
    masked_log_softmax,
    ppo_loss,
    sample,
)
from mmgames.baselines.learning.recipes import check_seconds
from mmgames.baselines.learning.torch_devices import CudaGraph, RowThreads, device_named, torch_threads
from mmgames.baselines.learning.training_log import curve, keep_every, run_until
from mmgames.core import registry
from mmgames.core.spec import GameSpec
from mmgames.envs.process_batch import ProcessBatch
from mmgames.envs.vector import BatchedEnv
from mmgames.errors import MmgamesError

TRAINING_SETTINGS = ("seed", "device", "options", "command", "threads", "seat", "others")
MANY_ENVS = 1_000_000
"""From so many episodes at a time on, an array that cannot be made is one that is too large."""
POLICY = ("encoder", "core", "actor", "log_deviation")
"""How the names of the arrays begin that play; the rest is the value, which only learns."""


def next_hidden_state(old: Tensor, new: Tensor, action_mask: Tensor | None, done: Tensor) -> Tensor:
    """The hidden state after a step: zero where the episode was over, the old one where the seat did not move."""
    if action_mask is not None:
        new = torch.where(action_mask.any(1)[:, None, None], new, old)
    return new.masked_fill(done[:, None, None], 0.0)


class Learner:
    """A network, the seats it plays, and their rollout: tensors [time, env, seat, …]."""

    def __init__(self, recipe: IppoRecipe, env: Any, seats: list[int], device: torch.device) -> None:
        self.recipe, self.seats, self.device = recipe, seats, device
        self.torch_threads = torch.get_num_threads() if device.type == "cpu" else 1  # for autograd
        inputs, actions = env.single_observation_space[recipe.observe].shape, action_size(env)
        self.box = env.game.spec.actions == "box"
        critic_inputs = env.state_space.shape if recipe.critic == "central" else inputs
        self.net = Net(recipe, inputs, actions, critic_inputs, self.box).to(device)
        self.mean = {name: tensor.clone() for name, tensor in self.net.state_dict().items()} if recipe.average else {}
        self.optimizer = torch.optim.Adam(self.net.parameters(), recipe.rate, eps=1e-5, fused=True)
        self.step = CudaGraph(self.policy_step) if device.type == "cuda" else RowThreads(self.policy_step, env.threads)

        # Which code computes the gradient of `ppo_loss`; both give the same numbers.
        fused = device.type == "cpu" and FusedCpuUpdate.supports(self.net)
        self.compute_gradients = FusedCpuUpdate(self.net, env.threads) if fused else self.autograd_update

        kind = torch.uint8 if recipe.observe == "rgb" else torch.float32
        times, shape = recipe.rollout, (recipe.num_envs, len(seats))
        self.observation = torch.zeros(times + 1, *shape, *inputs, dtype=kind, device=device)
        self.critic_observation = self.observation
        if recipe.critic == "central":
            self.critic_observation = torch.zeros(times + 1, *shape, *critic_inputs, device=device)
        self.taken: Tensor | None = None  # where others play these seats, if any do
        self.action_mask: Tensor | None = None
        if env.masked:
            self.action_mask = torch.zeros(times + 1, *shape, actions, dtype=torch.bool, device=device)
        numbers, kind = ((actions,), torch.float32) if self.box else ((), torch.int64)
        self.action = torch.zeros(times, *shape, *numbers, dtype=kind, device=device)
        self.log_prob = torch.zeros(times, *shape, device=device)
        self.value = torch.zeros(times + 1, *shape, device=device)
        self.hidden_state: Tensor | None = None
        if recipe.core:
            self.hidden_state = torch.zeros(shape[0] * shape[1], self.net.hidden_states, self.net.width, device=device)
        self.first_hidden_state = self.hidden_state  # where the rollout begins
        self.host_action = torch.zeros(*shape, *numbers, dtype=kind, pin_memory=device.type == "cuda")

    def observe(self, time: int, observation: dict[str, np.ndarray], done: Tensor) -> None:
        """Copy what the seats see now into the rollout, straight from the environment's own arrays."""
        seen = torch.from_numpy(observation[self.recipe.observe])
        part = slice(None) if len(self.seats) == seen.shape[1] else self.seats
        self.observation[time].copy_(seen[:, part], non_blocking=True)
        if self.recipe.critic == "central":
            state = torch.from_numpy(observation["state"]).view(seen.shape[0], seen.shape[1], -1)
            for place, seat in enumerate(self.seats):  # one's own part first
                self.critic_observation[time, :, place].copy_(state.roll(-seat, 1).flatten(1))
        if self.action_mask is not None:
            mask = torch.from_numpy(observation["action_mask"])
            self.action_mask[time].copy_(mask[:, part], non_blocking=True)
            self.action_mask[time] &= ~done[:, None, None]

    def act(self, time: int, done: Tensor, generator: torch.Generator) -> np.ndarray:
        """Draw the actions [env, seat, …] of a step; seats that do not move draw too, and the environment ignores that.

        Numbers of box actions are drawn from normal distributions, and played as the bound where they lie beyond it.
        """
        draw = torch.randn if self.box else torch.rand
        inputs = (
            self.observation[time].flatten(0, 1),
            self.critic_observation[time].flatten(0, 1),
            None if self.action_mask is None else self.action_mask[time].flatten(0, 1),
            self.hidden_state,
            done.repeat_interleave(len(self.seats)) if self.hidden_state is not None else None,
            draw(self.action[time].flatten(0, 1).shape, generator=generator, device=self.device),
        )
        action, log_prob, value, hidden_state = self.step(*inputs)  # calls policy_step
        self.action[time] = action.view_as(self.action[time])
        self.log_prob[time] = log_prob.view_as(self.log_prob[time])
        self.value[time] = value.view_as(self.value[time])
        self.hidden_state = None if hidden_state is None else hidden_state.clone()
        played = self.action[time].clamp(-1, 1) if self.box else self.action[time]
        self.host_action.copy_(played, non_blocking=True)
        if self.device.type == "cuda":
            torch.cuda.current_stream().synchronize()
        return self.host_action.numpy()

    @torch.no_grad()
    def policy_step(
        self, observation: Tensor, critic_observation: Tensor, action_mask: Tensor | None, hidden_state: Tensor | None,
        done: Tensor | None, noise: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:  # fmt: skip
        """Rows of observations -> actions, their log-probabilities, values, the next hidden state."""
        outputs, value, new = self.net(observation, critic_observation, hidden_state)
        if hidden_state is not None and done is not None:
            hidden_state = next_hidden_state(hidden_state, new, action_mask, done)
        if (log_deviation := self.net.log_deviation) is not None:
            action = outputs + log_deviation.exp() * noise
            return action, gaussian_log_prob(outputs, log_deviation, action, action_mask), value, hidden_state
        log_probs = masked_log_softmax(outputs, action_mask)
        action = sample(log_probs, noise)
        return action, log_probs.gather(1, action[:, None])[:, 0], value, hidden_state

    @torch.no_grad()
    def last_value(self) -> None:
        """The value of where the rollout ends."""
        observation, critic_observation = self.observation[-1].flatten(0, 1), self.critic_observation[-1].flatten(0, 1)
        _, value, _ = self.net(observation, critic_observation, self.hidden_state)
        self.value[-1] = value.view_as(self.value[-1])

    def active(self, done: Tensor) -> Tensor:
        """[time, env, seat]: where it is its turn, and not that of others who have its seat in this episode."""
        if self.action_mask is None:
            active = (~done)[:, :, None].expand(-1, -1, len(self.seats))
        else:
            active = self.action_mask.any(-1)
        return active if self.taken is None else active & ~self.taken

    def update(self, rewards: Tensor, done: Tensor, entropy_weight: float, shuffle: torch.Generator) -> Tensor:
        """Learn from the rollout; the means over all minibatches of what `ppo_loss` logs."""
        recipe = self.recipe
        advantage, valid = advantages(rewards, self.value, self.active(done), done, recipe.gamma, recipe.gae)
        known = advantage[valid]
        if not len(known):  # no move's outcome is known yet
            return torch.zeros(4, device=self.device)
        observation, first = self.observation[:-1], self.first_hidden_state
        rollout = Batch(
            observation=observation,
            critic_observation=self.critic_observation[:-1] if recipe.critic == "central" else observation,
            action_mask=None if self.action_mask is None else self.action_mask[:-1],
            action=self.action,
            log_prob=self.log_prob,
            advantage=(advantage - known.mean()) / (known.std(correction=0) + 1e-8),
            returns=advantage + self.value[:-1],
            valid=valid,
            done=done[:-1, :, None].expand_as(valid) if recipe.core else None,
            hidden_state=None if first is None else first.unflatten(0, valid.shape[1:])[None],
        )
        if not recipe.core:
            rollout = rollout.map(lambda part: part.flatten(0, 2))
        logged = []
        for _ in range(recipe.epochs):
            for minibatch in self.minibatches(rollout, shuffle):
                logged.append(self.compute_gradients(rollout, minibatch, recipe.clip, recipe.value, entropy_weight))
                nn.utils.clip_grad_norm_(self.net.parameters(), recipe.norm)
                self.optimizer.step()
        return torch.stack(logged).mean(0)

    def minibatches(self, rollout: Batch, shuffle: torch.Generator) -> Iterator[Tensor]:
        """The parts of an epoch: numbers of moves; with a recurrent core, of episodes, whose time is not cut."""
        if self.recipe.core:
            order = torch.randperm(self.recipe.num_envs, generator=shuffle)
        else:
            moves = rollout.valid.nonzero()[:, 0]
            order = moves[torch.randperm(len(moves), generator=shuffle, device=shuffle.device)]
        yield from order.to(self.device).chunk(self.recipe.minibatches)

    def autograd_update(
        self, rollout: Batch, minibatch: Tensor, clip: float, value_weight: float, entropy_weight: float
    ) -> Tensor:
        """Gradients of the loss of a minibatch, into the parameters' `grad`; what `ppo_loss` logs."""
        with torch_threads(self.torch_threads):
            if self.recipe.core:
                batch = rollout.map(lambda part: part[:, minibatch])
                outputs, values = self.unroll(batch)
            else:
                batch = rollout.map(lambda part: part.index_select(0, minibatch))
                outputs, values, _ = self.net(batch.observation, batch.critic_observation, None)
            deviation = self.net.log_deviation
            loss, logged = ppo_loss(outputs, values, batch, clip, value_weight, entropy_weight, deviation)
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            return logged

    def unroll(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Logits and values of a recurrent network at every step, from the hidden state where the rollout begins."""
        assert batch.hidden_state is not None and batch.done is not None
        hidden_state, outputs = batch.hidden_state[0].flatten(0, 1), []
        for time in range(len(batch.action)):
            observation, critic_observation = (
                part[time].flatten(0, 1) for part in (batch.observation, batch.critic_observation)
            )
            action_mask = None if batch.action_mask is None else batch.action_mask[time].flatten(0, 1)
            logits, values, new = self.net(observation, critic_observation, hidden_state)
            outputs.append((logits, values))
            hidden_state = next_hidden_state(hidden_state, new, action_mask, batch.done[time].flatten())
        all_logits, all_values = (torch.stack(part) for part in zip(*outputs, strict=True))
        return all_logits.view(*batch.valid.shape, -1), all_values.view(batch.valid.shape)

    def measure_pictures(self, observation: dict[str, np.ndarray]) -> None:
        """Let networks that see pictures know what those usually look like."""
        for part in self.net.modules():
            if isinstance(part, NormalizedPictures):
                part.measure(torch.from_numpy(observation["rgb"][:1024, 0]).to(self.device))

    def average(self) -> None:
        """Take the weights into their running mean."""
        for name, tensor in self.net.state_dict().items():
            if name in self.mean:
                self.mean[name].lerp_(tensor, 1 - self.recipe.average)


def action_size(env: Any) -> int:
    """How many actions a seat has; in box games, how many numbers an action has."""
    space = env.single_action_space
    return int(space.n if isinstance(space, spaces.Discrete) else space.shape[0])


def check_can_learn(spec: GameSpec, recipe: IppoRecipe, seat: Any, others: Any) -> None:
    """A sentence about a game that ippo does not learn, or not in this way."""
    if spec.actions == "text":
        raise MmgamesError(
            f"{spec.id} is played in words, and ippo learns numbers; `mmgames train spo` learns Spy, and the guide "
            "about language models shows how those learn the others."
        )
    if not spec.batched and recipe.observe != "features":
        raise MmgamesError(
            f"{spec.id} has no compiled kernel, so ippo learns it from features, not from {recipe.observe}."
        )
    if not spec.batched and (seat is not None or others):
        raise MmgamesError(
            f"{spec.id} has no compiled kernel, so nobody plays beside the learner, which has all seats; leave out "
            "seat= and others=."
        )


class IppoTraining:
    """A run: the environment, the learners, where they stand, and what is written down of it."""

    def __init__(
        self, game_id: str, recipe: IppoRecipe, *, seed: int = 0, device: str = "auto",
        options: dict[str, Any] | None = None, command: str = "", threads: int | None = None,
        seat: str | int | None = None, others: Any = None,
    ) -> None:  # fmt: skip
        self.recipe, self.seed, self.options, self.command = recipe, seed, options or {}, command
        self.device = device_named(device)
        keys = (recipe.observe, "action_mask", *(("state",) if recipe.critic == "central" else ()))
        size = {"size": recipe.size} if recipe.observe == "rgb" else {}
        check_can_learn(registry.find(game_id), recipe, seat, recipe.others if others is None else others)
        batches: Any = BatchedEnv if registry.find(game_id).batched else ProcessBatch
        self.env = batches(game_id, recipe.num_envs, observe=keys, copy=False, threads=threads, **size, **self.options)
        self.game_id = self.env.game.spec.id
        torch.manual_seed(seed)
        seats = list(range(len(self.env.seats)))
        groups = [seats] if recipe.nets == "shared" else [[one] for one in seats]
        self.others = recipe.others or None if others is None else others
        self.league: League | None = None
        if seat is not None:  # one seat learns, agents play the others
            learning = find_seat(self.env.game, seat)
            groups = [[learning]]
            self.league = League(self.env, self.others, learning, 0.0, seed)
        elif self.others is not None:  # in each episode one seat learns, or all
            self.league = League(self.env, self.others, None, recipe.self_play, seed)
        self.snapshots: list[dict[str, np.ndarray]] = []
        self.learners = [Learner(recipe, self.env, group, self.device) for group in groups]
        self.before: list[str] = []
        if recipe.begin:
            self._begin_with(recipe.begin)
        self.noise = torch.Generator(self.device).manual_seed(seed)
        self.shuffle = torch.Generator("cpu" if recipe.core else self.device).manual_seed(seed)
        times, rows, pinned = recipe.rollout, recipe.num_envs, self.device.type == "cuda"
        self.rewards = torch.zeros(times, rows, len(seats), pin_memory=pinned)
        self.done = torch.zeros(times + 1, rows, dtype=torch.bool, pin_memory=pinned)
        self.truncated = torch.zeros(times, rows, dtype=torch.bool)
        self.taken: np.ndarray | None = None
        if self.league is not None and seat is None:
            self.taken = np.zeros((times + 1, rows, len(seats)), np.bool_)
        self.done_steps = 0
        # The returns of episodes under way; those of the first ones, which begin with random moves, are not counted.
        self.running = np.full((rows, len(seats)), np.nan)
        self.finished: list[np.ndarray] = []
        self.observation, _ = self.env.reset(seed=seed * 1_000_003)
        self._stagger()
        for learner in self.learners:
            learner.measure_pictures(self.observation)
        if pinned:
            self._pin()

    def _begin_with(self, path: str) -> None:
        about, arrays = checkpoint_files.read(path)
        for number, learner in enumerate(self.learners):
            mine = {name: tensor for name, tensor in learner.net.state_dict().items() if name.startswith(POLICY)}
            given = {name: arrays.get(f"{number}.{name}") for name in mine}
            if about.get("game") != self.game_id or any(
                array is None or array.shape != mine[name].shape for name, array in given.items()
            ):
                raise MmgamesError(
                    f"begin={path!r} is a checkpoint for {about.get('game')} that does not fit this recipe for "
                    f"{self.game_id}; give a policy.npz of the same game, layers, core and nets."
                )
            loaded = {name: torch.from_numpy(array) for name, array in given.items() if array is not None}
            learner.net.load_state_dict({**learner.net.state_dict(), **loaded})
            learner.mean = {name: tensor.clone() for name, tensor in learner.net.state_dict().items() if learner.mean}
        self.before = [*about.get("before", []), about["command"]]

    def _stagger(self) -> None:
        """Begin episodes at different times, so that an update sees all phases of the game, and not one at a time."""
        length = min(self.env.game.spec.length, 100)
        for time in range(1, length):
            _, _, terminated, truncated, _ = self.env.step(self.env.random_actions())
            mask = np.arange(self.recipe.num_envs) % length == time
            self.done[0] = torch.from_numpy((terminated | truncated) & ~mask)
            if mask.any():
                self.observation, _ = self.env.reset(options={"reset_mask": mask})

    def _pin(self) -> None:
        """Let the graphics card read the environment's own arrays, some of which are views of others."""
        known: list[tuple[int, int]] = []
        for array in sorted(self.observation.values(), key=lambda array: -array.nbytes):
            first = array.ctypes.data
            steps = zip(array.shape, array.strides, strict=True)
            last = first + array.itemsize + sum((many - 1) * step for many, step in steps)
            if not any(first < end and begin < last for begin, end in known):
                known.append((first, last))
                torch.cuda.cudart().cudaHostRegister(first, last - first, 0)  # type: ignore[attr-defined]

    @property
    def updates(self) -> int:
        return max(1, round(self.recipe.steps / (self.recipe.num_envs * self.recipe.rollout)))

    @property
    def updates_done(self) -> int:
        return self.done_steps // (self.recipe.num_envs * self.recipe.rollout)

    def rollout(self) -> None:
        """Play `recipe.rollout` steps of every episode with the policies as they are."""
        some = self.learners[0].host_action.numpy()
        joint = np.zeros((self.recipe.num_envs, len(self.env.seats), *some.shape[2:]), some.dtype)
        rewards, done = self.rewards.numpy(), self.done.numpy()
        for learner in self.learners:
            learner.first_hidden_state = learner.hidden_state
        for time in range(self.recipe.rollout):
            done_here = self.done[time].to(self.device, non_blocking=True)
            for learner in self.learners:
                learner.observe(time, self.observation, done_here)
                joint[:, learner.seats] = learner.act(time, done_here, self.noise)
            if self.league is not None:
                self.league.act(self.observation, joint, done[time])
                if self.taken is not None:
                    self.taken[time] = self.league.taken
            self.observation, reward, terminated, truncated, _ = self.env.step(joint)
            rewards[time] = reward
            np.logical_or(terminated, truncated, out=done[time + 1])
            self.truncated[time] = torch.from_numpy(truncated & ~terminated)
            self._count(reward, done[time + 1])
        for learner in self.learners:
            learner.observe(self.recipe.rollout, self.observation, self.done[-1].to(self.device))
            learner.last_value()
            if self.league is not None and self.taken is not None:
                self.taken[-1] = self.league.taken
                learner.taken = torch.from_numpy(self.taken[..., learner.seats]).to(self.device)

    def _count(self, reward: np.ndarray, done: np.ndarray) -> None:
        self.running += reward
        if done.any():
            whole = done & ~np.isnan(self.running[:, 0])
            if whole.any():  # what others collect in seats that they have in this episode is not counted
                collected = self.running[whole]
                if self.league is not None and self.taken is not None:
                    collected[self.league.taken[whole]] = np.nan
                self.finished.append(collected)
            self.running[done] = 0.0

    @torch_threads(1)  # our own threads share the work on the CPU; PyTorch's would wait for it and use up the cores
    def learn(self) -> dict[str, float]:
        """One rollout and one update; the row of the log that tells of it."""
        recipe, progress = self.recipe, self.updates_done / self.updates
        entropy_weight = recipe.entropy + (recipe.last_entropy - recipe.entropy) * progress
        rate = recipe.rate + (recipe.last_rate - recipe.rate) * progress
        if self.league is not None and self.league.pasts and self.updates_done % recipe.snapshots == 0:
            self._take_snapshot({name: array.copy() for name, array in self.policy().items()})
        self.rollout()
        rewards, done = self.rewards.to(self.device), self.done.to(self.device)
        if recipe.sharing:
            rewards = (1 - recipe.sharing) * rewards + recipe.sharing * rewards.mean(-1, keepdim=True)
        rewards = rewards / recipe.scale
        logged = []
        for learner in self.learners:
            for group in learner.optimizer.param_groups:
                group["lr"] = rate
            own = rewards[..., learner.seats]
            if self.truncated.any():  # such an episode would have gone on: its last observation is worth something
                own = own + recipe.gamma * learner.value[1:] * self.truncated.to(self.device)[..., None]
            logged.append(learner.update(own, done, entropy_weight, self.shuffle))
            learner.average()
        self.done[0] = self.done[-1]
        self.done_steps += recipe.num_envs * recipe.rollout
        policy_loss, value_loss, entropy, divergence = torch.stack(logged).mean(0).tolist()
        if not np.isfinite(policy_loss + value_loss + entropy):
            raise MmgamesError(
                f"ippo: the losses are no numbers any more after {self.done_steps} steps; the last good checkpoint is "
                "kept. Try a smaller rate, or a larger scale."
            )
        row = {
            "policy_loss": policy_loss, "value_loss": value_loss, "entropy": entropy, "divergence": divergence,
            "rate": rate,
        }  # fmt: skip
        if self.finished:
            returns = np.concatenate(self.finished)
            self.finished = []
            row["episodes"] = float(len(returns))
            learning = [seat for learner in self.learners for seat in learner.seats]
            told = {"return": returns[:, learning]}
            told |= {f"return_{seat}": returns[:, place] for place, seat in enumerate(self.env.seats)}
            row |= {name: float(np.nanmean(part)) for name, part in told.items() if not np.isnan(part).all()}
        return row

    def _take_snapshot(self, policy: dict[str, np.ndarray]) -> None:
        assert self.league is not None
        self.snapshots.append(policy)
        self.league.remember(Snapshot(Checkpoint("past", (self.about(), policy))))

    def about(self) -> dict[str, Any]:
        """What the checkpoint says of itself."""
        return {
            "game": self.game_id,
            "options": self.options,
            "observe": self.recipe.observe,
            "inputs": list(self.env.single_observation_space[self.recipe.observe].shape),
            "kind": self.env.game.spec.actions,
            "actions": action_size(self.env),
            "nets": [learner.seats for learner in self.learners],
            "others": self.others if isinstance(self.others, (str, list, dict)) else None,
            "layers": list(self.recipe.layers),
            "activation": self.recipe.activation,
            "core": self.recipe.core,
            "greedy": self.recipe.greedy,
            "size": self.recipe.size,
            "steps": self.done_steps,
            "seed": self.seed,
            "command": self.command,
            "before": self.before,  # the commands that made the policy it began with
            "recipe": asdict(self.recipe),
        }

    def policy(self) -> dict[str, np.ndarray]:
        """The arrays that play: without the value, which only learns."""
        return {
            f"{number}.{name}": array.cpu().numpy()
            for number, learner in enumerate(self.learners)
            for name, array in (learner.mean or learner.net.state_dict()).items()
            if name.startswith(POLICY)
        }

    def save(self, folder: Path) -> None:
        """policy.npz plays; training.npz holds all that it takes to go on as if nothing had happened."""
        checkpoint_files.write(folder / "policy.npz", self.about(), self.policy())
        checkpoint_files.write(folder / "training.npz", self.about(), self._everything())

    def _everything(self) -> dict[str, np.ndarray]:
        arrays = {f"env.{name}": array for name, array in self.env.save().items()}
        arrays |= {"running": self.running, "over": self.done.numpy(), "noise": self.noise.get_state().cpu().numpy()}
        if self.league is not None:
            arrays |= self.league.memory()
        for number, policy in enumerate(self.snapshots):
            arrays |= snapshot_arrays(number, policy)
        arrays["shuffle"] = self.shuffle.get_state().cpu().numpy()
        for number, learner in enumerate(self.learners):
            for name, tensor in learner.net.state_dict().items():
                arrays[f"net.{number}.{name}"] = tensor.cpu().numpy()
            arrays |= {f"mean.{number}.{name}": tensor.cpu().numpy() for name, tensor in learner.mean.items()}
            for place, parameter in enumerate(learner.net.parameters()):
                for name, tensor in learner.optimizer.state[parameter].items():
                    arrays[f"adam.{number}.{place}.{name}"] = tensor.cpu().numpy()
            if learner.hidden_state is not None:
                arrays[f"memory.{number}"] = learner.hidden_state.cpu().numpy()
        return arrays

    def restore(self, path: Path) -> None:
        """Go on from a training.npz of the same game and recipe."""
        about, arrays = checkpoint_files.read(path)
        about["recipe"] = {**json.loads(json.dumps(asdict(IppoRecipe()))), **about["recipe"]}  # an older one knows less
        mine = self.about()
        same = ("game", "options", "nets", "others", "recipe", "seed")
        checkpoint_files.check_same_run(path, about, {name: mine[name] for name in same})
        try:
            self._take_back(arrays)
        except (KeyError, ValueError, RuntimeError) as error:
            raise MmgamesError(f"{str(path)!r} is damaged ({error}); remove it to begin anew.") from error
        self.done_steps = int(about["steps"])

    def _take_back(self, arrays: dict[str, np.ndarray]) -> None:
        self.observation, _ = self.env.restore({k[4:]: array for k, array in arrays.items() if k.startswith("env.")})
        self.running[:] = arrays["running"]
        for policy in snapshots_in(arrays):
            self._take_snapshot(policy)
        if self.league is not None:
            for name, array in self.league.memory().items():
                array[...] = arrays[name]
        self.done.copy_(torch.from_numpy(arrays["over"]))
        self.noise.set_state(torch.from_numpy(arrays["noise"]))
        self.shuffle.set_state(torch.from_numpy(arrays["shuffle"]))
        for number, learner in enumerate(self.learners):
            with torch.no_grad():
                for name, tensor in learner.net.state_dict().items():
                    tensor.copy_(torch.from_numpy(arrays[f"net.{number}.{name}"]))
                for name, tensor in learner.mean.items():
                    tensor.copy_(torch.from_numpy(arrays[f"mean.{number}.{name}"]))
            for place, parameter in enumerate(learner.net.parameters()):
                learner.optimizer.state[parameter] = {
                    name: torch.from_numpy(arrays[f"adam.{number}.{place}.{name}"]).to(self.device)
                    for name in ("step", "exp_avg", "exp_avg_sq")
                }
            if learner.hidden_state is not None:
                learner.hidden_state = torch.from_numpy(arrays[f"memory.{number}"]).to(self.device)

    def run(
        self, folder: Path, *, seconds: float | None = None, every: float = 30.0, tensorboard: bool = False,
        show: bool = True,
    ) -> list[dict[str, float]]:  # fmt: skip
        """Learn until the steps or the seconds are used up; the log, which is also written as it grows."""
        per_update, label = self.recipe.num_envs * self.recipe.rollout, f"ippo {self.game_id.rpartition('/')[2]}"
        return run_until(
            self, folder, lambda _: self.learn(), keep_every(every, self, folder), label=label,
            steps=self.updates * per_update, per_update=per_update, seconds=seconds, tensorboard=tensorboard, show=show,
            so_far=_so_far,
        )  # fmt: skip


def train(
    game_id: str, out: str | Path, *, seconds: float | None = None, resume: bool = False, tensorboard: bool = False,
    show: bool = True, **settings: Any,
) -> list[dict[str, float]]:  # fmt: skip
    """Train a policy for a game and write it, its log and its curve into the folder `out`.

    `settings` are those of `IppoTraining` (seed, device, options, …) and changes of the game's recipe.
    """
    folder, spec = Path(out), registry.find(game_id)
    check_seconds(seconds)
    if not resume:
        checkpoint_files.check_new_run(folder)
    run = {name: settings.pop(name) for name in TRAINING_SETTINGS if name in settings}
    recipe = recipe_for(spec.id, **settings)
    try:
        training = IppoTraining(spec.id, recipe, **run)
    except (MemoryError, torch.OutOfMemoryError) as error:
        raise _too_many(recipe) from error
    except (RuntimeError, ValueError) as error:  # how PyTorch and NumPy say it depends on how much it is
        if recipe.num_envs < MANY_ENVS:
            raise
        raise _too_many(recipe) from error
    try:
        if resume:
            training.restore(checkpoint_files.training_to_resume(folder))
        log = training.run(folder, seconds=seconds, tensorboard=tensorboard, show=show)
    finally:
        training.env.close()
    curve(log, folder / "curve.png", f"IPPO on {spec.id}")
    return log


def _so_far(log: list[dict[str, float]]) -> str:
    told = next((entry["return"] for entry in reversed(log) if "return" in entry), None)
    return "no episode has ended" if told is None else f"return {told:.3f}"


def _too_many(recipe: IppoRecipe) -> MmgamesError:
    return MmgamesError(
        f"ippo: num_envs={recipe.num_envs} episodes at a time, with rollout={recipe.rollout} steps of each, do not fit "
        "into memory; take fewer."
    )


def outcome(log: list[dict[str, float]]) -> dict[str, float]:
    """What a run has come to: the mean return of a seat over its last twentieth."""
    returns = [entry["return"] for entry in log[-max(1, len(log) // 20) :] if "return" in entry]
    return {"return": sum(returns) / len(returns)} if returns else {}
