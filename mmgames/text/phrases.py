"""The closed set of phrases by which prose declares a move, and those that make a sentence declare nothing."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from mmgames.text.answer_labels import words_of


class Form(NamedTuple):
    """How a declaration opens. `states`: it says that the answer is so; otherwise somebody says what they do."""

    opening: re.Pattern[str]
    states: bool = False
    labelled: bool = False  # only if the words before the colon are a label
    at_once: bool = False  # the rest of the sentence must leave it at the move


def _any(*phrases: str) -> str:
    return f"(?:{'|'.join(phrases)})"


_ADVERBS = _any(
    *("now", "just", "simply", "therefore", "thus", "hence", "instead", "rather", "definitely", "still", "then"),
    *("nevertheless", "also", "first", "hereby", "first of all", "probably", "clearly"),
)
# Verbs that take a move, as I and as "I am" say them.
_VERBS = _any(
    *(r"go(?:ing)?(?: with| for)?", r"play(?:ing)?", r"choos(?:e|ing)", r"pick(?:ing)?", r"select(?:ing)?"),
    *(r"tak(?:e|ing)", r"mov(?:e|ing)", r"plac(?:e|ing)", r"put(?:ting)?", r"start(?:ing)?", r"begin(?:ning)?"),
    *(r"open(?:ing)?", r"reveal(?:ing)?", r"flag(?:ging)?", r"press(?:ing)?", r"drop(?:ping)?", r"cast(?:ing)?"),
    *(r"vot(?:e|ing)", r"nam(?:e|ing)", r"mak(?:e|ing)", r"answer(?:ing)?", r"advanc(?:e|ing)", r"develop(?:ing)?"),
    *(r"writ(?:e|ing)", r"fill(?:ing)?", r"enter(?:ing)?", r"push(?:ing)?", r"captur(?:e|ing)", r"stay(?:ing)?"),
    *(r"hold(?:ing)?", r"step(?:ping)?", r"walk(?:ing)?", r"head(?:ing)?", r"turn(?:ing)?", r"hint(?:ing)?"),
    *(r"discard(?:ing)?", r"giv(?:e|ing)", r"settl(?:e|ing)", r"stick(?:ing)?", r"commit(?:ting)?", r"opt(?:ing)?"),
    *(r"claim(?:ing)?", r"submit(?:ting)?", r"us(?:e|ing)", r"mark(?:ing)?", r"click(?:ing)?", r"tap(?:ping)?"),
    *(r"cut(?:ting)?", r"lock(?:ing)? in", r"chang(?:e|ing) (?:it |my \w+ )?to", r"switch(?:ing)? to", "respond"),
    *("reply", "test", "prefer", "castle", "slow-play", r"decid(?:e|ed) (?:on|for|to)", "guess", "grasp", "reach"),
    *("roll", "stop", "pass", "bet", "call", "fold", "check", "interact", "wait", "say", "drag", "slide", "draw"),
    *("chang(?:e|ing) my (?:vote|move|answer|choice|mind)", "build", "connect", "attack", "defend", "block", "cover"),
)
_CLAUSE = r"(?:^|[.!?;:,—–→(]\s*|\s-\s|\b(?:so|and|thus|hence|therefore|but|then|now)\s+)[*_#>\s-]{0,4}"
_MEANS_TO = _any(
    *("'ll", " will", " shall", "'m (?:just |now )?going to", " am (?:just |now )?going to", "'m gonna", "'d like to"),
    *(" would like to", "'d rather", " would rather", "'d better", "'d", " would", " want to", "'ve decided to"),
    *(" have decided to", " decided to", " decide to", " am", "'m", " choose to"),
)
_I = rf"{_CLAUSE}i{_MEANS_TO}?\s+(?:{_ADVERBS}\s+)*{_VERBS}\b"
_LET_ME = rf"{_CLAUSE}let(?:'s| us| me)\s+(?:{_ADVERBS}\s+)*(?!say|check|call|hold|give|guess|stop|wait){_VERBS}\b"
_MY_PIECE = rf"{_CLAUSE}my (?:\w+ )?\w+ (?:moves|goes|captures|takes)\b"
_DOING = (
    r"^[\W_]*(?:so,? |therefore,? |thus,? |hence,? )?"
    + _any("going", "playing", "moving", "choosing", "picking", "taking", "selecting", "stepping", "heading", "placing")
    + r"(?: with| for| to)?\b"
)
_ELSEWHERE = _any(
    *(r"ich (?:wähle|nehme|spiele|setze|ziehe|gehe|entscheide mich für|stimme für|antworte|bewege)",),
    *(r"je (?:choisis|joue|prends|vais|place|vote pour|réponds|déplace)", r"elijo|escojo|juego|voy a|voto por|muevo"),
    *(r"escolho|jogo em|vou (?:jogar|com|para)|voto em|movo", r"scelgo|gioco|voto per|muovo", r"ik (?:kies|speel|ga)"),
    *(r"wybieram|gram|idę", r"(?:я )?(?:выбираю|хожу|играю|иду|ставлю|голосую за)", r"jag (?:väljer|spelar|går)"),
    *(r"我(?:选择|選擇|选|下在|下|走|决定|投)", r"(?:私は)?.{0,3}を?選びます", r"vælger|velger|valitsen|seçiyorum"),
)
_ANSWER = _any(
    *("move", "action", "answer", "choice", "decision", "pick", "vote", "option", "guess", "prediction", "play"),
    *("selection", "reply", "response", "verdict"),
)
_WHICH_ANSWER = _any(
    *("my", "the", "final", "best", "correct", "chosen", "next", "right", "safest", "optimal", "selected", "own"),
    *("preferred", "only", "strongest", "first", "most", "sensible", "logical", "reasonable", "natural", "good", "a"),
    *("legal", "possible", "valid", "obvious", "forced", "winning", "recommended", "ideal", "overall"),
)
_MY_PLACE = r"(?:the |my )?(?:best|chosen|selected|preferred) (?:\w+ )?(?:cell|square|point|spot|column|place|field)"
_FOR_NOW = _any(
    *("here", "now", r"for (?:me|the \w+ player|this turn|this position|now|the current turn)", "this turn", "then"),
    *("in this (?:position|case|situation)", "therefore", "thus", "is therefore", "at this point"),
)
_IS = (
    rf"{_CLAUSE}(?:(?:{_WHICH_ANSWER}\s+)+{_ANSWER}|{_MY_PLACE})(?:\s+{_FOR_NOW})?\s*"
    r"(?:is|will be|would be|must be|goes to|becomes|remains|:|=)+[\s:]*"
    r"(?:to (?:be )?|therefore |thus |clearly |simply |probably )?"
)
_LABEL = r"(?:^|[.!?]\s+)[*_#\s]{0,4}(?P<label>[a-z][a-z ]{1,24})[*_]{0,2}\s?:[*_\s]{0,3}"
_THAT_IS = (
    r"(?:\b(?:so|thus|hence|therefore|which),?\s+(?:that's|that is|it's|it is|is)|^[\W_]*(?:that's|that is|it's))\s+"
    r"(?:option|answer|choice)?\s*"
)
_SO = r"^[\W_]*(?:so|hence|thus|therefore|ok|okay|alright|yes|option)\b[,:]?\s+"

FORMS = (
    Form(re.compile(_IS, re.I), states=True),
    Form(re.compile(_I, re.I)),
    Form(re.compile(_LET_ME, re.I)),
    Form(re.compile(_MY_PIECE, re.I)),
    Form(re.compile(_DOING, re.I), at_once=True),
    Form(re.compile(_THAT_IS, re.I), states=True, at_once=True),
    Form(re.compile(_SO, re.I), states=True, at_once=True),
    Form(re.compile(_LABEL, re.I), states=True, labelled=True),
    Form(re.compile(rf"(?:^|[.!?;:,]\s*|\b(?:also|donc|así que|então|quindi|dus)\s+)[\W_]*{_ELSEWHERE}", re.I)),
)


@lru_cache(maxsize=64)
def about_role(role: str) -> Form:
    """What somebody says who speaks of their own side by its name: "White should put the next disc at C5."."""
    who = rf"(?:the )?{re.escape(role)}(?: player| side)?|(?:the|this) player" if role else "(?:the|this) player"
    does = r"(?:should|must|ought to|needs to|moves|plays|puts|places|goes)(?! next| first| last| second| now)\b"
    return Form(re.compile(rf"{_CLAUSE}(?:{who}) {does}", re.I))


AFTERWARDS = re.compile(
    r"\s*(?:it is\b|is (?:my|the) (?:final |best |own |chosen |correct |right )?"
    r"(?:answer|move|choice|action|pick|decision|vote)|is what i(?:'ll| will)? (?:play|choose|do|pick))",
    re.I,
)
"""What follows a move that a sentence begins with: "B2 it is"."""

DENIED = re.compile(
    r"\b(?:not|never|neither|nor|cannot|avoid|without|no longer|refuse|except|hardly|barely|nicht|kein|keine|pas|jamais"
    r"|nunca|nie|não|non|не|nein|ikke|inte)\b|n't\b|不|没",
    re.I,
)
SUPPOSED = re.compile(
    r"\b(?:if|unless|whether|in case|suppose|assuming|provided|were to|had i|once|whenever|as soon as|until|could|might"
    r"|may|maybe|perhaps|possibly|thought (?:of|about)|thinking (?:of|about)|considered|tempted|wanted|was going"
    r"|would have|at first|initially|originally|usually|normally|typically|for example|for instance|such as|wenn|falls"
    r"|vielleicht|könnte|peut-être|quizás|talvez|forse|если|может)\b|如果|也许|可能",
    re.I,
)
LATER = re.compile(
    r"\b(?:next (?:turn|step|i)|after (?:that|this|which)|afterwards|later|followed by|subsequently|in the following"
    r"|then i|eventually|soon|last (?:turn|step|time|move)|previous(?:ly)?)\b|^\W*(?:then|next)\b(?!\s+\S+\s+it is)",
    re.I,
)
REPORTED = re.compile(
    r"\b(?:say|says|said|saying|think|thinks|claims?|tells?|told|asks?|asked|writes?|wrote|believes?|means?)\b\W*$",
    re.I,
)
"""What makes the words behind it those of somebody else."""

ATTENTION = words_of(
    """look looking analysis analysing analyzing mind eye attention consider considering thought thoughts idea question
    stopping preventing threat analyse analyze evaluate evaluating comparing compare checking examine studying
    watch beware prevent expect fear worry care aim try hope"""
)
"""Words by which a move is only looked at."""

BESIDE = re.compile(
    r"\b(?:near|next to|beside|below|above|opposite(?: to)?|away from|around|adjacent to|behind|under"
    r"|(?:respond|reply|answer|react) to|line(?: from)?|(?:to|with|on|at) \w+'s)[\s*_`\"(]*$",
    re.I,
)
"""What makes the move behind it a place that another one has to do with."""
NOT_NOW = re.compile(
    r"\W*(?:for example|for instance|e\.g|later|next turn|next time|eventually|at some point|soon)\b", re.I
)

ALTERNATIVES = re.compile(
    r"\b(?:or|and|either|both|all|maybe|perhaps|could|might|may|alternatively|oder|ou|или)\b|^\s*[,/|]|或", re.I
)
OTHERS = re.compile(
    r"\b(?:opponent|he|she|they|you|your|their|his|her|partner|other player|player_\d|everyone|somebody)\b", re.I
)
BREAKS = words_of(
    """because since if when but that which whether or not than unless while before after who where why how between
    oder ou"""
)
"""Words that no move stands behind, if a declaration stands before them."""

DEEDS = words_of(
    """play plays playing go goes going take takes taking move moves moving choose chooses choosing pick picks answers
    place places placing stop stops block blocks does do did win wins lose loses"""
)
"""Verbs that have a subject of their own, unless one of `LEADS` stands before them."""
LEADS = words_of("should must to by and with then my the first next own a our from-here just best i 'll now")

BEFORE_WORD = words_of(
    """go going move moving step stepping walk walking turn press with choose choosing pick select play playing is be to
    and will ll i just would head heading answer say name take straight me d should must s simply then for i'll vote
    option moves goes"""
)
"""What a plain word that is also a move ("right") may follow."""
FOLLOWS_WORD = re.compile(
    r"\s+(?:towards?|to|for|first|now|here|because|since|so|as|and|again|instead|from|by|put|where|at once|until|while"
    r"|into|this (?:turn|time|round|step|move|hand))\b",
    re.I,
)
"""What may follow such a word, if no mark does."""
CHANGE = re.compile(
    r"\b(?:wait|no|actually|instead|change|changing|scrap|scratch|rather|at first|first|final|finally|but|so|therefore"
    r"|hence|thus|still)\b",
    re.I,
)
"""A word that lets a later declaration take the place of an earlier one."""
LEAVES_IT = re.compile(
    r"\b(?:over|instead of|rather than|because|since|as|so that|which|while|to|from|with|on|between|not|than|that"
    r"|flipping|beside|near|next to)\b|[(;:—–]",
    re.I,
)
"""What stands between the move that is declared and another one that is only mentioned."""
