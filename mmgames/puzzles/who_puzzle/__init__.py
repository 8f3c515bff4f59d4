"""A word on a display leads to a label, and the label to the one button to press; everybody has to spell well."""

from mmgames.puzzles._conversation import puzzle

SPEC = puzzle(__name__)
