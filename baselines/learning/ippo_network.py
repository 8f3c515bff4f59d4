"""The networks of IPPO (ippo.py): policy and value on features, planes or pictures, perhaps with a recurrent core."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from mmgames.baselines.learning.ippo_recipe import IppoRecipe, recipe_for
from mmgames.errors import MmgamesError


class Net(nn.Module):
    """Layers, perhaps a recurrent core, and two heads: a logit for each action (actor) and the value (critic).

    In box games the actor gives the mean of each number, and `log_deviation` is how far the numbers are drawn from it,
    whatever is observed.
    The value has layers of its own (`valuer`) unless it shares the policy's. The names of the parts are in checkpoints.
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
        self.hidden_states = {"": 0, "gru": 1, "lstm": 2}[recipe.core]
        """Vectors that the core carries from step to step."""
        self.actor = linear(self.width, actions, 0.01)
        self.log_deviation = nn.Parameter(torch.full((actions,), math.log(recipe.deviation))) if box else None
        shared = recipe.trunk == "shared" and recipe.critic == "own"
        self.valuer = None if shared else self._layers(recipe, critic_inputs)
        self.critic = linear(self.width, 1, 1.0)

    @staticmethod
    def _layers(recipe: IppoRecipe, inputs: tuple[int, ...]) -> nn.Sequential:
        kinds: dict[str, Callable[[], nn.Module]] = {"relu": partial(nn.ReLU, inplace=True), "tanh": nn.Tanh}
        parts = convolutions(recipe.observe, inputs) if len(inputs) == 3 else []
        with torch.no_grad():
            first = nn.Sequential(*parts)(torch.zeros(1, *inputs)).shape[1] if parts else inputs[0]
        for into, out in itertools.pairwise((first, *recipe.layers)):
            parts += [linear(into, out, 2**0.5), kinds[recipe.activation]()]
        return nn.Sequential(*parts)

    def forward(
        self, observation: Tensor, critic_observation: Tensor, hidden_state: Tensor | None
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """Rows of observations -> logits (or means), values, and the hidden state after them."""
        x = self.encoder(observation)
        if isinstance(self.core, nn.GRUCell):
            assert hidden_state is not None
            x = self.core(x, hidden_state[:, 0])
            hidden_state = x[:, None]
        elif isinstance(self.core, nn.LSTMCell):
            assert hidden_state is not None
            x, cell = self.core(x, (hidden_state[:, 0], hidden_state[:, 1]))
            hidden_state = torch.stack((x, cell), dim=1)
        if self.valuer is None:  # one product for both heads
            weight = torch.cat((self.actor.weight, self.critic.weight))
            both = functional.linear(x, weight, torch.cat((self.actor.bias, self.critic.bias)))
            return both[:, :-1], both[:, -1], hidden_state
        return self.actor(x), self.critic(self.valuer(critic_observation))[:, 0], hidden_state


class TorchNetwork:
    """A network of a checkpoint that sees planes or pictures; it has the methods of `learned.Network`."""

    deviation = None  # such games are played by choices

    def __init__(self, about: dict[str, Any], arrays: dict[str, np.ndarray], number: int) -> None:
        recipe = recipe_for("", **{k: tuple(v) if isinstance(v, list) else v for k, v in about["recipe"].items()})
        self.net = Net(replace(recipe, critic="own", trunk="shared"), tuple(about["inputs"]), about["actions"], ())
        mine = {name.partition(".")[2]: array for name, array in arrays.items() if name.startswith(f"{number}.")}
        try:
            self.net.load_state_dict({name: torch.from_numpy(array) for name, array in mine.items()}, strict=False)
        except RuntimeError as error:
            raise MmgamesError(f"A checkpoint's arrays do not fit its network: {error}.") from error

    def first_hidden_state(self, rows: int) -> np.ndarray | None:
        return np.zeros((rows, self.net.hidden_states, self.net.width), np.float32) if self.net.hidden_states else None

    def logits(self, seen: np.ndarray, hidden_state: np.ndarray | None = None) -> np.ndarray:
        before = None if hidden_state is None else torch.from_numpy(hidden_state)
        with torch.no_grad():
            inputs = torch.from_numpy(np.ascontiguousarray(seen))
            logits, _, after = self.net(inputs, inputs, before)
        if hidden_state is not None and after is not None:
            hidden_state[:] = after.numpy()
        return logits.numpy()


class NormalizedPictures(nn.Module):
    """Bytes of pictures, colours last -> numbers, colours first: each pixel less its mean, by the standard deviation.

    Most of a picture never changes, and what does would be lost in it.
    """

    usual: Tensor
    spread: Tensor

    def __init__(self, shape: tuple[int, ...]) -> None:
        super().__init__()
        # The mean of each pixel, and one standard deviation for all; checkpoints have them under these names.
        self.register_buffer("usual", torch.zeros(shape))
        self.register_buffer("spread", torch.ones(()))

    def measure(self, pictures: Tensor) -> None:
        """Take mean and standard deviation from these pictures."""
        seen = pictures.float() / 255
        self.usual.copy_(seen.mean(0))
        self.spread.copy_((seen - seen.mean(0)).std() + 1e-3)

    def forward(self, pictures: Tensor) -> Tensor:
        return ((pictures.float() / 255 - self.usual) / self.spread).permute(0, 3, 1, 2)


def convolutions(observe: str, shape: tuple[int, ...]) -> list[nn.Module]:
    """The modules before the linear layers where a policy sees planes (channels first) or pictures."""
    if observe == "planes":  # every cell matters, and boards are small
        wide = (shape[0], 32, 32)
        parts = [nn.Conv2d(into, out, 3, padding=1) for into, out in itertools.pairwise(wide)]
        return [parts[0], nn.ReLU(), parts[1], nn.ReLU(), nn.Flatten()]
    strides = ((3, 16, 8, 4), (16, 32, 4, 2), (32, 32, 3, 1))
    parts = [nn.Conv2d(into, out, kernel, stride) for into, out, kernel, stride in strides]
    for convolution in parts:
        nn.init.orthogonal_(convolution.weight, 2**0.5)
        nn.init.zeros_(convolution.bias)  # type: ignore[arg-type]
    activated = itertools.chain(*((convolution, nn.ReLU()) for convolution in parts))
    return [NormalizedPictures(shape), *activated, nn.Flatten()]


def linear(into: int, out: int, gain: float) -> nn.Linear:
    """A linear layer with orthogonal weights and no bias at first."""
    layer = nn.Linear(into, out)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer
