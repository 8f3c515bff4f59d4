"""Truths about paths: from the hand that is drawn, to the first place within reach, with all of it in sight."""

import json
import math
from itertools import islice, pairwise

import numpy as np
import pytest

from mmgames.core import registry
from mmgames.embodied._questions.trace import Trace
from mmgames.embodied._scenes import drawn, geometry, positions, traces
from mmgames.embodied._scenes.camera import HEIGHT, WIDTH, Camera
from mmgames.embodied._scenes.drawing_list import drawing_list
from mmgames.embodied._scenes.geometry import BODY, CELL, route
from mmgames.embodied._scenes.icons import ROBOT_COLOURS
from mmgames.embodied._world import generator


def asked_about(count):
    """Tasks that the question about paths is asked about, from all kinds of splits."""
    drawn_tasks = (generator.generate(seed, ("train", "ood", "rooms")[seed % 3]) for seed in range(300))
    with_teams = (task for task in drawn_tasks if len(task.team) >= 2)
    return list(islice(((task, Trace.trace(task, "drawn")) for task in with_teams), count))


@pytest.fixture(scope="module")
def found():
    return [(task, trace) for task, trace in asked_about(16) if len(trace.robots) >= 2]


def test_most_kitchens_can_be_asked_about_and_what_is_asked_is_in_the_picture(found):
    asked = [trace for _, trace in found if trace.in_sight]
    assert len(asked) >= len(found) / 2
    for trace in asked:
        assert trace.seen >= traces.SEEN
        for path in trace.paths:
            assert len(path) == traces.POINTS
            assert all(0 < x < WIDTH - 1 and 0 < y < HEIGHT - 1 for x, y in path)


def test_points_are_equally_far_apart_on_the_picture():
    camera = Camera((0.0, 0.0, 1.5), 0.0, -0.3, 400.0)
    path = traces.project(camera, [(2.0, 1.0, 0.9), (6.0, -1.0, 0.9)])
    steps = [math.dist(one, other) for one, other in pairwise(path)]
    assert max(steps) == pytest.approx(min(steps), rel=1e-6) and path[0] == camera.pixel((2.0, 1.0, 0.9))


def test_paths_begin_at_the_hand_that_is_drawn(found):
    """Where a path begins, the picture changes when its robot is taken away; and a hand is there in space."""
    begun = 0
    for task, trace in found:
        if not trace.in_sight:
            continue
        plain = drawing_list(task, task.world.start)
        shown = traces.looking_ahead(task, plain, trace.robots, trace.sight.turns)
        lens = trace.sight.camera.scaled(WIDTH)
        picture = drawn.take(shown, lens).picture
        for name, path in zip(trace.robots, trace.paths, strict=True):
            number = [one.name for one in task.robots].index(name)
            hands = drawn.hands_of(shown.plan, shown.robots[number])
            assert math.dist(trace.sight.camera.pixel(hands[0]), path[0]) < 0.01
            without = drawn.take(shown, lens, number).picture
            x, y = map(round, path[0])
            near = np.s_[max(0, y - 8) : y + 9, max(0, x - 8) : x + 9]
            assert (picture[near] != without[near]).any(), (task.id, name)
            begun += 1
    assert begun >= 10


def test_routes_go_around_furniture_to_the_first_place_within_reach(found):
    for task, _ in found:
        scene = geometry.scene(task)
        walker = next(robot for robot in task.team if robot.kind != "arm")
        start = scene.spots[walker.name][:2]
        for box in scene.places.values():
            way = route(scene, start, box.middle, reach=traces.REACH)
            for x, y in way[1:]:
                assert not any(
                    other.x0 < x < other.x1 and other.y0 < y < other.y1
                    for other in scene.places.values()
                    if other.top > 0.1
                )
            nearest = math.dist(route(scene, start, box.middle)[-1], box.middle)
            assert math.dist(way[-1], box.middle) <= max(traces.REACH, nearest + CELL) + CELL
            length = sum(math.dist(one, other) for one, other in pairwise(way))
            straight = max(0.0, math.dist(start, box.middle) - max(traces.REACH, nearest + CELL))
            assert length >= straight - CELL - BODY


def test_whoever_is_within_reach_does_not_walk_first():
    task = generator.generate(2)
    scene = geometry.scene(task)
    box = scene.places["kitchen work area"]
    pose = positions.in_front(box, scene.room, 0, None)
    assert len(route(scene, (pose.x, pose.y), box.middle, reach=traces.REACH)) <= 2


def test_what_a_robot_goes_for_has_a_ring_in_its_colour():
    task, trace = next((task, trace) for task, trace in asked_about(8) if trace.in_sight)
    types = {robot.name: robot.type for robot in task.robots}
    marked = traces.picture(trace.sight, "drawn", task, 320)
    plain = traces.picture(trace.sight._replace(ends=((-99.0, -99.0),) * len(trace.robots)), "drawn", task, 320)
    for name in trace.robots:
        colour = ROBOT_COLOURS[types[name]]
        assert (marked == colour).all(axis=2).sum() > (plain == colour).all(axis=2).sum()
    corner = plain.copy()
    traces.ring(corner, [(types[trace.robots[0]], (1.0, 1.0))])
    assert (corner != plain).any()


def test_the_chain_asks_about_paths_in_the_pixels_of_its_own_page():
    loaded, rng = registry.load("VikiChain"), np.random.default_rng(5)
    game = loaded.game()
    state = game.start(rng)
    for _ in range(2):
        state = game.play(state, {0: loaded.words.read(game.view(state, 0), "[]")}, rng)
    view = game.view(state, 0)
    page = loaded.picture.draw(view, 512)
    assert page.shape == (512, 512, 3) and (page[288:] == page[-1, -1]).all() and (page[287] != page[-1]).any()
    assert "512 pixels wide and 288 high" in loaded.words.history(view)
    trace = Trace.trace(state.task, "drawn")
    exact = [[[x * 512 / WIDTH, y * 512 / WIDTH] for x, y in path] for path in trace.paths]
    after = game.play(state, {0: loaded.words.read(view, json.dumps(exact))}, rng)
    assert after.results[2].accuracy == pytest.approx(1.0, abs=1e-3)
    assert loaded.words.unseen(view, 512) == "" and "as they would be on one of 512" in loaded.words.unseen(view, 256)


def test_legends_without_labels_speak_of_what_their_picture_shows():
    from mmgames.embodied.viki_kitchen.words import picture_legend

    above, ego, shoulder = (picture_legend("drawn", False, view) for view in ("above", "ego", "shoulder"))
    assert "chequered" in above and "Below stand all robots" in above
    for side in (ego, shoulder):
        assert "chequered" not in side and "Below stand" not in side and "is dark" in side
    assert "camera in your head" in ego and "camera in your head" not in shoulder
    both = picture_legend("drawn", False, "above", "ego")
    assert both.count("Robots are told by their looks") == 1 and "chequered" in both and "is dark" in both
