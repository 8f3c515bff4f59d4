"""Draws assets/gallery: a position of every game, small, for the start page of `mmgames play`.

Run `python docs/gallery_pictures.py`; a game whose extra is not installed keeps the picture it has.
"""

import io
from pathlib import Path

from PIL import Image

from mmgames.core import registry
from mmgames.play.gallery import drawn


def main() -> None:
    folder = Path(__file__).resolve().parent.parent / "assets" / "gallery"
    for spec in registry.specs.values():
        if why := registry.why_missing(spec):
            print(why)
            continue
        picture = Image.open(io.BytesIO(drawn(spec.id)))
        picture.quantize(64, dither=Image.Dither.NONE).save(folder / f"{spec.name}.png", optimize=True)


if __name__ == "__main__":
    main()
