"""What happens in the kitchen, what it pays, what the chefs are told, and how well the planner cooks.

Joint actions are written as pairs of letters, chef_0's first: U D R L for the directions, S to stay, I to interact.
"""

from collections import Counter
from typing import Any

import gymnasium
import numpy as np
import pytest

import mmgames
from mmgames.core import registry
from mmgames.core.observation import Observer
from mmgames.games.overcooked import rules
from mmgames.games.overcooked.layouts import GRIDS, KITCHENS, NAMES, WIDE
from mmgames.games.overcooked.rules import DISH, IDLE, NOTHING, ONION, SOUP
from mmgames.kernels.records import RecordState
from mmgames.tasks.positions import BOARDS

ID = "mmgames/Overcooked-v0"
LETTERS = "UDRLSI"
RNG = np.random.default_rng(0)
ROOMS = registry.load(ID)

# In the cramped room chef_0 starts at (1, 2) beside the dishes, chef_1 at (3, 1) beside the onions on the right.
THREE_ONIONS = "SR SI SL SU SI SR SI SL SU SI SR SI SL SU SI"
START_AND_MAKE_ROOM = "SI SR"
PLATE = "DS IS RS US SS SS IS"
SERVE = "DS RS DS IS"


def play(game: Any, script: str, state: RecordState | None = None) -> RecordState:
    state = state or game.start(RNG)
    for pair in script.split():
        state = game.play(state, {seat: LETTERS.index(letter) for seat, letter in enumerate(pair)}, RNG)
    return state


def changed(state: RecordState, **values: int) -> RecordState:
    """The state with fields set anew; a number behind a name tells which of several: holds1 is in chef_1's hands."""
    for name, value in values.items():
        word = name.rstrip("0123456789")
        if word != name:
            several = list(getattr(state, word))
            several[int(name[len(word) :])] = value
        state = state.replace(**{word: value if word == name else several})
    return state


def kitchen(**options: Any) -> Any:
    return mmgames.load_game(ID, **options)


def where(state: RecordState) -> list[tuple[int, int]]:
    return [(cell % WIDE, cell // WIDE) for cell in state.at]


def holds(state: RecordState) -> list[int]:
    return list(state.holds)


def test_all_kitchens_are_known_and_random_starts_have_anything_in_hands_and_pots() -> None:
    assert mmgames.specs[ID].options["layout"].choices == NAMES
    assert BOARDS[ID].bands == NAMES
    game, rng = kitchen(starts="random", cook_time=2), np.random.default_rng(1)
    states = [game.start(rng) for _ in range(300)]
    for field, all_of_them in (("holds", {NOTHING, ONION, DISH, SOUP}), ("facing", {0, 1, 2, 3})):
        assert {value for state in states for value in getattr(state, field)} == all_of_them
    pots = Counter((state.onions[0], state.clock[0]) for state in states)
    assert set(pots) == {(0, IDLE), (1, IDLE), (2, IDLE), *((3, clock) for clock in (IDLE, 0, 1, 2))}
    assert 120 < pots[0, IDLE] < 180 and all(state.at[0] != state.at[1] for state in states)


def test_random_chefs_earn_what_was_published() -> None:
    """0.2, the mean of ten episodes, whose standard error is about 0.3."""
    env = mmgames.vector_env(ID, 2000)
    env.reset(seed=0)
    rng = np.random.default_rng(0)
    earned = np.zeros(2000)
    for _ in range(50):
        earned += env.step(rng.integers(6, size=(2000, 2)))[1][:, 0]
    assert 0.3 < earned.mean() < 0.5
    assert abs(earned.mean() - 0.2) < 2 * earned.std() / np.sqrt(10)


@pytest.mark.parametrize("layout", NAMES)
def test_chefs_start_where_the_grid_says_and_face_up_with_free_hands(layout: str) -> None:
    state = kitchen(layout=layout).start(RNG)
    marks = {mark: (x, y) for y, line in enumerate(GRIDS[layout]) for x, mark in enumerate(line)}
    assert where(state) == [marks["1"], marks["2"]]
    assert state.facing == (LETTERS.index("U"),) * 2
    assert holds(state) == [NOTHING, NOTHING]


def test_every_code_of_a_tile_stands_for_what_is_there() -> None:
    start = kitchen().start(RNG)
    codes = ROOMS.words.module.CODES

    def tile(x: int, y: int, **values: int) -> str:
        return codes[rules.cells(kitchen().view(changed(start, **values), None))[y][x]]

    grid = [[codes[code] for code in row] for row in rules.cells(kitchen().view(start, None))]
    assert grid[0][:3] == ["an empty counter", "an empty counter", "an empty pot"]
    assert grid[1] == ["a crate of onions", *["a free floor tile"] * 2, "chef_1 (green hat)", "a crate of onions"]
    assert grid[2][1] == "chef_0 (blue hat)"
    assert grid[3][1::2] == ["a stack of dishes", "a serving hatch"]
    assert tile(2, 0, onions0=1) == "a pot with 1 raw onion"
    assert [tile(2, 0, onions0=count) for count in (2, 3)] == [f"a pot with {count} raw onions" for count in (2, 3)]
    assert tile(2, 0, onions0=3, clock0=4) == "a pot that is cooking"
    assert tile(2, 0, onions0=3, clock0=5) == tile(2, 0, onions0=1, clock0=5) == "a pot whose soup is done"
    first = KITCHENS[0].counters[0]
    named = {ONION: "an onion", DISH: "an empty dish", SOUP: "a dish of soup", SOUP - 1: "a dish of soup"}
    for item, name in named.items():
        assert tile(first % WIDE, first // WIDE, lies0=item) == f"{name} on a counter"


@pytest.mark.parametrize(("counting", "worth"), [("paper", 20), ("released", 27)])
def test_a_soup_from_the_first_onion_to_the_hatch(counting: str, worth: int) -> None:
    game = kitchen(rules=counting)
    state = play(game, f"{THREE_ONIONS} {START_AND_MAKE_ROOM} {PLATE} {SERVE}")
    assert state.points == worth
    assert game.returns(state) == (worth, worth)
    assert [sum(paid) for paid in zip(*game.parts(state).values(), strict=True)] == [worth, worth]
    assert holds(state) == [NOTHING, NOTHING]
    deeds = ("onion into a pot", "dish taken for a pot in use", "soup plated", "soup served")
    counts = {"chef_0": (0, 1, 1, 1), "chef_1": (3, 0, 0, 0)}
    assert game.events(state) == {f"{chef}: {deed}": counts[chef][n] for chef in counts for n, deed in enumerate(deeds)}


@pytest.mark.parametrize("rules", ["paper", "released"])
def test_a_pot_starts_with_any_onion_and_takes_no_more_then(rules: str) -> None:
    two = "SR SI SL SU SI SR SI SL SU SI"
    game = kitchen(rules=rules)
    assert play(game, f"{two} SI").clock[0] == 1
    assert play(game, "SU SI").clock[0] == IDLE, "an empty pot does not start"
    assert play(game, f"{two} SI SR SI SL SU SI").onions[0] == 2
    assert play(game, f"{THREE_ONIONS} SS").clock[0] == IDLE
    assert play(game, f"{THREE_ONIONS} SI").clock[0] == 1


@pytest.mark.parametrize("onions", [1, 2])
def test_a_soup_of_fewer_onions_earns_nothing_at_the_hatch(onions: int) -> None:
    game = kitchen()
    carrying = changed(game.start(np.random.default_rng(0)), holds1=DISH + onions)
    served = play(game, "SD SD SI", carrying)
    assert holds(served)[1] == NOTHING and game.returns(served) == game.returns(carrying)
    assert game.returns(play(game, "SD SD SI", changed(carrying, holds1=SOUP)))[0] == game.returns(carrying)[0] + 10


def test_a_full_or_cooking_pot_takes_no_onion_and_a_small_soup_pays_nothing_at_the_hatch() -> None:
    for before in (THREE_ONIONS, f"{THREE_ONIONS} SI"):
        state = play(kitchen(), f"{before} SR SI SL SU SI")
        assert holds(state)[1] == ONION and state.onions[0] == 3
    game = kitchen(rules="released")
    one = "SR SI SL SU SI SI SR"
    plated = play(game, f"{one} DS IS RS US SS IS")
    assert holds(plated)[0] == DISH + 1 and plated.points == 3 + 3 + 5
    served = play(game, SERVE, plated)
    assert holds(served)[0] == NOTHING and served.points == plated.points


@pytest.mark.parametrize("cook_time", [1, 5, 9])
def test_soup_is_done_after_the_cook_time_and_not_before(cook_time: int) -> None:
    game = kitchen(cook_time=cook_time)
    cooking = changed(play(game, f"{THREE_ONIONS} SI"), holds1=DISH)
    for waited in range(1, cook_time):
        assert cooking.clock[0] == waited
        cooking = play(game, "SI", cooking)
        assert holds(cooking)[1] == DISH, "plated too soon"
    assert holds(play(game, "SI", cooking))[1] == SOUP
    assert play(game, "SS SS SS", cooking).clock[0] == cook_time, "a soup that is done does not cook on"


def test_chefs_cannot_share_or_swap_tiles_but_one_can_follow_the_other() -> None:
    state = play(kitchen(), "US RL")  # both onto (2, 1)
    assert where(state) == [(1, 1), (3, 1)]
    assert [LETTERS[way] for way in state.facing] == ["R", "L"]
    side_by_side = play(kitchen(), "US SL")
    assert where(side_by_side) == [(1, 1), (2, 1)]
    assert where(play(kitchen(), "RL", side_by_side)) == [(1, 1), (2, 1)]
    assert where(play(kitchen(), "RR", side_by_side)) == [(2, 1), (3, 1)]
    for action in "SIU":
        assert where(play(kitchen(), f"R{action}", side_by_side)) == [(1, 1), (2, 1)]


def test_a_counter_keeps_one_thing_and_of_two_chefs_at_it_chef_0_is_first() -> None:
    game = kitchen()
    laid = play(game, "SR SI SU SI")  # onto the counter at (3, 0)
    assert holds(laid)[1] == NOTHING
    assert max(laid.lies) == ONION
    assert holds(play(game, "SR SI SU SI", laid))[1] == ONION, "an onion was put on another one"
    taken = play(game, "SI", laid)
    assert holds(taken)[1] == ONION and not any((*taken.onions, *taken.lies))
    game = kitchen(layout="forced_coordination")  # both can reach the counter at (2, 1)
    counter = KITCHENS[NAMES.index("forced_coordination")].counters.index(1 * WIDE + 2)
    facing = changed(play(game, "LU SR"), **{f"lies{counter}": ONION})
    assert where(facing) == [(3, 1), (1, 1)]
    assert holds(play(game, "II", facing)) == [ONION, NOTHING]
    both = changed(facing, holds0=DISH, holds1=ONION, **{f"lies{counter}": NOTHING})
    assert holds(play(game, "II", both)) == [NOTHING, ONION]


def test_dishes_pay_where_the_rules_need_them() -> None:
    paper = [("paper", *row) for row in ((0, IDLE, 0), (1, IDLE, 2), (3, IDLE, 2), (3, 2, 2), (3, 5, 2))]
    released = [("released", *row) for row in ((0, IDLE, 0), (2, IDLE, 3), (3, IDLE, 0), (3, 2, 3), (3, 5, 3))]
    for counting, onions, clock, paid in paper + released:
        game = kitchen(rules=counting)
        before = changed(play(game, "DS"), onions0=onions, clock0=clock)
        after = play(game, "IS", before)
        assert holds(after)[0] == DISH
        assert after.points == paid
    for counting, paid in (("paper", 2), ("released", 0)):
        game = kitchen(rules=counting)
        before = changed(play(game, "DS"), onions0=2)
        assert play(game, "IS", changed(before, holds1=DISH)).points == paid
        assert play(game, "IS", changed(before, lies0=DISH)).points == paid
    game = kitchen()
    after = play(game, "IS", changed(play(game, "LS"), onions0=3, lies2=DISH))
    assert holds(after)[0] == DISH and after.points == 0


def test_chefs_see_the_same_picture_their_own_features_and_the_last_three_joint_actions() -> None:
    game = kitchen()
    state = play(game, "US SR SI RS")
    text = Observer(ROOMS, game, observe=("rgb", "text")).text(game.view(state, 1))
    assert "You hold an onion." in text
    assert [line for line in text.splitlines() if line.startswith("In step")] == [
        "In step 2 chef_0 did <STAY> and chef_1 did <RIGHT>.",
        "In step 3 chef_0 did <STAY> and chef_1 did <INTERACT>.",
        "In step 4 chef_0 did <RIGHT> and chef_1 did <STAY>.",
    ]
    assert "(2, 1)" not in text, "the picture is there to show where the chefs are"
    state = play(game, "US SR SI RS")
    first, second = game.view(state, 0), game.view(state, 1)
    assert np.array_equal(ROOMS.picture.draw(first), ROOMS.picture.draw(second))
    swapped = state.replace(at=state.at[::-1], facing=state.facing[::-1], holds=state.holds[::-1])
    assert np.array_equal(ROOMS.picture.features(second), ROOMS.picture.features(game.view(swapped, 0)))
    assert not np.array_equal(ROOMS.picture.features(first), ROOMS.picture.features(second))


@pytest.mark.parametrize("layout", NAMES)
def test_everything_that_can_change_shows_in_the_picture_and_in_the_features(layout: str) -> None:
    game = kitchen(layout=layout, rules="released")
    state = game.start(RNG)
    looks = [state]
    looks += [changed(state, **{f"facing{chef}": way}) for chef in (0, 1) for way in (1, 2, 3)]
    looks += [changed(state, **{f"holds{chef}": item}) for chef in (0, 1) for item in range(ONION, SOUP + 1)]
    for pot in range(len(KITCHENS[NAMES.index(layout)].pots)):
        idle = [changed(state, **{f"onions{pot}": count}) for count in (1, 2, 3)]
        looks += idle + [changed(full, **{f"clock{pot}": clock}) for full in idle for clock in (1, 3, 5)]
    for counter in range(len(KITCHENS[NAMES.index(layout)].counters)):
        looks += [changed(state, **{f"lies{counter}": item}) for item in range(ONION, SOUP + 1)]
    looks += [changed(state, step=7)]
    views = [game.view(look, 0) for look in looks]
    assert len({ROOMS.picture.draw(view).tobytes() for view in views}) == len(looks)
    for numbers in (ROOMS.picture.features, ROOMS.picture.planes):
        assert len({numbers(view).tobytes() for view in views}) == len(looks)
        assert max(np.abs(numbers(view)).max() for view in views) <= 1
    assert len({ROOMS.words.describe(view) for view in views}) == len(looks)


# Two planners, 50 steps; the page gives the same figures.
COOKED = dict(zip(NAMES, (50, 68, 40, 42, 24), strict=True))


@pytest.mark.parametrize("layout", NAMES)
def test_two_planners_make_what_the_page_says(layout: str) -> None:
    result = mmgames.match(ID, "planner", episodes=1, layout=layout)
    assert result.returns().tolist() == [[COOKED[layout]] * 2]
    assert str(COOKED[layout]) in mmgames.specs[ID].doc
    served = sum(count for event, count in result.summary()["events"].items() if event.endswith("served"))
    assert served >= (1 if layout == "counter_circuit" else 2)
    assert 20 <= mmgames.match(ID, "greedy", episodes=1, layout=layout).returns().mean() < COOKED[layout]


@pytest.mark.parametrize("agent", ["planner", "greedy"])
@pytest.mark.parametrize("layout", NAMES)
def test_the_agents_cope_with_a_partner_who_does_anything(layout: str, agent: str) -> None:
    for agents, counting in (([agent, "random"], "paper"), (["random", agent], "released")):
        assert mmgames.match(ID, agents, episodes=1, seed=3, layout=layout, rules=counting).summary()["failed"] == 0


@pytest.mark.parametrize("observe", [("text",), ("rgb", "text")])
def test_the_text_tells_the_joint_actions_between_as_many_pictures_as_are_shown(observe) -> None:
    env = gymnasium.make("mmgames/Overcooked-v0", observe=observe, frames=9, size=64, others="random")
    observation, _ = env.reset(seed=0)
    for step in range(1, 70):
        told = [line for line in observation["text"].splitlines() if line.startswith("In step")]
        assert [int(line.split()[2]) for line in told] == [*range(max(1, step - 8), step)]
        if step > 50:
            break
        observation, *_ = env.step(step % 6)
        assert f"chef_0 did {rules.ACTIONS[step % 6]}" in observation["text"].split(f"In step {step} ")[1]
    env = gymnasium.make("mmgames/Overcooked-v0", observe=observe, frames=1, size=64, horizon=400, others="random")
    env.reset(seed=0)
    for _ in range(200):
        observation, *_ = env.step(0)
    assert observation["text"].count("In step") == 1 and "In step 200 chef_0 did <UP>" in observation["text"]
