"""A solver sees coloured wires and a serial number; an expert knows which one to cut."""

from mmgames.puzzles._conversation import EXPERTS, puzzle

SPEC = puzzle(__name__, "WirePuzzle", "describe the wires, look up the manual, cut the right one", **EXPERTS)
