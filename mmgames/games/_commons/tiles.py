"""What the pictures of the commons are made of: ground, apples, waste, beams, players."""

from mmgames.drawing.canvas import BLUE, INK, RED, WHITE, Colour, Pen, mix
from mmgames.games._commons.maps import GRASS, SOIL, WATER
from mmgames.games._commons.rules import CLEANING, EAST, FINING, NORTH, SOUTH, WEST
from mmgames.games._dilemma.tokens import COLOURS, NEUTRAL, token

MEADOW: Colour = (223, 233, 206)
EARTH: Colour = (205, 178, 138)
STREAM: Colour = (150, 196, 226)
BEYOND: Colour = (92, 96, 104)
FRUIT: Colour = (200, 226, 60)
LEAF: Colour = (50, 110, 44)
MUD: Colour = (104, 78, 48)
GROUNDS = {GRASS: MEADOW, SOIL: EARTH, WATER: STREAM}
BEAMS: dict[int, Colour] = {FINING: (255, 190, 40), CLEANING: (238, 252, 255)}
POINTERS = {
    EAST: [(0.99, 0.5), (0.84, 0.36), (0.84, 0.64)],
    WEST: [(0.01, 0.5), (0.16, 0.36), (0.16, 0.64)],
    NORTH: [(0.5, 0.01), (0.36, 0.16), (0.64, 0.16)],
    SOUTH: [(0.5, 0.99), (0.36, 0.84), (0.64, 0.84)],
}


def apple(pen: Pen) -> None:
    dark = mix(FRUIT, INK, 0.65)
    for colour, more in ((dark, 0.03), (FRUIT, 0.0)):
        pen.ellipse(0.41, 0.58, 0.19 + more, 0.23 + more, colour)
        pen.ellipse(0.59, 0.58, 0.19 + more, 0.23 + more, colour)
    pen.line([(0.5, 0.42), (0.52, 0.22)], INK, 0.06)
    pen.ellipse(0.64, 0.25, 0.12, 0.06, LEAF)


def waste(pen: Pen) -> None:
    for x, y, radius in ((0.34, 0.60, 0.20), (0.64, 0.62, 0.22), (0.50, 0.40, 0.20)):
        pen.disc(x, y, radius, mix(MUD, INK, 0.4))
    for x, y, radius in ((0.34, 0.60, 0.16), (0.64, 0.62, 0.18), (0.50, 0.40, 0.16)):
        pen.disc(x, y, radius, MUD)
    for x, y in ((0.40, 0.44), (0.64, 0.56), (0.34, 0.66)):
        pen.disc(x, y, 0.045, mix(MUD, WHITE, 0.5))


def ripples(pen: Pen) -> None:
    for x, y in ((0.30, 0.34), (0.68, 0.70)):
        pen.arc(x, y, 0.13, 200, 340, mix(STREAM, BLUE, 0.4), 0.04)


def tuft(pen: Pen) -> None:
    """Soil on which nothing grows just now."""
    for x, y in ((0.3, 0.36), (0.66, 0.42), (0.42, 0.70)):
        pen.disc(x, y, 0.05, mix(EARTH, INK, 0.3))


def stripes(pen: Pen, beam: int) -> None:
    """Light on a cell: golden for a fine, white for cleaning."""
    for x in (-0.6, -0.2, 0.2, 0.6):
        pen.line([(x, 1.0), (x + 1.0, 0.0)], BEAMS[beam], 0.12)


def figure(pen: Pen, seat: int, way: int) -> None:
    """A player, with a pointer to where it faces."""
    token(pen.part(0.12, 0.12, 0.76), seat, COLOURS[seat])
    pen.polygon(POINTERS[way], INK)


def tile(pen: Pen, ground: int, thing: bool, beams: tuple[int, ...], seat: int, way: int, mine: bool) -> None:
    """A cell with all that is on it; nobody's seat is -1."""
    pen.rect(0, 0, 1, 1, GROUNDS[ground])
    if ground == WATER:
        ripples(pen)
    elif ground == SOIL and not thing:
        tuft(pen)
    for beam in beams:
        stripes(pen, beam)
    if thing:
        (waste if ground == WATER else apple)(pen)
    if seat >= 0:
        figure(pen, seat, way)
    if mine:
        pen.rect(0.0, 0.0, 1.0, 1.0, None, INK, 0.06)


def plain(pen: Pen, colour: Colour) -> None:
    pen.rect(0, 0, 1, 1, colour)


def eating(pen: Pen) -> None:
    apple(pen)


def firing(pen: Pen) -> None:
    """A player who fires."""
    token(pen.part(0.0, 0.22, 0.56), 0, NEUTRAL)
    pen.polygon([(0.52, 0.5), (1.0, 0.22), (1.0, 0.78)], BEAMS[FINING], mix(BEAMS[FINING], INK, 0.5))


def being_fined(pen: Pen) -> None:
    """A player who is hit."""
    pen.polygon([(0.0, 0.22), (0.0, 0.78), (0.42, 0.5)], BEAMS[FINING], mix(BEAMS[FINING], INK, 0.5))
    token(pen.part(0.44, 0.22, 0.56), 0, NEUTRAL)
    for points in ([(0.52, 0.28), (0.92, 0.72)], [(0.92, 0.28), (0.52, 0.72)]):
        pen.line(points, RED, 0.07)


def cleaning(pen: Pen) -> None:
    """Waste that goes."""
    pen.rect(0.08, 0.08, 0.92, 0.92, STREAM, radius=0.1)
    waste(pen)
    pen.line([(0.14, 0.86), (0.86, 0.14)], BEAMS[CLEANING], 0.14)


ICONS = (eating, firing, being_fined, cleaning)
"""For each kind of event."""
