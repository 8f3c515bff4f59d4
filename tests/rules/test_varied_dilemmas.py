"""The grid dilemmas with other numbers of players, grids, lengths and payoffs."""

from __future__ import annotations

import numpy as np
import pytest

import mmgames
from mmgames.core import registry
from mmgames.envs.vector import BatchedEnv
from mmgames.errors import MmgamesError
from mmgames.games._dilemma.rules import LEFT, MOVED, RIGHT, STAY
from mmgames.games._dilemma.setup import LARGEST, ROLES
from mmgames.running import matches
from tests.rules.dilemmas import placed

NAMES = ("CoinDilemma", "MonsterHunt", "BattleOfTheColors")
COIN, HUNT, BATTLE = (f"mmgames/{name}-v0" for name in NAMES)
PAYOFFS = {"CoinDilemma": "lost_coin", "MonsterHunt": "together", "BattleOfTheColors": "own_block"}


def put(game, players, things):
    """A position at the first step; cells are (x, y)."""
    return placed(game, *(x + game.setup.side * y for x, y in (*players, *things)))


def stay(game, state, moves=(), seed=0):
    """Everybody stays but for the first ones, who make these moves."""
    actions = [*moves, *[STAY] * (game.setup.players - len(moves))]
    return game.play(state, dict(enumerate(actions)), np.random.default_rng(seed))


def happened(game, state):
    return {name: count for name, count in game.events(state).items() if count}


@pytest.mark.parametrize("options", [{"players": 3}, {"players": 8, "grid": 6}, {"grid": 3, "horizon": 7}])
@pytest.mark.parametrize("name", NAMES)
def test_batches_show_what_single_games_show(name, options):
    """Features, planes and pictures, and the points are what the counts pay."""
    loaded, rows = registry.load(f"mmgames/{name}-v0"), 2
    keys = ("features", "planes", "rgb")
    env = BatchedEnv(f"mmgames/{name}-v0", rows, observe=keys, size=128, **options, **{PAYOFFS[name]: 9})
    seen, _ = env.reset(seed=2)
    game = env.game
    for _ in range(30):
        for i in range(rows):
            state = game.state_of(env.states, i)
            for seat in range(len(game.seats)):
                view = game.view(state, seat)
                assert np.array_equal(seen["features"][i, seat], loaded.picture.features(view))
                assert np.array_equal(seen["planes"][i, seat], loaded.picture.planes(view))
            assert np.array_equal(seen["rgb"][i, 0], loaded.picture.draw(view, 128))
            assert np.abs(seen["features"]).max() <= 1
            counts = list(game.happened(state).values())
            if game.setup.players > 2:
                paid = np.array(game.setup.pays) @ np.reshape(counts, (3, -1))
            else:
                events = game.events_of(game.setup.pays)
                paid = np.array(counts) @ [(event.red, event.blue) for event in events]
            assert paid.tolist() == list(game.returns(state))
        seen, *_ = env.step(env.random_actions())


@pytest.mark.parametrize("name", NAMES)
def test_everybody_and_everything_lies_apart_and_inside(name):
    env = BatchedEnv(f"mmgames/{name}-v0", 64, players=8, horizon=20, **({} if name == "MonsterHunt" else {"grid": 4}))
    env.reset(seed=1)
    setup, moved = env.game.setup, False
    for _ in range(45):
        for i in range(env.num_envs):
            state = env.game.state_of(env.states, i)
            players, things = state.at, state.things
            assert min(*players, *things) >= 0 and max(*players, *things) < setup.side**2
            assert len(set(things)) == len(things)
            moved |= len(set(players)) < len(players)
            if name == "CoinDilemma":
                assert not set(players) & set(things)
        env.step(env.random_actions())
    assert moved, "players have never shared a cell"


def test_all_on_one_coin_collect_it_and_its_owner_pays_for_each_of_the_others():
    game = mmgames.load_game(COIN, players=4)
    before = put(game, [(0, 0), (0, 0), (1, 0), (4, 4)], [(0, 0), (2, 2), (3, 3), (4, 0)])
    after = stay(game, before, (STAY, STAY, LEFT))
    assert game.returns(after) == (1 - 2 - 2, 1, 1, 0)
    assert happened(game, after) == {
        "red takes its own coin": 1,
        "blue takes another's coin": 1,
        "green takes another's coin": 1,
        "red loses its coin to another": 2,
    }


def test_payoffs_are_what_the_options_say():
    game = mmgames.load_game(COIN, own_coin=3, others_coin=-4, lost_coin=7)
    after = stay(game, put(game, [(0, 0), (1, 0)], [(1, 0), (0, 0)]))
    assert game.returns(after) == (-4 + 7, -4 + 7)
    assert happened(game, after) == {"red takes blue coin": 1, "blue takes red coin": 1}


def test_two_of_many_are_enough_for_the_monster_and_only_they_are_paid():
    game = mmgames.load_game(HUNT, players=3, grid=7)
    apples = [(6, 6), (5, 6), (4, 6)]
    after = stay(game, put(game, [(2, 2), (2, 2), (0, 6)], [*apples, (2, 3)]))
    assert game.returns(after) == (5, 5, 0)
    assert happened(game, after) == {"red meets the monster with others": 1, "blue meets the monster with others": 1}
    alone = stay(game, put(game, [(2, 2), (6, 0), (0, 6)], [*apples, (2, 3)]))
    assert game.returns(alone) == (-2, 0, 0)
    assert happened(game, alone) == {"red meets the monster alone": 1}
    shared = stay(game, put(game, [(6, 6), (6, 6), (0, 6)], [*apples, (0, 0)]))
    assert game.returns(shared) == (2, 2, 0)


def test_the_monster_goes_to_any_of_the_nearest_players():
    game = mmgames.load_game(HUNT, players=3, grid=7)
    tie = put(game, [(1, 3), (5, 3), (3, 1)], [(0, 0), (6, 6), (0, 6), (3, 3)])
    assert {stay(game, tie, seed=seed).things[-1] for seed in range(40)} == {23, 25, 17}


def test_those_on_a_block_are_paid_for_each_other_and_lone_ones_miss():
    game = mmgames.load_game(BATTLE, players=4)
    blocks = [(0, 0), (2, 2), (3, 3), (4, 0)]
    after = stay(game, put(game, [(0, 0), (0, 0), (0, 0), (3, 3)], blocks))
    assert game.returns(after) == (4, 2, 2, 0)
    assert happened(game, after) == {
        "red meets another on its own block": 2,
        "blue meets another on another's block": 2,
        "green meets another on another's block": 2,
        "yellow misses the others": 1,
    }
    moved = np.flatnonzero(np.array(after.things) != [0, 12, 18, 4])
    assert moved.tolist() == [0, 2]
    still = stay(game, put(game, [(0, 0), (1, 0), (1, 1), (1, 1)], blocks))
    assert game.returns(still) == (0, 0, 0, 0) and not happened(game, still)


def test_released_rules_let_blocks_coincide_with_more_players_too():
    env = BatchedEnv(BATTLE, 512, players=4, grid=4, rules="released")
    env.reset(seed=0)
    coincide = False
    for _ in range(49):
        env.step(env.random_actions())
        blocks = np.sort(env.states["things"], axis=1)
        coincide |= bool((blocks[:, 1:] == blocks[:, :-1]).any())
    assert coincide


def test_walls_clip_on_every_grid():
    for side in range(3, LARGEST + 1):
        assert MOVED[side, side - 1, RIGHT] == side - 1
        assert MOVED[side, 0, RIGHT] == 1
        assert MOVED[side, : side * side].max() == side * side - 1


@pytest.mark.parametrize("name", NAMES)
def test_heuristics_play_with_eight(name):
    id = f"mmgames/{name}-v0"
    for agent in (each for each in mmgames.specs[id].agents if each != "optimum"):
        *_, live = matches.play(id, [agent] * 8, seed=1, players=8, grid=9, horizon=6)
        assert live.game.seats == ROLES and live.movers == ()


def test_kind_players_leave_the_others_coins_alone():
    from mmgames.envs.batch_agents import play

    kind, greedy = (play(COIN, [agent] * 4, 50, players=4, grid=6) for agent in ("common_welfare", "self_interest"))
    assert kind.min() >= 0 and kind.mean() > greedy.mean()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"players": 1}, "players=1 is out of range; it must be at least 2 and at most 8"),
        ({"players": 2.5}, "players takes a whole number, not 2.5"),
        ({"grid": 2}, "grid=2 is out of range"),
        ({"horizon": 0}, "horizon=0 is out of range"),
        ({"lost_coin": "much"}, "lost_coin takes a whole number, not 'much'"),
        ({"lost_coin": float("nan")}, "lost_coin takes a whole number, not nan"),
        ({"players": 8, "grid": 3}, "8 players and 8 things do not fit on grid=3; give grid=4 or more"),
    ],
)
def test_wrong_options_get_one_sentence(options, sentence):
    with pytest.raises(MmgamesError) as raised:
        mmgames.load_game(COIN, **options)
    assert sentence in str(raised.value) and "\n" not in str(raised.value)


def test_the_optimum_is_planned_for_the_usual_game_alone():
    from mmgames.baselines.search.dilemma_optimum import JointPlan

    with pytest.raises(MmgamesError, match="by default, not with grid=6"):
        JointPlan(mmgames.load_game(COIN, grid=6))


def test_words_tell_the_setup_and_small_pictures_leave_nothing_out():
    loaded = registry.load(HUNT)
    game = loaded.game(players=5, grid=12, horizon=30, apple=4)
    view = game.view(game.start(np.random.default_rng(0)), 4)
    rules, seen = loaded.words.rules(view), loaded.words.describe(view)
    assert "12 by 12" in rules and "30 times" in rules and "eats an apple: +4" in rules
    assert loaded.words.you(view).startswith("You are the pink player")
    assert all(f"{role} player: (" in seen for role in ROLES[:5]) and "fifth apple: (" in seen
    assert loaded.words.unseen(view, 1024) == ""
    assert "fifth apple: (" in loaded.words.unseen(view, 84)
