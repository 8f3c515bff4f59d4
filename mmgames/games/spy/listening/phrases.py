"""Phrases of a clue: a quantity and what it is a quantity of, such as "two small cubes behind the ball".

Words may stand in any order inside a phrase. It ends where a word cannot belong to it: a second article, a verb, or a
second attribute of the same kind, as in "a red cube and a blue ball".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from mmgames.games.spy.listening import claims as c
from mmgames.games.spy.listening.claims import Claim, Selection
from mmgames.games.spy.listening.lexicon import Token

END = Token("end")
JOINTS = (",", "and", "but", "(", ")", ":", "—", "–", "+")
_VERBS = frozenset(["share", "shares", "differ", "differs", "vary", "varies", "match", "matches"])
Dims = dict[str, tuple[str, ...]]


@dataclass
class Phrase:
    """A quantity and what it is a quantity of."""

    number: float | None = None
    relation: str = ""  # "at least", as an operator
    quantity: str = ""  # all, both, no, most, half
    definite: bool = False
    indefinite: bool = False
    only: bool = False  # "only the ball"
    sole: bool = False  # "the only ball"
    other: bool = False
    noun: str = ""  # the word for things, if there is one: "objects", "one"
    plural: bool = False
    within: Selection | None = None  # what it is a part of
    dims: Dims = field(default_factory=dict)
    parts: list[Selection] = field(default_factory=list)  # places, relations, denials
    ranks: list[tuple[str, int, int]] = field(default_factory=list)
    anchors: list[Selection] = field(default_factory=list)  # what it stands beside
    excepted: list[Phrase] = field(default_factory=list)
    alike: list[tuple[str, bool]] = field(default_factory=list)
    counted: str = ""  # the dimension whose kinds are counted: "three colours"

    @property
    def bare(self) -> bool:
        """Whether it names nothing by itself: "two", "one", "the other"."""
        return not (self.dims or self.parts or self.ranks)

    @property
    def named(self) -> bool:
        """Whether it says what things are, and not only where."""
        return bool(self.dims or self.noun)

    @property
    def exact(self) -> bool:
        """Whether it says how many."""
        return self.number is not None and not self.ranks

    @property
    def left(self) -> float:
        """How many are left out: "all but one"."""
        return next((each.number for each in self.excepted if each.bare and each.number), 0)

    @property
    def zoned(self) -> bool:
        """Whether it is "the" one at a place that may hold others: "the cube in the front"."""
        return not self.plural and self.number is None and any(isinstance(each, c.At) for each in self.parts)

    @property
    def placed(self) -> bool:
        """Whether it is a place and nothing else."""
        return not self.named and any(isinstance(each, c.At) for each in self.parts)

    @property
    def own(self) -> Selection:
        """What it names, wherever that is."""
        return Phrase(dims=self.dims, parts=self.parts, ranks=self.ranks).what

    @property
    def what(self) -> Selection:
        chosen: list[Selection] = [c.Has(dimension, values) for dimension, values in self.dims.items()]
        chosen += [*self.parts, *([] if self.within is None else [self.within])]
        found: Selection = c.AllOf(tuple(chosen)) if chosen else c.Everything()
        excepted = [each.what for each in self.excepted if not each.bare]
        if excepted:
            found = c.Without(found, c.OneOf(tuple(excepted)))
        for key, sign, rank in self.ranks:
            found = c.Best(key, -sign if rank < 0 else sign, found, abs(rank), int(self.number or 1))
        return found


def union(phrases: Iterable[Phrase]) -> Selection:
    return c.OneOf(tuple(each.what for each in phrases))


class PhraseReader:
    """Reads phrases from tokens, one after the other."""

    new: type[Phrase] = Phrase

    def __init__(self) -> None:
        self.tokens: Sequence[Token] = ()
        self.i = 0
        self.unused = 0  # what was understood and belongs nowhere
        self.claims: list[Claim] = []
        self.topic: Phrase | None = None  # what was spoken of last
        self.part: Selection | None = None  # the part of it that was told apart
        self.group: Selection | None = None  # what that is a part of
        self.mentions: list[Selection] = []  # what "it" may mean
        self.excluded: list[Phrase] = []  # "apart from the ball, …"
        self.inside = 0  # how deep in phrases inside phrases
        self.predicating = False

    @property
    def now(self) -> Token:
        return self.ahead(0)

    def ahead(self, steps: int = 1) -> Token:
        return self.tokens[self.i + steps] if self.i + steps < len(self.tokens) else END

    def take(self, *kinds: str) -> Token | None:
        if self.now.kind not in kinds:
            return None
        self.i += 1
        return self.tokens[self.i - 1]

    def skip(self, *kinds: str) -> None:
        while self.take(*kinds):
            pass

    def phrase(self) -> Phrase | None:
        start, phrase = self.i, self.new()
        self.quantity(phrase)
        if self.i > start and self.take("of"):
            self.part_of(phrase)
        elif self.now.kind == "pron" and self.ahead().kind == "attr":
            self.i += 1  # "its rook"
        elif token := self.take("pron"):
            phrase.within, phrase.noun, phrase.definite = self.spoken_of, token.text, True
        if self.now.kind == "dim" and phrase.number is not None:
            phrase.counted = self.now.value
            self.i += 1
        self.core(phrase)
        if phrase.bare and not (phrase.noun or phrase.quantity or phrase.other or phrase.number is not None):
            self.i = start
            return None
        self.refer(phrase)
        phrase.excepted, self.excluded = phrase.excepted + self.excluded, []
        if not phrase.bare and not self.inside:
            self.mentions.append(phrase.what)
        return phrase

    def inner(self) -> Phrase | None:
        """A phrase inside a phrase, which no comma continues."""
        self.inside += 1
        found = self.phrase()
        self.inside -= 1
        return found

    @property
    def spoken_of(self) -> Selection:
        if self.topic is None:
            return c.Everything()
        return c.OneOf((self.topic.what, *self.topic.anchors)) if self.topic.anchors else self.topic.what

    def refer(self, phrase: Phrase) -> None:
        """Bind what speaks of what was spoken of before: "both", "one", "the others"."""
        alone = phrase.bare and not phrase.noun and (phrase.number is not None or phrase.quantity)
        if alone and phrase.within is None and self.topic is not None:
            phrase.within = self.spoken_of
        if phrase.other:
            phrase.within = c.Without(self.group or self.spoken_of, self.part or self.spoken_of, True)

    def antecedent(self, phrase: Phrase) -> Selection:
        """What "it" stands for inside the description of something else."""
        own = self.topic.what if self.topic and self.predicating else None
        others = [each for each in self.mentions if each != own]
        return (phrase.anchors or others or [self.spoken_of])[-1]

    def quantity(self, phrase: Phrase) -> None:
        while True:
            token = self.now
            if token.kind == "num" and self.value(phrase):
                continue
            match token.kind:
                case "the":
                    phrase.definite = True
                case "a":
                    phrase.indefinite = True
                case "op":
                    phrase.relation = token.value
                case "num" | "pair" if phrase.number is None and not phrase.indefinite:
                    phrase.number = float(token.value)
                case "quant" | "both" if not phrase.quantity and phrase.number is None:
                    phrase.quantity = token.value or "both"
                    if token.text in ("everything", "nothing"):
                        phrase.noun = token.text
                case "only" if token.text in ("single", "lone", "sole") and not phrase.definite:
                    phrase.number = 1
                case "only":
                    phrase.sole, phrase.only = phrase.definite, not phrase.definite
                case "other":
                    phrase.other = True
                case "not" if self.ahead().kind == "a" and not self.predicating:
                    phrase.quantity = "no"
                case _:
                    return
            self.i += 1

    def value(self, phrase: Phrase) -> bool:
        """Take a number as a value, where things have values and it does not count them."""
        return False

    def part_of(self, phrase: Phrase) -> None:
        """ "Three of the four cubes", "one of them"."""
        self.take("that")
        whole = self.inner()
        if whole is not None:
            phrase.within, phrase.noun = whole.what, phrase.noun or "of"
            self.count(whole)

    def count(self, phrase: Phrase) -> None:
        if phrase.exact or phrase.quantity == "both":
            self.claims.append(c.Count(phrase.what, phrase.relation or "==", phrase.number if phrase.exact else 2))

    def exceptions(self) -> list[Phrase]:
        every: list[Phrase] = []
        while found := self.inner():
            every.append(found)
            if self.now.kind != "and" or self.ahead().kind not in ("the", "a"):
                break
            self.i += 1
        return every

    def core(self, phrase: Phrase, once: bool = False) -> None:
        """Attributes, nouns, ranks, places and relations, in any order; of all but attributes only `once` one."""
        going = True
        while going:
            token, start = self.now, self.i
            going = not once or token.kind == "attr"
            self.i += 1
            match token.kind:
                case "attr" if not (phrase.ranks and phrase.noun == "one") and self.attribute(phrase, token):
                    pass
                case "noun" | "one" if not phrase.noun:
                    phrase.noun = token.text if token.kind == "noun" else "one"
                    phrase.plural |= token.plural
                case "sup":
                    self.rank(phrase, 1, token)
                case "nth":
                    self.rank(phrase, int(token.value), self.take("sup"))
                case "place":
                    phrase.parts += [c.At(each) for each in token.value.split("/")]
                case "rel":
                    self.relation(phrase, token.value)
                case "relit":
                    phrase.parts.append(c.Related(token.value, self.antecedent(phrase)))
                case "except":
                    phrase.excepted += self.exceptions()
                case "not" if self.now.kind in ("attr", "a", "place", "rel", "the", "sup", "op"):
                    self.denied(phrase)
                case "same" | "different" if token.text not in _VERBS and self.likeness(phrase, token.kind):
                    pass
                case "times" if phrase.number is None and not phrase.bare:
                    phrase.number = float(token.value)
                case "of" if self.now.kind in ("attr", "same", "different"):
                    pass
                case "of" if phrase.ranks and self.now.kind in ("the", "quant", "num", "pron", "noun"):
                    self.part_of(phrase)
                case "," | "and" | "(" if not self.inside and not once and self.goes_on(phrase, token):
                    self.skip("and", "a", "the", "that", "be")
                case _:
                    self.i = start
                    if not self.more(phrase):
                        return

    def more(self, phrase: Phrase) -> bool:
        """What else a kind of picture lets phrases hold."""
        return False

    def denied(self, phrase: Phrase) -> None:
        self.skip("a", "the", "op")
        inner = self.new()
        self.core(inner, once=True)
        self.take("noun", "one", "dim")
        if not inner.bare:
            phrase.parts.append(c.Without(c.Everything(), inner.what))

    def attribute(self, phrase: Phrase, token: Token) -> bool:
        dimension, _, value = token.value.partition(" ")
        if dimension in phrase.dims and (phrase.dims[dimension] != (value,) or dimension != "material"):
            return False
        phrase.plural |= dimension == "shape" and token.plural
        phrase.dims[dimension] = (value,)
        return True

    def kind_at(self, place: int) -> str:
        return self.tokens[place].kind if place < len(self.tokens) else "end"

    def past(self, place: int, *kinds: str) -> int:
        while self.kind_at(place) in kinds:
            place += 1
        return place

    def goes_on(self, phrase: Phrase, joint: Token) -> bool:
        """Whether what stands behind a comma or "and" still describes the same thing: "a ball, behind the cube"."""
        return self.ahead(joint.kind == "," and self.now.kind == "and").kind in ("rel", "relit", "except")

    def rank(self, phrase: Phrase, rank: int, token: Token | None) -> None:
        """ "Leftmost", "second closest", "third object from the right", "first two from the left"."""
        if token is None and (number := self.take("num")):
            phrase.number = float(number.value)
        if token is None and (noun := self.take("noun", "one")):
            phrase.noun, phrase.plural = noun.text, noun.plural
        token = token or self.take("from", "sup")
        if token is not None or phrase.noun:
            key, mark = token.value.split() if token else ("across", "-")
            phrase.ranks.append((key, 1 if mark == "+" else -1, rank))

    def relation(self, phrase: Phrase, name: str) -> None:
        spoken_of = self.now.kind == "pron" and self.ahead().kind not in ("attr", "noun")
        anchor = self.inner()
        if anchor is None:
            self.unused += 1
            return
        whole = self.antecedent(phrase) if spoken_of else anchor.what
        if name == "between" and self.take("and") and (second := self.inner()):
            whole = c.OneOf((whole, second.what))
        if anchor.other and anchor.quantity == "all":
            whole = c.Everything()
        least = 0 if anchor.quantity in ("all", "both") or anchor.other else int(anchor.number or 1)
        phrase.parts.append(c.Related(name, whole, least))
        phrase.anchors.append(whole)

    def likeness(self, phrase: Phrase, way: str) -> bool:
        """ "Of the same colour as the ball", "different in size and finish"."""
        self.skip("only", "of", "the", "a", "in", "be")
        dims: list[str] = []
        while self.now.kind == "dim" or (dims and self.now.kind in ("and", ",") and self.ahead().kind == "dim"):
            if token := self.take("dim"):
                dims.append(token.value)
            else:
                self.i += 1
        if self.take("as", "than", "with") and (anchor := self.inner()):
            phrase.parts += [c.Related(f"{way} {each}", anchor.what, 0) for each in dims or ["shape"]]
            return True
        phrase.alike += [(each, way == "same") for each in dims]
        return bool(dims)
