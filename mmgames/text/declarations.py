"""Final declarations in prose, for the lenient reader: a closed set of forms in which somebody says what they do.

"My move is B2.", "I'll go with <UP>.", "The answer is C.", "Going down.", "B2 it is", a last line that is only a move,
a last word in bold. A move that merely occurs in a sentence is none. A sentence that denies, asks, supposes, names two
moves or speaks of a later turn or of somebody else declares nothing, and what follows a declaration may take it back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from mmgames.text import phrases
from mmgames.text.answer_labels import is_label
from mmgames.text.move_names import Mention, Moves
from mmgames.text.phrases import Form
from mmgames.text.retractions import not_meant, taken_back

_APOSTROPHE = str.maketrans("’ʼ", "''")
# Where a sentence ends: a line break, or a mark with a space behind it; "1. e4", "1...e5" and "C. more" do not end one.
_SENTENCE_END = re.compile(r"(?<![\s(][0-9])(?<!^[0-9])(?<![\s(*][A-H])[.!?。！？]+[\"”*_`)]*(?=\s|$)|\n+|[。！？]")
_REMARK = re.compile(r"\s+\(|[,;.!:)](?=\s|$)|\s+[-–—]+\s|\s+(?:because|since|as|so|to|for|towards?|in order|which)\b")
_OR_MORE = re.compile(r"[\s*_`\">),;.(]*(?:or|and/or|nor|oder|ou|или)\b|[\s*_`\">)]*[/|]|\s*或", re.I)
_CONDITION = re.compile(r"(?<!even )\b(?:if|unless|depending on|provided|were it not|but i|but it|but blue)\b", re.I)
_LEAD = re.compile(r"(?:.*[,;:—–-]\s*)?(?:so|yes|ok|okay|then|therefore|thus|hence|and|but|option)?,?", re.I | re.S)
_POINTS = re.compile(r"(?:[:：→=—–-]|\boption|\bso)[\s*_(]*$")
_LAST = 8000  # a final declaration stands near the end
_LONGEST_HEAD = 200  # no name of a move is longer
_MOST_FILLERS, _MOST_BEFORE_COLON, _MOST_STATED = 16, 30, 5
_BOLD_AT_END = re.compile(r"(?:\*\*|__|`)(?P<said>[^*_`\n]{1,60}?(?:_[^*_`\n]{1,20})?)[.!]?(?:\*\*|__|`)[\s.!)]*$")
_LETTERED = re.compile(r"[\W_]*\(?[A-H]\)?[).:]\s")  # "C. more black"
_LISTED = re.compile(r"\b[A-H][.):]\s")
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
    text = text[-_LAST:]
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
        if not same and not last.final and not phrases.CHANGE.search(text[earlier.end : last.start + 30]):
            return Declared(frozenset(), "the reply declares two moves")
    return Declared(last.actions)


def read_line(said: str, moves: Moves) -> Declared:
    """What the rest of a labelled line says: a move alone, or a move with a remark behind it."""
    if found := moves.spelled(said):
        return Declared(frozenset(found))
    said = said.translate(_APOSTROPHE)
    for mark in _REMARK.finditer(said[:_LONGEST_HEAD]):
        head, rest = said[: mark.start()], said[mark.start() :]
        found = moves.spelled(head) if head else set()
        if not found:
            continue
        letter = len(head.strip("*_(` ")) == 1
        others = [one for one in moves.mentions(rest[:2000]) if not one.actions & found and (letter or not one.a_word)]
        if _OR_MORE.match(rest) or (letter and _LISTED.search(rest)) or (others and phrases.ALTERNATIVES.search(rest)):
            return Declared(frozenset(), "the reply names more than one move")
        if why := taken_back(rest):
            return Declared(frozenset(), why)
        option = rest.strip("*_.:), \t")
        return Declared(frozenset(found | (moves.named(option) if letter and option else set())))
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
        mentions = moves.mentions(sentence) if len(sentence) <= 2000 and "?" not in sentence else []
        if not mentions:
            continue
        found = (_by_form(form, sentence, mentions, moves) for form in (*phrases.FORMS, phrases.about_role(moves.role)))
        one = next((mention for mention in found if mention is not None), None) or _named_first(sentence, mentions)
        if one is not None:
            yield _Found(start + one.end, one.actions, start, "final" in sentence.lower())


def _by_form(form: Form, sentence: str, mentions: list[Mention], moves: Moves) -> Mention | None:
    """The move that the last clause of this form in a sentence declares."""
    for opening in reversed(list(form.opening.finditer(sentence))):
        if (form.labelled and not is_label(opening["label"])) or _is_undone(form, sentence, opening):
            continue
        begin = opening.end() if form.states else opening.start() + 1
        candidates = [one for one in mentions if one.end > begin]
        plain = [one for one in candidates if not one.a_word]
        named = plain or [one for one in candidates if _word_counts(sentence, one, form)]
        letters = {one.actions for one in candidates if one.end - one.start == 1}
        if not plain and (len(letters) > 1 or (form.states and named[:1] != candidates[:1])):
            continue
        if named and _leads_to(form, sentence, opening, named[0], moves) and _leaves_it(form, sentence, named):
            return named[0]
    return None


def _is_undone(form: Form, sentence: str, opening: re.Match[str]) -> bool:
    """Whether what stands before a declaration makes it a supposition, a quotation or a plan for later."""
    before = sentence[: opening.start()]
    quoted = len(re.findall('["“”]', sentence[: opening.end()])) % 2 == 1
    condition = re.search(r"\bif\b", before, re.I) if form.states else phrases.SUPPOSED.search(before)
    denied = phrases.DENIED.search(opening[0])
    later = phrases.LATER.search(sentence[: opening.end()])
    return bool(quoted or condition or denied or later or phrases.REPORTED.search(before))


def _word_counts(sentence: str, mention: Mention, form: Form) -> bool:
    """Whether a plain word that is also a name ("right") stands where only a move can stand."""
    said, lead = sentence[mention.start : mention.end], sentence[: mention.start].rstrip('*_`" (')
    before = re.findall(r"[\w']+|[^\w\s]", lead.casefold())[-1:]
    rest = sentence[mention.end :].lstrip('*_`"')
    after = re.match(r"\s+(\w+)", rest)
    closed = not rest.strip() or rest.lstrip()[:1] in ".,!;:)—–" or phrases.FOLLOWS_WORD.match(rest)
    leads = not before or before[0] in phrases.BEFORE_WORD or (form.states and before[0] in ":=,")
    if len(said) == 1:  # a letter, not an article
        return said.isupper() and bool((closed and leads) or (form.states and not after))
    return bool(closed and leads)


def _leads_to(form: Form, sentence: str, opening: re.Match[str], first: Mention, moves: Moves) -> bool:
    """Whether what stands between the opening of a declaration and its move leads there, and to nothing else."""
    between = re.sub(r"\([^()]*\)", " ", sentence[opening.end() : first.start])
    words = re.findall(r"<[A-Z_-]+>|[\w'+-]+", between)
    if phrases.BESIDE.search(sentence[: first.start]):
        return False
    if phrases.DENIED.search(between) or phrases.SUPPOSED.search(between) or any(map(moves.looks_like_move, words)):
        return False
    small = [word.casefold() for word in words]
    if phrases.ATTENTION.intersection(small):
        return False
    last = re.findall(r"\w+", opening[0].casefold())[-1:]
    apart = ":" in between or sentence[first.start - 2 : first.start] == "**"
    pairs = zip([*last, *small], small, strict=False)
    if not apart and any(word in phrases.DEEDS and before not in phrases.LEADS for before, word in pairs):
        return False  # somebody else does it
    if form.states:
        return len(words) <= (2 * _MOST_STATED if apart else _MOST_STATED) and not phrases.BREAKS.intersection(small)
    if not apart and words and last[0] in ("check", "stop", "wait", "call", "stay", "hold", "give"):
        return False  # these take a move only behind a colon
    near = re.findall(r"[\w']+", between.rpartition(":")[2].casefold()) if apart else small
    return len(words) <= (_MOST_BEFORE_COLON if apart else _MOST_FILLERS) and not phrases.BREAKS.intersection(near)


def _leaves_it(form: Form, sentence: str, named: list[Mention]) -> bool:
    """Whether the rest of the sentence leaves it at the one move."""
    first = named[0]
    rest = sentence[first.end :]
    if len(first.actions) != 1 or _OR_MORE.match(rest) or phrases.NOT_NOW.match(rest):
        return False
    if _CONDITION.search(rest) and not re.search(r"[,;]\s*(?:and|as|because|since)\b", rest):
        return False
    bare = rest.lstrip('*_`">)')
    if form.at_once and re.match(r"\s*\w", bare) and not phrases.FOLLOWS_WORD.match(" " + bare.lstrip()):
        return False
    others = [one for one in named if not one.actions & first.actions and one.start > first.end]
    if others:
        gap = sentence[first.end : others[0].start]
        either = re.search(r"\b(?:or|maybe|perhaps|then)\b", gap, re.I)
        return not either and phrases.LEAVES_IT.search(gap) is not None
    return not taken_back(rest)


def _named_first(sentence: str, mentions: list[Mention]) -> Mention | None:
    """A sentence that begins with a move and then says that it is the answer: "B2 it is"."""
    same = len({one.actions for one in mentions}) == 1
    first = mentions[-1] if same else mentions[0]
    lead = sentence[: first.start].strip(' *_`"<([')
    rest = sentence[first.end :].lstrip('*_`">)]')
    correct = re.match(r"\s*is (?:the )?(?:correct|right)\b", rest) and re.search(r"\boption$", lead, re.I)
    if not (correct or phrases.AFTERWARDS.match(rest)) or phrases.DENIED.search(sentence) or '"' in sentence:
        return None
    return first if _LEAD.fullmatch(lead) and not phrases.SUPPOSED.search(lead) else None


def _last_line(text: str, moves: Moves) -> Iterator[_Found]:
    """A last line that is nothing but a move, unless it ends a list of them or somebody else's name leads to it."""
    lines = [(match.start(), match[0]) for match in re.finditer(r"[^\n]+", text) if match[0].strip()]
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
        listed = any(kind.match(line) and kind.match(above) for kind in (_BULLET, _LETTERED))
        if moves.spelled(_BULLET.sub("", above)) - actions or listed or _leads_away(above):
            return
    yield _Found(start + len(line), frozenset(actions), start, final=True)


def _leads_away(above: str) -> bool:
    """Whether the line above a move says that it is not one's own."""
    leads = above.rstrip("*_ ").endswith((":", "："))
    return leads and bool(
        not_meant(above)
        or phrases.OTHERS.search(above)
        or phrases.SUPPOSED.search(above)
        or phrases.DENIED.search(above)
    )


def _bold_end(text: str, moves: Moves) -> Iterator[_Found]:
    """A move in bold at the very end, behind a colon, an arrow or a dash."""
    stripped = text.rstrip()
    match = _BOLD_AT_END.search(stripped[-400:])
    if match is None:
        return
    at = max(0, len(stripped) - 400) + match.start()
    sentence = stripped[max(0, at - 200) : at]
    sentence = re.split(r"[.!?]\s|\n", sentence)[-1]
    if not _POINTS.search(sentence):
        return
    actions = moves.spelled(match["said"])
    clause = re.split(r"[,;]", sentence)[-1]
    if len(actions) == 1 and not (
        phrases.SUPPOSED.search(clause)
        or re.search(r"\bif\b", sentence, re.I)
        or phrases.OTHERS.search(sentence)
        or not_meant(sentence)
    ):
        yield _Found(len(stripped), frozenset(actions), at, final=True)
