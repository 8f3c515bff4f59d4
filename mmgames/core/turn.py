"""A turn: what an agent gets to decide on."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from mmgames.core.game import Action, Game, Seat
from mmgames.core.live import LiveGame
from mmgames.core.observation import FrameHistory, Observer
from mmgames.text.refusals import ASKED_AGAIN, Illegal


class Turn:
    """What an agent gets to decide on: its view, its observation (made when asked for), legal actions, an rng."""

    def __init__(self, live: LiveGame, seat: Seat, rng: np.random.Generator, observer: Observer | None = None):
        self._live = live
        self._observer = observer
        self.seat = seat
        self.rng = rng
        self.refused: Illegal | None = None
        """Why this agent's last answer was no move, when it is asked again."""
        self.asked_again = False
        """Whether that answer was not read, so that it costs nothing, and the form is shown once more."""
        self.seconds_left: float | None = None
        """How long the answer may take, in a match with a clock."""

    @property
    def game(self) -> Game[Any, Any]:
        return self._live.game

    @property
    def role(self) -> str:
        return self._live.game.seats[self.seat]

    @property
    def standing(self) -> tuple[str, str]:
        """Which part of the game it is, and what the seat is in it."""
        stage, role = self._live.loaded.words.standing(self.view)
        return stage, role or self.role

    @property
    def view(self) -> Any:
        return self._live.view(self.seat)

    @property
    def legal(self) -> Sequence[Action]:
        return self._live.game.legal(self._live.state, self.seat)

    @property
    def names(self) -> Mapping[Action, str]:
        return self._live.loaded.words.names(self.view)

    @property
    def asked_form(self) -> str:
        """How to answer, in one line."""
        return self._live.loaded.words.asked_form(self.view)

    @property
    def asks_again(self) -> int:
        """So often an answer that was not read is asked again."""
        return self._live.asks_again

    @property
    def tells_why(self) -> bool:
        """Whether a model is told why its answer was no move; papers' own code asks the very same again."""
        return self._live.reader is None

    def sample(self) -> Action:
        """A random legal action, drawn from this agent's own stream."""
        return self._live.sample(self.seat, self.rng)

    @property
    def observation(self) -> dict[str, Any]:
        """This seat's observation, as its environment makes them; in a match with the default keys and size."""
        return self._observed(self._observer or Observer(self._live.loaded, self._live.game))

    def observe(self, observe: Iterable[str] | str | None = None, **style: Any) -> dict[str, Any]:
        """This seat's observation with these keys; `style` is as in environments (size, frames, legal_in_text, …)."""
        return self._observed(Observer(self._live.loaded, self._live.game, observe, **style))

    def _observed(self, observer: Observer) -> dict[str, Any]:
        history = None
        if observer.looks_back:
            history = FrameHistory(observer)
            for view in self._live.recent_views(self.seat, observer.frames):
                history.see(view)
        return observer.observe(self.view, history)

    def words(self, with_picture: bool = False) -> str:
        """The prompt for this turn; complete in words unless a picture goes with it."""
        observe = ("rgb", "text") if with_picture else ("text",)
        return Observer(self._live.loaded, self._live.game, observe=observe).text(self.view)

    def read(self, reply: str) -> Action | Illegal:
        """The move that a reply in words names, or why it names none."""
        return self._live.read(self.seat, reply)

    def move_of(self, said: Any) -> Action | Illegal:
        """The move that an answer stands for, which may be an action or words that name one."""
        return self._live.move_of(self.seat, said)

    def not_read(self, said: Any, move: Any) -> Illegal | None:
        """Why an answer in words was not read, so that it is asked again; None: it was."""
        why = self._live.flaw(self.seat, said, move)
        return why if why is not None and why.kind in ASKED_AGAIN else None

    def imagine(self) -> Any:
        """A state consistent with all this seat may know: the state itself in games of perfect information."""
        game, state = self._live.game, self._live.state
        return state if game.spec.information == "perfect" else game.imagine(state, self.seat, self.rng)
