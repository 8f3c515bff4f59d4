"""A person at the terminal, in any seat of any game."""

import shutil
from collections.abc import Mapping
from typing import Any

from mmgames.agents.base import Agent
from mmgames.core import registry
from mmgames.core.game import Game, Seat
from mmgames.core.game_modules import GameWords
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError
from mmgames.text.refusals import Illegal


class Human(Agent):
    """Prints the rules once an episode and the position every turn, then reads a move by its exact name.

    The last position is printed when the game is over. An illegal answer is explained and asked for again. In talking
    games the message goes out as it was typed, over as many lines as you like; an empty line sends it.
    """

    may_be_asked_again = False

    def __init__(self) -> None:
        self._knows_rules = False
        self._game: Game | None = None

    def begin(self, game: Game, seat: Seat) -> None:
        self._knows_rules = False
        self._game = game

    def end(self, view: Any) -> None:
        assert self._game is not None
        print(f"\n{_words(self._game).describe(view)}")

    def act(self, turn: Turn) -> Any:
        words, view = _words(turn.game), turn.view
        talks = turn.game.spec.actions == "text"
        if turn.game.spec.actions == "box":
            raise MmgamesError(f"{turn.game.spec.id} is steered with numbers many times a second, not at a terminal.")
        if not self._knows_rules:
            print(f"\n== {turn.game.spec.name}: you play {words.called(turn.role)} ==\n")
            print(f"{words.rules(view)}\n\n{words.you(view)}")
            if talks:
                print(f"\n{words.answer_format(view, 'direct')}")
            self._knows_rules = True
        print(f"\n{words.describe(view)}")
        names = turn.names
        while True:
            text = self._message(turn, names) if talks else self._move(turn, names)
            read = turn.read(text)
            if not isinstance(read, Illegal):
                return text if talks else read
            print(f"That is no move: {read.reason}")

    def _move(self, turn: Turn, names: Mapping[Any, str]) -> str:
        print(_listing(names))
        return typed(f"{turn.role}> ", _ended(turn))

    def _message(self, turn: Turn, names: Mapping[Any, str]) -> str:
        if names:
            print(_listing(names))
        print("Type your message; an empty line sends it.")
        return typed_lines(f"{turn.role}> ", _ended(turn))


def typed(sign: str, ended: str) -> str:
    """A line that is typed; `ended` is the sentence for where there is none any more."""
    try:
        return input(sign)
    except EOFError as end:
        raise MmgamesError(ended) from end


def typed_lines(sign: str, ended: str) -> str:
    """What is typed up to an empty line."""
    lines = [typed(sign, ended)]
    while lines[-1]:
        lines.append(typed("… ", ended))
    return "\n".join(lines[:-1])


def _ended(turn: Turn) -> str:
    return f"{turn.game.spec.id}: the input ended before {turn.role} had moved; the episode stays unfinished."


def _listing(names: Mapping[Any, str]) -> str:
    width = min(shutil.get_terminal_size().columns, 100)
    *most, last = names.values()
    lines = ["Moves:"]
    for item in (*(f"{name}," for name in most), last):  # a name stays in one line, also if it has several words
        if len(lines[-1]) + 1 + len(item) > width:
            lines.append(item)
        else:
            lines[-1] += f" {item}"
    return "\n".join(lines)


def _words(game: Game) -> GameWords:
    return registry.load(game.spec.id).shown(game).words
