"""Pong as a picture and as features. The picture is the emulator's own screen, scaled."""

from functools import lru_cache

import numpy as np
from PIL import Image

from mmgames.games.pong.rules import FIELD, SCREEN, STEPS, PongView

# The colour numbers that occur on the screen of this cartridge, as the emulator shows them.
COLOURS = {0: (0, 0, 0), 14: (236, 236, 236), 34: (144, 72, 17), 56: (213, 130, 74), 200: (92, 186, 92)}
FASTEST_BALL, FASTEST_PADDLE = 16, 32  # units per step


@lru_cache(maxsize=1)
def _palette() -> bytes:
    colours = np.zeros((256, 3), np.uint8)
    colours[list(COLOURS)] = list(COLOURS.values())
    return colours.tobytes()


def shows(view: PongView) -> bytes:
    """The screen, which both players of a duel look at."""
    return view.frame


def draw(view: PongView, size: int = 512) -> np.ndarray:
    return _screen(view.frame, size).copy()


@lru_cache(maxsize=4)
def _screen(frame: bytes, size: int) -> np.ndarray:
    """The scaled screen; both players of a duel look at the same one."""
    height, width = SCREEN
    screen = Image.frombuffer("P", (width, height), frame, "raw", "P", 0, 1)
    screen.putpalette(_palette())
    colours, wide = screen.convert("RGB"), round(size * width / height)
    if size < height:  # pixels are averaged, so that the ball never vanishes
        return np.array(colours.resize((wide, size), Image.Resampling.BOX))
    across = np.array(colours.resize((wide, height), Image.Resampling.NEAREST))
    return across.take(np.arange(size) * height // size, axis=0)


def features(view: PongView) -> np.ndarray:
    """Seen with the own paddle on the right: the left player's field is mirrored. A spectator sits on the right."""
    mirrored = view.seat == 1
    ball, before = view.scene.ball, view.before.ball
    out = np.zeros(13, np.float32)
    side = -1 if mirrored else 1
    if ball is not None:
        out[0] = 1
        out[1] = side * (2 * ball[0] / FIELD - 1)
        out[2] = 2 * ball[1] / FIELD - 1
        if before is not None:
            out[3] = side * (ball[0] - before[0]) / FASTEST_BALL
            out[4] = (ball[1] - before[1]) / FASTEST_BALL
    paddles, earlier = (view.scene[1:], view.before[1:]) if mirrored else (view.scene[:0:-1], view.before[:0:-1])
    points = view.points if mirrored else view.points[::-1]
    for who in (0, 1):
        out[5 + who] = 2 * paddles[who] / FIELD - 1
        out[7 + who] = (paddles[who] - earlier[who]) / FASTEST_PADDLE
        out[9 + who] = 2 * points[who] / view.target - 1
    out[11] = 2 * view.step / STEPS - 1
    out[12] = 1 if view.over else -1
    return np.clip(out, -1, 1)
