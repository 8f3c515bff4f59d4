"""How hard a game is, in stars: LVLM-Playground's table, its formula for other games, and scores weighted by stars."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import log10

from mmgames.errors import MmgamesError, unknown

ABILITIES = {
    "Perceive": ("perception",),
    "Ask": ("perception", "reasoning"),
    "Rule": ("perception", "reasoning", "decision"),
    "Play": ("perception", "reasoning", "decision", "adversary"),
}

STARS: dict[str, dict[str, float]] = {
    "TicTacToe": {"perception": 0.5, "reasoning": 0.5, "decision": 0.5, "adversary": 0.5},
    "Reversi": {"perception": 1.5, "reasoning": 1.5, "decision": 2.5, "adversary": 2.5},
    "Sudoku": {"perception": 3.5, "reasoning": 2.0, "decision": 2.0},
    "Minesweeper": {"perception": 4.0, "reasoning": 5.0, "decision": 3.0},
    "Gomoku": {"perception": 5.0, "reasoning": 4.0, "decision": 3.5, "adversary": 4.0},
    "Chess": {"perception": 3.5, "reasoning": 3.0, "decision": 5.0, "adversary": 5.0},
}
"""The paper's table; it does not follow the paper's formula everywhere (see `formula_stars`)."""


@dataclass(frozen=True)
class Measures:
    """What the difficulty of a game is computed from."""

    log_states: float  # log10 of the number of states
    pieces: int  # kinds of them
    cells: int
    branching: float
    length: float
    hidden: float  # 1 for hidden information, 0 for none
    resources: int
    adversary: bool = True

    def raw(self) -> dict[str, float]:
        """The four difficulties before they are scaled to stars."""
        found = {
            "perception": 0.8 * self.log_states + 1.5 * log10(self.pieces) + 1.2 * log10(self.cells) ** 2,
            "reasoning": self.log_states + log10(self.branching) + self.hidden,
            "decision": log10(self.branching) + log10(self.length) + log10(self.resources),
        }
        return {**found, "adversary": self.length * log10(self.branching)} if self.adversary else found


PAPER_MEASURES = {
    "TicTacToe": Measures(9 * log10(3), 2, 9, 5, 7, 0, 1),
    "Reversi": Measures(64 * log10(3), 2, 64, 10, 60, 0, 1),
    "Sudoku": Measures(81 * log10(9), 9, 81, 5, 50, 0, 1, adversary=False),
    "Minesweeper": Measures(81.0, 10, 81, 41, 50, 1, 1, adversary=False),
    "Gomoku": Measures(225 * log10(3), 2, 225, 113, 45, 0, 1),
    "Chess": Measures(64 * log10(13), 12, 64, 35, 80, 0, 6),
}
FEWEST, MOST = 0.5, 5.0


def formula_stars(measures: Measures) -> dict[str, float]:
    """The stars of a game: the paper's formula, scaled so that its six games span half a star to five, in halves."""
    stars = {}
    for ability, value in measures.raw().items():
        known = [raw[ability] for raw in (game.raw() for game in PAPER_MEASURES.values()) if ability in raw]
        scaled = FEWEST + (MOST - FEWEST) * (value - min(known)) / (max(known) - min(known))
        stars[ability] = min(MOST, max(FEWEST, round(2 * scaled) / 2))
    return stars


def weight(task: str, stars: Mapping[str, float]) -> float:
    """What a game counts in a task: its stars over the abilities that the task needs."""
    if task not in ABILITIES:
        raise unknown("task", task, "LVLM-Playground", ABILITIES)
    return sum(stars.get(ability, 0.0) for ability in ABILITIES[task])


def overall(task: str, scores: Mapping[str, float], stars: Mapping[str, Mapping[str, float]] = STARS) -> float:
    """The mean of the games' scores, weighted. Give `stars` for games that the paper does not have."""
    for game in scores:
        if game not in stars:
            raise unknown("game", game, "the table of stars", stars)
    weights = {game: weight(task, stars[game]) for game in scores}
    if not weights:
        raise MmgamesError(f"There are no scores of {task} to be averaged.")
    return sum(weights[game] * score for game, score in scores.items()) / sum(weights.values())


def star_rows() -> list[list[str]]:
    """Ability by ability: the published stars of each game, and the formula's in brackets where they differ."""
    rows = []
    for ability in ABILITIES["Play"]:
        cells = []
        for game, stars in STARS.items():
            ours = formula_stars(PAPER_MEASURES[game]).get(ability)
            bracket = f" ({ours:g})" if ours is not None and ours != stars[ability] else ""
            cells.append(f"{stars[ability]:g}{bracket}" if ability in stars else "–")
        rows.append([ability, *cells])
    return rows
