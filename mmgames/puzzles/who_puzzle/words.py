"""WhoPuzzle in words."""

from __future__ import annotations

from mmgames.puzzles._conversation.rules import ConversationView
from mmgames.puzzles._conversation.words import PuzzleWords
from mmgames.puzzles.who_puzzle import manual
from mmgames.puzzles.who_puzzle.manual import PLACES
from mmgames.puzzles.who_puzzle.rules import Panel

_TASK = (
    "The device is a panel with a display at the top, which shows a word or is empty, and six buttons below it in "
    "three rows of two, each with a label. One button has to be pressed; the manual finds it from the word on the "
    "display and the labels. Words that sound alike are different words, so tell exactly what is written. Pressing "
    "any other button is a mistake; the panel stays as it is, but a red light marks that button."
)


def _manual(view: ConversationView) -> str:
    return manual.text(view.manual)


def _device(panel: Panel) -> str:
    display = f'The display shows "{panel.display}".' if panel.display else "The display is empty."
    buttons = ", ".join(
        f'{place.replace("_", " ")} "{label}"{f" (pressed, {mark})" if mark else ""}'
        for place, label, mark in zip(PLACES, panel.labels, panel.marks, strict=True)
    )
    return f"{display} The buttons: {buttons}."


_words = PuzzleWords(_TASK, _manual, _device)
names, read, fixed = _words.names, _words.read, _words.fixed
rules, you, answer_format = _words.rules, _words.you, _words.answer_format
history, describe = _words.history, _words.describe
