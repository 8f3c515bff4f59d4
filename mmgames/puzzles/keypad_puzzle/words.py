"""KeypadPuzzle in words. The expert's columns are in its picture; only without one they are told in words."""

from mmgames.puzzles._conversation.rules import ConversationView
from mmgames.puzzles._conversation.words import PuzzleWords
from mmgames.puzzles.keypad_puzzle import manual
from mmgames.puzzles.keypad_puzzle.manual import LOOKS, PLACES
from mmgames.puzzles.keypad_puzzle.rules import Pad


def _device(pad: Pad) -> str:
    looks = (f"{LOOKS[symbol].name}, {LOOKS[symbol].like}" for symbol in pad.symbols)
    keys = "; ".join(
        f"{place.replace('_', ' ')}{' (down)' if number in pad.down else ''}: {look}"
        for number, (place, look) in enumerate(zip(PLACES, looks, strict=True))
    )
    return f"The keys: {keys}."


class _KeypadWords(PuzzleWords):
    def describe(self, view: ConversationView) -> str:
        told = super().describe(view)
        return told if view.manual is None else f"{manual.text(view.manual)}\n{told}"


SHARED = _KeypadWords(__package__, lambda columns: manual.INTRODUCTION, _device)
