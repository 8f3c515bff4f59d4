"""Spaces for what has no fixed shape: any text up to a length, tuples of names, pictures of any size."""

from collections.abc import Collection
from typing import Any

import numpy as np
from gymnasium.spaces import Dict, Sequence, Space, Text
from gymnasium.vector.utils import batch_space
from gymnasium.vector.utils.shared_memory import create_shared_memory

from mmgames.errors import MmgamesError

MAX_TEXT = 1_000_000
_SAMPLE_ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _.,?!'\n"


class AnyText(Text):
    """Any string of at most `max_length` characters, in any script. The stock Text rejects most of them."""

    def __init__(self, max_length: int = MAX_TEXT, seed: Any = None) -> None:
        super().__init__(max_length, min_length=0, charset=_SAMPLE_ALPHABET, seed=seed)

    def contains(self, x: Any) -> bool:
        return isinstance(x, str) and len(x) <= self.max_length

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        letters = self.np_random.integers(len(_SAMPLE_ALPHABET), size=self.np_random.integers(1, 41))
        return "".join(_SAMPLE_ALPHABET[i] for i in letters)

    def __repr__(self) -> str:
        return f"AnyText({self.max_length})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AnyText) and other.max_length == self.max_length

    __hash__ = None  # type: ignore[assignment]


class Names(Sequence):
    """A tuple of texts, such as the names of the legal actions."""

    def __init__(self, seed: Any = None) -> None:
        super().__init__(AnyText(), seed=seed)

    def contains(self, x: Any) -> bool:
        return isinstance(x, tuple) and all(isinstance(item, str) for item in x)

    def __repr__(self) -> str:
        return "Names()"


class AnyPictures(Space[np.ndarray]):
    """A picture uint8[height, width, 3] of any size, or several of one size."""

    def __init__(self, seed: Any = None) -> None:
        super().__init__(None, np.uint8, seed)

    @property
    def is_np_flattenable(self) -> bool:
        return False

    def contains(self, x: Any) -> bool:
        return isinstance(x, np.ndarray) and x.dtype == np.uint8 and x.ndim in (3, 4) and x.shape[-1] == 3

    def sample(self, mask: Any = None, probability: Any = None) -> np.ndarray:
        return self.np_random.integers(0, 256, (*self.np_random.integers(16, 65, 2), 3), np.uint8)

    def __repr__(self) -> str:
        return "AnyPictures()"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AnyPictures)

    __hash__ = None  # type: ignore[assignment]


@create_shared_memory.register(AnyText)
@create_shared_memory.register(Names)
@create_shared_memory.register(AnyPictures)
def _refuse_shared_memory(space: Any, n: int = 1, ctx: Any = None) -> Any:
    # Gymnasium 1.4 would hand out stale text here without an error.
    raise MmgamesError(
        "Texts and pictures of any size cannot travel through shared memory: pass shared_memory=False to "
        "AsyncVectorEnv (vector_kwargs={'shared_memory': False} with gym.make_vec), or observe only 'rgb', 'features', "
        "'action_mask'."
    )


def of_all_seats(single: Space[Any], keys: Collection[str], seats: int, count: int) -> Space[Any]:
    """The space [env, seat, …] of what single seats have; the global state is that of an episode."""
    if isinstance(single, Dict):
        parts = single.spaces.items()
        return Dict({key: of_all_seats(part, (key,), seats, count) for key, part in parts})
    return batch_space(single if tuple(keys) == ("state",) else batch_space(single, seats), count)
