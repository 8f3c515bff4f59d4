"""Text in, action out. One parser for every game; it never guesses.

A reply is read in this order: the last structured answer in it (a JSON object with an "action" or "answer",
`<answer>…</answer>`, `\\boxed{…}`, or a line `Action: …`, `Answer: …`, `Movement: …`); without one, the whole
reply must be a legal name. Case and surrounding punctuation do not matter, everything else does: a name that
merely occurs in a sentence is not a move.
"""

from __future__ import annotations

import json
import re
import string
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MAX_REPLY = 200_000
_MAX_OBJECTS = 200
_ANSWER_KEYS = ("action", "answer", "movement", "move")
_TAG = re.compile(r"<(/?)answer>", re.I | re.A)
_BOXED = re.compile(r"\\boxed\{([^{}]*)\}")
_LINE = re.compile(r"^[ \t>*#_-]*(?:final )?(?:action|answer|movement|move)[*_ \t]*[:：][*_ \t]*(\S.*)$", re.I | re.M)
_WRAPPING = string.whitespace + "\"'`*_.,;:!?()[]{}<>“”‘’«»"


@dataclass(frozen=True, slots=True)
class Illegal:
    """Why a reply or an action is no move. The raw text is kept; what to do about it is the caller's policy."""

    reason: str
    raw: str


def plain(name: str) -> str:
    """A name without case, surrounding punctuation and doubled spaces."""
    return " ".join(name.strip(_WRAPPING).casefold().split())


def parse(reply: str, names: Mapping[Any, str], aliases: Mapping[str, Any] | None = None) -> Any | Illegal:
    """The action that `reply` names, or `Illegal` with the reason.

    `names` maps the legal actions to their texts; `aliases` are further texts that mean one of them.
    """
    if not isinstance(reply, str):
        return Illegal(f"a reply must be text, not {type(reply).__name__}.", repr(reply))
    if len(reply) > MAX_REPLY:
        return Illegal(f"the reply has {len(reply):,} characters; at most {MAX_REPLY:,} are read.", reply)
    answer = structured_answer(reply)
    said = reply if answer is None else answer
    if not plain(said):
        return Illegal("the reply is empty.", reply)
    exact = [action for action, name in names.items() if name == said.strip()]
    if len(exact) == 1:
        return exact[0]
    if aliases and not exact and aliases.get(said.strip()) in names:
        return aliases[said.strip()]  # as written: in chess bxc3 is a pawn's capture and Bxc3 a bishop's
    wanted = plain(said)
    found = {action for action, name in names.items() if plain(name) == wanted}
    found |= {action for text, action in (aliases or {}).items() if plain(text) == wanted and action in names}
    if len(found) == 1:
        return found.pop()
    shown = said.strip() if len(said.strip()) <= 80 else said.strip()[:77] + "…"
    if found:
        meanings = ", ".join(name for action, name in names.items() if action in found)
        return Illegal(f"{shown!r} is ambiguous: it could be {meanings}.", reply)
    if answer is None:
        return Illegal(f"the reply holds no answer in the asked form and is not itself a legal move: {shown!r}.", reply)
    return Illegal(f"{shown!r} is not a legal move here.", reply)


def structured_answer(reply: str, depth: int = 3) -> str | None:
    """The last structured answer in a reply, whichever of the known forms it has."""
    found = [(match.end(), match.group(1)) for pattern in (_BOXED, _LINE) for match in pattern.finditer(reply)]
    found += [answer for answer in (_last_tag(reply), _last_json_answer(reply)) if answer is not None]
    if not found:
        return None
    last = max(found, key=lambda item: item[0])[1]
    inner = structured_answer(last, depth - 1) if depth and len(last) < len(reply) else None
    return last if inner is None else inner


def _last_tag(reply: str) -> tuple[int, str] | None:
    """What stands before the last `</answer>`, from the `<answer>` nearest to it."""
    opened = first = last = end = -1
    for tag in _TAG.finditer(reply):
        if not tag.group(1):
            opened = tag.end()
        elif opened >= 0:
            first, last, end = opened, tag.start(), tag.end()
    return (end, reply[first:last]) if end >= 0 else None


def _last_json_answer(reply: str) -> tuple[int, str] | None:
    """The answer in the object that ends last; one that encloses another with an answer ends after it."""
    decoder = json.JSONDecoder()
    start = len(reply)
    last: tuple[int, str] | None = None
    for _ in range(_MAX_OBJECTS):
        start = reply.rfind("{", 0, start)
        if start < 0:
            break
        try:
            value, end = decoder.raw_decode(reply, start)
        except (ValueError, RecursionError):
            continue
        if last is not None and end < last[0]:
            continue
        by_key = {str(key).casefold(): item for key, item in value.items()}
        for key in _ANSWER_KEYS:
            if key in by_key and isinstance(by_key[key], (str, int)) and not isinstance(by_key[key], bool):
                last = end, str(by_key[key])
                break
    return last
