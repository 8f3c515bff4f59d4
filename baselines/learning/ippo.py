"""Independent PPO over batches of episodes: `mmgames train ippo ID` runs it. It is read from top to bottom:
network, advantages, loss, acting, update, storage, rollout, loop, what is saved.

Every seat learns by proximal policy optimisation (Schulman et al., 2017) as if it were alone (de Witt et al., Is
independent learning all you need?, 2020), with a network of its own or one that all seats share. The advantages are
generalised estimates (Schulman et al., 2015). A seat that is not to move takes no part in a step: what it is paid until
its next turn belongs to its last move, so games of turns and games of joint moves are learned by the same lines.
With `critic="central"` the value is that of all seats' observations together (MAPPO, Yu et al., 2021).

All tensors are on one device; `Episodes` (training_env.py) steps the environment. Settings are in ippo_recipe.py.
ippo_on_cpu.py and ippo_on_cuda.py only compute faster what is said here; several_processes.py shares it out.
"""

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from mmgames.agents.finding import find_seat
from mmgames.baselines.learning import checkpoint_files, ippo_on_cpu, ippo_on_cuda, several_processes
from mmgames.baselines.learning.action_distributions import clipped_gain, draw, log_prob_and_entropy
from mmgames.baselines.learning.ippo_recipe import IppoRecipe, recipe_for
from mmgames.baselines.learning.league import League
from mmgames.baselines.learning.network_layers import Adam, linear, measure_pictures, picture_layers
from mmgames.baselines.learning.torch_devices import device_named, torch_threads
from mmgames.baselines.learning.training_env import action_size, make_batch
from mmgames.baselines.learning.training_log import Training, outcome
from mmgames.errors import MmgamesError

__all__ = ["IppoRecipe", "IppoTraining", "outcome", "recipe_for", "train"]

Moves = dict[str, Tensor]
"""What was seen and done, by name: tensors [time, env, seat, …], or flat, with one row for each move."""
POLICY = ("encoder", "core", "actor", "log_deviation")
"""How the names of the arrays begin that play; the rest is the value, which only learns."""


class Net(nn.Module):
    """Layers, perhaps a recurrent core, and two heads: a logit for each action (actor) and the value (critic).

    In box games the actor gives the mean of each number, and `log_deviation` is how far the numbers are drawn from it,
    whatever is observed. The value has layers of its own (`valuer`) unless it shares the policy's.
    """

    def __init__(
        self, recipe: IppoRecipe, inputs: tuple[int, ...], actions: int, critic_inputs: tuple[int, ...],
        box: bool = False,
    ) -> None:  # fmt: skip
        super().__init__()
        self.width = recipe.layers[-1]
        self.encoder = self._layers(recipe, inputs)
        cells = {"gru": nn.GRUCell, "lstm": nn.LSTMCell}
        self.core = cells[recipe.core](self.width, self.width) if recipe.core else None
        self.hidden_states = {"": 0, "gru": 1, "lstm": 2}[recipe.core]  # vectors that the core carries on
        self.actor = linear(self.width, actions, 0.01)
        self.log_deviation = nn.Parameter(torch.full((actions,), math.log(recipe.deviation))) if box else None
        shared = recipe.trunk == "shared" and recipe.critic == "own"
        self.valuer = None if shared else self._layers(recipe, critic_inputs)
        self.critic = linear(self.width, 1, 1.0)

    @staticmethod
    def _layers(recipe: IppoRecipe, inputs: tuple[int, ...]) -> nn.Sequential:
        kinds: dict[str, Callable[[], nn.Module]] = {"relu": partial(nn.ReLU, inplace=True), "tanh": nn.Tanh}
        parts = picture_layers(recipe.observe, inputs) if len(inputs) == 3 else []
        with torch.no_grad():
            first = nn.Sequential(*parts)(torch.zeros(1, *inputs)).shape[1]
        for into, out in itertools.pairwise((first, *recipe.layers)):
            parts += [linear(into, out, 2**0.5), kinds[recipe.activation]()]
        return nn.Sequential(*parts)

    def forward(self, *inputs: Tensor | None) -> tuple[Tensor, Tensor, Tensor | None]:
        """Rows of observations -> logits (or means), values, and the hidden state after them."""
        both, hidden_state = self.outputs(*inputs)  # type: ignore[arg-type]
        return both[:, :-1], both[:, -1], hidden_state

    def outputs(
        self, observation: Tensor, critic_observation: Tensor | None, hidden_state: Tensor | None
    ) -> tuple[Tensor, Tensor | None]:
        """Logits (or means) and value in a row, and the hidden state."""
        x = self.encoder(observation)
        if isinstance(self.core, nn.GRUCell) and hidden_state is not None:
            x = self.core(x, hidden_state[:, 0])
            hidden_state = x[:, None]
        elif isinstance(self.core, nn.LSTMCell) and hidden_state is not None:
            x, cell = self.core(x, (hidden_state[:, 0], hidden_state[:, 1]))
            hidden_state = torch.stack((x, cell), dim=1)
        if self.valuer is None:  # one product for both heads
            weight = torch.cat((self.actor.weight, self.critic.weight))
            return functional.linear(x, weight, torch.cat((self.actor.bias, self.critic.bias))), hidden_state
        seen = observation if critic_observation is None else critic_observation
        return torch.cat((self.actor(x), self.critic(self.valuer(seen))), 1), hidden_state


def next_hidden_state(old: Tensor, new: Tensor, action_mask: Tensor | None, done: Tensor) -> Tensor:
    """The hidden state after a step: zero where the episode was over, the old one where the seat did not move."""
    if action_mask is not None:
        new = torch.where(action_mask.any(1)[:, None, None], new, old)
    return new.masked_fill(done[:, None, None], 0.0)


def advantages(
    rewards: Tensor, values: Tensor, active: Tensor, done: Tensor, gamma: float, gae: float
) -> tuple[Tensor, Tensor]:
    """Generalised advantage estimates, and which of them are valid: moves whose outcome lies within the rollout.

    rewards [time, env, seat]; values and active (whether the seat moves) [time + 1, env, seat]; done [time + 1, env]:
    the episode had ended before this step, which only begins the next one.
    """
    result, valid = torch.zeros_like(rewards), torch.zeros_like(rewards, dtype=torch.bool)
    # Backwards in time: value and advantage of the seat's next move, its rewards until then, whether they are known.
    next_value, next_advantage = values[-1], torch.zeros_like(values[-1])
    reward, known = torch.zeros_like(values[-1]), active[-1]
    for time in range(len(rewards) - 1, -1, -1):
        ends, moves = done[time + 1, :, None], active[time]
        next_value, next_advantage = next_value.masked_fill(ends, 0.0), next_advantage.masked_fill(ends, 0.0)
        reward = reward.masked_fill(ends, 0.0) + rewards[time]
        known = known | ends
        advantage = reward + gamma * next_value - values[time] + gamma * gae * next_advantage
        result[time], valid[time] = advantage, moves & known
        next_value = torch.where(moves, values[time], next_value)
        next_advantage = torch.where(moves, advantage * known, next_advantage)
        reward = reward.masked_fill(moves, 0.0)
        known = known | moves
    return result, valid


def ppo_loss(
    outputs: Tensor, values: Tensor, batch: Moves, clip: float, value_weight: float, entropy_weight: float,
    log_deviation: Tensor | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The loss that is minimised, and what is logged of it: policy loss, value loss, entropy, divergence."""
    log_prob, entropies = log_prob_and_entropy(outputs, batch["action"], batch.get("action_mask"), log_deviation)
    log_ratio = log_prob - batch["log_prob"]
    ratio = log_ratio.exp()
    weight = batch["valid"] / batch["valid"].sum().clamp(min=1)  # means over the valid moves
    policy_loss = -(clipped_gain(ratio, batch["advantage"], clip) * weight).sum()
    value_loss = ((values - batch["returns"]).square() * weight).sum()
    entropy = (entropies * weight).sum()
    loss = policy_loss + value_weight * value_loss - entropy_weight * entropy
    divergence = ((ratio - 1 - log_ratio) * weight).sum()  # Schulman's low-variance estimate, from the old policy
    return loss, torch.stack((policy_loss, value_loss, entropy, divergence)).detach()


class Learner:
    """A network and the seats it plays; its part of the storage is `[time, env, seat, …][:, :, self.mine]`."""

    def __init__(self, recipe: IppoRecipe, env: Any, seats: list[int], device: torch.device, processes: Any) -> None:
        self.recipe, self.seats, self.device, self.processes = recipe, seats, device, processes
        self.mine = slice(seats[0], seats[-1] + 1)
        self.torch_threads = torch.get_num_threads() if device.type == "cpu" else 1  # for autograd
        inputs, box = env.single_observation_space[recipe.observe].shape, env.game.spec.actions == "box"
        critic_inputs = env.state_space.shape if recipe.critic == "central" else inputs
        self.net = Net(recipe, inputs, action_size(env), critic_inputs, box).to(device)
        self.mean = {name: tensor.clone() for name, tensor in self.net.state_dict().items()} if recipe.average else {}
        self.adam = Adam(self.net, recipe.rate)
        accelerate = {"cpu": ippo_on_cpu.accelerate, "cuda": ippo_on_cuda.accelerate}[device.type]
        self.fast_step, self.fast_gradients = accelerate(self.policy_step, self.gradients, self.net, env.threads)
        rows = env.num_envs * len(seats), self.net.hidden_states, self.net.width
        self.hidden_state = self.first_hidden_state = torch.zeros(rows, device=device) if recipe.core else None
        self.fast_update: Callable[..., Tensor] = self.update

    def rows(self, now: Moves, name: str) -> Tensor | None:
        """Of a step of the storage, [env, seat, …]: a row for each seat of this network."""
        return now[name][:, self.mine].flatten(0, 1) if name in now else None

    def act(self, now: Moves, done: Tensor, generator: torch.Generator) -> None:
        """Draw the actions of a step into the storage; seats that do not move draw too, and nobody listens to it."""
        new_noise, like = torch.rand if self.net.log_deviation is None else torch.randn, now["action"][:, self.mine]
        seen = [self.rows(now, name) for name in ("observation", "critic_observation", "action_mask")]
        over = None if self.hidden_state is None else done.repeat_interleave(len(self.seats))
        noise = self.processes.noise(new_noise, like.shape, generator=generator, device=self.device)
        *told, self.hidden_state = self.fast_step(*seen, self.hidden_state, over, noise.flatten(0, 1))
        for name, part in zip(("action", "log_prob", "value"), told, strict=True):
            now[name][:, self.mine] = part.unflatten(0, (-1, len(self.seats)))

    @torch.no_grad()
    def policy_step(
        self, observation: Tensor, critic_observation: Tensor | None, action_mask: Tensor | None,
        hidden_state: Tensor | None, done: Tensor | None, noise: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:  # fmt: skip
        """Rows of observations -> actions, their log-probabilities, values, the next hidden state."""
        outputs, value, new = self.net(observation, critic_observation, hidden_state)
        if hidden_state is not None and done is not None:
            hidden_state = next_hidden_state(hidden_state, new, action_mask, done)
        return *draw(outputs, action_mask, self.net.log_deviation, noise), value, hidden_state

    @torch.no_grad()
    def last_value(self, now: Moves) -> None:
        """The value of where the rollout ends."""
        value = self.net(self.rows(now, "observation"), self.rows(now, "critic_observation"), self.hidden_state)[1]
        now["value"][:, self.mine] = value.unflatten(0, (-1, len(self.seats)))

    def update(self, storage: Moves, done: Tensor, entropy_weight: float, shuffle: torch.Generator) -> Tensor:
        """Learn from the rollout; the means over all minibatches of what `ppo_loss` logs."""
        recipe, mine = self.recipe, {name: part[:, :, self.mine] for name, part in storage.items()}
        value, reward, active = mine.pop("value"), mine.pop("reward")[:-1], mine.pop("active")
        advantage, valid = advantages(reward, value, active, done, recipe.gamma, recipe.gae)
        middle = self.processes.mean_and_deviation(advantage[valid])
        if middle is None:  # no move's outcome is known yet
            return torch.zeros(4, device=self.device)
        moves = {name: part[:-1] for name, part in mine.items()} | {"valid": valid, "returns": advantage + value[:-1]}
        moves["advantage"] = (advantage - middle[0]) / (middle[1] + 1e-8)
        if self.first_hidden_state is not None:
            moves["done"] = done[:-1, :, None].expand_as(valid)
            moves["hidden_state"] = self.first_hidden_state.unflatten(0, valid.shape[1:])[None]
        else:
            moves = {name: part.flatten(0, 2) for name, part in moves.items()}
        logged = []
        for minibatch in self.minibatches(valid, shuffle):
            told = self.fast_gradients(moves, minibatch, recipe.clip, recipe.value, entropy_weight)
            logged.append(self.processes.average(self.net, told, moves["valid"], minibatch))
            nn.utils.clip_grad_norm_(self.net.parameters(), recipe.norm)
            self.adam.step()
        return torch.stack(logged).mean(0)

    def minibatches(self, valid: Tensor, shuffle: torch.Generator) -> Iterator[Tensor]:
        """The parts of all epochs: numbers of moves; with a recurrent core, of episodes, whose time is not cut."""
        numbers = self.processes.numbers(valid, self.hidden_state is not None)
        for _ in range(self.recipe.epochs):
            order = numbers[torch.randperm(len(numbers), generator=shuffle, device=shuffle.device)]
            yield from map(self.processes.own, order.to(self.device).chunk(self.recipe.minibatches))

    def gradients(self, moves: Moves, minibatch: Tensor, clip: float, value: float, entropy: float) -> Tensor:
        """Gradients of the loss of a minibatch, into the parameters' `grad`; what `ppo_loss` logs."""
        batch = {name: part.index_select(int("done" in moves), minibatch) for name, part in moves.items()}
        with torch_threads(self.torch_threads):
            outputs, values = self.outputs(batch)
            loss, logged = ppo_loss(outputs, values, batch, clip, value, entropy, self.net.log_deviation)
            self.net.zero_grad()
            loss.backward()
        return logged

    def outputs(self, batch: Moves) -> tuple[Tensor, Tensor]:
        """Logits and values; those of a recurrent network step by step, from where the rollout begins."""
        if self.hidden_state is None:
            return self.net(batch["observation"], batch.get("critic_observation"), None)[:2]
        hidden_state, outputs = batch["hidden_state"][0].flatten(0, 1), []
        for time in range(len(batch["done"])):
            now = {name: part[time].flatten(0, 1) for name, part in batch.items() if name != "hidden_state"}
            *told, new = self.net(now["observation"], now.get("critic_observation"), hidden_state)
            outputs.append(told)
            hidden_state = next_hidden_state(hidden_state, new, now.get("action_mask"), now["done"])
        many = batch["done"].shape[1:]
        logits, values = (torch.stack(part).unflatten(1, many) for part in zip(*outputs, strict=True))
        return logits, values


class IppoTraining(Training):
    """A run: the episodes, the learners, where they stand, and what is written down of it."""

    trainer, same = "ippo", ("game", "options", "nets", "others", "recipe", "seed", "processes")
    recipe_for = staticmethod(recipe_for)

    def __init__(
        self, game_id: str, recipe: IppoRecipe, *, seed: int = 0, device: str = "auto",
        options: dict[str, Any] | None = None, command: str = "", threads: int | None = None,
        seat: str | int | None = None, others: Any = None,
    ) -> None:  # fmt: skip
        self.recipe, self.seed, self.options, self.command = recipe, seed, options or {}, command
        self.others, self.device = recipe.others or None if others is None else others, device_named(device)
        alone = seat is None and self.others is None
        self.processes = processes = several_processes.started(recipe.num_envs, self.device)
        beside = None if alone else (self.others, seat)
        self.env = make_batch(game_id, recipe, beside, threads, self.options, self.device, processes)
        self.game_id, seats = self.env.game.spec.id, range(len(self.env.seats))
        torch.manual_seed(seed)
        own = None if seat is None else find_seat(self.env.game, seat)
        self.league = None if alone else League(self.env, self.others, own, recipe.self_play, seed + processes.first)
        groups = [[own]] if own is not None else [list(seats)] if recipe.nets == "shared" else [[one] for one in seats]
        self.learners = [Learner(recipe, self.env, group, self.device, processes) for group in groups]
        self.before = self._begin_with(recipe.begin) if recipe.begin else []  # the commands that made that policy
        self.noise = torch.Generator(self.device).manual_seed(seed)
        self.shuffle = torch.Generator("cpu" if recipe.core else self.device).manual_seed(seed)
        self._make_storage()
        self.episodes = ippo_on_cuda.episodes_of(self.env, self.league)
        self.fast_rollout: Callable[[], None] = self.rollout
        self.observation, self.done[0] = self.episodes.reset(seed, processes.first)
        for learner in self.learners:
            measure_pictures(learner.net, self.observation[recipe.observe][:1024, 0])
            processes.begin_alike(learner.net)
        if isinstance(self.episodes, ippo_on_cuda.CardEpisodes):
            ippo_on_cuda.record(self)

    def _make_storage(self) -> None:
        """Tensors [time, env, seat, …]; the last time is that after the rollout."""
        recipe, env, shape = self.recipe, self.env, (self.recipe.rollout + 1, self.env.num_envs, len(self.env.seats))
        new: Callable[..., Tensor] = partial(torch.zeros, device=self.device)
        seen = torch.uint8 if recipe.observe == "rgb" else torch.float32
        self.box, actions = env.game.spec.actions == "box", action_size(env)
        self.storage = {
            "observation": new(*shape, *env.single_observation_space[recipe.observe].shape, dtype=seen),
            "active": new(shape, dtype=torch.bool),  # where it is a learner's turn
            "action": new(*shape, actions) if self.box else new(shape, dtype=torch.int64),
            "log_prob": new(shape), "value": new(shape), "reward": new(shape),
        }  # fmt: skip
        if recipe.critic == "central":
            self.storage["critic_observation"] = new(*shape, *env.state_space.shape)
        if env.masked:
            self.storage["action_mask"] = new(*shape, actions, dtype=torch.bool)
        self.done = new(shape[:2], dtype=torch.bool)  # whether an episode was over before the step, which restarts it
        self.truncated = new(shape[:2], dtype=torch.bool)

    def observe(self, time: int) -> Moves:
        """Copy what all seats see into the storage; all of this time."""
        now, waits = {name: part[time] for name, part in self.storage.items()}, self.done[time, :, None]
        now["observation"].copy_(self.observation[self.recipe.observe], non_blocking=True)
        now["active"][:] = ~waits
        if "critic_observation" in now:
            state = self.observation["state"].view(*now["active"].shape, -1)
            for seat in range(len(self.env.seats)):  # one's own part first
                now["critic_observation"][:, seat].copy_(state.roll(-seat, 1).flatten(1))
        if "action_mask" in now:
            now["action_mask"].copy_(self.observation["action_mask"], non_blocking=True)
            now["action_mask"] &= ~waits[..., None]
            now["active"][:] = now["action_mask"].any(-1)
        return now

    def rollout(self) -> None:
        """Play `recipe.rollout` steps of every episode with the policies as they are."""
        for learner in self.learners:
            learner.first_hidden_state = None if learner.hidden_state is None else learner.hidden_state.clone()
        for time in range(self.recipe.rollout + 1):
            now = self.observe(time)
            if time < self.recipe.rollout:
                for learner in self.learners:
                    learner.act(now, self.done[time], self.noise)
                # Numbers drawn beyond a bound are played as the bound; agents write their own actions into the copy.
                joint = now["action"].clamp(-1, 1) if self.box else now["action"].clone()
                self.observation = self.episodes.step(joint, now["reward"], self.done[time + 1], self.truncated[time])
            if self.league is not None:  # agents had these seats
                now["active"] &= ~self.episodes.taken.to(self.device)
        for learner in self.learners:
            learner.last_value(now)

    @torch_threads(1)  # our own threads share the work on the CPU; PyTorch's would wait for it and use up the cores
    def learn(self) -> dict[str, float]:
        """One rollout and one update; the row of the log that tells of it."""
        recipe, progress = self.recipe, self.updates_done / self.updates
        entropy_weight = recipe.entropy + (recipe.last_entropy - recipe.entropy) * progress
        rate = recipe.rate + (recipe.last_rate - recipe.rate) * progress
        if self.league is not None and self.league.pasts and self.updates_done % recipe.snapshots == 0:
            self.league.remember(self.about(), self.policy())
        self.fast_rollout()
        reward = self.storage["reward"]
        if recipe.sharing:
            reward = (1 - recipe.sharing) * reward + recipe.sharing * reward.mean(-1, keepdim=True)
        reward = reward / recipe.scale
        # An episode that is cut short would have gone on: its last observation is worth something.
        reward[:-1] += recipe.gamma * self.storage["value"][1:] * self.truncated[:-1, :, None]
        logged = []
        for learner in self.learners:
            learner.adam.rate = rate
            rollout = {**self.storage, "reward": reward}, self.done
            logged.append(learner.fast_update(*rollout, entropy_weight, self.shuffle))
            for name, tensor in learner.mean.items():
                tensor.lerp_(learner.net.state_dict()[name], 1 - recipe.average)
        self.done[0] = self.done[-1]
        self.done_steps += recipe.num_envs * recipe.rollout
        names = ("policy_loss", "value_loss", "entropy", "divergence")
        row = dict(zip(names, torch.stack(logged).mean(0).tolist(), strict=True), rate=rate)
        if not all(math.isfinite(row[name]) for name in names[:3]):
            raise MmgamesError(
                f"ippo: the losses are no numbers any more after {self.done_steps} steps; the last good checkpoint is "
                "kept. Try a smaller rate, or a larger scale."
            )
        return row | self.episodes.returns([seat for one in self.learners for seat in one.seats], self.processes)

    # What is saved.

    def about(self) -> dict[str, Any]:
        """What the checkpoint says of itself."""
        named = ("observe", "activation", "core", "greedy", "size")
        return {
            "game": self.game_id, "options": self.options, "kind": self.env.game.spec.actions,
            "inputs": list(self.env.single_observation_space[self.recipe.observe].shape),
            "actions": action_size(self.env), "nets": [learner.seats for learner in self.learners],
            "others": self.others if isinstance(self.others, (str, list, dict)) else None,
            "layers": list(self.recipe.layers), **{name: getattr(self.recipe, name) for name in named},
            "steps": self.done_steps, "seed": self.seed, "command": self.command, "before": self.before,
            "recipe": asdict(self.recipe), "processes": self.processes.size,
        }  # fmt: skip

    def policy(self) -> dict[str, np.ndarray]:
        """The arrays that play: without the value, which only learns."""
        return {
            f"{number}.{name}": array.cpu().numpy()
            for number, learner in enumerate(self.learners)
            for name, array in (learner.mean or learner.net.state_dict()).items()
            if name.startswith(POLICY)
        }

    def _standing(self) -> dict[str, Tensor]:
        """All tensors that a run goes on from: to copy, and to write into."""
        kept = {"over": self.done}
        for number, learner in enumerate(self.learners):
            for kind, tensors in (("net", learner.net.state_dict()), ("mean", learner.mean)):
                kept |= {f"{kind}.{number}.{name}": tensor for name, tensor in tensors.items()}
            for name, tensors in learner.adam.state.items():
                kept |= {f"adam.{number}.{place}.{name}": tensor for place, tensor in enumerate(tensors)}
            if learner.hidden_state is not None:
                kept[f"memory.{number}"] = learner.hidden_state
        return kept

    def everything(self) -> dict[str, np.ndarray]:
        arrays = self.episodes.save() | {name: tensor.cpu().numpy() for name, tensor in self._standing().items()}
        return arrays | {name: getattr(self, name).get_state().cpu().numpy() for name in ("noise", "shuffle")}

    def restore_arrays(self, arrays: dict[str, np.ndarray]) -> None:
        self.observation = self.episodes.restore(arrays, self.about())
        with torch.no_grad():
            for name, tensor in self._standing().items():
                tensor.copy_(torch.from_numpy(arrays[name]))
        for name in ("noise", "shuffle"):
            getattr(self, name).set_state(torch.from_numpy(arrays[name]))

    def _begin_with(self, path: str) -> list[str]:
        about, arrays = checkpoint_files.read_fitting(path, self.game_id, self.policy())
        for number, learner in enumerate(self.learners):
            for name, tensor in (*learner.net.state_dict().items(), *learner.mean.items()):
                if name.startswith(POLICY):
                    tensor.copy_(torch.from_numpy(arrays[f"{number}.{name}"]))
        return [*about.get("before", []), about["command"]]


train = IppoTraining.train
