"""A game with talk in words: the game's own, what was said, and what is to be said or done now."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from mmgames.core import registry
from mmgames.core.game_modules import GameWords, Reasoning
from mmgames.games._talk.rules import SILENCE, Said, Setting, TalkView, signal_names
from mmgames.text import speech
from mmgames.text.facts import Count, Fact
from mmgames.text.refusals import Illegal
from mmgames.text.replies import parse, parse_keywords, parse_object
from mmgames.text.structured import ANSWER_KEYS

MOVE_TYPES = (Said,)
KEY = "message"
_ADDRESSED = re.compile(r"@(?P<who>[\w-]+)\s*[:,]?\s*(?P<words>.*)", re.S)


def _words(view: TalkView) -> GameWords:
    return registry.load(view.game).words


def action_names(view: TalkView) -> dict[Any, str]:
    """The moves of the game by its own numbers, while it is played."""
    return {} if view.talking or not view.asked else dict(_words(view).names(view.inner))


def names(view: TalkView) -> dict[str, str]:
    possible = action_names(view).values()
    if view.talking and view.asked:
        possible = signal_names(view.setting.signals)  # type: ignore[assignment]
    return {name: name for name in possible}


def read(view: TalkView, text: str) -> Any | Illegal:
    """A message while there is talk, otherwise a move of the game."""
    return _message(view, text) if view.talking else _move(view, text)


def unclear(view: TalkView, text: str) -> Illegal | None:
    """In talk silence is a message too; moves are asked again as in the game itself."""
    return None if view.talking or _words(view).read is None else _words(view).unclear(view.inner, text)


def _move(view: TalkView, text: str) -> Any | Illegal:
    words = _words(view)
    if words.read is not None:  # the game itself is played in words
        return words.read(view.inner, text)
    return parse(text, action_names(view), **parse_keywords(words, view.inner))


def _message(view: TalkView, text: str) -> Said | Illegal:
    if view.setting.signals:
        return _signal(view, text)
    found = parse_object(text, (KEY,)) if "{" in text else None
    said = found.get(KEY, text) if isinstance(found, dict) else text
    said = "" if said is None else str(said) if isinstance(said, str | int | float) else text  # null is no message
    words = " ".join(speech.read(said).speech.split())
    to = None
    if view.setting.chosen and (addressed := _ADDRESSED.match(words)):
        if addressed["who"] not in view.roles or view.roles.index(addressed["who"]) == view.seat:
            others = ", ".join(f"@{role}" for seat, role in enumerate(view.roles) if seat != view.seat)
            reason = f"a message cannot be for @{addressed['who']} alone. Possible: {others}, or no @ for all."
            return Illegal("not possible here", reason, text)
        to, words = view.roles.index(addressed["who"]), addressed["words"]
    silent = words.rstrip(".").casefold() == SILENCE
    return Said("" if silent else words[: view.setting.length].rstrip(), to)


def _signal(view: TalkView, text: str) -> Said | Illegal:
    possible = signal_names(view.setting.signals)
    aliases = {str(number): number for number in range(1, len(possible))} | {"": 0}
    if not text.strip():
        return Said("")
    keys = (KEY, *ANSWER_KEYS)
    choice = parse(text, dict(enumerate(possible)), aliases, keys=keys, called="a signal")
    if isinstance(choice, Illegal):
        return choice
    return Said(possible[choice] if choice else "")


def rules(view: TalkView) -> str:
    return _with_talk(_words(view).rules(view.inner), view.setting, view.roles)


@lru_cache(maxsize=64)
def _with_talk(inner: str, setting: Setting, roles: tuple[str, ...]) -> str:
    when = "each move" if setting.every == 1 else f"every {_ordinal(setting.every)} move, from the first on,"
    how = f"one after another ({', '.join(roles)})" if setting.in_turn else "at the same time"
    what = (
        f"one of {setting.signals} signals, which mean what you make of them"
        if setting.signals
        else f"a message of at most {setting.length} characters; what is longer is cut"
    )
    who = "Everybody hears it."
    if setting.chosen and not setting.signals:
        who = "Everybody hears it, unless it begins with @ and the name of a player: then this one alone does."
    return (
        f"{inner}\nBefore {when} there is talk: all players, {how}, may send {what}. {who} Nobody has to say anything, "
        "nothing that is said binds anybody, and talk neither pays nor costs."
    )


def you(view: TalkView) -> str:
    return str(_words(view).you(view.inner))


def legend(view: TalkView) -> str:
    return str(_words(view).legend(view.inner))


def unseen(view: TalkView, size: int) -> str:
    return str(_words(view).unseen(view.inner, size))


def notation(view: TalkView) -> str:
    return str(_words(view).notation(view.inner))


def facts(view: TalkView) -> Sequence[Fact | Count]:
    found: Sequence[Fact | Count] = _words(view).facts(view.inner)
    return found


def answer_format(view: TalkView, reasoning: Reasoning) -> str:
    return _two_answers(_words(view).answer_format(view.inner, reasoning), view.setting.signals, reasoning)


@lru_cache(maxsize=64)
def _two_answers(move: str, signals: int, reasoning: Reasoning) -> str:
    said = "signal 1" if signals else "…"
    think = "think step by step if you like, then " if reasoning == "cot" else ""
    return (
        f'When you are asked to talk: {think}reply with one JSON object, {{"{KEY}": "{said}"}}, or '
        f'{{"{KEY}": "{SILENCE}"}}. When you are asked to move: {move}'
    )


def history(view: TalkView) -> str:
    return "\n".join([str(_words(view).history(view.inner)), *_transcript(view), *_now(view)])


def describe(view: TalkView) -> str:
    return "\n".join([str(_words(view).describe(view.inner)), *_transcript(view), *_now(view)])


def status(view: TalkView) -> str:
    return "\n".join([str(_words(view).status(view.inner)), *_now(view)])


def talk(view: TalkView) -> list[tuple[str, str]]:
    """What was said in the game itself, then what was said before its moves."""
    return [*_words(view).talk(view.inner), *((_who(view, one.sender, one.to), one.words) for one in view.heard)]


def _who(view: TalkView, sender: int, to: int | None) -> str:
    return view.roles[sender] if to is None else f"{view.roles[sender]} to {view.roles[to]} alone"


def _transcript(view: TalkView) -> list[str]:
    """Messages are set apart as quotations of one line, so that none can look like anything else in a prompt."""
    lines = []
    for one in view.heard:
        who = "you" if one.sender == view.seat else view.roles[one.sender]
        alone = "" if one.to is None else f" to {'you' if one.to == view.seat else view.roles[one.to]} alone"
        lines.append(f"Before move {one.move + 1} {who} said{alone}:\n> {one.words}")
    return lines or ["Nobody has said anything yet."]


def _now(view: TalkView) -> list[str]:
    if view.talking:
        return ["It is time to talk: send your message, or say nothing." if view.asked else "There is talk now."]
    return ["It is time to move: choose your action."] if view.asked else []


def _ordinal(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th") if number % 100 not in (11, 12, 13) else "th"
    return f"{number}{ending}"
