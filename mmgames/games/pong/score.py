"""VS-Bench's measure of an episode of Pong, kept apart from the rules so that no emulator is needed to compute it."""

from collections.abc import Mapping
from typing import Any

POINTS = 3
# Losing as fast as possible takes about 105 steps. The 398 that VS-Bench divides by are one long game, not a maximum.
FEWEST_STEPS, MANY_STEPS = 105, 398


def score(points_won: float, steps: float) -> float:
    """From 0 to 100: up to 90 for the points won and up to 10 for how long the game lasted, which is clipped."""
    lasted = (steps - FEWEST_STEPS) / (MANY_STEPS - FEWEST_STEPS)
    return points_won / POINTS * 90 + min(max(lasted, 0.0), 1.0) * 10


def score_of_record(record: Mapping[str, Any]) -> float:
    """The score of an episode from its record in a match."""
    return score(record["events"]["points for right"], record["length"])
