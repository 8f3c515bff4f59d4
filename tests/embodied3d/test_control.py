"""Robots under control: real physics, real pictures, and values all the same."""

import copy
import hashlib
import json
import pickle
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import mmgames
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.embodied._control import telling
from mmgames.errors import MmgamesError, missing_extra
from mmgames.running import replays
from mmgames.running.episodes import EpisodePlayer, make_plan
from mmgames.testing import conformance
from tests.golden import test_golden

IDS = [spec.id for spec in mmgames.specs.values() if spec.family == "robot control"]
PICK, STACK, KITCHEN = (f"mmgames/{name}-v0" for name in ("TwoRobotPickCube", "TwoRobotStackCube", "ThreeRobotKitchen"))
WITHOUT = registry.why_missing(mmgames.specs[PICK])
real = pytest.mark.skipif(bool(WITHOUT), reason=WITHOUT)

TestControl = None if WITHOUT else conformance(*IDS)  # without physics they are in the kit of all games

REPLAY = """
import json, sys
from mmgames.running import replays
for live in replays.replay(json.load(sys.stdin)):
    scene = live.state.poses
print("matplotlib" in sys.modules, "numba" in sys.modules)
print(json.dumps([scene.things, scene.robots, scene.reached]))
"""
ELSEWHERE = """
import hashlib, pickle, sys
from importlib import import_module
room, view = pickle.load(sys.stdin.buffer)
picture = import_module(room).draw(view, 256)
print(hashlib.sha256(picture.tobytes()).hexdigest(), "torch" in sys.modules, "mani_skill" in sys.modules)
"""
AWAY = (0.0, 0.0, -60.0, 1.0, 0.0, 0.0, 0.0)  # a pose that no camera sees
SEEN = 60
"""So many pixels of everything that is to be reached are seen at the start, in a picture of 512."""

BARE = """
import sys
sys.modules["mani_skill"] = None
import mmgames
print(len(mmgames.specs))
try:
    mmgames.parallel_env("mmgames/TwoRobotPickCube-v0")
except mmgames.MissingExtra as error:
    print(error)
"""


def test_without_the_extra_the_games_are_listed_and_one_sentence_says_what_is_missing() -> None:
    done = subprocess.run([sys.executable, "-c", BARE], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    listed, sentence = done.stdout.splitlines()
    assert int(listed) == len(mmgames.specs)
    assert sentence == missing_extra(PICK, ("embodied",), {"engine": "kinematic"})


def episode(id: str, agent: str = "planner", seed: int = 0, most: int | None = None) -> dict[str, Any]:
    player = EpisodePlayer(make_plan(id, agent, 0, "fail", {}, most))
    record = player.record(seed)
    player.close()
    return record


@pytest.fixture(scope="module")
def solved() -> dict[str, Any]:
    """An episode in which both arms take the cube."""
    return episode(PICK)


@real
def test_the_planner_hands_the_cube_over(solved: dict[str, Any]) -> None:
    assert solved["events"] == {"success": 1} and solved["returns"] == [1.0, 1.0] and solved["length"] < 80
    reached, held = [], set()
    for live in replays.replay(solved):
        reached.append(live.totals[0])
        held.add(live.state.poses.facts[:2])
    assert reached == sorted(reached) and {(True, False), (False, True)} <= held
    assert live.game.sparse(live.state) == (1.0, 1.0) and live.movers == ()


@real
@pytest.mark.parametrize("id", [STACK, KITCHEN])
def test_the_planners_of_the_other_tasks_solve_one(id: str) -> None:
    record = episode(id)
    assert record["events"] == {"success": 1} and set(record["returns"]) == {1.0}


@real
def test_another_process_and_a_grasp_gone_back_into_lead_to_the_same_end(solved: dict[str, Any]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", REPLAY], input=json.dumps(solved), capture_output=True, text=True, check=True
    )
    for live in replays.replay(solved):
        scene = live.state.poses
    *_, imported, last = done.stdout.splitlines()
    assert imported == "False False", "what nobody needs is not imported"
    there = json.loads(last)
    ours = [scene.things, scene.robots, scene.reached]
    assert np.abs(flat(ours) - flat(there)).max() < 1e-6
    states = [live.state for live in replays.replay(solved)]
    grasp = next(number for number, state in enumerate(states) if state.poses.facts[0])
    game = mmgames.load_game(PICK)
    state = pickle.loads(pickle.dumps(states[grasp]))
    for later in states[grasp + 1 : grasp + 6]:
        state = game.play(state, {seat: np.array(move) for seat, move in later.history[-1]}, np.random.default_rng(0))
        assert state == later
    game.close()


def flat(nested: Any) -> np.ndarray:
    return np.array(
        [number for part in nested for number in flat(part)] if isinstance(nested, (list, tuple)) else [nested]
    )


@real
def test_two_environments_side_by_side_do_not_disturb_each_other() -> None:
    def story(env: Any, rng: np.random.Generator) -> Any:
        return env.step({role: env.action_space(role).low * rng.uniform(-1, 1) for role in env.agents})[0]

    alone, seen = mmgames.parallel_env(PICK, observe="features"), []
    alone.reset(seed=1)
    rng = np.random.default_rng(1)
    seen = [story(alone, rng) for _ in range(5)]
    one, other = (mmgames.parallel_env(PICK, observe="features") for _ in range(2))
    one.reset(seed=1)
    other.reset(seed=2)
    rng, rest = np.random.default_rng(1), np.random.default_rng(2)
    for before in seen:
        now = story(one, rng)
        story(other, rest)
        for role in one.possible_agents:
            assert np.array_equal(now[role]["features"], before[role]["features"])
    assert one.game._simulator is not other.game._simulator
    twin = copy.deepcopy(one)
    for env in (alone, one, other):
        env.close()
        env.close()
    assert one.game._simulator is None
    after = story(twin, copy.deepcopy(rng))
    again = story(one, rng)  # a closed environment that is played on opens an engine again
    assert np.array_equal(after["left"]["features"], again["left"]["features"])


def starts(id: str, seeds: range) -> Iterator[tuple[Any, Any]]:
    """The spectator's views of some starts, and the module that draws them."""
    loaded = registry.load(id)
    game, picture = loaded.game(), import_module(f"{loaded.spec.package}.picture")
    for seed in seeds:
        live = LiveGame(loaded, game)
        live.start(np.random.default_rng(seed))
        yield live.view(None), picture
    game.close()


def changed(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    return np.abs(one.astype(int) - other.astype(int)).max(axis=2) > 12


@real
@pytest.mark.parametrize("id", IDS)
def test_at_the_start_everything_to_be_reached_is_seen_and_every_robot_is_in_the_picture(id: str) -> None:
    for number, (view, picture) in enumerate(starts(id, range(6))):
        whole = picture.draw(view, 512)
        for place, thing in enumerate(view.scene.things):
            things = (*view.scene.things[:place], AWAY, *view.scene.things[place + 1 :])
            without = picture.draw(view._replace(scene=view.scene._replace(things=things)), 512)
            assert changed(whole, without).sum() >= SEEN, (number, place, thing)
        for place, robot in enumerate(view.scene.robots[: 3 if number == 0 else 0]):
            gone = robot._replace(base=AWAY)
            robots = (*view.scene.robots[:place], gone, *view.scene.robots[place + 1 :])
            body = changed(whole, picture.draw(view._replace(scene=view.scene._replace(robots=robots)), 512))
            assert body.sum() > 2000
            assert not any(edge.any() for edge in (body[0], body[-1], body[:, 0], body[:, -1])), robot


@real
@pytest.mark.parametrize("id", [PICK, STACK, KITCHEN])  # skills are drawn by the same lines
def test_robots_are_drawn_as_they_stand_in_the_physics(id: str) -> None:
    from mmgames.embodied._control.camera import studio

    hands = {"panda": "panda_hand_tcp", "fetch": "gripper_link", "unitree_g1_simplified_upper_body": "right_tcp_link"}
    ((view, picture),) = starts(id, range(1))
    picture.draw(view, 64)
    drawn = studio(picture.SETTING)
    for name, body, robot in zip(drawn.setting.robots, drawn._robots, view.scene.robots, strict=True):
        link = next(link for link in body.links if link.name == hands[name])
        assert np.abs(np.subtract(link.entity_pose.p, robot.hand[:3])).max() < 1e-3


@real
def test_another_process_draws_the_same_picture_without_physics() -> None:
    ((view, picture),) = starts(PICK, range(1))
    given = pickle.dumps((picture.__name__, view))
    done = subprocess.run([sys.executable, "-c", ELSEWHERE], input=given, capture_output=True, check=True)
    digest = hashlib.sha256(picture.draw(view, 256).tobytes()).hexdigest()
    assert done.stdout.decode().split() == [digest, "False", "False"]


@real
@pytest.mark.parametrize("id", IDS)
def test_beside_a_picture_places_are_told_on_request(id: str) -> None:
    for asked in (False, True):
        env = mmgames.parallel_env(id, observe=("rgb", "text"), size=64, coordinates=asked)
        seen, _ = env.reset(seed=0)
        for role in env.agents:
            now = seen[role]["text"].split("## Now")[1]
            view = env.game.view(env.state_value, env.possible_agents.index(role))
            assert all((telling.place(thing) in now) == asked for thing in view.scene.things), now
        env.close()
    alone = mmgames.parallel_env(id, observe="text")
    seen, _ = alone.reset(seed=0)
    assert "metres" in seen[alone.agents[0]]["text"] and "at (" in seen[alone.agents[0]]["text"].split("## Now")[1]
    alone.close()


def test_nothing_in_the_kitchen_is_in_the_way_of_the_gripper() -> None:
    from mmgames.embodied.three_robot_kitchen import layout

    (_, apple), (bowl, _) = layout.REGIONS["apple"], layout.REGIONS["bowl"]
    assert bowl[0] - apple[0] > 0.136 + 0.1, "half of the bowl and half of the gripper's palm, in metres"
    assert layout.REGIONS["bell"][0][1] - layout.REGIONS["apple"][1][1] > 0.35, "the humanoid's hand is by the bell"


def test_packages_that_are_left_for_later_are_there_when_they_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    from mmgames.embodied._scenes import renderer

    monkeypatch.setattr(renderer, "PACKAGES", {"wsgiref": (), "wsgiref.util": ("guess_scheme",)})
    for name in [name for name in sys.modules if name.partition(".")[0] == "wsgiref"]:
        monkeypatch.delitem(sys.modules, name)
    with renderer.left_for_later():
        import wsgiref.util as util
        from wsgiref.util import guess_scheme

        with pytest.raises(AttributeError, match="no attribute 'request_uri' yet"):
            _ = util.request_uri
    assert "wsgiref" not in sys.modules
    assert guess_scheme({"HTTPS": "on"}) == "https"
    assert util.request_uri is sys.modules["wsgiref.util"].request_uri


@real
def test_hands_move_as_they_are_told_and_actions_that_are_none_are_refused() -> None:
    env = mmgames.parallel_env(KITCHEN, observe="features", illegal="error")
    env.reset(seed=0)
    still = {role: np.zeros(env.action_space(role).shape, np.float32) for role in env.agents}
    for wrong, told in (
        (np.full(7, np.nan, np.float32), "that holds NaN."),
        (np.zeros(8, np.float32), "not an array of float32 with the shape (8,)."),
        (np.full(7, 1.5, np.float32), "number 1 of the action of arm is 1.5, out of its bounds -1 to 1."),
    ):
        with pytest.raises(MmgamesError) as caught:
            env.step({**still, "arm": wrong})
        assert str(caught.value).endswith(told)
    env.step(still)
    env.close()
    player = EpisodePlayer(make_plan(PICK, "planner", 0, "fail", {"control": "joints"}))
    assert "needs control='hand'" in player.record(0)["failed"]
    from mmgames.embodied._control.scene import matrix, turn_vector

    loaded = registry.load(PICK)
    live = LiveGame(loaded, loaded.game())
    for axis in range(6):
        live.start(np.random.default_rng(0))
        before = [robot.hand for robot in live.state.poses.robots]
        move = np.zeros(7, np.float32)
        move[axis] = 1
        for _ in range(2):
            live.play({0: move, 1: move})
        for was, robot in zip(before, live.state.poses.robots, strict=True):
            went = np.subtract(robot.hand[:3], was[:3])
            turned = turn_vector(matrix(robot.hand) @ matrix(was).T)
            along = went if axis < 3 else turned
            assert np.argmax(np.abs(along)) == axis % 3 and along[axis % 3] > 0.02


@real
@pytest.mark.parametrize("id", IDS)
def test_goldens(id: str) -> None:
    spec = mmgames.specs[id]
    test_golden.test_the_game_is_told_as_it_was(spec)
    test_golden.test_the_game_looks_as_it_did(spec)
