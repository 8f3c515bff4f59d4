"""Phrases about the bars of a chart."""

from __future__ import annotations

from mmgames.games.spy.listening.claims import AllOf, Best, Claim, Compare, Has, Measured, OneOf, Selection, Without
from mmgames.games.spy.listening.phrases import Dims, Phrase

BARS = Has("level", ("bar",))


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
        if self.dims.keys() == {"series"} and self.noun.startswith(("total", "overall")):
            return "series"
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
        counting = 2 * (self.number is not None and not self.ranks) + bool(self.quantity)
        return len(self.ranks) + len(self.parts) + 2 * len(self.compared) + bool(self.dims) + counting

    @property
    def what(self) -> Selection:
        pool: list[Selection] = []
        if self.dims or self.ranks or self.stacked or self.noun not in ("", "@u", "one"):
            pool.append(Has("level", (self.level,)))
        if "series" in self.dims and self.level != "stack":
            pool.append(Has("series", self.dims["series"]))
        chosen = [*pool, *self.parts]
        for key, sign, rank in self.ranks:
            chosen.append(Best(key, -sign if rank < 0 else sign, AllOf(tuple(pool)), abs(rank), int(self.number or 1)))
        if "item" in self.dims:
            chosen.append(Has("item", self.dims["item"]))
        chosen += [Measured(relation, more, anchor.what, factor) for relation, more, factor, anchor in self.compared]
        excepted = tuple(each.what for each in self.excepted if each.dims)
        return Without(AllOf(tuple(chosen)), OneOf(excepted)) if excepted else AllOf(tuple(chosen))

    def of_sum(self, whole: Selection) -> list[Claim]:
        """What it says, when it is said of several bars together."""
        claims: list[Claim] = [
            Compare(whole, each.relation, None, 1, each.number) for each in self.parts if isinstance(each, Measured)
        ]
        return [
            *claims,
            *(Compare(whole, how, anchor.what, factor, more) for how, more, factor, anchor in self.compared),
        ]
