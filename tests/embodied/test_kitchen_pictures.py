"""Pictures of the kitchen: every layout from above and from a robot, and paths on them."""

import math
from itertools import islice

import numpy as np
import pytest

from mmgames.embodied._scenes import ego, geometry, marks, positions, scenes, traces
from mmgames.embodied._scenes.silhouettes import ROBOT_COLOURS
from mmgames.embodied._world import facts, generator


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


def test_no_two_robots_stand_on_one_spot_and_nothing_lies_under_an_arm():
    for seed in range(225):
        task = generator.generate(seed, ("train", "ood", "rooms")[seed % 3])
        found = positions.locate(task, task.world.start)
        spots = [pose[:2] for pose in found.robots.values()]
        assert all(math.dist(one, other) > 0.35 for i, one in enumerate(spots) for other in spots[:i])
        arms = [found.robots[robot.name][:2] for robot in task.robots if robot.kind == "arm"]
        for thing in found.things.values():
            assert all(math.dist((thing.x, thing.y), arm) > 0.15 for arm in arms), (task.id, thing.name)


def test_everything_stands_inside_the_room():
    for seed in range(90):
        task = generator.generate(seed, ("train", "ood", "rooms")[seed % 3])
        found = positions.locate(task, task.world.start)
        room = found.scene.room
        for pose in found.robots.values():
            assert room.x0 <= pose.x <= room.x1
            assert room.y0 <= pose.y <= room.y1
        assert set(found.things) == {asset.name for asset in task.assets}
        assert geometry.scene(task) is geometry.scene(task)


def test_rooms_of_ours_differ_and_their_furniture_stands_apart():
    seen = set()
    for layout in facts.own_layouts():
        room, boxes = geometry.kitchen_box(layout), set(geometry.furniture(layout).values())
        assert len(boxes) == 4, "a worktop, an island or table, a rack and a cabinet"
        for box in boxes:
            assert room.x0 <= box.x0 < box.x1 <= room.x1 and room.y0 <= box.y0 < box.y1 <= room.y1
            assert not any(box.overlaps(other) for other in boxes - {box})
        seen.add((room, frozenset(boxes)))
    assert len(seen) == 6


def test_what_is_in_a_closed_cabinet_is_hidden_until_it_is_opened():
    task = generator.generate(0, template="10-1")
    food = task.goals[0].asset
    assert positions.locate(task, task.world.start).things[food].hidden
    opened = list(task.world.start.opened)
    opened[[asset.name for asset in task.assets].index("cabinet")] = 1
    assert not positions.locate(task, task.world.start.replace(opened=opened)).things[food].hidden


def two_robot_tasks(count):
    drawn = (generator.generate(seed, ("train", "ood", "rooms")[seed % 3]) for seed in range(500))
    return list(islice((task for task in drawn if len(task.team) >= 2), count))


@pytest.mark.parametrize("task", two_robot_tasks(9), ids=lambda task: task.id)
def test_traces_lie_in_the_picture_and_the_partner_is_seen(task):
    first, second = (robot.name for robot in task.team[:2])
    found = traces.trace(task, generator.reference_plan(task), first, second)
    assert len(found.paths) == 2
    for path in found.paths:
        assert len(path) == traces.POINTS
        assert all(0 < x < ego.WIDTH - 1 and 0 < y < ego.HEIGHT - 1 for x, y in path), "none was moved to the edge"
    partner = positions.locate(task, task.world.start).robots[second]
    assert found.camera.shows((partner.x, partner.y))
    picture = scenes.over_shoulder("drawn", task, task.world.start, first, found.look_at, 320)
    assert picture.shape == (180, 320, 3)
    assert np.array_equal(picture, scenes.over_shoulder("drawn", task, task.world.start, first, found.look_at, 320))


def test_what_a_robot_goes_for_has_a_ring_in_its_colour():
    task = generator.generate(0, template="1-1")
    name, type = task.team[0].name, task.team[0].type
    found = traces.trace(task, generator.reference_plan(task), name)
    plain = scenes.over_shoulder("drawn", task, task.world.start, name, found.look_at, 320)
    marked = plain.copy()
    marks.ring(marked, [(type, found.ends[0])])
    changed = np.argwhere((plain != marked).any(axis=2))
    assert (marked == ROBOT_COLOURS[type]).all(axis=2).sum() > (plain == ROBOT_COLOURS[type]).all(axis=2).sum()
    assert np.allclose(changed.mean(axis=0)[::-1] * 2, found.ends[0], atol=4), "it lies around the thing"
    corner = plain.copy()
    marks.ring(corner, [(type, (1.0, 1.0))])
    assert (corner != plain).any()


def test_routes_go_around_furniture():
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
