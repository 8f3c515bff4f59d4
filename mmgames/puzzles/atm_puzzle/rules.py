"""AtmPuzzle: make the transaction that the manual demands for a balance that only the solver may know."""

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from mmgames.puzzles._conversation.manuals import TRIES, ManualPuzzle
from mmgames.puzzles._conversation.rules import Outcome
from mmgames.puzzles._conversation.starts import demand, taken
from mmgames.puzzles.atm_puzzle import manual as book
from mmgames.puzzles.atm_puzzle.manual import DEPOSIT, HIGHEST, KINDS, STANDARD, Manual, Transaction, right_transaction

UP, DOWN, ENTER, DELETE = "press_up_arrow", "press_down_arrow", "press_enter", "press_delete"
DIGITS = tuple(f"press_{digit}" for digit in range(10))
NAMES = (*DIGITS, UP, DOWN, ENTER, DELETE)
MENU, PIN, AMOUNT, DONE = SCREENS = ("menu", "pin", "amount", "done")
"""Each screen but the last has two lines to choose from: deposit or withdrawal, the PIN or back, the amount or back."""
PIN_LENGTH, AMOUNT_LENGTH = 4, 5


class Machine(NamedTuple):
    pin: str
    balance: int | None  # None: not known to who looks
    screen: str = MENU
    line: int = 0  # which of the screen's two lines is chosen
    kind: str = DEPOSIT
    typed: str = ""  # of the PIN
    amount: str = ""
    seen: bool = False  # whether the balance has been on the screen
    refused: frozenset[Transaction] = frozenset()
    manual: Manual | None = STANDARD

    @property
    def transaction(self) -> Transaction:
        """What is entered; an empty amount is no amount."""
        return Transaction(self.kind, int(self.amount or -1))


class AtmPuzzle(ManualPuzzle):
    manuals = book
    action_names = NAMES
    start_fields: ClassVar = {"pin": str, "balance": int}

    def device_with(self, manual: Manual, rng: np.random.Generator) -> Machine:
        return Machine(str(rng.integers(1_000, 10_000)), _balance(manual, rng), manual=manual)

    def effort(self, device: Machine) -> float:
        """How near the balance is to the limit."""
        assert device.manual is not None and device.balance is not None
        return -abs(device.balance - device.manual.limit)

    def device_from(self, start: Mapping[str, Any]) -> Machine:
        found = taken(start, **self.start_fields)
        demand(len(found["pin"]) == PIN_LENGTH and found["pin"].isdigit(), f"a PIN has {PIN_LENGTH} digits")
        demand(STANDARD.lowest <= found["balance"], f"a balance is {STANDARD.lowest} at least")
        return Machine(**found)

    def released_start(self, facts: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"pin": facts["PIN"], "balance": facts["Balance"]}

    def situation(self, device: Machine) -> Any:
        return device._replace(refused=frozenset())

    def do(self, device: Machine, name: str, rng: np.random.Generator) -> Outcome:
        if name in (UP, DOWN):
            return _after(device, device._replace(line=0 if name == UP else 1))
        if name == ENTER:
            return self._enter(device)
        if device.line == 1 or device.screen not in (PIN, AMOUNT):
            return Outcome(device, note="nothing")
        if device.screen == PIN:
            return _after(device, device._replace(typed=_keyed(device.typed, name, PIN_LENGTH)))
        return _after(device, device._replace(amount=_keyed(device.amount, name, AMOUNT_LENGTH)))

    def _enter(self, device: Machine) -> Outcome:
        """Confirm a line. After a mistake, and on the way back, what was typed is gone; the released code keeps it."""
        if device.screen == MENU:
            return Outcome(device._replace(screen=PIN, line=0, kind=KINDS[device.line], typed=""))
        if device.line == 1:
            amount = device.amount if self.released else ""
            return Outcome(device._replace(screen=MENU, line=0, typed="", amount=amount))
        if device.screen == PIN:
            if device.typed == device.pin:
                return Outcome(device._replace(screen=AMOUNT, line=0, seen=True))
            return Outcome(device if self.released else device._replace(typed=""), True, "wrong PIN")
        assert device.manual is not None and device.balance is not None
        if device.transaction == right_transaction(device.manual, device.balance):
            return Outcome(device._replace(screen=DONE))
        refused = device._replace(refused=device.refused | {device.transaction})
        return Outcome(refused if self.released else refused._replace(amount=""), True, "refused")

    def solved(self, device: Machine) -> bool:
        return device.screen == DONE

    def shown(self, device: Machine) -> Machine:
        balance = device.balance if device.screen in (AMOUNT, DONE) else None
        return device._replace(manual=None, balance=balance)

    def private(self, device: Machine) -> Mapping[str, str]:
        return {"PIN": device.pin, "balance": str(device.balance)}

    def for_all_the_solver_knows(self, device: Machine, rng: np.random.Generator) -> Machine:
        assert device.manual is not None
        for _ in range(TRIES):
            manual = book.shuffled(rng) if self.shuffles else device.manual
            balance = device.balance if device.seen else _balance(manual, rng)
            assert balance is not None
            right = right_transaction(manual, balance)
            answers_alike = right == device.transaction if device.screen == DONE else right not in device.refused
            if answers_alike and balance >= manual.lowest:
                return device._replace(manual=manual, balance=balance)
        return device


def _balance(manual: Manual, rng: np.random.Generator) -> int:
    return int(rng.integers(manual.lowest, HIGHEST + 1))


def _keyed(text: str, name: str, limit: int) -> str:
    """What a line holds after a digit or a deletion."""
    return text[:-1] if name == DELETE else (text + name.removeprefix("press_"))[:limit]


def _after(before: Machine, after: Machine) -> Outcome:
    return Outcome(after, note="" if after != before else "nothing")
