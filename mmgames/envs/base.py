"""What all faces share: options, spaces, observations, illegal actions, rendering."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, get_args

import numpy as np
from gymnasium import spaces

from mmgames.core import registry
from mmgames.core.actions import action_space
from mmgames.core.constants import RENDER_MODES, SEAT_OPTIONS, SHARED_OPTIONS, IllegalPolicy
from mmgames.core.errors import IllegalAction, MmgamesError, unknown
from mmgames.core.game import Action, Seat
from mmgames.core.live import LiveGame
from mmgames.core.observation import FrameHistory, Observer
from mmgames.core.prompt import Reasoning
from mmgames.core.replies import Illegal


class GameEnv:
    """The base of the Gymnasium, AEC and parallel faces: one LiveGame and the observations of its seats."""

    own_options: tuple[str, ...] = (*SHARED_OPTIONS, "max_cycles")
    """What a face takes besides the options of its game."""

    shares_pictures = True
    """Whether seats that see the same get one picture; a face of one seat gives a picture of its own."""

    def __init__(
        self,
        env_id: str,
        *,
        observe: Iterable[str] | str | None = None,
        size: int = 512,
        frames: int | None = None,
        legal_in_text: bool = True,
        reasoning: Reasoning = "direct",
        illegal: IllegalPolicy = "penalty",
        max_steps: int | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        loaded = registry.load(env_id)
        spec = loaded.spec
        for name in options:
            if name in SEAT_OPTIONS and name not in spec.options:
                raise MmgamesError(
                    f"{spec.id}: {name}= is an option of gym.make; the PettingZoo faces give all seats, "
                    "and you act for each of them."
                )
            if name not in spec.options:
                raise unknown("option", name, spec.id, (*spec.options, *self.own_options))
        if illegal not in get_args(IllegalPolicy):
            raise unknown("illegal policy", illegal, spec.id, get_args(IllegalPolicy))
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise unknown("render mode", render_mode, spec.id, RENDER_MODES)
        counted = isinstance(max_steps, (int, np.integer)) and not isinstance(max_steps, bool)
        if max_steps is not None and (not counted or max_steps < 1):
            raise MmgamesError(f"{spec.id}: max_steps={max_steps!r} is out of range; it must be at least 1.")
        self.live = LiveGame(loaded, loaded.game(**options))
        self.observer = Observer(loaded, self.live.game, observe, size, frames, legal_in_text, reasoning)
        self.illegal = illegal
        self.max_steps = None if max_steps is None else int(max_steps)
        self.render_mode = render_mode
        self._window: Any = None
        self._histories: dict[Seat, FrameHistory] = {}
        self._discrete = self.game.spec.actions == "discrete"

    @property
    def game(self) -> Any:
        """The rules this environment plays by."""
        return self.live.game

    @property
    def state_value(self) -> Any:
        """The current state of the game, for search and analysis; no seat is meant to see it."""
        return self.live.state

    def _spaces(self) -> tuple[list[spaces.Space], list[spaces.Space]]:
        """Observation and action spaces, one of each per seat."""
        sample = LiveGame(self.live.loaded, self.live.game)
        sample.start(np.random.default_rng(0))
        seats = range(len(self.game.seats))
        observation: list[spaces.Space] = [self.observer.space(sample.view(seat)) for seat in seats]
        return observation, [action_space(self.game, seat) for seat in seats]

    def _start(self, rng: np.random.Generator) -> None:
        self.live.start(rng)
        self._steps = 0
        if self.observer.frames > 1 and "rgb" in self.observer.keys:
            self._histories = {seat: FrameHistory(self.observer) for seat in range(len(self.game.seats))}
        self._look()

    def _play(self, moves: dict[Seat, Action]) -> list[float]:
        rewards = self.live.play(moves)
        self._steps += 1
        self._look()
        return rewards

    def _look(self) -> None:
        """Let every seat's frame history see the new state."""
        for seat, history in self._histories.items():
            history.see(self.live.view(seat))

    def _out_of_time(self) -> bool:
        return self.max_steps is not None and self._steps >= self.max_steps and bool(self.live.movers)

    def _check(self, seat: Seat, action: Action) -> Action | Illegal:
        if seat in self.live.movers:
            move = self.live.check(seat, action)
        else:
            move = Illegal(f"{self.game.seats[seat]} is not to move here.", repr(action))
        if isinstance(move, Illegal) and self.illegal == "error":
            raise IllegalAction(f"{self.game.spec.id}: {move.reason}")
        return move

    def _observe(self, seat: Seat) -> dict[str, Any]:
        return self.observer.observe_live(self.live, seat, self._histories.get(seat), self.shares_pictures)

    def _infos(self) -> dict[str, dict[str, Any]]:
        """The info of every seat; those that are not to move have nothing in their masks."""
        if not self._discrete:
            return {role: {} for role in self.game.seats}
        return {role: self._info(seat) for seat, role in enumerate(self.game.seats)}

    def _info(self, seat: Seat) -> dict[str, Any]:
        return {"action_mask": self.observer.mask(self.live.legal(seat))} if self._discrete else {}

    def render(self) -> Any:
        """The spectator's view: a picture, a text, or a window (imports pygame only then)."""
        if self.render_mode is None:
            return None
        if self.live.state is None:
            raise MmgamesError(f"{self.game.spec.id}: call reset() before render().")
        view = self.live.view(None)
        if self.render_mode == "ansi":
            return self.live.loaded.words.describe(view)
        picture = self.live.loaded.picture.draw(view, self.observer.size)
        if self.render_mode == "rgb_array":
            return picture
        if self._window is None:
            from mmgames.core.window import Window

            self._window = Window(self.game.spec.name, picture.shape)
        self._window.show(picture)
        return None

    def close(self) -> None:
        if self._window is not None:
            self._window.close()
            self._window = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_window": None}
