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
    r"\b(?:(?:my opponent|they|nobody|he|she|player_\d|the other\w*(?: \w+)?)"
    r" (?:can't|cannot|can not|doesn't|does not|don't|do not|knows?)(?: know)?(?: yet)? that"
    r"|it (?:has|did) not escaped? (?:me|my \w+) that|(?:I'd|I would) (?:bet|swear) (?:\w+ ){0,2}?that"
    r"|(?:I|we|one|you|let me)(?:'d| would| should| must| can| could| will|'ll)? ?(?:like |want |need |have )?(?:to )?"
    r"(?:point out|report|note|mention|add|stress|emphasi[sz]e|admit|confess|consider|say)"
    r"(?: (?:that|this(?: \w+ly)?(?=:))|(?= slot| my))"
    r"|(?:don't|do not|never) (?:overlook|forget|miss|ignore)(?: that)?|,? you ask\b|one finds|over there"
    r"|so that there is no mistake|(?P<no>nothing but)|no trouble|you(?:'d| would) see(?: \w+){0,2} that"
    r"|I(?: would|'d) (?:say(?: that)?|describe|call)\b|no\.? (?=\d)|once (?:more|again)\b|as follows\b|"
    r"before (?:me|us|you)\b"
    r"|(?:over|right|up|down) (?=(?:at|on|in)\b)|(?:the thing |what |all )?you (?:need|have|want|ought) to know "
    r"is(?: that)?\b"
    r"|,? as far as I (?:can )?(?:see|tell|know)\b,?|(?:as of )?right (?:now|here)\b"
    r"|(?:there (?:is|can be) )?(?:no|without (?:a|any)|beyond(?: any)?) (?:doubt|question"
    r"|mistake)(?: about it)?(?: that)?\b"
    r"|what (?P<who>[^.,;]{1,30}?) (?:(?:does|do|can|did) ?)?n[o']t (?:know|see|realise|realize|notice) is(?: that)?\b"
    r"|(?P<count>I (?:get|arrive at|come to|come up with|end up with))(?= (?:exactly )?(?:\d+|\w+teen"
    r"|[a-z]{3,6})(?: \w+|[.!]))"
    r"|(?P<aim>so that|in order that|such that)\b"
    r"|if (?:you ask(?: me)?|I(?: am not mistaken| (?:read|see) [^,]*right)),?"
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
_ANSWERED = re.compile(
    r"(?P<asked>(?:^|(?<=[.!?\n]\s))(?!\W*(?:is|are|does|do|did|could|can|would|should|was|were|has|have|will|may|am)\b)"
    r"[^.!?\n]*)[?]\s+(?:(?:yes|well|sure)[,:]? )?"
    r"(?=(?:(?:an?|the|i get|i count|i see|it's|it is|there are)\s+)?[\"“*]*[\w-]+[\"”*]*(?:\s[\w-]+)?[.!])",
    re.I,
)
"""A question that somebody answers in a word: "And B2? An X."."""
_THEN_SAID = re.compile(
    r"[\"”*]*[.!][\"”*]*\s+(?:so )?(?:that|this)(?:'s| is)(?= (?:how|what|my|the|where|in|on)\b)", re.I
)
"""What says of which thing the word before was: "Green. That's how the torus looks."."""
_PAUSE = re.compile(r"\s*(?:\.\.\.|…)\s+(?=(?:yes|yep|it|the|that|an?|i)\b)", re.I)
_GLOSS = re.compile(r" \((?!slot)((?:an? )?[\w-]+(?: [\w-]+)?)\)")  # "B2 (empty)"
_ELSEWHERE = re.compile(
    r"^\W*(?:think of|consider|picture|let (?:them|him|her|people|everybody)|for .{2,40} to (?:be|hold|have|show"
    r"|read)|(?:some|most|many|other) \w+s)\b|"
    r"\bfree of\b"
    r"|\b(?:thinks|believes|says that|said|told|argues|mentions)\b"
    r"|\b(?:they|you|people|others|everybody) (?:think|believe|say|claim)\b"
    r"|\blast (?:time|round|turn|game|hand|stage|position)\b",
    re.I,
)
"""Somebody else's words, or another time."""
_THIRD = re.compile(r"[a-z]{2,}[a-rt-z]s")  # a verb as others do it: hosts
_PARTICIPLE = re.compile(r"[a-z]+(?:ed|en|ing)")
_PASSIVE = re.compile(r"[a-z]{3,}ed")
_ADVERB = re.compile(r"[a-z]+ly")
_SHORT = {"'m": " am", "'ve": " have", "'re": " are", "(?i:(?<=there)|(?<=it)|(?<=that))'s": " is"}
_FORMS = {
    name: frozenset(words.split())
    for name, words in json.loads(files(__package__).joinpath("claim_words.json").read_text("utf-8")).items()
}
_NO_LINK = frozenset().union(*(_FORMS[name] for name in ("relations", "conditions", "doubts", "breaks", "asks")))
_UNPLAIN = (
    frozenset().union(*(_FORMS[name] for name in ("relations", "conditions", "doubts", "unplain"))) - _FORMS["harmless"]
)
_NEAR = 10  # words between a thing and what is said of it, at most


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


def _within(inner: _Span, outer: _Span) -> bool:
    return outer.first <= inner.first and inner.last <= outer.last


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
        asks = words[0] in _FORMS["asks"] or words[first] in _FORMS["asks"]
        return words[-1] != "?" or (last < len(words) - 1 and not asks)

    def is_plain(self, thing: _Span, value: _Span) -> bool:
        """Whether a sentence with one thing and one value has no word that could keep it from stating them together."""
        first, second = sorted((thing, value))
        rest = self.words[: first.first] + self.words[first.last : second.first] + self.words[second.last :]
        asks = self.words[-1] == "?" or self.words[0] in _FORMS["asks"]
        return not (asks or self.elsewhere or _UNPLAIN.intersection(rest)) and second.first - first.last <= _NEAR

    def is_whole(self, value: _Span) -> bool:
        """Whether what stands at a place is no part of a longer name, and I no pronoun."""
        after = self.words[value.last : value.last + 1]
        if self.written[value.first] == "I" and after and after[0].isalpha():
            return False
        goes_on = _FORMS["after"] | _FORMS["leads"] | _FORMS["leading"] - {"'s"}
        return (
            not after or after[0] in goes_on or self._goes_on(value) or not (after[0] == "'s" or after[0][0].isalnum())
        )

    def _goes_on(self, value: _Span) -> bool:
        """Whether a participle follows: "an X spotted on B2"; "the one labelled" is no number."""
        return self.words[value.first] != "one" and _PASSIVE.fullmatch(self.words[value.last]) is not None


def false_statements(text: str, facts: Iterable[Fact | Count]) -> list[str]:
    """The sentences that say something else of a thing, or another number of things, than is true."""
    known = list(facts)
    text = _THEN_SAID.sub(" is", _ASKED_ONESELF.sub(r"I \1", _PAUSE.sub(", ", text)))
    text = _ANSWERED.sub(r"\g<asked>: ", _TAKEN_UP.sub(", it", text))
    return [text for text in (sentences(text) if known else ()) if _contradicted(_Sentence(text), known)]


def _contradicted(sentence: _Sentence, facts: Sequence[Fact | Count]) -> bool:
    things = {fact.names for fact in facts if isinstance(fact, Fact) and any(map(sentence.find, fact.names))}
    for fact in facts:
        if isinstance(fact, Count):
            if any(number != fact.number for number in _counted(sentence, fact.things)):
                return True
        elif any(value != fact.value for value in _said_to_be(sentence, fact, len(things) == 1)):
            return True
    return False


def _said_to_be(sentence: _Sentence, fact: Fact, only: bool) -> Iterator[str]:
    """What a sentence says that a thing is, which may be the only one that it names."""
    things = [span for name in fact.names for span in sentence.find(name)]
    if not things or (fact.owners and not any(map(sentence.find, fact.owners))):
        return
    owners = {word.casefold() for owner in fact.owners for word in _TOKEN.findall(owner)}
    said = {span: meant for words, meant in fact.values.items() for span in sentence.find(words)}
    whole = [one for one in said if not any(span != one and _within(one, span) for span in said)]
    for value, meant in said.items():
        part = value not in whole
        listed = sentence.words[value.last : value.last + 1] == [","] and any(
            span.first == value.last + 1 for span in said
        )
        for thing in things if not part and not listed and sentence.is_whole(value) else ():
            span = _Span(min(thing.first, value.first), max(thing.last, value.last))
            linked = _linked(sentence.words, thing, value, owners) and sentence.states(span, value)
            alone = only and len(whole) == 1 and sentence.words[thing.first] != "i"
            if linked or (alone and sentence.is_plain(thing, value)):
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
        return words[thing.last - 1] in ("my", "of", "me") or (thing.first == 0 and words[0] in ("holding", "having"))
    if thing.last < value.first:
        verb = set(filter(_THIRD.fullmatch, gap[:1])) - {"i"}
        plain = not strange or ("," not in between and words[thing.first] != "i" and _fits(strange - verb, strange))
        return plain and bool(between & _FORMS["states"] or verb)
    if (between == {"is"} and words[thing.first] in ("my", "mine")) or (
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
        asked = words[max(0, first - 4) : first]  # "5 is how many wires there are", "5 for the wires"
        put = asked[:1] if asked[1:] == ["is", "how", "many"] else asked[-2:-1] if asked[-1:] == ["for"] else []
        if put and (number := _number(put[0])) is not None:
            span = _Span(first - len(asked), last)
            if sentence.states(span, span):
                yield number
        elif first and (number := _number(words[first - 1])) is not None:
            around = {*words[max(0, first - 4) : first - 1], *words[last : last + 3]}
            vague = _FORMS["vague"].intersection(words[max(0, first - 3) : first - 1])
            rest = [
                word for at, word in enumerate(words[last:]) if word != "left" or at > 1
            ]  # "are left", or "on the left"
            vague |= _FORMS["partly"].intersection(rest)
            span = _Span(first - 1, last)
            counts = around & _FORMS["counting"] or words[max(0, first - 3) : first - 1] == ["it", "is"]
            if not vague and counts and sentence.states(span, span):
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
