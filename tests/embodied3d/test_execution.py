"""Plans carried out in physics: what robots take, they hold; what fails is said."""

import json
import pickle

import numpy as np
import pytest

import mmgames
from mmgames.embodied import execute
from mmgames.embodied._execution import shapes
from mmgames.embodied._execution.pictures import EVERY
from mmgames.embodied._world import generator
from mmgames.errors import MmgamesError
from tests.embodied3d.conftest import needs_sapien


@needs_sapien
def test_fetch_carries_something_and_who_watches_or_has_set_a_world_changes_nothing() -> None:
    task = generator.generate(8, "test")
    report = execute(task)
    assert report.confirmed, str(report)
    assert dict(report.bodies).keys() == set(task.active)
    assert [action.action[0] for action in report.actions] == ["Move", "Reach", "Grasp", "Move", "Place"]
    assert "All 5 steps were carried out" in str(report)
    assert execute(8, split="test") == report == pickle.loads(pickle.dumps(report))
    assert json.loads(json.dumps(report.to_dict()))["confirmed"] is True
    pictures: list[np.ndarray] = []
    assert execute(8, split="test", watch=pictures.append, size=96) == report
    assert report.ticks // EVERY <= len(pictures) and {picture.shape[1:] for picture in pictures} == {(96, 3)}
    assert (pictures[0] != pictures[-1]).any()
    from sapien import physx

    physx.set_default_material(0.01, 0.01, 0.9)
    physx.set_shape_config(contact_offset=0.1, rest_offset=0.02)
    physx.set_scene_config(gravity=np.array([0, 0, -1], np.float32))
    assert execute(8, split="test") == report


@needs_sapien
def test_a_cabinet_is_opened_and_a_chain_has_its_plan_carried_out_as_its_fourth_part() -> None:
    task = generator.generate(3, "test")
    report = execute(task.to_dict())
    assert {"Open", "Grasp", "Place"} <= {action.action[0] for action in report.actions}
    assert report.confirmed, str(report)
    assert "in place of a humanoid" in dict(report.bodies)[task.active[0]]
    result = mmgames.match("VikiChain", "oracle", episodes=1, seed=0, engine="physics")
    (record,) = result.episodes
    assert record["events"]["physics right"] == 1 and record["returns"] == [pytest.approx(1.0)]


@needs_sapien
def test_what_cannot_be_lifted_or_is_forbidden_is_said_in_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    task = generator.generate(8, "test")
    plan = generator.reference_plan(task)
    report = execute(task, [plan[0], plan[2]])
    assert [action.done for action in report.actions] == [True, False]
    assert "is not in reach" in str(report)
    (thing,) = (asset.name for asset in task.assets)
    monkeypatch.setitem(shapes.ROUND, thing, (0.2, 0.1))
    report = execute(task)
    (failure,) = report.failures
    assert (failure.step, failure.action) == (3, ("Grasp", thing)) and f"{thing} slipped" in failure.reason
    assert not report.confirmed and not report.goals_hold and len(report.actions) == 3


def test_dogs_and_what_is_no_plan_are_refused_in_one_sentence() -> None:
    task = next(task for task in map(generator.generate, range(99)) if task.team[0].kind == "dog")
    report = execute(task)
    assert not report.actions and not report.confirmed
    assert str(report).startswith("Not carried out: ") and 'for a dog; engine="kinematic" has one.' in str(report)
    for plan in ["I would rather not.", [], [{"R9": ["Move", "table"]}], [{"R1": ["Move", "moon"]}]]:
        with pytest.raises(MmgamesError, match="This plan cannot be carried out: "):
            execute(8, plan, split="test")  # type: ignore[arg-type]
