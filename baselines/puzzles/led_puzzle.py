"""A solver and an expert for LedPuzzle who talk plain English, to each other or to anybody else.

The expert names the button and also tells numbers and rule, so that the solver can go on by itself: there are not
enough turns to ask about every stage. Neither remembers anything but what is in its view.
"""

import re

from mmgames.agents.base import Agent
from mmgames.baselines.puzzles.plain_english import SAID, buttons_to_press, just_acted, listing, must_guess, place_words
from mmgames.core.seeding import draw_from
from mmgames.core.turn import Turn
from mmgames.puzzles.led_puzzle.manual import COLOURS, PLACES, Manual, multiplier, right_buttons
from mmgames.puzzles.led_puzzle.rules import Lights

_COLOUR = "|".join(COLOURS)
_NUMBER_OF = re.compile(rf"\b({_COLOUR})\b(?: ?(?:lights?|is|means|counts as|stands for|[:=×x-]))*\s*(\d+)\b")
_PRESENT_LIGHT = re.compile(rf"light (?:is|of this stage is|now is|shows|colou?r is)\W*({_COLOUR})\b")
_ANY_COLOUR = re.compile(rf"\b({_COLOUR})\b")
_LETTER = r"(?: button)?\W{0,3}(?: ?(?:shows?|says|reads|is|has|the|letter|label|labell?ed|:))*\W{0,3}\b([A-Z])\b"
_LETTER_AT = {place: re.compile(rf"(?i:{place.replace('_', '[ _-]')}){_LETTER}") for place in PLACES}
_ASK = "What number does each light stand for, and what is the rule?"


class Solver(Agent):
    """Follows advice on the letters it has just told, does the sum itself where it knows how, guesses at the end."""

    def act(self, turn: Turn) -> str:
        view = turn.view
        device: Lights = view.device
        light = device.lights[device.done]
        # What the lights stand for; what was said last counts.
        numbers = {colour: int(number) for colour, number in _NUMBER_OF.findall("\n".join(view.heard).lower())}
        button = None
        if view.heard and not just_acted(view):
            button = _open(buttons_to_press(view.heard[-1]), device)
        if button is None and light in numbers:
            button = _open([PLACES[at] for at in right_buttons(device.letters, numbers[light])][:1], device)
        if button is None and must_guess(view, needed=len(device.lights) - device.done):
            untried = [place for place, wrong in zip(PLACES, device.wrong, strict=True) if not wrong]
            button = draw_from(untried, turn.rng)
        if button is None:
            return f"{_description(device)} Which button should I press? {_ASK}"
        return (
            f"For stage {device.done + 1} I am pressing the {place_words(button)} button. {_ASK}\npress_{button}_button"
        )


def _open(named: list[str], device: Lights) -> str | None:
    """The one button that is named, unless it is known to be wrong."""
    possible = [place for place in named if place in PLACES and not device.wrong[PLACES.index(place)]]
    return possible[0] if len(possible) == len(named) == 1 else None


def _description(device: Lights) -> str:
    buttons = listing(f"{place_words(place)} {letter}" for place, letter in zip(PLACES, device.letters, strict=True))
    return (
        f"There are {len(device.lights)} stages. This is stage {device.done + 1}, and its light is "
        f"{device.lights[device.done]}. The buttons are {buttons}."
    )


class Expert(Agent):
    """Answers what it was just told, and always tells the numbers and the rule as well."""

    def act(self, turn: Turn) -> str:
        manual: Manual = turn.view.manual
        message = turn.view.heard[-1]
        light, letters = light_in(message), letters_in(message)
        right = right_buttons(letters, multiplier(light, manual)) if light and letters else ()
        if right:
            advice = f"Please press the {place_words(PLACES[right[0]])} button."
        elif light and letters:
            advice = "No button fits that. Please check the light and all four letters and tell me again."
        else:
            advice = SAID["light and letters"].format(places=listing(map(place_words, PLACES)))
        numbers = listing(f"{colour} {number}" for colour, number in zip(COLOURS, manual, strict=True))
        return f"{advice} The lights stand for these numbers: {numbers}. {SAID['rule of the lights']}"


def light_in(message: str) -> str | None:
    """The colour of the present light, if a message makes it clear."""
    message = message.lower()
    colours = set(_PRESENT_LIGHT.findall(message)) or set(_ANY_COLOUR.findall(message))
    return colours.pop() if len(colours) == 1 else None


def letters_in(message: str) -> tuple[str, ...] | None:
    """The letters of all four buttons, if a message tells them."""
    found = [set(pattern.findall(message)) for pattern in _LETTER_AT.values()]
    return tuple(map(set.pop, found)) if all(len(letters) == 1 for letters in found) else None
