"""Four keys with strange symbols: describe them, find their column in the manual, press them in its order."""

from mmgames.puzzles._conversation import puzzle

SPEC = puzzle(__name__)
