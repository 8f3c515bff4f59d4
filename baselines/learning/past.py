"""A learner's own past as an agent: snapshots of its policy, one of which is drawn for each episode."""

from __future__ import annotations

from typing import Any

import numpy as np

from mmgames.baselines.learning import checkpoint_files
from mmgames.baselines.learning.learned import Checkpoint, Learned
from mmgames.baselines.pool import Pool
from mmgames.errors import MmgamesError


class Snapshot(Learned):
    """The policy that a learner had at some time of its training."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        super().__init__(greedy=False)
        self.checkpoint = checkpoint

    def _checkpoint(self, game_id: str) -> Checkpoint:
        return self.checkpoint


class Past(Pool):
    """Plays a learner as it was: a snapshot of its training, drawn for each episode.

    `file` is the training.npz of a run that kept some; inside training it is left out, and means the learner's own.
    `recent` is the share of episodes that the newest snapshot plays; the others are played by any, the newest too.
    """

    def __init__(self, file: str = "", recent: float = 0.0) -> None:
        if isinstance(recent, bool) or not isinstance(recent, int | float) or not 0 <= recent <= 1:
            raise MmgamesError(f"past: recent={recent!r} is out of range; it is a share from 0 to 1.")
        super().__init__(["past"])
        self.file, self.recent = str(file), float(recent)
        if self.file:
            about, arrays = checkpoint_files.read(self.file)
            self.agents = [Snapshot(Checkpoint(self.file, (about, one))) for one in snapshots_in(arrays)]
            if not self.agents:
                raise MmgamesError(f"{self.file!r} keeps no snapshots; a run whose others= has `past` does.")

    def find_members(self, find: Any) -> None:
        """They are its own."""

    def chances(self) -> np.ndarray:
        if not self.agents:
            raise MmgamesError(
                "past is a learner's own past, which only its training knows; name the training.npz of a run that kept "
                "snapshots, as in 'past:runs/league/training.npz'."
            )
        chances = np.full(len(self.agents), (1 - self.recent) / len(self.agents))
        chances[-1] += self.recent
        return chances

    def describe(self) -> Any:
        return {"file": self.file, "recent": self.recent}


def snapshot_arrays(number: int, policy: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """A snapshot's arrays under the names that training.npz has for them."""
    return {f"past.{number}.{name}": array for name, array in policy.items()}


def snapshots_in(arrays: dict[str, np.ndarray]) -> list[dict[str, np.ndarray]]:
    """The arrays of each snapshot in a training.npz, oldest first."""
    found: dict[int, dict[str, np.ndarray]] = {}
    for name, array in arrays.items():
        if name.startswith("past."):
            number, _, own = name.removeprefix("past.").partition(".")
            found.setdefault(int(number), {})[own] = array
    return [found[number] for number in sorted(found)]
