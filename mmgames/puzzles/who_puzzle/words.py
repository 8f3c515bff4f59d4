"""WhoPuzzle in words."""

from __future__ import annotations

from mmgames.puzzles._conversation.words import PuzzleWords, device_facts
from mmgames.puzzles.who_puzzle import manual
from mmgames.puzzles.who_puzzle.manual import PLACES
from mmgames.puzzles.who_puzzle.rules import Panel
from mmgames.text.facts import Fact, same

_TASK = (
    "The device is a panel with a display at the top, which shows a word or is empty, and six buttons below it in "
    "three rows of two, each with a label. One button has to be pressed; the manual finds it from the word on the "
    "display and the labels. Words that sound alike are different words, so tell exactly what is written. Pressing "
    "any other button is a mistake; the panel stays as it is, but a red light marks that button."
)
_SHOWN = (
    "It shows the display and below it the six buttons with their labels. A red light beside a button says that "
    "pressing it was wrong, a green one that it was right."
)
_WRITTEN = (
    "The actions are press_top_left_button, press_middle_left_button and so on: top, middle or bottom, left or right."
)
_PAGE = (
    "It is the first page of the manual: the small panels show which button's label belongs to the words beside "
    "them. A small picture shows only the cover. All of it is in the text above."
)


def _device(panel: Panel) -> str:
    display = f'The display shows "{panel.display}".' if panel.display else "The display is empty."
    buttons = ", ".join(
        f'{place.replace("_", " ")} "{label}"{f" (pressed, {mark})" if mark else ""}'
        for place, label, mark in zip(PLACES, panel.labels, panel.marks, strict=True)
    )
    return f"{display} The buttons: {buttons}."


def _told(panel: Panel) -> list[Fact]:
    labels = dict(zip(PLACES, panel.labels, strict=True))
    ways = same(filter(None, (*manual.DISPLAYS, *manual.LABELS)))
    display = [Fact(("display",), panel.display, ways)] if panel.display else []
    return display + [Fact((f"{place.replace('_', ' ')} button",), label, ways) for place, label in labels.items()]


_words = PuzzleWords(_TASK, manual.text, _device, shown=_SHOWN, written=_WRITTEN, page=_PAGE)
answer_format, describe, ending, history, legend, names, notation, read, rules, status, talk, you = _words.functions()
MOVE_TYPES = _words.MOVE_TYPES
facts = device_facts(_told)
unclear = _words.unclear
