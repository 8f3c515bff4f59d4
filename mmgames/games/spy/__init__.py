"""Everybody looks at the same picture but the spy, whose picture is a little different."""

from mmgames.core.spec import spec_in

SPEC = spec_in(__name__)


def seat_names(players: int, observed: bool = False) -> tuple[str, ...]:
    return (*(f"player_{number}" for number in range(1, players + 1)), *(["observer"] * observed))
