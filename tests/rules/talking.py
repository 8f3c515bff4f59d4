"""Talk for the tests of solver and expert puzzles: fixed lines, whole conversations, one answer."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import mmgames
from mmgames.agents.base import Agent
from mmgames.core.live import LiveGame
from mmgames.core.registry import LoadedGame
from mmgames.core.turn import Turn
from mmgames.puzzles._conversation.rules import EXPERT, SOLVER, ConversationState
from mmgames.testing.playing import begin

NOISE = ("", "What?", "Press it.", "Do not press the top left button.", "press_1", "?!\n\x00漢字🙂", "x, y and z")


TALKS = json.loads(Path(__file__).with_name("puzzle_talks.json").read_text("utf-8"))
"""What is said to each puzzle's scripted pair: advice and what it means, and messages with what is in (`holds`), or
at the beginning (`begins`) of the answer to the last one, `always` in each."""


def live_at(loaded: LoadedGame, device: Any, **options: Any) -> LiveGame:
    """A game that starts with this device."""
    live = LiveGame(loaded, loaded.game(**options))
    live.go_on_from(ConversationState(device), np.random.default_rng(0))
    return live


def looks(loaded: LoadedGame, devices: Iterable[Any], seat: int = SOLVER, sizes: Sequence[int] = (64, 128, 512)) -> int:
    """How many different pictures a seat has of these devices, at the size at which it has the fewest."""
    views = [live_at(loaded, device).view(seat) for device in devices]
    return min(len({loaded.picture.draw(view, size).tobytes() for view in views}) for size in sizes)


def say(live: LiveGame, *texts: str) -> LiveGame:
    for text in texts:
        (seat,) = live.movers
        live.play({seat: live.check(seat, text)})
    return live


def do(live: LiveGame, *actions: str) -> LiveGame:
    """Let the solver do one thing in every turn, while the expert is silent."""
    for action in actions:
        if live.movers == (EXPERT,):
            say(live, "")
        say(live, action)
    return live


def converse(live: LiveGame, solver: Agent, expert: Agent, seed: int = 0) -> LiveGame:
    """Play an episode to its end."""
    rng = np.random.default_rng([seed, 1])
    while live.movers:
        (seat,) = live.movers
        say(live, (solver, expert)[seat].act(Turn(live, seat, rng)))
    return live


def episode(loaded: LoadedGame, solver: Agent, expert: Agent, seed: int, **options: Any) -> LiveGame:
    return converse(begin(loaded.spec, seed, **options), solver, expert, seed)


def answer(loaded: LoadedGame, expert: Agent, device: Any, *messages: str, **options: Any) -> str:
    """What the expert says to the last of these messages of the solver."""
    live = live_at(loaded, device, **options)
    for message in messages[:-1]:
        say(live, message, "Go on.")
    say(live, messages[-1])
    return str(expert.act(Turn(live, EXPERT, np.random.default_rng(0))))


def misread(loaded: LoadedGame, read: Callable[[str], Any], part: str = "advice") -> list[Any]:
    """What is kept of this puzzle's talk and read as something else than it means."""
    found = [(said, meant, json.loads(json.dumps(read(said)))) for said, meant in TALKS[loaded.spec.name][part]]
    return [row for row in found if row[1] != row[2]]


def misanswered(loaded: LoadedGame, expert: Agent, device: Any) -> list[Any]:
    """The messages that are kept for this puzzle's expert which it answers otherwise."""
    found, talk = [], TALKS[loaded.spec.name]
    for part, fits in (("holds", str.__contains__), ("begins", str.startswith)):
        for *messages, said in talk.get(part, ()):
            told = answer(loaded, expert, device, *messages)
            found += [] if fits(told, said) and talk.get("always", "") in told else [(messages, said, told)]
    return found


def observation(live: LiveGame, seat: int, **options: Any) -> dict[str, Any]:
    return mmgames.parallel_env(live.game.spec.id, **{"size": 128, **options}).observer.observe(live.view(seat))


def states(loaded: LoadedGame, seed: int, **options: Any) -> Iterator[ConversationState]:
    """The positions of an episode in which the solver acts at random, several times a message."""
    game, rng = loaded.game(**options), np.random.default_rng(seed)
    state = game.start(rng)
    yield state
    while movers := game.movers(state):
        names = game.legal(state, movers[0])
        lines = ["Hm.", *(names[i] for i in rng.integers(len(names), size=rng.integers(3)))] if names else ["Go on."]
        message = loaded.words.read(game.view(state, movers[0]), "\n".join(lines))
        state = game.play(state, {movers[0]: message}, rng)
        yield state
