"""Words that leave an answer unsettled: behind it, in the sentence that declares it, or beside it in an object.

A reason, a condition or a contrast behind an answer is how people go on talking, and leaves it as it is. Not so words
that call the answer itself uncertain, a draft or somebody else's, or that wish to look again first.
"""

from __future__ import annotations

import re


def alternatives(text: str) -> str:
    """A pattern for what stands on the lines of a text, which are alternatives."""
    return "|".join(line.strip() for line in text.splitlines() if line.strip())


_UNSURE = alternatives(
    r"""unsure|uncertain\w*|toss-?up|fifty-fifty|50[-/]50|coin (?:flip|toss)|just a guess|guesswork|only guessing
    i(?:'m| am) (?:not|hardly|far from)(?: \w+){0,2} (?:sure|certain|confident|convinced|happy|comfortable)
    (?:may|might|could) (?:well )?(?:be (?:wrong|mistaken|off|missing)|have (?:mixed|confused|missed|misread"""
    r"""|miscounted|swapped|overlooked|mistaken|gotten?))|please (?:check|confirm|verify|correct|advise|double-?check)
    (?:is|are|was) (?:only|just|merely|purely) (?:an? |my )?(?:\w+ )?guess
    (?:could|may|might|can) (?:be|go) either(?: one| way)?|(?:both|either)(?: \w+)? (?:are|is) equally
    equally (?:likely|possible|plausible|probable)|(?:hard|difficult|impossible|no way) to (?:say|tell|know|predict)"""
    r""" (?:which|whether|for sure|for certain|without)
    (?:can't|cannot|can not|couldn't|could not) (?:really )?(?:tell|say|know|determine|predict) (?:which|whether)"""
)
_AGAIN = alternatives(
    r"""i(?:'d| would)? (?:need|want|have|should|must)(?: to)? (?:re(?:think|check|consider|count)|check)
    i(?:'d| would)? (?:need|want)(?: to)? (?:think|verify|confirm|decide|ask|more (?:time|info\w*|thought|details?))"""
)
_META = alternatives(
    r"""(?:is|was|as|only|just) (?:a|an|my|the|one) (?:placeholder|template|draft|joke|example|test|idea|suggestion)
    (?:is|are|was|were) (?:only |just |merely )?(?:an? |some )?(?:rough )?(?:outline|sketch|drafts|placeholders|guesses)
    (?:this|that|it) is (?:only |just |merely |really )?an? (?:\w+ )?guess
    (?:just|only) (?:testing|joking|kidding|messing)|(?:can't|cannot|couldn't|(?:can|did|do|have) not|didn't|don't)"""
    r""" (?:\w+ )?(?:see|seen) (?:the|any|an?|your) (?:picture|image|photo|screenshot|board)
    no (?:picture|image|photo|screenshot) (?:was|is|has been) (?:provided|attached|given|shown|included)
    (?:has|have|need|needs) (?:yet |still )?to be (?:filled|completed|decided|determined|chosen|worked)"""
    r"""|to be (?:decided|determined|filled)|todo|tbd
    (?:pending|tentative|undecided|provisional|kidding|not telling)|up to you|your (?:decision|call)|nothing counts"""
)
_NO_REASON = (
    r"\A[\s*_`\"')\]}]*\?"
    r"|\A\s*(?:(?:would|could|might) be (?:my|the|an?)|is what i (?:would|might|could))\b"
    r"|\A[\W_]*(?:place-?holder|template|draft|example|tentative|todo|tbd)\b"
    r"|\A(?:-[a-z]|'s\b|[*_`\"> ]*(?:was|were|probably|likely|above|below)\b)"
    r"|\A[\W_]*:\s*(?:empty|free|open|blocked|taken|occupied|[XO]|none)\b\W*(?:\Z|\n|\.)"
    r"|\A\W*(?:according to\b|(?:they|he|she|people|everyone|books?) (?:\w+ )?(?:say|says|said|claims?)\s*(?:[.!,;]|$))"
    r"|\A\W*(?:(?:said|says|shouts?|asks?|away|to be \w+|would (?:have|need|require|mean)|and (?:you )?(?:lose"
    r"|fail|resign))\b|after \w+ \w+s\b)"
    r"|\A[\s*_`\"')]*\(\s*(?:if|unless|only|assuming|provided|in case|blocked|taken|occupied|illegal|invalid|rejected"
    r"|not\b|no\s*\))|\A\W*:\s+(?:[\"“]|my\b|i\b)|\A,\s*(?:please|explain|tell|why|what)\b"
    r"|[.;,]\s+(?:but |and )?(?:with|holding|given|on) (?:the |an? )\w+,? (?:it|they|he|she|player_\d|you|i)"
    r"(?:'d|'ll)? (?:will|would|should|usually|always|likely|probably)\b"  # another case
)
_AFTER = re.compile(rf"{_NO_REASON}|\b(?:{_UNSURE}|{_AGAIN}|{_META})\b", re.I)
"""What may not stand behind an answer."""
_NOT_KNOWN = alternatives(
    r"""pas (?:très |tout à fait )?(?:sûre?|certaine?)|je (?:ne )?sais pas|j'hésite|soit [^.\n]{1,60}\bsoit|ou bien
    entweder|nicht (?:ganz )?sicher|unsicher|weiß (?:es )?nicht|no (?:lo )?sé|no estoy segur[oa]|o bien|não sei"""
    r"""|não tenho certeza
    non (?:lo )?so|non sono sicur[oa]|indecis[oa]?|не знаю|не уверена?|сомневаюсь|либо|niet zeker"""
    r"""|weet (?:het )?niet|nie wiem
    inte säker|emin değilim|unsure|uncertain|undecided|on the fence"""
)
_BEFORE = re.compile(
    rf"\b(?:{_NOT_KNOWN})\b|不确定|不知道|不清楚|犹豫|还没决定|わからない|分からない|迷って|모르|확실하지", re.I
)
"""What may not stand before a declaration in prose, unless another sentence settles it."""
_ATTRIBUTED = alternatives(
    r"""according to|told (?!about|of)\w+|recommends?|advises?|suggests?|suggest(?:ion|ed)|propos(?:e|es|al)"""
    r"""|confirm|the (?:book|engine|manual|guide|textbook)
    (?:the|my|a|an|some|most|many|your) (?:coach|teacher|friend|engine|expert|experts|people|players|beginners?"""
    r"""|novice|master|grandmaster)
    (?:someone|somebody|anyone|everyone|everybody|people|others) (?:else )?(?:would|might|could|says?|said"""
    r"""|plays?|goes|go|should)
    yours|up to you|you (?:should|could|might|can|may|want|would)|repertoire|candidates?|postponed?|opponent's"""
    r"""|(?:my )?(?:rating|ranking|score)
    i (?:want|need) (?!to\b)\w+(?: \w+)? to|(?:tell|ask|urge|beg|order|instruct) (?!me\b)\w+(?: \w+)? to
    placeholder|template|draft|pretend\w*
    toss-?up|doubt\w*|unclear|blur\w*|hesita\w*|tempted|tentativ\w*|inclin(?:ed|ing)|lean(?:ing)? towards?"""
    r"""|the question|to be (?:decided|determined|confirmed|chosen|announced|seen|found)|tbd
    (?:answer|meet|counter|reply to|respond to|react to) (?!it|this|that|them)[\w.<>]+ (?:with|by)
    (?:defend|side with|stand (?:by|with)|vote with|support|protect|agree with|whoever) player_\d|simulat\w+"""
    r"""|scenario|probability
    (?:not|n't) (?:\w+ )?(?:sure|certain|confident|convinced)|used to|yesterday|in most|usually"""
)
_SENTENCE = re.compile(
    rf"\b(?:{_ATTRIBUTED})\b|^\W*(?:(?:so|now|and|let's|let me) )?(?:say|suppose|imagine|picture"
    rf"|what if)\b(?! [A-Z<*`\"]\S*\W*$)",
    re.I,
)
"""What may not stand in the sentence that declares a move, before the move."""
_REJECTED = re.compile(
    r"\b(?:rul(?:e|ing) out|exclud(?:e|ing)|eliminat(?:e|ing)|reject(?:ing)?|dismiss(?:ing)?|giv(?:e|ing) up"
    r"|abandon(?:ing)?)"
    r"\b[^,;.:]*\Z|\b(?:(?:left|right|north|south|east|west) of|(?<!i )(?<!can )see) \S+\Z",
    re.I,
)
_SIDE = r"(?:the |my |an? )?(?:opponent|other (?:player|side)|(?-i:[XO])|black|white|red|blue)\b"
_OTHER_SIDE = re.compile(rf"\b(?:as|for|playing|in place of|instead of me as) {_SIDE}(?!'| \w+s? (?:is|are|has))", re.I)
"""What makes a sentence one about the other side, if the own one is not named in it."""
_ONE_OF_MANY = re.compile(
    r"(?<!most )\b(?:probably|likely|pending)\b|\b(?:an?|one|another|some)(?: \w+)? (?:good|possible|legal|valid"
    r"|strong|reasonable|decent|candidate|interesting|sensible)"
    r" (?:move|action|choice|option|cell|square|one)\b",
    re.I,
)
"""What calls a move one of several that could be made."""
NO_LABEL = re.compile(r"[\W_]*(?:(?:my|the|key|main)\s)?(?P<noun>[A-Za-zÀ-ÿ]+)\W*", re.I)
_OTHER_DOES = re.compile(
    rf"\b{_SIDE} (?:should|must|will|would|could|can|may|might|ought|takes?|plays?|goes)\b(?:(?!\bi\b"
    rf"|\bso\b)[^.!?;])*\Z",
    re.I,
)
_OWN_DEED = re.compile(r"\bi(?:'ll| will)? (?:play|take|go|move|choose|place|answer|reply|respond|put)\b", re.I)


ONLY_JUDGED = re.compile(
    r"\s*(?:[\w'-]+\s+){0,6}?(?<!because )"
    r"(?:would|could|might|may|seems?|looks?|costs?|feels?|are|comes?|is (?!above|below))\b",
    re.I,
)
JUDGED = re.compile(
    r"\s*(?:(?:for (?:now|the \w+(?: being)?)|at \w+ \w+|right now)\s+(?!because|since|as|so|to|and|but|in)[a-z]"
    r"|,[^,.;:\n]{3,60},\s(?:is|are|was|comes?|looks?|seems?|would|gives?|ends?|has|have)\b)",
    re.I,
)  # the move is what a sentence is about: "E6 for now looks …"


def undeclared(before: str, sentence: str, rest: str, role: str, own: bool) -> str:
    """Why a move that a sentence declares is not one's own or not settled, by the words before and right behind it."""
    concluded = re.split(r"\b(?:so|hence|thus|therefore)\b(?=,?\s)", sentence)[-1]
    if _SENTENCE.search(concluded) or _REJECTED.search(sentence) or _BEFORE.search(before):
        return "the words before its move leave it in doubt"
    if not own:
        return ""
    if _ONE_OF_MANY.search(sentence):
        return "it calls its move one of many"
    others = re.sub(rf"\b{re.escape(role)}\b", "", sentence + rest, flags=re.I) if role else sentence + rest
    return "it speaks of the other side" if _OTHER_SIDE.search(others) or _OTHER_DOES.search(sentence) else ""


def is_line_of_play(sentence: str, moves: int) -> bool:
    """Whether somebody makes two or more of several moves in one sentence."""
    return moves > 2 and len(_OWN_DEED.findall(sentence)) > 1


def asks_back(after: str) -> bool:
    """Whether something is asked behind an answer, other than why, what the other does, or whether more is wanted."""
    asked = (one for one in _SENTENCES.split(after[:4000]) if one.endswith("?")) if "?" in after else ()
    return any(not _IDLE_QUESTION.search(one) for one in asked if re.search(r"\w", one))


def unsettling(after: str) -> bool:
    """Whether what follows an answer says that it is not settled."""
    return _AFTER.search(after) is not None


_SENTENCES = re.compile(r"(?<=[.!?\n])")
_IDLE_QUESTION = re.compile(
    r"^\W*(?:why|how so|what for|what next|ready|what now)\b|\bwill you\b"
    r"|\byour (?:next )?(?:move|turn|reply|response|clue|answer|plan)\b"
    r"|\b(?:explain|help|else|details|questions|walk you|elaborate|anything|another (?:game|round))\b"
    r"|,\s*(?:is|are|was|were|do|does|did|has|have|can|will|would)(?:n'?t)?\s+(?:it|they|he|she|that|there|we)"
    r"(?:\s+not)?\s*\?\Z",  # what is only said as a question
    re.I,
)
NOT_FINAL = re.compile(
    r"\b(?:draft|pending|tentative|undecided|provisional|placeholder|un(?:sure|certain)|not (?:final|sure|certain)"
    r"|ignore|discard)\b",
    re.I,
)
"""What a remark in an object says if its answer is not one yet."""
ANOTHER = re.compile(
    r"\b(?:option|plan|alternative|variant|version|choice|candidate|possibility|path|answer|set|list)"
    r" (?:[b-f]|[2-9]|two|three)\b"
    r"|\b(?:otherwise|alternatively|alternative|the other way|or else|second (?:option|plan|possibility))\b",
    re.I,
)
"""What calls an answer another one of several."""
