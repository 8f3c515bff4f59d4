"""Kitchens as they are seen: layouts, cameras, paths, shapes, pictures without labels, and what seats know of them."""

import math
from itertools import combinations, islice

import numpy as np
import pytest

from mmgames.core import registry
from mmgames.embodied._scenes import furniture, geometry, models, positions, scenes, shots, solids, traces
from mmgames.embodied._scenes.drawing_list import drawing_list
from mmgames.embodied._scenes.geometry import Box
from mmgames.embodied._scenes.icons import COLOURS, robot_icon, thing_icon
from mmgames.embodied._world import facts, generator, kernel, names
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


def test_cards_bear_the_names_that_answers_use_and_dots_count_robots_of_one_type():
    for seed in range(8):
        task = generator.generate(seed)
        shown = drawing_list(task, task.world.start)
        assert [(name, type) for _, name, type, _ in shown.crew] == [(one.name, one.type) for one in task.robots]
        assert all(thing.card.startswith(thing.name) and thing.name in task.world.nodes for thing in shown.things)
        assert set(shown.plan.areas) <= set(task.world.nodes)
    task = next(t for t in map(generator.generate, range(100)) if len({r.type for r in t.robots}) < len(t.robots))
    crew = drawing_list(task, task.world.start, labels=False).crew
    assert len({(look, dots) for look, _, _, dots in crew}) == len(crew)
    assert len({robot_icon(look, 40, dots).colours.tobytes() for look, _, _, dots in crew}) == len(crew)


def test_a_closed_door_shows_what_is_behind_it_and_shapes_are_told_apart():
    solid = [robot_icon(look, 56).through[..., 0] < 128 for look in range(len(TYPES))]
    for one, other in combinations(solid, 2):
        assert (one ^ other).sum() > 0.2 * (one | other).sum()
    foods = [thing_icon(name, 40) for name in ("apple", "pear", "peach", "tomato", "bottle", "wine")]
    for one, other in combinations(foods, 2):
        covered = (one.through < 128) | (other.through < 128)
        assert (np.abs(one.colours.astype(int) - other.colours)[covered[..., 0]].mean(axis=1) > 5000).mean() > 0.2
    task = generator.generate(0, template="10-1")
    food = task.goals[0].asset
    at = list(task.world.start.at)
    at[[asset.name for asset in task.assets].index(food)] = 0
    bare = task.world.start.replace(at=at)
    shown = drawing_list(task, task.world.start, labels=False)
    assert [sign.name for thing in shown.things for sign in thing.behind] == [food]
    assert not any(thing.behind for thing in drawing_list(task, bare, labels=False).things)
    assert all(thing.behind == () for thing in drawing_list(task, task.world.start).things), "labels say it"


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


def task_in(layout):
    split = "rooms" if layout > 9 else "ood" if layout in generator.OOD_LAYOUTS else "train"
    return next(task for seed in range(2000) for task in [generator.generate(seed, split)] if task.layout == layout)


@pytest.mark.parametrize("layout", range(1, 16))
def test_every_layout_is_drawn_from_above_and_shows_what_changes(layout):
    task = task_in(layout)
    for size in (64, 256, 512):
        assert scenes.overview("drawn", task, task.world.start, size).shape == (size, size, 3)
    moved = task.world.start.replace(stands=(0, *task.world.start.stands[1:]))  # the first robot at the first place
    assert (scenes.overview("drawn", task, task.world.start, 256) != scenes.overview("drawn", task, moved, 256)).any()


def test_everybody_stands_apart_inside_the_room_and_nothing_lies_under_an_arm():
    for seed in range(225):
        task = generator.generate(seed, ("train", "ood", "rooms")[seed % 3])
        found = positions.locate(task, task.world.start)
        spots = [pose[:2] for pose in found.robots.values()]
        assert all(math.dist(one, other) > 0.35 for i, one in enumerate(spots) for other in spots[:i])
        arms = [found.robots[robot.name][:2] for robot in task.robots if robot.kind == "arm"]
        for name, thing in found.things.items():
            assert all(math.dist((thing.x, thing.y), arm) > 0.15 for arm in arms), (task.id, name)
        room = found.scene.room
        for pose in found.robots.values():
            assert room.x0 <= pose.x <= room.x1
            assert room.y0 <= pose.y <= room.y1
        assert set(found.things) == {asset.name for asset in task.assets}
        assert geometry.scene(task) is geometry.scene(task)


def two_robot_tasks(count):
    drawn = (generator.generate(seed, ("train", "ood", "rooms")[seed % 3]) for seed in range(500))
    return list(islice((task for task in drawn if len(task.team) >= 2), count))


def test_rooms_of_ours_differ_and_routes_go_around_their_furniture():
    seen = set()
    for layout in facts.own_layouts():
        room, boxes = geometry.kitchen_box(layout), set(geometry.furniture(layout).values())
        assert len(boxes) == 4, "a worktop, an island or table, a rack and a cabinet"
        for box in boxes:
            assert room.x0 <= box.x0 < box.x1 <= room.x1 and room.y0 <= box.y0 < box.y1 <= room.y1
            assert not any(box.overlaps(other) for other in boxes - {box})
        seen.add((room, frozenset(boxes)))
    assert len(seen) == 6
    for task in two_robot_tasks(15):
        found = geometry.scene(task)
        walker = next(robot for robot in task.team if robot.kind != "arm")
        start = found.spots[walker.name][:2]
        for box in found.places.values():
            for x, y in traces.route(found, start, box.middle)[1:]:
                assert not any(
                    other.x0 < x < other.x1 and other.y0 < y < other.y1
                    for other in found.places.values()
                    if other.top > 0.1
                )


def test_what_is_in_a_closed_cabinet_is_hidden():
    task = generator.generate(0, template="10-1")
    food = task.goals[0].asset
    assert positions.locate(task, task.world.start).things[food].doors
    opened = list(task.world.start.opened)
    opened[[asset.name for asset in task.assets].index("cabinet")] = 1
    assert not positions.locate(task, task.world.start.replace(opened=opened)).things[food].doors


THINGS = (*names.FOODS, *names.TOOLS, *names.DISHES, *names.THINGS)


def open_edges(parts: list[shots.Part]) -> int:
    """How many edges only one face has, wherever points lie on one another."""
    points = np.concatenate([part.points for part in parts])
    starts = np.cumsum([0, *(len(part.points) for part in parts[:-1])])
    corners = np.concatenate([part.faces.astype(int) + start for part, start in zip(parts, starts, strict=True)])
    _, where = np.unique(np.round(points, 6), axis=0, return_inverse=True)
    faces = where.reshape(-1)[corners]
    faces = faces[[len(set(face)) == 3 for face in faces.tolist()]]
    edges = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    return int((np.unique(edges, axis=0, return_counts=True)[1] == 1).sum())


def a_pot() -> list[shots.Part]:
    """A closed drum with sharp edges, of two materials that meet halfway."""
    outline = [(r, 0.0) for r in np.linspace(0, 0.05, 9)] + [(0.05, z) for z in np.linspace(0, 0.08, 15)]
    outline += [(r, 0.08) for r in np.linspace(0.05, 0, 9)]
    points, faces, normals, _ = solids.mesh(solids.lathe(outline, (0, 0, 0), (9, 9, 9)))
    upper = points[faces][:, :, 2].mean(axis=1) > 0.04
    return [shots.Part(points, faces[part], normals) for part in (upper, ~upper)]


def test_solids_are_closed_and_thinned_meshes_have_no_cracks() -> None:
    for solid in [
        solids.slab((1, 2, 3), (4, 5, 6), (9, 9, 9), solids.tilt(0.5)),
        solids.ball(0.1, (0, 0, 1), (9, 9, 9), (1, 2, 0.5)),
        solids.rod((0, 0, 0), (1, 1, 0), 0.2, (9, 9, 9)),
    ]:
        points, faces, normals, marks = solids.mesh(solid, 0.5)
        assert open_edges([shots.Part(points, faces, normals)]) == 0 and len(marks) == len(points)
        one, two, three = points[faces].transpose(1, 0, 2)
        around = np.cross(two - one, three - one)
        assert ((around * (points[faces].mean(axis=1) - points.mean(axis=0))).sum(axis=1) > -1e-9).all()
        assert ((around * normals[faces].mean(axis=1)).sum(axis=1) > -1e-9).all()
    for cell in [0.004, 0.006, 0.013]:
        pot = a_pot()
        thinned = shots.thin(pot, cell)
        assert open_edges(pot) == open_edges(thinned) == 0
        assert sum(len(part.points) for part in thinned) < sum(len(part.points) for part in pot)
        assert open_edges(pot[:1]) > 0, "and cracks are seen where there are any"


def test_every_thing_has_a_shape_of_its_own_and_room_beside_others() -> None:
    unknown = models.model("whatsit")
    shapes = {name: models.model(name) for name in (*THINGS, "fridge", "oven", "toaster", "sink")}
    assert unknown not in shapes.values() and len(set(shapes.values())) == len(shapes)
    for name in THINGS:
        wide, tall = models.reach(name)
        assert max(2 * wide, tall) > 0.22, f"{name} is too small to be told in a picture of 512 pixels"
        assert wide < 0.4, f"{name} does not fit on a worktop"
    assert all(models.model(name, True) != shapes[name] for name in ("oven", "toaster", "sink", "fridge", "cup"))
    worktop = Box(0, -0.6, 2.0, 0, 0.92)
    knife, pear = (1.0, -0.17, 0.92), (1.0, -0.43, 0.92)
    assert furniture.free_spot(worktop, pear, 0.15, []) == pear
    x, y, z = furniture.free_spot(worktop, pear, 0.15, [(knife, 0.25)])
    assert (y, z) == pear[1:] and 0.2 < abs(x - 1.0) < 0.4
    full = [((at / 10, -0.3, 0.92), 0.5) for at in range(0, 20, 4)]
    assert furniture.free_spot(worktop, pear, 0.15, full) == pear


def test_robots_without_files_are_played_by_shapes_of_their_own(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("MS_ASSET_DIR", str(tmp_path))
    monkeypatch.setattr(models, "wheel_folder", lambda: tmp_path)
    found = {type: models.body_of(type) for type in TYPES if type not in models.IN_WHEEL}
    assert all(isinstance(body, models.Shape) for body in found.values())
    tall = {type: solids.extent(body.solids)[1] for type, body in found.items()}
    assert tall["unitree_h1"] > tall["stompy"] > tall["anymal_c"] > tall["unitree_go2"] + 0.2
    assert [len(found[type].hands) for type in found] == [2, 2, 1, 1]
