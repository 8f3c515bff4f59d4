"""Overcooked with `rules="released"` is overcooked_ai 1.1.0, step by step, in all five kitchens.

The same joint actions are played by our kernel here and by overcooked_ai in an environment with an old NumPy, and
everything that can be seen after each step is compared: places, facings, hands, pots and their clocks, counters, and
what each chef has earned.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mmgames
from mmgames.baselines.planners.overcooked import greedy
from mmgames.games.overcooked.layouts import KITCHENS, NAMES, WIDE
from mmgames.games.overcooked.rules import CHEFS, LEGAL
from mmgames.kernels.records import RecordState
from tests.differential.mpe import lines_of

THEIRS = Path(__file__).parent / "overcooked_ai_states.py"
PYTHON = Path(__file__).parents[2] / ".venv-lowest" / "bin" / "python"
THEIR_NAMES = {"counter_circuit": "counter_circuit_o_1order"}
ITEMS = ("nothing", "onion", "dish", "soup 1", "soup 2", "soup 3")
COOK_TIME, DELIVERY = 5, 10
SHAPED = np.array([3, 3, 5])
STEPS = 200
RANDOM_EPISODES = 6  # times 200 steps in five kitchens

Actions = list[list[int]]
Story = list[dict[str, Any]]


def seen(before: RecordState, after: RecordState, layout: str) -> dict[str, Any]:
    """Our state after a step, told in overcooked_ai's way."""
    kitchen = KITCHENS[NAMES.index(layout)]
    earned = np.subtract(after.happened, before.happened)
    return {
        "at": [[cell % WIDE, cell // WIDE] for cell in after.at],
        "facing": list(after.facing),
        "holds": [ITEMS[held] for held in after.holds],
        "pots": {
            f"{cell % WIDE},{cell // WIDE}": [onions, clock]
            for cell, onions, clock in zip(kitchen.pots, after.onions, after.clock, strict=False)
            if onions
        },
        "counters": {
            f"{cell % WIDE},{cell // WIDE}": ITEMS[item]
            for cell, item in zip(kitchen.counters, after.lies, strict=False)
            if item
        },
        "sparse": (earned[:, 3] * DELIVERY).tolist(),
        "shaped": (earned[:, :3] @ SHAPED).tolist(),
    }


def ours(layout: str, actions: Actions, **options: Any) -> Story:
    chosen = {"rules": "released", "cook_time": COOK_TIME, **options}
    game = mmgames.load_game("mmgames/Overcooked-v0", layout=layout, horizon=len(actions), **chosen)
    rng = np.random.default_rng(0)
    state, story = game.start(rng), []
    for joint in actions:
        after = game.play(state, dict(enumerate(joint)), rng)
        now = seen(state, after, layout)
        paid = sum(now["sparse"]) + sum(now["shaped"])
        if chosen["rules"] == "released":
            assert np.subtract(game.returns(after), game.returns(state)).tolist() == [paid, paid]
        story.append(now)
        state = after
    return story


def busy(layout: str, seed: int) -> Actions:
    """Chefs who do sensible things most of the time, so that soups are made, spoiled, put down and served."""
    game = mmgames.load_game("mmgames/Overcooked-v0", layout=layout, rules="released", horizon=STEPS)
    rng = np.random.default_rng(seed)
    state, actions = game.start(rng), []
    while game.movers(state):
        joint = [
            int(rng.integers(len(LEGAL))) if rng.random() < 0.3 else int(greedy(state.record, chef, np.uint64(0)))
            for chef in CHEFS
        ]
        actions.append(joint)
        state = game.play(state, dict(enumerate(joint)), rng)
    return actions


@pytest.fixture(scope="module")
def played() -> dict[tuple[str, str], list[tuple[Actions, Story]]]:
    """What random and busy chefs do in each kitchen, and what overcooked_ai says after each joint action: one process
    plays all of it."""
    done: dict[tuple[str, str], list[Actions]] = {}
    for layout in NAMES:
        rng = np.random.default_rng(NAMES.index(layout))
        done[layout, "random"] = rng.integers(len(LEGAL), size=(RANDOM_EPISODES, STEPS, 2)).tolist()
        done[layout, "busy"] = [busy(layout, seed) for seed in range(10, 20 if layout == "cramped_room" else 14)]
    episodes = [[THEIR_NAMES.get(layout, layout), each] for (layout, _), several in done.items() for each in several]
    theirs = iter(list(lines_of(PYTHON, THEIRS, cook_time=COOK_TIME, delivery=DELIVERY, episodes=episodes)))
    return {key: [(actions, next(theirs)) for actions in several] for key, several in done.items()}


@pytest.mark.parametrize("layout", NAMES)
def test_chefs_see_the_same_kitchen_after_every_step_and_earn_the_same(played: Any, layout: str) -> None:
    for actions, theirs in (*played[layout, "random"], *played[layout, "busy"]):
        for step, (mine, other) in enumerate(zip(ours(layout, actions), theirs, strict=True)):
            assert mine == other, f"{layout} differs after step {step}, {actions[step]}"
    story = [now for _, theirs in played[layout, "busy"] for now in theirs]
    assert {3, 5, 10} <= {points for now in story for points in (*now["shaped"], *now["sparse"])}
    assert any("onion" in now["counters"].values() for now in story)
    held = {item for now in story for item in now["holds"]}
    assert {"soup 1", "soup 2", "soup 3"} <= held or layout != "cramped_room", "some are started too soon"


@pytest.mark.parametrize("options", [{"cook_time": COOK_TIME + 1}, {"rules": "paper"}])
def test_other_rules_would_be_noticed(played: Any, options: dict[str, Any]) -> None:
    assert any(ours("cramped_room", actions, **options) != theirs for actions, theirs in played["cramped_room", "busy"])
