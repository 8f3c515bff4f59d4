"""Pictures that are kept: drawn over where nobody holds them, forgotten when a server has grown."""

import sys

import numpy as np
import pytest

from mmgames.drawing import canvas
from mmgames.drawing.canvas import KeptPictures, forget_pictures
from mmgames.play import process_memory


def mosaic():
    def tile(place, kind):
        return np.full((8, 8, 3), 10 * kind + place, np.uint8), 8 * (place % 2), 8 * (place // 2)

    ground = np.empty((16, 16, 3), np.uint8)
    for place in range(4):
        picture, x, y = tile(place, 0)
        ground[y : y + 8, x : x + 8] = picture
    return canvas.Mosaic(ground, [0] * 4, tile)


def right(picture, kinds):
    return picture[::8, ::8, 0].ravel().tolist() == [10 * kind + place for place, kind in enumerate(kinds)]


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


def picture(value: int) -> np.ndarray:
    return np.full((10, 10, 3), value, np.uint8)


def test_pictures_are_kept_up_to_a_number_of_bytes_and_the_oldest_go_first() -> None:
    kept, made = KeptPictures(650), []

    def get(value: int) -> np.ndarray:
        return kept.get(value, lambda: (made.append(value), picture(value))[1])

    assert [int(get(value)[0, 0, 0]) for value in (1, 2, 1, 3, 1, 2)] == [1, 2, 1, 3, 1, 2]
    assert made == [1, 2, 3, 2], "2 was looked at longest ago when 3 came"
    assert kept.bytes == 600
    with pytest.raises(ValueError, match="read-only"):
        get(1)[0] = 0


def test_all_that_is_kept_to_draw_faster_can_be_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = KeptPictures(10_000)
    kept.get("a", lambda: picture(1))
    first = canvas.label("forgotten", 12, (0, 0, 0), (255, 255, 255))
    forget_pictures()
    assert kept.bytes == 0
    assert (canvas.label("forgotten", 12, (0, 0, 0), (255, 255, 255)) == first).all(), "and is drawn as it was"
    forgotten: list[bool] = []
    monkeypatch.setattr(process_memory, "forget_pictures", lambda: forgotten.append(True))
    process_memory.give_back(most=1e9)
    assert not forgotten
    process_memory.give_back(most=0.0 if process_memory.resident() else -1.0)
    assert forgotten
    if sys.platform.startswith("linux"):
        assert 10 < process_memory.resident() < 1e5
