"""Hanabi as a picture and as features.

A night table: fireworks and counters at the top, a row for each hand with the own one face down at the bottom, the
discard pile and everybody's last two moves on the right (in tiny pictures, the last one). Colours have shapes of
their own: red triangle, yellow star, green diamond, white ring, blue square. A spectator sits behind player_0 and
sees all cards.
"""

import math
from functools import lru_cache

import numpy as np

from mmgames.core.game_modules import Box
from mmgames.drawing import canvas
from mmgames.drawing.canvas import BLACK, GOLD, INK, PAPER, RED, WHITE, Colour, Pen, mix
from mmgames.games.hanabi.known import COPIES, num_features
from mmgames.games.hanabi.known import features as write_features
from mmgames.games.hanabi.views import HIDDEN, Card, HanabiView, Move, Size
from mmgames.games.hanabi.words import LETTERS, names
from mmgames.kernels.kernel_game import ask

NIGHT: Colour = (38, 42, 56)
PANEL: Colour = (52, 57, 74)
DIM: Colour = (134, 140, 158)
BACK: Colour = (94, 102, 128)
LOST = mix(RED, BLACK, 0.25)
NONE = mix(RED, WHITE, 0.2)
SUITS: tuple[Colour, ...] = ((214, 62, 54), (236, 188, 52), (52, 150, 84), (246, 246, 242), (58, 112, 206))
INKS: tuple[Colour, ...] = (WHITE, INK, WHITE, INK, WHITE)  # what is written on each colour
CARD_SHAPE = 0.72  # width over height
DIGITS_FROM = 9  # pixels a digit needs; with less, possible ranks and colours are bars at their places
LINE_FROM = 8  # pixels; with less for each move, only everybody's last one is told
FINE_FROM = 15  # pixels; on narrower cards there is room for the rank alone
TALL = {2: 0.74, 3: 0.96, 4: 1.0, 5: 1.0}  # height over width, by players


def shape(pen: Pen, colour: int, y: float, r: float, fill: Colour, wide_over_tall: float = 1.0) -> None:
    """The sign of a colour in the middle of a picture's width; `r` is a share of that width."""
    x, tall = 0.5, r * wide_over_tall
    if colour == 0:
        pen.polygon([(x, y - tall), (x + r, y + tall * 0.8), (x - r, y + tall * 0.8)], fill)
    elif colour == 1:
        points = []
        for turn in range(10):
            far, angle = (1.12 if turn % 2 == 0 else 0.45), math.pi * turn / 5
            points.append((x + r * far * math.sin(angle), y - tall * far * math.cos(angle)))
        pen.polygon(points, fill)
    elif colour == 2:
        pen.polygon([(x, y - tall * 1.15), (x + r, y), (x, y + tall * 1.15), (x - r, y)], fill)
    elif colour == 3:
        pen.disc(x, y, r, None, fill, r * 0.45)
    else:
        pen.rect(x - r * 0.85, y - tall * 0.85, x + r * 0.85, y + tall * 0.85, fill)


def sign(pen: Pen, colour: int) -> None:
    shape(pen, colour, 0.5, 0.42, SUITS[colour])


def paper(pen: Pen, colour: Colour, hinted: bool) -> None:
    """A blank card; a gold frame when a hint has pointed at it."""
    edge = 0.085 if hinted else 0.04
    pen.rect(0, 0, 1, 1, GOLD if hinted else mix(colour, BLACK, 0.45), radius=0.12)
    pen.rect(edge, edge * CARD_SHAPE, 1 - edge, 1 - edge * CARD_SHAPE, colour, radius=0.1)


def face(pen: Pen, colour: int, rank: int, hinted: bool, fine: bool) -> None:
    paper(pen, SUITS[colour], hinted)
    if fine:
        pen.text(0.5, 0.36, str(rank + 1), 0.54, INKS[colour], bold=True)
        shape(pen, colour, 0.79, 0.18, INKS[colour], CARD_SHAPE)
    else:
        pen.text(0.5, 0.48, str(rank + 1), 0.9, INKS[colour])


def card_face(size: tuple[int, int], ground: Colour, colour: int, rank: int, hinted: bool = False) -> np.ndarray:
    return canvas.stamp(face, *size, ground, colour, rank, hinted, size[0] >= FINE_FROM)


def back(pen: Pen, hinted: bool) -> None:
    """A card that its holder cannot see."""
    paper(pen, BACK, hinted)
    pen.text(0.5, 0.48, "?", 0.5, mix(BACK, WHITE, 0.55), bold=True)


def empty_pile(pen: Pen, colour: int) -> None:
    """The place of a firework that has not begun."""
    pen.rect(0, 0, 1, 1, mix(SUITS[colour], NIGHT, 0.55), radius=0.12)
    pen.rect(0.06, 0.045, 0.94, 0.955, NIGHT, radius=0.1)
    shape(pen, colour, 0.5, 0.2, mix(SUITS[colour], NIGHT, 0.45), CARD_SHAPE)


def chip(pen: Pen, fill: Colour, number: int) -> None:
    """A player."""
    pen.disc(0.5, 0.5, 0.5, fill)
    pen.text(0.5, 0.48, str(number), 0.72, INK, bold=True)


def bulb(pen: Pen) -> None:
    """A hint token."""
    pen.disc(0.5, 0.4, 0.36, GOLD)
    pen.rect(0.36, 0.7, 0.64, 0.94, DIM, radius=0.06)


def heart(pen: Pen) -> None:
    """A life."""
    for side in (-1, 1):
        pen.disc(0.5 + side * 0.21, 0.34, 0.24, SUITS[0])
    pen.polygon([(0.06, 0.44), (0.94, 0.44), (0.5, 0.95)], SUITS[0])


def stack(pen: Pen) -> None:
    """The deck."""
    for shift in (0.16, 0.08, 0.0):
        pen.rect(0.1 + shift, 0.2 - shift, 0.7 + shift, 1 - shift, mix(BACK, BLACK, 0.5), radius=0.08)
        pen.rect(0.14 + shift, 0.24 - shift, 0.66 + shift, 0.96 - shift, mix(BACK, WHITE, 0.25), radius=0.06)


def burst(pen: Pen) -> None:
    """A point."""
    for ray in range(8):
        x, y = math.cos(math.pi * ray / 4), math.sin(math.pi * ray / 4)
        colour = SUITS[(0, 1, 2, 4)[ray % 4]]
        pen.line([(0.5 + 0.14 * x, 0.5 + 0.14 * y), (0.5 + 0.46 * x, 0.5 + 0.46 * y)], colour, 0.13)


def play_arrow(pen: Pen, fits: bool) -> None:
    """Played: up onto the table, or crossed out."""
    arrow = [(0.5, 0.04), (0.96, 0.5), (0.66, 0.5), (0.66, 0.96), (0.34, 0.96), (0.34, 0.5), (0.04, 0.5)]
    pen.polygon(arrow, SUITS[2] if fits else DIM)
    if not fits:
        for ends in ([(0.08, 0.08), (0.92, 0.92)], [(0.08, 0.92), (0.92, 0.08)]):
            pen.line(ends, mix(RED, WHITE, 0.15), 0.16)


def discard_arrow(pen: Pen) -> None:
    """Discarded: down into a box."""
    pen.polygon([(0.5, 0.7), (0.84, 0.36), (0.62, 0.36), (0.62, 0.02), (0.38, 0.02), (0.38, 0.36), (0.16, 0.36)], PAPER)
    pen.line([(0.06, 0.6), (0.06, 0.94), (0.94, 0.94), (0.94, 0.6)], PAPER, 0.12)


def bubble(pen: Pen) -> None:
    """Said: a hint."""
    pen.rect(0.02, 0.08, 0.98, 0.72, PAPER, radius=0.24)
    pen.polygon([(0.2, 0.6), (0.52, 0.6), (0.2, 0.98)], PAPER)


class Layout:
    """Where things lie on a picture `size` pixels wide or high for a game of a given size."""

    def __init__(self, size: int, form: Size) -> None:
        players, colours, ranks, hand = self.form = form
        self.wide, self.high = size, round(size * TALL[players])
        self.gap = gap = max(1, size // 128)
        self.letter = max(7, round(size * 0.026))
        self.letters = size >= 192  # smaller pictures name the fireworks by their shapes alone
        self.side = round(size * 0.655)  # where the right column begins
        self.pile = _card_size((self.side - gap) // 5 - 2 * gap, round(size * 0.13))
        self.pile_step = (self.side - gap) // max(colours, 5)
        self.top = self.pile[1] + self.letter * self.letters + 4 * gap  # where hands and panels begin
        self.counter = round(self.top * 0.36)
        self.chip = max(9, round(size * 0.042))
        self.hands_left = self.chip + 3 * gap
        self.step = (self.side - self.hands_left - gap) // hand
        self.rows_top = self.top + self.letter + gap // 2
        self.row = (self.high - self.rows_top - gap) // players
        self.strip = self.step - 2 * gap, max(3, min(round(self.row * 0.16), round(self.step * 0.28)))
        self.digits = self.strip[1] >= DIGITS_FROM
        self.between = max(1, gap // 2)
        self.card = _card_size(self.step - 2 * gap, self.row - 2 * (self.strip[1] + self.between) - 2 * gap)
        self.table_left = self.side + gap
        self.cell = (size - self.table_left - 2 * gap) // (ranks + 1), min(size // (ranks + 1), round(size * 0.056))
        self.cell_letter = max(7, round(self.cell[1] * 0.8))
        self.log_top = self.top + (colours + 1) * self.cell[1] + 4 * gap
        left = self.high - self.log_top - gap
        self.moves = 2 * players if left // (2 * players) >= LINE_FROM else players
        self.line = min(left // self.moves, round(size * 0.075))

    def row_top(self, line: int) -> int:
        return self.rows_top + line * self.row

    def slot(self, slot: int) -> int:
        """The middle of a slot's column."""
        return self.hands_left + slot * self.step + self.step // 2

    def pile_middle(self, colour: int) -> int:
        return self.gap + colour * self.pile_step + self.pile_step // 2

    def table_cell(self, colour: int, rank: int) -> tuple[int, int]:
        """Left and top of a cell of the discard table; -1 are its headings."""
        return self.table_left + (rank + 1) * self.cell[0], self.top + self.gap + (colour + 1) * self.cell[1]

    def counter_at(self, number: int) -> tuple[int, int]:
        """The left middle of a counter: two by two in the corner at the top right."""
        wide = (self.wide - self.side) // 2
        return self.side + (number % 2) * wide, self.top // 4 + (number // 2) * (self.top // 2 - self.gap)


def _card_size(wide: int, tall: int) -> tuple[int, int]:
    """The largest card that fits."""
    tall = min(tall, round(wide / CARD_SHAPE))
    return max(5, round(tall * CARD_SHAPE)), max(7, tall)


_layout = lru_cache(maxsize=32)(Layout)
_sheet = lru_cache(maxsize=64)(canvas.blank)  # copying one is faster than filling it


def _in_line(line: int, players: int, seat: int | None) -> int:
    """Who sits in a row of the picture: the others in turn order, oneself at the bottom."""
    return ((seat or 0) + 1 + line) % players


@canvas.kept(32)
def _ground(size: int, form: Size, seat: int | None) -> np.ndarray:
    """The table before any card lies on it, as one seat sees it."""
    at, (players, colours, ranks, hand) = _layout(size, form), form
    frame = canvas.blank(at.wide, at.high, NIGHT)
    for top, bottom in ((at.top, at.log_top - 2 * at.gap), (at.log_top - at.gap, at.high - at.gap)):
        canvas.fill(frame, at.side, top, size - at.gap, bottom, PANEL)
    for slot in range(hand):
        number = canvas.label(str(slot), at.letter, DIM, NIGHT)
        canvas.paste(frame, number, at.slot(slot), at.top + at.letter // 2, "c")
    for line in range(players):
        whose, middle = _in_line(line, players, seat), at.row_top(line) + at.gap + at.card[1] // 2
        picture = canvas.stamp(chip, at.chip, at.chip, NIGHT, GOLD if whose == seat else PAPER, whose)
        canvas.paste(frame, picture, 2 * at.gap + at.chip // 2, middle, "c")
        if line:
            canvas.fill(frame, at.gap, at.row_top(line) - 1, at.side - at.gap, at.row_top(line), mix(NIGHT, DIM, 0.3))
    wide, tall = at.cell
    for colour in range(colours):
        if at.letters:
            letter = canvas.label(LETTERS[colour], at.letter, mix(SUITS[colour], WHITE, 0.25), NIGHT, True)
            canvas.paste(frame, letter, at.pile_middle(colour), at.pile[1] + 2 * at.gap + at.letter // 2, "c")
        x, y = at.table_cell(colour, -1)
        picture = canvas.stamp(sign, tall * 4 // 5, tall * 4 // 5, PANEL, colour)
        canvas.paste(frame, picture, x + wide // 2, y + tall // 2, "c")
    for rank in range(ranks):
        x, y = at.table_cell(-1, rank)
        number = canvas.label(str(rank + 1), at.cell_letter, DIM, PANEL)
        canvas.paste(frame, number, x + wide // 2, y + tall // 2, "c")
    for i, icon in enumerate((bulb, heart, stack, burst)):
        canvas.paste(frame, canvas.stamp(icon, at.counter, at.counter, NIGHT), *at.counter_at(i), "w")
    return frame


@canvas.kept(2048)
def _held(size: int, form: Size, card: Card) -> np.ndarray:
    """A card in a hand; below it the colours and the ranks that its holder can still believe it to have."""
    at, (_, colours, ranks, _) = _layout(size, form), form
    (wide, tall), (across, high) = at.strip, at.card
    picture = _sheet(wide, high + 2 * (tall + at.between), NIGHT).copy()
    if card.rank == HIDDEN:
        side = canvas.stamp(back, *at.card, NIGHT, card.hinted)
    else:
        side = card_face(at.card, NIGHT, card.colour, card.rank, card.hinted)
    canvas.paste(picture, side, (wide - across) // 2, 0)
    top = high + at.between
    for colour in card.colours:
        _mark(picture, at, top, colour, colours, card.colour_named, colour)
    for rank in card.ranks:
        _mark(picture, at, top + tall + at.between, rank, ranks, card.rank_named, None)
    return picture


def _mark(picture: np.ndarray, at: Layout, top: int, place: int, places: int, named: bool, colour: int | None) -> None:
    """One possible colour or rank at its place in a strip; a hinted colour or rank stands in the middle."""
    wide, tall = at.strip
    step = wide / places
    left, right = round(place * step), round((place + 1) * step)
    if at.digits:
        middle, side = (wide // 2, tall) if named else ((left + right) // 2, min(tall, right - left))
        if colour is not None:
            mark = canvas.stamp(sign, side, side, NIGHT, colour)
        else:
            mark = canvas.label(str(place + 1), side, PAPER, NIGHT, named)
        canvas.paste(picture, mark, middle, top + tall // 2, "c")
    else:
        fill = PAPER if colour is None else SUITS[colour]
        canvas.fill(picture, left, top, max(left + 1, right - 1), top + tall - 1, fill)


def draw(view: HanabiView, size: int = 512) -> np.ndarray:
    form = view.size
    at = _layout(size, form)
    frame = _ground(size, form, view.seat).copy()
    for colour, top in enumerate(view.fireworks):
        pile = card_face(at.pile, NIGHT, colour, top - 1) if top else canvas.stamp(empty_pile, *at.pile, NIGHT, colour)
        canvas.paste(frame, pile, at.pile_middle(colour) - at.pile[0] // 2, at.gap)
    for i, value in enumerate((view.hints, view.lives, view.deck, view.points)):
        x, y = at.counter_at(i)
        number = canvas.label(str(value), max(8, at.counter), PAPER if value else NONE, NIGHT, True)
        canvas.paste(frame, number, x + at.counter + at.gap, y, "w")
    for line in range(view.players):
        seat, top = _in_line(line, view.players, view.seat), at.row_top(line) + at.gap
        if seat == view.mover:
            canvas.fill(frame, 0, top, max(2, at.gap), top + at.row - 2 * at.gap, GOLD)
        for slot, card in enumerate(view.hand(seat)):
            canvas.paste(frame, _held(size, form, card), at.slot(slot) - at.strip[0] // 2, top)
    for colour, counts in enumerate(view.discards):
        for rank, count in enumerate(counts):
            if count:
                _discarded(frame, at, colour, rank, count)
    for line, move in enumerate(reversed(view.last_moves(at.moves))):  # the newest at the top
        line_picture = _move(size, form, move, view.seat)
        canvas.paste(frame, line_picture, at.side + 2 * at.gap, at.log_top + line * at.line)
    return frame


def regions(view: HanabiView, size: int = 512) -> dict[int, tuple[Box, ...]]:
    """One's own cards for what can be done with them, and of a partner's the first that a hint is about."""
    at, (players, colours, ranks, hand) = _layout(size, view.size), view.size
    found: dict[int, tuple[Box, ...]] = {}
    for line in range(players):
        seat, top = _in_line(line, players, view.seat), at.row_top(line) + at.gap
        for slot, card in enumerate(view.hand(seat)):
            left = at.slot(slot) - at.strip[0] // 2
            box = (left, top, left + at.strip[0], top + at.row - 2 * at.gap)
            if seat == view.seat:
                actions = [slot, hand + slot]
            else:
                first = 2 * hand + line * colours
                actions = [first + card.colour, 2 * hand + (players - 1) * colours + line * ranks + card.rank]
            found |= {action: (box,) for action in actions if action not in found}
    legal = names(view)
    return {action: boxes for action, boxes in found.items() if action in legal}


def _discarded(frame: np.ndarray, at: Layout, colour: int, rank: int, count: int) -> None:
    """How many of a kind are gone; on red when all of them are."""
    (x, y), (wide, tall) = at.table_cell(colour, rank), at.cell
    ground = PANEL
    if count == COPIES[at.form[2]][rank]:
        ground = LOST
        canvas.fill(frame, x + 1, y + 1, x + wide - 1, y + tall - 1, ground)
    number = canvas.label(str(count), at.cell_letter, PAPER, ground, True)
    canvas.paste(frame, number, x + wide // 2, y + tall // 2, "c")


@lru_cache(maxsize=512)
def _move(size: int, form: Size, move: Move, seat: int | None) -> np.ndarray:
    """A line of the log in signs: who did what with which slot, or told whom what about which slots."""
    at = _layout(size, form)
    side, letter = min(at.chip, at.line - 1), max(7, round(at.chip * 0.8))
    signs = [canvas.stamp(chip, side, side, PANEL, GOLD if move.seat == seat else PAPER, move.seat)]
    if move.kind in ("play", "discard"):
        icon = (play_arrow, side, side, PANEL, move.fits) if move.kind == "play" else (discard_arrow, side, side, PANEL)
        signs.append(canvas.stamp(*icon))
        signs.append(canvas.label(str(move.slot), letter, PAPER, PANEL))
        signs.append(card_face((round((at.line - 1) * CARD_SHAPE), at.line - 1), PANEL, move.colour, move.rank))
    else:
        if at.digits:
            signs.append(canvas.stamp(bubble, side, side, PANEL))
        signs.append(canvas.stamp(chip, side, side, PANEL, GOLD if move.target == seat else PAPER, move.target))
        if move.kind == "colour":
            signs.append(canvas.stamp(sign, side, side, PANEL, move.colour))
        else:
            signs.append(canvas.label(str(move.rank + 1), side, GOLD, PANEL, True))
        signs += [canvas.label(str(slot), letter, PAPER, PANEL) for slot in move.touched]
    line = _sheet(at.wide - at.side - 4 * at.gap, at.line, PANEL).copy()
    x = 0
    for picture in signs:
        canvas.paste(line, picture, x, at.line // 2, "w")
        x += picture.shape[1] + max(1, at.gap * 5 // 4)
    line.setflags(write=False)
    return line


def features(view: HanabiView) -> np.ndarray:
    """OpenSpiel's observation vector; a spectator looks from player_0's seat."""
    out = np.empty(num_features(*view.size), np.float32)
    ask(write_features, view.state, view.seat or 0, out)
    return out
