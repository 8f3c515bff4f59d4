"""What pictures of Particles are made of: the grounds, the overlays, and the lines beside the field."""

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from mmgames.core.game import Seat
from mmgames.drawing import canvas
from mmgames.drawing.canvas import BLUE, FAINT, GOLD, GREEN, INK, LINE, PAPER, RED, WHITE, Colour, Overlay, Pen, mix
from mmgames.games.particles import scenarios
from mmgames.games.particles.picture_plan import Plan, is_legible
from mmgames.games.particles.rules import SILENCE
from mmgames.games.particles.seen import heard, knows
from mmgames.games.particles.words import LETTERS, spoken_role

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
    scenarios.MARK: (120, 124, 132), scenarios.OBSTACLE: (92, 96, 104),
    scenarios.FOOD: (60, 110, 220), scenarios.FOREST: (176, 216, 170),
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


def sees_no_field(which: int, seat: Seat | None) -> bool:
    return which == scenarios.CRYPTO or (which == scenarios.SPEAKER and seat == 0)


def marks_lie_above(which: int) -> bool:
    """Whether players are larger than landmarks, which then lie on them; otherwise they stand on the landmarks."""
    scenario = scenarios.SCENARIOS[which]
    marks = [mark_radius(radius) for thing, radius in scenario.things if thing == scenarios.MARK]
    return any(kind.size > radius for kind in scenario.kinds for radius in marks)


def mark_radius(radius: float) -> float:
    """Landmarks are drawn a little larger than they are, to be seen."""
    return max(radius, 0.07)


@canvas.kept(32)
def field(size: int, place: Plan) -> np.ndarray:
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


@canvas.kept(32)
def card(size: int, place: Plan) -> np.ndarray:
    """The ground of a seat that sees no field."""
    frame = canvas.blank(size, place.height)
    canvas.fill(frame, place.left, place.top, size - place.left, place.height - place.top, BEYOND)
    return frame


# Overlays


def _across(place: Plan, radius: float, least: int = 5) -> int:
    """The pixels of a disc, so many at least that it is seen."""
    return max(least, round(2 * radius * place.unit))


def mark_across(which: int, place: Plan) -> int:
    """The pixels of a landmark; those of a scenario are all alike."""
    return _across(place, mark_radius(scenarios.SCENARIOS[which].things[0][1]), 7)


def laid_thing(which: int, number: int, place: Plan) -> Overlay:
    kind, radius = scenarios.SCENARIOS[which].things[number]
    if kind == scenarios.MARK:
        wide = mark_across(which, place)
        return canvas.overlay(diamond, wide, wide, MARKS[number])
    wide = _across(place, radius)
    return canvas.overlay(thing, wide, wide, THINGS[kind])


def laid_ring(which: int, place: Plan, colour: Colour, layer: int = 0) -> Overlay:
    around = round(mark_across(which, place) * (1.5 + 0.35 * layer))
    return canvas.overlay(ring, around, around, colour)


def laid_letter(number: int, place: Plan) -> Overlay:
    tall = max(11, place.height // 22)
    return canvas.overlay(letter, tall, tall, LETTERS[number])


def letter_offset(which: int, place: Plan) -> tuple[int, int]:
    wide = mark_across(which, place)
    return wide, -(wide * 3 // 4)


def laid_player(which: int, seat: Seat, place: Plan, mine: bool) -> Overlay:
    role, kind = scenarios.SCENARIOS[which].roles[seat], scenarios.SCENARIOS[which].kinds[seat]
    wide = _across(place, kind.size, 6)
    return canvas.overlay(disc, wide, wide, COLOURS[role], SIGNS.get(role, "") if wide >= 12 else "", mine)


def laid_outside(which: int, seat: Seat, place: Plan) -> Overlay:
    role, kind = scenarios.SCENARIOS[which].roles[seat], scenarios.SCENARIOS[which].kinds[seat]
    wide = max(6, _across(place, kind.size, 6) // 2)
    return canvas.overlay(outside, wide, wide, COLOURS[role])


def laid_dot(which: int, seat: Seat, place: Plan) -> Overlay:
    wide = max(2, place.height // 80)
    return canvas.overlay(dot, wide, wide, mix(COLOURS[scenarios.SCENARIOS[which].roles[seat]], INK, 0.2))


# Lines


NONE, FIRST_SECRET, SECOND_SECRET, FIRST_WORD = range(4)
"""What a line tells beside its words: nothing, one of the secrets, or what a seat said last."""


class Told(NamedTuple):
    """A line beside the field or on the card: its words, and what follows them."""

    words: str
    colour: Colour
    source: int = NONE
    lettered: bool = False

    def text(self, value: int) -> str:
        if self.source == NONE:
            return self.words
        shown = LETTERS[value] if self.lettered else "-" if value == SILENCE else str(value)
        return f"{self.words} {shown}"


@lru_cache(maxsize=64)
def lines(which: int, seat: Seat | None) -> tuple[Told, ...]:
    """What a seat is told in words."""
    scenario = scenarios.SCENARIOS[which]
    first, second = (True, True) if seat is None else knows(which, seat)
    hears = [True] * scenario.players if seat is None else heard(which, seat)
    found = [] if seat is None else [Told(spoken_role(scenario.roles[seat]), COLOURS[scenario.roles[seat]])]
    if which == scenarios.CRYPTO:
        found += [Told("message", INK, FIRST_SECRET)] if first else []
        found += [Told("key", INK, SECOND_SECRET)] if second else []
    elif which == scenarios.REFERENCE:
        found += [Told("second to", COLOURS["second"], FIRST_SECRET, True)] if first else []
        found += [Told("first to", COLOURS["first"], SECOND_SECRET, True)] if second else []
    elif first and which in (scenarios.SPEAKER, scenarios.ADVERSARY, scenarios.PUSH):
        found.append(Told("meant:", mix(GOLD, INK, 0.3), FIRST_SECRET, True))
    for other, kind in enumerate(scenario.kinds):
        if hears[other] and kind.speaks:
            role = scenario.roles[other]
            found.append(Told(f"{spoken_role(role)} said", mix(COLOURS[role], INK, 0.25), FIRST_WORD + other))
    return tuple(found)


def ring_colours(which: int, seat: Seat | None) -> dict[int, Colour]:
    """The rings around landmarks that a seat knows to be meant, by the secret that tells which landmark that is."""
    first, second = (True, True) if seat is None else knows(which, seat)
    if which in (scenarios.SPEAKER, scenarios.ADVERSARY, scenarios.PUSH):
        return {FIRST_SECRET: GOLD} if first else {}
    if which != scenarios.REFERENCE:
        return {}
    known = ((FIRST_SECRET, first, "second"), (SECOND_SECRET, second, "first"))
    return {source: COLOURS[role] for source, is_known, role in known if is_known}


def line_label(which: int, seat: Seat | None, number: int, value: int, size: int, place: Plan) -> np.ndarray:
    rows = lines(which, seat)
    if sees_no_field(which, seat):
        tall = max(6, min(size // 12, place.height // (2 * len(rows) + 1)))
        return canvas.label(rows[number].text(value), tall, rows[number].colour, BEYOND, bold=size >= 200)
    return canvas.label(rows[number].text(value), max(7, size // 26), rows[number].colour, PAPER, bold=number == 0)


def line_places(which: int, seat: Seat | None, size: int, place: Plan) -> list[tuple[int, int]]:
    """Where lines are put: their middles on a card, where they begin beside the field; none in small pictures."""
    count, tall = len(lines(which, seat)), max(7, size // 26)
    if sees_no_field(which, seat):
        return [(size // 2, place.height * (2 * number + 1) // (2 * count)) for number in range(count)]
    if not is_legible(size):
        return []
    return [(place.column, place.top + tall + int(number * tall * 1.6)) for number in range(count)]
