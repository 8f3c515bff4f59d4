"""What a phrase claims, alone or of what is said of it, and what is spoken of afterwards."""

from __future__ import annotations

from mmgames.games.spy.listening.claims import (
    AllOf,
    Claim,
    Compare,
    Count,
    Everything,
    Kinds,
    Selection,
    Share,
    Without,
)
from mmgames.games.spy.listening.lexicon import Token
from mmgames.games.spy.listening.phrases import Dims, Phrase, PhraseReader, union

_FRACTIONS = {"all": ("==", 1.0), "both": ("==", 1.0), "most": (">", 0.5), "half": ("==", 0.5), "few": ("<", 0.5)}


class Sayer(PhraseReader):
    def __init__(self) -> None:
        super().__init__()
        self.head: Phrase | None = None  # what a list behind a comma or colon may tell the parts of
        self.told: set[str] = set()  # the dimensions in which a part was told apart

    def about(self, *phrases: Phrase) -> None:
        """Keep what is spoken of, for "it", "both", "one of them"."""
        self.head = phrases[0] if len(phrases) == 1 else None
        self.topic = self.head or self.new()
        if self.head is None:
            self.topic.within = union(phrases)
        self.part = self.group = None

    def count(self, phrase: Phrase) -> None:
        if phrase.exact or phrase.quantity == "both":
            self.claims.append(Count(phrase.what, phrase.relation or "==", phrase.number or 2))

    def like(self, whole: Selection, phrase: Phrase) -> None:
        """What a phrase says of kinds: "of the same colour", "three colours"."""
        self.claims += [Kinds(whole, each, "==", 1 if like else None) for each, like in phrase.alike]
        if phrase.counted:
            self.claims.append(Kinds(whole, phrase.counted, phrase.relation or "==", int(phrase.number or 3)))

    def say(self, subject: Phrase, predicate: Selection | None = None, told: Dims | None = None) -> None:
        """That as much of what a phrase names as it says is so, or, without a predicate, is there."""
        bound = bool(predicate) and subject.bare and subject.within is not None
        bound = bound and subject.noun != "of" and not subject.other
        if bound and self.group is not None and told and self.told & told.keys():
            subject.within = self.group  # "three are red and one is blue"
        what = subject.what
        both = AllOf((what, predicate)) if predicate else what
        if predicate:
            self.claims += self.claims_of(subject, what, predicate, both)
        elif subject.counted or subject.named or subject.within or subject.exact or subject.quantity:
            self.claims += self.claims_alone(subject, what)
            self.like(subject.within or Everything() if subject.counted else what, subject)
        self.claims += [Count(each.what, ">=", 1) for each in subject.excepted if not each.bare]
        if bound and subject.number == 1:
            self.about(Phrase(within=subject.within, noun="one", plural=True))
            self.part, self.group = both, subject.within
            return
        self.about(subject)
        if predicate and (subject.indefinite or (subject.exact and not subject.definite)):
            self.about(Phrase(subject.number, plural=(subject.number or 1) > 1, noun="one", within=both))
            self.topic.dims = {**subject.dims, **(told or {})}  # type: ignore[union-attr]
            self.group, self.told = what, set(told or ())
        self.part = both if predicate else None

    def claims_alone(self, subject: Phrase, what: Selection) -> list[Claim]:
        """The claims of "two cubes", "no cube", "all small", "only cubes"."""
        own, whole = subject.own, subject.within or self.spoken_of
        empty = not subject.noun or subject.number == 1 or subject.quantity == "no"
        if (subject.bare and empty) or subject.counted:
            return []
        if (subject.noun or "shape" in subject.dims) and subject.within is None:
            whole = Everything()
        if left := subject.left:
            return [Count(Without(whole, own), "==", left)]
        if subject.quantity == "no":
            return [Count(what, "==", 0)]
        if subject.exact and subject.quantity not in _FRACTIONS and not subject.other:
            return [Count(what, subject.relation or "==", subject.number)]
        if subject.bare:
            return []
        if subject.other:
            return [Share(own, whole, "==", 1)]
        if subject.quantity in _FRACTIONS:
            return [Share(own, Without(whole, union(subject.excepted)), *_FRACTIONS[subject.quantity])]
        if subject.only:
            return [Share(own, Everything(), "==", 1)]
        return [Count(what, "==" if subject.sole and not subject.plural else ">=", 1)]

    def claims_of(self, subject: Phrase, what: Selection, own: Selection, both: Selection) -> list[Claim]:
        """The claims of "two cubes are red", "no cube is red", "only the ball is red"."""
        share = Share(own, what, "==", 1)
        counted = subject.exact or subject.quantity == "both"
        number: list[Claim] = [Count(what, subject.relation or "==", subject.number or 2)] if counted else []
        if left := subject.left:
            return [Count(Without(what, own), "==", left)]
        if subject.quantity == "no":
            return [Count(both, "==", 0)]
        if subject.sole:
            return [*(number if subject.plural or counted else [Count(what, "==", 1)]), share]
        if subject.exact and not subject.definite and subject.quantity not in _FRACTIONS:
            return [Count(both, subject.relation or "==", subject.number)]
        if subject.quantity in _FRACTIONS:
            return [Share(own, what, *_FRACTIONS[subject.quantity]), *number]
        if subject.only:
            whole = own if subject.within is None else AllOf((own, subject.within))
            return [Share(what, whole, "==", 1), Count(both, ">=", 1)]
        if subject.indefinite or subject.quantity == "some" or subject.zoned:
            return [Count(both, ">=", 1)]
        return [*number, share]

    def compare(
        self, one: Selection, token: Token | None, number: Token | None, ratio: Token | None, other: Selection
    ) -> None:
        """That there is more, as much, so much more or so many times as much of one thing as of another."""
        relation = {"more": ">", "fewer": "<"}.get(token.value, token.value or "==") if token else "=="
        more = float(number.value) * (1 if relation == ">" else -1) if number else 0
        self.claims.append(Compare(one, "==" if number else relation, other, float(ratio.value) if ratio else 1, more))
