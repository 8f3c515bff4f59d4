"""Which legal moves a text names: spelled as they are or, for the lenient reader, with other spaces, case and marks."""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, Literal, NamedTuple

from mmgames.text.answer_labels import INSPECTS, PART_KEYS, plain_words, words_of

_WRAPPING = string.whitespace + "\"'`*_.,;:!?()[]{}<>“”‘’«»"
# A word or a number; a minus is part of a number where nothing stands before it.
_TOKEN = re.compile(r"(?<![\w.)\]])-\d+(?:\.\d+)?|\d+\.\d+|[^\W_]+")
_MARKS = re.compile(r"[*_`\"'“”‘’<>()\[\]]")
_SIGN = r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]"  # of languages that leave no space beside a name
_BESIDE_SIGNS = re.compile(rf"(?<={_SIGN})(?=[A-Za-z0-9<(])|(?<=[A-Za-z0-9>)])(?={_SIGN})")
_LATEX = re.compile(r"\\(?:langle|rangle|text\w*|math\w*|,|;|!|quad)|\$")
_CALL = re.compile(
    rf"\s*(?!{INSPECTS.pattern})"
    r"[a-z_.]+\s*\((?P<inside>[^()?]*(?:\([^()?]*\)[^()?]*)?)\)\s*;?\s*",
    re.I | re.A,
)
_KEYWORD = re.compile(
    rf"\b(?:{'|'.join(sorted(PART_KEYS))}|action|answer|move|movement|choice|to_\w+)\s*=\s*(?=[\"'\w<])", re.I | re.A
)
_NUMBERED = re.compile(r"\b(\d+)\.(\.\.|…)?\s+(?=[a-hA-HKQRBNO0])")  # "1. e4" is one word
_OPTION = re.compile(r"\b(?:option|answer|choice|letter) \(?$", re.I)
_FILLERS = words_of(
    """move moving go going goes play playing place placing put press tap click drag step walk turn choose select pick
    the a an my to at on in into from cell square point row column col stone disc piece mark player option answer
    action chip token card slot number digit with for key button arrow line and pawn position coordinate coordinates
    direction now again please here first make act take do perform submit function letter choice centre center middle
    corner paddle opening one fill uncover open write enter insert drop respond cast vote set use gets です
    respuesta opción opcion réponse antwort risposta resposta opção opzione"""
)
_ARTICLE = re.compile(r"\ba\s+\w{2}")  # "a piece" names no option A
_SMALL = words_of("the a an my to at on in into from with")
_UNITS = plain_words(
    """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen"""
)
_TENS = plain_words("twenty thirty forty fifty sixty seventy eighty ninety")
_NUMBER_WORDS = [*_UNITS, *(ten + unit for ten in _TENS for unit in ("", *_UNITS[1:10]))]
_NUMBERS = {word: str(number) for number, word in enumerate(_NUMBER_WORDS)}
_BETWEEN = words_of(
    """to from for on in at into the my a an card slot cell square with index row column col takes captures capture take
    x is must be only = moves goes steps diagonally straight gets two squares forward nach vers von auf"""
)
"""Words that may stand between those of a name."""
_DIRECTIONS = {
    "left": words_of(
        "leftward leftwards links gauche izquierda esquerda sinistra влево налево lewo vänster 左 向左 往左 왼쪽"
    ),
    "right": words_of(
        "rightward rightwards rechts droite derecha direita destra вправо направо prawo höger 右 向右 往右 오른쪽"
    ),
    "up": words_of("upward upwards upstairs oben hoch aufwärts haut arriba cima вверх наверх górę upp 上 向上 往上 위"),
    "down": words_of("downward downwards unten runter abwärts abajo baixo giù вниз dół ner 下 向下 往下 아래"),
}
"""Directions as other languages say them."""
_VERB_ENDING = re.compile("(?:ing|es|s)$")
_LONGEST_ENDING = 4  # of a verb: putting
_ENDING = re.compile("(?:ing|es|ed|s|e)$")
_LONGEST_TEXT = 300  # of a move, however it is spelled
_LONGEST = 8  # tokens of a name
_SETTLES = words_of("settle settled settling decide decided deciding")
_GUARDED = words_of("""to on from at square the of control controls attack attacking attacks his her their its""")


def trim_name(name: str) -> str:
    """A name without surrounding punctuation and doubled spaces."""
    return " ".join(name.strip(_WRAPPING).split())


def normalise_name(name: str) -> str:
    """A name without case, surrounding punctuation and doubled spaces."""
    return " ".join(name.strip(_WRAPPING).casefold().split())


def squeeze(tokens: list[str]) -> str:
    """Words written together, in small letters; two numbers stay two, and a number before a cell is none of its own."""
    joined = ""
    for token in tokens:
        apart = (joined[-1:].isdigit() and token[:1].isdigit()) or (joined.isdigit() and token[-1:].isdigit())
        joined += "|" + token if apart else token
    return joined


def tokens_of(text: str) -> list[str]:
    """The words and numbers of a text in small letters, without any marks."""
    return _TOKEN.findall(unicodedata.normalize("NFKC", text).replace("\N{MINUS SIGN}", "-").casefold())


def stem_of(word: str) -> str:
    """A word without the ending that a verb or the plural gives it; numbers by their figures."""
    return _NUMBERS.get(word) or _ENDING.sub("", word)


def apart_from_signs(text: str) -> str:
    """A text with a space between names and the signs of Chinese, Japanese and Korean."""
    return text if text.isascii() else _BESIDE_SIGNS.sub(" ", text)


# What is made of names again and again, reply for reply.
_trimmed, _normal = lru_cache(8192)(trim_name), lru_cache(8192)(normalise_name)


@lru_cache(8192)
def _squeezed(name: str) -> str:
    return squeeze(tokens_of(name))


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


class _Squeezed(NamedTuple):
    """Moves by their squeezed names, all beginnings of these, and how long the longest is."""

    moves: dict[str, set[Any]]
    beginnings: set[str]
    longest: int


@lru_cache(64)
def _squeeze_all(names: tuple[tuple[Any, str], ...], aliases: tuple[tuple[str, Any], ...]) -> _Squeezed:
    by_name: dict[str, set[Any]] = {}
    for action, name in names:
        by_name.setdefault(_squeezed(name), set()).add(action)
    others: dict[str, set[Any]] = {}
    legal = {action for action, _ in names}
    for text, action in aliases:
        if action in legal:
            others.setdefault(_squeezed(text), set()).add(action)
    for direction, words in _DIRECTIONS.items() if by_name.keys() >= {"left", "right"} else ():
        others.update((word, by_name[direction]) for word in words if direction in by_name)
    found = others | by_name
    if not any(len(key) > 1 and key.isalnum() and not key.isdigit() and not key.isalpha() for key in by_name):
        found = {word: found[digit] for word, digit in _NUMBERS.items() if digit in found} | found
    moves = {key: actions for key, actions in found.items() if key}
    beginnings = {key[:length] for key in moves for length in range(1, len(key) + 1)}
    return _Squeezed(moves, beginnings, max(map(len, moves), default=0))


class Mention(NamedTuple):
    """A place where a text names a move. A plain word that is also a name ("right") is only `a_word`."""

    start: int
    end: int
    actions: frozenset[Any]
    a_word: bool = False


class Asked(NamedTuple):
    """What a lenient reader knows of the question: who is to move, whose move that is to the speaker, and its words."""

    role: str = ""
    whose: Literal["own", "another", "any"] = "own"  # "any": any legal move will do
    text: str = ""


NOTHING_ASKED = Asked()


class Read(NamedTuple):
    """What a reader made of a reply: the words that answer, the moves they can stand for, and what speaks against it.

    `rival` is another answer in the same place, `why` says why it is not clear what is answered, and `structured` is
    whether it was answered in a form, not by the whole reply.
    """

    said: str
    actions: Collection[Any] = ()
    rival: str = ""
    why: str = ""
    structured: bool = True


class Moves:
    """The legal moves of a position, and what texts can stand for them."""

    def __init__(
        self,
        names: Mapping[Any, str],
        aliases: Mapping[str, Any],
        meanings: Callable[[str], Collection[Any]] | None,
        spoken: Callable[[], Mapping[str, Any]] | None = None,
        asked: Asked = NOTHING_ASKED,
    ) -> None:
        self.names, self.aliases, self.meanings, self.spoken, self.asked = names, aliases, meanings, spoken, asked

    def named(self, said: str) -> set[Any]:
        """The actions that a text can stand for: those of the first way to read it that yields any."""
        if _breaks_off(said):
            return set()
        for wanted, as_seen in ((said, str), (trim_name(said), _trimmed)):
            if found := self._called(wanted, as_seen) or self._also_called(wanted, as_seen):  # it means what it says
                return found
        if self.meanings is not None:
            return {action for action in self.meanings(wanted) if action in self.names}
        wanted = normalise_name(said)
        return self._called(wanted, _normal) | self._also_called(wanted, _normal)

    def _called(self, wanted: str, as_seen: Callable[[str], str]) -> set[Any]:
        return set(self._looks.by(as_seen).get(wanted, ()))

    def _also_called(self, wanted: str, as_seen: Callable[[str], str]) -> set[Any]:
        if as_seen is str:
            return {self.aliases[wanted]} & self.names.keys() if wanted in self.aliases else set()
        return {action for action in self._alias_looks.by(as_seen).get(wanted, ()) if action in self.names}

    @cached_property
    def _looks(self) -> _Looks:
        return _looks_of(tuple(self.names.values()), tuple(self.names))

    @cached_property
    def _alias_looks(self) -> _Looks:
        return _looks_of(tuple(self.aliases), tuple(self.aliases.values()))

    @cached_property
    def _squeezed_names(self) -> _Squeezed:
        others = [*self.aliases.items(), *(self.spoken() if self.spoken else {}).items()]
        return _squeeze_all(tuple(self.names.items()), tuple(others))

    @property
    def squeezed(self) -> dict[str, set[Any]]:
        """The moves by what their names are without spaces, marks and case; aliases where no name is the same."""
        return self._squeezed_names.moves

    def spelled(self, said: str) -> set[Any]:
        """The actions that a whole text stands for, with other spaces, case, marks and words such as "move" around."""
        if found := self.named(said):
            return found
        if len(said) > _LONGEST_TEXT or _breaks_off(said):
            return set()
        plain = _LATEX.sub(" ", said).replace("\\_", "_").replace("*", "")
        if plain != said and (found := self.named(plain)):
            return found
        said = plain
        call = _CALL.fullmatch(said)
        if call is not None and not self.squeezed.get(squeeze(tokens_of(said))):  # `flag(C6)` may be a name as it is
            said = call["inside"]
        said = _KEYWORD.sub(" ", said)
        tokens = tokens_of(said)
        if not tokens or len(tokens) > 3 * _LONGEST:
            return set()
        if found := self.squeezed.get(squeeze(tokens), set()):
            return found
        own = tokens_of(self.asked.role) if self.asked.whose == "own" else []
        inner = [token for token in tokens[1:-1] if token not in _BETWEEN]
        if found := self._meant([tokens[0], *inner, *tokens[1:][-1:]]):
            return found
        known = self.squeezed.keys() - {"a"} if _ARTICLE.search(said) else self.squeezed
        for fillers in (_SMALL, _FILLERS):
            rest = [token for token in tokens if token in known or (token not in fillers and token not in own)]
            if found := self._meant(rest) if rest else set():
                return found
        if not found and self.meanings is not None and len(rest) == 1:
            word = next(word for word in said.split() if rest[0] in word.casefold())
            found = self.named(word)
        return found

    def mentions(self, text: str) -> list[Mention]:
        """Where a text names moves, the longest names first; what only looks like one is not here."""
        found = list(self._mentioned(text))
        if self.meanings is not None:
            taken = [(mention.start, mention.end) for mention in found]
            found += [
                mention
                for mention in self._by_meaning(text)
                if not any(a < mention.end and mention.start < b for a, b in taken)
            ]
        return sorted(found)

    def _mentioned(self, text: str) -> Iterator[Mention]:
        tokens = [(match.start(), match.end(), match[0].casefold()) for match in _TOKEN.finditer(text)]
        at, longest = 0, self._squeezed_names.longest + _LONGEST_ENDING
        while at < len(tokens):
            begins = self._may_begin(tokens[at][2])
            for length in range(min(_LONGEST, len(tokens) - at), 0, -1) if begins else ():
                span = tokens[at : at + length]
                ends = (0, length - 1)
                words = [word for place, (_, _, word) in enumerate(span) if place in ends or word not in _BETWEEN]
                if len("".join(words)) > longest:
                    continue
                actions = self._meant(words)
                article = (
                    length == 1
                    and len(span[0][2]) == 1
                    and text[span[0][0]].islower()
                    and (not _OPTION.search(text[: span[0][0]]))
                )
                if actions and not article and _close_together(text, span):
                    yield Mention(span[0][0], span[-1][1], frozenset(actions), self._is_word(text, span))
                    at += length - 1
                    break
            at += 1

    def _may_begin(self, word: str) -> bool:
        """Whether a name may begin with this word, itself or as a verb that others do; most words of a text do not."""
        verb, known = _VERB_ENDING.sub("", word), self._squeezed_names.beginnings
        return word.isdigit() or word in known or verb in known or verb[:-1] in known

    def _meant(self, words: list[str]) -> set[Any]:
        """The moves that these words name, the first of them as others say it too: "plays slot 3"."""
        if found := self.squeezed.get(squeeze(words)):
            return found
        if len(words) == 2 and words[0].isdigit() and not words[1].isdigit() and words[1][-1].isdigit():
            return self.squeezed.get(squeeze(words[::-1]), set())  # "a 1 in D7"
        verb = _VERB_ENDING.sub("", words[0])
        if verb == words[0] or len(verb) < 3:
            return set()
        verbs = (verb, verb + "e", verb[:-1] if verb[-1] == verb[-2] else verb)
        return next((found for verb in verbs if (found := self.squeezed.get(squeeze([verb, *words[1:]])))), set())

    def _by_meaning(self, text: str) -> Iterator[Mention]:
        """Moves in the notation of a game that reads its own: words with a number in them, or castling."""
        earlier = before = ""
        for match in re.finditer(
            r"\S+", _NUMBERED.sub(lambda number: number[0].rstrip().ljust(len(number[0]), "."), text)
        ):
            word = trim_name(re.sub(r"^(\d+)\.{2,}", r"\1...", match[0].strip("*`_,;:!?()")))
            if any(sign.isdigit() for sign in word) or word.upper().startswith(("O-O", "0-0")):
                bare = re.sub(r"^\d*\.+", "", word)
                guarded = before in _GUARDED and not (before == "on" and earlier in _SETTLES)
                square = re.fullmatch(r"[a-h][1-8]", bare) and guarded
                if not square and (found := self.named(word) or self.named(bare)):
                    yield Mention(match.start(), match.end(), frozenset(found))
            earlier, before = before, word.casefold()

    def _is_word(self, text: str, span: list[tuple[int, int, str]]) -> bool:
        """Whether a mention is no more than a small word of the language, set apart by nothing."""
        start, end = span[0][0], span[-1][1]
        said = text[start:end]
        if len(span) > 1 or not said.isalpha():
            return False
        set_apart = _MARKS.match(text[start - 1 : start] or " ") and _MARKS.match(text[end : end + 1] or " ")
        loud = said.isupper() and len(said) > 1
        return not set_apart and not loud

    @cached_property
    def shapes(self) -> set[str]:
        """What names look like, a letter for letters and a digit for digits, so that an illegal one is known too."""
        found = {_shape(token) for name in self.names.values() for token in _form(name)}
        return {shape for shape in found if "0" in shape and "a" in shape}

    def has_form_of_move(self, said: str) -> bool:
        """Whether a whole text is written as the moves are, legal or not: with another number, or another letter."""
        return len(said) <= _LONGEST_TEXT and _form(said) in set(map(_form, self.names.values()))

    def looks_like_move(self, word: str) -> bool:
        """Whether a word has the shape of the moves, legal or not: a cell, or a name in angle brackets."""
        tokens = tokens_of(word)
        return (len(tokens) == 1 and _shape(tokens[0]) in self.shapes) or re.fullmatch(
            r"<[A-Z_-]{2,}>", word
        ) is not None


def _breaks_off(said: str) -> bool:
    return ("[" in said and said.count("[") > said.count("]")) or ("{" in said and said.count("{") > said.count("}"))


@lru_cache(8192)
def _form(name: str) -> tuple[str, ...]:
    """The words of a name, with the shapes of letters and numbers in their place."""
    return tuple(token if token.isalpha() and len(token) > 1 else _shape(token) for token in tokens_of(name))


@lru_cache(8192)
def _shape(token: str) -> str:
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "0", token))


def _close_together(text: str, span: list[tuple[int, int, str]]) -> bool:
    """Whether nothing but spaces and small marks stands between the words of a name; a stroke only in N/A."""
    return all(
        len(gap := text[one[1] : two[0]]) <= 4
        and not set(gap) & set(".!?\n;&|")
        and ("/" not in gap or len(one[2]) == len(two[2]) == 1)
        for one, two in pairwise(span)
    )
