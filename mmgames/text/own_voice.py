"""A reply in the voice of whoever is to move, for one set of phrases to read all: "Red should go up" is "I will go up".

Who predicts another's move says "I" of the wrong one; what such a reply says of the other is put into the first person,
and what it says in the first person out of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
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
_NEXT = re.compile(r"\bnext (?=\w+s\b|it\b)|(?<=[\w>)]) next(?=\s*(?:[.!,]|$))", re.I)
_GOING_ON = re.compile(r"\b(?P<to>to )?(?:keeps?(?: on)?|continues?) (?=\w+ing\b)", re.I)
_ASIDE = re.compile(r",? i (?:suppose|guess|think|imagine|reckon|assume|believe|would say)\b,?(?=\s*(?:[:.!]|$))", re.I)
_OPPONENT = re.compile(
    r"\b(?:(?:der|mein) gegner|l'adversaire|(?:el|mi) (?:oponente|rival)|(?:o|meu) adversário|l'avversario)\b", re.I
)
_GONNA = re.compile(r"(?:'s|'re| is| are) gonna\b", re.I)
_SIDES = tuple(map(frozenset, (("left", "right"), ("black", "white"), ("red", "blue"), ("x", "o"))))
_ANOTHER = frozenset(["opponent", "partner", "teammate", "rival", "enemy", "other", "them", "he", "she", "they", "you"])
_SOMEONE_LINE = re.compile(
    r"^[^\w\n<({\[]*(?:(?:the|my|your|robot|chef|player|agent|team) ){0,2}(?P<who>\w+)(?:'s)?"
    r"(?: (?:player|side|paddle|chef|agent|robot|team|one|move|action|turn|answer|to move|next|now)){0,3}"
    r"(?: \([^()\n]*\))?"
    r"[*_` ]*(?:[:：→=]|->|=>| [-–—] )[ \t]*(?P<said>[^\n]{1,80})$",
    re.I | re.M,
)
"""A line that begins with a name, as in a script: who, and what that one does."""
_SIGNS = {"black": "黑方", "white": "白方", "red": "红方", "blue": "蓝方"}
_MAY = r"(?:can|may|could|might|is allowed to)"
_LEGAL = r"(?:legal|possible|valid|allowed|available|permitted|ok|okay|fine|playable)"
_PLACE = r"(?:move|action|cell|square|point|place|option|choice|one|step|field|spot)"
_USE = r"(?:make|play|do|take|use|go|choose|move)"
_ANY = tuple(
    (re.compile(form, re.I), instead)
    for form, instead in (
        (r"(?P<comma>,\s+)(?:for example|for instance|such as|e\.g\.)[,:]?\s*", ", so "),
        (r"\b(?:for example|for instance|such as|e\.g\.)[,:]?\s*", ""),
        (
            rf"\bone (?:of (?:them|these|those|the \w+(?: \w+)?)|{_PLACE}(?: that| which) (?:is|would be) {_LEGAL})"
            r"(?=\s*(?::|is\b|would be\b))",
            "my move",
        ),
        (r"(?<=[\w>)*`]) (?:works|would work|will do|would do)\b", " is my move"),
        (rf"\b(?:is|would be) (?:an? |one )?{_LEGAL}\b(?: (?:move|one|action))?", "is my move"),
        (rf"\b(?:an?|one) (?:\w+ )?{_PLACE} (?:that |which |where )?\w+ {_MAY} {_USE}\b", "my move"),
        (r"\b(?:one|an) (?:option|choice|possibility|example)(?=(?: here| now)? (?:is|would be)\b)", "my move"),
        (rf"\b(?:one|an?) (?:empty|free|open|vacant) {_PLACE}(?= (?:is|would be)\b)", "my move"),
        (r"\bone (?=(?:move|action)(?: here| now)? (?:is|would be)\b)", "my "),
        (rf"\b(?:an?|one|the|my)? ?{_LEGAL} (?=move|action)", "my "),
        (rf"\b(?:an? |one )?{_LEGAL} example\b", "my move"),
        (r"(?<=my move) (?:here )?for \w+(?=\s*(?::|is\b))", ""),
    )
)


def as_if_chosen(text: str, role: str) -> str:
    """A text that says what may be done, where any legal move is asked for, as if it were done."""
    for form, instead in _ANY:
        text = form.sub(instead, text)
    return re.sub(rf"\b(?:i|you|one|we|it|(?:the )?{re.escape(role)}) {_MAY}\b", "I will", text, flags=re.I)


def as_if_own(text: str, role: str) -> str:
    """A text that says what somebody else will do, as that one would say it."""
    text = _GONNA.sub(" will", _OPPONENT.sub("they", text))
    expected, directly, subject, of, for_them, likely = _about_another(role)
    text = _ASIDE.sub("", _GOING_ON.sub(lambda one: one["to"] or "will be ", _NEXT.sub("", text)))
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
    return re.compile(
        rf"^[\W_]*(?:(?:the|my|robot|player|agent|chef) ){{0,2}}{re.escape(role)}{_THING}[\s*_]*:", re.I | re.M
    )


def is_someone_else(role: str, text: str) -> bool:
    """Whether a text begins with a name of the kind of one's own that is another's: R2 for R1."""
    named = re.match(re.sub(r"\d+", r"\\d+", re.escape(role)) + r"\b", text, re.I) if role else None
    return named is not None and named[0].casefold() != role.casefold()


def without_others(text: str, role: str, is_move: Callable[[str], object]) -> str:
    """A text without the lines that give a move to somebody else by name: "R2: Move oven", said by R1."""
    if not role or not _SOMEONE_LINE.search(text):
        return text
    rivals = next((sides for sides in _SIDES if role.casefold() in sides), frozenset()) - {role.casefold()}

    def left(line: re.Match[str]) -> str:
        who = line["who"].casefold()
        other = who in _ANOTHER or who in rivals or is_someone_else(role, who)
        return "" if other and is_move(line["said"]) else line[0]

    return _SOMEONE_LINE.sub(left, text)


@lru_cache(maxsize=64)
def _for(role: str) -> re.Pattern[str]:
    return re.compile(rf"\bfor (?:the )?{re.escape(role)}\b(?: player)?(?!')", re.I)


@lru_cache(maxsize=64)
def _about_oneself(role: str) -> re.Pattern[str]:
    who = f"{re.escape(role)}{_THING}|(?:player|paddle)" if role else "player"
    return re.compile(rf"(?<![\w'])(?:the (?:next )?|this )?(?:{who}){_ACTS}", re.I)


@lru_cache(maxsize=64)
def _about_another(role: str) -> tuple[re.Pattern[str], ...]:
    """Who is predicted: behind "I expect", left out there, as a subject, as the owner of a move, and whom it is for."""
    who = rf"(?:the |a )?(?:{re.escape(role)}|other player|opponent|good player|paddle|they|them|he|she|it){_THING}"
    texts = (
        rf"{_I_EXPECT}(?:{who}) to (?=\w)",
        rf"(?:{_I_EXPECT}|\bit will be )(?:an? (?=[a-z]+\s*(?:[.!,;]|$))|(?=[<(\"'*`]|[a-z]\d|an? \w+:))",
        rf"(?:{_I_EXPECT})?(?<![\w'])(?:(?:{who}){_ACTS}|they(?= {VERB}\b))",
        rf"(?<![\w'])(?:{who})'s (?=(?:(?:next|best|most likely|likely|expected) )?{_MOVE})",
        rf"(?<=guess|ction|nswer) for (?:{who})\b",
        rf"^[\W_]*(?:(?:most likely|likely|expected|(?:most )?probably)\s*(?::|(?=[<(`*]))|{re.escape(role)}\s*(?::"
        rf"|->|→))[*_\s]*",
    )
    return tuple(re.compile(text, re.I | re.M) for text in texts)
