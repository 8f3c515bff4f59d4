"""A solver and an expert for PasswordPuzzle who talk plain English, to each other or to anybody else.

Neither remembers anything but what is in its view. The solver says which words are still left, and the expert repeats
it, so that they also cope with `memory="last"`.
"""

import re
from string import ascii_lowercase as LETTERS
from typing import NamedTuple

from mmgames.agents.base import Agent
from mmgames.baselines.puzzles.plain_english import SAID, listing, must_guess, only, quote
from mmgames.core.turn import Turn
from mmgames.puzzles._conversation.rules import SOLVER, ConversationView
from mmgames.puzzles.password_puzzle.manual import WHEELS, Manual
from mmgames.puzzles.password_puzzle.rules import DOWN, SUBMIT, UP, Lock

_QUOTED = re.compile(r"[\"“'‘`]([a-z]{5})[.,]?[\"”'’`]", re.I)
_BARE = re.compile(r"\b([A-Z]{5})\b|(?:password|word) (?:is|could be|may be|might be|must be)\W+([A-Za-z]{5})\b")
_TRYING = re.compile(r"(?:trying|entering)\W+([a-z]{5})\W", re.I)
_NUMBERING = re.compile(r"\b(?:wheel|letter|position|number)?\s*\d\s*[:.)=-]?\s*(?:is|shows)?", re.I)
_FIVE = re.compile(r"(?<![A-Za-z'])[A-Za-z](?:(?:[\s,;:\"'-]|\band\b)+[A-Za-z]){4,}(?![A-Za-z'])")
_TOGETHER = re.compile(r"\b[A-Z]{5}\b")


class Named(NamedTuple):
    """The words that a message names: the one that is being tried, if any, and all others."""

    tried: list[str]
    left: list[str]


def words_in(message: str) -> Named:
    words = [word.lower() for word in _QUOTED.findall(message)]
    words = words or [(one or other).lower() for one, other in _BARE.findall(message)]
    tried = [word.lower() for word in _TRYING.findall(message)]
    return Named(tried[:1], [word for word in dict.fromkeys(words) if word not in tried])


class Solver(Agent):
    """Turns to one word after the other that the expert names, and submits what can be spelled."""

    def act(self, turn: Turn) -> str:
        view = turn.view
        lock: Lock = view.device
        named = words_in(view.heard[-1]) if view.heard else Named([], [])
        left = [word for word in named.left if word != lock.letters and turns_to(word, lock) is not None]
        if lock.letters in (*named.tried, *named.left) and not _refused(view):
            return f"I am entering {quote(lock.letters)}. {_left(left)}\n{SUBMIT}"
        if left:
            word, *rest = left
            return "\n".join([f"I am trying {quote(word)}. {_left(rest)}", *(turns_to(word, lock) or [])])
        if must_guess(view):
            return f"Time is short, so I am entering what I see.\n{SUBMIT}"
        return SAID["letters"].format(letters=", ".join(lock.letters.upper()))


def _left(words: list[str]) -> str:
    return f"Still left: {', '.join(map(quote, words)) if words else 'nothing'}."


def _refused(view: ConversationView) -> bool:
    """Whether what the wheels show has just been submitted, and was wrong."""
    mine = [said for said in view.dialogue if said.seat == SOLVER]
    return any(result.action == SUBMIT and result.mistake for result in (mine[-1].results if mine else ()))


def turns_to(word: str, lock: Lock) -> list[str] | None:
    """The buttons that turn the wheels to a word, None if a letter is too far away to be on its wheel."""
    buttons = []
    for number, (now, wanted) in enumerate(zip(lock.letters, word, strict=True)):
        steps = _steps(now, wanted)
        if abs(steps) > 2:
            return None
        buttons += [UP[number] if steps > 0 else DOWN[number]] * abs(steps)
    return buttons


def _steps(now: str, wanted: str) -> int:
    """How far it is in the alphabet, the shorter way round."""
    half = len(LETTERS) // 2
    return (LETTERS.index(wanted) - LETTERS.index(now) + half) % len(LETTERS) - half


class Expert(Agent):
    """Names the words that are near to the letters it was just told, or repeats the words that are left."""

    def act(self, turn: Turn) -> str:
        manual: Manual = turn.view.manual
        message = turn.view.heard[-1]
        named = words_in(message)
        if named.tried:
            return f"You are trying {quote(named.tried[0])}. {_left(named.left)}"
        letters = letters_in(message)
        if letters is None:
            return "Please tell me the five letters that you see, from left to right, with commas between them."
        near = [word for word in manual if all(abs(_steps(a, b)) <= 2 for a, b in zip(letters, word, strict=True))]
        if not near:
            return "No word of my list is near to these. Please tell me again the five letters from left to right."
        return f"It {'may' if len(near) > 1 else 'must'} be {listing(map(quote, near), last='or')}."


def letters_in(message: str) -> str | None:
    """The five letters that a message tells."""
    plain = _NUMBERING.sub(" ", message)
    found = {"".join(re.findall(r"\b[A-Za-z]\b", five)).lower() for five in _FIVE.findall(plain)}
    found |= set() if found else {word.lower() for word in _TOGETHER.findall(plain)}
    letters = only(found)
    return letters if letters and len(letters) == WHEELS else None
