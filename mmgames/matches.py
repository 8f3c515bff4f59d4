"""Match: agents play a game to its end, many times. Every episode is recorded as it ends, and none is lost or repeated.

An episode depends only on the match's seed and the episode's number, so results are the same for any number of
processes, and a match that was killed goes on where it stopped.
"""

from __future__ import annotations

import math
import os
import pickle
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from mmgames.core import registry
from mmgames.core.agents import Agent, Turn, begin, end, make_agent
from mmgames.core.constants import ILLEGAL_REWARD
from mmgames.core.errors import MmgamesError
from mmgames.core.live import LiveGame
from mmgames.core.progress import Progress
from mmgames.core.records import Records
from mmgames.core.replies import Illegal
from mmgames.core.seeding import fresh_rng
from mmgames.core.workers import run_jobs

OnIllegal = Literal["fail", "random", "retry"]
ON_ILLEGAL = ("fail", "random", "retry")
STRIKES = 3


class Forfeit(Exception):
    """An agent has lost: it was asked again after an illegal action, STRIKES times in a row."""


@dataclass(frozen=True)
class MatchPlan:
    """What is played: enough to play any episode of a match, in any process."""

    id: str
    agents: tuple[str | Agent, ...]
    seed: int
    options: tuple[tuple[str, Any], ...]
    on_illegal: OnIllegal
    max_steps: int | None = None

    def about(self) -> dict[str, Any]:
        return {
            "match": self.id,
            "agents": [agent_name(agent) for agent in self.agents],
            "seed": self.seed,
            "options": dict(self.options),
            "on_illegal": self.on_illegal,
            **({} if self.max_steps is None else {"max_steps": self.max_steps}),
        }


def agent_name(agent: str | Agent) -> str:
    return agent if isinstance(agent, str) else str(getattr(agent, "name", type(agent).__name__))


def match(
    id: str,
    agents: Sequence[str | Agent] | str | Agent,
    episodes: int = 100,
    seed: int = 0,
    *,
    out: str | os.PathLike[str] | None = None,
    processes: int = 1,
    on_illegal: OnIllegal = "fail",
    max_steps: int | None = None,
    progress: bool = False,
    **options: Any,
) -> MatchResult:
    """Play `episodes` games between agents (one for all seats, or one per seat), each a name or an object.

    `out` is a JSON-lines file; started again with the same match, it goes on where it stopped, and what has failed is
    played once more. An agent that raises fails its episode; the rest goes on.

    An illegal action fails its episode too; with `on_illegal="random"` a random legal one takes its place, and with
    "retry" the agent is asked again and loses after three in a row: -1 for it, and for the other of a zero-sum pair
    +1. All are counted. With `max_steps` an episode of that length stays unfinished and counts with the returns so far.
    """
    plan = make_plan(id, agents, seed, on_illegal, options, max_steps)
    check_counts(episodes, seed, processes)
    EpisodePlayer(plan)  # a wrong option or agent is better said before any file is made
    records = Records(out, plan.about()) if out is not None else None
    with records or nullcontext():
        kept = {} if records is None else finished_rows(records, "episode", episodes)
        missing = sorted(set(range(episodes)) - set(kept))
        with Progress(episodes, plan.id, done=len(kept), show=progress) as bar:
            for row in play_episodes(plan, missing, processes):
                if records is not None:
                    records.add(row)
                kept[row["episode"]] = row
                bar.advance()
    return MatchResult(plan, [kept[episode] for episode in sorted(kept)])


def finished_rows(records: Records, number: str, below: int) -> dict[int, dict[str, Any]]:
    """What need not be done again, by number. What failed is tried once more, and then the last line counts."""
    last = {row[number]: row for row in records.rows if row[number] < below}
    return {key: row for key, row in last.items() if not row["failed"]}


def check_counts(episodes: Any = 1, seed: Any = 0, processes: Any = 1) -> None:
    """A sentence about the first of these that is no number of its kind."""
    if not _whole(episodes, 1):
        raise MmgamesError(f"There is at least one episode, not {episodes!r}.")
    if not _whole(seed, 0):
        raise MmgamesError(f"A seed is a whole number from 0 up, not {seed!r}.")
    if not _whole(processes, 1):
        raise MmgamesError(f"At least one process is needed, not {processes!r}.")


def _whole(number: Any, least: int) -> bool:
    return isinstance(number, (int, np.integer)) and not isinstance(number, bool) and bool(number >= least)


def make_plan(
    id: str,
    agents: Sequence[str | Agent] | str | Agent,
    seed: int,
    on_illegal: str,
    options: Mapping[str, Any],
    max_steps: int | None = None,
) -> MatchPlan:
    game = registry.load(id).game(**options)
    chosen = tuple(agents) if isinstance(agents, (list, tuple)) else (agents,)
    if len(chosen) == 1:
        chosen *= len(game.seats)
    if len(chosen) != len(game.seats):
        roles = ", ".join(game.seats)
        raise MmgamesError(
            f"{game.spec.id} has {len(game.seats)} seats ({roles}), but {len(chosen)} agents were given."
        )
    if on_illegal not in ON_ILLEGAL:
        raise MmgamesError(f"on_illegal={on_illegal!r} is not possible. Choose one of {', '.join(ON_ILLEGAL)}.")
    check_counts(seed=seed)
    if max_steps is not None and not _whole(max_steps, 1):
        raise MmgamesError(f"max_steps={max_steps!r} is out of range; it must be at least 1.")
    settled = tuple(sorted(options.items()))
    limit = None if max_steps is None else int(max_steps)
    return MatchPlan(game.spec.id, chosen, int(seed), settled, on_illegal, limit)  # type: ignore[arg-type]


def episode_seed(seed: int, episode: int) -> int:
    """The seed of one episode: `env.reset(seed=…)` with it deals the same game."""
    return int(np.random.SeedSequence((seed, episode)).generate_state(1, np.uint64)[0] >> np.uint64(1))


class EpisodePlayer:
    """A game and the agents in its seats, ready to play episode after episode."""

    def __init__(self, plan: MatchPlan) -> None:
        self.plan = plan
        loaded = registry.load(plan.id)
        self.live = LiveGame(loaded, loaded.game(**dict(plan.options)))
        self.agents = [make_agent(agent, self.live.game.spec) for agent in plan.agents]
        self.asking = 0
        self.illegal = [0] * len(self.agents)

    def steps(self, seed: int) -> Iterator[LiveGame]:
        """One episode in progress: the live game at the start and after every transition.

        The same object is yielded each time; keep `live.view(…)` or `live.state`, which are values. An environment
        that is reset with the same seed deals the same game.
        """
        live, game = self.live, self.live.game
        rng, _ = fresh_rng(seed)
        # As in the Gymnasium face, agents draw from streams of their own: the deal does not depend on them.
        streams = rng.spawn(len(game.seats))
        self.illegal = [0] * len(game.seats)
        for seat, agent in enumerate(self.agents):
            self.asking = seat
            begin(agent, game, seat)
        live.start(rng)
        yield live
        while live.movers:
            moves = {}
            for seat in live.movers:
                self.asking = seat
                moves[seat] = self._move(Turn(live, seat, streams[seat]))
            live.play(moves)
            yield live
        for seat, agent in enumerate(self.agents):
            self.asking = seat
            end(agent, live.view(seat))

    def play(self, episode: int) -> dict[str, Any]:
        """One episode from start to end, as its record."""
        live, game = self.live, self.live.game
        seed = episode_seed(self.plan.seed, episode)
        length = -1
        failed, forfeit, unfinished = None, None, False
        try:
            for _ in self.steps(seed):
                length += 1
                if length == self.plan.max_steps and live.movers:
                    unfinished = True
                    break
        except Forfeit:
            forfeit = self.asking
        except Exception as error:
            # Whatever an agent does wrong costs its own episode only.
            where = f"{agent_name(self.plan.agents[self.asking])} in seat {game.seats[self.asking]!r}"
            failed = f"{where}: {error if isinstance(error, MmgamesError) else f'{type(error).__name__}: {error}'}"
        own_count = [int(getattr(agent, "illegal_replies", 0)) for agent in self.agents]
        return {
            "episode": episode,
            "seed": seed,
            "agents": [agent_name(agent) for agent in self.plan.agents],
            "returns": None if failed else self._returns(forfeit),
            "length": max(length, 0),
            "illegal": [ours + theirs for ours, theirs in zip(self.illegal, own_count, strict=True)],
            "events": {} if failed else dict(game.events(live.state)),
            **({} if failed else game.record(live.state)),
            **({} if forfeit is None else {"forfeit": game.seats[forfeit]}),
            **({"unfinished": True} if unfinished else {}),
            **({"failed_seat": game.seats[self.asking]} if failed else {}),
            "failed": failed,
        }

    def _returns(self, forfeit: int | None) -> list[float]:
        returns = [float(total) for total in self.live.totals]
        if forfeit is not None:
            returns[forfeit] += ILLEGAL_REWARD
            if self.live.game.spec.utility == "zero_sum" and len(returns) == 2:
                returns[1 - forfeit] -= ILLEGAL_REWARD
        return returns

    def _move(self, turn: Turn) -> Any:
        policy = self.plan.on_illegal
        for _ in range(STRIKES):
            move = self.live.move_of(turn.seat, self.agents[turn.seat].act(turn))
            if not isinstance(move, Illegal):
                return move
            self.illegal[turn.seat] += 1
            if policy == "fail":
                raise MmgamesError(f"chose an illegal action: {move.reason}")
            if policy == "random":
                return self.live.check(turn.seat, turn.sample())
            turn.refused = move
        raise Forfeit


def play(
    id: str, agents: Sequence[str | Agent] | str | Agent | None = None, seed: int = 0, **options: Any
) -> Iterator[LiveGame]:
    """One episode, step by step (see `Table.steps`), with the game's reference agents unless others are named."""
    if agents is None:
        game = registry.load(id).game(**options)
        agents = [game.spec.reference_for(seat) for seat in range(len(game.seats))]
    return EpisodePlayer(make_plan(id, agents, 0, "fail", options)).steps(seed)


def play_episodes(plan: MatchPlan, episodes: Sequence[int], processes: int) -> Iterator[dict[str, Any]]:
    """The records of the given episodes, each as soon as it ends."""
    if processes == 1 or len(episodes) < 2:
        player = EpisodePlayer(plan)
        for episode in episodes:
            yield player.play(episode)
        return
    try:
        packed = pickle.dumps(plan)
    except Exception as error:
        raise MmgamesError(
            f"An agent given as an object cannot travel to other processes ({error}); use processes=1."
        ) from error
    yield from run_jobs(_play_there, [(packed, episode) for episode in episodes], processes)


def _play_there(packed: bytes, episode: int) -> dict[str, Any]:
    return _unpacked_player(packed).play(episode)


@lru_cache(maxsize=1)
def _unpacked_player(packed: bytes) -> EpisodePlayer:
    """What a worker plays with, made once."""
    return EpisodePlayer(pickle.loads(packed))


@dataclass(frozen=True)
class MatchResult:
    """The records of a match in episode order, and their summary."""

    plan: MatchPlan
    episodes: list[dict[str, Any]]

    @property
    def finished(self) -> list[dict[str, Any]]:
        return [row for row in self.episodes if not row["failed"]]

    def returns(self) -> np.ndarray:
        """[episode, seat] of the episodes that did not fail."""
        seats = len(self.plan.agents)
        return np.array([row["returns"] for row in self.finished], float).reshape(-1, seats)

    def summary(self) -> dict[str, Any]:
        returns, finished = self.returns(), self.finished
        roles = registry.load(self.plan.id).game(**dict(self.plan.options)).seats
        failures = [row["failed"] for row in self.episodes if row["failed"]]
        events: dict[str, float] = {}
        for row in finished:
            for name, count in row["events"].items():
                events[name] = events.get(name, 0.0) + count / len(finished)
        return {
            **self.plan.about(),
            "episodes": len(self.episodes),
            "failed": len(failures),
            "first_failure": failures[0] if failures else None,
            "unfinished": sum("unfinished" in row for row in finished),
            "seats": [
                {
                    "seat": role,
                    "agent": agent_name(self.plan.agents[seat]),
                    **mean_and_error(returns[:, seat]),
                    "illegal": sum(row["illegal"][seat] for row in self.episodes),
                    "forfeits": sum(row.get("forfeit") == role for row in finished),
                }
                for seat, role in enumerate(roles)
            ],
            "length": mean_and_error(np.array([row["length"] for row in finished], float)),
            "events": events,
        }


def mean_and_error(values: np.ndarray) -> dict[str, float | None]:
    """Mean and standard error; None where there are too few values to say."""
    if not len(values):
        return {"mean": None, "standard_error": None}
    error = float(values.std(ddof=1) / math.sqrt(len(values))) if len(values) > 1 else None
    return {"mean": float(values.mean()), "standard_error": error}
