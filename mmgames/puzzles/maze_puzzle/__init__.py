"""A solver leads a mouse through a maze; an expert knows to which of four spheres."""

from mmgames.core.spec import Option
from mmgames.puzzles._conversation import puzzle

SPEC = puzzle(
    __name__,
    "MazePuzzle",
    "lead a mouse to the sphere that the colour of a ring stands for",
    layout=Option(
        "classic",
        '"classic": always the same plan; "generated": a new plan for every episode, spheres in any four rooms.',
        choices=("classic", "generated"),
    ),
)
