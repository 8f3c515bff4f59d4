"""Whether a list in a reply is given as the answer: a plan, paths or names, by what stands before, behind and in it.

A list is long, so what is said about it stands in the words that lead to it: the rest of its sentence, and the line
above where no sentence ends there. Words that call it a draft, an example, one of several, somebody
else's or what is left out make it no answer, and nor is one with a gap in it.
"""

from __future__ import annotations

import re
from typing import Any

from mmgames.text.answer_labels import (
    CALL_KEYS,
    CASE_KEYS,
    INSPECTS,
    OPEN_KEYS,
    OTHER_KEYS,
    REMARK_KEYS,
    SETTLED_KEYS,
    are_known,
    plain_words,
    words_of,
)
from mmgames.text.doubts import NOT_FINAL, alternatives
from mmgames.text.retractions import CHANGES, chooses, revoked, taken_back

GAP = re.compile(
    r"[\s.…?_*-]*(?:\.\.\.|…|\?|\b(?:todo|tbd|tba|etc|xxx+|n/a|placeholder|fill(?:ed)? in|and so on|to be \w+)\b)"
    r"[\s.…?_*-]*|<[^<>]*>|(?:more|other|further|remaining|same|rest)\b[^\"]*",
    re.I,
)
"""What stands for something that is left out, as a whole string."""
_LEFT_OUT = re.compile(r"\.\.\.|…|\b(?:todo|tbd|etc|and so on|omitted|remaining|further|to be \w+|fill in)\b", re.I)
"""What a comment says in the place of something that is left out."""
_MOST, _CLAUSE = 4000, 400  # how far around a list, and how far back in its line, is looked
_MARKS = " \t*_`\"'("
_ENDS = re.compile(r"[.!?](?=\s)|\n")
_CONCLUDES = re.compile(r"\b(?:so|hence|thus|therefore|finally|final|in the end|instead)\b(?=,?\s+\w),?", re.I)
_FENCE = re.compile(r"^[ \t]*```[\w+-]*[ \t]*$", re.M)
_FORM = re.compile(rf"{_FENCE.pattern}|<[^<>\n]{{1,40}}>|\$*\\boxed\s*{{", re.M)
"""What an answer may be wrapped in."""
_LEADS_ON = re.compile(r"[ \t]*(?:#{1,6}\s|\*\*[^*\n]+\*\*:?\s*\Z|[^\n]*[^.!?。\s][*_ \t]*\Z)")
_UNSETTLED = alternatives(
    r"""drafts?|sketch\w*|outlines?|rough(?:ly)?|place-?holders?|tentative\w*|provisional\w*|preliminary|unverified|untested
    incomplete|partial\w*|hypothetical\w*|simulat\w*|initial(?:ly)?|pending|tbd|todo|unsure|uncertain|guess\w*|random\w*
    made up|invented|verif\w*|check\w*|confirm\w*|discuss\w*|feedback|review|lean\w*|tempted|tend|inclin\w*|consider\w*
    thinking|thought|maybe|perhaps|possibly|probably|could|might|may|(?<!\bi )would|if|unless|otherwise|depend\w*
    whether|supposing|assuming|suppose|dummy|sample|input|once|similar|approval|vielleicht|möglich\w*|entwurf|peut-être
    beginning|begins?|start\w*|so far|at least|part|first (?:\w+ )?(?:steps?|part|half)
    provisoire|brouillon|quizás?|tal vez|borrador|talvez|rascunho|forse|bozza|misschien|возможно|черновик"""
)
_SHOWN = alternatives(
    r"""templates?|examples?|instance|such as|e\.g|illustrat\w*|schema|syntax|looks? like|naive|wrong|incorrect|invalid
    (?:the |asked |expected |required |this |following )format|illegal|bad|previous(?:ly)?|earlier|old|idle|unused
    last (?:time|attempt|turn)|left out|excluded|omit\w*|cannot|not|never|neither|nor|except|(?:everything|all) but
    no|without|beispiel\w*|nicht|exemple|pas|ejemplo|exemplo|esempio|bijvoorbeeld|например|не"""
)
_OTHERS = alternatives(
    r"""suggest(?:s|ed|ion)?|propos(?:e|es|ed|al)|choose from|recommend(?:s|ed)|according to|someone|somebody|anyone
    everyone|prompt
    the (?:user|question|manual|expert|solver)|(?:partner|friend|opponent|teammate) \w+(?:s|ed|d|t)\b
    you (?:want|could|might|said|say|gave|wrote|would)"""
)
_SEVERAL = alternatives(
    r"""(?:first|second|another|one|an?|third) (?:option|alternative|possibility|candidate|way|idea|attempt|try|version)
    option (?:[a-f]|\d|one|two)|plan [b-f]|alternative\w*|candidates?|available|possible|choices
    all (?:the )?(?:types|robots)|either|or|with hands|in the (?:scene|kitchen|picture|room)|shown|present|listed"""
)
_LEADS_AWAY = re.compile(
    rf"\b(?:{_UNSETTLED}|{_SHOWN}|{_OTHERS}|{_SEVERAL})\b|n't\b|\?|例如|比如|例えば|たとえば|예를|可能|也许|草案|不是",
    re.I,
)
"""What makes the list behind it no answer."""
_GIVES = re.compile(
    r"(?:\b(?:is|are|be|as|choose|pick|use|select|say|answer|activate|take|send|needs?|with|for|types?|robots?|plan"
    r"|paths?|matrix|list|namely|follows?|ist|lautet|sind|est|sont|es|son|é|são|è|sono|это)|[=→]|->|=>|是|为|は)[\s*_`\"'(]*\Z",
    re.I,
)
"""How words end that give the list behind them, without a colon."""
_LISTS = words_of(
    """plan plans path paths types type robots robot list lists steps step matrix trace traces board solution needed
    acting active activated team actors output full complete shortest here's here is are should act r1 r2 r3 r4 own both
    all two and as follows follow following json of in for with partner's plano piano chemin chemins pfad pfade roboter
    typen robôs voici hier ist aqui está este es ecco il le la 计划 最终计划 答案 路径 机器人 最终答案 計画 계획 план"""
)
"""Words of a short label before a list, besides those of any answer."""
_ASKS = re.compile(r"^\W*(?:is|are|was|were|should|shall|would|could|can|does|do|what|how|which)\b", re.I)
_ASKS_OF_IT = re.compile(
    r"^\W*(?:is|are|does|do|would|could|can|should|will|may)\b.*\b(?:this|that|it|these|they|following)\b.*\?\W*\Z",
    re.I,
)
_ACT = r"(?:should|must|will|act|acts|acting|needed|chosen|required|best|used?|do|does|so|thus|hence|therefore)"
_THERE_ARE = re.compile(
    rf"^\W*(?:the |all |my |our |your |these )?(?:\w+ ){{0,2}}?(?:robots?|types?|things?|agents?|places?)\b"
    rf"(?:(?!\b{_ACT}\b)[^:])*\b(?:are|is):?\W*\Z"
    rf"|^\W*(?:the |all )?(?:robots|types|things) (?:that|which|with|in|of)\b(?:(?!\b{_ACT}\b).)*\Z",
    re.I,
)
"""A sentence that only says what there is."""
_BEHIND = re.compile(
    r"\A[\s*_`\"')\]}]*(?:…|\.\.\.|\+ |\(?(?:to be )?continued\b|and (?:then|so on)\b|etc\b|plus\b|minus\b)"
    r"|\b(?:the rest|(?:remaining|other|next|missing) steps)\b"
    r"(?! of (?:the robots|them)| (?:stay|wait|are idle|do nothing))"
    r"|\A[ \t*_`\"')\]}]*(?:would|could|might|was|were|looks|seems|fails"
    r"|(?:is|are)\b(?! (?:my|the (?:answer|best|plan|right|correct)|enough|needed|required|sufficient))"
    r"|,? ?(?:but|except|unless|if|or|and (?:it|this|that))\b)|\A[`\s]*[^.!?\n]*\?"
    r"|\b(?:outline|sketch|place-?holders?|made[- ]up|invented|guess(?:ing|work|es)?|random|arbitrary|template"
    r"|incomplete|unverified|for illustration|just an? (?:example|idea)|omitted|left out|filled in|to be \w+ed|todo"
    r"|tbd)\b",
    re.I,
)


def is_given(text: str, start: int, end: int) -> bool:
    """Whether the list between two places of a text is its answer, by the words around it."""
    above, lead = _lead(text[:start])
    if _THERE_ARE.search(lead) and not _CONCLUDES.match(lead):
        return False
    if any(_LEADS_AWAY.search(one) or _ASKS.search(one) for one in (above, lead)):
        return False
    if lead.strip(_MARKS) and not _gives(lead):
        return False
    after = _FENCE.sub("", text[end : end + _MOST])
    return not (_BEHIND.search(after) or taken_back(after))


def _lead(before: str) -> tuple[str, str]:
    """The line above that leads to a list, and the words of its own line, both from their last conclusion on."""
    lines = _FORM.sub("", before[-_MOST:]).split("\n")
    own = lines.pop()
    above = next((line for line in reversed(lines) if line.strip()), "")[-_CLAUSE:]
    leads = _LEADS_ON.match(above) or _ASKS_OF_IT.match(above)
    above = above if leads and not own.strip(" \t*_`>-") else ""
    return _conclusion(above), _conclusion(own[-_CLAUSE:])


def _conclusion(line: str) -> str:
    """The last sentence of a line, from the last word on that draws a conclusion."""
    last = _ENDS.split(line.rstrip())[-1] if line.strip() else ""
    marks = list(_CONCLUDES.finditer(last))
    return last[marks[-1].start() :] if marks else last


def _gives(lead: str) -> bool:
    """Whether words lead to a list: a sentence or a known label before a colon, or one that is said to be so."""
    if not lead.rstrip(_MARKS).endswith((":", "：")):
        return _GIVES.search(lead) is not None
    words = [word.strip("*_(),") for word in plain_words(lead.strip(_MARKS + ":：#>-"))]
    return len(words) > 3 or are_known(words, _LISTS)


def overrules(gap: str) -> bool:
    """Whether the words between two lists let the later one stand: one of them takes the first back."""
    return chooses(gap) and CHANGES.search(gap) is not None


def is_gap(said: Any) -> bool:
    """Whether a value stands for something that is left out."""
    return said is None or (isinstance(said, str) and (not said.strip() or GAP.fullmatch(said.strip()) is not None))


def has_gap(value: Any) -> bool:
    """Whether something is left out anywhere in a decoded list."""
    if isinstance(value, dict):
        return any(has_gap(item) for item in value.values())
    return any(map(has_gap, value)) if isinstance(value, list) else is_gap(value)


def leaves_out(comment: str) -> bool:
    """Whether a comment stands for something that is left out."""
    return _LEFT_OUT.search(comment) is not None


def leaves_open(key: str, value: Any) -> bool:
    """Whether a member of an object says that the answer beside it is not one yet, or only in some case."""
    if isinstance(value, bool):
        return key in (SETTLED_KEYS if value is False else OPEN_KEYS)
    if not isinstance(value, str) or not value.strip():
        return False
    return key in CASE_KEYS or (key in REMARK_KEYS and bool(revoked("\n" + value) or NOT_FINAL.search(value)))


def is_open(members: dict[Any, Any]) -> bool:
    """Whether an object that holds a list says that it is no answer: by a remark, another one, or a tool that looks."""
    return any(_is_open(str(key).casefold(), value) for key, value in members.items())


def _is_open(key: str, value: Any) -> bool:
    looks = key in CALL_KEYS and isinstance(value, str) and INSPECTS.match(value) is not None
    return looks or leaves_open(key, value) or (key in OTHER_KEYS and bool(value))
