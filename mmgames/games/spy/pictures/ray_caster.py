"""A small ray caster for spheres, cubes and cylinders on a grey floor.

Four samples a pixel decide what is seen there; each thing seen is shaded once, and the floor, whose light changes
slowly, at every fourth pixel. Shadows are soft without noise: how much of a round light an object hides follows from
how near the ray to the light comes to it. Metal mirrors its surroundings once. Only additions, products, quotients and
roots are used, so that every machine draws the same.

What meets a ray and how much light falls on a place are compiled (ray_kernels.py, which also describes the tables of a
scene); the rest is NumPy over all places at once.
"""

import math
from functools import lru_cache

import numpy as np

from mmgames.games.spy.pictures import ray_kernels as k


def render(objects, camera, lights, picture):
    """Draw the scene into uint8[height, width, 3]."""
    height, width = picture.shape[:2]
    (left, right, u), (bottom, top, v) = _pixels(height, width)
    west, south, east, north = _boxes(objects, camera)
    across, down = (west <= right) & (east >= left), (south <= top) & (north >= bottom)
    seen, _ = _seen(objects, camera, across.view(np.int8), down.view(np.int8), u, v)
    things, pixels, share = seen[k.THING].astype(np.int64), seen[k.PIXEL].astype(np.int64), seen[k.SAMPLES] / 4.0
    solid = np.flatnonzero(things >= 0)
    covered = np.zeros(picture.shape[:2], bool)
    covered.ravel()[pixels[solid[share[solid] == 1.0]]] = True
    floor = _floor(objects, camera, lights, covered)
    picture[...] = _bytes(floor)[..., None]
    if not solid.size:
        return
    places = seen[:3].take(solid, axis=1) / seen[k.SAMPLES, solid]
    colours = np.empty((3, len(things)))
    colours[:] = floor.ravel()[pixels]
    for channel, colour in zip(colours, _surfaces(objects, camera, lights, things[solid], places), strict=True):
        channel[solid] = colour
    colours = np.minimum(colours, 2.0) * share
    first = np.diff(pixels, prepend=-1) != 0  # entries of one pixel follow each other
    place = np.cumsum(first) - 1
    total = np.stack([np.bincount(place, channel) for channel in colours], axis=-1)
    picture.reshape(-1, 3)[pixels[first]] = _bytes(total)


@lru_cache(maxsize=16)
def _pixels(height, width):
    """From where to where columns and rows of pixels reach, from -1 to 1, and where their samples are."""
    edges = 2.0 * np.arange(width + 1) / width - 1.0
    left, right = edges[:-1], edges[1:]
    bottom = 1.0 - 2.0 * np.arange(1, height + 1) / height
    top = bottom + 2.0 / height
    u = left[:, None] + k.SAMPLES_ACROSS * (right - left)[:, None]
    v = bottom[:, None] + k.SAMPLES_UP * (top - bottom)[:, None]
    return (left, right, u), (bottom, top, v)


def _boxes(objects, camera):
    """A box around each object in the picture, from -1 to 1: all left edges, bottoms, right edges and tops."""
    ex, ey, ez, rx, ry, rz, ux, uy, uz, fx, fy, fz, across, high = camera.tolist()
    boxes = []
    for row in objects.tolist():
        cx, cy, cz, bound = row[k.X] - ex, row[k.Y] - ey, row[k.HEIGHT] - ez, row[k.BOUND]
        ahead = cx * fx + cy * fy + cz * fz
        # The outline of a ball in perspective, along each axis of the picture.
        below, above = [], []
        for middle, tangent in ((cx * rx + cy * ry + cz * rz, across), (cx * ux + cy * uy + cz * uz, high)):
            root = math.sqrt(max(1e-9, middle * middle + ahead * ahead - bound * bound))
            below.append((middle * root - bound * ahead) / (ahead * root + bound * middle) / tangent)
            above.append((middle * root + bound * ahead) / (ahead * root - bound * middle) / tangent)
        boxes.append(below + above)
    return np.array(boxes).reshape(-1, 4, 1).swapaxes(0, 1)


def _directions(camera, u, v):
    """The shares that u and v, from -1 to 1, have in the direction of a ray through a place of the picture.

    Both are tables; their shares have an axis in front, for x, y and z. The sum of the two points along the ray; its
    length is not 1 yet.
    """
    right, up, forward = camera[3:12].reshape(3, 3, 1, 1)
    return forward + right * (u * camera[12]), up * (v * camera[13])


def _seen(objects, camera, across, down, u, v):
    """What is seen in the pixels in which objects may be, and the hits of each; see `k.find_seen`."""
    mask = down.T.astype(np.float32) @ across.astype(np.float32) > 0
    seen = np.empty((k.SAMPLES + 1, np.count_nonzero(mask) * u.shape[1] + 1))
    hits = np.zeros((len(objects), k.INSIDE + 1, 2), np.int64)
    end = k.find_seen(objects, camera, across, down, *_directions(camera, u, v), mask, hits, seen)
    return seen[:, :end], hits


def _lit(objects, camera, lights, things, places, mirrored=False):
    """The light at places and the directions they face, see `k.find_light`."""
    light, normals = np.empty(len(things)), np.empty(places.shape)
    x, y = camera[:2].tolist()
    k.find_light(objects, lights, things, places, mirrored, x * x + y * y, light, normals)
    return light, normals


def _floor(objects, camera, lights, covered):
    """The light of the floor at every pixel that is not covered.

    It is found at the middle of every second pixel of every second row, and one beyond the edges, and is in between at
    the others: shadows are soft enough for that.
    """
    height, width = covered.shape
    columns, rows = (width + 3) // 2, (height + 3) // 2
    u = (4.0 * np.arange(columns)[None] + 1.0) / width - 1.0
    v = 1.0 - (4.0 * np.arange(rows)[:, None] + 1.0) / height
    across, up = _directions(camera, u, v)
    # A place of this grid is of use if a pixel around it is not covered.
    use = np.zeros((2 * rows + 1, 2 * columns + 1), bool)
    np.logical_not(covered, out=use[1 : height + 1, 1 : width + 1])
    use = use[:-1:2] | use[1::2] | use[2::2]
    use = np.flatnonzero(use[:, :-1:2] | use[:, 1::2] | use[:, 2::2])
    rays = (across + up).reshape(3, -1).take(use, axis=1)
    rays *= 1.0 / np.sqrt(_dot(rays, rays))
    places = camera[:3, None] + -camera[2] / np.minimum(rays[2], -1e-6) * rays
    places[2] = 0.0
    grid = np.zeros((rows, columns))
    grid.ravel()[use], _ = _lit(objects, camera, lights, np.full(len(use), -1), places)
    wide = np.empty((rows, 2 * columns - 1))
    wide[:, ::2], wide[:, 1::2] = grid, 0.5 * (grid[:, :-1] + grid[:, 1:])
    light = np.empty((2 * rows - 1, 2 * columns - 1))
    light[::2], light[1::2] = wide, 0.5 * (wide[:-1] + wide[1:])
    return np.ascontiguousarray(light[:height, :width])


def _dot(one, other):
    product = one * other
    return product[0] + product[1] + product[2]


def _gloss(lights, lamp, places, normals, views, doublings):
    """The highlights of a lamp, the sharper the more doublings (in rising order); `views` go from places to the eye."""
    half = lights[lamp, :3, None] - places
    distance = np.sqrt(_dot(half, half))
    half /= distance
    half += views
    shine = np.maximum(0.0, _dot(half, normals) / np.maximum(1e-9, np.sqrt(_dot(half, half))))
    distance *= distance
    done = 0
    for number in doublings:
        for _ in range(number - done):
            shine *= shine
        done = number
        yield shine * lights[lamp, k.LIGHT_POWER] / distance


def _surfaces(objects, camera, lights, things, places):
    """The colours of objects at places on them."""
    light, normals = _lit(objects, camera, lights, things, places)
    views = camera[:3, None] - places
    views /= np.sqrt(_dot(views, views))
    soft, sharp = _gloss(lights, k.KEY, places, normals, views, (4, 7))
    palette = objects.T[k.RED : k.BLUE + 1]
    colours = palette.take(things, axis=1)
    surface = colours * light + 0.10 * soft
    metal = np.flatnonzero(objects[:, k.METAL].take(things))
    if not metal.size:
        return surface
    things, light, soft, sharp = things[metal], light[metal], soft[metal], sharp[metal]
    places, normals, views, colours = (part.take(metal, axis=1) for part in (places, normals, views, colours))
    (fill,) = _gloss(lights, k.FILL, places, normals, views, (7,))
    facing = np.maximum(0.0, _dot(normals, views))
    rays = 2.0 * facing * normals - views
    other, far, room = np.empty(len(things), np.int64), np.empty(len(things)), np.empty(len(things))
    k.find_mirrored(objects, things, places, rays, other, far, room)
    mirror = np.empty(places.shape)
    mirror[:] = room
    # Objects and the floor are seen in it, but not the floor near the horizon.
    shown = np.flatnonzero((other >= 0) | (rays[2] < -0.02))
    other, far, room = other[shown], far[shown], room[shown]
    places, rays = places.take(shown, axis=1), rays.take(shown, axis=1)
    floor = other < 0
    far = np.where(floor, -places[2] / rays[2], far)
    places += far * rays
    places[2, floor] = 0.0
    seen, _ = _lit(objects, camera, lights, other, places, mirrored=True)
    # What is further away is mirrored more darkly, which gives flat faces of metal their sheen.
    below = room + 1.0 / (1.0 + 1.6 * far * far) * (1.45 * seen - room)
    mirror[:, shown] = np.where(floor, below, palette.take(other, axis=1) * seen)
    rim = 1.0 - facing
    rim = rim * rim * rim * rim * 0.35
    colours *= 0.26 * light + 1.25 * mirror
    colours += (0.05 + rim) * mirror
    colours += 2.4 * sharp + 1.2 * fill + 0.25 * soft
    surface[:, metal] = colours
    return surface


def _bytes(light):
    """Linear light as bytes: a soft shoulder for what is brighter than white, then a gamma of 2."""
    light = np.maximum(0.0, light)
    bright = light > 0.7
    if bright.any():
        over = light[bright] - 0.7
        light[bright] = 0.7 + 0.3 * over / (over + 0.3)
    np.sqrt(light, out=light)
    light *= 255.0
    light += 0.5
    return light.astype(np.uint8)


def outlines(objects, camera, columns, rows):
    """What shows of each object: its pixels if it were alone, those that are seen, and whether it touches the edge."""
    first, last, u, mark_across, first_up, last_up, v, mark_down = _outline_pixels(columns, rows)
    left, bottom, right, top = _boxes(objects, camera)
    across = ((left <= last) & (right >= first)) * mark_across
    down = ((bottom <= last_up) & (top >= first_up)) * mark_down
    _, hits = _seen(objects, camera, across, down, u, v)
    shown = np.empty((len(objects), 3), np.int64)
    shown[:, 0] = hits[:, :, k.ALONE].sum(1)
    shown[:, 1] = hits[:, k.EDGE, k.SEEN] + hits[:, k.INSIDE, k.SEEN]
    shown[:, 2] = hits[:, k.INSIDE, k.ALONE] < shown[:, 0]
    return shown


@lru_cache(maxsize=16)
def _outline_pixels(columns, rows):
    """Pixels of an outline and one more on each side, where things that are cut off go on.

    For columns: from where to where an object must be to touch them, their middles and their marks; the same for rows.
    """
    found = []
    for count, way in ((columns, 1), (rows, -1)):
        middle = way * ((2.0 * np.arange(-1, count + 1) + 1.0) / count - 1.0)
        marks = np.full(count + 2, k.INSIDE, np.int8)
        marks[1] = marks[-2] = k.EDGE
        marks[0] = marks[-1] = k.RING
        found += [middle - 2.0 / count, middle + 2.0 / count, middle[:, None], marks]
    return tuple(found)
