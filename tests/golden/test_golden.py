"""Golden playthroughs: what players read and see changes only when somebody means it to.

`make golden` writes them anew; the difference is to be read before it is committed.
"""

import numpy as np
from PIL import Image

import mmgames
from mmgames.core.spec import GameSpec
from tests.golden.write import HERE, picture, picture_file, playthrough, text_file

# Letters come out a little differently with another version of the font renderer; a moved piece does not hide in this.
NOTICEABLE, MOST_NOTICEABLE_SHARE, MOST_MEAN = 64, 0.004, 1.5


def assert_written(path) -> None:
    assert path.exists(), f"The golden {path.name} is missing: run `make golden`, look at it and commit it."


def test_the_game_is_told_as_it_was(spec: GameSpec) -> None:
    assert_written(text_file(spec))
    assert playthrough(spec) == text_file(spec).read_text(encoding="utf-8"), "If this is meant: `make golden`."


def difference(one: np.ndarray, other: np.ndarray) -> tuple[float, float]:
    """The share of pixels that look different, and the mean difference."""
    apart = np.abs(one.astype(int) - other.astype(int)).max(axis=2)
    return float((apart > NOTICEABLE).mean()), float(apart.mean())


def test_the_game_looks_as_it_did(spec: GameSpec) -> None:
    assert_written(picture_file(spec))
    golden, now = np.asarray(Image.open(picture_file(spec)).convert("RGB")), picture(spec)
    assert golden.shape == now.shape
    share, mean = difference(golden, now)
    assert share <= MOST_NOTICEABLE_SHARE and mean <= MOST_MEAN, "If this is meant: `make golden`."


def test_every_golden_belongs_to_a_game() -> None:
    names = {spec.name for spec in mmgames.specs.values()}
    assert {path.stem for path in HERE.iterdir() if path.suffix in (".txt", ".png")} <= names
