"""MonsterHunt and BattleOfTheColors, against the order of events their rules tell, and their heuristics."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mmgames
from mmgames.games._dilemma.rules import DOWN, LEFT, MOVED, RIGHT, STAY, UP
from tests.rules.dilemmas import placed

HUNT = mmgames.load_game("mmgames/MonsterHunt-v0")
BATTLE = mmgames.load_game("mmgames/BattleOfTheColors-v0")
RELEASED = mmgames.load_game("mmgames/BattleOfTheColors-v0", rules="released")
seeds = st.integers(0, 2**32 - 1)
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


def test_the_monster_steps_towards_the_closer_player_after_both_moved():
    before = place(HUNT, (0, 0), (4, 4), (0, 4), (4, 0), (2, 0))
    assert at(play(HUNT, before, STAY, STAY), MONSTER) == (1, 0)
    # Blue's move brings it to distance three; red, still at two, stays the closer one.
    near = place(HUNT, (0, 0), (2, 4), (0, 4), (4, 4), (2, 0))
    assert at(play(HUNT, near, STAY, DOWN), MONSTER) == (1, 0)


def test_the_monster_chooses_either_player_and_either_axis_when_both_are_as_good():
    tie = place(HUNT, (0, 0), (4, 0), (0, 4), (4, 4), (2, 0))
    assert {at(play(HUNT, tie, STAY, STAY, seed), MONSTER) for seed in range(30)} == {(1, 0), (3, 0)}
    diagonal = place(HUNT, (0, 0), (4, 4), (0, 4), (4, 0), (1, 1))
    assert {at(play(HUNT, diagonal, STAY, STAY, seed), MONSTER) for seed in range(30)} == {(0, 1), (1, 0)}


def test_two_players_beat_the_monster_and_it_respawns():
    after = play(HUNT, place(HUNT, (2, 2), (2, 2), (0, 0), (4, 4), (2, 3)), STAY, STAY)
    assert HUNT.returns(after) == (5.0, 5.0)
    assert HUNT.events(after)["both meet the monster"] == 1
    assert at(after, MONSTER) not in ((2, 2), (0, 0), (4, 4))
    assert at(after, RED_AT) == at(after, BLUE_AT) == (2, 2)


def test_a_lone_player_pays_and_respawns_while_the_monster_stays():
    after = play(HUNT, place(HUNT, (2, 2), (4, 4), (0, 0), (4, 0), (2, 3)), STAY, STAY)
    assert HUNT.returns(after) == (-2.0, 0.0)
    assert at(after, MONSTER) == (2, 2)
    assert at(after, RED_AT) not in ((2, 2), (4, 4), (0, 0), (4, 0))


def test_both_players_are_paid_for_one_apple_and_a_trampled_apple_pays_nobody():
    shared = play(HUNT, place(HUNT, (1, 0), (0, 1), (0, 0), (4, 4), (4, 3)), LEFT, DOWN)
    assert HUNT.returns(shared) == (2.0, 2.0)
    assert at(shared, RED_APPLE) != (0, 0)
    trampled = play(HUNT, place(HUNT, (0, 0), (4, 4), (1, 0), (4, 0), (2, 0)), STAY, STAY)
    assert HUNT.returns(trampled) == (0.0, 0.0)
    assert at(trampled, RED_APPLE) != (1, 0)


@given(seeds, actions)
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
    moved = [at(after, THINGS) != (1, 1), at(after, THINGS + 1) != (3, 3)]
    assert moved == [block == (1, 1), block == (3, 3)]


def test_standing_on_different_blocks_moves_both_and_pays_nobody():
    after = play(BATTLE, place(BATTLE, (3, 3), (1, 1), (1, 1), (3, 3)), STAY, STAY)
    assert BATTLE.returns(after) == (0.0, 0.0)
    assert BATTLE.events(after)["on different blocks"] == 1
    assert at(after, THINGS) != (1, 1) and at(after, THINGS + 1) != (3, 3)


def test_standing_on_a_block_alone_changes_nothing():
    before = place(BATTLE, (1, 1), (0, 0), (1, 1), (3, 3))
    after = play(BATTLE, before, STAY, STAY)
    assert at(after, THINGS) == (1, 1) and at(after, THINGS + 1) == (3, 3)
    assert sum(BATTLE.events(after).values()) == 0


def coinciding(game):
    """How often the red block comes back on top of the blue one, over many meetings on red."""
    before = place(game, (1, 1), (1, 1), (1, 1), (3, 3))
    return sum(at(play(game, before, STAY, STAY, seed), THINGS) == (3, 3) for seed in range(300))


def test_blocks_coincide_in_the_released_rules_only():
    assert coinciding(BATTLE) == 0
    assert coinciding(RELEASED) > 0
    both = play(RELEASED, place(RELEASED, (2, 2), (2, 2), (2, 2), (2, 2)), STAY, STAY)
    assert RELEASED.events(both) == {"both on the red block": 1, "both on the blue block": 0, "on different blocks": 0}


def mean_return(id, *agents, episodes=60):
    return mmgames.match(id, agents, episodes, seed=11).returns().mean(axis=0)


def test_two_who_wait_in_the_middle_beat_the_monster_most():
    best = mean_return("MonsterHunt", "wait_middle").mean()
    for other in ("chase", "wait_corner", "self_interest", "random"):
        assert best > mean_return("MonsterHunt", other).mean() + 20


def test_common_welfare_spares_the_other_and_pays_both():
    result = mmgames.match("CoinDilemma", "common_welfare", 60, seed=1)
    events = result.summary()["events"]
    assert events["red takes blue coin"] == events["blue takes red coin"] == 0
    selfish = mean_return("CoinDilemma", "self_interest", "common_welfare")
    assert selfish[0] > result.returns().mean() > selfish[1]


def test_biased_players_meet_on_their_colour_and_selfish_ones_hardly_ever():
    red = mean_return("BattleOfTheColors", "biased_red")
    assert red[0] == pytest.approx(2 * red[1], rel=0.1)
    blue = mean_return("BattleOfTheColors", "biased_blue")
    assert blue[1] > 20 and blue[1] == pytest.approx(2 * blue[0], rel=0.1)
    assert mean_return("BattleOfTheColors", "self_interest").mean() < 5
    assert mean_return("BattleOfTheColors", "common_welfare").mean() > 25
