"""Who sits where: what kinds of sides a game has, and how those who meet change them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from mmgames.core import registry
from mmgames.core.spec import GameSpec
from mmgames.errors import MmgamesError

Kind = Literal["duel", "team", "roles", "free", "alone"]
"""duel: two with opposite interests; team: all collect the same; roles: one against all others; free: everybody for
itself; alone: a game for one, in which two are compared that get the same deal."""


@dataclass(frozen=True)
class Seating:
    """A game of the arena, with its options settled, and what kind of sides it has."""

    id: str
    options: tuple[tuple[str, Any], ...]
    kind: Kind
    seats: tuple[str, ...]
    role_option: str = ""

    @property
    def size(self) -> int:
        """How many may meet at a time: everybody for itself as many as there are seats, otherwise two."""
        return len(self.seats) if self.kind == "free" else 2

    def arrangements(self, guests: Sequence[int], deal: int) -> list[tuple[dict[str, Any], tuple[int, ...]]]:
        """The episodes of a meeting, as options and the guest in each seat: one deal for all, and sides change."""
        options, count = dict(self.options), len(self.seats)
        if self.kind == "roles":
            own = deal % count
            return [
                (
                    {**options, self.role_option: self.seats[own]},
                    tuple(one if seat == own else other for seat in range(count)),
                )
                for one, other in (tuple(guests), tuple(reversed(guests)))
            ]
        turns = range(len(guests))
        return [(options, tuple(guests[(seat + turn) % len(guests)] for seat in range(count))) for turn in turns]


def seating(id: str, options: Mapping[str, Any]) -> Seating:
    """How a game is seated. Options that it does not have are an error."""
    game = registry.load(id).game(**options)
    spec, settled = game.spec, tuple((name, game.options[name]) for name in sorted(options))
    if spec.one_against_all in dict(settled):
        raise MmgamesError(
            f"{spec.id}: the arena itself sets {spec.one_against_all!r}, so that everybody is it as often."
        )
    kind = _kind(spec, len(game.seats))
    return Seating(spec.id, settled, kind, tuple(game.seats), spec.one_against_all if kind == "roles" else "")


def _kind(spec: GameSpec, seats: int) -> Kind:
    if seats == 1:
        return "alone"
    if spec.utility == "identical":
        return "team"
    if spec.one_against_all:
        return "roles"
    return "duel" if seats == 2 and spec.utility == "zero_sum" else "free"
