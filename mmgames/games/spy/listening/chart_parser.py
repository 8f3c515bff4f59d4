"""What clues say of charts: values, ranks, ratios, sums and changes.

A number is a value unless it counts bars. What only one of two phrases names, the item or the series, holds for both.
"""

from collections.abc import Sequence

from mmgames.games.spy.listening import claims as c
from mmgames.games.spy.listening.claims import Claim, Selection
from mmgames.games.spy.listening.lexicon import Token
from mmgames.games.spy.listening.parser import FRACTIONS, Items, Parser
from mmgames.games.spy.listening.phrases import Dims, Phrase, union

BARS = c.Has("level", ("bar",))


class ChartPhrase(Phrase):
    """A phrase about bars: which item, which series, what value, what rank, compared with what."""

    def __init__(self, dims: Dims | None = None) -> None:
        super().__init__(dims=dims or {})
        self.compared: list[tuple[str, float, float, ChartPhrase]] = []  # how, by how much, how many times, with what
        self.difference = 0.0
        self.tied = False
        self.stacked = False

    @property
    def level(self) -> str:
        if self.stacked or self.noun.startswith(("stack", "pile", "total", "overall", "in total", "altogether")):
            return "stack"
        if "series" in self.dims:
            return "bar" if "item" in self.dims or self.ranks or self.noun not in ("", "@u") else "series"
        return "stack" if "item" in self.dims else "bar"

    @property
    def plain(self) -> bool:
        """Whether it only names bars, and says nothing of them."""
        return not (self.ranks or self.parts or self.compared or self.tied)

    @property
    def bare(self) -> bool:
        return self.plain and not self.dims

    @property
    def weight(self) -> int:
        """How much it says."""
        counting = 2 * self.exact + bool(self.quantity)
        return len(self.ranks) + len(self.parts) + 2 * len(self.compared) + bool(self.dims) + counting

    @property
    def what(self) -> Selection:
        pool: list[Selection] = []
        if self.dims or self.ranks or self.stacked or self.noun not in ("", "@u", "one"):
            pool.append(c.Has("level", (self.level,)))
        if "series" in self.dims and self.level != "stack":
            pool.append(c.Has("series", self.dims["series"]))
        chosen = [*pool, *self.parts]
        for key, sign, rank in self.ranks:
            chosen.append(
                c.Best(key, -sign if rank < 0 else sign, c.AllOf(tuple(pool)), abs(rank), int(self.number or 1))
            )
        if "item" in self.dims:
            chosen.append(c.Has("item", self.dims["item"]))
        chosen += [c.Measured(relation, more, anchor.what, factor) for relation, more, factor, anchor in self.compared]
        return c.AllOf(tuple(chosen))

    def of_sum(self, whole: Selection) -> list[Claim]:
        """What it says, when it is said of several bars together."""
        said: list[tuple[str, Selection | None, float, float]]
        said = [(how, anchor.what, factor, more) for how, more, factor, anchor in self.compared]
        said += [(each.relation, None, 1, each.number) for each in self.parts if isinstance(each, c.Measured)]
        return [c.Compare(whole, *each) for each in said]


class ChartParser(Parser):
    new = ChartPhrase
    VERBS = (*Parser.VERBS, "trend")
    BREAKS = ("order", "there")

    def __init__(self, items: int, series: int, total: float) -> None:
        super().__init__()
        self.items, self.series, self.total = items, series, total
        self.last: Phrase | None = None

    def sentence(self, tokens: Sequence[Token]) -> None:
        kinds = {token.kind for token in tokens}
        self.given: Dims = {}  # "in the morning, …"
        self.summed = bool(kinds & {"together", "+"})
        idle = {"together"} if kinds & {"trend", "since"} else {"together", "to"}
        super().sentence([token for token in tokens if token.kind not in idle])

    def clause(self) -> None:
        if self.now.kind == "trend":
            self.predicate([self.last or ChartPhrase()])
        else:
            super().clause()

    # Phrases

    def goes_on(self, phrase: Phrase, joint: Token) -> bool:
        return self.now.kind == "except"

    def value(self, phrase: Phrase) -> bool:
        after = self.ahead()
        counts = after.kind == "noun" and after.value == "bar" and (after.plural or self.now.value == "1")
        if counts or after.kind in ("of", "rank", "sup"):
            return False
        number = float(self.now.value)
        self.i += 1
        while unit := self.take("unit"):
            phrase.noun = phrase.noun or unit.text
        if self.now.kind in ("cmp", "more"):
            phrase.difference = number  # type: ignore[attr-defined]
        else:
            self.measure(phrase, number)
        return True

    def measure(self, phrase: Phrase, number: float) -> None:
        phrase.parts.append(c.Measured(phrase.relation or "==", number))
        phrase.relation = ""

    def part_of(self, phrase: Phrase) -> None:
        if not phrase.parts:  # else it is "nine cups of coffee"
            super().part_of(phrase)

    def more(self, phrase: Phrase) -> bool:
        assert isinstance(phrase, ChartPhrase)
        token = self.now
        if token.kind == "num":
            return ("item" in phrase.dims or not phrase.parts) and self.value(phrase)
        self.i += 1
        match token.kind:
            case "unit" | "noun":
                phrase.noun = phrase.noun or token.text
            case "part":
                self.measure(phrase, float(token.value) * self.total)
            case "cmp" | "more":
                return self.comparative(phrase, {"more": ">", "fewer": "<"}.get(token.value, token.value))
            case "over":
                return self.beside(phrase, token.value)
            case "ratio":
                if self.now.kind == "attr" and self.ahead().kind == "as" and self.attribute(phrase, self.now):
                    self.i += 1
                self.skip("more", "asmany", "the", "unit")
                return self.beside(phrase, "==", float(token.value))
            case "tie":
                phrase.tied = not self.beside(phrase, "==")
            case "rank":
                sup = self.take("sup")
                phrase.ranks.append(("value", -1 if sup and sup.value.endswith("-") else 1, int(token.value)))
            case "start" | "finish":
                phrase.parts.append(c.Best("across", -1 if token.kind == "start" else 1, BARS))
            case _:
                self.i -= 1
                return False
        return True

    def comparative(self, phrase: ChartPhrase, relation: str) -> bool:
        """ "A larger share than", "higher in the morning than"."""
        while self.now.kind in ("noun", "unit", "the", "a", "attr"):
            if self.now.kind == "attr" and not self.attribute(phrase, self.now):
                return False
            self.i += 1
        return bool(self.take("than")) and self.beside(phrase, relation)

    def beside(self, phrase: ChartPhrase, relation: str, factor: float = 1) -> bool:
        """What a phrase is compared with: a number, other bars, or all others."""
        self.skip("as", "than", "that", "of", "pron", "noun", "be", "the")
        if self.now.kind == "num":
            phrase.relation = relation
            return self.value(phrase)
        anchor = self.inner()
        if not isinstance(anchor, ChartPhrase) or anchor.bare:
            return False
        more = phrase.difference
        if self.take("by") and (self.take("only") or True) and (number := self.take("num")):
            more = float(number.value)
        if more:
            relation, more = "==", more if relation == ">" else -more
        phrase.compared.append((relation, more, factor, anchor))
        return True

    # Statements

    def fill(self, phrase: Phrase, other: Phrase | None = None) -> None:
        """Give a phrase the series, or the item, that only the other names."""
        given = {**(other.dims if other else {}), **self.given} if self.series else {}
        for dimension in ("item", "series"):
            if dimension in given and (dimension == "series" or phrase.dims):
                phrase.dims.setdefault(dimension, given[dimension])

    def subject(self, found: list[Phrase], singular: bool) -> list[Phrase]:
        lead = [each for each in found if each.dims.keys() == {"series"} and each.plain and each.noun in ("", "@u")]  # type: ignore[attr-defined]
        rest = [each for each in found if each not in lead]
        if lead and rest:
            self.given["series"] = lead[0].dims["series"]
        found = rest or found
        named = [each for each in found if "item" in each.dims]
        if named and "item" not in found[-1].dims:
            named[-1].dims.update(found[-1].dims)
            self.state([each for each in found if each is not found[-1] or not each.plain])  # type: ignore[attr-defined]
            return named[-1:]
        return super().subject(found, singular)

    def state(self, found: Sequence[Phrase], head: Phrase | None = None) -> None:
        subjects: list[Phrase] = []
        pending: list[Phrase] = []
        said = False
        for phrase in found:
            assert isinstance(phrase, ChartPhrase)
            if phrase.dims.keys() == {"series"} and phrase.plain:
                self.given["series"] = phrase.dims["series"]
            elif "item" in phrase.dims:
                subjects, said = ([] if said else subjects) + [phrase], False
                if not phrase.plain or pending:
                    self.combine([phrase], [(False, each) for each in pending], False)
                    pending, said = [], True
            elif subjects or (self.last is not None and head is not None):
                about = subjects or [self.last or phrase]
                self.combine(about, [(False, phrase)], False)
                said = True
            else:
                pending.append(phrase)
        if pending:
            self.combine(pending[:1], [(False, each) for each in pending[1:]], False)
        if subjects:
            self.last = self.head = subjects[-1]

    def starts_clause(self, subject: list[Phrase], items: Items, phrase: Phrase) -> bool:
        twice = "item" in phrase.dims and any("item" in each.dims for each in subject)
        return twice or self.now.kind in ("be", "trend") or phrase.other

    def combine(self, subject: list[Phrase], items: Items, either: bool) -> None:
        phrases = [phrase for _, phrase in items if isinstance(phrase, ChartPhrase)]
        for each in subject:
            for phrase in phrases:
                if self.series and "series" in phrase.dims and ("item" in each.dims or "item" not in phrase.dims):
                    each.dims.setdefault("series", phrase.dims["series"])
            self.fill(each)
        whole = union(subject)
        self.last = self.head = self.topic = subject[-1]
        for phrase in phrases:
            self.settle(phrase, subject[0])
            if phrase.tied:
                self.claims += [c.Compare(each.what, "==", subject[0].what) for each in subject[1:]]
            if self.summed and len(subject) > 1:
                self.claims += phrase.of_sum(whole)
        for each in subject if not self.summed or len(subject) == 1 else ():
            assert isinstance(each, ChartPhrase)
            self.settle(each, each)
            said = [(denied, phrase) for denied, phrase in items if not phrase.bare]
            if each.weight + sum(phrase.weight for phrase in phrases) > 1:
                self.meet(each, [c.Without(c.Everything(), phrase.what) if no else phrase.what for no, phrase in said])

    def settle(self, phrase: ChartPhrase, subject: Phrase) -> None:
        """Complete what a phrase is compared with, and what it is a rank among."""
        for _, _, _, anchor in phrase.compared:
            self.fill(anchor, subject)
        if phrase.ranks and "item" not in phrase.dims and phrase is not subject and phrase.quantity != "all":
            if "series" in subject.dims:
                phrase.dims.setdefault("series", subject.dims["series"])
            phrase.stacked = "item" in subject.dims and "series" not in subject.dims

    def meet(self, subject: ChartPhrase, said: list[Selection]) -> None:
        """That the bars that a subject names are those that all is said of."""
        if subject.quantity in FRACTIONS and subject.noun in ("@u", "of") and said:
            relation, factor = FRACTIONS[subject.quantity]
            self.claims.append(c.Compare(c.AllOf(tuple(said)), subject.relation or relation, BARS, factor))
        elif subject.exact and not said and subject.noun not in ("@u", ""):
            self.claims.append(c.Count(c.Has("level", (subject.level,)), "==", subject.number or 0))
        elif said and ((subject.quantity and "item" not in subject.dims) or (subject.exact and not subject.definite)):
            self.say(subject, c.AllOf(tuple(said)))
        elif said or not subject.plain:
            no = subject.quantity == "no"
            self.claims.append(c.Count(c.AllOf((subject.what, *said)), "==" if no else ">=", 0 if no else 1))

    # Amounts and changes

    def comparable(self, one: Phrase, other: Phrase) -> bool:
        self.fill(other, one)
        self.fill(one, other if "item" not in one.dims or other.dims.keys() == {"item", "series"} else None)
        return bool(one.dims and other.dims)

    def special(self, subject: list[Phrase], denied: bool) -> bool:
        token = self.take("trend")
        if token is None:
            return False
        ends: list[Phrase | None] = []
        more, steady = 0.0, False
        while True:
            if self.now.kind in ("by", "only", "of") and self.ahead().kind == "num":
                more = float(self.ahead().value)
                self.i += 2
            elif self.now.kind == "to" and not ends and self.ahead().kind == "num":
                self.i += 1  # "drops to 50"
                break
            elif self.take("since", "to", "and" if len(ends) == 1 else ""):
                ends.append(self.inner())
            elif self.take("steady"):
                steady = True
            elif not self.take("unit", "noun"):
                break
        self.change(subject[0], token.value, ends, more, steady)
        return True

    def change(self, subject: Phrase, way: str, ends: Sequence[Phrase | None], more: float, steady: bool) -> None:
        """That values rise, fall or double between two bars, or from each to the next."""
        if steady and way in "<>":
            named = [int(each.dims["item"][0][1:]) for each in ends if each and "item" in each.dims]
            first, last = named if len(named) == 2 else (0, named[0] if named else self.items - 1)
            sets = tuple(c.Has("item", (f"i{each}",)) for each in range(first, last + 1))
            self.claims.append(c.Order("value", -1 if way == ">" else 1, sets, c.OneOf(sets)))
        elif len(bars := [each for each in ends if each and each.dims]) == 2:
            for each in bars:
                self.fill(each, subject)
            start, end = bars[0].what, bars[1].what
            more = more if way == ">" else -more
            self.claims += [c.Count(each, ">=", 1) for each in (start, end)]
            self.claims.append(c.Compare(end, way, start) if way in "<>" else c.Compare(end, "==", start, float(way)))
            if more:
                self.claims.append(c.Compare(end, "==", start, 1, more))
        else:
            self.unused += bool(ends)
