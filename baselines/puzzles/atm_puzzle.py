"""A solver and an expert for AtmPuzzle who talk plain English, to each other or to anybody else.

The expert explains the rule, so the solver never has to tell its balance. Neither remembers anything: all they go by
is in their view, so they also cope with `memory="last"`.
"""

import re
from typing import NamedTuple

from mmgames.agents.base import Agent
from mmgames.baselines.puzzles.plain_english import SAID, must_guess
from mmgames.core.seeding import draw_from
from mmgames.core.turn import Turn
from mmgames.puzzles.atm_puzzle.manual import DEPOSIT, KINDS, WITHDRAWAL, Transaction, order
from mmgames.puzzles.atm_puzzle.rules import AMOUNT, DELETE, DOWN, ENTER, MENU, PIN, UP, Machine

_CLAUSE = re.compile(r"[^.;!?\n]+[.;!?\n]?")
_JOINED = re.compile(r",? (?:but|and) if\b|,? otherwise\b|,? or else\b")
_TRANSACTION = re.compile(r"\b(withdraw|deposit)(?:al|ing)?\b\D{0,20}?(\d+)")
_RICH = re.compile(r"\bat least\b|\bor more\b|\bor higher\b|\bor above\b|>=|≥")
_POOR = re.compile(r"\bless than\b|\bis less\b|\bbelow\b|\bunder\b|\botherwise\b|\bor else\b|<")
_LIMIT = re.compile(
    r"(?:at least|less than|below|under|>=|≥|<) ?\$?(\d+)|\$?(\d+) (?:dollars )?or (?:more|higher|above)"
)
_NO_ORDER = re.compile(r"\?|\b(?:not|never|avoid)\b|n't")


class Rule(NamedTuple):
    """What an expert said to do; without a limit there is one transaction for every balance."""

    limit: int | None
    rich: Transaction
    poor: Transaction

    def transaction(self, balance: int | None) -> Transaction | None:
        if self.limit is None:
            return self.rich
        return None if balance is None else self.rich if balance >= self.limit else self.poor


class Solver(Agent):
    """Looks at its balance once it knows the rule, and obeys. Guesses only when time runs out without an answer."""

    def act(self, turn: Turn) -> str:
        view = turn.view
        machine: Machine = view.device
        rule = explained_rule(view.heard[-1]) if view.heard else None
        wanted = rule.transaction(machine.balance) if rule else None
        if wanted and wanted not in machine.refused:
            return _message("Thank you, I am making the transaction now.", keys_for(machine, wanted))
        if rule and not wanted:
            return _message("Thank you, I am looking at my balance first.", keys_to_amount(machine))
        if must_guess(view):
            kind = draw_from(KINDS, turn.rng)
            guess = Transaction(kind, 100 * (1 + int(turn.rng.random() * 3)))
            return _message("Time is short, so I am trying something.", keys_for(machine, guess))
        sorry = (
            "The machine refused that. " if wanted else "Sorry, I do not know yet what to do. " if view.heard else ""
        )
        return SAID["balances"].format(sorry=sorry)


def _message(speech: str, keys: list[str]) -> str:
    return "\n".join([speech, *keys])


def keys_to_amount(machine: Machine, kind: str | None = None) -> list[str]:
    """What to press to reach the amount screen, for a kind of transaction if it matters."""
    if machine.screen == AMOUNT and kind in (None, machine.kind):
        return []
    keys: list[str] = []
    screen, line, typed = machine.screen, machine.line, machine.typed
    if screen != MENU and kind not in (None, machine.kind):
        keys += ([] if line == 1 else [DOWN]) + [ENTER]
        screen, line, typed = MENU, 0, ""
    if screen == MENU:
        wanted = KINDS.index(kind or DEPOSIT)
        keys += ([] if line == wanted else [(UP, DOWN)[wanted]]) + [ENTER]
        screen, line, typed = PIN, 0, ""
    keys += [UP] * (line == 1) + [DELETE] * len(typed)
    return [*keys, *(f"press_{digit}" for digit in machine.pin), ENTER]


def keys_for(machine: Machine, wanted: Transaction) -> list[str]:
    """What to press to make a transaction."""
    way = keys_to_amount(machine, wanted.kind)
    here = [UP] * (machine.line == 1) if not way else []
    # The released rules keep an amount that was typed before.
    return [*way, *here, *[DELETE] * len(machine.amount), *(f"press_{digit}" for digit in str(wanted.amount)), ENTER]


def explained_rule(advice: str) -> Rule | None:
    """The rule in an expert's words: a transaction for high balances and one for low ones, or one for all."""
    text = _JOINED.sub(lambda joint: ";" + joint.group().lstrip(","), advice.lower().replace(",000", "000"))
    rich, poor, always = set(), set(), set()
    limits: set[int] = set()
    for clause in _CLAUSE.findall(text):
        if _NO_ORDER.search(clause):
            continue
        limits |= {int(one or other) for one, other in _LIMIT.findall(clause)}
        conditions = _RICH.search(clause), _POOR.search(clause)
        without = _LIMIT.sub(" ", clause)
        found = {
            Transaction(WITHDRAWAL if kind == "withdraw" else DEPOSIT, int(amount))
            for kind, amount in _TRANSACTION.findall(without)
        }
        if conditions[0] and not conditions[1]:
            rich |= found
        elif conditions[1] and not conditions[0]:
            poor |= found
        elif not any(conditions):
            always |= found
    if len(rich) == len(poor) == len(limits) == 1:
        return Rule(limits.pop(), rich.pop(), poor.pop())
    if len(always) == 1 and not rich | poor:
        only = always.pop()
        return Rule(None, only, only)
    return None


class Expert(Agent):
    """Explains the rule whatever it is told."""

    def act(self, turn: Turn) -> str:
        manual = turn.view.manual
        return SAID["rule of the machine"].format(limit=manual.limit, rich=order(manual.rich), poor=order(manual.poor))
