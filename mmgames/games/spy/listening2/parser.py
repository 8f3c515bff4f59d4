"""One parser of clues: tokens are read as phrases, phrases are combined into claims.

A phrase is a quantity and what it is a quantity of ("two small cubes behind the ball"). A sentence is a list of
phrases, or phrases, a verb and more phrases. What stands in no such place is passed over, and a sentence that leaves
too much of what was understood unused makes no claim.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from mmgames.games.spy.listening2.claims import (
    Alike, All, Any, At, Best, Claim, Commonest, Compare, Count, Denied, Everything, Has, Kinds, Order, Others, Related,
    Selection, Share, Without,
)  # fmt: skip
from mmgames.games.spy.listening2.lexicon import Token

END = Token("end")
_JOINTS = (",", "and", "but", "(", ")", ":", "—", "–", "+")
_STARTS = frozenset("the a op num pair quant only other attr noun nth sup place places pron nothingbut except".split())


@dataclass
class Phrase:
    """A quantity and what it is a quantity of."""

    number: float | None = None
    relation: str = ""
    quantity: str = ""
    definite: bool = False
    indefinite: bool = False
    only: bool = False
    other: bool = False
    denied: bool = False
    noun: str = ""  # the word for things, if there is one: "objects", "one"
    plural: bool = False
    within: Selection | None = None
    dims: dict[str, tuple[str, ...]] = field(default_factory=dict)
    parts: list[Selection] = field(default_factory=list)
    ranks: list[tuple[str, int, int]] = field(default_factory=list)
    anchors: list[Selection] = field(default_factory=list)
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
        return bool(self.dims) or bool(self.noun) and self.within is None

    @property
    def zoned(self) -> bool:
        """Whether it is "the" one at a place that may hold others: "the cube in the front"."""
        return not self.plural and self.number is None and any(isinstance(each, At) for each in self.parts)

    @property
    def own(self) -> Selection:
        """What it names, wherever that is."""
        return Phrase(dims=self.dims, parts=self.parts, ranks=self.ranks).what

    @property
    def what(self) -> Selection:
        chosen: list[Selection] = [Has(dimension, values) for dimension, values in self.dims.items()]
        chosen += self.parts
        if self.within is not None:
            chosen.append(self.within)
        found: Selection = All(tuple(chosen)) if chosen else Everything()
        excepted = [each.what for each in self.excepted if not each.bare]
        if excepted:
            found = Without(found, Any(tuple(excepted)))
        number = int(self.number) if self.number is not None and self.ranks else 1
        for key, sign, rank in self.ranks:
            found = Best(key, -sign if rank < 0 else sign, found, abs(rank), number)
        return found


class Parser:
    """Reads the sentences of one clue, one after the other, into claims."""

    VERBS: tuple[str, ...] = ("same", "different", "commonest", "equal", "both")

    def new(self) -> Phrase:
        return Phrase()

    def __init__(self) -> None:
        self.claims: list[Claim] = []
        self.topic: Selection | None = None  # what was spoken of last
        self.topic_dims: dict[str, tuple[str, ...]] = {}
        self.part: Selection | None = None  # the part of it that was told apart
        self.group: Selection | None = None  # what that is a part of
        self.told: set[str] = set()  # the dimensions it was told apart by
        self.head: Phrase | None = None  # what a list behind a comma or colon may tell the parts of
        self.mentions: list[Selection] = []  # what "it" may mean
        self.shape: tuple[str, ...] = ()  # what "one" stands for
        self.anchoring = 0
        self.excluded: list[Phrase] = []
        self.predicating = False
        self.before: Selection | None = None
        self.tokens: Sequence[Token] = ()
        self.i = 0
        self.unused = 0

    # Tokens

    @property
    def now(self) -> Token:
        return self.tokens[self.i] if self.i < len(self.tokens) else END

    def ahead(self, steps: int = 1) -> Token:
        return self.tokens[self.i + steps] if self.i + steps < len(self.tokens) else END

    def take(self, *kinds: str) -> Token | None:
        if self.now.kind in kinds:
            self.i += 1
            return self.tokens[self.i - 1]
        return None

    # Sentences

    def sentence(self, tokens: Sequence[Token]) -> None:
        """Add what one sentence claims."""
        self.tokens, self.i, self.unused = _settled(tokens), 0, 0
        before = len(self.claims)
        self.head = None
        while self.now is not END:
            start = self.i
            self.clause()
            if self.i == start:
                self.unused += self.now.kind not in (*_JOINTS, "be", "of", "the", "a", "with", "that", "pron", ";", "dim")
                self.i += 1
        if self.unused > 1:
            del self.claims[before:]

    def clause(self) -> None:
        while token := self.take(*_JOINTS, ";", "with", "that", "or", "there"):
            if token.kind in ("there", ";"):
                self.head = None
        if self.take("except"):
            self.excluded = self.exceptions()
            return
        if self.take("of"):
            if not self.take("that", "pron"):
                self.choose_from()
            return
        if order := self.take("order"):
            self.ordered(order)
            return
        if self.amounts():
            return
        lead = self.leading_places()
        found = self.listed()
        if lead and found:
            found[0].parts += lead
        elif lead:
            found = [Phrase(parts=lead)]
        if not found:
            return
        head, self.head = self.head, None
        if order := self.take("order"):
            self.in_order(order, found)
            return
        if self.take("outnumber"):
            self.outnumber(found)
            return
        if self.now.kind == ":" and len(found) == 1 and found[0].ranks and not found[0].dims:
            self.i += 1
            self.predicate(found)
            return
        if self.now.kind in (",", ")") and self.ahead().kind == "be":
            self.i += 1
        verb = self.take("be", "=")
        if verb is None and self.now.kind in self.VERBS:
            verb = self.now
        if verb is None:
            self.state(found, head)
            return
        self.predicate(self.subject(found, verb.text in ("is", "was", "has", "looks", "seems")))

    def subject(self, found: list[Phrase], singular: bool) -> list[Phrase]:
        """Those of the phrases before a verb that it speaks of; what others say is claimed."""
        first, rest = found[0], found[1:]
        if rest and first.quantity == "both" and not (first.plural or first.noun):
            first.quantity = ""
            return found
        if rest and first.plural and all(self.depends(first, each) for each in rest):
            self.state(rest, first)
            return [first]
        if len(found) > 1 and found[-1].indefinite and singular and (found[-2].definite or found[-2].ranks):
            self.state(found[:-2])
            self.quantified(found[-2], found[-1].what)
            return [found[-2]]
        subject = found[-1:] if singular else found
        self.state(found[: len(found) - len(subject)])
        return subject

    def choose_from(self) -> None:
        """ "Of the two cubes, …"."""
        phrase = self.phrase()
        if phrase is not None:
            self.count_subject(phrase)
            self.about(phrase)

    def about(self, *phrases: Phrase) -> None:
        """Keep what is spoken of, for "it", "both", "one of them"."""
        sets = [each for phrase in phrases for each in (phrase.what, *phrase.anchors)]
        self.topic = Any(tuple(sets)) if len(sets) > 1 else sets[0]
        self.topic_dims = phrases[0].dims if len(phrases) == 1 else {}
        self.part = self.group = None
        self.told = set()
        self.head = phrases[0] if len(phrases) == 1 else None

    def antecedent(self, phrase: Phrase) -> Selection:
        """What "it" stands for inside a description of something else."""
        if phrase.anchors:
            return phrase.anchors[-1]
        others = [each for each in self.mentions if each != self.topic or not self.predicating]
        return others[-1] if others else self.topic or Everything()

    def refers_back(self) -> bool:
        """Whether what comes next speaks of what was just said: "they", "one of them", "two of which"."""
        steps = 0
        while self.ahead(steps).kind in ("num", "quant", "only", "op", "both"):
            steps += 1
        if steps and self.ahead(steps).kind == "be":
            return True
        if steps and self.ahead(steps).kind == "of":
            return self.ahead(steps + 1).kind in ("pron", "that")
        return self.ahead(steps).kind == "pron"

    def leading_places(self) -> list[Selection]:
        """A place that is named ahead of what is there: "on the left there is"."""
        start, found = self.i, list[Selection]()
        while self.now.kind in ("place", "places", "rel", "relit"):
            inner = Phrase()
            self.core_once(inner)
            found += inner.parts
            self.take(",", ":", "be")
            self.take("there")
        if self.now is END or self.now.kind == "be":
            self.i = start
            return []
        return found

    def place_names(self) -> list[str]:
        token = self.now
        self.i += 1
        return token.value.split() if token.kind == "places" else [token.value]

    def listed(self) -> list[Phrase]:
        """Phrases side by side."""
        found: list[Phrase] = []
        while True:
            start = self.i
            while found and self.take(*_JOINTS):
                pass
            if found and self.refers_back():
                self.i = start
                break
            phrase = self.phrase()
            if phrase is None:
                self.i = start
                break
            found.append(phrase)
        return found

    # Phrases

    def phrase(self) -> Phrase | None:
        start = self.i
        phrase = self.new()
        self.quantity(phrase)
        if self.now.kind == "of" and self.i > start:
            self.partitive(phrase)
        elif token := self.take("pron"):
            phrase.within = self.topic or Everything()
            phrase.noun, phrase.definite = token.text, True
        if self.now.kind == "dim" and (phrase.number is not None or phrase.quantity == "all"):
            phrase.counted = self.now.value
            self.i += 1
        self.core(phrase)
        named = not phrase.bare or phrase.noun or phrase.within is not None
        if not named and phrase.number is None and not phrase.quantity and not phrase.other:
            self.i = start
            return None
        if phrase.within is None and self.topic is not None:
            self.refer(phrase)
        if phrase.other:
            phrase.within = Others(
                phrase.within or self.group or self.topic or Everything(), self.part or self.topic or Everything()
            )
        if self.excluded:
            phrase.excepted, self.excluded = self.excluded, []
        self.shape = phrase.dims.get("shape", self.shape)
        if not phrase.bare and not self.anchoring:
            self.mentions.append(phrase.what)
        return phrase

    def refer(self, phrase: Phrase) -> None:
        """Bind what speaks of what was spoken of before: "both", "one", "the red one", "all"."""
        if phrase.noun in ("one", "ones") and "shape" not in phrase.dims:
            if not set(phrase.dims) & set(self.topic_dims) and not phrase.ranks:
                phrase.within = self.topic
            elif self.shape:
                phrase.dims["shape"] = self.shape
        elif not phrase.noun and phrase.bare and (phrase.number is not None or phrase.quantity):
            phrase.within = self.topic

    def quantity(self, phrase: Phrase) -> None:
        while True:
            token = self.now
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
                    if token.text in ("everything", "nothing", "everybody"):
                        phrase.noun = token.text
                case "only" if token.text in ("single", "lone", "sole") and not phrase.definite:
                    phrase.number = 1
                case "nothingbut" | "only":
                    phrase.only = True
                case "other":
                    phrase.other = True
                    phrase.plural = token.text in ("others", "the others", "rest", "the rest")
                case "not" if self.ahead().kind in ("quant", "num", "op"):
                    phrase.denied = True
                case "except" if token.text == "all but":
                    phrase.quantity = "all"
                    self.i += 1
                    phrase.excepted = self.exceptions()
                    continue
                case _:
                    return
            self.i += 1

    def partitive(self, phrase: Phrase) -> None:
        """ "Three of the four cubes", "one of them"."""
        self.i += 1
        if self.take("that"):
            phrase.within, phrase.noun = self.topic, "of"
            return
        inner = self.phrase()
        if inner is None:
            return
        phrase.within = inner.what
        phrase.noun = phrase.noun or "of"
        if inner.number is not None and not inner.ranks and not inner.denied:
            self.claims.append(Count(inner.what, inner.relation or "==", inner.number))

    def exceptions(self) -> list[Phrase]:
        found = self.phrase()
        every = [found] if found else []
        while found and self.now.kind in ("and", ",") and self.ahead().kind in ("the", "a"):
            start = self.i
            self.i += 1
            found = self.phrase()
            if found is None or found.quantity:
                self.i = start
                break
            every.append(found)
        return every

    def core(self, phrase: Phrase) -> None:
        """Attributes, nouns, ranks, places and relations, in any order."""
        while True:
            token, start = self.now, self.i
            match token.kind:
                case "attr" if self.attribute(phrase):
                    pass
                case "noun" | "one" if not phrase.noun:
                    phrase.noun = token.text if token.kind == "noun" else "one"
                    phrase.plural |= token.plural
                    self.i += 1
                case "sup":
                    self.rank(phrase, 1)
                case "nth":
                    self.i += 1
                    self.rank(phrase, int(token.value))
                case "place" | "places":
                    phrase.parts += [At(place) for place in self.place_names()]
                case "rel":
                    self.relation(phrase)
                case "relit":
                    self.i += 1
                    phrase.parts.append(Related(token.value, self.antecedent(phrase)))
                case "except":
                    self.i += 1
                    phrase.excepted += self.exceptions()
                case "not" if self.ahead().kind in ("attr", "a", "place", "rel", "the", "sup", "op"):
                    self.i += 1
                    inner = Phrase()
                    self.take("a", "the", "op")
                    self.core_once(inner)
                    phrase.parts.append(Without(Everything(), inner.what))
                case "quant" if token.value == "no" and phrase.noun and token.text.startswith("without"):
                    self.i += 1
                    inner = Phrase()
                    self.core_once(inner)
                    if not inner.bare:
                        phrase.parts.append(Without(Everything(), inner.what))
                case "same" | "different" if not token.text.startswith(("share", "differ ", "differs", "var", "match")):
                    if not self.likeness(phrase):
                        return
                case "dim" if phrase.dims:
                    self.i += 1
                case "of" if self.ahead().kind in ("attr", "same", "different") or (self.ahead().kind == "a" and self.ahead(2).kind == "attr"):
                    self.i += 1
                    self.take("a")
                case "of" if phrase.ranks and self.ahead().kind in ("the", "quant", "num", "pron", "noun"):
                    self.i += 1
                    inner = self.phrase()
                    if inner is not None:
                        phrase.within = inner.what
                        if inner.number is not None:
                            self.claims.append(Count(inner.what, "==", inner.number))
                case "with" if self.finish_follows():
                    self.i += 1
                    self.take("a", "the")
                case "that" if self.ahead().kind == "be" and (phrase.noun or phrase.dims) and self.clause_adds(2):
                    self.i += 2
                case "other" if phrase.noun:
                    phrase.other = True
                    self.i += 1
                case "times" if phrase.number is None and not phrase.bare:
                    phrase.number = float(token.value)
                    self.i += 1
                case "," | "and" | "(" if not self.anchoring and self.goes_on(phrase):
                    self.i += 1
                    self.take("and")
                    self.take("a", "the")
                case _:
                    if not self.more_core(phrase):
                        return
            if self.i == start:
                return

    def more_core(self, phrase: Phrase) -> bool:
        """What else a kind of picture lets phrases hold."""
        return False

    def core_once(self, phrase: Phrase) -> None:
        """One run of attributes and nouns, or one place or relation."""
        while self.now.kind == "attr" and self.attribute(phrase):
            pass
        if phrase.bare:
            match self.now.kind:
                case "place" | "places":
                    phrase.parts += [At(place) for place in self.place_names()]
                case "rel":
                    self.relation(phrase)
                case "relit":
                    phrase.parts.append(Related(self.now.value, self.antecedent(phrase)))
                    self.i += 1
                case "sup":
                    self.rank(phrase, 1)
        self.take("noun", "one", "dim")

    def attribute(self, phrase: Phrase) -> bool:
        dimension, _, value = self.now.value.partition(" ")
        if phrase.dims.get(dimension) == (value,) and dimension == "material":
            self.i += 1
            return True
        if dimension in phrase.dims:
            return False
        values = [value]
        plural = self.now.plural
        self.i += 1
        while True:  # "red or blue", "red, green or blue"
            start = self.i
            commas = bool(self.take(","))
            either = bool(self.take("or"))
            here = self.now
            if here.kind != "attr" or not here.value.startswith(f"{dimension} ") or not (commas or either):
                self.i = start
                break
            if not either and not self.or_follows(dimension):
                self.i = start
                break
            values.append(here.value.partition(" ")[2])
            self.i += 1
        phrase.dims[dimension] = tuple(values)
        if dimension == "shape":
            phrase.plural |= plural
        return True

    def or_follows(self, dimension: str) -> bool:
        for token in self.tokens[self.i :]:
            if token.kind == "or":
                return True
            if token.kind != "," and not token.value.startswith(f"{dimension} "):
                return False
        return False

    def run(self, place: int) -> tuple[set[str], int]:
        """The dimensions of the attributes from a place on, and where they end."""
        found: set[str] = set()
        while place < len(self.tokens) and self.tokens[place].kind == "attr":
            found.add(self.tokens[place].value.split()[0])
            place += 1
        return found, place

    def goes_on(self, phrase: Phrase) -> bool:
        """Whether what stands behind a comma or "and" still describes the same thing: "a ball, big and on the left"."""
        steps = 2 if self.now.kind == "," and self.ahead().kind == "and" else 1
        first = self.ahead(steps)
        article = first.kind in ("a", "the")
        if article:
            first = self.ahead(steps + 1)
        if first.kind == "attr":
            dims, end = self.run(self.i + steps + article)
            after = self.tokens[end] if end < len(self.tokens) else END
            if dims & set(phrase.dims) or phrase.number is not None and phrase.number > 1 and self.now.kind == ",":
                return False
            if after.kind in (",", "and", "or") and self.run(end + 1 + (after.kind == "," and self.kind_at(end + 1) == "and"))[0] & dims:
                return False
            if after.kind in ("noun",) or after.kind == "be" and self.now.kind != "and":
                return False
            if article and (after.kind != "one" or phrase.plural):
                return False
            return "shape" not in dims or not phrase.noun and self.now.kind != ","
        if article:
            return False
        if first.kind == "except":
            return True
        if first.kind in ("place", "places", "rel", "relit"):
            after = self.ahead(steps + 1)
            return first.kind == "rel" or after.kind not in ("the", "a", "num", "attr", "quant", "pair", "nth", "sup")
        if first.kind == "that":
            return self.ahead(steps + 1).kind == "be" and self.clause_adds(steps + 2) and not phrase.plural
        return False

    def kind_at(self, place: int) -> str:
        return self.tokens[place].kind if place < len(self.tokens) else "end"

    def clause_adds(self, steps: int) -> bool:
        """Whether a relative clause describes by attributes and places, which phrases read themselves."""
        return self.ahead(steps).kind in ("attr", "place", "places", "rel", "not", "sup", "same", "different") or (
            self.ahead(steps).kind in ("a", "the") and self.ahead(steps + 1).kind in ("attr", "sup")
        )

    def finish_follows(self) -> bool:
        steps = 1 + (self.ahead().kind in ("a", "the"))
        dims, end = self.run(self.i + steps)
        after = self.tokens[end] if end < len(self.tokens) else END
        return bool(dims) and "shape" not in dims and after.kind != "noun"

    def rank(self, phrase: Phrase, rank: int) -> None:
        """ "Leftmost", "second closest", "third object from the right"."""
        token = self.take("sup")
        if token is None and self.now.kind == "num":
            phrase.number = float(self.now.value)
            self.i += 1
        if token is None and self.now.kind == "noun":
            phrase.noun = self.now.text
            phrase.plural |= self.now.plural
            self.i += 1
        token = token or self.take("from", "sup")
        if token is None and self.now.kind == "place" and self.now.value in ("left", "right"):
            token = Token("from", "across -" if self.now.value == "left" else "across +")
            self.i += 1
        if token is None and not phrase.noun and self.now.kind != "be":
            return
        key, sign = (token.value.split() if token else ("across", "-"))
        phrase.ranks.append((key, 1 if sign == "+" else -1, rank))

    def relation(self, phrase: Phrase) -> None:
        name = self.now.value
        self.i += 1
        if self.take("pron"):
            phrase.parts.append(Related(name, self.antecedent(phrase)))
            return
        self.anchoring += 1
        anchor = self.phrase()
        self.anchoring -= 1
        if anchor is None:
            self.unused += 1
            return
        what: list[Selection] = [anchor.what]
        if name == "between" and self.now.kind == "and":
            self.i += 1
            second = self.phrase()
            what += [second.what] if second else []
        whole: Selection = Any(tuple(what))
        if anchor.other and anchor.quantity == "all":
            whole = Everything()
        least = 0 if anchor.quantity in ("all", "both") or anchor.other else int(anchor.number or 1)
        phrase.parts.append(Related(name, whole, least))
        phrase.anchors.append(whole)

    def likeness(self, phrase: Phrase) -> bool:
        """ "Of the same colour as the ball", "different in size"."""
        start = self.i
        like = self.now.kind == "same"
        self.i += 1
        while self.take("of", "the", "a", "in", "be"):
            pass
        dims = []
        while token := self.take("dim"):
            dims.append(token.value)
            start_of_more = self.i
            while self.take(",", "and", "or", "the", "in"):
                pass
            if self.now.kind != "dim":
                self.i = start_of_more
        if self.take("as", "than", "with"):
            anchor = self.phrase()
            if anchor is not None:
                phrase.parts += [Alike(each, anchor.what, like) for each in dims or ["shape"]]
                return True
        phrase.alike += [(each, like) for each in dims]
        if not dims:
            self.i = start
        return bool(dims)

    # Statements

    def state(self, found: Sequence[Phrase], head: Phrase | None = None) -> None:
        """Phrases without a verb: things that there are, and what they are told apart by."""
        heads = [head] if head else []
        for place, phrase in enumerate(found):
            if heads and phrase.quantity in ("all", "both") and not phrase.noun and not set(heads[-1].dims) & set(phrase.dims):
                self.tell_all(heads, phrase)
                continue
            if heads and self.depends(heads[-1], phrase):
                self.tell_part(heads[-1], phrase)
                continue
            if phrase.only and phrase.number is None and not phrase.definite and not phrase.bare:
                rest = [each for each in found[place:] if set(each.dims) == set(phrase.dims) and each.number is None]
                whole = Without(Everything(), Any(tuple(each.what for each in phrase.excepted)))
                self.claims.append(Share(Any(tuple(each.own for each in rest)), whole, "==", 1))
                phrase.only = False
            self.exists(phrase)
            heads.append(phrase)
            self.about(phrase)

    def depends(self, head: Phrase, phrase: Phrase) -> bool:
        """Whether a phrase speaks of a part of what the one before it names."""
        if phrase.number is not None and phrase.bare and head.number is None and phrase.noun in ("", *_GENERIC):
            return not head.bare  # "metal: 3"
        if set(head.dims) & set(phrase.dims) or head.quantity == "no" or phrase.quantity == "no" and not phrase.bare:
            return False
        if phrase.noun and phrase.noun not in ("one", "ones", "of") and "shape" not in phrase.dims:
            return False
        if head.noun == "" and "shape" not in head.dims:
            return False
        if phrase.number is not None and phrase.number > (head.number or (9 if head.plural else 1)):
            return False
        return "shape" not in phrase.dims or head.number is None or head.number > 1 or head.plural

    def tell_all(self, heads: list[Phrase], phrase: Phrase) -> None:
        """ "…, both small", "…, all of them red"."""
        whole = heads[-1].what
        if len(heads) > 1 and (heads[-1].number or 1) == 1 and not heads[-1].plural:
            whole = Any(tuple(each.what for each in (heads[-2:] if phrase.quantity == "both" else heads)))
        elif heads[-1].anchors and phrase.quantity == "both":
            whole = Any((whole, *heads[-1].anchors))
        if phrase.excepted:
            whole = Without(whole, Any(tuple(each.what for each in phrase.excepted)))
        if not phrase.bare:
            self.claims.append(Share(phrase.own, whole, "==", 1))
        self.claims += [Kinds(whole, each, "==", 1 if like else None) for each, like in phrase.alike]
        if phrase.quantity == "both":
            self.claims.append(Count(whole, "==", 2))

    def tell_part(self, head: Phrase, phrase: Phrase) -> None:
        if phrase.bare and phrase.number is not None and head.number is None:
            self.claims.append(Count(head.what, phrase.relation or "==", phrase.number))
            return
        if phrase.other:
            phrase.within = Others(head.what, self.part or head.what)
        else:
            phrase.within = head.what
        self.exists(phrase)
        self.part = phrase.what

    def exists(self, phrase: Phrase) -> None:
        """That there is what a phrase names, as many as it says."""
        if not (phrase.dims or phrase.noun or phrase.number is not None or phrase.within) and phrase.quantity != "no":
            return  # a place alone
        what = phrase.what
        claims: list[Claim] = []
        for each in phrase.excepted:
            if not each.bare:
                claims.append(Count(each.what, ">=", 1))
        rest = [each.number for each in phrase.excepted if each.bare and each.number]
        whole = phrase.within or self.topic or Everything()
        own = phrase.own
        if phrase.counted:
            number = 3 if phrase.number is None else int(phrase.number)
            self.claims.append(Kinds(phrase.within or Everything(), phrase.counted, phrase.relation or "==", number))
            return
        if phrase.bare and not phrase.noun and phrase.within is None:
            return
        if rest:
            claims.append(Count(Without(Everything(), own), "==", rest[0]))
        elif phrase.quantity == "no":
            claims.append(Count(what, "==", 0))
        elif phrase.other and not phrase.bare and phrase.within is not None:
            claims.append(Share(own, phrase.within, "==", 1))
        elif phrase.number is not None:
            if not phrase.ranks and not (phrase.bare and phrase.number == 1):
                claims.append(Count(what, phrase.relation or "==", phrase.number))
        elif phrase.quantity in _FRACTIONS and not phrase.bare:
            relation, fraction = _FRACTIONS[phrase.quantity]
            if phrase.quantity == "all" and (phrase.noun or "shape" in phrase.dims):
                whole = Everything()
            if phrase.excepted and not rest:
                whole = Without(whole, Any(tuple(each.what for each in phrase.excepted)))
            claims.append(Share(own, whole, relation, fraction))
        elif phrase.only and not phrase.bare and not phrase.definite:
            claims.append(Share(own, Everything(), "==", 1))
        elif phrase.only and not phrase.bare:
            claims.append(Count(what, "==", 1))
        elif not phrase.bare:
            claims.append(Count(what, ">=", 1))
        if phrase.alike:
            claims += [Kinds(what, each, "==", 1 if like else None) for each, like in phrase.alike]
        self.add(claims, phrase.denied)

    def add(self, claims: Sequence[Claim], denied: bool = False) -> None:
        if denied and claims:
            self.claims.append(Denied(tuple(claims)))
        else:
            self.claims += claims

    def predicate(self, subject: list[Phrase]) -> None:
        """What a sentence says of its subject, item by item."""
        self.before, group, told = self.topic, self.group, self.told
        self.about(*subject)
        self.group, self.told = group, told
        self.predicating = True
        items: list[tuple[bool, Phrase]] = []
        joints: set[str] = set()
        special = False
        while True:
            start = self.i
            joint = ""
            if items:
                while self.now.kind != ":" and (token := self.take(*_JOINTS, "or")):
                    joint = token.kind if token.kind != "," or not joint else joint
            denied = bool(self.take("not")) and self.now.kind not in ("quant",)
            while self.take("both", "be", "that", "of", "equal"):
                pass
            if items and (self.now.kind in ("order", "more", "ratio", "there") or self.refers_back()):
                self.i = start
                break
            if self.special(subject, denied):
                special = True
                continue
            phrase = self.phrase()
            if phrase is None:
                if items or special:
                    self.i = start
                break
            if items and self.starts_clause(subject, phrase):
                self.i = start
                break
            counted = phrase.number is not None and not phrase.ranks and items and items[0][1].number is None
            if (items or special) and (self.now.kind in ("be", "outnumber") or phrase.other or counted):
                self.i = start
                break
            joints.add(joint)
            items.append((denied, phrase))
        self.predicating = False
        if items:
            self.combine(subject, items, "or" in joints)
        elif not special:
            self.state(subject)

    def starts_clause(self, subject: list[Phrase], phrase: Phrase) -> bool:
        return False

    def special(self, subject: list[Phrase], denied: bool) -> bool:
        """Predicates that are no phrase: likeness, frequency."""
        whole = Any(tuple(each.what for each in subject))
        if self.now.kind == "same" and self.ahead().kind == "attr":
            self.i += 1
            return False
        if self.now.kind in ("same", "different"):
            probe = Phrase()
            if not self.likeness(probe):
                self.i += 1
                return True
            for each in subject:
                if probe.parts:
                    self.claims.append(Share(All(tuple(probe.parts)), each.what, "==", 1))
            for dimension, like in probe.alike:
                if len(subject) == 1:
                    if subject[0].quantity != "no":
                        self.count_subject(subject[0])
                    else:
                        like = not like
                self.claims.append(Kinds(whole, dimension, "==", 1 if like != denied else None))
            return True
        if self.now.kind in ("the", "a") and self.ahead().kind == "dim" and self.ahead(2).kind == "of":
            self.i += 3
            other = self.phrase()
            if other is not None:
                self.quantified(other, whole)
            return True
        if token := self.take("times"):
            self.claims.append(Count(whole, "==", float(token.value)))
            return True
        if token := self.take("commonest"):
            for dimension, values in subject[0].dims.items():
                self.claims.append(Commonest(dimension, values[0], int(token.value)))
            return True
        return False

    def count_subject(self, subject: Phrase) -> None:
        if subject.number is not None and not subject.ranks:
            self.claims.append(Count(subject.what, subject.relation or "==", subject.number))
        elif subject.quantity == "both":
            self.claims.append(Count(subject.what, "==", 2))

    def combine(self, subject: list[Phrase], items: list[tuple[bool, Phrase]], either: bool) -> None:
        """The claims of a subject with the items that are said of it."""
        named = [dimension for _, phrase in items for dimension in phrase.dims]
        common: list[Selection] = []
        parts: list[Phrase] = []
        union = Any(tuple(each.what for each in subject))
        for denied, phrase in items:
            subject[0].excepted += phrase.excepted
            phrase.excepted = []
            listed = not either and not denied and any(named.count(each) > 1 for each in phrase.dims)
            if phrase.number is not None and not phrase.ranks and not phrase.definite and not phrase.counted:
                listed = subject[0].number is None or subject[0].number > 1
            if listed and (phrase.number is not None or len(subject) == 1):
                parts.append(phrase)
                continue
            if phrase.counted:
                self.claims.append(Kinds(union, phrase.counted, phrase.relation or "==", int(phrase.number or 3)))
                continue
            if phrase.only and not phrase.bare:
                self.claims.append(Share(union, phrase.what, "==", 1))
            self.claims += [Kinds(union, each, "==", 1 if like else None) for each, like in phrase.alike]
            if not phrase.bare:
                no = denied or phrase.quantity == "no"
                common.append(Without(Everything(), phrase.own) if no else phrase.own)
        predicate: Selection = Any(tuple(common)) if either else All(tuple(common))
        for each in subject:
            if common:
                self.quantified(each, predicate, items[0][1].dims)
            else:
                self.exists(each)
        if len(subject) > 1:
            self.about(*subject)
        if parts:
            head = self.head or subject[0]
            if subject[0].only:
                self.claims.append(Share(Any(tuple(each.own for each in parts)), head.what, "==", 1))
            for phrase in parts:
                self.tell_part(head, phrase)

    def quantified(self, subject: Phrase, predicate: Selection, dims: dict[str, tuple[str, ...]] | None = None) -> None:
        bound = subject.bare and subject.within is not None and subject.within in (self.topic, self.before)
        if bound and self.group is not None and self.told & set(dims or ()):
            subject.within = self.group
        what = subject.what
        claims: list[Claim] = []
        rest = [each.number for each in subject.excepted if each.bare and each.number]
        if rest:
            claims.append(Count(Without(what, predicate), "==", rest[0]))
        elif subject.only and subject.definite:
            if not subject.plural or subject.number is not None:
                claims.append(Count(what, "==", subject.number or 1))
            claims.append(Share(predicate, what, "==", 1))
        elif subject.number is not None and not subject.definite and not subject.ranks:
            claims.append(Count(All((what, predicate)), subject.relation or "==", subject.number))
        elif subject.only:
            claims += [Share(what, predicate, "==", 1), Count(All((what, predicate)), ">=", 1)]
        elif subject.quantity == "no":
            claims.append(Count(All((what, predicate)), "==", 0))
        elif subject.quantity in _FRACTIONS:
            claims.append(Share(predicate, what, *_FRACTIONS[subject.quantity]))
            self.count_subject(subject)
        elif subject.indefinite or subject.quantity == "some" or subject.zoned:
            claims.append(Count(All((what, predicate)), ">=", 1))
        else:
            self.count_subject(subject)
            claims.append(Share(predicate, what, "==", 1))
        claims += [Count(each.what, ">=", 1) for each in subject.excepted if not each.bare]
        self.add(claims, subject.denied)
        if bound and subject.number == 1:
            self.about(Phrase(within=subject.within, dims=self.topic_dims, noun="one", plural=True))
            self.part, self.group = All((what, predicate)), subject.within
            return
        self.about(subject)
        self.part = All((what, predicate))
        if subject.indefinite or subject.number is not None and not subject.definite:
            about = Phrase(number=subject.number, plural=(subject.number or 1) > 1, noun="one", within=self.part)
            about.dims = {**subject.dims, **(dims or {})}
            part = self.part
            self.about(about)
            self.part, self.group, self.told = part, what, set(dims or ())

    # Amounts and orders

    def amounts(self) -> bool:
        """ "More cubes than balls", "twice as many cubes as balls"."""
        start = self.i
        number = self.take("num") if self.ahead().kind == "more" else None
        ratio = self.take("ratio")
        token = self.take("more", "asmany")
        if token is None and ratio is None:
            self.i = start
            return False
        one = self.phrase()
        link = self.take("than", "as", "and")
        self.take("there")
        other = self.phrase() if link else None
        others = [other.what] if other else []
        while others and self.now.kind == "and" and self.ahead().kind in ("attr", "the"):
            self.i += 1
            another = self.phrase()
            others += [another.what] if another else []
        if one is None or other is None:
            self.i = start
            return False
        if other.other:
            self.claims += [Commonest(dimension, values[0], 1) for dimension, values in one.dims.items()]
            self.about(one)
            return True
        relation = {"more": ">", "fewer": "<"}.get(token.value if token else "", "==")
        if number:
            more = float(number.value) * (1 if relation == ">" else -1)
            self.claims.append(Compare(one.what, "==", Any(tuple(others)), 1, more))
        else:
            self.claims.append(Compare(one.what, relation, Any(tuple(others)), float(ratio.value) if ratio else 1))
        return True

    def outnumber(self, found: list[Phrase]) -> None:
        other = self.phrase()
        if other is None:
            return
        self.claims.append(Compare(found[-1].what, ">", other.what))
        if self.now.kind == "by":
            self.i += 1
            if number := self.take("num"):
                self.claims.append(Compare(found[-1].what, "==", other.what, 1, float(number.value)))

    def ordered(self, order: Token) -> None:
        """ "From left to right: red, blue, green"."""
        self.take(":", ",", "be")
        self.in_order(order, self.listed())

    def in_order(self, order: Token, found: list[Phrase]) -> None:
        key, sign = order.value.split()
        sets = [each.what for each in found if not each.bare]
        if len(sets) > 1:
            self.claims.append(Order(key, 1 if sign == "+" else -1, tuple(sets), Everything()))


_GENERIC = ("objects", "object", "things", "items", "pieces")
_FRACTIONS = {"all": ("==", 1.0), "both": ("==", 1.0), "most": (">", 0.5), "half": ("==", 0.5), "few": ("<", 0.5)}


def _settled(tokens: Sequence[Token]) -> list[Token]:
    """ "One" is a number or, behind a description, the name of a thing."""
    found = [
        token
        for token, after in zip(tokens, [*tokens[1:], END], strict=False)
        if not (token.kind == "there" and token.text[:2] in ("i ", "yo", "we") and after.kind == "be")
        and not (token.kind in ("the", "a") and after.kind in ("be", "end", ",", "and", "the", "a", ":", "that", ";"))
    ]
    for i, token in enumerate(found):
        if token.kind != "num" or token.text != "one":
            continue
        before = found[i - 1] if i else END
        after = found[i + 1] if i + 1 < len(found) else END
        if before.kind in ("attr", "sup", "nth", "other", "the", "place") and after.kind not in ("attr", "noun", "of"):
            found[i] = Token("one", "", "one", token.start, token.gap)
    return found
