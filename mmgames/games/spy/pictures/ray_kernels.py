"""What the ray caster has compiled: which object a ray meets, and how much light falls on a place.

The scene is a table with one row for each object (the columns are below), `camera` has the eye, then the three axes
right, up and forward, then the tangents of half the angle of view; `lights` has rows of place, radius, brightness and
whether things cast shadows in it.

The first picture waits for the compiler, whose work grows with every line, call and kind of argument: so there are few
kernels, long ones among them, those called from ray_caster.py do not call each other, and the arrays they fill are made
there.
"""

import math

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
def find_seen(objects, camera, across, down, u, v, mask, hits, seen):
    """Find what is seen in the pixels of a mask: an entry in `seen` for each thing in a pixel, and return their number.

    `across` and `down` mark for each object the columns and rows where it may be, `u` and `v` have the shares of the
    samples' columns and rows in their directions (see `_directions` in ray_caster.py). An entry has the sum of the
    places that samples meet, the thing (the floor is -1), the pixel and the number of these samples. `hits` counts, by
    the bits that both marks share, the samples that see each object and those that would if it were alone.
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
def find_mirrored(objects, things, places, rays, other, distances, room):
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
def find_light(objects, lights, things, places, mirrored, eye, light, normals):
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
