"""Refusals: why a reply or an action is no move, and the closed list of kinds by which they are counted."""

from dataclasses import dataclass
from typing import Literal, get_args

from mmgames.errors import unknown

RefusalKind = Literal[
    "nothing said",
    "too long",
    "cut off in a thought",
    "not clear",
    "not in the asked form",
    "not possible here",
    "out of bounds",
    "too late",
    "something else",
]
"""What kind of refusal there is, by the name under which tables count it.

nothing said            the reply, or the answer in it, is empty
too long                it has more characters than are read
cut off in a thought    it ends before a thought does
not clear               it answers in several ways, or in one that can be read in several ways
not in the asked form   it has no answer in the form that was asked for, or is no text
not possible here       it is read, and the rules do not allow it now: an illegal move, a name that there is not
out of bounds           numbers in the right form that lie outside the allowed range
too late                it came when the seat's time was over; see running/clocks.py
something else          a reason that a game has of its own
"""
REFUSAL_KINDS: tuple[RefusalKind, ...] = get_args(RefusalKind)
ASKED_AGAIN: frozenset[RefusalKind] = frozenset(("not in the asked form", "not clear", "nothing said"))
"""What is asked again, once in a turn and in one line that shows the form: it was not read, so it broke no rule."""
NOT_RECORDED = "of unknown kind"
"""What refusals count as that an older record keeps without their kind."""


@dataclass(frozen=True, slots=True)
class Illegal:
    """Why a reply or an action is no move. The raw text is kept; what to do about it is the caller's policy.

    Refusals are counted by `kind`, and `reason`, a sentence for whoever is refused, may be worded freely.
    """

    kind: RefusalKind
    reason: str
    raw: str

    def __post_init__(self) -> None:
        if self.kind not in REFUSAL_KINDS:
            raise unknown("kind", self.kind, "refusals", REFUSAL_KINDS)

    def as_record(self) -> dict[str, str]:
        """What a record keeps of it beside the reply."""
        return {"refused": self.reason, "kind": self.kind}

    def as_info(self) -> dict[str, str]:
        """What the info of a step says about it."""
        return {"illegal": self.reason, "illegal_kind": self.kind}
