"""Five stages, each with a digit; which button to press often depends on what was pressed before."""

from mmgames.puzzles._conversation import puzzle

SPEC = puzzle(
    __name__, "MemoryPuzzle", "five digits in a row: press what the manual says about now and about earlier presses"
)
