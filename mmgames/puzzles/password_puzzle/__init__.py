"""Five wheels with three letters each; only one word of the manual can be spelled with them."""

from mmgames.puzzles._conversation import puzzle

SPEC = puzzle(__name__)
