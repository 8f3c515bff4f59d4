"""Whether somebody speaks as somebody else: a solver with a manual, an expert with a picture, a spy that says so."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from mmgames.suites.dialogue import acts_itself
from mmgames.suites.outlooks import OTHER, speaks_as
from mmgames.suites.privacy import sentences

_WHO = (
    r"(?: (?:the|an?|your|our|this \w+'s)(?: (?:player (?:of|with)|one (?:with|playing)|undercover|secret|hidden|"
    r"real|actual|true|only|one))?)? ROLE"
    r"(?: (?:side|pieces?|stones?|discs?|marks?|men|army|camp|player|role|card|part|team))?"
)
_MINE = (
    r"(?:my|our) (?:(?:own|secret|assigned|true|real|given|current|actual) )?"
    r"(?:side|role|seat|colou?r|part|team|army|identity|camp|symbol|mark|marker|token|pieces|stones|marks|name|"
    r"job|task)"
)
_GETS = (
    r"(?:(?:was|were|am|are|have been|had been|has been|got|get) )?"
    r"(?:made|chosen|picked|cast|assigned|given|handed|dealt|drawn|drew|got|received|randomly assigned)(?: (?:to be"
    r"|as|to))?"
)
_DOES = (
    r"(?:(?:play|control|represent|command|lead|steer|act|speak)(?:ing)?|controlling|(?:handl|manag|guid|serv|mov"
    r"|us)(?:e|ing)"
    r"|run|running)"
    r"(?: (?:as|for|with|on behalf of|the side of))?"
)
_FILLED = (
    r"(?: (?:\w+ly|indeed|in fact|just|also|now|still|here|the|assigned|playing|acting|as|on|with|for|side of"
    r"|(?:in charge|in control|responsible) (?:of|for)|the (?:one|player) (?:with|of|playing|for|behind)))*"
)
_ENDS = r"(?=\s*(?:[,.;!)]|$|(?:in this|this|here|and|so|today|now|then)\b))"
_I_AM = "|".join(
    way.replace("WHO", _WHO)
    for way in (
        rf"\b(?:(?:I|we)(?:(?:'m|'re| am| are| will be|'ll be| must be| have to be| (?:happen|turn out|seem) to be"
        rf"|'ve been| have been)(?: {_DOES}| {_GETS})?|(?:'ve|'ll| will)? {_DOES}|(?:'ve| have)? {_GETS})"
        rf"|{_MINE},? (?:which |that )?(?:is|are)(?: that of)?){_FILLED}WHO(?! (?:has|have|is|are|was|will|can|"
        rf"would|could|did"
        rf"|(?:\w+ )?attack\w*)\b)",
        rf"\b(?:I|we)(?:'ve got| have| got| take| go with| move (?:the )?(?:pieces|stones|discs|men) (?:of"
        rf"|for))WHO{_ENDS}",
        r"\b(?:as|being|playing(?: as| with)?)WHO"
        r"(?: (?:in|of|at|on|for|with|player|side|here|now)\b[^,.;?!]{0,25})?,? (?:I\b|my\b)",
        r"^\W*(?:speaking|acting) asWHO|\b(?:admit|confess|own up) to beingWHO|\bROLE(?: \w+){0,2} (?:is"
        r"|would be) me\b",
        rf"\bROLE(?: \w+){{0,2}} is {_MINE}\b|\bROLE \((?:that is |that's |i\.e\. )?me\)",
        r"\bROLE[?!,]+ (?:and )?(?:that|this|it)(?:'s| is| would be| was) me\b|\b(?:it|that)(?:'s"
        r"| is) me,? who is(?: the| an?)? ROLE\b",
        r"\bROLE,? (?:and |so )?(?:that's|that is|which is|(?:which|that) means it's|i\.e\.) (?:me|mine|us|my "
        r"(?:turn|move))\b",
        r"\b(?:my|our) (?:job|task|goal|role|aim|duty) asWHO",
        r"\bI(?:'ve| have| got| was| am|'m)\b[^,.;?!]{0,25}\b(?:(?:role|part) of(?: the| an?)? ROLE|ROLE role)\b",
        r"\bI, (?:(?:the|an?|playing|being|as) )?ROLE\b,|\b(?:me|us) asWHO|\b(?:point of view|perspective|"
        r"standpoint|view) (?:as"
        r"|of being)WHO",
        r"\b(?:made|chose|picked|cast|appointed|assigned) me(?: as| to be)?WHO",
        r"\b(?:my|our) ROLE (?:pieces?|stones?|discs?|marks?|men|army|camp|side|king|queen|rooks?|bishops?|knights?"
        r"|pawns?)\b",
        r"\b(?:gave|gives|given|dealt|handed|assigned|call|calls) meWHO|\bmine (?:is|are)WHO|\bme ?[=:]WHO"
        r"|\bROLE,? my (?:own )?"
        r"(?:side|colou?r|team|role|part)\b|^\W*ROLE here\b(?! (?:is|has|was|must|can|will|stands))",
        r"\b(?:it's|it is|I am|I'm) (?:me|the one|the player|the person)(?:,)? (?:who|that) (?:plays?|is|am|has"
        r"|moves?|got|leads?)WHO",
        r"\b(?:told|asked|supposed|assigned|chosen|here|going|about|want|wanted|have) to (?:play|be|(?:act|move|win"
        r"|fight) (?:as|with|for))WHO"
        r"(?= |[,.;!]|$)(?! (?:has|have|is|are|to)\b)",
        r"\b(?:honou?r|pleasure|privilege|task|job|luck|role|duty) (?:of|to) (?:play|be|act)(?:ing)?(?: as)?WHO",
        rf"\b(?:I|we) (?:\w+ )?(?:took|chose|picked|drew|became)WHO{_ENDS}",
        r"\b(?:I|we) (?:\w+ )?(?:fight for|won with|win with|work for|root for|sit on|stand on)WHO",
        r"\bside (?:that )?(?:I|we) (?:play|have|am|are|control|lead|move)(?: \w+)? isWHO",
        r"\b(?:move|moves|turn|made|played|moving|thinking|talking|signed) asWHO",
        r"\bROLE\b[^.;?!]{0,30}(?:,| and|:|;)+ (?:and )?(?:it|that|this)(?:'s| is| would be) me\b"
        r"|\bROLE[;,.?!]+ (?:I am|it's me|me)[.!]",
        r"\bROLE\b[^.;?!]{0,20},? namely me\b|\b(?:not an? \w+ am I, but|beingWHO[;,] I)",
        r"^\W*(?:(?:my|our|assigned|secret|own) )*(?:side|role|colou?r|identity|team|playing as|i am"
        r"|i play)\W*[:=]\W*(?:the |an? )?ROLE\b",
    )
)
_TOLD_BY_CARD = re.compile(
    r"\b(?:card|prompt|role|assignment|note)\b[^,.;]{0,15} (?:says|said|tells me|told me)(?: that)?\b", re.I
)
_ASKED_ONESELF = re.compile(r"\?( (?:(?:that|it)(?:'s| is| would be) me\b|I am(?=[.!])|me(?=[.!])))", re.I)
_UNDERCOVER = ("undercover agent", "undercover one", "undercover player", "undercover")
_SPIES = ("spy", *_UNDERCOVER, "impostor", "imposter", "infiltrator", "mole", "odd one out", "odd one", "fake civilian")
"""What people call the spy."""
_NO_CIVILIAN = re.compile(
    r"\bI(?:'m| am) (?:not|no) (?:really )?(?:an?|one of the|one of you)? ?(?:(?:real|normal|regular"
    r"|true) )?(?:civilians?|innocents?)\b"
    r"|\bI(?:'m| am) spying\b|\b(?:caught|found|got) me\b[^?]{0,6}\b(?:spy|undercover|impostor)\b",
    re.I,
)
_QUOTED = re.compile(r"[\"“][^\"”]*[\"”]")
_DENIED = re.compile(
    r"^\W*(?:were|had|should) (?:I|we)\b|\b(?:not|no|never|cannot|nor|without|if|whether|like|only|nobody)\b|n't\b",
    re.I,
)
_SAID_OF_ME = re.compile(
    r"\b(?:says|said|claims|thinks|believes|(?<!was )(?<!were )(?<!been )told|calls?|wish|impossible|false|wrong"
    r"|(?:you|they|some|people|others|everyone)(?: all)? (?:think|say|believe|claim|suspect)|(?:do|did|would) you)\b",
    re.I,
)


def speaks_as_another(words: str, seat: str, record: Mapping[str, Any]) -> str | None:
    """The first sentence in which a seat speaks as another one; None: none does."""
    another = _pattern(tuple(name for name in _roles(record) if name != seat))
    part = OTHER.get(seat) if "transcript" in record else None
    for sentence in sentences(_ASKED_ONESELF.sub(r",\1", words.replace("’", "'"))):
        if another is not None and _says_to_be(another, sentence):
            return sentence
        if "spies" in record and _NO_CIVILIAN.search(sentence):
            return sentence
        if part is not None and speaks_as(sentence, part):
            return sentence
        if part == "solver" and acts_itself(sentence, record["action_names"]):
            return sentence
    return None


def _says_to_be(another: re.Pattern[str], sentence: str) -> bool:
    """Whether somebody says to be another one, and neither denies nor asks it."""
    found = another.search(sentence := _TOLD_BY_CARD.sub("", sentence))
    if found is None or _SAID_OF_ME.search(sentence[: found.end()]):
        return False
    if any(one.start() < found.start() and found.end() <= one.end() for one in _QUOTED.finditer(sentence)):
        return False
    asked = re.match(r"[^,;:.!]*\?", sentence[found.end() :])
    return not asked and not _DENIED.search(_begun(sentence, found.start(), found.end()))


def _roles(record: Mapping[str, Any]) -> list[str]:
    """What somebody in this episode can be."""
    seats = [reply["seat"] for reply in record.get("replies", ())]
    return [*dict.fromkeys(seats), *(_SPIES if "spies" in record else ())]


@lru_cache(256)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str] | None:
    """Somebody says to be one of these; a single letter has to be a capital."""
    ways = "|".join(f"(?-i:{name.upper()})" if len(name) == 1 else re.escape(name) for name in names)
    return (
        re.compile(_I_AM.replace("ROLE", rf"(?:{ways})(?:'s (?:side|pieces|army|camp|turn|move))?(?![\w'-])"), re.I)
        if names
        else None
    )


def _begun(sentence: str, start: int, end: int) -> str:
    """What is said at a place, from the mark before it."""
    return sentence[max(sentence.rfind(mark, 0, start) for mark in ",;:") + 1 : end]
