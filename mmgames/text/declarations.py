"""Final declarations in prose, for the lenient reader: a closed set of forms in which somebody says what they do.

"My move is B2.", "I'll go with <UP>.", "The answer is C.", "Going down.", "B2 it is", a last line that is only a move,
a last word in bold. A move that merely occurs in a sentence is none. A sentence that denies, asks, supposes, names two
moves or speaks of a later turn or of somebody else declares nothing, and what follows a declaration may take it back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from mmgames.text.answer_labels import is_label, words_of
from mmgames.text.move_names import Mention, Moves
from mmgames.text.retractions import not_meant, taken_back

_APOSTROPHE = str.maketrans("’ʼ", "''")
# Where a sentence ends: a line break, or a mark with a space behind it; "1. e4", "1...e5" and "C. more" do not end one.
_SENTENCE_END = re.compile(r"(?<![\s(][0-9])(?<!^[0-9])(?<![\s(*][A-H])[.!?。！？]+[\"”*_`)]*(?=\s|$)|\n+|[。！？]")
_ADVERBS = (
    "now|just|simply|therefore|thus|hence|instead|rather|definitely|still|nevertheless|then|also|first|hereby"
    "|first of all"
)
_VERBS = (
    r"go(?:ing)? (?:with|for)|go(?:ing)?|play(?:ing)?|choos(?:e|ing)|chose|pick(?:ing)?|select(?:ing)?|tak(?:e"
    r"|ing)|mov(?:e|ing)|"
    r"plac(?:e|ing)|put(?:ting)?|start(?:ing)?|begin(?:ning)?|open(?:ing)?|reveal(?:ing)?|flag(?:ging)?"
    r"|press(?:ing)?|drop(?:ping)?|"
    r"cast(?:ing)?|vot(?:e|ing)|nam(?:e|ing)|mak(?:e|ing)|say|answer(?:ing)?|advanc(?:e|ing)|develop(?:ing)?"
    r"|writ(?:e|ing)|fill(?:ing)?|"
    r"enter(?:ing)?|push(?:ing)?|captur(?:e|ing)|roll|stop|pass|bet|call|fold|check|stay(?:ing)?|hold(?:ing)?"
    r"|step(?:ping)?|walk(?:ing)?|"
    r"head(?:ing)?|turn(?:ing)?|interact|hint(?:ing)?|discard(?:ing)?|tell(?:ing)?|giv(?:e|ing)|settl(?:e|ing)"
    r"|stick(?:ing)?|commit(?:ting)?|"
    r"opt(?:ing)?|claim(?:ing)?|keep(?:ing)?|wait(?:ing)?|submit(?:ting)?|respond|reply|set|us(?:e|ing)"
    r"|try(?:ing)?|test|prefer|castle|"
    r"slow-play|give up|decid(?:e|ed) (?:on|for)|guess|mark(?:ing)?|click(?:ing)?|tap(?:ping)?|cut(?:ting)?|grasp"
    r"|reach|lock(?:ing)? in|change (?:it )?to|switch to"
)
_CLAUSE_START = r"(?:^|[.!?;:,—–→(\"“]\s*|\s-\s|\b(?:so|and|thus|hence|therefore|but|then|now)\s+)[*_#>\s-]{0,4}"
_I = re.compile(
    rf"{_CLAUSE_START}i(?:'ll| will| shall|'m going to| am going to|'m gonna|'d like to| would like to|'d rather"
    rf"| would rather|'d better"
    rf"|'d| would| want to|'ve decided to| have decided to| decided to| am|'m|'m just going to| am now going to)?"
    rf"\s+(?:(?:{_ADVERBS})\s+)*(?:{_VERBS})\b",
    re.I,
)
_LET = re.compile(rf"{_CLAUSE_START}let(?:'s| us| me)\s+(?:(?:{_ADVERBS})\s+)*(?:{_VERBS})\b", re.I)
_DOING = re.compile(
    r"^[\W_]*(?:so,? |therefore,? |thus,? |hence,? )?(?:i'm )?(?:going|playing|moving|choosing|picking|taking"
    r"|selecting|stepping|heading|placing|voting|revealing|opening)"
    r"(?: with| for| to)?\b",
    re.I,
)
_ANSWER = (
    r"(?:move|action|answer|choice|decision|pick|vote|option|guess|prediction|play|selection|final|reply|response"
    r"|verdict)"
)
_OF_ANSWER = (
    r"my|the|final|best|correct|chosen|next|right|safest|optimal|selected|preferred|only|strongest|first|own|most"
    r"|sensible|"
    r"logical|reasonable|natural|good|a|legal|possible|valid|obvious|forced|winning|recommended|ideal"
)
_IS = re.compile(
    rf"{_CLAUSE_START}(?:(?:{_OF_ANSWER})\s+)+{_ANSWER}(?:\s+(?:here|now|for (?:me|the \w+ player|this turn"
    rf"|this position|now)|this turn|"
    rf"in this position|in this case|therefore|then|thus|is therefore))?\s*(?:is|will be|would be|must be|goes to"
    rf"|becomes|remains|:|=)+[\s:]*"
    r"(?:to (?:be )?|therefore |thus |clearly |simply |probably )?",
    re.I,
)
_LABEL = re.compile(r"(?:^|[.!?]\s+)[*_#\s]{0,4}(?P<label>[a-z][a-z ]{1,24})[*_]{0,2}\s?:[*_\s]{0,3}", re.I)
_THAT_IS = re.compile(
    r"(?:\b(?:so|thus|hence|therefore|which),?\s+(?:that's|that is|it's|it is|is)|^[\W_]*(?:that's|that is"
    r"|it's))\s+(?:option|answer|choice)?\s*",
    re.I,
)
_OPTION = re.compile(r"^[\W_]*option\s+", re.I)
_AFTERWARDS = re.compile(
    r"\s*(?:it is\b|is (?:my|the) (?:final |best |own |chosen )?(?:answer|move|choice|action|pick|decision|vote)"
    r"|is what i(?:'ll| will)? (?:play|choose|do|pick)"
    r"|(?:it|this) (?:will|shall) be|for me\b)",
    re.I,
)
_DENIED = re.compile(
    r"\b(?:not|never|neither|nor|cannot|avoid|without|no longer|refuse|except|hardly|barely)\b|n't\b|\brather not\b",
    re.I,
)
_SUPPOSED = re.compile(
    r"\b(?:if|unless|whether|in case|suppose|assuming|provided|were to|had i|once|whenever|as soon as|until|could"
    r"|might|may|maybe|perhaps|possibly"
    r"|thought (?:of|about)|thinking (?:of|about)|considered|tempted|wanted|was going|would have|at first"
    r"|initially|originally|usually|normally|typically|for example|for instance|such as)\b",
    re.I,
)
_LATER = re.compile(
    r"\b(?:next (?:turn|step|i)|after (?:that|this|which)|afterwards|later|followed by|subsequently"
    r"|in the following|then i|eventually|soon)\b|^\W*(?:then|next)\b",
    re.I,
)
_ALTERNATIVES = re.compile(
    r"\b(?:or|and|either|both|all|maybe|perhaps|could|might|may|alternatively)\b|^\s*[,/|]", re.I
)
_OTHERS = re.compile(
    r"\b(?:opponent|he|she|they|you|your|their|his|her|partner|other player|player_\d|everyone|somebody)\b", re.I
)
_BREAK = words_of(
    """because since if when but that which whether or not than unless while before after who where why how"""
)
_BEFORE_WORD = words_of(
    """go going move moving step stepping walk walking turn press with choose choosing pick select play playing is
    be to and will ll i just would head heading answer say name take down-to straight → : me'll d should must s
    simply then for"""
)
_AFTER_WORD = words_of(
    """towards toward to for first now here this because since so as and again instead from by put where at once
    until while one-step into with on"""
)
_MOST_FILLERS = 16
_CHANGE = re.compile(
    r"\b(?:wait|no|actually|instead|change|changing|scrap|scratch|rather|at first|first|final|finally|but|so"
    r"|therefore|hence|thus|still)\b",
    re.I,
)
_BOLD_AT_END = re.compile(r"(?:\*\*|__|`)(?P<said>[^*_`\n]{1,60}?(?:_[^*_`\n]{1,20})?)[.!]?(?:\*\*|__|`)[\s.!)]*$")
_LETTERED = re.compile(r"[\W_]*\(?[A-H]\)?[).:]\s")  # "C. more black"
_FENCE = re.compile(r"^[ \t]*```\w*[ \t]*$", re.M)
_BULLET = re.compile(r"^[ \t]*(?:[-*•+]|\d+[.)])[ \t]+")
_POINTER = re.compile(r"^[ \t]*(?:#{1,6}|[^\w\s<>()\[\]{}\"'`*_.,+-]{1,3})[ \t]+")


class Declared(NamedTuple):
    """What a text declares: the moves it can mean, and where that ends; or why nothing can be told."""

    actions: frozenset[Any]
    why: str = ""


class _Found(NamedTuple):
    end: int
    actions: frozenset[Any]
    start: int
    final: bool = False


def declared(text: str, moves: Moves) -> Declared | None:
    """What a text without a structured answer declares at last; None if nothing."""
    text = _FENCE.sub(lambda fence: " " * len(fence[0]), text.translate(_APOSTROPHE))
    found = sorted([*_sentences(text, moves), *_last_line(text, moves), *_bold_end(text, moves)])
    found = [one for one in found if one.actions]
    if not found:
        return None
    last = found[-1]
    why = taken_back(text[last.end :])
    if why:
        return Declared(frozenset(), why)
    for earlier in found[:-1]:
        same = earlier.actions & last.actions
        if not same and not last.final and not _CHANGE.search(text[earlier.end : last.start + 30]):
            return Declared(frozenset(), "the reply declares two moves")
    return Declared(last.actions)


def read_line(said: str, moves: Moves) -> Declared:
    """What the rest of a labelled line says: a move alone, or a move with a remark behind it."""
    if found := moves.spelled(said):
        return Declared(frozenset(found))
    said = said.translate(_APOSTROPHE)
    for mark in re.finditer(
        r"\s+\(|[,;.!:)](?=\s|$)|\s+[-–—]+\s|\s+(?:because|since|as|so|to|for|towards?|in order|which)\b", said
    ):
        if mark.start() == 0:
            continue
        head, rest = said[: mark.start()], said[mark.start() :]
        if found := moves.spelled(head):
            others = [one for one in moves.mentions(rest) if not one.a_word and not one.actions & found]
            if re.match(r"[\s,;.(*_]*(?:or|and|/|\|)\b", rest) or (others and _ALTERNATIVES.search(rest)):
                return Declared(frozenset(), "the reply names more than one move")
            if why := taken_back(rest):
                return Declared(frozenset(), why)
            letters = re.match(r"[).:,]\s*(?P<option>.+?)[*_.\s]*$", rest)
            meant = moves.named(letters["option"]) if letters and len(head.strip("*_(` ")) == 1 else set()
            return Declared(frozenset(found | meant))
    return Declared(frozenset())


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """The sentences of a text, by where they begin and end."""
    start = 0
    for end in _SENTENCE_END.finditer(text):
        if text[start : end.end()].strip():
            yield start, end.end()
        start = end.end()
    if text[start:].strip():
        yield start, len(text)


def _sentences(text: str, moves: Moves) -> Iterator[_Found]:
    """What single sentences declare."""
    for start, end in _spans(text):
        sentence = text[start:end]
        if len(sentence) > 2000 or "?" in sentence:
            continue
        mentions = moves.mentions(sentence)
        if not mentions:
            continue
        for form in (_IS, _I, _LET, _DOING, _THAT_IS, _OPTION, _LABEL):
            one = _by_form(form, sentence, mentions, moves)
            if one is not None:
                break
        else:
            one = _named_first(sentence, mentions)
        if one is not None:
            final = "final" in sentence.lower()
            yield _Found(start + one.end, one.actions, start, final)


def _by_form(form: re.Pattern[str], sentence: str, mentions: list[Mention], moves: Moves) -> Mention | None:
    """The move that the last clause of this form in a sentence declares."""
    for opening in reversed(list(form.finditer(sentence))):
        if form is _LABEL and not is_label(opening["label"]):
            continue
        before = sentence[: opening.start()]
        if (_SUPPOSED.search(before.rpartition(". ")[2]) and form is not _IS) or _LATER.search(
            sentence[: opening.end()]
        ):
            continue
        if form in (_IS, _LABEL) and (_DENIED.search(opening[0]) or re.search(r"\bif\b", before, re.I)):
            continue
        begin = opening.end() if form in (_IS, _LABEL, _THAT_IS, _OPTION) else opening.start()
        candidates = [one for one in mentions if one.end > begin + (form in (_I, _LET, _DOING))]
        exact = [one for one in candidates if not one.a_word] or [
            one for one in candidates if _word_counts(sentence, one, form)
        ]
        if not exact:
            continue
        first = exact[0]
        if _leads_to(sentence, opening, begin, first, form, moves) and _goes_on(sentence, first, exact):
            return first
    return None


def _word_counts(sentence: str, mention: Mention, form: re.Pattern[str]) -> bool:
    """Whether a plain word that is also a name ("right") stands where only a move can stand."""
    said = sentence[mention.start : mention.end]
    before = re.findall(r"[\w→:]+|-", sentence[: mention.start].casefold())[-1:]
    rest = sentence[mention.end :].lstrip('*_`"')
    after = re.match(r"\s*(\w+)", rest)
    if len(said) == 1:
        return (
            said.isupper() and form in (_IS, _THAT_IS, _OPTION, _LABEL) and (after is None or not rest.startswith(" "))
        )
    closed = (
        not rest.strip()
        or rest.lstrip()[:1] in ".,!;:)—–"
        or (after is not None and after[1].casefold() in _AFTER_WORD)
    )
    return closed and (
        not before
        or before[0] in _BEFORE_WORD
        or (form in (_IS, _LABEL, _THAT_IS) and sentence[: mention.start].rstrip()[-1:] == ":")
    )


def _leads_to(
    sentence: str, opening: re.Match[str], begin: int, first: Mention, form: re.Pattern[str], moves: Moves
) -> bool:
    """Whether what stands between the opening of a declaration and its move leads there, and to nothing else."""
    between = sentence[opening.end() : first.start] if first.start > opening.end() else ""
    between = re.sub(r"\([^()]*\)", " ", between)
    if _DENIED.search(between) or re.search(r"\bif\b|\bunless\b", between, re.I):
        return False
    words = re.findall(r"<[A-Z_-]+>|[\w'+-]+", between)
    if any(moves.looks_like_move(word) for word in words):
        return False
    if form in (_IS, _THAT_IS, _OPTION, _LABEL):
        return (
            len(words) <= 10
            and (not words or ":" in between or len(words) <= 5)
            and not _BREAK & {word.casefold() for word in words}
        )
    tail = between.rpartition(":")[2]
    apart = ":" in between or sentence[first.start - 2 : first.start] == "**"
    most = 30 if apart else _MOST_FILLERS
    return len(words) <= most and not (
        (_BREAK - {"that"} if apart else _BREAK)
        & {word.casefold() for word in re.findall(r"[\w']+", tail if apart else between)}
    )


def _goes_on(sentence: str, first: Mention, exact: list[Mention]) -> bool:
    """Whether the rest of the sentence leaves it at the one move."""
    rest = sentence[first.end :]
    others = [one for one in exact if not one.actions & first.actions and one.start > first.end]
    if len(first.actions) != 1:
        return False
    if re.match(r"[\s*_`\">)]*(?:,\s*)?(?:or|and/or|/|\||nor)\b", rest, re.I) or re.match(r"[\s*_`\">)]*[/|]", rest):
        return False
    if re.search(r"(?<!even )\b(?:if|unless|depending on|provided)\b", rest, re.I) and not re.search(
        r"[,;]\s*(?:and|as|because|since)\b", rest
    ):
        return False
    if others:
        gap = sentence[first.end : others[0].start]
        if re.search(r"\b(?:or|maybe|perhaps)\b", gap, re.I):
            return False
        return (
            re.search(
                r"\b(?:over|instead of|rather than|because|since|as|so that|which|while|to|from|with|on|between"
                r"|not|than|next|then|that|flipping|beside|near)\b|[(;:—–]",
                gap,
                re.I,
            )
            is not None
        )
    return taken_back(rest) == ""


def _named_first(sentence: str, mentions: list[Mention]) -> Mention | None:
    """A sentence that begins with a move and then says that it is the answer: "B2 it is"."""
    first = (
        mentions[-1] if len(mentions) > 1 and len({frozenset(one.actions) for one in mentions}) == 1 else mentions[0]
    )
    if _AFTERWARDS.match(re.sub(r"^[*_`\">)\]]+", "", sentence[first.end :])) and not _DENIED.search(sentence):
        lead = sentence[: first.start].strip(' *_`"<([')
        if (
            not lead
            or re.fullmatch(
                r"(?:.*[,;:—–-]\s*)?(?:so|yes|ok|okay|then|therefore|thus|hence|and|but)?,?", lead, re.I | re.S
            )
        ) and not _SUPPOSED.search(lead):
            return first
    return None


def _last_line(text: str, moves: Moves) -> Iterator[_Found]:
    """A last line that is nothing but a move, unless it ends a list of them or somebody else's name leads to it."""
    lines = [(match.start(), match[0]) for match in re.finditer(r"[^\n]*\S[^\n]*", text)]
    if not lines:
        return
    start, line = lines[-1]
    said = _POINTER.sub("", _BULLET.sub("", line))
    short = len(said.split()) <= 12 and "?" not in said
    actions = frozenset(moves.spelled(said) if short else ())
    if not actions and (len(lines) == 1 or _LETTERED.match(said)):
        actions = read_line(said, moves).actions
    if len(actions) != 1:
        return
    if len(lines) > 1:
        above = lines[-2][1]
        listed = _BULLET.match(line) and _BULLET.match(above)
        if moves.spelled(_BULLET.sub("", above)) - actions or listed or _leads_away(above):
            return
    yield _Found(start + len(line), frozenset(actions), start, final=True)


def _leads_away(above: str) -> bool:
    """Whether the line above a move says that it is not one's own."""
    leads = above.rstrip("*_ ").endswith((":", "："))
    return leads and bool(not_meant(above) or _OTHERS.search(above) or _SUPPOSED.search(above) or _DENIED.search(above))


def _bold_end(text: str, moves: Moves) -> Iterator[_Found]:
    """A move in bold at the very end, behind a colon, an arrow or a dash."""
    stripped = text.rstrip()
    match = _BOLD_AT_END.search(stripped[-400:])
    if match is None:
        return
    at = max(0, len(stripped) - 400) + match.start()
    sentence = stripped[max(0, at - 200) : at]
    sentence = re.split(r"[.!?]\s|\n", sentence)[-1]
    if not re.search(r"(?:[:：→=—–-]|\boption|\bso)[\s*_(]*$", sentence):
        return
    actions = moves.spelled(match["said"])
    clause = re.split(r"[,;]", sentence)[-1]
    if len(actions) == 1 and not (
        _SUPPOSED.search(clause)
        or re.search(r"\bif\b", sentence, re.I)
        or _OTHERS.search(sentence)
        or not_meant(sentence)
    ):
        yield _Found(len(stripped), frozenset(actions), at, final=True)
