"""Charts as a world: bars with values, in one series or two, and what clues say of values, ranks, ratios and changes.

Where there are two series, the things of the world are the bars, then each item over both series (a stack), then each
series over all items.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any as Anything

from mmgames.games.spy.listening2.claims import (
    All as _All, Amount, Any, Best, Claim, Compare, Count, Everything, Has, Kinds, Measured, Order, Selection, Share, Without, members,
)  # fmt: skip
from mmgames.games.spy.listening2.lexicon import CHARTS, SHARED, Scanner, Token
from mmgames.games.spy.listening2.parser import END, Parser, Phrase
from mmgames.games.spy.pictures.tables import THEMES

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_IDLE = ("hundred", "thousand", "which", "from", "with", "come")
_OTHER_NAMES = {
    "geese": "goose|geese",
    "on foot": "on foot|foot|walk(?:ing|ers)?|pedestrians",
    "bicycle": "bicycles?|bikes?|cycl(?:ing|es?|ists)",
    "autumn": "autumn|fall",
    "bus": "bus(?:es)?",
    "crime": "crime(?: fiction| novels?)?",
}


def split(labels: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The items and the series that a chart's labels are made of."""
    parts = [label.lower().partition(" in ") for label in labels]
    if not all(series for _, _, series in parts):
        return tuple(label.lower() for label in labels), ()
    return tuple(dict.fromkeys(part[0] for part in parts)), tuple(dict.fromkeys(part[2] for part in parts))


def forms(name: str) -> str:
    """How people write the name of an item or a series, as a pattern."""
    if name in _OTHER_NAMES:
        return _OTHER_NAMES[name]
    for names in (_DAYS, _MONTHS):
        for long in names:
            if long[:3] == name:
                return rf"{long}s?(?:'s)?|{name}(?:t|r|s|rs|ur|urs|nes|n)?" if name != "may" else "may(?! (?:be|have|not|look))"
    if found := re.fullmatch(r"(\d+) h", name):
        hour = int(found[1])
        half = f"{hour % 12 or 12} ?{'am' if hour < 12 else 'pm'}"
        return rf"{hour}(?: ?h(?:ours?|rs)?| o'clock|:00|\.00)|{half}" + ("|noon|midday" if hour == 12 else "")
    if name.startswith("the "):
        return rf"(?:the )?{name[4:]}s?"
    stem = re.sub("ies$", "(?:y|ies)", name)
    if stem == name:
        stem = name.removesuffix("s") + "(?:es|s)?"
    return rf"{stem}(?: (?:trees?|pupils|birds|books?))?"


@cache
def scanner(items: tuple[str, ...], series: tuple[str, ...], unit: str, title: str) -> Scanner:
    theme = next((theme for theme in THEMES if theme.title == title), None)
    known = tuple(dict.fromkeys((*items, *(item.lower() for item in (theme.items if theme else ())))))
    rows = [f"attr item {name}: {forms(name)}" for name in known]
    rows += [f"attr series {name}: (?:in |during )?{forms(name)}" for name in series]
    words = [word for word in re.findall("[a-z]{4,}", f"{unit} {title}".lower()) if word not in _IDLE]
    words = sorted({word.removesuffix("s") for word in words})
    rows.append(f"unit: %|per ?cents?|kg|kilos?|kwh|mm|points|units|(?:hundred|thousand)s?|{'|'.join(f'{word}(?:e?s)?' for word in words)}|of (?:them|those)")
    names = "|".join(forms(name) for name in (*known, *series))
    return Scanner(("\n".join(rows), CHARTS.replace("ITEM", f"(?:the )?(?:{names})"), SHARED))


class ChartWorld:
    def __init__(self, record: Mapping[str, Anything]) -> None:
        self.items, self.series = split(tuple(record["table"]))
        bars = [float(value) for value in record["table"].values()]
        wide = len(self.items)
        self.bars = len(bars)
        self.names = [(item, each, "bar") for each in self.series or ("",) for item in self.items]
        self.values = bars
        if self.series:
            self.names += [(item, "", "stack") for item in self.items] + [("", each, "series") for each in self.series]
            self.values = [*bars, *(sum(bars[i::wide]) for i in range(wide))]
            self.values += [sum(bars[i * wide : (i + 1) * wide]) for i in range(len(self.series))]
        self.size = len(self.values)

    def has(self, dimension: str, value: str) -> int:
        if dimension == "level" and not self.series:
            return (1 << self.size) - 1
        place = ("item", "series", "level").index(dimension)
        return sum(1 << i for i, name in enumerate(self.names) if name[place] == value)

    def key(self, name: str) -> Sequence[float]:
        return self.values if name == "value" else range(self.size)

    def at(self, place: str) -> int:
        return (1 << self.size) - 1

    def amount(self, chosen: int) -> float:
        return sum(self.values[each] for each in members(chosen))

    def related(self, relation: str, one: int, other: int) -> bool:
        return one < other if relation == "left" else one > other


class ChartParser(Parser):
    """Numbers are values unless they count bars; what is missing in one phrase is taken from the other."""

    def __init__(self, items: tuple[str, ...], series: tuple[str, ...], total: float | None) -> None:
        super().__init__()
        self.items, self.series, self.total = items, series, total
        self.given: dict[str, tuple[str, ...]] = {}
        self.summed = False

    VERBS = (*Parser.VERBS, "trend")

    def new(self) -> ChartPhrase:
        return ChartPhrase()

    def sentence(self, tokens: Sequence[Token]) -> None:
        self.given, self.summed = {}, any(token.kind == "together" for token in tokens)
        kept: list[Token] = []
        moving = False
        for token, after in zip(tokens, [*tokens[1:], END], strict=False):
            moving |= token.kind in ("trend", "from")
            idle = token.kind == "together" or token.kind == "to" and not moving
            if token.text == "one" and kept and kept[-1].kind == "the":
                token = Token("noun", "bar", "one")
            if not idle and not (token.kind == "by" and after.kind not in ("num", "only")):
                kept.append(token)
        super().sentence(kept)

    def goes_on(self, phrase: Phrase) -> bool:
        return self.ahead().kind == "except"

    def starts_clause(self, subject: list[Phrase], phrase: Phrase) -> bool:
        return "item" in phrase.dims and any("item" in each.dims for each in subject)

    def clause(self) -> None:
        if self.now.kind == "trend":
            self.predicate([self.last or ChartPhrase()])
        else:
            super().clause()

    # Phrases

    def quantity(self, phrase: Phrase) -> None:
        while True:
            if self.now.kind == "num" and self.value(phrase):
                continue
            before = self.i
            if self.now.kind in ("the", "a", "op", "quant", "both", "only", "other", "num", "not"):
                one = self.tokens[: self.i + 1]
                tokens, self.tokens = self.tokens, one
                super().quantity(phrase)
                self.tokens = tokens
            if self.i == before:
                return

    def value(self, phrase: Phrase) -> bool:
        """Take a number as a value, if it does not count bars."""
        after = self.ahead()
        if after.kind == "of" or after.kind == "noun" and after.value == "bar" and after.plural or after.kind == "rank":
            return False
        number = float(self.now.value)
        self.i += 1
        while self.take("unit"):
            phrase.noun = phrase.noun or "unit"
        if self.now.kind in ("cmp", "more"):
            phrase.difference = number  # type: ignore[attr-defined]
            return True
        phrase.parts.append(Measured(phrase.relation or "==", number))
        phrase.relation = ""
        return True

    def more_core(self, phrase: Phrase) -> bool:
        assert isinstance(phrase, ChartPhrase)
        token = self.now
        match token.kind:
            case "unit":
                self.i += 1
                phrase.noun = phrase.noun or "unit"
            case "num":
                if phrase.measured and "item" not in phrase.dims:
                    return False
                return self.value(phrase)
            case "op" if self.ahead().kind in ("num", "part"):
                phrase.relation = token.value
                self.i += 1
            case "part":
                self.i += 1
                phrase.parts.append(Measured(phrase.relation or "==", float(token.value) * (self.total or 1e9)))
                phrase.relation = ""
            case "cmp" | "more":
                return self.compared(phrase, {"more": ">", "fewer": "<"}.get(token.value, token.value))
            case "over":
                self.i += 1
                if self.now.kind == "num":
                    phrase.relation = token.value
                    return self.value(phrase)
                return self.anchored(phrase, token.value)
            case "ratio":
                self.i += 1
                while self.take("of", "that", "the", "as", "more", "noun", "unit", "pron", "asmany") or (
                    self.now.kind == "attr" and self.ahead().kind == "as" and self.attribute(phrase)
                ):
                    pass
                return self.anchored(phrase, "==", float(token.value))
            case "tie":
                self.i += 1
                if not self.anchored(phrase, "=="):
                    phrase.tied = True
            case "rank":
                self.i += 1
                sup = self.take("sup")
                phrase.ranks.append(("value", -1 if sup and sup.value.endswith("-") else 1, int(token.value)))
            case "start" | "finish":
                self.i += 1
                phrase.parts.append(Best("across", -1 if token.kind == "start" else 1, Has("level", ("bar",))))
            case "span":
                self.i += 1
                low, _, high = self.take("num"), self.take("and"), self.take("num")
                if low and high:
                    phrase.parts += [Measured(">=", float(low.value)), Measured("<=", float(high.value))]
            case "quant" if phrase.dims and not phrase.quantity and token.value in ("half",):
                return False
            case "the" if phrase.dims and self.ahead().kind in ("sup", "rank") and not phrase.ranks:
                self.i += 1
            case _:
                return False
        return True

    def compared(self, phrase: ChartPhrase, relation: str) -> bool:
        """ "A larger share than", "higher in the morning than"."""
        self.i += 1
        while self.now.kind in ("noun", "unit", "the", "a", "attr"):
            if self.now.kind != "attr":
                self.i += 1
            elif not self.attribute(phrase):
                return False
        if not self.take("than"):
            return False
        if self.now.kind == "num":
            phrase.relation = relation
            return self.value(phrase)
        if self.now.kind == "other" or self.now.kind in ("quant", "noun") and self.ahead().kind == "other":
            self.phrase()
            phrase.ranks.append(("value", 1 if relation == ">" else -1, 1))
            return True
        return self.anchored(phrase, relation)

    def anchored(self, phrase: ChartPhrase, relation: str, factor: float = 1) -> bool:
        while self.take("as", "than", "that", "of", "pron", "noun", "be"):
            pass
        self.anchoring += 1
        anchor = self.phrase()
        anchors = [anchor]
        while anchor is not None and self.now.kind in ("and", ",") and self.listing and relation != "==":
            start = self.i
            self.i += 1
            self.take("and")
            more = self.phrase()
            if more is None or self.now.kind in ("be", "trend") or more.ranks or more.parts:
                self.i = start
                break
            anchors.append(more)
        self.anchoring -= 1
        if anchor is None or anchor.bare and not anchor.other:
            return False
        if anchor.other:
            phrase.ranks.append(("value", 1 if relation == ">" else -1, 1))
            return True
        more = 0.0
        if self.take("by"):
            self.take("only")
            number = self.take("num")
            more = float(number.value) if number else 0
        more = more or phrase.difference
        if more:
            relation, more = "==", more if relation == ">" else -more
        phrase.comparisons += [(relation, more, factor, each) for each in anchors if isinstance(each, ChartPhrase)]
        return True

    listing = True

    # Statements

    def fill(self, phrase: Phrase, other: Phrase | None = None) -> None:
        """Give a phrase the series, or the item, that only the other names."""
        if not self.series:
            return
        given = {**(other.dims if other else {}), **self.given}
        for dimension in ("item", "series"):
            if dimension not in phrase.dims and dimension in given and (dimension == "series" or phrase.dims):
                phrase.dims[dimension] = given[dimension]

    def subject(self, found: list[Phrase], singular: bool) -> list[Phrase]:
        lead = [each for each in found if set(each.dims) == {"series"} and each.plain and each.noun in ("", "unit")]
        rest = [each for each in found if each not in lead]
        if lead and rest:
            self.given["series"] = lead[0].dims["series"]
        found = rest or found
        named = [each for each in found if "item" in each.dims]
        if named and "item" not in found[-1].dims:
            if set(found[-1].dims) == {"series"}:
                named[-1].dims["series"] = found[-1].dims["series"]
            self.state([each for each in found if each.dims != found[-1].dims or not each.plain])
            return named[-1:]
        return super().subject(found, singular)

    def partitive(self, phrase: Phrase) -> None:
        if isinstance(phrase, ChartPhrase) and phrase.measured:
            self.i += 1
        else:
            super().partitive(phrase)

    def state(self, found: Sequence[Phrase], head: Phrase | None = None) -> None:
        subjects: list[Phrase] = []
        pending: list[Phrase] = []
        said = False
        for phrase in found:
            if set(phrase.dims) == {"series"} and phrase.plain:
                self.given["series"] = phrase.dims["series"]
                continue
            if "item" in phrase.dims:
                if said:
                    subjects, said = [], False
                subjects.append(phrase)
                if not phrase.plain or pending:
                    self.combine([phrase], [(False, each) for each in pending], False)
                    pending, said = [], True
            elif subjects or self.last is not None and head is not None:
                self.combine(subjects or [self.last], [(False, phrase)], False)  # type: ignore[list-item]
                said = True
            else:
                pending.append(phrase)
        if pending:
            self.combine(pending[:1], [(False, each) for each in pending[1:]], False)
        if subjects:
            self.last = subjects[-1]
            self.head = subjects[-1]

    def combine(self, subject: list[Phrase], items: list[tuple[bool, Phrase]], either: bool) -> None:
        for each in subject:
            for _, phrase in items:
                if "series" in phrase.dims and "series" not in each.dims and self.series:
                    each.dims["series"] = phrase.dims["series"]
            self.fill(each)
        whole = Any(tuple(each.what for each in subject))
        self.last = self.head = subject[-1]
        if not subject[0].dims and len(items) > 2:
            groups: list[list[tuple[bool, Phrase]]] = []
            for item in items:
                if not groups or item[1].ranks and any(phrase.ranks for _, phrase in groups[-1]):
                    groups.append([])
                groups[-1].append(item)
            if len(groups) > 1:
                for group in groups:
                    self.combine(subject, group, either)
                return
        for denied, phrase in items:
            assert isinstance(phrase, ChartPhrase)
            self.settle(phrase, subject[0])
            if phrase.tied and len(subject) > 1:
                first = subject[0].what
                self.claims += [Compare(each.what, "==", first) for each in subject[1:]]
            if self.summed and len(subject) > 1:
                self.claims += phrase.of_sum(whole)
        if self.summed and len(subject) > 1:
            return
        for each in subject:
            if isinstance(each, ChartPhrase):
                self.settle(each, each)
            chosen: list[Selection] = []
            for denied, phrase in items:
                if phrase.bare and not getattr(phrase, "comparisons", None):
                    continue
                only = phrase.only and (phrase.noun or phrase.definite) and "item" not in phrase.dims and not phrase.ranks
                if only and not denied:
                    self.claims.append(Share(whole, phrase.what, "==", 1))
                chosen.append(Without(Everything(), phrase.what) if denied else phrase.what)
            if each.weight + sum(phrase.weight for _, phrase in items) > 1:  # type: ignore[attr-defined]
                self.say(each, chosen)

    def settle(self, phrase: ChartPhrase, subject: Phrase) -> None:
        """Complete what a phrase is compared with, and what it is a rank among."""
        for _, _, _, anchor in phrase.comparisons:
            self.fill(anchor, subject if not (set(anchor.dims) == {"item"} and not subject.dims.get("series")) else None)
        if phrase.ranks and "item" not in phrase.dims and subject is not phrase:
            if "series" in subject.dims and "series" not in phrase.dims and phrase.quantity != "all":
                phrase.dims["series"] = subject.dims["series"]
            elif "item" in subject.dims and "series" not in subject.dims:
                phrase.level = "stack"

    def say(self, subject: Phrase, chosen: list[Selection]) -> None:
        parts = [subject.what, *chosen]
        counting = subject.noun not in ("", "unit") or not subject.dims
        if subject.quantity in _PARTS and subject.noun in ("unit", "of") and chosen:
            relation, factor = _PARTS[subject.quantity]
            relation = subject.relation or relation
            self.claims.append(Compare(_All(tuple(chosen)), relation, Has("level", ("bar",)), factor))
        elif subject.number is not None and not subject.ranks and not chosen and subject.noun not in ("unit", ""):
            self.claims.append(Count(Has("level", (subject.level,)), "==", subject.number))
        elif subject.quantity in ("all", "both", "no", "most", "half", "few") and counting and chosen:
            self.quantified(subject, _All(tuple(chosen)))
        elif subject.number is not None and not subject.ranks and not subject.definite and chosen:
            self.claims.append(Count(_All(tuple(parts)), subject.relation or "==", subject.number))
        elif subject.only and "item" in subject.dims and chosen:
            self.claims.append(Share(subject.what, _All(tuple(chosen)), "==", 1))
            self.claims.append(Count(_All(tuple(parts)), ">=", 1))
        elif chosen or not subject.plain:
            claim: Claim = Count(_All(tuple(parts)), "==" if subject.quantity == "no" else ">=", subject.quantity != "no")
            self.claims.append(claim)

    # Changes

    def special(self, subject: list[Phrase], denied: bool) -> bool:
        if self.now.kind in ("more", "cmp", "ratio", "asmany") and not any("item" in each.dims for each in subject):
            self.given.update(subject[0].dims)
            return self.amounts()
        token = self.take("trend")
        if token is None:
            return False
        start = end = None
        more = 0.0
        steady = False
        while True:
            if self.take("by", "only"):
                number = self.take("num")
                more = float(number.value) if number else 0
                self.take("unit")
            elif self.now.kind == "num" and (self.moved or self.ahead().kind == "from" or self.ahead(2).kind == "from"):
                more = float(self.now.value)
                self.i += 1
            elif self.now.kind == "of" and self.ahead().kind == "num":
                more = float(self.ahead().value)
                self.i += 2
            elif self.now.kind == "to" and self.ahead().kind in ("num", "op", "the", "pron"):
                self.i += 1
                if start is None:
                    break
                end = self.phrase()
            elif self.take("steady"):
                steady = True
            elif self.take("from"):
                start = self.phrase()
                self.take("and")
                if self.now.kind == "attr" and end is None and start is not None and start.dims:
                    end = self.phrase()
            elif self.now.kind == "to" and (start is not None or steady):
                self.i += 1
                end = self.phrase()
            elif start is None and end is None and self.now.kind == "attr" and self.now.value.startswith("item "):
                end = self.phrase()
            elif not self.take("unit", "noun"):
                break
        self.change(subject[0], token.value, start, end, more, steady)
        return True

    def change(
        self, subject: Phrase, way: str, start: Phrase | None, end: Phrase | None, more: float, steady: bool
    ) -> None:
        if start is None and end is None and more and self.moved:
            start, end = self.moved
        if start is None and end is None and self.series and "item" in subject.dims and not steady:
            start, end = ChartPhrase(), ChartPhrase()
            start.dims["series"], end.dims["series"] = (self.series[0],), (self.series[-1],)
        if start is None and end is not None and not self.series and end.dims.get("item", ("",))[0] in self.items[1:]:
            start = ChartPhrase()
            start.dims["item"] = (self.items[self.items.index(end.dims["item"][0]) - 1],)
        if start is not None and end is not None and start.dims and end.dims:
            self.fill(start, subject)
            self.fill(end, subject)
            self.moved = start, end
            if steady and "item" in start.dims and "item" in end.dims and not self.series:
                self.steady(way, start.dims["item"][0], end.dims["item"][0])
            elif way in "<>":
                self.claims.append(Compare(end.what, way, start.what))
                if more:
                    self.claims.append(Compare(end.what, "==", start.what, 1, more if way == ">" else -more))
            else:
                self.claims.append(Compare(end.what, "==", start.what, float(way)))
            self.claims += [Count(each.what, ">=", 1) for each in (start, end) if not each.plain]
        elif steady and way in "<>":
            self.steady(way, self.items[0], end.dims["item"][0] if end and "item" in end.dims else self.items[-1])
        elif start is not None or end is not None:
            self.unused += 1

    def steady(self, way: str, start: str, end: str) -> None:
        if start in self.items and end in self.items:
            sets = [Has("item", (item,)) for item in self.items[self.items.index(start) : self.items.index(end) + 1]]
            self.claims.append(Order("value", -1 if way == ">" else 1, tuple(sets), Any(tuple(sets))))

    def ordered(self, order: Token) -> None:
        while self.take(":", ",", "be", "start", "the"):
            pass
        found = self.listed()
        if self.take("be", ":"):
            found = self.listed()
        self.in_order(order, found)

    def in_order(self, order: Token, found: list[Phrase]) -> None:
        key, sign = order.value.split()
        sets = [each.what for each in found if "item" in each.dims]
        if len(sets) > 1:
            self.claims.append(Order(key, 1 if sign == "+" else -1, tuple(sets), Has("level", ("bar",)), True))

    def amounts(self) -> bool:
        """ "More gulls than coots", "twice as many gulls as coots"."""
        start = self.i
        number = self.take("num") if self.ahead().kind in ("more", "cmp") else None
        ratio = self.take("ratio")
        token = self.take("more", "asmany", "cmp", "tie")
        if token is None and ratio is None:
            self.i = start
            return False
        one = self.phrase()
        while one is not None and self.take("be", "unit", "the", "a"):
            self.core(one)
        link = self.take("than", "as", "and")
        if link:
            while self.take("that", "of", "pron", "the", "noun", "unit"):
                pass
        other = self.phrase() if link else None
        if one is None or other is None or not one.dims or not other.dims:
            self.i = start + 1
            self.unused += other is None
            return True
        self.fill(other, one)
        self.fill(one, other if "item" not in one.dims or "series" in other.dims and "item" in other.dims else None)
        relation = {"more": ">", ">": ">", "fewer": "<", "<": "<"}.get(token.value if token else "", "==")
        more = float(number.value) * (1 if relation == ">" else -1) if number else 0
        factor = float(ratio.value) if ratio else 1
        self.claims.append(Compare(one.what, "==" if number else relation, other.what, factor, more))
        self.claims += [Count(each.what, ">=", 1) for each in (one, other)]
        self.last = one
        return True

    last: Phrase | None = None
    moved: tuple[Phrase, Phrase] | None = None  # between what the last change was


_PARTS = {"most": (">", 0.5), "half": ("==", 0.5), "few": ("<", 0.5)}


class ChartPhrase(Phrase):
    """A phrase about bars: which item, which series, what value, what rank, compared with what."""

    def __init__(self) -> None:
        super().__init__()
        self.comparisons: list[tuple[str, float, float, ChartPhrase]] = []
        self.difference = 0.0
        self.tied = False
        self._level = ""

    @property
    def level(self) -> str:
        if self._level or self.noun.startswith(("stack", "pile", "total", "overall", "in total", "altogether")):
            return self._level or "stack"
        if "series" in self.dims:
            return "bar" if "item" in self.dims or self.ranks or self.noun not in ("", "unit") else "series"
        return "stack" if "item" in self.dims else "bar"

    @level.setter
    def level(self, value: str) -> None:
        self._level = value

    @property
    def measured(self) -> bool:
        return any(isinstance(each, Measured) for each in self.parts)

    @property
    def plain(self) -> bool:
        """Whether it only names bars, and says nothing of them."""
        return not (self.ranks or self.parts or self.comparisons or self.tied)

    @property
    def weight(self) -> int:
        """How much it says."""
        counting = 2 * (self.number is not None and not self.ranks) + bool(self.quantity)
        return len(self.ranks) + len(self.parts) + 2 * len(self.comparisons) + ("item" in self.dims) + counting

    @property
    def bare(self) -> bool:
        return self.plain and not self.dims

    @property
    def own(self) -> Selection:
        return self.what

    @property
    def what(self) -> Selection:
        named = self.dims or self.ranks or self._level or self.noun not in ("", "unit", "one")
        pool: list[Selection] = [Has("level", (self.level,))] if named else []
        if "series" in self.dims and self.level == "bar" or self.level == "series":
            pool += [Has("series", self.dims["series"])] if "series" in self.dims else []
        chosen = list(pool)
        for key, sign, rank in self.ranks:
            number = int(self.number) if self.number is not None else 1
            chosen.append(Best(key, -sign if rank < 0 else sign, _All(tuple(pool)), abs(rank), number))
        if "item" in self.dims:
            chosen.append(Has("item", self.dims["item"]))
        chosen += self.parts
        chosen += [Measured(relation, more, anchor.what, factor) for relation, more, factor, anchor in self.comparisons]
        found: Selection = _All(tuple(chosen))
        excepted = [each.what for each in self.excepted if each.dims]
        return Without(found, Any(tuple(excepted))) if excepted else found

    def of_sum(self, whole: Selection) -> list[Claim]:
        """What it says, when it is said of several bars together."""
        claims: list[Claim] = [Amount(whole, each.relation, each.number) for each in self.parts if isinstance(each, Measured)]
        claims += [Compare(whole, relation, anchor.what, factor, more) for relation, more, factor, anchor in self.comparisons]
        return claims
