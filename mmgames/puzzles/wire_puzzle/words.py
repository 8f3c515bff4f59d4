"""WirePuzzle in words."""

from __future__ import annotations

from mmgames.puzzles._conversation.words import PuzzleWords, device_facts
from mmgames.puzzles.wire_puzzle import manual
from mmgames.puzzles.wire_puzzle.manual import COLOURS
from mmgames.puzzles.wire_puzzle.rules import Panel
from mmgames.text.facts import Count, Fact, numbered


def _device(panel: Panel) -> str:
    wires = ", ".join(
        f"{number} {colour}{' (cut)' if cut else ''}"
        for number, (colour, cut) in enumerate(zip(panel.wires, panel.cut, strict=True), 1)
    )
    return f"The wires from top to bottom: {wires}. The serial number is {panel.serial}."


def _told(panel: Panel) -> list[Fact | Count]:
    return [*numbered("wire", panel.wires, COLOURS), Count("wires", len(panel.wires))]


_words = PuzzleWords(
    task=(
        "The device is a panel with three to six coloured wires, red, white, yellow, blue or black, numbered from top "
        "to bottom, and a plate with a serial number. Exactly one wire has to be cut, with the action cut_wire_ and "
        "its number; which one, the manual tells from the colours and the serial number. Cutting any other wire, or "
        "one that is cut already, is a mistake."
    ),
    manual=manual.text,
    device=_device,
    shown=(
        "It shows the wires between their screws, numbered from top to bottom, and the plate with the serial number; a "
        "wire with a gap is cut."
    ),
    written="The actions are cut_wire_1, cut_wire_2 and so on, one for each wire.",
    notes={"already cut": "that wire was cut before; that was a mistake."},
)
answer_format, describe, ending, history, legend, names, notation, read, rules, status, talk, you = _words.functions()
MOVE_TYPES = _words.MOVE_TYPES
facts = device_facts(_told)
unclear = _words.unclear
