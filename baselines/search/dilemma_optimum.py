"""The three grid dilemmas solved: the most that both players can collect together, and how.

Everything is public and both sides follow the same plan, so the two players are as one who moves both tokens. Going
back from the last step, `worth` is what a position can still bring, before anybody moves; after a move comes what it
pays and, on average over where things appear anew, what is left then (Bellman, 1957). A point of red's counts `mine`, a
point of blue's `theirs`: both 1 for the most that can be had together.

CoinDilemma and BattleOfTheColors have 25⁴ positions and are solved when they are first played. MonsterHunt has 25⁵; its
plan is a file, in which positions that are turned, reflected or swapped stand once. `python -m
mmgames.baselines.search.dilemma_optimum` writes it, and says what each game is worth.
"""

# ruff: noqa: SIM109 - Numba is slow to look through a tuple

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from mmgames.agents.base import Agent
from mmgames.baselines.search.monster_steps import StepBack, monster_steps
from mmgames.core.game import Game, Seat
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError
from mmgames.games._dilemma.rules import CELLS
from mmgames.games._dilemma.rules import MOVED as ALL_MOVED
from mmgames.games._dilemma.setup import SIDE, STEPS
from mmgames.games.battle_of_the_colors.rules import BattleOfTheColors
from mmgames.games.coin_dilemma.rules import CoinDilemma
from mmgames.games.monster_hunt.rules import MonsterHunt
from mmgames.kernels.kernel import inlined, kernel
from mmgames.kernels.threads import Threads

MOVED = ALL_MOVED[SIDE, :CELLS].copy()
JOINT = 25  # joint moves: red's times five plus blue's
LAST = 14  # MonsterHunt: with more steps left than this, the plan has stopped changing
ENOUGH = 1e-5  # a joint move must be better by this to replace an earlier one, so that rounding does not decide


@inlined
def after_respawn(r, b, first, second, red_respawns, blue_respawns, worth):
    """What is left on average when one of two things, or both, come back on a free cell."""
    total, count = 0.0, 0
    for red in range(CELLS):
        if red_respawns and (red == r or red == b or red == second):
            continue
        if not red_respawns and red != first:
            continue
        rest, ways = 0.0, 0
        for blue in range(CELLS):
            if blue_respawns and (blue == r or blue == b or blue == red):
                continue
            if not blue_respawns and blue != second:
                continue
            rest += worth[((r * CELLS + b) * CELLS + red) * CELLS + blue]
            ways += 1
        total += rest / ways
        count += 1
    return total / count


@kernel
def after_coin(r, b, first, second, worth, mine, theirs):
    """CoinDilemma after both have moved: what it pays, and what is left on average."""
    got_red, got_blue = r == first or b == first, r == second or b == second
    paid = mine * (r == first) + (theirs - 2.0 * mine) * (b == first)
    paid += (mine - 2.0 * theirs) * (r == second) + theirs * (b == second)
    if not got_red and not got_blue:
        return paid + worth[((r * CELLS + b) * CELLS + first) * CELLS + second]
    return paid + after_respawn(r, b, first, second, got_red, got_blue, worth)


@kernel
def after_colors(r, b, first, second, worth, mine, theirs):
    """BattleOfTheColors as the paper has it."""
    together = r == b and (r == first or r == second)
    apart = r != b and (r == first or r == second) and (b == first or b == second)
    if not together and not apart:
        return worth[((r * CELLS + b) * CELLS + first) * CELLS + second]
    red_respawns, blue_respawns = apart or r == first, apart or r != first
    left = after_respawn(r, b, first, second, red_respawns, blue_respawns, worth)
    paid = 0.0
    if together:
        paid = 2.0 * mine + theirs if r == first else mine + 2.0 * theirs
    return paid + left


@kernel
def look_after(after, worth, mine, theirs, then, first, last):
    """What every position is worth once both have moved; red's cell from `first` to `last`."""
    for r in range(first, last):
        at = r * CELLS * CELLS * CELLS
        for b in range(CELLS):
            for one in range(CELLS):
                for two in range(CELLS):
                    then[at] = after(r, b, one, two, worth, mine, theirs)
                    at += 1


@kernel
def look_before(size, then, worth, plan, first, last):
    """The best joint move of each of `size` positions."""
    things = size // (CELLS * CELLS)  # ways to place all but the players
    for r in range(first, last):
        for b in range(CELLS):
            at = (r * CELLS + b) * things
            for thing in range(things):
                best, chosen = np.float32(-1e9), 0
                for joint in range(JOINT):
                    red, blue = MOVED[r, joint // 5], MOVED[b, joint % 5]
                    value = then[(red * CELLS + blue) * things + thing]
                    if value > best + ENOUGH:
                        best, chosen = value, joint
                worth[at + thing] = best
                plan[at + thing] = chosen


def steps_of(after: Callable[..., Any]) -> Callable[[], StepBack]:
    """The step over all positions of a game with two things."""

    def step(shared: Callable[..., Any], worth: np.ndarray, mine: float, theirs: float, then: np.ndarray) -> None:
        shared(look_after, after, worth, mine, theirs, then)

    return lambda: step


GAMES: dict[type, tuple[Callable[[], StepBack], int]] = {
    CoinDilemma: (steps_of(after_coin), 4),
    BattleOfTheColors: (steps_of(after_colors), 4),
    MonsterHunt: (monster_steps, 5),
}
"""What makes the step of a game, and how many cells make a position."""


def solve(make_step: Callable[[], StepBack], places: int, steps: int = STEPS) -> tuple[np.ndarray, list[np.ndarray]]:
    """What each position is worth with `steps` left, and the plans for 1, 2, … steps left."""
    size = CELLS**places
    worth, then = np.zeros(size, np.float32), np.zeros(size, np.float32)
    plans = [np.empty(size, np.uint8) for _ in range(steps)]
    threads = Threads(min(os.cpu_count() or 1, CELLS))
    shared, step = partial(threads.run, count=CELLS, threads=threads.most), make_step()
    for plan in plans:
        step(shared, worth, 1.0, 1.0, then)
        shared(look_before, size, then, worth, plan)
    threads.end()
    return worth, plans


def value(worth: np.ndarray, places: int) -> float:
    """What an episode is worth to a player: everybody and everything begins on a cell of its own."""
    cells = np.indices((CELLS,) * places).reshape(places, -1)
    distinct = np.logical_and.reduce([one != two for one, two in itertools.combinations(cells, 2)])
    return float(worth[distinct].mean(dtype=np.float64)) / 2


# MonsterHunt's plan as a file: of all positions that are the same but for a symmetry, the first stands for all.
def _symmetries() -> tuple[np.ndarray, np.ndarray]:
    """The eight turns and reflections: where each cell goes, and which move becomes which."""
    cells, moves = [], []
    x, y = np.arange(CELLS) % SIDE, np.arange(CELLS) // SIDE
    for flip, turns in itertools.product(range(2), range(4)):
        a, b = (SIDE - 1 - x, y) if flip else (x, y)
        for _ in range(turns):
            a, b = SIDE - 1 - b, a
        cell = b * SIDE + a
        cells.append(cell)
        around = MOVED[CELLS // 2].tolist()
        goes = {int(cell[to]): move for move, to in enumerate(around)}
        # goes[c]: the move that leads to what becomes c; turned, it is the move that leads from the middle to c.
        moves.append([goes[to] for to in around])
    return np.array(cells), np.array(moves)


TURNED, BACK = _symmetries()


def firsts(position: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For positions [n, (red, blue, apple, apple, monster)]: the number of the first like it, and by which symmetry."""
    best, which = np.full(len(position), CELLS**5), np.zeros(len(position), np.int64)
    for symmetry in range(8):
        turned = TURNED[symmetry][position]
        for swap in range(2):
            players = turned[:, [1, 0] if swap else [0, 1]]
            number = numbers(np.concatenate((players, np.sort(turned[:, 2:4], axis=1), turned[:, 4:]), axis=1))
            better = number < best
            best[better], which[better] = number[better], symmetry * 2 + swap
    return best, which


def stored() -> Path:
    return Path(str(resources.files("mmgames.assets") / "plans" / "MonsterHunt-v0.npz"))


def store(plans: list[np.ndarray], path: Path) -> None:
    """Write the plans for up to LAST steps left, and the one for all earlier steps."""
    parts = np.array_split(np.arange(CELLS**5), 100)
    first = np.concatenate([some[firsts(cells_of(some, 5))[0] == some] for some in parts])
    chosen = np.stack([plan[first] for plan in (*plans[:LAST], plans[-1])])
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(path, gaps=np.diff(first, prepend=0).astype(np.uint32), plans=chosen)


def check_usual(game: Game) -> None:
    """A sentence if somebody has varied the game, which is planned as it usually is."""
    varied = [f"{name}={value!r}" for name, value in game.options.items() if value != game.spec.options[name].default]
    if varied:
        raise MmgamesError(f"{game.spec.id} is planned as it is by default, not with {', '.join(varied)}.")


def positions(states: np.ndarray) -> np.ndarray:
    """[n, (red, blue, thing, …)]: the cells that make the positions of states."""
    return np.concatenate((states["at"], states["things"]), axis=1).astype(np.int64)


def put_on(states: np.ndarray, position: np.ndarray) -> None:
    """Write the cells of positions into states."""
    players = states["at"].shape[1]
    states["at"], states["things"] = position[:, :players], position[:, players:]


def numbers(position: np.ndarray) -> np.ndarray:
    """The number of each position."""
    return np.ravel_multi_index(tuple(position.T), (CELLS,) * position.shape[1])


def cells_of(number: np.ndarray, places: int) -> np.ndarray:
    """The positions that have these numbers."""
    return np.stack(np.unravel_index(number, (CELLS,) * places), axis=1)


class JointPlan:
    """Which joint move to make, for many positions at once."""

    def __init__(self, game: Game) -> None:
        self.monster = isinstance(game, MonsterHunt)
        if not isinstance(game, tuple(GAMES)):
            raise MmgamesError(f"{game.spec.id} has no plan; the optimum is known for the three grid dilemmas.")
        check_usual(game)
        if self.monster:
            with np.load(stored(), allow_pickle=False) as file:
                self.first, self.plans = np.cumsum(file["gaps"].astype(np.int64)), file["plans"]
        else:
            self.plans = np.stack(solve(*next(how for kind, how in GAMES.items() if isinstance(game, kind)))[1])

    def joint(self, states: np.ndarray) -> np.ndarray:
        """Joint moves [n, 2] for states of the game."""
        return self.moves(self.find(states), STEPS - np.minimum(states["step"].astype(np.int64), STEPS - 1))

    def find(self, states: np.ndarray) -> tuple[np.ndarray, ...]:
        """Where the plan has the positions of states: their numbers and, in MonsterHunt, by which symmetry."""
        if self.monster:
            number, which = firsts(positions(states))
            return np.searchsorted(self.first, number), which
        return (numbers(positions(states)),)

    def moves(self, found: tuple[np.ndarray, ...], left: np.ndarray | int) -> np.ndarray:
        """Joint moves [n, 2] with so many steps left."""
        if not self.monster:
            chosen = self.plans[left - 1, found[0]]
            return np.stack((chosen // 5, chosen % 5), axis=1).astype(np.int64)
        number, which = found
        chosen = self.plans[np.minimum(left - 1, LAST), number]
        moves = np.stack((chosen // 5, chosen % 5), axis=1)
        moves = np.where((which % 2 == 1)[:, None], moves[:, ::-1], moves)
        return BACK[which[:, None] // 2, moves]


class Optimum(Agent):
    """Follows the best joint plan; two of these collect all that can be collected together."""

    def __init__(self) -> None:
        self._plan: JointPlan | None = None

    def begin(self, game: Game, seat: Seat) -> None:
        self._plan = _planned(game)

    def batch_player(self, env: Any, seat: Seat) -> JointPlanPlayer:
        return JointPlanPlayer(_planned(env.game), seat)

    def act(self, turn: Turn) -> int:
        plan = self._plan or _planned(turn.game)
        return int(plan.joint(turn.imagine().array)[0, turn.seat])


class JointPlanPlayer:
    """Follows a plan in a seat of many episodes."""

    def __init__(self, plan: JointPlan, seat: Seat) -> None:
        self.plan, self.seat = plan, seat

    def choose(self, which: np.ndarray) -> None: ...

    def forget(self, which: np.ndarray) -> None: ...

    def act(self, seen: Any, states: np.ndarray, masks: np.ndarray, draws: np.ndarray) -> np.ndarray:
        return self.plan.joint(states)[:, self.seat]


_PLANS: dict[tuple[type, Any], JointPlan] = {}


def _planned(game: Game) -> JointPlan:
    """The plan of a game, made once."""
    key = type(game), tuple(game.options.values())
    if key not in _PLANS:
        _PLANS[key] = JointPlan(game)
    return _PLANS[key]


def main() -> None:
    for kind, (make_step, places) in GAMES.items():
        worth, plans = solve(make_step, places)
        print(f"{kind.__name__}: {value(worth, places):.4f} per player")
        if kind is MonsterHunt:
            store(plans, stored())


if __name__ == "__main__":
    main()
