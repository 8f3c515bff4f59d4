"""The kitchen as a game, and three questions in a row about one: seats, conflicts, ends and reference agents."""

import json

import numpy as np
import pytest

import mmgames
from mmgames.core import registry
from mmgames.embodied.viki_kitchen.rules import OUT_OF_TIME, RUNNING, WRONG_ORDER, horizon
from mmgames.errors import MmgamesError
from mmgames.running.matches import match

LOADED = registry.load("VikiKitchen")


def game(**options):
    return LOADED.game(**options)


def play(playing, state, **said):
    """What each robot does by name; the others wait."""
    actions = dict.fromkeys(range(len(playing.seats)), 0)
    for robot, words in said.items():
        seat = playing.seats.index(robot)
        names = LOADED.words.names(playing.view(state, seat))
        actions[seat] = next(action for action, name in names.items() if name == words)
    return playing.play(state, actions, np.random.default_rng(0))


def test_the_planner_needs_the_fewest_steps_and_the_greedy_team_more():
    episodes = match("VikiKitchen", ["planner"], episodes=25, seed=3).episodes
    assert all(episode["returns"] == [1.0] * 7 for episode in episodes)
    assert all(episode["length"] == episode["optimum"] for episode in episodes)
    episodes = match("VikiKitchen", ["greedy"], episodes=25, seed=3).episodes
    assert all(episode["returns"][0] == 1.0 for episode in episodes)
    assert any(episode["length"] > episode["optimum"] for episode in episodes)


def test_seats_without_a_robot_wait_and_actions_in_each_others_way_fail():
    playing = game(template="1-1")
    state = playing.start(np.random.default_rng(0))
    for seat in range(7):
        legal = playing.legal(state, seat)
        assert (list(legal) == [0]) == (seat >= len(state.task.robots)) or state.task.robots[seat].kind == "arm"
    playing = game(template="8-1")
    state = playing.start(np.random.default_rng(0))
    first, second = (robot.name for robot in state.task.team)
    for words in ("Move knife", "Reach knife"):
        state = play(playing, state, **{first: words, second: words})
    after = play(playing, state, **{first: "Grasp knife", second: "Grasp knife"})
    assert after.world == state.world
    assert after.clashes == 2
    assert after.ended == RUNNING
    assert "not done" in LOADED.words.history(playing.view(after, 0))


def test_a_stage_too_early_or_too_many_steps_end_the_episode():
    playing = game(template="4-1")
    state = playing.start(np.random.default_rng(0))
    robot = state.task.team[0].name
    state = play(playing, state, **{robot: "Move toaster"})
    state = play(playing, state, **{robot: "Interact toaster"})
    assert state.ended == WRONG_ORDER
    assert playing.movers(state) == ()
    assert set(playing.returns(state)) == {0.0}
    playing = game()
    state = playing.start(np.random.default_rng(1))
    steps = 0
    while playing.movers(state):
        state = play(playing, state)
        steps += 1
    assert state.ended == OUT_OF_TIME
    assert steps == horizon(state.task) == 2 * state.task.optimum + 5


def test_growth_does_not_change_the_spaces_and_wrong_options_are_said():
    sizes = set()
    for level in (0, 1, 6, 30):
        playing = game(level=level)
        state = playing.start(np.random.default_rng(2))
        sizes.add((playing.num_actions, LOADED.picture.features(playing.view(state, 0)).shape))
        assert playing.fits(state.task)
    assert len(sizes) == 1
    larger = game(level=30, things=60, places=20, robots=12)
    assert larger.num_actions > playing.num_actions
    assert len(larger.start(np.random.default_rng(2)).task.goals) == 32
    for options in [{"template": "99"}, {"template": "13-2", "robots": 2}, {"robots": 0}, {"split": "x"}]:
        with pytest.raises(MmgamesError):
            mmgames.parallel_env("VikiKitchen", **options)


CHAIN = registry.load("VikiChain")


def test_chains_pay_the_oracle_everything_and_let_plans_use_only_what_was_activated():
    best = match("VikiChain", ["oracle"], episodes=4, seed=0)
    assert all(abs(episode["returns"][0] - 1) < 1e-6 for episode in best.episodes)
    some = match("VikiChain", ["heuristic"], episodes=4, seed=0).returns().mean()
    little = match("VikiChain", ["random"], episodes=4, seed=0).returns().mean()
    assert little < some < 1
    from mmgames.embodied._world.generator import reference_plan

    _, fresh = played()
    plan = json.dumps([{"step": i, "actions": a} for i, a in enumerate(reference_plan(fresh.task), 1)])
    types = json.dumps(sorted({robot.type for robot in fresh.task.team}))
    assert played(types, plan)[1].results[1].accuracy == 1.0
    assert "not activated" in played("[]", plan)[1].results[1].remark


def played(*answers, seed=0):
    game, rng = CHAIN.game(), np.random.default_rng(seed)
    state = game.start(rng)
    for answer in answers:
        state = game.play(state, {0: CHAIN.words.read(game.view(state, 0), answer)}, rng)
    return game, state


def test_the_view_does_not_tell_who_is_to_act_and_unreadable_answers_score_nothing():
    game, state = played()
    view = game.view(state, 0)
    assert view.state.task.active == ()
    assert view.state.task.reference_length == view.state.task.optimum == 0
    assert not view.asked and view.sight is None
    game, state = played("no idea", "[" * 1000, '[[["x"]]]')
    assert game.movers(state) == ()
    assert game.returns(state) == (0.0,)
    assert all(result.remark for result in state.results)
