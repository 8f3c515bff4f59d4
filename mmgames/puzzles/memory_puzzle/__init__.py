"""Five stages, each with a digit; which button to press often depends on what was pressed before."""

from mmgames.puzzles._conversation import puzzle

SPEC = puzzle(__name__)
