"""The words of a sentence about simple things that mean something, in order, with what they mean."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, NamedTuple

from mmgames.games.spy.listening import vocabulary
from mmgames.games.spy.listening.phrases import PHRASES

_SIGN = re.compile(r"[a-z]+(?:_[a-z0-9]+)*(?:'[a-z]+)?|\d+(?:st|nd|rd|th)?|[,;:.!?=()&+—–]")
_MARKS = {
    "ord",
    "rel",
    "relit",
    "relback",
    "at",
    "far",
    "sup",
    "inorder",
    "times",
    "each",
    "kinds",
    "ratio",
    "share",
    "kindsof",
}
_SHAPED = tuple(("shape", shape) for shape in vocabulary.SHAPES)


class Token(NamedTuple):
    kind: str
    value: Any = None
    plural: bool = False
    gap: int = 0  # words before it that are not known


@lru_cache(maxsize=2048)
def tokens(sentence: str) -> tuple[Token, ...]:
    """The words of a sentence that mean something here, with what they mean."""
    for pattern, put in PHRASES:
        changed = pattern.sub(put, sentence)
        if changed != sentence:
            sentence = " ".join(changed.split())
    found: list[Token] = []
    gap = 0
    for sign in _SIGN.findall(sentence):
        token = _token(sign, found[-1] if found else Token("start"))
        if token is None:
            gap += len(sign) > 2 and sign not in vocabulary.IDLE
            continue
        if token.kind == "mark" and token.value == "," and found and found[-1].kind == "det":
            continue
        if gap and token.kind in ("cop", "and", "mark") and found and found[-1].kind == "det":
            found.pop()  # an article whose noun is not known
            if found and found[-1].kind == "of":
                found.pop()
        if token.kind == "there" and _places_alone(found):
            found = found[:-1] if found[-1].kind == "mark" else found
            token = Token("cop", "is")  # "on the left I see"
        found.append(token._replace(gap=gap))
        gap = 0
    return _settled([*found, Token("end", gap=gap)])


def _places_alone(found: list[Token]) -> bool:
    """Whether a sentence ends, so far, with a place, or is nothing but a place and a comma."""
    if found and found[-1].kind in ("at", "far", "ord"):
        return True
    return 1 < len(found) < 4 and found[0].kind in ("at", "far", "ord", "sup") and found[-1][:2] == ("mark", ",")


def _token(sign: str, before: Token) -> Token | None:
    mark, _, value = sign.partition("_")
    if mark in _MARKS and value:
        return Token(mark, value)
    if not sign[0].isalnum():
        return Token("cop", "is") if sign == "=" else Token("mark", sign)
    if sign == "look" and (before.kind in ("noun", "pron", "quant", "rest") or before.value in _SHAPED):
        return Token("cop", "are")  # "the cubes look shiny"
    dimension = vocabulary.DIMENSIONS.get(sign)
    if dimension is not None and (dimension != "shape" or before.kind in ("alike", "kinds", "kindsof", "dim")):
        return Token("dim", dimension, sign.endswith("s"))
    word = vocabulary.known(sign)
    if word is None:
        return None
    return Token(*word, plural=sign.endswith("s") or sign in ("boxes", "dice", "stuff"))


def _settled(found: list[Token]) -> tuple[Token, ...]:
    """ "One" is a number or, behind an attribute, the name of a thing."""
    for i, token in enumerate(found):
        if (token.kind, token.value) != ("num", 1):
            continue
        before, after = found[i - 1] if i else Token("start"), found[i + 1]
        only = before.kind == "only" and i > 1 and found[i - 2][:2] == ("det", "the")
        named = before.kind in ("attr", "sup", "rest", "ord", "far") or before[:2] == ("det", "the") or only
        told = before.kind in ("sup", "ord", "far", "rest") and after.kind == "attr" and after.value[0] != "shape"
        if named and (told or after.kind not in ("attr", "noun", "of")):
            found[i] = Token("noun", "one", gap=token.gap)
    return tuple(
        token
        for i, token in enumerate(found)
        if not (i and token.value == ("size", "small") and found[i - 1][:2] == ("det", "a") and found[i + 1].gap
                and found[i + 1].kind in ("end", "mark", "more"))
    )  # fmt: skip
