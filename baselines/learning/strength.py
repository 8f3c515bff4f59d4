"""How strong a policy is while it learns: exactly where that can be had, else in matches, with intervals.

A return of training is earned beside copies of the policy, and in games of one against another it stays at 0. So now
and then the policy plays a fixed anchor, in each seat as often, and itself as it was at the start.
"""

import time
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from mmgames.agents.base import AgentLike
from mmgames.agents.finding import find_agent
from mmgames.baselines.search.exploitability import exploitability, policy_of
from mmgames.core import registry
from mmgames.running.matches import match
from mmgames.running.statistics import mean_and_error, student_interval

EPISODES, AT_ONCE, SECONDS = 400, 5, 2.0
"""A measurement plays so many episodes, over all seats, and begins none of the next few after so many seconds."""
SHARE = 0.05  # measuring may take this share of a run's time; that at its end comes on top


class Strength:
    """Measures an agent in `seats` (none: all), on the same deals each time."""

    def __init__(
        self, game_id: str, options: Mapping[str, Any] | None = None, anchor: str = "random", seats: Sequence[int] = ()
    ) -> None:
        self.options = options or {}
        self.game_id, self.anchor, self.game = game_id, anchor, registry.load(game_id).game(**self.options)
        find_agent(anchor, self.game.spec)  # a name that nobody has is said before the run begins
        self.team = self.game.spec.utility == "identical" or len(self.game.seats) == 1
        self.tried = [0] if self.team else seats or range(len(self.game.seats))
        self.began, self.spent = time.perf_counter(), 0.0

    @cached_property
    def exact(self) -> bool:
        spec = self.game.spec
        small = spec.chance == "explicit" and spec.utility == "zero_sum" and len(self.game.seats) == 2
        return small and spec.namespace == "mmgames"

    def due(self, elapsed: float) -> bool:
        """Whether there is time for a measurement, so many seconds after the beginning."""
        return self.spent <= SHARE * elapsed

    def measure(self, now: str | AgentLike, start: str | AgentLike | None) -> dict[str, float]:
        """Columns for the log."""
        begun = time.perf_counter()
        found = self._row("strength", self._returns(now, self.anchor))
        if self.exact and isinstance(now, str):  # what is in a file tells how likely its moves are
            both = (find_agent(now, self.game.spec), find_agent(now, self.game.spec))
            found["exploitability"] = exploitability(self.game, policy_of(both, self.game, 1, np.random.default_rng(0)))
        elif self.game.spec.utility == "zero_sum" and start is not None:
            found |= self._row("over_start", self._returns(now, start))
        self.spent += time.perf_counter() - begun
        return found

    def follow(self, trainer: Any, **options: Any) -> str:
        """How strong the model of a language trainer is now, in words and in its log: beside the anchor and against the
        reference, if it has one. Nothing, if measuring has taken its share of the time."""
        if not self.due(time.perf_counter() - self.began):
            return ""
        reference = None if trainer.reference is None else trainer.reference_player(**options)
        found = self.measure(trainer.player(**options), reference)
        trainer.tell(found)
        trainer.save_log()
        return self.told(found)

    def _returns(self, one: str | AgentLike, other: str | AgentLike) -> np.ndarray:
        """What the agent collects: in one seat after another beside the other, or a team of it in all seats."""
        places = range(len(self.game.seats))
        begun, collected = time.perf_counter(), list[float]()
        for first in range(0, EPISODES // len(self.tried), AT_ONCE):
            for seat in self.tried:
                agents = [one if self.team or place == seat else other for place in places]
                seeds = [first + number for number in range(AT_ONCE)]
                played = match(self.game_id, agents, AT_ONCE, seeds, on_illegal="retry_random", **self.options)
                collected += [row["returns"][seat] for row in played.episodes if not row["failed"]]
            if time.perf_counter() - begun > SECONDS:
                break
        return np.array(collected)

    @staticmethod
    def _row(name: str, returns: np.ndarray) -> dict[str, float]:
        measured = mean_and_error(returns)
        if measured["standard_error"] is None:
            return {}
        low, high = student_interval(measured, len(returns))
        return {name: measured["mean"], f"{name}_low": low, f"{name}_high": high}

    def told(self, row: Mapping[str, float]) -> str:
        """A measurement in words, for a line of progress."""
        names = {"strength": f"beside {self.anchor}", "over_start": "against its start"}
        if self.team:
            names["strength"] = "in an episode"
        said = [
            f"{what} {row[name]:.2f} ({row[f'{name}_low']:.2f} to {row[f'{name}_high']:.2f})"
            for name, what in names.items()
            if name in row
        ]
        if "exploitability" in row:
            said.append(f"exploitability {row['exploitability']:.3f}")
        return ", ".join(said)
