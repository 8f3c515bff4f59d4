"""What is said of things that a sentence names: what they are, where they stand, how many they are."""

from __future__ import annotations

from mmgames.games.spy.listening.amounts import told_number
from mmgames.games.spy.listening.descriptions import Phrase
from mmgames.games.spy.listening.quantifiers import SHARES, share
from mmgames.games.spy.listening.relations import RelationReader
from mmgames.games.spy.listening.things import (
    Claim,
    Group,
    common,
    count_is,
    everything,
    none,
    related,
    some,
    union,
    without,
)  # fmt: skip

BREAKS = (":", ",", "(", "—", "–", ";")


class PredicateReader(RelationReader):
    """Reads what a sentence says of its subjects."""

    said: Group | None = None  # the last predicate, for "and two are not"
    weak: list[Claim]  # that there is what "the" takes for granted

    def predicate(self, subjects: list[Phrase], j: int, linked: bool = False) -> int:
        """One predicate and those joined to it; the place behind them."""
        i, negated, every = j, False, False
        if self.sees(j, "mark", ":"):
            for each in subjects:
                if each.number is not None and each.kinds:
                    self.claims.append(each.counted(each.group))
        while True:
            kind, value = self.at(i)[:2]
            if kind in ("cop", "not", "made") and not (kind == "not" and self.sees(i + 1, "quant")):
                negated |= kind == "not"
                linked |= kind in ("cop", "made")
            elif (
                kind == "quant"
                and value in ("all", "both")
                and (linked or self.sees(i + 1, "cop"))
                and not (self.sees(i + 1, "of") or self.sees(i + 1, "det"))
            ):
                every = True
            elif kind == "exact" or (kind == "mark" and value == ":" and i == j):
                linked = True
            else:
                break
            i += 1
        if every:
            subjects = [each._replace(quant="all") if each.several and not each.quant else each for each in subjects]
        return self._predicated(subjects, i, negated, linked)

    def _predicated(self, subjects: list[Phrase], i: int, negated: bool, linked: bool) -> int:
        kind = self.at(i).kind
        group = union(*(each.group for each in subjects)) if len(subjects) > 1 else subjects[0].group
        if kind == "absent":
            self.claims += [some(each.group) if negated else none(each.group) for each in subjects]
            return i + 1
        if kind == "times" or (kind in ("only", "op", "exact") and self.sees(i + 1, "times")):
            return self._times(subjects, i)
        if kind == "each":
            return self.of_each(i, [each.group for each in subjects])
        if kind in ("ratio", "halfof") or (kind == "as" and self.sees(i + 1, "many")):
            return self.as_many(subjects[0], i)
        if kind == "evenly":
            self.even(subjects)
            return i + 1
        if kind in ("commonest", "majority"):
            return self._prevails(subjects[0], i)
        if kind == "outnumber":
            return self.outnumbers(subjects[0], i + 1)
        if kind in ("alike", "kinds"):
            return self._likeness(subjects, group, i, negated)
        if kind in ("rel", "relit", "relback"):
            return self.relation(subjects, i, negated)
        if kind == "at" and self.among is not None and self.at(i + 1).kind in ("end", "mark") and len(subjects) == 1:
            return self.side_among(subjects[0], i, negated)
        if linked and (end := self._named_by_dimension(subjects, i)) is not None:
            return end
        if kind in ("which", "pron") and self.sees(i + 1, "dim") and self.spoken:  # "have that colour"
            return self._state(subjects, Phrase(self.spoken[-1]), i + 2, negated)
        again = negated or (linked and bool(subjects[0].part or subjects[0].bare))
        if again and kind in ("end", "mark", "and") and self.said is not None:
            return self._state(subjects, Phrase(self.said), i, negated)
        if not linked and not any(each.part or each.rest or each.bare or each.placed for each in subjects):
            self.exist(subjects, i)
            return i
        told, k = self.phrase(i, told=True)
        if told is None:
            return self._nothing_told(subjects, group, i, linked and negated)
        return self._state(subjects, told, k, negated)

    def _prevails(self, subject: Phrase, i: int) -> int:
        """ "Red is the most common colour", "cubes are in the majority"."""
        group, sign = subject.group, -1 if self.sees(i, "majority", "minority") else 1
        if self.sees(i, "commonest"):
            self.claims.append(self.commonest(subject, self.sees(i, "commonest", "rarest")))
        else:
            self.claims.append(lambda things: sign * (2 * len(group(things)) - len(things)) > 0)
        self.spoken = [group]
        return self.tally(group, i + 1 + self.sees(i + 1, "dim") + self.sees(i + 1, "noun"))

    def _likeness(self, subjects: list[Phrase], group: Group, i: int, negated: bool) -> int:
        """ "(The cubes) have the same colour", "are of different sizes", "are in three colours"."""
        first, value = subjects[0], self.at(i).value
        if value == "same" and len(subjects) == 1 and first.number and (first.general or first.part):
            return self._so_many_alike(first, i)
        for each in subjects:
            if each.number is not None or each.quant == "both":
                self.claims.append(each.counted(each.group) if each.number else count_is(each.group, "", 2))
        self.spoken = [group]
        if value == "different" and first.general and first.number is None and not first.quant:
            return i + 1
        made = len(self.claims)
        k = self.alike(i, group)
        if self.at(k).kind in ("as", "than") and value in ("same", "different"):
            return self._same_as(group, made, k, negated != (value == "different"))
        if negated:
            self.claims[made:] = [_denied(claim) for claim in self.claims[made:]]
        return self._same_what(group, k) if value == "same" else k

    def _nothing_told(self, subjects: list[Phrase], group: Group, i: int, denied: bool) -> int:
        """A verb without anything behind it that is known: that there is the subject, or that it is not there."""
        last = subjects[-1]
        if last.quant == "all":
            return i
        if denied:
            self.claims += [none(each.group) for each in subjects if not each.general]
            return i
        if last.article == "the" and self.at(i).gap and last.number is None:
            self.weak += [some(each.group) for each in subjects if each.kinds]
            return i
        self.exist(subjects, i)
        number = 2 if last.quant == "both" else last.number or 0
        return self.parts(group, number, i, last.kinds) if len(subjects) == 1 and number > 1 else i

    def _times(self, subjects: list[Phrase], i: int) -> int:
        """ "Red appears twice", "brown ball x2"."""
        op = ""
        while not self.sees(i, "times"):
            op = self.at(i).value if self.sees(i, "op") else op
            i += 1
        told = told_number(self.at(i).value)
        self.claims += [count_is(each.group, op, told) for each in subjects]
        self.spoken = [each.group for each in subjects]
        self.scope, self.taken = subjects[-1].group, []
        return (
            self.parts(subjects[-1].group, told, i + 1, subjects[-1].kinds | {"time"}) if len(subjects) == 1 else i + 1
        )

    def _named_by_dimension(self, subjects: list[Phrase], i: int) -> int | None:
        """ "Red is the colour of two objects"."""
        k = i + self.sees(i, "det")
        if not (self.sees(k, "dim") and self.at(k + 1).kind in ("of", "with")):
            return None
        told, end = self.phrase(k + 2)
        if told is None:
            return None
        subject = subjects[0]
        if told.quant == "all" and told.but is None and self.sees(end, "except"):
            return self.excepted(everything, subject.group, end)
        if told.but is not None:
            self.all_but(everything, subject.group, told.but)
        elif told.number is not None or told.quant:
            self.claims.append(self.holds(told, common(told.group, subject.group)))
        else:
            self.claims.append(lambda things: not without(told.group, subject.group)(things))
        self.spoken = [common(told.group, subject.group)]
        return end

    def _state(self, subjects: list[Phrase], told: Phrase, k: int, negated: bool) -> int:
        if told.quant == "none" and not told.bare:
            while self.sees(k, "or"):  # "nor a ball"
                also, behind = self.phrase(k + 1, told=True)
                if also is None:
                    break
                told, k = told._replace(group=union(told.group, also.group)), behind
            told, negated = told._replace(quant=""), not negated
        subject = subjects[-1]
        if told.bare and told.quant == "none":
            self.claims += [none(each.group) for each in subjects]
            return k
        if self.sees(k, "relit") and told.head and len(subjects) == 1:  # "the ball has a cube to its left"
            held = related(told.group, self.at(k).value, subject.group)
            self.claims += [some(subject.group), none(held)] if negated else [self._standing(told, held)]
            self.spoken, self.partner = [held], subject.group
            return k + 1
        listed = (
            told.article == "the"
            and not (told.only or told.plural)
            and (self.sees(k, "and") or self.sees(k, "mark", ","))
        )
        if subject.article == "the" and subject.several and ((told.article == "the" and subject.only) or listed):
            return self._only_these(subject, told, k)
        if self._all_there_are(subjects, told, negated):
            return k
        if self.together and told.number is not None and told.general and len(subjects) > 1:
            self.claims.append(told.counted(union(*(each.group for each in subjects))))
            return k
        if told.bare and told.number is not None and not told.op:
            self.claims += [count_is(each.group, "", told.number) for each in subjects]
            self.spoken = [each.group for each in subjects]
            return self.parts(subject.group, told.number, k)
        comma = k + self.sees(k, "mark", ",")
        if negated and self.sees(comma, "but") and (self.sees(comma + 1, "det", "a") or self.sees(comma + 1, "attr")):
            instead, behind = self.phrase(comma + 1, told=True)  # "not a cube but a ball"
            if instead is not None and not self.sees(behind, "cop"):
                return self._state(subjects, instead, behind, False)
        if (
            self.at(comma).kind in ("except", "but")
            and any(each.quant == "all" for each in subjects)
            and (self.sees(comma, "except") or self._plain_phrase(comma + 1))
        ):
            return self.excepted(subject.group, told.group, comma)
        if self.sees(k, "except") and any(each.quant == "all" or each.only for each in subjects):
            return self.excepted(subject.group, told.group, k)
        if self._counts_subject(subjects, told):
            self.claims += [told.counted(each.group) for each in subjects]
            self.spoken = [each.group for each in subjects]
            return k
        if len(subjects) == 1 and not negated and (subject.several or (subject.placed and not subject.kinds)):
            end = self._one_by_one(subject, told, k)
            if end is not None:
                return end
        kept: list[Group] = []
        for each in subjects:
            both = without(each.group, told.group) if negated else common(each.group, told.group)
            self._claim(each, told, both, negated)
            kept.append(each.group if each.quant == "none" else both)
        self.said = told.group
        if len(subjects) == 1 and (subject.number is not None or subject.part or subject.rest) and not subject.only:
            self.scope = subject.part or subject.group
            self.taken = [*self.taken, kept[0]] if subject.rest or (subject.bare and self.taken) else [kept[0]]
        self.spoken = kept
        if told.number and told.number > 1 and len(subjects) == 1 and not told.bare:
            self.scope, self.taken = kept[0], []
        return self._joined([each._replace(group=group, number=None, quant="", only=False, part=None) for each, group
                             in zip(subjects, kept, strict=True)], subject, kept, k, told)  # fmt: skip

    together = False  # amounts are added up in this sentence

    def _only_these(self, subject: Phrase, told: Phrase, k: int) -> int:
        """ "The only shiny objects are the cube and the ball"."""
        groups, i = [told.group], k
        while self.sees(i, "and", "and") or self.sees(i, "mark", ","):
            further, end = self.phrase(self.behind_separators(i), told=True)
            if further is None or self.sees(end, "cop"):
                break
            groups.append(further.group)
            i = end
        whole = union(*groups)
        self.claims.append(lambda things: set(whole(things)) == set(subject.group(things)) != set())
        self.spoken = groups
        return i

    def _all_there_are(self, subjects: list[Phrase], told: Phrase, negated: bool) -> bool:
        """ "Only the cube and the ball are red", "the cube and the ball are the only red things"."""
        many = len(subjects) > 1 or (subjects[0].quant in ("all", "both") and subjects[0].general)
        these = told.only and told.article == "the" and (told.plural or (told.number or 1) > 1)
        alone = subjects[0].only and subjects[0].number is None and subjects[0].article != "the" and len(subjects) > 1
        if negated or not ((many and these) or alone):
            return False
        whole, size = union(*(each.group for each in subjects)), told.number
        named = [each.group for each in subjects]
        self.claims.append(
            lambda things: (
                set(whole(things)) == set(told.group(things)) != set()
                and (size is None or len(whole(things)) == size)
                and all(group(things) for group in named)
            )
        )
        self.spoken = named
        return True

    def _counts_subject(self, subjects: list[Phrase], told: Phrase) -> bool:
        """Whether "red occurs on two objects" says how many red ones there are."""
        plain = all(not each.head and each.kinds and not each.number for each in subjects)
        return plain and told.general and told.number is not None and told.head == "thing"

    def _claim(self, subject: Phrase, told: Phrase, both: Group, negated: bool) -> None:
        if subject.but is not None:
            negated ^= subject.quant == "none"
            self.all_but(subject.group, without(everything, told.group) if negated else told.group, subject.but)
        elif told.quant in SHARES and (told.part is not None or told.head):
            self.claims.append(share(subject.group, told.quant, told.part or told.group))
        elif subject.only and subject.number is None and subject.article != "the" and not subject.part:
            named = without(everything, told.group) if negated else told.group
            named = named if self.among is None else common(named, self.among)
            alone = subject.plural and subject.number is None  # "only cubes are red", which not all of them need be
            self.claims.append(
                lambda things: (
                    set(named(things)) <= set(subject.group(things)) != set() != set(named(things))
                    and (alone or len(named(things)) == len(subject.group(things)))
                )
            )
        elif told.only and told.plural and told.number is None and told.article != "the":
            self.claims += [some(subject.group), none(without(subject.group, told.group))]
        elif told.only and told.number in (None, 1):
            own = common(subject.group, told.group)
            self.claims += [some(own), count_is(told.group, ">" if negated else "", 1)]
        elif told.number is not None and told.number > 1 and not told.part and told.article != "the":
            self.claims.append(told.counted(both))
        else:
            self.claims.append(self.holds(subject, both))
            if told.choices and not negated:
                self.claims += [some(common(subject.group, choice)) for choice in told.choices]

    def _one_by_one(self, subject: Phrase, told: Phrase, k: int) -> int | None:
        """ "The two large ones are a cube and a ball": what several things are, each."""
        if told.only or told.part or told.quant or not (told.article == "a" or told.number == 1):
            return None
        parts, i = [told], k
        while True:
            j = self.behind_separators(i)
            if j == i or self.at(j).kind not in ("det", "num", "op") or self.sees(j, "det", "the"):
                break
            further, end = self.phrase(j, told=True)
            if further is None or further.bare or self.sees(end, "cop"):
                break
            parts.append(further)
            i = end
        if len(parts) < 2:
            return None
        if subject.kinds or subject.head or subject.rest:
            self._number_of(subject)
        self.claims += [part.counted(common(subject.group, part.group)) if (part.number or 1) > 1
                        else some(common(subject.group, part.group)) for part in parts]  # fmt: skip
        self.spoken = [common(subject.group, part.group) for part in parts]
        return i

    def _number_of(self, subject: Phrase) -> None:
        if subject.quant == "both":
            self.claims.append(count_is(subject.group, "", 2))
        elif subject.number is not None:
            self.claims.append(subject.counted(subject.group))

    def _joined(self, narrowed: list[Phrase], subject: Phrase, kept: list[Group], k: int, told: Phrase) -> int:
        """What else is said of the same subjects: another predicate, a place, or what they are one by one."""
        if self.at(k).kind in ("rel", "relit", "relback", "alike"):
            return self.predicate(narrowed, k)
        number = subject.number or told.number or (2 if subject.quant == "both" else 0)
        if len(kept) == 1 and (number > 1 or subject.several):
            end = self.parts(kept[0], number, k, told.kinds | subject.kinds)
            if end != k:
                return end
        if self.sees(k, "mark", ":") and len(kept) == 1:
            further, end = self.phrase(k + 1)
            if further is not None and not self.sees(end, "cop") and not further.bare:
                self.claims.append(some(common(kept[0], further.group)))
                return end
        j = self.behind_separators(k)
        if j == k:
            return k
        ends = self.sees(j + 1, "end") or (self.sees(j + 1, "mark") and not self.sees(j + 1, "mark", ":"))
        if self.at(j).kind in ("at", "far") and ends:
            return self.predicate(self._all_of(subject, narrowed), j, linked=True)
        if (
            (self.at(j).kind in ("rel", "relit", "relback", "cop", "alike", "made") and not self._begins_place(j))
            or self._only_follows(j)
            or (self.sees(j, "not") and not self.sees(j + 1, "quant"))
        ):
            return self.predicate(self._all_of(subject, narrowed), j)
        return k

    def _all_of(self, subject: Phrase, narrowed: list[Phrase]) -> list[Phrase]:
        """The subjects for a second predicate: what was said of all things of a kind is said of all again."""
        every = subject.quant in ("all", "both") or (subject.plural and subject.number is None)
        return [each._replace(quant="all" if every else "") for each in narrowed]

    def _begins_place(self, j: int) -> bool:
        """Whether "to its right is" stands here, which begins anew."""
        return self.sees(j, "relit") and self.sees(j + 1, "cop")

    def _only_follows(self, j: int) -> bool:
        """Whether "and the only shiny one" stands here and has no predicate of its own."""
        if not (self.sees(j, "only") or self.sees(j + 1, "only")):
            return False
        found, end = self.phrase(j, told=True)
        return (
            found is not None and found.only and not self.sees(end, "cop") and not found.bare and found.number is None
        )

    def _plain_phrase(self, i: int) -> bool:
        """Whether a phrase stands here that nothing is said of."""
        found, end = self.phrase(i)
        return found is not None and not found.bare and self.at(end).kind in ("end", "mark")

    def tally(self, group: Group, i: int) -> int:
        """ "…, with three objects": a number behind what it counts."""
        k = i
        while self.at(k).kind in ("with", "mark", "and"):
            k += 1
        if k == i or self.at(k).kind not in ("num", "exact", "op"):
            return i
        found, end = self.phrase(k)
        if found is None or not found.general or self.at(end).kind not in ("end", "mark", "of"):
            return i
        self.claims.append(found.counted(group))
        return self._behind_them(end)

    def _behind_them(self, i: int) -> int:
        return i + 2 if self.sees(i, "of") and self.sees(i + 1, "pron") else i


def _denied(claim: Claim) -> Claim:
    return lambda things: not claim(things)
