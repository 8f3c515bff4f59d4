"""Our own renderer: what is nearer hides what is behind it, bodies have a back, and it is counted what is seen."""

import math
import platform

import numpy as np
import pytest

from mmgames.core import registry
from mmgames.core.extras import left_out_message
from mmgames.embodied._scenes import drawn, raster, scenes
from mmgames.embodied._scenes.camera import Camera
from mmgames.embodied._scenes.drawing_list import drawing_list
from mmgames.embodied._scenes.drawn import Piece, backdrop, count, cover
from mmgames.embodied._scenes.models import shape_of
from mmgames.embodied._scenes.raster import packed
from mmgames.embodied._scenes.solids import ball, block
from mmgames.embodied._world import generator
from mmgames.embodied._world.names import TYPES
from mmgames.errors import missing_extra

LENS = Camera((0.0, 0.0, 1.0), 0.0, 0.0, 100.0, 160, 90)
LOADED = registry.load("mmgames/VikiKitchen-v0")


def stone(name, at, size=0.4):
    return Piece(name, packed((block((size, size, size), (0, 0, 0), (200, 60, 60)),)), at)


def seen(*pieces, lens=LENS):
    return count(cover(pieces, lens), pieces)


def test_what_is_nearer_hides_what_is_behind_it_whichever_is_drawn_first():
    near, far = stone("near", (2.0, 0.0, 1.0)), stone("far", (4.0, 0.0, 1.0))
    assert seen(near, far) == seen(far, near) == {"near": seen(near)["near"], "far": 0}
    aside = stone("far", (4.0, 1.0, 1.0))
    assert seen(near, aside)["far"] == seen(aside)["far"] > 0


@pytest.mark.parametrize(("distance", "side"), [(2.0, 0.4), (3.0, 0.7), (5.0, 0.5)])
def test_a_block_covers_as_many_pixels_as_a_pinhole_camera_says(distance, side):
    across = LENS.focal * side / (distance - side / 2)
    assert seen(stone("block", (distance, 0.0, 1.0), side))["block"] == pytest.approx(across**2, rel=0.12)


def test_what_is_behind_the_camera_or_beside_the_picture_is_not_seen():
    assert seen(stone("back", (-2.0, 0.0, 1.0)))["back"] == 0
    assert seen(stone("left", (1.0, 6.0, 1.0)))["left"] == 0
    around = Piece("around", packed((block((12, 12, 0.1), (0, 0, 0), (9, 9, 9)),)), (0.0, 0.0, 0.0))
    assert seen(around)["around"] > 0, "a floor that reaches behind the camera is cut, not lost"


def test_a_ball_is_round_and_lit_from_above():
    pieces = [
        stone("floor", (50.0, 0.0, 1.0)),
        Piece("ball", packed((ball(0.5, (0, 0, 0), (180, 180, 180)),)), (2.0, 0.0, 1.0)),
    ]
    covered = cover(pieces, LENS)
    frame = np.zeros((LENS.height, LENS.width, 3), np.uint8)
    raster.colour_in(*covered[:2], raster.patterns(), covered.focal, np.ones((1, 1)), drawn.METRES, raster.GAMMA, frame)
    shape = (frame != raster.SKY).any(axis=2)
    rows, columns = np.nonzero(shape)
    assert abs(np.ptp(rows) - np.ptp(columns)) <= 2
    assert shape.sum() == pytest.approx(math.pi / 4 * np.ptp(rows) * np.ptp(columns), rel=0.06)
    assert frame[rows.min() + 4, 80].mean() > frame[rows.max() - 4, 80].mean() + 30


@pytest.mark.parametrize("look", range(len(TYPES)), ids=list(TYPES))
def test_every_robot_has_a_back_and_its_hand_is_at_its_body(look):
    shape = shape_of(look)
    pictures = []
    for turn in (math.pi, 0.0):  # from before it and from behind
        covered = cover([Piece(0, packed(shape.solids), (2.0, 0.0, 0.0), turn)], LENS)
        frame = np.zeros((LENS.height, LENS.width, 3), np.uint8)
        raster.colour_in(
            *covered[:2], raster.patterns(), covered.focal, np.ones((1, 1)), drawn.METRES, raster.GAMMA, frame
        )
        pictures.append(frame)
    assert (pictures[0] != pictures[1]).any(axis=2).sum() > 100
    points = packed(shape.solids).vertices[:, :3]
    for hand in shape.hands:
        assert np.linalg.norm(points - hand, axis=1).min() < 0.1


def test_a_robot_behind_furniture_is_hidden_and_its_name_is_not_printed():
    for seed in range(80):
        task = generator.generate(seed)
        shown = drawing_list(task, task.world.start)
        camera = LOADED.picture.shows(LOADED.game(view="ego").view(_state(task), 0))[1]
        shot = drawn.take(shown, camera.scaled(256), 0)
        hidden = [one for one in shown.robots if one.number and shot.seen[one.number] == 0]
        places = {one: shot.pixel((*one.pose[:2], 0.3)) for one in hidden}
        behind = [one for one, (x, _, ahead) in places.items() if ahead > 0.5 and 0 < x < 256]
        if behind:
            bare = shown._replace(robots=tuple(one for one in shown.robots if one not in behind))
            both = [scenes.draw_ego(each, camera, 0, 256, in_head=True).astype(int) for each in (shown, bare)]
            assert np.abs(both[0] - both[1]).max() < 90, "at most its shadow is seen, and no card with its name"
            return
    raise AssertionError("nobody was ever hidden")


def _state(task):
    from mmgames.embodied.viki_kitchen.rules import KitchenState

    return KitchenState(task, task.world.start)


def test_a_camera_outside_looks_through_the_wall_it_is_behind():
    task = generator.generate(2)
    plan = drawing_list(task, task.world.start).plan
    walls = [part for part, _ in backdrop(plan).parts if part.way]
    x, y = plan.room.middle
    assert len(walls) == 4 and not any(wall.hides_nothing_from((x, y, 1.5)) for wall in walls)
    assert sum(wall.hides_nothing_from((x, plan.room.y0 - 1, 1.5)) for wall in walls) == 1


def test_the_same_is_drawn_twice_and_what_changes_is_seen():
    task = generator.generate(3)
    shown = drawing_list(task, task.world.start)
    lens = Camera((*shown.plan.room.middle, 4.0), 1.0, -1.2, 90.0, 160, 90)
    first, again = (drawn.take(shown, lens).picture for _ in range(2))
    assert np.array_equal(first, again)
    fewer = drawn.take(shown._replace(robots=shown.robots[1:]), lens).picture
    assert (first != fewer).any()
    grey = drawn.take(shown._replace(unseen=frozenset(shown.plan.areas)), lens).picture
    assert (first != grey).any()


def test_what_is_carried_is_in_the_hand():
    task = generator.generate(0, template="1-1")
    robot = next(number for number, one in enumerate(task.robots) if one.kind in ("humanoid", "wheeled"))
    at = list(task.world.start.at)
    thing = next(number for number, asset in enumerate(task.assets) if asset.at in task.places)
    at[thing] = task.world.nodes[task.robots[robot].name]
    shown = drawing_list(task, task.world.start.replace(at=at))
    hand = drawn.hands_of(shown.plan, shown.robots[robot])[0]
    assert math.dist(drawn.place(shown)[task.assets[thing].name], hand) < 0.1


def test_nobody_is_sent_for_a_package_that_their_machine_cannot_have(monkeypatch: pytest.MonkeyPatch) -> None:
    for machine, told in (("aarch64", "SAPIEN has no wheel"), ("x86_64", "pip install 'mmgames[embodied]'")):
        monkeypatch.setattr(platform, "machine", lambda machine=machine: machine)
        monkeypatch.setattr(platform, "system", lambda: "Linux")
        sentences = (missing_extra("A game", ("embodied",)), left_out_message([("A game", ["embodied"])]))
        assert all(told in sentence for sentence in sentences)
        assert all(("pip install" in sentence) == (machine == "x86_64") for sentence in sentences)
    both = left_out_message([("A game", ["embodied"]), ("Chess", ["chess"])])
    assert "mmgames[embodied,chess]" in both
