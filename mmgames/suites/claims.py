"""Statements about what is seen, by a small grammar, held against facts.

`claim_words.json` has its words: what may stand between a thing and what it is said to be, what relates it to something
else, and so on. What is asked, supposed, denied, planned, past or somebody's guess states nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

from mmgames.suites.privacy import sentences
from mmgames.suites.spoken_numbers import VALUES
from mmgames.text.facts import Count, Fact

_TOKEN = re.compile(r"[^\W_]+(?:_\d+)?(?:['’](?!s\b)[^\W\d_]+)?|['’]s\b|[:=→–—,;.!?-]")
_HYPHEN = re.compile(r"(?<=[^\W_])-(?=[^\W_])")
_HEDGES = re.compile(
    r"\b(?:I(?: would|'d) (?:say(?: that)?|describe|call)\b|no\.? (?=\d)|once (?:more|again)\b|as follows\b|"
    r"before (?:me|us|you)\b"
    r"|(?:over|right|up|down) (?=(?:at|on|in)\b)|(?:the thing |what |all )?you (?:need|have|want|ought) to know "
    r"is(?: that)?\b"
    r"|,? as far as I (?:can )?(?:see|tell|know)\b,?|(?:as of )?right (?:now|here)\b"
    r"|(?:there (?:is|can be) )?(?:no|without (?:a|any)|beyond(?: any)?) (?:doubt|question"
    r"|mistake)(?: about it)?(?: that)?\b"
    r"|what (?P<who>[^.,;]{1,30}?) (?:(?:does|do|can|did) ?)?n[o']t (?:know|see|realise|realize|notice) is(?: that)?\b"
    r"|(?P<count>I (?:get|arrive at|come to|come up with|end up with))(?= (?:exactly )?(?:\d+|\w+teen|[a-z]{3,6}) \w+)"
    r"|(?P<aim>so that|in order that|such that)\b"
    r"|if I(?: am not mistaken| (?:read|see) [^,]*right),"
    r"|(?P<got>(?:was|were|have been) (?:dealt|given|handed))\b|(?P<seen>can be (?:seen|found)|you(?:'ll"
    r"| will) (?:find|see))\b)",
    re.I,
)
_ASKED_ONESELF = re.compile(r"\bwhat (?:do|am) I (have|hold|holding)\?", re.I)
_TAKEN_UP = re.compile(
    r"[.?!][*_]*\s+(?:it|that one|this one|that|there)(?=(?:'s| is| has| shows| reads| says| holds| looks| "
    r"contains)\b)",
    re.I,
)
"""What speaks of the thing in the sentence before: "And B2? That one is empty."."""
_GLOSS = re.compile(r" \((?!slot)((?:an? )?[\w-]+(?: [\w-]+)?)\)")  # "B2 (empty)"
_ELSEWHERE = re.compile(
    r"^\W*(?:think of|consider|picture|for .{2,40} to (?:be|hold|have|show|read)|(?:some|most|many|other) \w+s)\b|"
    r"\bfree of\b"
    r"|\b(?:thinks|believes|says that|said|told|argues|mentions)\b"
    r"|\b(?:they|you|people|others|everybody) (?:think|believe|say|claim)\b"
    r"|\blast (?:time|round|turn|game|hand|stage|position)\b",
    re.I,
)
"""Somebody else's words, or another time."""
_THIRD = re.compile(r"[a-z]{2,}[a-rt-z]s")  # a verb as others do it: hosts
_PARTICIPLE = re.compile(r"[a-z]+(?:ed|en|ing)")
_ADVERB = re.compile(r"[a-z]+ly")
_SHORT = {"'m": " am", "'ve": " have", "'re": " are", "(?i:(?<=there)|(?<=it)|(?<=that))'s": " is"}
_FORMS = {
    name: frozenset(words.split())
    for name, words in json.loads(files(__package__).joinpath("claim_words.json").read_text("utf-8")).items()
}
_NO_LINK = frozenset().union(*(_FORMS[name] for name in ("relations", "conditions", "doubts", "breaks", "asks")))


def _plainly(hedge: re.Match[str]) -> str:
    """What a hedge says in one word: nothing, as a rule."""
    said = {"count": "I count", "got": "dealt", "seen": "seen", "aim": "would", "who": hedge["who"]}
    return next((word or "" for group, word in said.items() if hedge[group]), "")


@lru_cache(maxsize=4096)
def _words(phrase: str) -> tuple[str, ...]:
    """The words of a name, in small letters unless it is written in capitals."""
    words = (word.replace("’", "'") for word in _TOKEN.findall(phrase))
    return tuple(words) if phrase.isupper() else tuple(word.casefold() for word in words)


class _Span(NamedTuple):
    """A place in the words of a sentence: from the first to the one after the last."""

    first: int
    last: int


class _Sentence:
    """The words of a sentence without articles, as they were written and in small letters."""

    def __init__(self, text: str) -> None:
        plain = _HYPHEN.sub(" ", text.replace("’", "'").replace("|", " : "))
        for short, long in _SHORT.items():
            plain = re.sub(rf"(?<=[^\W_]){short}\b", long, plain)
        plain = _HEDGES.sub(_plainly, _GLOSS.sub(r": \1,", plain))
        self.written: list[str] = []
        for match in _TOKEN.finditer(plain):
            word = match[0].replace("’", "'")
            shouted = word.isupper() and (match.start() > 0 or len(word) > 1)
            if word.casefold() not in _FORMS["dropped"] or shouted:
                self.written.append(word)
        self.words = [word.casefold() for word in self.written]
        self.elsewhere = _ELSEWHERE.search(plain) is not None

    def find(self, phrase: str) -> list[_Span]:
        """Where a phrase stands; one in capital letters has to be written so."""
        wanted = _words(phrase)
        words, width = self.written if phrase.isupper() else self.words, len(wanted)
        return [
            _Span(at, at + width)
            for at, word in enumerate(words)
            if word == wanted[0] and tuple(words[at : at + width]) == wanted
        ]

    def states(self, span: _Span, value: _Span) -> bool:
        """Whether the part of the sentence around a place states something; the words of the value do not count."""
        words = self.words
        if self.elsewhere or _FORMS["conditions"].intersection(words[: span.first]):
            return False
        told = not _FORMS["verbs"].isdisjoint(words[span.first : span.last])  # else a colon only names what is wanted
        breaks = [
            at
            for at, word in enumerate(words)
            if word in _FORMS["breaks"] or (told and word == ":" and at < span.first)
        ]
        first = max((at + 1 for at in breaks if at < span.first), default=0)
        last = min((at for at in breaks if at >= span.last), default=len(words))
        if _FORMS["doubts"].intersection(words[first : value.first] + words[value.last : last]):
            return False
        return words[-1] != "?" or (last < len(words) - 1 and words[0] not in _FORMS["asks"])

    def is_whole(self, value: _Span) -> bool:
        """Whether what stands at a place is no part of a longer name, and I no pronoun."""
        after = self.words[value.last : value.last + 1]
        if self.written[value.first] == "I" and after and after[0].isalpha():
            return False
        goes_on = _FORMS["after"] | _FORMS["leads"] | _FORMS["leading"] - {"'s"}
        return not after or after[0] in goes_on or not (after[0] == "'s" or after[0][0].isalnum())


def false_statements(text: str, facts: Iterable[Fact | Count]) -> list[str]:
    """The sentences that say something else of a thing, or another number of things, than is true."""
    known = list(facts)
    text = _TAKEN_UP.sub(", it", _ASKED_ONESELF.sub(r"I \1", text))
    return [text for text in (sentences(text) if known else ()) if _contradicted(_Sentence(text), known)]


def _contradicted(sentence: _Sentence, facts: Iterable[Fact | Count]) -> bool:
    for fact in facts:
        if isinstance(fact, Count):
            if any(number != fact.number for number in _counted(sentence, fact.things)):
                return True
        elif any(value != fact.value for value in _said_to_be(sentence, fact)):
            return True
    return False


def _said_to_be(sentence: _Sentence, fact: Fact) -> Iterator[str]:
    """What a sentence says that a thing is."""
    things = [span for name in fact.names for span in sentence.find(name)]
    if not things or (fact.owners and not any(map(sentence.find, fact.owners))):
        return
    owners = {word.casefold() for owner in fact.owners for word in _TOKEN.findall(owner)}
    said = {span: meant for words, meant in fact.values.items() for span in sentence.find(words)}
    for value, meant in said.items():
        part = any(span != value and span.first <= value.first and value.last <= span.last for span in said)
        listed = sentence.words[value.last : value.last + 1] == [","] and any(
            span.first == value.last + 1 for span in said
        )
        for thing in things if not part and not listed and sentence.is_whole(value) else ():
            span = _Span(min(thing.first, value.first), max(thing.last, value.last))
            if _linked(sentence.words, thing, value, owners) and sentence.states(span, value):
                yield meant


def _linked(words: Sequence[str], thing: _Span, value: _Span, owners: set[str]) -> bool:
    """Whether the words between a thing and a value say that it is the one or has it."""
    gap = words[thing.last : value.first] or words[value.last : thing.first]
    again = gap.index("it") if "it" in gap[1:7] and thing.last < value.first else 0
    if again and not _NO_LINK.intersection(word for word in gap[:again] if word not in _FORMS["breaks"]):
        gap = gap[again:]  # "I look at wire 2 and it is white"
    between = {word for word in gap if not _ADVERB.fullmatch(word)}
    strange = between - _FORMS["states"] - _FORMS["between"] - owners
    if (
        thing.last <= value.first
        and gap in ([], ["in"])
        and _FORMS["states"].intersection(words[max(0, thing.first - 2) : thing.first])
    ):
        return True  # "we have wire 2 in white"
    if gap == [","] and words[thing.first - 1 : thing.first] and words[thing.first - 1] in _FORMS["leads"]:
        return bool(_FORMS["states"].intersection(words[value.last : value.last + 1]))  # "on B2, an X is visible"
    if thing.last == value.first:
        return words[thing.last - 1] in ("my", "of") or (thing.first == 0 and words[0] in ("holding", "having"))
    if thing.last < value.first:
        verb = set(filter(_THIRD.fullmatch, gap[:1])) - {"i"}
        plain = not strange or ("," not in between and words[thing.first] != "i" and _fits(strange - verb, strange))
        return plain and bool(between & _FORMS["states"] or verb)
    if (between == {"is"} and words[thing.first] == "my") or (
        owners and not between
    ):  # "the King is my card", "a red 1 (slot 0)"
        return not set(words[thing.last : thing.last + 1]) & _FORMS["states"]
    goes_on = set(words[thing.last : thing.last + 1]) & _FORMS["states"]  # then it is said what the thing is
    if goes_on and gap == ["is", "what"]:
        return True  # "an X is what B2 has"
    if gap == ["that"] and list(words[max(0, value.first - 2) : value.first]) == ["it", "is"]:
        return bool(goes_on)  # "it is the King that I hold"
    before = words[max(0, value.first - 4) : value.first]
    meant = [two for one, two in pairwise(before) if one == "to"]
    if before[-1:] in (["about"], ["of"]) or not set(meant) <= _FORMS["states"] | {"me", "us"}:
        return False  # "thinking of an O on B2", "I want to get an O on B2"
    strange = between - _FORMS["leads"] - _FORMS["leading"] - _FORMS["states"] - owners
    inside = _fits(strange, strange)
    return bool(between & _FORMS["leads"]) and inside and not goes_on


def _fits(strange: set[str], all_strange: set[str]) -> bool:
    """Whether words that nobody listed say no more than that a thing has something: painted, but not threatened."""
    return all(map(_PARTICIPLE.fullmatch, strange)) and not all_strange & _NO_LINK


def _counted(sentence: _Sentence, things: str) -> Iterator[int]:
    """The numbers of things that a sentence states."""
    words = sentence.words
    for first, last in sentence.find(things):
        if first and (number := _number(words[first - 1])) is not None:
            around = {*words[max(0, first - 4) : first - 1], *words[last : last + 3]}
            vague = _FORMS["vague"].intersection(words[max(0, first - 3) : first - 1])
            rest = [
                word for at, word in enumerate(words[last:]) if word != "left" or at > 1
            ]  # "are left", or "on the left"
            vague |= _FORMS["partly"].intersection(rest)
            span = _Span(first - 1, last)
            if not vague and around & _FORMS["counting"] and sentence.states(span, span):
                yield number
        elif (them := _of_them(words, last)) is not None and sentence.states(
            _Span(them, them + 1), _Span(them, them + 1)
        ):
            yield _number(words[them]) or 0
        elif {*words[_clause(words, first) : first]} <= _FORMS["amount"]:
            at = next((at for at in range(last, len(words)) if words[at] not in _FORMS["reaching"]), last)
            number, said = (_number(words[at]) if at > last else None), _Span(at, at + 1)
            if number is not None and sentence.is_whole(said) and sentence.states(_Span(first, at + 1), said):
                yield number


def _clause(words: Sequence[str], place: int) -> int:
    """Where the part of a sentence begins that a place stands in."""
    return max((at + 1 for at in range(place) if words[at] in _FORMS["breaks"]), default=0)


def _of_them(words: Sequence[str], start: int) -> int | None:
    """Where it is said soon how many of the things before a place there are: "there are 3 of them"."""
    near = range(start, min(start + 9, len(words) - 2))
    return next(
        (at for at in near if list(words[at + 1 : at + 3]) == ["of", "them"] and _number(words[at]) is not None), None
    )


def _number(word: str) -> int | None:
    return int(word) if word.isdigit() else VALUES.get(word)
