"""A small ray caster for spheres, cubes and cylinders on a grey floor.

Four samples a pixel decide what is seen there; each thing seen is shaded once, and the floor, whose light changes
slowly, at every fourth pixel. Shadows are soft without noise: how much of a round light an object hides follows from
how near the ray to the light comes to it. Metal mirrors its surroundings once. Only additions, products, quotients and
roots are used, so that every machine draws the same.

The scene is a table with one row for each object (the columns are below), `camera` has the eye, then the three axes
right, up and forward, then the tangents of half the angle of view; `lights` has rows of place, radius, brightness and
whether things cast shadows in it.

What meets a ray and how much light falls on a place are compiled; the rest is NumPy over all places at once. The first
picture waits for the compiler, whose work grows with every line, call and kind of argument: so there are few kernels,
those called from here do not call each other, and the arrays they fill are made here.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from mmgames.kernels.kernel import kernel

X, Y, HEIGHT, WIDTH, BOUND, SHAPE, METAL, COSINE, SINE, RED, GREEN, BLUE = range(12)
"""Columns of the table: place on the floor, half the height, half the width (of a cube or cylinder), the radius of a
ball around all of it, shape, material, turn and colour (linear light)."""
COLUMNS = 12
CUBE, SPHERE, CYLINDER = 0, 1, 2
KEY, FILL, BACK = 0, 1, 2
LIGHT_X, LIGHT_Y, LIGHT_Z, LIGHT_SIZE, LIGHT_POWER, LIGHT_SHADOWS = range(6)

FAR = 1e9
BEVEL = 0.09  # how much of a half side is rounded off
FLOOR_ALBEDO = 0.44
HAZE = 0.16  # how fast the floor fades into the background
GOLDEN = 0.6180339887498949
SHADOW_STEPS = 7
# A turned square of samples: no two share a row or a column.
SAMPLES_ACROSS = 0.125 + 0.25 * np.arange(4)
SAMPLES_UP = 0.125 + 0.25 * ((2 * np.arange(4) + 1) % 5)
RING, EDGE, INSIDE = 1, 3, 7
"""Marks of pixels just outside of a picture, at its edge and further in: of two, the bits they share are the lesser."""
ALONE, SEEN = 0, 1
THING, PIXEL, SAMPLES = 3, 4, 5
"""Rows of what is seen in pixels, after the three of the place."""


@kernel
def _slab(place, direction, half, near, far):
    """The part of a ray from `near` to `far` that lies between -half and half along one axis; none if far < near."""
    if abs(direction) > 1e-12:
        one, two = (-half - place) / direction, (half - place) / direction
        return max(near, min(one, two)), min(far, max(one, two))
    return (FAR, -FAR) if abs(place) > half else (near, far)


@kernel
def _meet(objects, k, ox, oy, oz, dx, dy, dz):
    """How far along a ray an object is first met; FAR if it is not."""
    cx, cy, cz = objects[k, X] - ox, objects[k, Y] - oy, objects[k, HEIGHT] - oz
    along = cx * dx + cy * dy + cz * dz
    off = cx * cx + cy * cy + cz * cz - along * along
    bound = objects[k, BOUND]
    if off > bound * bound or along < -bound:
        return FAR
    shape = objects[k, SHAPE]
    if shape == SPHERE:
        t = along - math.sqrt(bound * bound - off)
        return t if t > 1e-4 else FAR
    c, s = objects[k, COSINE], objects[k, SINE]
    px, py, pz = -c * cx - s * cy, s * cx - c * cy, -cz
    qx, qy = c * dx + s * dy, c * dy - s * dx
    near, far = _slab(pz, dz, objects[k, HEIGHT], -FAR, FAR)
    wide = objects[k, WIDTH]
    if shape == CUBE:
        near, far = _slab(px, qx, wide, near, far)
        near, far = _slab(py, qy, wide, near, far)
    else:
        a = qx * qx + qy * qy
        b = px * qx + py * qy
        c2 = px * px + py * py - wide * wide
        if a > 1e-12:
            inside = b * b - a * c2
            if inside < 0:
                return FAR
            root = math.sqrt(inside)
            near, far = max(near, (-b - root) / a), min(far, (-b + root) / a)
        elif c2 > 0:
            return FAR
    return near if near < far and near > 1e-4 else FAR


@kernel
def _see(objects, camera, across, down, u, v, mask, hits, seen):
    """Find what is seen in the pixels of a mask: an entry in `seen` for each thing in a pixel, and return their number.

    `across` and `down` mark for each object the columns and rows where it may be, `u` and `v` have the shares of the
    samples' columns and rows in their directions (see `_directions`). An entry has the sum of the places that samples
    meet, the thing (the floor is -1), the pixel and the number of these samples. `hits` counts, by the bits that both
    marks share, the samples that see each object and those that would if it were alone.
    """
    end = 0
    for row in range(mask.shape[0]):
        for column in range(mask.shape[1]):
            if not mask[row, column]:
                continue
            begin = end
            for sample in range(u.shape[2]):
                dx = u[0, column, sample] + v[0, row, sample]
                dy = u[1, column, sample] + v[1, row, sample]
                dz = u[2, column, sample] + v[2, row, sample]
                size = 1.0 / math.sqrt(dx * dx + dy * dy + dz * dz)
                dx, dy, dz = dx * size, dy * size, dz * size
                found, best = -1, FAR
                for k in range(objects.shape[0]):
                    mark = across[k, column] & down[k, row]
                    if mark > 0:
                        t = _meet(objects, k, camera[0], camera[1], camera[2], dx, dy, dz)
                        if t < FAR:
                            hits[k, mark, ALONE] += 1
                            if t < best:
                                found, best = k, t
                if found >= 0:
                    hits[found, across[found, column] & down[found, row], SEEN] += 1
                entry = begin
                while entry < end and seen[THING, entry] != found:
                    entry += 1
                if entry == end:
                    end += 1
                    seen[THING, entry], seen[PIXEL, entry] = found, row * mask.shape[1] + column
                    seen[0, entry] = seen[1, entry] = seen[2, entry] = seen[SAMPLES, entry] = 0.0
                seen[0, entry] += camera[0] + best * dx
                seen[1, entry] += camera[1] + best * dy
                seen[2, entry] += camera[2] + best * dz
                seen[SAMPLES, entry] += 1.0
            if seen[THING, begin] < 0.0 and seen[SAMPLES, begin] == u.shape[2]:
                end = begin  # nothing but the floor
    return end


@kernel
def _ramp(value, start, rise):
    """0 up to `start`, then smoothly up to 1; `rise` is one over the width of the slope."""
    share = min(1.0, max(0.0, (value - start) * rise))
    return share * share * (3.0 - 2.0 * share)


@kernel
def _mirror(objects, things, places, rays, other, distances, room):
    """What rays from places on things meet first: another object and how far away, or (-1) the light of the room."""
    for entry in range(things.size):
        x, y, z = places[0, entry], places[1, entry], places[2, entry]
        dx, dy, dz = rays[0, entry], rays[1, entry], rays[2, entry]
        found, best = -1, FAR
        for k in range(objects.shape[0]):
            if k != things[entry]:
                t = _meet(objects, k, x, y, z, dx, dy, dz)
                if t < best:
                    found, best = k, t
        other[entry], distances[entry] = found, best
        # A floor that fades into a brighter haze, and a ceiling.
        room[entry] = 0.08 + 0.35 * _ramp(dz, -0.15, 2.0) + 0.75 * _ramp(dz, 0.45, 2.5)


@kernel
def _clearance(objects, k, x, y, z):
    """The distance from a place to the surface of a cube or cylinder, negative inside."""
    x, y = x - objects[k, X], y - objects[k, Y]
    c, s, wide = objects[k, COSINE], objects[k, SINE], objects[k, WIDTH]
    px, py = abs(c * x + s * y), abs(c * y - s * x)
    b = abs(z - objects[k, HEIGHT]) - objects[k, HEIGHT]
    above = max(b, 0.0)
    if objects[k, SHAPE] == CUBE:
        a, c = px - wide, py - wide
        beside, before = max(a, 0.0), max(c, 0.0)
        return math.sqrt(beside * beside + above * above + before * before) + min(max(a, max(b, c)), 0.0)
    a = math.sqrt(px * px + py * py) - wide
    beside = max(a, 0.0)
    return math.sqrt(beside * beside + above * above) + min(max(a, b), 0.0)


@kernel
def _light(objects, lights, things, places, mirrored, eye, light, normals):
    """The light on things, before their colour, and on the floor (-1); and the directions the surfaces there face."""
    for entry in range(things.size):
        thing = things[entry]
        x, y, z = places[0, entry], places[1, entry], places[2, entry]
        nx, ny, nz, total, low = 0.0, 0.0, 1.0, 0.40, 1.0
        if thing >= 0:
            high, wide = objects[thing, HEIGHT], objects[thing, WIDTH]
            c, s = objects[thing, COSINE], objects[thing, SINE]
            cx, cy, pz = x - objects[thing, X], y - objects[thing, Y], z - high
            px, py = c * cx + s * cy, c * cy - s * cx
            ix, iy, iz = px, py, pz
            if objects[thing, SHAPE] != SPHERE:
                edge = BEVEL * wide  # edges are rounded a little
                rise = 1.0 / edge
                iz = math.copysign(_ramp(abs(pz), high - edge, rise), pz)
                if objects[thing, SHAPE] == CUBE:
                    ix = math.copysign(_ramp(abs(px), wide - edge, rise), px)
                    iy = math.copysign(_ramp(abs(py), wide - edge, rise), py)
                else:
                    off = max(1e-9, math.sqrt(px * px + py * py))
                    side = _ramp(off, wide - edge, rise)
                    ix, iy = side * px / off, side * py / off
                if ix == 0.0 and iy == 0.0 and iz == 0.0:  # the mean of samples on two faces may lie just inside
                    ix, iy, iz = px / wide, py / wide, pz / high
            size = 1.0 / max(1e-9, math.sqrt(ix * ix + iy * iy + iz * iz))
            nx, ny, nz = (c * ix - s * iy) * size, (s * ix + c * iy) * size, iz * size
            total = 0.36 * (0.62 + 0.38 * nz)
            # Near the floor a thing is darker where it faces down.
            low = 0.55 + 0.45 * _ramp(z + 0.6 * high * (1.0 + nz), 0.0, 1.0 / high)
        normals[0, entry], normals[1, entry], normals[2, entry] = nx, ny, nz
        shadows = thing < 0 or not mirrored
        if shadows:
            # How open the place is to light from all around: things nearby take some of it.
            taken = 0.0
            for k in range(objects.shape[0]):
                bound = objects[k, HEIGHT]
                cx, cy, cz = objects[k, X] - x, objects[k, Y] - y, bound - z
                square = cx * cx + cy * cy + cz * cz
                if k != thing and square <= 30.0 * bound * bound:
                    facing = (cx * nx + cy * ny + cz * nz) / math.sqrt(square)
                    taken += max(0.0, facing) * bound * bound / max(square, bound * bound)
            total = total * max(0.15, 1.0 - 0.9 * taken) * low
        for lamp in range(lights.shape[0]):
            dx, dy, dz = lights[lamp, LIGHT_X] - x, lights[lamp, LIGHT_Y] - y, lights[lamp, LIGHT_Z] - z
            facing = dx * nx + dy * ny + dz * nz
            if facing <= 0.0:
                continue
            square = dx * dx + dy * dy + dz * dz
            near = 1.0 / math.sqrt(square)
            seen = facing * near * near * near * lights[lamp, LIGHT_POWER]
            if shadows and lights[lamp, LIGHT_SHADOWS] > 0.0:
                dx, dy, dz = dx * near, dy * near, dz * near
                spread, distance = lights[lamp, LIGHT_SIZE] * near, square * near
                for k in range(objects.shape[0]):
                    cx, cy, cz = objects[k, X] - x, objects[k, Y] - y, objects[k, HEIGHT] - z
                    along = cx * dx + cy * dy + cz * dz
                    bound = objects[k, BOUND]
                    off = cx * cx + cy * cy + cz * cz - along * along
                    reach = bound + spread * (along + bound)
                    if k == thing or along < -bound or off > reach * reach:
                        continue
                    if objects[k, SHAPE] == SPHERE:
                        if along <= 0.0:
                            continue
                        gap = (math.sqrt(max(0.0, off)) - bound) / (spread * along)
                    else:
                        begin, end = max(1e-3, along - bound), min(distance, along + bound)
                        if end <= begin:
                            continue
                        one, two = end - GOLDEN * (end - begin), begin + GOLDEN * (end - begin)
                        first = _clearance(objects, k, x + one * dx, y + one * dy, z + one * dz)
                        second = _clearance(objects, k, x + two * dx, y + two * dy, z + two * dz)
                        # The clearance of a convex thing falls and rises once: a golden section finds its least.
                        for _ in range(SHADOW_STEPS):
                            if first < second:
                                end, two, second = two, one, first
                                one = end - GOLDEN * (end - begin)
                                first = _clearance(objects, k, x + one * dx, y + one * dy, z + one * dz)
                            else:
                                begin, one, first = one, two, second
                                two = begin + GOLDEN * (end - begin)
                                second = _clearance(objects, k, x + two * dx, y + two * dy, z + two * dz)
                        gap = first / (spread * one) if first < second else second / (spread * two)
                    seen *= _ramp(gap, -1.0, 0.5)
                    if gap <= -1.0:
                        break
            total += seen
        if thing < 0:
            haze = _ramp(x * x + y * y, 0.3 * eye, HAZE / eye)
            total = FLOOR_ALBEDO * total * (1.0 - haze) + 0.46 * haze
        light[entry] = total


def render(objects, camera, lights, picture):
    """Draw the scene into uint8[height, width, 3]."""
    height, width = picture.shape[:2]
    (left, right, u), (bottom, top, v) = _pixels(height, width)
    west, south, east, north = _boxes(objects, camera)
    across, down = (west <= right) & (east >= left), (south <= top) & (north >= bottom)
    seen, _ = _seen(objects, camera, across.view(np.int8), down.view(np.int8), u, v)
    things, pixels, share = seen[THING].astype(np.int64), seen[PIXEL].astype(np.int64), seen[SAMPLES] / 4.0
    solid = np.flatnonzero(things >= 0)
    covered = np.zeros(picture.shape[:2], bool)
    covered.ravel()[pixels[solid[share[solid] == 1.0]]] = True
    floor = _floor(objects, camera, lights, covered)
    picture[...] = _bytes(floor)[..., None]
    if not solid.size:
        return
    places = seen[:3].take(solid, axis=1) / seen[SAMPLES, solid]
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
    u = left[:, None] + SAMPLES_ACROSS * (right - left)[:, None]
    v = bottom[:, None] + SAMPLES_UP * (top - bottom)[:, None]
    return (left, right, u), (bottom, top, v)


def _boxes(objects, camera):
    """A box around each object in the picture, from -1 to 1: all left edges, bottoms, right edges and tops."""
    ex, ey, ez, rx, ry, rz, ux, uy, uz, fx, fy, fz, across, high = camera.tolist()
    boxes = []
    for row in objects.tolist():
        cx, cy, cz, bound = row[X] - ex, row[Y] - ey, row[HEIGHT] - ez, row[BOUND]
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
    """What is seen in the pixels in which objects may be, and the hits of each; see `_see`."""
    mask = down.T.astype(np.float32) @ across.astype(np.float32) > 0
    seen = np.empty((SAMPLES + 1, np.count_nonzero(mask) * u.shape[1] + 1))
    hits = np.zeros((len(objects), INSIDE + 1, 2), np.int64)
    end = _see(objects, camera, across, down, *_directions(camera, u, v), mask, hits, seen)
    return seen[:, :end], hits


def _lit(objects, camera, lights, things, places, mirrored=False):
    """The light at places and the directions they face, see `_light`."""
    light, normals = np.empty(len(things)), np.empty(places.shape)
    x, y = camera[:2].tolist()
    _light(objects, lights, things, places, mirrored, x * x + y * y, light, normals)
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
        yield shine * lights[lamp, LIGHT_POWER] / distance


def _surfaces(objects, camera, lights, things, places):
    """The colours of objects at places on them."""
    light, normals = _lit(objects, camera, lights, things, places)
    views = camera[:3, None] - places
    views /= np.sqrt(_dot(views, views))
    soft, sharp = _gloss(lights, KEY, places, normals, views, (4, 7))
    palette = objects.T[RED : BLUE + 1]
    colours = palette.take(things, axis=1)
    surface = colours * light + 0.10 * soft
    metal = np.flatnonzero(objects[:, METAL].take(things))
    if not metal.size:
        return surface
    things, light, soft, sharp = things[metal], light[metal], soft[metal], sharp[metal]
    places, normals, views, colours = (part.take(metal, axis=1) for part in (places, normals, views, colours))
    (fill,) = _gloss(lights, FILL, places, normals, views, (7,))
    facing = np.maximum(0.0, _dot(normals, views))
    rays = 2.0 * facing * normals - views
    other, far, room = np.empty(len(things), np.int64), np.empty(len(things)), np.empty(len(things))
    _mirror(objects, things, places, rays, other, far, room)
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
    shown[:, 0] = hits[:, :, ALONE].sum(1)
    shown[:, 1] = hits[:, EDGE, SEEN] + hits[:, INSIDE, SEEN]
    shown[:, 2] = hits[:, INSIDE, ALONE] < shown[:, 0]
    return shown


@lru_cache(maxsize=16)
def _outline_pixels(columns, rows):
    """Pixels of an outline and one more on each side, where things that are cut off go on.

    For columns: from where to where an object must be to touch them, their middles and their marks; the same for rows.
    """
    found = []
    for count, way in ((columns, 1), (rows, -1)):
        middle = way * ((2.0 * np.arange(-1, count + 1) + 1.0) / count - 1.0)
        marks = np.full(count + 2, INSIDE, np.int8)
        marks[1] = marks[-2] = EDGE
        marks[0] = marks[-1] = RING
        found += [middle - 2.0 / count, middle + 2.0 / count, middle[:, None], marks]
    return tuple(found)
