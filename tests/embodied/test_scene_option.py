"""The scene of a kitchen is an option; a machine that lacks what a 3D scene needs says what, in one sentence."""

from __future__ import annotations

import importlib.util
import platform
from pathlib import Path

import pytest

import mmgames
from mmgames.embodied._scenes import renderer, robocasa, vulkan
from mmgames.embodied._world import generator
from mmgames.errors import MissingExtra, MmgamesError
from mmgames.testing.rules import option_values

CARD = vulkan.Device("A Card", vulkan.NVIDIA, 2)
OTHER = vulkan.Device("Another Card", 0x1002, 2)


@pytest.fixture
def nothing(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A machine with a Vulkan loader and nothing else."""
    for variable in vulkan.DRIVER_VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(vulkan, "has_loader", lambda: True)
    monkeypatch.setattr(vulkan, "has_cuda", lambda: False)
    monkeypatch.setattr(vulkan, "installed_drivers", list)
    monkeypatch.setattr(vulkan, "devices", lambda drivers: ())
    monkeypatch.setattr(vulkan, "SWIFTSHADER", ())
    return monkeypatch


def test_the_best_device_is_chosen(nothing: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert renderer.find().kind == "none" and "apt install" in renderer.find().sentence
    lavapipe = tmp_path / "lvp_icd.x86_64.json"
    nothing.setattr(vulkan, "installed_drivers", lambda: [lavapipe])
    assert renderer.find().kind == "software" and renderer.find().driver == str(lavapipe)
    browser = tmp_path / "vk_swiftshader_icd.json"
    browser.touch()
    nothing.setattr(vulkan, "SWIFTSHADER", (str(browser),))
    assert renderer.find().driver == str(browser) and "SwiftShader" in renderer.find().sentence
    nothing.setattr(vulkan, "has_cuda", lambda: True)
    assert renderer.find().kind == "software" and "no Vulkan driver for it" in renderer.find().sentence
    nothing.setattr(vulkan, "devices", lambda drivers: (OTHER,))
    assert renderer.find().kind == "vulkan" and "Another Card" in renderer.find().sentence
    nothing.setattr(vulkan, "devices", lambda drivers: (OTHER, CARD))
    assert renderer.find().kind == "cuda" and "A Card" in renderer.find().sentence


def test_without_a_loader_nothing_is_drawn(nothing: pytest.MonkeyPatch) -> None:
    nothing.setattr(vulkan, "has_loader", lambda: False)
    assert renderer.find().kind == "none" and "libvulkan" in renderer.find().sentence


def test_a_missing_package_is_named_when_the_environment_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    with pytest.raises(MissingExtra, match=r"mmgames\[embodied\]"):
        mmgames.aec_env("mmgames/VikiKitchen-v0", scene="maniskill")
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    with pytest.raises(MissingExtra, match="no wheel for Linux on aarch64"):
        mmgames.aec_env("mmgames/VikiChain-v0", scene="maniskill")


def test_the_kit_leaves_out_what_this_machine_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    settings = option_values(mmgames.specs["mmgames/VikiKitchen-v0"])
    assert {"scene": "drawn"} in settings
    assert {"scene": "maniskill"} not in settings and {"scene": "robocasa"} not in settings


def test_an_unknown_scene_is_refused() -> None:
    with pytest.raises(MmgamesError, match="maniskill"):
        mmgames.aec_env("mmgames/VikiKitchen-v0", scene="manniskill")


def test_robocasa_has_no_kitchen_for_rooms_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(robocasa, "check", lambda: None)
    stage = object.__new__(robocasa.RoboCasaStage)
    stage.task = generator.generate(0, "rooms")
    with pytest.raises(MmgamesError, match=r"RoboCasa has no kitchen for layout 1\d.*another split"):
        stage.furnish()
