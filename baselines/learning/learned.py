"""Learned policies without PyTorch: the network of a checkpoint in NumPy, and the agent that plays it."""

from __future__ import annotations

import copy
import itertools
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from mmgames.baselines.learning import checkpoint_files
from mmgames.core.actions import action_space, from_unit, most_numbers
from mmgames.core.game import Game, Seat
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError

GATES = {"": 0, "gru": 3, "lstm": 4}
ACTIVATIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {"relu": lambda x: np.maximum(x, 0.0), "tanh": np.tanh}
CONVOLUTIONS = {
    "features": (),
    "planes": ((32, 3, 1, 1), (32, 3, 1, 1)),  # every cell matters, and boards are small
    "rgb": ((16, 8, 4, 0), (32, 4, 2, 0), (32, 3, 1, 0)),
}
"""The convolutions before the linear layers, by what is seen: channels, size of the kernel, stride, padding."""
NEEDED = ("game", "observe", "nets", "inputs", "actions", "layers", "activation", "core")


class Network:
    """One network of a checkpoint, in NumPy: layers, perhaps a recurrent core, and a logit for each action."""

    def __init__(self, about: dict[str, Any], arrays: dict[str, np.ndarray], number: int) -> None:
        self.arrays: Any = np  # the module of its arrays
        self.activation = ACTIVATIONS[about["activation"]]
        self.core = about["core"]
        self.width = about["layers"][-1]
        named = lambda name, *shape: checkpoint_files.numbers(arrays.get(f"{number}.{name}"), f"{number}.{name}", shape)  # noqa: E731
        shape, place, self.convolutions = tuple(about["inputs"]), 0, []  # `place` is that of a layer in the encoder
        self.pictures = None
        if about["observe"] == "rgb":  # colours come last; each pixel less its mean, by the standard deviation
            self.pictures, place = (named("encoder.0.usual", *shape), named("encoder.0.spread")), 1
            shape = shape[2], *shape[:2]
        for out, kernel, stride, padding in CONVOLUTIONS[about["observe"]]:
            weight = named(f"encoder.{place}.weight", out, shape[0], kernel, kernel)
            self.convolutions.append((weight, named(f"encoder.{place}.bias", out), stride, padding))
            shape, place = (out, *((side + 2 * padding - kernel) // stride + 1 for side in shape[1:])), place + 2
        first = place + bool(self.convolutions)  # they are flattened in between
        self.layers = [
            (named(f"encoder.{2 * i + first}.weight", out, into).T.copy(), named(f"encoder.{2 * i + first}.bias", out))
            for i, (into, out) in enumerate(itertools.pairwise((math.prod(shape), *about["layers"])))
        ]
        if self.core:
            wide, many = self.width, GATES[self.core] * self.width
            self.into = named("core.weight_ih", many, wide).T.copy(), named("core.bias_ih", many)
            self.back = named("core.weight_hh", many, wide).T.copy(), named("core.bias_hh", many)
        box = about.get("kind") == "box"
        self.deviation = np.exp(named("log_deviation", about["actions"])) if box else None
        """In box games: how far the numbers of an action are drawn from what `logits` gives, their means."""
        self.actor = named("actor.weight", about["actions"], self.width).T.copy(), named("actor.bias", about["actions"])

    def on(self, arrays: Any) -> Network:
        """The network where the arrays of this module are, NumPy or CuPy: then all of it is computed there."""
        moved = copy.copy(self)
        moved.__dict__ |= {name: _moved(value, arrays) for name, value in vars(self).items()} | {"arrays": arrays}
        return self if arrays is np else moved

    def first_hidden_state(self, rows: int) -> np.ndarray | None:
        """Of the recurrent core, if there is one, at the beginning of so many episodes."""
        return np.zeros((rows, (self.core == "lstm") + 1, self.width), np.float32) if self.core else None

    def logits(self, seen: np.ndarray, hidden_state: np.ndarray | None = None) -> np.ndarray:
        """A logit for each action, for rows of inputs; `hidden_state` goes on in place. In box games: means."""
        x = seen
        if self.pictures is not None:
            x = ((x.astype(np.float32) / 255 - self.pictures[0]) / self.pictures[1]).transpose(0, 3, 1, 2)
        for convolution in self.convolutions:
            x = np.maximum(_convolved(self.arrays, x, *convolution), 0.0)
        x = x.reshape(len(x), -1)
        for weight, bias in self.layers:
            x = self.activation(x @ weight + bias)
        if hidden_state is not None:
            x = self._recurrent_step(x, hidden_state)
        return x @ self.actor[0] + self.actor[1]

    def _recurrent_step(self, x: np.ndarray, hidden_state: np.ndarray) -> np.ndarray:
        """One step of the recurrent core, as PyTorch's GRUCell and LSTMCell have it."""
        new = np.split(x @ self.into[0] + self.into[1], GATES[self.core], axis=1)
        old = np.split(hidden_state[:, 0] @ self.back[0] + self.back[1], GATES[self.core], axis=1)
        if self.core == "gru":
            reset, update = _sigmoid(new[0] + old[0]), _sigmoid(new[1] + old[1])
            hidden_state[:, 0] = (1 - update) * np.tanh(new[2] + reset * old[2]) + update * hidden_state[:, 0]
        else:
            take, forget, tell = (_sigmoid(new[gate] + old[gate]) for gate in (0, 1, 3))
            hidden_state[:, 1] = forget * hidden_state[:, 1] + take * np.tanh(new[2] + old[2])
            hidden_state[:, 0] = tell * np.tanh(hidden_state[:, 1])
        return hidden_state[:, 0]


def _moved(value: Any, arrays: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_moved(one, arrays) for one in value]
    return arrays.asarray(value) if isinstance(value, np.ndarray) else value


def _convolved(
    arrays: Any, x: np.ndarray, weight: np.ndarray, bias: np.ndarray, stride: int, padding: int
) -> np.ndarray:
    """Rows of channels [row, channel, y, x] after a convolution."""
    x = np.pad(x, ((0, 0), (0, 0), (padding, padding), (padding, padding)))
    parts = arrays.lib.stride_tricks.sliding_window_view(x, weight.shape[2:], (2, 3))[:, :, ::stride, ::stride]
    return (np.tensordot(parts, weight, ((1, 4, 5), (1, 2, 3))) + bias).transpose(0, 3, 1, 2)


def _sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def chosen(logits: np.ndarray, masks: np.ndarray, draws: np.ndarray | None) -> np.ndarray:
    """An action for each row: the best legal one, or one drawn by the policy with a number from [0, 1) for each row."""
    logits = np.where(masks, logits, -np.inf)
    if draws is None:
        return logits.argmax(axis=1)
    up_to = np.cumsum(np.exp(logits - logits.max(axis=1, keepdims=True)), axis=1)
    picked = (up_to <= draws[:, None] * up_to[:, -1:]).sum(axis=1)
    last_legal = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)  # rounding must not lead beyond it
    return np.minimum(picked, last_legal)


def action_probs(logits: np.ndarray, greedy: bool) -> np.ndarray:
    """How likely each action of a row is; where a policy is greedy, its best one is certain."""
    if greedy:
        return (np.arange(logits.shape[1]) == logits.argmax(axis=1)[:, None]).astype(logits.dtype)
    probs = np.exp(logits - logits.max(axis=1, keepdims=True))
    return probs / probs.sum(axis=1, keepdims=True)


class Checkpoint:
    """A trained policy: what its file says, and a network for each seat, which seats may share."""

    def __init__(self, path: str | Path, held: tuple[dict[str, Any], dict[str, np.ndarray]] | None = None) -> None:
        """`held` is what the file holds, where it is known already: what it says about itself, and its arrays."""
        self.path = str(path)
        self.about, arrays = held or checkpoint_files.read(path)
        missing = [name for name in NEEDED if name not in self.about]
        if missing:
            raise MmgamesError(f"{self.path!r} does not say its {', '.join(missing)}; train it anew.")
        try:
            self.networks = [Network(self.about, arrays, number) for number in range(len(self.about["nets"]))]
        except (KeyError, TypeError, IndexError) as error:
            raise MmgamesError(f"{self.path!r} describes no network that this mmgames knows; train it anew.") from error

    def network(self, game: Game, seat: Seat) -> Network:
        """The network that plays a seat of a game; a game that it was not made for is refused."""
        about, spec = self.about, game.spec
        if spec.id != about["game"]:
            raise MmgamesError(f"{self.path!r} was trained for {about['game']}, not for {spec.id}.")
        kernel = getattr(game, "kernel", None)
        if self.about["observe"] == "features" and kernel is not None:
            here = (kernel.num_features, kernel.num_actions)
        else:
            here = (*about["inputs"][:1], most_numbers(game) if spec.actions == "box" else game.num_actions)
        if here != (about["inputs"][0], about["actions"]):
            trained = about.get("options") or "the defaults"
            raise MmgamesError(
                f"{self.path!r} takes {about['inputs'][0]} features and {about['actions']} actions, but {spec.id} with "
                f"these options has {here[0]} and {here[1]}; it was trained with {trained}."
            )
        for network, seats in zip(self.networks, about["nets"], strict=True):
            if seat in seats:
                return network
        raise MmgamesError(f"{self.path!r} was trained for the seats {about['nets']}, not for seat {seat}.")


def _style(about: dict[str, Any]) -> dict[str, Any]:
    """How a policy's observations are made."""
    return {"size": about["size"]} if about["observe"] == "rgb" else {}


class Learned(checkpoint_files.CheckpointPlayer[Checkpoint]):
    """Plays a trained policy: that of a `file`, or the one that comes with mmgames for the game.

    `greedy` takes the best action instead of drawing one; unless it is told, the checkpoint says which suits it.
    """

    trainer, made_of = "ippo", Checkpoint

    def __init__(self, file: str = "", greedy: bool | None = None) -> None:
        if greedy not in (None, True, False):
            raise MmgamesError(f"greedy={greedy!r} is not possible; it is True or False.")
        self.greedy = greedy
        super().__init__(file)
        self._network: Network | None = None
        self._game: Game | None = None
        self._hidden_state: np.ndarray | None = None

    def begin(self, game: Game, seat: Seat) -> None:
        self._game = game
        self._network, self._best = self.of(game, seat)
        about = self._checkpoint(game.spec.id).about
        self._key, self._style = about["observe"], _style(about)
        self._hidden_state = self._network.first_hidden_state(1)

    def of(self, game: Game, seat: Seat) -> tuple[Network, bool]:
        """The network for a seat of a game, and whether it plays its best action."""
        checkpoint = self._checkpoint(game.spec.id)
        greedy = checkpoint.about.get("greedy", False) if self.greedy is None else self.greedy
        return checkpoint.network(game, seat), bool(greedy)

    @property
    def tells_probabilities(self) -> bool:
        """Not one that remembers, as far as it is known: its probabilities hang on more than the turn. Nor one that
        gives numbers."""
        return self._hidden_state is None and (self._network is None or self._network.deviation is None)

    def probabilities(self, turn: Turn) -> dict[int, float]:
        """How likely each legal action is in this turn, if it remembers nothing of the turns before."""
        network, greedy = self.of(turn.game, turn.seat)
        about = self._checkpoint(turn.game.spec.id).about
        seen = turn.observe((about["observe"], "action_mask"), **_style(about))
        self._key = about["observe"]
        logits = network.logits(self._inputs(turn, seen[self._key]), network.first_hidden_state(1))[0]
        legal = np.flatnonzero(seen["action_mask"])
        return dict(zip(legal.tolist(), action_probs(logits[None, legal], greedy)[0].tolist(), strict=True))

    def act(self, turn: Turn) -> int | np.ndarray:
        if self._network is None or self._game is not turn.game:
            self.begin(turn.game, turn.seat)
        network = self._network
        assert network is not None
        if network.deviation is not None:
            seen = turn.observe(self._key, **self._style)
            numbers = network.logits(self._inputs(turn, seen[self._key]), self._hidden_state)[0]
            if not self._best:
                numbers = numbers + network.deviation * turn.rng.standard_normal(len(numbers))
            return from_unit(action_space(turn.game, turn.seat), numbers)  # type: ignore[arg-type]
        seen = turn.observe((self._key, "action_mask"), **self._style)
        logits = network.logits(self._inputs(turn, seen[self._key]), self._hidden_state)
        draws = None if self._best else np.array([turn.rng.random()])
        return int(chosen(logits, seen["action_mask"][None] != 0, draws)[0])

    def _inputs(self, turn: Turn, seen: np.ndarray) -> np.ndarray:
        """What is seen, as a row; where other seats have more features, with zeros behind them."""
        wide = self._checkpoint(turn.game.spec.id).about["inputs"][0]
        if self._key != "features" or seen.size == wide:
            return seen[None]
        if seen.size > wide:
            raise MmgamesError(f"{turn.game.spec.id} has {seen.size} features here; {self.file!r} takes {wide}.")
        return np.concatenate((seen, np.zeros(wide - seen.size, np.float32)))[None]

    def batch_player(self, env: Any, seat: Seat) -> NetworkPlayer:
        """The player of a seat in many episodes at once."""
        network, greedy = self.of(env.game, seat)
        observe = self._checkpoint(env.game.spec.id).about["observe"]
        return NetworkPlayer(network.on(env.xp), greedy, env.num_envs, observe, env.xp)


class NetworkPlayer:
    """A network that plays a seat of many episodes, with a hidden state for each if it has a recurrent core."""

    def __init__(self, network: Network, greedy: bool, episodes: int, key: str, arrays: Any) -> None:
        self.network, self.greedy, self.key = network, greedy, key
        first = network.first_hidden_state(episodes)
        self.hidden_state = None if first is None else arrays.asarray(first)
        self.which = arrays.arange(episodes)

    def memory(self) -> dict[str, np.ndarray]:
        return {} if self.hidden_state is None else {"hidden_state": self.hidden_state}

    def choose(self, which: np.ndarray) -> None:
        self.which = which

    def forget(self, which: np.ndarray) -> None:
        if self.hidden_state is not None:
            self.hidden_state[which] = 0.0

    def act(self, seen: dict[str, np.ndarray], rows: np.ndarray, masks: np.ndarray, draws: np.ndarray) -> np.ndarray:
        hidden_state = None if self.hidden_state is None else self.hidden_state[self.which]
        logits = self.network.logits(seen[self.key], hidden_state)
        if self.hidden_state is not None:
            self.hidden_state[self.which] = hidden_state
        return chosen(logits, masks, None if self.greedy else draws)
