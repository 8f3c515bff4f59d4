"""The course of a game on the page: its positions so far, what led to each, and where a move can be taken back to."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mmgames.core.game import Seat
from mmgames.core.live import LiveGame
from mmgames.play.position_json import called, in_words, known_movers, picture_of

KEPT = 1000  # positions that can be looked at again
LONGEST_NAME = 80

Deeds = list[dict[str, str]]


@dataclass
class Position:
    state: Any
    movers: tuple[Seat, ...]
    drawn: str
    """The state of the generator that settles chances: the same as long as nothing is drawn."""
    deeds: dict[Seat, Deeds] = field(default_factory=dict)
    """What led here, as far as each seat may know it."""


class Course:
    """Written in the game's own thread, read in others."""

    def __init__(self) -> None:
        self.step = -1
        self._positions: dict[int, Position] = {}
        self._deeds: dict[Seat, list[Deeds]] = {}

    def see(self, live: LiveGame, actions: Sequence[Sequence[Any]], seats: Sequence[Seat]) -> None:
        """A new position after these actions; if they are fewer than before, moves were taken back."""
        step = len(actions)
        before = self._positions.get(step - 1)
        drawn = "" if live.rng is None or not live.game.draws else repr(live.rng.bit_generator.state)
        found = Position(live.state, live.movers, drawn)
        for seat in seats:
            deeds = [] if before is None else _deeds(live, before, actions[-1], seat)
            found.deeds[seat] = deeds
            self._deeds[seat] = [*self._deeds.get(seat, [])[:step], deeds]
        self.step = step
        positions = {number: one for number, one in self._positions.items() if step - KEPT < number < step}
        self._positions = {**positions, step: found}

    def forget_states(self) -> None:
        """The game is over: its replay has the positions, and here only what was done stays."""
        self._positions = {}

    def deeds(self, seat: Seat) -> Deeds:
        """What has just been done, as far as a seat may know it."""
        return self._deeds[seat][-1]

    def all_deeds(self, seat: Seat) -> list[Deeds]:
        """What led to each position from the start on; nothing led to the first."""
        return list(self._deeds.get(seat, ()))

    def back(self, live: LiveGame, seat: Seat) -> tuple[int, Any] | None:
        """The step and the state in which a seat last chose, if it has learned nothing since that it could not know.

        That is so where nothing is hidden, nothing was drawn since, and nothing was settled ahead.
        """
        now = self._positions[self.step]
        if live.game.spec.information != "perfect" or seat not in now.movers:
            return None
        earlier = [step for step, one in self._positions.items() if step < self.step and seat in one.movers]
        if not earlier:
            return None
        then = self._positions[max(earlier)]
        if then.drawn != now.drawn or live.game.redeal(then.state, np.random.default_rng(0)) != then.state:
            return None
        return max(earlier), then.state

    def shown(self, live: LiveGame, seat: Seat, step: int) -> dict[str, Any] | None:
        """An earlier position as a seat saw it, or None where it is not kept."""
        found = self._positions.get(step)
        if found is None:
            return None
        view = live.game.view(found.state, seat)
        return {"step": step, **picture_of(live.loaded, view), "words": in_words(live.loaded, live.game, view)["words"]}


def _deeds(live: LiveGame, before: Position, actions: Sequence[Any], viewer: Seat) -> Deeds:
    """Who did what: everything where nothing is hidden, else one's own, and of others only who was known to move."""
    game, words = live.game, live.loaded.words
    open_ = game.spec.information == "perfect"
    known = known_movers(game, before.movers, frozenset(game.absent(before.state)))
    told = []
    for seat, action in enumerate(actions):
        if action is None or (seat != viewer and seat not in known):
            continue
        name = ""
        if open_ or seat == viewer:
            discrete = game.spec.actions == "discrete"  # else the action is a text or numbers, told as it is
            name = words.plain_names(game.view(before.state, seat)).get(action, "") if discrete else str(action)
        name = " ".join(name.split())
        short = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
        told.append({"role": called(live.loaded, game)[game.seats[seat]], "name": short})
    return told
