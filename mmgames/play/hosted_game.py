"""A game in progress, some of whose seats are taken from outside: by browsers, or by programs over a protocol.

It is an episode of a match like any other: whoever sits there is an agent that waits for what comes from outside, and
the record that is kept replays. Each hosted game has a thread of its own, in which its agents think.
"""

import secrets
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Generic, Protocol, TypeVar

from mmgames.agents.finding import ready_agents
from mmgames.core import registry
from mmgames.core.game import Seat
from mmgames.core.live import LiveGame
from mmgames.core.spec import GameSpec
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError, unknown
from mmgames.play.position_json import can_be_resigned
from mmgames.play.saved_games import SavedGames
from mmgames.running.answers import OnIllegal, TurnOutcome
from mmgames.running.endings import Ending, ending_of
from mmgames.running.episodes import EpisodePlayer, EpisodeRecord, MatchPlan, episode_seed, make_plan, unplayed

AT_THE_TERMINAL = ("human", "person")
CLOSING = 5.0  # seconds that agents have to come to an end when the server stops


class Refused(MmgamesError):
    """A request that is not granted; `status` is HTTP's number for the reason."""

    def __init__(self, sentence: str, status: int = 400) -> None:
        super().__init__(sentence)
        self.status = status


class Saves(Protocol):
    """Where a game's record goes, as `SavedGames` says it."""

    def reserve(self, plan: MatchPlan, fresh: bool = False, again: int | None = None) -> tuple[str, int, int]: ...

    def add(self, name: str, record: Mapping[str, Any]) -> None: ...


class HostedPlayer(EpisodePlayer):
    """Plays an episode that may have been begun before a restart."""

    played_before: Sequence[Sequence[Any]] = ()
    """What was played of it then, step by step: nobody is asked about that again."""

    def _answer(self, turn: Turn) -> TurnOutcome:
        if len(self.actions) >= len(self.played_before):
            return super()._answer(turn)
        turn.rng.random()  # so that what an agent draws next is not what it drew first
        action = self.played_before[len(self.actions)][turn.seat]
        return TurnOutcome(self.live.check(turn.seat, action), action)


class HostedGame:
    """`agents` says for each seat who plays it; `VISITOR` is whoever has the seat's key."""

    VISITOR = ""
    """What a seat is given to when it is taken from outside, and what the records call it."""

    def __init__(
        self,
        game: str,
        agents: Sequence[str],
        saved: Saves,
        seed: int | None = 0,
        options: Mapping[str, Any] | None = None,
        clock: Any = None,
        again: int | None = None,
    ) -> None:
        """Without a seed it is a deal that nobody has seen. Who is late by the clock loses to the other of two who play
        against each other; elsewhere a random move is made. `again` is the number of an episode that goes on."""
        taken = [seat for seat, agent in enumerate(agents) if agent == self.VISITOR]
        chosen = [self.visitor(seat) if seat in taken else agent for seat, agent in enumerate(agents)]
        policy: OnIllegal = "retry"
        if clock is not None and not can_be_resigned(registry.load(game).game(**(options or {}))):
            policy = "retry_random"
        plan = self.planned(make_plan(game, chosen, 0 if seed is None else seed, policy, options or {}, clock=clock))
        if len(agents) != len(plan.agents):
            raise MmgamesError(f"{plan.id} has {len(plan.agents)} seats; say for each of them who plays it.")
        if not taken:
            raise MmgamesError(f"Nobody plays: give at least one seat of {plan.id} to a {self.VISITOR}.")
        self.id, self.game_id = secrets.token_urlsafe(9), plan.id
        self.keys: dict[Seat, str] = {seat: secrets.token_urlsafe(16) for seat in taken}
        self.record: EpisodeRecord | None = None
        self.touched = time.monotonic()
        """When somebody last looked or moved."""
        self._player: HostedPlayer | None = HostedPlayer(plan)
        self._saved = saved
        self._file, self._episode, own = saved.reserve(plan, seed is None, again)
        self._player.plan = replace(plan, seed=own)
        # A match plays numbered starts in turn; people get any of them.
        self._deal = episode_seed(own, self._episode) if seed is None else None
        self._live: LiveGame | None = self._player.live
        self.seats = self._live.game.seats
        self._left = ""
        self._paused = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._play, name=f"play-{self.id}", daemon=True)

    def visitor(self, seat: Seat) -> Any:
        """The agent of a seat that is taken from outside."""
        raise NotImplementedError

    def planned(self, plan: MatchPlan) -> MatchPlan:
        """What is played, where that is more than the game, its options and who plays."""
        return plan

    def start(self) -> None:
        self._thread.start()

    # In the game's own thread

    def _play(self) -> None:
        player = self._player
        assert player is not None
        unsaved = ""
        try:
            record = player.play(self._episode, self._see, self._deal)
            record.update(self._more())
        except Exception as error:  # nobody may wait for ever
            record = unplayed(player.plan, self._episode, f"{type(error).__name__}: {error}")
        try:
            ending = ending_of(player.live, record)
            self._finish(player.live, record)
        except Exception as error:  # the words of a game may fail as its rules may
            ending = Ending(f"The game is over, but how it ended cannot be said: {type(error).__name__}: {error}")
        player.close()
        try:
            if self._keeps(record):
                self._saved.add(self._file, record)
        except MmgamesError as error:
            unsaved = str(error)
        with self._changed:
            self.record = record
            self._player = self._live = None  # nothing is kept of it but what is shown
            self._ended(record, ending, unsaved)
            self._changed.notify_all()

    def _see(self, live: LiveGame) -> None:
        """A new position."""

    def _more(self) -> Mapping[str, Any]:
        """What else the record should keep."""
        return {}

    def _keeps(self, record: EpisodeRecord) -> bool:
        """Whether there is something to keep."""
        return not self._paused and bool(record["actions"] or record["failed"])

    def _finish(self, live: LiveGame, record: EpisodeRecord) -> None:
        """The episode is over, and its last position still at hand."""

    def _ended(self, record: EpisodeRecord, ending: Ending, unsaved: str) -> None:
        """The record is there; `unsaved` says why it could not be kept."""

    # In the server's threads

    def seat_of(self, key: str) -> Seat:
        for seat, own in self.keys.items():
            if secrets.compare_digest(own.encode(), key.encode()):
                return seat
        raise Refused("This game is somebody else's. Ask for an invitation, or start one of your own.", 403)

    def watched(self) -> bool:
        """Whether somebody is looking all the time."""
        return False

    def leave(self, why: str) -> None:
        """End the game here; what was played of it is kept."""
        with self._changed:
            self._left = self._left or why
            self._changed.notify_all()

    def pause(self) -> None:
        """Stop without an end or a record: the game goes on when the server is started again."""
        with self._changed:
            self._paused = True
            self._changed.notify_all()

    def join(self, timeout: float | None = None) -> None:
        """Wait until the game is over and its record is kept."""
        if self._thread.ident is not None:
            self._thread.join(timeout)


S = TypeVar("S", bound=HostedGame)


class HostedGames(Generic[S]):
    """All games in progress, and those that ended a little while ago; `KIND` is what they are."""

    KIND: type[S]

    def __init__(self, saved: SavedGames, patience: float = 900.0, most: int = 200, kept: int = 32) -> None:
        self.saved = saved
        self.patience = patience
        """So many seconds a game waits for somebody to look at it again."""
        self.most, self.kept = most, kept
        self._games: dict[str, S] = {}
        self._lock = threading.Lock()

    def known(self, spec: GameSpec) -> list[str]:
        """Who may take a seat of a game here: visitors, and agents by their names. Nobody names code to be run."""
        return [self.KIND.VISITOR, *(name for name in ready_agents(spec) if name not in AT_THE_TERMINAL)]

    def check(self, spec: GameSpec, agents: Sequence[str]) -> None:
        known = self.known(spec)
        for agent in agents:
            if agent.partition(":")[0] not in known:
                raise unknown("agent", agent, spec.id, known)

    def open(
        self,
        game: str,
        agents: Sequence[str],
        seed: int | None = 0,
        options: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> S:
        """Begin a game; `more` is what its kind takes besides."""
        self.sweep()
        with self._lock:
            if sum(hosted.record is None for hosted in self._games.values()) >= self.most:
                raise Refused(f"{self.most} games are going on, more than one machine should hold; end some.", 503)
        hosted = self.KIND(game, agents, self.saved, seed, options, **more)
        with self._lock:
            self._games[hosted.id] = hosted
        hosted.start()
        return hosted

    def find(self, id: str, key: str) -> tuple[S, Seat]:
        hosted = self._games.get(id)
        if hosted is None:
            raise Refused(
                "There is no such game here (any more). Its record, if it had begun, is among the replays.", 404
            )
        return hosted, hosted.seat_of(key)

    def sweep(self) -> None:
        """End games that nobody has looked at for long, and forget old ones that are over."""
        now = time.monotonic()
        with self._lock:
            unwatched = [hosted for hosted in self._games.values() if not hosted.watched()]
            over = [hosted for hosted in unwatched if hosted.record is not None]
            gone = {hosted.id for hosted in over if now - hosted.touched > self.patience}
            gone |= {hosted.id for hosted in over[: max(0, len(over) - self.kept)]}
            for id in gone:
                del self._games[id]
        for hosted in unwatched:
            if hosted.record is None and now - hosted.touched > self.patience:
                hosted.leave("Nobody looked at it any more.")

    def stop(self, hosted: S) -> None:
        """The server stops, and a game with it."""
        hosted.leave("The server was stopped.")

    def close(self) -> None:
        """End all games and keep what was played of them."""
        with self._lock:
            games = list(self._games.values())
        for hosted in games:
            self.stop(hosted)
        limit = time.monotonic() + CLOSING
        for hosted in games:
            hosted.join(timeout=max(0.0, limit - time.monotonic()))
        self.saved.close()
