"""Particles as a picture and as features: the field as the seat sees it, and beside it what the seat knows."""

from __future__ import annotations

import math

import numpy as np

from mmgames.drawing import canvas
from mmgames.drawing.canvas import BLUE, FAINT, GOLD, GREEN, INK, LINE, PAPER, RED, WHITE, Colour, Pen, mix
from mmgames.games.particles.observed import features as write_features
from mmgames.games.particles.picture_plan import Plan, is_legible, is_on_picture, plan
from mmgames.games.particles.row import SILENCE
from mmgames.games.particles.rules import ParticlesView, Point, row_of
from mmgames.games.particles.scenarios import CRYPTO, FOOD, FOREST, MARK, OBSTACLE, REFERENCE, SCENARIOS, SPEAKER
from mmgames.games.particles.words import LETTERS, spoken_role
from mmgames.kernels.compiling import compiled_later

GROUND: Colour = (244, 246, 248)
BEYOND: Colour = (226, 228, 231)
CYAN: Colour = (40, 180, 205)
LEADER: Colour = mix(RED, INK, 0.45)
COLOURS: dict[str, Colour] = {
    "red": RED, "blue": BLUE, "green": GREEN, "rival": RED, "first": BLUE, "second": GREEN, "hunter_1": RED,
    "hunter_2": RED, "hunter_3": RED, "prey": GREEN, "prey_1": GREEN, "prey_2": CYAN, "guard": RED, "walker": BLUE,
    "speaker": FAINT, "listener": BLUE, "leader": LEADER, "eve": RED, "bob": BLUE, "alice": GREEN,
}  # fmt: skip
SIGNS = {"hunter_1": "1", "hunter_2": "2", "hunter_3": "3", "leader": "L"}
THINGS: dict[str, Colour] = {
    MARK: (120, 124, 132), OBSTACLE: (92, 96, 104), FOOD: (60, 110, 220), FOREST: (176, 216, 170),
}  # fmt: skip
MARKS: tuple[Colour, ...] = ((196, 92, 70), (86, 140, 70), (84, 104, 190))
COAST = 0.4
"""How far a player goes on by itself, of its speed."""
DOTS = 4
SLOW = 0.05
"""Who is slower on both axes has no dots."""
RIM = 0.09
LETTERS_FROM = 200
"""Pictures that are less high have no letters."""


def disc(pen: Pen, colour: Colour, sign: str, mine: bool) -> None:
    """A player; oneself has a black ring."""
    pen.disc(0.5, 0.5, 0.5, INK if mine else mix(colour, INK, 0.5))
    pen.disc(0.5, 0.5, 0.38 if mine else 0.44, colour)
    if sign:
        pen.text(0.5, 0.5, sign, 0.6, WHITE, bold=True)


def thing(pen: Pen, colour: Colour) -> None:
    pen.disc(0.5, 0.5, 0.5, mix(colour, INK, 0.35))
    pen.disc(0.5, 0.5, 0.46, colour)


def diamond(pen: Pen, colour: Colour) -> None:
    pen.polygon([(0.5, 0.0), (1.0, 0.5), (0.5, 1.0), (0.0, 0.5)], mix(colour, INK, 0.4))
    pen.polygon([(0.5, 0.14), (0.86, 0.5), (0.5, 0.86), (0.14, 0.5)], colour)


def ring(pen: Pen, colour: Colour) -> None:
    pen.disc(0.5, 0.5, 0.5, None, colour, 0.13)


def dot(pen: Pen, colour: Colour) -> None:
    pen.disc(0.5, 0.5, 0.5, colour)


def letter(pen: Pen, sign: str) -> None:
    """Dark with a light rim, so that it is read on any disc."""
    for turn in range(8):
        x, y = math.cos(turn * math.pi / 4), math.sin(turn * math.pi / 4)
        pen.text(0.5 + RIM * x, 0.5 + RIM * y, sign, 0.8, WHITE, bold=True)
    pen.text(0.5, 0.5, sign, 0.8, INK, bold=True)


def outside(pen: Pen, colour: Colour) -> None:
    """Somebody who has left the picture."""
    pen.rect(0.0, 0.0, 1.0, 1.0, colour, mix(colour, INK, 0.5), 0.12, 0.2)


def draw(view: ParticlesView, size: int = 512) -> np.ndarray:
    place = plan(size)
    if _sees_no_field(view):
        return _card(view, size, place)
    frame = _ground(size, place).copy()
    over = marks_lie_above(view.which)
    _put_things(frame, view, place)
    if not over:
        _put_marks(frame, view, place)
    _put_players(frame, view, place)
    if over:
        _put_marks(frame, view, place)
    _put_letters(frame, view, place)
    _write(frame, view, size, place)
    return frame


def marks_lie_above(which: int) -> bool:
    """Whether players are larger than landmarks, which then lie on them; otherwise they stand on the landmarks."""
    scenario = SCENARIOS[which]
    return any(
        kind.size > mark_radius(radius) for kind in scenario.kinds for thing, radius in scenario.things if thing == MARK
    )


def mark_radius(radius: float) -> float:
    """Landmarks are drawn a little larger than they are, to be seen."""
    return max(radius, 0.07)


def _sees_no_field(view: ParticlesView) -> bool:
    return view.which == CRYPTO or (view.which == SPEAKER and view.seat == 0)


@canvas.kept(32)
def _ground(size: int, place: Plan) -> np.ndarray:
    frame = canvas.blank(size, place.height)
    right, bottom = place.left + place.side, place.top + place.side
    canvas.fill(frame, place.left, place.top, right, bottom, BEYOND)
    (x0, y1), (x1, y0) = place.at((-1, -1)), place.at((1, 1))
    canvas.fill(frame, x0, y0, x1, y1, GROUND)
    thin = max(1, size // 400)
    for across in (-1, 0, 1):
        x, y = place.at((across, across))
        canvas.fill(frame, x, y0, x + thin, y1, LINE)
        canvas.fill(frame, x0, y, x1, y + thin, LINE)
        if is_legible(size):
            label = canvas.label(str(across), max(8, size // 40), FAINT, BEYOND)
            canvas.paste(frame, label, x, y1 + size // 50, "c")
            canvas.paste(frame, label, x0 - size // 50, y, "c")
    canvas.outline(frame, place.left, place.top, right, bottom, LINE, thin)
    return frame


def _across(place: Plan, radius: float, least: int = 5) -> int:
    """The pixels of a disc, so many at least that it is seen."""
    return max(least, round(2 * radius * place.unit))


def _lying(view: ParticlesView) -> list[tuple[int, str, float, Point]]:
    """What lies on the field and is seen, the last thing first: its number, its kind, its radius, its place."""
    things = zip(view.scenario.things, view.places[view.scenario.players :], strict=True)
    found = [(number, kind, radius, at) for number, ((kind, radius), at) in enumerate(things) if at is not None]
    return found[::-1]


def _put_things(frame: np.ndarray, view: ParticlesView, place: Plan) -> None:
    for _, kind, radius, at in _lying(view):
        if kind != MARK:
            wide = _across(place, radius)
            canvas.lay(frame, canvas.overlay(thing, wide, wide, THINGS[kind]), *place.at(at))


def _mark_across(place: Plan, radius: float) -> int:
    return _across(place, mark_radius(radius), 7)


def _put_marks(frame: np.ndarray, view: ParticlesView, place: Plan) -> None:
    meant = _meant(view)
    for number, kind, radius, at in _lying(view):
        if kind == MARK:
            wide, (x, y) = _mark_across(place, radius), place.at(at)
            canvas.lay(frame, canvas.overlay(diamond, wide, wide, MARKS[number]), x, y)
            for layer, colour in enumerate(meant.get(number, ())):
                around = round(wide * (1.5 + 0.35 * layer))
                canvas.lay(frame, canvas.overlay(ring, around, around, colour), x, y)


def _put_letters(frame: np.ndarray, view: ParticlesView, place: Plan) -> None:
    """Beside the landmarks, above everything else."""
    if place.height < LETTERS_FROM:
        return
    tall = max(11, place.height // 22)
    for number, kind, radius, at in _lying(view):
        if kind == MARK:
            wide, (x, y) = _mark_across(place, radius), place.at(at)
            canvas.lay(frame, canvas.overlay(letter, tall, tall, LETTERS[number]), x + wide, y - wide * 3 // 4)


def _meant(view: ParticlesView) -> dict[int, tuple[Colour, ...]]:
    """The rings around landmarks: golden, or in the colour of whose landmark it is."""
    first, second = view.secrets
    if view.which in (SPEAKER, *_TEAMS) and first is not None:
        return {first: (GOLD,)}
    rings: dict[int, tuple[Colour, ...]] = {}
    if view.which == REFERENCE:
        for secret, colour in ((first, COLOURS["second"]), (second, COLOURS["first"])):
            if secret is not None:
                rings[secret] = (*rings.get(secret, ()), colour)
    return rings


_TEAMS = tuple(which for which, scenario in enumerate(SCENARIOS) if scenario.name in ("adversary", "push"))


def _put_players(frame: np.ndarray, view: ParticlesView, place: Plan) -> None:
    """All discs, and then the dots before them."""
    scenario = view.scenario
    for seat, (role, kind) in enumerate(zip(scenario.roles, scenario.kinds, strict=True)):
        at, colour = view.places[seat], COLOURS[role]
        if at is None:
            continue
        x, y = place.at(at)
        wide = _across(place, kind.size, 6)
        if not is_on_picture(at):
            canvas.lay(frame, canvas.overlay(outside, max(6, wide // 2), max(6, wide // 2), colour), x, y)
            continue
        sign = SIGNS.get(role, "") if wide >= 12 else ""
        canvas.lay(frame, canvas.overlay(disc, wide, wide, colour, sign, seat == view.seat), x, y)
    for seat, (role, kind) in enumerate(zip(scenario.roles, scenario.kinds, strict=True)):
        at, speed = view.places[seat], view.speeds[seat]
        if at is not None and speed is not None and is_on_picture(at):
            _put_dots(frame, place, at, speed, kind.size, mix(COLOURS[role], INK, 0.2))


def _put_dots(frame: np.ndarray, place: Plan, at: Point, speed: Point, radius: float, colour: Colour) -> None:
    """The way a player would coast, beyond its disc."""
    if max(abs(speed[0]), abs(speed[1])) < SLOW:
        return
    wide = max(2, place.height // 80)
    mark = canvas.overlay(dot, wide, wide, colour)
    for number in range(1, DOTS + 1):
        share = COAST * number / DOTS
        across, along = share * speed[0], share * speed[1]
        there = at[0] + across, at[1] + along
        if across * across + along * along > radius * radius and is_on_picture(there):
            canvas.lay(frame, mark, *place.at(there))


def _lines(view: ParticlesView) -> list[tuple[str, Colour]]:
    """What stands beside the field, or on the card."""
    lines: list[tuple[str, Colour]] = []
    roles = view.scenario.roles
    if view.seat is not None:
        lines.append((f"{spoken_role(roles[view.seat])}", COLOURS[roles[view.seat]]))
    first, second = view.secrets
    if view.which == CRYPTO:
        lines += [(f"message {first}", INK)] if first is not None else []
        lines += [(f"key {second}", INK)] if second is not None else []
    elif view.which == REFERENCE:
        for secret, role in ((first, "second"), (second, "first")):
            if secret is not None:
                lines.append((f"{role} to {LETTERS[secret]}", COLOURS[role]))
    elif first is not None and view.which in (SPEAKER, *_TEAMS):
        lines.append((f"meant: {LETTERS[first]}", mix(GOLD, INK, 0.3)))
    for seat, word in enumerate(view.said):
        if word is not None and view.scenario.kinds[seat].speaks:
            told = "-" if word == SILENCE else str(word)
            lines.append((f"{spoken_role(roles[seat])} said {told}", mix(COLOURS[roles[seat]], INK, 0.25)))
    return lines


def _write(frame: np.ndarray, view: ParticlesView, size: int, place: Plan) -> None:
    if not is_legible(size):
        return
    tall = max(7, size // 26)
    for number, (told, colour) in enumerate(_lines(view)):
        label = canvas.label(told, tall, colour, PAPER, bold=number == 0)
        canvas.paste(frame, label, place.column, place.top + tall + int(number * tall * 1.6), "w")


def _card(view: ParticlesView, size: int, place: Plan) -> np.ndarray:
    """What a seat knows who sees no field."""
    frame = canvas.blank(size, place.height)
    canvas.fill(frame, place.left, place.top, size - place.left, place.height - place.top, BEYOND)
    lines = _lines(view)
    tall = max(6, min(size // 12, place.height // (2 * len(lines) + 1)))
    for number, (told, colour) in enumerate(lines):
        y = place.height * (2 * number + 1) // (2 * len(lines))
        canvas.paste(frame, canvas.label(told, tall, colour, BEYOND, bold=size >= 200), size // 2, y, "c")
    return frame


def features(view: ParticlesView) -> np.ndarray:
    """What the kernel writes of what the seat knows; a spectator looks with the first player's eyes."""
    out = np.empty(view.scenario.num_features, np.float32)
    compiled_later(write_features)(row_of(view), view.seat or 0, out)
    return out
