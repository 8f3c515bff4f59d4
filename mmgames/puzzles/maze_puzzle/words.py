"""MazePuzzle in words."""

from __future__ import annotations

from mmgames.puzzles._conversation.words import PuzzleWords, device_facts
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


_words = PuzzleWords(
    task=(
        "The device is a maze of nine by nine cells, seen from above. A grey mouse is in it, a coloured torus (a thick "
        "ring, which blocks its cell), and four coloured spheres. The actions move_up, move_down, move_left and "
        "move_right move the mouse by one cell; where there is a wall it stays, and that does no harm. The mouse has "
        "to go to one of the spheres, and there the action check_position has to be done; which sphere, the manual "
        "tells from the colour of the torus. A check anywhere else is a mistake and takes the mouse back to where it "
        "began."
    ),
    manual=manual.text,
    device=_device,
    shown=(
        "It shows the maze from above. Light tiles are open and dark ground is wall. The four shining balls are the "
        "spheres, the thick ring is the torus, and the small grey animal is the mouse."
    ),
    written="The actions are move_up, move_down, move_left, move_right and check_position.",
    notes={
        "wall": "there is a wall; the mouse stays where it is.",
        "back": "that was a mistake; the mouse is back where it began.",
    },
)
answer_format, describe, ending, history, legend, names, notation, read, rules, status, talk, you = _words.functions()
MOVE_TYPES = _words.MOVE_TYPES
facts = device_facts(_told)
unclear = _words.unclear
