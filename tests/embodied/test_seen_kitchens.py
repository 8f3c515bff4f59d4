"""Kitchens that must be seen: pictures without labels, a camera for every seat, and seats that know what they saw."""

from itertools import combinations

import numpy as np
import pytest

from mmgames.core import registry
from mmgames.embodied._scenes.drawing_list import drawing_list
from mmgames.embodied._scenes.icons import robot_icon, thing_icon
from mmgames.embodied._scenes.silhouettes import COLOURS
from mmgames.embodied._world import generator, kernel
from mmgames.embodied._world.names import KINDS, MOVE, TYPES
from mmgames.embodied.viki_kitchen.rules import meaning
from mmgames.embodied.viki_kitchen.sight import LOST, NOT_SEEN, without_starts

LOADED = registry.load("mmgames/VikiKitchen-v0")


def strings(value):
    if isinstance(value, str):
        return {value}
    if isinstance(value, (tuple, list, frozenset)):
        return set().union(*map(strings, value))
    return strings(tuple(value.items())) if isinstance(value, dict) else set()


def started(seed, **options):
    game = LOADED.game(**options)
    return game, game.start(np.random.default_rng(seed))


@pytest.mark.parametrize("view", ["above", "ego"])
def test_without_labels_nothing_that_is_drawn_tells_a_robots_type(view):
    told = (*TYPES, *(name.removeprefix("unitree_") for name in TYPES), *KINDS)
    for seed in range(8):
        game, state = started(seed, labels=False, view=view)
        words = strings(LOADED.picture.shows(game.view(state, 0)))
        assert words, "things are drawn by their names"
        assert not [word for word in words for name in told if name in word]
        named = strings(LOADED.picture.shows(LOADED.game().view(state, 0)))
        assert {robot.type for robot in state.task.robots} <= named


def test_cards_bear_the_names_that_answers_use():
    for seed in range(8):
        task = generator.generate(seed)
        shown = drawing_list(task, task.world.start)
        assert [(name, type) for _, name, type, _ in shown.crew] == [(one.name, one.type) for one in task.robots]
        assert all(thing.card.startswith(thing.name) and thing.name in task.world.nodes for thing in shown.things)
        assert set(shown.plan.areas) <= set(task.world.nodes)


def test_robots_and_things_are_told_apart_by_their_shapes():
    solid = [robot_icon(look, 56).through[..., 0] < 128 for look in range(len(TYPES))]
    for one, other in combinations(solid, 2):
        assert (one ^ other).sum() > 0.2 * (one | other).sum()
    foods = [thing_icon(name, 40) for name in ("apple", "pear", "peach", "tomato", "bottle", "wine")]
    for one, other in combinations(foods, 2):
        covered = (one.through < 128) | (other.through < 128)
        assert (np.abs(one.colours.astype(int) - other.colours)[covered[..., 0]].mean(axis=1) > 5000).mean() > 0.2


def test_a_closed_door_without_labels_shows_what_is_behind_it():
    task = generator.generate(0, template="10-1")
    food = task.goals[0].asset
    at = list(task.world.start.at)
    at[[asset.name for asset in task.assets].index(food)] = 0
    bare = task.world.start.replace(at=at)
    shown = drawing_list(task, task.world.start, labels=False)
    assert [sign.name for thing in shown.things for sign in thing.behind] == [food]
    assert not any(thing.behind for thing in drawing_list(task, bare, labels=False).things)
    assert all(thing.behind == () for thing in drawing_list(task, task.world.start).things), "labels say it"


def test_dots_count_robots_of_one_type():
    task = next(t for t in map(generator.generate, range(100)) if len({r.type for r in t.robots}) < len(t.robots))
    crew = drawing_list(task, task.world.start, labels=False).crew
    assert len({(look, dots) for look, _, _, dots in crew}) == len(crew)
    assert len({robot_icon(look, 40, dots).colours.tobytes() for look, _, _, dots in crew}) == len(crew)


def test_every_seat_has_its_own_camera_without_itself_in_it():
    game, state = started(3, labels=False, view="ego")
    views = [game.view(state, seat) for seat in range(len(state.task.robots))]
    pictures = [LOADED.picture.draw(view, 160) for view in views]
    assert {picture.shape for picture in pictures} == {(90, 160, 3)}
    assert len({picture.tobytes() for picture in pictures}) == len(pictures) > 1
    for robot, view, picture in zip(state.task.robots, views, pictures, strict=True):
        look = list(TYPES).index(robot.type)
        if sum(other.type == robot.type for other in state.task.robots) == 1:
            assert not (picture == COLOURS[look]).all(axis=2).any()
        shown, camera = LOADED.picture.shows(view)
        assert shown.robots[view.seat].pose[:2] == pytest.approx(camera.eye[:2], abs=0.2)


def test_what_is_not_seen_is_told_by_nothing_and_what_is_reached_is_seen():
    words = LOADED.words
    game, state, seat, asset = next(
        (game, state, seat, asset)
        for game, state in (started(seed, information="partial") for seed in range(20))
        for seat, robot in enumerate(state.task.robots)
        for asset in state.task.assets
        if robot.kind != "arm" and asset.at in state.task.places
        if f"- {asset.name}: not seen yet" in words.describe(game.view(state, seat))
    )
    name, place = asset.name, asset.at
    assert f"Move {name}" not in words.names(game.view(state, seat)).values()
    assert f"{place} (not seen yet)" in words.describe(game.view(state, seat))
    go = next(a for a, said in words.names(game.view(state, seat)).items() if said == f"Move {place}")
    after = game.play(state, {seat: go}, np.random.default_rng(0))
    assert f"- {name}: at {place}" in words.describe(game.view(after, seat))
    assert f"Move {name}" in words.names(game.view(after, seat)).values()


def test_whoever_goes_to_what_has_gone_finds_its_old_place_empty():
    game, state = started(0, information="partial")
    task = state.task
    seat = next(i for i, robot in enumerate(task.robots) if robot.kind != "arm")
    thing = next(i for i, asset in enumerate(task.assets) if asset.at in task.places)
    old = (state.world.at[thing] + 1) % len(task.places)
    known = list(state.known)
    at = list(known[seat].world.at)
    at[thing] = old
    known[seat] = known[seat]._replace(world=known[seat].world.replace(at=at))
    state = state._replace(known=tuple(known))
    names = LOADED.words.names(game.view(state, seat))
    go = next(action for action, said in names.items() if said == f"Move {task.assets[thing].name}")
    after = game.play(state, {seat: go}, np.random.default_rng(0))
    assert after.world.stands[seat] == old
    assert after.known[seat].world.at[thing] in (LOST, after.world.at[thing])


def test_all_that_a_seat_holds_possible_is_possible():
    rng = np.random.default_rng(1)
    feasible = 0
    for seed in range(6):
        game, state = started(seed, information="partial")
        while game.movers(state):
            moves = {seat: game.legal(state, seat) for seat in range(len(state.task.robots))}
            for seat, actions in moves.items():
                for action in actions:
                    verb, first, second = meaning(state, game.room, seat, action)
                    kitchen = state.task.world.kitchen.record
                    assert kernel.feasible(state.world.record, kitchen, seat, verb, first, second) == 0
                    feasible += verb not in (0, MOVE)
            state = game.play(state, {s: a[int(rng.integers(len(a)))] for s, a in moves.items()}, rng)
    assert feasible > 50


def test_a_task_without_its_starts_has_the_same_numbers_and_no_way_back():
    for seed in range(30):
        task = generator.generate(seed, ("train", "ood")[seed % 2])
        known = without_starts(task)
        assert known is not None and known.world.names == task.world.names
        game, state = started(seed, information="partial")
        view = game.view(state, 0)
        assert view.state.task.id == "" and f"-{view.state.task.seed}_" not in state.task.id
        assert not {asset.at for asset in view.state.task.assets} - {*task.world.names, *state.task.world.names}
    known = state.known[0].world
    assert {node for node in (*known.stands, *known.at) if node < 0} <= {NOT_SEEN, LOST}
