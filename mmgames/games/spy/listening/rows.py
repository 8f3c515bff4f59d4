"""How things stand to each other: one beside another, one on the left of two, all of them in a row."""

from __future__ import annotations

from mmgames.games.spy.listening.descriptions import Phrase
from mmgames.games.spy.listening.lists import ListReader
from mmgames.games.spy.listening.things import (
    Claim,
    Group,
    Things,
    common,
    everything,
    none,
    one_of,
    only_with,
    related,
    some,
    union,
    without,
)  # fmt: skip


class RowReader(ListReader):
    """Reads the sentences that begin with a place."""

    def beside(self, i: int) -> int:
        """ "To the left of the cube there is a ball"."""
        token = self.at(i)
        if token.kind == "relit":
            other, j = Phrase(self.partner or self.spoken[0]) if self.spoken else None, i + 1
        else:
            other, j = self._other(i + 1)
        far = None
        if token.value == "between" and self.sees(j, "and"):
            far, j = self.phrase(j + 1)
        while self.at(j).kind in ("cop", "which", "pron", "there") or self.sees(j, "mark", ",", ":"):
            j += 1
        self.remember(other) if other is not None else None
        subject, k = self.phrase(j)
        if other is None or subject is None:
            return i + 1
        group = other.group if far is None else union(other.group, far.group)
        subjects, k = self._listed(subject, k)
        helds = [related(each.group, token.value, group, other.quant == "all", 1) for each in subjects]
        if subject.only and subject.number is None:
            self.claims.append(_only_there(everything, token.value, group, union(*(each.group for each in subjects))))
        else:
            self.claims += [
                none(held) if each.quant == "none" else self._standing(each, held)
                for each, held in zip(subjects, helds, strict=True)
            ]
        self.spoken, self.partner = helds, group
        self.named = [group, *helds] if len(helds) == 1 else []
        return k

    def side_by_side(self, i: int) -> int | None:
        """ "(a cube and a ball,) with the cube on the left": which of two things is on which side of the other."""
        whole = union(*self.spoken) if len(self.spoken) == 2 else self.scope
        self.placeless = True
        found, j = self.phrase(i)
        self.placeless = False
        side = {"left": "left", "right": "right", "front": "front", "back": "behind"}.get(self.at(j).value or "")
        if whole is None or found is None or not self.sees(j, "at") or side is None:
            return None
        one = common(whole, found.group)
        self.claims.append(some(related(one, side, without(whole, one))))
        return j + 1

    def in_order(self, i: int, side: str) -> int:
        row: list[Phrase] = []
        words = [token for token in self.found if token.kind not in ("inorder", "mark", "and", "end", "then")]
        names = {token.value[0] if token.kind == "attr" else "" for token in words}
        if len(names) == 1 and "" not in names and len(words) > 2:  # "red red blue", one word for each
            row = [Phrase(only_with(everything, [one_of((token.value,))])) for token in words]
            i = len(self.found) - 1
        while not self.sees(i, "end"):
            found, k = self.phrase(i)
            if found is not None and found.bare and self.sees(k, "more"):
                number = found.number
                found, k = self.phrase(k + 1)
                found = found._replace(number=number) if found is not None else None
            if found is not None and not found.general:
                each = [Phrase(choice) for choice in found.choices] or [found]
                row += each * (found.number or 1)
            i = max(i + 1, k)
        if len(row) > 1:
            self.claims.append(lambda things: _fits_row(things if side == "left" else things[::-1], row, things))
        return i


def _fits_row(order: Things, row: list[Phrase], things: Things) -> bool:
    return len(row) == len(order) and all(t in p.group(things) for t, p in zip(order, row, strict=True))


def _only_there(whole: Group, relation: str, other: Group, told: Group) -> Claim:
    there = related(whole, relation, other)
    return lambda things: bool(there(things)) and set(there(things)) <= set(told(things))
