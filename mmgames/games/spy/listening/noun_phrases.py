"""Noun phrases about simple things: which things words name, and how many there are said to be.

A phrase is read once, whatever the scene: its group is a function of the things that somebody sees.
"""

from __future__ import annotations

from typing import Any

from mmgames.games.spy.listening import vocabulary
from mmgames.games.spy.listening.descriptions import Description, Phrase
from mmgames.games.spy.listening.things import (
    Claim,
    Group,
    count_is,
    everything,
    one_of,
    only_with,
    union,
    without,
    zone,
)  # fmt: skip
from mmgames.games.spy.listening.tokens import Token

_PLACES = ("sup", "far", "ord")
_SEPARATORS = ("and", "mark")


class PhraseReader:
    """Reads the noun phrases of one sentence."""

    def __init__(self, found: tuple[Token, ...]) -> None:
        self.found = found
        self.claims: list[Claim] = []
        self.named: list[Group] = []  # single things that were named one after the other, for "both of them"
        self.spoken: list[Group] = []  # what was spoken of, for "it" and "both"
        self.scope: Group | None = None  # several things that were named together, for "one" and "the other"
        self.scope_kinds: frozenset[str] = frozenset()  # what they were told apart from others by: "large cubes"
        self.taken: list[Group] = []  # those of them that were spoken of since
        self.short = False  # a phrase ends at a comma
        self.placeless = False  # a phrase ends before a place
        self.shape = ""  # the last noun, for "the red one"

    def at(self, i: int) -> Token:
        return self.found[i] if i < len(self.found) else self.found[-1]

    def sees(self, i: int, kind: str, *values: Any) -> bool:
        token = self.at(i)
        return token.kind == kind and (not values or token.value in values)

    def phrase(self, i: int, base: Group | None = None, told: bool = False) -> tuple[Phrase | None, int]:
        """The noun phrase that begins here; `told` if it is said of something else."""
        start = i
        quant, op, number, article, only, rest, denied = "", "", None, "", False, False, False
        while True:
            kind, value = self.at(i)[:2]
            if kind == "det" and not (value == "a" and number is not None):
                article = article or ("" if only else value)
            elif kind == "alike" and value == "identical" and self.at(i + 1).kind in ("attr", "noun"):
                pass
            elif kind == "rest" and not rest:
                rest = True
                quant = quant or ("all" if value == "others" else "")
            elif kind == "only":
                article, only = "the" if only else article, True
            elif kind == "exact":
                op = "=="
            elif kind == "op":
                op = value
            elif (kind == "share" and not quant) or (kind == "quant" and not quant and not (number and value == "all")):
                quant = value
            elif kind == "quant" and value == "any" and quant == "none":
                pass
            elif kind == "num" and number in (None, value):
                number = value
            elif kind == "not" and (self.sees(i + 1, "attr") and i == start):
                denied = True
            else:
                break
            i += 1
        if quant == "all" and self.sees(i, "except"):
            but, j = self.exceptions(i + 1)
            if but is not None:
                return Phrase(but.part or everything, "all", head="thing", but=but), j
        if self.sees(i, "of") and (quant or number is not None) and not self.sees(i + 1, "attr"):
            return self._part(i + 1, quant, op or (">=" if number == 1 and not only else ""), number, only)
        quant = "all" if rest and quant == "half" else quant
        made = Description()
        made.definite = article == "the"
        made.shared = quant in ("all", "both", "most", "none", "half") and not told
        i = self._describe(i, made, told, number, denied)
        number = 2 if ("far", "ends") in made.order else number
        if not made.begun and not rest and number is None and quant in ("", "any"):
            return None, start
        if made.order and self.sees(i, "of"):
            base, i = self._ranked_among(i, made, base)
        exception = None
        if quant in ("all", "none") and self.sees(i, "except"):
            found, j = self.exceptions(i + 1)
            if found is not None and self.sees(j, "cop"):
                exception, i = found, j
        if self.sees(i, "of") and self.sees(i + 1, "num") and self.at(i + 2).kind not in ("attr", "noun"):
            self.claims.append(count_is(everything, "", self.at(i + 1).value))
            i += 2
        group, choices = made.group(self._pool(base, rest, made, only, told), number if made.order else None)
        if made.order and not made.order[0][1].startswith(("small", "large")):
            number, op = (number, op) if number else (None, op)
        return (
            Phrase(
                group, quant, op, number, article, only, rest, made.plural, made.head, frozenset(made.kinds),
                made.placed or bool(made.order), None, choices, exception,
            ),
            i,
        )  # fmt: skip

    def remember(self, phrase: Phrase) -> None:
        if phrase.head and phrase.head not in ("one",):
            self.shape = phrase.head if phrase.head != "thing" else ""

    def _ranked_among(self, i: int, made: Description, base: Group | None) -> tuple[Group | None, int]:
        """What "the rightmost of the cubes" and "the left cube of the two" choose from."""
        inner, j = self.phrase(i + 1)
        if inner is None or inner.part is not None or inner.op:
            return base, i
        if inner.bare and inner.number is not None:
            whole = only_with(base or everything, [test for _, test in made.tests])
            self.claims.append(count_is(whole, "", inner.number))
            return base, j
        if made.head or not inner.kinds:
            return base, i
        made.head = inner.head
        if inner.number is not None:
            self.claims.append(count_is(inner.group, "", inner.number))
        return inner.group, j

    def exceptions(self, i: int) -> tuple[Phrase | None, int]:
        """What is left out: "the red cube and the ball"."""
        found, j = self.phrase(i)
        if found is None:
            return None, i
        while self.sees(j, "and", "and"):
            further, k = self.phrase(j + 1)
            if further is None or further.bare:
                break
            several = found.plural or further.plural
            number = None if several else (found.number or 1) + (further.number or 1)
            found = found._replace(group=union(found.group, further.group), number=number, plural=several)
            j = k
        return found, j

    def _pool(self, base: Group | None, rest: bool, made: Description, only: bool, told: bool) -> Group:
        """What a phrase chooses from: all things, those named before, or what is left of them."""
        if base is not None:
            return without(base, *self.taken) if rest and self.taken else base
        if rest and self.scope is not None and self.taken and not made.head.startswith("thing"):
            return without(self.scope, *self.taken)
        if rest:
            return without(everything, *self.spoken)
        if made.head == "one" and not told and not only and "shape" not in made.kinds:
            contrast = self.scope_kinds & made.kinds
            if self.scope is not None and not (contrast and self.shape):
                return self.scope
            if self.shape and made.kinds:
                return only_with(everything, [one_of((("shape", self.shape),))])
        return everything

    def _part(self, i: int, quant: str, op: str, number: int | None, only: bool) -> tuple[Phrase | None, int]:
        """ "Two of the six objects": how many of a group there are said to be."""
        if self.sees(i, "pron") or self.sees(i, "which"):
            pair = self.named[-2:] if quant == "both" and len(self.named) > 1 else self.spoken
            whole, j = union(*pair) if self.spoken else everything, i + 1
            inner = None
            if self.sees(i, "pron") and self.sees(j, "num"):  # "these three"
                j += 1
            if self.sees(j, "noun"):
                j += 1
        else:
            inner, j = self.phrase(i)
            whole = inner.group if inner is not None and not inner.bare else self.scope or everything
            if inner is not None and inner.number is not None and inner.quant == "":
                self.claims.append(count_is(whole, inner.op, inner.number))
        if inner is None and not self.sees(i, "pron") and not self.sees(i, "which"):
            j = i
        return Phrase(whole, quant, op, number, "", only, head="thing", part=whole), j

    def _describe(self, i: int, made: Description, told: bool, number: int | None, denied: bool) -> int:
        several = (number or 1) > 1
        made.numbered = number is not None
        first = i
        while True:
            kind, value, plural = self.at(i)[:3]
            if kind == "attr" and i == first and self.sees(i - 1, "rest", "others"):
                break  # "the others red"
            if kind == "attr" and made.shared and made.head and self._plural_noun(i - 1) and value[0] != "shape":
                break  # "most cubes big"
            if kind == "attr" and made.order and made.head in ("one", "thing") and self.sees(i - 1, "noun"):
                break  # "the left one gray"
            if kind == "attr":
                step = self._attribute(i, made, denied or (i > first and self._negated(i)), several or told)
                if step == i:
                    break
                i = step
                continue
            if kind == "far" and several and made.head == "thing" and not made.tests:
                made.order.append(("sup", value))  # "the two objects on the far right"
            elif kind == "far" and several and value != "ends":
                made.tests.append(("", zone(value)))
                made.placed = True
            elif kind in _PLACES and self._placed_alone(i, made, told):
                break
            elif kind in _PLACES:
                made.order.append((kind, value))
            elif kind == "noun" and not made.head:
                made.head, made.plural = value, plural
            elif kind == "at" and self.placeless:
                break
            elif kind == "at":
                made.tests.append(("", zone(value)))
                made.placed = True
            elif not (
                (kind == "dim" and made.begun)
                or (kind in ("made", "of", "with") and self._material_follows(i))
                or self._relative(i, made)
                or self._goes_on(i, made, told)
            ):
                break
            i += 1
        return i

    def _plural_noun(self, i: int) -> bool:
        return self.at(i).plural and self.at(i).kind in ("attr", "noun")

    def _placed_alone(self, i: int, made: Description, told: bool) -> bool:
        """Whether "(a red cube) leftmost" ends here, which says where the cube is."""
        named = (
            made.head in vocabulary.SHAPES and bool(made.tests) and not made.definite and not told and not made.numbered
        )
        return named and self.at(i + 1).kind in ("end", "mark") and not self.sees(i + 1, "mark", ":") and not self.short

    def _attribute(self, i: int, made: Description, denied: bool, several: bool) -> int:
        """Take an adjective or a noun with a shape; the same place if it begins another phrase."""
        attribute, value = self.at(i).value
        test = one_of(((attribute, value),), denied)
        behind = self.at(i - 1)
        if attribute == "shape" and denied:
            choices = [(attribute, value)]
            i = self._or_more(i, choices)
            made.tests.append(("", one_of(tuple(choices), True)))
            return i + 1
        if attribute == "shape":
            choices = [(attribute, value)]
            while self.sees(i + 1, "or"):
                k = i + 2 + self.sees(i + 2, "det", "a")
                if not (self.sees(k, "attr") and self.at(k).value[0] == "shape"):
                    break
                choices.append(self.at(k).value)
                i = k
            test = one_of(tuple(choices))
            if made.head in vocabulary.SHAPES and made.head != value:
                return i
            if made.head and made.head not in vocabulary.SHAPES and not self._in_relative(i):
                return i
            made.head, made.plural = value, self.at(i).plural
            made.tests.append(("shape", test))
            return i + 1
        if attribute in made.kinds and not denied:
            if behind.kind == "attr":
                return i + 1
            if not self._chosen(i, made, attribute, several):
                return i
            made.choices += [one for name, one in made.tests if name == attribute]
            made.tests = [(name, one) for name, one in made.tests if name != attribute]
            made.choices.append(test)
            made.choice = attribute
            return i + 1
        choices = [(attribute, value)]
        while self.sees(i + 1, "or") and self.sees(i + 2, "attr"):
            choices.append(self.at(i + 2).value)
            i += 2
        made.tests.append((attribute, one_of(tuple(choices), denied)))
        return i + 1

    def _negated(self, i: int) -> bool:
        return self.sees(i - 1 - self.sees(i - 1, "det"), "not")

    def _or_more(self, i: int, choices: list[tuple[str, str]]) -> int:
        """The choices behind "or": "a cube or a ball"."""
        while self.sees(i + 1, "or"):
            k = i + 2 + self.sees(i + 2, "det")
            if not self.sees(k, "attr"):
                break
            choices.append(self.at(k).value)
            i = k
        return i

    def _chosen(self, i: int, made: Description, attribute: str, several: bool) -> bool:
        """Whether a second colour is one more choice ("red and blue cubes") and not another phrase's."""
        if self.at(i - 1).kind not in _SEPARATORS or len(made.kinds - {"shape"}) > 1:
            return made.choice == attribute and self.at(i - 1).kind in _SEPARATORS
        after = self.at(i + 1)
        if made.head:
            return not self._noun_soon(i)
        return several or (after.kind in ("attr", "noun") and after.plural) or after.kind not in ("attr", "noun")

    def _material_follows(self, i: int) -> bool:
        """Whether "of", "with" or "made of" leads to what a thing is like."""
        k = i + 1
        while self.at(k).kind in ("det", "made"):
            k += 1
        if self.at(i).kind == "with":
            return self._dimension_soon(k)
        return self.sees(k, "attr") and not self._noun_soon(k)

    def _relative(self, i: int, made: Description) -> bool:
        """Whether "that is" stands here, with an adjective or a place behind it."""
        if not made.head:
            return False
        k = i
        while self.at(k).kind in ("which", "cop", "dim", "not", "det") and (k == i or self.at(k).kind != "which"):
            k += 1
        begins = self.sees(i, "which") or (
            self.at(i).kind in ("cop", "dim", "not", "det") and self._in_relative(i)
        )  # fmt: skip
        return begins and k > i and self.at(k).kind in ("attr", "at", "far")

    def _in_relative(self, i: int) -> bool:
        while self.at(i - 1).kind in ("cop", "dim", "not", "det"):
            i -= 1
        return self.sees(i - 1, "which")

    def _goes_on(self, i: int, made: Description, told: bool) -> bool:
        """Whether a comma, "and" or an article stands inside a description and not behind it."""
        kind, value = self.at(i)[:2]
        if kind == "det":
            return self.at(i - 1).kind in ("with", "made", "of") and self.at(i + 1).kind in ("attr", "dim")
        if kind == "not":
            return self.sees(i + 1, "attr") and bool(made.begun) and self.at(i - 1).kind in ("mark", "and", "attr")
        if made.order and not (made.tests or made.head) and told and kind == "mark":
            return False  # "(a red cube) leftmost, blue ball rightmost"
        if not made.begun or not ((kind == "and" and value == "and") or (kind == "mark" and value == ",")):
            return False
        k = i + 1
        if kind == "mark" and self.sees(k, "and", "and"):
            k += 1
        if self.sees(k, "not") and self.sees(k + 1, "attr"):
            k += 1
            return not self._noun_soon(k) and self.at(k + 1).kind != "cop"
        following, after = self.at(k), self.at(k + 1)
        if following.kind in ("at", "far") and made.head:
            if self.short or made.numbered:
                return False
            return after.kind in ("end", "at", "far") or (after.kind == "mark" and after.value != ":")
        if following.kind != "attr" or (told and self._subject_ahead(k)):
            return False
        name = following.value[0]
        if made.head:
            if name == "shape" or self._noun_soon(k):
                return False
            repeated = name in made.kinds
            if repeated and not (told or made.choice == name or made.plural):
                return False
            if not told and not repeated and self._coordinated(k):
                return False
            return self._ends(k)
        if name == "shape":
            return not made.head and name not in made.kinds and not told
        if name in made.kinds:
            return self._chosen(k, made, name, told) or made.choice == name
        return True

    def _subject_ahead(self, k: int) -> bool:
        """Whether a noun phrase stands here that has a verb of its own: "(the cube is big,) blue ball is small"."""
        while self.sees(k, "attr") and self.at(k).value[0] != "shape":
            k += 1
        return (self.at(k).kind == "noun" or self.sees(k, "attr")) and self.sees(k + 1, "cop")

    def _coordinated(self, k: int) -> bool:
        """Whether "red and blue" stands here: two of a kind."""
        names = list[str]()
        while self.sees(k, "attr") or self.behind(k):
            if self.sees(k, "attr"):
                names.append(self.at(k).value[0])
            k += 1
        return len(names) > len(set(names))

    def behind(self, k: int) -> bool:
        return self.sees(k, "mark", ",") or self.sees(k, "and", "and")

    def _ends(self, k: int) -> bool:
        """Whether nothing but adjectives follows up to the end of a clause."""
        while self.at(k).kind in ("attr", "dim", "and", "not") or self.sees(k, "mark", ","):
            k += 1
        return self.at(k).kind in ("end", "mark", "cop", "rel", "except", "at", "far", "which")

    def _noun_soon(self, i: int) -> bool:
        """Whether a description that begins here has a noun of its own."""
        while self.sees(i, "attr") or self.sees(i, "mark", ","):
            if self.sees(i, "attr") and self.at(i).value[0] == "shape":
                return True
            i += 1
        return self.sees(i, "noun")

    def _dimension_soon(self, i: int) -> bool:
        first = i
        while self.at(i).kind in ("attr", "not") or self.sees(i, "mark", ",") or self.sees(i, "and", "and"):
            if self.sees(i, "attr") and self.at(i).value[0] == "shape":
                return False
            i += 1
        return self.sees(i, "dim") or (i > first and self.at(i).kind in ("end", "mark", "cop"))
