"""LiveGame: one episode in progress. Every face and every match steps its game through this."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from mmgames.core.actions import action_space, array_of, well_formed
from mmgames.core.game import CHANCE, Action, Game, Seat
from mmgames.errors import MmgamesError
from mmgames.readers import reader_of
from mmgames.text.refusals import Illegal
from mmgames.text.replies import Reading, check_reading, no_answer_kind, parse, parse_keywords, parse_numbers

if TYPE_CHECKING:
    from gymnasium import spaces

    from mmgames.core.registry import LoadedGame


class LiveGame:
    """A game, the state it is in, and the generator that settles its chances."""

    def __init__(self, loaded: LoadedGame, game: Game[Any, Any], reading: Reading = "paragraph") -> None:
        self.reading = check_reading(reading, game.spec.id)
        self.game = game
        self.discrete = game.spec.actions == "discrete"
        self.reader = reader_of(reading, game.spec.name) if self.discrete and isinstance(reading, str) else None
        self.asks_again = int(reading == "paragraph") if self.reader is None else self.reader.tries - 1
        """So often what was not read is asked again in a turn."""
        self.strikes_in_all = self.reader is not None and self.reader.strikes_in_all
        self.loaded = loaded.asking(self.reader).shown(game)
        self.state: Any = None
        self.rng: np.random.Generator | None = None
        self._views: dict[Seat | None, Any] = {}
        self._legal: dict[Seat, Sequence[Action]] = {}
        self._masks: dict[Seat, np.ndarray] = {}
        self.no_rewards = (0.0,) * len(game.seats)
        self._actions = game.num_actions if self.discrete else 0
        self._nothing = np.zeros(self._actions, np.int8)
        self._spaces: dict[Seat, spaces.Space[Any]] = {}
        self._past: deque[Any] = deque(maxlen=max(1, game.spec.frames))

    def start(self, rng: np.random.Generator | None) -> None:
        """Begin an episode; a game that draws nothing needs no generator."""
        self.rng = rng
        self._past.clear()
        self._settle(self.game.start(rng))  # type: ignore[arg-type]  # None where nothing is drawn
        self._totals = tuple(self.game.returns(self.state))

    def go_on_from(self, state: Any, rng: np.random.Generator) -> None:
        """Take up a game at a given state."""
        self.rng = rng
        self._past.clear()
        self._settle(state)
        self._totals = tuple(self.game.returns(self.state))

    @property
    def totals(self) -> list[float]:
        """What each seat has collected so far."""
        return list(self._totals)

    def view(self, seat: Seat | None) -> Any:
        """The seat's view of the current state, made once."""
        view = self._views.get(seat)
        if view is None:
            view = self._views[seat] = self.game.view(self.state, seat)
        return view

    def features(self, seat: Seat) -> np.ndarray:
        """The seat's features, made from its view, unless the rules write them faster."""
        written = self.game.features(self.state, seat)
        return self.loaded.picture.features(self.view(seat)) if written is None else written

    def legal(self, seat: Seat) -> Sequence[Action]:
        """The actions open to a seat, found out once; none while it is not to move."""
        legal = self._legal.get(seat)
        if legal is None:
            legal = self._legal[seat] = self.game.legal(self.state, seat) if seat in self.movers else ()
        return legal

    def mask(self, seat: Seat) -> np.ndarray:
        """The same as a mask, found out once; nothing while it is not to move. To be read, or copied."""
        mask = self._masks.get(seat)
        if mask is None:
            mask = self._masks[seat] = self.game.mask(self.state, seat) if seat in self.movers else self._nothing
        return mask

    def space(self, seat: Seat) -> spaces.Space[Any]:
        """The seat's action space, made once."""
        space = self._spaces.get(seat)
        if space is None:
            space = self._spaces[seat] = action_space(self.game, seat)
        return space

    def keep_states(self, states: int) -> None:
        """Keep at least so many of the last states, the current one among them."""
        if states > (self._past.maxlen or 0):
            self._past = deque(self._past, states)

    def recent_views(self, seat: Seat, most: int) -> list[Any]:
        """The seat's views of the last states, at most so many, oldest first; from now on as many are kept."""
        self.keep_states(most)
        return [*(self.game.view(state, seat) for state in list(self._past)[-most:-1]), self.view(seat)]

    def check(self, seat: Seat, action: Action) -> Action | Illegal:
        """The move that `action` stands for, or why the rules do not allow it.

        Raises when the action is malformed: not a member of the seat's action space, bounds of a box left aside.
        An Illegal, by which a caller says itself that there is no move, comes back as it is.
        """
        if type(action) is int and self.discrete and 0 <= action < self._actions and self.mask(seat)[action]:
            return action  # by far the most frequent case
        if isinstance(action, Illegal):
            return action
        move = well_formed(self.game, seat, self.space(seat), action)
        if isinstance(move, Illegal) or self.game.spec.actions == "box":
            return move
        if self.game.spec.actions == "text":
            return self.loaded.words.read(self.view(seat), move)
        if move in self.legal(seat):
            return move
        names = self.loaded.words.names(self.view(seat))
        listing = ", ".join(f"{number} {name}" for number, name in list(names.items())[:12])
        more = ", …" if len(names) > 12 else ""
        reason = f"{action!r} is not legal for {self.game.seats[seat]} here. Legal: {listing}{more}."
        return Illegal("not possible here", reason, repr(action))

    def sample(self, seat: Seat, rng: np.random.Generator) -> Action:
        """A random legal action of a mover, in the form that environments take."""
        return self.game.sample(self.state, seat, rng)

    def read(self, seat: Seat, reply: str) -> Action | Illegal:
        """The move that a reply in words names, or why it names none."""
        kind = self.game.spec.actions
        if kind == "text":
            return self.check(seat, reply)
        if kind == "box":
            space = self.space(seat)
            given = array_of(parse_numbers(reply))
            if given is None or given.shape != space.shape or np.isnan(given).any():
                reason = f"the reply holds no JSON list of numbers with the shape {space.shape}."
                return Illegal(no_answer_kind(reply), reason, reply)
            return self.check(seat, given.tolist())
        words, view = self.loaded.words, self.view(seat)
        if callable(self.reading):
            return self.reading(reply, words.names(view))
        if self.reader is not None:
            return self.reader.read_move(self.game.spec.name, view, words.names(view), reply)
        return parse(reply, words.names(view), **parse_keywords(words, view))

    def flaw(self, seat: Seat, said: Any, move: Any) -> Illegal | None:
        """What is wrong with an answer in words that was taken for this move or refused; None: it was read.

        Games of talk take any words for some move. A paper's own code that asks nothing again is
        right whatever it makes of them.
        """
        if not self.asks_again or not isinstance(said, (str, Illegal)):
            return None
        if isinstance(move, Illegal):
            return move
        if self.game.spec.actions != "text" or isinstance(said, Illegal):
            return None
        return self.loaded.words.unclear(self.view(seat), said)

    def move_of(self, seat: Seat, said: Any) -> Action | Illegal:
        """The move that an agent means: it may give an action, or words that name one."""
        return self.read(seat, said) if isinstance(said, str) else self.check(seat, said)

    def play(self, moves: Mapping[Seat, Action]) -> Sequence[float]:
        """Apply checked moves; the rewards of this transition, one per seat: `no_rewards` itself if all are 0."""
        for seat, move in moves.items():
            if isinstance(move, Illegal):
                raise MmgamesError(
                    f"{self.game.spec.id}: no move of {self.game.seats[seat]} can be played: {move.reason}"
                )
        self._settle(self.game.play(self.state, moves, self.rng))  # type: ignore[arg-type]
        before, totals = self._totals, tuple(self.game.returns(self.state))
        if totals == before:  # most moves earn nothing
            return self.no_rewards
        self._totals = totals
        return tuple([float(now - then) for now, then in zip(totals, before, strict=True)])

    def _chance(self, state: Any) -> Any:
        """What chance makes of a state in which it moves."""
        rng = self.rng
        assert rng is not None
        draw = rng.random()
        for outcome, probability in self.game.chance(state):  # noqa: B007 - the last outcome takes the rounding
            draw -= probability
            if draw < 0:
                break
        return self.game.play(state, {CHANCE: outcome}, rng)

    def _settle(self, state: Any) -> None:
        """Move on through chance nodes and remember who is to move."""
        movers = self.game.movers(state)
        while movers == (CHANCE,):
            state = self._chance(state)
            movers = self.game.movers(state)
        self.state = state
        self.movers = movers
        if self._views:
            self._views.clear()
        if self._legal:
            self._legal.clear()
        self._masks.clear()
        self._past.append(state)
