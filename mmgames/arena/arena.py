"""Arena: agents meet in one or several games, and who meets next is decided by what is known so far.

A round is planned from all results before it and written down before it is played, so an arena that was killed goes on
with the same games. A game depends only on its deal and on who sits where.
"""

import itertools
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from mmgames.arena import outcomes
from mmgames.arena.meetings import (
    SCHEDULES,
    Entrant,
    Fixture,
    GamePlayer,
    Pair,
    Rules,
    Schedule,
    adaptive_pairs,
    entrant,
    fair_pairs,
    next_fit,
    play_fixtures,
)
from mmgames.arena.ratings import Comparison, Ratings, fit
from mmgames.arena.seating import Seating, seating
from mmgames.core import registry
from mmgames.core.seeding import RunSeed
from mmgames.errors import MmgamesError
from mmgames.running import records
from mmgames.running.clocks import Clock, read_clock
from mmgames.running.episodes import ON_ILLEGAL, OnIllegal, check_clock, check_counts, episode_seed, seed_as_recorded
from mmgames.running.journal import Budget, Journal, is_offline
from mmgames.running.processes import Workers, stdout_for_results
from mmgames.running.ray_cluster import Cluster
from mmgames.running.records import Records
from mmgames.running.resumable import ResultRow, ResumableWork
from mmgames.running.variates import without_luck
from mmgames.text.replies import Reading, check_reading, said_reading
from mmgames.version import __version__

GAMES, ROUNDS = "games.jsonl", "rounds.jsonl"
"""The files of an arena's folder: the records of its games, and who was to meet whom."""
AT_ONCE = 64
"""Rounds that are known ahead are played together until each process has so many games: to start one takes time."""


@dataclass(frozen=True)
class ArenaResult:
    """The games of one or several arenas, and who was in them."""

    seatings: tuple[Seating, ...]
    names: tuple[str, ...]
    rows: list[ResultRow]
    agents: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Of everybody the agents that play for it: one for all seats, or one for each."""

    @property
    def failed(self) -> list[ResultRow]:
        return [row for row in self.rows if row["failed"]]

    def ratings(self, id: str | None = None, by_role: bool = False) -> Ratings:
        """Of one game, or of all together; team games have none."""
        rows = [row for row in self.rows if id is None or row["game"] == id]
        compared = outcomes.comparisons(rows, self.seatings, by_role)
        return fit(compared, () if by_role else self.names, outcomes.role if by_role else None)

    def matrix(self, id: str) -> tuple[np.ndarray, np.ndarray]:
        return outcomes.matrix(self.rows, id, self.names)

    def without_luck(self, id: str) -> tuple[np.ndarray, np.ndarray] | None:
        """The same with returns from which luck is taken out (see `running/variates.py`); None where none is known."""
        own = [row for row in self.rows if row["game"] == id]
        rows = without_luck(own, lambda name, seat: self.agents[name][seat % len(self.agents[name])])
        return None if rows is None else outcomes.matrix(rows, id, self.names)


@dataclass(frozen=True)
class Settings:
    """How an arena is played; an arena that goes on has the same ones."""

    schedule: Schedule = "adaptive"
    """Who meets next: those about whose order a game tells most, or ("round-robin") everybody everybody as often."""
    seed: RunSeed = 0
    on_illegal: OnIllegal = "retry"
    max_steps: int | None = None
    reading: Reading = "paragraph"
    options: Mapping[str, Any] = field(default_factory=dict)
    """Options of the games, set in all of them."""
    clock: Clock | float | str | None = None
    """As in `match`: 10 seconds for a turn, or "300+5" for a game; a late answer is a missed move."""

    def rules(self, games: Sequence[str]) -> Rules:
        """What is played, still without players; a sentence about the first thing that is not possible."""
        for name, value, known in (("schedule", self.schedule, SCHEDULES), ("on_illegal", self.on_illegal, ON_ILLEGAL)):
            if value not in known:
                raise MmgamesError(f"{name}={value!r} is not possible. Choose one of {', '.join(known)}.")
        seatings = tuple(dict.fromkeys(seating(id, self.options) for id in games))
        if not seatings:
            raise MmgamesError("An arena needs a game, such as TicTacToe.")
        check_reading(self.reading, seatings[0].id)
        clock = check_clock(self.clock, self.on_illegal)
        return Rules(seatings, (), self.on_illegal, self.max_steps, self.reading, clock)

    def about(self, seatings: Sequence[Seating]) -> dict[str, Any]:
        """What an arena's files say of themselves."""
        return {
            "arena": [{"game": one.id, "options": dict(one.options)} for one in seatings],
            "schedule": self.schedule,
            "seed": seed_as_recorded(self.seed),
            "on_illegal": self.on_illegal,
            **({} if self.max_steps is None else {"max_steps": self.max_steps}),
            **said_reading(self.reading),
            **({} if self.clock is None else {"clock": str(read_clock(self.clock))}),
            "version": __version__,
        }


def arena(
    games: Sequence[str],
    agents: Sequence[str],
    total: int,
    settings: Settings | None = None,
    *,
    add: Sequence[str] = (),
    out: str | os.PathLike[str] | None = None,
    processes: Workers = 1,
    progress: bool = False,
    concurrency: int = 1,
    budget: Budget | None = None,
    watch: Callable[[Callable[[], ArenaResult]], None] | None = None,
) -> ArenaResult:
    """Let agents, given by name, meet until `total` games have been played.

    Two who meet play the same deal from both sides. `out` is a folder; started again with it, the arena goes on where
    it stopped, with a higher `total` for longer, and with further agents. Those in `add` come in as well, and from then
    on every meeting is with one of them. `watch` may ask for the result so far after each round that was played. The
    rest is as in `match`.
    """
    settings = settings or Settings()
    check_counts(total, settings.seed, processes)
    rules = settings.rules(games)
    about = settings.about(rules.seatings)
    path = None if out is None else Path(out) / GAMES
    with ExitStack() as open_files:
        kept = None if out is None else open_files.enter_context(Records(Path(out) / ROUNDS, about))
        rounds = _Rounds(rules, settings, [entrant(one) for one in agents], [entrant(one) for one in add], kept)
        player = GamePlayer(rounds.rules)
        open_files.callback(player.close)
        keeps = _ask_models(player) or rules.clock is not None  # a journal of calls and times
        rounds.welcome()
        work = ResumableWork(path, about, FIELDS, "episode", total, keeps, budget, "arena", progress)
        if not isinstance(processes, Cluster) or (keeps and is_offline()):
            processes = 1 if keeps or concurrency > 1 else processes
        spread = processes if settings.schedule == "round-robin" and isinstance(processes, int) else 1
        at_once = AT_ONCE * spread if spread > 1 else 1

        def make_rows(missing: list[int], journal: Journal | None) -> Iterator[ResultRow]:
            wanted, rows, number = set(missing), _played(path), 0
            while number < total:
                fixtures = rounds.next(rows)
                while len(fixtures) < at_once and fixtures[-1].number + 1 < total:
                    fixtures += rounds.next(rows)
                number = fixtures[-1].number + 1
                todo = [one for one in fixtures if one.number in wanted]
                for row in play_fixtures(player, todo, processes, journal, concurrency):
                    rows[row["episode"]] = row
                    yield row
                if watch is not None and todo:
                    watch(lambda: rounds.result([rows[at] for at in sorted(rows) if at < total]))

        with stdout_for_results(processes):
            done = work.run(make_rows)
    return rounds.result(list(done.rows))


def _played(path: Path | None) -> dict[int, ResultRow]:
    """The games that are known already, by number."""
    if path is None or not path.exists():
        return {}
    return {row["episode"]: row for row in records.read(path)[1] if not row["failed"]}


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


FIELDS: records.Fields = {
    "episode": _whole,
    "seed": _whole,
    "meeting": _whole,
    "deal": _whole,
    "game": lambda value: isinstance(value, str),
    "options": lambda value: isinstance(value, dict),
    "agents": lambda value: isinstance(value, list) and all(isinstance(name, str) for name in value),
    "failed": lambda value: value is None or isinstance(value, str),
    "returns": lambda value: value is None or (isinstance(value, list) and all(map(_number, value))),
}
"""What the record of a game must have for an arena to go on from it."""


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _ask_models(player: GamePlayer) -> bool:
    """A sentence about the first agent that cannot play; whether any of them asks models."""
    asks = False
    for game, who in (
        (game, who) for game in range(len(player.rules.seatings)) for who in range(len(player.rules.entrants))
    ):
        for seat in range(len(player.rules.seatings[game].seats)):
            asks |= player.agent(game, who, seat).keeps_calls
    return asks


@dataclass
class _Known:
    """What planning knows of a game: results up to a number of games, read once, and fitted when enough are new."""

    ratings: Ratings
    compared: list[Comparison] = field(default_factory=list)
    read: int = 0
    upto: int = 0
    next: int = 0


class _Rounds:
    """The rounds of an arena, one after the other: those that are written down, then new ones."""

    def __init__(
        self,
        rules: Rules,
        settings: Settings,
        named: Sequence[Entrant],
        added: Sequence[Entrant],
        kept: Records | None,
    ) -> None:
        self.settings, self._kept = settings, kept
        lines = [] if kept is None else kept.rows
        self._written = [line for line in lines if "round" in line]
        known = [Entrant(line["entrant"], tuple(line["agents"])) for line in lines if "entrant" in line]
        everybody = {one.name: one for one in known}
        for one in (*named, *added):
            if everybody.setdefault(one.name, one) != one:
                raise MmgamesError(
                    f"Two agents are called {one.name!r}: {'|'.join(everybody[one.name].agents)} and "
                    f"{'|'.join(one.agents)}. Give one another as=NAME."
                )
        if len(everybody) < 2:
            raise MmgamesError("At least two agents meet in an arena; name them with --agent.")
        self._unwritten = list(everybody.values())[len(known) :]
        self.rules = replace(rules, entrants=tuple(everybody.values()))
        self.names = tuple(one.name for one in self.rules.entrants)
        self._new = {self.names.index(one.name) for one in added}
        self._deals = [registry.load(one.id).game(**dict(one.options)) for one in rules.seatings]
        self._planned, self._games, self._meetings = 0, 0, 0
        self._met = np.zeros((len(rules.seatings), len(self.names), len(self.names)), int)
        self._known = [_Known(fit([], self.names)) for _ in rules.seatings]

    def result(self, rows: list[ResultRow]) -> ArenaResult:
        entrants = self.rules.entrants
        return ArenaResult(self.rules.seatings, self.names, rows, {one.name: one.agents for one in entrants})

    def welcome(self) -> None:
        """Write down those who are new, once they are known to be able to play."""
        for one in self._unwritten:
            if self._kept is not None:
                self._kept.append({"entrant": one.name, "agents": list(one.agents)})

    def next(self, rows: Mapping[int, ResultRow]) -> list[Fixture]:
        """The games of the next round, of which `rows` has no results yet."""
        if self._planned < len(self._written):
            written = self._written[self._planned]["round"]
            fixtures = [
                Fixture(number, game, tuple((name, value) for name, value in options), tuple(seats), *rest)
                for number, game, options, seats, *rest in written
            ]
        else:
            fixtures = self._plan(rows)
            if self._kept is not None:
                self._kept.append({"round": [list(one) for one in fixtures]})
        guests: dict[tuple[int, int], set[int]] = {}
        for one in fixtures:
            guests.setdefault((one.game, one.meeting), set()).update(one.seats)
        for (game, _), who in guests.items():
            for pair in itertools.combinations(sorted(who), 2) if len(who) > 1 else [(*who, *who)]:
                self._met[game][pair] += 1
                self._met[game][pair[::-1]] += pair[0] != pair[1]
        self._planned += 1
        for game in {one.game for one in fixtures}:
            known = self._known[game]
            if self._games >= known.next:  # what was known when this round was planned
                known.upto, known.next = self._games, next_fit(self._games)
        self._games = fixtures[-1].number + 1
        self._meetings = fixtures[-1].meeting + 1
        return fixtures

    def _plan(self, rows: Mapping[int, ResultRow]) -> list[Fixture]:
        game = self._planned % len(self.rules.seatings)
        seated = self.rules.seatings[game]
        tables = self._tables(seated, self._pairs(seated, game, rows))
        fixtures: list[Fixture] = []
        for meeting, guests in enumerate(tables, self._meetings):
            deal = int(min(self._met[game][a, b] for a in guests for b in guests if a != b or len(set(guests)) == 1))
            seed = episode_seed(self.settings.seed, deal, self._deals[game])
            for options, seats in seated.arrangements(guests, deal):
                number = self._games + len(fixtures)
                fixtures.append(Fixture(number, game, tuple(options.items()), seats, seed, meeting, deal))
        return fixtures

    def _pairs(self, seated: Seating, game: int, rows: Mapping[int, ResultRow]) -> list[Pair]:
        met, most = self._met[game], len(self.names)
        allowed = self._new or set(range(len(self.names)))
        if seated.kind == "team":
            return fair_pairs(met, most, allowed, alone=True)
        if self.settings.schedule == "round-robin":
            return fair_pairs(met, most, allowed)
        known = self._known[game]
        upto = self._games if self._games >= known.next else known.upto
        if upto > known.read:
            new = (rows[at] for at in range(known.read, upto) if at in rows)
            known.compared += outcomes.comparisons((row for row in new if row["game"] == seated.id), [seated])
            known.read, known.ratings = upto, fit(known.compared, self.names)
        return adaptive_pairs(known.ratings, met, most, allowed, self._planned // len(self.rules.seatings))

    def _tables(self, seated: Seating, pairs: Sequence[Pair]) -> list[tuple[int, ...]]:
        """Pairs, or as many guests as have room in a game in which everybody is for itself; one alone has to wait."""
        if seated.size == 2:
            return [tuple(dict.fromkeys(pair)) for pair in pairs]
        guests = [who for pair in pairs for who in pair]
        tables = [tuple(guests[at : at + seated.size]) for at in range(0, len(guests), seated.size)]
        return [table for table in tables if len(table) > 1]


def read(folders: Sequence[str | os.PathLike[str]]) -> ArenaResult:
    """The games of one or several arenas together; those of the same name are the same agent. A folder may be that of a
    study, of rooms or of matches too (see `arena/people.py`)."""
    seatings: dict[Seating, None] = {}
    everybody: dict[str, tuple[str, ...]] = {}
    rows: list[ResultRow] = []
    for folder in map(Path, folders):
        if (folder / ROUNDS).exists():
            about, lines = records.read(folder / ROUNDS)
            if "arena" not in about:
                raise MmgamesError(f"{folder} is no arena: {ROUNDS} does not say which games were played.")
            seated = [seating(one["game"], one["options"]) for one in about["arena"]]
            entrants = [(line["entrant"], tuple(line["agents"])) for line in lines if "entrant" in line]
            games = list({row["episode"]: row for row in records.read(folder / GAMES)[1]}.values())
        else:
            seated, games = played_in(folder)
            entrants = [(name, (name,)) for row in games for name in row["agents"]]
        seatings |= dict.fromkeys(seated)
        for name, agents in entrants:
            if everybody.setdefault(name, agents) != agents:
                raise MmgamesError(f"{name!r} is another agent in {folder} than in the arenas before it.")
        ahead = max((row["meeting"] for row in rows), default=-1) + 1
        rows += [{**row, "meeting": row["meeting"] + ahead} for row in games]
    ids = [one.id for one in seatings]
    if len(set(ids)) < len(ids):
        raise MmgamesError("The arenas have a game with different options; their games are not put together.")
    return ArenaResult(tuple(seatings), tuple(everybody), rows, everybody)


def played_in(folder: Path) -> tuple[list[Seating], list[ResultRow]]:
    """What the records of rooms, studies and matches say, as games of an arena: people stand beside whom they met.

    A participant of a study is told apart by its code; people of rooms are all called person. Who gave up has lost;
    left out is what else did not end, and where an agent stood in for somebody.
    """
    seatings: list[Seating] = []
    games: list[ResultRow] = []
    for path in sorted(folder.rglob("*.jsonl")):
        about, rows = ({}, []) if path.name.endswith(".calls.jsonl") else records.read(path)
        if "match" not in about:
            continue
        seated = seating(about["match"], about.get("options", {}))
        if seated.kind == "roles":
            raise MmgamesError(f"{path}: {seated.id} is played in roles, which only an arena hands out evenly.")
        seatings.append(seated)
        for row in {row["episode"]: row for row in rows}.values():
            if (row.get("unfinished") and "given_up" not in row) or row.get("deputies"):
                continue
            codes = row.get("participants", {})
            names = [
                f"{agent} {codes[role]}" if role in codes else agent
                for role, agent in zip(seated.seats, about["agents"], strict=True)
            ]
            played = {"game": seated.id, "options": dict(seated.options), "agents": names, "deal": row["seed"]}
            games.append({**row, **played, "meeting": len(games)})
    if not games:
        raise MmgamesError(f"{folder} is no arena, and no room, study or match has left a game there.")
    return seatings, games
