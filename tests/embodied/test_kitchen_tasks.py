"""Activate, Plan and Trace: what answers score, bad replies and paths, and scenes that a machine can or cannot show."""

import importlib.util
import json
import math
import platform
from pathlib import Path

import gymnasium
import numpy as np
import pytest

import mmgames
from mmgames.embodied._scenes import renderer, robocasa
from mmgames.embodied._world import generator
from mmgames.embodied._world.paths import distances, read_paths, worst
from mmgames.errors import MissingExtra, MmgamesError
from mmgames.testing.rules import option_values
from tests.refusing import refused

KINDS = ("Activate", "Plan", "Trace")


def make(kind, **options):
    return gymnasium.make(f"mmgames/VikiKitchen-{kind}-v0", **{"size": 160, **options})


@pytest.mark.parametrize("kind", KINDS)
def test_the_right_answer_scores_one_and_tags_are_a_tenth(kind):
    env = make(kind)
    for seed in range(3):
        env.reset(seed=seed)
        answer = env.unwrapped.question.answer
        assert env.step(f"<think>…</think><answer>{answer}</answer>")[1] == pytest.approx(1.0)
        env.reset(seed=seed)
        assert env.step(answer)[1] == pytest.approx(0.9)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("reply", ["", "no idea", "[", "{}", "null", "[" * 1000 + "]" * 1000, "[NaN]", '["R1"]', "7"])
def test_bad_replies_score_nothing_and_say_why(kind, reply):
    env = make(kind, observe="text")
    env.reset(seed=1)
    _, reward, ended, _, info = env.step(reply)
    assert reward == 0 and ended and (info.get("illegal") or info["feedback"])


@pytest.mark.parametrize(
    ("alias", "name"), [("VikiActivation", "Activate"), ("VikiPlan", "Plan"), ("VikiTrajectory", "Trace")]
)
def test_aliases_make_the_same_task(alias, name):
    one, other = gymnasium.make(f"mmgames/{alias}-v0", size=160), make(name)
    first, second = one.reset(seed=5)[0], other.reset(seed=5)[0]
    assert first["text"] == second["text"]
    assert np.array_equal(first["rgb"], second["rgb"])


@pytest.mark.parametrize("feedback", [True, False])
def test_a_failed_plan_can_be_tried_again(feedback):
    env = make("Plan", attempts=3, feedback=feedback, observe="text")
    first, _ = env.reset(seed=2)
    bad = '[{"step": 1, "actions": {"R1": ["Move", "nowhere"]}}]'
    second, reward, ended, _, info = env.step(bad)
    assert (reward, ended, info["attempt"]) == (0, False, 1)
    assert ("nowhere" in second["text"]) == feedback
    assert second["text"].startswith(first["text"])
    _, reward, ended, _, info = env.step(env.unwrapped.question.answer)
    assert (reward, ended, info["attempt"]) == (0.9, True, 2)
    refused(lambda: env.step(bad), "reset")


def test_points_scale_with_the_picture_and_without_labels_a_legend_is_told():
    env, large = make("Trace"), make("Trace", size=320)
    env.reset(seed=4)
    large.reset(seed=4)
    small_points = np.array(json.loads(env.unwrapped.question.answer))
    assert np.allclose(small_points * 2, json.loads(large.unwrapped.question.answer), atol=0.11)
    for kind in KINDS:
        named, bare = make(kind), make(kind, labels=False)
        one, other = named.reset(seed=2)[0], bare.reset(seed=2)[0]
        assert named.unwrapped.question.answer == bare.unwrapped.question.answer
        assert (one["rgb"] != other["rgb"]).any()
        assert "told by their looks" in other["text"] and "told by their looks" not in one["text"]


def test_distances_of_known_paths_use_the_published_normalisers():
    line = [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0)]
    above = [(x, 3) for x, _ in line]
    found = distances(line, above)
    assert found[:3] == (3, 3, 3)
    assert found.coordinates == pytest.approx(3 / math.sqrt(2))
    back = distances(line, line[::-1])
    assert back.hausdorff == 0
    assert back.frechet == 4
    assert back.rmse == pytest.approx(math.sqrt((16 + 4 + 0 + 4 + 16) / 5))
    assert distances(line, line) == (0, 0, 0, 0)
    assert distances(line, line).accuracy == 1
    assert worst().accuracy == 0
    start = [(0.0, 0.0)] * 5
    found = distances(start, [(180.0, 0.0)] * 5)
    expected = ((1 - 180 / math.sqrt(2) / 360) + (1 - 180 / 360) + (1 - 180 / 400)) / 3
    assert found.accuracy == pytest.approx(expected)


GOOD = [[[1, 1]] * 5, [[2, 2]] * 5]


@pytest.mark.parametrize(
    "value",
    [
        None, 7, [], [GOOD[0]], [*GOOD, GOOD[0]], [GOOD[0][:4], GOOD[1]], [[["1", 1]] * 5, GOOD[1]],
        [[[math.nan, 1]] * 5, GOOD[1]], [[[math.inf, 1]] * 5, GOOD[1]], [[[True, 1]] * 5, GOOD[1]],
        [[[1, 1, 1]] * 5, GOOD[1]], [[[641, 1]] * 5, GOOD[1]], [[[-1, 1]] * 5, GOOD[1]], [GOOD[0], "path"],
    ],
)  # fmt: skip
def test_bad_paths_get_feedback(value):
    found = read_paths(value, 5, 640, 360)
    assert found.error in ("invalid_command", "not_feasible")
    assert str(found)


def test_wrong_options_and_views_are_said():
    for options in ({"split": "all"}, {"template": "99-9"}, {"attempts": 0}, {"rules": "none"}):
        refused(lambda options=options: make("Plan", **options))
    refused(lambda: make("Trace", template="1-1"), "one robot")
    refused(lambda: make("Plan", template="14-1", rules="released"), "one of ours")
    for options in [{"views": "below"}, {"views": ()}, {"views": "ego,ego"}, {"labels": "no"}]:
        refused(lambda options=options: make("Plan", **options))
        refused(lambda: make("Trace", views="above"), "ego")


def replied(env, reply, seed=0):
    env.reset(seed=seed)
    return env.step(reply)


def test_released_rules_draw_and_ask_only_what_their_scorer_can_follow():
    for rules, count in (("paper", 3), ("released", 2)):
        env = make("Trace", template="13-2", rules=rules)
        env.reset(seed=0)
        answer = env.unwrapped.question.answer
        assert len(json.loads(answer)) == count
        assert env.step(f"<think></think><answer>{answer}</answer>")[1] == pytest.approx(1.0)
    env = make("Plan", rules="released", observe="text")
    for seed in range(25):
        env.reset(seed=seed)
        question, task = env.unwrapped.question, env.unwrapped.source.task
        assert generator.templates()[task.template].released
        assert env.step(f"<think></think><answer>{question.answer}</answer>")[1] == pytest.approx(1.0)


def test_released_rules_read_python_in_the_first_answer_and_no_step_numbers():
    env = make("Plan", rules="released", template="1-1", observe="text")
    env.reset(seed=0)
    steps = json.loads(env.unwrapped.question.answer)
    said = str([{"step": 7, "actions": step["actions"]} for step in steps])
    for reply, score in (
        (f"<think>.</think> so <answer>{said}</answer> <answer>[]</answer>", 1.0),
        (f"<answer>{said}</answer>", 0.9),
        (f"<think>.</think><answer>[]</answer><answer>{said}</answer>", 0.1),
        ("<think>.</think><answer>{'step': 1}</answer>", 0.1),
        (f"<think>.</think><answer>{said.replace('{', '{{').replace('}', '}}')}</answer>", 0.1),
        (f"<think>.</think><answer>```json {said}```</answer>", 0.0),
        (f"<think>.</think><answer>{said[:-1]}, 'wait', {{'step': 9}}]</answer>", 1.0),
        (said, 0.0),
    ):
        assert replied(env, reply)[1] == pytest.approx(score), reply
    assert replied(make("Plan", template="1-1", observe="text"), f"<answer>{said}</answer>")[1] == 0


def test_released_rules_read_and_score_as_the_public_code_does():
    env = make("Activate", rules="released", observe="text")
    env.reset(seed=0)
    types = json.loads(env.unwrapped.question.answer)
    for answer, score in (
        (str(types * 2), 1.0),
        ("['a robot']", 0.1),
        ("[fetch", 0.0),
        ("[[1], 2]", 0.1),
        (json.dumps(types), 1.0),
    ):
        assert replied(env, f"<think>.</think><answer>{answer}</answer>")[1] == pytest.approx(score), answer
    env = make("Trace", rules="released", size=640)
    env.reset(seed=4)
    truth = np.array(json.loads(env.unwrapped.question.answer))
    far = (truth + np.array([700, 0])).tolist()
    outside = replied(env, f"<think>.</think><answer>{far}</answer>", 4)[4]
    assert outside["rmse"] == pytest.approx(700) and outside["formatted"] and "illegal" not in outside
    loose = replied(env, f"<answer>{' '.join(map(str, truth.flatten().tolist()))}</answer>", 4)
    assert loose[1] == 0 and loose[4]["frechet"] == pytest.approx(0) and loose[4]["illegal_kind"]
    nothing = replied(env, "no idea", 4)
    assert nothing[1] == 0 and [nothing[4][key] for key in ("rmse", "hausdorff", "frechet")] == [0, 0, 0]
    assert replied(make("Trace", size=640), "no idea", 4)[4].get("rmse") is None
    for rules, right, extra in (("paper", 1.0, 0), ("released", 1.0, 0), ("optimal", 0.0, 1)):
        env = make("Plan", template="7-1", rules=rules, observe="text")
        env.reset(seed=0)
        facts = env.unwrapped.question.facts
        assert (facts["optimum"], facts["reference_length"]) == (10, 11)
        info = env.step(f"<think></think><answer>{long_plan(env)}</answer>")[4]
        assert (info["accuracy"], info["valid"], info["extra_steps"]) == (right, True, extra)


def long_plan(env):
    """A right plan with one step too many for the shortest, as JSON."""
    steps = json.loads(env.unwrapped.question.answer)
    robot = next(iter(steps[0]["actions"]))
    twice = [steps[0]["actions"], *(step["actions"] for step in steps)]
    return json.dumps(
        [{"step": n, "actions": {robot: actions[robot]} if n == 1 else actions} for n, actions in enumerate(twice, 1)]
    )


@pytest.mark.parametrize("rules", ["paper", "released"])
def test_the_challenges_form_names_the_robots_by_their_types(rules):
    env = make("Plan", form="challenge", rules=rules, template="2-1", observe="text")
    env.reset(seed=0)
    answer = json.loads(env.unwrapped.question.answer)
    types = {robot.name: robot.type.upper() for robot in env.unwrapped.source.task.team}
    for step in answer["action_plan"]:
        step["actions"] = {types[name]: action for name, action in step["actions"].items()}
    answer["selected_robots"] = list(types.values())
    *_, info = replied(env, f"<think>.</think><answer>{json.dumps(answer)}</answer>")
    assert info["accuracy"] == 1 and info["robots_right"] and info["formatted"]
    answer["selected_robots"] = ["panda"]
    *_, info = replied(env, f"<think>.</think><answer>{json.dumps(answer)}</answer>")
    assert info["accuracy"] == 1 and not info["robots_right"] and info["formatted"] == (rules == "paper")
    plain = json.dumps(answer["action_plan"])
    for bad in ("[]", "{}", "7", '{"action_plan": 3}', "{", plain):
        _, _, ended, _, info = replied(env, f"<think>.</think><answer>{bad}</answer>")
        assert ended and info["accuracy"] == 0


def test_several_views_are_several_pictures_and_the_text_says_which_is_which():
    for kind in ("Activate", "Plan"):
        env = make(kind, views=("above", "ego"))
        observation, _ = env.reset(seed=0)
        robots = env.unwrapped.source.task.robots
        assert observation["rgb"].shape == (1 + len(robots), 160, 160, 3) and observation in env.observation_space
        for number, robot in enumerate(robots, 2):
            assert f"Picture {number} shows what the camera of {robot.name} sees." in observation["text"]
        parts = mmgames.chat_messages(observation)[-1]["content"]
        assert sum(part["type"] == "image_url" for part in parts) == 1 + len(robots)
    traced, plain = make("Trace", views="above,ego"), make("Trace")
    seen, alone = traced.reset(seed=4)[0], plain.reset(seed=4)[0]
    assert seen["rgb"].shape == (2, 160, 160, 3) and "picture 2 in its upper part" in seen["text"]
    assert np.array_equal(seen["rgb"][1, :90], alone["rgb"])
    assert traced.unwrapped.question.answer == plain.unwrapped.question.answer


CARD = renderer.Device("A Card", renderer.NVIDIA, 2)
OTHER = renderer.Device("Another Card", 0x1002, 2)


@pytest.fixture
def nothing(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A machine with a Vulkan loader and nothing else."""
    for variable in renderer.DRIVER_VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(renderer, "has_loader", lambda: True)
    monkeypatch.setattr(renderer, "has_cuda", lambda: False)
    monkeypatch.setattr(renderer, "installed_drivers", list)
    monkeypatch.setattr(renderer, "devices", lambda drivers: ())
    monkeypatch.setattr(renderer, "SWIFTSHADER", ())
    return monkeypatch


def test_the_best_device_is_chosen_and_without_a_loader_nothing_is_drawn(
    nothing: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert renderer.find().kind == "none" and "apt install" in renderer.find().sentence
    lavapipe = tmp_path / "lvp_icd.x86_64.json"
    nothing.setattr(renderer, "installed_drivers", lambda: [lavapipe])
    assert renderer.find().kind == "software" and renderer.find().driver == str(lavapipe)
    browser = tmp_path / "vk_swiftshader_icd.json"
    browser.touch()
    nothing.setattr(renderer, "SWIFTSHADER", (str(browser),))
    assert renderer.find().driver == str(browser) and "SwiftShader" in renderer.find().sentence
    nothing.setattr(renderer, "has_cuda", lambda: True)
    assert renderer.find().kind == "software" and "no Vulkan driver for it" in renderer.find().sentence
    nothing.setattr(renderer, "devices", lambda drivers: (OTHER,))
    assert renderer.find().kind == "vulkan" and "Another Card" in renderer.find().sentence
    nothing.setattr(renderer, "devices", lambda drivers: (OTHER, CARD))
    assert renderer.find().kind == "cuda" and "A Card" in renderer.find().sentence
    nothing.setattr(renderer, "has_loader", lambda: False)
    assert renderer.find().kind == "none" and "libvulkan" in renderer.find().sentence


def test_a_missing_package_is_named_and_the_kit_leaves_out_what_needs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    with pytest.raises(MissingExtra, match=r"mmgames\[embodied\]"):
        mmgames.aec_env("mmgames/VikiKitchen-v0", scene="maniskill")
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    with pytest.raises(MissingExtra, match="no wheel for Linux on aarch64"):
        mmgames.aec_env("mmgames/VikiChain-v0", scene="maniskill")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    settings = option_values(mmgames.specs["mmgames/VikiKitchen-v0"])
    assert {"scene": "drawn"} in settings
    assert {"scene": "maniskill"} not in settings and {"scene": "robocasa"} not in settings


def test_an_unknown_scene_and_rooms_that_robocasa_has_not_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    refused(lambda: mmgames.aec_env("mmgames/VikiKitchen-v0", scene="manniskill"), "maniskill")
    with pytest.raises(MmgamesError, match=r"Unknown scene 'holodeck'.*drawn, maniskill, robocasa"):
        gymnasium.make("mmgames/VikiKitchen-Trace-v0", scene="holodeck")
    monkeypatch.setattr(robocasa, "check", lambda: None)
    stage = object.__new__(robocasa.RoboCasaStage)
    stage.task = generator.generate(0, "rooms")
    refused(lambda: stage.furnish(), r"RoboCasa has no kitchen for layout 1\d.*another split")
