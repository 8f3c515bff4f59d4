"""Particles as a picture and as features: the field as the seat sees it, and beside it what the seat knows."""

from __future__ import annotations

import numpy as np

from mmgames.core.game_modules import Box
from mmgames.drawing import canvas
from mmgames.games.particles import picture_parts as parts
from mmgames.games.particles.picture_batches import sprites  # noqa: F401 - part of this module
from mmgames.games.particles.picture_plan import EXTENT, Plan, is_on_picture, plan
from mmgames.games.particles.rules import ParticlesView, Point, as_state
from mmgames.games.particles.rules import features as write_features
from mmgames.games.particles.scenarios import MARK, MOVES
from mmgames.games.particles.words import names
from mmgames.kernels.kernel_game import ask


def draw(view: ParticlesView, size: int = 512) -> np.ndarray:
    place = plan(size)
    if parts.sees_no_field(view.which, view.seat):
        frame = parts.card(size, place).copy()
        _write(frame, view, size, place, "c")
        return frame
    frame = parts.field(size, place).copy()
    over = parts.marks_lie_above(view.which)
    _put_things(frame, view, place)
    if not over:
        _put_marks(frame, view, place)
    _put_players(frame, view, place)
    if over:
        _put_marks(frame, view, place)
    _put_letters(frame, view, place)
    _write(frame, view, size, place, "w")
    return frame


def _lying(view: ParticlesView, marks: bool) -> list[tuple[int, Point]]:
    """The landmarks, or what else lies on the field, as far as it is seen, the last one first: number and place."""
    things = zip(view.scenario.things, view.places[view.scenario.players :], strict=True)
    found = [
        (number, at) for number, ((kind, _), at) in enumerate(things) if at is not None and (kind == MARK) == marks
    ]
    return found[::-1]


def _put_things(frame: np.ndarray, view: ParticlesView, place: Plan) -> None:
    for number, at in _lying(view, marks=False):
        canvas.lay(frame, parts.laid_thing(view.which, number, place), *place.at(at))


def _put_marks(frame: np.ndarray, view: ParticlesView, place: Plan) -> None:
    """Landmarks, each with the rings of those for whom it is meant."""
    rings = parts.ring_colours(view.which, view.seat)
    for number, at in _lying(view, marks=True):
        canvas.lay(frame, parts.laid_thing(view.which, number, place), *place.at(at))
        meant = [colour for source, colour in rings.items() if view.secrets[source - parts.FIRST_SECRET] == number]
        for layer, colour in enumerate(meant):
            canvas.lay(frame, parts.laid_ring(view.which, place, colour, layer), *place.at(at))


def _put_letters(frame: np.ndarray, view: ParticlesView, place: Plan) -> None:
    """Beside the landmarks, above everything else."""
    if place.height < parts.LETTERS_FROM:
        return
    for number, at in _lying(view, marks=True):
        (x, y), (right, down) = place.at(at), parts.letter_offset(view.which, place)
        canvas.lay(frame, parts.laid_letter(number, place), x + right, y + down)


def _put_players(frame: np.ndarray, view: ParticlesView, place: Plan) -> None:
    """All discs, and then the dots before them."""
    for seat in range(view.scenario.players):
        at = view.places[seat]
        if at is not None and is_on_picture(at):
            canvas.lay(frame, parts.laid_player(view.which, seat, place, seat == view.seat), *place.at(at))
        elif at is not None:
            canvas.lay(frame, parts.laid_outside(view.which, seat, place), *place.at(at))
    for seat in range(view.scenario.players):
        at, speed = view.places[seat], view.speeds[seat]
        if at is not None and speed is not None and is_on_picture(at):
            _put_dots(frame, view, place, seat, at, speed)


def _put_dots(frame: np.ndarray, view: ParticlesView, place: Plan, seat: int, at: Point, speed: Point) -> None:
    """The way a player would coast, beyond its disc."""
    if max(abs(speed[0]), abs(speed[1])) < parts.SLOW:
        return
    radius = view.scenario.kinds[seat].size
    for number in range(1, parts.DOTS + 1):
        share = parts.COAST * number / parts.DOTS
        across, along = share * speed[0], share * speed[1]
        there = at[0] + across, at[1] + along
        if across * across + along * along > radius * radius and is_on_picture(there):
            canvas.lay(frame, parts.laid_dot(view.which, seat, place), *place.at(there))


def _write(frame: np.ndarray, view: ParticlesView, size: int, place: Plan, anchor: str) -> None:
    known, told = (None, *view.secrets, *view.said), parts.lines(view.which, view.seat)
    for number, (x, y) in enumerate(parts.line_places(view.which, view.seat, size, place)):
        value = known[told[number].source] or 0
        canvas.paste(frame, parts.line_label(view.which, view.seat, number, value, size, place), x, y, anchor)


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
