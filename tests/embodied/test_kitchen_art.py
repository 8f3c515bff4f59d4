"""What kitchens are made of in 3D: shapes, thinned meshes, patterns and windows. Nothing here needs a renderer."""

import numpy as np
import pytest

from mmgames.embodied._scenes import bodies, furniture, models, solids, thinning
from mmgames.embodied._scenes.geometry import Box
from mmgames.embodied._world import names

THINGS = (*names.FOODS, *names.TOOLS, *names.DISHES, *names.THINGS)


def open_edges(parts: list[thinning.Part]) -> int:
    """How many edges only one face has, wherever points lie on one another."""
    points = np.concatenate([part.points for part in parts])
    starts = np.cumsum([0, *(len(part.points) for part in parts[:-1])])
    corners = np.concatenate([part.faces.astype(int) + start for part, start in zip(parts, starts, strict=True)])
    _, where = np.unique(np.round(points, 6), axis=0, return_inverse=True)
    faces = where.reshape(-1)[corners]
    faces = faces[[len(set(face)) == 3 for face in faces.tolist()]]
    edges = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    return int((np.unique(edges, axis=0, return_counts=True)[1] == 1).sum())


def a_pot() -> list[thinning.Part]:
    """A closed drum with sharp edges, of two materials that meet halfway."""
    outline = [(r, 0.0) for r in np.linspace(0, 0.05, 9)] + [(0.05, z) for z in np.linspace(0, 0.08, 15)]
    outline += [(r, 0.08) for r in np.linspace(0.05, 0, 9)]
    points, faces, normals, _ = solids.mesh(solids.lathe(outline, (0, 0, 0), (9, 9, 9)))
    upper = points[faces][:, :, 2].mean(axis=1) > 0.04
    return [thinning.Part(points, faces[part], normals) for part in (upper, ~upper)]


@pytest.mark.parametrize(
    "solid",
    [
        solids.slab((1, 2, 3), (4, 5, 6), (9, 9, 9), solids.tilt(0.5)),
        solids.ball(0.1, (0, 0, 1), (9, 9, 9), (1, 2, 0.5)),
        solids.rod((0, 0, 0), (1, 1, 0), 0.2, (9, 9, 9)),
    ],
)
def test_solids_are_closed_and_seen_from_outside(solid: solids.Solid) -> None:
    points, faces, normals, marks = solids.mesh(solid, 0.5)
    assert open_edges([thinning.Part(points, faces, normals)]) == 0 and len(marks) == len(points)
    one, two, three = points[faces].transpose(1, 0, 2)
    around = np.cross(two - one, three - one)
    assert ((around * (points[faces].mean(axis=1) - points.mean(axis=0))).sum(axis=1) > -1e-9).all()
    assert ((around * normals[faces].mean(axis=1)).sum(axis=1) > -1e-9).all()


@pytest.mark.parametrize("cell", [0.004, 0.006, 0.013])
def test_thinned_meshes_have_no_cracks(cell: float) -> None:
    pot = a_pot()
    thinned = thinning.thin(pot, cell)
    assert open_edges(pot) == open_edges(thinned) == 0
    assert sum(len(part.points) for part in thinned) < sum(len(part.points) for part in pot)
    assert open_edges(pot[:1]) > 0, "and cracks are seen where there are any"


def test_every_thing_has_a_shape_of_its_own_that_is_large_enough_to_be_seen() -> None:
    unknown = models.model("whatsit")
    shapes = {name: models.model(name) for name in (*THINGS, "fridge", "oven", "toaster", "sink")}
    assert unknown not in shapes.values() and len(set(shapes.values())) == len(shapes)
    for name in THINGS:
        wide, tall = models.reach(name)
        assert max(2 * wide, tall) > 0.22, f"{name} is too small to be told in a picture of 512 pixels"
        assert wide < 0.4, f"{name} does not fit on a worktop"
    assert all(models.model(name, True) != shapes[name] for name in ("oven", "toaster", "sink", "fridge", "cup"))


def test_robots_without_files_are_played_by_shapes_of_their_own(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("MS_ASSET_DIR", str(tmp_path))
    monkeypatch.setattr(bodies, "wheel_folder", lambda: tmp_path)
    found = {type: bodies.body_of(type) for type in bodies.ON_DISK}
    assert all(isinstance(body, bodies.Shape) for body in found.values())
    tall = {type: solids.extent(body.solids)[1] for type, body in found.items()}
    assert tall["unitree_h1"] > tall["stompy"] > tall["anymal_c"] > tall["unitree_go2"] + 0.2
    assert [len(found[type].hands) for type in found] == [2, 2, 1, 1]


def test_things_stand_beside_each_other_as_long_as_there_is_room() -> None:
    worktop = Box(0, -0.6, 2.0, 0, 0.92)
    knife, pear = (1.0, -0.17, 0.92), (1.0, -0.43, 0.92)
    assert furniture.free_spot(worktop, pear, 0.15, []) == pear
    x, y, z = furniture.free_spot(worktop, pear, 0.15, [(knife, 0.25)])
    assert (y, z) == pear[1:] and 0.2 < abs(x - 1.0) < 0.4
    full = [((at / 10, -0.3, 0.92), 0.5) for at in range(0, 20, 4)]
    assert furniture.free_spot(worktop, pear, 0.15, full) == pear
