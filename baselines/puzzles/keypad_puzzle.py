"""A solver and an expert for KeypadPuzzle who talk plain English, to each other or to anybody else.

Neither remembers anything: all they go by is in their view, so they also cope with `memory="last"`.
"""

import json
import re
from collections.abc import Iterable, Sequence
from importlib.resources import files
from itertools import permutations

from mmgames.agents.base import Agent
from mmgames.baselines.puzzles.plain_english import buttons_to_press, latest, listing, must_guess, place_words
from mmgames.core.seeding import draw_from
from mmgames.core.turn import Turn
from mmgames.puzzles._conversation.rules import SOLVER, ConversationView
from mmgames.puzzles.keypad_puzzle.manual import LOOKS, PLACES, Manual, right_order
from mmgames.puzzles.keypad_puzzle.rules import NAMES, Pad

# What people may call the symbols besides the names in LOOKS. The longest name found in a description counts.
_ALSO: dict[str, list[str]] = json.loads(files(__package__).joinpath("keypad_names.json").read_text("utf-8"))
_NAMES = {
    alias.lower(): symbol
    for symbol, (name, like) in LOOKS.items()
    for alias in (name, like, *_ALSO[symbol], symbol.replace("_", " "))
}
_KNOWN = {alias: re.compile(rf"(?<![a-z0-9]){re.escape(alias)}(?![a-z0-9])") for alias in _NAMES}
_PLACE = re.compile("|".join(place.replace("_", "[ _-]") for place in PLACES))


class Solver(Agent):
    """Describes the symbols and presses the keys in the order the expert names. Guesses only when time runs out."""

    def act(self, turn: Turn) -> str:
        view = turn.view
        pad: Pad = view.device
        failed = _failed(view)
        keys = advised_keys(view.heard[-1], pad) if view.heard else []
        if keys and not _hopeless(keys, pad, failed):
            return f"Thank you, I am pressing {_in_order(keys)}.\n{_actions(keys)}"
        if must_guess(view):
            left = [key for key in range(len(PLACES)) if key not in pad.down]
            guesses = [list(order) for order in permutations(left) if not _hopeless(order, pad, failed)]
            keys = draw_from(guesses, turn.rng) if guesses else left
            return f"Time is short, so I am trying {_in_order(keys)}.\n{_actions(keys)}"
        apology = "That order was wrong. " if keys else "Sorry, I do not know yet what to press. " if view.heard else ""
        return f"{apology}{_description(pad)} In which order should I press them?"


def _failed(view: ConversationView) -> set[tuple[int, int]]:
    """What is known to be wrong: after how many right keys which key was a mistake, as far as it is remembered."""
    wrong, after = set(), 0
    for result in (result for said in view.dialogue if said.seat == SOLVER for result in said.results):
        if result.mistake:
            wrong.add((after, NAMES.index(result.action)))
        after = 0 if result.mistake else after + 1
    return wrong


def _hopeless(keys: Iterable[int], pad: Pad, failed: set[tuple[int, int]]) -> bool:
    return any((after, key) in failed for after, key in enumerate(keys, len(pad.down)))


def advised_keys(advice: str, pad: Pad) -> list[int]:
    """The keys still to press, in the order in which the advice names them."""
    named = buttons_to_press(advice)
    if any(place not in PLACES for place in named):
        return []
    return [key for key in map(PLACES.index, named) if key not in pad.down]


def _in_order(keys: Sequence[int]) -> str:
    return listing((place_words(PLACES[key]) for key in keys), last="and then")


def _actions(keys: Iterable[int]) -> str:
    return "\n".join(NAMES[key] for key in keys)


def _description(pad: Pad) -> str:
    return " ".join(
        f"The {place_words(place)} key has a symbol I would call {LOOKS[symbol].name}: {LOOKS[symbol].like}."
        for place, symbol in zip(PLACES, pad.symbols, strict=True)
    )


class Expert(Agent):
    """Finds the column as soon as it knows all four symbols, and asks about those it does not know."""

    def act(self, turn: Turn) -> str:
        manual: Manual = turn.view.manual
        symbols = latest(lambda message: symbols_in(message) or None, turn.view.heard) or {}
        unclear = [place for place in PLACES if place not in symbols]
        if unclear:
            known = [f"Your {place_words(place)} key has the {LOOKS[symbols[place]].name}." for place in symbols]
            ask = "Please describe in one message the symbols on all four keys again, above all"
            return " ".join([*known, f"{ask} {listing(map(place_words, unclear))}."])
        order = right_order(tuple(symbols.values()), manual)
        if order is None or len(order) < len(PLACES):
            names = listing(LOOKS[symbol].name for symbol in symbols.values())
            return f"I understood {names}, but no column has all of these. Please describe all four symbols once more."
        where = {symbol: place for place, symbol in symbols.items()}
        keys = listing((f"the {place_words(where[symbol])} key" for symbol in order), last="and then")
        return f"Please press in this order: {keys}."


def symbols_in(message: str) -> dict[str, str]:
    """The symbols that a message tells of, by their place, as far as they are recognised."""
    message = message.lower()
    marks = list(_PLACE.finditer(message))
    found = {}
    ends = [*(mark.start() for mark in marks[1:]), len(message)]
    for mark, end in zip(marks, ends, strict=False):
        if symbol := symbol_called(message[mark.end() : end]):
            found[mark.group().replace(" ", "_").replace("-", "_")] = symbol
    return {place: found[place] for place in PLACES if place in found}


def symbol_called(description: str) -> str | None:
    """The symbol that a description in small letters means: the one with the longest name that occurs in it."""
    names = [alias for alias, pattern in _KNOWN.items() if pattern.search(description)]
    return _NAMES[max(names, key=len)] if names else None
