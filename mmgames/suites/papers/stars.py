"""How hard a game is, in stars: LVLM-Playground's table, its formula for other games, and scores weighted by stars."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import log10

from mmgames.errors import MmgamesError, unknown
from mmgames.suites.papers import published

ABILITIES = {
    "Perceive": ("perception",),
    "Ask": ("perception", "reasoning"),
    "Rule": ("perception", "reasoning", "decision"),
    "Play": ("perception", "reasoning", "decision", "adversary"),
}


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


_PAPER = published.tables("lvlm_playground")
_STARS, _FACTORS = _PAPER["Table 1"], _PAPER["Appendix A.2, factors"]
STARS: dict[str, dict[str, float]] = {
    game: {name.lower(): row.cells[game].value or 0.0 for name, row in _STARS.rows.items() if game in row.cells}
    for game in _STARS.columns
}
"""The paper's table; it does not follow the paper's formula everywhere (see `formula_stars`)."""
_MEASURES = {
    game: Measures(*(cell.value for cell in row.cells.values()))  # type: ignore[arg-type]
    for game, row in _FACTORS.rows.items()
}
PAPER_MEASURES = {game: replace(own, adversary="adversary" in STARS[game]) for game, own in _MEASURES.items()}
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
