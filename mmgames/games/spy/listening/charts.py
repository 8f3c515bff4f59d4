"""Clues about charts: values, ranks, comparisons, ratios, sums and trends of the items that they name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from mmgames.games.spy.listening.chart_claims import ALL_FORMS
from mmgames.games.spy.listening.chart_items import ELSEWHERE as _ELSEWHERE
from mmgames.games.spy.listening.chart_items import HERE as _HERE
from mmgames.games.spy.listening.chart_items import placed
from mmgames.games.spy.listening.chart_values import ITEM, Values
from mmgames.games.spy.listening.chart_words import Number, tokens

_SORTED = re.compile(
    r"\b(?:ranked|sorted|ordered (?:by|from)|in order|ascending|descending|the order|ranking|to smallest|to "
    r"lowest|to largest|"
    r"top (?:two|three))\b"
)


_IN_TURN = re.compile(r"\b(?:ranked|sorted|order\w*|ascending|descending|ranking|to (?:small|low|large|high)est)\b")


class Reading(Values):
    """What sentences say of one chart."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        super().__init__(record)
        self.claims: list[bool] = []

    def read(self, sentence: str) -> None:
        for stated in placed(sentence, self.items):
            self.series = stated.series
            made = len(self.claims)
            self._read(stated.text)
            if stated.denied and len(self.claims) > made:
                self.claims[made:] = [not all(self.claims[made:])]

    def _read(self, sentence: str) -> None:
        found = tokens(sentence)
        if _HERE in sentence or _ELSEWHERE in sentence:
            self.claims.append(_ELSEWHERE not in sentence)
        if "@x" in found:
            if re.search(
                r"\b(?:no|without|not) (?:any |an? |the )?@x|@x (?:is|are) (?:not|missing|"
                r"absent)",
                sentence,
            ) or ("not" in found and len(found) <= 3):
                self.claims.append(True)
            elif len(found) > 1:
                self.claims.append(False)
            return
        if self._threshold(found) or self._everything(found):
            return
        if not self._shape(found) and not self._sorted(sentence, found):
            rest = self._whole(found)
            for part in _parts(rest):
                self._part(part)

    def _threshold(self, found: Sequence[Any]) -> bool:
        """ "Only tea is above 20", "no bar but tea exceeds 20", "two bars are below 10"."""
        text = list(found)
        words = [i for i, t in enumerate(text) if t in ("gt", "lt", "le", "geq", "ge")]
        least = len(words) == 2 and text[words[0]] in ("geq", "le") and words[0] < words[1] - 1
        if len(words) != 1 and not least:
            return False
        place = words[-1]
        after = [t for t in text[place + 1 : place + 3] if isinstance(t, Number)]
        items = {int(t[1:]) for t in text if isinstance(t, str) and t[0] == "@"}
        if not after or any(t in text[place + 1 :] for t in ("sum", "times")) or "sum" in text:
            return False
        beyond = self.beyond(text[place], after[0])
        counted = [t for t in text[:place] if isinstance(t, Number)]
        rest = set(self.items.pool(0, self.series)) - items
        if "exc" in text and items:
            self.claims.append(beyond == items if "not" in text else beyond == rest)
        elif "only" in text[:place] and items and not counted:
            self.claims.append(beyond == items)
        elif items or "other" in text:
            if "not" not in text or text[place] != "ge" or "exc" in text:
                return False
            self.claims.append(not items & beyond)
        elif "not" in text[:place]:
            self.claims.append(not beyond)
        elif share := next((word for word in ("halfpart", "mostpart", "fewpart") if word in text[:place]), None):
            more = 2 * len(beyond) - len(rest)
            self.claims.append(more == 0 if share == "halfpart" else more > 0 if share == "mostpart" else more < 0)
        elif counted and "start" not in text and "end" not in text:
            size = len(beyond)
            few = least and text[words[0]] == "le"
            self.claims.append(size <= counted[-1] if few else size >= counted[-1] if least else size == counted[-1])
        elif "any" in text[:place]:
            self.claims.append(len(beyond) == 1 if "only" in text[:place] else bool(beyond))
        else:
            return False
        return True

    def _everything(self, found: Sequence[Any]) -> bool:
        """ "All values add up to 75", "no two bars are equal"."""
        if any(isinstance(t, str) and t[0] == "@" for t in found):
            return False
        numbers = [t for t in found if isinstance(t, Number)]
        if "sum" in found and numbers and "max" not in found and "min" not in found:
            pool = [self.values[place] for place in self.items.pool(0, self.series)]
            self.claims.append(numbers[-1].fits(sum(pool)))
            return True
        if "not" in found and "eq" in found and numbers and found[:2] != ("not", 2.0):
            self.claims.append(not any(numbers[-1].fits(value) for value in self.values))
            return True
        if "not" in found and "eq" in found:
            self.claims.append(len(set(self.values)) == len(self.values))
            return True
        return False

    def _sorted(self, sentence: str, found: Sequence[Any]) -> bool:
        """ "From largest to smallest: water, tea, coffee"."""
        places = [int(t[1:]) for t in found if isinstance(t, str) and t[0] == "@"]
        if len(places) < 2 or not _SORTED.search(sentence) or "after" in found:
            return False
        rising = re.search(r"\b(?:smallest|lowest|least) to|ascending|bottom (?:two|three)", sentence)
        order = sorted(self.items.pool(places[0], self.series), key=self.all_values.__getitem__, reverse=not rising)
        if re.search(r"\b(?:ascending|descending)\b", sentence):
            order = [place for place in order if place in places]
        first = order[: len(places)]
        in_turn = first == places
        any_turn = re.fullmatch(r".*\btop (?:two|three)\b.*", sentence) and not _IN_TURN.search(sentence)
        self.claims.append(set(first) == set(places) if any_turn else in_turn)
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
                self.claims.append(count in (len(self.items.names), self.items.bars))
                return True
        for token, kind in (("barchart", "bar"), ("linechart", "line"), ("piechart", "pie")):
            if token in found and not any(isinstance(t, str) and t[0] == "@" for t in found):
                self.claims.append(self.kind == kind)
                return True
        return False

    def _whole(self, found: Sequence[Any]) -> list[Any]:
        """Take the forms that name several items, or none; what is left is read part by part."""
        text = " ".join(
            t if isinstance(t, str) else f"#{t:g}{t.near}" if isinstance(t, Number) else f"r{t[0]}" for t in found
        )
        lone = "@" not in text
        for pattern, test, wants_no_item in ALL_FORMS:
            while (match := pattern.search(text)) and (lone or not wants_no_item):
                if (truth := test(self, match)) is None:
                    break
                self.claims.append(bool(truth))
                if first := re.search(ITEM, match[0]):
                    self.subject = int(first[0][1:])
                text = f"{text[: match.start()]} , {text[match.end() :]}"
        return [self._back(part) for part in text.split()]

    def _back(self, part: str) -> Any:
        if part[0] == "#":
            return Number(part[1:].rstrip("<>~")).near_by(part[-1] if part[-1] in "<>~" else "")
        return (int(part[1:]),) if re.fullmatch(r"r\d+", part) else part

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
        numbers = [t for t in part if isinstance(t, Number)]
        told = next((word for word in words if word in ("gt", "lt")), None)
        if not (ranked or numbers or told):
            if named:
                if self._pending:
                    self._settle(named[0])
                self.subject = named[0]
            return
        subject = named[0] if named else edge
        behind = len(part) > 1 and part[0] in ("gt", "lt") and part[1] == "than"
        if "after" in part and len(named) == 1 and ranked:  # "the second highest after Friday"
            behind |= part.index("after") < part.index(f"@{named[0]}")
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
        numbers = [token for token in self._pending or () if isinstance(token, Number)]
        if ends and numbers:
            pool = [self.all_values[each] for each in self.items.pool(0, self.series)]
            best = (max if ends[0] == "max" else min)(pool)
            named = f"{numbers[0]:g} h"  # "the peak is at 12" may tell the hour
            at_hour = named in self.items.names and self.values[self.items.names.index(named)] == best
            self.claims.append(numbers[0].fits(best) or at_hour)

    def _settle(self, place: int) -> None:
        pending, self._pending = self._pending, None
        self._part([f"@{place}", *(pending or [])])

    def _state(
        self,
        subject: int,
        named: list[int],
        ranked: str | None,
        rank: int,
        numbers: list[Number],
        told: str | None,
        words: list[str],
    ) -> None:
        value, before = self.all_values[subject], named[1:] if named and named[0] == subject else named
        negated = "not" in words
        made: list[bool] = []
        if told and before:
            made += [self.more(value, told, self.all_values[other]) for other in before]
        elif told and "other" in words:
            made.append(value == (max if told == "gt" else min)(self.rivals(subject)))
        elif told and numbers:
            made.append(self.more(value, told, numbers.pop(0)))
        elif told and "it" in words and self.subject is not None and self.subject != subject:
            made.append(self.more(value, told, self.all_values[self.subject]))
        elif told and "than" not in words and ranked is None and not numbers:
            return
        elif ranked:
            if "after" in words and before:
                rank = max(rank, 2)
                made += [self.all_values[other] > value for other in before] if ranked == "max" else []
            order = sorted(self.rivals(subject), reverse=ranked == "max")
            made.append(rank <= len(order) and value == order[rank - 1])
        if numbers and not before:
            made.append(any(self.fits(number, value) for number in numbers))
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
            if _begins_pair(parts[-1], found[i : i + 2]):
                parts.append([])
            parts[-1].append(token)
    # A rank or a number in front of its item stays with it: "after Friday, Tuesday is the strongest".
    if len(parts) > 1 and parts[0][:1] == ["after"]:
        after = parts.pop(0)
        parts[0] = [*parts[0], *after]
    # "One above the other": items that share what is said of the last of them.
    return [part for part in parts if part]


def _begins_pair(part: list[Any], ahead: list[Any]) -> bool:
    """Whether "oak 20 ash 15" begins anew."""
    told = len(part) == 2 and str(part[0])[0] == "@" and isinstance(part[1], Number)
    return told and len(ahead) == 2 and str(ahead[0])[0] == "@" and isinstance(ahead[1], Number)


def judge(sentences: Sequence[str], record: Mapping[str, Any]) -> bool | None:
    """Whether what sentences say of a chart is true; None if they say nothing that is understood."""
    reading = Reading(record)
    for sentence in sentences:
        reading.read(sentence)
    reading.close()
    return all(reading.claims) if reading.claims else None
