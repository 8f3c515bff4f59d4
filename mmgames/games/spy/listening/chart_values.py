"""The values of a chart, and what can be asked of them: sums, ranks, ratios, and how they go up and down."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from mmgames.games.spy.listening.chart_items import items_of, listed
from mmgames.games.spy.listening.chart_words import Number

ITEM, NUM, WAY = r"@\d+", r"#[\d.]+[<>~]?", "(rise|fall|lt|gt)"


class Values:
    """The values of one chart by their places ("@3") and by what is said of them ("#40")."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self.kind = record["kind"]
        self.items = items_of(tuple(record["table"]))
        self.all_values = self.items.values(record["table"])  # of the bars, and of what they come to together
        self.values = self.all_values[: self.items.bars]
        self.scale = {"hundred": 100.0, "thousand": 1000.0}.get(record.get("unit", "").split(" ")[0], 1.0)
        self.series: int | None = None
        self.subject: int | None = None  # the place that was spoken of last

    def of(self, name: str) -> float:
        """The value of an item, or a number, or the first or the last value."""
        if name[0] == "#":
            return float(name[1:].rstrip("<>~"))
        return self.values[0 if name == "start" else -1] if name[0] != "@" else self.all_values[int(name[1:])]

    def run(self, one: str, other: str, word: str) -> bool:
        """Whether values rise, or fall, all the way from one item to another."""
        first, last = sorted((int(one[1:]), int(other[1:])))
        if self.items.series:
            return self.more(self.of(other), word, self.of(one))
        return all(self.more(y, word, x) for x, y in pairwise(self.values[first : last + 1]))

    def sum(self, group: str) -> float:
        return sum(self.all_values[place] for place in listed(re.findall(ITEM, group)))

    def best(self, count: str, word: str, named: str) -> bool:
        """ "The two highest are eel with 50 and trout with 40"."""
        places = listed(re.findall(ITEM, named))
        order = sorted(self.items.pool(places[0], self.series), key=self.all_values.__getitem__, reverse=word == "max")
        told = [(int(item), float(value)) for item, value in re.findall(r"@(\d+) #([\d.]+)", named)]
        fine = all(self.all_values[place] == value for place, value in told)
        return fine and int(self.of(count)) == len(places) and set(order[: len(places)]) == set(places)

    def rank(self, place: int, word: str) -> bool:
        """Whether the item at a place is the highest, or the lowest."""
        return place < len(self.values) and self.values[place] == (max if word == "max" else min)(self.values)

    def into(self, word: str, place: int) -> bool:
        """Whether the values rise, or fall, to an item from the one before."""
        return 0 < place < len(self.values) and self.more(self.values[place], word, self.values[place - 1])

    def more(self, one: float, word: str, other: float) -> bool:
        return one > other if word in ("gt", "rise") else one < other

    def goes(self, first: float, then: float) -> bool:
        """Whether one value comes before another."""
        return first in self.values and then in self.values[self.values.index(first) :]

    def turns(self, place: int, sign: int) -> bool:
        near = [self.values[i] for i in (place - 1, place + 1) if 0 <= i < len(self.values)]
        return all((self.values[place] - other) * sign > 0 for other in near)

    def factor(self, word: str) -> float:
        return float(word[1:]) if word[0] == "x" else float(word.split("#")[1].rstrip("<>~"))

    def times(self, one: str, word: str, other: str) -> bool:
        return abs(self.of(one) - self.factor(word) * self.of(other)) < 0.01 * self.of(other)

    def follows(self, word: str, name: str) -> bool:
        place = int(name[1:]) + 1
        return place < len(self.values) and self.more(self.values[place], word, self.of(name))

    def count(self, word: str, number: str) -> int:
        return sum(self.more(value, word, self.of(number)) for value in self.values)

    def rivals(self, place: int) -> list[float]:
        """The values that an item is ranked among."""
        return [self.all_values[each] for each in self.items.pool(place, self.series)]

    def fits(self, number: Number, value: float) -> bool:
        """Whether a value is what is said, in the chart's unit or in ones."""
        return number.fits(value) or (self.scale > 1 and number.fits(value * self.scale))

    def outweighs(self, place: int) -> bool:
        """Whether an item has more than all others together."""
        rest = sum(self.rivals(place)) - self.all_values[place]
        return self.all_values[place] > rest

    def change(self, place: int) -> float | None:
        """How much an item changes from one series to the next; None where there is one series."""
        name = place - self.items.bars
        if not self.items.series or not 0 <= name < len(self.items.names):
            return None
        return self.values[name + len(self.items.names)] - self.values[name]

    def only_change(self, place: int, word: str) -> bool:
        """Whether an item alone rises, or falls, from one series to the next."""
        found = [self.change(each) or 0 for each in self.items.pool(self.items.bars, None)]
        ups = [(value > 0) == (word == "rise") for value in found]
        return ups.count(True) == 1 and place >= self.items.bars and ups[place - self.items.bars]

    def most_changed(self, place: int, word: str) -> bool:
        found = [self.change(each) or 0 for each in self.items.pool(self.items.bars, None)]
        return self.change(place) == (max if word == "rise" else min)(found)

    def changed_by(self, place: int, word: str, number: float) -> bool:
        change = self.change(place)
        return change == (number if word == "rise" else -number)

    def changes(self, one: str, word: str, other: str) -> bool:
        """Whether the greatest rise, or fall, from one item to the next is that between these two."""
        steps = [later - before for before, later in pairwise(self.values)]
        place = int(one[1:])
        if int(other[1:]) != place + 1 or place >= len(steps):
            return False
        return steps[place] == (max if word == "rise" else min)(steps)

    def to_the_end(self, one: str, word: str) -> bool:
        """Whether values rise, or fall, from an item on."""
        last = len(self.values) - 1
        return int(one[1:]) < last and self.run(one, f"@{last}", word)

    def at_least(self, item: str, word: str, number: float) -> bool:
        """Whether an item has at least so much, or at most."""
        return self.of(item) >= number if word == "geq" else self.of(item) <= number

    def alone(self, place: int, word: str, other: str) -> bool:
        """Whether an item, and no other one, is above another."""
        pool = self.items.pool(place, self.series)
        return [each for each in pool if self.more(self.all_values[each], word, self.of(other))] == [place]

    def ranked(self, item: str, word: str) -> int:
        """The place of an item among its rivals, from the highest or the lowest."""
        rivals = self.rivals(int(item[1:]))
        return 1 + sum(self.more(each, "gt" if word == "max" else "lt", self.of(item)) for each in rivals)

    def so_many(self, word: str, item: str, number: float, least: bool) -> bool:
        """Whether so many items, or at least so many, are above one."""
        found = sum(self.more(each, word, self.of(item)) for each in self.rivals(int(item[1:])))
        return found >= number if least else found == number

    def than_other_series(self, place: int, word: str) -> bool | None:
        """Whether an item has more in one series than in the other; None where there are not two."""
        if len(self.items.series) != 2 or place >= self.items.bars:
            return None
        wide = len(self.items.names)
        return self.more(self.values[place], word, self.values[(place + wide) % self.items.bars])

    def goes_on(self, place: int, word: str) -> bool | None:
        """Whether an item rises, or falls, from one series to the next; None where there is one series."""
        change = self.change(place)
        return None if change is None else change > 0 if word == "rise" else change < 0

    def inside(self, place: int) -> bool:
        """Whether an item is neither the highest nor the lowest."""
        return min(self.rivals(place)) < self.all_values[place] < max(self.rivals(place))

    def in_order(self, items: list[str], rising: bool) -> bool:
        """Whether items are the first ones by their values, in this order."""
        pool = self.items.pool(int(items[0][1:]), self.series)
        return sorted(pool, key=self.all_values.__getitem__, reverse=not rising)[: len(items)] == listed(items)

    def average(self, item: str) -> float:
        rivals = self.rivals(int(item[1:]))
        return sum(rivals) / len(rivals)

    def beside(self, place: int, word: str, step: int) -> bool:
        """Whether an item is above the one before it, or behind it."""
        near = place + step
        return 0 <= near < len(self.values) and self.more(self.of(f"@{place}"), word, self.values[near])

    def each_told(self, text: str) -> bool:
        """Whether the numbers that stand behind items are theirs."""
        return all(self.of(item) == self.of(told) for item, told in re.findall(rf"({ITEM})(?: cut| ,)* ({NUM})", text))

    def extreme(self, word: str) -> float:
        return max(self.values) if word == "max" else min(self.values)

    def steps_by(self, one: str, other: str, word: str, number: float) -> bool:
        """Whether a value is so much above another, or below."""
        return self.of(other) - self.of(one) == (number if word == "rise" else -number)

    def never(self, word: str) -> bool:
        return not any(self.more(later, word, before) for before, later in pairwise(self.values))

    def over_series(self, place: int) -> list[float]:
        """The values of an item in one series after the other."""
        name = place - self.items.bars
        return self.values[name :: len(self.items.names)] if self.items.series and name >= 0 else []

    def every_change(self, one: str, other: str, word: str) -> bool:
        """Whether all items rise, or fall, from one series to the other."""
        wide = len(self.items.names)
        first, last = (int(each[1:]) - self.items.bars - wide for each in (one, other))
        if not self.items.series or min(first, last) < 0:
            return self.run(one, other, word)
        pairs = zip(self.values[first * wide :][:wide], self.values[last * wide :][:wide], strict=True)
        return all(self.more(then, word, before) for before, then in pairs)

    def beyond(self, word: str, number: float) -> set[int]:
        """The places of the values that are above a number, or below."""
        tests = {
            "gt": lambda value: value > number,
            "lt": lambda value: value < number,
            "le": lambda value: value <= number,
            "geq": lambda value: value >= number,
            "ge": lambda value: value >= number,
        }
        return {place for place in self.items.pool(0, self.series) if tests[word](self.values[place])}

    def passes(self, item: str, word: str, number: str) -> bool:
        """Whether an item is above a number, or below, or at least that."""
        value, told = self.of(item), self.of(number)
        return {"gt": value > told, "lt": value < told, "geq": value >= told, "le": value <= told}[word]
