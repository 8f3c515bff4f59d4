"""A chat model as a player: any endpoint that speaks OpenAI's chat completions, hosted or on this machine.

    mmgames match TicTacToe chat:gpt-4.1-mini minimax --episodes 2 --on-illegal retry
    mmgames eval vs-bench --agent chat:MODEL,base_url=http://localhost:8000/v1,temperature=0 --out results/run

It answers what it is shown, in games, puzzles and tasks alike; `agents/answering.py` makes moves of its replies.
"""

from __future__ import annotations

import os
import re
import threading
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any, Literal, get_args
from urllib.parse import urlsplit

from mmgames.agents.chat_messages import PictureFormat
from mmgames.agents.retries import NO_RETRIES, RetryPolicy
from mmgames.baselines.models.conversation import Conversation, at_least
from mmgames.core.registry import missing_extra
from mmgames.errors import MissingExtra, MmgamesError, PromptRefused, ServiceRefused, Unavailable
from mmgames.running.journal import is_offline
from mmgames.running.rate_limit import RateLimit
from mmgames.text.secrets import without_secrets

OnFiltered = Literal["hole", "silence"]
KEY = "OPENAI_API_KEY"
BASE_URL = "OPENAI_BASE_URL"
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_AGAIN = (408, 409, 425, 429)
"""Statuses below 500 that say: later."""
_REFUSED_PROMPTS = (400, 413, 415, 422, 451)
"""Statuses that are about this prompt; all others below 500 are about every call."""


@dataclass(eq=False, repr=False)
class Chat(Conversation):
    """A chat model behind an endpoint.

    model           its name, as the endpoint knows it
    base_url        the endpoint; OPENAI_BASE_URL, or OpenAI's own
    key_from        the environment variable that holds the key, never the key itself. An endpoint of your own that
                    wants none gets a placeholder
    temperature, top_p, max_tokens, seed    as the endpoint takes them; what is not set is not sent
    token_limit     the name under which the endpoint takes max_tokens: "max_tokens" or "max_completion_tokens"
    picture         "png" or "jpeg"
    timeout         seconds that one call may take
    tries           how often a call is made that the service does not answer
    longest_wait    seconds that a service may ask to be left alone (Retry-After); asked for more, the call is given up
    on_filtered     what it costs that the endpoint refuses or filters a prompt: "hole" (the episode or question is
                    missing) or "silence" (it counts as an empty reply, which is no move)
    per_minute      at most so many calls are begun in a minute, by all seats and episodes together
    system, observe, size, frames, reasoning, legal_in_text, history    as every `Conversation` has them
    """

    concurrent = True
    retry_policy = NO_RETRIES  # each call is retried below, where a journal counts it once

    model: str = field()  # without it the empty name of `Agent` would be a default
    base_url: str | None = None
    key_from: str = KEY
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    picture: PictureFormat = field(default="png", kw_only=True)
    timeout: float = 120.0
    tries: int = 6
    longest_wait: float = 120.0
    token_limit: str = "max_tokens"
    per_minute: float | None = None
    on_filtered: OnFiltered = "hole"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.model = str(self.model)
        self.base_url = self.base_url or os.environ.get(BASE_URL) or None
        sampling = {"temperature": self.temperature, "top_p": self.top_p, self.token_limit: self.max_tokens}
        sampling["seed"] = self.seed
        self.sampling = {name: value for name, value in sampling.items() if value is not None}
        if self.picture == "pil":
            raise MmgamesError("picture='pil' cannot be sent to an endpoint; choose png or jpeg.")
        if self.on_filtered not in get_args(OnFiltered):
            raise MmgamesError(f"on_filtered={self.on_filtered!r} is not possible; choose hole or silence.")
        self.timeout = float(self.timeout)
        at_least(self.tries, 1, "tries")
        self.name = f"chat:{self.model}"
        self._client = _Client(self.base_url, self._key(), self.timeout, self.per_minute)

    def _key(self) -> str:
        """The key; nothing that is said about it shows what stands in `key_from`, which may be the key by mistake."""
        named = isinstance(self.key_from, str) and _VARIABLE.fullmatch(self.key_from) is not None
        key = os.environ.get(self.key_from) if named else None
        if key:
            return key
        if is_offline():
            return "none"
        if named and self.base_url is not None and self.key_from == KEY:
            return "none"  # a server of one's own
        which = self.key_from if named and self.key_from.isupper() else "that key_from names"
        raise MmgamesError(
            f"The key for {self.model} is read from the environment variable {which}, which is not set: export it, "
            "name another one with key_from=, or name your own server with base_url=."
        )

    def close(self) -> None:
        self._client.close()

    def describe(self) -> dict[str, Any]:
        """Everything that makes its replies what they are, and nothing secret."""
        place = urlsplit(self.base_url or "")
        return {
            "model": self.model,
            "endpoint": f"{place.scheme}://{place.hostname}{place.path}" if self.base_url else "default",
            "sampling": self.sampling,
            "picture": self.picture,
            **({} if self.on_filtered == "hole" else {"on_filtered": self.on_filtered}),
            **super().describe(),
        }

    def complete(self, messages: list[dict[str, Any]]) -> str:
        try:
            return RetryPolicy(self.tries, 1.0, float(self.longest_wait)).call(lambda: self._ask(messages))
        except PromptRefused:
            if self.on_filtered == "hole":
                raise
            self.last_call = {"model": self.model, "finish": "content_filter"}
            return ""

    def _ask(self, messages: list[dict[str, Any]]) -> str:
        openai = _openai()
        self._client.rate_limit.wait()
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
            "tokens_in": _count(getattr(used, "prompt_tokens", None)),
            "tokens_out": _count(getattr(used, "completion_tokens", None)),
            "finish": "refusal" if getattr(choice, "refusal", None) else done.choices[0].finish_reason,
        }
        text = _text(choice)
        if not text and self.last_call["finish"] == "content_filter":
            raise PromptRefused(f"{self.name}: a filter of the endpoint stopped the reply.")
        return text

    def _status(self, error: Any) -> MmgamesError:
        status = error.status_code
        if status in _AGAIN or status >= 500:
            wait = _seconds(error.response.headers.get("retry-after", ""))
            return Unavailable(f"{self.name}: the endpoint answered {status}: {self._clean(error)}", wait)
        if status in (401, 403):
            return ServiceRefused(f"{self.name}: the endpoint rejects the key (status {status}).")
        if status in _REFUSED_PROMPTS:
            takes_none = "rgb" in self.style["observe"] and "image" in str(error).lower()
            hint = " If the model takes no images, use observe=text." if takes_none else ""
            return PromptRefused(f"{self.name}: the endpoint refuses the prompt ({status}): {self._clean(error)}{hint}")
        return ServiceRefused(f"{self.name}: the endpoint answered {status}: {self._clean(error)}")

    def _clean(self, error: BaseException) -> str:
        """What an error says, without anything that could be a key."""
        said = str(error)
        if self._client.key and self._client.key != "none":
            said = said.replace(self._client.key, "…")
        return without_secrets(said)[:300]


def _seconds(retry_after: str) -> float | None:
    """The seconds that a Retry-After header asks for, as a number or as the date until which; None: it does not say."""
    if re.fullmatch(r"\d+(\.\d+)?", retry_after):
        return float(retry_after)
    try:
        until = parsedate_to_datetime(retry_after)
    except ValueError:
        return None
    return max(0.0, (until - datetime.now(until.tzinfo)).total_seconds())


def _count(tokens: Any) -> int | None:
    """A number of tokens, if it is one; endpoints send all kinds of things."""
    return tokens if isinstance(tokens, int) and not isinstance(tokens, bool) and tokens >= 0 else None


def _text(message: Any) -> str:
    """The words of a reply. A refusal is words too; who calls a tool has said nothing."""
    content = message.content
    if isinstance(content, list):  # some servers send parts
        content = "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content or getattr(message, "refusal", None) or ""


class _Client:
    """The official client, opened when first needed and shared by all seats. It stays out of pickles."""

    def __init__(self, base_url: str | None, key: str, timeout: float, per_minute: float | None) -> None:
        if not is_offline():
            _openai()  # a missing package is better said now
        self.base_url, self.key, self.timeout = base_url, key, timeout
        self.rate_limit = RateLimit(per_minute, base_url or "")
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
