"""What can be measured in a transcript without a judge: words spent and what the two did wrong; see also `privacy`.

A transcript is the list that a puzzle's episode record holds: messages with their speech, actions and results.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mmgames.suites.privacy import sentences
from mmgames.suites.spoken_numbers import DIGITS

Transcript = Sequence[Mapping[str, Any]]

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
    told = record.get("completion_tokens") or [None] * len(seats)
    total, counted = 0.0, {}
    for seat, own in zip(seats, told, strict=True):
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
    expert acted            a line of the expert's is an action's name, or it says "I press …": it takes it for its own
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


_SKIPPED = ("the", "a", "an", "button", "key", "number", "on", "please", "now")
_REFUSED = re.compile(r"\b(do not|don't|never|not to|avoid|instead of|no (?:reason|need))\b", re.I)
_NO_ORDER = re.compile(
    r"\?|\b(?:if|unless|otherwise|whether|when|whenever|once|until|as soon as|in case|before you|not|never)\b|n't\b"
    r"|^\W*(?:should|were|had)\b|\b(?:mistake|wrong|error|no circumstances?|refrain|forbidden|bad idea|hold off)\b"
    r"|\b(?:might|perhaps|maybe|possibly|one day|some day|another time|example|story|rumou?r|nobody|anybody"
    r"|somebody|nothing(?! else| more| but))\b"
    r"|\bno (?:\w+ )?(?:page|rule|entry|section|line|step|case)\b|\b(?:searching|looking) for\b|\bone (?:can|could"
    r"|may)\b"
    r"|\bwanted to\b|\btried to\b|\bcould be that\b|\bmay have\b|\bwould (?:have|be)\b",
    re.I,
)
_REQUEST = re.compile(
    r"\b(?:would|could|can|will) you (?:be so (?:kind|good) as to|kindly|please) (?P<order>[^?]*)\?", re.I
)
_MYSELF = re.compile(
    r"\b(?:let me|(?:for|want|wants|wanted|like|tell|ask|allow) me to"
    r"|(?:I|we)(?:'ll|'ve|'m| will| shall| am| (?:going|about|ready|decided|trying|planning) to| have| already| now"
    r"| just"
    r"| then| tried to)*)\s+(?=\S)",
    re.I,
)


def named_actions(speech: str, names: Sequence[str]) -> set[str]:
    """The actions that a speech names and does not forbid: `press_top_left_button`, or "press the top left button"."""
    found: set[str] = set()
    for sentence in sentences(speech):
        if not _REFUSED.search(sentence):
            spoken = _plain_words(sentence)
            found |= {name for name in names if _inside(_plain_words(name), spoken)}
    return found


def ordered_actions(speech: str, names: Sequence[str]) -> set[str]:
    """The same, without what is asked, depends on something, or is the speaker's own deed."""
    asked = (_REQUEST.sub(r"\g<order>.", said) for said in sentences(speech))
    told = (said for said in asked if not _NO_ORDER.search(said) and not acts_itself(said, names))
    return named_actions("\n".join(told), names)


def acts_itself(speech: str, names: Sequence[str]) -> bool:
    """Whether somebody who cannot act says to do so: I press the top left button."""
    for sentence in sentences(speech):
        for begun in _MYSELF.finditer(sentence):
            rest = _plain_words(sentence[begun.end() :])
            if any(rest[: len(wanted)] == wanted or _past(rest, wanted) for wanted in map(_plain_words, names)):
                return True
    return False


def _past(spoken: Sequence[str], wanted: Sequence[str]) -> bool:
    """pressed, clicked, cut, moved, pressing …"""
    verb, *rest = wanted
    return (
        bool(spoken)
        and spoken[0] in (f"{verb}ed", f"{verb}d", f"{verb}ing", f"{verb[:-1]}ing")
        and list(spoken[1 : 1 + len(rest)]) == rest
    )


def _plain_words(text: str) -> list[str]:
    words = [word.casefold() for word in _WORDS.findall(text)]
    return [str(DIGITS.get(word, word)) for word in words if word not in _SKIPPED]


def _inside(wanted: Sequence[str], spoken: Sequence[str]) -> bool:
    width = len(wanted)
    return any(list(spoken[i : i + width]) == list(wanted) for i in range(len(spoken) - width + 1))
