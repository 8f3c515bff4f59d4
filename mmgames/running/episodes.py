"""One episode after another: who plays what, how it is played, and the record that is kept of it."""

import hashlib
import itertools
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mmgames.agents.base import Agent, AgentLike, CallJournal
from mmgames.agents.finding import make_agents
from mmgames.agents.identity import agent_name, description, given_names
from mmgames.agents.players import STRIKES, Players
from mmgames.core import registry
from mmgames.core.constants import ILLEGAL_REWARD, MOST_FRAMES
from mmgames.core.game import Game, Seat
from mmgames.core.live import LiveGame
from mmgames.core.seeding import RunSeed, SealedSeed, agent_streams, fresh_rng
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError, RunStopped, Unavailable, what_was_raised
from mmgames.running.answers import ON_ILLEGAL as ON_ILLEGAL
from mmgames.running.answers import CutShort as CutShort
from mmgames.running.answers import DrawAgreed, TakeBack, TurnOutcome, take_answer
from mmgames.running.answers import Forfeit as Forfeit
from mmgames.running.answers import OnIllegal as OnIllegal
from mmgames.running.clocks import Clock, SeatClocks, read_clock
from mmgames.running.exit_guard import guarded_exit, no_exit
from mmgames.running.ray_cluster import Cluster
from mmgames.text.replies import Reading, check_reading, said_reading
from mmgames.version import __version__

Watch = Callable[[LiveGame], None]


@dataclass(frozen=True)
class MatchPlan:
    """What is played: enough to play any episode of a match, in any process."""

    id: str
    agents: tuple[str | AgentLike, ...]
    seed: RunSeed | tuple[int, ...]
    """From which the seeds of the episodes are made, or these seeds themselves."""
    options: tuple[tuple[str, Any], ...]
    on_illegal: OnIllegal
    max_steps: int | None = None
    reading: Reading = "paragraph"
    clock: Clock | None = None
    strikes: int = STRIKES
    """So many answers in a row that are no move, and an agent is not asked again."""

    def about(self) -> dict[str, Any]:
        """What a results file says of itself; files about different things are never mixed."""
        descriptions = [description(agent) for agent in self.agents]
        return {
            "match": self.id,
            "agents": [agent_name(agent) for agent in self.agents],
            **given_names(self.agents),
            **({"descriptions": descriptions} if any(said is not None for said in descriptions) else {}),
            "seed": seed_as_recorded(self.seed),
            "options": dict(self.options),
            "on_illegal": self.on_illegal,
            **({} if self.max_steps is None else {"max_steps": self.max_steps}),
            **said_reading(self.reading),
            **self.how_timed(),
            **({} if self.strikes == STRIKES else {"strikes": self.strikes}),
            "version": __version__,
        }

    def how_timed(self) -> dict[str, str]:
        """The clock, for files and records, if there is one."""
        return {} if self.clock is None else {"clock": str(self.clock)}


def make_plan(
    id: str,
    agents: Sequence[str | AgentLike] | str | AgentLike,
    seed: RunSeed | Sequence[int],
    on_illegal: str,
    options: Mapping[str, Any],
    max_steps: int | None = None,
    reading: Reading = "paragraph",
    clock: Any = None,
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
    if on_illegal == "silent" and game.spec.actions != "text":
        raise MmgamesError(f"on_illegal='silent' is for games of talk, and {game.spec.id} is none; choose another.")
    for one in seed if isinstance(seed, Sequence) else (seed,):
        check_counts(seed=one)
    given_names(chosen)
    if max_steps is not None and not _whole(max_steps, 1):
        raise MmgamesError(f"max_steps={max_steps!r} is out of range; it must be at least 1.")
    settled = tuple((name, game.options[name]) for name in sorted(options))
    limit = None if max_steps is None else int(max_steps)
    check_reading(reading, game.spec.id)
    timed = check_clock(clock, on_illegal)
    own = tuple(map(int, seed)) if isinstance(seed, Sequence) else seed if isinstance(seed, SealedSeed) else int(seed)
    return MatchPlan(game.spec.id, chosen, own, settled, on_illegal, limit, reading, timed)  # type: ignore[arg-type]


def check_clock(clock: Any, on_illegal: str) -> Clock | None:
    """The clock that a user has written; a sentence where it is none, or late answers would throw episodes away."""
    timed = read_clock(clock)
    if timed is not None and on_illegal == "fail":
        raise MmgamesError(
            "With a clock a late answer is a missed move, and on_illegal='fail' would throw its episode away; choose "
            f"one of {', '.join(name for name in ON_ILLEGAL if name != 'fail')}."
        )
    return timed


def seed_as_recorded(seed: RunSeed | Sequence[int]) -> int | str:
    """What a results file says of the seed; of many seeds a hash, of a sealed one its key's fingerprint."""
    if isinstance(seed, SealedSeed):
        return " ".join(map(str, (seed.public, *seed.within, "sealed", seed.fingerprint)))
    if isinstance(seed, int):
        return seed
    return f"{len(seed)} seeds {hashlib.sha256(repr(tuple(seed)).encode()).hexdigest()[:16]}"


def check_counts(episodes: Any = 1, seed: Any = 0, processes: Any = 1) -> None:
    """A sentence about the first of these that is no number of its kind."""
    if not _whole(episodes, 1):
        raise MmgamesError(f"There is at least one episode, not {episodes!r}.")
    if not _whole(seed.public if isinstance(seed, SealedSeed) else seed, 0):
        raise MmgamesError(f"A seed is a whole number from 0 up, not {seed!r}.")
    if not isinstance(processes, Cluster) and not _whole(processes, 1):
        raise MmgamesError(f"At least one process is needed, not {processes!r}.")


def _whole(number: Any, least: int) -> bool:
    return isinstance(number, (int, np.integer)) and not isinstance(number, bool) and bool(number >= least)


def episode_seed(seed: RunSeed | Sequence[int], episode: int, game: Game[Any, Any] | None = None) -> int:
    """The seed of one episode: `env.reset(seed=…)` with it deals the same game.

    Where the game has a number of fixed starts it is a seed that deals the start whose turn it is: episode after
    episode each of them is played once before any is played again.
    """
    if isinstance(seed, Sequence):
        return seed[episode]
    tries = itertools.count()
    while True:
        attempt = next(tries)
        if isinstance(seed, SealedSeed):
            own = seed.derive("episode", episode, attempt)
        else:
            entropy = (seed, episode, attempt) if attempt else (seed, episode)
            own = int(np.random.SeedSequence(entropy).generate_state(1, np.uint64)[0] >> np.uint64(1))
        if game is None or not game.starts or game.dealt(fresh_rng(own)[0]) == episode % game.starts:
            return own


OWN_KEYS = frozenset(
    {
        *("episode", "seed", "game", "options", "agents", "returns", "length", "illegal", "events", "forfeit"),
        *("unfinished", "failed_seat", "failed", "unavailable", "drawn", "actions", "replies", "seconds"),
        *("reading", "completion_tokens", "deputies", "resigned", "clock", "latencies", "late"),
        *("taken_back", "draw_agreed", "asked_again", "unread", "moves"),
        *("participants", "given_up"),
    }
)


class EpisodeRecord(dict[str, Any]):
    """What is known of an episode, as JSON holds it. Equal to another when all but the seconds in it is."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, dict) and _untimed(self) == _untimed(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None


def _untimed(record: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in record.items() if key not in ("seconds", "latencies")}


class EpisodePlayer:
    """A game and the agents in its seats, ready to play episode after episode."""

    def __init__(
        self, plan: MatchPlan, journal: CallJournal | None = None, agents: Sequence[Agent] | None = None
    ) -> None:
        self.plan = plan
        self.journal = journal
        loaded = registry.load(plan.id)
        self.live = LiveGame(loaded, loaded.game(**dict(plan.options)), plan.reading)
        self.live.keep_states(MOST_FRAMES)  # an agent may look back
        self.agents = make_agents(plan.agents, self.live.game.spec) if agents is None else list(agents)
        self.players = Players(dict(enumerate(self.agents)))
        self._scopes = list(self.live.game.seats)
        self._forget()

    def _forget(self) -> None:
        self.actions: list[list[Any]] = []
        self.moves: list[list[Any]] = []  # of a text game: what was read from the actions
        self.replies: list[dict[str, Any]] = []
        self.seconds: list[float] = []
        self.illegal, self.drawn = [0] * len(self.agents), [0] * len(self.agents)
        self.again, self.unread = [0] * len(self.agents), [0] * len(self.agents)
        self.late = [0] * len(self.agents)
        self.taken_back = 0
        self.latencies: list[list[Any]] = []
        self.clocks = SeatClocks(self.plan.clock, len(self.agents), self._keep_seconds)

    def _keep_seconds(self, seat: Seat, number: int, seconds: float) -> float:
        """What counts for an answer: what the journal of a run that was killed has kept, or this."""
        return seconds if self.journal is None else self.journal.clocked(self._scopes[seat], number, seconds)

    def steps(self, seed: int) -> Generator[LiveGame]:
        """One episode in progress: the live game at the start and after every transition.

        The same object is yielded each time; keep `live.view(…)` or `live.state`, which are values. An environment
        that is reset with the same seed deals the same game.
        """
        with guarded_exit():
            yield from self._steps(seed)

    def _steps(self, seed: int) -> Generator[LiveGame]:
        live, players = self.live, self.players
        rng, _ = fresh_rng(seed)
        # As in the Gymnasium environment: what agents draw does not change the deal, nor tell of it.
        streams = agent_streams(rng, len(self.agents))
        self._forget()
        try:
            with no_exit:
                players.begin(live)
            live.start(rng)
            yield live
            while live.movers:
                turns = {seat: Turn(live, seat, streams[seat]) for seat in live.movers}
                answers = players.ask(turns, self._answer)
                try:
                    self._note(answers)
                except TakeBack as back:
                    self._undo(back)
                    yield live
                    continue
                live.play({seat: answer.move for seat, answer in answers.items()})
                said = {seat: answer.action for seat, answer in answers.items()}
                self.actions.append([said.get(seat) for seat in range(len(self.agents))])
                if live.game.spec.actions == "text":
                    self.moves.append([self._kept_move(answers.get(seat)) for seat in range(len(self.agents))])
                yield live
        except GeneratorExit:  # cut short
            with no_exit:
                players.end(live)
            raise
        except BaseException:
            asking = players.asking
            with no_exit:
                players.end(live, quietly=True)
            players.asking = asking  # the end does not change whose fault it was
            raise
        with no_exit:
            players.end(live)

    def _note(self, answers: Mapping[Seat, TurnOutcome]) -> None:
        """Keep what was said, in the order of the seats, up to the first who has lost by it."""
        for seat, answer in answers.items():
            self.replies += answer.replies
            self.seconds += answer.seconds
            self.illegal[seat] += answer.refusals
            self.drawn[seat] += answer.drawn
            self.again[seat] += answer.again
            self.unread[seat] += answer.unread
            self.late[seat] += answer.late
            self.latencies += answer.latencies
            if answer.lost is not None:
                self.players.asking = seat
                raise answer.lost

    def _undo(self, back: TakeBack) -> None:
        """Go on from an earlier position. The agents begin anew there, as nobody told them of it."""
        self.taken_back += len(self.actions) - back.step
        del self.actions[back.step :], self.moves[back.step :]
        kept = sum(reply["step"] < back.step for reply in self.replies)  # they stand in the order of steps
        del self.replies[kept:], self.seconds[kept:]
        rng = self.live.rng
        assert rng is not None
        with no_exit:
            self.players.begin(self.live)
        self.live.go_on_from(back.state, rng)

    def _kept_move(self, answer: TurnOutcome | None) -> list[Any] | None:
        return None if answer is None else self.live.loaded.words.kept_move(answer.move)

    def _answer(self, turn: Turn) -> TurnOutcome:
        plan, agent, step = self.plan, self.agents[turn.seat], len(self.actions)
        before = self.illegal[turn.seat] if plan.on_illegal == "retry" and self.live.strikes_in_all else 0
        return take_answer(self.live, agent, turn, plan.on_illegal, step, self.clocks, plan.strikes - before)

    def seat(self, plan: MatchPlan, agents: Sequence[Agent]) -> None:
        """Let others play the same game from now on. Those who played are not closed."""
        self.plan, self.agents = plan, list(agents)
        self.players = Players(dict(enumerate(self.agents)))
        self._forget()

    def play(self, episode: int, watch: Watch | None = None, seed: int | None = None) -> EpisodeRecord:
        """One episode of the plan from start to end, as its record. `watch` gets to see what `steps` yields.

        `seed` deals it, where the plan's seed does not.
        """
        scopes = self._scopes = [f"{episode}:{role}" for role in self.live.game.seats]
        for agent, scope in zip(self.agents, scopes, strict=True):
            agent.keep(self.journal, scope)
        if seed is None:
            seed = episode_seed(self.plan.seed, episode, self.live.game)
        record = {"episode": episode, **self.record(seed, watch)}
        tokens = [None if self.journal is None else self.journal.completion_tokens(scope) for scope in scopes]
        return EpisodeRecord({**record, **({"completion_tokens": tokens} if any(tokens) else {})})

    def __call__(self, episode: int) -> EpisodeRecord:
        return self.play(episode)

    def record(self, seed: int, watch: Watch | None = None) -> EpisodeRecord:
        """An episode with this seed from start to end, as its record."""
        live, game = self.live, self.live.game
        returns: list[float] | None = None
        events: dict[str, int] = {}
        more: dict[str, Any] = {}
        failed, failed_seat, forfeit, unfinished, unavailable, agreed = None, None, None, False, False, False
        self.players.asking = None
        episode = self.steps(seed)
        try:
            for length, _ in enumerate(episode):
                if watch is not None:
                    watch(live)
                if length == self.plan.max_steps and live.movers:
                    unfinished = True
                    episode.close()
        except Forfeit:
            forfeit = self.players.asking
        except DrawAgreed:
            agreed = True
        except CutShort:
            unfinished = True
        except RunStopped:
            raise  # it is not about this episode
        except (Exception, SystemExit) as error:
            # Whatever goes wrong costs its own episode only.
            failed_seat = self.players.asking
            failed = self._whose_fault(failed_seat, error)
            unavailable = isinstance(error, Unavailable)
        if failed is None:
            try:
                returns = [0.0] * len(game.seats) if agreed else forfeited(game, live.totals, forfeit)
                events, more = dict(game.events(live.state)), dict(game.record(live.state))
                if taken := OWN_KEYS.intersection(more):
                    raise MmgamesError(f"its record() keeps {min(taken)!r}, which every record has; call it otherwise.")
            except Exception as error:
                failed, returns, events, more = self._whose_fault(None, error), None, {}, {}
        own_count = [int(agent.illegal_replies) for agent in self.agents]
        return EpisodeRecord(
            {
                **_beginning(self.plan, seed),
                "returns": returns,
                "length": len(self.actions),
                "illegal": [ours + theirs for ours, theirs in zip(self.illegal, own_count, strict=True)],
                "events": events,
                **more,
                **({} if forfeit is None else {"forfeit": game.seats[forfeit]}),
                **({"draw_agreed": True} if agreed else {}),
                **({"taken_back": self.taken_back} if self.taken_back else {}),
                **({"unfinished": True} if unfinished else {}),
                **({} if failed_seat is None else {"failed_seat": game.seats[failed_seat]}),
                "failed": failed,
                **({"unavailable": True} if unavailable else {}),
                **({"drawn": self.drawn} if any(self.drawn) else {}),
                **({"asked_again": self.again} if any(self.again) else {}),
                **({"unread": self.unread} if any(self.unread) else {}),
                "actions": self.actions,
                **({"moves": self.moves} if self.moves else {}),
                **({"late": self.late, "latencies": self.latencies} if self.plan.clock else {}),
                **({"replies": self.replies, "seconds": self.seconds} if self.replies else {}),
            }
        )

    def _whose_fault(self, seat: Seat | None, error: BaseException) -> str:
        who = self.plan.id
        if seat is not None:
            who = f"{agent_name(self.plan.agents[seat])} in seat {self.live.game.seats[seat]!r}"
        return f"{who}: {what_was_raised(error)}"

    def close(self) -> None:
        """No more episodes: the agents and the game may close what they keep open."""
        self.players.close()
        self.live.game.close()


def _beginning(plan: MatchPlan, seed: int) -> dict[str, Any]:
    """What a record says first: enough to deal the same game."""
    return {
        "seed": seed,
        "game": plan.id,
        "options": dict(plan.options),
        "agents": [agent_name(agent) for agent in plan.agents],
        **said_reading(plan.reading),
        **plan.how_timed(),
    }


def unplayed(plan: MatchPlan, episode: int, why: str) -> EpisodeRecord:
    """The record of an episode of which nothing is known but why it failed."""
    game = registry.load(plan.id).game(**dict(plan.options))
    return EpisodeRecord(
        {
            "episode": episode,
            **_beginning(plan, episode_seed(plan.seed, episode, game)),
            "returns": None,
            "length": 0,
            "illegal": [0] * len(plan.agents),
            "events": {},
            "failed": why,
            "actions": [],
        }
    )


def forfeited(game: Game[Any, Any], totals: Sequence[float], offender: Seat | None) -> list[float]:
    """The returns of an episode that `offender` has lost by what it answered; None: nobody has.

    Of two players with opposite interests the other wins, a team gets the lowest there is, and elsewhere the offender
    alone pays: it ends below everybody, and below whatever it could have come to by playing on where that is known.
    """
    returns = [float(total) for total in totals]
    if offender is None:
        return returns
    if game.spec.utility == "zero_sum" and len(returns) == 2:
        return [ILLEGAL_REWARD if seat == offender else -ILLEGAL_REWARD for seat in range(2)]
    if game.spec.utility == "identical":
        return [min(game.spec.outcome.lowest, *returns)] * len(returns)
    returns[offender] = min(game.spec.outcome.lowest, 0.0, *returns) + ILLEGAL_REWARD
    return returns
