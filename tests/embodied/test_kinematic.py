"""Arms without physics: the same rules, skills and planners, on every machine."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import mmgames
from mmgames import cli
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.embodied._control import game, kinematic
from mmgames.embodied._control.scene import apart, matrix, turn_vector
from mmgames.embodied._control.table import DRAWN_BACK
from mmgames.embodied._scenes.solids import times, yaw
from mmgames.envs.played_rows import PlayedRows
from mmgames.errors import MissingExtra
from mmgames.play import gallery
from mmgames.testing.playing import begin
from tests.refusing import refused

RAW = "mmgames/TwoRobotPickCube-v0", "mmgames/TwoRobotStackCube-v0"
SKILLS = "mmgames/TwoRobotPickCubeSkills-v0", "mmgames/TwoRobotStackCubeSkills-v0"
KINEMATIC = {"engine": "kinematic"}
PHYSICS_STEPS = dict(zip((*RAW, *SKILLS), (54, 49, 60, 60), strict=True))
"""What the planners need in physics, on average."""
AWAY = (0.0, 0.0, -60.0, 1.0, 0.0, 0.0, 0.0)  # a pose that no camera sees
SEEN = 60
"""So many pixels of everything that is to be reached are seen at the start, in a picture of 512."""


@pytest.mark.parametrize("id", [*RAW, *SKILLS])
def test_planners_solve_what_they_solve_in_physics_in_about_as_many_steps(id: str) -> None:
    records = mmgames.match(id, "planner", episodes=12, seed=1, **KINEMATIC).episodes
    assert all(record["events"]["success"] and record["options"] == KINEMATIC for record in records)
    steps = np.mean([record["events"].get("steps of control", record["length"]) for record in records])
    assert 0.85 < steps / PHYSICS_STEPS[id] < 1.15


def live(id: str, seed: int = 0, **options: Any) -> LiveGame:
    return begin(registry.find(id), seed, **KINEMATIC, **options)


def test_an_arm_is_as_long_as_its_description_says() -> None:
    frames, arm = np.empty((8, 3, 4)), (np.eye(3, 4), kinematic.ORIGINS, kinematic.TURNS)
    kinematic.chain_frames(*arm, np.array(DRAWN_BACK[:7]), frames)
    assert np.allclose(frames[7, :, 3], (0.38, 0.0, 0.35), atol=0.01), "38 cm before the base, 35 cm above the table"
    assert np.allclose(frames[7, :, 2], (0, 0, -1), atol=0.01), "fingers down"
    kinematic.chain_frames(*arm, np.zeros(7), frames)  # stretched out but for the offset of the wrist
    assert np.allclose(frames[7, :, 3], (0.088, 0, 0.333 + 0.316 + 0.384 - 0.107 - 0.1034))


@pytest.mark.parametrize("axis", range(6))
def test_hands_go_and_turn_as_they_are_told(axis: int) -> None:
    made = live(RAW[0])
    before, move = [robot.hand for robot in made.state.poses.robots], np.zeros(7, np.float32)
    move[axis] = 1
    for _ in range(2):
        made.play({0: move, 1: move})
    for was, robot in zip(before, made.state.poses.robots, strict=True):
        way = np.subtract(robot.hand[:3], was[:3]), turn_vector(matrix(robot.hand) @ matrix(was).T)
        along, rest = way[axis // 3], way[1 - axis // 3]
        assert np.argmax(np.abs(along)) == axis % 3 and 0.05 < along[axis % 3] < 0.1, "about 0.4 of 0.1 in each step"
        assert np.abs(rest).max() < 0.02


def test_joints_stay_within_their_limits_hands_above_the_table_and_apart() -> None:
    for seed, control in enumerate(("hand", "joints")):
        made, rng = live(RAW[1], seed, control=control), np.random.default_rng(seed)
        low, high = kinematic.JOINTS[:, 4] - 1e-9, kinematic.JOINTS[:, 5] + 1e-9
        push = [made.sample(seat, rng) for seat in (0, 1)]
        while made.movers:
            if rng.random() < 0.1:
                push = [made.sample(seat, rng) for seat in (0, 1)]
            made.play({0: push[0], 1: push[1]})
            robots = made.state.poses.robots
            palms = [np.subtract(r.hand[:3], kinematic.PALM * matrix(r.hand)[:, 2]) for r in robots]
            assert np.linalg.norm(palms[0] - palms[1]) > kinematic.APART - 1e-9
            for robot in robots:
                assert (low <= robot.joints[:7]).all() and (robot.joints[:7] <= high).all()
                assert robot.hand[2] > 0.005
                assert 0 <= robot.joints[7] <= kinematic.OPEN


def tell(made: LiveGame, left: str, right: str = "wait") -> list[str]:
    """Why the skills of both arms have failed, if they have."""
    names = [skill.name for skill in made.game.skills]
    made.play({0: names.index(left), 1: names.index(right)})
    return [result.failed for result in made.state.poses.story[-1]]


def test_fingers_hold_what_is_between_them_and_what_is_let_go_falls_flat() -> None:
    made = live(SKILLS[0])
    assert tell(made, "take the cube") == ["", ""]
    cube, hand = made.state.poses.things[0], made.state.poses.robots[0].hand
    assert cube[2] > 0.08 and apart(cube, hand) < 0.02 and made.state.poses.facts[:2] == (True, False)
    assert math.isclose(made.state.poses.robots[0].joints[7], 0.02), "as wide as half a cube"
    assert tell(made, "open the hand") == ["", ""]
    fallen = made.state.poses.things[0]
    assert math.isclose(fallen[2], 0.02) and apart(fallen[:2], cube[:2]) < 0.01 and not any(made.state.poses.facts[:2])
    assert np.allclose(matrix(fallen)[:, 2], (0, 0, 1))
    assert tell(made, "take the cube") == ["", ""] and tell(made, "lay the cube in the middle") == ["", ""]
    came = tell(made, "take the cube", "take the cube")
    assert sum(made.state.poses.facts[:2]) <= 1 and any(came), "two hands do not get the same cube"


def test_a_cube_stands_on_another_until_that_is_taken_away() -> None:
    made = live(SKILLS[1], 3)
    tell(made, "take the blue cube", "take the green cube")
    tell(made, "go home", "lay the green cube on the target")
    assert tell(made, "set the blue cube on the green cube", "go home") == ["", ""] and made.movers == ()
    blue, green, _ = made.state.poses.things
    assert math.isclose(blue[2], 0.06) and math.isclose(green[2], 0.02)
    world = made.game.simulator_at(made.state)
    world.worlds["things"][0, 1, 0, 3] += 0.3
    fallen = world.step([np.array([0, 0, 0, 0, 0, 0, 1.0])] * 2).things[0]
    assert math.isclose(fallen[2], 0.02)
    world.worlds["things"][0, :2, :, 3] = (0.0, 0.3, 0.02), (0.03, 0.3, 0.09)
    fallen = world.step([np.array([0, 0, 0, 0, 0, 0, 1.0])] * 2).things[1]
    assert math.isclose(fallen[2], 0.02) and apart(fallen, (0.0, 0.3, 0.02)) > 0.045, "it slides off"


def test_closed_fingers_take_nothing() -> None:
    made = live(RAW[0])
    world = made.game.simulator_at(made.state)
    world.worlds["gaps"][0, 0] = 0.0
    world.worlds["things"][0, 0, :, 3] = world.worlds["hands"][0, 0, :, 3]
    shut, stay = np.array([0, 0, 0, 0, 0, 0, -1.0]), np.array([0, 0, 0, 0, 0, 0, 1.0])
    assert not any(world.step([shut, stay]).facts)


@pytest.mark.parametrize(("id", "control"), [(id, control) for id in RAW for control in ("hand", "joints")])
def test_rows_of_a_batch_are_the_episodes_of_the_game_bit_by_bit(id: str, control: str) -> None:
    options = {**KINEMATIC, "control": control}
    many, alone = (mmgames.vector_env(id, 3, threads=1, max_steps=70, **options) for _ in range(2))
    alone._rows = PlayedRows(id, options, 70, alone.arrays)
    assert np.array_equal(many.reset(seed=4)[0]["features"], alone.reset(seed=4)[0]["features"])
    for step in range(150):
        if step == 30:
            mask = np.array([True, False, True])
            many.reset(options={"reset_mask": mask}), alone.reset(options={"reset_mask": mask})
        actions = many.random_actions()
        for (mine, *flags, _), (other, *others, _) in ((many.step(actions), alone.step(actions)),):
            assert all(np.array_equal(mine[key], other[key]) for key in mine)
            assert all(map(np.array_equal, flags, others))


def starts() -> Iterator[tuple[Any, Any]]:
    for id in RAW:
        for seed in range(4):
            made = live(id, seed)
            yield made.view(None), made.loaded.picture


def test_at_the_start_everything_to_be_reached_is_seen_and_robots_are_in_the_picture() -> None:
    def changed(one: np.ndarray, other: np.ndarray) -> np.ndarray:
        return np.abs(one.astype(int) - other.astype(int)).max(axis=2) > 12

    for view, picture in starts():
        whole, scene = picture.draw(view, 512), view.scene
        for place in range(len(scene.things)):
            things = (*scene.things[:place], AWAY, *scene.things[place + 1 :])
            without = picture.draw(view._replace(scene=scene._replace(things=things)), 512)
            assert changed(whole, without).sum() >= SEEN
        for place, robot in enumerate(scene.robots):
            robots = (*scene.robots[:place], robot._replace(base=AWAY), *scene.robots[place + 1 :])
            body = changed(whole, picture.draw(view._replace(scene=scene._replace(robots=robots)), 512))
            assert body.sum() > 2000 and not any(edge.any() for edge in (body[0], body[-1], body[:, 0], body[:, -1]))


def test_a_picture_shows_the_hand_where_it_is_and_what_is_held_as_it_is_turned() -> None:
    made = live(RAW[0])
    view, picture = made.view(None), made.loaded.picture
    cube = view.scene.things[0]
    turned = (*cube[:3], *times(yaw(math.pi / 4), cube[3:]))  # type: ignore[arg-type]
    other = view._replace(scene=view.scene._replace(things=(turned, view.scene.things[1])))
    assert not np.array_equal(picture.draw(view, 256), picture.draw(other, 256))
    quarter = (*cube[:3], *times(yaw(math.pi / 2), cube[3:]))  # type: ignore[arg-type]
    same = view._replace(scene=view.scene._replace(things=(quarter, view.scene.things[1])))
    differ = picture.draw(view, 256).astype(int) - picture.draw(same, 256)
    assert np.abs(differ).max() < 12, "a cube looks the same from four sides"


def test_who_lacks_the_extra_is_told_of_the_engine_and_doors_that_play_all_games_say_which(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    find = game.importlib.util.find_spec
    monkeypatch.setattr(game.importlib.util, "find_spec", lambda name: None if name == "mani_skill" else find(name))
    refused(lambda: mmgames.parallel_env(RAW[0]), 'with engine="kinematic" it needs none', kind=MissingExtra)
    refused(lambda: mmgames.load_game(SKILLS[1], engine="physics"), 'with engine="kinematic"', kind=MissingExtra)
    assert cli.main(["demo", "TwoRobotPickCubeSkills", "--out", str(tmp_path)]) == 0
    said = 'TwoRobotPickCubeSkills: played with engine="kinematic", as an extra is not installed.'
    assert said in capsys.readouterr().err and said.replace('"', "&quot;") in (tmp_path / "index.html").read_text()
    offered = gallery.set_up(SKILLS[0], {})
    assert {one["name"]: one["value"] for one in offered["options"]}["engine"] == "kinematic"
    assert offered["summary"].endswith('here with engine="kinematic"')
    card = next(card for card in gallery.games() if card["id"] == SKILLS[0])
    assert card["why"] == "" and card["summary"] == offered["summary"]
