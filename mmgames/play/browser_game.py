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
from mmgames.play import position_json
from mmgames.play.hosted_game import HostedGame, HostedGames, Refused
from mmgames.running.endings import Ending
from mmgames.running.episodes import CutShort, EpisodeRecord, Forfeit
from mmgames.text.refusals import Illegal

PERSON = "person"

Listener = Callable[[str], None]


class BrowserPlayer(Agent):
    """The agent of a seat that a browser has taken."""

    name = PERSON
    concurrent = True  # where several people move at once, none of them waits for another to be asked

    def __init__(self, game: BrowserGame) -> None:
        self._game = game

    def describe(self) -> dict[str, Any]:
        return {"page": position_json.SIZE}

    def act(self, turn: Turn) -> Any:
        return self._game.answer_of(turn)


class Deputy:
    """An agent that plays on for somebody who is away."""

    def __init__(self, name: str, agent: Agent) -> None:
        self.name, self.agent = name, agent
        self._begun = False

    def act(self, turn: Turn) -> Any:
        if not self._begun:
            self.agent.begin(turn.game, turn.seat)
            self._begun = True
        return self.agent.act(turn)


class BrowserGame(HostedGame):
    """Browsers that hold a seat's key listen for positions and send moves."""

    VISITOR = PERSON

    def __init__(self, game: str, agents: Sequence[str], *args: Any, **kwargs: Any) -> None:
        super().__init__(game, agents, *args, **kwargs)
        self._number = 0
        self._said: dict[Seat, Any] = {}  # what was chosen in the position that is shown
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
        self._listeners: dict[Seat, set[Listener]] = {seat: set() for seat in self.keys}

    def visitor(self, seat: Seat) -> BrowserPlayer:
        return BrowserPlayer(self)

    # In the game's own thread

    def _see(self, live: LiveGame) -> None:
        """A new position: everybody who looks is shown it."""
        loaded, number = live.loaded, self._number + 1
        made, begun = {}, {}
        drawn: position_json.Drawn = {}
        for seat in self.keys:
            view = live.view(seat)
            if live.discrete:
                live.mask(seat)  # found out now: later an agent may think in this thread while a move is checked
            if not self._begun:
                begun[seat] = json.dumps({"begin": position_json.introduction(loaded, live.game, view)})
            shown = {
                "number": number,
                "yours": seat in live.movers,
                "over": not live.movers,
                "total": float(live.totals[seat]),
                **position_json.position(loaded, view, drawn=drawn),
            }
            made[seat] = json.dumps({"frame": shown})
        absent = frozenset(live.game.absent(live.state))
        movers = known_movers(live, absent)
        with self._changed:
            self._number = number
            self._said.clear()
            self._begun = self._begun or begun
            self._frames = made
            self._absent, self._movers = absent, movers
            self._tell(begun)
            self._tell_table()
            self._tell(made)

    def _more(self) -> Mapping[str, Any]:
        stood = {"deputies": self._deputised} if self._deputised else {}
        return {**stood, **({} if self._resigned is None else {"resigned": True})}

    def _finish(self, live: LiveGame, record: EpisodeRecord) -> None:
        for deputy in self._deputies.values():
            deputy.agent.close()
        if record["failed"] is None and not live.movers and live.game.spec.information == "imperfect":
            self._revealed = position_json.revealed(live.loaded, live.view(None))

    def _ended(self, record: EpisodeRecord, ending: Ending, unsaved: str) -> None:
        self._movers = ()
        self._end = json.dumps(self._told(record, ending, unsaved))
        self._tell_table()
        self._tell(dict.fromkeys(self.keys, self._end))

    def _told(self, record: Mapping[str, Any], ending: Ending, unsaved: str) -> dict[str, Any]:
        left = self._left if record.get("unfinished") else ""
        return {
            "end": {
                **ending.as_json(),
                **({"headline": left} if left else {}),
                "returns": record["returns"],
                "events": {name: count for name, count in record["events"].items() if count},
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
        seat = turn.seat
        with self._changed:
            self._changed.wait_for(lambda: self._left or seat in {*self._said, *self._deputies, self._resigned})
            if self._left:
                raise CutShort(self._left)
            if seat == self._resigned:
                raise Forfeit
            if seat in self._said:
                return self._said[seat]
            deputy = self._deputies[seat]
            noted = self._deputised.setdefault(self.seats[seat], {"agent": deputy.name, "moves": 0})
            noted.update(agent=deputy.name, moves=noted["moves"] + 1)
        return deputy.act(turn)

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
                "who": self._agents[seat],
                "person": seat in self.keys,
                "here": seat not in self.keys or bool(self._listeners[seat]),
                "deputy": self._deputies[seat].name if seat in self._deputies else "",
            }
            for seat, role in enumerate(self.seats)
            if seat not in self._absent
        ]
        waiting = [self.seats[seat] for seat in self._movers if seat not in self._said]
        return json.dumps({"table": {"people": people, "waiting": waiting}})

    def _tell_table(self) -> None:
        if table := self._table():
            self._tell(dict.fromkeys(self.keys, table))

    # In the server's threads

    def listen(self, seat: Seat, listener: Listener) -> list[str]:
        """Hear of every new position; what there is to see now comes back. Who comes back takes over again."""
        with self._changed:
            self.touched = time.monotonic()
            self._deputies.pop(seat, None)
            self._listeners[seat].add(listener)
            table = self._table()
            self._tell({other: table for other in self.keys if other != seat} if table else {})
            return [told for told in (self._begun.get(seat), table, self._frames.get(seat), self._end) if told]

    def unlisten(self, seat: Seat, listener: Listener) -> None:
        with self._changed:
            self.touched = time.monotonic()
            self._listeners[seat].discard(listener)
            self._tell_table()

    def watched(self) -> bool:
        with self._changed:
            return any(self._listeners.values())

    def deputise(self, role: str) -> None:
        """Let an agent play on for somebody whose browser is closed."""
        seat = next((seat for seat in self.keys if self.seats[seat] == role), None)
        live = self._live
        if seat is None or live is None:
            raise Refused(f"There is nobody to play on for as {role!r}.", 409)
        name = live.game.spec.quick_for(seat)
        deputy = Deputy(name, make_agent(name, live.game.spec))
        with self._changed:
            self.touched = time.monotonic()
            if self._listeners[seat]:
                raise Refused(f"{role} is here and plays without help.", 409)
            self._deputies.setdefault(seat, deputy)
            self._changed.notify_all()
            self._tell_table()

    def resign(self, seat: Seat) -> None:
        """Give up, when it is one's turn, a game in which the other then wins."""
        with self._changed:
            self.touched = time.monotonic()
            if self._live is None or self._left:
                raise Refused("The game is over; start another one.", 409)
            if not position_json.can_be_resigned(self._live.game):
                raise Refused("This game is not one player's against another's; leave it instead.", 409)
            if seat not in self._live.movers or seat in self._said:
                raise Refused("It is not your turn. Wait for the others.", 409)
            self._resigned = seat
            self._changed.notify_all()

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
            self._said[seat] = said
            self._changed.notify_all()
            if len(self._movers) > 1:
                self._tell_table()


def known_movers(live: LiveGame, absent: frozenset[Seat]) -> tuple[Seat, ...]:
    """Who is to move, as far as everybody may know it: that some of several are asked may tell their roles."""
    movers = tuple(seat for seat in live.movers if seat not in absent)
    everybody = len(movers) == len(live.game.seats) - len(absent)
    return movers if len(movers) == 1 or everybody or live.game.spec.information == "perfect" else ()


class BrowserGames(HostedGames[BrowserGame]):
    KIND = BrowserGame
