"""A solver clicks coloured squares white, group by group; an expert has the table that says which group is next."""

from mmgames.puzzles._conversation import puzzle

SPEC = puzzle(__name__)
