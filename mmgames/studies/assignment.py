"""Who plays what, when and in which seat: orders and seats that are balanced over groups."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mmgames.play.browser_game import PERSON
from mmgames.studies.study_file import Study

Cell = tuple[int, int]
"""Which of the orders a group has, and by how much its seats are shifted."""


@dataclass(frozen=True)
class Step:
    """One round of a group: a game, its how-manieth round, and whether all play it together."""

    game: int
    round: int
    shared: bool


def orders(games: int, balanced: bool) -> list[tuple[int, ...]]:
    """The orders in which games are played; balanced: each game is as often in every place, and after every other one.

    A Latin square after Williams; of an odd number of games its mirror image belongs to it.
    """
    if not balanced or games == 1:
        return [tuple(range(games))]
    first = [0, *(number // 2 + 1 if number % 2 == 0 else games - 1 - number // 2 for number in range(games - 1))]
    square = [tuple((game + by) % games for game in first) for by in range(games)]
    return square if games % 2 == 0 else [*square, *(tuple(reversed(row)) for row in square)]


def cells(study: Study) -> list[Cell]:
    """All combinations of an order and a shift of seats."""
    shifts = max([study.group, *(len(game.seats) for game in study.games if game.rotate)])
    return [
        (order, shift)
        for shift in range(shifts)
        for order in range(len(orders(len(study.games), study.order == "balanced")))
    ]


def next_cell(study: Study, used: Iterable[Cell]) -> Cell:
    """The combination that the fewest groups have; `used` are those of the groups that count."""
    often = Counter(used)
    return min(cells(study), key=lambda cell: often[cell])


def schedule(study: Study, cell: Cell) -> list[Step]:
    """The rounds of a group, one after the other."""
    order = orders(len(study.games), study.order == "balanced")[cell[0]]
    return [
        Step(game, number, study.games[game].people > 1) for game in order for number in range(study.games[game].rounds)
    ]


def seating(
    study: Study, step: Step, cell: Cell, members: Sequence[str], member: int
) -> tuple[tuple[str, ...], dict[int, str]]:
    """Who sits where in a round, people as `person`; and which participant has which of their seats.

    `member` is who plays a round that is not shared.
    """
    game, shift = study.games[step.game], cell[1]
    if not step.shared:
        seats = game.seated(shift + member + step.round)
        return seats, {seats.index(PERSON): members[member]}
    seats = game.seated(shift + step.round)
    theirs = [seat for seat, agent in enumerate(seats) if agent == PERSON]
    by = shift + (step.round if game.alternate else 0)
    return seats, {theirs[(place + by) % len(theirs)]: code for place, code in enumerate(members)}
