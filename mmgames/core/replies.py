"""Text in, action out. One parser for every game; it never guesses.

A reply is read in this order: the last structured answer in it (a JSON object with an "action" or "answer",
`<answer>…</answer>`, `\\boxed{…}`, or a line `Action: …`, `Answer: …`, `Movement: …`); without one, the whole
reply must be a legal name. Surrounding punctuation does not matter, nor does case unless the game says what a text
means to it; everything else does: a name that merely occurs in a sentence is not a move.
"""

from __future__ import annotations

import json
import re
import string
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

MAX_REPLY = 200_000
ANSWER_KEYS = ("action", "answer", "movement", "move")
_MAX_OBJECTS = 200  # tried from the end of a reply
_MAX_FIRST_OBJECTS = 20  # tried from its start
_DECODER = json.JSONDecoder()
_TAG = re.compile(r"<(/?)answer>", re.I | re.A)
_BOXED = re.compile(r"\\boxed\{([^{}]*)\}")
_LINE = re.compile(r"^[ \t>*#_-]*(?:final )?(?:action|answer|movement|move)[*_ \t]*[:：][*_ \t]*(\S.*)$", re.I | re.M)
_WRAPPING = string.whitespace + "\"'`*_.,;:!?()[]{}<>“”‘’«»"


@dataclass(frozen=True, slots=True)
class Illegal:
    """Why a reply or an action is no move. The raw text is kept; what to do about it is the caller's policy."""

    reason: str
    raw: str


def bare(name: str) -> str:
    """A name without surrounding punctuation and doubled spaces."""
    return " ".join(name.strip(_WRAPPING).split())


def plain(name: str) -> str:
    """A name without case, surrounding punctuation and doubled spaces."""
    return " ".join(name.strip(_WRAPPING).casefold().split())


def ways(words: Any, view: Any) -> dict[str, Any]:
    """What a game's words offer beyond the names of its moves, as keywords of `parse`."""
    return {
        "aliases": words.aliases(view) if hasattr(words, "aliases") else None,
        "meanings": partial(words.meanings, view) if hasattr(words, "meanings") else None,
    }


def parse(
    reply: str,
    names: Mapping[Any, str],
    aliases: Mapping[str, Any] | None = None,
    *,
    meanings: Callable[[str], Collection[Any]] | None = None,
    keys: Collection[str] = ANSWER_KEYS,
    called: str = "a legal move",
) -> Any | Illegal:
    """The action that `reply` names, or `Illegal` with the reason.

    `names` maps the legal actions to their texts; `aliases` are further texts that mean one of them. A name or an
    alias that is spelled as it stands comes first. Then `meanings`, where a game has it, says which actions the bare
    text can mean; without it case is left aside. `keys` are the keys of a JSON answer, the preferred first, and
    `called` is what the refusals say an answer should have been.
    """
    if not isinstance(reply, str):
        return Illegal(f"a reply must be text, not {type(reply).__name__}.", repr(reply))
    if len(reply) > MAX_REPLY:
        return Illegal(f"the reply has {len(reply):,} characters; at most {MAX_REPLY:,} are read.", reply)
    answer = structured_answer(reply, keys=keys)
    said = (reply if answer is None else answer).strip()
    if not plain(said):
        return Illegal("the reply is empty.", reply)
    found = _named(said, names, aliases or {}, meanings)
    if len(found) == 1:
        return found.pop()
    shown = said if len(said) <= 80 else said[:77] + "…"
    if found:
        could_be = ", ".join(name for action, name in names.items() if action in found)
        return Illegal(f"{shown!r} is ambiguous: it could be {could_be}.", reply)
    if answer is None:
        return Illegal(f"the reply holds no answer in the asked form and is not itself {called}: {shown!r}.", reply)
    return Illegal(f"{shown!r} is not {called} here.", reply)


def _named(
    said: str,
    names: Mapping[Any, str],
    aliases: Mapping[str, Any],
    meanings: Callable[[str], Collection[Any]] | None,
) -> set[Any]:
    """The actions that a text can stand for: those of the first way to read it that yields any."""

    def named(as_seen: Callable[[str], str]) -> set[Any]:
        wanted = as_seen(said)
        return {action for action, name in names.items() if as_seen(name) == wanted}

    def also(as_seen: Callable[[str], str]) -> set[Any]:
        wanted = as_seen(said)
        return {action for text, action in aliases.items() if as_seen(text) == wanted and action in names}

    for as_seen in (str, bare):
        if found := named(as_seen) or also(as_seen):  # a name means what it says
            return found
    if meanings is not None:
        return {action for action in meanings(bare(said)) if action in names}
    return named(plain) | also(plain)


def structured_answer(reply: str, depth: int = 3, keys: Collection[str] = ANSWER_KEYS) -> str | None:
    """The last structured answer in a reply, whichever of the known forms it has."""
    found = [(match.end(), match.group(1)) for pattern in (_BOXED, _LINE) for match in pattern.finditer(reply)]
    found += [answer for answer in (_last_tag(reply), _last_json_answer(reply, keys)) if answer is not None]
    if not found:
        return None
    last = max(found, key=lambda item: item[0])[1]
    inner = structured_answer(last, depth - 1, keys) if depth and len(last) < len(reply) else None
    return last if inner is None else inner


def numbers(reply: str, keys: Collection[str] = ANSWER_KEYS) -> list | None:
    """The list of numbers that a reply answers with: the value of the last JSON answer, or the whole reply."""
    if not isinstance(reply, str) or len(reply) > MAX_REPLY:
        return None
    start = len(reply)
    for _ in range(_MAX_OBJECTS):
        start = reply.rfind("{", 0, start)
        if start < 0:
            break
        value = _decoded(reply, start)
        if isinstance(value, dict):
            by_key = {str(key).casefold(): item for key, item in value.items()}
            found = next((by_key[key] for key in keys if key in by_key), None)
            if isinstance(found, list):
                return found
    whole = _decoded(reply.strip(), 0)
    return whole if isinstance(whole, list) else None


def _decoded(text: str, start: int) -> Any:
    """The JSON value that begins at `start`, None if there is none."""
    try:
        return _DECODER.raw_decode(text, start)[0]
    except (ValueError, RecursionError):
        return None


def _last_tag(reply: str) -> tuple[int, str] | None:
    """What stands before the last `</answer>`, from the `<answer>` nearest to it."""
    opened = first = last = end = -1
    for tag in _TAG.finditer(reply):
        if not tag.group(1):
            opened = tag.end()
        elif opened >= 0:
            first, last, end = opened, tag.start(), tag.end()
    return (end, reply[first:last]) if end >= 0 else None


def _last_json_answer(reply: str, keys: Collection[str] = ANSWER_KEYS) -> tuple[int, str] | None:
    """The answer in the object that ends last; one that encloses another with an answer ends after it."""
    last: tuple[int, str] | None = None
    start = len(reply)
    for _ in range(_MAX_OBJECTS):
        start = reply.rfind("{", 0, start)
        if start < 0:
            return last
        last = _later(last, _json_answer(reply, start, keys))
    # An object may begin before all of these. One that ends before them is no use: what follows it was not tried.
    first = -1
    for _ in range(_MAX_FIRST_OBJECTS):
        first = reply.find("{", first + 1, start)
        if first < 0:
            break
        found = _json_answer(reply, first, keys)
        if found is not None and found[0] > start:
            last = _later(last, found)
    return last


def _later(one: tuple[int, str] | None, other: tuple[int, str] | None) -> tuple[int, str] | None:
    return other if one is None or (other is not None and other[0] > one[0]) else one


def _json_answer(reply: str, start: int, keys: Collection[str]) -> tuple[int, str] | None:
    """Where the object that begins at `start` ends, and its answer."""
    try:
        value, end = _DECODER.raw_decode(reply, start)
    except (ValueError, RecursionError):
        return None
    by_key = {str(key).casefold(): item for key, item in value.items()}
    for key in keys:
        if isinstance(by_key.get(key), (str, int)) and not isinstance(by_key[key], bool):
            return end, str(by_key[key])
    return None
