"""How a grid dilemma is varied: how many play, how large the grid is, how long it lasts, what its events pay."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from mmgames.errors import MmgamesError

PLAYERS, SIDE, STEPS = 2, 5, 50  # as VS-Bench has them
MOST_PLAYERS, SMALLEST, LARGEST, LONGEST, MOST_PAID = 8, 3, 15, 1000, 100
ROLES = ("red", "blue", "green", "yellow", "pink", "cyan", "brown", "black")


class Setup(NamedTuple):
    """A dilemma as it is played."""

    players: int
    side: int
    horizon: int
    pays: tuple[int, ...]
    released: bool = False  # by the rules that were released, where they are others

    @property
    def roles(self) -> tuple[str, ...]:
        return ROLES[: self.players]

    @property
    def is_pair(self) -> bool:
        """Two players have the events and the look that VS-Bench has; more of them a line each in a table."""
        return self.players == PLAYERS


def setup_from(where: str, options: Mapping[str, Any], pays: Mapping[str, Any], more_things: int) -> Setup:
    """What the options of a game, which have been checked, come to. Everybody and everything begins on a cell of its
    own, so a grid may be too small."""
    released = options.get("rules") == "released"
    paid = tuple(options[name] for name in pays)
    setup = Setup(options["players"], options["grid"], options["horizon"], paid, released)
    things = setup.players + more_things
    if (needed := setup.players + things) > setup.side**2:
        least = next(side for side in range(SMALLEST, LARGEST + 1) if side**2 >= needed)
        raise MmgamesError(
            f"{where}: {setup.players} players and {things} things do not fit on grid={setup.side}; "
            f"give grid={least} or more."
        )
    return setup
