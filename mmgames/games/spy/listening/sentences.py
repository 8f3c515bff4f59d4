"""A clue as sentences in small letters: without the form it was written in, and without what the speaker takes back."""

from __future__ import annotations

import re
from functools import lru_cache

from mmgames.games.spy.listening.lexicon import NUMBER

LONGEST = 600  # signs of a clue that are read; the game refuses longer ones
_IN_JSON = re.compile(r'"clue"\s*:\s*"((?:[^"\\]|\\.)*)"', re.IGNORECASE)
_BACK = r"(?:no,? wait|wait,? no|scratch that|correction|sorry|oops|i meant?|or rather|make that)"
_PLAIN: tuple[tuple[str, str], ...] = (
    (r"(?m)^\s*(?:[-•>]\s+)+|[*_`#~|]+", ""),
    (r"[’‘]", "'"),
    (r"^\W*(?:(?:here is|my|the)\W+)*clue\s*:", ""),
    (r"\bplayer[ _]?\d,? (?:just )?(?:said|says|mentioned|claims?|claimed|saw|sees)\b[^.!?;,]*\?", " "),
    (r"\bplayer[ _]?\d\b[^.,:;]*[.,:;]", " "),
    (r"\b(there|it|that|here|what|thing|one|who|everything|nothing|else)'s\b", r"\1 is"),
    (r"\b(there|that)s\b", r"\1 is"),
    (r"\b(is|are|do|does|did|was|were|has|have|would|could)n'?t\b", r"\1 not"),
    (r"\b(?:can't|cannot|cant)\b", "can not"),
    (r"\bi'?ve\b", "i have"),
    (r"\bthe number of (?:cells with )?(?:an? |the )?(.+?) is (\d+)\b", r"there are \2 \1"),
    (rf"\b({NUMBER}) or more\b", r"at least \1"),
    (rf"\b({NUMBER}) or (?:fewer|less)\b", r"at most \1"),
    (r"\b(?:i (?:guess|think|believe|suppose|would say|reckon)(?: that)?|as far as i can (?:see|tell)|kind of|sort of|"
     r"honestly|basically|obviously|clearly|literally|if i (?:am |'m )?(?:not mistaken|right)|by far)\b,?", " "),
    (r"\b(?:if|when) (?:you|i|we) (?:ignored?|removed?|disregard|took? (?:away|out)|leave out|forget)\b|"
     r"^(?:ignoring|setting aside|leaving (?:out|aside)|without)(?= [^,]+, (?:everything|all|only))", "apart from"),
    (r"\b(?:all that (?:remains|is left)(?: (?:is|are))?|(?:i am|you are) left with|what is left is)", "everything is"),
    (r"(?:\.\.+|…|—|–| --? )[ ,]*(?:h+m+|u+h*m*|er+m*|well)?[,. ]*(?=(?:wait|no,|actually|" + _BACK + r")\b)", ". "),
    (r"\b(?:what about |and |as for )?([^.!?,]{3,40})\? +(?=none|no\b|zero)", r"\1: "),
)  # fmt: skip
PLAIN = tuple((re.compile(pattern), put) for pattern, put in _PLAIN)
_TAKES_BACK = re.compile(rf"^(?:wait|no(?=,)|actually|{_BACK})\b[,: ]*(?:no\b[,: ]*)?(?:{_BACK}\b[,: ]*)?(?=\S)")
_BEFORE = re.compile(
    rf"^.*\b(?:at first|i (?:first |initially )?(?:thought|assumed|counted)|i was going to say)\b.*?\bbut (?:no)?[,:]?|"
    rf"^.*[,;] *{_BACK}\b[,: ]*"
)
"""What somebody thought first, or says otherwise in the same sentence."""
_NUMBER_ALONE = re.compile(rf"(?:(?:only|just|it is|there is|there are) )*(?:{NUMBER})\b(?=\s*(?:[,:(]|$))")
_COUNTED = re.compile(rf"\b(?:{NUMBER}) ((?:[\w-]+ ?){{1,4}})$")


@lru_cache(maxsize=2048)
def sentences(clue: str) -> tuple[str, ...]:
    found = _IN_JSON.search(clue)
    text = (found[1] if found else "" if '"clue"' in clue else clue)[:LONGEST].lower()
    for pattern, put in PLAIN:
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
