"""Draws a skin lesion as in a photograph: each value of border, colour, scale and sheen has a look of its own."""

from functools import lru_cache
from math import cos, pi, sin

import numpy as np
from PIL import Image, ImageDraw

from mmgames.drawing.canvas import Colour
from mmgames.puzzles.telehealth_puzzle.rules import Lesion

SKINS: tuple[Colour, ...] = (
    (246, 222, 208),
    (238, 206, 184),
    (226, 186, 156),
    (204, 158, 124),
    (178, 130, 98),
    (154, 110, 84),
)
"""By Fitzpatrick's types; the darkest are lightened, so that a brown lesion stays visible."""
PAINTS: dict[str, Colour] = {
    "pink": (230, 122, 138),
    "red": (186, 34, 40),
    "brown": (104, 60, 32),
    "mixed": (112, 66, 38),
}
SHARE = 1.9  # a photograph is so many times as wide as the lesion is long
MIDDLE = 0.43  # of the height: below is room for a ruler
_BLACK, _SLATE = (30, 24, 26), (98, 112, 136)
_FLAKE, _CRUST, _CRACK = (250, 247, 240), (216, 174, 78), (122, 78, 30)
_PEARL, _VESSEL = (255, 240, 240), (172, 26, 46)
_EDGE = {"smooth": 0.07, "ragged": 0.06, "blurred": 0.75}
_WAVES = {
    "smooth": ((2, 0.03),),
    "ragged": ((3, 0.09), (5, 0.08), (8, 0.06), (13, 0.05), (21, 0.03)),
    "blurred": ((2, 0.05), (3, 0.05)),
}
_SPAN = 1.36  # of the lesion's length, for its surroundings
_FINE = 100  # a lesion larger than this is drawn at half its size and enlarged: less work, and soft as a photograph
_TILE = 256
_ANGLES = 256


def draw(lesion: Lesion, diameters: tuple[float, ...], raised: bool, skin: int, side: int) -> np.ndarray:
    """A square picture that is SHARE times as wide as the lesion's larger diameter."""
    box = int(side * _SPAN / SHARE) // 2 * 2
    fine = box if box <= _FINE else box // 2
    frame = _skin(skin, side).copy()
    picture = _lesion(lesion, diameters, raised, _ground(skin, side, box, fine), fine)
    frame[_place(side, box)] = picture if fine == box else _doubled(picture)
    return frame


def _doubled(picture: np.ndarray) -> np.ndarray:
    """A picture twice as wide and high, with means in between. Quicker than a general resize."""
    side = len(picture)
    wide = np.empty((side, 2 * side, 3), np.uint8)
    halves = picture >> 1
    wide[:, ::2] = picture
    wide[:, 1:-1:2] = halves[:, :-1] + halves[:, 1:]
    wide[:, -1] = picture[:, -1]
    out = np.empty((2 * side, 2 * side, 3), np.uint8)
    halves = wide >> 1
    out[::2] = wide
    out[1:-1:2] = halves[:-1] + halves[1:]
    out[-1] = wide[-1]
    return out


def _place(side: int, box: int) -> tuple[slice, slice]:
    left, top = (side - box) // 2, max(0, round(side * MIDDLE) - box // 2)
    return slice(top, top + box), slice(left, left + box)


def _lesion(lesion: Lesion, diameters: tuple[float, ...], raised: bool, skin: np.ndarray, box: int) -> np.ndarray:
    rng = np.random.default_rng(lesion.grain)
    along, across = _axes(box)
    tilt = rng.uniform(-0.25, 0.25)
    x = along * cos(tilt) + across * sin(tilt)
    y = (across * cos(tilt) - along * sin(tilt)) * (diameters[0] / diameters[-1])
    rho = np.sqrt(x * x + y * y) * _outline(lesion.border, rng)[_directions(box)]
    inside = np.clip((1 - rho) / _EDGE[lesion.border] + 0.5, 0, 1)
    cloud = _noise("cloud", rng, box)
    tone = 0.88 + 0.14 * cloud + 0.10 * _noise("grain", rng, box)
    picture = skin.copy()
    if raised:
        tone *= 1 - 0.20 * (along + across) * np.clip(1.2 - rho * 0.4, 0, 1)
        shadow = np.clip(1 - np.abs(rho - 1.02) / 0.22, 0, 1) * np.clip(along + across, 0, 1)
        picture *= 1 - 0.30 * shadow
    colour = _colour(lesion.colour, cloud, rng, box)
    colour *= tone
    picture += (colour - picture) * (inside * (0.74 if lesion.sheen == "translucent" else 0.96))
    if lesion.scale in _SCALES:
        _SCALES[lesion.scale](picture, rho, inside, rng, box)
    if lesion.sheen == "translucent":
        _shine(picture, rho, inside, rng, box)
    return np.ascontiguousarray(np.clip(picture, 0, 255).astype(np.uint8).transpose(1, 2, 0))


def _blend(picture: np.ndarray, colour: Colour, share: np.ndarray) -> None:
    for plane, value in zip(picture, colour, strict=True):
        plane += (value - plane) * share


def _outline(border: str, rng: np.random.Generator) -> np.ndarray:
    """What the distance from the middle is multiplied by in each direction to be 1 at the edge; at least 1."""
    angles = np.linspace(0, 2 * pi, _ANGLES, endpoint=False, dtype=np.float32)
    edge = np.ones(_ANGLES, np.float32)
    for times, height in _WAVES[border]:
        edge += height * np.sin(times * angles + rng.uniform(0, 2 * pi))
    return edge.max() / edge


def _colour(name: str, cloud: np.ndarray, rng: np.random.Generator, box: int) -> np.ndarray:
    colour = np.empty((3, box, box), np.float32)
    colour[:] = np.array(PAINTS[name], np.float32)[:, None, None]
    if name == "mixed":
        other = _noise("cloud", rng, box)
        _blend(colour, (172, 112, 66), np.clip((0.40 - cloud) * 9, 0, 1))
        _blend(colour, _BLACK, np.clip((cloud - 0.56) * 9, 0, 1))
        _blend(colour, _SLATE, np.clip((other - 0.60) * 9, 0, 1))
    return colour


def _flakes(picture: np.ndarray, rho: np.ndarray, inside: np.ndarray, rng: np.random.Generator, box: int) -> None:
    """Thin white flakes, scattered, each with a shadow below it."""
    flakes = np.clip((_noise("flakes", rng, box) - 0.60) * 14, 0, 1) * (inside > 0.3)
    below = np.roll(flakes, (max(1, box // 60), max(1, box // 90)), (0, 1))
    _blend(picture, (90, 40, 36), below * (1 - flakes) * 0.45)
    _blend(picture, _FLAKE, flakes * 0.92)


def _crust(picture: np.ndarray, rho: np.ndarray, inside: np.ndarray, rng: np.random.Generator, box: int) -> None:
    """A thick cracked plate over most of the lesion."""
    cracks, grain = _noise("cracks", rng, box), _noise("grain", rng, box)
    plate = np.clip((0.80 - rho + 0.16 * (_noise("cloud", rng, box) - 0.5)) * 14, 0, 1)
    edge = np.clip(1 - np.abs(plate - 0.5) * 2.4, 0, 1)
    _blend(picture, _CRUST, plate * (0.86 + 0.14 * grain))
    _blend(picture, _CRACK, plate * np.clip((0.16 - cracks) * 9, 0, 1) * 0.9)
    _blend(picture, (255, 232, 160), plate * np.clip((cracks - 0.62) * 4, 0, 1) * 0.5)
    _blend(picture, _CRACK, edge * 0.7)


def _warts(picture: np.ndarray, rho: np.ndarray, inside: np.ndarray, rng: np.random.Generator, box: int) -> None:
    """Cobbles with a greasy light on each and dark grooves between them."""
    cracks = _noise("cracks", rng, box)
    step = max(1, box // 40)
    slope = np.zeros_like(cracks)
    slope[step:, step:] = cracks[step:, step:] - cracks[:-step, :-step]
    _blend(picture, (26, 14, 10), inside * np.clip((0.22 - cracks) * 5, 0, 1) * 0.72)
    _blend(picture, (255, 226, 178), inside * np.clip(slope * 3.2, 0, 1) * np.clip((cracks - 0.20) * 4, 0, 1) * 0.62)
    _blend(picture, (14, 8, 8), inside * np.clip((cracks - 0.86) * 12, 0, 1) * 0.8)


_SCALES = {"flaky": _flakes, "crusted": _crust, "waxy": _warts}
"""What lies on the skin; a lesion without scales is plain."""


def _shine(picture: np.ndarray, rho: np.ndarray, inside: np.ndarray, rng: np.random.Generator, box: int) -> None:
    """A pearly rolled rim, fine red vessels, and lights as on something wet."""
    _blend(picture, _VESSEL, _noise("vessels", rng, box) * ((rho < 0.84) * np.float32(0.8)))
    _blend(picture, _PEARL, np.clip(1 - np.abs(rho - 0.87) / 0.13, 0, 0.8) + inside * 0.15)
    _blend(picture, (255, 255, 255), _lights(box) * inside)


@lru_cache(maxsize=8)
def _lights(box: int) -> np.ndarray:
    along, across = _axes(box)
    lights = np.zeros((box, box), np.float32)
    for x, y, wide in ((-0.36, -0.28, 0.20), (-0.06, -0.40, 0.11), (0.34, 0.30, 0.10)):
        spot = np.exp(-(((along - x) / wide) ** 2 + ((across - y) / (wide * 0.5)) ** 2))
        lights = np.maximum(lights, np.clip(spot * 1.5, 0, 0.95))
    return lights


@lru_cache(maxsize=8)
def _axes(box: int) -> tuple[np.ndarray, np.ndarray]:
    """Right and down, in units of half the lesion's length."""
    line = (np.arange(box, dtype=np.float32) + 0.5) * (2 * _SPAN / box) - _SPAN
    return np.broadcast_to(line, (box, box)), np.broadcast_to(line[:, None], (box, box))


@lru_cache(maxsize=8)
def _directions(box: int) -> np.ndarray:
    """For each pixel its direction from the middle, as a number below _ANGLES."""
    along, across = _axes(box)
    return ((np.arctan2(across, along) + pi) * (_ANGLES / (2 * pi))).astype(np.int32) % _ANGLES


@lru_cache(maxsize=32)
def _skin(type_: int, side: int) -> np.ndarray:
    """Bare skin of a type: clouds, pores and fine lines that are always the same."""
    rng = np.random.default_rng(5)
    cloud, pores, lines = (_noise(name, rng, side) for name in ("cloud", "grain", "cracks"))
    shade = 0.965 + 0.045 * cloud + 0.05 * (pores - 0.5) - 0.022 * np.clip((0.14 - lines) * 7, 0, 1)
    skin = np.clip(np.array(SKINS[type_ - 1], np.float32) * shade[..., None], 0, 255).astype(np.uint8)
    skin.setflags(write=False)
    return skin


@lru_cache(maxsize=32)
def _ground(type_: int, side: int, box: int, fine: int) -> np.ndarray:
    """The skin below a lesion at the size it is drawn in, one plane for each of red, green and blue."""
    patch = Image.fromarray(_skin(type_, side)[_place(side, box)]).resize((fine, fine), Image.Resampling.BILINEAR)
    return np.ascontiguousarray(np.asarray(patch, np.float32).transpose(2, 0, 1))


def _noise(name: str, rng: np.random.Generator, side: int) -> np.ndarray:
    """A quarter of a noise tile, chosen by the rng and enlarged to `side`; 0 to 1, not to be changed."""
    left, top = rng.integers(side, size=2).tolist()
    return _tile(name, 2 * side)[top : top + side, left : left + side]


@lru_cache(maxsize=32)
def _tile(name: str, side: int) -> np.ndarray:
    return np.asarray(_tiles()[name].resize((side, side), Image.Resampling.BILINEAR), np.float32) / 255


@lru_cache(maxsize=1)
def _tiles() -> dict[str, Image.Image]:
    rng = np.random.default_rng(11)

    def smooth(cells: int) -> np.ndarray:
        grid = Image.fromarray(rng.random((cells, cells), np.float32))
        return np.asarray(grid.resize((_TILE, _TILE), Image.Resampling.BICUBIC))

    line = np.arange(_TILE, dtype=np.float32)
    nearest, second = np.full((2, _TILE, _TILE), 2 * _TILE, np.float32)
    for row, column in rng.random((190, 2)) * _TILE:
        away = np.hypot(line[:, None] - row, line - column)
        second = np.minimum(second, np.maximum(nearest, away))
        nearest = np.minimum(nearest, away)
    tiles = {
        "cloud": smooth(14) * 0.75 + smooth(30) * 0.25,
        "grain": smooth(150),
        "flakes": smooth(46) * 0.6 + smooth(80) * 0.4,
        "cracks": second - nearest,  # 0 between the cells around some points
    }
    return {**{name: Image.fromarray(_stretched(tile)) for name, tile in tiles.items()}, "vessels": _vessels(rng)}


def _stretched(tile: np.ndarray) -> np.ndarray:
    low, high = np.percentile(tile, (1, 99))
    return (np.clip((tile - low) / (high - low), 0, 1) * 255).astype(np.uint8)


def _vessels(rng: np.random.Generator) -> Image.Image:
    """Winding lines from side to side."""
    image = Image.new("L", (4 * _TILE, 4 * _TILE))
    pen = ImageDraw.Draw(image)
    across = np.linspace(0, image.width, 120)
    for place in np.linspace(-0.1, 1.1, 22):
        lean, bend, twist = rng.uniform((-0.4, 0, 0), (0.4, 2 * pi, 2 * pi))
        wave = 0.025 * np.sin(across * 0.022 + bend) + 0.009 * np.sin(across * 0.071 + twist)
        wave += place + lean * (across / image.width - 0.5)
        pen.line(list(zip(across.tolist(), (wave * image.width).tolist(), strict=True)), 255, 7, "curve")
    return image.reduce(4)
