"""PasswordPuzzle in words."""

from __future__ import annotations

from string import ascii_uppercase

from mmgames.puzzles._conversation.words import PuzzleWords, device_facts
from mmgames.puzzles.password_puzzle import manual
from mmgames.puzzles.password_puzzle.rules import Lock
from mmgames.text.facts import Fact, numbered

_TASK = (
    "The device is a lock with five wheels that show a letter each. Every wheel has only three letters, which follow "
    "each other in the alphabet (A follows Z). The button above a wheel, up_button_ and its number from left to right, "
    "turns it to the next letter, the one below, down_button_, to the letter before; after the last of the three comes "
    "the first again. The wheels have to spell the password, a word of the manual, and then submit has to be pressed. "
    "Turning costs nothing; submitting anything but the password is a mistake."
)
_SHOWN = "It shows the five wheels with their letters, the button above and the one below each, and SUBMIT."
_WRITTEN = "The actions are up_button_1 to up_button_5, down_button_1 to down_button_5 and submit."


def _device(lock: Lock) -> str:
    letters = ", ".join(lock.letters.upper())
    return f"The wheels show, from left to right: {letters}. The lock is {'open' if lock.open else 'shut'}."


def _told(lock: Lock) -> list[Fact]:
    return numbered("wheel", lock.letters.upper(), ascii_uppercase)


_words = PuzzleWords(_TASK, manual.text, _device, shown=_SHOWN, written=_WRITTEN)
answer_format, describe, ending, history, legend, names, notation, read, rules, status, talk, you = _words.functions()
MOVE_TYPES = _words.MOVE_TYPES
facts = device_facts(_told)
unclear = _words.unclear
