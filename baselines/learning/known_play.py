"""Episodes that known agents play, turn by turn: what each of them says where a model that learns from it is asked."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from mmgames.agents.players import Players
from mmgames.core.live import LiveGame
from mmgames.core.observation import Observer
from mmgames.core.seeding import agent_streams
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError
from mmgames.text.refusals import Illegal


def known_turns(
    live: LiveGame, players: Players, observer: Observer, rng: np.random.Generator, astray: float = 0.0
) -> Iterator[tuple[Turn, Any]]:
    """Each turn of one episode and what its player does there; `observer` makes what the turn shows.

    With the probability `astray` a random move is played in its place, so that positions are met that good play avoids.
    """
    streams = agent_streams(rng, len(live.game.seats))
    wanders = np.random.default_rng(streams[0].integers(2**62)) if astray else None
    players.begin(live)
    live.start(rng)
    while live.movers:
        moves = {}
        for seat in live.movers:
            turn = Turn(live, seat, streams[seat], observer)
            said = players.agents[seat].act(turn)
            yield turn, said
            moves[seat] = live.move_of(seat, said)
            if isinstance(moves[seat], Illegal):
                raise MmgamesError(f"{live.game.spec.id}: {turn.role} said what is no move: {moves[seat].reason}")
            if wanders is not None and wanders.random() < astray:
                moves[seat] = live.move_of(seat, live.sample(seat, wanders))
        live.play(moves)
