"""A game in three pictures: how it starts, a move, and an end, from an episode that agents really play.

They are made when somebody first asks for them, and then kept.
"""

import threading
from functools import lru_cache
from typing import Any, NamedTuple

from mmgames.agents.chat_messages import data_url
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.core.spec import GameSpec
from mmgames.errors import MissingExtra, MmgamesError
from mmgames.running.endings import ending_of
from mmgames.running.episodes import EpisodePlayer, make_plan

SIZE, SEED, KEPT = 320, 5, 64
LONGEST = 160  # characters of what somebody says
TRIED = 8  # moves that are looked at for one that shows

_playing = threading.Lock()


class Moment(NamedTuple):
    """A position, and who did what in the one before."""

    state: Any
    deeds: tuple[tuple[str, str], ...] = ()


@lru_cache(maxsize=KEPT)
def pictures(id: str) -> tuple[dict[str, str], ...]:
    """Start, a typical move and the end: each a picture as a spectator sees it, and a sentence about it."""
    spec = registry.find(id)
    with _playing:  # one after the other: each takes a core for about a second
        try:
            return _shown(spec, [spec.quick_for(seat) for seat in range(len(spec.seats))])
        except (MmgamesError, MissingExtra):  # an agent that is not installed here
            return _shown(spec, ["random"] * len(spec.seats))


def _shown(spec: GameSpec, agents: list[str]) -> tuple[dict[str, str], ...]:
    player = EpisodePlayer(make_plan(spec.id, agents, SEED, "retry_random", registry.options_here(spec)))
    moments: list[Moment] = []

    def watch(live: LiveGame) -> None:
        moments.append(Moment(live.state, _deeds(live, moments[-1].state, player.actions[-1]) if moments else ()))

    try:
        record = player.play(0, watch, SEED)
        if record["failed"]:
            raise MmgamesError(record["failed"])
        live = player.live
        move = _typical(live, moments)
        first, second, last = (_picture(live, moment.state) for moment in (moments[0], move, moments[-1]))
        return (
            {"picture": first, "alt": "the start", "sentence": _sentence(f"The start: {spec.summary}")},
            {"picture": second, "alt": "after a move", "sentence": _sentence(f"A move: {_told(live, move)}")},
            {"picture": last, "alt": "the end", "sentence": f"The end: {ending_of(live, record).headline}"},
        )
    finally:
        player.close()


def _picture(live: LiveGame, state: Any) -> str:
    return data_url(live.loaded.picture.draw(live.game.view(state, None), SIZE))


def _typical(live: LiveGame, moments: list[Moment]) -> Moment:
    """A position in the middle whose last move shows in the picture, if there is one near by."""
    middle = max(1, (len(moments) - 1) // 2)
    steps = sorted(range(1, len(moments) - 1), key=lambda step: (abs(step - middle), step))
    for step in steps[:TRIED]:
        before, after = moments[step - 1], moments[step]
        if any(name for _, name in after.deeds) and _picture(live, before.state) != _picture(live, after.state):
            return after
    return moments[middle if len(moments) > 1 else 0]


def _deeds(live: LiveGame, before: Any, actions: list[Any]) -> tuple[tuple[str, str], ...]:
    game, found, absent = live.game, [], set(live.game.absent(before))
    for seat, action in enumerate(actions):
        if action is None or seat in absent:
            continue
        name = action if isinstance(action, str) else ""
        if game.spec.actions == "discrete":
            names = live.loaded.words.names(game.view(before, seat))
            name = names.get(action, "") if len(names) > 1 else ""  # what was forced is no typical move
        name = " ".join(name.split())
        found.append((game.seats[seat], name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"))
    return tuple(found)


def _told(live: LiveGame, moment: Moment) -> str:
    """What was done."""
    says = live.game.spec.actions == "text"
    told = [
        (f"{role} says “{name}”" if says else f"{role} plays {name}") if name else f"{role} moves"
        for role, name in moment.deeds
    ]
    return ", ".join(told) or "something happens"


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?", ".”", "!”", "?”")) else f"{text}."
