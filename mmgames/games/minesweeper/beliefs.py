"""Where mines can be: exact counts of all placements that agree with what is shown.

Each shown number asks for so many mines among its closed neighbours. Closed cells that stand beside the same numbers
are alike and form a patch; patches that share numbers form a part of the field, and the cells beside no number are a
part of their own. A part is counted patch by patch. All that matters of the patches behind is how many mines each
number still asks for and how many were used, so placements that agree in these are counted together.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np

from mmgames.errors import MmgamesError
from mmgames.games.minesweeper.field import HIDDEN, MINE, neighbours

Key = tuple[tuple[int, ...], int]
"""What each number of a part still asks for, and the mines used so far."""


class Beliefs:
    """All placements of `total` mines that agree with a field. In the game they are equally likely."""

    def __init__(self, side: int, total: int, cells: Sequence[int]) -> None:
        around = neighbours(side)
        self.shown = tuple(cell for cell, code in enumerate(cells) if code == MINE)
        self.left = total - len(self.shown)
        asks: dict[int, int] = {}
        beside: dict[int, list[int]] = {cell: [] for cell, code in enumerate(cells) if code == HIDDEN}
        for cell, code in enumerate(cells):
            if 0 <= code < MINE:
                asks[cell] = code - sum(cells[near] == MINE for near in around[cell])
                for near in around[cell]:
                    if near in beside:
                        beside[near].append(cell)
        asked = {number for numbers in beside.values() for number in numbers}
        agrees = not any(asks[number] for number in asks if number not in asked)
        self.parts = [_Part(patches, asks, self.left) for patches in _parts(beside)] if agrees else []
        # after[i]: mines -> placements of so many on the parts from the i-th on
        self.after: list[dict[int, int]] = [{0: 1}]
        for part in reversed(self.parts):
            self.after.append(_product(part.ways, self.after[-1], self.left))
        self.after.reverse()
        self.placements: int = self.after[0].get(self.left, 0) if agrees else 0
        """How many there are; 0 where the numbers contradict each other."""

    def risks(self) -> dict[int, float]:
        """The probability of a mine for every closed cell; 0.0 and 1.0 are certain."""
        self._check()
        risks: dict[int, float] = {}
        before = {0: 1}
        for part, after in zip(self.parts, self.after[1:], strict=True):
            others = _product(before, after, self.left)
            weights = {mines: others.get(self.left - mines, 0) for mines in part.ways}
            for patch, mines in zip(part.patches, part.mines(weights), strict=True):
                # Whole numbers of any size divide to the nearest float, so only what is certain comes out so.
                risks.update(dict.fromkeys(patch.cells, mines / (self.placements * len(patch.cells))))
            before = _product(before, part.ways, self.left)
        return risks

    def sample(self, rng: np.random.Generator) -> tuple[int, ...]:
        """The mines of one placement, each with equal probability, in order."""
        self._check()
        mines, left = list(self.shown), self.left
        for part, after in zip(self.parts, self.after[1:], strict=True):
            used = _draw({own: ways * after.get(left - own, 0) for own, ways in part.ways.items()}, rng)
            mines += part.sample(used, rng)
            left -= used
        return tuple(sorted(mines))

    def each(self) -> Iterator[tuple[int, ...]]:
        """The mines of every placement, in order; look at `placements` first."""

        def lay(index: int, left: int) -> Iterator[tuple[int, ...]]:
            if index == len(self.parts):
                yield self.shown
                return
            for used in self.parts[index].ways:
                if self.after[index + 1].get(left - used):
                    for rest in lay(index + 1, left - used):
                        for own in self.parts[index].each(used):
                            yield (*rest, *own)

        if self.placements:
            yield from (tuple(sorted(mines)) for mines in lay(0, self.left))

    def _check(self) -> None:
        if not self.placements:
            raise MmgamesError("The field contradicts itself: no placement of the mines agrees with all its numbers.")


class _Patch(NamedTuple):
    cells: tuple[int, ...]
    numbers: tuple[int, ...]  # places in its part's list of numbers
    room: tuple[int, ...]  # for each of these, the cells beside it that belong to later patches


class _Part:
    """Patches that share numbers, and the placements on them by the number of mines."""

    def __init__(self, patches: Sequence[tuple[tuple[int, ...], tuple[int, ...]]], asks: Mapping[int, int], most: int):
        ordered = sorted(patches)  # row by row, which leaves few numbers half counted at any time
        numbers = sorted({number for _, beside in ordered for number in beside})
        room = {number: sum(len(cells) for cells, beside in ordered if number in beside) for number in numbers}
        self.patches: list[_Patch] = []
        for cells, beside in ordered:
            for number in beside:
                room[number] -= len(cells)
            places = tuple(numbers.index(number) for number in beside)
            self.patches.append(_Patch(cells, places, tuple(room[number] for number in beside)))
        self.most = most
        # layers[i]: for each key, the placements on the first i patches that lead to it
        self.layers: list[dict[Key, int]] = [{(tuple(asks[number] for number in numbers), 0): 1}]
        for patch in self.patches:
            layer: dict[Key, int] = {}
            for key, count in self.layers[-1].items():
                for mines, after in self._steps(patch, key):
                    layer[after] = layer.get(after, 0) + count * comb(len(patch.cells), mines)
            self.layers.append(layer)
        self.done = (0,) * len(numbers)
        self.ways = {used: count for (_, used), count in self.layers[-1].items()}

    def _steps(self, patch: _Patch, key: Key) -> Iterator[tuple[int, Key]]:
        """The mines a patch can hold, and what comes of each."""
        asked, used = key
        for mines in range(min(len(patch.cells), self.most - used) + 1):
            rest = list(asked)
            for number, room in zip(patch.numbers, patch.room, strict=True):
                rest[number] -= mines
                if not 0 <= rest[number] <= room:
                    break
            else:
                yield mines, (tuple(rest), used + mines)

    def _before(self, index: int, key: Key) -> Iterator[tuple[int, Key, int]]:
        """What can have come before a key: mines in the patch, the earlier key, and its placements."""
        patch = self.patches[index]
        asked, used = key
        for mines in range(len(patch.cells) + 1):
            earlier = list(asked)
            for number in patch.numbers:
                earlier[number] += mines
            before = (tuple(earlier), used - mines)
            if before in self.layers[index]:
                yield mines, before, self.layers[index][before]

    def mines(self, weights: Mapping[int, int]) -> list[int]:
        """The mines of each patch, summed over all placements; those with n mines in this part count weights[n]."""
        ahead = {key: weights[key[1]] for key in self.layers[-1]}
        sums = []
        for patch, layer in zip(reversed(self.patches), reversed(self.layers[:-1]), strict=True):
            here: dict[Key, int] = {}
            total = 0
            for key, count in layer.items():
                here[key] = 0
                for mines, after in self._steps(patch, key):
                    follow = comb(len(patch.cells), mines) * ahead[after]
                    here[key] += follow
                    total += count * follow * mines
            ahead = here
            sums.append(total)
        return sums[::-1]

    def sample(self, used: int, rng: np.random.Generator) -> list[int]:
        """A placement of so many mines, each with equal probability."""
        key, laid = (self.done, used), []
        for index in reversed(range(len(self.patches))):
            cells = self.patches[index].cells
            options = {(mines, before): ways for mines, before, ways in self._before(index, key)}
            mines, key = _draw({option: ways * comb(len(cells), option[0]) for option, ways in options.items()}, rng)
            laid += rng.choice(cells, mines, replace=False).tolist()
        return laid

    def each(self, used: int) -> Iterator[tuple[int, ...]]:
        """Every placement of so many mines."""

        def lay(index: int, key: Key) -> Iterator[tuple[int, ...]]:
            if index < 0:
                yield ()
                return
            for mines, before, _ in self._before(index, key):
                for rest in lay(index - 1, before):
                    for own in combinations(self.patches[index].cells, mines):
                        yield (*rest, *own)

        return lay(len(self.patches) - 1, (self.done, used))


def _parts(beside: Mapping[int, Sequence[int]]) -> list[list[tuple[tuple[int, ...], tuple[int, ...]]]]:
    """The patches, each as its cells and the numbers beside them, grouped by the numbers they share."""
    patches: dict[tuple[int, ...], list[int]] = {}
    for cell, numbers in beside.items():
        patches.setdefault(tuple(numbers), []).append(cell)
    parts: list[tuple[set[int], list[tuple[tuple[int, ...], tuple[int, ...]]]]] = []
    for numbers, cells in patches.items():
        joined, members = set(numbers), [(tuple(cells), numbers)]
        apart = []
        for part in parts:
            if part[0] & joined:
                joined |= part[0]
                members = part[1] + members
            else:
                apart.append(part)
        parts = [*apart, (joined, members)]
    return [members for _, members in parts]


def _product(one: Mapping[int, int], other: Mapping[int, int], most: int) -> dict[int, int]:
    """Ways to lay mines on two grounds, by their number together."""
    ways: dict[int, int] = {}
    for mines, count in one.items():
        for more, times in other.items():
            if mines + more <= most:
                ways[mines + more] = ways.get(mines + more, 0) + count * times
    return ways


def _draw(weights: Mapping, rng: np.random.Generator):  # type: ignore[type-arg]
    """A key with a probability in proportion to its weight, a whole number of any size."""
    total = sum(weights.values())
    length = (total.bit_length() + 7) // 8
    # Numbers of this length are drawn until one falls into the largest range that `total` divides evenly.
    even = 256**length // total * total
    while (drawn := int.from_bytes(rng.bytes(length), "little")) >= even:
        pass
    drawn %= total
    for key, weight in weights.items():
        drawn -= weight
        if drawn < 0:
            return key
    raise AssertionError("the weights sum up to more than was drawn")
