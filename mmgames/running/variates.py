"""Control variates: means of returns from which known luck is taken out, so that fewer episodes say as much.

A game's `outcome.signals` names a function `signals(game, agents)` that makes another one: numbers that say how well a
state promises to go, such as what it is worth to each seat. They must not look at what is settled ahead and can still
be dealt anew (`Game.redeal`). Wherever something is drawn, by chance or by an agent that tells its probabilities, the
luck is what a signal comes to, less what it comes to on average over what could have been drawn. Averages are exact
where the game enumerates its chances, and otherwise over a few draws of their own. Either way luck is 0 on average,
whatever the signals are, so any multiple of it can be taken from a return: the multiples are fitted to other episodes
than the one that they are used for. In the spirit of AIVAT (N. Burch et al., 2018).
"""

import importlib
import itertools
import json
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from mmgames.agents.base import Agent
from mmgames.agents.finding import make_agents
from mmgames.core import registry
from mmgames.core.game import CHANCE, Action, Game, Seat
from mmgames.core.live import LiveGame
from mmgames.core.seeding import row_stream
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError
from mmgames.running.replays import replay
from mmgames.running.statistics import cluster_numbers

DRAWS = 16
"""So many things that could have been drawn stand for all of them, where they are not enumerated."""
MOST_WAYS = 64
"""So many joint actions are looked at in a turn; agents beyond that count as if they did not tell."""
FOLDS, ENOUGH = 10, 3
"""Multiples are fitted to all folds but one, if these hold at least so many deals for each multiple."""

Signals = Callable[[Any], Any]


def signals_of(game: Game[Any, Any], agents: Sequence[Agent]) -> Signals | None:
    """What tells how lucky a state of a game between these agents is; None where the game does not say."""
    module, _, name = game.spec.outcome.signals.partition(":")
    if not module:
        return None
    made: Signals | None = getattr(importlib.import_module(module), name)(game, agents)
    return made


class Luck:
    """How lucky episodes of a game between these agents were, from their records."""

    def __init__(self, id: str, agents: Sequence[Any], options: Mapping[str, Any]) -> None:
        self.loaded = registry.load(id)
        self.game = self.loaded.game(**options)
        self.agents = make_agents(agents, self.game.spec)
        for seat, agent in enumerate(self.agents):
            agent.begin(self.game, seat)
        self.signals = signals_of(self.game, self.agents)

    def __call__(self, record: Mapping[str, Any]) -> np.ndarray:
        """The luck of an episode: that of chance, signal by signal, then that of the agents who tell."""
        assert self.signals is not None
        live = FollowedGame(self.loaded, self.game, self.signals, self.agents)
        for seat, agent in enumerate(self.agents):
            agent.begin(self.game, seat)
        for _ in replay(record, live=live):
            pass
        return np.concatenate((live.chance_luck, live.own_luck))

    def close(self) -> None:
        for agent in self.agents:
            agent.close()
        self.game.close()


class FollowedGame(LiveGame):
    """An episode that is played again, and adds up how lucky everything in it was."""

    def __init__(self, loaded: Any, game: Game[Any, Any], signals: Signals, agents: Sequence[Agent]) -> None:
        super().__init__(loaded, game)
        self._signals, self._agents = signals, agents
        self._incidental = game.draws and game.spec.chance == "incidental"
        self.chance_luck: Any = 0.0
        self.own_luck: Any = 0.0

    def start(self, rng: np.random.Generator | None) -> None:
        state = 0 if rng is None else rng.bit_generator.state["state"]["state"]
        self._own = np.random.default_rng(row_stream(int(state), "variates"))
        self.chance_luck, self.own_luck = 0.0, 0.0
        super().start(rng)
        zero = 0.0 * self._told(self.state)
        self.chance_luck, self.own_luck = self.chance_luck + zero, self.own_luck + zero
        if self._incidental and not self.game.starts:
            others = [self._told(self.game.start(self._own)) for _ in range(DRAWS)]
            self.chance_luck += self._told(self.state) - np.mean(others, axis=0)

    def _told(self, state: Any) -> np.ndarray:
        return np.asarray(self._signals(state), float)

    def _chance(self, state: Any) -> Any:
        came = super()._chance(state)
        expected = sum(
            share * self._told(self.game.play(state, {CHANCE: outcome}, self._own))
            for outcome, share in self.game.chance(state)
        )
        self.chance_luck += self._told(came) - expected
        return came

    def play(self, moves: Mapping[Seat, Action]) -> Sequence[float]:
        ways = self._ways(moves)
        if not self._incidental and len(ways) == 1:
            return super().play(moves)
        expected, came = self._expected(ways)
        self.own_luck += came - expected
        rewards = super().play(moves)
        if self._incidental:
            self.chance_luck += self._told(self.state) - came
        return rewards

    def _ways(self, moves: Mapping[Seat, Action]) -> list[tuple[float, Mapping[Seat, Action]]]:
        """What could have been done instead, as far as agents tell, and how likely that was; first what was done."""
        found: list[tuple[float, dict[Seat, Action]]] = [(1.0, {})]
        for seat, move in moves.items():
            told = {move: 1.0}
            if self._agents[seat].tells_probabilities:
                told = dict(self._agents[seat].probabilities(Turn(self, seat, self._own)))
                if told.get(move, 0.0) <= 0:
                    who = self._agents[seat].class_name
                    raise MmgamesError(f"{who} says that it never plays what {self.game.seats[seat]} has played.")
                told = {move: told[move], **{action: share for action, share in told.items() if share > 0}}
            if len(found) * len(told) > MOST_WAYS:
                told = {move: 1.0}
            found = [
                (share * own, {**others, seat: action})
                for (share, others), (action, own) in itertools.product(found, told.items())
            ]
        return found  # type: ignore[return-value]

    def _expected(self, ways: Sequence[tuple[float, Mapping[Seat, Action]]]) -> tuple[np.ndarray, np.ndarray]:
        """What the signals come to on average, over all ways and over what was done, with the same draws for all."""
        own, sums = self._own.bit_generator, []
        for _ in range(DRAWS if self._incidental else 1):
            before, stands = self.game.redeal(self.state, self._own), own.state
            told = []
            for _, moves in ways:
                own.state = stands
                told.append(self._told(self.game.play(before, moves, self._own)))
            sums.append((np.array([share for share, _ in ways]) @ told, told[0]))
        expected, came = np.mean(sums, axis=0)
        return expected, came


def luck_of(rows: Sequence[Mapping[str, Any]], agents: Sequence[Any]) -> np.ndarray | None:
    """How lucky episodes of one game between the same agents were [episode, luck]; None where the game does not say."""
    luck = Luck(rows[0]["game"], agents, rows[0]["options"])
    try:
        return None if luck.signals is None else np.array([luck(row) for row in rows])
    finally:
        luck.close()


def without_luck(rows: Iterable[Mapping[str, Any]], agent: Callable[[str, Seat], Any]) -> list[dict[str, Any]] | None:
    """The records of episodes with returns from which luck is taken out; None where no game says what luck is.

    `agent` says who was in a seat under a name of the records. Episodes count together that have the same agents in the
    same seats, and where these are too few, or have failed, their records stay as they are.
    """
    groups: dict[tuple[str, ...], list[Mapping[str, Any]]] = {}
    rows = list(rows)
    for row in rows:
        if row["returns"] is not None:
            alike = row["game"], json.dumps(row["options"], sort_keys=True), *row["agents"]
            groups.setdefault(alike, []).append(row)
    found: dict[int, list[float]] = {}
    for group in groups.values():
        known = luck_of(group, [agent(name, seat) for seat, name in enumerate(group[0]["agents"])])
        if known is None:
            continue
        returns = np.array([row["returns"] for row in group], float)
        left = adjusted(returns, known, [row.get("meeting", row["episode"]) for row in group])
        if left is not None:
            found |= {id(row): own.tolist() for row, own in zip(group, left, strict=True)}
    return [{**row, "returns": found.get(id(row), row["returns"])} for row in rows] if found else None


def adjusted(values: np.ndarray, luck: np.ndarray, clusters: Sequence[Hashable]) -> np.ndarray | None:
    """Values [episode, seat] less the multiples of luck that explain most of how other episodes differ.

    None where there are too few episodes to say. Those of one cluster are never fitted to each other.
    """
    luck = luck[:, np.ptp(luck, axis=0) > 1e-12]
    numbers = np.array(cluster_numbers(clusters))
    if not luck.shape[1] or (numbers.max() + 1) * (1 - 1 / FOLDS) < max(FOLDS, ENOUGH * luck.shape[1]):
        return None
    scaled, left = luck / luck.std(axis=0), values.copy()
    for number in range(FOLDS):
        own = numbers % FOLDS == number
        given = scaled[~own] - scaled[~own].mean(axis=0)
        square = given.T @ given + np.eye(given.shape[1])
        left[own] -= scaled[own] @ np.linalg.solve(square, given.T @ values[~own])
    return left
