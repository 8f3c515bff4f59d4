"""What chat models have in common, wherever they run: how they are shown things, what they see again, what is kept.

`chat` asks an endpoint and `hf` a model in this process; each of them only completes a list of messages.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np
from PIL import Image

from mmgames.agents.base import Agent
from mmgames.agents.chat_messages import PictureFormat, chat_messages, picture_part
from mmgames.agents.players import STRIKES
from mmgames.agents.prompt_template import Scene, read_prompts
from mmgames.core.game import Game, Seat
from mmgames.core.prompt import section
from mmgames.errors import MmgamesError
from mmgames.running.records import kept_reply
from mmgames.text.reasoning import strip_reasoning
from mmgames.text.refusals import Illegal

_SET_APART = {"pictures": None, "recap": 0, "scratchpad": False, "votes": 1}
"""Settings that results name where they are not as usual."""
_NOTES = (
    "You may keep notes for your later turns: write them between <scratchpad> and </scratchpad> before your answer. "
    "Nobody else sees them, and new ones take the place of the old. Your notes:"
)
_SCRATCHPAD = re.compile("<scratchpad>(.*?)</scratchpad>", re.S | re.I)
_LONGEST_NOTES, _LONGEST_ANSWER = 4_000, 160
_COUNTED = ("tokens_in", "tokens_out", "tokens_reasoning")


@dataclass(kw_only=True, eq=False, repr=False)
class Conversation(Agent):
    """An agent that answers observations in words; `complete(messages)` is what a kind of model has to bring.

    system          the system prompt, or `@FILE` that holds it
    prompt          a file that says how all messages are written, or a folder with one for each game, stage and role
                    (`mmgames.agents.prompt_template`)
    observe         "rgb+text", "text" or "rgb"
    size, frames, reasoning, legal_in_text    how a game is shown, as in environments
    history         how many of the exchanges before this one the model sees again, in this episode and seat
    pictures        in how many of them it sees the pictures again too; None: in all
    recap           how many of the exchanges before those it is told in one line each: what it answered then
    scratchpad      let it keep notes: what it writes between <scratchpad> and </scratchpad> stands in its next prompts
    examples        a file of turns that it sees first (`read_examples`)
    votes           ask so often for each reply, and take one with the move that most of them name, of equals the first

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
    pictures: int | None = None
    recap: int = 0
    scratchpad: bool = False
    examples: str = ""
    votes: int = 1
    picture: PictureFormat = field(default="png", init=False)
    image_detail: str = field(default="", init=False)

    def __post_init__(self) -> None:
        self.system = _system(self.system)
        self._prompts = read_prompts(self.prompt) if self.prompt else None
        if self.system and any(one.system for one in (self._prompts.templates.values() if self._prompts else ())):
            raise MmgamesError(f"{self.prompt} has a system message of its own; leave system= out.")
        self._scene = Scene()
        seen = tuple(self.observe.split("+") if isinstance(self.observe, str) else self.observe)
        if not seen or not set(seen) <= {"rgb", "text"}:
            raise MmgamesError(f"observe={'+'.join(seen)!r} is not possible for a chat model: rgb+text, text or rgb.")
        shown = ("size", "frames", "reasoning", "legal_in_text")
        self.style: dict[str, Any] = {"observe": seen, **{name: getattr(self, name) for name in shown}}
        for name, least in (("history", 0), ("recap", 0), ("votes", 1)):
            at_least(getattr(self, name), least, name)
        if self.pictures is not None:
            at_least(self.pictures, 0, "pictures")
        self.requests_per_answer = self.votes
        self._examples = read_examples(self.examples, self.picture, self.image_detail) if self.examples else []
        self._sample = 0  # which of several replies to the same prompt is asked for
        self._read: Callable[[str], Any] = str
        self.forget()

    def complete(self, messages: list[dict[str, Any]]) -> str:
        """What the model says after these messages. `last_call` may tell about it: model, tokens_in, tokens_out, …"""
        raise NotImplementedError

    def describe(self) -> dict[str, Any]:
        """What it is shown and sees again; a kind of model adds all else that makes its replies what they are."""
        return {
            "system": hash_of(self.system) if self.system else None,
            **({} if self._prompts is None else {"prompt": hash_of(repr(self._prompts))}),
            **{name: list(value) if isinstance(value, tuple) else value for name, value in self.style.items()},
            "history": self.history,
            **({"image_detail": self.image_detail} if self.image_detail else {}),
            **({"examples": hash_of(json.dumps(self._examples, default=repr))} if self._examples else {}),
            **{name: getattr(self, name) for name, usual in _SET_APART.items() if getattr(self, name) != usual},
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
        self._answers: list[str] = []  # one line for each exchange
        self._notes = ""
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
        reply = self.complete(messages) if self.votes == 1 else self._elected(messages)
        self._remember(messages[-1], reply)
        return reply

    def read_with(self, read: Callable[[str], Any]) -> None:
        self._read = read

    def placed(self, scene: Scene) -> None:
        self._scene = scene

    def _elected(self, messages: list[dict[str, Any]]) -> str:
        """Of several replies the first with the move that most of them name; the first of all where none names one."""
        replies, calls = [], []
        for sample in range(self.votes):
            self._sample = sample
            replies.append(self.complete(messages))
            calls.append(self.last_call)
        moves = [self._read(reply) for reply in replies]
        named = [None if isinstance(move, Illegal) else repr(move) for move in moves]
        votes = Counter(move for move in named if move is not None).most_common(1)  # of equals the first
        chosen = named.index(votes[0][0]) if votes else 0
        others = [call for place, call in enumerate(calls) if place != chosen]
        self.last_call = {**added_up([*others, calls[chosen]]), "votes": [kept_reply(reply) for reply in replies]}
        return replies[chosen]

    def messages(self, observation: dict[str, Any]) -> list[dict[str, Any]]:
        """What the model would be shown now."""
        kept = max(self.history, self._refused if self._again else 0)
        past = self._exchanges[-kept:] if kept else []
        if self.pictures is not None:
            blind = max(0, len(past) - self.pictures)
            past = [[_without_pictures(one[0]), one[1]] if place < blind else one for place, one in enumerate(past)]
        seen = [*self._examples, *(message for exchange in past for message in exchange)]
        template = self._prompts.at(self._scene) if self._prompts else None
        how: dict[str, Any] = {"picture": self.picture, "image_detail": self.image_detail, "prompt": template}
        return chat_messages(self._with_memory(observation, kept), system=self.system, history=seen, **how)

    def _with_memory(self, observation: dict[str, Any], kept: int) -> dict[str, Any]:
        """An observation with what the model has kept of earlier turns beside the exchanges that it sees."""
        parts = [observation["text"]] if observation.get("text") else []
        earlier = self._answers[: len(self._answers) - kept][-self.recap :] if self.recap else []
        if earlier:
            parts.append(section("Before", "Your answers in earlier turns, oldest first:\n" + "\n".join(earlier)))
        if self.scratchpad:
            parts.append(section("Notes", f"{_NOTES}\n{self._notes or '(There are none yet.)'}"))
        return {**observation, "text": "\n\n".join(parts)} if earlier or self.scratchpad else observation

    def recall(self, observation: dict[str, Any], reply: str) -> None:
        """It has given this reply in a run that was cut short."""
        self._remember(self.messages(observation)[-1], reply)

    def _remember(self, message: dict[str, Any], reply: str) -> None:
        self._exchanges.append([message, {"role": "assistant", "content": kept_reply(reply)}])
        self._answers.append("- " + " ".join(strip_reasoning(kept_reply(reply)).text.split())[-_LONGEST_ANSWER:])
        if notes := _SCRATCHPAD.findall(reply):
            self._notes = notes[-1].strip()[:_LONGEST_NOTES]
        self._exchanges = self._exchanges[-max(self.history, STRIKES) :]
        self._refused = self._refused if self._again else 0
        self._again = False


def _without_pictures(message: dict[str, Any]) -> dict[str, Any]:
    if isinstance(message["content"], str):
        return message
    texts = [part["text"] for part in message["content"] if part["type"] == "text"]
    return {**message, "content": "\n\n".join([*texts, "(The picture of then is no longer shown.)"])}


def hash_of(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:16]


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


def read_examples(path: str, picture: PictureFormat, image_detail: str) -> list[dict[str, Any]]:
    """The messages of a file of few-shot examples, which a model is shown before the first turn of its own.

    It is a JSON list of `{"role": "user", "content": "…", "pictures": ["board.png"]}` and `{"role": "assistant",
    "content": "…"}` in turn; pictures are files, found from where the list is.
    """
    file = Path(path)
    try:
        turns = json.loads(file.read_text("utf-8"))
        roles = [turn["role"] for turn in turns]
        if not roles or roles != ["user", "assistant"] * (len(roles) // 2):
            raise ValueError('its turns are not "user" and "assistant" one after the other')
        return [_message(turn, file.parent, picture, image_detail) for turn in turns]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise MmgamesError(f"The examples cannot be read from {path}: {error}.") from error


def _message(turn: Any, folder: Path, picture: PictureFormat, image_detail: str) -> dict[str, Any]:
    text, names = turn["content"], turn.get("pictures", [])
    if not isinstance(text, str):
        raise ValueError("the content of a turn is a text")
    if not names:
        return {"role": turn["role"], "content": text}
    seen = [np.asarray(Image.open(folder / name).convert("RGB")) for name in names]
    parts = [picture_part(pixels, picture, image_detail) for pixels in seen]
    return {"role": turn["role"], "content": [{"type": "text", "text": text}, *parts]}
