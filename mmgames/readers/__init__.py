"""Replies as the released code of papers reads them, exactly and with its accidents.

Published figures went through these readers, so only runs that are read so may stand beside them. They look for
patterns where the house's own reader takes an answer in the asked form alone; thoughts are not cut off, and nobody is
told why a reply was no move. COMMA's engine has its own way with the lines of a message (`comma`).
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from mmgames.errors import MmgamesError
from mmgames.readers import lvlm_playground, vs_bench


@dataclass(frozen=True)
class PaperReader:
    """How a paper's code reads moves, and how to ask for one in a form that it reads."""

    games: Collection[str]
    read_move: Callable[[str, Any, Mapping[Any, str], str], Any]
    """The action that a reply means, from the game, the view and the names of the legal actions; or an Illegal."""
    asks: Callable[[str], Mapping[str, str] | None]
    """For a game how to answer, at once or after some thinking; None: as usual."""
    tries: int = 1
    """So often the very same is asked, while a reply has no form that is looked for."""
    strikes_in_all: bool = False
    """Whether the replies that are no move are counted over a whole episode, and not those in a row."""


READERS = {
    "lvlm-playground": PaperReader(
        tuple(lvlm_playground.GAMES), lvlm_playground.read_move, lvlm_playground.asks, strikes_in_all=True
    ),
    "vs-bench": PaperReader(tuple(vs_bench.GAMES), vs_bench.read_move, vs_bench.asks, vs_bench.TRIES),
}
"""By the name of the suite, which is also that of the reading. TicTacToe, which two papers have, is the first one's."""


def reader_of(reading: str, game: str) -> PaperReader | None:
    """Who reads the replies in a game as a reading has it; None: the house's own reader does."""
    if reading != "released":
        reader = READERS.get(reading)
        return reader if reader is not None and game in reader.games else None
    for reader in READERS.values():
        if game in reader.games:
            return reader
    raise MmgamesError(f"{game}: no paper's reader of its replies is known; leave reading='released' out.")
