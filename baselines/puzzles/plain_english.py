"""Plain English for the scripted solvers and experts: what is ordered, which button is meant, who said it last.

Nothing is read into a text: a sentence that asks, forbids or makes a condition orders nothing.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TypeVar

from mmgames.puzzles._conversation.rules import ConversationView
from mmgames.text.prose import paragraphs

Found = TypeVar("Found")
SAID = paragraphs(__package__, "words")

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, **{str(n): n for n in range(1, 10)}}
PRESS = re.compile(r"\b(?:press|push|hit|click|tap)(?:_|\b)")

_SENTENCE = re.compile(r"[^.!?\n]+[.!?\n]?")
_NO_ORDER = re.compile(r"\?|\b(?:not|never|if|otherwise|unless|avoid)\b|n't")
_PLACE = re.compile(r"(?<![a-z])(top|upper|middle|centre|center|bottom|lower)[ _-]+(left|right)(?![a-z])")
_ROWS = {"upper": "top", "centre": "middle", "center": "middle", "lower": "bottom"}
_QUOTES = "\"'“”‘’`«»"


def orders(text: str, verb: re.Pattern[str]) -> list[str]:
    """The sentences, in small letters, that tell somebody to do it."""
    sentences = _SENTENCE.findall(text.lower())
    return [sentence for sentence in sentences if verb.search(sentence) and not _NO_ORDER.search(sentence)]


def places(text: str) -> list[str]:
    """The places named in a text in small letters, in their order: `top_left`, `middle_right`, …"""
    return [f"{_ROWS.get(row, row)}_{side}" for row, side in _PLACE.findall(text)]


def place_words(place: str) -> str:
    return place.replace("_", " ")


def buttons_to_press(text: str, labels: Mapping[str, str] | None = None) -> list[str]:
    """The places of the buttons that a text tells to press, in order; a quoted label stands for its button."""
    for label, place in (labels or {}).items():
        text = re.sub(f"[{_QUOTES}]{re.escape(label)}[.,]?[{_QUOTES}]", place, text, flags=re.I)
    return list(dict.fromkeys(place for sentence in orders(text, PRESS) for place in places(sentence)))


def latest(find: Callable[[str], Found | None], heard: Sequence[str]) -> Found | None:
    """What the newest message that tells it says."""
    return next((found for message in reversed(heard) if (found := find(message)) is not None), None)


def only(found: Collection[Found]) -> Found | None:
    """What was found, if it is one thing."""
    return next(iter(found)) if len(found) == 1 else None


def just_acted(view: ConversationView) -> bool:
    """Whether the seat's last message did something, so that the answer to it may speak of a device of the past."""
    mine = [said for said in view.dialogue if said.seat == view.seat]
    return bool(mine and mine[-1].results)


def must_guess(view: ConversationView, needed: int = 1) -> bool:
    """Whether so few messages are left that a solver without advice should use up its mistakes."""
    return view.turns - view.turn + 1 <= view.mistake_limit - (view.mistakes or 0) + needed - 1


def quote(word: str) -> str:
    return f'"{word}"'


def listing(items: Iterable[str], last: str = "and") -> str:
    """`a, b and c`"""
    *first, final = items
    return f"{', '.join(first)} {last} {final}" if first else final
