"""Whether somebody speaks as somebody else: a solver with a manual, an expert with a picture, a spy that says so."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from mmgames.suites.dialogue import acts_itself
from mmgames.suites.privacy import sentences

_I_AM = (
    r"\b(?:I am|I'm|I play|I am playing|I'm playing|I control|I have|my (?:side|role|seat|colou?r) is)"
    r"(?: as| on)?(?: the| an?| your)? {role}(?! (?:has|have|is|are|was|will|can|would|could)\b)"
    r"|\b(?:as|being|playing(?: as)?) (?:the |an? )?{role},? I\b|\bI, (?:the|an?) {role}\b"
)
_DENIED = re.compile(r"\b(?:not|no|never|cannot|nor|without|if|whether|like|only|nobody)\b|n't\b", re.I)
_SEEN = r"(?:device|picture|screen|panel|display)"
_AS_EXPERT = re.compile(
    rf"\bmy manual\b|\byour {_SEEN}\b|\bwhat (?:do|can) you see\b"
    r"|\b(?:I|I'll|I've|let me)\b(?:(?!\byou)[^.?!])*\b(?:have|got|found|find|look\w*|check\w*|read|reading|consult\w*|"
    r"see|search\w*)\b(?:(?!\byou)[^.?!])*\bmanual\b"
    r"|\b(?:the|this) manual (?:that I have|I have|in front of me|here)\b|\bI(?:'ll| will) look(?: \w+)? up\b",
    re.I,
)
_AS_SOLVER = re.compile(
    rf"\byour manual\b|\bmy {_SEEN}\b|\b(?:I am|I'm) looking at the {_SEEN}\b"
    r"|\bI (?:can )?see (?:an?|the|some|\d+|two|three|four|five|six) \w+"
    r"|\b(?:should|shall|do|must|can) I (?:do|press|cut|click|move|diagnose|treat|try)\b",
    re.I,
)


def speaks_as_another(words: str, seat: str, record: Mapping[str, Any]) -> str | None:
    """The first sentence in which a seat speaks as another one; None: none does."""
    own = _pattern([name for name in _roles(record) if name != seat])
    talk = "transcript" in record
    wrong = {"solver": _AS_EXPERT, "expert": _AS_SOLVER}.get(seat) if talk else None
    for sentence in sentences(words.replace("’", "'")):
        for pattern in filter(None, (own, wrong)):
            found = pattern.search(sentence)
            if found and not _DENIED.search(_begun(sentence, found.start(), found.end())):
                return sentence
        if talk and seat == "expert" and acts_itself(sentence, record["action_names"]):
            return sentence
    return None


def _roles(record: Mapping[str, Any]) -> list[str]:
    """What somebody in this episode can be."""
    seats = [reply["seat"] for reply in record.get("replies", ())]
    return [*dict.fromkeys(seats), *(("spy",) if "spies" in record else ())]


def _pattern(names: Sequence[str]) -> re.Pattern[str] | None:
    """Somebody says to be one of these; a single letter has to be a capital."""
    ways = "|".join(f"(?-i:{name.upper()})" if len(name) == 1 else re.escape(name) for name in names)
    return re.compile(_I_AM.format(role=rf"(?:{ways})(?![\w'-])"), re.I) if names else None


def _begun(sentence: str, start: int, end: int) -> str:
    """What is said at a place, from the mark before it."""
    return sentence[max(sentence.rfind(mark, 0, start) for mark in ",;:") + 1 : end]
