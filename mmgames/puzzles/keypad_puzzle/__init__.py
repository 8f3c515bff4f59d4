"""Four keys with strange symbols: describe them, find their column in the manual, press them in its order."""

from mmgames.puzzles._conversation import puzzle

SPEC = puzzle(__name__, "KeypadPuzzle", "describe four strange symbols and press them in the order of their column")
