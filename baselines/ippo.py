"""Independent PPO over the batched face, in one file and from top to bottom; `mmgames train ippo ID` runs it.

Every seat learns by proximal policy optimisation (Schulman et al., 2017) as if it were alone (de Witt et al., Is
independent learning all you need?, 2020), with a network of its own or one that all seats share. The advantages are
generalised estimates (Schulman et al., 2015). A seat that is not to move takes no part in a step: what it is paid until
its next turn belongs to its last move, so games of turns and games of joint moves are learned by the same lines.
With `critic="central"` the value is that of all seats' observations together (MAPPO, Yu et al., 2021).
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import itertools
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

import mmgames
from mmgames.baselines import learned
from mmgames.baselines.ippo_cpu import NO_MASKS, Hand, draw_rows, look_back, threads_kept
from mmgames.baselines.runs import changed, device_named, from_one_up, read_log, tensorboard_log, write_log
from mmgames.core.agents import find_seat, seat_agents
from mmgames.core.errors import MmgamesError, unknown
from mmgames.core.progress import Progress
from mmgames.envs.crowd import Crowd

CHOICES = {
    "nets": ("shared", "own"),
    "trunk": ("shared", "separate"),
    "activation": ("relu", "tanh"),
    "core": ("", "gru", "lstm"),
    "critic": ("own", "central"),
    "observe": ("features", "planes", "rgb"),
}


@dataclass(frozen=True)
class Recipe:
    """Everything that decides what is learned; `seed` and the game do the rest."""

    steps: int = 2_000_000
    """How many steps of single episodes to learn from."""
    num_envs: int = 1024
    rollout: int = 32
    """Steps of each episode between two updates."""
    epochs: int = 2
    minibatches: int = 4
    layers: tuple[int, ...] = (64, 64)
    activation: str = "relu"
    core: str = ""
    """A recurrent core after the layers: gru or lstm."""
    nets: str = "shared"
    """One network for all seats, or one each (own)."""
    trunk: str = "shared"
    """Whether the value shares the policy's layers."""
    critic: str = "own"
    """The value of one's own observation, or of all seats' observations together (central)."""
    observe: str = "features"
    """What the policy sees: features, spatial planes, or pictures (rgb) of `size` pixels."""
    size: int = 84
    sharing: float = 0.0
    """How much of the reward is the mean of all seats': 0 one's own, 1 shared, between them mixed."""
    gamma: float = 0.99
    gae: float = 0.95
    clip: float = 0.2
    rate: float = 1e-3
    last_rate: float = 0.0
    """The learning rate goes from `rate` to this one in a straight line, and `entropy` to `last_entropy`."""
    entropy: float = 0.01
    last_entropy: float = 0.0
    value: float = 0.5
    """The weight of the value's loss."""
    norm: float = 0.5
    """Gradients are cut to this length."""
    scale: float = 1.0
    """Rewards are divided by this."""
    greedy: bool = False
    """Whether the trained policy plays its best action, instead of drawing one."""
    begin: str = ""
    """A checkpoint whose policy is learned on from, perhaps one of other options of the game; the value begins anew."""
    average: float = 0.0
    """The policy that plays is a running mean of the weights that keeps this share of itself at each update; 0 is the
    last weights. Where learners go round in circles, as in poker, the middle is better than any point of them."""

    def __post_init__(self) -> None:
        for name, known in CHOICES.items():
            if getattr(self, name) not in known:
                raise unknown(name, getattr(self, name), "ippo", known)
        from_one_up(self, "ippo", "steps", "num_envs", "rollout", "epochs", "minibatches")
        if not self.layers or any(not isinstance(size, int) or size < 1 for size in self.layers):
            raise MmgamesError(f"ippo: layers={self.layers!r} is not possible; give widths such as (64, 64).")
        if not 0 <= self.sharing <= 1:
            raise MmgamesError(f"ippo: sharing={self.sharing!r} is out of range; 0 is one's own reward, 1 the shared.")
        if not 0 <= self.average < 1:
            raise MmgamesError(
                f"ippo: average={self.average!r} is out of range; 0 is the last weights, 0.99 a long mean."
            )
        if self.core and self.num_envs % self.minibatches:
            raise MmgamesError(
                f"ippo: with a recurrent core, num_envs={self.num_envs} is split into minibatches evenly."
            )


PRESETS: dict[str, dict[str, Any]] = {
    "mmgames/CoinDilemma-v0": dict(steps=8_000_000, sharing=1.0, rate=3e-3),
    "mmgames/MonsterHunt-v0": dict(
        steps=16_000_000, sharing=1.0, scale=5.0, layers=(128, 128), entropy=0.2, gamma=0.95, epochs=4
    ),
    "mmgames/BattleOfTheColors-v0": dict(
        steps=16_000_000, sharing=1.0, layers=(128, 128), entropy=0.05, gamma=0.9, epochs=4
    ),
    "mmgames/Overcooked-v0": dict(
        steps=16_000_000, sharing=1.0, scale=5.0, rate=2e-3, layers=(128, 128), entropy=0.05, gamma=0.995, epochs=4,
        greedy=True,
    ),
    "mmgames/TicTacToe-v0": dict(steps=8_000_000, gamma=1.0, layers=(128, 128), entropy=0.02, epochs=4),
    "mmgames/KuhnPoker-v0": dict(
        steps=14_000_000, gamma=1.0, entropy=0.4, last_entropy=0.05, epochs=1, clip=0.1, trunk="separate", average=0.9
    ),
    "mmgames/TinyHanabi-v0": dict(steps=8_000_000, gamma=1.0, layers=(128, 128), rollout=64, epochs=4),
    "mmgames/Hanabi-v0": dict(
        steps=20_000_000, layers=(512, 512), gamma=0.999, rate=5e-4, last_rate=1e-4, entropy=0.015, last_entropy=0.003,
        minibatches=8, trunk="separate",
    ),
}  # fmt: skip
"""What is changed in the recipe for a game."""


def recipe_for(game_id: str, **changes: Any) -> Recipe:
    """The recipe of a game with changes of one's own."""
    if isinstance(changes.get("layers"), (int, list)):
        layers = changes["layers"]
        changes["layers"] = tuple(layers) if isinstance(layers, list) else (layers,)
    return changed(Recipe(**PRESETS.get(game_id, {})), "ippo", changes)


class Net(nn.Module):
    """Layers, perhaps a recurrent core, what is made of each action, and the value."""

    def __init__(self, recipe: Recipe, inputs: tuple[int, ...], actions: int, critic_inputs: tuple[int, ...]) -> None:
        super().__init__()
        width = recipe.layers[-1]
        self.encoder = self._layers(recipe, inputs)
        cores = {"gru": nn.GRUCell, "lstm": nn.LSTMCell}
        self.core = cores[recipe.core](width, width) if recipe.core else None
        self.actor = _linear(width, actions, 0.01)
        alone = recipe.trunk == "shared" and recipe.critic == "own"
        self.valuer = None if alone else self._layers(recipe, critic_inputs)
        self.critic = _linear(width, 1, 1.0)
        self.memories = {"": 0, "gru": 1, "lstm": 2}[recipe.core]
        self.width = width

    @staticmethod
    def _layers(recipe: Recipe, inputs: tuple[int, ...]) -> nn.Sequential:
        activation = {"relu": partial(nn.ReLU, inplace=True), "tanh": nn.Tanh}[recipe.activation]
        parts = convolutions(recipe.observe, inputs) if len(inputs) == 3 else []
        with torch.no_grad():
            first = nn.Sequential(*parts)(torch.zeros(1, *inputs)).shape[1] if parts else inputs[0]
        for into, out in itertools.pairwise((first, *recipe.layers)):
            parts += [_linear(into, out, 2**0.5), activation()]
        return nn.Sequential(*parts)

    def forward(self, seen: Tensor, all_seen: Tensor, memory: Tensor | None) -> tuple[Tensor, Tensor, Tensor | None]:
        """Rows of inputs -> logits, values and what is remembered from here on."""
        x = self.encoder(seen)
        if isinstance(self.core, nn.GRUCell):
            assert memory is not None
            x = self.core(x, memory[:, 0])
            memory = x[:, None]
        elif isinstance(self.core, nn.LSTMCell):
            assert memory is not None
            x, cell = self.core(x, (memory[:, 0], memory[:, 1]))
            memory = torch.stack((x, cell), dim=1)
        if self.valuer is None:  # one product for both
            weight = torch.cat((self.actor.weight, self.critic.weight))
            both = functional.linear(x, weight, torch.cat((self.actor.bias, self.critic.bias)))
            return both[:, :-1], both[:, -1], memory
        return self.actor(x), self.critic(self.valuer(all_seen))[:, 0], memory


class TorchNetwork:
    """A network of a checkpoint that sees planes or pictures, with the manners of `learned.Network`."""

    def __init__(self, about: dict[str, Any], arrays: dict[str, np.ndarray], number: int) -> None:
        recipe = recipe_for("", **{k: tuple(v) if isinstance(v, list) else v for k, v in about["recipe"].items()})
        self.net = Net(replace(recipe, critic="own", trunk="shared"), tuple(about["inputs"]), about["actions"], ())
        mine = {name.partition(".")[2]: array for name, array in arrays.items() if name.startswith(f"{number}.")}
        try:
            self.net.load_state_dict({name: torch.from_numpy(array) for name, array in mine.items()}, strict=False)
        except RuntimeError as error:
            raise MmgamesError(f"A checkpoint's arrays do not fit its network: {error}.") from error

    def memory(self, rows: int) -> np.ndarray | None:
        return np.zeros((rows, self.net.memories, self.net.width), np.float32) if self.net.memories else None

    def logits(self, seen: np.ndarray, memory: np.ndarray | None = None) -> np.ndarray:
        before = None if memory is None else torch.from_numpy(memory)
        with torch.no_grad():
            inputs = torch.from_numpy(np.ascontiguousarray(seen))
            logits, _, after = self.net(inputs, inputs, before)
        if memory is not None and after is not None:
            memory[:] = after.numpy()
        return logits.numpy()


class Pixels(nn.Module):
    """Bytes of pictures, colours last, as numbers, colours first: how far each pixel is from what it usually is.

    Most of a picture never changes, and what does would be lost in it.
    """

    def __init__(self, shape: tuple[int, ...]) -> None:
        super().__init__()
        self.register_buffer("usual", torch.zeros(shape))
        self.register_buffer("spread", torch.ones(()))

    def get_used_to(self, pictures: Tensor) -> None:
        seen = pictures.float() / 255
        self.usual.copy_(seen.mean(0))
        self.spread.copy_((seen - seen.mean(0)).std() + 1e-3)

    def forward(self, pictures: Tensor) -> Tensor:
        return ((pictures.float() / 255 - self.usual) / self.spread).permute(0, 3, 1, 2)


def convolutions(observe: str, shape: tuple[int, ...]) -> list[nn.Module]:
    """What comes before the layers where a policy sees a board or a picture."""
    if observe == "planes":  # every cell matters, and boards are small
        wide = (shape[0], 32, 32)
        parts = [nn.Conv2d(into, out, 3, padding=1) for into, out in itertools.pairwise(wide)]
        return [parts[0], nn.ReLU(), parts[1], nn.ReLU(), nn.Flatten()]
    strides = ((3, 16, 8, 4), (16, 32, 4, 2), (32, 32, 3, 1))
    looks = [[nn.Conv2d(into, out, kernel, stride), nn.ReLU()] for into, out, kernel, stride in strides]
    for convolution, _ in looks:
        nn.init.orthogonal_(convolution.weight, 2**0.5)
        nn.init.zeros_(convolution.bias)
    return [Pixels(shape), *itertools.chain(*looks), nn.Flatten()]


def _linear(into: int, out: int, gain: float) -> nn.Linear:
    layer = nn.Linear(into, out)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def logits_of(logits: Tensor, masks: Tensor | None) -> Tensor:
    """Logits with illegal actions out of reach; where nothing is legal, all are left as they are."""
    return logits if masks is None else logits.masked_fill(~masks, -1e9)


POLICY = ("encoder", "core", "actor")
"""How the arrays begin that play; the rest is the value, which only learns."""
ROWS_PER_HAND = 512  # fewer rows than this are not worth another thread when acting


class Learner:
    """A network, the seats it plays, and all it has seen since the last update: arrays [time, env, seat, …]."""

    def __init__(self, recipe: Recipe, env: Any, seats: list[int], device: torch.device) -> None:
        self.recipe, self.seats, self.device = recipe, seats, device
        times, rows, many = recipe.rollout, recipe.num_envs, len(seats)
        space, actions = env.single_observation_space[recipe.observe], env.kernel.num_actions
        inputs, kind = space.shape, torch.uint8 if recipe.observe == "rgb" else torch.float32
        central = recipe.critic == "central"
        everything = env.state_space.shape if central else inputs
        self.net = Net(recipe, inputs, actions, everything).to(device)
        self.mean = {name: tensor.clone() for name, tensor in self.net.state_dict().items()} if recipe.average else {}
        self.optimizer = torch.optim.Adam(self.net.parameters(), recipe.rate, eps=1e-5, fused=True)
        place = lambda *shape, **kind: torch.zeros(*shape, device=device, **kind)  # noqa: E731
        self.seen = place(times + 1, rows, many, *inputs, dtype=kind)
        self.all_seen = place(times + 1, rows, many, *everything) if central else self.seen
        masked = env.kernel.moves is not None
        self.masks = place(times + 1, rows, many, actions, dtype=torch.bool) if masked else None
        self.actions = place(times, rows, many, dtype=torch.int64)
        self.likely = place(times, rows, many)
        self.values = place(times + 1, rows, many)
        self.memory = place(rows * many, self.net.memories, self.net.width) if recipe.core else None
        self.first_memory = self.memory
        self.threads = env.threads
        hands = min(torch.get_num_threads(), env.threads.most) if device.type == "cpu" and not recipe.core else 0
        self.hands = [Hand(self.net, recipe) for _ in range(hands)]
        self.host_actions = torch.zeros(rows, many, dtype=torch.int64, pin_memory=device.type == "cuda")
        self._graph: Graph | None = None

    def look(self, time: int, observation: dict[str, np.ndarray], over: Tensor) -> None:
        """Take in what the seats see now, straight from the environment's own arrays."""
        seen = torch.from_numpy(observation[self.recipe.observe])
        part = slice(None) if len(self.seats) == seen.shape[1] else self.seats
        self.seen[time].copy_(seen[:, part], non_blocking=True)
        if self.all_seen is not self.seen:
            state = torch.from_numpy(observation["state"]).view(seen.shape[0], seen.shape[1], -1)
            for place, seat in enumerate(self.seats):  # one's own part first
                self.all_seen[time, :, place].copy_(state.roll(-seat, 1).flatten(1))
        if self.masks is not None:
            self.masks[time].copy_(torch.from_numpy(observation["action_mask"])[:, part], non_blocking=True)
            self.masks[time] &= ~over[:, None, None]

    def act(self, time: int, over: Tensor, generator: torch.Generator) -> np.ndarray:
        """Draw an action for each row; the seats that do not move draw too, and nobody minds."""
        rows, many = self.actions.shape[1:]
        inputs = (
            self.seen[time].flatten(0, 1),
            self.all_seen[time].flatten(0, 1),
            None if self.masks is None else self.masks[time].flatten(0, 1),
            self.memory,
            over.repeat_interleave(many) if self.memory is not None else None,
        )
        if self.device.type == "cuda":
            if self._graph is None:
                self._graph = Graph(lambda *given: self._decide(*given, generator), inputs, generator)
            action, likely, value, memory = self._graph(*inputs)
        else:
            action, likely, value, memory = self._decide(*inputs, generator)
        self.actions[time] = action.view(rows, many)
        self.likely[time] = likely.view(rows, many)
        self.values[time] = value.view(rows, many)
        if memory is not None:
            self.memory = memory.clone() if self._graph else memory
        if self.device.type == "cuda":
            self.host_actions.copy_(self.actions[time], non_blocking=True)
            torch.cuda.current_stream().synchronize()
            return self.host_actions.numpy()
        return self.actions[time].numpy()

    @torch.no_grad()
    def _decide(
        self, seen: Tensor, all_seen: Tensor, masks: Tensor | None, memory: Tensor | None, over: Tensor | None,
        generator: torch.Generator,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:  # fmt: skip
        if self.device.type == "cpu":
            draws = torch.rand(len(seen), generator=generator)
            action, chance, value = torch.empty_like(draws).long(), torch.empty_like(draws), torch.empty_like(draws)
            if self.hands:
                arrays = (seen, all_seen, masks, draws, action, chance, value)
                busy = self.hands[: -(-len(seen) // ROWS_PER_HAND)]
                cut = [[None] * len(busy) if array is None else array.chunk(len(busy)) for array in arrays]
                self.threads.each([partial(hand.act, *part) for hand, *part in zip(busy, *cut, strict=True)])
                return action, chance, value, memory
        logits, value, new = self.net(seen, all_seen, memory)
        if memory is not None and over is not None:
            memory = going_on(memory, new, masks, over)
        if self.device.type == "cpu":
            legal = NO_MASKS if masks is None else masks.numpy()
            draw_rows(logits.numpy(), legal, masks is not None, draws.numpy(), action.numpy(), chance.numpy())
            return action, chance, value, memory
        likely = functional.log_softmax(logits_of(logits, masks), dim=1)
        # The largest of likelihood / exponential noise falls on each action as often as it is likely.
        noise = torch.empty_like(likely).exponential_(generator=generator)
        action = (likely.exp() / noise).argmax(1)
        return action, likely.gather(1, action[:, None])[:, 0], value, memory

    @torch.no_grad()
    def last_value(self) -> None:
        """The value of where the rollout ends."""
        _, value, _ = self.net(self.seen[-1].flatten(0, 1), self.all_seen[-1].flatten(0, 1), self.memory)
        self.values[-1] = value.view_as(self.values[-1])

    def advantages(self, rewards: Tensor, done: Tensor, over: Tensor) -> tuple[Tensor, Tensor]:
        """Generalised advantages and which moves they are known for.

        rewards [time, env, seat]; done and over [time, env]: the episode ended with this step; it had ended before it.
        """
        gamma, decay = self.recipe.gamma, self.recipe.gamma * self.recipe.gae
        active = self.active(over)
        if self.device.type == "cpu":
            result, known = torch.zeros_like(self.likely), torch.zeros_like(self.likely, dtype=torch.bool)
            arrays = (rewards.contiguous(), self.values, active.contiguous(), over)
            numbers = (np.float32(gamma), np.float32(decay), result.numpy(), known.numpy())
            arrays = (*(array.numpy() for array in arrays), *numbers)
            self.threads.run(look_back, *arrays, count=over.shape[1], threads=len(self.hands))
            return result, known
        result, known = torch.zeros_like(self.likely), torch.zeros_like(self.likely, dtype=torch.bool)
        # Going back in time: what the next own move is worth, what was paid since the last one, whether that is known.
        value, gain = self.values[-1].clone(), torch.zeros_like(self.values[-1])
        paid, sure = torch.zeros_like(value), active[-1].clone()
        for time in range(self.recipe.rollout - 1, -1, -1):
            ends = done[time, :, None]
            goes_on = (~ends).float()
            value, gain = value * goes_on, gain * goes_on
            paid = paid * goes_on + rewards[time]
            sure = sure | ends
            moves = active[time]
            here = self.values[time]
            step = paid + gamma * value - here + decay * gain
            result[time], known[time] = step, moves & sure
            step = step * sure.float()
            if self.masks is None:  # all move at once, all the time; steps that begin an episode pay nothing
                value, gain, paid = here, step, torch.zeros_like(paid)
            else:
                value, gain = torch.where(moves, here, value), torch.where(moves, step, gain)
                paid = torch.where(moves, 0.0, paid)
            sure = sure | moves
        return result, known

    def get_used_to(self, observation: dict[str, np.ndarray]) -> None:
        """Let networks that see pictures know what those usually look like."""
        for part in self.net.modules():
            if isinstance(part, Pixels):
                part.get_used_to(torch.from_numpy(observation["rgb"][:1024, 0]).to(self.device))

    def average(self) -> None:
        """Take the weights into their running mean."""
        for name, tensor in self.net.state_dict().items():
            if name in self.mean:
                self.mean[name].lerp_(tensor, 1 - self.recipe.average)

    def active(self, over: Tensor) -> Tensor:
        """[time, env, seat]: whose turn it is."""
        if self.masks is None:
            return (~over)[:, :, None].expand(-1, -1, len(self.seats))
        return self.masks.any(-1)

    def update(self, rewards: Tensor, done: Tensor, over: Tensor, entropy: float, shuffle: torch.Generator) -> Tensor:
        """Learn from the rollout; what the losses were: policy, value, entropy, how far the policy has moved."""
        advantage, known = self.advantages(rewards, done, over)
        returns = advantage + self.values[:-1]
        picked = advantage[known]
        mean, spread = picked.mean(), picked.std(correction=0) + 1e-8
        data = Batch(
            self.seen[:-1], self.all_seen[:-1], None if self.masks is None else self.masks[:-1],
            self.actions, self.likely, (advantage - mean) / spread, returns, known,
        )  # fmt: skip
        losses = []
        if self.device.type == "cpu" and not self.recipe.core:
            return self._learn_on_cpu(data.flat(), entropy, shuffle)
        for _ in range(self.recipe.epochs):
            for batch, forward in self._minibatches(data, over, shuffle):
                losses.append(self._learn(batch, forward, entropy))
        self.first_memory = self.memory
        return torch.stack(losses).mean(0)

    def _learn_on_cpu(self, data: Batch, entropy: float, shuffle: torch.Generator) -> Tensor:
        """As `_learn` on minibatches, but the slopes of the loss come from a kernel, and the hands share the rows."""
        recipe, told, rounds = self.recipe, np.zeros(4), 0
        moves = data.known.nonzero()[:, 0]
        facts = torch.stack((data.actions.float(), data.likely, data.advantage, data.returns), 1)
        for _ in range(recipe.epochs):
            for part in moves[torch.randperm(len(moves), generator=shuffle)].chunk(recipe.minibatches):
                weights = tuple(map(np.float32, (recipe.clip, recipe.value, entropy, 1 / max(1, len(part)))))
                shares = part.chunk(len(self.hands))
                busy = self.hands[: len(shares)]
                self.threads.each(
                    [partial(hand.learn, data, facts, share, weights) for hand, share in zip(busy, shares, strict=True)]
                )
                for parameter, *found in zip(self.net.parameters(), *(hand.gradients() for hand in busy), strict=True):
                    parameter.grad = functools.reduce(torch.add, found)
                nn.utils.clip_grad_norm_(self.net.parameters(), recipe.norm)
                self.optimizer.step()
                rounds += 1
        for hand in self.hands:
            told += hand.told
            hand.told[:] = 0
        return torch.from_numpy(told / rounds).float()

    def _minibatches(self, data: Batch, over: Tensor, shuffle: torch.Generator) -> Iterator[tuple[Batch, Callable]]:
        """Parts of a rollout, drawn anew, each with what evaluates the network on it."""
        recipe = self.recipe
        if recipe.core:  # whole stretches of some episodes, since the network remembers
            for part in torch.randperm(recipe.num_envs, generator=shuffle).chunk(recipe.minibatches):
                part = part.to(self.device)
                yield data.columns(part), lambda batch, part=part: self._unroll(batch, over[:-1, part], part)
            return
        flat = data.flat()
        if self.masks is None:
            order = torch.randperm(flat.known.numel(), generator=shuffle, device=shuffle.device)
        else:  # about half of a game of turns is waiting, which teaches nothing
            moves = flat.known.nonzero()[:, 0]
            order = moves[torch.randperm(moves.numel(), generator=shuffle, device=shuffle.device).to(moves.device)]
        for part in order.to(self.device).chunk(recipe.minibatches):
            yield flat.rows(part), lambda batch: self.net(batch.seen, batch.all_seen, None)[:2]

    def _unroll(self, batch: Batch, over: Tensor, part: Tensor) -> tuple[Tensor, Tensor]:
        """The recurrent network over a stretch of time, from what it remembered where the stretch begins."""
        times, rows, many = batch.actions.shape
        assert self.first_memory is not None
        memory = self.first_memory.view(self.recipe.num_envs, many, *self.first_memory.shape[1:])[part].flatten(0, 1)
        outputs = []
        for time in range(times):
            masks = None if batch.masks is None else batch.masks[time].flatten(0, 1)
            seen, all_seen = batch.seen[time].flatten(0, 1), batch.all_seen[time].flatten(0, 1)
            logits, value, new = self.net(seen, all_seen, memory)
            outputs.append((logits, value))
            memory = going_on(memory, new, masks, over[time].repeat_interleave(many))
        logits, values = (torch.stack(part) for part in zip(*outputs, strict=True))
        return logits.view(times, rows, many, -1), values.view(times, rows, many)

    def _learn(self, batch: Batch, forward: Callable, entropy: float) -> Tensor:
        recipe = self.recipe
        logits, values = forward(batch)
        likely = functional.log_softmax(logits_of(logits, batch.masks), dim=-1)
        now = likely.gather(-1, batch.actions[..., None])[..., 0]
        change = now - batch.likely
        ratio = change.exp()
        weight = batch.known / batch.known.sum()
        clipped = ratio.clamp(1 - recipe.clip, 1 + recipe.clip)
        policy_loss = -(torch.minimum(ratio * batch.advantage, clipped * batch.advantage) * weight).sum()
        value_loss = ((values - batch.returns).square() * weight).sum()
        spread = -((likely.exp() * likely).sum(-1) * weight).sum()
        loss = policy_loss + recipe.value * value_loss - entropy * spread
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), recipe.norm)
        self.optimizer.step()
        with torch.no_grad():
            moved = ((ratio - 1 - change) * weight).sum()  # Schulman's low-variance estimate of the divergence
            return torch.stack((policy_loss, value_loss, spread, moved)).detach()


@dataclass(frozen=True)
class Batch:
    """What is learned from: [time, env, seat, …], or one row for each move."""

    seen: Tensor
    all_seen: Tensor
    masks: Tensor | None
    actions: Tensor
    likely: Tensor
    advantage: Tensor
    returns: Tensor
    known: Tensor

    def _map(self, change: Callable[[Tensor], Tensor]) -> Batch:
        made = {name: None if part is None else change(part) for name, part in vars(self).items() if name != "all_seen"}
        shared = self.all_seen is self.seen
        return Batch(**made, all_seen=made["seen"] if shared else change(self.all_seen))  # type: ignore[arg-type]

    def flat(self) -> Batch:
        return self._map(lambda part: part.flatten(0, 2))

    def rows(self, which: Tensor) -> Batch:
        return self._map(lambda part: part.index_select(0, which))

    def columns(self, which: Tensor) -> Batch:
        return self._map(lambda part: part[:, which])


def going_on(old: Tensor, new: Tensor | None, masks: Tensor | None, over: Tensor) -> Tensor:
    """What is remembered after a step: nothing where the episode was over, as before where it was another's turn."""
    assert new is not None
    if masks is not None:
        new = torch.where(masks.any(1)[:, None, None], new, old)
    return torch.where(over[:, None, None], 0.0, new)


class Graph:
    """A function on the graphics card, recorded once and replayed: its many small kernels start as one."""

    def __init__(self, function: Callable, inputs: tuple[Tensor | None, ...], generator: torch.Generator) -> None:
        self.inputs = [None if given is None else given.clone() for given in inputs]
        aside = torch.cuda.Stream()
        aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(aside):
            for _ in range(3):
                function(*self.inputs)
        torch.cuda.current_stream().wait_stream(aside)
        self.graph = torch.cuda.CUDAGraph()
        self.graph.register_generator_state(generator)
        with torch.cuda.graph(self.graph):
            self.outputs = function(*self.inputs)

    def __call__(self, *inputs: Tensor | None) -> tuple[Tensor | None, ...]:
        for mine, given in zip(self.inputs, inputs, strict=True):
            if mine is not None:
                mine.copy_(given, non_blocking=True)
        self.graph.replay()
        return self.outputs


class Training:
    """A run: the environment, the learners, where they stand, and what is written down of it."""

    def __init__(
        self, game_id: str, recipe: Recipe, *, seed: int = 0, device: str = "auto",
        options: dict[str, Any] | None = None, command: str = "", threads: int | None = None,
        seat: str | int | None = None, others: Any = None,
    ) -> None:  # fmt: skip
        self.recipe, self.seed, self.options, self.command = recipe, seed, options or {}, command
        self.device = device_named(device)
        if self.device.type == "cpu":
            _keep_memory()
        keys = (recipe.observe, "action_mask", *(("state",) if recipe.critic == "central" else ()))
        self.env = mmgames.vector_env(
            game_id,
            recipe.num_envs,
            observe=keys,
            copy=False,
            threads=threads,
            **({"size": recipe.size} if recipe.observe == "rgb" else {}),
            **self.options,
        )
        self.game_id = self.env.game.spec.id
        torch.manual_seed(seed)
        seats = list(range(len(self.env.seats)))
        self.others = others
        if seat is not None:  # one seat learns, agents play the others
            learning = find_seat(self.env.game, seat)
            groups = [[learning]]
            agents = seat_agents(others, self.env.game, [other for other in seats if other != learning])
            self.crowd: Crowd | None = Crowd(self.env, agents, seed)
        elif others is not None:
            raise MmgamesError("others= plays beside one learning seat; say which with seat=.")
        else:
            groups = [seats] if recipe.nets == "shared" else [[one] for one in seats]
            self.crowd = None
        self.learners = [Learner(recipe, self.env, group, self.device) for group in groups]
        self.before: list[str] = []
        if recipe.begin:
            self._begin_with(recipe.begin)
        self.noise = torch.Generator(self.device).manual_seed(seed)
        self.shuffle = torch.Generator(self.device if self.device.type == "cuda" else "cpu").manual_seed(seed)
        if recipe.core:
            self.shuffle = torch.Generator().manual_seed(seed)
        times, rows = recipe.rollout, recipe.num_envs
        pinned = self.device.type == "cuda"
        self.rewards = torch.zeros(times, rows, len(seats), pin_memory=pinned)
        self.over = torch.zeros(times + 1, rows, dtype=torch.bool, pin_memory=pinned)
        self.done_steps = 0
        # What the episodes under way have paid; nothing is known of the first ones, which begin with random moves.
        self.running = np.full((rows, len(seats)), np.nan)
        self.finished: list[np.ndarray] = []
        self.observation, _ = self.env.reset(seed=seed * 1_000_003)
        self._spread_out()
        for learner in self.learners:
            learner.get_used_to(self.observation)
        if pinned:
            self._pin()

    def _begin_with(self, path: str) -> None:
        about, arrays = learned.read(path)
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
            loaded = {name: torch.from_numpy(array) for name, array in given.items()}
            learner.net.load_state_dict({**learner.net.state_dict(), **loaded})
            learner.mean = {name: tensor.clone() for name, tensor in learner.net.state_dict().items() if learner.mean}
        self.before = [*about.get("before", []), about["command"]]

    def _spread_out(self) -> None:
        """Begin episodes at different times, so that an update sees all phases of the game, and not one at a time."""
        length = min(self.env.game.spec.length, 100)
        for time in range(1, length):
            _, _, terminated, truncated, _ = self.env.step(self.env.random_actions())
            mask = np.arange(self.recipe.num_envs) % length == time
            self.over[0] = torch.from_numpy((terminated | truncated) & ~mask)
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
    def update(self) -> int:
        return self.done_steps // (self.recipe.num_envs * self.recipe.rollout)

    def rollout(self) -> None:
        joint = np.zeros((self.recipe.num_envs, len(self.env.seats)), np.int64)
        rewards, over = self.rewards.numpy(), self.over.numpy()
        for learner in self.learners:
            learner.first_memory = learner.memory
        for time in range(self.recipe.rollout):
            gone = self.over[time].to(self.device, non_blocking=True)
            for learner in self.learners:
                learner.look(time, self.observation, gone)
                joint[:, learner.seats] = learner.act(time, gone, self.noise)
            if self.crowd is not None:
                self.crowd.forget(over[time])
                self.crowd.act(self.observation, joint, over[time])
            self.observation, paid, terminated, truncated, _ = self.env.step(joint)
            rewards[time] = paid
            np.logical_or(terminated, truncated, out=over[time + 1])
            self._count(paid, over[time + 1])
        for learner in self.learners:
            learner.look(self.recipe.rollout, self.observation, self.over[-1].to(self.device))
            learner.last_value()

    def _count(self, paid: np.ndarray, over: np.ndarray) -> None:
        self.running += paid
        if over.any():
            whole = over & ~np.isnan(self.running[:, 0])
            if whole.any():
                self.finished.append(self.running[whole])
            self.running[over] = 0.0

    @threads_kept()
    def learn(self) -> dict[str, float]:
        """One rollout and one update; what there is to tell of it."""
        recipe, done = self.recipe, self.update / self.updates
        entropy = recipe.entropy + (recipe.last_entropy - recipe.entropy) * done
        rate = recipe.rate + (recipe.last_rate - recipe.rate) * done
        self.rollout()
        rewards, over = self.rewards.to(self.device), self.over.to(self.device)
        if recipe.sharing:
            rewards = (1 - recipe.sharing) * rewards + recipe.sharing * rewards.mean(-1, keepdim=True)
        rewards = rewards / recipe.scale
        losses = []
        for learner in self.learners:
            for group in learner.optimizer.param_groups:
                group["lr"] = rate
            mine = rewards[..., learner.seats]
            losses.append(learner.update(mine, over[1:], over, entropy, self.shuffle))
            learner.average()
        self.over[0] = self.over[-1]
        self.done_steps += recipe.num_envs * recipe.rollout
        policy, value, spread, moved = torch.stack(losses).mean(0).tolist()
        if not np.isfinite(policy + value + spread):
            raise MmgamesError(
                f"ippo: the losses are no numbers any more after {self.done_steps} steps; the last good checkpoint is "
                "kept. Try a smaller rate, or a larger scale."
            )
        told = {"policy_loss": policy, "value_loss": value, "entropy": spread, "divergence": moved, "rate": rate}
        if self.finished:
            returns = np.concatenate(self.finished)
            self.finished = []
            told["episodes"] = float(len(returns))
            told["return"] = float(returns[:, [seat for learner in self.learners for seat in learner.seats]].mean())
            for seat, mean in zip(self.env.seats, returns.mean(0), strict=True):
                told[f"return_{seat}"] = float(mean)
        return told

    def about(self) -> dict[str, Any]:
        """What the checkpoint says of itself."""
        return {
            "game": self.game_id,
            "options": self.options,
            "observe": self.recipe.observe,
            "inputs": list(self.env.single_observation_space[self.recipe.observe].shape),
            "actions": self.env.kernel.num_actions,
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
        learned.write(folder / "policy.npz", self.about(), self.policy())
        learned.write(folder / "training.npz", self.about(), self._everything())

    def _everything(self) -> dict[str, np.ndarray]:
        arrays = {f"env.{name}": array for name, array in self.env.save().items()}
        arrays |= {"running": self.running, "over": self.over.numpy(), "noise": self.noise.get_state().cpu().numpy()}
        if self.crowd is not None:
            arrays |= {f"crowd.{seat}": stream for seat, stream in self.crowd.streams.items()}
        arrays["shuffle"] = self.shuffle.get_state().cpu().numpy()
        for number, learner in enumerate(self.learners):
            for name, tensor in learner.net.state_dict().items():
                arrays[f"net.{number}.{name}"] = tensor.cpu().numpy()
            arrays |= {f"mean.{number}.{name}": tensor.cpu().numpy() for name, tensor in learner.mean.items()}
            for place, parameter in enumerate(learner.net.parameters()):
                for name, tensor in learner.optimizer.state[parameter].items():
                    arrays[f"adam.{number}.{place}.{name}"] = tensor.cpu().numpy()
            if learner.memory is not None:
                arrays[f"memory.{number}"] = learner.memory.cpu().numpy()
        return arrays

    def restore(self, path: Path) -> None:
        """Go on from a training.npz of the same game and recipe."""
        about, arrays = learned.read(path)
        mine = json.loads(json.dumps(self.about()))
        for name in ("game", "options", "nets", "others", "recipe", "seed"):
            if about.get(name) != mine[name]:
                raise MmgamesError(
                    f"{str(path)!r} was made with {name} {about.get(name)!r}, not {mine[name]!r}; go on with the same, "
                    "or choose another folder."
                )
        try:
            self._take_back(arrays)
        except (KeyError, ValueError, RuntimeError) as error:
            raise MmgamesError(f"{str(path)!r} is damaged ({error}); remove it to begin anew.") from error
        self.done_steps = int(about["steps"])

    def _take_back(self, arrays: dict[str, np.ndarray]) -> None:
        self.observation, _ = self.env.restore({k[4:]: array for k, array in arrays.items() if k.startswith("env.")})
        self.running[:] = arrays["running"]
        if self.crowd is not None:
            for seat, stream in self.crowd.streams.items():
                stream[:] = arrays[f"crowd.{seat}"]
        self.over.copy_(torch.from_numpy(arrays["over"]))
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
            if learner.memory is not None:
                learner.memory = torch.from_numpy(arrays[f"memory.{number}"]).to(self.device)

    def run(
        self, folder: Path, *, seconds: float | None = None, every: float = 30.0, tensorboard: bool = False,
        show: bool = True,
    ) -> list[dict[str, float]]:  # fmt: skip
        """Learn until the steps or the seconds are used up; the log, which is also written as it grows."""
        folder.mkdir(parents=True, exist_ok=True)
        log = read_log(folder / "log.csv", self.done_steps)
        before = log[-1]["seconds"] if log else 0.0
        begun, saved = perf_counter(), perf_counter()
        per_update = self.recipe.num_envs * self.recipe.rollout
        label = f"ippo {self.game_id.rpartition('/')[2]}"
        with (
            tensorboard_log(folder, tensorboard) as board,
            Progress(self.updates * per_update, label, self.done_steps, show) as bar,
        ):
            while self.update < self.updates:
                told = self.learn()
                now = perf_counter()
                entry = {"steps": float(self.done_steps), "seconds": before + now - begun, **told}
                log.append(entry)
                if board is not None:
                    for name, value in told.items():
                        board.add_scalar(name, value, self.done_steps)
                bar.advance(per_update)
                if now - saved > every:
                    self.save(folder)
                    write_log(folder / "log.csv", log)
                    saved = now
                if seconds is not None and now - begun > seconds:
                    break
        self.save(folder)
        write_log(folder / "log.csv", log)
        return log


def _keep_memory() -> None:
    """Let the C library keep freed memory, where it is glibc: a third of the time went into asking for pages again."""
    keep_up_to, never_map = (-1, 2**31 - 1), (-3, 2**30)  # M_TRIM_THRESHOLD, M_MMAP_THRESHOLD
    with contextlib.suppress(OSError, AttributeError):
        library = ctypes.CDLL("libc.so.6")
        for option, value in (keep_up_to, never_map):
            library.mallopt(option, value)


def train(
    game_id: str, out: str | Path, *, seed: int = 0, device: str = "auto", seconds: float | None = None,
    resume: bool = False, tensorboard: bool = False, show: bool = True, options: dict[str, Any] | None = None,
    command: str = "", threads: int | None = None, seat: str | int | None = None, others: Any = None, **changes: Any,
) -> list[dict[str, float]]:  # fmt: skip
    """Train a policy for a game and write it, its log and its curve into the folder `out`."""
    from mmgames.core import registry

    folder = Path(out)
    spec = registry.find(game_id)
    training = Training(
        spec.id, recipe_for(spec.id, **changes), seed=seed, device=device, options=options, command=command,
        threads=threads, seat=seat, others=others,
    )  # fmt: skip
    if resume and (folder / "training.npz").exists():
        training.restore(folder / "training.npz")
    elif resume:
        raise MmgamesError(f"There is nothing to go on from in {str(folder)!r}: no training.npz. Leave out --resume.")
    log = training.run(folder, seconds=seconds, tensorboard=tensorboard, show=show)
    curve(log, folder / "curve.png", f"IPPO on {spec.id}")
    training.env.close()
    return log


def outcome(log: list[dict[str, float]]) -> dict[str, float]:
    """What a run has come to: the mean return of a seat over its last twentieth."""
    returns = [entry["return"] for entry in log[-max(1, len(log) // 20) :] if "return" in entry]
    return {"return": sum(returns) / len(returns)} if returns else {}


def curve(log: list[dict[str, float]], path: Path, title: str) -> None:
    """The learning curve as a picture, if matplotlib is there."""
    points = [(entry["steps"], entry["return"]) for entry in log if "return" in entry]
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return
    if points:
        figure = Figure((6, 3.5), layout="constrained")
        axes = figure.add_subplot()
        axes.plot(*zip(*points, strict=True), color="#2060a0")
        axes.set(xlabel="steps", ylabel="return per seat", title=title)
        axes.grid(alpha=0.3)
        figure.savefig(path, dpi=120)
