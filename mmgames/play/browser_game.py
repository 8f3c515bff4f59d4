"""A game whose seats are taken by browsers or by agents, as the page sees it: position after position."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mmgames.agents.base import Agent
from mmgames.agents.finding import make_agent
from mmgames.core.game import Seat
from mmgames.core.live import LiveGame
from mmgames.core.turn import Turn
from mmgames.errors import RunStopped
from mmgames.play import position_json
from mmgames.play.course import Course
from mmgames.play.deputy import Deputy
from mmgames.play.draw_offers import DrawOffers, can_be_agreed
from mmgames.play.hosted_game import HostedGame, HostedGames, Refused
from mmgames.running import clocks
from mmgames.running.answers import CutShort, DrawAgreed, Forfeit, TakeBack
from mmgames.running.endings import Ending
from mmgames.running.episodes import EpisodeRecord, forfeited
from mmgames.text.plain import plain
from mmgames.text.refusals import Illegal

PERSON = "person"
WHY_NOT = "somebody else plays, a clock runs, something was drawn or revealed since, or you have not chosen yet."
GRACE = 60.0  # seconds that somebody has to come back before an agent may play on
AFTER_TIME = 0.01  # seconds to wait beyond a person's last moment, so that what has not come by then is late

Listener = Callable[[str], None]


class BrowserPlayer(Agent):
    """The agent of a seat that a browser has taken."""

    may_be_asked_again = False
    name = PERSON
    concurrent = True  # where several people move at once, none of them waits for another to be asked

    def __init__(self, game: BrowserGame) -> None:
        self._game = game

    def describe(self) -> dict[str, Any]:
        return {"page": position_json.SIZE}

    def act(self, turn: Turn) -> Any:
        return self._game.answer_of(turn)


class BrowserGame(HostedGame):
    """Browsers that hold a seat's key listen for positions and send moves."""

    VISITOR = PERSON
    TAKES_BACK = True
    """Whether a person who plays with agents alone may take moves back."""

    def __init__(self, game: str, agents: Sequence[str], *args: Any, **kwargs: Any) -> None:
        super().__init__(game, agents, *args, **kwargs)
        self._number = 0
        self._said: dict[Seat, Any] = {}  # what was chosen in the position that is shown
        self._moved_before: dict[Seat, Any] = {}  # and in the one that is shown first, before a restart
        self._begun: dict[Seat, str] = {}
        self._frames: dict[Seat, str] = {}
        self._end = ""
        self._revealed: dict[str, Any] | None = None
        self._agents = list(agents)
        self._absent: frozenset[Seat] = frozenset()
        self._movers: tuple[Seat, ...] = ()  # as far as everybody may know
        self._deputies: dict[Seat, Deputy] = {}
        self._deputised: dict[str, dict[str, Any]] = {}
        self._resigned: Seat | None = None
        self._given_up: tuple[Seat, str] | None = None
        self._course = Course()
        assert self._live is not None
        self.called = tuple(position_json.called(self._live.loaded, self._live.game).values())
        self._read = position_json.for_people(self._live.loaded, self._live.game)
        self._draws = DrawOffers(self.seats, self.called)
        self._back: tuple[int, Any] | None = None  # where a person wants to go back to
        self._came: set[Seat] = set()
        self._gone: dict[Seat, float] = {}  # since when nobody has looked at a seat
        self._listeners: dict[Seat, set[Listener]] = {seat: set() for seat in self.keys}

    def visitor(self, seat: Seat) -> BrowserPlayer:
        return BrowserPlayer(self)

    # In the game's own thread

    def _see(self, live: LiveGame) -> None:
        """A new position: everybody who looks is shown it."""
        loaded, number = live.loaded, self._number + 1
        made, begun = {}, {}
        drawn: position_json.Drawn = {}
        assert self._player is not None
        self._course.see(live, self._player.actions, list(self.keys))
        for seat in self.keys:
            view = live.view(seat)
            if live.discrete:
                live.mask(seat)  # found out now: later an agent may think in this thread while a move is checked
            if not self._begun:
                begun[seat] = json.dumps({"begin": self._introduction(live, seat)})
            shown = {
                "number": number,
                "yours": seat in live.movers and seat not in self._moved_before,
                "over": not live.movers,
                "scores": position_json.open_scores(live.game, live.totals, seat),
                "step": self._course.step,
                "deeds": self._course.deeds(seat),
                "back": self._where_back(live, seat) is not None,
                **position_json.position(loaded, live.game, view, drawn=drawn),
            }
            made[seat] = json.dumps({"frame": shown})
        absent = frozenset(live.game.absent(live.state))
        movers = position_json.known_movers(live.game, live.movers, absent)
        with self._changed:
            self._number = number
            self._said, self._moved_before = self._moved_before, {}
            self._begun = self._begun or begun
            self._frames = made
            self._absent, self._movers = absent, movers
            self._draws.moved(live.movers)
            self._tell(begun)
            self._tell_table()
            self._tell(made)
            if number == 1 and self._player.plan.clock is not None:  # nobody's time runs before all have come
                self._changed.wait_for(lambda: self._left or self._came.issuperset(self.keys))
                self._tell_table()

    def _introduction(self, live: LiveGame, seat: Seat) -> dict[str, Any]:
        """What stays the same through the game, for one seat."""
        assert self._player is not None
        clock, others = self._player.plan.clock, [other for other in range(len(self.seats)) if other not in self.keys]
        rules = [f"{self.called[other]} {self._player.agents[other].draw_rule}." for other in others]
        return {
            **position_json.introduction(live.loaded, live.game, live.view(seat)),
            "draws": can_be_agreed(live.game),
            "draw_rule": " ".join(rules),
            "clock": "" if clock is None else str(clock),
            "grace": GRACE,
        }

    def _where_back(self, live: LiveGame, seat: Seat) -> tuple[int, Any] | None:
        """Where a person can go back to: alone with agents, without a clock, and having learned nothing since."""
        assert self._player is not None
        alone = self.TAKES_BACK and len(self.keys) == 1 and self._player.plan.clock is None
        return self._course.back(live, seat) if alone else None

    def _more(self) -> Mapping[str, Any]:
        more: dict[str, Any] = {"deputies": self._deputised} if self._deputised else {}
        more |= {} if self._resigned is None else {"resigned": True}
        if self._given_up is not None and self._live is not None and self._live.state is not None:
            seat, why = self._given_up
            returns = forfeited(self._live.game, self._live.totals, seat)
            more |= {"returns": returns, "forfeit": self.seats[seat]}
            more["given_up"] = {"seat": self.seats[seat], "why": why}
        return more

    def _finish(self, live: LiveGame, record: EpisodeRecord) -> None:
        for deputy in self._deputies.values():
            deputy.agent.close()
        if record["failed"] is None and not live.movers and live.game.spec.information == "imperfect":
            self._revealed = position_json.revealed(live.loaded, live.game, live.view(None))

    def _ended(self, record: EpisodeRecord, ending: Ending, unsaved: str) -> None:
        self._movers = ()
        self._course.forget_states()
        self._end = json.dumps(self._told(record, ending, unsaved))
        self._tell_table()
        self._tell(dict.fromkeys(self.keys, self._end))

    def _told(self, record: Mapping[str, Any], ending: Ending, unsaved: str) -> dict[str, Any]:
        left = self._left if record.get("unfinished") else ""
        return {
            "end": {
                **ending.told(self._read),
                **({"headline": left} if left else {}),
                "returns": record["returns"],
                "events": {plain(name): count for name, count in record["events"].items() if count},
                "revealed": self._revealed,
                "failed": record["failed"],
                "unfinished": left,
                "file": "" if unsaved or not (record["actions"] or record["failed"]) else self._file,
                "episode": self._episode,
                "unsaved": unsaved,
            }
        }

    def answer_of(self, turn: Turn) -> Any:
        """What the person in this seat chooses; waits for it, or for whoever is to play on in the person's place."""
        seat, left = turn.seat, turn.seconds_left
        until = None if left is None else time.monotonic() + left + AFTER_TIME
        while True:
            with self._changed:
                wait = None if until is None else max(0.0, until - time.monotonic())
                if not self._changed.wait_for(lambda: self._decided(seat), wait):
                    self._said[seat] = None  # what comes now is not taken any more
                    return Illegal("too late", "the time was over.", "")
                if self._left:
                    raise CutShort(self._left)
                if self._paused and seat not in self._said:
                    raise RunStopped("The game goes on when the server is started again.")
                if seat == self._resigned:
                    raise Forfeit
                if self._draws.agreed:
                    raise DrawAgreed
                if self._back is not None:
                    back, self._back = self._back, None
                    self._said[seat] = None
                    raise TakeBack(*back)
                if seat in self._said:
                    return self._said[seat]
                asked = self._asked_for_draw(seat)
                if asked is None:
                    deputy = self._deputies[seat]
                    noted = self._deputised.setdefault(self.seats[seat], {"agent": deputy.name, "moves": 0})
                    noted.update(agent=deputy.name, moves=noted["moves"] + 1)
            if asked is None:
                return deputy.act(turn)
            self._ask_for_draw(asked, turn)

    def _decided(self, seat: Seat) -> bool:
        """Whether there is something to do for whoever waits for a person's answer."""
        stopped = self._left or self._paused or self._draws.agreed or self._back is not None
        asked = self._asked_for_draw(seat) is not None
        return bool(stopped) or asked or seat in {*self._said, *self._deputies, self._resigned}

    def _asked_for_draw(self, seat: Seat) -> Agent | None:
        """The agent that is to answer this person's offer of a draw, if there is one."""
        if self._draws.by != seat or self._player is None:
            return None
        if 1 - seat in self._deputies:
            return self._deputies[1 - seat].agent
        return None if 1 - seat in self.keys else self._player.agents[1 - seat]

    def _ask_for_draw(self, agent: Agent, turn: Turn) -> None:
        assert self._live is not None
        try:
            taken = bool(agent.takes_draw(Turn(self._live, 1 - turn.seat, turn.rng)))
        except Exception:  # who cannot say takes none
            taken = False
        with self._changed:
            if self._draws.by == turn.seat:
                self._draws.answer(1 - turn.seat, taken)
                self._tell_table()

    def _tell(self, messages: Mapping[Seat, str]) -> None:
        for seat, message in messages.items():
            for listener in self._listeners[seat]:
                listener(message)

    # Who is there

    def _table(self) -> str:
        """Who sits where, who of them is here, and for whom everybody waits; nothing before the game is dealt."""
        if not self._number:
            return ""
        people = [
            {
                "role": role,
                "who": plain(self._agents[seat].partition(":")[0]),
                "person": seat in self.keys,
                "here": seat not in self.keys or bool(self._listeners[seat]),
                "deputy": plain(self._deputies[seat].name) if seat in self._deputies else "",
                "grace": self._grace(seat),
            }
            for seat, role in enumerate(self.seats)
            if seat not in self._absent
        ]
        waiting = [self.seats[seat] for seat in self._movers if seat not in self._said]
        return json.dumps({"table": {"people": people, "waiting": waiting, "draw": self._draws.as_json()}})

    def _grace(self, seat: Seat) -> float | None:
        """In how many seconds others may let an agent play on for somebody; None: they may not."""
        timed = self._player is None or self._player.plan.clock is not None
        if seat not in self._came or timed or self._listeners[seat]:
            return None
        return max(0.0, round(self._gone[seat] + GRACE - time.monotonic(), 1))

    def _clocks(self, seat: Seat) -> list[str]:
        """What everybody has left, as far as a seat may know it, and whose clock runs."""
        if not self._number or self._player is None or self._live is None or self._player.plan.clock is None:
            return []
        timed, open_ = self._player.clocks, position_json.clocks_are_open(self._live.game)
        shown = {}
        for other in [one for one in range(len(self.seats)) if one not in self._absent and (open_ or one == seat)]:
            begun = timed.asked_at[other]
            left = timed.left[other] - (0.0 if begun is None else clocks.now() - begun)
            runs = other in self._live.movers and other not in self._said and self._came.issuperset(self.keys)
            shown[self.seats[other]] = {"left": round(max(0.0, left), 2), "runs": runs}
        return [json.dumps({"clocks": shown})]

    def _tell_table(self) -> None:
        if table := self._table():
            self._tell(dict.fromkeys(self.keys, table))
            for seat in self.keys:
                for told in self._clocks(seat):
                    self._tell({seat: told})

    # In the server's threads

    def listen(self, seat: Seat, listener: Listener) -> list[str]:
        """Hear of every new position; what there is to see now comes back. Who comes back takes over again."""
        with self._changed:
            self.touched = time.monotonic()
            self._deputies.pop(seat, None)
            self._listeners[seat].add(listener)
            self._came.add(seat)
            self._changed.notify_all()
            table = self._table()
            self._tell({other: table for other in self.keys if other != seat} if table else {})
            course = json.dumps({"course": self._course.all_deeds(seat)})
            now = (self._begun.get(seat), course, table, *self._clocks(seat), self._frames.get(seat), self._end)
            return [told for told in now if told]

    def unlisten(self, seat: Seat, listener: Listener) -> None:
        with self._changed:
            self.touched = time.monotonic()
            self._listeners[seat].discard(listener)
            self._gone[seat] = time.monotonic()
            self._tell_table()

    def watched(self) -> bool:
        with self._changed:
            return any(self._listeners.values())

    def give_up(self, seat: Seat, why: str) -> None:
        """Leave the game, which ends it and loses it."""
        with self._changed:
            if self._given_up is None and not self._left:
                self._given_up = (seat, why)
                self.leave(f"{self.called[seat]} {why}.")

    def deputise(self, role: str, by: Seat) -> None:
        """Let an agent play on: for oneself, or for somebody whose browser is closed, once there was time to come back.

        Under a clock, and for somebody who has never been here, nobody may.
        """
        seat = next((seat for seat in self.keys if self.seats[seat] == role), None)
        live = self._live
        if seat is None or live is None:
            raise Refused(f"There is nobody to play on for as {role!r}.", 409)
        name = live.game.spec.quick_for(seat)
        deputy = Deputy(name, make_agent(name, live.game.spec))
        with self._changed:
            self.touched = time.monotonic()
            if self._player is not None and self._player.plan.clock is not None:
                raise Refused("Under a clock nobody plays in another's place.", 409)
            if by != seat and self._listeners[seat]:
                raise Refused(f"{self.called[seat]} is here and plays without help.", 409)
            if by != seat and (grace := self._grace(seat)) != 0:
                wait = "has not been here yet" if grace is None else f"has {grace:.0f} more seconds to come back"
                raise Refused(f"{self.called[seat]} {wait}.", 409)
            self._deputies.setdefault(seat, deputy)
            self._changed.notify_all()
            self._tell_table()

    def take_over(self, seat: Seat) -> None:
        """Play on oneself, after an agent did."""
        with self._changed:
            self._deputies.pop(seat, None)
            self._tell_table()

    def _in_turn(self, seat: Seat) -> LiveGame:
        """The game, for somebody who is to move in it."""
        self.touched = time.monotonic()
        if self._live is None or self._left:
            raise Refused("The game is over; start another one.", 409)
        if not self._number or seat not in self._live.movers or seat in self._said:
            raise Refused("It is not your turn. Wait for the others.", 409)
        return self._live

    def resign(self, seat: Seat) -> None:
        """Give up, when it is one's turn, a game in which the other then wins."""
        with self._changed:
            if self._live is not None and not position_json.can_be_resigned(self._live.game):
                raise Refused("This game is not one player's against another's; leave it instead.", 409)
            self._in_turn(seat)
            self._resigned = seat
            self._changed.notify_all()

    def offer_draw(self, seat: Seat) -> None:
        """Offer a draw, when it is one's turn; an agent answers by its rule, and a person when it likes."""
        with self._changed:
            if self._live is not None and not can_be_agreed(self._live.game):
                raise Refused("The rules of this game know no draw between two players.", 409)
            self._in_turn(seat)
            self._draws.offer(seat, self._number)
            self._changed.notify_all()
            self._tell_table()

    def answer_draw(self, seat: Seat, taken: bool) -> None:
        """Agree to the draw that the other offers, or decline it."""
        with self._changed:
            self.touched = time.monotonic()
            if self._live is None or self._left:
                raise Refused("The game is over; start another one.", 409)
            self._draws.answer(seat, taken)
            self._changed.notify_all()
            self._tell_table()

    def take_back(self, seat: Seat) -> None:
        """Go back to one's last choice, where that is fair."""
        with self._changed:
            live = self._in_turn(seat)
            found = self._where_back(live, seat)
            if found is None:
                raise Refused("No move can be taken back here: " + WHY_NOT, 409)
            self._back = found
            self._changed.notify_all()

    def looked_back(self, seat: Seat, step: int) -> dict[str, Any]:
        """An earlier position, as the seat saw it."""
        live = self._live
        shown = None if live is None else self._course.shown(live, seat, step)
        if shown is None:
            raise Refused("That position is not kept here (any more); the replay of the game has it.", 404)
        return shown

    def move(self, seat: Seat, number: Any, said: Any) -> None:
        """Take what a person chose in position `number`: an action, or words that name one."""
        with self._changed:
            self.touched = time.monotonic()
            if self.record is not None or self._left:
                raise Refused("The game is over; start another one.", 409)
            if number != self._number:
                raise Refused("That was meant for an earlier position. Look at the picture and choose again.", 409)
            if seat in self._said:
                raise Refused("Your move was taken already. Wait for the answer to it.", 409)
            assert self._live is not None
            if seat not in self._live.movers:
                raise Refused("It is not your turn. Wait for the others.", 409)
            move = self._live.move_of(seat, said)
            if isinstance(move, Illegal):
                raise Refused(f"That is no move: {move.reason}", 422)
            self._keep(seat, said)
            self._said[seat] = said
            self._changed.notify_all()
            if len(self._movers) > 1:
                self._tell_table()

    def _keep(self, seat: Seat, said: Any) -> None:
        """A move was accepted, and is about to count."""


class BrowserGames(HostedGames[BrowserGame]):
    KIND = BrowserGame
