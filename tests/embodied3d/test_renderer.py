"""The renderer and RoboCasa's kitchens are found, started and refused in sentences, in processes of their own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from tests.embodied3d.conftest import HAS_SAPIEN, needs_sapien
from tests.programs import LAVAPIPE

pytestmark = needs_sapien

START = """
from mmgames.errors import MmgamesError
from mmgames.embodied._scenes import renderer
try:
    print(renderer.start_sapien()[0].sentence)
except MmgamesError as error:
    print(error)
"""


def python(code: str, **environment: str) -> str:
    """What a fresh process prints; it has no terminal to ask anything."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("VK_")}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**kept, **environment}, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_this_machine_can_draw_and_says_what_draws_or_what_is_missing() -> None:
    told = python(START)
    assert told.startswith("3D pictures are drawn by ") and told.count(".") >= 1
    told = python(START, VK_ICD_FILENAMES="/nowhere/driver.json")
    assert "VK_ICD_FILENAMES=/nowhere/driver.json names no driver that works" in told and "apt install" in told
    code = """
import sys
from mmgames.embodied._scenes import renderer
renderer.find()
print([name for name in ("sapien", "mani_skill", "torch") if name in sys.modules])
"""
    assert python(code).strip() == "[]"


@pytest.mark.program("lavapipe") if HAS_SAPIEN else needs_sapien
def test_lavapipe_draws_or_is_refused_in_a_sentence() -> None:
    """Debian 12 has a lavapipe that SAPIEN finds too old."""
    told = python(START, VK_ICD_FILENAMES=str(LAVAPIPE))
    assert "3D pictures are drawn by llvmpipe" in told or ("SAPIEN refuses" in told and "Mesa 25" in told)


def test_maniskill_asks_nothing_and_downloads_nothing(tmp_path: Path) -> None:
    code = """
import gymnasium
from mmgames.errors import MmgamesError
from mmgames.embodied._scenes import renderer
renderer.start_maniskill()
try:
    gymnasium.make("PickSingleYCB-v1", render_backend=renderer.render_backend())
except MmgamesError as error:
    print(error)
"""
    told = python(code, MS_ASSET_DIR=str(tmp_path), MS_SKIP_ASSET_DOWNLOAD_PROMPT="1")
    assert "Files of ManiSkill are missing" in told and "ycb" in told
    assert not list(tmp_path.rglob("*.zip"))


LAYOUT = """
room:
  walls:
    - {name: wall, type: wall, size: [3.0, 1.5, 0.02], pos: [2.0, 0, 1.5]}
    - {name: wall_front, type: wall, wall_side: front, size: [3.0, 1.5, 0.02], pos: [2.0, -4.0, 1.5]}
  floor:
    - {name: floor, type: floor, size: [3.0, 2.5, 0.02], pos: [2.0, -2.0, 0.0]}
main:
  counters:
    - {name: block, type: box, size: [2.0, 0.6, 0.9], pos: [2.0, -0.3, 0.45]}
"""
STYLES = (
    *("industrial", "scandanavian", "coastal", "modern_1", "modern_2", "traditional_1", "traditional_2", "farmhouse"),
    *("rustic", "mediterranean", "transitional_1", "transitional_2"),
)
LOOK = """
import json, numpy as np
from mmgames.embodied._scenes import scenes
from mmgames.embodied._world import facts, generator
task = generator.generate(2)
area = next(a for a in facts.layout(task.layout)["areas"] if "kitchen work area" in a["names"])
bread = next(a.name for a in task.assets if a.at == "kitchen work area")
def look(stage):
    placed = stage.pose(task.world.start)
    shot = stage.shoot(scenes.global_lens(stage.plan.room, 256))
    x, y, _ = map(int, shot.pixel((1.2, -0.62, 0.5)))
    return [sorted(stage.fixtures), len(stage.walls), shot.picture[y, x].tolist(), placed.things[bread], area]
print(json.dumps(scenes.on_stage("robocasa", task, look)))
"""


@needs_sapien
def test_a_kitchen_in_robocasas_form_is_built_and_things_lie_in_its_areas(tmp_path: Path) -> None:
    root = tmp_path / "data/scene_datasets/robocasa_dataset/assets"
    for folder in ("scenes/kitchen_layouts", "scenes/kitchen_styles", "fixtures/fixture_registry", "textures"):
        (root / folder).mkdir(parents=True)
    Image.new("RGB", (8, 8), (40, 90, 200)).save(root / "textures/plain.png")
    (root / "scenes/kitchen_layouts/one_wall_large.yaml").write_text(LAYOUT)
    for style in STYLES:
        (root / f"scenes/kitchen_styles/{style}.yaml").write_text("{}")
    for kind in ("wall", "floor", "cabinet"):
        (root / f"fixtures/fixture_registry/{kind}.yaml").write_text("default: {texture: textures/plain.png}\n")
    told = json.loads(python(LOOK, MS_ASSET_DIR=str(tmp_path)).splitlines()[-1])
    fixtures, walls, seen, bread, area = told
    assert fixtures == ["block_main", "floor_room", "wall_front_room", "wall_room"] and walls == 2
    assert seen[2] > 1.5 * seen[0]  # the front of the block, in the colour of its picture
    (x, y, z), (dx, dy, _) = area["corner"], area["extent"]
    assert x <= bread[0] <= x + dx and y <= bread[1] <= y + dy and abs(bread[2] - z) < 1e-6


@needs_sapien
def test_a_kitchen_with_missing_parts_is_named(tmp_path: Path) -> None:
    (tmp_path / "data/scene_datasets/robocasa_dataset/assets/scenes/kitchen_layouts").mkdir(parents=True)
    code = """
import mmgames
env = mmgames.parallel_env("mmgames/VikiKitchen-v0", scene="robocasa", observe=("text",), robots=4)
try:
    env.reset(seed=0)
    mmgames.parallel_env("mmgames/VikiKitchen-v0", scene="robocasa", observe=("rgb",), robots=4)
except mmgames.MmgamesError as error:
    print(error)
"""
    told = python(code, MS_ASSET_DIR=str(tmp_path))
    assert "cannot be built from" in told and "FileNotFoundError" in told
