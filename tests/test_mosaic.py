"""Pictures of boards: drawn over where nobody holds them any more, and never where somebody does."""

import numpy as np

from mmgames.drawing import canvas


def mosaic():
    def tile(place, kind):
        return np.full((8, 8, 3), 10 * kind + place, np.uint8), 8 * (place % 2), 8 * (place // 2)

    ground = np.empty((16, 16, 3), np.uint8)
    for place in range(4):
        picture, x, y = tile(place, 0)
        ground[y : y + 8, x : x + 8] = picture
    return canvas.Mosaic(ground, [0] * 4, tile)


def right(picture, kinds):
    tiles = picture[::8, ::8, 0].ravel().tolist()
    return tiles == [10 * kind + place for place, kind in enumerate(kinds)]


def frozen(picture):
    picture.setflags(write=False)
    return picture


def test_a_picture_that_nobody_holds_is_drawn_over_and_one_that_was_written_on_never():
    drawer, addresses = mosaic(), []
    for step in range(20):
        kinds = [step % 3, 1, 2, step % 5]
        picture = frozen(drawer.draw(kinds))
        assert right(picture, kinds)
        addresses.append(picture.ctypes.data)
        del picture
    assert len(set(addresses[5:])) <= canvas.GIVEN
    drawer = mosaic()
    for step in range(20):
        kinds = [1, 2, 3, step % 4]
        picture = drawer.draw(kinds)
        assert right(picture, kinds)
        picture[:] = 255
        del picture


def test_pictures_that_are_held_never_change():
    drawer, held = mosaic(), []
    rng = np.random.default_rng(0)
    for step in range(60):
        kinds = rng.integers(0, 4, 4).tolist()
        picture = frozen(drawer.draw(kinds))
        how = step % 4
        if how == 0:
            held.append((kinds, picture))
        elif how == 1:
            held.append((kinds, picture[:, :, :]))  # a part of it holds it too
        elif how == 2:
            held.append((kinds, np.asarray(memoryview(picture))))
        for known, seen in held:
            assert right(seen, known)
        del picture
