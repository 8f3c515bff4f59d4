"""A clue as sentences in small letters: without the form it was written in, and without what the speaker takes back.

Sentences that make no claim are told apart: those about the round say nothing of the picture, others tell moods of it.
"""

import re
from functools import lru_cache
from typing import Literal

from mmgames.games.spy.listening.lexicon import WORDS, spelt

LONGEST = 600  # signs of a clue that are read; the game refuses longer ones
_IN_JSON = re.compile(r'"clue"\s*:\s*"((?:[^"\\]|\\.)*)"', re.IGNORECASE)
_PLAIN = tuple((re.compile(spelt(pattern)), put) for pattern, put in WORDS["rewritten"])
_TAKES_BACK = re.compile(spelt(r"^(?:wait|no(?=,)|actually|<BACK>)\b[,: ]*(?:no\b[,: ]*)?(?:<BACK>\b[,: ]*)?(?=\S)"))
_BEFORE = re.compile(spelt(WORDS["said before"]))  # what somebody thought first, or says otherwise in one sentence
_NUMBER_ALONE = re.compile(spelt(r"(?:(?:only|just|it is|there is|there are) )*NUM\b(?=\s*(?:[,:(]|$))"))
_COUNTED = re.compile(spelt(r"\bNUM ((?:[\w-]+ ?){1,4})$"))
_MOOD, _ROUND = (re.compile(rf"\b(?:{'|'.join(WORDS[name])})\b") for name in ("moods", "round"))
_PARTS, _ALWAYS = re.compile(WORDS["parts"]), re.compile(WORDS["always"])


@lru_cache(maxsize=2048)
def sentences(clue: str) -> tuple[str, ...]:
    found = _IN_JSON.search(clue)
    text = (found[1] if found else "" if '"clue"' in clue else clue)[:LONGEST].lower()
    for pattern, put in _PLAIN:
        text = pattern.sub(put, text)
    kept: list[str] = []
    for part in re.split(r"(?<!\bh)[.!?…]+(?=\s|$)|;|\n+", text):
        said = " ".join(part.split()).strip(" \"'")
        before = _BEFORE.match(said)
        back = _TAKES_BACK.match(said) if kept else None
        if back:
            said = _corrected(kept.pop(), said[back.end() :])
        elif before:
            said = _corrected(re.split(r"\bbut\b|[,;]", before[0])[0].strip(), said[before.end() :].strip())
        if said:
            kept.append(said)
    return tuple(kept)


def _corrected(before: str, after: str) -> str:
    """What is said instead; a number alone counts what the number before it counted."""
    bare, counted = _NUMBER_ALONE.match(after), _COUNTED.search(before)
    return f"{bare[0]} {counted[1]}{after[bare.end() :]}" if bare and counted else after


@lru_cache(maxsize=2048)
def states(sentence: str) -> bool:
    """Whether a sentence may be held against somebody: it tells no mood, and not what is true of any picture."""
    return not (_MOOD.search(sentence) or _ALWAYS.search(sentence))


def without_claim(said: str) -> Literal["empty", "unclear"]:
    """Whether somebody who claims nothing says nothing of the picture, or something that cannot be made out."""
    of_picture = _PARTS.search(said) and not _ROUND.search(_PARTS.sub("", said))
    return "unclear" if _MOOD.search(said) or of_picture else "empty"
