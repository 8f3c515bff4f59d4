"""Minesweeper with exact probabilities: open what is safe, guess with the least risk, play out the end.

A guess is weighed by what it leads to as well: among cells that are nearly as safe as the safest, the one that most
often uncovers a safe cell is taken. When few placements of the mines are left, all ways to go on are tried, and the
move that wins for the most placements is played.
"""

from collections.abc import Sequence

from mmgames.agents.base import Agent
from mmgames.core.turn import Turn
from mmgames.games.minesweeper.beliefs import Beliefs
from mmgames.games.minesweeper.rules import HIDDEN, MINE, MinesweeperView, neighbours

NEARLY = 0.9  # a cell is worth a look when its chance to be safe is this share of the best chance
LOOKED_AT = 8  # cells at the most
FEW = 80  # placements that are played out
PATIENCE = 50_000  # positions looked at in playing them out, before giving up


class Solver(Agent):
    """Opens one cell a turn and never flags. In a field that contradicts itself it opens any cell."""

    def act(self, turn: Turn) -> int:
        view = turn.view
        best = self.best(view)
        return best[int(turn.rng.integers(len(best)))]

    def best(self, view: MinesweeperView) -> list[int]:
        """The cells to open that seem equally good."""
        closed = [cell for cell, code in enumerate(view.cells) if code == HIDDEN]
        if len(closed) == len(view.cells):
            return first_cells(view)
        beliefs = Beliefs(view.side, view.total, view.cells)
        if not beliefs.placements:
            return closed
        risks = beliefs.risks()
        safe = [cell for cell in closed if risks[cell] == 0.0]
        if safe:
            return safe
        if beliefs.placements <= FEW:
            played_out = EndGame(view.side, list(beliefs.each())).best(closed)
            if played_out:
                return played_out
        return guesses(view, beliefs, risks)


def first_cells(view: MinesweeperView) -> list[int]:
    """Where to begin: a corner is most often a zero; where every first cell is one, further inside more opens."""
    near, far = (0, view.side - 1) if view.first == "safe" else (2, view.side - 3)
    return [row * view.side + column for row in (near, far) for column in (near, far)]


def guesses(view: MinesweeperView, beliefs: Beliefs, risks: dict[int, float]) -> list[int]:
    """The cells that are nearly as safe as any and most likely lead on to a safe one."""
    least = min(risks.values())
    worth = sorted((cell for cell in risks if 1 - risks[cell] >= NEARLY * (1 - least)), key=lambda cell: risks[cell])
    # Cells far from everything are all alike but for their number of neighbours.
    around = neighbours(view.side)
    worth.sort(key=lambda cell: (risks[cell], len(around[cell])))
    scores = {cell: (1 - risks[cell]) * (1 + leads_on(view, beliefs, cell)) for cell in worth[:LOOKED_AT]}
    best = max(scores.values())
    return [cell for cell, score in scores.items() if score >= best - 1e-12]


def leads_on(view: MinesweeperView, beliefs: Beliefs, cell: int) -> float:
    """How likely a cell that turns out safe shows another safe one."""
    safe = onward = 0
    for number in range(MINE):
        cells = (*view.cells[:cell], number, *view.cells[cell + 1 :])
        after = Beliefs(view.side, view.total, cells)
        if after.placements:
            safe += after.placements
            if 0.0 in after.risks().values():
                onward += after.placements
    return onward / safe


class EndGame:
    """All placements that can still be true, played out. Placements and sets of cells are numbers, a bit for a cell."""

    def __init__(self, side: int, placements: Sequence[Sequence[int]]) -> None:
        self.around = [sum(1 << near for near in cells) for cells in neighbours(side)]
        self.placements = tuple(sum(1 << mine for mine in mines) for mines in placements)
        self.memo: dict[tuple[tuple[int, ...], int], int] = {}
        self.looks = 0

    def best(self, closed: Sequence[int]) -> list[int]:
        """The cells that win for the most placements; none when that takes too long to find out."""
        cells = sum(1 << cell for cell in closed)
        try:
            values = {cell: self._opening(self.placements, cells, cell, 0) for cell in closed}
        except TimeoutError:
            return []
        most = max(values.values())
        return [cell for cell, value in values.items() if value == most]

    def _wins(self, alive: tuple[int, ...], closed: int) -> int:
        """For how many of these placements the best play wins."""
        if len(alive) <= 1:
            return len(alive)
        key = (alive, closed)
        if key in self.memo:
            return self.memo[key]
        self.looks += 1
        if self.looks > PATIENCE:
            raise TimeoutError
        dangerous = 0
        for placement in alive:
            dangerous |= placement
        safe = closed & ~dangerous
        if safe:
            groups: dict[tuple[int, ...], list[int]] = {}
            for placement in alive:
                shown = tuple((placement & self.around[cell]).bit_count() for cell in _cells(safe))
                groups.setdefault(shown, []).append(placement)
            wins = sum(self._wins(tuple(group), closed & ~safe) for group in groups.values())
        else:
            survivors = {cell: sum(not placement >> cell & 1 for placement in alive) for cell in _cells(closed)}
            wins = 0
            for cell in sorted(survivors, key=lambda cell: -survivors[cell]):
                if survivors[cell] <= wins:
                    break
                wins = max(wins, self._opening(alive, closed, cell, wins))
        self.memo[key] = wins
        return wins

    def _opening(self, alive: tuple[int, ...], closed: int, cell: int, enough: int) -> int:
        """The wins after opening a cell; cut short when they cannot be more than `enough`."""
        groups: dict[int, list[int]] = {}
        for placement in alive:
            if not placement >> cell & 1:
                groups.setdefault((placement & self.around[cell]).bit_count(), []).append(placement)
        possible, wins = sum(map(len, groups.values())), 0
        for group in groups.values():
            if wins + possible <= enough:
                break
            wins += self._wins(tuple(group), closed & ~(1 << cell))
            possible -= len(group)
        return wins


def _cells(bits: int) -> list[int]:
    return [cell for cell in range(bits.bit_length()) if bits >> cell & 1]
