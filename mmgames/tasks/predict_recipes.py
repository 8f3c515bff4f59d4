"""Who plays the games that Predict asks about, and which of their states are taken: VS-Bench's mixes.

They are in predict_recipes.json, by game. In KnightsArchersZombies nobody is asked about a `<WAIT>`: whoever is dead or
swings a sword waits, and there is nothing to foresee.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from mmgames.core import registry
from mmgames.core.game import Seat

ROWS = 400
"""How many states of each game VS-Bench has; the numbers in a recipe's mix add up to it."""


@dataclass(frozen=True)
class PredictRecipe:
    """Where the questions about one game come from."""

    game: str
    mix: Mapping[tuple[str, ...], int]  # who sits in the seats -> how many of the 400 states
    per_episode: int = 1  # at most so many states are taken from an episode
    episodes: int | None = None  # episodes of each pairing for 400 states; None: as many as are needed
    frames: int | None = None  # pictures of a question; None: as many as the game shows
    opening: int = 0  # up to so many joint moves at random come first, where episodes would otherwise be alike
    by_move: bool = False  # few episodes reach the later moves: they are asked about as often as the others
    by_share: bool = False  # episodes differ in length: states are spread over tenths of an episode, not move numbers
    kinds: Mapping[str, float] = field(default_factory=dict)  # how answers begin -> their relative number
    at_most: Mapping[str, float] = field(default_factory=dict)  # how answers begin -> their largest share
    options: Mapping[str, Any] = field(default_factory=dict)  # of the game
    edition: int = 1  # the benchmark's first one that has the game
    played_by_game: tuple[str, ...] = ()  # who is at the table without a seat; their views are numbered after the seats
    note: str = ""


UNFORESEEN = ("random", "careless_bot")


def _read() -> Iterator[PredictRecipe]:
    for game, how in json.loads(files(__package__).joinpath("predict_recipes.json").read_text("utf-8")).items():
        mix = {tuple(authors): rows for *authors, rows in how.pop("mix")}
        yield PredictRecipe(game, mix, **{**how, "played_by_game": tuple(how.get("played_by_game", ()))})


RECIPES = {recipe.game: recipe for recipe in _read()}


def recipes() -> dict[str, PredictRecipe]:
    """The recipes of the games that are registered, of all editions, by name."""
    known = {spec.name for spec in registry.specs.values() if spec.namespace == "mmgames"}
    return {name: recipe for name, recipe in RECIPES.items() if name in known}


def targets(authors: Sequence[str]) -> list[Seat]:
    """The seats that questions are about: nobody can foresee what the random player does, or when the careless one
    has a lapse."""
    return [seat for seat, author in enumerate(authors) if author not in UNFORESEEN]


def beginning(recipe: PredictRecipe, name: str) -> str:
    """How an answer begins, as far as the recipe cares."""
    return next((start for start in (*recipe.kinds, *recipe.at_most) if name.startswith(start)), "")
