"""How things that a sentence names stand to others: left of them, behind all of them, larger than they are."""

from __future__ import annotations

from mmgames.games.spy.listening.descriptions import Phrase, within
from mmgames.games.spy.listening.quantifiers import QuantityReader
from mmgames.games.spy.listening.things import RELATIONS, Group, none, related, some, union, without


class RelationReader(QuantityReader):
    """Reads relations."""

    among: Group | None = None  # "of the two cubes, …"

    def relation(self, subjects: list[Phrase], i: int, negated: bool) -> int:
        """ "Left of the cube", "in front of and to the right of it", "larger than all others"."""
        names = []
        j, other, every, least, definite = i, None, False, 1, True
        while self.at(j).kind in ("rel", "relit", "relback") or (
            self.at(j).kind == "and" and self.at(j + 1).kind in ("rel", "relit", "relback")
        ):
            if self.at(j).kind != "and":
                names.append(self.at(j).value)
            if self.at(j).kind in ("relit", "relback"):
                other = self.scope or self.partner or (self.spoken[0] if self.spoken else None)
                other = (self.partner or other) if self.sees(j, "relit") else other
                if self.sees(j, "relback") and len(self.spoken) == 2:  # "(a cube and a ball,) the cube is closer"
                    other = union(*self.spoken)
                    subjects = [within(each, other) for each in subjects]
            j += 1
        if self.at(j - 1).kind not in ("relit", "relback"):
            found, k = self._other(j)
            if found is None:
                self.exist(subjects, i + 1)
                return max(j, i + 1)
            every, least = found.quant in ("all", "both") or (found.rest and found.plural), found.number or 1
            definite = found.article == "the"
            every &= not (found.rest and subjects[-1].several)
            self.remember(found)
            other, j = found.group, k
            if ("between" in names or (found.quant == "both" and not found.plural)) and self.sees(j, "and"):
                further, k = self.phrase(j + 1)
                if further is not None:
                    other, j = union(found.group, further.group), k
        if other is None:
            self.exist(subjects, j)
            return j
        named_by_place = len(subjects) == 1 and subjects[0].quant in ("all", "none") and self.sees(j, "cop")
        helds = []
        for each in subjects:
            if each.rest and each.quant == "all":  # "everything else is behind the ball"
                each = each._replace(group=without(each.group, other))
            held = each.group
            for name in names:
                held = related(held, name, other, every, 1 if name == "between" else least)
            if not named_by_place:
                self.claims.append(none(held) if negated else self._standing(each, held))
                self.claims += [some(other)] if definite and (negated or each.quant == "none") else []
            helds.append(held)
        self.spoken = [held, other] if len(helds) == 1 else helds
        self.partner = other
        if named_by_place:  # "everything behind the cube is red"
            return self.predicate([subjects[0]._replace(group=held)], j)
        narrowed = [
            each._replace(group=group, number=None, quant="") for each, group in zip(subjects, helds, strict=True)
        ]
        if self.sees(j, "cop"):
            return self.predicate([each._replace(plural=False) for each in narrowed], j)
        alone = subjects[-1]._replace(number=None, plural=False)
        return self._joined(narrowed, alone, [helds[-1]], j, subjects[-1])

    def side_among(self, subject: Phrase, i: int, negated: bool) -> int:
        """ "(Of the two cubes, the red one is) on the left", of the other one."""
        side = {"back": "behind"}.get(self.at(i).value, self.at(i).value)
        if side in RELATIONS and self.among is not None:
            held = related(subject.group, side, self.among, True)
            self.claims.append(none(held) if negated else some(held))
            self.spoken = [held]
        return i + 1

    def predicate(self, subjects: list[Phrase], j: int, linked: bool = False) -> int:
        raise NotImplementedError

    def _joined(self, narrowed: list[Phrase], subject: Phrase, kept: list[Group], k: int, told: Phrase) -> int:
        raise NotImplementedError

    def exist(self, subjects: list[Phrase], j: int) -> None:
        raise NotImplementedError

    def parts(self, whole: Group, number: int, j: int, told: frozenset[str] = frozenset()) -> int:
        raise NotImplementedError
