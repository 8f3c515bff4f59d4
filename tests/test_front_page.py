"""README as a front page: what it shows is whole, what it points to is there, and its badges say what is so."""

import importlib.util
import re
import tomllib
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from PIL import Image

import mmgames

ROOT = Path(__file__).parent.parent
PICTURES = ROOT / "docs" / "pictures"
README = (ROOT / "README.md").read_text("utf-8")
COLUMN = 830  # pixels, where README is read


@pytest.fixture(scope="module")
def front_page() -> ModuleType:
    found = importlib.util.spec_from_file_location("front_page", ROOT / "docs" / "front_page.py")
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def test_the_picture_has_a_game_of_every_family(front_page: ModuleType) -> None:
    shown = {family: mmgames.specs[f"mmgames/{name}-v0"].family for family, (name, _) in front_page.TILES.items()}
    assert shown == {spec.family: spec.family for spec in mmgames.specs.values() if spec.namespace == "mmgames"}
    with Image.open(PICTURES / "families.png") as picture:
        assert picture.width == 2 * COLUMN + 4
        down = -(-len(front_page.TILES) // front_page.ACROSS)
        assert picture.height == down * (front_page.SIZE + 3 * front_page.LETTER + front_page.GAP) + front_page.GAP


def test_what_is_missing_is_taken_from_the_gallery(front_page: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(front_page.registry, "why_missing", lambda spec: "not installed")
    picture = front_page.position("TwoRobotPickCube", 0)
    assert picture.shape == (front_page.SIZE, front_page.SIZE, 3) and np.ptp(picture) > 100


@pytest.mark.parametrize("name", ["overcooked", "spy"])
def test_the_film_is_small_and_moves(name: str) -> None:
    path = PICTURES / f"{name}.gif"
    assert path.name in README and path.stat().st_size < 1_000_000
    with Image.open(path) as film:
        assert film.n_frames > 10 and film.width <= COLUMN // 2


def test_the_badges_say_what_pyproject_says(front_page: ModuleType) -> None:
    for name, drawing in front_page.badges().items():
        assert (PICTURES / f"badge-{name}.svg").read_text("utf-8") == drawing, "run `make readme`"
        assert f"badge-{name}.svg" in README
    about = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    versions = re.findall(r"Python :: (3\.\d+)", "\n".join(about["classifiers"]))
    assert f"python: {' | '.join(versions)}<" in front_page.badges()["python"]


def test_every_paper_has_its_link_and_its_results() -> None:
    rows = re.findall(r"^\| \[[\w-]+\]\(https://arxiv\.org/abs/([\d.]+)\) \|.*\[page\]\((.+)\) \|$", README, re.M)
    assert len(rows) == len(set(rows)) == 5
    cited = (ROOT / "CITATION.cff").read_text("utf-8")
    assert all(f"https://arxiv.org/abs/{paper}" in cited and (ROOT / page).is_file() for paper, page in rows)
