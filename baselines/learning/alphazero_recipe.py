"""The settings of AlphaZero (alphazero.py): what can be set, and what alphazero_recipes.json sets for a game."""

from dataclasses import dataclass
from typing import Any

from mmgames.baselines.learning.recipes import changed, from_one_up, from_zero_to_one, numbers_from, presets


@dataclass(frozen=True)
class AlphaZeroRecipe:
    """Everything that decides what is learned; `seed` and the game do the rest."""

    steps: int = 2_000_000  # positions of self-play to learn from
    num_envs: int = 1024  # games at a time
    rollout: int = 4  # moves of each game between two updates
    simulations: int = 32  # positions that a search judges for a move
    considered: int = 16  # moves that a search looks at, at the most; half of them are dropped again and again
    noise: float = 1.0  # how much the moves to look at are drawn at random; 0: the likeliest are taken
    random_moves: int = 6  # a game begins with up to so many, so that what is learned holds for many kinds of positions
    opening: int = 16  # for so many moves of a game the noise also decides what is played
    weight: float = 0.25  # how much a value weighs against a probability in what is learned from a search
    blocks: int = 5
    channels: int = 64
    window: int = 250_000  # positions that are kept to learn from, the last ones
    batch: int = 1024
    reuse: float = 3.0  # how often a position is learned from, on the average
    rate: float = 2e-3  # of learning; it goes to `last_rate` in a straight line, over the steps or the seconds of a run
    last_rate: float = 1e-4
    decay: float = 1e-4  # AdamW's, of the weights
    value: float = 1.0  # the weight of the value's loss
    trust: float = 0.25  # how much of a position's value is what the search says of it, instead of how the game ended

    def __post_init__(self) -> None:
        whole = ("steps", "num_envs", "rollout", "simulations", "considered", "blocks", "channels", "window", "batch")
        from_one_up(self, "alphazero", *whole)
        numbers_from(self, "alphazero", 0, "rate", "weight", "reuse", above=True)
        numbers_from(self, "alphazero", 0, "noise", "random_moves", "opening", "last_rate", "decay", "value")
        from_zero_to_one(self, "alphazero", "trust")

    @property
    def window_moves(self) -> int:
        """How many moves of all games the window holds."""
        return max(self.rollout, self.window // self.num_envs)


def recipe_for(game_id: str, **changes: Any) -> AlphaZeroRecipe:
    """The recipe of a game with changes of one's own."""
    return changed(AlphaZeroRecipe(), "alphazero", {**presets("alphazero_recipes.json").get(game_id, {}), **changes})
