"""Text in, action out: answer an environment in words."""

from __future__ import annotations

from typing import Any, Literal, get_args

import gymnasium

from mmgames.core.constants import MAX_MESSAGE
from mmgames.core.errors import MmgamesError, unknown
from mmgames.core.replies import Illegal
from mmgames.core.spaces import AnyText
from mmgames.envs.solo import SoloEnv

OnIllegal = Literal["penalty", "retry", "random"]


class TextActions(gymnasium.Wrapper, gymnasium.utils.RecordConstructorArgs):
    """`step(reply)` takes raw text and plays the legal move that it names; see `mmgames.core.replies`.

    A reply that names no legal move follows `on_illegal`:

    - "penalty": the environment's own treatment of illegal actions (reward -1 and the end, or an error);
    - "retry": the same observation again, reward 0, up to `retries` times in a row, then the penalty;
    - "random": a random legal move, drawn from the environment's generator.

    Every info has `reply` (the raw text) and `illegal_replies` (how many there were in this episode); after an
    illegal one also `illegal` (the reason) and, with "retry", `retries_left`, with "random", `random_move` (the name
    of what was played instead). Text games take the message as it is.
    """

    def __init__(self, env: gymnasium.Env, on_illegal: OnIllegal = "penalty", retries: int = 2) -> None:
        gymnasium.utils.RecordConstructorArgs.__init__(self, on_illegal=on_illegal, retries=retries)
        super().__init__(env)
        face = env.unwrapped
        if not isinstance(face, SoloEnv):
            raise MmgamesError(f"TextActions needs an mmgames environment, not {face}.")
        if on_illegal not in get_args(OnIllegal):
            raise unknown("on_illegal", on_illegal, "TextActions", get_args(OnIllegal))
        if not isinstance(retries, int) or retries < 0:
            raise MmgamesError(f"TextActions: retries={retries!r} is out of range; it must be 0 or more.")
        self.action_space = AnyText(MAX_MESSAGE)
        self._face = face
        self._on_illegal = on_illegal
        self._retries = retries
        self._observation: Any = None
        self._illegal_replies = 0
        self._retried = 0
        self._over = True

    def reset(self, **kwargs: Any) -> tuple[Any, dict]:
        self._observation, info = self.env.reset(**kwargs)
        self._illegal_replies = self._retried = 0
        self._over = False
        return self._observation, {**info, "illegal_replies": 0}

    def step(self, reply: str) -> tuple[Any, float, bool, bool, dict]:
        if not isinstance(reply, str):
            raise MmgamesError(f"TextActions: step() takes the reply as text, not {type(reply).__name__}.")
        # Where there is no turn to answer, the environment says what is the matter.
        action = self._read(reply) if not self._over and self._face._goes_on() else reply
        told: dict[str, Any] = {"reply": reply}
        if isinstance(action, Illegal):
            told["illegal"] = action.reason
            self._illegal_replies += 1
            if self._on_illegal == "retry" and self._retried < self._retries:
                self._retried += 1
                told["retries_left"] = self._retries - self._retried
                return self._observation, 0.0, False, False, self._told(self._face._info(self._face.seat), told)
            if self._on_illegal == "random":
                action = self._face.live.sample(self._face.seat, self._face.np_random)
                told["random_move"] = self._name(action)
        self._retried = 0
        self._observation, reward, terminated, truncated, info = self.env.step(action)
        self._over = terminated or truncated
        return self._observation, float(reward), terminated, truncated, self._told(info, told)

    def _told(self, info: dict, told: dict) -> dict:
        return {**info, **told, "illegal_replies": self._illegal_replies}

    def _read(self, reply: str) -> Any | Illegal:
        """The action for the environment's step()."""
        live = self._face.live
        move = live.read(self._face.seat, reply)
        talks = live.game.spec.actions == "text"  # there the message itself is the action
        return reply if talks and not isinstance(move, Illegal) else move

    def _name(self, action: Any) -> Any:
        """What an action is called; texts and numbers stand for themselves."""
        live = self._face.live
        if live.game.spec.actions == "discrete":
            return live.loaded.words.names(live.view(self._face.seat))[action]
        return action
