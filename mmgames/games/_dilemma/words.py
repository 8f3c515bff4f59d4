"""Words that all grid dilemmas share. A game adds what it is about, its things and its table of events."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mmgames.core.rooms import always
from mmgames.games._dilemma import rules as k
from mmgames.games._dilemma.rules import ACTIONS, SIDE, STEP, STEPS, DilemmaEvent, DilemmaView

Telling = Callable[[DilemmaView], str]
ROLES = ("red", "blue")
NAMES = dict(enumerate(ACTIONS))
NO_NAMES: dict[int, str] = {}
notation = always(f"An action is written {', '.join(ACTIONS[:-1])} or {ACTIONS[-1]}.")

_GROUND = (
    f"The board is a grid of {SIDE} by {SIDE} cells. A cell is written (x, y); (0, 0) is the bottom left corner, "
    f"x grows to the right and y grows upwards. You and the other player, red and blue, move at the same time, "
    f"{STEPS} times. <UP>, <DOWN>, <LEFT> and <RIGHT> go one cell that way (a wall stops you), <STAY> stays. "
    "You may share a cell or swap places."
)


def names(view: DilemmaView) -> dict[int, str]:
    return NAMES if view.row[STEP] < STEPS else NO_NAMES


def you(view: DilemmaView) -> str:
    if view.seat is None:
        return "You are watching."
    return f"You are the {ROLES[view.seat]} player. Collect as many points for yourself as you can."


def legend(things: str) -> Telling:
    return always(
        "On the left is the grid, with the numbers of the columns below it and those of the rows beside it. A round "
        f"face is the player of its colour, a face half red and half blue both players on one cell. {things} What "
        "shares a cell with a player is drawn small in the cell's corner. The table on the right has a line for "
        "each kind of event: icons for who and what, what it pays red and blue, and, below #, how often it has "
        "happened."
    )


def rules(about: str, events: Sequence[DilemmaEvent]) -> Telling:
    table = "\n".join(f"- {event.name}: red {event.red:+d}, blue {event.blue:+d}" for event in events)
    return always(f"{_GROUND}\n{about}\nPoints:\n{table}")


def history(view: DilemmaView) -> str:
    """What the picture does not show: how far the episode is and the last joint move."""
    row = view.row
    if row[STEP] >= STEPS:
        return f"The {STEPS} steps are over."
    if row[STEP] == 0:
        return f"Step 1 of {STEPS}. Nobody has moved yet."
    return (
        f"Step {row[STEP] + 1} of {STEPS}. In the last step red did {ACTIONS[row[k.RED_DID]]} "
        f"and blue did {ACTIONS[row[k.BLUE_DID]]}."
    )


def describe(things: Sequence[str], events: Sequence[DilemmaEvent]) -> Telling:
    """The whole view: history, places, events so far."""

    def told(view: DilemmaView) -> str:
        row = view.row
        lines = [history(view), f"red player: {place(row[k.RED_AT])}", f"blue player: {place(row[k.BLUE_AT])}"]
        lines += [f"{name}: {place(row[k.THINGS + i])}" for i, name in enumerate(things)]
        counts = row[k.THINGS + len(things) :]
        lines.append("so far: " + ", ".join(f"{e.name} {count}×" for e, count in zip(events, counts, strict=True)))
        return "\n".join(lines)

    return told


def place(cell: int) -> str:
    return f"({cell % SIDE}, {cell // SIDE})"
