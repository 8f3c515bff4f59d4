"""The grid dilemmas against the order of events their rules tell, with other players, grids, lengths and payoffs."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mmgames
from mmgames.baselines.search.dilemma_optimum import JointPlan
from mmgames.core import registry
from mmgames.envs import batch_agents
from mmgames.envs.vector import BatchedEnv
from mmgames.games._dilemma.rules import DOWN, LEFT, MOVED, RIGHT, STAY, UP
from mmgames.games._dilemma.setup import LARGEST, ROLES
from mmgames.running import matches
from tests.cases import cases
from tests.refusing import refused
from tests.rules.dilemmas import placed

HUNT = mmgames.load_game("mmgames/MonsterHunt-v0")
BATTLE = mmgames.load_game("mmgames/BattleOfTheColors-v0")
RELEASED = mmgames.load_game("mmgames/BattleOfTheColors-v0", rules="released")
actions = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=50, max_size=50)


def cell(x, y):
    return 5 * y + x


def place(game, red, blue, *things):
    """A position at the first step."""
    return placed(game, *(cell(*each) for each in (red, blue, *things)))


def play(game, state, red, blue, seed=0):
    return game.play(state, {0: red, 1: blue}, np.random.default_rng(seed))


def at(state, which):
    """Where a token is: the players, then the things."""
    found = (*state.at, *state.things)[which]
    return found % 5, found // 5


RED_AT, BLUE_AT, THINGS = range(3)
RED_APPLE, BLUE_APPLE, MONSTER = THINGS, THINGS + 1, THINGS + 2


def test_walls_clip_and_up_adds_to_y():
    assert MOVED[5, cell(0, 0), LEFT] == cell(0, 0)
    assert MOVED[5, cell(4, 4), UP] == cell(4, 4)
    assert MOVED[5, cell(2, 2), UP] == cell(2, 3)
    assert MOVED[5, cell(2, 2), RIGHT] == cell(3, 2)
    assert MOVED[5, cell(2, 2), DOWN] == cell(2, 1)
    for side in range(3, LARGEST + 1):
        assert (MOVED[side, side - 1, RIGHT], MOVED[side, 0, RIGHT]) == (side - 1, 1)
        assert MOVED[side, : side * side].max() == side * side - 1


def test_the_monster_steps_towards_the_closest_player_by_any_of_the_ways_that_are_as_good():
    assert at(play(HUNT, place(HUNT, (0, 0), (4, 4), (0, 4), (4, 0), (2, 0)), STAY, STAY), MONSTER) == (1, 0)
    # Blue's move brings it to distance three; red, still at two, stays the closer one.
    assert at(play(HUNT, place(HUNT, (0, 0), (2, 4), (0, 4), (4, 4), (2, 0)), STAY, DOWN), MONSTER) == (1, 0)
    tie = place(HUNT, (0, 0), (4, 0), (0, 4), (4, 4), (2, 0))
    assert {at(play(HUNT, tie, STAY, STAY, seed), MONSTER) for seed in range(30)} == {(1, 0), (3, 0)}
    diagonal = place(HUNT, (0, 0), (4, 4), (0, 4), (4, 0), (1, 1))
    assert {at(play(HUNT, diagonal, STAY, STAY, seed), MONSTER) for seed in range(30)} == {(0, 1), (1, 0)}


def test_two_players_beat_the_monster_a_lone_one_pays_and_both_share_an_apple():
    after = play(HUNT, place(HUNT, (2, 2), (2, 2), (0, 0), (4, 4), (2, 3)), STAY, STAY)
    assert HUNT.returns(after) == (5.0, 5.0)
    assert HUNT.events(after)["both meet the monster"] == 1
    assert at(after, MONSTER) not in ((2, 2), (0, 0), (4, 4))
    assert at(after, RED_AT) == at(after, BLUE_AT) == (2, 2)
    after = play(HUNT, place(HUNT, (2, 2), (4, 4), (0, 0), (4, 0), (2, 3)), STAY, STAY)
    assert HUNT.returns(after) == (-2.0, 0.0)
    assert at(after, MONSTER) == (2, 2)
    assert at(after, RED_AT) not in ((2, 2), (4, 4), (0, 0), (4, 0))
    shared = play(HUNT, place(HUNT, (1, 0), (0, 1), (0, 0), (4, 4), (4, 3)), LEFT, DOWN)
    assert HUNT.returns(shared) == (2.0, 2.0)
    assert at(shared, RED_APPLE) != (0, 0)
    trampled = play(HUNT, place(HUNT, (0, 0), (4, 4), (1, 0), (4, 0), (2, 0)), STAY, STAY)
    assert HUNT.returns(trampled) == (0.0, 0.0)
    assert at(trampled, RED_APPLE) != (1, 0)


@given(st.integers(0, 2**32 - 1), actions)
def test_nothing_ever_lies_under_anything_it_should_avoid(seed, moves):
    rng = np.random.default_rng(seed)
    state = HUNT.start(rng)
    for red, blue in moves:
        before, state = state, HUNT.play(state, {0: red, 1: blue}, rng)
        places = [*state.at, *state.things]
        assert all(0 <= place < 25 for place in places)
        assert len(set(places[2:])) == 3  # apples and the monster never share a cell
        assert not {places[0], places[1]} & set(places[2:4])  # an apple under a player has been eaten
        gained = np.subtract(HUNT.returns(state), HUNT.returns(before))
        events = HUNT.events_of(HUNT.usual())
        counts = [HUNT.events(state)[e.name] - HUNT.events(before)[e.name] for e in events]
        paid = [sum(n * (e.red, e.blue)[s] for n, e in zip(counts, events, strict=True)) for s in (0, 1)]
        assert gained.tolist() == paid
    assert HUNT.movers(state) == ()


@pytest.mark.parametrize(
    ("block", "returns", "event"),
    [((1, 1), (2.0, 1.0), "both on the red block"), ((3, 3), (1.0, 2.0), "both on the blue block")],
)
def test_meeting_on_a_block_pays_and_moves_that_block_only(block, returns, event):
    x, y = block
    after = play(BATTLE, place(BATTLE, (x - 1, y), (x + 1, y), (1, 1), (3, 3)), RIGHT, LEFT)
    assert BATTLE.returns(after) == returns
    assert BATTLE.events(after)[event] == 1
    assert [at(after, THINGS) != (1, 1), at(after, THINGS + 1) != (3, 3)] == [block == (1, 1), block == (3, 3)]


def test_standing_on_different_blocks_moves_both_and_standing_alone_changes_nothing():
    after = play(BATTLE, place(BATTLE, (3, 3), (1, 1), (1, 1), (3, 3)), STAY, STAY)
    assert BATTLE.returns(after) == (0.0, 0.0)
    assert BATTLE.events(after)["on different blocks"] == 1
    assert at(after, THINGS) != (1, 1) and at(after, THINGS + 1) != (3, 3)
    after = play(BATTLE, place(BATTLE, (1, 1), (0, 0), (1, 1), (3, 3)), STAY, STAY)
    assert at(after, THINGS) == (1, 1) and at(after, THINGS + 1) == (3, 3)
    assert sum(BATTLE.events(after).values()) == 0


def test_both_meet_on_both_blocks_where_they_coincide():
    """Only in the released rules; tests/test_noise.py counts how often."""
    both = play(RELEASED, place(RELEASED, (2, 2), (2, 2), (2, 2), (2, 2)), STAY, STAY)
    assert RELEASED.events(both) == {"both on the red block": 1, "both on the blue block": 0, "on different blocks": 0}


def mean_return(id, *agents, episodes=30):
    return mmgames.match(id, agents, episodes, seed=11).returns().mean(axis=0)


def test_heuristics_get_what_their_names_say():
    best = mean_return("MonsterHunt", "wait_middle").mean()
    for other in ("chase", "wait_corner", "self_interest", "random"):
        assert best > mean_return("MonsterHunt", other).mean() + 20
    result = mmgames.match("CoinDilemma", "common_welfare", 30, seed=1)
    events = result.summary()["events"]
    assert events["red takes blue coin"] == events["blue takes red coin"] == 0
    selfish = mean_return("CoinDilemma", "self_interest", "common_welfare")
    assert selfish[0] > result.returns().mean() > selfish[1]
    red = mean_return("BattleOfTheColors", "biased_red")
    assert red[0] == pytest.approx(2 * red[1], rel=0.1)
    blue = mean_return("BattleOfTheColors", "biased_blue")
    assert blue[1] > 20 and blue[1] == pytest.approx(2 * blue[0], rel=0.1)
    assert mean_return("BattleOfTheColors", "self_interest").mean() < 5
    assert mean_return("BattleOfTheColors", "common_welfare").mean() > 25


NAMES = ("CoinDilemma", "MonsterHunt", "BattleOfTheColors")
COINS, HUNTS, BATTLES = (f"mmgames/{name}-v0" for name in NAMES)
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
                paid = np.array(counts) @ [(event.red, event.blue) for event in game.events_of(game.setup.pays)]
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


def test_all_on_one_coin_collect_it_and_options_say_what_it_pays():
    game = mmgames.load_game(COINS, players=4)
    before = put(game, [(0, 0), (0, 0), (1, 0), (4, 4)], [(0, 0), (2, 2), (3, 3), (4, 0)])
    after = stay(game, before, (STAY, STAY, LEFT))
    assert game.returns(after) == (1 - 2 - 2, 1, 1, 0)
    assert happened(game, after) == {
        "red takes its own coin": 1,
        "blue takes another's coin": 1,
        "green takes another's coin": 1,
        "red loses its coin to another": 2,
    }
    game = mmgames.load_game(COINS, own_coin=3, others_coin=-4, lost_coin=7)
    after = stay(game, put(game, [(0, 0), (1, 0)], [(1, 0), (0, 0)]))
    assert game.returns(after) == (-4 + 7, -4 + 7)
    assert happened(game, after) == {"red takes blue coin": 1, "blue takes red coin": 1}


def test_two_of_many_are_enough_for_the_monster_which_goes_to_any_of_the_nearest():
    game = mmgames.load_game(HUNTS, players=3, grid=7)
    apples = [(6, 6), (5, 6), (4, 6)]
    after = stay(game, put(game, [(2, 2), (2, 2), (0, 6)], [*apples, (2, 3)]))
    assert game.returns(after) == (5, 5, 0)
    assert happened(game, after) == {"red meets the monster with others": 1, "blue meets the monster with others": 1}
    alone = stay(game, put(game, [(2, 2), (6, 0), (0, 6)], [*apples, (2, 3)]))
    assert game.returns(alone) == (-2, 0, 0)
    assert happened(game, alone) == {"red meets the monster alone": 1}
    assert game.returns(stay(game, put(game, [(6, 6), (6, 6), (0, 6)], [*apples, (0, 0)]))) == (2, 2, 0)
    tie = put(game, [(1, 3), (5, 3), (3, 1)], [(0, 0), (6, 6), (0, 6), (3, 3)])
    assert {stay(game, tie, seed=seed).things[-1] for seed in range(40)} == {23, 25, 17}


def test_those_on_a_block_are_paid_for_each_other_and_lone_ones_miss():
    game = mmgames.load_game(BATTLES, players=4)
    blocks = [(0, 0), (2, 2), (3, 3), (4, 0)]
    after = stay(game, put(game, [(0, 0), (0, 0), (0, 0), (3, 3)], blocks))
    assert game.returns(after) == (4, 2, 2, 0)
    assert happened(game, after) == {
        "red meets another on its own block": 2,
        "blue meets another on another's block": 2,
        "green meets another on another's block": 2,
        "yellow misses the others": 1,
    }
    assert np.flatnonzero(np.array(after.things) != [0, 12, 18, 4]).tolist() == [0, 2]
    still = stay(game, put(game, [(0, 0), (1, 0), (1, 1), (1, 1)], blocks))
    assert game.returns(still) == (0, 0, 0, 0) and not happened(game, still)


def test_released_rules_let_blocks_coincide_with_more_players_too():
    env = BatchedEnv(BATTLES, 512, players=4, grid=4, rules="released")
    env.reset(seed=0)
    coincide = False
    for _ in range(49):
        env.step(env.random_actions())
        blocks = np.sort(env.states["things"], axis=1)
        coincide |= bool((blocks[:, 1:] == blocks[:, :-1]).any())
    assert coincide


def test_heuristics_play_with_eight_and_kind_ones_leave_the_others_coins_alone():
    for name in NAMES:
        id = f"mmgames/{name}-v0"
        for agent in (each for each in mmgames.specs[id].agents.known if each != "optimum"):
            *_, live = matches.play(id, [agent] * 8, seed=1, players=8, grid=9, horizon=6)
            assert live.game.seats == ROLES and live.movers == ()
    kind, greedy = (
        batch_agents.play(COINS, [agent] * 4, 50, players=4, grid=6) for agent in ("common_welfare", "self_interest")
    )
    assert kind.min() >= 0 and kind.mean() > greedy.mean()


def test_wrong_options_get_one_sentence():
    for options, sentence in cases(__file__)["wrong"]:
        refused(partial(mmgames.load_game, COINS, **options), sentence)
    refused(lambda: JointPlan(mmgames.load_game(COINS, grid=6)), "by default, not with grid=6")
    refused(lambda: JointPlan(mmgames.load_game(BATTLES, rules="released")), "as it is by default")


def test_words_tell_the_setup_and_small_pictures_leave_nothing_out():
    loaded = registry.load(HUNTS)
    game = loaded.game(players=5, grid=12, horizon=30, apple=4)
    view = game.view(game.start(np.random.default_rng(0)), 4)
    rules, seen = loaded.words.rules(view), loaded.words.describe(view)
    assert "12 by 12" in rules and "30 times" in rules and "eats an apple: +4" in rules
    assert loaded.words.you(view).startswith("You are the pink player")
    assert all(f"{role} player: (" in seen for role in ROLES[:5]) and "fifth apple: (" in seen
    assert loaded.words.unseen(view, 1024) == ""
    assert "fifth apple: (" in loaded.words.unseen(view, 84)
