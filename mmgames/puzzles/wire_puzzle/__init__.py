"""A solver sees coloured wires and a serial number; an expert knows which one to cut."""

from mmgames.puzzles._conversation import puzzle

SPEC = puzzle(__name__)
