"""Who plays the games that Predict asks about, and which of their states are taken: VS-Bench's mixes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
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


def _pairs(*pairs: tuple[str, str, int]) -> dict[tuple[str, ...], int]:
    return {(first, second): rows for first, second, rows in pairs}


def _depths(*pairs: tuple[int, int, int]) -> dict[tuple[str, ...], int]:
    return {(f"minimax:{first}", f"minimax:{second}"): rows for first, second, rows in pairs}


UNFORESEEN = ("random", "careless_bot")
_ALPHAS = ("equilibrium:alpha=0", "equilibrium:alpha=1/6", "equilibrium:alpha=1/3")
_OURS = "the paper's states come from people and models, these from reference agents"
_OWN = "the mix is our own: which states the authors ask about is not known here"

RECIPES: dict[str, PredictRecipe] = {
    recipe.game: recipe
    for recipe in (
        PredictRecipe(
            "Hanabi",
            _pairs(("rule_bot", "rule_bot", 360), ("rule_bot", "careless_bot", 20), ("careless_bot", "rule_bot", 20)),
            per_episode=4,
            by_share=True,
            kinds={"(Play": 2, "(Discard": 3, "(Reveal": 4},
            note=_OURS,
        ),
        PredictRecipe(
            "Overcooked",
            _pairs(
                ("planner", "planner", 100),
                ("greedy", "greedy", 100),
                ("planner", "greedy", 100),
                ("greedy", "planner", 100),
            ),
            per_episode=4,
            opening=10,
            at_most={"<STAY>": 0.1},
            note=_OURS,
        ),
        PredictRecipe(
            "Breakthrough",
            _depths((3, 4, 67), (3, 5, 67), (4, 5, 67), (4, 6, 67), (4, 4, 66), (5, 5, 66)),
            per_episode=8,
            by_share=True,
        ),
        PredictRecipe(
            "KuhnPoker",
            dict(zip(product(_ALPHAS, _ALPHAS), (45, 44, 44, 44, 45, 44, 45, 44, 45), strict=True)),
            episodes=600,
            by_move=True,
        ),
        PredictRecipe("Pong", {("tracker",): 400}, per_episode=10, by_share=True, played_by_game=("left",), note=_OURS),
        PredictRecipe(
            "CoinDilemma",
            _pairs(
                ("common_welfare", "common_welfare", 100),
                ("self_interest", "self_interest", 100),
                ("common_welfare", "self_interest", 50),
                ("self_interest", "common_welfare", 50),
                ("random", "self_interest", 50),
                ("self_interest", "random", 50),
            ),
        ),
        PredictRecipe(
            "MonsterHunt",
            _pairs(
                ("chase", "chase", 80),
                ("wait_middle", "wait_middle", 80),
                ("wait_corner", "wait_corner", 80),
                ("self_interest", "self_interest", 80),
                ("random", "self_interest", 40),
                ("self_interest", "random", 40),
            ),
        ),
        PredictRecipe(
            "BattleOfTheColors",
            _pairs(
                ("common_welfare", "common_welfare", 100),
                ("self_interest", "self_interest", 100),
                ("common_welfare", "self_interest", 50),
                ("self_interest", "common_welfare", 50),
                ("biased_red", "biased_red", 50),
                ("biased_blue", "biased_blue", 50),
            ),
        ),
        PredictRecipe(
            "KnightsArchersZombies",
            {
                ("heuristic",) * 4: 100,
                ("nearest",) * 4: 100,
                ("heuristic", "heuristic", "nearest", "nearest"): 50,
                ("nearest", "nearest", "heuristic", "heuristic"): 50,
                ("heuristic", "heuristic", "random", "random"): 50,
                ("random", "random", "nearest", "nearest"): 50,
            },
            per_episode=4,
            frames=4,
            by_share=True,
            at_most={"<WAIT>": 0.0},  # whoever is dead or swings a sword waits, and there is nothing to foresee
            options={"horizon": 200},
            edition=2,
            note=_OWN,
        ),
        PredictRecipe(
            "Particles",
            {
                ("heuristic",) * 3: 100,
                ("straight",) * 3: 100,
                ("heuristic", "straight", "straight"): 50,
                ("straight", "heuristic", "heuristic"): 50,
                ("random", "heuristic", "heuristic"): 50,
                ("straight", "random", "straight"): 50,
            },
            episodes=200,
            frames=4,
            at_most={"<STAY>": 0.2},
            options={"scenario": "adversary"},
            edition=2,
            note=_OWN,
        ),
    )
}


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
