"""What chat models have in common, wherever they run: how they are shown things, what they see again, what is kept.

`chat` asks an endpoint and `hf` a model in this process; each of them only completes a list of messages.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from mmgames.agents.base import Agent
from mmgames.agents.chat_messages import PictureFormat, chat_messages
from mmgames.agents.players import STRIKES
from mmgames.agents.prompt_template import read_prompt
from mmgames.core.game import Game, Seat
from mmgames.errors import MmgamesError
from mmgames.text.refusals import Illegal


@dataclass(kw_only=True, eq=False, repr=False)
class Conversation(Agent):
    """An agent that answers observations in words; `complete(messages)` is what a kind of model has to bring.

    system          the system prompt, or `@FILE` that holds it
    prompt          a file that says how all messages are written (`mmgames.agents.prompt_template`)
    observe         "rgb+text", "text" or "rgb"
    size, frames, reasoning, legal_in_text    how a game is shown, as in environments
    history         how many of the exchanges before this one the model sees again, in this episode and seat

    Replies of this turn that were no move are shown to the model again, the last with the reason, whatever `history`.
    """

    system: str = ""
    prompt: str = ""
    observe: str | Iterable[str] = "rgb+text"
    size: int = 512
    frames: int | None = None
    reasoning: str = "direct"
    legal_in_text: bool = True
    history: int = 0
    picture: PictureFormat = field(default="png", init=False)

    def __post_init__(self) -> None:
        self.system = _system(self.system)
        self._template = read_prompt(self.prompt) if self.prompt else None
        if self._template is not None and self._template.system and self.system:
            raise MmgamesError(f"{self.prompt} has a system message of its own; leave system= out.")
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
            "system": hash_of(self.system) if self.system else None,
            **({} if self._template is None else {"prompt": hash_of(repr(self._template))}),
            **{name: list(value) if isinstance(value, tuple) else value for name, value in self.style.items()},
            "history": self.history,
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
        how: dict[str, Any] = {"picture": self.picture, "prompt": self._template}
        return chat_messages(observation, system=self.system, history=past, **how)

    def recall(self, observation: dict[str, Any], reply: str) -> None:
        """It has given this reply in a run that was cut short."""
        self._remember(self.messages(observation)[-1], reply)

    def _remember(self, message: dict[str, Any], reply: str) -> None:
        self._exchanges.append([message, {"role": "assistant", "content": reply}])
        self._exchanges = self._exchanges[-max(self.history, STRIKES) :]
        self._refused = self._refused if self._again else 0
        self._again = False


def hash_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


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
