"""Clues about scenes of simple things: sentences say how many there are of what, where, and how they compare.

A clue is read from left to right. Every statement that is understood becomes one claim, true or false of the scene;
words that are not known are passed over. What is not a statement about the things makes no claim.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mmgames.games.spy.listening.frequencies import frequencies
from mmgames.games.spy.listening.noun_phrases import Phrase, PhraseReader, Thing, things_of, tokens


class Listener(PhraseReader):
    """Reads one sentence about one scene."""

    def read(self) -> list[bool]:
        i = 0
        while i < len(self.found):
            i = max(i + 1, self._statement(i))
        return self.claims

    def _statement(self, i: int) -> int:
        kind, value = self.at(i)
        if kind == "inorder":
            return self._in_order(i + 1, value)
        if kind == "rel":
            return self._beside(i)
        if kind in ("more", "as") or kind == "many":
            return self._compared(i)
        if kind in ("pron", "which") and self.last:
            whole = (
                self.last[-1]
                if value != "they"
                else tuple(dict.fromkeys(thing for group in self.last for thing in group))
            )
            subject, j = Phrase(whole, "" if value != "they" else "all", general=True), i + 1
            if self.at(j)[0] not in ("cop", "quant", "rel"):
                return j
        else:
            found, j = self.phrase(i)
            if found is None:
                return i + 1
            subject = found
        return self._about(subject, j)

    def _about(self, subject: Phrase, j: int) -> int:
        """What is said of a subject; that it exists if nothing else."""
        if subject.bare and subject.quant in ("half", "most"):
            subject = subject._replace(fits=self.things)
        elif self.last and (
            (subject.bare and (subject.quant or self.at(j)[0] in ("cop", "attr")))
            or (
                subject.quant in ("both", "all") and not subject.headed and not subject.general and not subject.definite
            )
        ):
            return self._about_last(subject, j)
        if (end := self._several(subject, j)) is not None:
            return end
        i, negated, linked, quant = j, False, False, subject.quant
        one = subject.number in (None, 1) and not subject.general and subject.quant != "none"
        while True:
            kind, value = self.at(i)
            if kind in ("cop", "not"):
                negated |= kind == "not"
            elif linked and kind == "quant" and value in ("all", "both"):
                quant = quant or "all"
            elif one and not linked and subject.number and (kind, value) == ("mark", ":"):
                self.claims.append(subject.counted(len(subject.fits)))
            elif not (one and not linked and kind == "mark" and value == ":" and self.at(i + 1)[0] != "num"):
                break
            linked = True
            i += 1
        placed = subject.vague and not subject.headed and not subject.general  # "on the left I see a ball"
        linked |= placed and self.at(i) in (("det", "a"), ("num", 2), ("num", 3))
        if self.at(i)[0] == "rel":
            return self._related(subject, i, negated)
        if linked:
            told, k = self.phrase(i)
            if told is not None and not (placed and told.bare):
                return self._told(subject._replace(quant=quant), told, k, negated)
            if negated:
                self.claims.append(not subject.fits)
                return i
        return self._exists(subject, i)

    def _beside(self, i: int) -> int:
        """ "To the left of the cube there is a ball"."""
        other, j = self.phrase(i + 1)
        while self.at(j)[0] == "cop" or self.at(j) == ("mark", ","):
            j += 1
        subject, k = self.phrase(j)
        if other is None or subject is None:
            return i + 1
        end = self._relate(subject, self.at(i)[1], other, k, False)
        self.last = self.last[::-1]
        return end

    def _several(self, subject: Phrase, j: int) -> int | None:
        """ "The leftmost and the rightmost object are blue": the same said of two subjects; None if it is not."""
        if self.at(j) != ("and", "and"):
            return None
        other, k = self.phrase(j + 1)
        if other is None or self.at(k) != ("cop", "are") or (other.number or 1) > 1 or (subject.number or 1) > 1:
            return None
        while self.at(k)[0] in ("cop", "quant"):
            k += 1
        told, end = self.phrase(k)
        if told is None or self.at(k)[0] == "rel":
            return None
        groups = (subject.fits, other.fits)
        self.claims += [any(thing in told.fits for thing in group) for group in groups]
        self.last = list(groups)
        return end

    def _about_last(self, subject: Phrase, j: int) -> int:
        while self.at(j)[0] in ("cop", "pron") or self.at(j) == ("of", "of"):
            j += 1
        told, k = (subject, j) if not subject.bare else self.phrase(j)
        if told is None:
            return j + 1
        groups = self.last
        if subject.quant in ("both", "all"):
            counted, self._counted = self._counted, None
            if counted is not None and not subject.bare and len(groups) == 1:
                which, number = counted  # "three cubes, all of them cyan" leaves out other cubes
                self.last = [tuple(thing for thing in groups[0] if thing in told.fits)]
                self.claims[which] = len(self.last[0]) == number
            elif len(groups) > 1:
                self.claims += [any(thing in told.fits for thing in group) for group in groups]
            else:
                fine = len(groups[0]) == 2 if subject.quant == "both" else bool(groups[0])
                self.claims.append(fine and all(thing in told.fits for thing in groups[0]))
        else:
            whole = {thing for group in groups for thing in group}
            count = sum(thing in whole for thing in told.fits)
            self.claims.append(count == 0 if subject.quant == "none" else count >= (subject.number or 1))
        return k

    def _exists(self, subject: Phrase, j: int) -> int:
        fits, count = subject.fits, len(subject.fits)
        if subject.bare or (subject.vague and (subject.number is None or subject.of is not None)):
            self.last = [fits] if not subject.bare and not subject.general else self.last
            return j
        if subject.quant == "none":
            self.claims.append(count == 0)
            if self.at(j)[0] == "or" or (self.at(j) == ("mark", ",") and self.at(j + 1)[0] == "attr"):
                other, k = self.phrase(j + 1)
                return j + 1 if other is None else self._exists(other._replace(quant="none"), k)
            return j
        if self.at(j)[0] == "except":
            return self._except(subject, j)
        if subject.quant == "all":
            self.claims.append(bool(fits) and len(fits) == len(self.things))
            return j
        if subject.only and subject.number is None and not subject.definite:
            return self._nothing_but(subject, j)
        if subject.only and subject.definite:
            self.claims.append(count == 1)
        elif subject.quant == "both":
            self.claims.append(count == 2)
        elif subject.quant in ("half", "most"):
            self.claims.append(
                2 * count == len(self.things) if subject.quant == "half" else 2 * count > len(self.things)
            )
        else:
            self.claims.append(subject.counted(count))
            if subject.number is not None and not subject.op and self.at(j) == ("mark", ","):
                self._counted = len(self.claims) - 1, subject.number
        if self.at(j) == ("only", "only") and self.at(j + 1)[0] in ("end", "mark") and subject.number is None:
            self.claims[-1] = len(fits) == len(self.things)
            j += 1
        self._speak_of(subject, j)
        return self._broken_down(subject, j)

    def _speak_of(self, subject: Phrase, j: int) -> None:
        """Keep what was spoken of; phrases that "and" joins are kept together."""
        joined = self._joined
        self.last = [*self.last, subject.fits] if joined else [subject.fits]
        self._joined = self.at(j) == ("and", "and") or (
            self.at(j) == ("mark", ",") and self.at(j + 1)[0] in ("det", "num", "and")
        )

    _joined = False
    _counted: tuple[int, int] | None = None  # the last claim that counts something, and what it says

    def _broken_down(self, subject: Phrase, j: int) -> int:
        """ "Two gray ones: a sphere and a cylinder": what the things are one by one."""
        number = 2 if subject.quant == "both" else subject.number or 0
        if number < 2 or self.at(j) not in _BREAKS:
            return j
        parts: list[Phrase] = []
        i = j
        while True:
            while self.at(i) in _BREAKS or self.at(i)[0] == "and":
                i += 1
            part, k = self.phrase(i, subject.fits)
            if part is None or part.quant or part.bare or part.vague or self.at(k)[0] == "cop":
                break
            parts.append(part)
            i = k
        stated = sum(part.number or 1 for part in parts)
        colon = self.at(j) != ("mark", ",")
        if (
            not parts
            or (subject.shaped and any(part.shaped for part in parts))
            or not (colon or (stated == number and len(parts) > 1))
        ):
            return j
        for part in parts:
            self.claims.append(len(part.fits) >= 1 if (part.number or 1) == 1 else part.counted(len(part.fits)))
        self._joined = False
        return self._about(subject, i) if self.at(i)[0] == "cop" else i

    def _nothing_but(self, subject: Phrase, j: int) -> int:
        """ "Only spheres and cylinders": everything is one of these."""
        union, i = set(subject.fits), j
        while self.at(i)[0] == "and" or self.at(i)[0] == "or":
            more, k = self.phrase(i + 1)
            if more is None:
                break
            union |= set(more.fits)
            i = k
        if self.at(i)[0] == "cop":  # "only the red ball is metallic"
            told, k = self.phrase(i + 1)
            if told is not None:
                self.claims.append(bool(union) and set(told.fits) == union)
                return k
        self.claims.append(len(union) == len(self.things))
        return i

    def _told(self, subject: Phrase, told: Phrase, k: int, negated: bool) -> int:
        fits = subject.fits
        if self.at(k)[0] == "except" and subject.quant == "all":
            return self._except(told._replace(quant="all"), k)
        if told.quant == "none" and not told.bare:
            told, negated = told._replace(quant=""), not negated
        if told.bare and told.number is not None:
            self.claims.append(told.counted(len(fits)))
            self.last = [fits]
            return self._broken_down(subject._replace(number=told.number), k)
        if subject.only and subject.number is None and not subject.definite:
            self.claims.append(set(told.fits) == set(fits) and bool(fits))
            return k
        if subject.bare and subject.quant == "both" and not self.last:
            self.claims.append(len(told.fits) == 2)
            self.last = [told.fits]
            return k
        both = tuple(thing for thing in fits if (thing in told.fits) != negated)
        if told.quant in ("half", "most") and told.of is not None:
            self.claims.append(2 * len(fits) == len(told.of) if told.quant == "half" else 2 * len(fits) > len(told.of))
        elif told.only:
            own = any(thing in told.fits for thing in fits)
            self.claims.append(own and (len(told.fits) == 1) != negated)
        elif told.listed and told.number is not None and not told.definite and told.number > 1:
            self.claims.append(told.counted(len(both)))
        else:
            self.claims.append(self._holds(subject, both))
        self.last = [both or fits]
        self._joined = False
        return self._more_told(subject, both, k)

    def _more_told(self, subject: Phrase, both: tuple[Thing, ...], k: int) -> int:
        """ "The other two are a ball and a cylinder": the second of what a subject is said to be."""
        told_apart = subject.quant in ("", "all") and self.at(k) == ("and", "and") and self.at(k + 1) == ("det", "a")
        if told_apart and len(subject.fits) > 1:
            told, j = self.phrase(k + 1)
            if told is not None and self.at(j)[0] in ("mark", "end"):
                self.claims[-1] = bool(both)
                self.claims.append(any(thing in told.fits for thing in subject.fits))
                return j
        if self.at(k) == ("mark", ":") and subject.number == 1:
            told, j = self.phrase(k + 1)
            if told is not None:
                self.claims.append(any(thing in told.fits for thing in both))
                return j
        return self._broken_down(subject._replace(fits=both), k)

    def _holds(self, subject: Phrase, both: tuple[Thing, ...]) -> bool:
        fits = subject.fits
        if subject.quant == "none":
            return not both
        if subject.quant in ("half", "most"):
            return 2 * len(both) == len(fits) if subject.quant == "half" else 2 * len(both) > len(fits)
        if subject.quant in ("all", "both"):
            sized = subject.number in (None, len(fits)) and (subject.quant == "all" or len(fits) == 2)
            return sized and bool(fits) and len(both) == len(fits)
        if subject.definite and subject.only:
            return len(fits) == 1 == len(both)
        if subject.definite and subject.number is not None:
            return len(fits) == subject.number and len(both) == len(fits)
        if subject.general and subject.number == 1 and not subject.only and subject.op == "":
            return bool(both)
        return subject.counted(len(both))

    def _except(self, subject: Phrase, i: int) -> int:
        if subject.quant != "all":
            return i + 1
        other, k = self.phrase(i + 1)
        if other is not None:
            rest = [thing for thing in self.things if thing not in subject.fits]
            self.claims.append(len(rest) == (other.number or 1) and all(thing in other.fits for thing in rest))
        return k

    def _related(self, subject: Phrase, i: int, negated: bool) -> int:
        relation = self.at(i)[1]
        other, k = self.phrase(i + 1)
        while self.at(i + 1)[0] in ("rel", "and", "mark") and other is None:
            i += 1
            other, k = self.phrase(i + 1)
        if other is None:
            return self._exists(subject, i + 1)
        return self._relate(subject, relation, other, k, negated)

    def _relate(self, subject: Phrase, relation: str, other: Phrase, k: int, negated: bool) -> int:
        if relation == "between":
            ends = other.fits
            if self.at(k)[0] == "and":
                further, k = self.phrase(k + 1)
                ends = (*ends, *(further.fits if further is not None else ()))
            held = [
                one
                for one in subject.fits
                if any(e.place < one.place for e in ends) and any(e.place > one.place for e in ends)
            ]
        else:
            every = other.quant == "all"
            held = [
                one
                for one in subject.fits
                if (all if every else any)(RELATIONS[relation](one, each) for each in other.fits if each != one)
            ]
        self.claims.append(bool(held) != negated)
        self.last = [tuple(held), other.fits] if held else [subject.fits]
        if self.at(k)[0] == "and" and self.at(k + 1)[0] == "rel":
            return self._related(subject, k + 1, negated)
        return k

    def _in_order(self, i: int, side: str) -> int:
        row: list[Phrase] = []
        while i < len(self.found):
            found, k = self.phrase(i)
            if found is not None:
                row.append(found)
            i = max(i + 1, k)
        order = self.things if side == "left" else self.things[::-1]
        if len(row) > 1:
            self.claims.append(len(row) == len(order) and all(t in p.fits for t, p in zip(order, row, strict=True)))
        return i

    def _compared(self, i: int) -> int:
        """ "More cubes than spheres", "as many cubes as spheres"."""
        word = self.at(i)[1]
        while self.at(i)[0] in ("more", "as", "many"):
            i += 1
        one, j = self.phrase(i)
        if one is None or self.at(j)[0] not in ("than", "as"):
            return i
        other, k = self.phrase(j + 1)
        if other is None:
            return i
        a, b = len(one.fits), len(other.fits)
        self.claims.append(a > b if word == "more" else a < b if word == "fewer" else a == b)
        return k


_BREAKS = tuple(("mark", sign) for sign in (":", ",", "(", "—", "–", ";", "="))
RELATIONS: dict[str, Callable[[Thing, Thing], bool]] = {
    "left": lambda one, other: one.place < other.place,
    "right": lambda one, other: one.place > other.place,
    "front": lambda one, other: one.depth < other.depth,
    "behind": lambda one, other: one.depth > other.depth,
    "near": lambda one, other: abs(one.across - other.across) + abs(one.down - other.down) < 0.45,
}


def judge(sentences: Sequence[str], record: Mapping[str, Any]) -> bool | None:
    """Whether what sentences say of the things is true; None if they say nothing that is understood."""
    things = things_of(record)
    claims: list[bool] = []
    last: list[tuple[Thing, ...]] = []
    for sentence in sentences:
        sentence, everything, exception = _excepting(sentence)
        sentence, counted = frequencies(sentence, things)
        listener = Listener(things, tokens(sentence), last)
        own = listener.read()
        last = listener.last
        if exception:
            own += _only_but(everything, exception, things)
        if (alike := _ALIKE.search(sentence)) and last and len(last[-1]) > 1:
            name = "colour" if alike[1].startswith("colo") else alike[1]
            own.append(len({getattr(thing, name) for thing in last[-1]}) == 1)
        if (different := _EACH.search(sentence)) and last:
            values = [
                getattr(thing, "colour" if different[1].startswith("colo") else different[1]) for thing in last[-1]
            ]
            own.append(len(set(values)) == len(values))
        claims += [*counted, *own]
    return all(claims) if claims else None


_EXCEPT = re.compile(
    r"^(?:except|apart|aside|other than)(?: for| from)? (.+?), ((?:all|every|the other|the rest|each).+)$"
)
_EXCEPT_BEHIND = re.compile(
    r"^(.*?)\b((?:all|every|everything|each)\b.*?),? (?:except|apart|aside|but|other than)(?: "
    r"for| from)? (?:for )?(.+)$"
)
_ALIKE = re.compile(r"\b(?:have|has|share|are of) (?:the|a) same (colou?r|shape|size|material)\b")
_EACH = re.compile(r"\beach (?:\w+ ){0,3}different (colou?r|shape)")


def _excepting(sentence: str) -> tuple[str, str, str]:
    """A sentence without its statement about everything but an exception; that statement, and the exception."""
    if found := _EXCEPT.search(sentence):
        return "", found[2], found[1]
    if found := _EXCEPT_BEHIND.search(sentence):
        return found[1], found[2], found[3]
    return sentence, "", ""


def _only_but(everything: str, exception: str, things: tuple[Thing, ...]) -> list[bool]:
    """Whether all things but those of an exception are what is said of everything."""
    reader = PhraseReader(things, tokens(everything), ())
    told = [found for i in range(len(reader.found)) if (found := reader.phrase(i)[0]) is not None and not found.vague]
    other, _ = PhraseReader(things, tokens(exception), ()).phrase(0)
    if not told or other is None:
        return []
    rest = [thing for thing in things if thing not in told[-1].fits]
    return [len(rest) == (other.number or 1) and all(thing in other.fits for thing in rest)]
