"""Which legal moves a whole text names: case, spaces, brackets and marks aside, or as the game itself reads it."""

import re
import string
import unicodedata
from collections.abc import Callable, Collection, Mapping
from functools import cached_property, lru_cache
from typing import Any

_WRAPPING = string.whitespace + "\"'`*_.,;:!?()[]{}<>“”‘’«»"
# A word or a number; a minus is part of a number where nothing stands before it.
_TOKEN = re.compile(r"(?<![\w.)\]])-\d+(?:\.\d+)?|\d+\.\d+|[^\W_]+")
_MARKS = re.compile(r"[\s\"'`*_.,;:!()\[\]{}<>“”‘’«»#$=+|/\\•·–—→-]+")
"""What may stand around the words of a name and between them. A question mark and what strikes out are not among it."""
_LATEX = re.compile(r"\\(?:text\w*|math\w*|langle|rangle|quad|[,;!])")
_LONGEST_TEXT = 300  # of a move, however it is spelled


def trim_name(name: str) -> str:
    """A name without surrounding punctuation and doubled spaces."""
    return " ".join(name.strip(_WRAPPING).split())


def normalise_name(name: str) -> str:
    """A name without case, surrounding punctuation and doubled spaces."""
    return trim_name(name).casefold()


def tokens_of(text: str) -> list[str]:
    """The words and numbers of a text in small letters, without any marks."""
    return _TOKEN.findall(unicodedata.normalize("NFKC", text).replace("\N{MINUS SIGN}", "-").casefold())


def squeeze(text: str) -> str:
    """A text without case, spaces and marks; two numbers stay two. Empty if it holds any other sign."""
    tokens = tokens_of(text)
    if not tokens or _MARKS.sub("", _TOKEN.sub("", unicodedata.normalize("NFKC", text))):
        return ""
    joined = tokens[0]
    for token in tokens[1:]:
        joined += f"|{token}" if joined[-1].isdigit() and token[0].isdigit() else token
    return joined


# What is made of names again and again, reply for reply.
_trimmed, _normal, _squeezed = (lru_cache(8192)(made) for made in (trim_name, normalise_name, squeeze))


class _Looks:
    """Texts and the actions they stand for, by how the texts look. Replies to one position share them."""

    def __init__(self, texts: tuple[str, ...], actions: tuple[Any, ...]) -> None:
        self.texts, self.actions = texts, actions
        self._found: dict[Callable[[str], str], dict[str, list[Any]]] = {}

    def by(self, as_seen: Callable[[str], str]) -> dict[str, list[Any]]:
        if as_seen not in self._found:
            found: dict[str, list[Any]] = {}
            for text, action in zip(self.texts, self.actions, strict=True):
                found.setdefault(as_seen(text), []).append(action)
            self._found[as_seen] = found
        return self._found[as_seen]


_looks_of = lru_cache(64)(_Looks)


class Moves:
    """The legal moves of a position, and what texts can stand for them.

    `names` maps the legal actions to their texts; `aliases` are further texts that mean one of them. `meanings`, where
    a game has it, says which actions any other text can mean; then case is not left aside.
    """

    def __init__(
        self, names: Mapping[Any, str], aliases: Mapping[str, Any], meanings: Callable[[str], Collection[Any]] | None
    ) -> None:
        self.names, self.aliases, self.meanings = names, aliases, meanings
        self._named: dict[str, set[Any]] = {}

    def named(self, said: str) -> set[Any]:
        """The actions that a whole text can stand for: those of the first way to read it that yields any."""
        if said not in self._named:
            self._named[said] = set() if len(said) > _LONGEST_TEXT else self._find(said)
        return self._named[said]

    def _find(self, said: str) -> set[Any]:
        for wanted, as_seen in ((said, str), (trim_name(said), _trimmed)):
            if found := self._called(wanted, as_seen):  # it means what it says
                return found
        if self.meanings is not None:
            return {action for action in self.meanings(wanted) if action in self.names}
        plain = _LATEX.sub(" ", said)
        return self._called(normalise_name(said), _normal) or self._called(_squeezed(plain), _squeezed)

    def _called(self, wanted: str, as_seen: Callable[[str], str]) -> set[Any]:
        if not wanted:
            return set()
        own = set(self._looks.by(as_seen).get(wanted, ()))
        if own and as_seen is not _normal:
            return own
        return own | {action for action in self._alias_looks.by(as_seen).get(wanted, ()) if action in self.names}

    @cached_property
    def _looks(self) -> _Looks:
        return _looks_of(tuple(self.names.values()), tuple(self.names))

    @cached_property
    def _alias_looks(self) -> _Looks:
        return _looks_of(tuple(self.aliases), tuple(self.aliases.values()))

    def has_form_of_move(self, said: str) -> bool:
        """Whether a whole text is written as the moves are, legal or not: with another number, or another letter."""
        return len(said) <= _LONGEST_TEXT and _form(said) in set(map(_form, self.names.values()))


@lru_cache(8192)
def _form(name: str) -> tuple[str, ...]:
    """The words of a name, with the shapes of letters and numbers in their place."""
    return tuple(token if token.isalpha() and len(token) > 1 else _shape(token) for token in tokens_of(name))


def _shape(token: str) -> str:
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "0", token))
