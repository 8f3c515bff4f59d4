"""How a grid dilemma is varied: how many play, how large the grid is, how long it lasts, what its events pay.

All of it is one whole number, the first of the row. It is 0 where everything is as VS-Bench has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from mmgames.core.spec import Option
from mmgames.errors import MmgamesError

PLAYERS, SIDE, STEPS = 2, 5, 50  # as VS-Bench has them
MOST_PLAYERS, SMALLEST, LARGEST, LONGEST, MOST_PAID = 8, 3, 15, 1000, 100
ROLES = ("red", "blue", "green", "yellow", "pink", "cyan", "brown", "black")

# Where the number has what, from its lowest bit on; each part is kept as what differs (exclusive or) from the usual.
SIDE_BITS, HORIZON_BITS, PAY_BITS = 4, 8, 18
PAY_WIDTH = 8
PAY_ZERO = 1 << (PAY_WIDTH - 1)


class Setup(NamedTuple):
    """A dilemma as it is played."""

    players: int
    side: int
    horizon: int
    pays: tuple[int, ...]

    @property
    def roles(self) -> tuple[str, ...]:
        return ROLES[: self.players]

    @property
    def is_pair(self) -> bool:
        """Two players have the events and the look that VS-Bench has; more of them a line each in a table."""
        return self.players == PLAYERS


def bits(setup: Setup) -> int:
    packed = setup.players | setup.side << SIDE_BITS | setup.horizon << HORIZON_BITS
    for which, pay in enumerate(setup.pays):
        packed |= (pay + PAY_ZERO) << (PAY_BITS + PAY_WIDTH * which)
    return packed


@lru_cache(maxsize=256)
def unpacked(code: int, usual: tuple[int, ...]) -> Setup:
    """The setup that a row's first number stands for, in a game whose events usually pay this."""
    packed = code ^ bits(Setup(PLAYERS, SIDE, STEPS, usual))
    ones = (1 << PAY_WIDTH) - 1
    pays = tuple((packed >> (PAY_BITS + PAY_WIDTH * which) & ones) - PAY_ZERO for which in range(len(usual)))
    side, horizon = packed >> SIDE_BITS & 15, packed >> HORIZON_BITS & 1023
    return Setup(packed & 15, side, horizon, pays)


def code_of(setup: Setup, usual: tuple[int, ...]) -> int:
    return bits(setup) ^ bits(Setup(PLAYERS, SIDE, STEPS, usual))


def setup_options(pays: Mapping[str, tuple[int, str]]) -> dict[str, Option]:
    """The options of a dilemma; `pays` has what each payoff usually is and what it is paid for."""
    return {
        "players": Option(PLAYERS, "how many play", low=PLAYERS, high=MOST_PLAYERS),
        "grid": Option(SIDE, "how many cells wide and high the grid is", low=SMALLEST, high=LARGEST),
        "horizon": Option(STEPS, "how many steps an episode has", low=1, high=LONGEST),
        **{name: Option(pay, doc, low=-MOST_PAID, high=MOST_PAID) for name, (pay, doc) in pays.items()},
    }


def setup_from(options: Mapping[str, Any], pays: Mapping[str, Any]) -> Setup:
    """What the options of a game, which have been checked, come to."""
    paid = tuple(options[name] for name in pays)
    return Setup(options["players"], options["grid"], options["horizon"], paid)


def check_room(where: str, setup: Setup, things: int) -> None:
    """Everybody and everything begins on a cell of its own; a sentence if there are not enough."""
    needed = setup.players + things
    if needed > setup.side**2:
        least = next(side for side in range(SMALLEST, LARGEST + 1) if side**2 >= needed)
        raise MmgamesError(
            f"{where}: {setup.players} players and {things} things do not fit on grid={setup.side}; "
            f"give grid={least} or more."
        )
