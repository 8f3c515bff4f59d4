"""A solver and an expert for WirePuzzle who talk plain English, to each other or to anybody else.

Neither remembers anything: all they go by is in their view, so they also cope with `memory="last"`.
"""

import re

from mmgames.agents.base import Agent
from mmgames.baselines.puzzles.plain_english import NUMBERS, ORDINALS, SAID, latest, must_guess, only, orders
from mmgames.core.seeding import draw_from
from mmgames.core.turn import Turn
from mmgames.puzzles.wire_puzzle.manual import COLOURS, FEWEST, MOST, right_wire
from mmgames.puzzles.wire_puzzle.rules import Panel

_COLOUR = "|".join(COLOURS)
_NUMBER = "|".join(NUMBERS)
_ORDINAL = "|".join((*ORDINALS, "last"))

_TO_CUT = re.compile(r"cut|snip")
_WIRE = re.compile(rf"wire[ _]*(?:number|no|#)?[ _]*({_NUMBER})\b")
_WHICH = re.compile(rf"\b({_ORDINAL}) (?:({_COLOUR}) )?(?:wire|one)\b")

_COUNT = re.compile(rf"\b({_NUMBER}) (?:\w+ )?wires\b")
_LISTED = re.compile(rf"\b({_COLOUR})\b")
_NUMBERED = re.compile(rf"\b([1-{MOST}])[\s:.)=-]*(?:is )?({_COLOUR})\b")
_PARITY = re.compile(r"\b(not )?(?:an? )?(odd|even)\b")
_SERIAL = re.compile(r"serial(?: number)?(?: is| reads)?\W*([a-z0-9-]*\d)\b|last digit(?: is)?\W*(\d)\b")


class Solver(Agent):
    """Describes the panel and cuts the wire the expert names. Guesses only when time runs out without an answer."""

    def act(self, turn: Turn) -> str:
        view = turn.view
        panel: Panel = view.device
        if view.heard:
            wire = latest(lambda message: advised_wire(message, panel), view.heard[-view.experts :])
            if wire and not panel.cut[wire - 1]:
                return f"Thank you, I am cutting wire {wire}.\ncut_wire_{wire}"
        if must_guess(view):
            wire = draw_from([number for number, cut in enumerate(panel.cut, 1) if not cut], turn.rng)
            return f"Time is short, so I am trying wire {wire}.\ncut_wire_{wire}"
        return f"{_apology(view.heard, panel)}{_description(panel)} Which wire should I cut?"


def _apology(heard: tuple[str, ...], panel: Panel) -> str:
    if not heard:
        return ""
    wire = advised_wire(heard[-1], panel)
    why = f"I have cut wire {wire}, and it was wrong." if wire else "Sorry, I do not know yet what to cut."
    return f"{why} Let me describe everything again. "


def _description(panel: Panel) -> str:
    return (
        f"There are {len(panel.wires)} wires. From top to bottom they are {', '.join(panel.wires)}. "
        f"The serial number ends in an {'odd' if panel.odd else 'even'} digit."
    )


def advised_wire(advice: str, panel: Panel) -> int | None:
    """The one wire that the advice says to cut, in sentences that neither ask, forbid nor make conditions."""
    meant: set[int] = set()
    for sentence in orders(advice, _TO_CUT):
        meant.update(NUMBERS[number] for number in _WIRE.findall(sentence))
        for ordinal, colour in _WHICH.findall(sentence):
            candidates = [n for n, wire in enumerate(panel.wires, 1) if not colour or wire == colour]
            place = -1 if ordinal == "last" else ORDINALS.index(ordinal)
            meant.update(candidates[place:][:1])
    return meant.pop() if len(meant) == 1 and max(meant) <= len(panel.wires) else None


class Expert(Agent):
    """Looks the answer up as soon as it is certain, and asks for what is still needed."""

    def act(self, turn: Turn) -> str:
        heard = [message.lower() for message in turn.view.heard]
        wires = latest(_colours, heard)
        if wires is None:
            return SAID["wires"].format(least=FEWEST, most=MOST)
        if not turn.view.manual[len(wires) - FEWEST]:
            return f"My half of the manual has no list for {len(wires)} wires."
        odd = latest(_odd, heard)
        answers = {right_wire(wires, parity, turn.view.manual) for parity in ((False, True) if odd is None else (odd,))}
        if len(answers) > 1:
            return SAID["serial number"]
        return f"Please cut wire {answers.pop()}, counted from the top."


def _colours(message: str) -> tuple[str, ...] | None:
    numbered = _NUMBERED.findall(message)
    in_order = [int(number) for number, _ in numbered] == [*range(1, len(numbered) + 1)]
    wires = tuple(colour for _, colour in numbered if in_order) or tuple(_LISTED.findall(message))
    counts = {NUMBERS[number] for number in _COUNT.findall(message)}
    return wires if FEWEST <= len(wires) <= MOST and counts <= {len(wires)} else None


def _odd(message: str) -> bool | None:
    said = {(word == "odd") != bool(negated) for negated, word in _PARITY.findall(message)}
    if not said:
        said = {int((serial or digit)[-1]) % 2 == 1 for serial, digit in _SERIAL.findall(message)}
    return only(said)
