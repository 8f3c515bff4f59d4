"""Draws assets/gallery: a position of every game, small, for the start page of `mmgames play`.

Run `python -m mmgames.assets.draw_gallery` in an environment that has all extras of games.
"""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image

from mmgames.core import registry
from mmgames.play.gallery import drawn


def main() -> None:
    folder = Path(__file__).parent / "gallery"
    for spec in registry.specs.values():
        picture = Image.open(io.BytesIO(drawn(spec.id)))
        picture.quantize(64, dither=Image.Dither.NONE).save(folder / f"{spec.name}.png", optimize=True)


if __name__ == "__main__":
    main()
