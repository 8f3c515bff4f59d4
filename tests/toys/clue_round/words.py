"""ClueRound in words. The rules that a seat reads depend on its role, which is another one in every episode."""

from __future__ import annotations

from mmgames.core.prompt import Reasoning
from mmgames.text.refusals import Illegal
from mmgames.text.replies import no_answer_kind, parse

from . import SPEC
from .rules import SEATS, ClueView

NAMES = SPEC.seats
MOST_LETTERS = 20

_ROUND = (
    "Three of ada, bob, cleo and dan know a word; the spy does not. Everybody gives a clue in turn, a single word. "
    "Then all but the one who opened the round vote at the same time. The spy is caught if nobody has as many votes."
)
_THINK = {"direct": "Reply with nothing else.", "cot": "Think first, then put your answer into <answer>…</answer>."}


def _may_vote(view: ClueView) -> bool:
    return len(view.clues) == SEATS and view.seat in view.movers


def names(view: ClueView) -> dict[str, str]:
    return {name: name for seat, name in enumerate(NAMES) if _may_vote(view) and seat != view.seat}


def read(view: ClueView, text: str) -> str | int | Illegal:
    if _may_vote(view):
        name = parse(text, names(view), called="the name of another player")
        return name if isinstance(name, Illegal) else NAMES.index(name)
    clue = text.strip().casefold()
    if not clue.isalpha() or len(clue) > MOST_LETTERS:
        return Illegal(no_answer_kind(text), f"a clue is a single word of at most {MOST_LETTERS} letters.", text)
    if clue == view.word:
        return Illegal("not possible here", "a clue must not be the word itself.", text)
    return clue


def rules(view: ClueView) -> str:
    if view.seat is None:
        return _ROUND
    if view.is_spy:
        return f"{_ROUND}\nStay hidden: give a clue that could fit, and let the vote fall on somebody else."
    return f"{_ROUND}\nHint at the word without saying it, and find out who only pretends to know it."


def you(view: ClueView) -> str:
    if view.seat is None:
        return "You are watching."
    role = "the spy: you do not know the word" if view.is_spy else f"no spy, and the word is {view.word!r}"
    return f"You are {NAMES[view.seat]}, {role}."


def answer_format(view: ClueView, reasoning: Reasoning) -> str:
    return (
        f"A clue is a single word of at most {MOST_LETTERS} letters; a vote is the name of another player, "
        f"such as bob or cleo. {_THINK[reasoning]}"
    )


def legend(view: ClueView) -> str:
    return (
        "It has a line for everybody: the name, the clue and, after the vote, for whom. Your line is blue, and in the "
        "end the spy's is red. Below them stands the word, or a question mark if you do not know it."
    )


def history(view: ClueView) -> str:
    """What the picture does not show: who opened and what is to be done now."""
    opened = f"{NAMES[view.opener]} opens the round."
    if not view.movers:
        return f"{opened} It is over."
    return f"{opened} To act: {', '.join(NAMES[seat] for seat in view.movers)}."


def describe(view: ClueView) -> str:
    clues = [f"{NAMES[seat]}: {clue}" for seat, clue in view.clues]
    lines = [history(view), *(clues or ["There are no clues yet."])]
    lines += [f"{NAMES[seat]} votes for {NAMES[choice]}" for seat, choice in view.votes]
    if view.spy is not None:
        lines.append(f"The word was {view.word!r}; the spy was {NAMES[view.spy]}.")
    return "\n".join(lines)
