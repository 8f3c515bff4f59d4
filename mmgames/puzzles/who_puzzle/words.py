"""WhoPuzzle in words."""

from mmgames.puzzles._conversation.words import PuzzleWords
from mmgames.puzzles.who_puzzle import manual
from mmgames.puzzles.who_puzzle.manual import PLACES
from mmgames.puzzles.who_puzzle.rules import Panel
from mmgames.text.facts import Fact, same


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


SHARED = PuzzleWords(__package__, manual.text, _device, told=_told)
