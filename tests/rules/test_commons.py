"""Harvest and Cleanup: who gets what, what grows, what beams do, what is seen, and that greed does not pay for all."""

import itertools

import numpy as np
import pytest

import mmgames
from mmgames.baselines.planners import cleanup as cleanup_agents
from mmgames.baselines.planners import harvest as harvest_agents
from mmgames.envs.batch_agents import play
from mmgames.games._commons import rules as k
from mmgames.games._commons.maps import GROUNDS, NAMES, NEAR, SOIL, SOILS, WATER
from mmgames.games._commons.rules import CLEAN, DOWN, FINE, LEFT, RIGHT, STAY, UP
from mmgames.kernels.kernel import noise
from tests.refusing import refused

HARVEST, CLEANUP = "mmgames/Harvest-v0", "mmgames/Cleanup-v0"


def position(id, places, things=(), **options):
    """A game and a position of it: players at ((x, y), facing), apples and waste at (x, y)."""
    game = mmgames.load_game(id, players=len(places), **options)
    ground = GROUNDS[game.kernel.blank.map]
    lying, who = {y * ground.wide + x for x, y in things}, [k.NO_ONE] * len(ground.terrain)
    assert {ground.terrain[cell] for cell in lying} <= {SOIL, WATER}
    apples, waste = ([c in lying and here == kind for c, here in enumerate(ground.terrain)] for kind in (SOIL, WATER))
    at = [y * ground.wide + x for (x, y), _ in places]
    for seat, cell in enumerate(at):
        who[cell] = seat
    facing = [way for _, way in places]
    state = game.kernel.blank.replace(at=at, facing=facing, did=k.NOT_YET, apples=apples, waste=waste, who=who)
    return game, state


def after(game, state, *actions, seed=0):
    return game.play(state, dict(enumerate(actions)), np.random.default_rng(seed))


def at(game, state, seat):
    return state.at[seat] % state.wide, state.at[seat] // state.wide


def has(state, x, y):
    cell = y * state.wide + x
    return bool(state.apples[cell] or state.waste[cell])


def happened(game, state):
    return {event: count for event, count in game.events(state).items() if count}


def test_maps_are_as_the_pages_say_and_belong_to_their_game():
    sizes = {ground.name: (ground.wide, ground.high) for ground in GROUNDS}
    assert sizes == {"grove": (13, 9), "orchard": (36, 14), "brook": (11, 9), "river": (23, 16)}
    of = {ground.name: ground.terrain for ground in GROUNDS}
    assert (of["grove"].count(SOIL), of["orchard"].count(SOIL)) == (39, 157)
    assert [(of[name].count(WATER), of[name].count(SOIL)) for name in ("brook", "river")] == [(22, 21), (116, 109)]
    assert NAMES == ("grove", "orchard", "brook", "river")
    refused(lambda: mmgames.load_game(HARVEST, map="river"), "map='river' is not possible")
    refused(lambda: mmgames.load_game(HARVEST, view=4), "view=4 is not possible")
    assert UP == k.NORTH + 1


@pytest.mark.parametrize("which", range(len(GROUNDS)))
def test_what_is_near_is_within_two_steps(which):
    ground = GROUNDS[which]
    for cell, near in zip(SOILS[which].tolist(), NEAR[which].tolist(), strict=True):
        if ground.terrain[cell] != SOIL:
            continue
        x, y = cell % ground.wide, cell // ground.wide
        wanted = {
            other
            for other in range(len(ground.terrain))
            if 0 < abs(other % ground.wide - x) + abs(other // ground.wide - y) <= 2
        }
        assert set(near) - {cell} == wanted and len(near) == 12


def test_whoever_enters_a_cell_with_an_apple_eats_it_and_of_two_each_is_first_in_half_of_the_cases():
    game, state = position(HARVEST, [((1, 7), k.EAST), ((12, 0), k.WEST)], [(2, 7)], regrowth=0)
    state = after(game, state, RIGHT, STAY)
    assert at(game, state, 0) == (2, 7) and not has(state, 2, 7)
    assert happened(game, state) == {"red eats an apple": 1} and game.returns(state) == (1.0, 0.0)
    game, state = position(HARVEST, [((1, 7), k.EAST), ((2, 8), k.SOUTH)], [(2, 7)], regrowth=0)
    eaten = [happened(game, after(game, state, RIGHT, DOWN, seed=seed)) for seed in range(400)]
    assert all(sum(each.values()) == 1 for each in eaten)
    assert abs(sum("red eats an apple" in each for each in eaten) - 200) < 60


def test_one_may_enter_what_an_earlier_one_has_left_and_edges_and_players_stop_a_step():
    game, state = position(HARVEST, [((0, 0), k.EAST), ((1, 0), k.EAST)], regrowth=0)
    after_edge = after(game, state, LEFT, STAY)
    assert at(game, after_edge, 0) == (0, 0) and after_edge.facing[0] == k.WEST
    assert at(game, after(game, state, RIGHT, STAY), 0) == (0, 0)
    game, state = position(HARVEST, [((0, 0), k.EAST), ((1, 0), k.EAST)], regrowth=0)
    places = {
        tuple(at(game, after(game, state, RIGHT, RIGHT, seed=seed), seat) for seat in (0, 1)) for seed in range(40)
    }
    assert places == {((1, 0), (2, 0)), ((0, 0), (2, 0))}


@pytest.mark.parametrize(("near", "chance"), [(0, 0.0), (1, 0.005), (2, 0.02), (3, 0.05), (5, 0.05)])
def test_apples_grow_as_the_literature_has_it(near, chance):
    around = [(9, 6), (7, 6), (8, 7), (8, 5), (9, 7)][:near]
    game, state = position(HARVEST, [((0, 0), k.EAST), ((1, 0), k.EAST)], around)
    times = 4000
    grown = sum(has(after(game, state, STAY, STAY, seed=seed), 8, 6) for seed in range(times))
    assert abs(grown / times - chance) <= 4 * np.sqrt(chance * (1 - chance) / times)


def test_nothing_grows_under_a_player_or_from_what_grew_in_the_same_step():
    around = [(9, 6), (7, 6), (8, 7), (8, 5)]
    game, state = position(HARVEST, [((8, 6), k.EAST), ((1, 0), k.EAST)], around, regrowth=20)
    assert not any(has(after(game, state, STAY, STAY, seed=seed), 8, 6) for seed in range(50))
    # At (3, 7) and (2, 6) one is near; at (3, 5) nothing is, until something has grown.
    game, state = position(HARVEST, [((0, 0), k.EAST), ((1, 0), k.EAST)], [(2, 7)], regrowth=20)
    for seed in range(200):
        assert not has(after(game, state, STAY, STAY, seed=seed), 3, 5)


def test_a_fining_beam_fines_the_first_player_in_each_of_three_lines_and_is_seen_for_one_step():
    places = [((5, 4), k.EAST), ((6, 5), k.EAST), ((8, 4), k.EAST), ((7, 5), k.EAST), ((4, 4), k.EAST)]
    game, state = position(HARVEST, places, regrowth=0)
    state = after(game, state, FINE, STAY, STAY, STAY, STAY)
    assert happened(game, state) == {"red fires the fining beam": 1, "blue is fined": 1, "green is fined": 1}
    assert game.returns(state) == (-1.0, -50.0, -50.0, 0.0, 0.0)
    out_of_reach = position(HARVEST, [((5, 4), k.EAST), ((9, 4), k.EAST)], regrowth=0)
    assert happened(out_of_reach[0], after(*out_of_reach, FINE, STAY)) == {"red fires the fining beam": 1}
    game, state = position(HARVEST, [((5, 4), k.EAST), ((0, 0), k.EAST)], regrowth=0)
    lit = after(game, state, FINE, STAY)
    assert [sum(cells) for cells in lit.lit] == [9, 0]
    assert not np.any(after(game, lit, STAY, STAY).lit)


def test_a_cleaning_beam_cleans_the_first_waste_in_each_line_and_pays_nothing():
    waste = [(3, 7), (3, 8), (4, 8), (5, 7)]
    game, state = position(CLEANUP, [((4, 6), k.NORTH), ((0, 0), k.EAST)], waste, waste=0, regrowth=0)
    state = after(game, state, CLEAN, STAY)
    assert [has(state, x, y) for x, y in waste] == [False, True, False, False]
    assert happened(game, state) == {"red cleans a cell": 3} and game.returns(state) == (0.0, 0.0)
    game, state = position(CLEANUP, [((4, 5), k.NORTH), ((4, 6), k.EAST)], [(4, 7)], waste=0, regrowth=0)
    assert has(after(game, state, CLEAN, STAY), 4, 7)


@pytest.mark.parametrize(
    ("wasted", "chance"), [(0, 0.05), (4, 0.05 * (1 - 4 / 8.8)), (8, 0.05 * (1 - 8 / 8.8)), (9, 0)]
)
def test_apples_grow_the_rarer_the_more_waste_there_is(wasted, chance):
    game, state = position(CLEANUP, [((0, 0), k.EAST), ((1, 0), k.EAST)], [(x, 8) for x in range(wasted)])
    times = 400
    grown = fouled = 0
    for seed in range(times):
        then = after(game, state, STAY, STAY, seed=seed)
        grown += sum(then.apples)
        fouled += sum(then.waste) - wasted
    assert abs(grown / times / 21 - chance) <= 4 * np.sqrt(chance * (1 - chance) / times / 21)
    often = 0.25 if wasted < 9 else 0.0
    assert abs(fouled / times - often) <= 4 * np.sqrt(often * (1 - often) / times)


def test_half_of_the_water_is_foul_at_first_and_nothing_grows_while_nobody_cleans():
    state = mmgames.load_game(CLEANUP).start(np.random.default_rng(1))
    assert sum(state.waste) == 11 and not any(state.apples)
    assert {GROUNDS[state.map].terrain[cell] for cell in np.flatnonzero(state.waste)} == {WATER}
    assert play(CLEANUP, ["eater"] * 4, 20).sum() == 0


def test_a_player_sees_its_window_and_its_own_counts_alone():
    game, state = position(HARVEST, [((6, 4), k.EAST), ((9, 4), k.WEST), ((10, 4), k.WEST)], view=7)
    view = game.view(state.replace(apples=1, waste=1, lit=1), 0)
    window = {(x, y) for x in range(3, 10) for y in range(1, 8)}
    for seen in (view.state.apples, view.state.waste, *view.state.lit):
        assert {(cell % 13, cell // 13) for cell in np.flatnonzero(seen)} == window
    assert [seat for seat in view.state.who if seat != k.NO_ONE] == [0, 1]
    assert view.state.at[1:] == (state.at[1], k.HIDDEN) and view.state.facing[1:] == (k.WEST, k.HIDDEN)
    assert k.HIDDEN not in view.counts[0] and set(view.counts[1]) == {k.HIDDEN}
    whole, _ = position(HARVEST, [((6, 4), k.EAST), ((9, 4), k.WEST)], view=0)
    assert whole.spec.information == "perfect"


POLICIES = [(HARVEST, policy) for policy in (harvest_agents.greedy, harvest_agents.restrained)]
POLICIES += [(CLEANUP, policy) for policy in (cleanup_agents.eat, cleanup_agents.clean, cleanup_agents.take_turns)]


@pytest.mark.parametrize(("id", "policy"), POLICIES)
def test_heuristics_use_only_what_they_see(id, policy):
    game, rng = mmgames.load_game(id, view=5), np.random.default_rng(2)
    state = game.start(rng)
    while game.movers(state):
        bits = noise(rng)
        for seat in range(len(game.seats)):
            assert policy(state.record, seat, bits) == policy(game.imagine(state, seat, rng).record, seat, bits)
        state = game.play(
            state, {seat: int(policy(state.record, seat, noise(rng))) for seat in game.movers(state)}, rng
        )


def test_greed_ruins_all_and_cleaning_feeds_the_others():
    means = {
        greedy: play(HARVEST, ["greedy"] * greedy + ["restrained"] * (4 - greedy), 200).mean(axis=0)
        for greedy in (0, 1, 4)
    }
    assert means[1][0] > 1.2 * means[0].mean() and means[1][1:].mean() < 0.6 * means[0].mean()
    assert means[4].mean() < 0.7 * means[0].mean()
    turns, eaters = play(CLEANUP, ["turn_taker"] * 4, 200), play(CLEANUP, ["cleaner"] * 2 + ["eater"] * 2, 200)
    assert turns.mean() > 5 and eaters[:, :2].mean() < 1 and eaters[:, 2:].mean() > 15


@pytest.mark.parametrize(("id", "map"), [(HARVEST, "orchard"), (CLEANUP, "river")])
def test_the_sizes_of_the_literature_can_be_played(id, map):
    game = mmgames.load_game(id, map=map, players=5, horizon=1000, view=15, reach=5)
    assert game.spec.length == 1000 and game.kernel.board == (15, 15)
    returns = play(id, ["random"] * 5, 2, map=map, players=5, horizon=1000, view=15, reach=5)
    assert returns.shape == (2, 5) and (returns < 0).all()


def beam_of_the_open_code(at, facing, reach, wide, high, people, waste=()):
    """Cells lit, players hit and waste cleaned, as the code is described: three lines, the outer two beginning a step
    back and to the side, each going on until the edge, a player, or waste where it cleans."""
    (x, y), (dx, dy) = at, facing
    lit, hit, cleaned = set(), [], set()
    for sx, sy in ((x, y), (x + dy - dx, y - dx - dy), (x - dy - dx, y + dx - dy)):
        for far in range(1, reach + 1):
            cell = sx + far * dx, sy + far * dy
            if not (0 <= cell[0] < wide and 0 <= cell[1] < high):
                break
            lit.add(cell)
            if cell in waste and cell not in cleaned:
                cleaned.add(cell)
                break
            if cell in people:
                hit.append(cell)
                break
    return lit, hit, cleaned


WAYS = {k.EAST: (1, 0), k.WEST: (-1, 0), k.NORTH: (0, 1), k.SOUTH: (0, -1)}


@pytest.mark.parametrize("id", [HARVEST, CLEANUP])
def test_beams_of_the_open_code_begin_beside_the_player(id):
    game = mmgames.load_game(id, players=6, rules="ssd", regrowth=0, **({"waste": 0} if id == CLEANUP else {}))
    rng, hits = np.random.default_rng(0), 0
    for seed in range(300):
        before = game.start(np.random.default_rng(seed))
        action = int(rng.choice([FINE, CLEAN] if id == CLEANUP else [FINE]))
        state = game.play(before, {seat: action if seat == 0 else STAY for seat in range(6)}, rng)
        places = [(cell % state.wide, cell // state.wide) for cell in before.at]
        foul = {(c % state.wide, c // state.wide) for c, has_waste in enumerate(before.waste) if has_waste}
        lit, hit, cleaned = beam_of_the_open_code(
            places[0], WAYS[before.facing[0]], state.reach, state.wide, state.high, places[1:],
            foul if action == CLEAN else (),
        )  # fmt: skip
        assert {(c % state.wide, c // state.wide) for c, on in enumerate(state.lit[action - FINE]) if on} == lit
        fined = [seat for seat in range(6) if state.happened[k.FINED][seat]]
        assert fined == sorted(places.index(cell) for cell in hit) * (action == FINE)
        assert sum(state.happened[k.CLEANS]) == len(cleaned)
        hits += len(fined)
    assert hits > 30


def test_whoever_stands_beside_is_hit_in_the_open_code_and_safe_here():
    places = [((5, 4), k.EAST), ((5, 5), k.EAST), ((5, 3), k.EAST)]
    for rules, fined in (("paper", [0, 0, 0]), ("ssd", [0, 1, 1])):
        game, state = position(HARVEST, places, regrowth=0, rules=rules)
        assert list(after(game, state, FINE, STAY, STAY).happened[k.FINED]) == fined
        words = mmgames.core.registry.load(HARVEST).words.rules(game.view(state, 0))
        assert ("right beside the player" in words) == (rules == "ssd")


@pytest.mark.parametrize(("rules", "grows"), [("paper", True), ("ssd", False)])
def test_the_open_code_counts_the_cells_around_a_place(rules, grows):
    game, state = position(HARVEST, [((0, 0), k.EAST), ((1, 0), k.EAST)], [(9, 6), (9, 7)], regrowth=20, rules=rules)
    far = sum(has(after(game, state, STAY, STAY, seed=seed), 7, 6) for seed in range(60))  # (9, 6) is two steps away
    near = sum(has(after(game, state, STAY, STAY, seed=seed), 8, 6) for seed in range(60))
    assert (far > 0) == grows and near > 0


def test_the_open_code_tries_every_clean_cell_until_one_gets_waste():
    for rules, chance in (("paper", 0.05), ("ssd", 1 - 0.95**20)):
        game, state = position(
            CLEANUP, [((0, 0), k.EAST), ((1, 0), k.EAST)], [(3, 7), (4, 8)], waste=0.05, regrowth=0, rules=rules
        )
        more = [sum(after(game, state, STAY, STAY, seed=seed).waste) - 2 for seed in range(1500)]
        assert set(more) <= {0, 1}
        assert abs(np.mean(more) - chance) <= 4 * np.sqrt(chance * (1 - chance) / 1500)


def moves_of_the_open_code(at, wants, order):
    """Where players stand after a step, as the open code resolves what they want, if lots fall in this order.

    Cells that several want go first: the first of them is put there, unless who stands there stays or changes places
    with one of them. Others go as soon as their cell is free, stay if it will not be, and rings turn. Where that puts a
    player upon another one, who cannot leave, it goes back.
    """
    now, left = list(at), dict(enumerate(wants))
    for cell in sorted(set(wants)):
        rivals = [seat for seat in order if wants[seat] == cell]
        if len(rivals) < 2:
            continue
        holders = [seat for seat, here in enumerate(now) if here == cell]
        stays = any(left[holder] == now[holder] for holder in holders)
        if not stays and not any(left[holder] == now[rival] for holder in holders for rival in rivals):
            now[rivals[0]] = cell
        left |= {seat: now[seat] for seat in rivals}
    while left:
        before = len(left)
        for seat, cell in list(left.items()):
            holders = [other for other, here in enumerate(now) if here == cell]
            if seat not in left:
                continue
            if not holders:
                now[seat] = cell
                del left[seat]
            elif seat in holders or any(left.get(holder, now[holder]) == now[holder] for holder in holders):
                del left[seat]
            elif any(left[holder] == now[seat] for holder in holders):
                for holder in holders:
                    del left[holder]
                del left[seat]
        if len(left) == before:
            for seat, cell in left.items():
                now[seat] = cell
            break
    while crowded := [seat for seat, cell in enumerate(now) if now.count(cell) > 1 and cell != at[seat]]:
        for seat in crowded:
            now[seat] = at[seat]
    return now


def test_players_turn_and_step_as_in_the_open_code():
    game, rng = mmgames.load_game(HARVEST, players=5, rules="ssd", regrowth=0), np.random.default_rng(1)
    turns = {6: {k.NORTH: k.EAST, k.EAST: k.SOUTH, k.SOUTH: k.WEST, k.WEST: k.NORTH}}
    turns[7] = {to: way for way, to in turns[6].items()}
    assert game.num_actions == 8
    contested = blocked = 0
    for seed in range(1500):
        corner = [(x, y) for x in range(3) for y in range(3)]
        places = [(corner[i], int(rng.integers(4))) for i in rng.permutation(len(corner))[:5]]
        _, state = position(HARVEST, places, regrowth=0, rules="ssd")
        actions = rng.choice([*range(8), *(RIGHT, LEFT, UP, DOWN) * 3], size=5).tolist()
        wants, cells = [], [y * state.wide + x for (x, y), _ in places]
        for (x, y), way in places:
            ahead = WAYS[way]
            action = actions[len(wants)]
            right, up = {
                RIGHT: (ahead[1], -ahead[0]), LEFT: (-ahead[1], ahead[0]), UP: ahead, DOWN: (-ahead[0], -ahead[1]),
            }.get(action, (0, 0))  # fmt: skip
            inside = 0 <= x + right < state.wide and 0 <= y + up < state.high
            wants.append((y + up) * state.wide + x + right if inside else y * state.wide + x)
        moved = after(game, state, *actions, seed=seed)
        possible = {tuple(moves_of_the_open_code(cells, wants, order)) for order in itertools.permutations(range(5))}
        assert tuple(moved.at) in possible
        assert [moved.who[cell] for cell in moved.at] == [0, 1, 2, 3, 4]
        faces = [turns.get(action, {}).get(way, way) for action, (_, way) in zip(actions, places, strict=True)]
        assert list(moved.facing) == faces
        contested += len(possible) > 1
        blocked += tuple(wants) not in possible
    assert contested > 200 and blocked > 500


def test_lots_rings_and_apples_of_the_open_code():
    rivals = [((1, 1), k.EAST), ((3, 1), k.WEST), ((2, 2), k.SOUTH)]
    game, state = position(HARVEST, rivals, regrowth=0, rules="ssd")
    winners = [[at(game, after(game, state, UP, UP, UP, seed=seed), seat) for seat in range(3)] for seed in range(300)]
    counts = [sum(places[seat] == (2, 1) for places in winners) for seat in range(3)]
    assert sum(counts) == 300 and min(counts) > 70
    ring = [((1, 1), k.EAST), ((2, 1), k.NORTH), ((2, 2), k.WEST), ((1, 2), k.SOUTH)]
    game, state = position(HARVEST, ring, regrowth=0, rules="ssd")
    moved = after(game, state, UP, UP, UP, UP)
    assert [at(game, moved, seat) for seat in range(4)] == [(2, 1), (2, 2), (1, 2), (1, 1)]
    game, state = position(HARVEST, [((1, 7), k.WEST), ((12, 0), k.WEST)], [(2, 7)], regrowth=0, rules="ssd")
    moved = after(game, state, DOWN, STAY)  # backwards, and it still faces west
    assert happened(game, moved)["red eats an apple"] == 1 and moved.facing[0] == k.WEST


@pytest.mark.parametrize("id", [HARVEST, CLEANUP])
def test_heuristics_words_and_clicks_know_the_moves_of_the_open_code(id):
    loaded = mmgames.core.registry.load(id)
    game = loaded.game(rules="ssd")
    names = loaded.words.names(game.view(game.start(np.random.default_rng(0)), 0))
    assert list(names.values())[-2:] == ["<TURN_RIGHT>", "<TURN_LEFT>"] and len(names) == game.num_actions
    assert set(loaded.picture.regions(game.view(game.start(np.random.default_rng(0)), 0))) <= set(range(FINE))
    best, does = ("restrained", "eats") if id == HARVEST else ("cleaner", "cleans")
    played = [mmgames.match(id, agent, 1, 5, rules="ssd").episodes[0]["events"] for agent in (best, "random")]
    most, few = (sum(number for event, number in events.items() if does in event) for events in played)
    assert most > 60 > few
