"""Draws what README shows: `python docs/front_page.py [--out docs/pictures]`.

One picture with a game of each family, and badges that say what pyproject.toml says. A game whose extra is not
installed is taken from assets/gallery.
"""

import argparse
import sys
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from mmgames.core import registry
from mmgames.drawing import canvas
from mmgames.running.matches import play

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
GALLERY = ROOT / "assets" / "gallery"

# Of each family a game, and how far into an episode of its reference agents it shows best.
TILES: dict[str, tuple[str, int]] = {
    "board games": ("Chess", 12),
    "grid dilemmas": ("CoinDilemma", 10),
    "cooperation": ("Overcooked", 12),
    "card games": ("Hanabi", 20),
    "arcade games": ("Pong", 60),
    "continuous worlds": ("Particles", 8),
    "solver and expert": ("WirePuzzle", 2),
    "clues and votes": ("Spy", 11),
    "embodied planning": ("VikiKitchen", 4),
    "robot control": ("TwoRobotPickCube", 0),
    "OpenSpiel": ("OpenSpiel", 14),
}
SEED = 5
ACROSS = 6
SIZE, GAP, LETTER = 254, 20, 23  # twice what is seen in a column of 830 pixels, for screens that show it all


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=HERE / "pictures", help="default: docs/pictures")
    folder = parser.parse_args(argv).out
    folder.mkdir(parents=True, exist_ok=True)
    sheet = Image.fromarray(families())
    sheet.quantize(256, dither=Image.Dither.NONE).save(folder / "families.png", optimize=True)
    for name, drawing in badges().items():
        (folder / f"badge-{name}.svg").write_text(drawing, "utf-8")
    print(f"{folder}: {len(TILES)} families, {len(badges())} badges")
    return 0


def families() -> np.ndarray:
    """A game of each family, above the family's name and its own."""
    down = -(-len(TILES) // ACROSS)
    high = SIZE + 3 * LETTER
    sheet = canvas.blank(ACROSS * (SIZE + GAP) + GAP, down * (high + GAP) + GAP, canvas.WHITE)
    for number, (family, (name, steps)) in enumerate(TILES.items()):
        left, top = GAP + number % ACROSS * (SIZE + GAP), GAP + number // ACROSS * (high + GAP)
        picture = position(name, steps)
        x, y = left + (SIZE - picture.shape[1]) // 2, top + (SIZE - picture.shape[0]) // 2
        canvas.fill(sheet, x - 2, y - 2, x + picture.shape[1] + 2, y + picture.shape[0] + 2, canvas.LINE)
        canvas.paste(sheet, picture, x, y)
        told = [(family, canvas.INK), (name, canvas.FAINT)] if family != name else [(family, canvas.INK)]
        for line, (text, colour) in enumerate(told):
            words = canvas.label(text, LETTER, colour, canvas.WHITE)
            canvas.paste(sheet, words, left + SIZE // 2, top + SIZE + LETTER + line * LETTER * 5 // 4, "c")
    return sheet


def position(name: str, steps: int) -> np.ndarray:
    """The position of a game after some steps, or at its end, as a spectator sees it."""
    spec: Any = registry.find(f"mmgames/{name}-v0")
    if registry.why_missing(spec):
        kept = Image.open(GALLERY / f"{name}.png").convert("RGB")
        scale = SIZE / max(kept.size)
        return np.asarray(kept.resize([round(side * scale) for side in kept.size], Image.Resampling.LANCZOS))
    for played, live in enumerate(play(spec.id, seed=SEED)):
        if played == steps or not live.movers:
            break
    return live.loaded.picture.draw(live.view(None), SIZE)


def badges() -> dict[str, str]:
    """What stands on the badges, all of it from pyproject.toml."""
    about = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    marks = [line.rpartition(" :: ") for line in about["project"]["classifiers"]]
    tried = [version for kind, _, version in marks if kind == "Programming Language :: Python"]
    style = "ruff" if "ruff" in about["tool"] else "none"
    told = {"python": " | ".join(tried), "licence": about["project"]["license"], "style": style}
    return {name: badge(name, text) for name, text in told.items()}


def badge(name: str, text: str) -> str:
    """Two words on a plate that is wide enough for any reader's font."""
    left, right = (7 * len(word) + 12 for word in (name, text))
    wide = left + right
    words = "".join(
        f'<text x="{x + width / 2:g}" y="14">{word}</text>' for x, width, word in ((0, left, name), (left, right, text))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="20" role="img" aria-label="{name}: {text}">'
        f"<title>{name}: {text}</title>"
        f'<clipPath id="plate"><rect width="{wide}" height="20" rx="3"/></clipPath>'
        f'<g clip-path="url(#plate)"><rect width="{left}" height="20" fill="#2b2d34"/>'
        f'<rect x="{left}" width="{right}" height="20" fill="#2652a8"/></g>'
        '<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">'
        f"{words}</g></svg>\n"
    )


if __name__ == "__main__":
    sys.exit(main())
