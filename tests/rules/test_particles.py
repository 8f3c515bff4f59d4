"""Particles: who knows what, in every scenario; the heuristic; compiled and interpreted rules."""

from typing import Any

import numpy as np
import pytest

import mmgames
from mmgames.baselines.planners.particles import heuristic, straight
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.envs.vector import BatchedEnv
from mmgames.games.particles.picture_plan import plan
from mmgames.games.particles.rules import start, step
from mmgames.games.particles.scenarios import MARK, NAMES, SCENARIOS
from mmgames.games.particles.seen import features
from mmgames.kernels.kernel import interpreted
from mmgames.testing.hidden import observed

ID = "mmgames/Particles-v0"


def positions(scenario: str, seed: int, most: int) -> Any:
    loaded = registry.load(ID)
    live, rng = LiveGame(loaded, loaded.game(scenario=scenario)), np.random.default_rng(seed)
    live.start(rng)
    for _ in range(most):
        yield live
        live.play({seat: live.sample(seat, rng) for seat in live.movers})


@pytest.mark.parametrize("scenario", NAMES)
def test_what_a_seat_cannot_know_reaches_neither_it_nor_its_agents(scenario: str) -> None:
    rng, differ = np.random.default_rng(1), 0
    for seed in range(4):
        for number, live in enumerate(positions(scenario, seed, most=12)):
            for seat in range(len(live.game.seats)):
                imagined = live.game.imagine(live.state, seat, rng)
                differ += imagined != live.state
                true, possible = live.view(seat), live.game.view(imagined, seat)
                assert true == possible and (number > 1 or observed(live, true) == observed(live, possible))
                assert np.array_equal(live.features(seat), live.loaded.picture.features(true))
                for policy in (heuristic, straight):
                    action = policy(live.state.record, seat, np.uint64(0))
                    assert action == policy(imagined.record, seat, np.uint64(0))
                    assert action in live.game.legal(live.state, seat)
    assert differ


@pytest.mark.parametrize("scenario", NAMES)
def test_compiled_and_interpreted_rules_leave_the_same_bits(scenario: str) -> None:
    kernel = mmgames.load_game(ID, scenario=scenario).kernel  # type: ignore[attr-defined]
    players, rng = len(SCENARIOS[NAMES.index(scenario)].roles), np.random.default_rng(4)
    one, other = kernel.blank.replace(), kernel.blank.replace()
    start(one.record, np.uint64(9))
    interpreted(start)(other.record, np.uint64(9))
    for _ in range(12):
        actions = rng.integers(3, size=players)
        step(one.record, actions, np.uint64(0))
        interpreted(step)(other.record, actions, np.uint64(0))
        assert one == other
        seen = [np.empty(kernel.num_features, np.float32) for _ in range(2)]
        features(one.record, 0, seen[0])
        interpreted(features)(other.record, 0, seen[1])
        assert np.array_equal(*seen)


def test_words_secrets_and_forests_hide_what_they_should() -> None:
    knowing = {
        "adversary": [(None, None), (0, None), (0, None)],
        "push": [(None, None), (0, None)],
        "speaker_listener": [(0, None), (None, None)],
        "reference": [(0, None), (None, 1)],
        "crypto": [(None, None), (None, 1), (0, 1)],
    }
    for scenario, known in knowing.items():
        game = mmgames.load_game(ID, scenario=scenario)
        state = game.start(np.random.default_rng(0))
        truth = game.view(state, None).secrets
        for seat, who in enumerate(known):
            assert game.view(state, seat).secrets == tuple(None if place is None else truth[place] for place in who)
    game = mmgames.load_game(ID, scenario="crypto")
    rng = np.random.default_rng(0)
    state = game.start(rng)
    assert not any(word in range(4) for seat in range(3) for word in game.view(state, seat).said), "silence is no word"
    state = game.play(state, {0: 1, 1: 2, 2: 3}, rng)
    assert [game.view(state, seat).said for seat in range(3)] == [(1, None, 3), (None, 2, 3), (None, None, 3)]
    state = game.start(rng)
    for _ in range(3):
        state = game.play(state, {seat: int(heuristic(state.record, seat, np.uint64(0))) for seat in range(3)}, rng)
    assert state.said[1] == state.secret[0]
    game = mmgames.load_game(ID, scenario="world_comm")
    state = game.start(np.random.default_rng(0))
    players = [(-0.9, -0.9), (-0.8, 0.9), (0.9, 0.9), (0.5, 0.5), (0.5, 0.52), (0.0, -0.9)]
    state = state.replace(place=[*players, *state.place[6:9], (0.5, 0.5), (-0.5, -0.5)])
    rng = np.random.default_rng(0)
    state = game.play(state, dict.fromkeys(range(6), 0), rng)
    seen = [[place is not None for place in game.view(state, seat).places[:6]] for seat in range(6)]
    assert seen[0] == [True] * 6
    assert seen[1] == [True, True, True, False, False, True]
    assert seen[3] == seen[4] == [False, False, False, True, True, False]
    assert game.view(state, 4).said[0] is None and game.view(state, 1).said[0] == 0


@pytest.mark.parametrize("scenario", NAMES)
def test_a_side_with_the_heuristic_collects_more_than_a_random_one(scenario: str) -> None:
    sides = [kind.adversary for kind in SCENARIOS[NAMES.index(scenario)].kinds]
    if scenario == "crypto":
        sides[0] = False  # eve cannot do better than guess
    means: dict[bool | None, list[float]] = {}
    for better in (None, *set(sides)):
        agents = ["heuristic" if side == better else "random" for side in sides]
        told = mmgames.match(ID, agents, episodes=15, seed=1, scenario=scenario).summary()
        assert told["length"]["mean"] == 25
        means[better] = [seat["mean"] for seat in told["seats"]]
    for seat, side in enumerate(sides):
        if (scenario, seat) != ("crypto", 0):
            assert means[side][seat] > means[None][seat]


def test_states_of_seats_with_unlike_actions_follow_the_single_game() -> None:
    env = BatchedEnv(ID, 3, scenario="world_comm")
    observation, _ = env.reset(seed=2)
    for _ in range(12):
        observation, *_ = env.step(env.random_actions())
        for i in range(3):
            state = env.game.state_of(env.states, i)
            for seat in range(6):
                assert np.array_equal(observation["features"][i, seat], env.game.features(state, seat))
                assert observation["action_mask"][i, seat].sum() == (20 if seat == 0 else 5)


@pytest.mark.parametrize("scenario", [one.name for one in SCENARIOS if one.things[0][0] == MARK and one.kinds[0].moves])
def test_no_crowd_hides_which_landmark_it_stands_on(scenario: str) -> None:
    """All stand on one landmark and on its letter: with the landmarks exchanged that looks different."""
    loaded = registry.load(ID)
    game = loaded.game(scenario=scenario)
    players, here, there = len(game.seats), (-0.5, 0.5), (0.5, -0.5)
    for seat in range(players):
        drawn = []
        for first, second in ((here, there), (there, here)):
            state = game.start(np.random.default_rng(0))
            crowd = [(here[0] + 0.17 * place, here[1] + 0.12 * place) for place in (0, 1, 0.5)[:players]]
            places = [*crowd, first, second, *state.place[players + 2 :]]
            drawn.append(loaded.picture.draw(game.view(state.replace(place=places), seat), 512).astype(int))
        x, y = plan(512).at(here)
        assert (np.abs(drawn[0] - drawn[1])[y - 40 : y + 20, x - 20 : x + 40].max(axis=2) > 60).sum() > 20


@pytest.mark.parametrize("scenario", NAMES)
def test_a_batch_shows_each_seat_its_own_picture_and_no_other(scenario: str) -> None:
    picture, size = registry.load(ID).picture, 320
    env = BatchedEnv(ID, 2, observe="rgb", size=size, copy=False, scenario=scenario)
    observation, _ = env.reset(seed=4)
    for _ in range(8):
        for i in range(2):
            state = env.game.state_of(env.states, i)
            for seat in range(len(env.seats)):
                assert np.array_equal(observation["rgb"][i, seat], picture.draw(env.game.view(state, seat), size))
        observation, *_ = env.step(env.random_actions())
    assert len({observation["rgb"][0, seat].tobytes() for seat in range(len(env.seats))}) == len(env.seats)


@pytest.mark.parametrize("scenario", NAMES)
def test_a_click_beside_the_own_disc_pushes_that_way(scenario: str) -> None:
    picture, clicked = registry.load(ID).picture, 0
    for live in positions(scenario, seed=3, most=5):
        for seat in range(len(live.game.seats)):
            view = live.view(seat)
            if not view.scenario.kinds[seat].moves or view.places[seat] is None:
                assert picture.regions(view) == {}
                continue
            x, y = plan(512).at(view.places[seat])  # type: ignore[arg-type]
            for action, ((left, top, right, bottom),) in picture.regions(view).items():
                across, along = (left + right) / 2 - x, (top + bottom) / 2 - y
                ways = {0: abs(across) + abs(along) < 3, 1: across < -5, 2: across > 5, 3: along > 5, 4: along < -5}
                assert ways[action % 5]
                clicked += 1
    assert clicked or not any(kind.moves for kind in SCENARIOS[NAMES.index(scenario)].kinds)
