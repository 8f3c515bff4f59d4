"""RoboCasa's kitchens: its files are not here, so ManiSkill's builder builds a tiny kitchen of ours in their form."""

from __future__ import annotations

import json
from pathlib import Path

from PIL import Image

from tests.embodied3d.conftest import needs_sapien
from tests.embodied3d.test_renderer import python

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
from mmgames.embodied._scenes import rendered, scenes
from mmgames.embodied._world import facts, generator
task = generator.generate(2)
area = next(a for a in facts.layout(task.layout)["areas"] if "kitchen work area" in a["names"])
bread = next(a.name for a in task.assets if a.at == "kitchen work area")
def look(stage):
    placed = stage.pose(task.world.start)
    shot = stage.shoot(rendered.global_lens(stage.room, 256))
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
