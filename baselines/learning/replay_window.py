"""The positions of self-play that AlphaZero (alphazero.py) learns from: a window over the last moves of all games.

A row of the window is one move of every game. How a game ended is filled in when it has; until then its positions are
not learned from. Planes and targets stay on the device that learns, the rest is small.
"""

import numpy as np
import torch
from torch import Tensor

from mmgames.kernels.symmetries import ActionPoints


class ReplayWindow:
    def __init__(
        self, moves: int, games: int, planes: tuple[int, ...], points: ActionPoints, device: torch.device
    ) -> None:
        self.moves, self.games, self.device = moves, games, device
        self.planes = torch.zeros(moves, games, *planes, dtype=torch.float16, device=device)
        self.targets = torch.zeros(moves, games, points.size, dtype=torch.float16, device=device)
        self.movers = np.zeros((moves, games), np.int8)
        self.values = np.zeros((moves, games), np.float32)
        self.results = np.full((moves, games), np.nan, np.float32)
        self.begun = np.zeros(games, np.int64)
        """[game]: at which move it began."""
        self.now = 0
        self.cells = torch.from_numpy(points.cell_sources).to(device)
        self.slots = torch.from_numpy(points.slot_sources).to(device)

    def see(self, planes: Tensor, games: slice) -> None:
        """The positions of some games at this move."""
        self.planes[self.now % self.moves, games] = planes.to(torch.float16)

    def keep(self, targets: np.ndarray, values: np.ndarray, movers: np.ndarray, results: np.ndarray) -> None:
        """What the search found at this move, and how games ended with it (NaN: they go on)."""
        at = self.now % self.moves
        self.targets[at] = torch.from_numpy(targets).to(self.device, torch.float16)
        self.values[at], self.movers[at], self.results[at] = values, movers, np.nan
        for game in np.flatnonzero(~np.isnan(results)):
            first = max(int(self.begun[game]), self.now - self.moves + 1)
            self.results[np.arange(first, self.now + 1) % self.moves, game] = results[game]
            self.begun[game] = self.now + 1
        self.now += 1

    @property
    def known(self) -> int:
        """How many positions can be learned from."""
        return int((~np.isnan(self.results)).sum())

    def sample(self, rng: np.random.Generator, count: int, trust: float) -> tuple[Tensor, Tensor, Tensor]:
        """Planes, targets and values of positions drawn at random, each turned over in one of the game's ways; the
        value is how the game ended, mixed with so much of what the search said of it."""
        kept = np.empty(0, np.int64)
        filled = min(self.now, self.moves) * self.games
        while len(kept) < count:
            drawn = rng.integers(filled, size=2 * count)
            kept = np.concatenate((kept, drawn[~np.isnan(self.results.reshape(-1)[drawn])]))
        kept = kept[:count]
        results, movers = self.results.reshape(-1)[kept], self.movers.reshape(-1)[kept]
        ended = results * (1 - 2 * movers)
        values = (1 - trust) * ended + trust * self.values.reshape(-1)[kept]
        ways = rng.integers(len(self.cells), size=count)
        where, way = (torch.from_numpy(each).to(self.device) for each in (kept, ways))
        planes, targets = self.planes.flatten(0, 1)[where], self.targets.flatten(0, 1)[where]
        return (
            turned(planes.float(), self.cells[way]),
            targets.float().gather(1, self.slots[way]),
            torch.from_numpy(values.astype(np.float32)).to(self.device),
        )

    def arrays(self) -> dict[str, np.ndarray]:
        """All of it, to be written down."""
        filled = min(self.now, self.moves)
        kept = {name: getattr(self, name)[:filled].cpu().numpy() for name in ("planes", "targets")}
        kept |= {name: getattr(self, name)[:filled] for name in ("movers", "values", "results")}
        return kept | {"begun": self.begun, "now": np.array(self.now)}

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        """Go on from `arrays`."""
        self.now = int(arrays["now"])
        filled = min(self.now, self.moves)
        for name in ("planes", "targets"):
            getattr(self, name)[:filled] = torch.from_numpy(arrays[name]).to(self.device)
        for name in ("movers", "values", "results"):
            getattr(self, name)[:filled] = arrays[name]
        self.begun[:] = arrays["begun"]


def turned(planes: Tensor, sources: Tensor) -> Tensor:
    """Planes [position, plane, row, column] with the cells that `sources` [position, cell] names."""
    flat = planes.flatten(2)
    return flat.gather(2, sources[:, None].expand(-1, flat.shape[1], -1)).view_as(planes)
