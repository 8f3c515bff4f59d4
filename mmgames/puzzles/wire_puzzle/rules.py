"""WirePuzzle: cut the one wire that the manual names for these colours and this serial number."""

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from mmgames.puzzles._conversation.manuals import TRIES, ManualPuzzle
from mmgames.puzzles._conversation.rules import Outcome
from mmgames.puzzles._conversation.starts import demand, known, taken
from mmgames.puzzles.wire_puzzle import manual as book
from mmgames.puzzles.wire_puzzle.manual import COLOURS, FEWEST, MOST, STANDARD, Manual, right_wire

LETTERS = "ABCDEFGHJKLNPRSTUVXYZ"  # no I, O or Q, which look like digits, and no wide M or W
SERIAL_LENGTH = 6
RELEASED_SERIAL = "123456"  # of every device that COMMA released
NAMES = {count: tuple(f"cut_wire_{number}" for number in range(1, count + 1)) for count in range(FEWEST, MOST + 1)}


class Panel(NamedTuple):
    """Wires from top to bottom, which of them are cut, and a serial number whose last sign is a digit."""

    wires: tuple[str, ...]
    cut: tuple[bool, ...]
    serial: str
    manual: Manual | None = STANDARD

    @property
    def odd(self) -> bool:
        return int(self.serial[-1]) % 2 == 1

    @property
    def right_wire(self) -> int:
        assert self.manual is not None, "only who has the manual knows"
        return right_wire(self.wires, self.odd, self.manual)


class WirePuzzle(ManualPuzzle):
    manuals = book
    start_fields: ClassVar = {"wires": list, "serial": str}

    def device_with(self, manual: Manual, rng: np.random.Generator) -> Panel:
        count = int(rng.integers(FEWEST, MOST + 1))
        wires = tuple(COLOURS[i] for i in rng.integers(len(COLOURS), size=count))
        signs = LETTERS + "0123456789"
        serial = "".join(signs[i] for i in rng.integers(len(signs), size=SERIAL_LENGTH - 1))
        digit = 2 * int(rng.integers(5)) if self.released else int(rng.integers(10))
        return Panel(wires, (False,) * count, f"{serial}{digit}", manual)

    def effort(self, device: Panel) -> float:
        """The wires to tell of, and the rules to read."""
        assert device.manual is not None and device.right_wire
        return len(device.wires) + book.deciding_rule(device.wires, device.odd, device.manual)

    def part(self, manual: Manual, expert: int) -> Manual:
        """The first has the lists for few wires, the second those for many; the others are empty."""
        return tuple(rules if number // 2 == expert else () for number, rules in enumerate(manual))

    def for_all_the_solver_knows(self, device: Panel, rng: np.random.Generator) -> Panel:
        solved = self.solved(device)
        for _ in range(TRIES if self.shuffles else 0):
            other = device._replace(manual=book.shuffled(rng))
            if other.right_wire == device.right_wire if solved else not self.solved(other):
                return other
        return device

    def device_from(self, start: Mapping[str, Any]) -> Panel:
        found = taken(start, **self.start_fields)
        known(found["wires"], COLOURS, "colour of a wire")
        demand(FEWEST <= len(found["wires"]) <= MOST, f"there are {FEWEST} to {MOST} wires")
        demand(found["serial"][-1:].isdigit(), "a serial number ends in a digit")
        return Panel(found["wires"], (False,) * len(found["wires"]), found["serial"])

    def released_start(self, facts: Mapping[str, Any]) -> Mapping[str, Any]:
        demand(facts["n_wires"] == len(facts["colors"]), "it has another number of colors than n_wires")
        return {"wires": facts["colors"], "serial": RELEASED_SERIAL}

    def situation(self, device: Panel) -> Any:
        return device._replace(cut=())

    def names(self, device: Panel) -> tuple[str, ...]:
        return NAMES[len(device.wires)]

    def do(self, device: Panel, name: str, rng: np.random.Generator) -> Outcome:
        number = self.names(device).index(name) + 1
        if device.cut[number - 1]:
            return Outcome(device, True, "already cut")
        cut = tuple(was or at == number for at, was in enumerate(device.cut, 1))
        return Outcome(device._replace(cut=cut), number != device.right_wire)

    def solved(self, device: Panel) -> bool:
        return True in device.cut and device.cut[device.right_wire - 1]
