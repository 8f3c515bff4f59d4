"""What a server keeps and gives back."""

import sys

import numpy as np
import pytest

from mmgames.drawing import canvas
from mmgames.drawing.kept_pictures import KeptPictures, forget_pictures
from mmgames.play import process_memory


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


def test_all_that_is_kept_to_draw_faster_can_be_forgotten() -> None:
    kept = KeptPictures(10_000)
    kept.get("a", lambda: picture(1))
    first = canvas.label("forgotten", 12, (0, 0, 0), (255, 255, 255))
    forget_pictures()
    assert kept.bytes == 0
    assert (canvas.label("forgotten", 12, (0, 0, 0), (255, 255, 255)) == first).all(), "and is drawn as it was"


def test_a_server_forgets_pictures_when_it_has_grown(monkeypatch: pytest.MonkeyPatch) -> None:
    forgotten: list[bool] = []
    monkeypatch.setattr(process_memory, "forget_pictures", lambda: forgotten.append(True))
    process_memory.give_back(most=1e9)
    assert not forgotten
    process_memory.give_back(most=0.0 if process_memory.resident() else -1.0)
    assert forgotten
    if sys.platform.startswith("linux"):
        assert 10 < process_memory.resident() < 1e5
