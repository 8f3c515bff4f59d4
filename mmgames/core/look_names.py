"""The looks that there are, by kind, and which of them a game takes (`look=`); `core/looks.py` says what they do."""

from typing import Any, NamedTuple

from mmgames.core.spec import GameSpec
from mmgames.errors import MmgamesError, unknown

USUAL = "usual"
TURNS = {"mirrored": "mirrored", "flipped": "flipped", "rotated": "rotated", "quarter": "three quarters"}
"""The turns of a board, left and right changed, top and bottom, both, a quarter clockwise; and what undoes each."""
NUMBERED = "numbered"
KINDS: dict[str, tuple[str, ...]] = {
    "turn": tuple(TURNS),
    "theme": ("night", "swapped"),
    "pieces": ("shapes",),
    "tongue": ("compass",),
    "numbered": (NUMBERED,),
}


class Look(NamedTuple):
    turn: str = ""
    theme: str = ""
    pieces: str = ""
    tongue: str = ""
    numbered: bool = False


AS_USUAL = Look()


def looks_of(spec: GameSpec) -> tuple[str, ...]:
    """The looks that a game takes, each for itself."""
    return (USUAL, *spec.looks, *([NUMBERED] if spec.actions == "discrete" else ()))


def read_look(value: Any, spec: GameSpec) -> Look:
    """The parts of a look, at most one of each kind."""
    if not isinstance(value, str):
        raise MmgamesError(f"{spec.id}: look={value!r} is no text such as 'mirrored' or 'mirrored+night'.")
    found: dict[str, Any] = {}
    for part in (one.strip() for one in value.split("+")):
        if part not in looks_of(spec):
            raise unknown("look", part, spec.id, looks_of(spec))
        for kind, known in KINDS.items():
            if part in known:
                if kind in found:
                    raise MmgamesError(f"{spec.id}: look={value!r} has two looks of one kind: {found[kind]}, {part}.")
                found[kind] = part
    return Look(**{**found, "numbered": "numbered" in found})
