"""A solver leads a mouse through a maze; an expert knows to which of four spheres."""

from mmgames.puzzles._conversation import puzzle

SPEC = puzzle(__name__)
