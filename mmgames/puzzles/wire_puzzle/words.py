"""WirePuzzle in words."""

from mmgames.core.game_modules import always
from mmgames.puzzles._conversation.words import PuzzleWords
from mmgames.puzzles.wire_puzzle import manual
from mmgames.puzzles.wire_puzzle.manual import COLOURS
from mmgames.puzzles.wire_puzzle.rules import Panel
from mmgames.text.facts import Count, Fact, numbered
from mmgames.text.plain import ORDINALS


def _device(panel: Panel) -> str:
    wires = ", ".join(
        f"{number} {colour}{' (cut)' if cut else ''}"
        for number, (colour, cut) in enumerate(zip(panel.wires, panel.cut, strict=True), 1)
    )
    return f"The wires from top to bottom: {wires}. The serial number is {panel.serial}."


def _told(panel: Panel) -> list[Fact | Count]:
    return [*numbered("wire", panel.wires, COLOURS), Count("wires", len(panel.wires))]


SHARED = PuzzleWords(__package__, manual.text, _device, told=_told)
plain = always({f"cut_wire_{number}": f"Cut the {name} wire" for number, name in enumerate(ORDINALS, 1)})
