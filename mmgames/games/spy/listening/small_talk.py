"""Sentences that make no claim: those about the round say nothing of the picture, others tell moods of it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

_MOOD = re.compile(
    r"\b(?:sad|happy|lonely|cute|lovely|beautiful|ugly|dream\w*|cheerful|dangerous|scary|angry|shy|proud|sleepy|bored|"
    r"boring|elegan\w+|calm|peaceful|co[sz]y|spooky|serene|playful|dramatic|charm\w*|adorable(?! (?:little|small))|"
    r"funny|weird|strange|mysterious|sooth\w+|relax\w+|exciting|hectic|modern|minimal\w*|artistic|poetic|retro|"
    r"futuristic|festive|inviting|gloomy|fragile|squished|crooked|tilted|leaning|striking|brighter|darker|nicer|"
    r"prettier|tension|personality|harmon\w+|rhythm|style|simplicity|atmosphere|moods?|vibes?|feel(?:s|ing)?|feeling|"
    r"impression|shadows?|reflections?|lighting|(?:soft|warm|bright) light|composition|arrangement|spacing|balanced?|"
    r"palette|tones?|texture of|symmetr\w+|spread out|scattered|chaotic\w*|crowded|cluttered|messy|tidy|"
    r"pleas\w+|seems? (?:to be )?(?:hard|doing|almost|like|quite|rather)|looks? (?:kinda|quite|rather|a (?:bit|little)|"
    r"like (?:it|some(?:one|body)))|kinda (?:nice|looks)|remind\w*|might|maybe|perhaps|probably|must (?:be|have)|"
    r"wonder|as (?:if|though)|somehow|someth(?:ing|ings) (?:about|slightly|lean\w*)|glow\w*|gaze|"
    r"surround\w*|either way|advantage|about to|meeting|pop|go well|i (?:really |just )?(?:like|love|prefer) (?:the|"
    r"how|this)|popular (?:place|these)|interesting (?:reading|habits)|hard to (?:predict|pin)|overall trend|"
    r"development|well on its way|habits|angle|realism|energy|story|trend|lazy|exhaust\w+|yum|tasty|hungry|"
    r"summer|colou?rs go|"
    r"bit (?:vague|outside)|kind of (?:nice|spread)|touch(?:es|ing)|smells?|"
    r"arranged in|looking like|would look|realistic|grainy|expected|colou?rful, )\b"
)
"""What people feel about a picture, and what nothing in its facts decides."""
_ROUND = re.compile(
    r"\b(?:clues?|spy|spies|civilians?|players?|turn|hello|hi+|hey|luck|gl|hf|pass|skip|rules?|round|agree\w*|thanks?|"
    r"trust|reveal\w*|hints?|vote|everyone|everybody|somebody|anyone|guys|friends?|ready|first time|no idea|listen\w*|"
    r"play(?:ing)?|lying|lol|brb|suspicious|describe|description|specific|confirm|helpful|drill|say|similar|game|"
    r"picture|image|chart|graph|board|photo|some|several|various|multiple|shapes|objects|data|things|numbers)\b"
)
_PARTS = re.compile(
    r"\b(?:the|these|those|one of (?:the|them|my)) (?:\w+ )?(?:objects?|things?|shapes|line|slices?|bars?|pieces|"
    r"stones|discs|marks|position|puzzle|grid|colou?rs|school|bakery|market|year|pie|kitchen|values|curve|floor|"
    r"background|orchard|library|dairy|shop|garden|cafe|lake|harbour|camera|surfaces)\b|\bone (?:object|thing|side)\b"
)
_ALWAYS = re.compile(
    r"^(?:my|the) \w+ (?:looks|seems|is) (?:\w+ )?(?:normal|fine|good|ordinary|typical|ok|okay)(?: to me)?$|"
    r"\bsome (?:\w+ )?(?:are|is|have|filled)\b.*\b(?:others?|some|rest)\b|"
    r"^(?:let's|let us|lets|we (?:should|must)|please)\b"
)
"""What is true of every picture of its kind."""


@lru_cache(maxsize=2048)
def states(sentence: str) -> bool:
    """Whether a sentence may be held against somebody: it tells no mood, and not what is true of any picture."""
    return not (_MOOD.search(sentence) or _ALWAYS.search(sentence))


def kind(said: str) -> Literal["empty", "unclear"]:
    """Whether somebody who claims nothing says nothing of the picture, or something that cannot be made out."""
    if _MOOD.search(said):
        return "unclear"
    return "unclear" if _PARTS.search(said) and not _ROUND.search(_PARTS.sub("", said)) else "empty"
