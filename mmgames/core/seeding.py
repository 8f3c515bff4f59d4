"""Where every generator comes from."""

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Self, TypeVar

import numpy as np
from gymnasium.utils import seeding

Option = TypeVar("Option")


@dataclass(frozen=True)
class SealedSeed:
    """A seed whose deals only those can repeat who have its key.

    It is no number, so whatever takes it for one fails: seeds come from `derive` alone, a keyed hash of their use.
    """

    public: int
    """The seed as everybody may know it."""
    key: bytes = field(repr=False)
    within: tuple[str | int, ...] = ()

    @property
    def fingerprint(self) -> str:
        """By which a key is known; nothing leads back from it to the key or to a seed."""
        return hashlib.blake2b(b"", digest_size=8, key=self.key, person=b"mmgames seal").hexdigest()

    def derive(self, *use: str | int) -> int:
        """A seed of 63 bits for a use, such as an episode's number."""
        what = json.dumps([self.public, *self.within, *use]).encode()
        digest = hashlib.blake2b(what, digest_size=8, key=self.key, person=b"mmgames seed").digest()
        return int.from_bytes(digest, "little") >> 1

    def part(self, *use: str | int) -> Self:
        """One with deals of its own for a part of a run."""
        return replace(self, within=(*self.within, *use))


RunSeed = int | SealedSeed
"""The seed of a run, from which those of its episodes and questions are made."""


def public_seed(seed: RunSeed) -> int:
    """What everybody may know of a seed, for what is not sealed."""
    return seed.public if isinstance(seed, SealedSeed) else seed


def draw_from(options: Sequence[Option], rng: np.random.Generator) -> Option:
    """One of the options, all equally likely."""
    return options[int(rng.random() * len(options))]


def fresh_rng(seed: int | None) -> tuple[np.random.Generator, int]:
    """A generator for a seed; without one, for a seed drawn from the operating system."""
    if seed is None:
        seed = int.from_bytes(os.urandom(8), "little") >> 1
    return seeding.np_random(seed)


class Stream:
    """The generator of an environment for a seed, made when somebody draws: many games leave nothing to chance."""

    def __init__(self, seed: int | None) -> None:
        self._seed = seed
        self._rng: np.random.Generator | None = None
        if type(seed) is not int or seed < 0:
            self._rng, _ = fresh_rng(seed)  # which says what is wrong with it

    @property
    def rng(self) -> np.random.Generator:
        if self._rng is None:
            self._rng, _ = fresh_rng(self._seed)
        return self._rng


def agent_streams(rng: np.random.Generator, count: int) -> list[np.random.Generator]:
    """A stream for each of `count` agents, by a one-way hash of where the game's own generator stands.

    Equal seeds give equal streams. The seed sequence of a spawned generator would name the seed of its parent, with
    which an agent could deal the hidden cards once more; nothing in these leads back. The game's own does not move.
    """
    stands = json.dumps(rng.bit_generator.state, sort_keys=True, default=lambda array: array.tolist()).encode()
    seeds = (hashlib.blake2b(stands, person=b"mmgames agent", salt=str(seat).encode()) for seat in range(count))
    return [np.random.Generator(np.random.PCG64(int.from_bytes(seed.digest(), "little"))) for seed in seeds]


def row_stream(seed: int, user: str) -> int:
    """Where a row of a batch begins to draw, by a one-way hash: what its agents draw does not lead back to the deal."""
    digest = hashlib.blake2b(str(seed).encode(), digest_size=8, person=b"mmgames row", salt=user.encode()).digest()
    return int.from_bytes(digest, "little")
