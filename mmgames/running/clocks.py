"""Clocks: how long a seat has for its answers. An answer that comes later is a missed move.

A missed move is a refusal of the kind "too late", and what follows is what follows every other refusal (`on_illegal`),
but for one thing: who has no time left is not asked again. Nobody is interrupted. An answer is waited for, the seconds
that it took are kept before they are looked at, and from then on only the kept ones count.
"""

import math
import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from mmgames.agents.retries import paused_seconds
from mmgames.core.game import Seat
from mmgames.errors import MmgamesError
from mmgames.text.refusals import Illegal

LONGEST = 86_400.0  # seconds
_WRITTEN = re.compile(r"(\d+(?:\.\d+)?)(?:\+(\d+(?:\.\d+)?))?")


def now() -> float:
    """Seconds since some moment."""
    return time.perf_counter()


@dataclass(frozen=True)
class Clock:
    """With a `bank`, a seat has so many seconds for the whole episode and `each` more after every turn of its own;
    without one it has `each` seconds for a turn, and what it does not need is lost."""

    each: float
    bank: float | None = None

    def __str__(self) -> str:
        return f"{self.each:g}" if self.bank is None else f"{self.bank:g}+{self.each:g}"

    @property
    def first(self) -> float:
        """What a seat has for its first turn."""
        return self.each if self.bank is None else self.bank

    def after(self, left: float) -> float:
        """What a seat has for its next turn if so much of this one was left."""
        return self.each if self.bank is None else round(max(left, 0.0) + self.each, 4)


def read_clock(given: Any) -> Clock | None:
    """A clock as users write it: 10 or "10" seconds for every turn, "300+5" for an episode; None is no clock."""
    if given is None or isinstance(given, Clock):
        return given
    written = f"{given:f}" if isinstance(given, float) and math.isfinite(given) else str(given).strip()
    found = None if isinstance(given, bool) else _WRITTEN.fullmatch(written)
    clock = None
    if found is not None:
        first, more = float(found[1]), found[2]
        clock = Clock(first) if more is None else Clock(float(more), first)
    if clock is None or not 0 < clock.first <= LONGEST or clock.each > LONGEST:
        raise MmgamesError(
            f"clock={given!r} is no clock; write the seconds of a turn (10), or those of an episode and what each turn "
            "adds to them (300+5), a day at most."
        )
    return clock


class SeatClocks:
    """What every seat has left in one episode. Without a clock nobody runs out of anything."""

    def __init__(
        self, clock: Clock | None, seats: int, keep: Callable[[Seat, int, float], float] | None = None
    ) -> None:
        """`keep(seat, number, seconds)` keeps what a seat's answer of this number took, and says what counts: that, or
        what was kept in an earlier run."""
        self.clock = clock
        self.left = [math.inf if clock is None else clock.first] * seats
        self.asked_at: list[float | None] = [None] * seats
        """When those were asked who are still to answer."""
        self._keep = keep
        self._answers = [0] * seats

    def ask(self, seat: Seat, question: Callable[[], Any]) -> tuple[Any, float]:
        """The answer to a question, and the seconds that count for it."""
        begun = self.asked_at[seat] = now()
        paused = paused_seconds()
        try:
            said = question()
        finally:
            self.asked_at[seat] = None
        seconds = max(0.0, round(now() - begun - (paused_seconds() - paused), 4))
        if self.clock is None:
            return said, seconds
        if self._keep is not None:
            seconds = self._keep(seat, self._answers[seat], seconds)
        self._answers[seat] += 1
        return said, seconds

    def late(self, seat: Seat, seconds: float, raw: Any) -> Illegal | None:
        """Count the seconds of an answer; why it is no move any more, if it came late."""
        if self.clock is None:
            return None
        left = self.left[seat]
        self.left[seat] = round(left - seconds, 4)
        if seconds <= left:
            return None
        said = raw if isinstance(raw, str) else repr(raw)
        return Illegal("too late", f"it took {seconds:g} s, and there were {left:g}.", said)

    def none_left(self, seat: Seat) -> Illegal | None:
        """Why a seat need not be asked."""
        return None if self.left[seat] > 0 else Illegal("too late", "there was no time left to ask.", "")

    def end_turn(self, seat: Seat) -> None:
        if self.clock is not None:
            self.left[seat] = self.clock.after(self.left[seat])


def late_answers(clock: Clock, latencies: Iterable[Sequence[Any]], seats: int) -> list[int]:
    """How many answers of each seat were late, by the clock and the latencies of a record alone."""
    clocks, late = SeatClocks(clock, seats), [0] * seats
    turn: dict[Seat, int] = {}
    for step, seat, seconds in latencies:
        if turn.setdefault(seat, step) != step:
            clocks.end_turn(seat)
            turn[seat] = step
        late[seat] += (clocks.none_left(seat) or clocks.late(seat, seconds, "")) is not None
    return late
