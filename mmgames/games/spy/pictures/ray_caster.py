"""A small ray caster for spheres, cubes and cylinders on a grey floor, compiled with Numba.

Four samples a pixel decide what is seen there; each thing seen is shaded once, and the floor, whose light changes
slowly, at every fourth pixel. Shadows are soft without noise: how much of a round light an object hides follows from
how near the ray to the light comes to it. Metal mirrors its surroundings once. Only additions, products, quotients and
roots are used, so that every machine draws the same.

The scene is a table with one row for each object (the columns are below), `camera` has the eye, then the three axes
right, up and forward, then the tangents of half the angle of view; `lights` has rows of place, radius and brightness.
"""

from __future__ import annotations

import numpy as np

from mmgames.core.kernel import kernel

X, Y, RADIUS, SHAPE, METAL, COSINE, SINE, RED, GREEN, BLUE, HEIGHT, WIDTH, BOUND = range(13)
"""Columns of the table: place on the floor, nominal radius, shape, material, turn, colour (linear light), half the
height, half the width (of a cube or cylinder) and the radius of a ball around all of it."""
COLUMNS = 13
CUBE, SPHERE, CYLINDER = 0, 1, 2
KEY, FILL, BACK = 0, 1, 2
LIGHT_X, LIGHT_Y, LIGHT_Z, LIGHT_SIZE, LIGHT_POWER = range(5)

FAR = 1e9
BEVEL = 0.09  # how much of a half side is rounded off
FLOOR_ALBEDO = 0.44
HAZE = 0.16  # how fast the floor fades into the background
GOLDEN = 0.6180339887498949
SHADOW_STEPS = 7


@kernel
def _local(objects, k, x, y, z):
    """A place in the frame of an object, whose middle is the origin."""
    x, y = x - objects[k, X], y - objects[k, Y]
    c, s = objects[k, COSINE], objects[k, SINE]
    return c * x + s * y, c * y - s * x, z - objects[k, HEIGHT]


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
        t = along - np.sqrt(bound * bound - off)
        return t if t > 1e-4 else FAR
    px, py, pz = _local(objects, k, ox, oy, oz)
    c, s = objects[k, COSINE], objects[k, SINE]
    qx, qy = c * dx + s * dy, c * dy - s * dx
    high, wide = objects[k, HEIGHT], objects[k, WIDTH]
    # The slab between bottom and top, which cubes and cylinders have in common.
    near, far = -FAR, FAR
    if abs(dz) > 1e-12:
        one, two = (-high - pz) / dz, (high - pz) / dz
        near, far = min(one, two), max(one, two)
    elif abs(pz) > high:
        return FAR
    if shape == CUBE:
        if abs(qx) > 1e-12:
            one, two = (-wide - px) / qx, (wide - px) / qx
            near, far = max(near, min(one, two)), min(far, max(one, two))
        elif abs(px) > wide:
            return FAR
        if abs(qy) > 1e-12:
            one, two = (-wide - py) / qy, (wide - py) / qy
            near, far = max(near, min(one, two)), min(far, max(one, two))
        elif abs(py) > wide:
            return FAR
    else:
        a = qx * qx + qy * qy
        b = px * qx + py * qy
        c2 = px * px + py * py - wide * wide
        if a > 1e-12:
            inside = b * b - a * c2
            if inside < 0:
                return FAR
            root = np.sqrt(inside)
            near, far = max(near, (-b - root) / a), min(far, (-b + root) / a)
        elif c2 > 0:
            return FAR
    return near if near < far and near > 1e-4 else FAR


@kernel
def _nearest(objects, skip, ox, oy, oz, dx, dy, dz):
    """Which object a ray meets first, and how far away; -1 if none."""
    found, best = -1, FAR
    for k in range(objects.shape[0]):
        if k != skip:
            t = _meet(objects, k, ox, oy, oz, dx, dy, dz)
            if t < best:
                found, best = k, t
    return found, best


@kernel
def _ramp(value, start, rise):
    """0 up to `start`, then smoothly up to 1; `rise` is one over the width of the slope."""
    share = min(1.0, max(0.0, (value - start) * rise))
    return share * share * (3.0 - 2.0 * share)


@kernel
def _normal(objects, k, x, y, z):
    """The direction a surface faces at a place on it; edges are rounded a little."""
    px, py, pz = _local(objects, k, x, y, z)
    shape = objects[k, SHAPE]
    if shape == SPHERE:
        nx, ny, nz = px, py, pz
    else:
        high, wide = objects[k, HEIGHT], objects[k, WIDTH]
        edge = BEVEL * wide
        rise = 1.0 / edge
        up = _ramp(abs(pz), high - edge, rise) * (1.0 if pz > 0 else -1.0)
        if shape == CUBE:
            nx = _ramp(abs(px), wide - edge, rise) * (1.0 if px > 0 else -1.0)
            ny = _ramp(abs(py), wide - edge, rise) * (1.0 if py > 0 else -1.0)
        else:
            off = max(1e-9, np.sqrt(px * px + py * py))
            side = _ramp(off, wide - edge, rise)
            nx, ny = side * px / off, side * py / off
        nz = up
        if nx == 0.0 and ny == 0.0 and nz == 0.0:  # the mean of samples on two faces may lie just inside
            nx, ny, nz = px / wide, py / wide, pz / high
    size = 1.0 / max(1e-9, np.sqrt(nx * nx + ny * ny + nz * nz))
    c, s = objects[k, COSINE], objects[k, SINE]
    return (c * nx - s * ny) * size, (s * nx + c * ny) * size, nz * size


@kernel
def _clearance(objects, k, x, y, z):
    """The distance from a place to the surface of a cube or cylinder, negative inside."""
    px, py, pz = _local(objects, k, x, y, z)
    high, wide = objects[k, HEIGHT], objects[k, WIDTH]
    b = abs(pz) - high
    if objects[k, SHAPE] == CUBE:
        a, c = abs(px) - wide, abs(py) - wide
        outside = np.sqrt(max(a, 0.0) ** 2 + max(b, 0.0) ** 2 + max(c, 0.0) ** 2)
        return outside + min(max(a, max(b, c)), 0.0)
    a = np.sqrt(px * px + py * py) - wide
    return np.sqrt(max(a, 0.0) ** 2 + max(b, 0.0) ** 2) + min(max(a, b), 0.0)


@kernel
def _lamp(objects, skip, x, y, z, nx, ny, nz, lights, light, shadows):
    """What a surface that faces n gets of a lamp; `skip` is the object it belongs to."""
    dx, dy, dz = lights[light, LIGHT_X] - x, lights[light, LIGHT_Y] - y, lights[light, LIGHT_Z] - z
    facing = dx * nx + dy * ny + dz * nz
    if facing <= 0.0:
        return 0.0
    square = dx * dx + dy * dy + dz * dz
    near = 1.0 / np.sqrt(square)
    seen = facing * near * near * near * lights[light, LIGHT_POWER]
    if not shadows:
        return seen
    distance = square * near
    dx, dy, dz = dx * near, dy * near, dz * near
    spread = lights[light, LIGHT_SIZE] * near
    for k in range(objects.shape[0]):
        if k == skip:
            continue
        cx, cy, cz = objects[k, X] - x, objects[k, Y] - y, objects[k, HEIGHT] - z
        along = cx * dx + cy * dy + cz * dz
        bound = objects[k, BOUND]
        if along < -bound:
            continue
        off = cx * cx + cy * cy + cz * cz - along * along
        reach = bound + spread * (along + bound)
        if off > reach * reach:
            continue
        if objects[k, SHAPE] == SPHERE:
            if along <= 0.0:
                continue
            gap = (np.sqrt(max(0.0, off)) - bound) / (spread * along)
        else:
            # Along a ray the clearance of a convex thing falls and rises once: a golden section finds its least.
            low, high = max(1e-3, along - bound), min(distance, along + bound)
            if high <= low:
                continue
            one, two = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
            first = _clearance(objects, k, x + one * dx, y + one * dy, z + one * dz)
            second = _clearance(objects, k, x + two * dx, y + two * dy, z + two * dz)
            for _ in range(SHADOW_STEPS):
                if first < second:
                    high, two, second = two, one, first
                    one = high - GOLDEN * (high - low)
                    first = _clearance(objects, k, x + one * dx, y + one * dy, z + one * dz)
                else:
                    low, one, first = one, two, second
                    two = low + GOLDEN * (high - low)
                    second = _clearance(objects, k, x + two * dx, y + two * dy, z + two * dz)
            gap = first / (spread * one) if first < second else second / (spread * two)
        if gap <= -1.0:
            return 0.0
        seen *= _ramp(gap, -1.0, 0.5)
    return seen


@kernel
def _open(objects, skip, x, y, z, nx, ny, nz):
    """How open a place is to light from all around: things nearby take some of it."""
    taken = 0.0
    for k in range(objects.shape[0]):
        if k == skip:
            continue
        cx, cy, cz = objects[k, X] - x, objects[k, Y] - y, objects[k, HEIGHT] - z
        square = cx * cx + cy * cy + cz * cz
        bound = objects[k, HEIGHT]
        if square > 30.0 * bound * bound:
            continue
        facing = (cx * nx + cy * ny + cz * nz) / np.sqrt(square)
        taken += max(0.0, facing) * bound * bound / max(square, bound * bound)
    return max(0.15, 1.0 - 0.9 * taken)


@kernel
def _background(up):
    """The light of the far room in a direction: a floor that fades into a brighter haze and a ceiling."""
    return 0.08 + 0.35 * _ramp(up, -0.15, 2.0) + 0.75 * _ramp(up, 0.45, 2.5)


@kernel
def _floor(objects, x, y, eye, lights):
    """The light that the floor sends back, the same in all colours; `eye` is the square of the eye's distance."""
    light = 0.40 * _open(objects, -1, x, y, 0.0, 0.0, 0.0, 1.0)
    light += _lamp(objects, -1, x, y, 0.0, 0.0, 0.0, 1.0, lights, KEY, True)
    light += _lamp(objects, -1, x, y, 0.0, 0.0, 0.0, 1.0, lights, FILL, False)
    light += _lamp(objects, -1, x, y, 0.0, 0.0, 0.0, 1.0, lights, BACK, True)
    haze = _ramp(x * x + y * y, 0.3 * eye, HAZE / eye)
    return FLOOR_ALBEDO * light * (1.0 - haze) + 0.46 * haze


@kernel
def _gloss(x, y, z, nx, ny, nz, vx, vy, vz, lights, light, doublings):
    """The highlight of a lamp, the sharper the more doublings; v is the direction the surface is looked at from."""
    dx, dy, dz = lights[light, LIGHT_X] - x, lights[light, LIGHT_Y] - y, lights[light, LIGHT_Z] - z
    distance = np.sqrt(dx * dx + dy * dy + dz * dz)
    hx, hy, hz = dx / distance + vx, dy / distance + vy, dz / distance + vz
    size = max(1e-9, np.sqrt(hx * hx + hy * hy + hz * hz))
    shine = max(0.0, (hx * nx + hy * ny + hz * nz) / size)
    for _ in range(doublings):
        shine *= shine
    return shine * lights[light, LIGHT_POWER] / (distance * distance)


@kernel
def _matte(objects, k, x, y, z, nx, ny, nz, lights, shadows):
    """The light on the surface of an object, before its colour."""
    around = 0.36 * (0.62 + 0.38 * nz)
    if shadows:
        around *= _open(objects, k, x, y, z, nx, ny, nz)
        # Near the floor a thing is darker where it faces down.
        high = objects[k, HEIGHT]
        around *= 0.55 + 0.45 * _ramp(z + 0.6 * high * (1.0 + nz), 0.0, 1.0 / high)
    around += _lamp(objects, k, x, y, z, nx, ny, nz, lights, KEY, shadows)
    around += _lamp(objects, k, x, y, z, nx, ny, nz, lights, FILL, False)
    return around + _lamp(objects, k, x, y, z, nx, ny, nz, lights, BACK, shadows)


@kernel
def _surface(objects, k, x, y, z, vx, vy, vz, eye, lights):
    """The colour of an object at a place; v is the direction towards the eye."""
    nx, ny, nz = _normal(objects, k, x, y, z)
    light = _matte(objects, k, x, y, z, nx, ny, nz, lights, True)
    red, green, blue = objects[k, RED], objects[k, GREEN], objects[k, BLUE]
    if objects[k, METAL] == 0.0:
        gloss = 0.10 * _gloss(x, y, z, nx, ny, nz, vx, vy, vz, lights, KEY, 4)
        return red * light + gloss, green * light + gloss, blue * light + gloss
    facing = max(0.0, nx * vx + ny * vy + nz * vz)
    rx, ry, rz = 2.0 * facing * nx - vx, 2.0 * facing * ny - vy, 2.0 * facing * nz - vz
    other, t = _nearest(objects, k, x, y, z, rx, ry, rz)
    if other >= 0:
        mx, my, mz = x + t * rx, y + t * ry, z + t * rz
        ox, oy, oz = _normal(objects, other, mx, my, mz)
        seen = _matte(objects, other, mx, my, mz, ox, oy, oz, lights, False)
        mirror_r, mirror_g = objects[other, RED] * seen, objects[other, GREEN] * seen
        mirror_b = objects[other, BLUE] * seen
    else:
        mirror = _background(rz)
        if rz < -0.02:
            # What is further away is mirrored more darkly, which gives flat faces of metal their sheen.
            t = -z / rz
            near = 1.0 / (1.0 + 1.6 * t * t)
            mirror += near * (1.45 * _floor(objects, x + t * rx, y + t * ry, eye, lights) - mirror)
        mirror_r = mirror_g = mirror_b = mirror
    rim = 1.0 - facing
    rim = rim * rim * rim * rim * 0.35
    gloss = 2.4 * _gloss(x, y, z, nx, ny, nz, vx, vy, vz, lights, KEY, 7)
    gloss += 1.2 * _gloss(x, y, z, nx, ny, nz, vx, vy, vz, lights, FILL, 7)
    gloss += 0.25 * _gloss(x, y, z, nx, ny, nz, vx, vy, vz, lights, KEY, 4)
    body, white = 0.26 * light, 0.05 + rim
    return (
        red * (body + 1.25 * mirror_r) + white * mirror_r + gloss,
        green * (body + 1.25 * mirror_g) + white * mirror_g + gloss,
        blue * (body + 1.25 * mirror_b) + white * mirror_b + gloss,
    )


@kernel
def _byte(light):
    """Linear light as a byte: a soft shoulder for what is brighter than white, then a gamma of 2."""
    if light > 0.7:
        over = light - 0.7
        light = 0.7 + 0.3 * over / (over + 0.3)
    return np.uint8(np.sqrt(max(0.0, light)) * 255.0 + 0.5)


@kernel
def _floor_grid(objects, camera, lights, height, width):
    """The light of the floor at the middle of every second pixel of every second row, and one beyond the edges."""
    ex, ey, ez = camera[0], camera[1], camera[2]
    eye = ex * ex + ey * ey
    grid = np.empty(((height + 3) // 2, (width + 3) // 2))
    for row in range(grid.shape[0]):
        for column in range(grid.shape[1]):
            dx, dy, dz = _ray(camera, (4.0 * column + 1.0) / width - 1.0, 1.0 - (4.0 * row + 1.0) / height)
            away = -ez / min(dz, -1e-6)
            grid[row, column] = _floor(objects, ex + away * dx, ey + away * dy, eye, lights)
    return grid


@kernel
def _between(grid, row, column):
    """The light of the floor at a pixel, from the places of the grid around it: shadows are soft enough for that."""
    y, x = row // 2, column // 2
    light = grid[y, x]
    if column % 2 == 1:
        light = 0.5 * (light + grid[y, x + 1])
    if row % 2 == 1:
        below = grid[y + 1, x]
        if column % 2 == 1:
            below = 0.5 * (below + grid[y + 1, x + 1])
        light = 0.5 * (light + below)
    return light


@kernel
def render(objects, camera, lights, picture):
    """Draw the scene into uint8[height, width, 3]."""
    height, width = picture.shape[0], picture.shape[1]
    ex, ey, ez = camera[0], camera[1], camera[2]
    eye = ex * ex + ey * ey
    grid = _floor_grid(objects, camera, lights, height, width)
    count = objects.shape[0]
    boxes = np.empty((count, 4))
    for k in range(count):
        boxes[k] = _box(objects, k, camera)
    thing = np.empty(4, np.int64)
    place = np.empty((4, 3))
    near = np.empty(count, np.int64)
    for row in range(height):
        for column in range(width):
            left, top = 2.0 * column / width - 1.0, 1.0 - 2.0 * (row + 1) / height
            right, bottom = 2.0 * (column + 1) / width - 1.0, top
            top += 2.0 / height
            candidates = 0
            for k in range(count):
                if boxes[k, 0] <= right and boxes[k, 2] >= left and boxes[k, 1] <= top and boxes[k, 3] >= bottom:
                    near[candidates] = k
                    candidates += 1
            if candidates == 0:
                grey = _byte(_between(grid, row, column))  # all four samples see the floor
                picture[row, column, 0] = picture[row, column, 1] = picture[row, column, 2] = grey
                continue
            for sample in range(4):
                # A turned square of samples: no two share a row or a column.
                u = left + (0.125 + 0.25 * sample) * (right - left)
                v = bottom + (0.125 + 0.25 * ((2 * sample + 1) % 5)) * (top - bottom)
                dx, dy, dz = _ray(camera, u, v)
                found, best = -1, FAR
                for i in range(candidates):
                    t = _meet(objects, near[i], ex, ey, ez, dx, dy, dz)
                    if t < best:
                        found, best = near[i], t
                thing[sample] = found
                if found >= 0:
                    place[sample, 0], place[sample, 1] = ex + best * dx, ey + best * dy
                    place[sample, 2] = ez + best * dz
            red = green = blue = 0.0
            for sample in range(4):
                k = thing[sample]
                if k == -2:
                    continue
                x, y, z, alike = 0.0, 0.0, 0.0, 0
                for other in range(sample, 4):
                    if thing[other] == k:
                        if k >= 0:
                            x, y, z = x + place[other, 0], y + place[other, 1], z + place[other, 2]
                        alike += 1
                        thing[other] = -2
                x, y, z = x / alike, y / alike, z / alike
                share = alike / 4.0
                if k < 0:
                    r = g = b = _between(grid, row, column)
                else:
                    vx, vy, vz = ex - x, ey - y, ez - z
                    size = np.sqrt(vx * vx + vy * vy + vz * vz)
                    r, g, b = _surface(objects, k, x, y, z, vx / size, vy / size, vz / size, eye, lights)
                red, green, blue = red + share * min(r, 2.0), green + share * min(g, 2.0), blue + share * min(b, 2.0)
            picture[row, column, 0] = _byte(red)
            picture[row, column, 1] = _byte(green)
            picture[row, column, 2] = _byte(blue)


@kernel
def _ray(camera, u, v):
    """The direction through a place of the picture, u and v from -1 to 1."""
    u, v = u * camera[12], v * camera[13]
    dx = camera[9] + u * camera[3] + v * camera[6]
    dy = camera[10] + u * camera[4] + v * camera[7]
    dz = camera[11] + u * camera[5] + v * camera[8]
    size = 1.0 / np.sqrt(dx * dx + dy * dy + dz * dz)
    return dx * size, dy * size, dz * size


@kernel
def _box(objects, k, camera):
    """A box around an object in the picture: left, bottom, right, top, from -1 to 1."""
    cx, cy, cz = objects[k, X] - camera[0], objects[k, Y] - camera[1], objects[k, HEIGHT] - camera[2]
    right = cx * camera[3] + cy * camera[4] + cz * camera[5]
    up = cx * camera[6] + cy * camera[7] + cz * camera[8]
    ahead = cx * camera[9] + cy * camera[10] + cz * camera[11]
    bound = objects[k, BOUND]
    # The outline of a ball in perspective, along each axis of the picture.
    box = np.empty(4)
    for axis in range(2):
        middle = right if axis == 0 else up
        tangent = camera[12] if axis == 0 else camera[13]
        square = middle * middle + ahead * ahead
        root = np.sqrt(max(1e-9, square - bound * bound))
        below = (middle * root - bound * ahead) / (ahead * root + bound * middle)
        above = (middle * root + bound * ahead) / (ahead * root - bound * middle)
        box[axis], box[2 + axis] = below / tangent, above / tangent
    return box


@kernel
def outlines(objects, camera, columns, rows):
    """What shows of each object: its pixels if it were alone, those that are seen, and whether it touches the edge."""
    count = objects.shape[0]
    shown = np.zeros((count, 3), np.int64)
    nearest = np.full((rows, columns), FAR)
    seen = np.full((rows, columns), -1)
    for k in range(count):
        box = _box(objects, k, camera)
        first, last = (
            max(-1, int((box[0] + 1.0) / 2.0 * columns) - 1),
            min(columns, int((box[2] + 1.0) / 2.0 * columns) + 1),
        )
        top, bottom = max(-1, int((1.0 - box[3]) / 2.0 * rows) - 1), min(rows, int((1.0 - box[1]) / 2.0 * rows) + 1)
        for row in range(top, bottom + 1):
            for column in range(first, last + 1):
                u, v = (2.0 * column + 1.0) / columns - 1.0, 1.0 - (2.0 * row + 1.0) / rows
                dx, dy, dz = _ray(camera, u, v)
                t = _meet(objects, k, camera[0], camera[1], camera[2], dx, dy, dz)
                if t == FAR:
                    continue
                shown[k, 0] += 1
                if row <= 0 or column <= 0 or row >= rows - 1 or column >= columns - 1:
                    shown[k, 2] = 1
                if 0 <= row < rows and 0 <= column < columns and t < nearest[row, column]:
                    nearest[row, column], seen[row, column] = t, k
    for row in range(rows):
        for column in range(columns):
            if seen[row, column] >= 0:
                shown[seen[row, column], 1] += 1
    return shown
