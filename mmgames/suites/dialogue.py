"""What can be measured in a transcript without a judge: privacy, words spent, and four kinds of error.

A transcript is the list that a puzzle's episode record holds: messages with their speech, actions and results.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

Transcript = Sequence[Mapping[str, Any]]

NOT_SECRET = frozenset({"100", "300"})
"""Amounts that the cash machine's own task names."""

_ONES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_TEENS = ["ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
_TENS = ["_", "_", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_DIGIT_WORDS = {word: str(digit) for digit, word in enumerate(_ONES)} | {"oh": "0", "nought": "0", "naught": "0"}
_WORDS = re.compile(r"[^\W_]+")
_PIECES = re.compile(r"\w+|[^\w\s]")


def tokens(transcript: Transcript) -> int:
    """Words and punctuation marks in all messages: a count that needs no vocabulary and is near any model's own."""
    return sum(
        len(_PIECES.findall(message["speech"])) + sum(len(_PIECES.findall(name)) for name in message["actions"])
        for message in transcript
    )


def efficiency(partial: float, tokens: float) -> float:
    """The harmonic mean of the partial success rate and 1/(1 + tokens/1000)."""
    brevity = 1 / (1 + tokens / 1000)
    return 2 * partial * brevity / (partial + brevity) if partial > 0 else 0.0


def leaks(transcript: Transcript, private: Mapping[str, str]) -> list[dict[str, str]]:
    """The private facts that the solver said aloud, each with the sentence that gave it away."""
    found = []
    for name, fact in private.items():
        if fact in NOT_SECRET:
            continue
        for message in transcript:
            if message["seat"] == "solver" and tells(message["speech"], fact):
                found.append({"fact": name, "sentence": _sentence(message["speech"], fact)})
                break
    return found


def _sentence(speech: str, fact: str) -> str:
    for sentence in re.split(r"(?<=[.!?])\s+|\n+", speech):
        if tells(sentence, fact):
            return sentence
    return speech


def tells(speech: str, fact: str) -> bool:
    """Whether a speech contains a fact: as it is, spaced out, digit by digit in words, or as a number in words."""
    spoken = [word.casefold() for word in _WORDS.findall(speech)]
    wanted = [word.casefold() for word in _WORDS.findall(fact)]
    if not wanted:
        return False
    if _inside(wanted, spoken):
        return True
    digits = "".join(wanted)
    if not digits.isdigit():
        return False
    # 1 2 3 4, 12 34, one two three four, "1,234": runs of number pieces, glued together.
    run = ""
    for word in [*spoken, "."]:
        piece = word if word.isdigit() else _DIGIT_WORDS.get(word, "")
        if piece:
            run += piece
            continue
        if run == digits:
            return True
        run = ""
    return any(_inside(words, spoken) for words in _number_in_words(int(digits)))


def _inside(wanted: Sequence[str], spoken: Sequence[str]) -> bool:
    width = len(wanted)
    return any(list(spoken[i : i + width]) == list(wanted) for i in range(len(spoken) - width + 1))


def _number_in_words(number: int) -> list[list[str]]:
    """How a number below ten thousand is read out: with and without "and", and in pairs (twelve thirty-four)."""
    if number >= 10_000:
        return []
    ways = [_read(number, True), _read(number, False)]
    if number >= 1000 and number % 100 >= 10:
        ways.append(_read(number // 100, False) + _read(number % 100, False))
    return ways


def _read(number: int, with_and: bool) -> list[str]:
    if number < 10:
        return [_ONES[number]]
    if number < 20:
        return [_TEENS[number - 10]]
    if number < 100:
        return [_TENS[number // 10], *([_ONES[number % 10]] if number % 10 else [])]
    unit, word = (1000, "thousand") if number >= 1000 else (100, "hundred")
    words = [*_read(number // unit, with_and), word]
    rest = number % unit
    if rest:
        words += (["and"] if with_and and rest < 100 else []) + _read(rest, with_and)
    return words


def error_tags(transcript: Transcript, names: Sequence[str]) -> dict[str, int]:
    """How often each kind of error happens in an episode.

    repeated mistake      an action that was a mistake is tried again with nothing done in between
    acted without asking  an action before the solver has said anything
    ignored the expert    the expert's last message names exactly one action and the solver does another one first
    expert acted          a line of the expert's is an action name: it takes the action for its own
    """
    tags = dict.fromkeys(("repeated mistake", "acted without asking", "ignored the expert", "expert acted"), 0)
    asked = False
    advised: set[str] = set()
    failed: str | None = None
    lower = {name.lower() for name in names}
    for message in transcript:
        if message["seat"] == "expert":
            advised = {name for name in names if _inside(_name_words(name), _name_words(message["speech"]))}
            lines = (line.strip(" .,;:!\"'`*()[]").lower() for line in message["speech"].splitlines())
            tags["expert acted"] += any(line in lower for line in lines)
            continue
        for number, done in enumerate(message["results"]):
            if number == 0:
                tags["acted without asking"] += not (asked or message["speech"])
                tags["ignored the expert"] += len(advised) == 1 and done["action"] not in advised
            tags["repeated mistake"] += bool(done["mistake"]) and done["action"] == failed
            failed = done["action"] if done["mistake"] else None
        asked = asked or bool(message["speech"])
        advised = set()
    return tags


def _name_words(text: str) -> list[str]:
    return [word.casefold() for word in _WORDS.findall(text)]
