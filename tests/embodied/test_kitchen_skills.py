"""Plans carried out in the whole kitchen without physics: skills of every verb, dogs too, and what a film shows."""

import importlib.util
import json

import numpy as np
import pytest

import mmgames
from mmgames.embodied import execute
from mmgames.embodied._execution import shapes
from mmgames.embodied._execution.bodies import BUILDS, DOWN, Body, facing
from mmgames.embodied._execution.kitchen import Kitchen
from mmgames.embodied._execution.skills import Worker
from mmgames.embodied._world import generator
from mmgames.embodied._world.names import VERBS
from mmgames.errors import MissingExtra
from tests.refusing import refused

TEMPLATES = ("3-1", "5-1", "7-1", "13-1", "13-2", "19-1", "20-1", "21-1", "22-1")


def test_shortest_plans_of_all_verbs_are_carried_out_and_things_lie_where_the_world_has_them():
    verbs = set()
    for template in TEMPLATES:
        task = generator.generate(1, template=template)
        report = execute(task, engine="kinematic")
        assert report.confirmed and report.ticks and dict(report.bodies).keys() >= set(task.active), str(report)
        verbs |= {action.action[0].lower() for action in report.actions}
    assert verbs >= {*VERBS} - {"close", "handover"}
    assert json.loads(json.dumps(report.to_dict()))["engine"] == "kinematic"
    assert execute(task, engine="kinematic") == report


def test_a_door_is_opened_and_closed_and_a_thing_handed_over():
    task = generator.generate(3, "test")  # a cabinet with something in it
    kitchen = Kitchen(task, set(task.active), "kinematic")
    (name,) = kitchen.cupboards
    worker = Worker(kitchen, task.active[0])
    for skill, is_open in ((worker.open, True), (worker.close, False)):
        for _ in skill(name):
            kitchen.tick()
        assert kitchen.cupboards[name].is_open == is_open
    task = generator.generate(0, template="2-1")
    giver, receiver = task.active
    thing = next(asset.name for asset in task.assets if kitchen.shapes.get(asset.name, shapes.shape(asset.name)).grips)
    plan = [{giver: ["Move", thing], receiver: ["Move", thing]}, {giver: ["Reach", thing]}, {giver: ["Grasp", thing]}]
    report = execute(task, [*plan, {giver: ["Handover", thing, receiver]}], engine="kinematic")
    assert all(action.done for action in report.actions) and len(report.actions) == 5


def test_what_hands_do_not_reach_or_hold_is_said(monkeypatch):
    task = generator.generate(8, "test")
    (thing,) = (asset.name for asset in task.assets)
    monkeypatch.setattr(shapes, "_grip_height", lambda tall: 3.0)
    report = execute(task, engine="kinematic")
    (failure,) = report.failures
    assert not report.confirmed and f"its arm does not reach {thing}" in failure.reason


@pytest.mark.parametrize("kind", [kind for kind, build in BUILDS.items() if build.hands])
def test_joints_bring_a_hand_where_it_should_be(kind):
    body = Body(kind, (1.0, 2.0, 0.9 if kind == "arm" else 0.0, 0.7))
    for hand in body.hands:
        wanted = facing(np.add(hand.pose[:3, 3], (0.05, 0.05, -0.1)), DOWN, body.across(), body.build.pointing)
        found = hand.angles_for(wanted)
        assert found is not None
        body.tell(found)
        assert np.linalg.norm(hand.pose[:3, 3] - wanted[:3, 3]) < 0.005
        pointing = {"x": 0, "z": 2}[body.build.pointing]
        assert hand.pose[2, pointing] < -0.999


def test_a_film_shows_what_is_carried_and_a_chain_is_carried_out_on_every_machine():
    task, frames = generator.generate(3, "test"), []
    assert execute(task, engine="kinematic", watch=frames.append, size=720).confirmed
    assert {frame.shape for frame in frames} == {(405, 720, 3)} and len(frames) > 40
    yellow = [((frame[..., 0] > 200) & (frame[..., 1] > 150) & (frame[..., 2] < 90)).sum() for frame in frames]
    assert np.mean(np.array(yellow[len(yellow) // 2 :]) > 40) > 0.7  # the banana, once it is out of the cabinet
    (record,) = mmgames.match("VikiChain", "oracle", episodes=1, seed=0, engine="kinematic").episodes
    assert record["events"]["kinematic right"] == 1 and record["returns"] == [pytest.approx(1.0)]


def test_who_lacks_physics_is_told_of_the_other_engine_and_wrong_names_are_refused(monkeypatch):
    refused(lambda: execute(8, engine="magic"), "Unknown engine 'magic'")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    refused(lambda: execute(8, split="test"), 'with engine="kinematic" it needs none', kind=MissingExtra)
