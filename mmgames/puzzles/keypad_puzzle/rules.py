"""KeypadPuzzle: press four keys in the order in which their symbols stand in a column of the manual."""

from collections.abc import Mapping
from itertools import permutations
from typing import Any, ClassVar, NamedTuple

import numpy as np

from mmgames.puzzles._conversation.manuals import ManualPuzzle
from mmgames.puzzles._conversation.rules import Outcome
from mmgames.puzzles._conversation.starts import demand, taken
from mmgames.puzzles.keypad_puzzle import manual as book
from mmgames.puzzles.keypad_puzzle.manual import PLACES, STANDARD, Manual, right_order

NAMES = tuple(f"press_{place}_button" for place in PLACES)
KEYS = len(PLACES)


class Press(NamedTuple):
    """A press of the past: how many keys were down before it, which key it was and whether it was right."""

    after: int
    key: int
    right: bool


class Pad(NamedTuple):
    """The symbols of the keys in the order of PLACES, and the keys that are down, in the order they were pressed."""

    symbols: tuple[str, ...]
    down: tuple[int, ...] = ()
    latest: int = 0  # how many keys were down after the latest right press
    past: tuple[Press, ...] = ()
    manual: Manual | None = STANDARD

    @property
    def right_keys(self) -> tuple[int, ...]:
        """The keys in the order to press them."""
        assert self.manual is not None, "only who has the manual knows"
        order = right_order(self.symbols, self.manual)
        assert order is not None, "a keypad has symbols of one column"
        return tuple(self.symbols.index(symbol) for symbol in order)


class KeypadPuzzle(ManualPuzzle):
    keeps_best = True
    manuals = book
    action_names = NAMES
    released_order = (*NAMES[::2], *NAMES[1::2])  # column by column
    start_fields: ClassVar = {"symbols": list}

    def device_with(self, manual: Manual, rng: np.random.Generator) -> Pad:
        column = manual[int(rng.integers(len(manual)))]
        return Pad(tuple(column[i] for i in rng.permutation(len(column))[:KEYS]), manual=manual)

    def effort(self, device: Pad) -> float:
        """The columns in which the symbols have to be looked for."""
        assert device.manual is not None and device.right_keys
        return sum(symbol in column for column in device.manual for symbol in device.symbols)

    def for_all_the_solver_knows(self, device: Pad, rng: np.random.Generator) -> Pad:
        if not self.shuffles:
            return device
        orders = [
            keys
            for keys in permutations(range(KEYS))
            if all((keys[press.after] == press.key) == press.right for press in device.past)
        ]
        keys = orders[int(rng.integers(len(orders)))]
        return device._replace(manual=book.shuffled(rng, [device.symbols[key] for key in keys]))

    def shown(self, device: Pad) -> Pad:
        return device._replace(latest=0, past=(), manual=None)

    def device_from(self, start: Mapping[str, Any]) -> Pad:
        found = taken(start, **self.start_fields)
        demand(len(found["symbols"]) == KEYS and right_order(found["symbols"], STANDARD), "its symbols share no column")
        return Pad(**found)

    def released_start(self, facts: Mapping[str, Any]) -> Mapping[str, Any]:
        column, places = facts["strip_num"], facts["image_nums"]
        demand(column in range(len(STANDARD)), f"strip_num is 0 to {len(STANDARD) - 1}")
        demand(all(place in range(len(STANDARD[column])) for place in places), "image_nums are places in a column")
        return {"symbols": [STANDARD[column][place] for place in places]}

    def do(self, device: Pad, name: str, rng: np.random.Generator) -> Outcome:
        key, after = NAMES.index(name), len(device.down)
        right = key == device.right_keys[after]
        past = (*device.past, Press(after, key, right))
        if not right:
            return Outcome(device._replace(down=(), past=past), True, "cleared" if device.down else "")
        return Outcome(device._replace(down=(*device.down, key), latest=after + 1, past=past), note="right")

    def solved(self, device: Pad) -> bool:
        return len(device.down) == KEYS

    def partial(self, device: Pad) -> float:
        return (device.latest if self.released else len(device.down)) / KEYS
