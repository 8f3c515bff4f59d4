"""A renderer of our own: solids in 3D with true occlusion, on any machine, compiled.

`draw_mesh` finds out for every sample of a picture which triangle is nearest; `colour_in` then looks at each pixel
once, or at its samples where several triangles meet in it. Light is that of the shader in shaders/gbuffer.frag.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from mmgames.embodied._scenes import textures
from mmgames.embodied._scenes.solids import Point, Solid, Solids, joined
from mmgames.kernels.kernel import inlined, kernel, uncounted

NEAR = 0.05
SAMPLES = 2
"""So many samples across a pixel and so many down."""

SKY = (219, 229, 240)
"""What is behind everything."""

GAMMA = (np.linspace(0, 1, 4096) ** (1 / 2.2) * 255 + 0.5).astype(np.uint8)
CELL = 0.05
"""The side of a square of the floor on which light is the same, in metres."""


class Packed(NamedTuple):
    """A mesh as the kernels want it: a row for each vertex (point, normal, point of the pattern), for each triangle
    (vertices, material) and for each material (colour as linear light, glow, number of its pattern, whether one sees
    the inside of it)."""

    vertices: np.ndarray
    faces: np.ndarray
    materials: np.ndarray
    reach: float  # how far from the origin it reaches

    def around_its_middle(self) -> tuple[Packed, Point]:
        """The same mesh with its middle at the origin, and where that was: so it reaches no further than it must."""
        points = self.vertices[:, :3]
        middle = (points.min(axis=0) + points.max(axis=0)) / 2
        rows = np.concatenate([points - middle, self.vertices[:, 3:]], axis=1)
        reach = float(np.linalg.norm(rows[:, :3], axis=1).max())
        return self._replace(vertices=rows, reach=reach), tuple(middle.tolist())

    def plain(self, colour: tuple[int, int, int]) -> Packed:
        """The same mesh in one colour."""
        return self._replace(materials=np.tile(_material(Solid(colour)), (len(self.materials), 1)))


def _material(solid: Solid) -> np.ndarray:
    number = float(list(textures.PATTERNS).index(solid.pattern)) if solid.pattern else -1.0
    colour = (255, 255, 255) if solid.pattern == "sky" else solid.colour  # the sky brings colours of its own
    hollow = bool(solid.outline) and solid.outline[0][0] + solid.outline[-1][0] > 1e-6
    return np.array([*((part / 255) ** 2.2 for part in colour), solid.glow, number, hollow], np.float32)


def packed(solids: Solids) -> Packed:
    """Solids as one mesh."""
    (points, faces, normals, marks), number = joined(solids)
    vertices, reach = np.concatenate([points, normals, marks], axis=1), float(np.linalg.norm(points, axis=1).max())
    return Packed(
        vertices, np.column_stack([faces, number]).astype(np.int32), np.stack([*map(_material, solids)]), reach
    )


@lru_cache(maxsize=1)
def patterns() -> np.ndarray:
    """How bright every pattern is, as linear light, at five sizes one after the other."""
    found = []
    for kind in textures.PATTERNS:
        bright = textures.brightness(kind)
        light = (bright if bright.ndim == 3 else np.repeat(bright[..., None], 3, axis=2)).clip(0) ** 2.2
        rows = []
        while len(light) >= 16:
            rows.append(light.reshape(-1, 3))
            light = (light[::2, ::2] + light[1::2, ::2] + light[::2, 1::2] + light[1::2, 1::2]) / 4
        found.append(np.concatenate(rows))
    return np.array(found, np.float32)


@inlined
def copy(source, target):
    """Numba takes seconds for assignments of arrays, as their shapes might not fit."""
    for i in range(target.size):
        target[i] = source[i]


@kernel
def draw_mesh(depth, owner, triangles, count, vertices, faces, materials, reach, pose, lens, number):
    """Draw a mesh that stands at `pose` (x, y, z, cosine and sine of its turn); how many triangles there are then.

    `lens`: the eye, the ways to the right, up and ahead, the focal length in samples. `depth` keeps 1 / distance.
    """
    depth, owner, triangles = uncounted(depth), uncounted(owner), uncounted(triangles)
    high, wide = depth.shape
    focal, half_wide, half_high = lens[12], wide / 2.0, high / 2.0
    x, y, z = pose[0] - lens[0], pose[1] - lens[1], pose[2] - lens[2]
    right = x * lens[3] + y * lens[4] + z * lens[5]
    up = x * lens[6] + y * lens[7] + z * lens[8]
    ahead = x * lens[9] + y * lens[10] + z * lens[11]
    if ahead + reach < NEAR:
        return count
    # A ball around the mesh is outside a side of the picture if it is outside of that side's plane.
    if (abs(right) - reach * math.sqrt(1 + (half_wide / focal) ** 2)) * focal > ahead * half_wide:
        return count
    if (abs(up) - reach * math.sqrt(1 + (half_high / focal) ** 2)) * focal > ahead * half_high:
        return count
    seen = np.empty((vertices.shape[0], 7))
    for i in range(vertices.shape[0]):
        px = vertices[i, 0] * pose[3] - vertices[i, 1] * pose[4] + x
        py = vertices[i, 0] * pose[4] + vertices[i, 1] * pose[3] + y
        nx = vertices[i, 3] * pose[3] - vertices[i, 4] * pose[4]
        ny = vertices[i, 3] * pose[4] + vertices[i, 4] * pose[3]
        pz, nz = vertices[i, 2] + z, vertices[i, 5]
        seen[i, 0] = px * lens[3] + py * lens[4] + pz * lens[5]
        seen[i, 1] = px * lens[6] + py * lens[7] + pz * lens[8]
        seen[i, 2] = px * lens[9] + py * lens[10] + pz * lens[11]
        to_viewer = -0.12 * (px * nx + py * ny + pz * nz) / (math.sqrt(px * px + py * py + pz * pz) + 1e-9)
        lamp = 0.42 * (0.497 * nx - 0.348 * ny + 0.795 * nz)
        seen[i, 3] = 0.37 + 0.147 * nz + max(lamp, 0.0) + max(to_viewer, 0.0)
        seen[i, 4] = 0.37 - 0.147 * nz + max(-lamp, 0.0) + max(-to_viewer, 0.0)
        seen[i, 5], seen[i, 6] = vertices[i, 6], vertices[i, 7]
    corners, cut = np.empty((3, 7)), np.empty((4, 7))
    for i in range(faces.shape[0]):
        behind = 0
        for k in range(3):
            copy(seen[faces[i, k]], corners[k])
            behind += corners[k, 2] < NEAR
        if behind == 3:
            continue
        before, hollow = count, materials[faces[i, 3], 5] > 0.0
        if behind == 0:
            count = _triangle(depth, owner, triangles, count, corners, 1, focal, hollow)
        else:
            kept = 0
            for k in range(3):
                after = (k + 1) % 3
                if corners[k, 2] >= NEAR:
                    copy(corners[k], cut[kept])
                    kept += 1
                if (corners[k, 2] >= NEAR) != (corners[after, 2] >= NEAR):
                    share = (NEAR - corners[k, 2]) / (corners[after, 2] - corners[k, 2])
                    for part in range(7):
                        cut[kept, part] = corners[k, part] + share * (corners[after, part] - corners[k, part])
                    kept += 1
            for k in range(1, kept - 1):
                count = _triangle(depth, owner, triangles, count, cut, k, focal, hollow)
        for which in range(before, count):
            copy(materials[faces[i, 3], :5], triangles[which, 12:17])
            triangles[which, 17] = number
    return count


@kernel
def _triangle(depth, owner, triangles, count, corners, b, focal, hollow):
    """Draw the triangle of the corners 0, b and b + 1, which are in front of the camera; how many there are then.

    It is noted how its distance, its light and its pattern lie in the picture.
    """
    high, wide, c = depth.shape[0], depth.shape[1], b + 1
    wa, wb, wc = 1.0 / corners[0, 2], 1.0 / corners[b, 2], 1.0 / corners[c, 2]
    ax, ay = wide / 2.0 + focal * corners[0, 0] * wa, high / 2.0 - focal * corners[0, 1] * wa
    bx, by = wide / 2.0 + focal * corners[b, 0] * wb, high / 2.0 - focal * corners[b, 1] * wb
    cx, cy = wide / 2.0 + focal * corners[c, 0] * wc, high / 2.0 - focal * corners[c, 1] * wc
    top, bottom = max(0.0, math.ceil(min(ay, by, cy) - 0.5)), min(high - 1.0, math.floor(max(ay, by, cy) - 0.5))
    left, right = max(0.0, math.ceil(min(ax, bx, cx) - 0.5)), min(wide - 1.0, math.floor(max(ax, bx, cx) - 0.5))
    area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
    # Faces are listed around as seen from outside, and in a picture y grows downwards.
    if top > bottom or left > right or abs(area) < 1e-9 or (area > 0.0 and not hollow):
        return count
    # What is 1 at a corner and 0 along the edge opposite grows so much to the right (x) and down (y).
    b_x, b_y, c_x, c_y = (cy - ay) / area, (ax - cx) / area, (ay - by) / area, (bx - ax) / area
    b_0, c_0 = -ax * b_x - ay * b_y, -ax * c_x - ay * c_y
    a_x, a_y, a_0 = -b_x - c_x, -b_y - c_y, 1.0 - b_0 - c_0
    depth_x, depth_y = wa * a_x + wb * b_x + wc * c_x, wa * a_y + wb * b_y + wc * c_y
    depth_0 = wa * a_0 + wb * b_0 + wc * c_0
    this = np.int32(count)
    for row in range(int(top), int(bottom) + 1):
        y = row + 0.5
        low, last = left, right
        for slope, rest in ((a_x, a_0 + a_y * y), (b_x, b_0 + b_y * y), (c_x, c_0 + c_y * y)):
            if slope > 0.0:
                low = max(low, math.ceil(-rest / slope - 0.5))
            elif slope < 0.0:
                last = min(last, math.floor(-rest / slope - 0.5))
            elif rest < 0.0:
                last = -1.0
        if last < low:
            continue
        start, step = np.float32(depth_0 + depth_y * y + depth_x * (low + 0.5)), np.float32(depth_x)
        line, mine = depth[row, int(low) : int(last) + 1], owner[row, int(low) : int(last) + 1]
        # Without a branch, so that several samples are done at once.
        for k in range(len(line)):
            at, before, of = start + step * np.float32(np.int32(k)), line[k], mine[k]
            line[k] = at if at > before else before
            mine[k] = this if at > before else of
    triangles[count, 0], triangles[count, 1], triangles[count, 2] = depth_0, depth_x, depth_y
    place = 3  # from behind, the other light
    for part in (3 if area < 0 else 4, 5, 6):
        one, two, three = corners[0, part] * wa, corners[b, part] * wb, corners[c, part] * wc
        triangles[count, place] = one * a_0 + two * b_0 + three * c_0
        triangles[count, place + 1] = one * a_x + two * b_x + three * c_x
        triangles[count, place + 2] = one * a_y + two * b_y + three * c_y
        place += 3
    return count + 1


@kernel
def colour_in(owner, triangles, patterns, focal, floor_light, metres, gamma, frame):
    """Fill a frame from what is nearest at every sample. The triangles of piece 0, the floor, lie in `floor_light`."""
    # How many points of a pattern lie in a pixel one metre away, and how many squares of the floor it covers.
    dense, squares = 360.0 * SAMPLES / (focal * np.maximum(metres, 0.9)), metres / CELL
    known, share = -1, np.zeros(18)
    for row in range(frame.shape[0]):
        for column in range(frame.shape[1]):
            first, same = owner[SAMPLES * row, SAMPLES * column], True
            for i in range(SAMPLES):
                for j in range(SAMPLES):
                    same &= owner[SAMPLES * row + i, SAMPLES * column + j] == first
            red, green, blue, looks = 0, 0, 0, 1 if same else SAMPLES * SAMPLES
            for look in range(looks):
                x, y = SAMPLES * (column + 0.5), SAMPLES * (row + 0.5)
                if not same:
                    x, y = SAMPLES * column + look % SAMPLES + 0.5, SAMPLES * row + look // SAMPLES + 0.5
                    first = owner[int(y), int(x)]
                if first < 0:
                    red, green, blue = red + SKY[0], green + SKY[1], blue + SKY[2]
                    continue
                if first != known:
                    copy(triangles[first], share)
                    known = first
                w = 1.0 / (share[0] + share[1] * x + share[2] * y)
                light = (share[3] + share[4] * x + share[5] * y) * w
                r, g, b, which = share[12], share[13], share[14], int(share[16])
                if which >= 0:
                    u, v = (share[6] + share[7] * x + share[8] * y) * w, (share[9] + share[10] * x + share[11] * y) * w
                    if share[17] == 0.0:
                        down, along = max(v * squares[which], 0.0), max(u * squares[which], 0.0)
                        light *= floor_light[
                            min(np.uint32(down), floor_light.shape[0] - 1),
                            min(np.uint32(along), floor_light.shape[1] - 1),
                        ]
                    # The smaller picture of the pattern where many of its points fall on one pixel.
                    at, side, many = 0, 256, dense[which] * w
                    while many > 1.0 and side > 16:
                        at, side, many = at + side * side, side // 2, many / 2.0
                    at += int((v - math.floor(v)) * side) * side + int((u - math.floor(u)) * side)
                    r, g, b = r * patterns[which, at, 0], g * patterns[which, at, 1], b * patterns[which, at, 2]
                light = 4095.0 * (light + share[15])
                red += gamma[np.uint32(min(r * light, 4095.0))]
                green += gamma[np.uint32(min(g * light, 4095.0))]
                blue += gamma[np.uint32(min(b * light, 4095.0))]
            for part, light_of in enumerate((red, green, blue)):
                frame[row, column, part] = light_of // looks


@kernel
def count_pixels(owner, triangles, seen):
    """Add for every piece how many pixels show it, looking at one sample of each."""
    for row in range(0, owner.shape[0], SAMPLES):
        for column in range(0, owner.shape[1], SAMPLES):
            if owner[row, column] >= 0:
                seen[int(triangles[owner[row, column], 17])] += 1
