"""Clues about scenes of simple things: sentences say how many there are of what, where, and how they compare.

A clue is read once, from left to right, into claims: functions of the things that somebody sees. Words that are not
known are passed over, and what is not a statement about the things makes no claim. Noun phrases are in
`noun_phrases`, what is said of them in `predicates`, comparisons of amounts in `amounts`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from mmgames.games.spy.listening.amounts import told_number
from mmgames.games.spy.listening.descriptions import Phrase, within
from mmgames.games.spy.listening.quantifiers import SHARES
from mmgames.games.spy.listening.rows import RowReader
from mmgames.games.spy.listening.things import (
    Claim,
    Group,
    Things,
    common,
    count_is,
    everything,
    none,
    one_of,
    only_with,
    some,
    things_of,
    union,
    without,
)  # fmt: skip
from mmgames.games.spy.listening.tokens import Token, tokens

MOST_UNKNOWN = 3
"""A sentence with so many words that are not known, and hardly one that is, is not held to be half understood."""
_AMOUNTS = ("more", "as", "many", "ratio", "halfof", "evenly")


class Listener(RowReader):
    """Reads one sentence."""

    def __init__(self, found: tuple[Token, ...], before: Listener | None) -> None:
        super().__init__(found)
        if before is not None:
            self.spoken, self.scope, self.taken = before.spoken, before.scope, before.taken
            self.shape, self.said, self.partner, self.named = before.shape, before.said, before.partner, before.named

    def read(self) -> None:
        i = 0
        while not self.sees(i, "end"):
            i = max(i + 1, self._statement(i))

    def _statement(self, i: int) -> int:
        kind, value = self.at(i)[:2]
        if i == 0 and (end := self._words_alone()) is not None:
            return end
        ordered = [token.value for token in self.found if token.kind == "inorder"]
        if i == 0 and kind == "attr" and len(ordered) == 1 and self.at(len(self.found) - 2).kind in ("inorder", "mark"):
            row = all(token.kind in ("attr", "mark", "and", "inorder", "end", "noun", "det") for token in self.found)
            if row:  # "red, blue, blue, from left to right"
                return self.in_order(0, ordered[0])
        if kind == "inorder" and not any(token.kind in ("ord", "far", "sup") for token in self.found):
            return self.in_order(i + 1, value)
        if kind in ("rel", "relit") and not (self.subjects and self.sees(i - 1, "and")):
            return self.beside(i)
        least = kind in ("op", "exact") and self.at(i + 1).kind in ("as", "ratio")
        if least or kind in _AMOUNTS or (kind == "num" and self.sees(i + 1, "more")):
            return self._amounts(i)
        if kind in ("alike", "kinds"):
            scope = union(*self.spoken) if self.spoken and kind == "alike" and i else None
            return self.alike(i, scope)
        if kind == "each":
            return self._each(i)
        if kind == "times" and self.spoken:
            self.claims.append(count_is(self.spoken[-1], "", {"once": 1, "twice": 2, "thrice": 3}.get(value, 0)))
            return i + 1
        if kind == "nomore":
            self.all_named()
            return i + 1
        if kind == "except":
            return self._except_first(i)
        if kind == "commonest":
            return self._commonest_first(i)
        if kind == "of":
            return self._among(i)
        if kind in ("pron", "which") and self.spoken:
            return self._of_them(i)
        if kind == "not":
            return self._denied(i)
        if kind == "absent":
            return self._absent_first(i)
        if kind == "sois" and self.said is not None:
            found, end = self.phrase(i + 1)
            if found is None:
                return i + 1
            if self.sees(end, "relit") and self.spoken:
                self.partner = self.spoken[-1]
            return max(i + 1, self._state([found], Phrase(self.said), end, self.sees(i, "sois", "not")))
        if kind == "kindsof" and self.sees(i + 1, "dim"):
            name, told = self.at(i + 1).value, told_number(value)
            self.claims.append(lambda things: _counts(things, name) == {told})
            return i + 2
        if kind == "together":
            self.together = True
            return i + 1
        if kind == "unlike":
            found, end = self.phrase(i + 1)
            if found is not None:
                self.partner = found.group
            if found is not None and self.sees(end, "mark") and self.sees(end + 1, "which"):
                self.spoken = [found.group]
            return max(i + 1, end)
        if kind == "with" and self.sees(i + 1, "det", "the") and (end := self.side_by_side(i + 1)) is not None:
            return end
        if kind == "cop" and i and self.sees(i - 1, "mark") and self.subjects:
            return self.predicate(self.subjects, i)
        return self._noun_phrases(i)

    def _words_alone(self) -> int | None:
        """ "Cube cube cube ball", which counts; "purple", which is said of what was spoken of last."""
        found = self.found[:-1]
        if not all(token.kind == "attr" or token[:2] == ("mark", ",") for token in found) or not found:
            return None
        shapes = [token.value[1] for token in found if token.kind == "attr" and token.value[0] == "shape"]
        if len(shapes) > 2 and len(shapes) == sum(token.kind == "attr" for token in found):
            for shape in set(shapes):
                group = only_with(everything, [one_of((("shape", shape),))])
                self.claims.append(count_is(group, "", shapes.count(shape)))
            return len(found)
        if not shapes and self.spoken:
            return self._say([Phrase(self.spoken[-1], head="thing")], 0)
        return None

    def _noun_phrases(self, i: int) -> int:
        first, j = self.phrase(i)
        if first is None:
            return i + 1
        if first.bare and first.quant in ("all", "none") and self.at(j + self.sees(j, "cop")).kind in (
            "rel", "relit", "relback",
        ):  # fmt: skip
            return self.predicate([Phrase(everything, first.quant, head="thing")], j)  # "everything to its left"
        if first.bare or first.part is not None:
            return self._picked(first, j)
        if self._of_spoken(first, i):
            return self._picked(Phrase(everything, first.quant), i + 1)
        if self.among is not None and first.article == "the" and first.shaped:
            first = within(first, self.among)
        self.remember(first)
        end = self._apposition(first, j)
        if end is None and i == 0:
            end = self.labelled(first, j)
        if end is not None:
            return end
        if first.several and first.quant not in ("none",) and (end := self._counted_parts(first, i, j)) is not None:
            return end
        phrases, j = self._listed(first, j)
        several = any(each.several or each.quant for each in phrases)
        self.named = [] if several else [*self.named, *(each.group for each in phrases)]
        if self._states(phrases[-1], j):
            if not self._together(phrases, i, j):
                if phrases[:-1]:
                    self.exist(phrases[:-1], j)
                    self.joined = True
                phrases = phrases[-1:]
            self.subjects = phrases
            j += self.at(j).kind in ("of", "with")
            end = self.predicate(phrases, j, linked=self.at(j).kind in ("num", "sup", "ord", "far", "attr"))
            self.joined = False
            return end
        self.exist(phrases, j)
        self.subjects = phrases
        if self.sees(j, "mark", ",") and self.at(j + 1).kind in ("at", "far") and phrases[-1].number is not None:
            place, k = self.phrase(j + 1)
            if place is not None and self.at(k).kind in ("end", "mark") and not place.kinds:
                self.claims.append(some(common(phrases[-1].group, place.group)))
                return k
        return j

    def _of_spoken(self, phrase: Phrase, i: int) -> bool:
        """Whether "both small" and "all red" are said of what was spoken of."""
        quantified = self.sees(i, "quant", "both", "all") and not phrase.head and not phrase.rest
        return bool(
            quantified and self.spoken and not phrase.article and phrase.number is None and not self.sees(i + 1, "det")
        )

    def _picked(self, first: Phrase, j: int) -> int:
        """ "Both are red", "one is red, the other blue", "two of them cubes", and a number alone."""
        if first.quant in ("both", "all", "none", "any") and first.part is None and first.bare:
            whole = union(*self.spoken) if self.spoken else everything
            groups = self.spoken if first.quant == "both" and len(self.spoken) == 2 else [whole]
            if first.quant == "both" and len(groups) == 1 and len(self.named) > 1:
                groups = self.named[-2:]
            if not self.spoken and not self.sees(j, "cop") and first.quant != "all":
                return j
            if len(groups) == 2:
                return self.predicate([Phrase(group, head="thing") for group in groups], self._linked(j), linked=True)
            counted, self.counted = self.counted, None
            if counted is not None and not self.sees(j, "cop") and first.quant != "none":
                return self._all_counted(counted, j)
            return self._linked_predicate(first._replace(group=whole, head="thing"), j)
        if first.part is not None:
            if first.quant == "all" and self.sees(j, "times"):
                return self.of_each(j, self.spoken)
            end = self._apposition(first, j) if first.number == 1 else None
            return self._linked_predicate(first, j) if end is None else end
        if first.quant in SHARES:
            return self._linked_predicate(first._replace(group=everything), j)
        if self.at(j).kind in ("cop", "not") or (self.at(j).kind in ("attr", "det") and first.number is not None):
            return self._linked_predicate(first._replace(group=self._scope_of(first, j)), j)
        alone = self.at(j).kind in ("end", "mark") and self.at(j - 2).kind in ("mark", "and", "cop", "there")
        if first.number is not None and self.spoken and alone:
            self.claims.append(first.counted(self.spoken[-1]))
        return j

    def _all_counted(self, counted: tuple[int, Phrase], j: int) -> int:
        """ "Three cubes, all of them cyan": cubes that are not cyan are left out."""
        place, phrase = counted
        told, k = self.phrase(self._linked(j), told=True)
        if told is None:
            return j
        both = common(phrase.group, told.group)
        self.claims[place] = phrase.counted(both) if phrase.number else count_is(both, "", 2)
        self.spoken = [both]
        self.scope, self.taken = both, []
        return self.parts(both, phrase.number or 2, k, phrase.kinds)

    def _scope_of(self, first: Phrase, j: int) -> Group:
        """What "one" and "two" choose from."""
        paired = any(token.kind == "rest" for token in self.found[j:])
        if first.number == 1 and paired and self.spoken and self.taken:
            self.scope, self.taken = self.spoken[-1], []
        if self.scope is None:
            return self.spoken[-1] if self.spoken and first.number == 1 else everything
        return self.scope

    def _linked(self, j: int) -> int:
        while self.at(j).kind in ("of", "pron"):
            j += 1
        return j

    def _linked_predicate(self, subject: Phrase, j: int) -> int:
        """What is said of a subject, with "is" or without."""
        self.subjects = [subject]
        j = self._linked(j)
        if self.at(j).kind in ("end", "mark", "and", "but"):
            if subject.part is not None and subject.number is not None:  # "there are three of them"
                self.claims.append(count_is(subject.group, subject.op.replace(">=", ""), subject.number))
            return j
        return self.predicate([subject], j, linked=True)

    def _amounts(self, i: int) -> int:
        if self.sees(i, "evenly"):
            first, j = self.phrase(i + 1)
            if first is not None:
                phrases, j = self._listed(first, j)
                self.even(phrases)
                return j
        if self.sees(i, "more") and self.subjects and not self._noun_ahead(i + 1):
            return i + 1
        return self.compared(i)

    def _noun_ahead(self, i: int) -> bool:
        return self.at(i).kind in ("attr", "noun")

    def _each(self, i: int) -> int:
        if self.kinds is not None:
            name, group = self.kinds
            told = told_number(self.at(i).value)
            self.claims.append(lambda things: _counts(group(things), name) == {told})
            return i + 1
        return self.of_each(i, self.spoken)

    def _except_first(self, i: int) -> int:
        """ "Apart from the ball, everything is red", "apart from the ball I see only cubes"."""
        but, j = self.exceptions(i + 1)
        if but is None:
            return i + 1
        while self.at(j).kind in ("cop", "pron", "there") or self.sees(j, "mark"):
            j += 1
        if self.sees(j, "num") and self.at(j + 1).kind in ("more", "rest"):  # "three more cubes"
            further, k = self.phrase(j + 2)
            if further is not None:
                self.claims += [some(but.group), count_is(without(further.group, but.group), "", self.at(j).value)]
                return k
        subject, k = self.phrase(j)
        if subject is None:
            return j
        if subject.quant == "all" or subject.rest or (subject.article == "the" and subject.rest):
            while self.sees(k, "cop"):
                k += 1
            told, end = self.phrase(k, told=True)
            if told is not None:
                self.all_but(subject.group if but.bare else everything, told.group, but)
                return end
        if subject.only and subject.number is None:
            self.all_but(everything, subject.group, but)
            return k
        if subject.quant == "none":
            named, spoken = subject.group, but.group
            while self.sees(k, "cop"):
                k += 1
            told, end = self.phrase(k, told=True)
            if told is not None:
                named, k = common(subject.group, told.group), end
            self.claims.append(lambda things: not set(named(things)) - set(spoken(things)))
            return k
        self.exist([but], j)
        return j

    def _commonest_first(self, i: int) -> int:
        """ "The most common shape is the cube"."""
        j = i + 1
        while self.at(j).kind in ("dim", "noun", "cop", "det", "of"):
            j += 1
        found, k = self.phrase(j)
        if found is None or not found.kinds:
            return i + 1
        self.claims.append(self.commonest(found, self.sees(i, "commonest", "rarest")))
        self.spoken = [found.group]
        return k

    def _among(self, i: int) -> int:
        """ "Of my three spheres, the yellow one is the closest"."""
        if self.sees(i + 1, "pron") and self.spoken:
            self.scope, self.taken = union(*self.spoken), []
            return i + 2
        whole, j = self.phrase(i + 1)
        if whole is None or whole.bare or whole.only:
            return i + 1
        if whole.number is not None:
            self.claims.append(whole.counted(whole.group))
        self.scope, self.taken, self.spoken = whole.group, [], [whole.group]
        self.among = whole.group
        k = j + self.sees(j, "mark")
        if self.at(k).kind in ("there", "cop"):  # "among them there is a ball"
            found, end = self.phrase(k + 1, whole.group)
            if found is not None and not self.sees(end, "cop"):
                self.exist([found], end)
                return end
        return j if self.sees(j, "only") else j + 1

    def _of_them(self, i: int) -> int:
        """What is said of "it", of "they", and of what a clause speaks of that begins with "which"."""
        token = self.at(i)
        j = i + 1
        while self.at(j).kind == "dim":
            j += 1
        if self.at(j).kind not in ("cop", "rel", "attr", "not", "alike", "quant", "absent", "times") or (
            token.kind == "which" and self.at(j).kind not in ("cop", "rel", "not")
        ):
            return i + 1
        if token.value == "they":
            whole = union(*self.spoken)
            subject = Phrase(whole, quant="all", head="thing")
            if len(self.spoken) > 1:
                subjects = [Phrase(group, head="thing") for group in self.spoken]
                return self._say(subjects, j)
        else:
            first = self.partner is not None and not (token.kind == "which" and self.partner is self.spoken[-1])
            subject = Phrase(self.spoken[0 if first else -1], head="thing", kinds=frozenset({"it"}))
        return self._say([subject], j)

    def _say(self, subjects: list[Phrase], j: int) -> int:
        self.subjects = subjects
        if self.sees(j, "attr"):
            told, k = self.phrase(j, told=True)
            return self._state(subjects, told, k, False) if told is not None else j + 1
        return self.predicate(subjects, j)

    def _denied(self, i: int) -> int:
        """ "Not one cube", "without any cubes"."""
        found, j = self.phrase(i + 1)
        if found is None:
            return i + 1
        if found.part is not None and found.quant not in ("all", "both"):
            return self._linked_predicate(found._replace(quant="none", number=None, op=""), j)
        if found.quant in ("all", "both"):
            subject = found
            while self.sees(j, "cop"):
                j += 1
            told, k = self.phrase(j, told=True)
            if told is not None:
                claim = self.holds(subject, common(subject.group, told.group))
                self.claims += [some(subject.group), lambda things: not claim(things)]
                return k
            return j
        if found.number is not None:
            claim = found.counted(found.group)
            self.claims.append(lambda things: not claim(things))
            self.spoken = [found.group]
        elif found.kinds:
            self.claims.append(none(found.group))
        return j

    def _absent_first(self, i: int) -> int:
        j = i + 1
        while self.at(j).kind in ("cop", "mark"):
            j += 1
        found, k = self.phrase(j)
        if found is None or not found.kinds:
            return i + 1
        self.claims.append(none(found.group))
        return k


def _counts(things: Things, name: str) -> set[int]:
    values = [getattr(thing, name) for thing in things]
    return {values.count(value) for value in values}


@lru_cache(maxsize=2048)
def claims(sentences: tuple[str, ...]) -> tuple[tuple[Claim, ...], tuple[Claim, ...]]:
    """What sentences claim of any scene, and what they take for granted."""
    made: list[Claim] = []
    weak: list[Claim] = []
    before: Listener | None = None
    for sentence in sentences:
        found = tokens(sentence)
        told = sum(token.kind in ("attr", "num", "at", "far", "sup", "ord", "rel", "quant") for token in found)
        if sum(token.gap for token in found) >= MOST_UNKNOWN and told < 2:
            continue
        listener = Listener(found, before)
        listener.read()
        made += listener.claims
        weak += listener.weak
        before = listener
    return tuple(made), tuple(weak)


def judge(sentences: Sequence[str], record: Mapping[str, Any]) -> bool | None:
    """Whether what sentences say of the things is true; None if they say nothing that is understood."""
    things = things_of(record)
    made, weak = claims(tuple(sentences))
    if not all(claim(things) for claim in weak):
        return False
    return all(claim(things) for claim in made) if made else None
