"""Kitchens in 3D: the same world as in the drawn ones, posed where it says."""

import json
import math
from pathlib import Path

import gymnasium
import numpy as np
import pytest

import mmgames
from mmgames.embodied._scenes import scenes, traces
from mmgames.embodied._scenes.camera import HEIGHT, WIDTH, cameras
from mmgames.embodied._scenes.drawing_list import drawing_list
from mmgames.embodied._scenes.positions import locate
from mmgames.embodied._world import generator
from mmgames.embodied._world.names import base
from mmgames.embodied._world.task import KitchenTask
from mmgames.kernels.records import RecordState
from mmgames.running import matches
from tests.embodied3d.conftest import needs_sapien
from tests.embodied3d.test_renderer import python

SIZE = 192


def task_with(**wanted: str) -> KitchenTask:
    """The first task that has a thing or a robot of such a kind."""
    for seed in range(500):
        task = generator.generate(seed)
        if wanted.get("thing", "") in {"", *(base(asset.name) for asset in task.assets)}:
            types = {robot.type for robot in task.robots}
            if wanted.get("robot", "") in {"", *types} and len(task.robots) >= int(wanted.get("robots", "1")):
                return task
    raise AssertionError(wanted)


def changed(task: KitchenTask, thing: str, is_open: bool) -> RecordState:
    """The start of a task with a thing open or closed."""
    opened = list(task.world.start.opened)
    opened[[asset.name for asset in task.assets].index(thing)] = is_open
    return task.world.start.replace(opened=opened)


def test_a_step_changes_the_picture_and_all_seats_share_it(scene: str) -> None:
    env = mmgames.parallel_env(
        "mmgames/VikiKitchen-v0", scene=scene, size=SIZE, robots=4, observe=("rgb", "action_mask")
    )
    before, _ = env.reset(seed=1)
    assert before["R1"]["rgb"].shape == (SIZE, SIZE, 3)
    assert before["R1"]["rgb"] is before["R2"]["rgb"]
    moves = {name: int(np.flatnonzero(seen["action_mask"])[-1]) for name, seen in before.items()}
    after = env.step(moves)[0]
    assert (before["R1"]["rgb"] != after["R1"]["rgb"]).any()
    env.close()
    env.close()


@needs_sapien
def test_without_labels_through_eyes_and_half_known_a_kitchen_is_drawn_in_3d() -> None:
    task = task_with(thing="apple", robot="fetch")
    start, look = task.world.start, "maniskill"
    named, bare = (scenes.overview(look, task, start, SIZE, labels) for labels in (True, False))
    assert (named != bare).any()
    you = next(robot.name for robot in task.robots if robot.type == "fetch")
    seen = scenes.through_eyes(look, task, start, you, SIZE, labels=False)
    assert seen.shape == (round(SIZE * 9 / 16), SIZE, 3)
    scenes._rendered.cache_clear()
    apart = scenes.overview(look, task, start, SIZE, labels=False)
    assert np.array_equal(bare, apart), "a body that was hidden for its own camera is shown again"
    apple = [asset.name for asset in task.assets].index("apple")
    unknown = start.replace(stands=(-1, *start.stands[1:]), at=(*start.at[:apple], -1, *start.at[apple + 1 :]))
    assert (scenes.overview(look, task, unknown, SIZE, labels=False) != bare).any()


def test_two_environments_do_not_mix_and_the_oracle_traces_perfectly(scene: str) -> None:
    first, second = (
        gymnasium.make("mmgames/VikiKitchen-Plan-v0", scene=scene, size=SIZE, observe=("rgb",)) for _ in range(2)
    )
    shown = [env.reset(seed=seed)[0]["rgb"] for env, seed in ((first, 1), (second, 2))]
    again = [env.reset(seed=seed)[0]["rgb"] for env, seed in ((second, 1), (first, 2))]
    first.close()
    assert np.array_equal(shown[0], again[0]) and np.array_equal(shown[1], again[1])
    assert (shown[0] != shown[1]).any()
    *_, last = matches.play("mmgames/VikiChain-v0", "oracle", seed=3, scene=scene)
    assert last.game.returns(last.state) == pytest.approx((1.0,))


@needs_sapien
def test_robots_stand_where_the_world_says() -> None:
    task = task_with(robot="fetch", robots="3")

    def look(stage) -> None:
        placed = stage.pose(task.world.start)
        for robot in task.robots:
            pose = locate(task, task.world.start).robots[robot.name]
            body = stage.robots[robot.name]
            at = body.articulation.root_pose if hasattr(body, "articulation") else body.entity.pose
            assert np.allclose(at.p[:2], (pose.x, pose.y), atol=1e-5)
            ahead = at.to_transformation_matrix()[:2, 0]
            assert np.allclose(ahead, (math.cos(pose.turn), math.sin(pose.turn)), atol=1e-5)
            assert all(math.dist(hand[:2], (pose.x, pose.y)) < 1.3 for hand in placed.hands[robot.name])

    scenes.on_stage("maniskill", task, look)


@needs_sapien
@pytest.mark.parametrize("thing", ["cabinet", "drawer"])
def test_open_and_closed_look_different_without_their_labels(thing: str) -> None:
    task = task_with(thing=thing)
    name = next(asset.name for asset in task.assets if base(asset.name) == thing)

    def shot(stage, is_open: bool) -> tuple[np.ndarray, tuple[float, float]]:
        placed = stage.pose(changed(task, name, is_open))
        taken = stage.shoot(scenes.global_lens(stage.plan.room, SIZE))
        return taken.picture.astype(int), taken.pixel(placed.things[name])[:2]

    opened, (x, y) = scenes.on_stage("maniskill", task, lambda stage: shot(stage, True))
    closed, _ = scenes.on_stage("maniskill", task, lambda stage: shot(stage, False))
    differs = np.abs(opened - closed).sum(axis=2) > 30
    rows, columns = np.nonzero(differs)
    assert differs.sum() > SIZE / 4
    assert abs(columns.mean() - x) < SIZE / 6 and abs(rows.mean() - y) < SIZE / 6


@needs_sapien
def test_a_picture_on_its_backdrop_is_that_of_everything_drawn_at_once() -> None:
    task = task_with(robots="3", thing="cabinet")

    def look(stage) -> None:
        lens = scenes.global_lens(stage.plan.room, SIZE)
        stage.pose(changed(task, "cabinet", True))
        stage.shoot(lens)  # the backdrop is taken beside other things
        stage.pose(task.world.start)
        on_backdrop = stage.shoot(lens).picture.astype(int)
        before = stage.fixed_before(lens.eye)
        assert len(before) == len(stage.fixed) - 1, "one looks through the south wall"
        for entity in before:
            entity.components[0].visibility = 1.0
        at_once = stage.take(stage.aim(lens)).picture.astype(int)
        assert np.abs(on_backdrop - at_once).max(axis=2).mean() < 0.01
        stage.backdrops.clear()

    scenes.on_stage("maniskill", task, look)


@needs_sapien
def test_what_is_carried_is_in_the_hand() -> None:
    task = generator.generate(0, template="1-1")
    robot = next(number for number, one in enumerate(task.robots) if one.kind in ("humanoid", "wheeled"))
    thing = next(
        number for number, asset in enumerate(task.assets) if base(asset.name) in ("apple", "cup", "bread", "pear")
    )
    at = list(task.world.start.at)
    at[thing] = task.world.nodes[task.robots[robot].name]
    state = task.world.start.replace(at=at)

    def look(stage) -> None:
        placed = stage.pose(state)
        hand = placed.hands[task.robots[robot].name][0]
        assert math.dist(placed.things[task.assets[thing].name], hand) < 0.1

    scenes.on_stage("maniskill", task, look)


@needs_sapien
def test_the_camera_of_the_scene_is_the_one_that_was_chosen() -> None:
    """SAPIEN's own matrices project points as the pinhole camera of the drawn picture does."""
    task = task_with(robots="3")
    positions = locate(task, task.world.start)
    first, points = task.robots[0], [(one.x, one.y) for one in positions.robots.values()]
    camera = next(cameras(first.kind, positions.robots[first.name], points))

    def look(stage) -> None:
        shot = stage.shoot(camera.scaled(WIDTH))
        for one in positions.robots.values():
            x, y, ahead = shot.pixel((one.x, one.y, 0.8))
            if ahead > 0.5:
                assert np.allclose((x, y), camera.pixel((one.x, one.y, 0.8)), atol=0.05)

    scenes.on_stage("maniskill", task, look)


@needs_sapien
def test_paths_begin_at_the_robots_hands_and_end_at_what_they_go_for() -> None:
    seen, differ = 0, False
    for seed in range(60):
        task = generator.generate(seed)
        if len(task.team) < 2:
            continue
        first, second = (robot.name for robot in task.team[:2])
        found = traces.trace(task, generator.reference_plan(task), first, second, scene="maniskill")
        flat = traces.trace(task, generator.reference_plan(task), first, second)
        assert found.targets == flat.targets
        differ |= found.paths != flat.paths  # robots without models of their own are those of the drawing

        def look(stage, task=task, found=found) -> int:
            shown = drawing_list(task, task.world.start)
            placed = stage.arrange(traces.looking_ahead(task, shown, found.robots, found.sight.turns))
            shot = stage.shoot(found.sight.camera.scaled(WIDTH))
            inside = 0
            for robot, path, target in zip(found.robots, found.paths, found.targets, strict=True):
                x, y, ahead = shot.pixel(placed.hands[robot][0])
                if ahead > 0.3 and 0 < x < WIDTH - 1 and 0 < y < HEIGHT - 1:
                    assert math.dist((x, y), path[0]) < 0.01
                    inside += 1
                if target in placed.things:
                    tx, ty, ahead = shot.pixel(placed.things[target])
                    if ahead > 0.5 and 0 < tx < WIDTH - 1 and 30 < ty < HEIGHT - 1:
                        assert math.dist((tx, ty), path[-1]) < 0.06 * 0.62 * WIDTH / ahead + 1
            return inside

        seen += scenes.on_stage("maniskill", task, look)
        if seen >= 3 and differ:
            return
    raise AssertionError("no hand was in any picture")


@needs_sapien
def test_a_hand_in_the_picture_belongs_to_its_robot() -> None:
    """Taking the robot away changes the picture where its hand was projected to."""
    task = task_with(robot="fetch")
    name = next(robot.name for robot in task.robots if robot.type == "fetch")

    def look(stage) -> None:
        placed = stage.pose(task.world.start)
        lens = scenes.global_lens(stage.plan.room, 512)
        before = stage.shoot(lens)
        x, y, _ = before.pixel(placed.hands[name][0])
        pose = locate(task, task.world.start).robots[name]
        stage.stand(name, pose._replace(x=pose.x + 50))
        after = stage.shoot(lens)
        near = np.s_[int(y) - 6 : int(y) + 7, int(x) - 6 : int(x) + 7]
        assert (before.picture[near] != after.picture[near]).any()
        stage.pose(task.world.start)

    scenes.on_stage("maniskill", task, look)


POSES = """
import hashlib, json
from mmgames.embodied._scenes import scenes
from mmgames.embodied._scenes.drawing_list import drawing_list
from mmgames.embodied._world import generator
task = generator.generate(5)
def look(stage):
    placed = stage.pose(task.world.start)
    picture = scenes.draw(drawing_list(task, task.world.start), 128, stage.take_list)
    return json.dumps([placed.things, placed.hands, hashlib.sha256(picture.tobytes()).hexdigest()])
print(scenes.on_stage("maniskill", task, look))
"""


@needs_sapien
def test_two_processes_pose_and_draw_the_same() -> None:
    (things, hands, picture), (others, more, same) = (json.loads(python(POSES)) for _ in range(2))
    for name, point in things.items():
        assert np.allclose(point, others[name], atol=1e-6)
    for name, points in hands.items():
        assert np.allclose(points, more[name], atol=1e-6)
    assert picture == same


@needs_sapien
def test_missing_kitchens_of_robocasa_are_named(tmp_path: Path) -> None:
    code = """
import mmgames
try:
    mmgames.aec_env("mmgames/VikiKitchen-v0", scene="robocasa")
except mmgames.MmgamesError as error:
    print(error)
"""
    told = python(code, MS_ASSET_DIR=str(tmp_path))
    assert "RoboCasa's kitchens are not on disk" in told and str(tmp_path) in told and "download_asset" in told


@needs_sapien
def test_a_forked_process_is_told_to_start_afresh() -> None:
    code = """
import os, mmgames
from mmgames.embodied._scenes import scenes
scenes.check("maniskill", "here")
child = os.fork()
if child == 0:
    try:
        scenes.check("maniskill", "here")
    except mmgames.MmgamesError as error:
        print(error, flush=True)
    os._exit(0)
os.waitpid(child, 0)
"""
    assert 'context="spawn"' in python(code)


INERTIAL = """<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>"""
ROBOT = f"""<robot name="tiny">
<link name="body">{INERTIAL}<visual><geometry><box size="0.4 0.2 0.2"/></geometry></visual></link>
<link name="nose">{INERTIAL}</link>
<joint name="neck" type="revolute"><parent link="body"/><child link="nose"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
</robot>"""
DOG = """
import mmgames
from mmgames.embodied._scenes import scenes
from mmgames.embodied._world import generator
task = next(t for t in map(generator.generate, range(500)) if any(r.type == "unitree_go2" for r in t.robots))
def look(stage):
    name = next(robot.name for robot in task.robots if robot.type == "unitree_go2")
    hand, *_ = stage.pose(task.world.start).hands[name]
    return type(stage.robots[name]).__name__, round(hand[2], 3)
try:
    print(scenes.on_stage("maniskill", task, look))
except mmgames.MmgamesError as error:
    print(error)
"""


@needs_sapien
def test_a_robot_whose_files_are_on_disk_is_used_and_a_broken_one_is_named(tmp_path: Path) -> None:
    file = tmp_path / "data/robots/unitree_go2/urdf/go2_description.urdf"
    file.parent.mkdir(parents=True)
    file.write_text(ROBOT)
    assert "('RobotBody', 0.29)" in python(DOG, MS_ASSET_DIR=str(tmp_path))
    file.write_text(ROBOT.replace('<box size="0.4 0.2 0.2"/>', '<mesh filename="gone.stl"/>'))
    told = python(DOG, MS_ASSET_DIR=str(tmp_path))
    assert "go2_description.urdf cannot be loaded" in told
