"""Constants that environments, matches and tests share."""

from typing import Literal

RENDER_MODES = ["human", "rgb_array", "ansi"]
IllegalPolicy = Literal["penalty", "error"]
ILLEGAL_REWARD = -1.0
MOST_FRAMES = 64  # pictures in one observation
MAX_MESSAGE = 200_000  # characters of a text action

SEAT_OPTIONS = ("seat", "others")  # of the Gymnasium environment alone
SHARED_OPTIONS = (
    "observe",
    "flat",
    "size",
    "frames",
    "legal_in_text",
    "reasoning",
    "illegal",
    "reading",
    "max_steps",
    "render_mode",
)
OWN_OPTIONS = (*SEAT_OPTIONS, *SHARED_OPTIONS)
