"""Whether somebody speaks as somebody else: a solver with a manual, an expert with a picture, a spy that says so."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from mmgames.suites.dialogue import acts_itself
from mmgames.suites.privacy import sentences

_WHO = r"(?: (?:the|an?|your|our|this \w+'s)(?: (?:undercover|secret|hidden|real|actual|true|only|one))?)? ROLE"
_I_AM = "|".join(
    way.replace("WHO", _WHO)
    for way in (
        r"\b(?:(?:I|we)(?:'m|'re| am| are| must be| have to be| (?:happen|turn out|seem) to be| play| control"
        r"| represent| command| move for| (?:was|were) (?:made|chosen as|given|assigned))"
        r"|(?:my|our) (?:(?:side|role|seat|colou?r|part|team|army) is(?: that of)?|(?:pieces|stones|marks) are))"
        r"(?: (?:\w+ly|indeed|in fact|just|also|now|assigned|(?:play|controll|command|mov|act|us|serv)ing|as|on"
        r"|with|for|(?:in charge|responsible) (?:of|for)|the (?:one|player) (?:with|of|playing|for)))*WHO"
        r"(?! (?:has|have|is|are|was|will|can|would|could|did)\b)",
        r"\b(?:I|we)(?:'ve got| have| got| take| go with| move (?:the )?(?:pieces|stones|discs|men) (?:of|for))WHO"
        r"(?: side| pieces| stones)?(?=\s*(?:[,.;!]|$|(?:in this|this|here|and|so)\b))",
        r"\b(?:as|being|playing(?: as| with)?)WHO"
        r"(?: (?:in|of|at|on|for|with|player|side|here|now)\b[^,.;?!]{0,25})?,? I\b",
        r"^\W*(?:speaking|acting) asWHO|\b(?:admit|confess|own up) to beingWHO|\bROLE(?: \w+){0,2} is me\b",
        r"\bI(?:'ve| have| got| was| am|'m)\b[^,.;?!]{0,25}\b(?:(?:role|part) of(?: the| an?)? ROLE|ROLE role)\b",
        r"\bI, (?:the|an?) ROLE\b",
    )
)
_DENIED = re.compile(r"\b(?:not|no|never|cannot|nor|without|if|whether|like|only|nobody)\b|n't\b", re.I)
_SAID_OF_ME = re.compile(
    r"\b(?:says|said|claims|thinks|believes|told|calls?|wish|impossible|false|wrong"
    r"|(?:you|they|some|people|others|everyone)(?: all)? (?:think|say|believe|claim|suspect)|(?:do|did|would) you)\b",
    re.I,
)
_SEEN = r"(?:device|picture|screen|panel|display)"
_PARTS = r"(?:buttons?|lights?|lamps?|wires?|squares?|letters?|keys?|wheels?|symbols?)"
_SOME = r"(?:some|several|many|multiple|various|\d+|two|three|four|five|six)"
_DO = r"(?:do|press|cut|click|move|diagnose|treat|try|choose|pick|push|enter|select|turn)"
_AS_EXPERT = re.compile(
    rf"\bmy (?:\w+ ){{0,3}}manual\b|\byour {_SEEN}\b|\bwhat (?:do|can) you see\b|\bin front of you\b"
    r"|\b(?:I|I'll|I've|let me)\b(?:(?!\byou)[^.?!])*\b(?:have|hold|got|found|find|look\w*|check\w*|read|reading"
    r"|consult\w*|see|search\w*)\b(?:(?!\byou)[^.?!])*\bmanual\b"
    r"|\b(?:the|this) manual (?:(?:that )?I(?:'m| am| have|'ve| hold)|in front of me|here)\b"
    r"|\bI(?:'ll| will) look(?: \w+)? up\b",
    re.I,
)
_AS_SOLVER = re.compile(
    rf"\byour manual\b|\bmy {_SEEN}\b|\b(?:{_SEEN}|{_PARTS}) (?:in front of me|(?:that )?(?:I'm|I am) looking at)\b"
    r"|\bI(?:'ve| have)?(?: just| already| now)? (?:pressed|clicked|cut|pushed|entered|diagnosed|treated)\b"
    rf"|\b(?:I am|I'm) looking at (?:the|an?) {_SEEN}\b|\bwhat does the manual (?:say|tell)\b"
    rf"|\bI (?:can )?(?:see|notice|spot) (?:{_SOME} (?!rules|cases|pages|options|ways|possib)\w+"
    rf"|the (?:{_SEEN}|{_PARTS})\b|an? (?!problem|pattern|rule|point|reason|mistake|way)\w+)"
    rf"|\b(?:should|shall|do|must|can|may|am|would) I"
    rf" (?:(?:need|supposed|have|going|want|to|now|just|go|ahead|and) ){{0,4}}{_DO}\b"
    rf"|\bwant me to {_DO}\b|\btell me (?:what|which|where)[^.?!]{{0,15}} to {_DO}\b"
    r"|\bI (?:should|must|have to|need to) (?:press|cut|click|push)\b",
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
            if found and pattern is own:
                said = _SAID_OF_ME.search(sentence[: found.end()])
                found = None if said or re.match(r"[^,;:.!]*\?", sentence[found.end() :]) else found
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
    return (
        re.compile(_I_AM.replace("ROLE", rf"(?:{ways})(?:'s (?:side|pieces|army|camp))?(?![\w'-])"), re.I)
        if names
        else None
    )


def _begun(sentence: str, start: int, end: int) -> str:
    """What is said at a place, from the mark before it."""
    return sentence[max(sentence.rfind(mark, 0, start) for mark in ",;:") + 1 : end]
