"""Clues about charts: values, ranks, comparisons, ratios, sums and trends of the items that they name."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from mmgames.games.spy.listening.chart_words import tokens

_SORTED = re.compile(
    r"\b(?:ranked|sorted|ordered (?:by|from)|in order|the order|ranking|to smallest|to lowest|to largest|"
    r"top (?:two|three))\b"
)


class Reading:
    """What sentences say of one chart."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        series = record["table"]
        self.kind = record["kind"]
        self.items = tuple(series)
        self.values = [float(value) for value in series.values()]
        self.claims: list[bool] = []
        self.subject: int | None = None

    def read(self, sentence: str) -> None:
        found = tokens(sentence, self.items)
        if "@x" in found:
            if ("not" in found and "listed" in found) or ("not" in found and len(found) <= 3):
                self.claims.append(True)
            elif len(found) > 1:
                self.claims.append(False)
            return
        if not self._shape(found) and not self._sorted(sentence, found):
            rest = self._whole(found)
            for part in _parts(rest):
                self._part(part)

    def _sorted(self, sentence: str, found: Sequence[Any]) -> bool:
        """ "From largest to smallest: water, tea, coffee"."""
        places = [int(t[1:]) for t in found if isinstance(t, str) and t[0] == "@"]
        if len(places) < 2 or not _SORTED.search(sentence):
            return False
        rising = re.search(r"\b(?:smallest|lowest|least) to|ascending|bottom (?:two|three)", sentence)
        order = sorted(range(len(self.values)), key=self.values.__getitem__, reverse=not rising)
        self.claims.append(order[: len(places)] == places)
        return True

    def _shape(self, found: Sequence[Any]) -> bool:
        """How many bars there are; what kind of chart it is."""
        if "part" in found and not any(isinstance(t, str) and t[0] == "@" for t in found):
            place = found.index("part")
            count = next((t for t in reversed(found[:place]) if isinstance(t, float)), None)
            if (
                count is not None
                and "end" not in found
                and "start" not in found
                and "lt" not in found
                and "gt" not in found
            ):
                self.claims.append(count == len(self.items))
                return True
        for token, kind in (("barchart", "bar"), ("linechart", "line")):
            if token in found and not any(isinstance(t, str) and t[0] == "@" for t in found):
                self.claims.append(self.kind == kind)
                return True
        return False

    def _whole(self, found: Sequence[Any]) -> list[Any]:
        """Take the forms that name several items, or none; what is left is read part by part."""
        text = " ".join(t if isinstance(t, str) else f"#{t:g}" if isinstance(t, float) else f"r{t[0]}" for t in found)
        lone = "@" not in text
        for pattern, test, wants_no_item in _FORMS:
            if (match := pattern.search(text)) and (lone or not wants_no_item):
                self.claims.append(bool(test(self, match)))
                if first := re.search(_ITEM, match[0]):
                    self.subject = int(first[0][1:])
                text = f"{text[: match.start()]} , {text[match.end() :]}"
        return [self._back(part) for part in text.split()]

    def _of(self, name: str) -> float:
        """The value of an item, or a number, or the first or the last value."""
        if name[0] == "#":
            return float(name[1:])
        return self.values[{"start": 0, "end": -1}.get(name, -2) if name[0] != "@" else int(name[1:])]

    def _run(self, one: str, other: str, word: str) -> bool:
        """Whether values rise, or fall, all the way from one item to another."""
        first, last = sorted((int(one[1:]), int(other[1:])))
        return all(self._more(y, word, x) for x, y in pairwise(self.values[first : last + 1]))

    def _back(self, part: str) -> Any:
        return float(part[1:]) if part[0] == "#" else (int(part[1:]),) if re.fullmatch(r"r\d+", part) else part

    def _sum(self, group: str) -> float:
        return sum(self.values[int(each)] for each in re.findall(r"@(\d+)", group))

    def _more(self, one: float, word: str, other: float) -> bool:
        return one > other if word in ("gt", "rise") else one < other

    def _goes(self, first: float, then: float) -> bool:
        """Whether one value comes before another."""
        return first in self.values and then in self.values[self.values.index(first) :]

    def _turns(self, place: int, sign: int) -> bool:
        near = [self.values[i] for i in (place - 1, place + 1) if 0 <= i < len(self.values)]
        return all((self.values[place] - other) * sign > 0 for other in near)

    def _times(self, one: str, word: str, other: str) -> bool:
        factor = {"x2": 2.0, "x3": 3.0, "x0.5": 0.5}.get(word) or float(word.split("#")[1])
        return self._of(one) == factor * self._of(other)

    def _follows(self, word: str, name: str) -> bool:
        place = int(name[1:]) + 1
        return place < len(self.values) and self._more(self.values[place], word, self._of(name))

    def _count(self, word: str, number: str) -> int:
        return sum(self._more(value, word, self._of(number)) for value in self.values)

    def _part(self, part: list[Any]) -> None:
        """One statement about one item, the one that it names or that was named last."""
        named = [int(t[1:]) for t in part if isinstance(t, str) and t[0] == "@"]
        ends = {"start": 0, "end": len(self.values) - 1}
        edge = next((ends[t] for t in part if t in ends), None) if self.kind != "pie" else None
        words = [t for t in part if isinstance(t, str)]
        rank = next((t[0] for t in part if isinstance(t, tuple)), 1)
        ranked = next((word for word in words if word in ("max", "min")), None)
        if ranked is None and any(isinstance(t, tuple) for t in part):
            ranked = "max"
        if ranked is None and "start" in words and named and self.kind != "line" and named[0] != 0:
            ranked, edge = "max", None
        numbers = [t for t in part if isinstance(t, float)]
        told = next((word for word in words if word in ("gt", "lt")), None)
        if not (ranked or numbers or told):
            if named:
                if self._pending:
                    self._settle(named[0])
                self.subject = named[0]
            return
        subject = named[0] if named else edge
        behind = len(part) > 1 and part[0] in ("gt", "lt") and (part[1] == "than" or str(part[1])[0] == "@")
        if subject is None or (behind and self.subject is not None):
            subject = self.subject
        if subject is None and (ranked or numbers):
            self._pending = part
            return
        if edge is not None and named and edge != subject and ("start" in words or "end" in words) and not ranked:
            self.claims.append(False)
        if subject is None:
            return
        self._state(subject, named, ranked, rank, numbers, told, words)
        self.subject = subject

    _pending: list[Any] | None = None

    def close(self) -> None:
        """ "The highest value is 20": a rank and a number, and no item for them."""
        ends = [word for word in self._pending or () if word in ("max", "min")]
        numbers = [token for token in self._pending or () if isinstance(token, float)]
        if ends and numbers:
            self.claims.append((max if ends[0] == "max" else min)(self.values) == numbers[0])

    def _settle(self, place: int) -> None:
        pending, self._pending = self._pending, None
        self._part([f"@{place}", *(pending or [])])

    def _state(
        self,
        subject: int,
        named: list[int],
        ranked: str | None,
        rank: int,
        numbers: list[float],
        told: str | None,
        words: list[str],
    ) -> None:
        value, before = self.values[subject], named[1:] if named and named[0] == subject else named
        negated = "not" in words
        made: list[bool] = []
        if told and before:
            made += [self._more(value, told, self.values[other]) for other in before]
        elif told and "other" in words:
            made.append(value == (max if told == "gt" else min)(self.values))
        elif told and numbers:
            made.append(self._more(value, told, numbers.pop(0)))
        elif told and "than" not in words and ranked is None and not numbers:
            return
        elif ranked:
            if "after" in words and before:
                rank = max(rank, 2)
                made += [self.values[other] > value for other in before] if ranked == "max" else []
            order = sorted(self.values, reverse=ranked == "max")
            made.append(rank <= len(order) and value == order[rank - 1])
        if numbers and not before:
            made.append(value in numbers)
        self.claims += [not made[0], *made[1:]] if negated and made else made


def _parts(found: list[Any]) -> list[list[Any]]:
    """The statements of a sentence: "and" and commas part them, but not the items that one is compared with."""
    parts: list[list[Any]] = [[]]
    for i, token in enumerate(found):
        if token in (",", "cut", "and"):
            told = any(word in parts[-1] for word in ("gt", "lt")) and any(str(t)[0] == "@" for t in parts[-1])
            following = found[i + 1 : i + 3]
            lone = (
                bool(following)
                and str(following[0])[0] == "@"
                and (len(following) == 1 or following[1] in (",", "and", "cut"))
            )
            if token == "and" and told and lone:
                continue
            parts.append([])
        else:
            parts[-1].append(token)
    # A rank or a number in front of its item stays with it: "after Friday, Tuesday is the strongest".
    if len(parts) > 1 and parts[0][:1] == ["after"]:
        after = parts.pop(0)
        parts[0] = [*parts[0], *after]
    # "One above the other": items that share what is said of the last of them.
    return [part for part in parts if part]


_ITEM, _NUM, _WAY = r"@\d+", r"#[\d.]+", "(rise|fall|lt|gt)"
_GROUP = rf"({_ITEM}(?:(?: ,| and)+ {_ITEM})+)"
_TIMES = rf"(x2|x3|x0\.5|times {_NUM})"
_TEST = Callable[[Reading, re.Match[str]], Any]
# What a form is and when it is true; some are read only in sentences that name no item.
_FORMS: tuple[tuple[re.Pattern[str], _TEST, bool], ...] = tuple(
    (re.compile(pattern), test, lone)
    for pattern, test, lone in (
        (
            rf"({_ITEM})(?: any)? (gt|lt) (?:than )?{_GROUP} sum",
            lambda r, m: r._more(r._of(m[1]), m[2], r._sum(m[3])),
            False,
        ),
        (rf"{_GROUP} (?:sum|eq) (?:to |as |, |rise )*({_NUM})", lambda r, m: r._sum(m[1]) == r._of(m[2]), False),
        (
            rf"{_GROUP} sum (gt|lt) (?:than )?({_ITEM}|{_NUM})",
            lambda r, m: r._more(r._sum(m[1]), m[2], r._of(m[3])),
            False,
        ),
        (
            rf"diff between ({_ITEM}) and ({_ITEM}) ({_NUM})",
            lambda r, m: abs(r._of(m[1]) - r._of(m[2])) == r._of(m[3]),
            False,
        ),
        (
            rf"range (?:from |between )?({_NUM}) (?:to|and) ({_NUM})",
            lambda r, m: (min(r.values), max(r.values)) == (r._of(m[1]), r._of(m[2])),
            False,
        ),
        (rf"all (?:part )?(gt|lt) (?:than )?({_NUM})", lambda r, m: r._count(m[1], m[2]) == len(r.values), False),
        (
            rf"end ({_NUM}) (?:part )?(gt|lt) (?:than )?({_NUM})",
            lambda r, m: all(r._more(v, m[2], r._of(m[3])) for v in r.values[-int(r._of(m[1])) :]),
            False,
        ),
        (
            rf"(?<!end )(?<!start )({_NUM}) (?:\S+ )?(gt|lt) (?:than )?({_NUM})",
            lambda r, m: r._count(m[2], m[3]) == r._of(m[1]),
            True,
        ),
        (r"any (?:\S+ )??gt #50", lambda r, m: max(r.values) > 50, True),
        (
            rf"not (gt|lt) (?:than )?({_ITEM})",
            lambda r, m: r._of(m[2]) == (max if m[1] == "gt" else min)(r.values),
            False,
        ),
        (
            rf"cmp (?:and )?(?:cut )?({_ITEM}) , ({_ITEM}) (gt|lt)",
            lambda r, m: r._more(r._of(m[2]), m[3], r._of(m[1])),
            False,
        ),
        (
            rf"(?<!than )(?<!gt )(?<!lt ){_GROUP} (gt|lt) (?:than )?({_ITEM})(?! and @| by)",
            lambda r, m: all(r._more(r._of(each), m[2], r._of(m[3])) for each in re.findall(_ITEM, m[1])),
            False,
        ),
        (rf"(rise|fall) between ({_ITEM}) and ({_ITEM})", lambda r, m: r._run(m[2], m[3], m[1]), False),
        (
            rf"({_ITEM}) between ({_ITEM}) and ({_ITEM})",
            lambda r, m: sorted((r._of(m[1]), r._of(m[2]), r._of(m[3])))[1] == r._of(m[1]),
            False,
        ),
        (rf"(rise|fall) after ({_ITEM})", lambda r, m: r._follows(m[1], m[2]), False),
        (rf"({_ITEM}) (gt|lt) (?:than )?near", lambda r, m: r._turns(int(m[1][1:]), 1 if m[2] == "gt" else -1), False),
        (rf"(?:from )?({_ITEM}) to ({_ITEM})(?: ,)?(?: \S+)?? {_WAY}", lambda r, m: r._run(m[1], m[2], m[3]), False),
        (rf"{_WAY}(?: \S+)?? from ({_ITEM}) to ({_ITEM})", lambda r, m: r._run(m[2], m[3], m[1]), False),
        (rf"{_WAY}(?: \S+){{0,3}}? until ({_ITEM})", lambda r, m: r._run("@0", m[2], m[1]), False),
        (
            rf"(rise|fall) from ({_NUM}) (?:fall )?to ({_NUM})(?: start #[\d.]+ part)?",
            lambda r, m: r._goes(r._of(m[2]), r._of(m[3])),
            False,
        ),
        (r"start (?:\S+ )??(rise|fall)", lambda r, m: r._follows(m[1], "@0"), True),
        (rf"dip (?:\S+ )??({_ITEM})", lambda r, m: r._turns(int(m[1][1:]), -1), False),
        (rf"bump (?:\S+ )??({_ITEM})", lambda r, m: r._turns(int(m[1][1:]), 1), False),
        (
            rf"({_ITEM}|end)(?: ,)?(?: #[\d.]+ ,)? {_TIMES} (?:(?:as|than|gt|to|,) )*({_ITEM}|start|end)",
            lambda r, m: r._times(m[1], m[2], m[3]),
            False,
        ),
        (rf"{_TIMES} (?:as )?({_ITEM}) as ({_ITEM})", lambda r, m: r._times(m[2], m[1], m[3]), False),
        (
            rf"{_GROUP} (?:\S+ )??eq|eq (?:\S+ )??{_GROUP}",
            lambda r, m: len({r._of(each) for each in re.findall(_ITEM, m[0])}) == 1,
            False,
        ),
        (
            rf"({_ITEM}) (gt|lt) (?:than )?({_ITEM}) by ({_NUM})",
            lambda r, m: r._of(m[1]) - r._of(m[3]) == (1 if m[2] == "gt" else -1) * r._of(m[4]),
            False,
        ),
        (
            rf"(gt|lt)(?: #[\d.]+)? ({_ITEM}) than ({_ITEM})",
            lambda r, m: r._more(r._of(m[2]), m[1], r._of(m[3])),
            False,
        ),
    )
)


def judge(sentences: Sequence[str], record: Mapping[str, Any]) -> bool | None:
    """Whether what sentences say of a chart is true; None if they say nothing that is understood."""
    reading = Reading(record)
    for sentence in sentences:
        reading.read(sentence)
    reading.close()
    return all(reading.claims) if reading.claims else None
