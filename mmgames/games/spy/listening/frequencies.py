"""Statements about how often colours, shapes, sizes and materials occur in a scene of simple things."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from re import Match

from mmgames.games.spy.listening import vocabulary
from mmgames.games.spy.listening.noun_phrases import PhraseReader, Thing, tokens
from mmgames.games.spy.listening.vocabulary import NUMBER, TIMES, number

Claims = list[bool]


def frequencies(sentence: str, things: tuple[Thing, ...]) -> tuple[str, Claims]:
    """What a sentence says about frequencies, as claims, and the part of it that says something else."""
    claims: Claims = []
    for pattern, judge, whole in _FORMS:
        while (found := pattern.search(sentence)) and (made := judge(found, sentence, things)) is not None:
            claims += made
            sentence = "" if whole else f"{sentence[: found.start()]} , {sentence[found.end() :]}"
    return sentence, claims


def _fitting(words: str, things: tuple[Thing, ...]) -> int:
    """How many things a noun phrase fits; -1 if it is none."""
    found, _ = PhraseReader(things, tokens(words), ()).phrase(0)
    return len(found.fits) if found is not None and not found.general else -1


def _attribute(word: str) -> tuple[str, str] | None:
    found = vocabulary.known(word)
    return found[1] if found is not None and found[0] == "attr" else None  # type: ignore[return-value]


def _spread(name: str, things: tuple[Thing, ...]) -> Counter[str]:
    attribute = "colour" if name.startswith("colo") else name.removesuffix("s").replace("finishe", "material")
    return Counter(getattr(thing, attribute) for thing in things)


def _all_different(found: Match[str], sentence: str, things: tuple[Thing, ...]) -> Claims:
    return [max(_spread(found[1], things).values()) == 1]


def _repeated(found: Match[str], sentence: str, things: tuple[Thing, ...]) -> Claims:
    often = [colour for colour, count in _spread("colour", things).items() if count > 1]
    return [(_attribute(found[1]) or ("", ""))[1:] == tuple(often)]


def _times(found: Match[str], sentence: str, things: tuple[Thing, ...]) -> Claims | None:
    named, _ = PhraseReader(things, tokens(found[1]), ()).phrase(0)
    if named is None or named.vague:
        return None
    pool = named.fits
    said = TIMES[found[2]] if found[2] else number(found[3] or found[4])
    rest = sentence[found.end() :]
    reader = PhraseReader(pool, tokens(rest), ())
    parts = [part for i in range(len(reader.found)) if (part := reader.phrase(i)[0]) is not None and part.shaped]
    return [len(pool) == said, *(bool(part.fits) for part in parts)]


def _commonest(found: Match[str], sentence: str, things: tuple[Thing, ...]) -> Claims | None:
    attribute = _attribute(next(filter(None, found.groups()), ""))
    if attribute is None:
        return None
    counts = _spread(attribute[0], things).most_common()
    first = counts[0][0] == attribute[1] and (len(counts) == 1 or counts[0][1] > counts[1][1])
    said = re.search(rf"\b(?:{NUMBER})\b", sentence[found.end() :])
    return [first, *([counts[0][1] == number(said[0])] if said else [])]


def _ratio(found: Match[str], sentence: str, things: tuple[Thing, ...]) -> Claims | None:
    one, other = _fitting(found[3], things), _fitting(found[4], things)
    factor = 2 if found[1] else number(found[2]) or 0
    return [one == factor * other > 0] if min(one, other) >= 0 else None


def _compared(found: Match[str], sentence: str, things: tuple[Thing, ...]) -> Claims | None:
    one, other = _fitting(found[1], things), _fitting(found[3], things)
    if min(one, other) < 0:
        return None
    return [one == other if found[2].startswith("and") else one > other]


def _kinds(found: Match[str], sentence: str, things: tuple[Thing, ...]) -> Claims:
    spread = _spread(found[2], things)
    said = 3 if found[1] in ("all three", "all the") else number(found[1])
    claims = [len(spread) == said]
    names = [attribute for word in re.findall(r"[a-z]+", found[3] or "") if (attribute := _attribute(word))]
    claims += [value in spread for _, value in names]
    if re.search(r"\beach (?:of them )?(?:occurs? |appears? |used )?twice\b", sentence):
        claims.append(set(spread.values()) == {2})
    return claims


def _in_shapes(found: Match[str], sentence: str, things: tuple[Thing, ...]) -> Claims | None:
    """ "Red comes in all three shapes"."""
    attribute = _attribute(found[1])
    if attribute is None:
        return None
    said = 3 if found[2].startswith("all") else number(found[2])
    return [len({thing.shape for thing in things if thing.has(*attribute)}) == said]


def _listed(found: Match[str], sentence: str, things: tuple[Thing, ...]) -> Claims | None:
    """ "Cube cube cube ball": the shapes one by one."""
    attributes = [_attribute(word) for word in sentence.replace(",", " ").split()]
    shapes = Counter(attribute[1] for attribute in attributes if attribute is not None)
    spread = _spread("shape", things)
    if len(attributes) != sum(shapes.values()) or any(shape not in vocabulary.SHAPES for shape in shapes):
        return None
    return [
        spread == shapes if len(attributes) == len(things) else all(spread[each] >= n for each, n in shapes.items())
    ]


_NAMES = "|".join(" ".join((*vocabulary.COLOURS.values(), *vocabulary.SHAPES.values())).split())
_KIND = r"(?:colou?r|shape|object|kind|type|thing|item|form|ones?)s?"
_MOST = r"(?:most[ -](?:common|frequent|popular|numerous|often)\w*|dominant|commonest|predominant|main)"
_FORMS: tuple[tuple[re.Pattern[str], Callable[[Match[str], str, tuple[Thing, ...]], Claims | None], bool], ...] = (
    (re.compile(r"\bno two (?:\w+ ){0,6}?(?:share|have|are|with|of)\b.*\b(colou?r|shape|size)"), _all_different, True),
    (
        re.compile(
            r"\b(?:every|all|each (?:object|thing|item|one|of the))(?: \w+){0,6} (?:different|own|"
            r"unique|distinct) (colou?r|shape)s?"
        ),
        _all_different,
        True,
    ),
    (
        re.compile(r"\b(\w+) is the only colou?r (?:that )?(?:\w+ ){0,2}(?:more than once|twice|repeats?|repeated)"),
        _repeated,
        True,
    ),
    (
        re.compile(
            rf"\b((?:\w+ ){{0,3}}\w+) (?:appears?|shows? up|occurs?|is (?:used|found|seen)|turns up|pops up|comes up) "
            rf"(?:exactly |only |just )?"
            rf"(?:(once|twice|thrice)|({NUMBER}) times|(?:for|on|in) ({NUMBER}) (?:objects|things))"
        ),
        _times,
        True,
    ),
    (
        re.compile(
            rf"\b(\w+) (?:is|are) (?:by far )?(?:the )?{_MOST} ?{_KIND}?|\b(\w+) dominates?\b|\bdominated by (\w+)"
        ),
        _commonest,
        True,
    ),
    (re.compile(rf"\b{_MOST} {_KIND} (?:\w+ ){{0,4}}?(?:is|are) (?:the )?(\w+)"), _commonest, True),
    (re.compile(r"\b(?:far )?more (\w+) than (?:anything|any other|other)(?: \w+)*"), _commonest, True),
    (re.compile(rf"\b(?:(twice)|({NUMBER}) times) (?:as many|the number of) (.+?) (?:as|than) (.+)"), _ratio, True),
    (re.compile(r"\b(\w+(?: \w+)?) (outnumber) (?:the )?(\w+(?: objects| things| ones)?)"), _compared, False),
    (
        re.compile(
            r"\b(.+?) (and) (.+?) (?:are|is|come|occur|appear) (?:\w+ )?(?:equal|the same|even|"
            r"balanced)[ \w]*(?:number|many|common|count)"
        ),
        _compared,
        True,
    ),
    (
        re.compile(rf"\b(\w+) (?:comes|appears|occurs|exists) in ({NUMBER}|all(?: three)?) (?:different )?shapes"),
        _in_shapes,
        True,
    ),
    (
        re.compile(
            rf"(?<!on )\b({NUMBER}|all three|all the) (?:different |distinct )?(?:(?:kinds?|types?|"
            rf"sorts?) of )?(colou?rs|shapes?)\b"
            rf"(?: \w+){{0,5}}?(?:(?=$|,| and)|[,:]) ?((?:{_NAMES})(?:,? (?:and )?(?:{_NAMES}))+)?"
        ),
        _kinds,
        False,
    ),
    (re.compile(r"^\w+(?:,? \w+){2,}$"), _listed, True),
)
