"""ColorPuzzle: whiten a board of coloured squares, group by group, in the order that the manual demands."""

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from mmgames.puzzles._conversation.manuals import ManualPuzzle
from mmgames.puzzles._conversation.rules import Outcome
from mmgames.puzzles._conversation.starts import demand, known, taken
from mmgames.puzzles.color_puzzle import manual as book
from mmgames.puzzles.color_puzzle.manual import COLOURS, COLUMN, ROW, SIDE, STANDARD, WHITE, Manual, Squares

COUNT = SIDE * SIDE
STAGES = 8
"""The most clicks that a board needs when all of them are right."""
NAMES = tuple(f"click_row_{at // SIDE}_col_{at % SIDE}" for at in range(COUNT))
_TRIES = 40


class Click(NamedTuple):
    """A click that counted: the board and the group before it, and the squares that turned white (none: a mistake)."""

    squares: Squares
    previous: str | None
    at: int
    whitened: frozenset[int]


class ColorDevice(NamedTuple):
    squares: Squares
    start: Squares  # where a mistake leads back to
    previous: str | None = None  # the group that was clicked last
    stage: int = 0  # groups clicked since the start
    most_white: int = 0
    clicks: tuple[Click, ...] = ()
    manual: Manual | None = STANDARD


class ColorPuzzle(ManualPuzzle):
    manuals = book
    action_names = NAMES
    start_fields: ClassVar = {"squares": list}

    def device_with(self, manual: Manual, rng: np.random.Generator) -> ColorDevice:
        squares = [COLOURS[i] for i in rng.integers(len(COLOURS), size=COUNT)]
        # Every colour is there at the start; the released code puts one of each into the first five squares.
        places = range(COUNT) if self.released else rng.permutation(COUNT).tolist()
        for at, colour in zip(places, COLOURS, strict=False):
            squares[at] = colour
        return ColorDevice(tuple(squares), tuple(squares), manual=manual)

    def effort(self, device: ColorDevice) -> float:
        """The squares that the right click leaves."""
        assert device.manual is not None
        return len(device.squares) - len(_next_members(device.manual, device.squares, device.previous))

    def device_from(self, start: Mapping[str, Any]) -> ColorDevice:
        squares = taken(start, **self.start_fields)["squares"]
        known(squares, COLOURS, "colour of a square")
        demand(len(squares) == COUNT, f"there are {COUNT} squares, row by row")
        demand(stages_needed(STANDARD, squares, None) <= STAGES, f"it cannot be solved in {STAGES} clicks")
        return ColorDevice(squares, squares)

    def released_start(self, facts: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"squares": facts["colors"]}

    def situation(self, device: ColorDevice) -> Any:
        return device.squares

    def do(self, device: ColorDevice, name: str, rng: np.random.Generator) -> Outcome:
        assert device.manual is not None
        at = NAMES.index(name)
        squares, previous, manual = device.squares, device.previous, device.manual
        if squares[at] == WHITE:
            return Outcome(device, note="white")
        group = book.right_group(manual, squares, previous)
        clicked = book.members(squares, group)
        if at not in clicked:
            clicks = (*device.clicks, Click(squares, previous, at, frozenset()))
            start = ColorDevice(device.start, device.start, None, 0, device.most_white, clicks, manual)
            return Outcome(start, True, "reset")
        stage = device.stage + 1
        whitened = book.whiten(squares, clicked)
        rest = self.picked(
            lambda: recoloured(manual, whitened, group, stage, rng),
            lambda board: -len(_next_members(manual, board, group)),
        )
        white = rest.count(WHITE)
        clicks = (*device.clicks, Click(squares, previous, at, clicked))
        return Outcome(ColorDevice(rest, device.start, group, stage, max(device.most_white, white), clicks, manual))

    def solved(self, device: ColorDevice) -> bool:
        return device.squares.count(WHITE) == COUNT

    def partial(self, device: ColorDevice) -> float:
        """The most squares that were ever white; the released code keeps the best as well."""
        return device.most_white / COUNT

    def shown(self, device: ColorDevice) -> ColorDevice:
        return device._replace(manual=None, previous=None, clicks=())

    def for_all_the_solver_knows(self, device: ColorDevice, rng: np.random.Generator) -> ColorDevice:
        if not self.shuffles:
            return device
        for _ in range(_TRIES):
            manual = explaining(device, rng)
            if manual is None:
                break
            if self.solved(device) or stages_needed(manual, device.squares, device.previous) <= STAGES - device.stage:
                return device._replace(manual=manual)
        return device


def _next_members(manual: Manual, squares: Squares, previous: str | None) -> frozenset[int]:
    """The squares that the next right click turns white; none if all are."""
    done = set(squares) == {WHITE}
    return frozenset() if done else book.members(squares, book.right_group(manual, squares, previous))


def stages_needed(manual: Manual, squares: Squares, previous: str | None) -> int:
    """How many more right clicks an unsolved board takes if the recolouring helps; more than STAGES: it is stuck."""
    group = book.right_group(manual, squares, previous)
    clicked = book.members(squares, group)
    if not clicked:
        return STAGES + 1
    return 1 + _if_recoloured(manual, book.whiten(squares, clicked), group)


def _if_recoloured(manual: Manual, squares: Squares, previous: str) -> int:
    """As `stages_needed`, when the squares are about to change: one click ends it once the table names a colour.

    Rows and columns alone are through after at most 2 * SIDE - 1 clicks, so no board needs more than STAGES.
    """
    stages = 0
    while squares.count(WHITE) < COUNT:
        stages += 1
        group = book.next_group(manual, squares.count(WHITE), previous)
        if group not in (ROW, COLUMN):
            break
        squares, previous = book.whiten(squares, book.members(squares, group)), group
    return stages


def recoloured(manual: Manual, squares: Squares, previous: str, stage: int, rng: np.random.Generator) -> Squares:
    """The squares that are left in new colours, such that the next group exists and STAGES clicks still suffice.

    The table's colour is drawn more and more often until the board is good, in the end for every square.
    """
    white = squares.count(WHITE)
    if white == COUNT:
        return squares
    group = book.next_group(manual, white, previous)
    for attempt in range(_TRIES + 1):
        drawn = rng.integers(len(COLOURS), size=COUNT).tolist()
        favoured = (rng.random(COUNT) < attempt / _TRIES).tolist() if group in COLOURS else [False] * COUNT
        board = tuple(
            colour if colour == WHITE else group if favoured[at] else COLOURS[drawn[at]]
            for at, colour in enumerate(squares)
        )
        if stages_needed(manual, board, previous) <= STAGES - stage:
            break
    return board


def explaining(device: ColorDevice, rng: np.random.Generator) -> Manual | None:
    """A random manual under which every click would have done what it did, if one is found."""
    manual = book.shuffled(rng)
    rows = list(manual.table)
    firsts = [click for click in device.clicks if click.previous is None]
    for _ in range(_TRIES):
        if all(_explains(manual, click) for click in firsts):
            break
        manual = book.shuffled(rng)
    else:
        return None
    for white in {click.squares.count(WHITE) for click in device.clicks if click.previous is not None}:
        for _ in range(_TRIES * len(rows)):
            rows[white - 1] = book.shuffled_row(white, rng)
            manual = manual._replace(table=tuple(rows))
            seen = [c for c in device.clicks if c.previous is not None and c.squares.count(WHITE) == white]
            if all(_explains(manual, click) for click in seen):
                break
        else:
            return None
    return manual


def _explains(manual: Manual, click: Click) -> bool:
    clicked = book.members(click.squares, book.right_group(manual, click.squares, click.previous))
    return clicked == click.whitened if click.whitened else click.at not in clicked
