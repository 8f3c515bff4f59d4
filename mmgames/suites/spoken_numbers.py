"""Numbers as people write them: digits with or without separators, words, or both. Each becomes pieces of digits."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_ONES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS = ("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
DIGITS = {word: digit for digit, word in enumerate(_ONES)} | {"oh": 0, "nought": 0, "naught": 0}
VALUES = (
    DIGITS
    | {word: 10 + i for i, word in enumerate(_TEENS)}
    | {word: 20 + 10 * i for i, word in enumerate(_TENS)}
    | {"fourty": 40, "ninty": 90}
)
_TIMES = {"double": 2, "triple": 3}
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fifth": 5, "eighth": 8, "ninth": 9, "twelfth": 12}
ORDINALS = (
    _ORDINALS
    | {f"{word}th": value for word, value in VALUES.items() if f"{word}th" not in ("oneth", "twoth", "threeth")}
    | {"twentieth": 20, "thirtieth": 30}
)
_PLACES = ("first", "last", "next", "other", "final", "remaining", "former", "latter", "second", "third", "fourth")
_COUNTED = ("digits", "digit", "numbers", "figures", "ones")
_LABELLED = ("part", "step", "line", "page", "rule", "turn", "option", "section", "stage", "row", "column", "round")
_THESE = ("this", "that", "which", "each", "every", "any", "no", "the", "right", "wrong")
FILLERS = frozenset((
    "a", "an", "and", "the", "then", "next", "finally", "followed", "by", "comma", "dash", "dot", "point",
    "hyphen", "slash", "space", "is", "are", "was", "it", "digit", "digits", "number", "press", "pressed", "key",
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "last", "final",
    "after", "that", "lastly", "comes",
))  # fmt: skip
"""Words that may stand between the pieces of one number."""

_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+|\s+|[^\w\s]|_")


class Piece(NamedTuple):
    """Some digits at a place of a text, and how they hang together with the piece before.

    `gap`: 0 nothing but blanks and marks inside numbers, 1 a comma or a filler word, 2 anything else.
    """

    digits: str
    start: int
    end: int
    gap: int


def plain(text: str) -> str:
    """A text with digits and letters in their usual form."""
    return unicodedata.normalize("NFKC", text).replace("’", "'")


def pieces(text: str) -> list[Piece]:
    """The pieces of digits in a plain text. Number words are read as the numbers they make: forty-two is one piece."""
    found: list[Piece] = []
    gap = 2
    tokens = [(match[0], match.start(), match.end()) for match in _TOKEN.finditer(text)]
    at = 0
    while at < len(tokens):
        word, start, _ = tokens[at]
        read = _number(tokens, at)
        if read is not None:
            digits, at = read
            found.append(Piece(digits, start, tokens[at - 1][2], gap))
            gap = 0
            continue
        at += 1
        lower = word.casefold()
        if word.isspace() or word in "-–—./_*\"'`():#~":
            continue
        gap = max(gap, 1 if word in ",;&+|>" or lower in FILLERS else 2)
    return found


def _number(tokens: Sequence[tuple[str, int, int]], at: int) -> tuple[str, int] | None:
    """The digits of the number that begins with this token, and the token after it."""
    word = tokens[at][0].casefold()
    if word.isdigit():
        return word, at + 1
    if word in _TIMES:
        after = _skip(tokens, at + 1)
        if after < len(tokens) and tokens[after][0].casefold() in DIGITS:
            return str(DIGITS[tokens[after][0].casefold()]) * _TIMES[word], after + 1
        return None
    if word not in VALUES:
        glued = _glued(word)
        return None if glued is None else (glued, at + 1)
    if word in ("one", "two", "three") and _no_number(tokens, at):
        return None
    if word == "oh" and (at == 0 or _before(tokens, at) not in VALUES):
        return None
    return _cardinal(tokens, at)


def _no_number(tokens: Sequence[tuple[str, int, int]], at: int) -> bool:
    """Whether a small number word counts or names something else: the last one, two digits, part two."""
    before, after = _before(tokens, at), _after(tokens, at)
    if after in _COUNTED or before in (*_PLACES, *_LABELLED):
        return True
    return tokens[at][0].casefold() == "one" and before in _THESE


def _before(tokens: Sequence[tuple[str, int, int]], at: int) -> str:
    return next((word.casefold() for word, *_ in reversed(tokens[:at]) if not word.isspace() and word != "-"), "")


def _after(tokens: Sequence[tuple[str, int, int]], at: int) -> str:
    return next((word.casefold() for word, *_ in tokens[at + 1 :] if not word.isspace()), "")


def _skip(tokens: Sequence[tuple[str, int, int]], at: int) -> int:
    while at < len(tokens) and (tokens[at][0].isspace() or tokens[at][0] in "-–"):
        at += 1
    return at


def _cardinal(tokens: Sequence[tuple[str, int, int]], at: int) -> tuple[str, int]:
    """The longest cardinal that begins here: four, forty-two, seven hundred and forty, nine thousand three hundred."""
    total = 0
    value, end = _below_hundred(tokens, at)
    for scale, power in (("thousand", 1000), ("hundred", 100)):
        after = _skip(tokens, end)
        if value and after < len(tokens) and tokens[after][0].casefold() == scale:
            total, value, end = total + value * power, 0, after + 1
            after = _skip(tokens, end)
            if after < len(tokens) and tokens[after][0].casefold() == "and":
                after = _skip(tokens, after + 1)
            if after < len(tokens) and VALUES.get(tokens[after][0].casefold(), 0):
                value, end = _below_hundred(tokens, after)
    return str(total + value), end


def _below_hundred(tokens: Sequence[tuple[str, int, int]], at: int) -> tuple[int, int]:
    """The value of a number word, with the ones after tens, and the token after it."""
    value, end = VALUES[tokens[at][0].casefold()], at + 1
    after = _skip(tokens, end)
    if value >= 20 and after < len(tokens) and 1 <= VALUES.get(tokens[after][0].casefold(), 0) <= 9:
        return value + VALUES[tokens[after][0].casefold()], after + 1
    return value, end


def _glued(word: str) -> str | None:
    """Digit words without blanks between them, three at least."""
    out, rest = [], word
    while rest:
        name = next((name for name in DIGITS if rest.startswith(name)), None)
        if name is None:
            return None
        out.append(str(DIGITS[name]))
        rest = rest[len(name) :]
    return "".join(out) if len(out) > 2 else None


def runs(found: Sequence[Piece]) -> Iterator[list[Piece]]:
    """Pieces that can belong to one number: every piece, then the tight runs, then those with commas and fillers."""
    yield from ([piece] for piece in found)
    for loosest in (0, 1):
        run: list[Piece] = []
        for piece in found:
            if run and piece.gap > loosest:
                yield run
                run = []
            run.append(piece)
        if run:
            yield run
