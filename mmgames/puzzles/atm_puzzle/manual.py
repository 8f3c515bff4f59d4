"""Manuals of the cash machine: which transaction to make, by the balance of the account."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from mmgames.puzzles._conversation.books import standard
from mmgames.text.prose import paragraphs

DEPOSIT, WITHDRAWAL = "deposit", "withdrawal"
KINDS = (DEPOSIT, WITHDRAWAL)
HIGHEST = 1_000  # no account holds more


class Transaction(NamedTuple):
    kind: str
    amount: int


class Manual(NamedTuple):
    """What to do with a balance of `limit` or more, and with less."""

    limit: int
    rich: Transaction
    poor: Transaction

    @property
    def lowest(self) -> int:
        """The lowest balance such that nobody has to withdraw more than there is."""
        return self.poor.amount if self.poor.kind == WITHDRAWAL else 1


STANDARD: Manual = standard(Manual, __package__)


def shuffled(rng: np.random.Generator) -> Manual:
    """Another limit, other amounts, and in half of the manuals it is the rich who deposit."""
    limit, amount = 50 * int(rng.integers(6, 15)), 10 * int(rng.integers(2, 31))
    if rng.random() < 0.5:
        return Manual(limit, Transaction(WITHDRAWAL, amount), Transaction(DEPOSIT, 10 * int(rng.integers(2, 31))))
    return Manual(limit, Transaction(DEPOSIT, amount), Transaction(WITHDRAWAL, 10 * int(rng.integers(2, 11))))


def right_transaction(manual: Manual, balance: int) -> Transaction:
    return manual.rich if balance >= manual.limit else manual.poor


INTRODUCTION = paragraphs(__package__, "words")["introduction"]


def order(transaction: Transaction) -> str:
    return f"make a {transaction.kind} of {transaction.amount} dollars"


@lru_cache(maxsize=64)
def lists(manual: Manual) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The manual's list: heading and lines."""
    lines = (
        f"If the balance is at least {manual.limit} dollars, {order(manual.rich)}.",
        f"If the balance is less than {manual.limit} dollars, {order(manual.poor)}.",
    )
    return (("Which transaction", lines),)


@lru_cache(maxsize=64)
def text(manual: Manual) -> str:
    ((_, lines),) = lists(manual)
    return f"{INTRODUCTION}\n\n" + "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))
