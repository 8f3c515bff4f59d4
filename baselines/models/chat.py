"""A chat model as a player: any endpoint that speaks OpenAI's chat completions, Anthropic's or Google's form.

    mmgames match TicTacToe chat:gpt-4.1-mini minimax --episodes 2 --on-illegal retry
    mmgames eval vs-bench --agent chat:MODEL,base_url=http://localhost:8000/v1,temperature=0 --out results/run

It answers what it is shown, in games, puzzles and tasks alike; `agents/answering.py` makes moves of its replies.
"""

import os
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args
from urllib.parse import urlsplit

from mmgames.agents.chat_messages import PictureFormat
from mmgames.agents.retries import AWAY, NO_RETRIES, RetryPolicy
from mmgames.baselines.models.conversation import Conversation, added_up, at_least, json_setting
from mmgames.baselines.models.http_calls import Endpoint, HttpAnswer, NoAnswer
from mmgames.baselines.models.wire_formats import FORMATS, Completion, WireFormat, read_completion, seconds_asked
from mmgames.errors import MmgamesError, PromptRefused, ServiceRefused, Unavailable, unknown
from mmgames.running.journal import is_offline
from mmgames.running.rate_limit import RateLimit
from mmgames.text.command_line import page
from mmgames.text.secrets import without_secrets

OnFiltered = Literal["missing", "silence"]
BASE_URL = "OPENAI_BASE_URL"
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_AGAIN = (408, 409, 425, 429)
"""Statuses below 500 that say: later."""
_AWAY = (429, 502, 503, 504, 529)
"""Those that say it of every prompt: the service is overloaded, or not there behind its proxy."""
_USED_UP = ("quota", "billing", "balance", "credit")
"""What the code or the type of an error has in it that no waiting mends."""
_NO_CREDIT = "credit balance is too low"
"""What Anthropic's says of that; its type is that of any refused prompt."""
_REFUSED_PROMPTS = (400, 413, 415, 422, 451)
"""Statuses that are about this prompt; all others below 500 are about every call."""


@dataclass(eq=False, repr=False)
class Chat(Conversation):
    """A chat model behind an endpoint.

    model           its name, as the endpoint knows it
    api             the form in which it is asked: "openai", "anthropic" or "google"
    base_url        the endpoint; OPENAI_BASE_URL, or that of the company which has the form
    key_from        the environment variable that holds the key, never the key itself; by default OPENAI_API_KEY,
                    ANTHROPIC_API_KEY or GEMINI_API_KEY. An endpoint of your own that wants none gets a placeholder
    temperature, top_p, max_tokens, seed, reasoning_effort    as the endpoint takes them; what is not set is not sent
    thinking        tokens for thoughts before the reply, which come on top of max_tokens (anthropic, google)
    token_limit     the name under which the endpoint takes max_tokens: "max_tokens" or "max_completion_tokens"
    max_tokens_cap  a reply that is cut off at max_tokens is asked for again with twice as many, up to this
    extra_body      whatever else the endpoint takes, as JSON or @FILE: extra_body={"thinking": {"budget_tokens": 2000}}
    preset          the decoding of a paper (`decoding_presets.toml`); what is set beside it comes first
    picture         "png" or "jpeg"
    image_detail    how closely the endpoint looks at pictures, as it takes it: "low", "high", "auto"
    timeout         seconds that one call may take in all, however slowly bytes come
    tries           how often a call is made that the service does not answer
    longest_wait    seconds that a service may ask to be left alone (Retry-After); for longer it is away or given up
    away            seconds for which the run waits while the endpoint is away (no connection, 429, 502, 503, 504, 529),
                    beyond the tries; then it ends, and what is finished is kept. 0: the call is given up
    on_filtered     what it costs that the endpoint refuses or filters a prompt: "missing" (the episode or question is
                    missing) or "silence" (it counts as an empty reply, which is no move)
    per_minute      at most so many calls are begun in a minute, by all seats and episodes together
    system, prompt, observe, size, frames, reasoning, legal_in_text, history, pictures, recap, scratchpad, examples,
    votes           as every `Conversation` has them
    """

    concurrent = True
    retry_policy = NO_RETRIES  # each call is retried below, where a journal counts it once

    model: str = field()  # without it the empty name of `Agent` would be a default
    base_url: str | None = None
    key_from: str = ""
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    picture: PictureFormat = field(default="png", kw_only=True)
    timeout: float = 120.0
    tries: int = 6
    longest_wait: float = 120.0
    away: float = AWAY
    token_limit: str = "max_tokens"
    per_minute: float | None = None
    on_filtered: OnFiltered = "missing"
    reasoning_effort: str | None = None
    max_tokens_cap: int | None = None
    extra_body: Any = None
    image_detail: str = field(default="", kw_only=True)
    preset: str = ""
    api: str = "openai"
    thinking: int | None = None

    def __post_init__(self) -> None:
        self._take_preset()
        super().__post_init__()
        self.model = str(self.model)
        if self.api not in FORMATS:
            raise unknown("api", self.api, "the agent 'chat'", FORMATS)
        self._wire = FORMATS[self.api]
        for name in self._wire.lacks:
            if getattr(self, name) is not None:
                raise MmgamesError(f"{name}= is no setting of api={self.api}; extra_body= takes what the endpoint has.")
        self.base_url = self.base_url or (os.environ.get(BASE_URL) if self.api == "openai" else None) or None
        settings = ("temperature", "top_p", "max_tokens", "seed", "reasoning_effort", "thinking")
        given = {name: getattr(self, name) for name in settings if getattr(self, name) is not None}
        self.sampling = {self.token_limit if name == "max_tokens" else name: value for name, value in given.items()}
        self.extra_body = json_setting(self.extra_body, "extra_body", dict) or {}
        if self.picture == "pil":
            raise MmgamesError("picture='pil' cannot be sent to an endpoint; choose png or jpeg.")
        if self.on_filtered not in get_args(OnFiltered):
            raise MmgamesError(f"on_filtered={self.on_filtered!r} is not possible; choose missing or silence.")
        for name in ("max_tokens", "max_tokens_cap", "thinking"):
            if getattr(self, name) is not None:
                at_least(getattr(self, name), 1, name)
        if self.max_tokens_cap is not None and self.max_tokens is None:
            raise MmgamesError("max_tokens_cap says how far max_tokens may grow, which is not set.")
        self.timeout = float(self.timeout)
        if not self.timeout > 0:
            raise MmgamesError(f"timeout={self.timeout:g} is out of range; it is a number of seconds above 0.")
        at_least(self.tries, 1, "tries")
        self.name = f"chat:{self.model}"
        self._client = _Client(self.base_url, self._key(), self.timeout, self.per_minute, self._wire)

    def _take_preset(self) -> None:
        if self.preset and self.preset not in PRESETS:
            raise unknown("preset", self.preset, "the agent 'chat'", PRESETS)
        defaults = {one.name: one.default for one in fields(self)}
        for name, value in PRESETS.get(self.preset, {}).items():
            if getattr(self, name) == defaults[name]:
                setattr(self, name, value)

    def _key(self) -> str:
        """The key; nothing that is said about it shows what stands in `key_from`, which may be the key by mistake."""
        variable = self.key_from or self._wire.key_from
        named = isinstance(variable, str) and _VARIABLE.fullmatch(variable) is not None
        key = os.environ.get(variable) if named else None
        if key:
            return key
        if is_offline():
            return "none"
        if named and self.base_url is not None and variable == self._wire.key_from:
            return "none"  # a server of one's own
        which = variable if named and variable.isupper() else "that key_from names"
        raise MmgamesError(
            f"The key for {self.model} is read from the environment variable {which}, which is not set: export it, "
            "name another one with key_from=, or name your own server with base_url=."
        )

    def close(self) -> None:
        self._client.close()

    def describe(self) -> dict[str, Any]:
        """Everything that makes its replies what they are, and nothing secret."""
        place = urlsplit(self.base_url or "")
        host = place.netloc.rpartition("@")[2]  # what stands before it is secret
        return {
            "model": self.model,
            "endpoint": f"{place.scheme}://{host}{place.path}" if self.base_url else "default",
            **({} if self.api == "openai" else {"api": self.api}),
            "sampling": self.sampling,
            "picture": self.picture,
            **({} if self.on_filtered == "missing" else {"on_filtered": self.on_filtered}),
            **({"extra_body": self.extra_body} if self.extra_body else {}),
            **({"max_tokens_cap": self.max_tokens_cap} if self.max_tokens_cap else {}),
            **super().describe(),
        }

    def complete(self, messages: list[dict[str, Any]]) -> str:
        limit = self.max_tokens
        try:
            done = self._asked(messages, limit)
        except PromptRefused:
            if self.on_filtered == "missing":
                raise
            self.last_call = {"model": self.model, "finish": "content_filter"}
            return ""
        calls = [done.call]
        while done.cut_off and limit is not None and limit < (self.max_tokens_cap or 0):
            limit = min(2 * limit, self.max_tokens_cap or limit)
            try:
                done = self._asked(messages, limit)
            except PromptRefused:  # the model takes no such limit: what it said is its reply
                break
            calls.append(done.call)
        self.last_call = added_up(calls)
        return done.text

    def _asked(self, messages: list[dict[str, Any]], limit: int | None) -> Completion:
        """What the endpoint says, asked as often as need be."""
        settings = dict(self.sampling)
        if limit is not None:
            settings[self.token_limit] = limit
        if self.seed is not None:
            settings["seed"] = self.seed + self._sample  # several votes are not to be one and the same
        body = self._wire.write(self.model, messages, settings) | self.extra_body
        return self._posted(body, self._wire.path.format(self.model), self._wire.read)

    def _posted(
        self, body: dict[str, Any], path: str = "/chat/completions", read: Callable[[Any], Completion] = read_completion
    ) -> Completion:
        policy = RetryPolicy(self.tries, 1.0, float(self.longest_wait), float(self.away))
        return policy.call(lambda: self._ask(body, path, read))

    def _ask(self, body: dict[str, Any], path: str, read: Callable[[Any], Completion]) -> Completion:
        self._client.rate_limit.wait()
        try:
            self._client.reach()
        except NoAnswer as error:
            raise ServiceRefused(
                f"{self.name}: {self._clean(str(error))}; start the server there, or name another with base_url=."
            ) from None
        try:
            answer = self._client.endpoint.post(path, body)
        except NoAnswer as error:
            away = not self._client.is_there()
            raise Unavailable(f"{self.name}: {self._clean(str(error))}", away=away) from None
        if not 200 <= answer.status < 300:
            raise self._status(answer)
        try:
            done = read(answer.document())
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            # A page of a proxy, half a document, no choices: the service did not answer.
            raise Unavailable(f"{self.name}: the endpoint sent no completion: {self._clean(str(error))}") from None
        if not done.text and done.call["finish"] == "content_filter":
            raise PromptRefused(f"{self.name}: a filter of the endpoint stopped the reply.")
        return done

    def _status(self, answer: HttpAnswer) -> MmgamesError:
        status, said = answer.status, answer.content.decode(errors="replace")
        if _used_up(answer):
            return ServiceRefused(f"{self.name}: the quota is used up ({status}): {self._clean(said)}")
        if status in _AGAIN or status >= 500:
            wait = seconds_asked(answer.headers.get("retry-after", ""))
            away = status in _AWAY
            return Unavailable(f"{self.name}: the endpoint answered {status}: {self._clean(said)}", wait, away=away)
        if status in (401, 403):
            return ServiceRefused(f"{self.name}: the endpoint rejects the key (status {status}).")
        if status in _REFUSED_PROMPTS:
            takes_none = "rgb" in self.style["observe"] and "image" in said.lower()
            hint = " If the model takes no images, use observe=text." if takes_none else ""
            return PromptRefused(f"{self.name}: the endpoint refuses the prompt ({status}): {self._clean(said)}{hint}")
        return ServiceRefused(f"{self.name}: the endpoint answered {status}: {self._clean(said)}")

    def _clean(self, said: str) -> str:
        """What an endpoint or an error says, on one line and without anything that could be a key."""
        said = " ".join(said[:10_000].split())
        if self._client.key and self._client.key != "none":
            said = said.replace(self._client.key, "…")
        return without_secrets(said)[:300]


def _used_up(answer: HttpAnswer) -> bool:
    """Whether an error says that nothing is left to pay with, in its code or its type; its words may say anything."""
    try:
        error = answer.document()["error"]
        said, told = f"{error.get('code')} {error.get('type')}".lower(), str(error.get("message"))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return False
    return any(word in said for word in _USED_UP) or _NO_CREDIT in told


class _Client:
    """The endpoint with its key and its rate limit, shared by all seats. It stays out of pickles."""

    def __init__(
        self, base_url: str | None, key: str, timeout: float, per_minute: float | None, wire: WireFormat
    ) -> None:
        self.base_url, self.key = base_url, key
        headers = {name: value.format(key) for name, value in wire.headers.items()}
        self.endpoint = Endpoint(base_url or wire.url, headers, timeout)
        self.rate_limit = RateLimit(per_minute, base_url or "")
        self._reaching, self._reached = threading.Lock(), False

    def reach(self) -> None:
        """Before the first request: is anybody there? Later on a lost connection is tried again."""
        with self._reaching:
            if not self._reached:
                self.endpoint.reach()
                self._reached = True

    def is_there(self) -> bool:
        """Whether a connection can be had at all."""
        try:
            self.endpoint.reach()
        except NoAnswer:
            return False
        return True

    def close(self) -> None:
        self.endpoint.close()

    def __getstate__(self) -> Any:
        raise MmgamesError("A chat agent's key does not travel to other processes; name the agent, or use processes=1.")

    def __repr__(self) -> str:
        return f"a client for {self.base_url or 'the default endpoint'}"


PRESETS: Mapping[str, Mapping[str, Any]] = page(__package__, "decoding_presets")
"""How the five papers let models write, as far as papers and code tell."""
