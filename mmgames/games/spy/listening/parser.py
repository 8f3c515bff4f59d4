"""One parser of clues: phrases are combined into claims.

A sentence is a list of phrases, or phrases, a verb and more phrases. What stands in no such place is passed over, and a
sentence that leaves too much of what was understood unused makes no claim.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mmgames.games.spy.listening.claims import (
    AllOf,
    Claim,
    Commonest,
    Compare,
    Count,
    Everything,
    Kinds,
    OneOf,
    Order,
    Selection,
    Share,
    Without,
)  # fmt: skip
from mmgames.games.spy.listening.lexicon import Scanner, Token
from mmgames.games.spy.listening.phrases import END, JOINTS, Dims, Phrase, PhraseReader

Items = list[tuple[bool, Phrase]]
"""What is said of a subject, each with whether it is denied."""
_IDLE = (*JOINTS, "be", "of", "the", "a", "with", "that", "pron", ";", "dim", "there")
_SINGULAR = ("is", "was", "has", "looks", "seems")
_FRACTIONS = {"all": ("==", 1.0), "both": ("==", 1.0), "most": (">", 0.5), "half": ("==", 0.5), "few": ("<", 0.5)}


class Parser(PhraseReader):
    """Reads the sentences of one clue, one after the other, into claims."""

    VERBS: tuple[str, ...] = ("same", "different", "commonest", "equal", "both")

    def read(self, scanner: Scanner, said: Iterable[str]) -> tuple[Claim, ...]:
        """The claims that sentences make."""
        for sentence in said:
            self.sentence(scanner.tokens(sentence))
        return tuple(self.claims)

    def sentence(self, tokens: Sequence[Token]) -> None:
        """Add what one sentence claims."""
        self.tokens, self.i, self.unused = settled(tokens), 0, 0
        before = len(self.claims)
        self.head: Phrase | None = None  # what a list behind a comma or colon may tell the parts of
        while self.now is not END:
            start = self.i
            self.clause()
            if self.i == start:
                self.unused += self.now.kind not in _IDLE
                self.i += 1
        if self.unused > 1:
            del self.claims[before:]

    def clause(self) -> None:
        while token := self.take(*JOINTS, ";", "with", "that", "or", "there"):
            if token.kind in ("there", ";"):
                self.head = None
        if self.take("except"):
            self.excluded = self.exceptions()
            return
        if self.take("of"):  # "of the two cubes, …"
            if not self.take("that", "pron") and (whole := self.phrase()):
                self.count(whole)
                self.about(whole)
            return
        order = self.take("order")
        if order is None and self.amounts():
            return
        self.skip(*((":", ",", "be") if order else ()))
        lead = self.leading_places()
        found = self.listed()
        if lead:
            found = found or [self.new()]
            found[0].parts += lead
        if (
            (order
            and ((self.now.kind != "be" and len(found) > 1) or order.value.startswith("value")))
            or (found
            and (order := self.take("order")))
        ):
            self.in_order(order, found)
        elif found:
            self.statement(found)

    def statement(self, found: list[Phrase]) -> None:
        head, self.head = self.head, None
        if self.kind_at(self.past(self.i, ",", ")")) == "be":
            self.i = self.past(self.i, ",", ")")
        if self.take("outnumber"):
            self.outnumber(found[-1])
        elif self.now.kind == ":" and len(found) == 1 and found[0].ranks and not found[0].dims:
            self.i += 1
            self.predicate(found)
        elif (verb := self.take("be", "=")) or self.now.kind in self.VERBS:
            subject = self.subject(found, bool(verb) and verb.text in _SINGULAR)
            for each in subject:
                if (
                    head
                    and each.definite
                    and each.within is None
                    and (head.number or 0) > 1
                    and self.depends(head, each)
                ):
                    each.within = head.what  # "of the two balls, the red one …"
            self.predicate(subject)
        else:
            self.state(found, head)

    def subject(self, found: list[Phrase], singular: bool) -> list[Phrase]:
        """Those of the phrases before a verb that it speaks of; what others say is claimed."""
        first, rest = found[0], found[1:]
        if rest and first.quantity == "both" and not (first.plural or first.noun):
            first.quantity = ""
            return found
        if rest and first.plural and not singular and all(self.depends(first, each) for each in rest):
            self.state(rest, first)
            return [first]
        if rest and found[-1].indefinite and singular and (found[-2].definite or found[-2].ranks):
            self.state(found[:-2])
            self.say(found[-2], found[-1].what)
            return [found[-2]]
        counted = max((place + 1 for place, each in enumerate(found) if each.counted), default=0)
        subject = found[-1:] if singular else found[counted:] or found
        self.state(found[: len(found) - len(subject)])
        return subject

    def about(self, *phrases: Phrase) -> None:
        """Keep what is spoken of, for "it", "both", "one of them"."""
        if len(phrases) > 1:
            self.topic = self.new()
            self.topic.within = OneOf(tuple(each.what for each in phrases))
        else:
            self.topic = phrases[0]
        self.part = self.group = None
        self.head = phrases[0] if len(phrases) == 1 else None

    def refers_back(self) -> bool:
        """Whether what comes next speaks of what was just said: "they", "one of them", "two are"."""
        steps = 0
        while self.ahead(steps).kind in ("num", "quant", "only", "op", "both"):
            steps += 1
        after = self.ahead(steps).kind
        if steps and after == "of":
            return self.ahead(steps + 1).kind in ("pron", "that")
        return after == "pron" or (steps > 0 and after == "be")

    def leading_places(self) -> list[Selection]:
        """A place that is named ahead of what is there: "on the left there is"."""
        start, lead = self.i, self.new()
        while self.now.kind in ("place", "rel", "relit"):
            self.core(lead, once=True)
            self.skip(",", ":", "be", "there")
        if self.now is END or (self.tokens[self.i - 1].kind == "be" and self.now.kind in ("attr", "not")):
            self.i = start
            return []
        return lead.parts

    def listed(self) -> list[Phrase]:
        """Phrases side by side."""
        found: list[Phrase] = []
        while True:
            start = self.i
            if len(found) == 1 and self.now.kind == ":":
                found[0].noun = found[0].noun or "of"
            if found:
                self.skip(*JOINTS)
            phrase = None if found and self.refers_back() else self.phrase()
            if phrase is None:
                self.i = start
                return found
            found.append(phrase)

    # Phrases without a verb

    def state(self, found: Sequence[Phrase], head: Phrase | None = None) -> None:
        """Things that there are, and what they are told apart by."""
        heads = [head] if head else []
        for place, phrase in enumerate(found):
            if (
                heads
                and phrase.quantity in ("all", "both")
                and not phrase.noun
                and not heads[-1].dims.keys() & phrase.dims.keys()
            ):
                self.tell_all(heads, phrase)
            elif heads and self.depends(heads[-1], phrase):
                self.tell_part(heads[-1], phrase)
            else:
                if phrase.only and phrase.number is None and not phrase.definite:
                    rest = [
                        each for each in found[place:] if each.dims.keys() == phrase.dims.keys() and each.number is None
                    ]
                    whole = Without(Everything(), OneOf(tuple(each.what for each in phrase.excepted)))
                    self.claims.append(Share(OneOf(tuple(each.own for each in rest)), whole, "==", 1))
                    phrase.only = False
                self.say(phrase)
                heads.append(phrase)

    def depends(self, head: Phrase, phrase: Phrase) -> bool:
        """Whether a phrase speaks of a part of what the one before it names."""
        if phrase.number is not None and phrase.bare and head.number is None and not phrase.noun:
            return not head.bare  # "metal: 3"
        if head.dims.keys() & phrase.dims.keys() or "no" in (head.quantity, phrase.quantity):
            return False
        if phrase.noun not in ("", "one", "ones", "of") and "shape" not in phrase.dims:
            return False
        if not head.noun and "shape" not in head.dims:
            return False
        if phrase.number is not None and phrase.number > (head.number or (9 if head.plural else 1)):
            return False
        return "shape" not in phrase.dims or head.number is None or head.number > 1 or head.plural

    def tell_all(self, heads: list[Phrase], phrase: Phrase) -> None:
        """ "…, both small", "…, all of them red"."""
        whole = heads[-1].what
        if len(heads) > 1 and (heads[-1].number or 1) == 1 and not heads[-1].plural:
            whole = OneOf(tuple(each.what for each in (heads[-2:] if phrase.quantity == "both" else heads)))
        elif heads[-1].anchors and phrase.quantity == "both":
            whole = OneOf((whole, *heads[-1].anchors))
        both = self.new()
        both.within, both.excepted, both.quantity = whole, phrase.excepted, phrase.quantity
        self.like(both.what, phrase)
        if not phrase.bare:
            self.say(both, phrase.own)

    def tell_part(self, head: Phrase, phrase: Phrase) -> None:
        if phrase.bare and phrase.number is not None and head.number is None:
            self.claims.append(Count(head.what, phrase.relation or "==", phrase.number))
            return
        phrase.within = Without(head.what, self.part or head.what, True) if phrase.other else head.what
        self.say(phrase)
        self.about(head)
        self.part = phrase.what

    # Subjects and predicates

    def predicate(self, subject: list[Phrase]) -> None:
        """What a sentence says of its subject, item by item."""
        group = self.group
        before = self.topic
        self.about(*subject)
        self.group, self.predicating = group, True
        items: Items = []
        joints: set[str] = set()
        special = False
        while True:
            start, joint = self.i, ""
            while (items or special) and self.now.kind != ":" and (token := self.take(*JOINTS, "or")):
                joint = token.kind if token.kind != "," or not joint else joint
            denied = bool(self.take("not"))
            self.skip("both", "be", "that", "of", "equal")
            if items and (self.now.kind in ("order", "more", "ratio", "there") or self.refers_back()):
                self.i = start
                break
            if items and self.now.kind in ("same", "different"):
                self.combine(subject, items, False)
                subject, items = [self.topic or subject[0]], []
            if self.special(subject, denied):
                special = True
                continue
            phrase = self.phrase()
            if phrase is None or (items and self.starts_clause(subject, items, phrase)):
                self.i = start if items or special else self.i
                break
            joints.add(joint)
            items.append((denied, phrase))
        self.predicating = False
        if items:
            self.combine(subject, items, "or" in joints)
        elif not special:
            self.topic = before
            self.state(subject)

    def starts_clause(self, subject: list[Phrase], items: Items, phrase: Phrase) -> bool:
        """Whether a phrase behind a comma or "and" is no longer said of the subject."""
        counted = phrase.number is not None and not phrase.ranks and items[0][1].number is None
        return self.now.kind in ("be", "outnumber") or phrase.other or counted

    def special(self, subject: list[Phrase], denied: bool) -> bool:
        """Predicates that are no phrase: likeness, frequency."""
        whole = OneOf(tuple(each.what for each in subject))
        if self.now.kind == "same" and self.ahead().kind == "attr":
            self.i += 1
            return False
        if self.now.kind in ("same", "different"):
            found = self.new()
            if not self.likeness(found):
                self.i += 1
                return True
            if self.now.kind == "attr":
                return False  # "share the colour red"
            no = subject[0].quantity == "no"
            if not no and len(subject) == 1:
                self.count(subject[0])
            if found.parts:
                for each in subject:
                    self.say(each, AllOf(tuple(found.parts)))
            found.alike = [(dimension, like != (denied or no)) for dimension, like in found.alike]
            self.like(whole, found)
            return True
        if self.now.kind == "the" and self.ahead().kind == "dim" and self.ahead(2).kind == "of":
            self.i += 3  # "red is the colour of two cubes"
            other = self.phrase()
            if other is not None:
                self.say(other, whole)
            return True
        number = self.take("num") if self.ahead().kind == "more" else None
        ratio, token = self.take("ratio"), self.take("more", "asmany")
        if ratio or token:  # "white has more discs than black"
            own = self.phrase()
            one = AllOf((whole, own.what)) if own and own.named else whole
            other = self.phrase() if self.take("than", "as") else None
            if other is None:
                self.unused += 2
            else:
                self.compare(one, token, number, ratio, other.what)
            return True
        self.take("op" if self.ahead().kind == "times" else "")
        if token := self.take("times"):
            self.claims += [Count(each.what, "==", float(token.value)) for each in subject]
            return True
        if token := self.take("commonest"):
            self.claims += [
                Commonest(dimension, values[0], int(token.value)) for dimension, values in subject[0].dims.items()
            ]
            return True
        return False

    def combine(self, subject: list[Phrase], items: Items, either: bool) -> None:
        """The claims of a subject with the items that are said of it."""
        named = [dimension for _, phrase in items for dimension in phrase.dims]
        union = OneOf(tuple(each.what for each in subject))
        common: list[Selection] = []
        parts: list[Phrase] = []
        for denied, phrase in items:
            subject[0].excepted += phrase.excepted
            phrase.excepted = []
            self.like(union, phrase)
            listed = not either and not denied and any(named.count(each) > 1 for each in phrase.dims)
            if phrase.number is not None and not (phrase.ranks or phrase.definite or phrase.counted):
                listed = subject[0].number != 1
            if listed and (phrase.number is not None or len(subject) == 1):
                parts.append(phrase)
            elif phrase.bare and phrase.quantity == "no":
                subject[0].quantity = "no"  # "cubes are absent"
            elif not phrase.bare:
                if phrase.only or phrase.sole:
                    self.claims.append(Share(union, phrase.what, "==", 1))
                no = denied or phrase.quantity == "no"
                if phrase.ranks:
                    phrase.within = subject[0].within  # "of the two cubes, the red one is nearer"
                own = phrase.what if phrase.ranks else phrase.own
                common.append(Without(Everything(), own) if no else own)
        predicate: Selection | None = None
        if common:
            predicate = OneOf(tuple(common)) if either else AllOf(tuple(common))
        for each in subject:
            self.say(each, predicate, items[0][1].dims if common else None)
        if len(subject) > 1:
            self.about(*subject)
        if parts:
            head = self.head or subject[0]
            if subject[0].sole:
                self.claims.append(Share(OneOf(tuple(each.own for each in parts)), head.what, "==", 1))
            for phrase in parts:
                self.tell_part(head, phrase)

    def like(self, whole: Selection, phrase: Phrase) -> None:
        """What a phrase says of kinds: "of the same colour", "three colours"."""
        self.claims += [Kinds(whole, each, "==", 1 if like else None) for each, like in phrase.alike]
        if phrase.counted:
            self.claims.append(Kinds(whole, phrase.counted, phrase.relation or "==", int(phrase.number or 3)))

    def count(self, phrase: Phrase) -> None:
        if phrase.number is not None and not phrase.ranks:
            self.claims.append(Count(phrase.what, phrase.relation or "==", phrase.number))
        elif phrase.quantity == "both":
            self.claims.append(Count(phrase.what, "==", 2))

    def say(self, subject: Phrase, predicate: Selection | None = None, told: Dims | None = None) -> None:
        """That as much of what a phrase names as it says is so, or, without a predicate, is there."""
        bound = (
            predicate is not None
            and subject.bare
            and subject.within is not None
            and subject.noun != "of"
            and not subject.other
        )
        if bound and self.group is not None and told and self.told & told.keys():
            subject.within = self.group  # "three are red and one is blue"
        what = subject.what
        both = what if predicate is None else AllOf((what, predicate))
        exact = subject.number is not None and not subject.ranks
        self.claims += self.claims_of(subject, what, predicate, both, exact)
        self.claims += [Count(each.what, ">=", 1) for each in subject.excepted if not each.bare]
        if predicate is None:
            self.like(subject.within or Everything() if subject.counted else what, subject)
        if bound and subject.number == 1 and subject.noun not in ("it", "its"):
            whole, self.part = subject.within, both
            self.topic = self.new()
            self.topic.within, self.topic.noun, self.topic.plural, self.group = whole, "one", True, whole
            return
        self.about(subject)
        if predicate is not None:
            self.part = both
            if subject.indefinite or (exact and not subject.definite):
                topic = self.new()
                topic.number, topic.plural, topic.noun, topic.within = (
                    subject.number,
                    (subject.number or 1) > 1,
                    "one",
                    both,
                )
                topic.dims = {**subject.dims, **(told or {})}
                self.about(topic)
                self.part, self.group, self.told = both, what, set(told or ())

    told: set[str] = set()

    def claims_of(
        self, subject: Phrase, what: Selection, predicate: Selection | None, both: Selection, exact: bool
    ) -> list[Claim]:
        counted = (
            [Count(what, subject.relation or "==", subject.number or 2)] if exact or subject.quantity == "both" else []
        )
        left = [each.number for each in subject.excepted if each.bare and each.number]
        own, whole = (predicate, what) if predicate else (subject.own, subject.within or self.spoken_of)
        if predicate is None and (
            (subject.bare
            and not subject.noun)
            or subject.counted
            or not (subject.named or subject.within or exact or subject.quantity)
        ):
            return []
        if predicate is None and (subject.noun or "shape" in subject.dims) and subject.within is None:
            whole = Everything()
        if left:
            return [Count(Without(whole, own), "==", left[0])]
        if subject.quantity == "no":
            return [Count(both, "==", 0)]
        if predicate is None and subject.other:
            return [] if subject.bare else [Share(own, whole, "==", 1)]
        if exact and not (subject.definite and predicate) and not subject.only | (subject.quantity in _FRACTIONS):
            return (
                []
                if subject.bare and predicate is None and subject.number == 1
                else [Count(both, subject.relation or "==", subject.number or 0)]
            )
        if subject.quantity in _FRACTIONS:
            if predicate is None and subject.bare:
                return []
            if subject.excepted and predicate is None:
                whole = Without(whole, OneOf(tuple(each.what for each in subject.excepted)))
            return [Share(own, whole, *_FRACTIONS[subject.quantity]), *(counted if predicate else [])]
        if subject.sole and predicate is None:
            return counted or [Count(what, "==", 1)]
        if subject.only and predicate is None and not exact:
            return [Share(own, Everything(), "==", 1)]
        if subject.sole:
            single = [] if subject.plural or exact else [Count(what, "==", 1)]
            return [*single, *counted, Share(own, what, "==", 1)]
        if subject.only and not exact:
            return [Share(what, own, "==", 1), Count(both, ">=", 1)]
        if exact and subject.only:
            return [Count(both, "==", subject.number or 0)]
        if predicate is None or subject.indefinite or subject.quantity == "some" or subject.zoned:
            return [] if subject.bare else [Count(both, ">=", 1)]
        return [*counted, Share(own, what, "==", 1)]

    # Amounts and orders

    def amounts(self) -> bool:
        """ "More cubes than balls", "twice as many cubes as balls"."""
        start = self.i
        number = self.take("num") if self.ahead().kind == "more" else None
        ratio, token = self.take("ratio"), self.take("more", "asmany")
        one = self.phrase() if token or ratio else None
        self.skip("there")
        other = self.phrase() if one is not None and self.take("than", "as", "and") and not self.skip("there") else None
        if one is None or other is None:
            self.i = start
            return False
        if other.other:
            self.claims += [Commonest(dimension, values[0], 1) for dimension, values in one.dims.items()]
            self.about(one)
            return True
        others = [other.what]
        while self.now.kind == "and" and self.ahead().kind in ("attr", "the") and self.take("and"):
            another = self.phrase()
            others += [another.what] if another else []
        self.compare(one.what, token, number, ratio, OneOf(tuple(others)))
        return True

    def compare(
        self, one: Selection, token: Token | None, number: Token | None, ratio: Token | None, other: Selection
    ) -> None:
        """That there is more, as much, so much more or so many times as much of one thing as of another."""
        relation = {"more": ">", "fewer": "<"}.get(token.value, token.value or "==") if token else "=="
        more = float(number.value) * (1 if relation == ">" else -1) if number else 0
        factor = float(ratio.value) if ratio else 1
        self.claims.append(Compare(one, "==" if number else relation, other, factor, more))

    def outnumber(self, one: Phrase) -> None:
        if other := self.phrase():
            number = self.take("num") if self.take("by") else None
            self.claims.append(
                Compare(one.what, "==" if number else ">", other.what, 1, float(number.value) if number else 0)
            )

    def in_order(self, order: Token, found: list[Phrase]) -> None:
        key, sign = order.value.split()
        sets = tuple(each.what for each in found if not each.bare)
        if len(sets) > 1:
            self.claims.append(Order(key, 1 if sign == "+" else -1, sets, Everything()))


def settled(tokens: Sequence[Token]) -> list[Token]:
    """Tokens without articles whose noun is not known; "one" is a number or, behind a description, a noun."""
    found: list[Token] = []
    for token, after in zip(tokens, [*tokens[1:], END], strict=False):
        before = found[-1].kind if found else ""
        if token.kind == "by" and after.kind not in ("num", "only"):
            continue
        if token.kind == "there" and token.text[:2] in ("i ", "yo", "we") and after.kind == "be":
            continue
        if token.kind in ("the", "a") and after.kind in ("be", "end", ",", "and", "the", "a", ":", "that", ";"):
            continue
        if token.text == "one" and before in ("attr", "sup", "nth", "other", "the", "place"):
            if after.kind not in ("attr", "noun", "of"):
                token = token._replace(kind="one")
        found.append(token)
    return found
