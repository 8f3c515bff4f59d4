"""Coloured lights stand for numbers, letters too; in every stage a button solves a small sum modulo 26."""

from mmgames.puzzles._conversation import puzzle

SPEC = puzzle(__name__)
