"""Whether the words around an answer take it back: a change of mind, a rejection, a refusal, being torn.

The forms are a closed list, and they are looked for at places where they speak of the answer, not anywhere in a text.
"""

from __future__ import annotations

import re

_APOSTROPHE = str.maketrans("’ʼ", "''")
_START = r"(?:^|[.!?…;:—–\n(*_]|\.\.\.|--|,)[\s\"“*_(]{0,6}"
_START += r"(?:(?:oh|hm{1,4}|but|and|so|well|okay|ok|ah|um|uh|yet)\b[,.…! ]{0,4}){0,3}"
_CHANGED = re.compile(
    rf"{_START}(?:wait\b(?! for| until| and see| a (?:turn|step))|hold on\b|hang on\b|on second thoughts?\b"
    rf"|scratch that\b|scrap that\b"
    r"|never ?mind\b|correction\b|on reflection\b|let me (?:re|think|check|look|double|start over|try again)"
    r"|no[,.!…]|nope\b|actually[, ]|oops\b|my mistake\b|sorry,|strike that\b|forget (?:that|it|what)\b"
    r"|ignore (?:that|the|my)\b"
    r"|i take (?:that|it) back\b|i(?: have|'ve)? changed? my mind\b|i need to (?:re|think|look)|come to think of it\b"
    r"|thinking about it (?:again|more)|rather,|instead,? (?:i|let)\b|or (?:maybe|perhaps|rather|should)\b)",
    re.I,
)
_REJECTED = re.compile(
    r"\b(?:reject(?:ed|ing)?|rul(?:ed|ing) (?:it|that|this) out|dismiss(?:ed|ing)?|discarded) (?:it|that|this"
    r"|both|them)\b"
    r"|\b(?:rejected|dismissed|ruled out|discarded|abandoned)\b(?=[^.!?\n]{0,40}(?:$|[.!?\n]))"
    r"|\b(?:is|was|would be|seems|looks|that's|it's) (?:not (?:my|the) (?:answer|move|action|choice|final)"
    r"|(?:just |only |merely )?an? "
    r"(?:bad|terrible|wrong|illegal|poor|weak) (?:move|idea|choice|answer|action)|a (?:mistake|blunder)|illegal"
    r"|not legal|not allowed)"
    r"|\b(?:is|was|would be) (?:only |just |merely )?(?:an example|for illustration|a placeholder"
    r"|the (?:expected |required )?format)\b"
    r"|\bnot (?:that|this) one\b|\bdo not (?:count|use|play|take|submit) (?:it|that|this)\b|\bdon't (?:count|use"
    r"|play|take|submit) (?:it|that|this)\b"
    r"|\bi (?:would not|wouldn't|will not|won't|do not|don't|should not|shouldn't) (?:want to |actually |really )?"
    r"(?:play|do|choose|pick|take|submit|go with|make|recommend|mean|want) (?:it|that|this)\b"
    r"|\b(?:is|was|would be) what (?:i (?:would|will|should) (?:not|never|avoid)|the other|my opponent|blue|black"
    r"|white)",
    re.I,
)
_REFUSED = re.compile(
    r"\bi(?:'m| am)? (?:sorry,? (?:but )?i )?(?:can't|cannot|can not|could not|couldn't|won't|will not|unable to"
    r"|not able to|refuse to"
    r"|decline to|do not|don't|would rather not|'d rather not|am unable to|am not able to|'m not able to|'m unable to)"
    r"(?: really| actually| yet)? (?:decide|choose|answer|pick|settle|commit|say which|tell which|make (?:a|that"
    r"|this|the) (?:move|decision|choice)"
    r"|play this game|play games|help with|know which|know what to (?:do|play|choose))"
    r"|\bi (?:leave|keep) it open\b|\bi'd rather not (?:answer|say|choose|decide)|\bi abstain\b|\bas an ai\b"
    r"|\bi refuse\b",
    re.I,
)
_TORN = re.compile(
    r"\btorn between\b|\bi(?:'m| am) torn\b|\bundecided\b|\b(?:haven't|have not|not yet"
    r"|hasn't) (?:yet )?(?:decided|settled|made up my mind)\b"
    r"|\bstill (?:weighing|thinking|deciding|undecided|not sure|unsure|considering)\b"
    r"|\b(?:might|may|could|would|is probably|is perhaps|seems|looks|is actually|is even) (?:actually |even "
    r"|perhaps |also )*(?:be )?"
    r"(?:slightly |much |a |an |the |actually |even )*(?:better|safer|stronger|wiser|preferable|best)\b(?! than)"
    r"|\b(?:either|both) (?:of them |of these |one |move |option |action )?(?:is|are|would|could|will|works?"
    r"|seems?) (?:be )?(?:\w+ )?"
    r"(?:fine|good|okay|ok|playable|possible|equally|do|work|the same)\b"
    r"|\bnot sure (?:whether|which|what|if (?:that|this|it)|about (?:that|this|it))\b|\bunsure (?:whether|which"
    r"|what|if|about)\b"
    r"|\bcoin flip\b|\bhard to (?:say|choose|decide)\b|\bwhat do you think\b|\bwhich (?:one )?(?:do|would) you\b"
    r"|\b(?:or|alternatively),? (?:maybe|perhaps|possibly|should|could|i could|one could|just)\b|\bit depends\b"
    r"|\bno idea\b",
    re.I,
)
_AS_ASKED = re.compile(
    r"(?:\bnot\b|n't\b|\bnever\b|\binstead of\b|\brather than\b|\bexample\b|\be\.g\b|\bfor instance\b|\bformat\b"
    r"|\bavoid\b|\breject"
    r"|\bif\b|\bwould have\b|\bsuch as\b|\bschema\b|\btemplate\b|\bunless\b|\bnor\b"
    r"|\bneither\b)[^.!?\n;:,]*[:,]?[\s`*_\"'“(]*\Z",
    re.I,
)
_NO_WORDS = " \t\r\n`*.$}"
_CLAUSE = 160  # how far back before an answer is looked


def unmeant(text: str, start: int, end: int) -> str:
    """Why the answer between two places of a text is not meant, by what stands around it; empty if it is."""
    if not_meant(text[text.rfind("\n", 0, start) + 1 : start]):
        return "the words before its answer deny it"
    return taken_back(text[end:])


def taken_back(after: str) -> str:
    """Why what follows an answer takes it back, as a clause; empty if it does not."""
    if len(after) < 4 or not after.strip(_NO_WORDS):
        return ""
    after = after.translate(_APOSTROPHE)
    for form, why in (
        (_CHANGED, "the reply changes its mind after its answer"),
        (_REJECTED, "the reply rejects its answer"),
        (_REFUSED, "the reply refuses to answer"),
        (_TORN, "the reply is torn after its answer"),
    ):
        if form.search(after):
            return why
    return ""


def not_meant(before: str) -> bool:
    """Whether the clause that leads to an answer denies it, or only says what an answer would look like."""
    return bool(before) and _AS_ASKED.search(before[-_CLAUSE:].translate(_APOSTROPHE)) is not None
