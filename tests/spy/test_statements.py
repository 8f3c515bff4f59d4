"""Statements by what they are made of: each is true, or false, of a scene that can be seen in this file."""

from __future__ import annotations

import pytest

from mmgames.games.spy.listening import hear
from tests.test_listening import BOARD, SCENE, TABLE

WEEK = {"kind": "line", "unit": "loaves", "table": {"Mon": 100, "Tue": 150, "Wed": 50, "Thu": 75, "Fri": 200}}
DRINKS = {
    "kind": "stacked",
    "unit": "cups",
    "table": {
        "Tea in 2023": 100, "Coffee in 2023": 300, "Milk in 2023": 50, "Juice in 2023": 150,
        "Tea in 2024": 200, "Coffee in 2024": 250, "Milk in 2024": 400, "Juice in 2024": 350,
    },
}  # fmt: skip

# The scene, from the left: a small red metal cube, a large blue rubber ball, a small blue metal cylinder, a large green
# rubber cube; the red cube is the nearest, then the green one, the cylinder, the ball.
THINGS = {
    "exceptions": (
        """Every object except the red cube and the cylinder is large.
        Apart from the ball, all of the objects are cubes or cylinders.
        No spheres except for a big blue one.
        The only thing that isn't a cube or a cylinder is a ball.
        All objects except one are not spheres.""",
        """All objects but one are blue.
        Everything except the ball is small.
        All objects apart from the ball are metal.""",
    ),
    "relations": (
        """The red cube is closer to the camera than the green one.
        Behind the green cube there is a blue cylinder.
        The blue ball is to the right of the red cube and to the left of the cylinder.
        The ball has a small cylinder on its right.
        Between the two cubes stand a sphere and a cylinder, both blue.
        Two objects stand to the right of the ball.
        Nothing stands behind the ball.
        A blue ball and a blue cylinder, with the ball on the left.""",
        """The blue ball is in front of the cylinder.
        There is a cube behind the ball.
        The cylinder is to the left of the ball.
        A blue ball and a blue cylinder, with the ball on the right.
        Two objects are behind the ball.""",
    ),
    "amounts": (
        """There are twice as many cubes as spheres.
        Blue objects are twice as many as red ones.
        There is one more cube than balls.
        Large and small objects are equal in number.
        Exactly half the objects are blue.
        The sum of cubes and balls is three.
        2 blue objects, 1 red object, 1 green object.
        blue x2, red x1, green x1""",
        """There are three times as many cubes as balls.
        There are more red objects than blue ones.
        Two thirds of the objects are cubes.
        There are not two cubes.
        Cubes are the minority.""",
    ),
    "likeness": (
        """The ball is the same color as the cylinder.
        Two objects share a color: blue.
        The two cubes differ in colour, size and material.
        The cylinder is the only object of its shape.
        Each of the cubes has its own colour.""",
        """No two objects have the same colour.
        The ball has the same size as the cylinder.
        The cubes are the same colour.""",
    ),
    "parts": (
        """One of the cubes is small and red, while the other one is large and green.
        Of the two blue objects, only the cylinder is shiny.
        The only shiny objects are the red cube and the blue cylinder.
        Two are cubes, the other two are not.
        I see two blue objects, the larger one being a ball.
        There are two cubes, neither of which is blue.""",
        """One of the cubes is yellow.
        Only the ball is blue.
        Both of the cubes are large.
        The cubes are red and blue.""",
    ),
    "what is taken back": (
        """There are three cubes. No wait, two cubes.
        Three balls, scratch that, one ball.
        I see three cubes... wait, no, only two.""",
        """There are two cubes. No wait, three cubes.
        There are two cubes. No wait, three.""",
    ),
    "what is supposed away": (
        """If you took away the ball, everything would be cubes or cylinders.
        If I ignore the two cubes, I am left with nothing but blue objects.
        Setting aside the ball and the cylinder, everything is a cube.
        Without the red cube, everything would be blue or green.""",
        """If you took away the ball, everything would be red.
        If I ignore the ball, I am left with nothing but cubes.
        If you remove the red cube, all that remains is blue.""",
    ),
    "all that stand somewhere": (
        """Everything to the right of the red cube is blue or green.
        Everything behind the red cube is blue or green.
        Nothing to the right of the cylinder is blue.""",
        """Everything to the right of the red cube is blue.
        Nothing to the right of the ball is blue.
        Everything to the left of the cylinder is blue.""",
    ),
    "how often": (
        """Each material appears twice.
        Cubes are twice as common as balls.
        More of my objects are blue than red.
        Blue beats red two to one.""",
        """Every colour appears once.
        Blue appears only on a ball.
        Red beats blue two to one.""",
    ),
    "orders in a row": (
        """From left to right, the ball comes right before the cylinder.
        Going from left to right, the cylinder comes after the ball and before the green cube.
        red, blue, blue, green, from left to right
        The red cube's right neighbour is the ball.
        The leftmost object is also the one closest to the camera.
        The green cube is the second closest to the camera.
        The leftmost object is a cube, and the one after it is a ball.
        Everything else is behind the red cube.""",
        """From left to right, the ball comes before the red cube.
        red, green, blue, blue, from left to right
        The nearest object is also the rightmost.
        The cylinder is the second closest to the camera.
        Everything else is behind the ball.""",
    ),
    "without verbs": (
        """red cube leftmost, green cube rightmost
        small: red cube, blue cylinder
        blue: one ball, one cylinder
        metal things: all small
        blue ball (large)
        2x cube, 1x ball
        cubes > balls""",
        """blue ball leftmost
        small: red cube, green cube
        metal things: all large
        blue ball (small)
        balls > cubes""",
    ),
    "two of them": (
        """The red cube and the cylinder are the only small objects.
        Only the ball and the green cube are matte.
        The ball is on the left, the green cube is on the right, and both of them are large.
        There are two cubes, the left one red and the right one green.
        Of the two blue objects, the cylinder is closer to the camera.
        The ball is matte, unlike the cylinder.
        The ball is large, and so is the green cube.""",
        """The red cube and the ball are the only small objects.
        There are two cubes, the left one green and the right one red.
        Of the two blue objects, the ball is closer to the camera.
        The ball is matte, unlike the green cube.
        The ball is large. The cylinder is too.""",
    ),
    "broken off": (
        """There is a yellow ball... sorry, I meant a blue ball.
        two large... hmm, no, just one large cube
        At first I thought there were two balls, but there is only one.
        Two. That's how many cubes I have.""",
        """There is a blue ball... sorry, I meant a yellow ball.
        At first I thought there was one cube, but there are three.""",
    ),
}  # fmt: skip
CHARTS = {
    "thresholds": (
        TABLE,
        """Everything except perch is at most 20.
        Apart from perch, no bar goes above 20.
        Trout is the only fish below 10.
        Half of the bars are above 15.
        At least one bar is above 30.""",
        """Only eel is above 15.
        Every bar is above 10.
        Cod and eel are both above 15.""",
    ),
    "sums and ratios": (
        TABLE,
        """Eel, cod and trout together are less than perch.
        All four values add up to 75.
        Perch is bigger than the other three put together.
        Trout is a quarter of eel.
        Perch is eight times trout.
        Cod and eel differ by 10.""",
        """Perch plus cod makes 60.
        Perch is three times eel.
        Eel beats cod by 5.""",
    ),
    "places": (
        TABLE,
        """The second bar from the left is 20.
        The third bar is the shortest.
        The two lowest are cod and trout.
        In ascending order: trout, cod, eel, perch.""",
        """The first bar is perch.
        The two tallest bars are perch and cod.""",
    ),
    "changes": (
        WEEK,
        """The line falls from Tuesday to Wednesday and rises afterwards.
        The steepest drop is between Tuesday and Wednesday.
        It drops by 100 from Tuesday to Wednesday.
        The line ends twice as high as it starts.""",
        """The line falls all week.
        The line ends lower than it starts.
        The biggest jump is from Monday to Tuesday.""",
    ),
    "two series": (
        DRINKS,
        """In 2023, coffee leads with 300 cups.
        Coffee is the only drink that decreased.
        Tea doubled between 2023 and 2024.
        Milk was lowest in 2023 but highest in 2024.
        The tallest stack is coffee with 550.
        The 2023 total is 600.
        More juice than tea was ordered in 2024.""",
        """Tea totals 400.
        In 2023, milk is the highest.
        Juice fell from 2023 to 2024.""",
    ),
    "boards": (
        BOARD,
        """X holds the top left and the centre.
        Both Os are in corners.
        The top row reads X, empty, O.
        Exactly five squares are still free.
        There are as many Xs as Os.""",
        """The centre is free.
        More Os than Xs.
        X holds all corners.""",
    ),
    "bounds and pairs": (
        TABLE,
        """All values lie between 5 and 40.
        The maximum is 40 and the minimum is 5.
        Eel (20) is higher than cod (10).
        Eel is 10 more than cod.
        Cod + eel = 30
        Together, cod and trout come to 15.
        The top two are eel and perch.""",
        """All values lie between 10 and 40.
        The maximum is 40 and the minimum is 10.
        Eel (20) is higher than cod (15).
        Cod is 10 more than eel.
        The top two are eel and cod.""",
    ),
    "lines of boards": (
        BOARD,
        """two Xs two Os
        X: 2, O: 2
        nobody in the bottom right corner
        Two Xs in a diagonal line.
        The only mark in the middle row is an X.""",
        """X has one more mark on the board than O.
        nobody in the bottom left corner
        Two Xs in a vertical line.
        The only mark in the top row is an X.""",
    ),
}  # fmt: skip


def misheard(record: object, said: str, meant: str) -> list[str]:
    clues = [clue.strip() for clue in said.splitlines()]
    return [clue for clue in clues if hear(clue, record) != meant]  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", THINGS)
def test_statements_about_things_are_understood(kind: str) -> None:
    true, false = THINGS[kind]
    assert misheard(SCENE, true, "true") + misheard(SCENE, false, "false") == []


@pytest.mark.parametrize("kind", CHARTS)
def test_statements_about_charts_and_boards_are_understood(kind: str) -> None:
    record, true, false = CHARTS[kind]
    assert misheard(record, true, "true") + misheard(record, false, "false") == []
