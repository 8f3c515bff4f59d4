"""MonsterHunt's step for planners: what every position is worth once both players have moved.

An apple comes back on average over the free cells, and that average is worked out once for all positions that differ
in this apple alone: a twelfth of the time that it would take one by one.
"""

# ruff: noqa: SIM109 - Numba is slow to look through a tuple

from collections.abc import Callable
from typing import Any

import numpy as np

from mmgames.games._dilemma.rules import CELLS
from mmgames.games._dilemma.setup import SIDE
from mmgames.kernels.kernel import kernel


@kernel
def at_the_monster(r, b, first, second, monster, worth, mine, theirs):
    """MonsterHunt after apples are settled: who meets the monster, and what is left."""
    if r != monster and b != monster:
        return worth[(((r * CELLS + b) * CELLS + first) * CELLS + second) * CELLS + monster]
    total, count = 0.0, 0
    for cell in range(CELLS):
        if cell == first or cell == second:
            continue
        if r == monster and b == monster:
            if cell != r:
                total += worth[(((r * CELLS + b) * CELLS + first) * CELLS + second) * CELLS + cell]
                count += 1
        elif cell != monster and cell != (b if r == monster else r):
            red, blue = (cell, b) if r == monster else (r, cell)
            total += worth[(((red * CELLS + blue) * CELLS + first) * CELLS + second) * CELLS + monster]
            count += 1
    return (5.0 * (mine + theirs) if r == b else -2.0 * mine if r == monster else -2.0 * theirs) + total / count


@kernel
def apples_settled(worth, mine, theirs, met, one_respawns, two_respawns, both_respawn, first, last):
    """What is left once apples are settled (`met`), and its averages where one apple or both have yet to come back."""
    for r in range(first, last):
        for b in range(CELLS):
            here = (r * CELLS + b) * CELLS
            for one in range(CELLS):
                for two in range(CELLS):
                    for monster in range(CELLS):
                        at = ((here + one) * CELLS + two) * CELLS + monster
                        met[at] = at_the_monster(r, b, one, two, monster, worth, mine, theirs)
            for kept in range(CELLS):
                for monster in range(CELLS):
                    ones, twos, count = 0.0, 0.0, 0
                    for cell in range(CELLS):
                        if cell == r or cell == b or cell == kept or cell == monster:
                            continue
                        ones += met[((here + cell) * CELLS + kept) * CELLS + monster]
                        twos += met[((here + kept) * CELLS + cell) * CELLS + monster]
                        count += 1
                    one_respawns[(here + kept) * CELLS + monster] = ones / count
                    two_respawns[(here + kept) * CELLS + monster] = twos / count
            for monster in range(CELLS):
                total, count = 0.0, 0
                for cell in range(CELLS):
                    if cell != r and cell != b and cell != monster:
                        total += two_respawns[(here + cell) * CELLS + monster]
                        count += 1
                both_respawn[here + monster] = total / count


@kernel
def step_states(met, one_respawns, two_respawns, both_respawn, mine, theirs, then, first, last):
    """Every position once both have moved: the monster steps, apples are eaten or spoiled; the tables have the rest."""
    for r in range(first, last):
        for b in range(CELLS):
            here = (r * CELLS + b) * CELLS
            for third in range(CELLS):
                x, y = third % SIDE, third // SIDE
                far_red = abs(r % SIDE - x) + abs(r // SIDE - y)
                far_blue = abs(b % SIDE - x) + abs(b // SIDE - y)
                for place in range(CELLS * CELLS):
                    then[(here * CELLS + place) * CELLS + third] = 0.0
                for prey in range(2):
                    share = 0.5 if far_red == far_blue else 1.0 if (far_red < far_blue) == (prey == 0) else 0.0
                    if share == 0.0:
                        continue
                    goal = r if prey == 0 else b
                    across, along = goal % SIDE - x, goal // SIDE - y
                    for axis in range(2):
                        part = share
                        if across != 0 and along != 0:
                            part *= 0.5
                        elif (across == 0) != (axis == 1):
                            continue
                        monster = third
                        if axis == 0:
                            monster += 1 if across > 0 else -1 if across < 0 else 0
                        else:
                            monster += SIDE if along > 0 else -SIDE if along < 0 else 0
                        for one in range(CELLS):
                            gone = r == one or b == one or monster == one
                            for two in range(CELLS):
                                gone_too = r == two or b == two or monster == two
                                paid = 2.0 * mine * ((r == one) + (r == two)) + 2.0 * theirs * ((b == one) + (b == two))
                                if gone and gone_too:
                                    left = both_respawn[here + monster]
                                elif gone:
                                    left = one_respawns[(here + two) * CELLS + monster]
                                elif gone_too:
                                    left = two_respawns[(here + one) * CELLS + monster]
                                else:
                                    left = met[((here + one) * CELLS + two) * CELLS + monster]
                                then[((here + one) * CELLS + two) * CELLS + third] += part * (paid + left)


StepBack = Callable[[Callable[..., Any], np.ndarray, float, float, np.ndarray], None]
"""Writes what every position is worth once both have moved, from what the positions after that are worth; the first
argument runs a kernel over red's cells."""


def monster_steps() -> StepBack:
    """The step over all positions, with the tables that it fills again each time."""
    tables = [np.zeros(CELLS**places, np.float32) for places in (5, 4, 4, 3)]

    def step(shared: Callable[..., Any], worth: np.ndarray, mine: float, theirs: float, then: np.ndarray) -> None:
        shared(apples_settled, worth, mine, theirs, *tables)
        shared(step_states, *tables, mine, theirs, then)

    return step
