"""Reads a corpus of labelled replies, each in its own position.

`python -m tests.replies.reading FILE` prints how many are read, wrongly read, or moved though they decide nothing.
`replies.md` says how the rows are made.
"""

import json
import re
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium

from mmgames.embodied._world.plans import read_steps
from mmgames.games.spy.rules import Clue, Vote
from mmgames.tasks.env import TaskEnv
from mmgames.text.refusals import Illegal
from mmgames.text.speech import Message

BUILDING = Path(__file__).parent / "building.jsonl"
HELD_BACK = BUILDING.with_name("held_back.jsonl")


class Row(NamedTuple):
    """A labelled reply, and what a reader made of it, in the form of its label; None where it was refused."""

    number: int
    label: dict[str, Any]
    read: Any

    @property
    def means(self) -> Any:
        return plain(self.label["means"])

    @property
    def right(self) -> bool:
        return self.read == self.means

    @property
    def wrong(self) -> bool:
        """Whether it was read as something else than it means; what decides nothing is counted apart."""
        return self.means is not None and self.read is not None and not self.right

    @property
    def moved(self) -> bool:
        """Whether it decides nothing and was read as something."""
        return self.means is None and self.read is not None


def labels(path: str | Path = BUILDING) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines() if line.strip()]


def read_rows(rows: Iterable[dict[str, Any]]) -> list[Row]:
    """Every row, read in its position. Rows that share a position share its environment."""
    positions: dict[str, list[tuple[int, dict[str, Any]]]] = {}
    for number, label in enumerate(rows):
        key = json.dumps([label[part] for part in ("env", "options", "seed")] + [label.get("steps")], sort_keys=True)
        positions.setdefault(key, []).append((number, label))
    found: list[Row] = []
    for labelled in positions.values():
        label = labelled[0][1]
        env = environment(label["env"], json.dumps(label["options"], sort_keys=True))
        env.reset(seed=label["seed"])
        for step in label.get("steps") or ():
            env.step(step)
        found += [Row(number, one, plain(read_here(env, one["reply"]))) for number, one in labelled]
    return sorted(found, key=lambda row: row.number)


@cache
def environment(name: str, options: str) -> Any:
    """An environment for all files, without pictures: making it costs more than reading the replies to it."""
    return gymnasium.make(name, disable_env_checker=True, **{"observe": "text", **json.loads(options)}).unwrapped


def read_here(env: Any, reply: str) -> Any:
    """What a reply means where the environment stands now; None if it is refused."""
    if isinstance(env, TaskEnv):
        assert env.question is not None
        said = env.source.read(env.question, reply)
        if isinstance(said, Illegal):
            return None
        if env.question.names:
            return env.question.names[said]
        feedback = getattr(said, "remarks", {}).get("feedback") or {}
        if feedback.get("error") == "invalid_command":
            return None  # a plan that is read as it stands, and whose actions are none
        said = getattr(said, "said", said)  # what is judged keeps what was read
        if isinstance(said, str):
            steps = read_steps(said)
            assert isinstance(steps, list), "it was judged, so it could be read"
            return json.dumps([{"step": step, "actions": actions} for step, actions in enumerate(steps, 1)])
        return None if said is None else json.dumps(said)
    live, seat = env.live, env.seat
    said = live.read(seat, reply)
    if isinstance(said, Illegal):
        return None
    if isinstance(said, Message):
        return list(said.actions) if said.speech or said.actions else None
    if isinstance(said, Clue):
        return {"clue": said.words} if said.words else None
    if isinstance(said, Vote):
        if said.valid:
            return {"vote": "N/A" if said.choice is None else live.game.seats[said.choice]}
        return None
    if live.discrete:
        return live.loaded.words.names(live.view(seat))[said]
    return _list_or_none(said.answer)


def _list_or_none(text: str) -> str | None:
    """The text of an answer that only counts as one if it is a JSON list, as the games say that ask for one."""
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return json.dumps(value) if isinstance(value, list) else None


def plain(value: Any) -> Any:
    """A value in one spelling: JSON text without its spaces, clues without doubled ones, numbers as numbers."""
    if isinstance(value, str) and value[:1] in "[{":
        try:
            return json.dumps(_normal(json.loads(value)))
        except ValueError:
            return value
    return value


def _normal(value: Any) -> Any:
    """A JSON value with all numbers as floats, and lists of names, which are sets, in order."""
    if isinstance(value, list):
        items = [_normal(item) for item in value]
        return sorted(items) if items and all(isinstance(item, str) for item in items) else items
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


_FORM = re.compile(
    r"\{[^{}]*\b(?:action|answer|move|vote|clue)\b|<answer>|\\boxed"
    r"|^[\s*#>_-]*(?:final |my |the |best )*(?:action|answer|move|movement|vote)[\s*_]*:",
    re.I | re.M,
)


def in_usual_form(row: Row) -> bool:
    """Whether a reply is in one of the forms that models mostly write: by looks alone, and not as a reader does it."""
    if "Puzzle" in row.label["env"]:
        return False
    said = re.sub("<think>.*?</think>", "", row.label["reply"], flags=re.S)
    last = [line for line in said.splitlines() if line.strip() and "```" not in line][-1:]
    means = next(iter(row.means.values())) if isinstance(row.means, dict) else row.means
    return _FORM.search(said) is not None or (bool(last) and _squeezed(last[0]) == _squeezed(str(means)))


def _squeezed(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def main() -> None:
    shown = len(sys.argv) > 2  # with any further word also the rows that went amiss
    rows = read_rows(labels(sys.argv[1]))
    meant = [row for row in rows if row.means is not None]
    usual = [row for row in meant if in_usual_form(row)]
    print(f"read {sum(row.right for row in meant)} of {len(meant)}, wrongly {sum(row.wrong for row in rows)}")
    print(f"moved {sum(row.moved for row in rows)} of {len(rows) - len(meant)} that decide nothing")
    print(f"of those in a usual form {sum(row.right for row in usual)}/{len(usual)}")
    for row in rows if shown else ():
        if not row.right:
            note = "MOVED" if row.moved else "WRONG" if row.wrong else "lost"
            print(f"{row.number} {note} {row.read!r:.60} for {row.means!r:.60}: {row.label['reply']!r}")


if __name__ == "__main__":
    main()
