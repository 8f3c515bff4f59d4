"""What all faces share: options, spaces, observations, illegal actions, rendering."""

import importlib.util
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces

from mmgames.core import registry
from mmgames.core.actions import action_space
from mmgames.core.constants import RENDER_MODES, SEAT_OPTIONS, SHARED_OPTIONS, IllegalPolicy
from mmgames.core.game import Action, Game, Seat
from mmgames.core.live import LiveGame
from mmgames.core.observation import FrameHistory, Observer
from mmgames.core.prompt import Reasoning
from mmgames.core.spec import LOOK
from mmgames.envs.options import at_least_one, check_illegal_policy
from mmgames.errors import IllegalAction, MmgamesError, unknown, unknown_option
from mmgames.text.refusals import Illegal
from mmgames.text.replies import Reading


def modes_here() -> list[str]:
    """The render modes that an environment names: a window only where there is a package for it, as tools try all."""
    return [mode for mode in RENDER_MODES if mode != "human" or importlib.util.find_spec("pygame") is not None]


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
        flat: bool = False,
        size: int = 512,
        frames: int | None = None,
        legal_in_text: bool = True,
        reasoning: Reasoning = "direct",
        illegal: IllegalPolicy = "penalty",
        reading: Reading = "paragraph",
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
            if name not in spec.options and name != LOOK:
                raise unknown_option(name, spec.id, (*spec.options, LOOK, *self.own_options))
        check_illegal_policy(illegal, spec.id)
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise unknown("render mode", render_mode, spec.id, RENDER_MODES)
        self.max_steps = None if max_steps is None else at_least_one("max_steps", max_steps, spec.id)
        self.live = LiveGame(loaded, loaded.game(**options), reading)
        asked = (observe,) if isinstance(observe, str) else None if observe is None else tuple(observe)
        # The global state is no view of a seat's, so no Observer makes it, and agents in other seats never get it.
        self._with_state = asked is not None and "state" in asked
        views = tuple(key for key in asked if key != "state") if asked is not None and self._with_state else asked
        if self._with_state and not views:
            raise MmgamesError(f"{spec.id}: observe= names the global state alone; name what the seat itself sees too.")
        self.observer = Observer(self.live.loaded, self.live.game, views, size, frames, legal_in_text, reasoning)
        self.flat = bool(flat)
        if self.flat and (self._with_state or len(self.observer.keys) != 1):
            given = (*self.observer.keys, "state") if self._with_state else self.observer.keys
            raise MmgamesError(
                f"{spec.id}: flat=True gives one observation without a dict; observe= names {', '.join(given)}."
            )
        self.illegal = illegal
        self.render_mode = render_mode
        self._window: Any = None
        self._histories: dict[Seat, FrameHistory] = {}
        self._discrete = self.game.spec.actions == "discrete"
        self._tells = type(self.game).info is not Game.info
        # The mask in the info of those who are not to move: nothing. All share it, so nobody can write on it.
        self._idle = np.zeros(self.game.num_actions if self._discrete else 0, np.int8)
        self._idle.setflags(write=False)
        self._reward_parts: dict[str, np.ndarray] = {}  # of rewards, where some of them are reward shaping

    @property
    def game(self) -> Any:
        """The rules this environment plays by."""
        return self.live.game

    @property
    def state_value(self) -> Any:
        """The current state of the game, for search and analysis; no seat is meant to see it."""
        return self.live.state

    def state(self) -> np.ndarray:
        """The global state (PettingZoo's word): what all seats know together, one's features after the other's.

        It may tell what is hidden from a seat: it is for critics while training, never for a policy.
        """
        if self.live.state is None:
            raise MmgamesError(f"{self.game.spec.id}: call reset() before state().")
        return _joint(self.live)

    def _spaces(self) -> tuple[list[spaces.Space[Any]], list[spaces.Space[Any]]]:
        """Observation and action spaces, one of each per seat."""
        sample = LiveGame(self.live.loaded, self.live.game)
        sample.start(np.random.default_rng(0))
        seats = range(len(self.game.seats))
        self.state_space = _state_space(sample)
        observation: list[spaces.Space[Any]] = []
        for seat in seats:
            seen = self.observer.space(sample.view(seat))
            if self._with_state:
                seen = spaces.Dict({**seen.spaces, "state": spaces.Box(-1.0, 1.0, _joint(sample).shape, np.float32)})
            observation.append(self._flat_space(seen) if self.flat else seen)
        return observation, [action_space(self.game, seat) for seat in seats]

    def _flat_space(self, seen: spaces.Dict) -> spaces.Space[Any]:
        key, space = next(iter(seen.spaces.items()))
        if key == "rgb" and self.observer.frames > 1:
            return spaces.Box(0, 255, _in_channels(np.empty(space.shape or (), np.uint8)).shape, np.uint8)
        return space

    def _start(self, rng: np.random.Generator | None) -> None:
        self.live.start(rng)
        self._steps = 0
        self._scored = self.game.sparse(self.live.state)
        self._reward_parts = {}
        if self.observer.looks_back:
            self._histories = {seat: FrameHistory(self.observer) for seat in range(len(self.game.seats))}
        self._look()

    def _play(self, moves: dict[Seat, Action]) -> Sequence[float]:
        rewards = self.live.play(moves)
        self._steps += 1
        if self._scored is not None:  # some of them are reward shaping
            now = self.game.sparse(self.live.state)
            gained = np.subtract(now, self._scored)
            self._scored = now
            for name, paid in (("sparse", gained), ("shaping", np.subtract(rewards, gained))):
                self._reward_parts[name] = self._reward_parts.get(name, 0.0) + paid
        if self._histories:
            self._look()
        return rewards

    def _look(self) -> None:
        """Let every seat's frame history see the new state."""
        for seat, history in self._histories.items():
            history.see(self.live.view(seat))

    def _out_of_time(self) -> bool:
        return self.max_steps is not None and self._steps >= self.max_steps and bool(self.live.movers)

    def _check(self, seat: Seat, action: Action) -> Action | Illegal:
        live = self.live
        if seat in live.movers:
            move = live.check(seat, action)
        else:
            move = Illegal("not possible here", f"{self.game.seats[seat]} is not to move here.", repr(action))
        if self.illegal == "error" and isinstance(move, Illegal):
            raise IllegalAction(f"{self.game.spec.id}: {move.reason}")
        return move

    def _observe(self, seat: Seat) -> Any:
        observation = self.observer.observe_live(self.live, seat, self._histories.get(seat), self.shares_pictures)
        if self._with_state:
            observation["state"] = _joint(self.live)
        if self.flat:
            key, seen = next(iter(observation.items()))
            return _in_channels(seen) if key == "rgb" and self.observer.frames > 1 else seen
        return observation

    def _infos(self) -> dict[str, dict[str, Any]]:
        """The info of every seat."""
        if not self._discrete or self._reward_parts or self._tells:
            return {role: self._info(seat) for seat, role in enumerate(self.game.seats)}
        live, idle = self.live, self._idle
        infos = {role: {"action_mask": idle} for role in live.game.seats}
        for seat in live.movers:
            infos[live.game.seats[seat]] = {"action_mask": live.mask(seat).copy()}
        return infos

    def _info(self, seat: Seat) -> dict[str, Any]:
        mask = {"action_mask": self.live.mask(seat).copy()} if self._discrete else {}
        paid = {name: float(parts[seat]) for name, parts in self._reward_parts.items()}
        return {**mask, **paid, **self.game.info(self.live.state, seat)}

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
            from mmgames.drawing.window import Window

            self._window = Window(self.game.spec.name, picture.shape)
        self._window.show(picture)
        return None

    def close(self) -> None:
        if self._window is not None:
            self._window.close()
            self._window = None
        self.game.close()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_window": None}


def _state_space(sample: LiveGame) -> spaces.Box | None:
    """The space of the global state; None where the seats have no features."""
    try:
        return spaces.Box(-1.0, 1.0, _joint(sample).shape, np.float32)
    except MmgamesError:
        return None


def _joint(live: LiveGame) -> np.ndarray:
    """The features of all seats, one after the other."""
    return np.concatenate([live.features(seat) for seat in range(len(live.game.seats))])


def _in_channels(pictures: np.ndarray) -> np.ndarray:
    """The last pictures [n, height, width, 3] as one with 3n channels, the newest last: what image networks take."""
    return np.concatenate(list(pictures), axis=-1)
