"""Numbers as people write them, in digits or in English words: each becomes a piece of digits at its place."""

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

_ONES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS = ("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
DIGITS = {"zero": 0, "oh": 0} | {word: digit for digit, word in enumerate(_ONES, 1)}
VALUES = DIGITS | {word: 10 + i for i, word in enumerate(_TEENS)} | {word: 20 + 10 * i for i, word in enumerate(_TENS)}

LINKS = frozenset((
    "a", "an", "and", "by", "comma", "dash", "digit", "finally", "first", "followed", "fourth", "is", "it", "last",
    "next", "press", "pressed", "second", "the", "then", "third", "was",
))  # fmt: skip
"""Words that may stand between digits which are told one by one."""

_DIGIT, _ONE, _TEEN, _TEN = (f"(?:{'|'.join(words)})" for words in (DIGITS, _ONES, _TEENS, _TENS))
_BELOW_100 = rf"(?:{_TEN}(?:[\s-]+{_ONE})?|{_TEEN}|{_DIGIT})"
_BELOW_1000 = rf"{_BELOW_100}(?:[\s-]+hundred(?:[\s-]+(?:and[\s-]+)?{_BELOW_100})?)?"
_CARDINAL = rf"{_BELOW_1000}(?:[\s-]+thousand(?:[\s-]+(?:and[\s-]+)?{_BELOW_1000})?)?"
_NUMBER = re.compile(rf"\d+|(?<![^\W\d_]){_CARDINAL}(?![^\W\d_])", re.I)


class Piece(NamedTuple):
    """Some digits at a place of a text, and what stands between them and the piece before.

    `gap`: 0 blanks and marks, 1 also a comma or the end of a line or sentence, 2 also linking words, 3 anything else.
    """

    digits: str
    start: int
    end: int
    gap: int


def plain(text: str) -> str:
    """A text with digits and letters in their usual form."""
    return unicodedata.normalize("NFKC", text).replace("’", "'")


def pieces(text: str) -> list[Piece]:
    """The numbers in a plain text. A cardinal is one piece: forty-two, nine thousand three hundred."""
    found: list[Piece] = []
    for match in _NUMBER.finditer(text):
        gap = _gap(text[found[-1].end : match.start()]) if found else 3
        if match[0].casefold() != "oh" or gap == 0:  # else it is a sigh
            found.append(Piece(_digits(match[0].casefold()), match.start(), match.end(), gap))
    return found


def _digits(number: str) -> str:
    if number.isdigit():
        return number
    total = part = 0
    for word in re.findall("[a-z]+", number):
        if word == "thousand":
            total, part = 1000 * part, 0
        else:
            part = 100 * part if word == "hundred" else part + VALUES.get(word, 0)  # nothing: "and"
    return str(total + part)


def _gap(between: str) -> int:
    words = re.findall(r"[^\W\d_]+", between.casefold())
    if words:
        return 2 if LINKS.issuperset(words) else 3
    return 1 if re.search(r"[,;\n]|[.!?]\s", between) else 0


def numbers(text: str) -> Iterator[Piece]:
    """What can be one number in a plain text: each piece alone, then rows of them with less and less close gaps.

    Linking words make one number of single digits only: `39 and 47` are two.
    """
    found = pieces(text)
    yield from found
    for loosest in (0, 1, 2):
        starts = [at for at, piece in enumerate(found) if piece.gap > loosest]
        for start, end in pairwise([*starts, len(found)]):
            row = found[start:end]
            if loosest < 2 or all(len(piece.digits) == 1 for piece in row):
                yield Piece("".join(piece.digits for piece in row), row[0].start, row[-1].end, row[0].gap)
