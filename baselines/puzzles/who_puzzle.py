"""A solver and an expert for WhoPuzzle who talk plain English, to each other or to anybody else.

Neither remembers anything: all they go by is in their view, so they also cope with `memory="last"`.
"""

import re
from collections.abc import Collection

from mmgames.agents.base import Agent
from mmgames.baselines.puzzles.plain_english import (
    buttons_to_press,
    just_acted,
    latest,
    listing,
    must_guess,
    only,
    place_words,
    quote,
)
from mmgames.core.seeding import draw_from
from mmgames.core.turn import Turn
from mmgames.puzzles.who_puzzle.manual import PLACES, Manual, right_button
from mmgames.puzzles.who_puzzle.rules import Panel

_EMPTY = re.compile(r"display (?:is|looks|stays|seems) (?:completely |lit but )?(?:empty|blank|dark)\b|no word on")
# A word in quotes, or else bare and in capitals, after the display or the place of a button.
_SHOWS = r"\W{0,3}?(?: ?(?:shows?|says|reads|is|has|the|word|label|labell?ed|:))*[ :=-]{0,3}"
_WORD = r"""(?:"([^"\n]{1,9})"|“([^”\n]{1,9})”|'([^\n]{1,9}?)'(?![a-z])|\b((?-i:[A-Z][A-Z'’ ]*\??)))"""
_ON_DISPLAY = re.compile("display" + _SHOWS + _WORD, re.I)
_ON_BUTTON = [re.compile(place.replace("_", "[ _-]") + "(?: button)?" + _SHOWS + _WORD, re.I) for place in PLACES]


class Solver(Agent):
    """Spells out the panel and presses the button the expert names. Guesses only when time runs out."""

    def act(self, turn: Turn) -> str:
        view = turn.view
        panel: Panel = view.device
        untried = [place for place, mark in zip(PLACES, panel.marks, strict=True) if not mark]
        apology = ""
        if view.heard:
            advised = advised_button(view.heard[-1], panel)
            if advised in untried:
                return f"Thank you, I am pressing the {place_words(advised)} button.\npress_{advised}_button"
            if advised and just_acted(view):
                apology = f"I have pressed the {place_words(advised)} button, and it was wrong. "
            else:
                apology = "Sorry, I do not know yet which button you mean. "
        if must_guess(view):
            guess = draw_from(untried, turn.rng)
            return f"Time is short, so I am trying the {place_words(guess)} button.\npress_{guess}_button"
        return f"{apology}{_description(panel)} Which button should I press?"


def _description(panel: Panel) -> str:
    shows = f"shows {quote(panel.display)}" if panel.display else "is empty, there is no word on it"
    buttons = listing(f"{place_words(place)} {quote(label)}" for place, label in zip(PLACES, panel.labels, strict=True))
    return f"The display {shows}. The buttons are {buttons}."


def advised_button(advice: str, panel: Panel) -> str | None:
    """The one button that the advice says to press, by its place or its quoted label."""
    named = buttons_to_press(advice, dict(zip(panel.labels, PLACES, strict=True)))
    return named[0] if len(named) == 1 and named[0] in PLACES else None


class Expert(Agent):
    """Looks the button up as soon as it is certain, and asks for what is still needed."""

    def act(self, turn: Turn) -> str:
        manual: Manual = turn.view.manual
        heard = turn.view.heard
        display = latest(lambda message: display_in(message, manual), heard)
        labels = latest(lambda message: labels_in(message, manual), heard)
        if display is None and labels is None:
            return f"Please tell me what is on the display, in quotes, or that it is empty. {_ASK_LABELS}"
        if labels is None:
            return _ASK_LABELS
        if display is None:
            return "Please tell me exactly what is on the display, in quotes, or that it is empty, and all the labels."
        button = right_button(display, labels, manual)
        return f"Please press the {place_words(PLACES[button])} button, {quote(labels[button])}."


_PLACES = listing(map(place_words, PLACES))
_ASK_LABELS = f"Please tell me the labels of all six buttons, in quotes and spelled exactly: {_PLACES}."


def display_in(message: str, manual: Manual) -> str | None:
    """The word that a message says is on the display; "" if it says that there is none."""
    found = _told(_ON_DISPLAY, message, manual.displays)
    return "" if found is None and "" in manual.displays and _EMPTY.search(message) else found


def labels_in(message: str, manual: Manual) -> tuple[str, ...] | None:
    """The labels of all six buttons, if a message tells them."""
    labels = [_told(pattern, message, manual.labels) for pattern in _ON_BUTTON]
    found = tuple(label for label in labels if label is not None)
    return found if len(set(found)) == len(PLACES) else None


def _told(pattern: re.Pattern[str], message: str, words: Collection[str]) -> str | None:
    """The one word that stands where the pattern says. Quotes are exact; of bare capitals the longest word counts."""
    found = set()
    for *quoted, bare in pattern.findall(message):
        exact = "".join(quoted).upper()
        if exact:
            found.add(exact)
            continue
        parts = bare.replace("’", "'").split()
        starts = [" ".join(parts[:count]) for count in range(len(parts), 0, -1)]
        found.update([word for word in starts if word in words][:1])
    word = only(found)
    return word if word in words else None
