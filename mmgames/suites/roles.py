"""Whether somebody speaks as somebody else: a solver with a manual, an expert with a picture, a spy that says so."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from mmgames.suites.dialogue import acts_itself
from mmgames.suites.privacy import sentences

_I_AM = (
    r"\b(?:I am|I'm|I play|I am playing|I'm playing|my (?:side|role|seat|colou?r) is)(?: as)?(?: the| an?)? {role}"
    r"|\bas (?:the |an? )?{role}(?:,? I\b)"
)
_DENIED = re.compile(r"\b(?:not|no|never|cannot|nor|without|if|whether|like)\b|n't\b", re.I)
_AS_EXPERT = re.compile(
    r"\bmy manual\b|\bmanual (?:that )?(?:I have|in front of me|here)\b|\bI(?:'ve| have) (?:got )?(?:the|a) manual\b"
    r"|\bI(?:'ll| will| can| have|'ve)? (?:check|look|looked|consult|consulted)(?: it| that| this)? up\b"
    r"|\b(?:I will |I'll |let me )(?:check|consult|look (?:at|into|in)|read) (?:the|my) manual\b"
    r"|\bI(?:'ll| will) look (?:up|it up)\b"
    r"|\b(?:describe|tell me|say)\b[^.?!]*\byour (?:device|picture|screen|panel)\b",
    re.I,
)
_AS_SOLVER = re.compile(
    r"\byour manual\b|\b(?:in|on) my (?:picture|screen|device|panel|display)\b|\bmy (?:device|panel) (?:has|shows)\b"
    r"|\bI (?:can )?see (?:an?|the|some|\d+|two|three|four|five|six) \w+"
    r"|\b(?:which|what)\b[^.?!]*\bshould I (?:do|press|cut|click|move|diagnose|treat|try)\b",
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
