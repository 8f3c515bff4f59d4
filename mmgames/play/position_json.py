"""What a seat is shown of a position, as JSON for the page. It is made from the seat's view alone."""

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from mmgames.agents.chat_messages import data_url
from mmgames.core.game import Game, Seat
from mmgames.core.registry import LoadedGame
from mmgames.text import plain

SIZE = 512  # as a model gets them


def introduction(loaded: LoadedGame, game: Game, view: Any) -> dict[str, Any]:
    """What stays the same through an episode: the rules, who the seat is, how to read the picture and to answer.

    A spectator has no seat; without a view, of a game that hides something, no more is told than what it is.
    """
    words, spec = loaded.words, game.spec
    seat = None if view is None else view.seat
    people = for_people(loaded, game)
    told = {
        "game": plain.title(spec.name) if view is None else words.title(view),
        "id": spec.id,
        "goal": plain.capitalised(spec.summary) if view is None else people(words.goal(view)),
        "kind": spec.actions,
        "called": called(loaded, game),
        "role": None if seat is None else game.seats[seat],
        "resigns": seat is not None and can_be_resigned(game),
        "leaving": what_leaving_costs(game),
        "hidden": view is None,
        "rules": "" if view is None else people(words.rules(view)),
        "you": "" if seat is None else people(words.you(view)),
        "legend": "" if view is None else people(words.legend(view)),
        "notation": "",
    }
    if seat is not None:
        told["notation"] = words.answer_format(view, "direct") if spec.actions == "text" else words.notation(view)
    return told


def called(loaded: LoadedGame, game: Game) -> dict[str, str]:
    """What people call each seat, in the look that the game has."""
    shown = tuple(map(loaded.words.called, game.seats))
    return {role: plain.seat_names(shown)[own] for role, own in zip(game.seats, shown, strict=True)}


def for_people(loaded: LoadedGame, game: Game, moves: bool = True) -> Callable[[str], str]:
    """What makes the words that models read words for people."""
    return plain.reader(tuple(map(loaded.words.called, game.seats)), moves)


def what_leaving_costs(game: Game) -> str:
    """A sentence about who leaves a game, for whoever is about to."""
    if can_be_resigned(game):
        return "Who leaves has lost the game."
    alone = len(game.seats) == 1
    ends = "The game ends here" if alone else "The game ends for everybody"
    team = game.spec.utility == "identical" and not alone
    return f"{ends}, and {'the team has' if team else 'you have'} lost it."


def open_scores(game: Game, totals: Sequence[float], seat: Seat | None) -> dict[str, float]:
    """What everybody has so far, as far as a seat may know it; nothing while two opponents have nothing."""
    if can_be_resigned(game) and not any(totals):
        return {}
    open_ = game.spec.information == "perfect" or game.spec.utility == "identical"
    return {role: float(totals[at]) for at, role in enumerate(game.seats) if open_ or at == seat}


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


def position(loaded: LoadedGame, game: Game, view: Any, size: int = SIZE, drawn: Drawn | None = None) -> dict[str, Any]:
    """The picture, what goes with it in words, and the moves that are open, with their places in the picture."""
    words, picture = loaded.words, loaded.picture
    names = words.plain_names(view)
    places = picture.regions(view, size) if names and hasattr(picture, "regions") else {}
    return {
        **picture_of(loaded, view, size, drawn),
        **in_words(loaded, game, view),
        "moves": [
            {
                "action": action if isinstance(action, str) else int(action),
                "name": name,
                "boxes": [list(map(int, box)) for box in places.get(action, ())],
            }
            for action, name in names.items()
        ],
    }


def in_words(loaded: LoadedGame, game: Game, view: Any) -> dict[str, Any]:
    """What goes with a picture, for people."""
    people, names = for_people(loaded, game), for_people(loaded, game, moves=False)
    said = [[called(loaded, game).get(role, role), names(text)] for role, text in loaded.words.talk(view)]
    return {"status": people(loaded.words.status(view)), "words": people(loaded.words.describe(view)), "talk": said}


def revealed(loaded: LoadedGame, game: Game, view: Any, size: int = SIZE) -> dict[str, Any]:
    """What a spectator sees, for everybody once nothing needs to be hidden any more."""
    return {**picture_of(loaded, view, size), "words": for_people(loaded, game)(loaded.words.describe(view))}


def watched(loaded: LoadedGame, game: Game, view: Any, size: int = SIZE) -> dict[str, Any]:
    """What a spectator sees of a position, without the moves, which are for others to make."""
    return {**picture_of(loaded, view, size), **in_words(loaded, game, view), "moves": []}
