"""MazePuzzle in words."""

from mmgames.puzzles._conversation.words import PuzzleWords
from mmgames.puzzles.maze_puzzle import manual
from mmgames.puzzles.maze_puzzle.manual import COLOURS
from mmgames.puzzles.maze_puzzle.rules import Maze
from mmgames.text.facts import Fact, same


def _device(maze: Maze) -> str:
    """The plan as a map. A sphere's letter gives way to the mouse's; the sentence after it tells all places."""
    signs = [[("." if cell == "0" else "#") for cell in row] for row in maze.floor.walls]
    places = [
        (maze.floor.torus, "O"),
        *((cell, colour[0].upper()) for colour, cell in _spheres(maze)),
        (maze.mouse, "m"),
    ]
    for (row, column), sign in places:
        signs[row][column] = sign
    plan = "\n".join("".join(row) for row in signs)
    spheres = ", ".join(f"{colour} ({row}, {column})" for colour, (row, column) in _spheres(maze))
    return (
        "The maze from above; # is a wall, . is open, m the mouse, O the torus, and G, B, R and Y are the green, blue, "
        f"red and yellow sphere:\n{plan}\n"
        f"The torus is {maze.torus}. Rows are counted from the top and columns from the left, from 0: the mouse is at "
        f"{maze.mouse}, the spheres are at {spheres}."
    )


def _spheres(maze: Maze) -> list[tuple[str, tuple[int, int]]]:
    return list(zip(COLOURS, maze.floor.spheres, strict=True))


def _told(maze: Maze) -> list[Fact]:
    return [Fact(("torus", "ring"), maze.torus, same(COLOURS))]


SHARED = PuzzleWords(__package__, manual.text, _device, told=_told)
