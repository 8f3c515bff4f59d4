"""Pictures of many states at once: compiled code copies sprites onto a ground, those that single pictures are of.

A game may have `sprites(game, size)` in its picture.py. The SpriteSheet that it gives has slots, and
`place(state, layout, out)`, a kernel, writes for each slot what goes there: (code, x, y), in the order in which sprites
are pasted. The code NOTHING leaves a slot empty. The first slot is for a sprite as large as the picture that takes the
place of the ground. What a code looks like, `paint(code)` tells when it first occurs.

A sprite may be an overlay, through which what is below shines. Where seats see different pictures, `sprites` gives a
sheet for each of them, whose `place` writes what that seat may see.

A buffer that keeps its pictures is drawn anew only where they change.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from functools import lru_cache
from threading import Lock
from typing import Any, NamedTuple, Protocol

import numpy as np

from mmgames.core.game import Game
from mmgames.core.game_modules import Picture
from mmgames.drawing import canvas
from mmgames.drawing.canvas import Mosaic, Overlay
from mmgames.kernels.kernel import copy_bytes, inlined, kernel, uncounted
from mmgames.kernels.kernel_game import ask

NOTHING = -1
NO_LAYOUT = np.zeros(1, np.int64)


class Sprite(NamedTuple):
    """A picture, and how far from the place it is put at its top left corner lies."""

    picture: np.ndarray
    x: int = 0
    y: int = 0
    through: np.ndarray | None = None
    """Of an overlay: how much of what is below shines through, of 255."""


def centred(picture: np.ndarray) -> Sprite:
    """A sprite whose middle is put at a place, as `canvas.paste` does with the anchor c."""
    return Sprite(picture, -(picture.shape[1] // 2), -(picture.shape[0] // 2))


def laid(over: Overlay) -> Sprite:
    """An overlay whose middle is put at a place, as `canvas.lay` does."""
    return centred(over[0])._replace(through=over[1])


def beside(picture: np.ndarray) -> Sprite:
    """A sprite that begins at a place, half of it above, as `canvas.paste` does with the anchor w."""
    return Sprite(picture, 0, -(picture.shape[0] // 2))


class PictureMemory:
    """A buffer of uint8 pictures [state, height, width, 3] and what it shows, so that only what changes has to be
    drawn; nobody else may write into it."""

    def __init__(self, sheet: SpriteSheet, pictures: Any, arrays: Any = np) -> None:
        states = len(pictures)
        self.bytes = pictures.reshape(states, -1)
        self.slots = arrays.full((states, sheet.slots, 3), NOTHING, np.int32)
        self.drawn, self.lacking = arrays.zeros(states, np.bool_), arrays.zeros(states, np.bool_)
        self.wanted = arrays.zeros(sheet.codes, np.bool_)


class SpriteSheet:
    """The ground and the sprites of a game's pictures of one size; sprites are painted when they first occur."""

    def __init__(
        self,
        ground: np.ndarray,
        place: Any,
        slots: int,
        codes: int,
        paint: Callable[[int], Sprite],
        layout: np.ndarray = NO_LAYOUT,
        apart: bool = False,
        layered: bool = False,
    ) -> None:
        """All codes are below `codes`; of one that cannot occur `paint` may raise a LookupError. `place` gets the
        numbers of `layout`. `apart`: whatever a slot holds covers the
        same pixels, and no others do, the first slot left aside. `layered`: some sprites are overlays."""
        self.shape = ground.shape
        self.slots, self.codes = slots, codes
        self._ground = np.array(ground).reshape(-1)
        self._place, self._paint, self._apart, self._layered = place, paint, apart, layered
        self._layout = np.array(layout, np.int64)
        self._lock = Lock()
        self._index = np.full(codes, NOTHING, np.int64)  # by code: which sprite it is
        # By sprite: where its pixels begin, height, width, offsets, and where begins what shines through, or NOTHING.
        self._where = np.zeros((0, 6), np.int64)
        self._pixels = np.zeros(0, np.uint8)
        self._ahead = False  # whether all that can occur is painted
        self._tables: dict[Any, list[Any]] = {}  # all of these, where the loops of a module's arrays find them

    def draw(self, states: Any, which: np.ndarray, memory: PictureMemory, loops: Any, threads: int) -> None:
        """Draw the states of `which` into the buffer of a memory; `loops` are Threads, or a Card."""
        xp = loops.arrays
        if xp is not np and not self._ahead:  # to look what is lacking would have the card wait
            self._ahead = True
            self._add(range(self.codes))
        while True:
            if xp not in self._tables:
                self._tables[xp] = [
                    loops.kept(each) for each in (self._layout, self._ground, self._index, self._where, self._pixels)
                ]
            layout, ground, index, where, pixels = self._tables[xp]
            loops.run(
                *(
                    picture_states,
                    self._place,
                    layout,
                    self._apart,
                    self._layered,
                    ground,
                    self.shape[0],
                    self.shape[1],
                ),
                *(index, where, pixels, states, which, memory.bytes, memory.slots, memory.drawn),
                *(memory.wanted, memory.lacking),
                count=len(which),
                threads=threads,
            )
            if xp is not np or not memory.lacking.any():
                return
            self._add(memory.wanted.nonzero()[0].tolist())
            which = memory.lacking.copy()
            memory.lacking[:] = memory.wanted[:] = False

    def draw_one(self, state: Any) -> np.ndarray:
        """The picture of one state."""
        out = np.empty((self.slots, 3), np.int64)
        ask(self._place, state, self._layout, out)
        frame = self._ground.reshape(self.shape).copy()
        for code, x, y in out.tolist():
            if code != NOTHING:
                sprite = self._paint(code)
                if sprite.through is None:
                    canvas.paste(frame, sprite.picture, x + sprite.x, y + sprite.y)
                else:
                    canvas.lay(frame, (sprite.picture, sprite.through), x, y)
        return frame

    def _add(self, codes: Sequence[int]) -> None:
        with self._lock:
            sprites = {}
            for code in codes:
                with contextlib.suppress(*[LookupError] if self._ahead else ()):
                    if self._index[code] == NOTHING:
                        sprites[code] = self._paint(code)
            begin, where, pixels, new = self._pixels.size, [], [self._pixels], [*sprites]
            for sprite in sprites.values():
                size = sprite.picture.size
                shines = NOTHING if sprite.through is None else begin + size
                where.append((begin, *sprite.picture.shape[:2], sprite.x, sprite.y, shines))
                parts = [part for part in (sprite.picture, sprite.through) if part is not None]
                pixels += [part.reshape(-1) for part in parts]
                begin += size * len(parts)
            self._pixels = np.concatenate(pixels)
            self._where = np.concatenate([self._where, np.array(where, np.int64).reshape(-1, 6)])
            index = self._index.copy()  # whoever draws just now has the old one
            index[new] = np.arange(len(new)) + len(self._where) - len(new)
            self._index = index
            self._tables = {}


class BatchedPicture(Picture, Protocol):
    """What the `picture.py` of a kernel game may hold besides."""

    def sprites(self, game: Game, size: int) -> SpriteSheet | Sequence[SpriteSheet]:
        """What pictures of this size are made of, for batches: pixel by pixel what `draw` gives. One sheet if all seats
        see the same picture, and otherwise one for each."""


def board_sprites(
    mosaic: Callable[[int], Mosaic], cells: int, kinds: Sequence[Any], place: Any
) -> Callable[[Any, int], SpriteSheet]:
    """`sprites` of a board: `place` gives slot 1 + cell the code cell * len(kinds) + kind, or NOTHING."""

    @lru_cache(maxsize=16)
    def sheet(size: int) -> SpriteSheet:
        def paint(code: int) -> Sprite:
            cell, kind = divmod(code, len(kinds))
            return Sprite(*mosaic(size).tile(cell, kinds[kind]))

        return SpriteSheet(mosaic(size).ground, place, 1 + cells, cells * len(kinds), paint, apart=True)

    return lambda game, size: sheet(size)


@inlined
def put(out, slot, code, x, y):
    """Write into a slot; the next one."""
    out[slot, 0] = code
    out[slot, 1] = x
    out[slot, 2] = y
    return slot + 1


@inlined
def blend_bytes(into, at, source, begin, shines, count):
    """Lay bytes over others, of which as much shines through as is told."""
    for byte in range(count):
        below = int(into[at + byte]) * int(source[shines + byte]) // 255
        into[at + byte] = below + int(source[begin + byte])


@inlined
def keep_slots(old, new):
    for slot in range(len(new)):
        old[slot, 0], old[slot, 1], old[slot, 2] = new[slot, 0], new[slot, 1], new[slot, 2]


@inlined
def lay(picture, high, wide, source, begin, shines, x, y, tall, broad):
    """Lay tall × broad pixels of a source over (x, y), as far as they cover; what is outside is cut off."""
    left, right = max(0, -x), min(broad, wide - x)
    for down in range(max(0, -y), min(tall, high - y)):
        first, here = 3 * (down * broad + left), 3 * ((y + down) * wide + x + left)
        blend_bytes(picture, here, source, begin + first, shines + first, 3 * max(0, right - left))


@inlined
def paste(picture, high, wide, source, begin, pitch, x, y, tall, broad):
    """Copy tall × broad pixels of a source, whose lines are `pitch` pixels, to (x, y); what is outside is cut off."""
    left, right = max(0, -x), min(broad, wide - x)
    for down in range(max(0, -y), min(tall, high - y)):
        there, here = begin + 3 * (down * pitch + left), 3 * ((y + down) * wide + x + left)
        copy_bytes(picture, here, source, there, 3 * max(0, right - left))


@kernel
def picture_states(
    place, layout, apart, layered, ground, high, wide, index, where, pixels,
    states, which, pictures, slots, drawn, wanted, lacking, first, last,
):  # fmt: skip
    """Ground and sprites of each state of `which`. A state that needs a sprite that is not there yet is `lacking`."""
    states, pictures, slots = uncounted(states), uncounted(pictures), uncounted(slots)
    ground, index, where, pixels = uncounted(ground), uncounted(index), uncounted(where), uncounted(pixels)
    new = np.empty((slots.shape[1], 3), np.int64)
    for i in range(first, last):
        if which[i]:
            place(states[i], layout, new)
            lacking[i] = has_no_sprite(new, slots[i], index, wanted)
            drawn[i] = not lacking[i] and draw_slots(
                new, slots[i], drawn[i], apart, layered, ground, high, wide, index, where, pixels, pictures[i]
            )


@inlined
def has_no_sprite(new, old, index, wanted):
    """Whether a code has no sprite yet; then it is `wanted`. What was there may have been drawn by another process."""
    lacks = False
    for slot in range(len(new)):
        for code in (new[slot, 0], np.int64(old[slot, 0])):
            if code != NOTHING and index[code] == NOTHING:
                wanted[code] = lacks = True
    return lacks


@kernel
def draw_slots(new, old, drawn, apart, layered, ground, high, wide, index, where, pixels, picture):
    """Make a picture of the old slots, if it is `drawn`, one of the new ones. It stands apart from the loop, which is
    compiled for every game."""
    number = len(new)
    below, base = ground, 0
    if new[0, 0] != NOTHING:
        below, base = pixels, where[index[new[0, 0]], 0]
    whole = not drawn or new[0, 0] != old[0, 0]
    if layered and not whole:
        for slot in range(1, number):
            if new[slot, 0] != old[slot, 0] or new[slot, 1] != old[slot, 1] or new[slot, 2] != old[slot, 2]:
                whole = True  # an overlay must not be laid twice
    changed = whole
    if whole:
        copy_bytes(picture, 0, below, base, ground.size)
    for slot in range(1, number):
        same = new[slot, 0] == old[slot, 0] and new[slot, 1] == old[slot, 1] and new[slot, 2] == old[slot, 2]
        if whole or same:
            continue
        changed = True
        if old[slot, 0] != NOTHING and (new[slot, 0] == NOTHING or not apart):
            sprite = index[old[slot, 0]]
            x, y = old[slot, 1] + where[sprite, 3], old[slot, 2] + where[sprite, 4]
            top, left = max(0, y), max(0, x)
            tall, broad = where[sprite, 1] - (top - y), where[sprite, 2] - (left - x)
            begin = base + 3 * (top * wide + left)
            paste(picture, high, wide, below, begin, wide, left, top, tall, broad)
    for slot in range(1, number):
        if new[slot, 0] == NOTHING or not changed:
            continue
        same = new[slot, 0] == old[slot, 0] and new[slot, 1] == old[slot, 1] and new[slot, 2] == old[slot, 2]
        if whole or not apart or not same:
            sprite = index[new[slot, 0]]
            x, y = new[slot, 1] + where[sprite, 3], new[slot, 2] + where[sprite, 4]
            tall, broad, begin = where[sprite, 1], where[sprite, 2], where[sprite, 0]
            if where[sprite, 5] == NOTHING:
                paste(picture, high, wide, pixels, begin, broad, x, y, tall, broad)
            else:
                lay(picture, high, wide, pixels, begin, where[sprite, 5], x, y, tall, broad)
    keep_slots(old, new)
    return True
