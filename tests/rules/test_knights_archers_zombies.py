"""KnightsArchersZombies: arrows, swords, bites and the end, the heuristic, pictures and clicks."""

from typing import Any

import numpy as np

import mmgames
from mmgames.baselines.planners.knights_archers_zombies import heuristic
from mmgames.core import registry
from mmgames.envs.vector import BatchedEnv
from mmgames.games.knights_archers_zombies import rules
from mmgames.games.knights_archers_zombies.elements import make_state
from mmgames.games.knights_archers_zombies.rules import ATTACK, BACKWARD, FORWARD, LEFT, RIGHT, WAIT

ID = "mmgames/KnightsArchersZombies-v0"
IDLE = dict.fromkeys(range(4), WAIT)
RNG = np.random.default_rng(0)


def battle(*zombies: tuple[int, int], **options: Any) -> tuple[Any, Any]:
    """A fresh field with zombies at these corners."""
    game: Any = mmgames.load_game(ID, **options)
    state = game.start(np.random.default_rng(0)).replace(walking=len(zombies))
    for zombie, (x, y) in zip(state.record["zombies"], zombies, strict=False):
        zombie["x"], zombie["y"] = x, y
    return game, state


def test_an_arrow_flies_up_kills_what_it_meets_and_is_shot_at_every_fourth_try() -> None:
    game, state = battle((386, 400))
    state = game.play(state, {**IDLE, 0: ATTACK}, RNG)
    assert game.view(state, 0).arrows == (((400, 565), 0),)
    while game.view(state, 0).arrows:
        state = game.play(state, IDLE, RNG)
    assert game.returns(state) == (1.0, 0.0, 0.0, 0.0) and not game.view(state, 0).zombies
    game, state = battle()
    shot = []
    for _ in range(9):
        before = len(game.view(state, 0).arrows)
        state = game.play(state, {**IDLE, 0: ATTACK}, RNG)
        shot.append(len(game.view(state, 0).arrows) - before)
    assert shot == [1, 0, 0, 0, 1, 0, 0, 0, 1]


def test_a_knight_swings_for_six_steps_and_acts_again_in_the_seventh() -> None:
    game, state = battle((790, 550))
    out, turned = [], []
    state = game.play(state, {**IDLE, 2: ATTACK}, RNG)
    for _ in range(7):
        out.append(game.view(state, 2).player(2).sword is not None)
        state = game.play(state, {**IDLE, 2: RIGHT}, RNG)
        turned.append(game.view(state, 2).player(2).heading)
    assert out == [True] * 6 + [False] and turned == [0] * 6 + [10]
    assert game.returns(state)[2] == 1.0


def test_whoever_is_touched_dies_and_the_battle_is_over_when_nobody_lives_or_one_comes_through() -> None:
    game, state = battle((790, 590))
    state = game.play(state, IDLE, RNG)
    assert not game.view(state, 2).player(2).alive
    assert tuple(game.legal(state, 2)) == (WAIT,) and len(game.legal(state, 3)) == 6
    game, state = battle((600, 684))
    assert game.movers(state)
    state = game.play(state, IDLE, RNG)
    state = game.play(state, IDLE, RNG) if game.movers(state) else state
    assert not game.movers(state)
    game, state = battle((390, 600), (440, 600), (790, 600), (840, 600))
    assert not game.movers(game.play(state, IDLE, RNG))


def test_the_edge_kills_only_where_it_is_deadly_and_told_draws_take_the_place_of_drawn_ones() -> None:
    for deadly in (False, True):
        game, state = battle(deadly=deadly)
        for _ in range(6):
            state = game.play(state, {**IDLE, 0: BACKWARD}, RNG)
        assert state.players[0].alive != deadly
    game, state = battle((600, 100), delay=1)
    state.record["zombies"][0]["wobble"] = 2
    rules.advance(state.record, np.full(4, WAIT), np.uint64(0), np.array([1, 333]))
    assert [x for x, _ in game.view(state, None).zombies] == [600 + 30 + 14, 333 + 14]


def test_heuristics_hold_the_line_longer_and_kill_more_than_random_players() -> None:
    names = ("heuristic", "nearest", "random")
    results = {name: mmgames.match(ID, name, episodes=6, seed=2).summary() for name in names}
    kills = {name: [seat["mean"] for seat in told["seats"]] for name, told in results.items()}
    for name in names[:2]:
        assert all(ours > theirs for ours, theirs in zip(kills[name], kills["random"], strict=True))
        assert results[name]["length"]["mean"] > results["random"]["length"]["mean"]
    game: Any = mmgames.load_game(ID)
    state = game.start(np.random.default_rng(1))
    assert {int(heuristic(state.record, seat, np.uint64(0))) for seat in range(4)} == {WAIT}


def test_a_batch_looks_as_the_single_game_does_also_where_numbers_are_shown() -> None:
    picture, size = registry.load(ID).picture, 320
    asked: Any = registry.load("KnightsArchersZombies")
    env = BatchedEnv(ID, 6, observe="rgb", size=size, copy=False)
    env.reset(seed=1)
    for turn in range(3):
        for i in range(6):
            env.states[i] = make_state(asked.game(), np.random.default_rng((turn, i)), 0).record
        observation = env.restore(env.save())[0]
        for i in range(6):
            view = env.game.view(env.game.state_of(env.states, i), i % 4)
            assert np.array_equal(observation["rgb"][i, i % 4], picture.draw(view, size))


def test_clicks_around_the_own_figure_lead_where_it_looks() -> None:
    picture = registry.load(ID).picture
    for number in range(20):
        game: Any = mmgames.load_game(ID)
        state = make_state(game, np.random.default_rng(number), 0)
        for seat in range(4):
            view = game.view(state, seat)
            regions = picture.regions(view)
            if not view.player(seat).alive:
                assert regions == {}
                continue
            (x, y), scale = view.player(seat).at, 512 / 1280
            after = game.view(game.play(state, {**IDLE, seat: FORWARD}, RNG), seat).player(seat).at
            (left, top, right, bottom) = regions[FORWARD][0]
            towards = (left + right) / 2 - x * scale, (top + bottom) / 2 - y * scale
            moved = after[0] - x, after[1] - y
            if view.player(seat).sword is None:
                assert moved[0] * towards[0] + moved[1] * towards[1] > 0
            assert set(regions) == {FORWARD, BACKWARD, LEFT, RIGHT, ATTACK}
            (left, top, right, bottom) = regions[ATTACK][0]
            assert left < x * scale < right and top < y * scale < bottom
