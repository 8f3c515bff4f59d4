"""The conformance kit on one game of each kind: whole numbers and text, in turn and at once, with chance, with hidden
cards, compiled, and one that talks about a picture. `make quick` and `make lowest` name this file; the whole suite has
all games."""

from mmgames.testing import conformance

NAMES = ("TicTacToe", "KuhnPoker", "CoinDilemma", "WirePuzzle")
TestOneOfEachKind = conformance(*(f"mmgames/{name}-v0" for name in NAMES))
