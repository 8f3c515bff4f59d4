"""AtmPuzzle: the screens, the rule, what each seat gets to see, and the scripted pair."""

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmgames.baselines.puzzles.atm_puzzle import Expert, Solver, explained_rule
from mmgames.core import registry
from mmgames.puzzles._conversation.rules import SOLVER
from mmgames.puzzles.atm_puzzle import manual
from mmgames.puzzles.atm_puzzle.manual import DEPOSIT, WITHDRAWAL, Transaction, right_transaction
from mmgames.puzzles.atm_puzzle.rules import NAMES, Machine
from tests.players import Acts
from tests.rules.talking import answer, converse, live_at, misread, say

ROOMS = registry.load("mmgames/AtmPuzzle-v0")
RICH, POOR = Machine("4821", 712), Machine("4821", 56)
PIN = ["press_4", "press_8", "press_2", "press_1", "press_enter"]
DEPOSIT_100 = ["press_enter", *PIN, "press_1", "press_0", "press_0", "press_enter"]
WITHDRAW_300 = ["press_down_arrow", "press_enter", *PIN, "press_3", "press_0", "press_0", "press_enter"]


def press(machine: Machine, *keys: str, **options: Any):
    return say(live_at(ROOMS, machine, **options), "\n".join(keys))


class PaperMachine:
    """The machine again, written out as a person would describe it."""

    def __init__(self, pin: str, balance: int, forgetful: bool) -> None:
        self.pin, self.balance, self.forgetful = pin, balance, forgetful
        self.page, self.pointer, self.kind = "choose", "first", "deposit"
        self.stars = self.dollars = ""
        self.mistakes, self.happy = 0, False

    def press(self, key: str) -> None:
        if key == "up_arrow":
            self.pointer = "first"
        elif key == "down_arrow":
            self.pointer = "second"
        elif key == "enter":
            getattr(self, f"enter_on_{self.page}")()
        elif self.pointer == "first" and self.page == "pin":
            self.stars = self.edited(self.stars, key, 4)
        elif self.pointer == "first" and self.page == "amount":
            self.dollars = self.edited(self.dollars, key, 5)

    @staticmethod
    def edited(text: str, key: str, most: int) -> str:
        if key == "delete":
            return text[: len(text) - 1] if text else ""
        return text + key if len(text) < most else text

    def enter_on_choose(self) -> None:
        self.kind = "deposit" if self.pointer == "first" else "withdrawal"
        self.page, self.pointer, self.stars = "pin", "first", ""

    def go_back(self) -> None:
        self.page, self.pointer, self.stars = "choose", "first", ""
        if self.forgetful:
            self.dollars = ""

    def enter_on_pin(self) -> None:
        if self.pointer == "second":
            self.go_back()
        elif self.stars == self.pin:
            self.page, self.pointer = "amount", "first"
        else:
            self.mistakes += 1
            self.stars = "" if self.forgetful else self.stars

    def enter_on_amount(self) -> None:
        if self.pointer == "second":
            self.go_back()
            return
        amount = int(self.dollars) if self.dollars else None
        self.happy = (self.kind, amount) == (("withdrawal", 300) if self.balance >= 500 else ("deposit", 100))
        if not self.happy:
            self.mistakes += 1
            self.dollars = "" if self.forgetful else self.dollars


@pytest.mark.parametrize("rules", ["paper", "released"])
def test_the_machine_does_what_the_description_says(rules):
    game, rng = ROOMS.game(rules=rules), np.random.default_rng(0)
    pages = {"menu": "choose", "pin": "pin", "amount": "amount", "done": "amount"}
    reached, mistakes = set(), 0
    for _ in range(150):
        machine = game.new_device(rng)
        twin = PaperMachine(machine.pin, machine.balance, forgetful=rules == "paper")
        for _ in range(60):
            # Random keys alone would never find the PIN, so sometimes it is typed, and sometimes a likely amount.
            draw = rng.random()
            digits = machine.pin if draw < 0.06 else ("100", "300")[int(draw * 1e4) % 2] if draw < 0.12 else ""
            keys = [f"press_{digit}" for digit in digits] or [NAMES[int(rng.integers(len(NAMES)))]]
            for key in [*keys, "press_enter"] if digits else keys:
                machine, mistake, _ = game.do(machine, key, rng)
                twin.press(key.removeprefix("press_"))
                mistakes += mistake
                assert (machine.typed, machine.amount, machine.kind) == (twin.stars, twin.dollars, twin.kind)
                assert pages[machine.screen] == twin.page and ("first", "second")[machine.line] == twin.pointer
                assert game.solved(machine) == twin.happy
                reached.add(machine.screen)
                if twin.happy:
                    break
            if twin.happy:
                break
        mistakes -= twin.mistakes
        assert mistakes == 0
    assert reached == {"menu", "pin", "amount", "done"}


@pytest.mark.parametrize(
    "machine,keys", [(RICH, DEPOSIT_100), (POOR, WITHDRAW_300), (RICH, [*WITHDRAW_300[:-2], "press_enter"])]
)
def test_a_wrong_transaction_is_a_mistake_and_can_be_mended(machine, keys):
    live = press(machine, *keys)
    assert (live.state.mistakes, live.state.device.screen, live.state.device.amount) == (1, "amount", "")
    assert "the machine refuses this transaction; that was a mistake." in ROOMS.words.history(live.view(SOLVER))
    back = ["press_down_arrow", "press_enter"]
    say(live, "", "\n".join([*back, *(WITHDRAW_300 if machine == RICH else DEPOSIT_100)]))
    assert live.totals == [1.0, 1.0]


def test_pins_and_balances_are_drawn_evenly_and_manuals_ask_nobody_for_more_than_there_is():
    game, rng = ROOMS.game(), np.random.default_rng(1)
    machines = [game.start(rng).device for _ in range(3_000)]
    assert all(re.fullmatch(r"[1-9]\d{3}", machine.pin) for machine in machines)
    balances = [machine.balance for machine in machines]
    assert 1 <= min(balances) < 10 and 990 < max(balances) <= 1_000
    assert 0.47 < np.mean([balance >= 500 for balance in balances]) < 0.53
    rng, game = np.random.default_rng(2), ROOMS.game(manual="shuffled")
    manuals = [manual.shuffled(rng) for _ in range(500)]
    assert len(set(manuals)) > 450
    assert {drawn.rich.kind for drawn in manuals} == {DEPOSIT, WITHDRAWAL}
    assert all(drawn.rich.kind != drawn.poor.kind for drawn in manuals)
    for seed in range(500):
        machine = game.start(np.random.default_rng(seed)).device
        kind, amount = right_transaction(machine.manual, machine.balance)
        assert kind == DEPOSIT or amount <= machine.balance


def test_the_solver_learns_its_balance_from_the_machine_alone_and_tells_nobody():
    assert ROOMS.game().private(RICH) == {"PIN": "4821", "balance": "712"}
    game, rng = ROOMS.game(), np.random.default_rng(3)
    live = press(RICH, "press_enter", *PIN[:-1])
    assert live.view(SOLVER).device.balance is None
    assert len({game.imagine(live.state, SOLVER, rng).device.balance for _ in range(20)}) > 15
    say(live, "", "press_enter")
    assert live.view(SOLVER).device.balance == 712
    say(live, "", "press_down_arrow\npress_enter")
    assert live.view(SOLVER).device.balance is None
    # It is off the screen, but not forgotten.
    assert {game.imagine(live.state, SOLVER, rng).device.balance for _ in range(20)} == {712}


def test_a_manual_imagined_by_the_solver_refuses_what_was_refused():
    game, rng = ROOMS.game(manual="shuffled"), np.random.default_rng(4)
    live = press(RICH, *DEPOSIT_100, manual="shuffled")
    for _ in range(200):
        machine = game.imagine(live.state, SOLVER, rng).device
        assert right_transaction(machine.manual, 712) != Transaction(DEPOSIT, 100)
    live = press(RICH, *WITHDRAW_300, manual="shuffled")
    machine = game.imagine(live.state, SOLVER, rng).device
    assert right_transaction(machine.manual, 712) == Transaction(WITHDRAWAL, 300)


@pytest.mark.parametrize("size", [64, 128, 512])
def test_every_change_shows_in_the_picture(size):
    def picture(machine: Machine) -> bytes:
        return ROOMS.picture.draw(live_at(ROOMS, machine).view(SOLVER), size).tobytes()

    pin, amount = RICH._replace(screen="pin"), RICH._replace(screen="amount", seen=True)
    shown = [RICH, RICH._replace(line=1), pin, pin._replace(line=1), pin._replace(kind=WITHDRAWAL), amount]
    shown += [pin._replace(typed="1" * n) for n in range(1, 5)]
    shown += [amount._replace(amount=digits) for digits in ("1", "3", "30", "300", "12345")]
    shown += [amount._replace(balance=balance) for balance in (1, 7, 71, 713, 1_000)]
    shown += [amount._replace(line=1), amount._replace(kind=WITHDRAWAL), amount._replace(screen="done")]
    shown += [RICH._replace(pin=pin) for pin in ("1821", "4921", "4811", "4820")]
    assert len({picture(machine) for machine in shown}) == len(shown)
    # What is typed of the PIN are stars, and a balance that is not shown is not on the picture.
    assert picture(pin._replace(typed="12")) == picture(pin._replace(typed="98"))
    assert picture(RICH) == picture(RICH._replace(balance=3))


def test_the_solver_understands_a_rule_takes_up_any_machine_and_repeats_no_refused_transaction():
    game, rng = ROOMS.game(), np.random.default_rng(5)
    for seed in range(60):
        machine = game.start(np.random.default_rng(seed)).device
        for _ in range(12):
            outcome = game.do(machine, NAMES[int(rng.integers(len(NAMES)))], rng)
            machine = machine if outcome.mistake else outcome.device
        if seed % 2:
            machine = machine._replace(screen="amount", typed=machine.pin, seen=True)
        for rules in ("paper", "released"):
            live = converse(live_at(ROOMS, machine, rules=rules), Solver(), Expert())
            assert (live.totals[SOLVER], live.state.mistakes) == (1.0, 0)
    live = converse(live_at(ROOMS, RICH), Solver(), Acts("Make a deposit of 100 dollars."))
    assert live.state.dialogue[2].results[-1].mistake
    assert live.state.dialogue[4].message.speech.startswith("The machine refused that.")
    assert misread(ROOMS, explained_rule) == []


@given(st.text())
def test_the_expert_always_explains_the_rule(text):
    assert "at least 500 dollars" in answer(ROOMS, Expert(), RICH, text)
