"""A solver and an expert for TelehealthPuzzle who talk plain English, to each other or to anybody else.

The solver tells what a drawn lesion looks like and what may be told of the profile, never what is private. Neither
remembers anything: all they go by is in their view, so they also cope with `memory="last"`.
"""

import json
import re
from importlib.resources import files

from mmgames.agents.base import Agent
from mmgames.baselines.puzzles.plain_english import SAID, must_guess, only, orders
from mmgames.core.seeding import draw_from
from mmgames.core.turn import Turn
from mmgames.puzzles.telehealth_puzzle import manual as book
from mmgames.puzzles.telehealth_puzzle.manual import CODES, NO, SIGNS, TREATMENT_WORDS, TREATMENTS, YES
from mmgames.puzzles.telehealth_puzzle.rules import DIAGNOSE, NAMES, TREAT, Case
from mmgames.puzzles.telehealth_puzzle.words import lesion_words

_ORDER = re.compile(r"\b(?:diagnos|treat|give|choose|do|apply|use|it is)")
_CODE = re.compile(rf"(?<![a-z])({'|'.join(CODES)})(?![a-z])", re.I)
_TREATMENT = re.compile(r"(?<![a-z])(surgery|cryotherapy|no[ _]treatment)(?![a-z])")
_NONE_NEEDED = re.compile(r"\b(?:do not|don't|need not|needs no|without) treat\w*|\bno treatment\b")

# How the looks and signs are told, the surer wording first: what it finds is taken out before the next one is tried.
_KNOWN = json.loads(files(__package__).joinpath("telehealth_words.json").read_text("utf-8"))
_LOOKS: list[list[str]] = _KNOWN["looks"]
_SIGN_WORDS: dict[str, str] = _KNOWN["signs"]
_CHANGES = dict(itch="Itching", bleed="Bleeding", grew="Grown", hurt="Hurting", changed="Changed", elevation="Raised")
_NOT = r"(?:not|no|never|n't|without)(?: been| any)? "
_MILLIMETRES = re.compile(r"(\d+(?:\.\d+)?)(?: ?mm)?(?: ?(?:by|x|×|and) ?(\d+(?:\.\d+)?))? ?(?:mm|millimet)")


class Solver(Agent):
    """Describes the case and does what the expert says. Guesses only when time runs out without an answer."""

    def act(self, turn: Turn) -> str:
        view = turn.view
        case: Case = view.device
        advice = _usable(case, view.heard[-1]) if view.heard else []
        if advice:
            return "\n".join(["Thank you, I am doing that.", *advice])
        if must_guess(view, needed=2):
            wanted = TREAT if case.diagnosed else DIAGNOSE
            left = [name for name in NAMES if name.startswith(wanted) and name not in case.refused]
            return f"Time is short, so I am trying something.\n{draw_from(left, turn.rng)}"
        sorry = "Sorry, I do not know yet what to do. " if view.heard else ""
        return f"{sorry}{_description(case)} What is the diagnosis, and which treatment follows?"


def _usable(case: Case, advice: str) -> list[str]:
    """The actions that the advice names and that are open now."""
    code, treatment = advised(advice)
    names = [] if case.diagnosed or not code else [DIAGNOSE + code]
    if treatment and (case.diagnosed or code):
        names.append(TREAT + treatment)
    return names if names and names[0] not in case.refused else []


def _description(case: Case) -> str:
    profile = case.profile
    unseen = "I have a photograph of a lesion and cannot put it into words."
    parts = [unseen if case.lesion is None else lesion_words(case.lesion)]
    if profile.diameters:
        parts.append(f"It measures {' by '.join(f'{diameter:g}' for diameter in profile.diameters)} mm.")
    parts += [f"{_CHANGES[sign]}: {profile.has(sign)}." for sign in SIGNS if profile.has(sign) in (YES, NO)]
    if case.diagnosed:
        parts.append("The diagnosis is made.")
    return " ".join(parts)


def advised(advice: str) -> tuple[str | None, str | None]:
    """The diagnosis and the treatment that the advice names, each if it is the only one."""
    text = _NONE_NEEDED.sub("treat no_treatment", advice.lower())
    sentences = orders(text, _ORDER)
    codes = {code.upper() for sentence in sentences for code in _CODE.findall(sentence)}
    return only(codes), only({name.replace(" ", "_") for one in sentences for name in _TREATMENT.findall(one)})


class Expert(Agent):
    """Looks diagnosis and treatment up as soon as they are certain, and asks for what is still needed."""

    def act(self, turn: Turn) -> str:
        manual = turn.view.manual
        heard = [message.lower() for message in turn.view.heard]
        seen, signs, diameter = signs_in(heard)
        fitting = book.matching(manual, seen)
        if len(fitting) != 1:
            asked = "The manual has nothing like that. " if not fitting else ""
            return SAID["lesion"].format(asked=asked)
        code = manual.codes[fitting[0]]
        treatment = book.right_treatment(manual, code, diameter, signs)
        if treatment is None:
            return SAID["treatment"].format(code=code)
        assert treatment in TREATMENTS
        return f"Diagnose {code}. Then treat it with {TREATMENT_WORDS[treatment]}."


def signs_in(heard: list[str]) -> tuple[dict[str, str], dict[str, str], float | None]:
    """Looks, signs and the larger diameter, as far as they were told; newer messages count more."""
    seen: dict[str, str] = {}
    signs: dict[str, str] = {}
    diameter: float | None = None
    for message in heard:
        seen |= _looks(message)
        signs |= _signs(message)
        measured = [float(number) for pair in _MILLIMETRES.findall(message) for number in pair if number]
        diameter = max(measured, default=diameter)
    if diameter is not None:
        seen["size"] = book.size_of(diameter)
    return seen, signs, diameter


def _looks(message: str) -> dict[str, str]:
    found: dict[str, set[str]] = {}
    for what, value, words in _LOOKS:
        message, times = re.subn(words, " ", message)
        if times:
            found.setdefault(what, set()).add(value)
    return {what: values.pop() for what, values in found.items() if len(values) == 1}


def _signs(message: str) -> dict[str, str]:
    """Told as `itching: yes`, `it does not itch` or `it itches`."""
    signs = {}
    for sign, words in _SIGN_WORDS.items():
        said = set(re.findall(rf"\b(?:{words})\W+(?:is |are )?(yes|no)\b", message))
        if not said and re.search(rf"\b(?:{words})\b", message):
            said = {NO if re.search(rf"{_NOT}(?:{words})\b", message) else YES}
        if len(said) == 1:
            signs[sign] = said.pop()
    return signs
