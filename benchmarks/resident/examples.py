"""Examples for the resident: what a chat model is shown in each entry, and what who knows best replies there.

A file holds some examples of one entry. Files are drawn by many processes, depend on the seed and their number alone,
and stay in the run's folder, so that drawing and learning go on where they stopped. Part 0 of each is kept for
measuring and has seeds that nothing is learned from.
"""

import io
import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from PIL import Image

from mmgames import suites, tasks
from mmgames.agents.answering import SEEN, Answering
from mmgames.agents.finding import make_agents
from mmgames.agents.players import Players
from mmgames.agents.token_replies import pictures_in
from mmgames.baselines.learning.known_play import known_turns
from mmgames.baselines.models.conversation import Conversation
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.core.observation import Observer
from mmgames.core.seeding import fresh_rng
from mmgames.core.whole_files import write_whole
from mmgames.errors import MissingExtra, MmgamesError
from mmgames.tasks.questions import task_style
from mmgames.text.refusals import Illegal

KNOWN: Mapping[str, Any] = tomllib.loads(Path(__file__).with_name("entries.toml").read_text("utf-8"))
ASTRAY = (0.0, 0.1, 0.3, 1.0)
"""How often moves of an episode are random ones: each share in a part of the episodes."""

EACH, LEAST = 12, 0.3
"""So many positions of an episode are shown on average, if it has as many, or this share of them if that is more."""


REFUSED = 0.1
"""So often the reply before is given once more, if it is no move any more, and what is learned follows its refusal."""


@dataclass(frozen=True)
class Entry:
    """One kind of example: a game that somebody plays, or a task (`teachers` is empty) whose answer is known."""

    name: str
    id: str
    options: Mapping[str, Any]
    teachers: tuple[str, ...] = ()


@cache
def entries() -> tuple[Entry, ...]:
    """All that is learned from, in an order that stays the same."""
    found: dict[str, Entry] = {}
    for name in sorted(suites.suites()):
        for one in suites.find(name).entries:
            options = {key: one.options[key] for key in one.options if key not in ("attempts", "feedback")}
            _add(found, one.id, {**options, **({} if tasks.named(one.id) else KNOWN["shown"].get(name, {}))})
    for name in KNOWN["more"]["games"]:
        _add(found, registry.find(name).id, {})
    for name, others in KNOWN["otherwise"].items():
        for options in others:
            _add(found, registry.find(name).id, options)
    return tuple(found.values())


def _add(found: dict[str, Entry], id: str, options: Mapping[str, Any]) -> None:
    task = tasks.named(id)
    game = registry.find(task.game if task else id)
    if game.name in KNOWN["apart"]["games"]:
        return
    own = " ".join([task.name if task else game.name, *(f"{key}={value}" for key, value in options.items())])
    teachers: tuple[str, ...] = ()
    if task is None:
        known = KNOWN["teachers"].get(game.name)
        teachers = (known,) if known else game.agents.quick or game.agents.reference
        teachers = teachers * len(game.seats) if len(teachers) == 1 else teachers[: len(game.seats)]
    found.setdefault(own, Entry(own, id, options, teachers))


def file_of(folder: Path, entry: int, part: int) -> Path:
    return folder / f"{part:05d}-{entry:03d}.npz"


def draw_file(folder: Path, entry: int, part: int, count: int, pixels: int, seed: int) -> str:
    """Draw one file; what went wrong with its entry, if it could not be drawn."""
    one, why, made = entries()[entry], "", []
    numbers = np.random.default_rng([seed, entry, part]).integers(2**62, size=4 * count).tolist()
    shift = KNOWN["seeds"]["first"] if part else 0
    draw = _questions if not one.teachers else _turns
    try:
        for example in draw(one, [number + shift for number in numbers], pixels):
            made.append(example)
            if len(made) == count:
                break
    except (MmgamesError, MissingExtra) as error:  # what was drawn before counts all the same
        why = f"{one.name}: {error}"
    seen = [picture for _, own in made for picture in own]
    pictures = np.stack(seen) if seen else np.zeros((0, pixels, pixels, 3), np.uint8)
    lines, packed = "\n".join(json.dumps(row) for row, _ in made).encode(), io.BytesIO()
    np.savez_compressed(packed, pictures=pictures, lines=np.frombuffer(lines, np.uint8))
    write_whole(file_of(folder, entry, part), packed.getvalue())
    return why


@dataclass(eq=False, repr=False)
class Scribe(Conversation):
    """Whoever is shown what any chat model is shown, keeps it, and says what it is told to say."""

    says: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.picture = "pil"

    def complete(self, messages: list[dict[str, Any]]) -> str:
        self.shown = messages
        return self.says


Drawn = Iterator[tuple[dict[str, Any], list[np.ndarray]]]


def _questions(entry: Entry, seeds: Sequence[int], pixels: int) -> Drawn:
    scribe = Scribe(size=pixels)
    shown = {**task_style(scribe), **entry.options}
    env: Any = gymnasium.make(entry.id, actions="text", disable_env_checker=True, **shown).unwrapped
    for seed in seeds:
        observation, _ = env.reset(seed=seed)
        truth = env.source.truth(env.question)["answer"]
        listed = [env.source.as_reply(name) for name in env.question.names.values()]
        yield _row(scribe.messages(observation), env.source.as_reply(truth), listed, pixels)


def _turns(entry: Entry, seeds: Sequence[int], pixels: int) -> Drawn:
    style = {name: entry.options[name] for name in SEEN if name in entry.options}
    loaded = registry.load(entry.id)
    game = loaded.game(**{name: value for name, value in entry.options.items() if name not in style})
    scribe, observer = Scribe(size=pixels), Observer(loaded, game)
    players = Players(dict(enumerate(make_agents(entry.teachers, game.spec))))
    share = min(1.0, max(LEAST, EACH / max(1, game.spec.length)))
    for number, seed in enumerate(seeds):
        rng, _ = fresh_rng(seed)
        chosen, before = np.random.default_rng([seed, 1]), ""
        live = LiveGame(loaded, game)
        for turn, said in known_turns(live, players, observer, rng, ASTRAY[number % len(ASTRAY)]):
            names = [] if game.spec.actions == "text" else [turn.names[move] for move in turn.legal]
            reply = str(said) if not names else as_asked(said if isinstance(said, str) else turn.names[said])
            if chosen.random() < share:
                written, seat = [as_asked(name) for name in names], Answering(scribe.fresh(), **style)
                if names and before and chosen.random() < REFUSED and isinstance(why := turn.read(before), Illegal):
                    seat.agent.says = before
                    seat.act(turn)
                    turn.refused = why
                seat.agent.says = reply
                seat.act(turn)
                yield _row(seat.agent.shown, reply, written, pixels)
            before = reply


def as_asked(name: str) -> str:
    """A move in the form that prompts of games ask for."""
    return json.dumps({"action": name}, ensure_ascii=False)


def _row(messages: list[dict[str, Any]], reply: str, listed: Sequence[str], pixels: int) -> Any:
    """An example without its pictures, and these as the model's processor makes them before they are numbers."""
    seen = [np.asarray(picture.resize((pixels, pixels), Image.Resampling.BICUBIC)) for picture in pictures_in(messages)]
    told = [
        {**one, "content": [{"type": "image"} if part["type"] == "image" else part for part in one["content"]]}
        if not isinstance(one["content"], str)
        else one
        for one in messages
    ]
    return {"messages": told, "reply": reply, "legal": list(listed), "pictures": len(seen)}, seen


def read_file(path: Path) -> tuple[list[dict[str, Any]], np.ndarray]:
    """The examples of a file, and the pictures of all of them one after the other."""
    with np.load(path) as file:
        rows = [json.loads(line) for line in file["lines"].tobytes().decode().splitlines()]
        return rows, file["pictures"]
