"""Layers of IPPO's networks (ippo.py): linear ones, and those before them that see planes or pictures; and Adam."""

from typing import Any

import torch
from torch import Tensor, nn
from torch.optim.adam import adam

from mmgames.baselines.learning.learned import CONVOLUTIONS


def linear(into: int, out: int, gain: float) -> nn.Linear:
    """A linear layer with orthogonal weights and no bias at first."""
    layer = nn.Linear(into, out)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


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

    def forward(self, pictures: Tensor) -> Tensor:
        return ((pictures.float() / 255 - self.usual) / self.spread).permute(0, 3, 1, 2)


def picture_layers(observe: str, shape: tuple[int, ...]) -> list[nn.Module]:
    """For planes (channels first) or pictures (rgb) of this shape."""
    parts: list[nn.Module] = [NormalizedPictures(shape)] if observe == "rgb" else []
    into = 3 if observe == "rgb" else shape[0]
    for out, kernel, stride, padding in CONVOLUTIONS[observe]:
        parts += [nn.Conv2d(into, out, kernel, stride, padding), nn.ReLU()]
        into = out
    for part in parts if observe == "rgb" else ():
        if isinstance(part, nn.Conv2d) and part.bias is not None:
            nn.init.orthogonal_(part.weight, 2**0.5)
            nn.init.zeros_(part.bias)
    return [*parts, nn.Flatten()]


def measure_pictures(net: nn.Module, pictures: Tensor) -> None:
    """Let a network know what pictures usually look like, if it sees any."""
    for part in net.modules():
        if isinstance(part, NormalizedPictures):
            seen = pictures.to(part.usual.device).float() / 255
            part.usual.copy_(seen.mean(0))
            part.spread.copy_((seen - seen.mean(0)).std() + 1e-3)


class Adam:
    """PyTorch's fused Adam on what is there from the beginning, so that a step can be taken back or recorded. Its class
    for it loads the compiler of whole networks, which takes seconds and is not used here."""

    def __init__(self, net: nn.Module, rate: float | Tensor) -> None:
        self.parameters, self.rate = [*net.parameters()], rate
        zeros = [torch.zeros_like(part) for part in self.parameters]
        steps = [torch.zeros((), device=part.device) for part in self.parameters]
        self.state = {"step": steps, "exp_avg": zeros, "exp_avg_sq": [zero.clone() for zero in zeros]}

    @torch.no_grad()
    def step(self) -> None:
        steps, *means = self.state.values()
        gradients: list[Any] = [part.grad for part in self.parameters]
        adam(
            self.parameters, gradients, *means, [], steps, fused=True, amsgrad=False, beta1=0.9, beta2=0.999,
            lr=self.rate, weight_decay=0.0, eps=1e-5, maximize=False, capturable=isinstance(self.rate, Tensor),
        )  # fmt: skip
