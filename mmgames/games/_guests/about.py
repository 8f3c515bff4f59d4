"""What a guest is, found out by playing it a little before anybody does."""

import warnings
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from mmgames.errors import MmgamesError
from mmgames.games._guests.actions import kind_of
from mmgames.games._guests.engine import Guest, make_guest

TRIED = 12
"""Steps that are played to see what it does."""


@dataclass(frozen=True)
class About:
    """What is known of an environment before it is played."""

    home: str
    seats: tuple[str, ...]
    together: bool
    actions: Literal["discrete", "box"]
    chance: Literal["none", "incidental"]


def look_at(namespace: str, name: str, version: int) -> About:
    """What an environment is, found out by making it once with its own defaults."""
    guest = make_guest(namespace, name, version, {})
    try:
        kinds = {kind_of(space, guest.where) for space in guest.spaces}
        if len(kinds) > 1:
            raise MmgamesError(f"{guest.where}: some seats choose and others give numbers; one game has one kind.")
        home = "Gymnasium" if namespace == "gymnasium" else "PettingZoo"
        chance: Literal["none", "incidental"] = "none" if _is_the_same(guest) else "incidental"
        return About(home, guest.seats, guest.together and len(guest.seats) > 1, kinds.pop(), chance)
    finally:
        guest.close()


def _is_the_same(guest: Guest) -> bool:
    """Whether the same moves lead to the same from different seeds, as far as a few moves show."""
    stories = set()
    for seed in range(3):
        seen, story = guest.reset(seed), []
        rng = np.random.default_rng(0)
        for _ in range(TRIED):
            story.append(seen)
            if not seen.movers:
                break
            seen = guest.step({seat: guest.some_move(seat, seen, rng) for seat in seen.movers})
        stories.add(tuple(story))
    return len(stories) == 1


def warn_if_it_does_not_repeat(game: Any) -> None:
    """Play a few steps twice from one seed; a warning if they differ, as records could then not be replayed."""
    stories = []
    for _ in range(2):
        rng = np.random.default_rng(0)
        state, story = game.start(np.random.default_rng(0)), []
        for _ in range(TRIED):
            story.append(state.poses)
            movers = game.movers(state)
            if not movers:
                break
            state = game.play(state, {seat: game.sample(state, seat, rng) for seat in movers}, rng)
        stories.append(story)
    if stories[0] != stories[1]:
        warnings.warn(
            f"{game.spec.id} does not do the same twice with one seed: its episodes can be played and not replayed.",
            stacklevel=5,
        )
