"""Compiled drawing: blocks with round corners and soft shadows, and layers laid over what is there."""

import math

from mmgames.drawing.canvas import Colour
from mmgames.kernels.kernel import kernel

BLACK = (0, 0, 0)


@kernel
def _block(frame, x0, y0, x1, y1, radius, line, fill, edge, blur, strength):
    """A block whose cover falls from `strength` to nothing, from `blur` within its outline to `blur` outside of it."""
    for y in range(max(0, int(y0 - blur)), min(frame.shape[0], int(y1 + blur + 1))):
        along = abs(y + 0.5 - (y0 + y1) / 2) - (y1 - y0) / 2 + radius
        for x in range(max(0, int(x0 - blur)), min(frame.shape[1], int(x1 + blur + 1))):
            across = abs(x + 0.5 - (x0 + x1) / 2) - (x1 - x0) / 2 + radius
            # How far the middle of the pixel is outside of the block; negative inside.
            far = math.sqrt(across * across + along * along) if across > 0 and along > 0 else max(across, along)
            far -= radius
            if far >= blur:
                continue
            if far <= -line - 0.5:
                frame[y, x, 0], frame[y, x, 1], frame[y, x, 2] = fill[0], fill[1], fill[2]
                continue
            inner = min(1.0, max(0.0, 0.5 - far - line))
            cover = strength * min(1.0, (blur - far) / (2.0 * blur))
            for i in range(3):
                painted = edge[i] * (cover - inner) + fill[i] * inner
                frame[y, x, i] = int(frame[y, x, i] * (1.0 - cover) + painted + 0.5)


@kernel
def lay(frame, colours, through, left, top):
    """Put a layer (see icons.Layer) over a frame; what would fall outside is cut off."""
    for y in range(max(0, -top), min(colours.shape[0], frame.shape[0] - top)):
        for x in range(max(0, -left), min(colours.shape[1], frame.shape[1] - left)):
            shine = through[y, x, 0]
            if shine < 256:
                for i in range(3):
                    frame[top + y, left + x, i] = (colours[y, x, i] + frame[top + y, left + x, i] * shine) >> 8


def block(frame, x0: float, y0: float, x1: float, y1: float, radius: float, line: float, fill: Colour, edge: Colour):
    """A filled block with an edge `line` wide, in pixels; corners lie anywhere between pixels."""
    radius = min(radius, (x1 - x0) / 2, (y1 - y0) / 2)
    _block(frame, float(x0), float(y0), float(x1), float(y1), float(radius), float(line), fill, edge, 0.5, 1.0)


def shade(frame, x0: float, y0: float, x1: float, y1: float, radius: float, blur: float, strength: float) -> None:
    """A soft shadow of a block: one that is all edge, black and blurred."""
    _block(
        frame, float(x0), float(y0), float(x1), float(y1), float(radius), math.inf, BLACK, BLACK, float(blur),
        float(strength),
    )  # fmt: skip
