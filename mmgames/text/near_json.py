"""JSON as models write it when they do not write JSON: read leniently, and never by guessing what is missing.

Other quotation marks, comments, commas too many, keys and words without quotation marks, `;` between members, and the
last bracket left out at the end of a text. A string that breaks off, or two values in the place of one, is an error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from mmgames.text.given_lists import has_gap, is_given, is_open, leaves_out, overrules

_OPENS = re.compile(r"[\[{]")
_SPACE = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.S)
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "`": "`", "„": "“", "«": "»", "”": "”", "’": "’"}
_CLOSING = frozenset("\"'”’“")  # one of them ends a string also where another began it, and does not come again
_WORD = re.compile(r"[^\s,;:{}\[\]\"'“”‘’`](?:[^,;:{}\[\]\"“”`\n)]|\)(?!\s*[,\])]))*")
_END = re.compile(r"[\s`]*\Z")
_PAIR = re.compile(r"\(\s*-?\d")
_NEXT_KEY = re.compile(r"\"\w+\"\s*:")
_UNQUOTED_END = re.compile(r"(?P<said>[^\"'{}\[\]:,\n]*?)\s*\}[\s`]*\Z")  # all that is left out is the mark
_GOES_ON = re.compile(r" ?\w|\"\s*[,}]")  # what follows a mark that stands inside a string: a "word" in it
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_DEPTH = 60
_CONSTANTS = {"null": None, "none": None, "true": True, "false": False}


class NotNearJson(ValueError):
    """The text is not even nearly JSON."""


def decode(text: str, start: int = 0) -> tuple[Any, int]:
    """The value that begins at a place, objects as lists of pairs, and where it ends. Raises NotNearJson."""
    value, end = _value(text, _skip(text, start), 0)
    return value, end


def values(text: str) -> Iterator[tuple[int, int, Any]]:
    """The objects and lists in a text that stand in no other: start, end and value; what is neither is left out."""
    at, failures = 0, 0
    while failures < 50 and (begins := _OPENS.search(text, at)) is not None:
        try:
            value, at = decode(text, begins.start())
            yield begins.start(), at, value
        except NotNearJson:
            at, failures = begins.end(), failures + 1


def plain(value: Any) -> Any:
    """A decoded value with its objects as dicts."""
    if not isinstance(value, list):
        return value
    if value and all(isinstance(pair, tuple) for pair in value):
        return {key: plain(item) for key, item in value}
    return [plain(item) for item in value]


def last_list(text: str, wrappers: frozenset[str]) -> str | None:
    """The last list in a text as proper JSON, alone or as the one member of an object that a wrapper names.

    None where there is none that holds anything, where another list stands before it and no word chooses, where it has
    a gap, or where the words around it or beside it leave it in doubt.
    """
    found: Any = None
    begins = ends = 0
    for start, end, value in values(text):
        inner = plain(value)
        while isinstance(inner, dict):
            if is_open(inner):
                return None
            inside = [item for key, item in inner.items() if str(key).casefold() in wrappers]
            inner = inside[0] if len(inside) == 1 else None
        if isinstance(inner, list) and inner:
            if found not in (None, inner) and not overrules(text[ends:start]):
                return None
            found, begins, ends = inner, start, end
    if found is None or has_gap(found) or not is_given(text, begins, ends):
        return None
    return json.dumps(found, ensure_ascii=False)


def _skip(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    if space is None:
        return at
    if "/" in space[0] and leaves_out(space[0]):
        raise NotNearJson("a comment stands for something that is left out")
    return space.end()


def _value(text: str, at: int, depth: int) -> tuple[Any, int]:
    if depth > _DEPTH:
        raise NotNearJson("nested too deep")
    sign = text[at : at + 1]
    if sign == "{":
        return _members(text, at + 1, "}", depth)
    if sign == "[" or (sign == "(" and _PAIR.match(text, at)):
        return _members(text, at + 1, "]" if sign == "[" else ")", depth)
    if sign in _QUOTES and sign:
        return _string(text, at)
    word = _WORD.match(text, at)
    if word is None:
        raise NotNearJson("a value is missing")
    said = re.split(r"//|/\*", word[0])[0]
    return _bare(said.strip()), at + len(said)


def _bare(word: str) -> Any:
    """What a word without quotation marks stands for."""
    if word.casefold() in _CONSTANTS:
        return _CONSTANTS[word.casefold()]
    for number in (int, float):
        try:
            return number(word)
        except ValueError:
            continue
    return word


def _string(text: str, at: int) -> tuple[str, int]:
    """A string; a single mark inside a word, as in "it's", does not end one, nor does a mark with a word behind it."""
    if left_out := _UNQUOTED_END.match(text, at + 1):
        return left_out["said"], left_out.end("said")
    closing, said = _QUOTES[text[at]], []
    place = at + 1
    while place < len(text):
        sign = text[place]
        if sign == "\\" and place + 1 < len(text):
            following = text[place + 1]
            said.append(_ESCAPES.get(following, following))
            place += 2
            continue
        inside = closing in "'’" and text[place - 1].isalnum() and text[place + 1 : place + 2].isalnum()
        inside = inside or (sign == closing == '"' and _GOES_ON.match(text, place + 1) is not None)
        if (sign == closing and not inside) or (sign in _CLOSING and text.find(closing, place + 1) < 0):
            return "".join(said), place + 1
        if sign == "\n" and closing != '"':
            break
        said.append(sign)
        place += 1
    raise NotNearJson("a string breaks off")


def _members(text: str, at: int, closing: str, depth: int) -> tuple[list[Any], int]:
    """The members of an object, as pairs, or of a list, from behind its opening bracket on."""
    found: list[Any] = []
    while True:
        at = _skip(text, at)
        if text[at : at + 1] == closing:
            return found, at + 1
        if _END.match(text, at):
            if not found or depth:
                raise NotNearJson("it breaks off")
            return found, len(text)  # the last bracket is left out
        value, at = _value(text, at, depth + 1)
        if closing == "}":
            at = _skip(text, at)
            if text[at : at + 1] not in (":", "：") or isinstance(value, list):
                raise NotNearJson("a member has no value")
            key = str(value)
            value, at = _value(text, _skip(text, at + 1), depth + 1)
            found.append((key, value))
        else:
            found.append(value)
        at = _skip(text, at)
        if text[at : at + 1] in (",", ";"):
            at = _skip(text, at + 1)
            if _END.match(text, at):
                raise NotNearJson("it breaks off where another member follows")
        elif closing == "}" and _NEXT_KEY.match(text, at):
            continue  # a comma is left out
        elif text[at : at + 1] != closing and not _END.match(text, at):
            raise NotNearJson("two values without a comma")
