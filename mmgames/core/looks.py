"""Looks: the same rules in other pictures and words, chosen with `look=`: `mirrored`, `rotated+night+compass`, ….

A look may turn the board: views are shown as those of a turned position, and actions are those of the turned board.
It may change colours: of finished pictures, pixel by pixel, and of the colours that words name. It may show other
pieces, call moves by other words, or number them. Rules, states, views, features and action numbers stay what they
are, so agents, searches and records know nothing of it.
"""

import copy
import importlib
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from mmgames.core.game import Action
from mmgames.core.game_modules import GameWords, Turns
from mmgames.core.look_names import TURNS, Look
from mmgames.core.spec import GameSpec


def lightness_inverted(picture: np.ndarray) -> np.ndarray:
    """Light is dark and dark is light; hues stay."""
    wide = picture.astype(np.int16)
    bright = wide.max(-1, keepdims=True) + wide.min(-1, keepdims=True)
    turned: np.ndarray = (wide + 255 - bright).astype(np.uint8)
    return turned


def red_and_blue_exchanged(picture: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(picture[..., ::-1])


class Theme(NamedTuple):
    """What becomes of pictures, and what becomes of the names of colours."""

    paint: Callable[[np.ndarray], np.ndarray]
    words: Mapping[str, str]


THEMES = {
    "night": Theme(
        lightness_inverted,
        {
            "black": "white", "white": "black", "light": "dark", "dark": "light", "pale": "dark", "dim": "bright",
            "pink": "maroon", "brown": "tan", "yellow": "dark-yellow",
        },
    ),
    "swapped": Theme(
        red_and_blue_exchanged,
        {
            "red": "blue", "blue": "rust", "yellow": "cyan", "cyan": "yellow", "gold": "light-blue",
            "golden": "light-blue", "pink": "violet", "brown": "slate", "purple": "plum",
        },
    ),
}  # fmt: skip
TONGUES = {
    "compass": {"<UP>": "<NORTH>", "<DOWN>": "<SOUTH>", "<LEFT>": "<WEST>", "<RIGHT>": "<EAST>", "<STAY>": "<WAIT>"},
}
"""Other words for moves."""


def turned_cells(how: str, rows: int, columns: int) -> list[int]:
    """Where each cell of a board goes, the cells counted row by row from the top left."""
    places = {
        "mirrored": lambda row, column: (row, columns - 1 - column),
        "flipped": lambda row, column: (rows - 1 - row, column),
        "rotated": lambda row, column: (rows - 1 - row, columns - 1 - column),
        "quarter": lambda row, column: (column, rows - 1 - row),
        "three quarters": lambda row, column: (columns - 1 - column, row),
    }
    return [
        row * columns + column
        for cell in range(rows * columns)
        for row, column in [places[how](*divmod(cell, columns))]
    ]


class Translator:
    """Puts other words in the place of some, whole words only, and keeps capitals."""

    def __init__(self, words: Mapping[str, str]) -> None:
        self.say = _replacing(words)
        self.back = _replacing({other: word for word, other in reversed(list(words.items()))})


def _replacing(words: Mapping[str, str]) -> Callable[[str], str]:
    by_lower = {word.lower(): other for word, other in words.items()}
    there = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    pattern = re.compile(rf"(?<!\w)(?:{there})(?!\w)", re.I)

    def other(found: re.Match[str]) -> str:
        instead = by_lower[found[0].lower()]
        return instead[0].upper() + instead[1:] if found[0][0].isupper() else instead

    return lru_cache(maxsize=256)(lambda text: pattern.sub(other, text))


class LookModules:
    """How the modules of a game are changed for a look."""

    def __init__(self, spec: GameSpec, look: Look, picture: Any, words: GameWords) -> None:
        self.look = look
        self.theme = THEMES.get(look.theme)
        looks = looks_module(spec) if look.turn or look.pieces else None
        self.turns: Turns | None = looks if look.turn else None
        pieces = looks.PIECE_WORDS[look.pieces] if looks is not None and look.pieces else {}
        colours = {**(self.theme.words if self.theme else {}), **TONGUES.get(look.tongue, {})}
        self.changes = [Translator(words) for words in (pieces, colours) if words]
        self.picture = self._dressed_picture(picture, looks)
        self.words = self._dressed_words(words)

    def say(self, text: str) -> str:
        """A text in the look's words: first other pieces, then other colours."""
        for change in self.changes:
            text = change.say(text)
        return text

    def back(self, text: str) -> str:
        """A text in the game's own words."""
        for change in reversed(self.changes):
            text = change.back(text)
        return text

    def turned(self, view: Any) -> Any:
        return view if self.turns is None else self.turns.turned(view, self.look.turn)

    def own(self, view: Any, action: Action) -> Action:
        """The action of the game that one of the turned board is."""
        return action if self.turns is None else self.turns.turned_action(view, action, TURNS[self.look.turn])

    def _dressed_picture(self, picture: Any, looks: Any) -> Any:
        usual = picture.draw if not self.look.pieces else looks.draw_pieces(self.look.pieces)

        def draw(view: Any, size: int = 512) -> np.ndarray:
            drawn: np.ndarray = usual(self.turned(view), size)
            return self.theme.paint(drawn) if self.theme else drawn

        made = SimpleNamespace(draw=draw, features=picture.features)
        for name in ("planes", "shows"):
            if hasattr(picture, name):
                setattr(made, name, getattr(picture, name))
        if hasattr(picture, "regions"):
            made.regions = lambda view, size=512: {
                self.own(view, action): boxes for action, boxes in picture.regions(self.turned(view), size).items()
            }
        return made

    def _dressed_words(self, words: GameWords) -> GameWords:
        made, say = copy.copy(words), self.say

        def renamed(function: Callable[..., str]) -> Callable[..., str]:
            return lambda view, *more: say(function(self.turned(view), *more))

        for name in ("rules", "you", "history", "describe", "legend", "unseen", "status", "goal"):
            setattr(made, name, renamed(getattr(words, name)))
        made.called = say
        made.names = self._names(words.names)
        made.plain = lambda view: {} if self.look.numbered else self._named(view, words.plain(self.turned(view)))
        made.aliases = lambda view: self._aliases(words, view)
        made.notation = self._notation(words) if self.look.numbered else renamed(words.notation)
        made.talk = lambda view: [(say(role), say(text)) for role, text in words.talk(self.turned(view))]
        made.facts = lambda view: () if self.changes else words.facts(self.turned(view))
        if words.remembers:

            def remembering(frames: int, seen: Sequence[Any]) -> GameWords:
                return self._dressed_words(words.remembering(frames, [*map(self.turned, seen)]))

            setattr(made, "remembering", remembering)  # noqa: B010
        if words.meanings is not None:
            made.meanings = lambda view, text: {
                self.own(view, action) for action in words.meanings(self.turned(view), self.back(text))
            }
        if words.possible is not None:
            made.possible = lambda view, seat: self._named(view, words.possible(self.turned(view), seat))  # type: ignore[misc]
        if not hasattr(words.module, "answer_format"):
            made.answer_format = made._answer_format
        else:
            made.answer_format = renamed(words.answer_format)
        return made

    def _named(self, view: Any, names: Mapping[Action, str]) -> dict[Action, str]:
        return {self.own(view, action): self.say(name) for action, name in names.items()}

    def _names(self, usual: Callable[[Any], Mapping[Action, str]]) -> Callable[[Any], dict[Action, str]]:
        def names(view: Any) -> dict[Action, str]:
            named = self._named(view, usual(self.turned(view)))
            if self.look.numbered:
                return {action: f"{number}: {name}" for number, (action, name) in enumerate(named.items(), start=1)}
            return named

        return names

    def _meant(self, view: Any, texts: Mapping[str, Action]) -> dict[str, Action]:
        return {self.say(text): self.own(view, action) for text, action in texts.items()}

    def _aliases(self, words: GameWords, view: Any) -> dict[str, Action]:
        found = self._meant(view, words.aliases(self.turned(view)))
        if self.look.numbered:
            named = self._named(view, words.names(self.turned(view)))
            found |= {name: action for action, name in named.items()}
            found |= {str(number): action for number, action in enumerate(named, start=1)}
        return found

    def _notation(self, words: GameWords) -> Callable[[Any], str]:
        return lambda view: (
            "An action is written as it stands in the list of legal actions, or as its number there, such as 1. "
            + self.say(words.notation(self.turned(view)).replace("An action is written", "There it stands", 1))
        )


def looks_module(spec: GameSpec) -> Any:
    """The looks module of a game that has one."""
    return importlib.import_module(f"{spec.package}.looks")
