"""What a clue says of a picture: something true, something false, nothing at all, or something that is not understood.

Clues are read against the facts of a scene (its `record`), in ordinary English: colours, shapes, sizes, materials,
counts, places, comparisons and denials for simple things; values, ranks, ratios, sums and trends for charts; the
content of cells for boards. What is not clear is not guessed at.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal

from mmgames.games.spy.listening import boards, charts, objects, small_talk
from mmgames.games.spy.listening.vocabulary import LARGE_NUMBER, NUMBER, digits

Heard = Literal["true", "false", "empty", "unclear"]
Meaning = Literal["A", "B", "both", "neither", "empty", "unclear"]

_IN_JSON = re.compile(r'"clue"\s*:\s*"((?:[^"\\]|\\.)*)"', re.IGNORECASE)
_LABEL = re.compile(r"^\W*(?:(?:here is|my|the)\W+)*clue\s*:")
_SAID = re.compile(r"\bplayer[ _]?\d,? (?:just )?(?:said|says|mentioned|claims?|claimed|saw|sees)\b[^.!?;,]*\?")
_DECORATION = re.compile(r"[*_`#~|]+|^\s*>\s*", re.MULTILINE)
_BULLET = re.compile(r"^\s*[-•]\s+", re.MULTILINE)
_IS = re.compile(r"\b(there|it|that|here|what|thing|one|he|who|everything|nothing|else)'s\b")
_NOT = re.compile(r"\b(is|are|do|does|did|was|were|has|have|wo|ca|would|could)n'?t\b")
_SENTENCES = re.compile(r"(?<!\bh)[.!?…]+(?=\s|$)|;|\n+")
_ASKED = re.compile(
    r"(?:^|(?<=[.!] ))(?:(?:and )?(?:(?:what|who)(?: is| are|'s)?|how many|how about|what about|(?:are|is) "
    r"there any|any|"
    r"as for)\b)? ?([^.!?,]{3,50})\? +(?=((?:there (?:is|are) |i (?:see|have) )?\w+)\b(?![^.!?]*\?))"
)
"""A question that the speaker answers."""
_SPACE = re.compile(r"[ \t\r\f\v]+")
_ASIDE = re.compile(
    r"\bplayer[ _]?\d\b[^.,:;]*[.,:;]|^(?:hmm+,? |well,? |ok,? |at first,? |initially,? |first,? )*(?:i was going to "
    r"say|i (?:first |initially )?(?:thought|assumed|counted|wanted to say)|"
    r"at first glance)\b.*?(?:but no\b[,:]?|but\b|$)|"
    r"^.*\b(?:no,? wait|wait,? no|scratch that|correction|i meant?|or rather|make that)\b[,:]?"
)
"""What somebody else said, and what the speaker takes back."""
_THOUGHT = re.compile(r"[^.]*?\b(?:thought|assumed|counted|glance)\b.*?\bbut\b")
_TAKES_BACK = re.compile(r"(?:no,? wait|wait,? no|scratch that|correction|i meant?|or rather|make that)\b")
"""A sentence that begins so takes back the one before."""
_EXPLAINS = re.compile(r",? (?:and )?by [\w ]{1,20} i mean\b")
"""What a word is said to stand for takes nothing back."""
_HESITATES = r"(?:(?:h+m+|u+h*m*|er+m*|ah|oh|well|ok|okay)\b[,:… ]*)*"
_RETRACTS = r"(?:i meant?|scratch that|make that|correction|or rather|no,? wait|wait,? no|sorry|oops)"
_RESTARTS = re.compile(
    rf"(?:\.\.+|…|—|–| --? )[ ,]*{_HESITATES}(?:(?:{_RETRACTS}|wait|hold on|hang on|(?<=\. )actually|"
    rf"no(?:pe)?(?=[,:…]))\b[,:… ]+)+|"
    rf", *{_HESITATES}(?:{_RETRACTS}\b[,:… ]+)+"
)
"""Where somebody breaks off and says it otherwise."""
_NUMBER_OF = re.compile(
    rf"^({NUMBER})\W+that(?:'s| is| would be) (?:the (?:total )?number of|how many) (.+?)(?= (?:i|we) (?:have|"
    rf"see|count|can)|$)"
)
_NUMBER_ALONE = re.compile(rf"(?:(?:only|just|actually|it is|there are|there is) )*(?:{NUMBER})\b(?=\s*(?:[,:(]|$))")
_COUNTED = re.compile(rf"\b(?:{NUMBER}) ((?:[\w-]+ ?){{1,4}})$")
LONGEST = 600  # signs of a clue that are read; the game refuses longer ones


@lru_cache(maxsize=2048)
def sentences(clue: str) -> tuple[str, ...]:
    """The sentences of a clue in small letters, without the form that it was written in."""
    found = _IN_JSON.search(clue)
    text = found[1] if found else "" if '"clue"' in clue else clue
    text = _DECORATION.sub("", _BULLET.sub("", text[:LONGEST])).lower().replace("’", "'").replace("‘", "'")
    text = _SAID.sub(" ", _LABEL.sub("", text))
    text = _NOT.sub(r"\1 not", _IS.sub(r"\1 is", text)).replace("theres ", "there is ").replace("thats ", "that is ")
    text = re.sub(r"\b(?:i've|ive)\b", "i have", re.sub(r"\b(?:can't|cannot|cant)\b", "can not", text))
    text = re.sub(r"\b3-?d\b|\bthree-dimensional\b", " ", text)
    text = LARGE_NUMBER.sub(digits, text)
    text = _ASKED.sub(_answered, _EXPLAINS.sub(",", text))
    text = _RESTARTS.sub(". correction: ", _NUMBER_OF.sub(r"there are \1 \2", text.strip()))
    spoken = [part.strip(" \"'") for part in _SENTENCES.split(text)]
    spoken = [small_talk.SURE.sub(" ", _without(part)).strip() for part in spoken]
    parts = (_ASIDE.sub("", _SPACE.sub(" ", part).strip(" \"'")) for part in spoken)
    kept: list[str] = []
    for part, said in zip(parts, spoken, strict=True):
        if kept and _TAKES_BACK.match(said):
            part = _corrected(kept.pop(), part.strip())
        elif part != said and (told := _THOUGHT.match(said)):
            part = _corrected(told[0].removesuffix("but").strip(" ,"), part.strip())
        if part := part.strip():
            kept.append(part)
    return tuple(kept)


def _answered(found: re.Match[str]) -> str:
    """A question that has its answer behind it, as a statement."""
    if found[2].split()[-1] in ("none", "no", "nope", "zero", "nothing"):
        return f"no {found[1]}, "
    return f"{found[1]}: " if found[2] not in ("yes", "yep", "yeah", "i", "mine") else found[0]


def _corrected(before: str, after: str) -> str:
    """What is said instead; a number alone counts what the number before it counted."""
    bare, counted = _NUMBER_ALONE.match(after), _COUNTED.search(before)
    return f"{bare[0]} {counted[1]}{after[bare.end() :]}" if bare and counted else after


def _without(sentence: str) -> str:
    """A sentence that supposes some things away, as one about all others."""
    told, found = small_talk.LEFT_OUT.subn("except for", sentence)
    return small_talk.REMAINS.sub("everything is", told).replace(" would be ", " is ") if found else sentence


@lru_cache(maxsize=4096)
def heard(clue: str, scene: Any) -> Heard:
    """What a clue is to somebody who sees this scene (a `PictureScene`)."""
    topic, _, value = clue.partition(" is ")
    if _facts(scene).get(topic.lower()) == value.rstrip(".!").lower():
        return "true"  # it is one of the scene's own facts, which takes no reading
    return hear(clue, scene.record())


@lru_cache(maxsize=256)
def _facts(scene: Any) -> dict[str, str]:
    return {fact.topic.lower(): fact.value.lower() for fact in scene.facts()}


def hear(clue: str, record: Mapping[str, Any]) -> Heard:
    """The same for a scene's record."""
    names = _item_names(tuple(record["table"])) if "table" in record else None
    said = [each for each in sentences(clue) if small_talk.states(names.sub("it", each) if names else each)]
    for holds, judge in _JUDGES:
        if holds in record:
            truth = judge(said, record)
            if truth is not None:
                return "true" if truth else "false"
    return small_talk.kind(" . ".join(sentences(clue)))


@lru_cache(maxsize=64)
def _item_names(items: tuple[str, ...]) -> re.Pattern[str]:
    """What the items of a chart are called, which tells no mood: "light"."""
    words = {word for item in items for word in item.lower().split() if len(word) > 3}
    return re.compile(rf"\b(?:{'|'.join(sorted(re.escape(word.removesuffix('s')) for word in words)) or '(?!)'})s?\b")


_JUDGES = (
    ("objects", objects.judge),
    ("table", charts.judge),
    ("cells", boards.judge),
)


def meaning(clue: str, one: Mapping[str, Any], other: Mapping[str, Any]) -> Meaning:
    """What a clue is to somebody who sees both scenes, A and B: true of one, both or neither, empty or unclear."""
    a, b = hear(clue, one), hear(clue, other)
    if "empty" in (a, b):
        return "empty"
    if "unclear" in (a, b):
        return "unclear"
    return {("true", "true"): "both", ("true", "false"): "A", ("false", "true"): "B"}.get((a, b), "neither")  # type: ignore[return-value]
