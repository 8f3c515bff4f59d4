"""When something is true of as many things as a phrase says: all, none, half, all but one, as many as are alike."""

from __future__ import annotations

from mmgames.games.spy.listening.amounts import AmountReader
from mmgames.games.spy.listening.descriptions import Phrase
from mmgames.games.spy.listening.things import (
    COMPARE,
    Claim,
    Group,
    Things,
    common,
    count_is,
    everything,
    none,
    some,
    union,
    without,
)  # fmt: skip

SHARES = ("half", "most", "few")


class QuantityReader(AmountReader):
    """Makes claims about subjects by their quantities."""

    partner: Group | None = None  # what something was last said to stand beside

    def _same_as(self, group: Group, made: int, k: int, negated: bool) -> int:
        """ "The same colour as the cube"."""
        names = [name for name in ("colour", "shape", "size", "material") if any(
            self.sees(place, "dim", name) for place in range(max(0, k - 4), k))]  # fmt: skip
        other, end = self.phrase(k + 1)
        if other is None:
            return k + 1

        def fine(things: Things) -> bool:
            pairs = [(one, two) for one in group(things) for two in other.group(things) if one != two]
            same = any(all(getattr(one, name) == getattr(two, name) for name in names) for one, two in pairs)
            return bool(pairs) and same != negated

        self.claims[made:] = [fine]
        return end

    def _same_what(self, group: Group, k: int) -> int:
        """ "The same colour, brown"."""
        if self.sees(k, "mark") and self.sees(k + 1, "attr"):
            told, end = self.phrase(k + 1, told=True)
            if told is not None and self.at(end).kind in ("end", "mark"):
                self.claims.append(lambda things: not without(group, told.group)(things))
                return end
        return k

    def _so_many_alike(self, subject: Phrase, i: int) -> int:
        """ "Two objects share a colour: blue"."""
        number, group, compare = subject.number or 2, subject.group, COMPARE[subject.op]
        name = self.at(i + 1).value if self.sees(i + 1, "dim") else "colour"

        def fine(things: Things) -> bool:
            values = [getattr(thing, name) for thing in group(things)]
            return any(compare(values.count(value), number) for value in values)

        self.claims.append(fine)
        k = i + 2
        if self.sees(k, "mark") and self.sees(k + 1, "attr"):
            told, end = self.phrase(k + 1)
            if told is not None:
                self.claims.append(count_is(common(group, told.group), subject.op, number))
                return end
        return k

    def behind_separators(self, i: int) -> int:
        while self.at(i).kind in ("and", "but") or self.sees(i, "mark", ","):
            i += 1
        return i

    def holds(self, subject: Phrase, both: Group) -> Claim:
        """That as many of a subject as it says are what is said of it."""
        group, told = subject.group, subject.number
        if subject.quant == "none":
            return none(both)
        if subject.quant in SHARES or subject.quant[:1].isdigit():
            return share(both, subject.quant, group)
        if subject.quant in ("all", "both") or (subject.plural and told is None and not subject.op):
            size = 2 if subject.quant == "both" else told

            def every(things: Things) -> bool:
                found = len(group(things))
                return found > 0 and size in (None, found) and len(both(things)) == found

            return every
        if subject.article == "the" and (subject.only or told is not None):
            size = told or 1
            return lambda things: len(group(things)) == size == len(both(things))
        if told == 1 and not subject.only and not subject.op and (subject.general or subject.bare):
            return some(both)
        return subject.counted(both)

    def _standing(self, subject: Phrase, held: Group) -> Claim:
        every = subject.quant in ("all", "both", "none") or (subject.plural and subject.article == "the")
        exact = subject.number is not None and (subject.number > 1 or subject.op == "==")
        if exact or every:
            return self.holds(subject, held)
        return some(held)

    def _other(self, j: int) -> tuple[Phrase | None, int]:
        """What something stands beside: "the cube", "both of them", "everything else"."""
        if self.sees(j, "pron") and self.spoken:
            return Phrase(self.partner or union(*self.spoken)), j + 1
        self.short = True
        other, k = self.phrase(j)
        self.short = False
        if other is not None and other.bare and other.quant in ("all", "both"):
            return Phrase(self.scope or union(*self.spoken) if self.spoken else everything, "all"), k
        if other is not None and other.part is not None and other.quant in ("all", "both"):
            return other._replace(quant="all"), k
        return other, k

    def excepted(self, whole: Group, told: Group, i: int) -> int:
        """ "All are red except the cube"."""
        but, k = self.exceptions(i + 1)
        if but is not None:
            self.all_but(whole, told, but)
        return k if but is not None else i + 1

    def all_but(self, whole: Group, told: Group, but: Phrase) -> None:
        """That all of a group but so many, or but those, are what is said of them."""
        rest = without(whole, told)
        exception = everything if but.bare or but.part else but.group

        def fine(things: Things) -> bool:
            left = rest(things)
            size = len(left) == (but.number or 1) if but.number or not but.plural else bool(left)
            return size and all(thing in exception(things) for thing in left) and len(whole(things)) > len(left)

        self.claims.append(fine)
        self.spoken = [rest]


def share(part: Group, quant: str, whole: Group) -> Claim:
    if quant[0].isdigit():
        part_of, whole_of = map(int, quant.split("_"))
        return lambda things: whole_of * len(part(things)) == part_of * len(whole(things)) > 0
    if quant == "half":
        return lambda things: 2 * len(part(things)) == len(whole(things)) > 0
    if quant == "few":
        return lambda things: 2 * len(part(things)) < len(whole(things))
    return lambda things: 2 * len(part(things)) > len(whole(things))
