"""The renderer is found, started and refused in sentences; each case in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

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


def test_this_machine_can_draw_and_says_what_draws() -> None:
    told = python(START)
    assert told.startswith("3D pictures are drawn by ") and told.count(".") >= 1


def test_a_driver_that_is_not_there_gives_a_sentence() -> None:
    told = python(START, VK_ICD_FILENAMES="/nowhere/driver.json")
    assert "VK_ICD_FILENAMES=/nowhere/driver.json names no driver that works" in told and "apt install" in told


@pytest.mark.program("lavapipe") if HAS_SAPIEN else needs_sapien
def test_lavapipe_draws_or_is_refused_in_a_sentence() -> None:
    """Debian 12 has a lavapipe that SAPIEN finds too old."""
    told = python(START, VK_ICD_FILENAMES=str(LAVAPIPE))
    assert "3D pictures are drawn by llvmpipe" in told or ("SAPIEN refuses" in told and "Mesa 25" in told)


def test_nothing_heavy_is_imported_to_look_for_a_renderer() -> None:
    code = """
import sys
from mmgames.embodied._scenes import renderer
renderer.find()
print([name for name in ("sapien", "mani_skill", "torch") if name in sys.modules])
"""
    assert python(code).strip() == "[]"


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
