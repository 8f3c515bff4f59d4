"""A solver and an expert for ColorPuzzle who talk plain English, to each other or to anybody else.

While it clicks a group, the solver already tells how many squares will be white then, so that the expert's answer is
about the next group: one turn for each. Neither remembers anything: all they go by is in their view.
"""

import re

from mmgames.agents.base import Agent
from mmgames.baselines.puzzles.plain_english import NUMBERS, SAID, latest, listing, must_guess, only, orders
from mmgames.core.seeding import draw_from
from mmgames.core.turn import Turn
from mmgames.puzzles._conversation.rules import SOLVER, ConversationView
from mmgames.puzzles.color_puzzle import manual as book
from mmgames.puzzles.color_puzzle.manual import COLOURS, COLUMN, GROUPS, ROW, WHITE, Manual
from mmgames.puzzles.color_puzzle.rules import COUNT, NAMES

_COUNTS = {"no": 0, "none": 0, "zero": 0, **NUMBERS, **{str(n): n for n in range(COUNT + 1)}}
_COUNT = "|".join(sorted(_COUNTS, key=len, reverse=True))
_COLOUR = "|".join(COLOURS)
_GROUP = "|".join(GROUPS)

_CLICK = re.compile(r"\b(?:click|clear|press|whiten|next group)")
_NAMED = re.compile(rf"\b({_GROUP})\b")
_COUNTED = re.compile(rf"\b({_COUNT}) ({_COLOUR})\b")
_WHITE = re.compile(rf"\b({_COUNT}) (?:squares? )?(?:(?:is|are|will be) )?(?:now )?white\b")
_LISTED = re.compile(rf"\b({_COLOUR}|{WHITE})\b")
_LAST = re.compile(rf"\b(?:last|previous) group(?: is| was|:)?(?: the)?(?: topmost| leftmost)? ({_GROUP})\b")
_DONE = re.compile(rf"\b(?:click|clear|press)(?:ed|ing)(?: the| all)?(?: topmost| leftmost| top| left)? ({_GROUP})\b")
_TABLE = re.compile(r"\b(?:table|manual)\b")
_ACTION = re.compile(r"\b\w*_\w*\b")

_GROUP_WORDS = {
    **{colour: f"{colour} squares" for colour in COLOURS},
    ROW: "topmost row that has coloured squares",
    COLUMN: "leftmost column that has coloured squares",
}


class Solver(Agent):
    """Clicks the group the expert names. Guesses only when time runs out without an answer."""

    def act(self, turn: Turn) -> str:
        view = turn.view
        squares = view.device.squares
        group = None if _went_wrong(view) or not view.heard else advised_group(view.heard[-1])
        clicked = book.members(squares, group) if group else frozenset()
        if group and clicked:
            white = squares.count(WHITE) + len(clicked)
            more = f"After that {white} squares are white, and the last group is {group}. Which group is next?"
            more = more if white < COUNT else "It should be the last one."
            return f"I am clicking the {_GROUP_WORDS[group]}. {more}\n{NAMES[min(clicked)]}"
        if must_guess(view):
            at = draw_from([at for at, colour in enumerate(squares) if colour != WHITE], turn.rng)
            return f"Time is short, so I am trying a square.\n{NAMES[at]}"
        sorry = "Sorry, I do not know yet what to click. " if view.heard else ""
        return f"{sorry}{_situation(view)} Which group is next?"


def _went_wrong(view: ConversationView) -> bool:
    """Whether the last click was a mistake, so that the answer is about a board that is no more."""
    mine = [said for said in view.dialogue if said.seat == SOLVER]
    return bool(mine) and any(result.mistake for result in mine[-1].results)


def _situation(view: ConversationView) -> str:
    squares = view.device.squares
    white = squares.count(WHITE)
    counts = listing(f"{squares.count(colour)} {colour}" for colour in COLOURS)
    if not white:
        return f"The board is at its beginning: 0 squares are white, and there are {counts} squares."
    last = latest(_last_group, [said.words.lower() for said in view.dialogue if said.seat == SOLVER and said.words])
    clicked = f"The last group was {last}." if last else "I do not remember which group I clicked last."
    return f"Now {white} squares are white. {clicked}"


def advised_group(advice: str) -> str | None:
    """The one group that the advice says to click, in sentences that neither ask, forbid nor make conditions."""
    return only({group for sentence in orders(advice, _CLICK) for group in _NAMED.findall(sentence)})


class Expert(Agent):
    """Names the next group as soon as it is certain, asks for what is still needed, and reads the table if asked."""

    def act(self, turn: Turn) -> str:
        view = turn.view
        heard = [_ACTION.sub(" ", message.lower()) for message in view.heard]
        if heard and _TABLE.search(heard[-1]):
            return book.text(view.manual)
        group = _answer(view.manual, heard[-1]) if heard else None
        return f"Click the {_GROUP_WORDS[group]}." if group else SAID["colours of the board"]


def _answer(manual: Manual, message: str) -> str | None:
    """The next group on the board that a message tells of."""
    counts = _colour_counts(message)
    white = {_COUNTS[number] for number in _WHITE.findall(message)} or {counts.get(WHITE, 0)}
    last, white_count = _last_group(message), only(white)
    if white_count is None:
        return None
    if white_count and last and white_count < COUNT:
        return book.next_group(manual, white_count, last)
    squares = tuple(colour for colour in COLOURS for _ in range(counts.get(colour, 0)))
    return book.first_group(manual, squares) if len(squares) == COUNT and not white_count else None


def _colour_counts(message: str) -> dict[str, int]:
    counts = {colour: _COUNTS[number] for number, colour in _COUNTED.findall(message)}
    listed = _LISTED.findall(message)
    if not counts and len(listed) == COUNT:
        counts = {colour: listed.count(colour) for colour in listed}
    return counts


def _last_group(message: str) -> str | None:
    named = _LAST.findall(message) or _DONE.findall(message)
    return named[-1] if named else None
