"""Words that all grid dilemmas share. A game adds what it is about, its things and its table of events."""

from collections.abc import Callable, Sequence
from functools import lru_cache

from mmgames.core.game_modules import always
from mmgames.games._dilemma.layout import cell_side
from mmgames.games._dilemma.rules import ACTIONS, Dilemma, DilemmaView
from mmgames.games._dilemma.setup import ROLES, SIDE, Setup
from mmgames.text.prose import paragraphs

Telling = Callable[[DilemmaView], str]
Naming = Callable[[Setup], Sequence[str]]
NAMES = dict(enumerate(ACTIONS))
NO_NAMES: dict[int, str] = {}
_SAID = paragraphs(__package__, "words")
notation = always(f"An action is written {', '.join(ACTIONS[:-1])} or {ACTIONS[-1]}.")
LEGIBLE, LEGIBLE_CROWDS = 10, 20
"""Cells of fewer pixels do not show who is in them: one of two players, or several side by side."""
SHAPES = ("disc", "square", "triangle", "diamond", "star", "cross", "triangle on its tip", "hourglass")


def listed(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}"


def _ground(setup: Setup) -> str:
    others = "player" if setup.is_pair else "players"
    return _SAID["ground"].format(side=setup.side, others=others, roles=listed(setup.roles), times=times(setup.horizon))


def times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def names(view: DilemmaView) -> dict[int, str]:
    return NAMES if view.state.step < view.setup.horizon else NO_NAMES


def you(view: DilemmaView) -> str:
    if view.seat is None:
        return "You are watching."
    return f"You are the {ROLES[view.seat]} player. Collect as many points for yourself as you can."


def legend(pair: str, several: str) -> Telling:
    """What the pictures show: how the things look beside two players, and beside more, whose signs they bear."""

    @lru_cache(maxsize=64)
    def text(setup: Setup) -> str:
        if setup.is_pair:
            return _SAID["legend"].format(things=pair)
        signs = [f"{role} is a {shape}" for role, shape in zip(setup.roles, SHAPES, strict=False)]
        return _SAID["legend, several players"].format(signs=listed(signs), things=several)

    return lambda view: text(view.setup)


def rules(kind: type[Dilemma], usual: str, about: str) -> Telling:
    """What the game is about: as two players usually play it, with figures, and as it is otherwise; then its points."""

    @lru_cache(maxsize=64)
    def text(setup: Setup) -> str:
        if setup.is_pair:
            table = [f"{event.name}: red {event.red:+d}, blue {event.blue:+d}" for event in kind.events_of(setup.pays)]
        else:
            table = [f"{what}: {pay:+d}" for what, pay in zip(kind.kinds, setup.pays, strict=True)]
        points = "Points:" if setup.is_pair else "Points for a player who"
        as_usual = setup.is_pair and setup.pays == kind.usual()
        return "\n".join((_ground(setup), usual if as_usual else about, points, *(f"- {line}" for line in table)))

    return lambda view: text(view.setup)


def history(view: DilemmaView) -> str:
    """What the picture does not show: how far the episode is and the last joint move."""
    setup, step = view.setup, view.state.step
    if step >= setup.horizon:
        return f"The {setup.horizon} steps are over." if setup.horizon > 1 else "The only step is over."
    if step == 0:
        return f"Step 1 of {setup.horizon}. Nobody has moved yet."
    moves = [f"{role} did {ACTIONS[action]}" for role, action in zip(setup.roles, view.state.did, strict=True)]
    return f"Step {step + 1} of {setup.horizon}. In the last step {listed(moves)}."


def describe(kind: type[Dilemma], things: Naming) -> Telling:
    """The whole view: history, places, events so far."""
    return lambda view: "\n".join((history(view), *_situation(kind, things, view)))


def is_legible(size: int, setup: Setup) -> bool:
    """Whether one can see who is where; the usual picture is taken to be, at any size."""
    if setup.is_pair:
        return setup.side == SIDE or cell_side(size, setup.side) >= LEGIBLE
    return cell_side(size, setup.side) >= LEGIBLE_CROWDS


def unseen(kind: type[Dilemma], things: Naming) -> Callable[[DilemmaView, int], str]:
    """All places in words, where cells are too small to tell who is in them."""

    def text(view: DilemmaView, size: int) -> str:
        return "" if is_legible(size, view.setup) else "\n".join(_situation(kind, things, view))

    return text


def _situation(kind: type[Dilemma], things: Naming, view: DilemmaView) -> list[str]:
    setup, state = view.setup, view.state
    lines = [f"{role} player: {place(cell, setup.side)}" for role, cell in zip(setup.roles, state.at, strict=True)]
    lines += [f"{name}: {place(cell, setup.side)}" for name, cell in zip(things(setup), state.things, strict=True)]
    happened = [f"{name} {count}×" for name, count in kind.happened(state).items() if count or setup.is_pair]
    return [*lines, "so far: " + (", ".join(happened) or "nothing")]


def place(cell: int, side: int = SIDE) -> str:
    return f"({cell % side}, {cell // side})"
