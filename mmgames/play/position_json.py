"""What a seat is shown of a position, as JSON for the page. It is made from the seat's view alone."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from mmgames.agents.chat_messages import data_url
from mmgames.core.game import Game, Seat
from mmgames.core.registry import LoadedGame

SIZE = 512  # as a model gets them


def introduction(loaded: LoadedGame, game: Game, view: Any) -> dict[str, Any]:
    """What stays the same through an episode: the rules, who the seat is, how to read the picture and to answer."""
    words = loaded.words
    seat = view.seat
    return {
        "game": game.spec.name,
        "id": game.spec.id,
        "summary": game.spec.summary,
        "kind": game.spec.actions,
        "seats": [words.called(role) for role in game.seats],
        "role": None if seat is None else words.called(game.seats[seat]),
        "resigns": can_be_resigned(game),
        "rules": words.rules(view),
        "you": words.you(view),
        "legend": words.legend(view),
        "notation": words.answer_format(view, "direct") if game.spec.actions == "text" else words.notation(view),
    }


def can_be_resigned(game: Game) -> bool:
    """Whether who gives up loses to somebody."""
    return game.spec.utility == "zero_sum" and len(game.seats) == 2


def known_movers(game: Game, movers: tuple[Seat, ...], absent: frozenset[Seat]) -> tuple[Seat, ...]:
    """Who is to move, as far as everybody may know it: that some of several are asked may tell their roles."""
    movers = tuple(seat for seat in movers if seat not in absent)
    everybody = len(movers) == len(game.seats) - len(absent)
    return movers if len(movers) == 1 or everybody or game.spec.information == "perfect" else ()


def clocks_are_open(game: Game) -> bool:
    """Whether everybody may see everybody's clock: one that runs, or has run, tells who was asked."""
    return game.spec.information == "perfect" or game.spec.dynamics == "sequential"


Drawn = dict[Hashable, dict[str, Any]]
"""Pictures of one position by what they show: seats that see the same share one, which is drawn and packed once."""


def picture_of(loaded: LoadedGame, view: Any, size: int = SIZE, drawn: Drawn | None = None) -> dict[str, Any]:
    shows = getattr(loaded.picture, "shows", None)
    shown = None if drawn is None or shows is None else (shows(view), size)
    if drawn is not None and shown in drawn:
        return drawn[shown]
    pixels = loaded.picture.draw(view, size)
    high, wide = pixels.shape[:2]
    made = {"picture": data_url(pixels), "width": wide, "height": high}
    if drawn is not None and shown is not None:
        drawn[shown] = made
    return made


def position(loaded: LoadedGame, view: Any, size: int = SIZE, drawn: Drawn | None = None) -> dict[str, Any]:
    """The picture, what goes with it in words, and the moves that are open, with their places in the picture."""
    words, picture = loaded.words, loaded.picture
    names = words.names(view)
    places = picture.regions(view, size) if names and hasattr(picture, "regions") else {}
    return {
        **picture_of(loaded, view, size, drawn),
        "status": words.status(view),
        "words": words.describe(view),
        "talk": [list(said) for said in words.talk(view)],
        "moves": [
            {
                "action": action if isinstance(action, str) else int(action),
                "name": name,
                "boxes": [list(map(int, box)) for box in places.get(action, ())],
            }
            for action, name in names.items()
        ],
    }


def revealed(loaded: LoadedGame, view: Any, size: int = SIZE) -> dict[str, Any]:
    """What a spectator sees, for everybody once nothing needs to be hidden any more."""
    return {**picture_of(loaded, view, size), "words": loaded.words.describe(view)}


def watched(loaded: LoadedGame, view: Any, size: int = SIZE) -> dict[str, Any]:
    """What a spectator sees of a position, without the moves, which are for others to make."""
    words = loaded.words
    shown = revealed(loaded, view, size)
    return {**shown, "status": words.status(view), "talk": [list(said) for said in words.talk(view)], "moves": []}


def watched_introduction(loaded: LoadedGame, game: Game, view: Any) -> dict[str, Any]:
    """What a spectator is told at first; without a view, of a game that hides something, no more than what it is."""
    words = loaded.words
    return {
        "game": game.spec.name,
        "summary": game.spec.summary,
        "kind": game.spec.actions,
        "seats": [words.called(role) for role in game.seats],
        "role": None,
        "resigns": False,
        "hidden": view is None,
        "rules": "" if view is None else words.rules(view),
        "you": "",
        "legend": "" if view is None else words.legend(view),
        "notation": "",
    }
