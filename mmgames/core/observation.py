"""Observer: makes the observation dict of a seat from its View. What is not asked for is not computed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
from gymnasium import spaces

from mmgames.core import prompt
from mmgames.core.constants import MOST_FRAMES
from mmgames.core.game import Game, Seat
from mmgames.core.registry import LoadedGame
from mmgames.core.spaces import AnyText, Names
from mmgames.errors import MmgamesError, unknown

if TYPE_CHECKING:
    from mmgames.core.live import LiveGame

SIZES = (64, 2048)

_NAMED = ("legal_actions",)
_KEYS_OF_KIND = {"discrete": (*_NAMED, "action_mask"), "text": _NAMED, "box": _NAMED}


def keys_of(loaded: LoadedGame) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The observations of a game: those of the default, and all there are."""
    default = ("rgb", "text", *_KEYS_OF_KIND[loaded.spec.actions])
    planes = ("planes",) if hasattr(loaded.picture, "planes") else ()
    return default, (*default, "features", *planes)


def check_size(size: Any, where: str) -> None:
    if isinstance(size, bool) or not isinstance(size, (int, np.integer)) or not SIZES[0] <= size <= SIZES[1]:
        raise MmgamesError(
            f"{where}: size={size!r} is out of range; the longest side is {SIZES[0]} to {SIZES[1]} pixels."
        )


class Observer:
    def __init__(
        self,
        loaded: LoadedGame,
        game: Game[Any, Any],
        observe: Iterable[str] | str | None = None,
        size: int = 512,
        frames: int | None = None,
        legal_in_text: bool = True,
        reasoning: prompt.Reasoning = "direct",
    ) -> None:
        self.loaded = loaded = loaded.shown(game)
        self.game = game
        self.keys = self._check_keys(observe)
        where = game.spec.id
        check_size(size, where)
        frames = game.spec.frames if frames is None else frames
        if not isinstance(frames, (int, np.integer)) or not 1 <= frames <= MOST_FRAMES:
            raise MmgamesError(f"{where}: frames={frames!r} is out of range; 1 to {MOST_FRAMES} pictures are kept.")
        if reasoning not in get_args(prompt.Reasoning):
            raise unknown("reasoning", reasoning, where, get_args(prompt.Reasoning))
        if not isinstance(legal_in_text, (bool, np.bool_)):
            raise MmgamesError(f"{where}: legal_in_text={legal_in_text!r} is not possible; it is True or False.")
        self.size = int(size)
        self.frames = int(frames)
        self.legal_in_text = bool(legal_in_text)
        self.reasoning: prompt.Reasoning = reasoning
        self._pictures = self.frames if "rgb" in self.keys else 0
        self._in_numbers = game.spec.actions == "box"
        self._named = "legal_actions" in self.keys or "action_mask" in self.keys
        self._shows: Callable[[Any], Hashable] | None = getattr(loaded.picture, "shows", None)
        self._last_picture: tuple[Any, np.ndarray] = (None, np.zeros(0))

    def _check_keys(self, observe: Iterable[str] | str | None) -> tuple[str, ...]:
        default, possible = keys_of(self.loaded)
        if observe is None:
            return default
        asked = (observe,) if isinstance(observe, str) else tuple(observe)
        for key in asked:
            if key not in possible:
                raise unknown("observation", key, self.game.spec.id, possible)
        if not asked:
            raise MmgamesError(f"{self.game.spec.id}: observe= names nothing. Known: {', '.join(possible)}.")
        return asked

    def space(self, view: Any) -> spaces.Dict:
        """The observation space; pictures and features are measured on `view`."""
        known: dict[str, spaces.Space[Any]] = {}
        for key in self.keys:
            if key == "rgb":
                shape = self.loaded.picture.draw(view, self.size).shape
                shape = (self.frames, *shape) if self.frames > 1 else shape
                known[key] = spaces.Box(0, 255, shape, np.uint8)
            elif key == "text":
                known[key] = AnyText()
            elif key == "legal_actions":
                known[key] = Names()
            elif key == "action_mask":
                known[key] = spaces.Box(0, 1, (self.game.num_actions,), np.int8)
            else:
                known[key] = spaces.Box(-1.0, 1.0, getattr(self.loaded.picture, key)(view).shape, np.float32)
        return spaces.Dict(known)

    def observe(self, view: Any, history: FrameHistory | None = None) -> dict[str, Any]:
        """The observation of a view."""
        names = self._names(view)
        return {key: self._made(key, view, names, history) for key in self.keys}

    def observe_live(
        self, live: LiveGame, seat: Seat, history: FrameHistory | None = None, share: bool = False
    ) -> dict[str, Any]:
        """The observation of a seat of a game in progress, which may know masks and features without any view.

        With `share`, seats that see the same get the same picture, not to be written on.
        """
        observation: dict[str, Any] = {}
        names = None
        for key in self.keys:
            if key == "action_mask":
                observation[key] = live.mask(seat).copy()
            elif key == "features":
                observation[key] = live.features(seat)
            elif key == "rgb" and share and self._shows is not None and history is None:
                observation[key] = self._shared(live.view(seat))
            else:
                view = live.view(seat)
                names = self._names(view, seat in live.movers) if names is None else names
                observation[key] = self._made(key, view, names, history)
        return observation

    def _shared(self, view: Any) -> np.ndarray:
        """The picture of a view, drawn once for all seats that see it."""
        assert self._shows is not None
        shown = self._shows(view)
        if self._last_picture[0] != shown:
            picture = self.loaded.picture.draw(view, self.size)
            picture.setflags(write=False)
            self._last_picture = shown, picture
        return self._last_picture[1]

    def _names(self, view: Any, moves: bool = True) -> Mapping[int, str]:
        """The names of the legal actions, made once for all observations of a view; none if none of them tells any.

        In box games there is one, which says the bounds, for who is to move; a view alone does not tell who that is.
        """
        if not (self._named or (self.legal_in_text and "text" in self.keys)):
            return {}
        return self._names_of(view) if moves or not self._in_numbers else {}

    def _names_of(self, view: Any) -> Mapping[int, str]:
        if not self._in_numbers:
            return self.loaded.words.names(view)
        return {} if view.seat is None else {0: self._bounds(view.seat)}

    def _made(self, key: str, view: Any, names: Mapping[int, str], history: FrameHistory | None) -> Any:
        if key == "rgb":
            return history.stack() if history else self.loaded.picture.draw(view, self.size)
        if key == "text":
            return self._text(view, names, history)
        if key == "legal_actions":
            return tuple(names.values())
        if key == "action_mask":
            mask = np.zeros(self.game.num_actions, np.int8)
            mask[list(names)] = 1
            return mask
        return getattr(self.loaded.picture, key)(view)  # features or planes

    @property
    def looks_back(self) -> bool:
        """Whether what a seat has seen before belongs to its observation."""
        tells = "text" in self.keys and self.loaded.words.remembers
        return self.frames > 1 and ("rgb" in self.keys or tells)

    def text(self, view: Any) -> str:
        return self._text(view, self._names_of(view) if self.legal_in_text else {}, None)

    def _text(self, view: Any, names: Mapping[int, str], history: FrameHistory | None) -> str:
        # Whoever speaks freely has no list of actions.
        listed = self.legal_in_text and (names or self.game.spec.actions == "discrete")
        return prompt.compose(
            self.loaded.words.remembering(self.frames, [view] if history is None else [*history.views]),
            view,
            pictures=self._pictures,
            legal=tuple(names.values()) if listed else None,
            reasoning=self.reasoning,
            form=f"An action has {self._bounds(view.seat)}." if self._in_numbers and view.seat is not None else "",
            size=self.size,
        )

    def _bounds(self, seat: Seat) -> str:
        """How many numbers an action of a seat has, and between which bounds."""
        low, high = self.game.bounds(seat)
        if low.size == 1:
            return f"1 number, from {low.flat[0]:g} to {high.flat[0]:g}"
        if (low == low.flat[0]).all() and (high == high.flat[0]).all():
            bounds = f"each from {low.flat[0]:g} to {high.flat[0]:g}"
        else:
            bounds = "from " + ", ".join(f"{a:g} to {b:g}" for a, b in zip(low.flat, high.flat, strict=True))
        return f"{' by '.join(map(str, low.shape))} numbers, {bounds}"


class FrameHistory:
    """The last n views of one seat, oldest first, and their pictures; the first one fills the places before it."""

    def __init__(self, observer: Observer) -> None:
        self._observer = observer
        self.views: deque[Any] = deque(maxlen=observer.frames)
        self._pictures: deque[np.ndarray] = deque(maxlen=observer.frames)

    def see(self, view: Any) -> None:
        if self.views and view is self.views[-1]:
            return
        self.views.append(view)
        if "rgb" not in self._observer.keys:
            return
        picture = self._observer.loaded.picture.draw(view, self._observer.size)
        if not self._pictures:
            self._pictures.extend([picture] * (self._observer.frames - 1))
        self._pictures.append(picture)

    def stack(self) -> np.ndarray:
        return np.stack(self._pictures)
