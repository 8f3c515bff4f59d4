"""PasswordPuzzle in words."""

from string import ascii_uppercase

from mmgames.puzzles._conversation.words import PuzzleWords
from mmgames.puzzles.password_puzzle import manual
from mmgames.puzzles.password_puzzle.rules import Lock
from mmgames.text.facts import Fact, numbered


def _device(lock: Lock) -> str:
    letters = ", ".join(lock.letters.upper())
    return f"The wheels show, from left to right: {letters}. The lock is {'open' if lock.open else 'shut'}."


def _told(lock: Lock) -> list[Fact]:
    return numbered("wheel", lock.letters.upper(), ascii_uppercase)


SHARED = PuzzleWords(__package__, manual.text, _device, told=_told)
