"""What a sentence says in disguise: numbers in Spanish, in Roman numerals or as sums, words spelled or backwards."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from mmgames.suites.spoken_numbers import pieces


class Reading(NamedTuple):
    """A sentence with its disguise taken off. What had to be worked out could as well be about something else."""

    text: str
    worked_out: bool = False


def readings(text: str) -> Iterator[Reading]:
    """The other ways to read a plain sentence."""
    for other in (in_english(text), without_romans(text)):
        if other != text:
            yield Reading(other)
    worked_out = with_results(text)
    if worked_out is not None:
        yield Reading(worked_out, worked_out=True)


_BACKWARDS = re.compile(
    r"\b(?:backwards?|reverse[ds]?|in reverse|mirror(?:ed| image)?|flip(?:ped)?|turn(?:ed)?\b[^.]*\baround|"
    r"right to left|back to front|last to first|other way a?round|"
    r"(?:starting|begins?|beginning) (?:with|from) the last)\b",
    re.I,
)


def is_backwards(text: str) -> bool:
    """Whether a sentence says that something in it is to be read from its end."""
    return bool(_BACKWARDS.search(text))


# Spanish

_WORD = re.compile(r"[^\W\d_]+")
_UNITS = ("cero", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve")
_TEENS = (
    *("diez", "once", "doce", "trece", "catorce", "quince", "dieciseis", "diecisiete", "dieciocho", "diecinueve"),
    *("veinte", "veintiuno", "veintidos", "veintitres", "veinticuatro", "veinticinco", "veintiseis", "veintisiete"),
    *("veintiocho", "veintinueve"),
)
_TENS = ("treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa")
_HUNDREDS = (
    *("ciento", "doscientos", "trescientos", "cuatrocientos", "quinientos", "seiscientos", "setecientos"),
    *("ochocientos", "novecientos"),
)
_SPANISH = (
    {word: value for value, word in enumerate((*_UNITS, *_TEENS))}
    | {"un": 1, "una": 1, "cien": 100}
    | {word: 30 + 10 * i for i, word in enumerate(_TENS)}
    | {word: 100 + 100 * i for i, word in enumerate(_HUNDREDS)}
)
_MONTHS = {
    "enero": "January", "febrero": "February", "marzo": "March", "abril": "April", "mayo": "May", "junio": "June",
    "julio": "July", "agosto": "August", "septiembre": "September", "setiembre": "September", "octubre": "October",
    "noviembre": "November", "diciembre": "December",
}  # fmt: skip
_SENSES = _MONTHS | {
    "saldo": "balance", "cuenta": "account", "dolares": "dollars", "es": "is", "son": "are", "de": "of", "del": "of",
    "el": "the", "la": "the", "mi": "my", "tengo": "have", "hay": "there's", "queda": "left", "quedan": "left",
    "luego": "then", "despues": "then", "y": "and", "primero": "first", "numero": "number", "clave": "code",
    "codigo": "code", "mas": "more", "menos": "less", "que": "than", "en": "in", "los": "the", "las": "the",
}  # fmt: skip
_ALSO_ENGLISH = {"once", "mil", "un", "son", "la", "me", "mi", "a", "y", "dos", "es", "en", "de", "hay", "el", "mas"}


def in_english(text: str) -> str:
    """A Spanish sentence with its numbers in digits and a few of its words in English; any other stays as it is."""
    words = [(_unaccented(found[0]), found.start(), found.end()) for found in _WORD.finditer(text)]
    if not any(word in _SPANISH or word in _SENSES for word, *_ in words if word not in _ALSO_ENGLISH):
        return text
    out, at, done = [], 0, 0
    while at < len(words):
        word, start, end = words[at]
        value, after = _spanish_number([word for word, *_ in words], at)
        said = _SENSES.get(word) if value is None else str(value)
        end = words[after - 1][2]
        if said is not None:
            out += [text[done:start], said]
            done = end
        at = after
    return "".join([*out, text[done:]])


def _unaccented(word: str) -> str:
    apart = unicodedata.normalize("NFD", word.casefold())
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


def _spanish_number(words: list[str], at: int) -> tuple[int | None, int]:
    """The number that begins with a word, and the word after it; None: there is none."""
    total: int | None = None
    if words[at] == "mil":
        total, at = 1000, at + 1
    value, after = _below_thousand(words, at)
    if value is not None and total is None and words[after : after + 1] == ["mil"]:
        total, at = 1000 * value, after + 1
        value, after = _below_thousand(words, at)
    if total is not None:
        return (total, at) if not value else (total + value, after)
    return value, after


def _below_thousand(words: list[str], at: int) -> tuple[int | None, int]:
    value = _SPANISH.get(words[at]) if at < len(words) else None
    after = at + 1
    if value is None:
        return None, after
    if value >= 100 and after < len(words) and 0 < _SPANISH.get(words[after], 0) < 100:
        rest, after = _below_thousand(words, after)
        return value + (rest or 0), after
    if 30 <= value < 100 and words[after : after + 1] == ["y"] and after + 1 < len(words):
        ones = _SPANISH.get(words[after + 1], 0)
        if 0 < ones < 10:
            return value + ones, after + 2
    return value, after


# Roman numerals

_ROMAN = re.compile(r"(?<![\w'])(?=[MDCLXVI])M{0,9}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})(?![\w'])")
_LONG_ROMAN = re.compile(_ROMAN.pattern.replace("(?=[MDCLXVI])", "(?=[MDCLXVI]{4})"), re.I)
_ROMAN_SIGNS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def without_romans(text: str) -> str:
    """A text with its Roman numerals in digits. I is one beside other numerals only."""
    found = [*_ROMAN.finditer(text)]
    beside = {match.start() for match in found if _near(text, match, found)}
    plain = _ROMAN.sub(
        lambda match: match[0] if match[0] == "I" and match.start() not in beside else _value(match), text
    )
    return _LONG_ROMAN.sub(_value, plain)


def _near(text: str, match: re.Match[str], found: list[re.Match[str]]) -> bool:
    gaps = (text[one.end() : two.start()] for one, two in pairwise(found) if match in (one, two))
    return any(re.fullmatch(r"\W*(?:then|and)?\W*", gap) for gap in gaps)


def _value(match: re.Match[str]) -> str:
    values = [_ROMAN_SIGNS[sign] for sign in match[0].upper()]
    return str(sum(-one if one < two else one for one, two in zip(values, [*values[1:], 0], strict=True)))


# Sums

_N = r"[$€£]?(\d{1,9})(?:\s*dollars)?"
_Work = Callable[[int, int], int | None]
_SUMS: tuple[tuple[re.Pattern[str], _Work], ...] = tuple(
    (re.compile(pattern.replace("N", _N), re.I), work)
    for pattern, work in (
        (r"\b(?:twice|double) N()", lambda a, b: 2 * a),
        (r"\bhalf (?:of )?N()", lambda a, b: _divided(a, 2)),
        (r"\bN (?:times|x|×|\*|multiplied by) N\b", lambda a, b: a * b),
        (r"\bmultiply N (?:by|with) N\b", lambda a, b: a * b),
        (r"\b(?:divide )?N (?:divided by|by|/|÷|over) N\b", lambda a, b: _divided(a, b)),
        (r"\bN more than N\b", lambda a, b: a + b),
        (r"\bN less than N\b", lambda a, b: b - a),
        (r"\badd N to N\b", lambda a, b: a + b),
        (r"\b(?:subtract|take) N (?:away )?from N\b", lambda a, b: b - a),
        (r"\bsum of N and N\b", lambda a, b: a + b),
        (r"\bN and N (?:together|added)\b", lambda a, b: a + b),
        (r"\bN\s*(?:plus|\+|(?:and|then|,)* ?add)\s*N\b", lambda a, b: a + b),
        (r"\bN\s*(?:minus|[-−–]|less|take away|(?:and|then|,)* ?subtract)\s*N\b", lambda a, b: a - b),
    )
)


def _divided(number: int, by: int) -> int | None:
    return number // by if by and number % by == 0 else None


def with_results(text: str) -> str | None:
    """A text with the results of its sums in their place; None where there is none."""
    begun = now = _in_digits(text)
    while True:
        before = now
        for pattern, work in _SUMS:
            now = pattern.sub(partial(_result, work), now)
        if now == before:
            return None if now == begun else now


def _result(work: _Work, found: re.Match[str]) -> str:
    result = work(int(found[1]), int(found[2] or 0))
    return found[0] if result is None or result < 0 else str(result)


def _in_digits(text: str) -> str:
    for piece in reversed(pieces(text)):
        text = text[: piece.start] + piece.digits + text[piece.end :]
    return text


# Letter by letter

_LETTER_WORDS = (
    "alfa bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo "
    "sierra tango uniform victor whiskey xray yankee zulu alpha juliet whisky"
)
_LETTERS = {word: word[0] for word in _LETTER_WORDS.split(" ")}
_BETWEEN_LETTERS = frozenset(
    ("then", "and", "capital", "letter", "letters", "next", "followed", "by", "another", "the")
)
_AS_IN = re.compile(r"(?<![^\W\d_])([^\W\d_])\s+(?:as in|like|for)\s+[^\W\d_]+", re.I)


def spelled(text: str) -> list[str]:
    """What a sentence spells letter by letter, three letters at least, in small letters."""
    plain = _AS_IN.sub(r"\1", re.sub(r"\bx-ray\b", "xray", text, flags=re.I)).replace("_", " ")
    found, run, by_words = [], "", False
    for word in [*(match[0].casefold() for match in _WORD.finditer(plain)), "end"]:
        if len(word) == 1 or (word in _LETTERS and (not run or by_words)):
            by_words = len(word) > 1
            run += _LETTERS.get(word, word)
        elif word not in _BETWEEN_LETTERS or not run:
            found += [run] if len(run) > 2 else []
            run, by_words = "", False
    return found
