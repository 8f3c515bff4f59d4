"""The words of clues (`words.json`) and the scanner that makes tokens of them.

A row of a table is what a token means, such as "attr colour red", and a pattern; the first row that fits at a place
wins, so expressions of several words stand above single words. In patterns a space is a space or a hyphen, NUM is a
number, and names in angle brackets stand for patterns of the table `names`. Words that no row has are passed over.
"""

import json
import re
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

WORDS: dict[str, Any] = json.loads(Path(__file__).with_name("words.json").read_text(encoding="utf-8"))
NUMBERS = {word: number for number, word in enumerate(WORDS["numbers"].split())}
NUMBERS |= {word: 10 * number for number, word in enumerate(WORDS["tens"].split(), 2)}
ORDINALS = {
    word: int(means[4:]) for means, words in WORDS["shared"] if means[:4] == "nth " for word in words.split("|")
}
_NAMES = {
    "NUM": rf"(?:\d+|{'|'.join(sorted(NUMBERS, key=len, reverse=True))})",
    **{f"<{name}>": pattern for name, pattern in WORDS["names"].items()},
}
_PREPOSITION = re.compile(r"^(?:in|on|at|of|along|near) |\bthe |'s$")


class Token(NamedTuple):
    kind: str
    value: str = ""
    text: str = ""

    @property
    def plural(self) -> bool:
        return self.text.endswith("s")


class Scanner:
    """Makes tokens of a sentence by the rows of a table, and those that all tables share."""

    def __init__(self, table: str) -> None:
        self.misspelt = tuple(WORDS["misspelt"].get(table, "").split())
        self.rows = [(*means.partition(" ")[::2], pattern) for means, pattern in WORDS[table] + WORDS["shared"]]
        rows = [f"(?P<r{i}>(?:{spelt(row[2])})(?!\\w))".replace(" ", "[ -]") for i, row in enumerate(self.rows)]
        number = r"(?P<number>(?:\d+(?:[.,]\d+)?|NUM(?:[ -]NUM)?(?: hundred| thousand)?)(?!\w))"
        self.pattern = re.compile(
            rf"(?<![\w@])(?:{'|'.join(rows)}|{spelt(number)})|(?P<word>@?[\w'-]+)|(?P<mark>[,:;()=<>+—–])"
        )

    def tokens(self, sentence: str) -> list[Token]:
        found: list[Token] = []
        for match in self.pattern.finditer(sentence):
            name, text = match.lastgroup or "", match[0]
            if name == "word":
                meant = self.misspelt and _respelt(text, self.misspelt)
                found += self.tokens(meant) if meant else []
            elif name == "mark":
                found.append(Token(text, text, text))
            elif name == "number":
                found.append(Token("num", _digits(text), text))
            else:
                kind, value, _ = self.rows[int(name[1:])]
                if value == "x":
                    value = _digits("".join(re.findall(_NAMES["NUM"], text)[:1]))
                elif value == "@":
                    value = _PREPOSITION.sub("", text)
                elif value[:1] == "@":
                    value = f"{value[1:]} {re.split('[^a-z0-9]', text[1:])[0]}"
                found += [Token(kind, value, text)] if kind != "skip" else []
        return found


@cache
def scanner(table: str) -> Scanner:
    return Scanner(table)


def spelt(pattern: str) -> str:
    """A pattern with what names in it stand for."""
    while found := re.search(r"<[A-Z_]+>|NUM", pattern):
        pattern = pattern.replace(found[0], _NAMES[found[0]])
    return pattern


def _digits(text: str) -> str:
    """A number in digits."""
    if text[0].isdigit():
        return text.replace(",", "" if re.search(r",\d{3}$", text) else ".")
    total = 0
    for word in re.split("[ -]", text):
        times = {"hundred": 100, "thousand": 1000}.get(word)
        total = total * times if times else total + (int(word) if word.isdigit() else NUMBERS[word])
    return str(total)


@cache
def _respelt(word: str, known: tuple[str, ...]) -> str:
    """The word that somebody meant who wrote almost it."""
    if len(word) < 5 or word in WORDS["spelt right"]:
        return ""
    return "".join(get_close_matches(word, known, 1, 0.83))
