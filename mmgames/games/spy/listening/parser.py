"""One parser of clues: phrases are combined into claims, alone or with what is said of them.

A sentence is a list of phrases, or phrases, a verb and more phrases. What stands in no such place is passed over, and a
sentence that leaves too much of what was understood unused makes no claim.
"""

from collections.abc import Sequence

from mmgames.games.spy.listening import claims as c
from mmgames.games.spy.listening.claims import Claim, Selection
from mmgames.games.spy.listening.lexicon import Token
from mmgames.games.spy.listening.phrases import END, JOINTS, Dims, Phrase, PhraseReader, union

Items = list[tuple[bool, Phrase]]
"""What is said of a subject, each with whether it is denied."""
_IDLE = (*JOINTS, "be", "of", "the", "a", "with", "that", "pron", ";", "dim", "there")
FRACTIONS = {"all": ("==", 1.0), "both": ("==", 1.0), "most": (">", 0.5), "half": ("==", 0.5), "few": ("<", 0.5)}
_SINGULAR = ("is", "was", "has", "looks", "seems", "being")


class Parser(PhraseReader):
    """Reads the sentences of one clue, one after the other, into claims."""

    VERBS: tuple[str, ...] = ("same", "different", "commonest", "equal", "both")

    BREAKS: tuple[str, ...] = ("order", "more", "ratio", "there", "different")
    """What begins a statement of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.head: Phrase | None = None  # what a list behind a comma or colon may tell the parts of
        self.told: set[str] = set()  # the dimensions in which a part was told apart

    def sentence(self, tokens: Sequence[Token]) -> None:
        """Add what one sentence claims."""
        self.tokens, self.i, self.unused, self.head = settled(tokens), 0, 0, None
        before = len(self.claims)
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
        order = order or (self.take("order") if found else None)
        if order:
            self.in_order(order, found)
        elif found:
            self.statement(found)

    def statement(self, found: list[Phrase]) -> None:
        head, self.head = self.head, None
        if self.kind_at(self.past(self.i, ",", ")")) == "be":
            self.i = self.past(self.i, ",", ")")
        if self.take("outnumber"):
            self.outnumber(found[-1])
        elif (verb := self.take("be", "=")) or self.now.kind in self.VERBS:
            subject = self.subject(found, bool(verb and verb.text in _SINGULAR))
            for each in subject if head and (head.number or 0) > 1 else ():
                if head and each.definite and each.within is None and self.depends(head, each):
                    each.within = head.what  # "of the two balls, the red one …"
            self.predicate(subject)
        else:
            self.state(found, head)

    def subject(self, found: list[Phrase], singular: bool) -> list[Phrase]:
        """Those of the phrases before a verb that it speaks of; what others say is claimed."""
        first, rest = found[0], found[1:]
        if rest and first.plural and not singular and all(self.depends(first, each) for each in rest):
            self.state(rest, first)
            return [first]
        if rest and found[-1].indefinite and singular and (found[-2].definite or found[-2].ranks):
            self.say(found[-2], found[-1].what)  # "the leftmost thing, a cube, is"
            return [found[-2]]
        first.quantity = "" if rest and first.quantity == "both" else first.quantity
        kept = 1 if singular or first.counted else len(found)
        self.state(found[:-kept])
        return found[-kept:]

    def refers_back(self) -> bool:
        """Whether what comes next speaks of what was just said: "they", "one of them", "two are"."""
        place = self.past(self.i, "num", "quant", "only", "op", "both")
        if place > self.i and self.kind_at(place) == "of":
            return self.kind_at(place + 1) in ("pron", "that")
        return self.kind_at(place) == "pron" or (place > self.i and self.kind_at(place) == "be")

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
            self.skip(*(JOINTS if found else ()))
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
            if heads and self.depends(heads[-1], phrase):
                self.tell_part(heads[-1], phrase)
            else:
                if phrase.only and not phrase.exact and not phrase.bare:  # "only cubes and balls"
                    rest = [each for each in found[place:] if each.dims.keys() == phrase.dims.keys() and not each.exact]
                    whole = c.Without(c.Everything(), union(phrase.excepted))
                    self.claims.append(c.Share(c.OneOf(tuple(each.own for each in rest)), whole, "==", 1))
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
        return "shape" not in phrase.dims or head.number is None or head.number > 1 or head.plural

    def tell_part(self, head: Phrase, phrase: Phrase) -> None:
        if phrase.bare and phrase.number is not None and head.number is None:
            self.claims.append(c.Count(head.what, phrase.relation or "==", phrase.number))
            return
        phrase.within = c.Without(head.what, self.part or head.what, True) if phrase.other else head.what
        self.say(phrase)
        self.about(head)
        self.part = phrase.what

    # Subjects and predicates

    def predicate(self, subject: list[Phrase]) -> None:
        """What a sentence says of its subject, item by item."""
        group, before = self.group, self.topic
        self.about(*subject)
        self.group, self.predicating = group, True
        items: Items = []
        either = special = False
        while True:
            start = self.i
            while (items or special) and self.now.kind != ":" and (token := self.take(*JOINTS, "or")):
                either |= token.kind == "or"
            denied = bool(self.take("not"))
            self.skip("both", "be", "that", "of", "equal")
            if items and (self.now.kind in self.BREAKS or self.refers_back()):
                self.i = start
                break
            if self.special(subject, denied):
                special = True
                continue
            phrase = self.phrase()
            if phrase is None or (items and self.starts_clause(subject, items, phrase)):
                self.i = start if items or special else self.i
                break
            items.append((denied, phrase))
        self.predicating = False
        if items:
            self.combine(subject, items, either)
        elif not special:
            self.topic = before
            self.state(subject)

    def starts_clause(self, subject: list[Phrase], items: Items, phrase: Phrase) -> bool:
        """Whether a phrase behind a comma or "and" is no longer said of the subject."""
        counted = phrase.exact and items[0][1].number is None
        return self.now.kind in ("be", "outnumber") or phrase.other or counted

    def special(self, subject: list[Phrase], denied: bool) -> bool:
        """Predicates that are no phrase: likeness, frequency, amounts."""
        whole = union(subject)
        if way := self.take("same", "different"):
            found, no, start = self.new(), subject[0].quantity == "no", self.i
            if not self.likeness(found, way.kind):
                self.i = start
                return self.now.kind != "attr"  # "share the same red look"
            if self.now.kind == "attr":
                return False  # "share the colour red"
            for each in subject if found.parts else ():
                self.say(each, c.AllOf(tuple(found.parts)))
            found.alike = [(dimension, like != (denied or no)) for dimension, like in found.alike]
            self.like(whole, found)
            return True
        self.take("op" if self.ahead().kind == "times" else "")
        if token := self.take("times"):
            self.claims += [c.Count(each.what, "==", float(token.value)) for each in subject]
        elif token := self.take("commonest"):
            self.claims += [c.Commonest(each, values[0], int(token.value)) for each, values in subject[0].dims.items()]
        return token is not None

    def combine(self, subject: list[Phrase], items: Items, either: bool) -> None:
        """The claims of a subject with the items that are said of it."""
        named = [dimension for _, phrase in items for dimension in phrase.dims]
        common: list[Selection] = []
        parts: list[Phrase] = []
        for denied, phrase in items:
            subject[0].excepted += phrase.excepted
            phrase.excepted = []
            self.like(union(subject), phrase)
            listed = not either and not denied and any(named.count(each) > 1 for each in phrase.dims)
            if phrase.exact and not (phrase.definite or phrase.counted):
                listed = subject[0].number != 1
            if listed and (phrase.number is not None or len(subject) == 1):
                parts.append(phrase)
            elif phrase.bare and phrase.quantity == "no":
                subject[0].quantity = "no"  # "cubes are absent"
            elif not phrase.bare:
                if phrase.only or phrase.sole:
                    self.claims.append(c.Share(union(subject), phrase.what, "==", 1))
                phrase.within = subject[0].within if phrase.ranks else None  # "of the two, the red one is nearer"
                no = denied or phrase.quantity == "no"
                common.append(c.Without(c.Everything(), phrase.what) if no else phrase.what)
        predicate = (c.OneOf if either else c.AllOf)(tuple(common)) if common else None
        for each in subject:
            self.say(each, predicate, items[0][1].dims if common else None)
        head = self.head or subject[0]
        if len(subject) > 1:
            self.about(*subject)
        for phrase in parts:
            self.tell_part(head, phrase)

    # What is claimed

    def about(self, *phrases: Phrase) -> None:
        """Keep what is spoken of, for "it", "both", "one of them"."""
        self.head = phrases[0] if len(phrases) == 1 else None
        self.topic = self.head or self.new()
        if self.head is None:
            self.topic.within = union(phrases)
        self.part = self.group = None

    def like(self, whole: Selection, phrase: Phrase) -> None:
        """What a phrase says of kinds: "of the same colour", "three colours"."""
        self.claims += [c.Kinds(whole, each, "==", 1 if like else None) for each, like in phrase.alike]
        if phrase.counted:
            self.claims.append(c.Kinds(whole, phrase.counted, phrase.relation or "==", int(phrase.number or 3)))

    def say(self, subject: Phrase, predicate: Selection | None = None, told: Dims | None = None) -> None:
        """That as much of what a phrase names as it says is so, or, without a predicate, is there."""
        apart = subject.bare and subject.within and subject.noun != "of" and not subject.other
        if apart and self.group is not None and told and self.told & told.keys():
            subject.within = self.group  # "three are red and one is blue"
        what = subject.what
        self.claims += self.claimed(subject, predicate)
        if predicate is None:
            self.like(subject.within or c.Everything() if subject.counted else what, subject)
        self.about(subject)
        self.part = c.AllOf((what, predicate)) if predicate else None
        if predicate and (subject.indefinite or (subject.exact and not subject.definite)):
            self.about(Phrase(subject.number, plural=(subject.number or 1) > 1, noun="one", within=self.part))
            self.topic.dims = {**subject.dims, **(told or {})}  # type: ignore[union-attr]
            self.part, self.group, self.told = c.AllOf((what, predicate)), what, set(told or ())

    def claimed(self, subject: Phrase, own: Selection | None) -> list[Claim]:
        """The claims of "two cubes", "no cube is red", "only the ball is red"."""
        what, fraction = subject.what, FRACTIONS.get(subject.quantity)
        both = c.AllOf((what, own)) if own else what
        number: list[Claim] = []
        if subject.exact or subject.quantity == "both":
            number = [c.Count(what, subject.relation or "==", subject.number if subject.exact else 2)]
        elif subject.sole and not subject.plural:
            number = [c.Count(what, "==", 1)]
        if own is None:
            things = subject.noun and subject.exact and subject.number != 1 and subject.quantity != "no"
            placed = not (subject.named or subject.within or subject.exact or subject.quantity)
            if subject.counted or placed or (subject.bare and not things):
                return []
            if subject.left or subject.other or fraction:  # "all small"
                named = subject.noun or "shape" in subject.dims
                own, number = subject.own, []
                what = subject.within or (c.Everything() if named else self.spoken_of)
                what = c.Without(what, union(each for each in subject.excepted if not each.bare))
        if own and subject.left:
            return [c.Count(c.Without(what, own), "==", subject.left)]
        if subject.quantity == "no":
            return [c.Count(both, "==", 0)]
        if own is None:
            return number or [c.Count(what, ">=", 1)]
        if subject.exact and not subject.definite and not fraction:
            return [c.Count(both, subject.relation or "==", subject.number)]
        if subject.only:
            whole = own if subject.within is None else c.AllOf((own, subject.within))
            return [c.Share(what, whole, "==", 1), c.Count(both, ">=", 1)]
        if not fraction and (subject.indefinite or subject.quantity == "some" or subject.zoned):
            return [c.Count(both, ">=", 1)]
        return [c.Share(own, what, *(fraction or ("==", 1))), *number]

    # Amounts and orders

    def amounts(self) -> bool:
        """ "More cubes than balls", "twice as many cubes as balls"."""
        start = self.i
        number = self.take("num") if self.ahead().kind in ("more", "cmp") else None
        ratio, token = self.take("ratio"), self.take("more", "asmany", "cmp", "tie")
        one = self.phrase() if token or ratio else None
        while one and self.take("there", "unit", "be"):
            self.core(one)  # "more tea is sold in winter than"
        linked = self.take("than", "as", "and") if one else None
        self.skip("there", "that", "of", "pron", "noun", "unit", "be")
        other = self.phrase() if linked else None
        if one is None or other is None or not self.comparable(one, other):
            self.i = start
            return False
        relation = {"more": ">", "fewer": "<"}.get(token.value, token.value or "==") if token else "=="
        more = float(number.value) * (1 if relation == ">" else -1) if number else 0
        factor = float(ratio.value) if ratio else 1
        self.claims.append(c.Compare(one.what, "==" if number else relation, other.what, factor, more))
        return True

    def comparable(self, one: Phrase, other: Phrase) -> bool:
        """Whether there is more of one thing than of another; a kind of picture may complete what they are."""
        return True

    def outnumber(self, one: Phrase) -> None:
        if other := self.phrase():
            number = self.take("num") if self.take("by") else None
            more = float(number.value) if number else 0
            self.claims.append(c.Compare(one.what, "==" if number else ">", other.what, 1, more))

    def in_order(self, order: Token, found: list[Phrase]) -> None:
        key, sign = order.value.split()
        found = self.listed() if self.take("be", ":") else found
        sets = tuple(each.what for each in found if not each.bare)
        if len(sets) > 1:
            self.claims.append(c.Order(key, 1 if sign == "+" else -1, sets, c.Everything()))


def settled(tokens: Sequence[Token]) -> list[Token]:
    """Tokens without articles whose noun is not known; "one" is a number or, behind a description, a noun."""
    found: list[Token] = []
    for token, after in zip(tokens, [*tokens[1:], END], strict=False):
        before = found[-1].kind if found else ""
        idle = token.kind == "by" and after.kind not in ("num", "only")
        idle |= token.kind == "there" and token.text[:2] in ("i ", "yo", "we") and after.kind == "be"
        idle |= token.kind in ("the", "a") and after.kind in ("be", "end", ",", "and", "the", "a", ":", "that", ";")
        if token.kind == "num" and token.text == "one" and before in ("attr", "sup", "nth", "other", "the", "place"):
            noun = before in ("sup", "nth") or after.kind not in ("attr", "noun", "of")
            token = token._replace(kind="one" if noun else "num")
        found += [] if idle else [token]
    return found
