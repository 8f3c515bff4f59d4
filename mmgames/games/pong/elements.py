"""What there is to recognise in a picture of Pong: both scores, and where the ball and the paddles are."""

import numpy as np

from mmgames.games.pong.rules import FIELD, Pong, PongState, PongView, Scene
from mmgames.text.facts import Fact, same

PARTS = 4
NOTES = (
    "The field lies between the light bands and is as wide as the picture. It is divided into "
    f"{PARTS} columns of equal width, 1 to {PARTS} from left to right, and {PARTS} rows of equal height, 1 to {PARTS} "
    "from top to bottom. A paddle is in the row that its middle is in."
)
_PART = FIELD // PARTS
_MARGIN = 6  # so far from the edge of its part is everything, also a frame later
_BETWEEN = (24, 136)  # where the ball is put: between the paddles
_PADDLES = (8, FIELD - 8)  # where paddles are seen whole
_NUMBERS = same(str(part) for part in range(1, PARTS + 1))


def elements(view: PongView) -> list[Fact]:
    points = same(map(str, range(view.target)))
    scene, (left, right) = view.scene, view.points
    x, y = scene.ball or (0, 0)
    return [
        Fact(("points of the left side",), str(left), points),
        Fact(("points of the right side",), str(right), points),
        Fact(("column of the ball",), _part(x), _NUMBERS),
        Fact(("row of the ball",), _part(y), _NUMBERS),
        Fact(("row of the left paddle",), _part(scene.left), _NUMBERS),
        Fact(("row of the right paddle",), _part(scene.right), _NUMBERS),
    ]


def _part(at: int) -> str:
    return str(min(max(at // _PART, 0), PARTS - 1) + 1)


def make_state(game: Pong, rng: np.random.Generator, seat: int) -> PongState:
    """The machine with its ball, paddles and points put into parts of the field, all equally likely."""
    points = tuple(rng.integers(game.target, size=2).tolist())
    column, *rows = rng.integers(PARTS, size=4).tolist()
    x = _within(rng, column, *_BETWEEN)
    y, left, right = (_within(rng, row, *_PADDLES) for row in rows)
    return game.placed(Scene((x, y), left, right), points)


def _within(rng: np.random.Generator, part: int, low: int, high: int) -> int:
    """A place in a part of the field, off its edges and between two limits."""
    first, last = part * _PART + _MARGIN, (part + 1) * _PART - _MARGIN
    return int(rng.integers(max(first, low), min(last, high)))
