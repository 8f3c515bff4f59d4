"""The words of clues (`words.json`) and the scanner that makes tokens of them.

A row of a table is what a token means, such as "attr colour red", and a pattern; the first row that fits at a place
wins, so expressions of several words stand above single words. In patterns a space is a space or a hyphen, NUM is a
number, and names in angle brackets stand for patterns of the table `names`. Words that no row has are passed over.
"""

from __future__ import annotations

import json
import re
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
NUMBERS = {word: number for number, word in enumerate(f"{_UNITS} eighteen nineteen".split())}
NUMBERS |= {word: 10 * number for number, word in enumerate(_TENS.split(), 2)}
NUMBER = rf"(?:\d+|{'|'.join(sorted(NUMBERS, key=len, reverse=True))})"
_ORDINALS = {
    "fir": "1",
    "sec": "2",
    "thi": "3",
    "fou": "4",
    "fif": "5",
    "six": "6",
    "sev": "7",
    "las": "-1",
    "pen": "-2",
}
_PREPOSITION = re.compile(r"^(?:in|on|at|of|along|near) |\bthe |'s$")
_MISSPELT = (
    "yellow", "purple", "green", "brown", "cube", "cubes", "sphere", "spheres", "cylinder", "cylinders", "small",
    "large", "little", "metal", "metallic", "rubber", "matte", "shiny", "balls", "block", "blocks", "turquoise",
    "reflective",
)  # fmt: skip
_RIGHT = frozenset(("smaller", "larger", "black", "smell", "matter", "grown", "crown", "greet", "clock"))


class Token(NamedTuple):
    kind: str
    value: str = ""
    text: str = ""

    @property
    def plural(self) -> bool:
        return self.text.endswith("s")


class Scanner:
    """Makes tokens of a sentence by the rows of a table, and those that all tables share."""

    def __init__(self, table: str, misspelt: bool = False) -> None:
        words: dict[str, Any] = json.loads(Path(__file__).with_name("words.json").read_text(encoding="utf-8"))
        self.misspelt = misspelt
        self.rows = [(*means.partition(" ")[::2], pattern) for means, pattern in words[table] + words["shared"]]
        names = {"NUM": NUMBER, **{f"<{name}>": pattern for name, pattern in words["names"].items()}}
        rows = "|".join(f"(?P<r{i}>(?:{_spelt(row[2], names)})(?!\\w))" for i, row in enumerate(self.rows))
        spoken = rf"(?P<number>(?:\d+(?:[.,]\d+)?|{NUMBER}(?:[ -]{NUMBER})?(?: hundred| thousand)?)(?!\w))"
        ordinal = r"(?P<nth>(?:\d(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|last|penultimate)\b)"
        self.pattern = re.compile(
            rf"(?<![\w@])(?:{rows}|{ordinal}|{spoken})|(?P<word>@?[\w'-]+)|(?P<mark>[,:;()=<>+—–])"
        )

    def tokens(self, sentence: str) -> list[Token]:
        found: list[Token] = []
        for match in self.pattern.finditer(sentence):
            name, text = match.lastgroup or "", match[0]
            if name == "word":
                found += self.tokens(_respelt(text)) if self.misspelt and _respelt(text) else []
            elif name == "mark":
                found.append(Token(text, text, text))
            elif name == "number":
                found.append(Token("num", _digits(text), text))
            elif name == "nth":
                found.append(Token("nth", _ORDINALS.get(text[:3], text[0]), text))
            else:
                kind, value, _ = self.rows[int(name[1:])]
                if value == "x":
                    value = _digits("".join(re.findall(NUMBER, text)[:1]))
                elif value == "@":
                    value = _PREPOSITION.sub("", text)
                elif value[:1] == "@":
                    value = f"{value[1:]} {re.split('[^a-z0-9]', text[1:])[0]}"
                if kind != "skip":
                    found.append(Token(kind, value, text))
        return found


def _spelt(pattern: str, names: dict[str, str]) -> str:
    while found := re.search(r"<[A-Z_]+>|NUM", pattern):
        pattern = pattern.replace(found[0], names[found[0]])
    return pattern.replace(" ", "[ -]")


def _digits(text: str) -> str:
    """A number in digits."""
    if text[0].isdigit():
        return text.replace(",", "" if re.search(r",\d{3}$", text) else ".")
    total = 0
    for word in re.split("[ -]", text):
        total = (
            total * {"hundred": 100, "thousand": 1000}[word]
            if word in ("hundred", "thousand")
            else total + NUMBERS[word]
        )
    return str(total)


@cache
def _respelt(word: str) -> str:
    """The word that somebody meant who wrote almost it."""
    if len(word) < 5 or word in _RIGHT:
        return ""
    return "".join(get_close_matches(word, _MISSPELT, 1, 0.83))
