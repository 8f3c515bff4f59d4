"""What an endpoint that speaks OpenAI's chat completions sends back, read as a reply."""

import re
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
    """The first choice of a completion. A TypeError, KeyError or IndexError where the document is none.

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
