"""Three questions in a row about one kitchen."""

import json

import numpy as np

from mmgames.core import registry
from mmgames.running.matches import match

LOADED = registry.load("VikiChain")


def test_the_oracle_earns_everything_and_guessing_little():
    best = match("VikiChain", ["oracle"], episodes=4, seed=0)
    assert all(abs(episode["returns"][0] - 1) < 1e-6 for episode in best.episodes)
    some = match("VikiChain", ["heuristic"], episodes=4, seed=0).returns().mean()
    little = match("VikiChain", ["random"], episodes=4, seed=0).returns().mean()
    assert little < some < 1


def played(*answers, seed=0):
    game, rng = LOADED.game(), np.random.default_rng(seed)
    state = game.start(rng)
    for answer in answers:
        state = game.play(state, {0: LOADED.words.read(game.view(state, 0), answer)}, rng)
    return game, state


def test_a_plan_may_only_use_what_was_activated():
    from mmgames.embodied._world.generator import reference_plan

    _, fresh = played()
    plan = json.dumps([{"step": i, "actions": a} for i, a in enumerate(reference_plan(fresh.task), 1)])
    types = json.dumps(sorted({robot.type for robot in fresh.task.team}))
    assert played(types, plan)[1].results[1].accuracy == 1.0
    assert "not activated" in played("[]", plan)[1].results[1].remark


def test_the_view_does_not_tell_who_is_to_act():
    game, state = played()
    view = game.view(state, 0)
    assert view.task.active == ()
    assert view.task.reference_length == view.task.optimum == 0
    assert view.asked is None


def test_answers_that_cannot_be_read_score_nothing_and_go_on():
    game, state = played("no idea", "[" * 1000, '[[["x"]]]')
    assert game.movers(state) == ()
    assert game.returns(state) == (0.0,)
    assert all(result.remark for result in state.results)
