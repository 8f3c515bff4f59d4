"""Particles as a picture and as features: the field as the seat sees it, and beside it what the seat knows."""

import numpy as np

from mmgames.core.game_modules import Box
from mmgames.games.particles.picture_plan import EXTENT, plan
from mmgames.games.particles.picture_sheets import sheet_of, sprites  # noqa: F401 - sprites are part of this module
from mmgames.games.particles.rules import as_state
from mmgames.games.particles.scenarios import MOVES
from mmgames.games.particles.seen import ParticlesView
from mmgames.games.particles.seen import features as write_features
from mmgames.games.particles.words import names
from mmgames.kernels.kernel_game import ask


def draw(view: ParticlesView, size: int = 512) -> np.ndarray:
    return sheet_of(view.which, view.seat, size).draw_one(as_state(view))


REACH, BOX = 0.28, 0.18
"""How far from the own middle a click for a push is, and how wide the places to click are, on the field."""
WAYS = ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))


def regions(view: ParticlesView, size: int = 512) -> dict[int, tuple[Box, ...]]:
    """Beside the own disc, to be pushed that way, and on it, to stay; who speaks too then chooses the word by name."""
    own = None if view.seat is None else view.places[view.seat]
    if own is None or view.seat is None or not view.scenario.kinds[view.seat].moves:
        return {}
    place = plan(size)
    found: dict[int, tuple[Box, ...]] = {}
    first, last = place.at((-EXTENT, EXTENT)), place.at((EXTENT, -EXTENT))
    for action in names(view):
        right, up = WAYS[action % MOVES]
        at = own[0] + REACH * right, own[1] + REACH * up
        (left, top), (to, bottom) = (
            place.at((at[0] - BOX / 2, at[1] + BOX / 2)),
            place.at((at[0] + BOX / 2, at[1] - BOX / 2)),
        )
        if first[0] <= left < to <= last[0] and first[1] <= top < bottom <= last[1]:
            found[action] = ((left, top, to, bottom),)
    return found


def features(view: ParticlesView) -> np.ndarray:
    """What the kernel writes of what the seat knows; a spectator looks with the first player's eyes."""
    out = np.empty(view.scenario.num_features, np.float32)
    ask(write_features, as_state(view), view.seat or 0, out)
    return out
