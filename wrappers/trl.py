"""A seam for trainers of vision-language models: rounds in the forms that TRL reads, our environments in GRPO.

Neither torch nor TRL is imported here. `write_rollouts` writes JSON lines and PNG files that `load_rollouts` gives to
TRL's SFTTrainer or KTOTrainer; `environment_factory` is GRPOTrainer's argument of that name. Tried with TRL 1.16.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import gymnasium
import numpy as np

from mmgames.agents.base import Agent
from mmgames.agents.finding import make_agents
from mmgames.agents.players import Players, ask_for_move
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.core.observation import Observer
from mmgames.core.seeding import agent_streams, fresh_rng
from mmgames.core.turn import Turn
from mmgames.core.whole_files import write_whole
from mmgames.drawing.png import png
from mmgames.errors import MissingExtra, MmgamesError, unknown

Form = Literal["sft", "kto"]
FORMS: tuple[Form, ...] = ("sft", "kto")
ROWS, PICTURES = "rows.jsonl", "pictures"
OWN = ("env", "episode", "seed", "seat", "move", "reward", "advantage")
"""The columns that are ours; only a trainer that compares decisions knows the last."""


def rollouts(
    env_id: str,
    agents: str | Agent | Sequence[str | Agent],
    episodes: int,
    seed: int = 0,
    *,
    observe: Sequence[str] = ("rgb", "text"),
    size: int = 320,
    reasoning: Any = "direct",
    **options: Any,
) -> Iterator[dict[str, Any]]:
    """Every decision of these episodes: what the seat saw, what it replied, and what its episode paid it in the end.

    In games whose actions are numbers the reply is the JSON object that the prompt asks for. `record` holds what the
    rules keep of the episode, for rewards of your own.
    """
    loaded = registry.load(env_id)
    game = loaded.game(**options)
    observer = Observer(loaded, game, observe=observe, size=size, reasoning=reasoning)
    wanted = [agents] * len(game.seats) if isinstance(agents, str) or not isinstance(agents, Sequence) else list(agents)
    players = Players(dict(enumerate(make_agents(wanted, game.spec))))
    for episode in range(episodes):
        rng, own_seed = fresh_rng(seed + episode)
        streams = agent_streams(rng, len(game.seats))
        live = LiveGame(loaded, game)
        players.begin(live)
        live.start(rng)
        decisions: list[dict[str, Any]] = []
        while live.movers:
            moves = {}
            for seat in live.movers:
                turn = Turn(live, seat, streams[seat], observer)
                seen = observer.observe(live.view(seat))
                said: list[Any] = []
                moves[seat] = ask_for_move(_Listening(players.agents[seat], said), live, turn)
                decisions.append(
                    {
                        "env": game.spec.id,
                        "episode": episode,
                        "seed": own_seed,
                        "seat": game.seats[seat],
                        "move": sum(row["seat"] == game.seats[seat] for row in decisions),
                        "text": seen["text"],
                        "picture": seen.get("rgb"),
                        "reply": _in_words(live, seat, said[-1]),
                    }
                )
            live.play(moves)
        record, returns = dict(game.record(live.state)), game.returns(live.state)
        players.end(live)
        for row in decisions:
            yield {**row, "reward": float(returns[game.seats.index(row["seat"])]), "record": record}


class _Listening(Agent):
    """An agent, and what it said last."""

    def __init__(self, agent: Agent, said: list[Any]) -> None:
        self.agent, self.said = agent, said
        self.retry_policy = agent.retry_policy

    def act(self, turn: Turn) -> Any:
        self.said.append(self.agent.act(turn))
        return self.said[-1]


def _in_words(live: LiveGame, seat: int, said: Any) -> str:
    if isinstance(said, str):
        return said
    names = live.loaded.words.names(live.view(seat))
    return json.dumps({"action": names.get(said, str(said))})


def row(decision: Mapping[str, Any], form: Form, picture: str | None) -> dict[str, Any]:
    """A decision as a row for TRL: as many image parts as images, and columns of our own beside them.

    The label of a KTO row is whether the seat's episode paid it anything.
    """
    asked = [{"type": "text", "text": decision["text"]}]
    if picture is not None:
        asked = [{"type": "image", "text": None}, *asked]
    question = {"role": "user", "content": asked}
    answer = {"role": "assistant", "content": [{"type": "text", "text": decision["reply"]}]}
    own = {name: decision[name] for name in OWN if name in decision}
    images = {"images": [picture]} if picture is not None else {}
    if form == "sft":
        return {"messages": [question, answer], **images, **own}
    return {"prompt": [question], "completion": [answer], "label": decision["reward"] > 0, **images, **own}


def write_rollouts(
    out: str | os.PathLike[str],
    decisions: Iterator[Mapping[str, Any]] | Sequence[Mapping[str, Any]],
    form: Form = "sft",
) -> int:
    """Write rows and pictures into a new folder; how many rows there are. Equal pictures are written once."""
    if form not in FORMS:
        raise unknown("form", form, "write_rollouts", FORMS)
    folder = Path(out)
    if folder.exists() and any(folder.iterdir()):
        raise MmgamesError(f"{folder} holds something already; name a new folder for the rollouts.")
    (folder / PICTURES).mkdir(parents=True)
    names: dict[bytes, str] = {}
    lines = []
    for decision in decisions:
        name = None
        if decision.get("picture") is not None:
            content = png(decision["picture"])
            name = names.get(content)
            if name is None:
                name = names[content] = f"{PICTURES}/{len(names):06d}.png"
                write_whole(folder / name, content)
        lines.append(json.dumps(row(decision, form, name), ensure_ascii=False) + "\n")
    write_whole(folder / ROWS, "".join(lines).encode(errors="backslashreplace"))
    return len(lines)


def load_rollouts(folder: str | os.PathLike[str]) -> Any:
    """The rows of a folder as a `datasets.Dataset`, its pictures ready for TRL."""
    try:
        from datasets import Dataset, Image, List
    except ImportError as error:
        raise MissingExtra("Rollouts are loaded with the package datasets: pip install datasets.") from error
    where = Path(folder).resolve()
    with (where / ROWS).open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    for found in rows:
        if "images" in found:
            found["images"] = [str(where / name) for name in found["images"]]
    data = Dataset.from_list(rows)
    return data.cast_column("images", List(Image())) if "images" in data.column_names else data


class GameEnvironment:
    """One seat of a game as GRPOTrainer plays it: `reset` gives the prompt, `reply` is the tool, then `get_reward`.

    The columns `seed` and `seat` of a dataset's row choose the episode; all rollouts of a row play the same one.
    """

    def __init__(
        self,
        env_id: str = "mmgames/Spy-v0",
        observe: Sequence[str] = ("text",),
        unfinished: float = -1.0,
        **options: Any,
    ) -> None:
        from mmgames.wrappers import TextActions

        def make(seat: Any) -> gymnasium.Env:
            chosen = options if seat is None else {**options, "seat": seat}
            env = gymnasium.make(env_id, observe=observe, **chosen)
            return TextActions(env, "retry", 3)

        self._make = make
        self._envs: dict[Any, gymnasium.Env] = {}
        self._env: gymnasium.Env | None = None
        self._unfinished = unfinished
        self._over, self._total = True, 0.0
        self._shown: Any = None

    def reset(self, seed: int | None = None, seat: Any = None, **row: Any) -> str | list[dict[str, Any]]:
        if seat not in self._envs:
            self._envs[seat] = self._make(seat)
        self._env = self._envs[seat]
        observation, _ = self._env.reset(seed=None if seed is None else int(seed))
        self._over, self._total = False, 0.0
        text = f"{observation['text']}\n\nUse the tool `reply` for every answer, until you are told that it is over."
        self._shown = None
        return self._parts(observation, text)

    def _parts(self, observation: Mapping[str, Any], text: str) -> str | list[dict[str, Any]]:
        """A text, with the pictures before it if there are any that were not shown already."""
        seen = observation.get("rgb")
        if seen is None or (self._shown is not None and np.array_equal(seen, self._shown)):
            return text
        from PIL import Image

        self._shown = np.array(seen)
        frames = seen if seen.ndim == 4 else seen[None]
        pictures = [{"type": "image", "image": Image.fromarray(np.ascontiguousarray(frame))} for frame in frames]
        return [*pictures, {"type": "text", "text": text}]

    def reply(self, text: str) -> str | list[dict[str, Any]]:
        """Says something in the game, or makes a move, and returns what happens until it is your turn again.

        Args:
            text: What you answer: a clue, a vote or the name of a move.
        """
        if self._over or self._env is None:
            return "It is over; there is nothing more to reply to."
        observation, reward, terminated, truncated, info = self._env.step(str(text))
        self._total += float(reward)
        self._over = bool(terminated or truncated)
        now = observation["text"].partition("## Now\n")[2] or observation["text"]
        said = "\n\n".join(
            filter(None, (info.get("again") or info.get("illegal"), now, "It is over." if self._over else ""))
        )
        return self._parts(observation, said)

    def get_reward(self) -> float:
        """What the episode has paid, and what it costs not to have finished it."""
        return self._total + (0.0 if self._over else self._unfinished)


def environment_factory(env_id: str = "mmgames/Spy-v0", **options: Any) -> Callable[[], GameEnvironment]:
    """What GRPOTrainer wants as `environment_factory`; `options` are GameEnvironment's and the environment's."""
    return lambda: GameEnvironment(env_id, **options)
