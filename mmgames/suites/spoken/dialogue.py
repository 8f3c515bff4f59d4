"""What can be measured in a transcript without a judge: words spent and what the two did wrong; see also `privacy`.

A transcript is the list that a puzzle's episode record holds: messages with their speech, actions and results.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mmgames.suites.spoken.privacy import Transcript, sentences
from mmgames.suites.spoken.spoken_numbers import DIGITS

_WORDS = re.compile(r"[^\W_]+")
_PIECES = re.compile(r"\w+|[^\w\s]")
USAGE, WORDS = "completion tokens", "words and marks"


def tokens(transcript: Transcript) -> int:
    """Words and punctuation marks in all messages: a count that needs no vocabulary and is near any model's own."""
    return sum(_pieces(message["speech"], *message["actions"]) for message in transcript)


def _pieces(*texts: str) -> int:
    return sum(len(_PIECES.findall(text)) for text in texts)


def tokens_written(record: Mapping[str, Any], seats: Sequence[str]) -> tuple[float, dict[str, str]]:
    """What an episode took to write, thoughts included, and how that was counted for each seat.

    Where a model's service tells its completion tokens these count. Otherwise words and marks of all replies do, which
    leaves out thoughts that are not shown.
    """
    counts = record.get("completion_tokens") or [None] * len(seats)
    total, counted = 0.0, {}
    for seat, own in zip(seats, counts, strict=True):
        total += words_of(record, seat) if own is None else own
        counted[seat] = WORDS if own is None else USAGE
    return total, counted


def words_of(record: Mapping[str, Any], seat: str) -> int:
    """Words and marks in what a seat replied; records of before replies were kept have its messages alone."""
    replies = [reply["reply"] for reply in record.get("replies", ()) if reply["seat"] == seat]
    return _pieces(*replies) or tokens([message for message in record["transcript"] if message["seat"] == seat])


def efficiency(partial: float, tokens: float) -> float:
    """The harmonic mean of the partial success rate and 1/(1 + tokens/1000)."""
    brevity = 1 / (1 + tokens / 1000)
    return 2 * partial * brevity / (partial + brevity) if partial > 0 else 0.0


REPEATED, UNASKED, IGNORED, NAMED, ACTED = TAGS = (
    "repeated mistake",
    "acted without asking",
    "ignored the expert",
    "expert named an action",
    "expert acted",
)


def error_tags(transcript: Transcript, names: Sequence[str]) -> dict[str, int]:
    """How often each kind of error happens in an episode.

    repeated mistake        a mistake is made again, and nothing has changed since the first time
    acted without asking    an action before the solver has said anything
    ignored the expert      the expert's last message orders exactly one action and the solver does another one first
    expert named an action  the expert names one, as the solver would write it or in plain words (no error by itself)
    expert acted            a line of the expert's is an action's name, or a sentence is "I will press …"
    """
    counts = Counter(tag for _, tag in tagged(transcript, names))
    return {tag: counts[tag] for tag in TAGS}


def tagged(transcript: Transcript, names: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The errors of an episode one by one, each with the number of its message."""
    asked = False
    advised: set[str] = set()
    lower = {name.lower() for name in names}
    for number, message in enumerate(transcript):
        if message["seat"] == "expert":
            advised = ordered_actions(message["speech"], names)
            lines = (line.strip(" .,;:!\"'`*()[]").lower() for line in message["speech"].splitlines())
            if named_actions(message["speech"], names):
                yield number, NAMED
            if any(line in lower for line in lines) or acts_itself(message["speech"], names):
                yield number, ACTED
            continue
        results = message["results"]
        if results and not (asked or message["speech"]):
            yield number, UNASKED
        if results and len(advised) == 1 and results[0]["action"] not in advised:
            yield number, IGNORED
        yield from ((number, REPEATED) for done in results if done["repeated"])
        asked = asked or bool(message["speech"])
        advised = set()


_BESIDE = frozenset((
    "a", "an", "and", "button", "do", "have", "just", "key", "must", "need", "next", "now", "number", "ok", "okay",
    "on", "please", "should", "so", "the", "then", "to", "yes", "you",
))  # fmt: skip
"""Words beside an order that change nothing about it."""
_NO_ORDER = re.compile(
    r"\?|n't\b|\b(?:i|we|no|not|never|avoid|if|unless|when|once|until|before|whether|would|could|might)\b", re.I
)
_MYSELF = frozenset(("am", "go", "going", "have", "ll", "m", "ve", "will"))


def named_actions(speech: str, names: Sequence[str]) -> set[str]:
    """The actions that a speech names: `press_top_left_button`, or "press the top left button"."""
    spoken = f" {' '.join(_plain_words(speech))} "
    return {name for name in names if f" {' '.join(_plain_words(name))} " in spoken}


def ordered_actions(speech: str, names: Sequence[str]) -> set[str]:
    """The same, without sentences that ask, deny or suppose something, or tell of the speaker."""
    orders = (sentence for sentence in sentences(speech) if not _NO_ORDER.search(sentence))
    return named_actions("\n".join(orders), names)


def acts_itself(speech: str, names: Sequence[str]) -> bool:
    """Whether somebody who cannot act says so in a whole sentence: I will press the top left button."""
    actions = [_plain_words(name) for name in names]
    spoken = (_plain_words(sentence) for sentence in sentences(speech))
    return any([word for word in words[1:] if word not in _MYSELF] in actions for words in spoken if words[:1] == ["i"])


def _plain_words(text: str) -> list[str]:
    words = (word.casefold() for word in _WORDS.findall(text))
    return [str(DIGITS.get(word, word)) for word in words if word not in _BESIDE]
