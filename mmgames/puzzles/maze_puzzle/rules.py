"""MazePuzzle: lead a mouse to the sphere that the manual names for the colour of the torus, and check it there."""

from collections.abc import Mapping
from math import dist
from typing import Any, NamedTuple

import numpy as np

from mmgames.puzzles._conversation.manuals import TRIES, ManualPuzzle
from mmgames.puzzles._conversation.rules import Outcome
from mmgames.puzzles._conversation.starts import demand, known, taken
from mmgames.puzzles.maze_puzzle import manual as book
from mmgames.puzzles.maze_puzzle.floor import CLASSIC, SIDE, STEPS, Cell, Floor, distances, drawn
from mmgames.puzzles.maze_puzzle.manual import COLOURS, STANDARD, Manual, right_sphere

CHECK = "check_position"
NAMES = (*STEPS, CHECK)


class Maze(NamedTuple):
    floor: Floor
    torus: str  # its colour
    start: Cell
    mouse: Cell
    found: bool = False
    wrong: frozenset[str] = frozenset()  # spheres at which a check failed
    manual: Manual | None = STANDARD

    @property
    def goal(self) -> Cell:
        assert self.manual is not None, "only who has the manual knows"
        return self.floor.spheres[COLOURS.index(right_sphere(self.manual, self.torus))]


class MazePuzzle(ManualPuzzle):
    manuals = book
    action_names = NAMES

    def device_with(self, manual: Manual, rng: np.random.Generator) -> Maze:
        floor = CLASSIC if self.options["layout"] == "classic" else drawn(rng)
        cells = [(row, column) for row in range(SIDE) for column in range(SIDE)]
        starts = [cell for cell in cells if floor.open(cell) and cell not in floor.spheres]
        start = starts[int(rng.integers(len(starts)))]
        return Maze(floor, COLOURS[int(rng.integers(len(COLOURS)))], start, start, manual=manual)

    def effort(self, device: Maze) -> float:
        """The steps to walk."""
        return distances(device.floor, device.goal)[device.mouse]

    def device_from(self, start: Mapping[str, Any]) -> Maze:
        """Without walls and spheres it is the classic floor."""
        found = taken(start, torus=str, start=list, walls=(list, type(None)), spheres=(list, type(None)))
        floor = Floor(found.get("walls", CLASSIC.walls), CLASSIC.torus, found.get("spheres", CLASSIC.spheres))
        known([found["torus"]], COLOURS, "colour of the torus")
        demand(len(floor.walls) == SIDE and all(len(row) == SIDE for row in floor.walls), f"the floor is {SIDE}x{SIDE}")
        demand(
            len(floor.spheres) == len(COLOURS) and all(map(floor.open, floor.spheres)), "spheres stand on open cells"
        )
        demand(len(found["start"]) == 2 and floor.open(found["start"]), "the start must be an open cell")
        maze = Maze(floor, found["torus"], found["start"], found["start"])
        demand(maze.start in distances(floor, maze.goal) and maze.start != maze.goal, "no way leads to the goal")
        return maze

    def released_start(self, facts: Mapping[str, Any]) -> Mapping[str, Any]:
        rows, at = facts["maze"], (facts["start_x"], facts["start_y"])  # start_x is the row
        walls = ["".join("0" if cell == 0 else "1" for cell in row) for row in rows]
        return {"torus": facts["torus_color"], "start": list(at), "walls": walls, "spheres": list(CLASSIC.spheres)}

    def facts_of(self, device: Maze) -> dict[str, Any]:
        floor = device.floor
        facts: dict[str, Any] = {"torus": device.torus, "start": list(device.start)}
        if floor != CLASSIC:
            facts |= {"walls": list(floor.walls), "spheres": [list(cell) for cell in floor.spheres]}
        return facts

    def situation(self, device: Maze) -> Any:
        return device.mouse, device.found

    def do(self, device: Maze, name: str, rng: np.random.Generator) -> Outcome:
        if name == CHECK:
            if device.mouse == device.goal:
                return Outcome(device._replace(found=True))
            here = {colour for colour, cell in zip(COLOURS, device.floor.spheres, strict=True) if cell == device.mouse}
            return Outcome(device._replace(mouse=device.start, wrong=device.wrong | here), True, "back")
        (row, column), (down, across) = device.mouse, STEPS[name]
        cell = (row + down, column + across)
        return Outcome(device._replace(mouse=cell)) if device.floor.open(cell) else Outcome(device, note="wall")

    def solved(self, device: Maze) -> bool:
        return device.found

    def partial(self, device: Maze) -> float:
        """The share of the walking distance that is done; released: by the straight line, and its sign is ignored."""
        if self.released:
            whole = dist(device.start, device.goal)
            return min(1.0, abs(whole - dist(device.mouse, device.goal)) / whole)
        steps = distances(device.floor, device.goal)
        return max(0.0, 1 - steps[device.mouse] / steps[device.start])

    def for_all_the_solver_knows(self, device: Maze, rng: np.random.Generator) -> Maze:
        for _ in range(TRIES if self.shuffles else 0):
            other = device._replace(manual=book.shuffled(rng))
            assert other.manual is not None
            right = right_sphere(other.manual, other.torus)
            if other.goal == device.goal if device.found else right not in other.wrong:
                return other
        return device
