"""A solver stands before a cash machine; an expert knows which transaction to make, and must not learn the PIN."""

from mmgames.puzzles._conversation import puzzle

SPEC = puzzle(__name__)
