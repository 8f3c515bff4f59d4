"""The lenient reader: what any person would understand, and nothing that a person would have to guess.

It takes structured answers that are nearly in the asked form, and without one the final declarations of prose.
"""

from __future__ import annotations

import html
import json
import re
import unicodedata
from collections.abc import Collection

from mmgames.text.declarations import declared, read_line
from mmgames.text.move_names import Moves, Read, apart_from_signs, tokens_of
from mmgames.text.own_voice import as_if_chosen, as_if_own, without_others
from mmgames.text.retractions import unmeant
from mmgames.text.structured import Answer, acts_for_another, structured_answer

_MARKS = str.maketrans({"。": ". ", "、": ", ", "،": ", ", "⇒": "→", "➡": "→"})
_BOLD = re.compile(r"</?(?:b|i|u|em|strong|code|span|mark)(?: [^<>]*)?>", re.I)
_BLOCK = re.compile(r"</?(?:p|div|br|pre|li|ul|ol|h[1-6]|body|html)(?: [^<>]*)?/?>", re.I)
_SPACES = re.compile(r"[ \t]{3,}")


def read_leniently(own: str, moves: Moves, keys: Collection[str]) -> Read:
    """What a reply without its thoughts and quotations answers."""
    own = _SPACES.sub("  ", html.unescape(_decoded(own)))
    if "</" in own:
        own = _BLOCK.sub("\n", _BOLD.sub("**", own))
    if not own.isascii():
        own = apart_from_signs(unicodedata.normalize("NFKC", own).translate(_MARKS))
    if moves.asked.whose != "own":
        own = (as_if_chosen if moves.asked.whose == "any" else as_if_own)(own, moves.asked.role)
    else:
        own = without_others(own, moves.asked.role, moves.spelled)
    role = moves.asked.role.casefold()
    answer = structured_answer(own, keys=(*keys, role) if role else keys, lenient=True)
    if answer is None:
        return _read_prose(own, moves, structured=False)
    if answer.said is None:
        later = _read_prose(own[answer.end :], moves, structured=False) if answer.on_line else None
        return later if later is not None and later.actions else Read("", why=answer.why)
    read = _read_answer(own, answer, moves)
    if answer.on_line and not read.actions and not read.why:
        prose = _read_prose(own[answer.start :], moves, structured=True)
        return prose if prose.actions or prose.why else read
    return read


def _decoded(own: str) -> str:
    """A reply that was written as a JSON string once more, as it was before."""
    text = own.strip()
    if text[:1] == '"' == text[-1:] and "\\" in text:
        try:
            inner = json.loads(text)
        except ValueError:
            return own
        return inner if isinstance(inner, str) else own
    return own


def _read_answer(own: str, answer: Answer, moves: Moves) -> Read:
    said = (answer.said or "").strip()
    line = read_line(said, moves)
    found = set(line.actions)
    if found and acts_for_another(own[answer.start : answer.end], moves.asked.role):
        return Read(said, why="its answer is somebody else's action")
    for spelling in () if found else answer.in_parts:
        if found := moves.spelled(spelling):
            said = spelling
            break
    why = line.why or (unmeant(own, answer.start, answer.end, moves, found) if found else "")
    if not why and any(one.actions - found for one in moves.mentions(answer.earlier[:2000])):
        why = "it gives two answers, and no word chooses"
    if why:
        return Read(said, why=why)
    rival = next((rival for rival in answer.rivals if moves.spelled(rival) - found), "")
    later = declared(own[answer.end :], moves) if found and answer.end < len(own) else None
    if later is not None and later.actions and not later.actions & found:
        return Read(said, why="the reply declares another move after its answer")
    return Read(said, found, rival)


def _repeats_question(said: str, moves: Moves) -> bool:
    """Whether a reply is two or more words of the question and no name of an answer: "row B" for "Does row B …?"."""
    words = tokens_of(said) if moves.asked.text and len(said) < 80 else []
    words = words[words[:1] in (["in"], ["the"], ["on"], ["of"]) :]
    if len(words) < 2 or moves.named(said):
        return False
    return f" {' '.join(words)} " in f" {' '.join(tokens_of(moves.asked.text))} "


def _read_prose(text: str, moves: Moves, structured: bool) -> Read:
    """The whole text as a move, or what it declares at last."""
    said = text.strip()
    if _repeats_question(said, moves):
        return Read(said, why="it only repeats words of the question")
    if found := moves.spelled(said) if len(said) < 200 and "?" not in said else set():
        return Read(said, found, structured=structured)
    head, _, rest = said.partition("\n")
    found = moves.spelled(head) if rest and not rest.lstrip()[:1].islower() and "?" not in said else set()
    begin = (moves.mentions(line.lstrip("-*• \t")[:40])[:1] for line in rest.splitlines() if found)
    if found and not any(first.start < 3 and not first.actions & found for one in begin for first in one):
        line = read_line(said, moves)
        if line.actions or line.why:
            return Read(said, line.actions, why=line.why, structured=structured)
    breaks_off = said[:1] in ("[", "{") and said.count(said[0]) > said.count("]" if said[0] == "[" else "}")
    one = None if breaks_off else declared(text, moves)
    if one is None:
        return Read(said, structured=structured)
    if one.why:
        return Read(said, why=one.why)
    return Read(said, one.actions, structured=structured)
