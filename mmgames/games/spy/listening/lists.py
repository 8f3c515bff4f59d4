"""Noun phrases in a row: what there is said to be, and what several things are one by one."""

from __future__ import annotations

from mmgames.games.spy.listening.descriptions import Phrase, within
from mmgames.games.spy.listening.predicates import BREAKS, PredicateReader
from mmgames.games.spy.listening.quantifiers import SHARES, share
from mmgames.games.spy.listening.things import (
    Group,
    common,
    count_is,
    everything,
    none,
    one_of,
    only_with,
    some,
    union,
    without,
)
from mmgames.games.spy.listening.tokens import Token

PREDICATES = (
    "cop", "rel", "relit", "relback", "times", "absent", "evenly", "commonest", "majority", "outnumber", "alike", "not",
    "each", "kinds",
)  # fmt: skip
"""What may begin something that is said of a noun phrase."""
_MOST_GAP = 2  # unknown words behind "the cube" that may be something that is said of it


class ListReader(PredicateReader):
    """Reads the lists of one sentence."""

    joined = False  # more is said in the same breath as what was spoken of
    counted: tuple[int, Phrase] | None = None  # the last claim that counts something, and its phrase

    def __init__(self, found: tuple[Token, ...]) -> None:
        super().__init__(found)
        self.weak = []
        self.subjects: list[Phrase] = []

    def _states(self, last: Phrase, j: int) -> bool:
        """Whether something is said of the phrase that ends here."""
        token = self.at(j)
        if token.kind == "quant" and token.value in ("all", "both") and self.sees(j + 1, "cop"):
            return True
        if token.kind in PREDICATES or (token.kind in ("op", "only") and self.sees(j + 1, "times")):
            return not (token.kind == "not" and self.at(j + 1).kind in ("quant", "det", "num"))
        if token[:2] == ("mark", ":"):
            k = j + 1 + (self.at(j + 1).kind in ("only", "exact", "op"))
            counted = self.sees(k, "num") and self.at(k + 1).kind in ("mark", "end", "and")
            placed = last.placed and not last.kinds
            return counted or placed or (last.number == 1 or last.only) or last.rest
        if token.kind in ("of", "with") and self.at(j + 1).kind in ("alike", "kinds"):
            return True
        if (
            token.kind == "num"
            and last.plural
            and last.number is None
            and self.at(j + 1).kind in ("mark", "end", "and")
        ):
            return True
        if last.rest and not last.head and token.kind in ("det", "attr"):
            return True  # "the other a cube"
        if token.kind in ("sup", "ord", "far") or (last.quant and last.plural and token.kind == "attr"):
            return True  # "a red cube leftmost", "all cubes big"
        if last.placed and not last.kinds and last.head in ("one", "thing") and token.kind == "attr":
            return True  # "the left one red"
        return bool(last.placed and not last.kinds and (token.kind == "det" or (token.kind == "num" and not last.head)))

    def _listed(self, first: Phrase, j: int) -> tuple[list[Phrase], int]:
        """Phrases that commas and "and" join."""
        phrases = [first]
        while True:
            k = self._next_listed(j)
            if self.sees(k - 1, "with") and self.sees(k, "det", "the"):
                break
            if k == j or any(self.sees(k + step, "rest") for step in range(3)):
                break
            if self.sees(k, "num") and self.sees(k + 1, "more"):
                break
            found, end = self.phrase(k)
            if (
                found is None
                or found.bare
                or found.part is not None
                or (found.quant in ("both", "all") and not found.head)
                or (found.only and found.article == "the")
            ):
                break
            if self.at(k - 1)[:2] == ("mark", ",") and self._states(found, end) and not self._many(found, end):
                break
            self.remember(found)
            if self.sees(k - 1, "or") and phrases[-1].quant == "none":
                found = found._replace(quant="none")
            elif self.sees(k - 1, "or"):
                found = found._replace(group=union(phrases.pop().group, found.group), choices=())
            phrases.append(found)
            j = end
        phrases = [each for phrase in phrases for each in _one_by_one(phrase)]
        if phrases[0].quant == "both" and len(phrases) == 2 and not first.plural:  # "both the first and the last"
            phrases[0] = phrases[0]._replace(quant="")
            phrases[1] = phrases[1]._replace(quant="")
        for k in range(len(phrases) - 2, -1, -1):  # "a red and a blue cube"
            one, following = phrases[k], phrases[k + 1]
            if not one.head and following.shaped and (one.article == "a" or one.number is not None):
                phrases[k] = within(one, only_with(everything, [one_of((("shape", following.head),))]))
        return phrases, j

    def _many(self, found: Phrase, end: int) -> bool:
        return self.sees(end, "cop", "are") and not found.several

    def _next_listed(self, j: int) -> int:
        k = j
        while self.at(k).kind in ("and", "with") or self.sees(k, "mark", ",") or self.sees(k, "or"):
            k += 1
        if self.sees(k, "not"):
            return j
        return k if k > j and self.at(k).kind not in ("end", "mark", "cop") else j

    def _together(self, phrases: list[Phrase], i: int, j: int) -> bool:
        """Whether the same is said of all phrases of a list, and not of the last alone."""
        if len(phrases) == 1:
            return True
        if self.sees(i - 1, "there") and i:
            return False
        if self.at(j).kind in ("evenly", "alike", "each", "absent") or all(each.quant == "none" for each in phrases):
            return True
        if self.together or (self.sees(i, "quant", "both") and not phrases[0].quant):
            return True
        single = not phrases[-1].several
        if self.sees(j, "cop", "are") and (single or self.sees(j + 1, "quant", "all", "both") or self.at(j + 1).kind in
                                           ("evenly", "alike", "absent")):  # fmt: skip
            return True
        if all(not phrase.head and phrase.kinds and phrase.number is None for phrase in phrases):
            return True  # "red and blue occur twice"
        plain = all(phrase.article == phrases[0].article and phrase.number is None for phrase in phrases)
        return plain and phrases[0].article != "a" and self.sees(j, "cop", "are") and len(phrases) == 2

    def _apposition(self, first: Phrase, j: int) -> int | None:
        """ "The leftmost object, a red cube, is large"; "a brown cube, a big one"."""
        if first.several or not self.sees(j, "mark", ",", "("):
            return None
        if not self.sees(j + 1, "det", "a") and not (self.sees(j + 1, "det") and self.sees(j + 2, "only")):
            return None
        found, k = self.phrase(j + 1, told=True)
        if found is None or found.bare:
            return None
        new = not (found.kinds & first.kinds) and found.head == "one" and not first.rest
        single = (
            first.part is None
            and first.number == 1
            and (first.only or first.op == "==")
            and first.head in ("thing", "one")
        )
        new |= single and not (found.kinds & first.kinds) and self.at(k).kind in ("end", "mark")
        definite = first.article == "the" or first.part is not None
        closed = self.at(k).kind == "mark" and self.at(k + 1).kind in PREDICATES and definite
        if found.only:
            self.claims.append(count_is(first.group, "", 1))
            return self.predicate([first], k + 1) if self.at(k + 1).kind in PREDICATES else k
        if not (new or closed):
            return None
        both = common(first.group, found.group)
        if first.number == 1 and first.part is None:
            self.claims.append(count_is(first.group, "", 1))
        self.claims.append(self.holds(first, both))
        self.spoken = [both]
        told = first._replace(group=both, number=None)
        self.subjects = [told]
        return self.predicate([told], k + 1) if closed or self.at(k + 1).kind in PREDICATES else k

    def labelled(self, first: Phrase, j: int) -> int | None:
        """ "Small: a red cube, two balls": all things of a kind, one by one, or what all of them are."""
        said = first.number is not None or first.quant or first.placed or first.rest or first.only or not first.kinds
        if said or not self.sees(j, "mark", ":"):
            return None
        parts, i = list[Phrase](), j
        while i == j or self.sees(i, "mark", ",") or self.sees(i, "and", "and"):
            part, end = self.phrase(self.behind_separators(i + (i == j)), told=i == j)
            if part is None or part.bare or part.part or part.rest or self._has_own(part, end) or part.placed:
                return None
            parts.append(part)
            i = end
        if len(parts) == 1 and not (parts[0].choices or parts[0].head or parts[0].quant):
            if first.plural or not first.shaped or self.at(i).kind != "end":
                return None
            self.claims.append(some(common(first.group, parts[0].group)))
            return i
        if self.at(i).kind not in ("end", "mark") or any(part.kinds & first.kinds for part in parts):
            return None
        if parts[0].quant:
            if len(parts) > 1 or parts[0].quant != "all":
                return None
            self.claims.append(self.holds(first._replace(quant="all"), common(first.group, parts[0].group)))
            return i
        groups = [common(first.group, choice) for part in parts for choice in (part.choices or (part.group,))]
        size = sum(part.number or len(part.choices) or 1 for part in parts)
        self.claims += [part.counted(common(first.group, part.group)) for part in parts]
        self.claims += [some(group) for group in groups]
        if len(groups) > 1 and not any(part.plural and part.number is None and not part.choices for part in parts):
            self.claims.append(count_is(first.group, "", size))
        self.spoken = groups
        return i

    def _counted_parts(self, first: Phrase, i: int, j: int) -> int | None:
        """ "Two gray ones: a ball and a cube"; None if what follows is no account of the parts."""
        if not (self.sees(j, "mark", *BREAKS) or self.at(j).kind in ("attr", "num", "with")):
            return None
        number = 2 if first.quant == "both" else first.number or 0
        if first.only and not first.number:
            return None
        made, spoken, scope = len(self.claims), self.spoken, self.scope
        self.exist([first], j)
        end = self.parts(first.group, number, j, first.kinds)
        if end == j:
            del self.claims[made:]
            self.spoken, self.scope = spoken, scope
            return None
        self.subjects = [first]
        if self.at(end).kind in ("mark", "cop") and self.at(end + self.sees(end, "mark")).kind == "cop":
            return self.predicate([first._replace(quant="all")], end + self.sees(end, "mark"))
        return end

    def parts(self, whole: Group, number: int, j: int, told: frozenset[str] = frozenset()) -> int:
        """What several things are one by one; the same place if nothing of the kind stands here."""
        i, found, other = j, list[Phrase](), False
        colon = self.sees(j, "mark", ":", "(", "—", "–")
        while True:
            k = i
            while self.at(k).kind in ("and", "with") or (
                self.sees(k, "mark", *BREAKS) and not self.sees(k, "mark", ";")
            ):
                k += 1
            if k == i and self.at(k).kind not in ("num", "det"):
                break
            if self.sees(k, "num") and self.sees(k + 1, "not") and found:  # "one shiny, one not"
                self.claims.append(some(without(whole, found[-1].group)))
                i = k + 2
                number, other = 0, True
                continue
            rest = k + 1 + self.sees(k, "det")
            if found and self.sees(rest - 1, "rest") and number in (0, 2):  # "one red and the other blue"
                told_of, behind = self.phrase(rest + self.sees(rest, "noun", "one"), told=True)
                if told_of is not None and not told_of.bare and not self.sees(behind, "cop"):
                    self.claims.append(some(common(without(whole, found[-1].group), told_of.group)))
                    i, other, number = behind, True, 0
                    continue
            part, end = self.phrase(k, whole)
            if part is not None and part.placed and not part.kinds and self.at(end).kind in ("attr", "det", "cop"):
                told_of, behind = self.phrase(end + self.sees(end, "cop"), told=True)
                if told_of is not None and part.head == "one":  # "the left one gray, the right one blue"
                    self.claims.append(some(common(part.group, told_of.group)))
                    i, other, number = behind, True, 0
                    found.append(part)
                    continue
            if part is None or part.quant or part.bare or part.part or part.rest or self._has_own(part, end):
                break
            if (told & part.kinds) or ("time" not in told and not self._listed_part(part, colon, end)):
                break
            found.append(part)
            i = end
        stated = sum(part.number or len(part.choices) or 1 for part in found)
        if not found or not (colon or "time" in told or number == 0 or stated == number or stated < number == 0):
            return j
        if not colon and "time" not in told and len(found) == 1 and not found[0].choices and not other:
            return j
        for part in found:
            self.claims += [some(choice) for choice in part.choices]
            self.claims.append(part.counted(part.group) if (part.number or 1) > 1 else some(part.group))
        self.scope, self.taken = whole, []
        self.spoken = [whole]
        self.shape = self.shape or ""
        return i

    def _has_own(self, part: Phrase, end: int) -> bool:
        """Whether a phrase has a predicate of its own, so that it is no part of an account."""
        return self.at(end).kind in ("cop", "than") or (part.only and part.article == "the")

    def _listed_part(self, part: Phrase, colon: bool, end: int) -> bool:
        return bool(part.article or part.number or part.choices or colon)

    def exist(self, subjects: list[Phrase], j: int) -> None:
        """That there is what phrases name."""
        nothing_but = [each for each in subjects if each.only]
        if nothing_but and nothing_but[0].number is None and nothing_but[0].article != "the":
            named = subjects[subjects.index(nothing_but[0]) :]
            cut = next((place for place, each in enumerate(named) if each.quant == "none"), len(named))
            others, named = named[cut:], named[:cut]
            whole = union(*(each.group for each in named))
            self.claims.append(lambda things: len(whole(things)) == len(things))
            self.claims += [each.counted(each.group) for each in named if each.number is not None or len(named) > 1]
            self.spoken = [each.group for each in named]
            subjects = [*subjects[: subjects.index(nothing_but[0])], *others]
        if self.sees(j, "only") and self.at(j + 1).kind in ("end", "mark") and subjects[-1].number is None:
            whole = union(*(each.group for each in subjects))
            self.claims.append(lambda things: len(whole(things)) == len(things))
        kept: list[Group] = []
        denied = ""
        for each in subjects:
            each = each._replace(quant="none") if denied and each.number is None and not each.article else each
            denied = each.quant if each.quant == "none" else ""
            self._exists(each, j)
            numbered = (each.number or 1) > 1 and not each.op and len(subjects) == 1 and bool(each.kinds)
            self.counted = (len(self.claims) - 1, each) if numbered and self.claims else None
            if (each.quant != "none" and not each.general) or (each.general and each.number is not None):
                kept.append(each.group)
        if kept:
            self.spoken = [*self.spoken, *kept] if self.joined else kept
            several = [each for each in subjects if each.several and not each.general]
            self.scope, self.taken = (several[-1].group if several else None), []
            plural = several[-1] if several and several[-1].number is None else None
            self.scope_kinds = plural.kinds - {"shape"} if plural is not None else frozenset()

    def _exists(self, subject: Phrase, j: int) -> None:
        group = subject.group
        if subject.bare or (subject.general and subject.number is None and subject.quant != "all"):
            return
        vague = self.at(j).gap or self.at(j).kind not in ("end", "mark", "of", "and")
        if subject.general and subject.number == 1 and not subject.only and vague:
            return  # "one object makes me think"
        if subject.quant == "none" and self.sees(j, "except"):
            but, _ = self.exceptions(j + 1)
            left = group if but is None or but.bare else without(group, but.group)
            size = but.number or 1 if but is not None else 0
            self.claims += [count_is(group, "", size), *([none(left)] if left is not group else [])]
        elif subject.quant == "none":
            self.claims.append(none(group))
        elif subject.quant == "all":
            if subject.kinds:
                self.claims.append(lambda things: len(group(things)) == len(things))
        elif subject.quant in SHARES:
            self.claims.append(share(group, subject.quant, everything))
        elif subject.quant == "both":
            self.claims.append(count_is(group, "", 2))
        elif subject.only and subject.article == "the":
            self.claims.append(count_is(group, "", 1))
        elif not subject.kinds and subject.number is None:
            return
        elif subject.article == "the" and self.at(j).kind == "end" and self.at(j).gap >= _MOST_GAP:
            self.weak.append(subject.counted(group))
        else:
            self.claims.append(subject.counted(group))
            self.claims += [some(choice) for choice in subject.choices]


def _one_by_one(phrase: Phrase) -> list[Phrase]:
    """ "Red and blue", without a noun, are two phrases."""
    if phrase.head or not phrase.choices:
        return [phrase]
    return [phrase._replace(group=choice, choices=()) for choice in phrase.choices]
