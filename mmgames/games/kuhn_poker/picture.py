"""KuhnPoker as a picture and as features.

The own card lies at the bottom of the table, the other's at the top; a spectator sits behind player_0. A gold frame
marks the card of the player to act.
"""

from functools import lru_cache

import numpy as np

from mmgames.drawing import canvas
from mmgames.drawing.canvas import BLUE, FAINT, GOLD, INK, PAPER, RED, WHITE, Colour, Pen, mix
from mmgames.games.kuhn_poker.rules import BET, HIDDEN, JACK, KERNEL, KING, QUEEN, KuhnView, stakes, state_of
from mmgames.games.kuhn_poker.words import CARD_LETTERS, ROLES

FELT: Colour = (44, 98, 80)
WOOD: Colour = (128, 92, 60)
SEAT_COLOURS = (RED, BLUE)
ACTIONS = ("PASS", "BET")
CARD_SHAPE = 0.72  # width over height


def spade(pen: Pen, x: float, y: float, r: float, colour: Colour) -> None:
    """A spade whose middle is at (x, y); `r` is half its width as a share of the card's width."""
    tall = r * CARD_SHAPE
    pen.polygon([(x - r * 0.93, y + tall * 0.18), (x, y - tall * 1.1), (x + r * 0.93, y + tall * 0.18)], colour)
    for side in (-1, 1):
        pen.disc(x + side * r * 0.5, y + tall * 0.28, r * 0.52, colour)
    pen.polygon([(x, y), (x + r * 0.45, y + tall * 1.1), (x - r * 0.45, y + tall * 1.1)], colour)


def crown(pen: Pen, points: int, y: float, colour: Colour, gem: Colour) -> None:
    """A crown with a gem on each point, across the middle of the card."""
    left, right, top, base = 0.30, 0.70, y - 0.065, y + 0.06
    step = (right - left) / (points - 1)
    outline = [(left, base)]
    for i in range(points):
        outline.append((left + i * step, top))
        if i < points - 1:
            outline.append((left + (i + 0.5) * step, y + 0.01))
    pen.polygon([*outline, (right, base)], colour)
    for i in range(points):
        pen.disc(left + i * step, top, 0.035, gem)


def cap(pen: Pen, y: float, colour: Colour, feather: Colour) -> None:
    """A page's cap with a feather."""
    pen.polygon([(0.30, y + 0.06), (0.34, y - 0.03), (0.52, y - 0.06), (0.68, y - 0.01), (0.70, y + 0.06)], colour)
    pen.polygon([(0.60, y + 0.02), (0.66, y - 0.06), (0.80, y - 0.10), (0.76, y - 0.03)], feather)


def card(pen: Pen, rank: int, fine: bool) -> None:
    """A card's face; without `fine` only what stays legible on a few pixels."""
    pen.rect(0, 0, 1, 1, WHITE, mix(FAINT, INK, 0.3), 0.015, 0.09)
    if rank == JACK:
        cap(pen, 0.17, BLUE, RED)
    elif rank == QUEEN:
        crown(pen, 5, 0.17, mix(GOLD, INK, 0.12), RED)
    elif rank == KING:
        crown(pen, 3, 0.17, mix(GOLD, INK, 0.12), BLUE)
    letter = CARD_LETTERS[rank]
    pen.text(0.5, 0.5, letter, 0.52, INK, bold=True)
    spade(pen, 0.5, 0.84, 0.11, INK)
    if fine:
        for x, y, way in ((0.13, 0.1, 1), (0.87, 0.9, -1)):
            pen.text(x, y, letter, 0.12, INK, bold=True)
            spade(pen, x, y + way * 0.115, 0.05, INK)


def card_back(pen: Pen) -> None:
    dark = mix(BLUE, INK, 0.25)
    pen.rect(0, 0, 1, 1, WHITE, mix(FAINT, INK, 0.3), 0.015, 0.09)
    pen.rect(0.08, 0.055, 0.92, 0.945, dark, radius=0.05)
    pale = mix(dark, WHITE, 0.45)
    for row in range(6):
        for column in range(4):
            x, y = 0.185 + column * 0.21, 0.13 + row * 0.148
            pen.polygon([(x, y - 0.055), (x + 0.075, y), (x, y + 0.055), (x - 0.075, y)], pale)


def chip(pen: Pen, seat: int) -> None:
    colour = SEAT_COLOURS[seat]
    pen.disc(0.5, 0.5, 0.5, mix(colour, INK, 0.5))
    pen.disc(0.5, 0.5, 0.46, colour)
    for turn in range(6):
        pen.pie(0.5, 0.5, 0.46, turn * 60 - 14, turn * 60 + 14, WHITE)
    pen.disc(0.5, 0.5, 0.30, WHITE)
    pen.disc(0.5, 0.5, 0.26, colour)


def pill(pen: Pen, action: int) -> None:
    """What a player has done: a bet is solid, a pass is hollow."""
    if action == BET:
        pen.rect(0, 0, 1, 1, GOLD, radius=0.5)
    else:
        pen.rect(0, 0, 1, 1, FELT, PAPER, 0.08, 0.5)
    pen.text(0.5, 0.5, ACTIONS[action], 0.72, INK if action == BET else PAPER, bold=True)


def plate(pen: Pen, seat: int) -> None:
    """A player's name on the colour of its chips."""
    pen.rect(0, 0, 1, 1, SEAT_COLOURS[seat], radius=0.3)
    pen.text(0.5, 0.47, ROLES[seat], 0.66, WHITE)


def halo(pen: Pen, width: float) -> None:
    """The gold frame around the card of the player to act."""
    pen.rect(0, 0, 1, 1, None, GOLD, width, 0.12)


class Layout:
    """Where things lie on a table of `size` pixels; row 0 is the far side, row 1 the near side."""

    def __init__(self, size: int) -> None:
        self.rim = max(2, round(size * 0.025))
        self.card = round(size * 0.32 * CARD_SHAPE), round(size * 0.32)
        self.card_left = (size - self.card[0]) // 2
        margin = round(size * 0.065)
        self.card_top = margin, size - margin - self.card[1]
        self.gap = max(3, round(size * 0.018))
        self.chip = round(size * 0.085)
        self.chip_middle = round(size * 0.453), round(size * 0.547)
        self.letter = max(9, round(size * 0.05))
        self.plate = round(size * 0.27), max(13, round(size * 0.07))
        self.pill = round(size * 0.20), max(11, round(size * 0.07))
        self.side = round(size * 0.19)  # middle of the column left of the cards; mirrored on the right

    def line(self, row: int, number: int) -> int:
        """The middle of a line in the left column: 0 for the name, then what the player has done."""
        return self.card_top[row] + self.plate[1] // 2 + number * (self.plate[1] + self.plate[1] // 4)


@lru_cache(maxsize=32)
def _layout(size: int) -> Layout:
    return Layout(size)


def table(pen: Pen, rim: float) -> None:
    pen.rect(0, 0, 1, 1, mix(WOOD, INK, 0.35), radius=0.09)
    pen.rect(0.005, 0.005, 0.995, 0.995, WOOD, radius=0.085)
    pen.rect(rim, rim, 1 - rim, 1 - rim, mix(FELT, INK, 0.35), radius=0.07)
    pen.rect(rim + 0.006, rim + 0.006, 1 - rim - 0.006, 1 - rim - 0.006, FELT, radius=0.065)


@canvas.kept(32)
def _public(size: int, near: int, betting: tuple[int, ...], mover: int | None, winner: int | None) -> np.ndarray:
    """The table with all that both players see: names, what was done, chips, the result; everything but the cards."""
    at = _layout(size)
    frame = canvas.stamp(table, size, size, PAPER, at.rim / size).copy()
    chips = stakes(betting)
    for row, seat in ((0, 1 - near), (1, near)):
        wide, tall = at.card
        top = at.card_top[row]
        if seat == mover:
            around = canvas.stamp(halo, wide + 2 * at.gap, tall + 2 * at.gap, FELT, at.gap / 2 / wide)
            canvas.paste(frame, around, at.card_left - at.gap, top - at.gap)
        canvas.paste(frame, canvas.stamp(plate, *at.plate, FELT, seat), at.side, at.line(row, 0), "c")
        for number, action in enumerate(betting[seat::2], 1):
            canvas.paste(frame, canvas.stamp(pill, *at.pill, FELT, action), at.side, at.line(row, number), "c")
        step = at.chip + max(1, size // 128)
        for number in range(chips[seat]):
            x = size // 2 + (2 * number - chips[seat] + 1) * step // 2
            canvas.paste(frame, canvas.stamp(chip, at.chip, at.chip, FELT, seat), x, at.chip_middle[row], "c")
        if winner is not None:
            won = chips[1 - winner] * (1 if seat == winner else -1)
            picture = canvas.label(f"{won:+d}", at.letter * 2, GOLD if won > 0 else PAPER, FELT, True)
            canvas.paste(frame, picture, size - at.side, top + tall // 2, "c")
    pot = canvas.label(f"pot {sum(chips)}", at.letter * 5 // 4, PAPER, FELT)
    canvas.paste(frame, pot, size - at.side, size // 2, "c")
    return frame


def draw(view: KuhnView, size: int = 512) -> np.ndarray:
    at = _layout(size)
    near = view.seat or 0
    frame = _public(size, near, view.betting, view.mover, view.winner).copy()
    wide, tall = at.card
    for top, rank in zip(at.card_top, (view.cards[1 - near], view.cards[near]), strict=True):
        face = (card, wide, tall, FELT, rank, wide >= 64) if rank != HIDDEN else (card_back, wide, tall, FELT)
        canvas.paste(frame, canvas.stamp(*face), at.card_left, top)
    return frame


def features(view: KuhnView) -> np.ndarray:
    """As the page says; a spectator looks from player_0's side."""
    return KERNEL.features_of(state_of(view.cards, view.betting), view.seat or 0)
