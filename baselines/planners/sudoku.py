"""Solves the grid and fills in first what leaves the least choice, as a careful person would."""

from collections import Counter

from mmgames.agents.base import Agent
from mmgames.core.turn import Turn
from mmgames.games.sudoku.generator import solution
from mmgames.games.sudoku.rules import SIDE


class Solver(Agent):
    """Plays a digit of the solution. In a grid that has none left it plays any digit that fits."""

    def act(self, turn: Turn) -> int:
        solved = solution(turn.view.cells)
        legal = turn.legal
        choices = Counter(action // SIDE for action in legal)
        if solved is None:
            return legal[int(turn.rng.integers(len(legal)))]
        fewest = min(choices.values())
        easiest = [cell for cell, fitting in choices.items() if fitting == fewest]
        cell = easiest[int(turn.rng.integers(len(easiest)))]
        return cell * SIDE + solved[cell] - 1
