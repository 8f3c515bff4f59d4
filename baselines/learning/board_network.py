"""The network of AlphaZero (alphazero.py) in PyTorch: convolutions with short cuts, a logit for each place of an
action, and the value of the position to its mover.

While it learns, its convolutions are followed by batch normalisation. `folded` writes that into the weights: what
plays, and what checkpoints hold, are plain convolutions (board_policy.py has them without PyTorch).
"""

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional


class NetworkShape(NamedTuple):
    """How large a network is: as checkpoints say it."""

    planes: int
    rows: int
    columns: int
    sheets: int  # of actions on the board
    elsewhere: int  # actions that are nowhere on it
    blocks: int
    channels: int
    policy_channels: int = 32
    value_channels: int = 8
    value_layer: int = 64


class Convolution(nn.Module):
    """A convolution that keeps the size of the board, with batch normalisation or, folded, a bias."""

    def __init__(self, into: int, out: int, size: int, normalised: bool) -> None:
        super().__init__()
        self.weights = nn.Conv2d(into, out, size, padding=size // 2, bias=not normalised)
        self.norm = nn.BatchNorm2d(out) if normalised else None

    def forward(self, x: Tensor) -> Tensor:
        x = self.weights(x)
        return x if self.norm is None else self.norm(x)

    def folded(self) -> dict[str, Tensor]:
        """Weight and bias of one convolution that gives the same."""
        assert self.norm is not None and self.norm.running_var is not None and self.norm.running_mean is not None
        scale = self.norm.weight / torch.sqrt(self.norm.running_var + self.norm.eps)
        return {
            "weights.weight": self.weights.weight * scale[:, None, None, None],
            "weights.bias": self.norm.bias - self.norm.running_mean * scale,
        }


class Block(nn.Module):
    def __init__(self, channels: int, normalised: bool) -> None:
        super().__init__()
        self.first = Convolution(channels, channels, 3, normalised)
        self.second = Convolution(channels, channels, 3, normalised)

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(x + self.second(functional.relu(self.first(x))))


class BoardNetwork(nn.Module):
    """Planes [game, plane, row, column] -> logits [game, slot] and values [game] between -1 and 1."""

    def __init__(self, shape: NetworkShape, normalised: bool) -> None:
        super().__init__()
        self.shape = shape
        self.stem = Convolution(shape.planes, shape.channels, 3, normalised)
        self.blocks = nn.Sequential(*(Block(shape.channels, normalised) for _ in range(shape.blocks)))
        self.policy_mix = Convolution(shape.channels, shape.policy_channels, 1, normalised)
        self.policy_sheets = nn.Conv2d(shape.policy_channels, shape.sheets, 1) if shape.sheets else None
        self.policy_elsewhere = nn.Linear(shape.policy_channels, shape.elsewhere) if shape.elsewhere else None
        self.value_mix = Convolution(shape.channels, shape.value_channels, 1, normalised)
        self.value_layer = nn.Linear(shape.value_channels * shape.rows * shape.columns, shape.value_layer)
        self.value_out = nn.Linear(shape.value_layer, 1)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        x = self.blocks(functional.relu(self.stem(planes)))
        policy = functional.relu(self.policy_mix(x))
        parts = []
        if self.policy_sheets is not None:
            parts.append(self.policy_sheets(policy).flatten(1))
        if self.policy_elsewhere is not None:
            parts.append(self.policy_elsewhere(policy.mean((2, 3))))
        hidden = functional.relu(self.value_layer(functional.relu(self.value_mix(x)).flatten(1)))
        return torch.cat(parts, 1).float(), torch.tanh(self.value_out(hidden)[:, 0].float())

    @torch.no_grad()
    def folded(self) -> dict[str, Tensor]:
        """The arrays of the same network without batch normalisation."""
        arrays: dict[str, Tensor] = {}
        for name, part in self.named_modules():
            if isinstance(part, Convolution):
                arrays |= {f"{name}.{key}": tensor for key, tensor in part.folded().items()}
        mixed = ("norm.", "weights.")
        kept = {name: tensor for name, tensor in self.state_dict().items() if not any(part in name for part in mixed)}
        return arrays | kept


class Judge:
    """The folded network, asked about batches of one size: `ask` begins, and `wait` leaves the answers where they are
    expected. On a graphics card other work can be done between the two."""

    def __init__(self, network: BoardNetwork, planes: Tensor, logits: Tensor, values: Tensor) -> None:
        """`planes` are read; `logits` and `values` are written. All are on the CPU, in pinned memory for a card."""
        self.network, self.planes, self.logits, self.values = network, planes, logits, values
        self.device = next(network.parameters()).device
        self.seen = planes if self.device.type == "cpu" else planes.to(self.device)
        """The planes where the network is; what it was asked about last."""
        self.graph: torch.cuda.CUDAGraph | None = None
        self.answered = torch.cuda.Event() if self.device.type == "cuda" else None

    @torch.inference_mode()
    def ask(self) -> None:
        if self.answered is None:
            logits, values = self.network(self.seen.to(memory_format=torch.channels_last))
            self.logits.copy_(logits), self.values.copy_(values)
            return
        self.seen.copy_(self.planes, non_blocking=True)
        if self.graph is None:
            self._record()
        assert self.graph is not None
        self.graph.replay()
        self.logits.copy_(self.given[0], non_blocking=True)
        self.values.copy_(self.given[1], non_blocking=True)
        self.answered.record()

    def wait(self) -> None:
        if self.answered is not None:
            self.answered.synchronize()

    def _record(self) -> None:
        def work() -> tuple[Tensor, Tensor]:
            return self.network(self.seen.to(torch.bfloat16, memory_format=torch.channels_last))

        aside = torch.cuda.Stream()
        aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(aside):
            for _ in range(3):
                work()
        torch.cuda.current_stream().wait_stream(aside)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self.given = work()
