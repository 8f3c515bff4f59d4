"""Clues that make no statement which can be checked: some say nothing of the picture, others something vague."""

from __future__ import annotations

import re
from typing import Literal

HEDGED = re.compile(
    r"\b(?:shadows?|reflections?|lighting|may (?:be|have|not|look|also|still|well|seem)|might|"
    r"maybe|perhaps|probably|surround\w*|if|wonder|seems? to|as if|as though|guess)\b"
)
"""What makes a sentence one that is not held against anybody."""
_ABOUT_THE_ROUND = re.compile(
    r"\b(?:clue|spy|civilian|player|turn|hello|hi|hey|luck|gl|hf|pass|rules?|round|agree|"
    r"trust|reveal\w*|hint|vote|everyone|"
    r"first time|no idea|listen|others? (?:say|have|said)|they said|rest of you|play|commit|lying|lol|suspicious)\b"
)
_VAGUE = re.compile(
    r"\b(?:the (?:objects?|things?|line|slices?|bars?|trend|position|players?|puzzle|gap|"
    r"lighting|camera|spacing|distance|"
    r"arrangement|composition|way|vibe|colou?rs|school|one)|(?:one|some) of (?:them|these|the|"
    r"those)|somethings|something (?:slightly|a bit|off|odd|unusual)|shadows?|"
    r"reflections?|looks?|seems?|feels?|kind of|kinda|spread|unusual|random|favou?rite|"
    r"probably|might|may|maybe|suggests?|"
    r"impression|feeling|sort of|painting|evokes?|must have|manner|yum|tasty|busy|"
    r"minimalis\w*|this puzzle|story|white|black|people|mood|atmosphere|somewhat|overall|pattern|balance\w*)\b"
)
_GENERAL = re.compile(
    r"\b(?:my|the|this|a|i see|is) (?:\w+ )?(?:picture|image|scene|photo|chart|graph|board|"
    r"rendering|diagram)\b|\bcharts?\b"
)
_DETAIL = re.compile(
    r"\b(?:lighting|shadow|composition|arrangement|arranged|angle|camera|spacing|distance|"
    r"vibe|story|trend|line|slices|bars|"
    r"gap|reflections?|impression|one of|depth|colours of|unusual|objects (?:look|appear|seem|kind|feel)|suggests)\b"
)


def kind(said: str) -> Literal["empty", "unclear"]:
    """Whether somebody who says this says nothing of the picture, or something that cannot be made out."""
    if _DETAIL.search(said):
        return "unclear"
    if _ABOUT_THE_ROUND.search(said) or not said:
        return "empty"
    if _VAGUE.search(said) and not (
        _GENERAL.search(said) and not re.search(r"\bthe (?:objects|line|bars|slices)\b", said)
    ):
        return "unclear"
    return "empty"
