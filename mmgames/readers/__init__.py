"""Replies as the released code of papers reads them, exactly and with its accidents.

Published figures went through these readers, so only runs that are read so may stand beside them. They look for patterns
where the house's own reader takes an answer in the asked form alone; thoughts are not cut off, nothing is asked again.
A paper's module says how a move is read (`read_move`) and, where that is not our usual form, how to ask for one (`asks`).
COMMA's engine reads lines of a message as actions (`comma`).
"""

from __future__ import annotations

from typing import Any

from mmgames.errors import MmgamesError
from mmgames.readers import lvlm_playground, vs_bench

RELEASED = "released"
"""The reading that stands for the reader of the paper that a suite, a task or a game comes from."""
PAPERS: dict[str, Any] = {"lvlm-playground": lvlm_playground, "vs-bench": vs_bench}
"""What a reading is called, as the suite of its paper -> the reader. The first that knows a game is its own."""


def is_released(reading: str) -> bool:
    return reading == RELEASED or reading in PAPERS


def reader_of(reading: str, game: str) -> Any:
    """The paper's reader of the replies in a game; None: they are read in the house's way."""
    if reading != RELEASED:
        return PAPERS.get(reading)
    found = next((reader for reader in PAPERS.values() if game in reader.GAMES), None)
    if found is None:
        raise MmgamesError(f"{game}: no paper's reader of its replies is known; leave reading={RELEASED!r} out.")
    return found
