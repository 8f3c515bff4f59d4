"""Searches in many games at once that a network guides: states in, better probabilities and actions out.

guided_trees.py has the kernels. Here they are compiled for a game and split over threads. How the network is asked is
left to the caller, who reads `planes` and writes `logits` and `values`.
"""

import functools
import itertools
from typing import Any

import numba
import numpy as np

from mmgames.baselines.learning import guided_moves, guided_trees
from mmgames.core.spec import GameSpec
from mmgames.errors import MmgamesError
from mmgames.kernels.compiling import Entry
from mmgames.kernels.kernel_game import Kernel
from mmgames.kernels.symmetries import action_points
from mmgames.kernels.threads import Threads


def check_playable(spec: GameSpec, kernel: Kernel | None, seats: int) -> Kernel:
    """The kernel of a game that can be searched this way; any other game is refused."""
    facts = (spec.dynamics, spec.information, spec.utility, spec.chance, spec.searchable, seats)
    fits = facts == ("sequential", "perfect", "zero_sum", "none", True, 2)
    if kernel is None or kernel.board is None or kernel.moves is None or not fits:
        raise MmgamesError(
            f"alphazero cannot play {spec.id}: it needs compiled rules of a board game for two who move in turn and "
            "win what the other loses, with nothing hidden and no chance, such as Breakthrough."
        )
    return kernel


class GuidedSearch:
    """The trees of some games, and the arrays through which the network is asked: `planes` [game, plane, row, column]
    of the positions to judge, `logits` [game, slot] and `values` [game] of their movers."""

    def __init__(
        self, kernel: Kernel, games: int, simulations: int, considered: int, scale: float,
        threads: Threads | None = None,
    ) -> None:  # fmt: skip
        assert kernel.planes_shape is not None
        self.kernel, self.games, self.simulations, self.scale = kernel, games, simulations, float(scale)
        self.points = action_points(kernel)
        self.threads = threads or Threads(1)
        self.trees = guided_trees.make_trees(games, simulations, kernel.blank.array, kernel.moves_capacity)
        self.plan = guided_trees.halving(considered, simulations)
        self.streams = np.zeros(games, np.uint64)
        self.planes = np.zeros((games, *kernel.planes_shape), np.float32)
        self.logits = np.zeros((games, self.points.size), np.float32)
        self.values = np.zeros(games, np.float32)
        self.targets = np.zeros((games, self.points.size), np.float32)
        self.found_values = np.zeros(games, np.float32)
        self.chosen = np.full(games, -1, np.int64)
        self.results = np.full(games, np.nan, np.float32)
        self._loops: dict[Any, Any] = {}

    @property
    def states(self) -> np.ndarray:
        """[game]: the positions to move in."""
        return self.trees.states[:, 0]

    @property
    def movers(self) -> np.ndarray:
        return self.trees.nodes["turn"][:, 0]

    def grow(self, simulation: int, noise: float) -> None:
        """Take in what the network says of `planes` and write the next ones; -1 is the position itself."""
        rules = self.kernel
        kernels = (rules.turn, rules.moves, rules.step, rules.returns, rules.features, rules.planes)
        self._run(
            guided_trees.grow, kernels, rules.num_features, self.trees, self.points.slots, self.plan, simulation,
            self.streams, float(noise), self.scale, self.logits, self.values, self.planes,
        )  # fmt: skip

    def gather(self, noisy: np.ndarray) -> None:
        """Write `targets`, `found_values` and `chosen`: what the search has come to."""
        found = (self.targets, self.found_values, self.chosen)
        self._run(guided_moves.gather, (), self.trees, self.points.slots, self.scale, noisy, *found)

    def play_on(self, random_moves: int) -> None:
        """Play `chosen` (-1 begins a game), write `results` of games that end with it, and begin these anew, with up to
        so many random moves."""
        rules = self.kernel
        kernels = (rules.start, rules.turn, rules.moves, rules.step, rules.returns)
        self._run(
            guided_moves.play_on, kernels, rules.blank.array, self.trees, self.chosen, self.streams, random_moves,
            self.results,
        )  # fmt: skip

    def draw_moves(self) -> None:
        """Write any legal action of each game into `chosen`."""
        self._run(guided_moves.draw_moves, (self.kernel.moves,), self.trees, self.streams, self.chosen)

    def show(self) -> None:
        """Write the planes of the positions to move in."""
        rules = self.kernel
        self._run(guided_moves.show, (rules.features, rules.planes), rules.num_features, self.trees, self.planes)

    def place(self, states: np.ndarray, movers: np.ndarray) -> None:
        """Search from these positions."""
        self.states[:], self.movers[:] = states, movers

    def _run(self, loop: Any, kernels: tuple[Any, ...], *arguments: Any) -> None:
        """A loop over all games, split over the threads."""
        compiled = self._loops.get(loop)
        if compiled is None:
            types = tuple(map(numba.typeof, (*arguments, 0, 0)))
            compiled = self._loops[loop] = Entry(loop, kernels, types).compiled()
        parts = min(self.threads.most, self.games)
        ends = np.linspace(0, self.games, parts + 1).astype(int).tolist()
        self.threads.run_all([functools.partial(compiled, *arguments, *ends) for ends in itertools.pairwise(ends)])
