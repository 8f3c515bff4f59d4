"""A solver and an expert for MazePuzzle who talk plain English, to each other or to anybody else.

Neither remembers anything: all they go by is in their view, so they also cope with `memory="last"`.
"""

import re

from mmgames.agents.base import Agent
from mmgames.baselines.puzzles.plain_english import latest, must_guess, only, orders
from mmgames.core.seeding import draw_from
from mmgames.core.turn import Turn
from mmgames.puzzles.maze_puzzle.floor import STEPS, Cell, distances
from mmgames.puzzles.maze_puzzle.manual import COLOURS, right_sphere
from mmgames.puzzles.maze_puzzle.rules import CHECK, Maze

_COLOUR = "|".join(COLOURS)
_GO = re.compile(r"\b(?:go|move|walk|run|lead|navigate|head|reach|check|target|bring|take)\b")
_SPHERE = re.compile(rf"\b({_COLOUR}) (?:sphere|ball|one|dot|circle)\b")
_TORUS = re.compile(
    rf"\b({_COLOUR}) (?:torus|ring|donut|doughnut)\b"
    rf"|\b(?:torus|ring|donut|doughnut)(?:'s)?(?: colou?r)?(?: is| has the colou?r|:)? ({_COLOUR})\b"
)
_ALONE = re.compile(rf"\b({_COLOUR})\b")


class Solver(Agent):
    """Walks to the sphere the expert names and checks there. Guesses only when time runs out without an answer."""

    def act(self, turn: Turn) -> str:
        view = turn.view
        maze: Maze = view.device
        colour = advised_sphere(view.heard[-1]) if view.heard else None
        if colour and colour not in maze.wrong:
            return f"Thank you, I am going to the {colour} sphere.\n{_walk(maze, colour)}"
        if must_guess(view):
            colour = draw_from([colour for colour in COLOURS if colour not in maze.wrong], turn.rng)
            return f"Time is short, so I am trying the {colour} sphere.\n{_walk(maze, colour)}"
        sorry = "Sorry, I do not know yet where to go. " if view.heard else ""
        sorry = f"The {colour} sphere was wrong. " if colour else sorry
        return f"{sorry}The torus is {maze.torus}. Which sphere should I go to?"


def _walk(maze: Maze, colour: str) -> str:
    goal = maze.floor.spheres[COLOURS.index(colour)]
    return "\n".join([*shortest_way(maze, goal), CHECK])


def shortest_way(maze: Maze, goal: Cell) -> list[str]:
    """The moves from the mouse to a cell."""
    steps = distances(maze.floor, goal)
    moves, at = [], maze.mouse
    while at != goal:
        nearer = {name: (at[0] + down, at[1] + across) for name, (down, across) in STEPS.items()}
        moves.append(next(name for name, cell in nearer.items() if steps.get(cell, len(steps)) < steps[at]))
        at = nearer[moves[-1]]
    return moves


def advised_sphere(advice: str) -> str | None:
    """The one sphere that the advice says to go to, in sentences that neither ask, forbid nor make conditions."""
    return only({colour for sentence in orders(advice, _GO) for colour in _SPHERE.findall(sentence)})


class Expert(Agent):
    """Names the sphere as soon as it knows the torus, and asks for it until then."""

    def act(self, turn: Turn) -> str:
        torus = latest(torus_colour, [message.lower() for message in turn.view.heard])
        if torus is None:
            return "Please tell me the colour of the torus, the thick ring: is it green, blue, red or yellow?"
        return f"Go to the {right_sphere(turn.view.manual, torus)} sphere and check your position there."


def torus_colour(message: str) -> str | None:
    """The colour of the torus, if a message tells it; a colour that is named alone is taken for it."""
    return only({before or after for before, after in _TORUS.findall(message)} or set(_ALONE.findall(message)))
