"""The games of an arena: which they are, who plays them, and their records."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from mmgames.agents.base import Agent, CallJournal
from mmgames.agents.finding import make_agent
from mmgames.agents.identity import fresh_agent, split_name
from mmgames.arena.ratings import Ratings
from mmgames.arena.seating import Seating
from mmgames.core import registry
from mmgames.errors import MmgamesError
from mmgames.running.clocks import Clock
from mmgames.running.episodes import EpisodePlayer, EpisodeRecord, MatchPlan, OnIllegal, make_plan, unplayed
from mmgames.running.journal import Journal
from mmgames.running.processes import Workers
from mmgames.running.ray_cluster import Cluster
from mmgames.running.resumable import ResultRow, make_rows_elsewhere, make_rows_here
from mmgames.text.replies import Reading

BETWEEN_SEATS = "|"
"""Stands between the agents of somebody who has another one for each seat."""


@dataclass(frozen=True)
class Entrant:
    """Somebody to be rated: an agent for all seats, or one for each (`"scripted_solver|scripted_expert"`)."""

    name: str
    agents: tuple[str, ...]

    def agent(self, seat: int) -> str:
        return self.agents[seat % len(self.agents)]


def entrant(written: str) -> Entrant:
    """From what a user writes; `as=NAME` is what the tables call it. The bars of a pool are its own."""
    whole = written.strip().startswith("pool:")
    parts = [written.strip()] if whole else [part.strip() for part in written.split(BETWEEN_SEATS)]
    if not all(parts):
        raise MmgamesError(f"Agent {written!r}: a name is missing beside {BETWEEN_SEATS!r}.")
    names = [split_name(part) for part in parts]
    given = [name for _, name in names if name]
    return Entrant(given[-1] if given else BETWEEN_SEATS.join(plain for plain, _ in names), tuple(p for p, _ in names))


class Fixture(NamedTuple):
    """A game to be played: its number in the arena, the deal, and who sits where."""

    number: int
    game: int
    options: tuple[tuple[str, Any], ...]
    seats: tuple[int, ...]
    seed: int
    meeting: int
    deal: int


@dataclass(frozen=True)
class Rules:
    """What all games of an arena have in common; enough to play any of them in any process."""

    seatings: tuple[Seating, ...]
    entrants: tuple[Entrant, ...]
    on_illegal: OnIllegal
    max_steps: int | None
    reading: Reading
    clock: Clock | None = None

    def plan(self, fixture: Fixture) -> MatchPlan:
        id = self.seatings[fixture.game].id
        agents = [self.entrants[who].agent(seat) for seat, who in enumerate(fixture.seats)]
        how = self.max_steps, self.reading, self.clock
        return make_plan(id, agents, (fixture.seed,), self.on_illegal, dict(fixture.options), *how)

    def as_row(self, fixture: Fixture, record: EpisodeRecord) -> ResultRow:
        """The record, under the names that the arena has for its guests, with what ties games together."""
        own = {"episode": fixture.number, "agents": [self.entrants[who].name for who in fixture.seats]}
        return EpisodeRecord({**record, **own, "meeting": fixture.meeting, "deal": fixture.deal})


@dataclass
class GamePlayer:
    """Plays one fixture after the other, with agents of its own that it makes once for every seat."""

    rules: Rules
    journal: CallJournal | None = None
    like: GamePlayer | None = None
    """Another one, whose agents make those of this one, as far as they can: they share a client that way."""
    _players: dict[tuple[int, Any], EpisodePlayer] = field(default_factory=dict)
    _agents: dict[tuple[int, int, int], Agent] = field(default_factory=dict)

    def agent(self, game: int, who: int, seat: int) -> Agent:
        key = game, who, seat
        if key not in self._agents:
            first = None if self.like is None else self.like.agent(*key)
            if first is not None and first.makes_fresh_ones:
                self._agents[key] = fresh_agent(first)
            else:
                found = registry.load(self.rules.seatings[game].id).game(**dict(self.rules.seatings[game].options))
                self._agents[key] = make_agent(self.rules.entrants[who].agent(seat), found.spec)
        return self._agents[key]

    def __call__(self, fixture: Fixture) -> ResultRow:
        plan = self.rules.plan(fixture)
        agents = [self.agent(fixture.game, who, seat) for seat, who in enumerate(fixture.seats)]
        key = fixture.game, fixture.options
        if key not in self._players:
            self._players[key] = EpisodePlayer(plan, self.journal, agents)
        player = self._players[key]
        player.journal = self.journal
        player.seat(plan, agents)
        return self.rules.as_row(fixture, player.play(fixture.number, seed=fixture.seed))

    def close(self) -> None:
        for player in self._players.values():
            player.live.game.close()
        for agent in self._agents.values():
            agent.close()


def play_fixtures(
    player: GamePlayer, fixtures: Sequence[Fixture], processes: Workers, journal: Journal | None, concurrency: int
) -> Iterator[ResultRow]:
    """The records of these games, each as soon as it ends. `player` plays in this process, and stays open."""
    rules = player.rules
    if not isinstance(processes, Cluster) and (processes == 1 or len(fixtures) < 2):
        player.journal = journal
        return make_rows_here(fixtures, _Guest(player), partial(GamePlayer, rules, journal, player), concurrency)

    def died(fixture: Fixture) -> ResultRow:
        why = "the process that played it died (a crash, no memory, or it was killed)."
        return rules.as_row(fixture, unplayed(rules.plan(fixture), 0, why))

    together = concurrency if journal is not None or concurrency > 1 else None
    return make_rows_elsewhere(fixtures, partial(GamePlayer, rules), processes, journal, together, died)


class _Guest:
    """A player that is not closed when a round is over, as the next one needs it again."""

    def __init__(self, player: GamePlayer) -> None:
        self.play = player

    def __call__(self, fixture: Fixture) -> ResultRow:
        return self.play(fixture)

    def close(self) -> None:
        pass


Schedule = Literal["adaptive", "round-robin"]
SCHEDULES = get_args(Schedule)

Pair = tuple[int, int]
AGAIN = 8
"""Strengths are fitted again when there are so many times fewer new games than old ones: planning costs little then."""


def next_fit(games: int) -> int:
    """At how many games strengths are fitted again, if they were at so many."""
    return games + max(1, games // AGAIN)


def adaptive_pairs(
    ratings: Ratings, met: np.ndarray, most: int, allowed: Collection[int], round_number: int
) -> list[Pair]:
    """A round by turns of pairs whose order is in doubt, and of those who have met least.

    The latter tie together what is far apart: asking about neighbours alone leaves intervals that are too narrow.
    """
    if round_number % 2:
        return doubtful_pairs(ratings, met, most, allowed)
    return fair_pairs(met, most, allowed)


def doubtful_pairs(ratings: Ratings, met: np.ndarray, most: int, allowed: Collection[int]) -> list[Pair]:
    """A round of at most `most` pairs in which nobody is twice: those about whose order a game tells most.

    That is how likely their order is not what it seems, times the share of its doubt that one more game takes away.
    Where nothing is known all are alike, and those go first who have met least. `met[one, other]` is how often they
    have. One of each pair is among those `allowed`.
    """
    value = ratings.worth_asking
    pairs = _pairs(len(ratings.names), allowed)
    ranked = sorted(pairs, key=lambda pair: (-round(float(value[pair]), 9), int(met[pair]), pair))
    return _nobody_twice(ranked, most)


def fair_pairs(met: np.ndarray, most: int, allowed: Collection[int], alone: bool = False) -> list[Pair]:
    """A round of at most `most` pairs in which nobody is twice: those who have met least; `alone`: themselves too."""
    count = len(met)
    pairs = _pairs(count, allowed) + ([(one, one) for one in sorted(allowed)] if alone else [])
    least = min((int(met[pair]) for pair in pairs), default=0)
    waiting = [pair for pair in pairs if met[pair] == least]  # the others wait, even if they are free
    return _nobody_twice(sorted(waiting, key=lambda pair: ((pair[1] - pair[0]) % count, pair)), most)


def _pairs(count: int, allowed: Collection[int]) -> list[Pair]:
    return [
        (one, other) for one in range(count) for other in range(one + 1, count) if one in allowed or other in allowed
    ]


def _nobody_twice(ranked: list[Pair], most: int) -> list[Pair]:
    chosen: list[Pair] = []
    busy: set[int] = set()
    for pair in ranked:
        if len(chosen) == most:
            break
        if busy.isdisjoint(pair):
            chosen.append(pair)
            busy.update(pair)
    return chosen
