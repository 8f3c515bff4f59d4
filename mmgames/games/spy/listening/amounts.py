"""Statements about amounts: more of this than of that, as many, so many colours, all of one size."""

from __future__ import annotations

from collections import Counter

from mmgames.games.spy.listening.descriptions import Phrase
from mmgames.games.spy.listening.noun_phrases import PhraseReader
from mmgames.games.spy.listening.things import COMPARE, Claim, Group, Things, common, everything, kinds_in, some, union
from mmgames.games.spy.listening.vocabulary import SHAPES, TIMES, number


def sized(one: Group, op: str, other: Group, factor: float = 1, more: int = 0) -> Claim:
    """That a group is larger than another, or as large, or twice as large."""
    compare = COMPARE[op]
    return lambda things: compare(len(one(things)) - more, factor * len(other(things)))  # type: ignore[arg-type]


def told_number(word: str) -> int:
    """The number of a mark such as `times_twice`."""
    return TIMES.get(word) or number(word) or 0


class AmountReader(PhraseReader):
    """Reads the statements of one sentence that compare amounts."""

    def compared(self, i: int) -> int:
        """ "More cubes than spheres", "one more cube than spheres", "as many cubes as spheres", "twice as many"."""
        op, factor, more = "", 1.0, 0
        if self.sees(i, "num") and self.sees(i + 1, "more"):
            more = self.at(i).value * (1 if self.sees(i + 1, "more", "more") else -1)
            i += 2
        while self.at(i).kind in ("more", "as", "many", "ratio", "halfof", "evenly", "op", "exact"):
            kind, value = self.at(i)[:2]
            if kind == "op":
                op = value
            if kind == "more" and not more:
                op = ">" if value == "more" else "<"
            factor = told_number(value) if kind == "ratio" else 0.5 if kind == "halfof" else factor
            i += 1
        one, j = self.phrase(i)
        while self.sees(j, "cop"):
            j += 1
        if one is None or self.at(j).kind not in ("than", "as", "and", "or"):
            return i
        j += 1
        while self.at(j).kind in ("cop", "pron", "there"):
            j += 1
        if op and (self.sees(j, "quant", "any", "all") or self.sees(j, "noun")) and self.rival(j):
            self.claims.append(self.commonest(one))
            return self.end_of_clause(j)
        other, k = self.phrase(j)
        if other is None:
            return i
        if any(token.kind == "together" for token in self.found[k:]):  # "than cubes and balls together"
            other, k = self.exceptions(j)
        self.claims.append(sized(one.group, op, (other or one).group, factor, more))
        self.spoken = [one.group, (other or one).group]
        return k

    def as_many(self, one: Phrase, i: int) -> int:
        """ "(Blue objects are) twice as many as red ones"."""
        factor = 1.0
        while self.at(i).kind in ("as", "many", "ratio", "halfof", "than"):
            kind, value = self.at(i)[:2]
            factor = told_number(value) if kind == "ratio" else 0.5 if kind == "halfof" else factor
            i += 1
        other, k = self.phrase(i)
        if other is None:
            return i
        self.claims.append(sized(one.group, "", other.group, factor))
        return k

    def rival(self, i: int) -> bool:
        """Whether "anything else" or "any other colour" stands here."""
        return any(self.sees(i + step, "rest") for step in range(3)) or self.at(i + 1).kind in ("end", "mark")

    def end_of_clause(self, i: int) -> int:
        while self.at(i).kind not in ("end", "mark"):
            i += 1
        return i

    def outnumbers(self, one: Phrase, i: int) -> int:
        other, k = self.phrase(i)
        if other is None or other.general:
            self.claims.append(self.commonest(one))
            return max(i, k)
        self.claims.append(sized(one.group, ">", other.group))
        return k

    def commonest(self, phrase: Phrase, rarest: bool = False) -> Claim:
        """That there is more of this colour, or shape, than of any other; or less of it."""
        attribute = min(phrase.kinds, default="shape")  # the same in every run

        def first(things: Things) -> bool:
            own = {getattr(thing, attribute) for thing in phrase.group(things)}
            counts = Counter(getattr(thing, attribute) for thing in things).most_common()
            counts = counts[::-1] if rarest else counts
            return own == {counts[0][0]} and (len(counts) == 1 or counts[0][1] != counts[1][1])

        return first

    def even(self, subjects: list[Phrase]) -> None:
        """That groups are equally large."""
        groups = [subject.group for subject in subjects]
        if len(groups) == 1 and subjects[0].choices:
            groups = list(subjects[0].choices)
        if len(groups) > 1:
            self.claims.append(
                lambda things: len({len(group(things)) for group in groups}) == 1 and some(groups[0])(things)
            )
            self.spoken = groups

    def of_each(self, i: int, subjects: list[Group]) -> int:
        """ "Two of each"."""
        told = told_number(self.at(i).value)
        groups = list(subjects)
        if groups:
            self.claims.append(lambda things: all(len(group(things)) == told for group in groups))
        return i + 1

    def alike(self, i: int, base: Group | None) -> int:
        """ "The same colour", "different sizes", "two shapes": how many kinds a group has."""
        group = base or everything
        token = self.at(i)
        j = i + 1
        names = []
        while self.at(j).kind == "dim" or (self.at(j).kind in ("and", "of", "det") and self.sees(j + 1, "dim")):
            if self.sees(j, "dim"):
                names.append(self.at(j).value)
            j += 1
        if token.value == "identical":
            names = names or ["colour", "shape", "size", "material"]
        for name in names:
            self.claims.append(self._kinds_claim(group, name, token.kind, token.value))
        if token.kind == "kinds" and names:
            return self._named_kinds(j, group, names[0])
        return j

    def _kinds_claim(self, group: Group, name: str, kind: str, value: str) -> Claim:
        count = kinds_in(group, name)
        if kind == "kinds":
            most = {"size": 2, "material": 2}.get(name, len(SHAPES))
            told = most if value == "all" else 2 if value == "both" else told_number(value)
            return lambda things: count(things) == told
        if value == "unique":
            return lambda things: any(_alone((one,), things, name) for one in group(things))
        if value in ("same", "identical"):
            return lambda things: count(things) == 1 < len(group(things)) + (group is everything)
        if value == "alldifferent" or name in ("colour", "shape"):
            return lambda things: count(things) == len(group(things)) > 1 or _alone(group(things), things, name)
        return lambda things: count(things) > 1

    def _named_kinds(self, i: int, group: Group, name: str) -> int:
        """The kinds behind "two colours: red and blue"."""
        groups: list[Group] = []
        j = i
        while True:
            k = j
            while self.at(k).kind in ("mark", "and", "cop"):
                k += 1
            found, end = self.phrase(k)
            if found is None or k == j or found.kinds != {name} or found.number is not None or found.article:
                break
            groups += found.choices or (found.group,)
            j = end
        if len(groups) < 2 or self.at(j).kind in ("absent", "not"):
            groups = []
        for each in groups:
            self.claims.append(some(common(group, each)))
        if groups:
            self.spoken = groups
        else:
            self.kinds = name, group
        return j if groups else i

    kinds: tuple[str, Group] | None = None  # the last kinds that were counted and not named

    def all_named(self) -> None:
        """ "And nothing else": all that was spoken of is all there is."""
        if self.spoken:
            whole = union(*self.spoken)
            self.claims.append(lambda things: len(whole(things)) == len(things))


def _alone(group: Things, things: Things, name: str) -> bool:
    """Whether a group is one thing, and no other has its colour, or shape."""
    return len(group) == 1 and sum(thing.has(name, getattr(group[0], name)) for thing in things) == 1
