"""OpenSpiel's games in words: its own strings, and what its catalogue says of the game."""

import re
from collections import Counter
from functools import lru_cache

from mmgames.games.open_spiel import boards
from mmgames.games.open_spiel.engine import load_engine
from mmgames.games.open_spiel.rules import OpenSpielView, named_moves

_CHANCE = {True: "There is chance in it.", False: "There is no chance in it."}

_AIM = "Get the best result you can."
MOST_TRIED = 500  # moves, until a seat has its first turn
_TOP = "Above the line stand the name of the game and who is to move, below it "
_TEXT = "what OpenSpiel writes about the position, one sign to a cell; a board is laid out in rows and columns."
_INSIDE = re.compile(r".*(tensor|obs|seed|ansi|string_rep|egocentric).*")
"""Parameters that say nothing about the rules."""


def legend(view: OpenSpielView) -> str:
    board = boards.known(view)
    if not board:
        return _TOP + _TEXT
    pieces = ", ".join(f"{sign} is {piece}" for sign, piece in board["signs"].items())
    return f"{_TOP}the board: {pieces or 'a number in a circle says how many stones lie there'}."


def names(view: OpenSpielView) -> dict[int, str]:
    return dict(view.legal)


def rules(view: OpenSpielView) -> str:
    """The rules have names, not texts, in OpenSpiel: whoever plays has to know them."""
    engine = load_engine(view.engine)
    kind = engine.get_type()
    given = sorted((name, value) for name, value in engine.get_parameters().items() if not _INSIDE.fullmatch(name))
    settings = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in given)
    players = engine.num_players()
    hidden = "Nothing is hidden." if kind.information.name == "PERFECT_INFORMATION" else "Something is hidden."
    return " ".join(
        [
            f"This is {kind.long_name}, the game {kind.short_name} of OpenSpiel, by the rules implemented there"
            + (f" with {settings}." if settings else "."),
            f"It has {players} players who move in turn." if players > 1 else "One player plays alone.",
            hidden,
            _CHANCE[kind.chance_mode.name != "DETERMINISTIC"],
            f"Results lie between {engine.min_utility():g} and {engine.max_utility():g}; more is better.",
        ]
    )


def you(view: OpenSpielView) -> str:
    if view.seat is None:
        return "You are watching."
    return f"You are player_{view.seat}. {_side(view)}{_AIM}"


def title(view: OpenSpielView) -> str:
    return str(load_engine(view.engine).get_type().long_name)


def goal(view: OpenSpielView) -> str:
    return f"{boards.known(view).get('goal', f'{title(view)}, by its usual rules')}. {_side(view) or _AIM}".strip()


def _side(view: OpenSpielView) -> str:
    """Whose pieces a seat moves, where that can be seen on a drawn board."""
    sides = boards.known(view).get("sides")
    return f"You have {sides[view.seat]}. " if sides and view.seat is not None else ""


def plain(view: OpenSpielView) -> dict[int, str]:
    """For people, in games that they know; other names are OpenSpiel's. What leads to the same is numbered."""
    board, seen = boards.known(view), Counter[str]()
    found = {}
    for action, token in view.legal:
        if name := boards.said(board, token):
            seen[name] += 1
            found[action] = name if seen[name] == 1 else f"{name} ({seen[name]})"
    return found


def notation(view: OpenSpielView) -> str:
    shown = examples(view.engine, view.seat or 0)
    return f"Actions have OpenSpiel's names, such as {' or '.join(shown)}." if shown else ""


@lru_cache(maxsize=64)
def examples(engine: str, seat: int) -> tuple[str, ...]:
    """Two of a seat's first moves by their names, in a game in which everybody does the first thing that is legal.

    None for a seat that is not asked soon: some games go on nearly for ever in this way.
    """
    spiel = load_engine(engine).new_initial_state()
    for _ in range(MOST_TRIED):
        if spiel.is_terminal():
            break
        if not spiel.is_chance_node() and spiel.current_player() == seat:
            return tuple(name for _, name in named_moves(spiel, seat)[:2])
        spiel.apply_action(spiel.legal_actions()[0])
    return ()


def history(view: OpenSpielView) -> str:
    """What the picture does not show: what the seat knows besides, and whose turn it is."""
    return "\n".join([*([f"You know: {view.knowledge}"] if view.knowledge else []), _turn(view)])


def describe(view: OpenSpielView) -> str:
    return "\n".join([*([view.sight] if view.sight else []), history(view)])


def _turn(view: OpenSpielView) -> str:
    if view.mover is None:
        results = ", ".join(f"player_{seat} {result:g}" for seat, result in enumerate(view.returns))
        return f"The game is over: {results}."
    return "It is your turn." if view.mover == view.seat else f"It is the turn of player_{view.mover}."
