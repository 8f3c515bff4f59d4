"""MemoryPuzzle in words."""

from mmgames.puzzles._conversation.words import PuzzleWords
from mmgames.puzzles.memory_puzzle import manual
from mmgames.puzzles.memory_puzzle.manual import BUTTONS, STAGES
from mmgames.puzzles.memory_puzzle.rules import MemoryDevice
from mmgames.text.facts import ORDINALS, Fact


def _device(board: MemoryDevice) -> str:
    if board.done == STAGES:
        return f"All {STAGES} stages are done."
    labels = ", ".join(map(str, board.labels))
    return (
        f"This is stage {board.done + 1} of {STAGES}. The display shows {board.display}. The labels of the buttons, "
        f"from left to right: {labels}."
    )


_DIGITS = {said: digit for digit, word in enumerate(("one", "two", "three", "four"), 1) for said in (str(digit), word)}


def _told(board: MemoryDevice) -> list[Fact]:
    if board.done == STAGES:
        return []
    ways = {said: str(digit) for said, digit in _DIGITS.items()}
    buttons = [
        Fact((f"{ordinal} button", f"position {place}", f"{ordinal} position"), str(label), ways)
        for place, (ordinal, label) in enumerate(zip(ORDINALS, board.labels, strict=False), 1)
    ]
    return [Fact(("display",), str(board.display), ways), *buttons]


SHARED = PuzzleWords(
    __package__,
    manual.text,
    _device,
    notes={
        f"stage {stage} position {position}": f"right, stage {stage} is done; it was in position {position}."
        for stage in range(1, STAGES + 1)
        for position in range(1, BUTTONS + 1)
    },
    told=_told,
)
