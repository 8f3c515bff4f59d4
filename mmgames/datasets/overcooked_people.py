"""VS-Bench's questions about Overcooked, asked of what people did: recorded trials of overcooked_ai as input.

`--trials FILE` is a table of such trials as CSV or JSON lines, with the columns trial_id, layout_name, state and
joint_action, a line a step (`pandas.read_pickle(…).to_csv(…)` makes one of the released files; pickles run code when
they are read, so they are not taken here). States are taken as they are, since those trials were played by rules in
which full pots cook by themselves. As in the paper both chefs are asked about as often, and at most a tenth stays.
"""

import csv
import json
import os
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from mmgames.core import registry
from mmgames.core.observation import check_size
from mmgames.datasets import files
from mmgames.datasets.vs_bench import question_row
from mmgames.errors import MmgamesError, unknown
from mmgames.games.overcooked import rules as k
from mmgames.games.overcooked.layouts import NAMES, OFFSETS, WIDE
from mmgames.kernels.records import RecordState
from mmgames.tasks import predict
from mmgames.tasks.predict import Moment
from mmgames.tasks.predict_recipes import ROWS
from mmgames.tasks.questions import Style
from mmgames.text.command_line import arguments_of

NAME, JOURNAL = "Overcooked", "trials.jsonl"
OLD_NAMES = {"random0": "forced_coordination", "random3": "counter_circuit", "counter_circuit_o_1order": NAMES[-1]}
COOK_TIME, HORIZON = 20, 400
MOST_STAYING = 0.1
_HELD = {"onion": k.ONION, "dish": k.DISH, "soup": k.SOUP}


arguments = arguments_of(__package__, "overcooked_people")


def build(
    out: str | os.PathLike[str], *, trials: str, seed: int = 0, rows: int = ROWS, size: int = 512, **how: Any
) -> dict[str, Any]:
    """Make the data set in the folder `out`; its report."""
    began, folder = time.perf_counter(), Path(out)
    check_size(size, "the data set overcooked-people")
    files.pyarrow()
    played = list(read_trials(Path(trials)))
    settings = {"seed": int(seed), "rows": int(rows), "size": int(size), "trials": str(trials)}
    with files.open_journal(folder, JOURNAL, "overcooked-people", settings) as journal:
        if not files.finished(folder, journal, NAME):
            files.save(folder, journal, NAME, _rows(played, int(rows), int(size), np.random.default_rng(seed)))
        table = files.checked_rows(folder, NAME, rows)
        answers = Counter(row["answer"] for row in table)
        report = {"data set": "overcooked-people", "trials": len(played), "rows": len(table), "answers": dict(answers)}
        files.write_report(folder, report)
    return {**report, "seconds": round(time.perf_counter() - began, 1)}


Trial = list[tuple[RecordState, tuple[int, int]]]


def read_trials(path: Path) -> Iterator[Trial]:
    """The trials of a file: the states and what both chefs did in each; a sentence about the first unusable line."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            lines = list(map(json.loads, file) if path.suffix in (".jsonl", ".json") else csv.DictReader(file))
    except (OSError, ValueError) as error:
        raise MmgamesError(f"The trials cannot be read from {path}: {error}.") from error
    found: dict[Any, Trial] = {}
    for number, line in enumerate(lines, 1):
        try:
            name = OLD_NAMES.get(line["layout_name"], line["layout_name"])
            if name not in NAMES:
                raise unknown("layout", name, f"{path}, trial line {number}", NAMES)
            told = (line["state"], line["joint_action"])
            state, joint = (json.loads(one) if isinstance(one, str) else one for one in told)
            steps = found.setdefault((line["trial_id"], name), [])
            steps.append((as_state(name, state, len(steps)), tuple(map(_action, joint))))  # type: ignore[arg-type]
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise MmgamesError(
                f"{path}: trial line {number} cannot be read: {type(error).__name__} {error}."
            ) from error
    if not found:
        raise MmgamesError(f"{path} holds no trials.")
    yield from found.values()


def _action(given: Any) -> int:
    """The number of an action, which overcooked_ai writes as a direction or a word."""
    if isinstance(given, str):
        return {"interact": k.INTERACT, "stay": k.STAY}[given.lower()]
    return k.STAY if tuple(given) == (0, 0) else OFFSETS.index(tuple(given))


def as_state(layout: str, given: Mapping[str, Any], step: int) -> RecordState:
    """A state of overcooked_ai, of its earlier or later form, as ours."""
    game = registry.load(NAME).game(layout=layout, cook_time=COOK_TIME, horizon=HORIZON)
    blank = game.start(np.random.default_rng(0))
    kitchen = game.view(blank, 0).kitchen
    chefs = given["players"]
    onions, clock, lies = list(blank.onions), list(blank.clock), list(blank.lies)
    things = given["objects"].values() if isinstance(given["objects"], dict) else given["objects"]
    for thing in things:
        cell = _cell(thing["position"])
        if cell in kitchen.pots:
            number, ticks = _soup(thing)
            onions[kitchen.pots.index(cell)] = number
            cooks = ticks >= 0 and number == k.FULL
            clock[kitchen.pots.index(cell)] = min(ticks, COOK_TIME) if cooks else k.IDLE
        elif cell in kitchen.counters:
            lies[kitchen.counters.index(cell)] = _HELD[thing["name"]]
        else:
            raise ValueError(f"there is neither a pot nor a counter at {thing['position']}")
    return blank.replace(
        step=min(step, HORIZON - 1), onions=onions, clock=clock, lies=lies,
        at=[_cell(chef["position"]) for chef in chefs],
        facing=[OFFSETS.index(tuple(chef["orientation"])) for chef in chefs],
        holds=[_HELD[held["name"]] if (held := chef.get("held_object")) else k.NOTHING for chef in chefs],
    )  # fmt: skip


def _cell(place: Any) -> int:
    x, y = place
    return int(y) * WIDE + int(x)


def _soup(thing: Mapping[str, Any]) -> tuple[int, int]:
    """How many onions are in a pot, and for how long it has cooked, -1 if it does not."""
    if "state" in thing:
        return int(thing["state"][1]), int(thing["state"][2])
    return len(thing["_ingredients"]), int(thing.get("cooking_tick", thing.get("_cooking_tick", -1)))


def _rows(played: list[Trial], rows: int, size: int, rng: np.random.Generator) -> list[dict[str, Any]]:
    loaded, style = registry.load(NAME), Style(size=size)
    frames = loaded.spec.frames
    places = [(trial, step, chef) for trial, one in enumerate(played) for step in range(len(one)) for chef in k.CHEFS]
    chosen: list[tuple[int, int, int]] = []
    staying, per_chef = 0, Counter({chef: (rows + 1 - chef) // 2 for chef in k.CHEFS})
    for place in rng.permutation(len(places)).tolist():
        trial, step, chef = places[place]
        stays = played[trial][step][1][chef] == k.STAY
        if per_chef[chef] and (not stays or staying < MOST_STAYING * rows - 1):
            per_chef[chef] -= 1
            staying += stays
            chosen.append((trial, step, chef))
    if len(chosen) < rows:
        raise MmgamesError(f"The trials have too few steps for {rows} rows; ask for fewer.")
    made = []
    for number, (trial, step, chef) in enumerate(sorted(chosen)):
        states = [_told(played[trial], place) for place in range(max(0, step - frames + 1), step + 1)]
        layout = NAMES[states[-1].layout]
        game = loaded.game(layout=layout, cook_time=COOK_TIME, horizon=HORIZON)
        moves = dict(enumerate(played[trial][step][1]))
        shown = predict.last_states(states, frames)
        moment = Moment(("person", "person"), trial, step, chef, 1 - chef, shown, moves)
        asked = predict.question(loaded, game, moment, style)
        made.append(question_row(f"{NAME}-{number:04d}", asked, len(played[trial])))
    return made


def _told(trial: Trial, step: int) -> RecordState:
    """The state with what was done before it."""
    state, before = trial[step][0], [joint for _, joint in trial[max(0, step - k.REMEMBERED) : step]][::-1]
    nothing = [(k.NOT_YET,) * len(k.CHEFS)] * (k.REMEMBERED - len(before))
    return state.replace(did=[*before, *nothing], step=min(step, HORIZON - 1))


def table(report: dict[str, Any], out: str) -> str:
    listed = ", ".join(f"{answer} {number}" for answer, number in sorted(report["answers"].items()))
    return f"{out}: {report['rows']} rows of {report['trials']} trials, {report['seconds']:.1f} s\n\nanswers: {listed}"
