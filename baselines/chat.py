"""A chat model as a player: any endpoint that speaks OpenAI's chat completions, hosted or on this machine.

    mmgames match TicTacToe chat:gpt-4.1-mini minimax --episodes 2 --on-illegal retry
    mmgames eval vs-bench --agent chat:MODEL,base_url=http://localhost:8000/v1,temperature=0 --out results/run

It answers what it is shown, in games, puzzles and tasks alike; `core/answering.py` makes moves of its replies.
"""

from __future__ import annotations

import hashlib
import os
import re
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from mmgames.core.agents import STRIKES
from mmgames.core.chat_messages import PictureFormat, chat_messages, user_message
from mmgames.core.errors import MissingExtra, MmgamesError, Unavailable
from mmgames.core.game import Game, Seat
from mmgames.core.patience import Patience
from mmgames.core.registry import missing_extra
from mmgames.core.replies import Illegal

KEY = "OPENAI_API_KEY"
BASE_URL = "OPENAI_BASE_URL"
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LOOKS_SECRET = re.compile(r"\b(?:sk|pk|key|Bearer)[-_ ][\w.*-]{6,}", re.I)
_AGAIN = (408, 409, 425, 429)
"""Statuses below 500 that say: later."""


class Chat:
    """A chat model that answers observations in words.

    model           its name, as the endpoint knows it
    base_url        the endpoint; OPENAI_BASE_URL, or OpenAI's own
    key_from        the environment variable that holds the key, never the key itself. An endpoint of your own that
                    wants none gets a placeholder
    temperature, top_p, max_tokens, seed    as the endpoint takes them; what is not set is not sent
    token_limit     the name under which the endpoint takes max_tokens: "max_tokens" or "max_completion_tokens"
    system          the system prompt, or `@FILE` that holds it
    observe         "rgb+text", "text" or "rgb"
    size, frames, reasoning, legal_in_text    how a game is shown, as in environments
    picture         "png" or "jpeg"
    history         how many of the exchanges before this one the model sees again, in this episode and seat
    timeout         seconds that one call may take
    tries           how often a call is made that the service does not answer

    A reply that was no move is shown to the model again together with the reason, whatever `history` is.
    """

    concurrent = True

    def __init__(
        self,
        model: str,
        base_url: str | None = None,
        key_from: str = KEY,
        temperature: float | None = None,
        top_p: float | None = None,
        max_tokens: int | None = None,
        seed: int | None = None,
        system: str = "",
        observe: str | Iterable[str] = "rgb+text",
        size: int = 512,
        frames: int | None = None,
        reasoning: str = "direct",
        legal_in_text: bool = True,
        picture: PictureFormat = "png",
        history: int = 0,
        timeout: float = 120.0,
        tries: int = 6,
        token_limit: str = "max_tokens",
    ) -> None:
        self.model = str(model)
        self.base_url = base_url or os.environ.get(BASE_URL) or None
        self.key_from = key_from
        self.sampling = {"temperature": temperature, "top_p": top_p, token_limit: max_tokens, "seed": seed}
        self.sampling = {name: value for name, value in self.sampling.items() if value is not None}
        self.system = _system(system)
        seen = tuple(observe.split("+") if isinstance(observe, str) else observe)
        if not seen or not set(seen) <= {"rgb", "text"}:
            raise MmgamesError(f"observe={'+'.join(seen)!r} is not possible for a chat model: rgb+text, text or rgb.")
        self.style = {
            "observe": seen,
            "size": size,
            "frames": frames,
            "reasoning": reasoning,
            "legal_in_text": legal_in_text,
        }
        self.picture = picture
        self.history = _at_least(history, 0, "history")
        self.timeout = float(timeout)
        self.tries = _at_least(tries, 1, "tries")
        self.name = f"chat:{self.model}"
        self._client = _Client(self.base_url, self._key(), self.timeout)
        self.forget()

    def _key(self) -> str:
        """The key; nothing that is said about it shows what stands in `key_from`, which may be the key by mistake."""
        named = isinstance(self.key_from, str) and _VARIABLE.fullmatch(self.key_from) is not None
        key = os.environ.get(self.key_from) if named else None
        if key:
            return key
        if named and self.base_url is not None and self.key_from == KEY:
            return "none"  # a server of one's own
        which = self.key_from if named and self.key_from.isupper() else "that key_from names"
        raise MmgamesError(
            f"The key for {self.model} is read from the environment variable {which}, which is not set: export it, "
            "name another one with key_from=, or name your own server with base_url=."
        )

    # What an agent may offer

    def fresh(self) -> Chat:
        other = object.__new__(Chat)
        other.__dict__.update(self.__dict__)  # the client is shared
        other.forget()
        return other

    def begin(self, game: Game, seat: Seat) -> None:
        self.forget()

    def forget(self) -> None:
        self._exchanges: list[list[dict[str, Any]]] = []
        self._refused = 0  # how many of the last exchanges came to no move
        self.last_call: dict[str, Any] = {}

    def refused(self, why: Illegal) -> None:
        """The last reply was no move: it stays in sight when the model is asked again."""
        self._refused += 1

    def close(self) -> None:
        self._client.close()

    def describe(self) -> dict[str, Any]:
        """Everything that makes its replies what they are, and nothing secret."""
        place = urlsplit(self.base_url or "")
        return {
            "model": self.model,
            "endpoint": f"{place.scheme}://{place.hostname}{place.path}" if self.base_url else "default",
            "sampling": self.sampling,
            "system": hashlib.sha256(self.system.encode()).hexdigest()[:16] if self.system else None,
            **{name: list(value) if isinstance(value, tuple) else value for name, value in self.style.items()},
            "picture": self.picture,
            "history": self.history,
        }

    # Asking

    def answer(self, observation: dict[str, Any]) -> str:
        """What the model replies to an observation, after as much of the past as it is to see."""
        kept = max(self.history, self._refused)
        past = [message for exchange in self._exchanges[-kept:] for message in exchange] if kept else []
        messages = chat_messages(observation, system=self.system, history=past, picture=self.picture)
        reply = Patience(self.tries, 1.0, 60.0).call(lambda: self._ask(messages))
        self._remember(messages[-1], reply)
        return reply

    def recall(self, observation: dict[str, Any], reply: str) -> None:
        """It has given this reply in a run that was cut short."""
        self._remember(user_message(observation, self.picture), reply)

    def _remember(self, message: dict[str, Any], reply: str) -> None:
        self._exchanges.append([message, {"role": "assistant", "content": reply}])
        self._exchanges = self._exchanges[-max(self.history, STRIKES) :]
        self._refused = 0

    def _ask(self, messages: list[dict[str, Any]]) -> str:
        openai = _openai()
        try:
            done = self._client.get().chat.completions.create(model=self.model, messages=messages, **self.sampling)
            choice = done.choices[0].message
        except (openai.APITimeoutError, openai.APIConnectionError) as error:
            raise Unavailable(f"{self.name}: {type(error).__name__}: {self._clean(error)}") from None
        except openai.APIStatusError as error:
            raise self._status(error) from None
        except (openai.APIError, ValueError, IndexError, TypeError, AttributeError) as error:
            # A page of a proxy, half a document, no choices: the service did not answer.
            raise Unavailable(f"{self.name}: the endpoint sent no completion: {self._clean(error)}") from None
        used = done.usage
        self.last_call = {
            "model": done.model,
            "tokens_in": getattr(used, "prompt_tokens", None),
            "tokens_out": getattr(used, "completion_tokens", None),
            "finish": done.choices[0].finish_reason,
        }
        return _text(choice)

    def _status(self, error: Any) -> MmgamesError:
        status = error.status_code
        if status in _AGAIN or status >= 500:
            wait = error.response.headers.get("retry-after", "")
            seconds = float(wait) if re.fullmatch(r"\d+(\.\d+)?", wait) else None
            return Unavailable(f"{self.name}: the endpoint answered {status}: {self._clean(error)}", seconds)
        if status in (401, 403):
            return MmgamesError(f"{self.name}: the endpoint rejects the key (status {status}).")
        hint = ""
        if status in (400, 415, 422) and "rgb" in self.style["observe"] and "image" in str(error).lower():
            hint = " If the model takes no images, use observe=text."
        return MmgamesError(f"{self.name}: the endpoint answered {status}: {self._clean(error)}{hint}")

    def _clean(self, error: BaseException) -> str:
        """What an error says, without anything that could be a key."""
        said = str(error)
        if self._client.key and self._client.key != "none":
            said = said.replace(self._client.key, "…")
        return _LOOKS_SECRET.sub("…", said)[:300]


def _text(message: Any) -> str:
    """The words of a reply. A refusal is words too; who calls a tool has said nothing."""
    content = message.content
    if isinstance(content, list):  # some servers send parts
        content = "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content or getattr(message, "refusal", None) or ""


class _Client:
    """The official client, opened when first needed and shared by all seats. It stays out of pickles."""

    def __init__(self, base_url: str | None, key: str, timeout: float) -> None:
        _openai()  # a missing package is better said now
        self.base_url, self.key, self.timeout = base_url, key, timeout
        self._open: Any = None
        self._lock = threading.Lock()

    def get(self) -> Any:
        with self._lock:
            if self._open is None:
                self._open = _openai().OpenAI(
                    api_key=self.key, base_url=self.base_url, timeout=self.timeout, max_retries=0
                )
            return self._open

    def close(self) -> None:
        with self._lock:
            if self._open is not None:
                self._open.close()
                self._open = None

    def __getstate__(self) -> Any:
        raise MmgamesError("A chat agent's key does not travel to other processes; name the agent, or use processes=1.")

    def __repr__(self) -> str:
        return f"a client for {self.base_url or 'the default endpoint'}"


def _openai() -> Any:
    try:
        import openai
    except ImportError as error:
        raise MissingExtra(missing_extra("The agent 'chat'", ("chat",))) from error
    return openai


def _system(text: str) -> str:
    if not text.startswith("@"):
        return text
    try:
        return Path(text[1:]).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise MmgamesError(f"The system prompt cannot be read from {text[1:]}: {error}.") from error


def _at_least(number: Any, least: int, name: str) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or number < least:
        raise MmgamesError(f"{name}={number!r} is out of range; it is a whole number from {least} up.")
    return number
