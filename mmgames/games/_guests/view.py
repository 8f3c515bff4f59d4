"""What a seat of a guest may know."""

from collections.abc import Hashable
from dataclasses import dataclass

from mmgames.core.game import Seat

Texts = tuple[tuple[str, Hashable], ...]


@dataclass(frozen=True, slots=True)
class GuestView:
    """What a seat gets from the environment, and what the renderer shows, unless that is not for its eyes."""

    seat: Seat | None
    game: str
    home: str
    role: str
    roles: tuple[str, ...]
    movers: tuple[Seat, ...]
    observation: Hashable
    features: bytes
    legal: tuple[tuple[int, str], ...]
    returns: tuple[float, ...]
    step: int
    over: bool
    picture: tuple[tuple[int, ...], bytes] | None
    text: str
    words: Texts
    examples: tuple[str, ...]
    """Two names of actions."""
