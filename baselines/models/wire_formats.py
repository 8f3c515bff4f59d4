"""The wire formats that `chat` speaks (`api=`): where and how a prompt is posted, and how the answer is read.

Prompts and settings come as OpenAI's chat completions have them, which most servers speak.
"""

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple

LONGEST_REPLY = 1_000_000
"""So many characters of a reply, and of its reasoning, are kept; none that is read is longer than a fifth of it."""


class Completion(NamedTuple):
    """A reply, and what the journal keeps of the call: model, tokens_in, tokens_out, finish, reasoning, …"""

    text: str
    call: dict[str, Any]

    @property
    def cut_off(self) -> bool:
        """Whether the reply ended at the token limit."""
        return self.call["finish"] == "length"


def read_completion(document: Any) -> Completion:
    """The first choice of what an endpoint that speaks OpenAI's chat completions sends back. A TypeError, KeyError or
    IndexError where the document is none.

    What a model thought before it answered may stand in a field of its own; it is kept, apart from the reply.
    """
    choice = document["choices"][0]
    message, used = choice["message"], _dict(document.get("usage"))
    call: dict[str, Any] = {
        "model": document.get("model"),
        "tokens_in": count_of(used.get("prompt_tokens")),
        "tokens_out": count_of(used.get("completion_tokens")),
        "finish": "refusal" if message.get("refusal") else choice.get("finish_reason"),
    }
    thoughts = _joined(message.get("reasoning_content") or message.get("reasoning"))
    if thoughts:
        call["reasoning"] = cut_to_longest(thoughts)
    if (spent := count_of(_dict(used.get("completion_tokens_details")).get("reasoning_tokens"))) is not None:
        call["tokens_reasoning"] = spent
    # A refusal is words too; who calls a tool has said nothing.
    return Completion(cut_to_longest(_joined(message.get("content")) or _joined(message.get("refusal"))), call)


def cut_to_longest(text: str) -> str:
    """A text as it is kept: what is far too long ends with a mark that says how much is missing."""
    lost = len(text) - LONGEST_REPLY
    return text if lost <= 0 else f"{text[:LONGEST_REPLY]}\n[cut here: {lost:,} more characters]"


def count_of(tokens: Any) -> int | None:
    """A number of tokens, if it is one; endpoints send all kinds of things."""
    return tokens if isinstance(tokens, int) and not isinstance(tokens, bool) and tokens >= 0 else None


def seconds_asked(retry_after: str) -> float | None:
    """The seconds that a Retry-After header asks for, as a number or as the date until which; None: it does not say."""
    if re.fullmatch(r"\d+(\.\d+)?", retry_after):
        return float(retry_after)
    try:
        until = parsedate_to_datetime(retry_after)
    except ValueError:
        return None
    return max(0.0, (until - datetime.now(until.tzinfo)).total_seconds())


def _joined(content: Any) -> str:
    """The words of a content, which some servers send in parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _dict(found: Any) -> dict[str, Any]:
    return found if isinstance(found, dict) else {}


Body = dict[str, Any]
LONGEST = 4096  # tokens of a reply where a format has to be told how many, and the user did not


class WireFormat(NamedTuple):
    url: str
    key_from: str  # the environment variable that holds the key
    headers: Mapping[str, str]  # with a place for the key
    path: str  # with a place for the model
    write: Callable[[str, list[Body], Body], Body]  # from model, messages and settings
    read: Callable[[Any], Completion] = read_completion
    lacks: tuple[str, ...] = ("thinking",)  # settings that it does not have


def _openai(model: str, messages: list[Body], settings: Body) -> Body:
    return {"model": model, "messages": messages, **settings}


def _anthropic(model: str, messages: list[Body], settings: Body) -> Body:
    """Thoughts count among the tokens of a reply, so that their budget comes on top."""
    budget = settings.pop("thinking", 0)
    limit = settings.pop("max_tokens", LONGEST) + budget
    system, turns = _apart(messages)
    thinking = {"thinking": {"type": "enabled", "budget_tokens": budget}} if budget else {}
    body = {"model": model, "max_tokens": limit, "messages": turns, **({"system": system} if system else {})}
    for turn in turns:
        turn["content"] = [
            {"type": "text", "text": part}
            if isinstance(part, str)
            else {"type": "image", "source": {"type": "base64", "media_type": part[0], "data": part[1]}}
            for part in turn["content"]
        ]
    return {**body, **thinking, **settings}


def _read_anthropic(document: Any) -> Completion:
    blocks, used = document["content"], document["usage"]
    finish = {"max_tokens": "length", "refusal": "refusal"}.get(document["stop_reason"], "stop")
    thoughts = "".join(block["thinking"] for block in blocks if block["type"] == "thinking")
    text = "".join(block["text"] for block in blocks if block["type"] == "text")
    return _completion(text, thoughts, document["model"], used["input_tokens"], used["output_tokens"], finish)


_GOOGLE = {"temperature": "temperature", "top_p": "topP", "max_tokens": "maxOutputTokens", "seed": "seed"}


def _google(model: str, messages: list[Body], settings: Body) -> Body:
    system, turns = _apart(messages)
    if budget := settings.pop("thinking", 0):
        settings["max_tokens"] = settings.get("max_tokens", LONGEST) + budget
    config: Body = {_GOOGLE[name]: value for name, value in settings.items()}
    if budget:
        config["thinkingConfig"] = {"thinkingBudget": budget, "includeThoughts": True}
    contents = [
        {
            "role": "model" if turn["role"] == "assistant" else "user",
            "parts": [
                {"text": part} if isinstance(part, str) else {"inlineData": {"mimeType": part[0], "data": part[1]}}
                for part in turn["content"]
            ],
        }
        for turn in turns
    ]
    said = {"systemInstruction": {"parts": [{"text": system}]}} if system else {}
    return {"contents": contents, **said, "generationConfig": config}


def _read_google(document: Any) -> Completion:
    used = document.get("usageMetadata", {})
    spent = used.get("candidatesTokenCount", 0) + used.get("thoughtsTokenCount", 0)
    counts = document.get("modelVersion"), used.get("promptTokenCount"), spent
    if "promptFeedback" in document and not document.get("candidates"):
        return _completion("", "", *counts, "content_filter")
    candidate = document["candidates"][0]
    reason = candidate.get("finishReason", "STOP")
    parts = candidate.get("content", {}).get("parts", [])
    text, thoughts = ("".join(part["text"] for part in parts if part.get("thought", False) == own) for own in (0, 1))
    finish = {"STOP": "stop", "MAX_TOKENS": "length"}.get(reason, "content_filter")
    return _completion(text, thoughts, *counts, finish)


def _completion(text: str, thoughts: str, model: Any, asked: Any, spent: Any, finish: str) -> Completion:
    call = {"model": model, "tokens_in": count_of(asked), "tokens_out": count_of(spent), "finish": finish}
    kept = {"reasoning": cut_to_longest(thoughts)} if thoughts else {}
    return Completion(cut_to_longest(text), {**call, **kept})


def _apart(messages: list[Body]) -> tuple[str, list[Body]]:
    """The system prompt, and the turns: their contents are texts, and pictures as (kind, base64)."""
    system = "\n\n".join(one["content"] for one in messages if one["role"] == "system")
    turns = [{**one, "content": _parts(one["content"])} for one in messages if one["role"] != "system"]
    return system, turns


def _parts(content: Any) -> list[Any]:
    if isinstance(content, str):
        return [content]
    return [
        part["text"] if "text" in part else tuple(part["image_url"]["url"].removeprefix("data:").split(";base64,"))
        for part in content
    ]


FORMATS = {
    "openai": WireFormat(
        "https://api.openai.com/v1", "OPENAI_API_KEY", {"authorization": "Bearer {}"}, "/chat/completions", _openai
    ),
    "anthropic": WireFormat(
        "https://api.anthropic.com/v1",
        "ANTHROPIC_API_KEY",
        {"x-api-key": "{}", "anthropic-version": "2023-06-01"},
        "/messages",
        _anthropic,
        _read_anthropic,
        ("seed", "reasoning_effort"),
    ),
    "google": WireFormat(
        "https://generativelanguage.googleapis.com/v1beta",
        "GEMINI_API_KEY",
        {"x-goog-api-key": "{}"},
        "/models/{}:generateContent",
        _google,
        _read_google,
        ("reasoning_effort",),
    ),
}
