"""Words for people in the place of the tokens that models read: "Up" for `<UP>`, "Player 1" for `player_1`."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

_NUMBERED = re.compile(r"(\w+?)_(\d+)")
_TOKEN = r"<([A-Z][A-Z_ ]*)>"
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z“(])")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def title(name: str) -> str:
    """The name of a game as a heading: TicTacToe is Tic Tac Toe."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)


def plain(token: str) -> str:
    """What people call a move, an agent or an event; one that is no word, such as `B2` or `e2e4`, stays as it is."""
    text = re.sub(_TOKEN, lambda found: found[1].lower(), token.strip("()")).replace("_", " ")
    words = [word.lower() if word.isupper() and len(word) > 3 else word for word in text.split()]
    text = " ".join(words) or token
    return capitalised(text) if words and words[0].isalpha() and len(words[0]) > 1 else text


def sentences(text: str) -> list[str]:
    return _SENTENCE.split(" ".join(text.split()))


@lru_cache(maxsize=256)
def seat_names(seats: Sequence[str]) -> Mapping[str, str]:
    """What people call the seats: with a capital letter, and with the numbers that pictures show."""
    return {role: capitalised(role.replace("_", " ")) for role in seats}


@lru_cache(maxsize=256)
def reader(seats: Sequence[str], moves: bool = True) -> Callable[[str], str]:
    """What makes a text one for people: numbered seats by their names, and moves without their signs."""
    called = {role: name for role, name in seat_names(seats).items() if _NUMBERED.fullmatch(role)}
    parts = [rf"\b({'|'.join(map(re.escape, called))})\b"] * bool(called) + [_TOKEN] * moves
    if not parts:
        return str
    pattern = re.compile("|".join(parts))
    return lambda text: pattern.sub(lambda found: called.get(found[0]) or plain(found[0]), text)
