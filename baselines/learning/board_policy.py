"""AlphaZero's networks without PyTorch, and the agent that searches with one: `alphazero` and `alphazero:FILE`.

A checkpoint holds plain convolutions in half precision. Here they are products of matrices, in single precision: the
nine neighbours of every cell, laid side by side, times the weights.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from mmgames.baselines.learning import checkpoint_files
from mmgames.baselines.learning.guided_search import GuidedSearch, check_playable
from mmgames.core.game import Game
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError
from mmgames.kernels.kernel import noise as random_bits
from mmgames.kernels.kernel_game import Kernel, kernel_of
from mmgames.kernels.symmetries import action_points

SIZES = ("planes", "rows", "columns", "sheets", "elsewhere", "blocks", "channels")
WIDTHS = ("policy_channels", "value_channels", "value_layer")
NEEDED = ("game", "actions", "shape", "weight", "considered")
MOST_SIMULATIONS = 100_000


class BoardNetwork:
    """Planes [position, plane, row, column] -> logits [position, slot] and values [position]."""

    def __init__(self, shape: dict[str, int], arrays: dict[str, np.ndarray]) -> None:
        self.shape, self._arrays = {name: int(shape[name]) for name in (*SIZES, *WIDTHS)}, arrays
        size = self.shape
        wide = size["channels"]
        self.stem = self._convolution("stem", size["planes"], wide, 3)
        self.blocks = [
            tuple(self._convolution(f"blocks.{number}.{part}", wide, wide, 3) for part in ("first", "second"))
            for number in range(size["blocks"])
        ]
        policy, value = size["policy_channels"], size["value_channels"]
        self.policy_mix = self._convolution("policy_mix", wide, policy, 1)
        self.policy_sheets, self.policy_elsewhere = (
            self._linear(f"policy_{name}", policy, size[name]) if size[name] else None
            for name in ("sheets", "elsewhere")
        )
        self.value_mix = self._convolution("value_mix", wide, value, 1)
        self.value_layer = self._linear("value_layer", value * size["rows"] * size["columns"], size["value_layer"])
        self.value_out = self._linear("value_out", size["value_layer"], 1)

    def _array(self, name: str, shape: tuple[int, ...]) -> np.ndarray:
        array = self._arrays.get(name)
        if array is not None and array.shape == (*shape, 1, 1):  # a convolution of single cells
            array = array.reshape(shape)
        return checkpoint_files.numbers(array, name, shape)

    def _linear(self, name: str, into: int, out: int) -> tuple[np.ndarray, np.ndarray]:
        return np.ascontiguousarray(self._array(f"{name}.weight", (out, into)).T), self._array(f"{name}.bias", (out,))

    def _convolution(self, name: str, into: int, out: int, size: int) -> tuple[np.ndarray, np.ndarray]:
        """A matrix from the inputs of a cell and its neighbours to its outputs, and the bias."""
        if size == 1:
            return self._linear(f"{name}.weights", into, out)
        weight = self._array(f"{name}.weights.weight", (out, into, size, size))
        matrix = weight.transpose(2, 3, 1, 0).reshape(size * size * into, out)
        return np.ascontiguousarray(matrix), self._array(f"{name}.weights.bias", (out,))

    def _convolved(self, x: np.ndarray, layer: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
        """A convolution over three by three cells of x [position, row, column, channel]."""
        count, rows, columns, channels = x.shape
        padded = np.zeros((count, rows + 2, columns + 2, channels), np.float32)
        padded[:, 1:-1, 1:-1] = x
        board, row, cell, number = padded.strides
        around = as_strided(padded, (count, rows, columns, 3, 3 * channels), (board, row, cell, row, number))
        return (around.reshape(-1, 9 * channels) @ layer[0] + layer[1]).reshape(count, rows, columns, -1)

    def __call__(self, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        x = _relu(self._convolved(planes.transpose(0, 2, 3, 1), self.stem))
        for first, second in self.blocks:
            x = _relu(x + self._convolved(_relu(self._convolved(x, first)), second))
        policy = _relu(x @ self.policy_mix[0] + self.policy_mix[1])
        count = len(planes)
        parts = []
        if self.policy_sheets is not None:
            sheets = policy @ self.policy_sheets[0] + self.policy_sheets[1]
            parts.append(sheets.transpose(0, 3, 1, 2).reshape(count, -1))
        if self.policy_elsewhere is not None:
            parts.append(policy.mean((1, 2)) @ self.policy_elsewhere[0] + self.policy_elsewhere[1])
        value = _relu(x @ self.value_mix[0] + self.value_mix[1]).transpose(0, 3, 1, 2).reshape(count, -1)
        hidden = _relu(value @ self.value_layer[0] + self.value_layer[1])
        return np.concatenate(parts, 1), np.tanh((hidden @ self.value_out[0] + self.value_out[1])[:, 0])


def _relu(x: np.ndarray) -> np.ndarray:
    return np.maximum(x, 0.0, out=x)


class BoardCheckpoint:
    """A trained network: what its file says, and the network."""

    def __init__(self, path: str | Path) -> None:
        self.path = str(path)
        self.about, arrays = checkpoint_files.read(path)
        missing = [name for name in NEEDED if name not in self.about]
        if missing or self.about.get("trainer") != "alphazero":
            what = f"does not say its {', '.join(missing)}" if missing else "was not trained by alphazero"
            raise MmgamesError(f"{self.path!r} {what}; `mmgames train alphazero ID` makes a checkpoint that fits.")
        try:
            self.network = BoardNetwork(self.about["shape"], arrays)
            self.weight, self.considered = float(self.about["weight"]), int(self.about["considered"])
        except (KeyError, TypeError) as error:
            raise MmgamesError(f"{self.path!r} describes no network that this mmgames knows; train it anew.") from error

    def check_game(self, game: Game) -> Kernel:
        """The kernel of a game that it was made for; any other is refused."""
        about, spec = self.about, game.spec
        if spec.id != about["game"]:
            raise MmgamesError(f"{self.path!r} was trained for {about['game']}, not for {spec.id}.")
        kernel = check_playable(spec, kernel_of(game), len(game.seats))
        points, size = action_points(kernel), self.network.shape
        assert kernel.planes_shape is not None
        here = (*kernel.planes_shape, points.sheets, points.elsewhere, kernel.num_actions)
        if here != (*(size[name] for name in SIZES[:5]), about["actions"]):
            raise MmgamesError(f"{self.path!r} does not fit {spec.id} with these options; train it anew.")
        return kernel


class AlphaZero(checkpoint_files.CheckpointPlayer[BoardCheckpoint]):
    """Searches with a trained network: that of a `file`, or the one that comes with mmgames for the game.

    `simulations` is how many positions it judges for a move; with 0 it plays the network's likeliest move. `noise`
    above 0 draws the moves that it looks at, so that it plays a position in more than one way.
    """

    trainer, made_of = "alphazero", BoardCheckpoint

    def __init__(self, file: str = "", simulations: int = 64, noise: float = 0.0) -> None:
        whole = isinstance(simulations, (int, np.integer)) and not isinstance(simulations, bool)
        if not whole or not 0 <= simulations <= MOST_SIMULATIONS:
            raise MmgamesError(
                f"simulations={simulations!r} is not possible: give a whole number from 0 to {MOST_SIMULATIONS:,}."
            )
        number = isinstance(noise, (int, float)) and not isinstance(noise, bool)
        if not number or not 0 <= noise < np.inf:
            raise MmgamesError(f"noise={noise!r} is not possible: give a number from 0.")
        self.simulations, self.noise = int(simulations), float(noise)
        super().__init__(file)
        self._search: tuple[Game, BoardNetwork, GuidedSearch] | None = None

    def _searching(self, game: Game) -> tuple[BoardNetwork, GuidedSearch]:
        if self._search is None or self._search[0] is not game:
            checkpoint = self._checkpoint(game.spec.id)
            kernel = checkpoint.check_game(game)
            how = (self.simulations, checkpoint.considered, checkpoint.weight)
            self._search = (game, checkpoint.network, GuidedSearch(kernel, 1, *how))
        return self._search[1:]

    def begin(self, game: Game, seat: int) -> None:
        self._searching(game)

    def act(self, turn: Turn) -> int:
        network, search = self._searching(turn.game)
        search.streams[0] = random_bits(turn.rng)
        search.place(turn.imagine().array, np.array([turn.seat]))
        search.show()
        for simulation in range(-1, self.simulations):
            if simulation < 0 or search.trees.games["leaf"][0] >= 0:
                search.logits[:], search.values[:] = network(search.planes)
            search.grow(simulation, self.noise)
        search.gather(np.array([self.noise > 0]))
        return int(search.chosen[0])

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_search": None}  # a copy makes its own
