"""Replies as the released code of papers reads them, exactly and with its accidents.

Published figures went through these readers, so only runs that are read so may stand beside them. They look for patterns
where the house's own reader takes an answer in the asked form alone; thoughts are not cut off, nothing is asked again.
COMMA's engine has its own way with the lines of a message (`comma`).
"""

from __future__ import annotations

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


VS_BENCH = PaperReader(tuple(vs_bench.GAMES), vs_bench.read_move, vs_bench.asks)
LVLM_PLAYGROUND = PaperReader(tuple(lvlm_playground.GAMES), lvlm_playground.read_move, lvlm_playground.asks)


def reader_of(game: str, where: str) -> PaperReader:
    """The reader of the paper that a game comes from. TicTacToe, which two have, is LVLM-Playground's."""
    for reader in (LVLM_PLAYGROUND, VS_BENCH):
        if game in reader.games:
            return reader
    raise MmgamesError(f"{where}: no paper's reader of its replies is known; leave reading='released' out.")
