"""What chat models have in common, wherever they run: how they are shown things, what they see again, what is kept.

`chat` asks an endpoint and `hf` a model in this process; each of them only completes a list of messages.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from mmgames.agents.base import Agent
from mmgames.agents.chat_messages import PictureFormat, chat_messages, user_message
from mmgames.agents.players import STRIKES
from mmgames.core.game import Game, Seat
from mmgames.errors import MmgamesError
from mmgames.running.records import kept_reply
from mmgames.text.refusals import Illegal

_COUNTED = ("tokens_in", "tokens_out", "tokens_reasoning")


@dataclass(kw_only=True, eq=False, repr=False)
class Conversation(Agent):
    """An agent that answers observations in words; `complete(messages)` is what a kind of model has to bring.

    system          the system prompt, or `@FILE` that holds it
    observe         "rgb+text", "text" or "rgb"
    size, frames, reasoning, legal_in_text    how a game is shown, as in environments
    history         how many of the exchanges before this one the model sees again, in this episode and seat

    Replies of this turn that were no move are shown to the model again, the last with the reason, whatever `history`.
    """

    system: str = ""
    observe: str | Iterable[str] = "rgb+text"
    size: int = 512
    frames: int | None = None
    reasoning: str = "direct"
    legal_in_text: bool = True
    history: int = 0
    picture: PictureFormat = field(default="png", init=False)
    image_detail: str = field(default="", init=False)

    def __post_init__(self) -> None:
        self.system = _system(self.system)
        seen = tuple(self.observe.split("+") if isinstance(self.observe, str) else self.observe)
        if not seen or not set(seen) <= {"rgb", "text"}:
            raise MmgamesError(f"observe={'+'.join(seen)!r} is not possible for a chat model: rgb+text, text or rgb.")
        self.style: dict[str, Any] = {
            "observe": seen,
            "size": self.size,
            "frames": self.frames,
            "reasoning": self.reasoning,
            "legal_in_text": self.legal_in_text,
        }
        at_least(self.history, 0, "history")
        self.forget()

    def complete(self, messages: list[dict[str, Any]]) -> str:
        """What the model says after these messages. `last_call` may tell about it: model, tokens_in, tokens_out, …"""
        raise NotImplementedError

    def describe(self) -> dict[str, Any]:
        """What it is shown and sees again; a kind of model adds all else that makes its replies what they are."""
        return {
            "system": hashlib.sha256(self.system.encode()).hexdigest()[:16] if self.system else None,
            **{name: list(value) if isinstance(value, tuple) else value for name, value in self.style.items()},
            "history": self.history,
            **({"image_detail": self.image_detail} if self.image_detail else {}),
        }

    def fresh(self) -> Self:
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)  # the client or the weights are shared
        other.forget()
        return other

    def begin(self, game: Game, seat: Seat) -> None:
        self.forget()

    def forget(self) -> None:
        self._exchanges: list[list[dict[str, Any]]] = []
        self._refused = 0  # how many of the last exchanges came to no move
        self._again = False  # the last of them did
        self.last_call: dict[str, Any] = {}

    def refused(self, why: Illegal) -> None:
        """The last reply was no move: it stays in sight when the model is asked again."""
        self._refused += 1
        self._again = True

    def answer(self, observation: dict[str, Any]) -> str:
        """What the model replies to an observation, after as much of the past as it is to see."""
        messages = self.messages(observation)
        reply = self.complete(messages)
        self._remember(messages[-1], reply)
        return reply

    def messages(self, observation: dict[str, Any]) -> list[dict[str, Any]]:
        """What the model would be shown now."""
        kept = max(self.history, self._refused if self._again else 0)
        past = [message for exchange in self._exchanges[-kept:] for message in exchange] if kept else []
        return chat_messages(
            observation, system=self.system, history=past, picture=self.picture, image_detail=self.image_detail
        )

    def recall(self, observation: dict[str, Any], reply: str) -> None:
        """It has given this reply in a run that was cut short."""
        self._remember(user_message(observation, self.picture, self.image_detail), reply)

    def _remember(self, message: dict[str, Any], reply: str) -> None:
        self._exchanges.append([message, {"role": "assistant", "content": kept_reply(reply)}])
        self._exchanges = self._exchanges[-max(self.history, STRIKES) :]
        self._refused = self._refused if self._again else 0
        self._again = False


def added_up(calls: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What several requests for one reply took together; all else is that of the last."""
    if len(calls) == 1:
        return dict(calls[0])
    names = [name for name in _COUNTED if any(call.get(name) is not None for call in calls)]
    counts = {name: sum(call.get(name) or 0 for call in calls) for name in names}
    return {**calls[-1], **counts, "requests": sum(call.get("requests", 1) for call in calls)}


def json_setting(given: Any, name: str, kind: type) -> Any:
    """A setting that is a value of this kind, JSON that holds one, or `@FILE` with such JSON; None: it is not set."""
    if isinstance(given, str) and given:
        try:
            given = json.loads(Path(given[1:]).read_text("utf-8") if given.startswith("@") else given)
        except (OSError, ValueError) as error:
            raise MmgamesError(f"{name} cannot be read: {error}.") from error
    if given and not isinstance(given, kind):
        raise MmgamesError(f"{name} is a JSON {'object' if kind is dict else 'list'}, not {str(given)[:60]!r}.")
    return given or None


def at_least(number: Any, least: int, name: str) -> None:
    """Refuse what is no whole number from `least` up."""
    if isinstance(number, bool) or not isinstance(number, int) or number < least:
        raise MmgamesError(f"{name}={number!r} is out of range; it is a whole number from {least} up.")


def _system(text: str) -> str:
    if not text.startswith("@"):
        return text
    try:
        return Path(text[1:]).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise MmgamesError(f"The system prompt cannot be read from {text[1:]}: {error}.") from error
