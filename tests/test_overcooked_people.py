"""Trials of overcooked_ai as input; here they are played by our own agents and written as that library writes them."""

import csv
import json
from functools import partial

import numpy as np
import pytest

from mmgames import cli
from mmgames.datasets import overcooked_people
from mmgames.errors import MmgamesError
from mmgames.games.overcooked import rules as k
from mmgames.games.overcooked.layouts import OFFSETS, WIDE
from mmgames.running.matches import play
from tests.refusing import refused

THINGS = {k.ONION: "onion", k.DISH: "dish", k.SOUP: "soup"}
SIGNS = [*map(list, OFFSETS), [0, 0], "INTERACT"]


def place(cell):
    return [cell % WIDE, cell // WIDE]


def written(live, old):
    state, kitchen = live.state, live.view(0).kitchen
    lying = [(item, cell) for cell, item in zip(kitchen.counters, state.lies, strict=False) if item != k.NOTHING]
    things = [{"name": THINGS[item], "position": place(cell)} for item, cell in lying]
    for cell, onions, clock in zip(kitchen.pots, state.onions, state.clock, strict=False):
        if onions and old:
            things.append({"name": "soup", "position": place(cell), "state": ["onion", onions, max(0, clock)]})
        elif onions:
            inside = [{"name": "onion", "position": place(cell)}] * onions
            things.append({"name": "soup", "position": place(cell), "_ingredients": inside, "cooking_tick": clock})
    players = []
    for chef in k.CHEFS:
        held = None if state.holds[chef] == k.NOTHING else {"name": THINGS[state.holds[chef]]}
        where = {"position": place(state.at[chef]), "orientation": list(OFFSETS[state.facing[chef]])}
        players.append({**where, "held_object": held})
    return {"players": players, "objects": {str(n): one for n, one in enumerate(things)} if old else things}


def trials(old=False, layout="cramped_room", called="cramped_room", number=2):
    lines, states = [], []
    for seed in range(number):
        before = None
        for live in play("Overcooked", ("greedy", "greedy"), seed, layout=layout, cook_time=20, horizon=60):
            if before is not None:
                did = [SIGNS[action] for action in live.state.did[0]]
                lines.append({"trial_id": seed, "layout_name": called, "state": before, "joint_action": did})
            before = written(live, old)
            states.append(live.state)
    return lines, states


@pytest.mark.parametrize(
    ("old", "layout", "called"), [(False, "cramped_room", "cramped_room"), (True, "counter_circuit", "random3")]
)
def test_states_and_actions_are_read_as_they_were(tmp_path, old, layout, called):
    lines, states = trials(old, layout, called, 1)
    path = tmp_path / "trials.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    (trial,) = overcooked_people.read_trials(path)
    assert len(trial) == 60
    for step, (state, joint) in enumerate(trial):
        own = states[step]
        for name in ("at", "facing", "holds", "lies", "onions"):
            assert tuple(getattr(state, name)) == tuple(getattr(own, name)), (step, name)
        full = [clock for onions, clock in zip(own.onions, own.clock, strict=True) if onions == k.FULL]
        read = [clock for onions, clock in zip(state.onions, state.clock, strict=True) if onions == k.FULL]
        assert read == [max(0, clock) if old else clock for clock in full], "a full pot cooks by itself in the old"
        assert joint == tuple(states[step + 1].did[0])


def test_the_command_makes_balanced_rows_of_a_csv(tmp_path, capsys):
    lines, _ = trials()
    path = tmp_path / "trials.csv"
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, lines[0])
        writer.writeheader()
        for line in lines:
            writer.writerow({**line, **{key: json.dumps(line[key]) for key in ("state", "joint_action")}})
    out = tmp_path / "out"
    command = ["dataset", "overcooked-people", str(out), "--trials", str(path), "--rows", "40", "--size", "64"]
    assert cli.main(command) == 0 and "40 rows of 2 trials" in capsys.readouterr().out
    rows = [json.loads(line) for line in (out / "Overcooked.jsonl").read_text().splitlines()]
    assert [sum(row["predicted"] == f"chef_{chef}" for row in rows) for chef in (0, 1)] == [20, 20]
    assert sum(row["answer"] == "<STAY>" for row in rows) <= 4
    for row in rows:
        line = [one for one in lines if one["trial_id"] == row["seed"]][row["move"]]
        sign = line["joint_action"][int(row["predicted"][-1])]
        assert row["answer"] == k.ACTIONS[SIGNS.index(sign)] and row["answer"] in row["correct"]
        assert row["agents"] == ["person", "person"]
        assert len([one for one in row["prompt"].splitlines() if one.startswith("In step")]) == min(3, row["move"])


def test_what_cannot_be_read_is_said_with_its_line(tmp_path):
    for change, said in (
        ({"layout_name": "kitchen_9"}, "Unknown layout 'kitchen_9'"),
        ({"joint_action": [[3, 3], "stay"]}, "trial line 1 cannot be read"),
        ({"state": {"players": []}}, "trial line 1 cannot be read"),
    ):
        lines, _ = trials(number=1)
        path = tmp_path / "trials.jsonl"
        path.write_text(json.dumps({**lines[0], **change}))
        refused(partial(lambda file: list(overcooked_people.read_trials(file)), path), said)
        with pytest.raises(MmgamesError, match="too few steps for 500 rows"):
            path.write_text(json.dumps(lines[0]))
            overcooked_people._rows(list(overcooked_people.read_trials(path)), 500, 64, np.random.default_rng(0))
