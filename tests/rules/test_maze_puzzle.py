"""MazePuzzle: the plans, the walk, what each seat gets to see, and the scripted pair."""

import itertools
import math

import numpy as np
import pytest

from mmgames.baselines.puzzles.maze_puzzle import Expert, Solver, advised_sphere, torus_colour
from mmgames.core import registry
from mmgames.puzzles._conversation.rules import SOLVER
from mmgames.puzzles.maze_puzzle.floor import CLASSIC, SIDE, STEPS, Cell, Floor, distances, drawn
from mmgames.puzzles.maze_puzzle.manual import COLOURS, STANDARD, right_sphere, shuffled
from mmgames.puzzles.maze_puzzle.rules import Maze
from tests.players import Acts
from tests.rules.talking import TALKS, answer, converse, do, episode, live_at, looks, misread, say

ROOMS = registry.load("mmgames/MazePuzzle-v0")
# A green torus: the goal is the blue sphere at the top right. From the start it is six steps up from the bottom right.
GREEN = Maze(CLASSIC, "green", (6, 7), (6, 7))
GIVEN = (
    "101111111 101000101 101010101 100010001 111021101 100000101 101110101 100010001 111011111",
    {"green": (1, 1), "blue": (1, 7), "red": (7, 1), "yellow": (7, 7)},
    {"green": "blue", "blue": "red", "red": "green", "yellow": "yellow"},
)


def open_cells(floor: Floor) -> set[Cell]:
    return {(row, column) for row in range(9) for column in range(9) if floor.walls[row][column] == "0"}


def steps_by_hand(floor: Floor, goal: Cell) -> dict[Cell, int]:
    """Walking distances found by letting them settle, cell by cell."""
    cells = open_cells(floor)
    steps = {cell: 0 if cell == goal else 1_000 for cell in cells}
    around = {
        (row, column): {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)} & cells
        for row, column in cells - {goal}
    }
    for _ in cells:
        before = dict(steps)
        for cell, beside in around.items():
            steps[cell] = min([steps[other] + 1 for other in beside] or [1_000])
        if steps == before:
            break
    return steps


def test_the_classic_plan_and_the_manual_are_those_that_were_given_and_all_others_are_drawn():
    walls, spheres, targets = GIVEN
    # The torus stands in a cell of its own kind, which nobody can enter.
    assert [row.replace("2", "1") for row in walls.split()] == list(CLASSIC.walls)
    assert walls.split()[CLASSIC.torus[0]][CLASSIC.torus[1]] == "2"
    assert dict(zip(COLOURS, CLASSIC.spheres, strict=True)) == spheres
    assert {torus: right_sphere(STANDARD, torus) for torus in COLOURS} == targets
    rng = np.random.default_rng(2)
    assert {shuffled(rng) for _ in range(500)} == set(itertools.permutations(COLOURS))


def test_drawn_plans_are_connected_and_differ_and_distances_are_those_found_by_hand():
    rng = np.random.default_rng(0)
    plans = [drawn(rng) for _ in range(150)]
    assert len(set(plans)) == 150
    for floor in plans:
        cells = open_cells(floor)
        assert all(0 < row < 8 and 0 < column < 8 for row, column in cells)
        assert len(set(floor.spheres)) == 4 and set(floor.spheres) <= cells and floor.torus not in cells
        assert set(distances(floor, floor.spheres[0])) == cells
        assert len(cells) == 16 + 15 + 3  # rooms, the doors that join them, and three more
    rng = np.random.default_rng(1)
    for floor in (CLASSIC, *(drawn(rng) for _ in range(10))):
        for goal in floor.spheres:
            assert distances(floor, goal) == steps_by_hand(floor, goal)


@pytest.mark.parametrize("layout", ["classic", "generated"])
def test_starts_are_all_open_cells_without_a_sphere(layout):
    game, rng = ROOMS.game(layout=layout), np.random.default_rng(3)
    mazes = [game.start(rng).device for _ in range(1_500)]
    for maze in mazes:
        assert maze.start == maze.mouse in open_cells(maze.floor) - set(maze.floor.spheres)
    assert {maze.torus for maze in mazes} == set(COLOURS)
    assert (len({maze.floor for maze in mazes}) == 1) == (layout == "classic")
    if layout == "classic":
        assert {maze.start for maze in mazes} == open_cells(CLASSIC) - set(CLASSIC.spheres)


def test_the_mouse_goes_where_the_floor_is_open_and_only_the_sphere_of_the_torus_is_right():
    game, rng = ROOMS.game(), np.random.default_rng(4)
    for cell, name in itertools.product(open_cells(CLASSIC), STEPS):
        row, column = cell
        to = {"up": (row - 1, column), "down": (row + 1, column), "left": (row, column - 1), "right": (row, column + 1)}
        wanted = to[name.removeprefix("move_")]
        outcome = game.do(GREEN._replace(mouse=cell), name, rng)
        assert outcome.device.mouse == (wanted if wanted in open_cells(CLASSIC) else cell)
        assert not outcome.mistake
    for torus in COLOURS:
        for colour, cell in zip(COLOURS, CLASSIC.spheres, strict=True):
            live = do(live_at(ROOMS, GREEN._replace(torus=torus, mouse=cell)), "check_position")
            assert live.game.solved(live.state.device) == (GIVEN[2][torus] == colour)
    live = say(live_at(ROOMS, GREEN), "move_up\nmove_up\ncheck_position\nmove_up")
    assert (live.state.mistakes, live.state.device.mouse) == (1, GREEN.start)
    assert "check_position: that was a mistake; the mouse is back where it began." in ROOMS.words.history(
        live.view(SOLVER)
    )
    assert live.totals == [0.0, 0.0]


def test_the_score_is_the_share_of_the_way_and_by_the_released_rules_that_of_the_straight_line():
    live = live_at(ROOMS, GREEN)
    scores = []
    for move in ("move_up", "move_up", "move_down", "move_down", "move_down", "move_up"):
        scores.append(do(live, move).totals[SOLVER])
    # Five steps in all; at the end one step away from the goal counts as nothing.
    assert scores == pytest.approx([1 / 5, 2 / 5, 1 / 5, 0, 0, 0])
    live = live_at(ROOMS, GREEN._replace(torus="yellow", start=(3, 5), mouse=(3, 5)), rules="released")
    whole = math.dist((3, 5), (7, 7))
    for move, cell in (("move_up", (2, 5)), ("move_up", (1, 5)), ("move_left", (1, 4))):
        assert do(live, move).totals[SOLVER] == pytest.approx(abs(whole - math.dist(cell, (7, 7))) / whole)


def test_the_solver_sees_the_floor_and_holds_no_sphere_possible_that_it_has_found_wrong():
    game, rng = ROOMS.game(manual="shuffled"), np.random.default_rng(5)
    live = live_at(ROOMS, GREEN, manual="shuffled")
    say(live, "move_down\ncheck_position")
    goals = [game.imagine(live.state, SOLVER, rng).device.goal for _ in range(60)]
    assert set(goals) == set(CLASSIC.spheres) - {(7, 7)}
    told = ROOMS.picture.features(live_at(ROOMS, GREEN).view(SOLVER))
    assert "".join("1" if value else "0" for value in told[:81]) == "".join(CLASSIC.walls)
    assert told[81:83] * (SIDE - 1) == pytest.approx((6, 7))
    assert told[83:87].tolist() == [1, 0, 0, 0]
    assert told[87:95] * (SIDE - 1) == pytest.approx([part for cell in CLASSIC.spheres for part in cell])


def test_mouse_torus_spheres_and_walls_show_in_the_picture():
    shown = {GREEN._replace(mouse=cell) for cell in open_cells(CLASSIC)}
    shown |= {GREEN._replace(torus=colour) for colour in COLOURS}
    shown |= {
        GREEN._replace(floor=CLASSIC._replace(spheres=cells)) for cells in itertools.permutations(CLASSIC.spheres)
    }
    rng = np.random.default_rng(6)
    for floor in (drawn(rng) for _ in range(5)):
        shown.add(GREEN._replace(floor=floor, start=floor.spheres[3], mouse=floor.spheres[3]))
    assert looks(ROOMS, shown) == len(shown)


@pytest.mark.parametrize("layout", ["classic", "generated"])
@pytest.mark.parametrize("manual", ["standard", "shuffled"])
def test_the_pair_solves_every_maze_in_the_second_turn_by_the_shortest_way(layout, manual):
    for seed in range(40):
        live = episode(ROOMS, Solver(), Expert(), seed, layout=layout, manual=manual)
        maze, events = live.state.device, live.game.events(live.state)
        assert (events["solved"], events["mistakes"], events["turns"]) == (1, 0, 2)
        assert events["actions"] == steps_by_hand(maze.floor, maze.goal)[maze.start] + 1


def test_the_solver_reads_nothing_into_plain_advice_and_the_expert_hears_the_colour_of_the_torus():
    assert misread(ROOMS, advised_sphere) == []
    live = converse(live_at(ROOMS, GREEN), Solver(), Acts("Go to the red sphere."))
    checks = [r for entry in live.state.dialogue for r in entry.results if r.action == "check_position"]
    assert checks[0].mistake and len(checks) in (2, 3)
    assert "The red sphere was wrong." in live.state.dialogue[4].message.speech
    assert misread(ROOMS, torus_colour, "torus") == []
    for message, colour in TALKS["MazePuzzle"]["torus"]:
        said = answer(ROOMS, Expert(), GREEN, message)
        assert (f"Go to the {GIVEN[2][colour]} sphere" in said) if colour else ("the colour of the torus" in said)
