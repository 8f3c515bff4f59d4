"""The kitchen as a game: seats, slots, conflicts, ends and reference agents."""

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


def named(playing, state, seat):
    return {name: action for action, name in LOADED.words.names(playing.view(state, seat)).items()}


def play(playing, state, **said):
    """What each robot does by name; the others wait."""
    actions = dict.fromkeys(range(len(playing.seats)), 0)
    for robot, words in said.items():
        actions[playing.seats.index(robot)] = named(playing, state, playing.seats.index(robot))[words]
    return playing.play(state, actions, np.random.default_rng(0))


def test_the_planner_solves_every_task_in_the_fewest_steps():
    episodes = match("VikiKitchen", ["planner"], episodes=25, seed=3).episodes
    assert all(episode["returns"] == [1.0] * 7 for episode in episodes)
    assert all(episode["length"] == episode["optimum"] for episode in episodes)


def test_the_greedy_team_gets_there_later():
    episodes = match("VikiKitchen", ["greedy"], episodes=25, seed=3).episodes
    assert all(episode["returns"][0] == 1.0 for episode in episodes)
    assert any(episode["length"] > episode["optimum"] for episode in episodes)


def test_seats_without_a_robot_only_wait():
    playing = game(template="1-1")
    state = playing.start(np.random.default_rng(0))
    for seat in range(7):
        legal = playing.legal(state, seat)
        assert (list(legal) == [0]) == (seat >= len(state.task.robots)) or state.task.robots[seat].kind == "arm"


def test_actions_in_each_others_way_fail_and_are_counted():
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


def test_a_stage_that_comes_too_early_ends_the_episode():
    playing = game(template="4-1")
    state = playing.start(np.random.default_rng(0))
    robot = state.task.team[0].name
    state = play(playing, state, **{robot: "Move toaster"})
    state = play(playing, state, **{robot: "Interact toaster"})
    assert state.ended == WRONG_ORDER
    assert playing.movers(state) == ()
    assert set(playing.returns(state)) == {0.0}


def test_waiting_runs_out_of_time_after_twice_the_optimum_and_five():
    playing = game()
    state = playing.start(np.random.default_rng(1))
    steps = 0
    while playing.movers(state):
        state = play(playing, state)
        steps += 1
    assert state.ended == OUT_OF_TIME
    assert steps == horizon(state.task) == 2 * state.task.optimum + 5


def test_growth_does_not_change_the_spaces():
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


@pytest.mark.parametrize(
    "options", [{"template": "99"}, {"template": "13-2", "robots": 2}, {"robots": 0}, {"split": "x"}]
)
def test_wrong_options_are_said(options):
    with pytest.raises(MmgamesError):
        mmgames.parallel_env("VikiKitchen", **options)
