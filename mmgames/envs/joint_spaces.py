"""Spaces of batches in which all seats are seen."""

from collections.abc import Sequence
from typing import Any

from gymnasium import spaces
from gymnasium.vector.utils import batch_space


def of_all_seats(single: spaces.Space[Any], keys: Sequence[str], seats: int, count: int) -> spaces.Space[Any]:
    """The space [env, seat, …] of what single seats have; the global state is that of an episode."""
    if isinstance(single, spaces.Dict):
        parts = single.spaces.items()
        return spaces.Dict({key: of_all_seats(part, (key,), seats, count) for key, part in parts})
    return batch_space(single if tuple(keys) == ("state",) else batch_space(single, seats), count)
