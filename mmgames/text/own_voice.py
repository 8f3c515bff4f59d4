"""A reply in the voice of whoever is to move, for one set of phrases to read all: "Red should go up" is "I will go up".

Who predicts another's move says "I" of the wrong one; what such a reply says of the other is put into the first person,
and what it says in the first person out of it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from mmgames.text.phrases import ADVERB, DOES, MODAL, VERB

_THING = (
    r"(?: (?:player|side|paddle|chef|face|figure|agent|robot|piece|pawn|stone|disc|mark|knight|bishop|rook|queen|king)"
    r"\b(?!'))?"
    r"(?: \([^()]*\)| to move)?"
)
_ACTS = rf"(?:(?=\s+(?:{ADVERB}\s+)*{DOES}\b)|(?P<modal>(?:\s+{ADVERB})*\s+{MODAL}\b))"
_MOVE = "(?:move|action|choice|play)"
_EXPECT = "(?:expect|predict|think|believe|guess|bet|suspect|assume|say|anticipate|reckon)"
_I_EXPECT = rf"\bi(?:'d| would|'ll| will)?(?: also| still| strongly)? {_EXPECT}(?: that)?,? "
_FIRST = re.compile(
    r"\bi\b(?:'m|'ll|'d|'ve)?(?: (?:will|would|am|shall)\b)?"
    r"|\b(?:me|we|our)\b|\bmy\b(?! (?:guess|prediction|answer|expectation|bet))",
    re.I,
)
_SIGNS = {"black": "黑方", "white": "白方", "red": "红方", "blue": "蓝方"}
_MAY = r"(?:can|may|could|might|is allowed to)"
_LEGAL = r"(?:legal|possible|valid|allowed|available|permitted)"
_ANY = (
    (re.compile(r"\b(?:for example|for instance|such as|e\.g\.)[,:]?\s*", re.I), ""),
    (re.compile(rf"\b(?:is|would be) (?:an? |one )?{_LEGAL}\b(?: (?:move|one|action))?", re.I), "is my move"),
    (re.compile(r"\bone (?:move|action) (?:that )?i (?:could|can|may|might) (?:make|play|do)\b", re.I), "my move"),
    (re.compile(rf"\b(?:an?|one|the|my)? ?{_LEGAL} (?=move|action)", re.I), "my "),
)


def as_if_chosen(text: str, role: str) -> str:
    """A text that says what may be done, where any legal move is asked for, as if it were done."""
    for form, instead in _ANY:
        text = form.sub(instead, text)
    return re.sub(rf"\b(?:i|you|one|we|(?:the )?{re.escape(role)}) {_MAY}\b", "I will", text, flags=re.I)


def as_if_own(text: str, role: str) -> str:
    """A text that says what somebody else will do, as that one would say it."""
    expected, directly, subject, of, for_them, likely = _about_another(role)
    text = likely.sub("Prediction: ", of.sub("\x02 ", for_them.sub("", text)))
    text = expected.sub("\x01 ", directly.sub("\x01 choose ", text))
    text = subject.sub(lambda one: "\x01" + _as_i(one)[1:], text)
    return _FIRST.sub("they", text).replace("\x01", "I").replace("\x02", "my")


def in_own_voice(text: str, role: str) -> str:
    """A text of somebody who may speak of the own side by its name, in the first person."""
    if role:
        text = text.replace(_SIGNS.get(role.casefold(), "我"), "我")
        text = _for(role).sub("for me", _labelled(role).sub("My move:", text))
    return _about_oneself(role).sub(_as_i, text)


def _as_i(subject: re.Match[str]) -> str:
    """Who should do something does it, if it is said by somebody else."""
    return "I will" if subject["modal"] else "I"


@lru_cache(maxsize=64)
def _labelled(role: str) -> re.Pattern[str]:
    return re.compile(rf"^[\W_]*{re.escape(role)}\s*:", re.I | re.M)


def is_someone_else(role: str, text: str) -> bool:
    """Whether a text begins with a name of the kind of one's own that is another's: R2 for R1."""
    named = re.match(re.sub(r"\d+", r"\\d+", re.escape(role)) + r"\b", text, re.I) if role else None
    return named is not None and named[0].casefold() != role.casefold()


@lru_cache(maxsize=64)
def _for(role: str) -> re.Pattern[str]:
    return re.compile(rf"\bfor (?:the )?{re.escape(role)}\b(?: player)?(?!')", re.I)


@lru_cache(maxsize=64)
def _about_oneself(role: str) -> re.Pattern[str]:
    who = f"{re.escape(role)}{_THING}|(?:player|paddle)" if role else "player"
    return re.compile(rf"(?<![\w'])(?:the |this )?(?:{who}){_ACTS}", re.I)


@lru_cache(maxsize=64)
def _about_another(role: str) -> tuple[re.Pattern[str], ...]:
    """Who is predicted: behind "I expect", left out there, as a subject, as the owner of a move, and whom it is for."""
    who = rf"(?:the |a )?(?:{re.escape(role)}|other player|opponent|good player|they|them|he|she|it){_THING}"
    texts = (
        rf"{_I_EXPECT}(?:{who}) to (?=\w)",
        rf"(?:{_I_EXPECT}|\bit will be )(?=[<(\"'*`]|[a-z]\d|an? \w+:)",
        rf"(?:{_I_EXPECT})?(?<![\w'])(?:(?:{who}){_ACTS}|they(?= {VERB}\b))",
        rf"(?<![\w'])(?:{who})'s (?=(?:(?:next|best|most likely|likely|expected) )?{_MOVE})",
        rf"(?<=guess|ction|nswer) for (?:{who})\b",
        rf"^[\W_]*(?:(?:most likely|likely|expected)\s*:|{re.escape(role)}\s*(?::|->|→))[*_\s]*",
    )
    return tuple(re.compile(text, re.I | re.M) for text in texts)
