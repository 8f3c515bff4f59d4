"""The eye of the Spy player: a convolutional network that finds the objects of a picture and tells their kinds.

It learns from the free labels of the generator (`warm_up`), before the player learns to speak and to vote.
"""

import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from mmgames.games.spy.pictures.clevr import COLOURS, MATERIALS, SHAPES, SIZES, Clevr, ClevrScene
from mmgames.running.progress import Progress

PIXELS = 128
ROWS, COLUMNS = 24, 32  # the grid on which the eye looks for the middles of objects
APART = 2
SLOTS = 6  # the objects of a picture that the eye tells apart, from left to right
KINDS: tuple[tuple[str, ...], ...] = (tuple(SIZES), tuple(COLOURS), MATERIALS, SHAPES)
"""What an object is called by, in the order of the sentence."""
MOST_DOUBT = 8.0
HELD_OUT = 200  # pictures on which the eye is tried that it has not learned from


class Statement(NamedTuple):
    """What a clue says of an object: its place from the left and the number of each kind that it is said to be."""

    slot: int
    kinds: tuple[int, ...]


class Detections(NamedTuple):
    """What the eye makes of a picture: how many objects there are, log-probabilities of each kind by object, and what
    it takes each object for."""

    objects: int
    log_probs: tuple[list[list[float]], ...]  # [SLOTS, kinds] each
    statements: tuple[Statement, ...]

    def doubt(self, statement: Statement) -> float:
        """From 0 (just what the eye sees) to 1 (something else altogether)."""
        found = sum(kind[statement.slot][said] for kind, said in zip(self.log_probs, statement.kinds, strict=True))
        return min(-found, MOST_DOUBT) / MOST_DOUBT


class Eye(nn.Module):
    """Pictures -> for every cell of a grid whether an object has its middle there, and of which kinds it is."""

    def __init__(self, width: int = 48) -> None:
        super().__init__()
        layers = [nn.Conv2d(3, width // 2, 5, 2, 2), nn.Conv2d(width // 2, width, 3, 2, 1)]
        layers += [nn.Conv2d(width, width, 3, padding=reach, dilation=reach) for reach in (1, 2, 1)]
        self.look = nn.Sequential(*itertools.chain(*([layer, nn.ReLU()] for layer in layers)))
        self.there = nn.Conv2d(width, 1, 1)
        self.kinds = nn.ModuleList(nn.Conv2d(width, len(names), 1) for names in KINDS)

    def forward(self, pictures: Tensor) -> tuple[Tensor, list[Tensor]]:
        """uint8[n, height, width, 3] -> logits of there being an object [n, rows, columns], and of its kinds."""
        x = self.look(pictures.permute(0, 3, 1, 2).float() / 127.5 - 1)
        return self.there(x)[:, 0], [head(x) for head in self.kinds]

    @torch.no_grad()
    def see(self, pictures: np.ndarray) -> list[Detections]:
        device = next(self.parameters()).device
        there, kinds = self(torch.from_numpy(pictures).to(device))
        log_probs = [kind.log_softmax(1).cpu().numpy() for kind in kinds]
        return [_detections(cells, [kind[i] for kind in log_probs]) for i, cells in enumerate(there.cpu().numpy())]


def _detections(cells: np.ndarray, log_probs: list[np.ndarray]) -> Detections:
    """The objects of a picture from left to right: the cells that promise most, none beside another."""
    left = cells.copy()
    found: list[tuple[int, int]] = []
    while len(found) < SLOTS:
        row, column = divmod(int(left.argmax()), left.shape[1])
        if left[row, column] <= 0 and found:
            break
        found.append((column, row))
        left[max(0, row - APART) : row + APART + 1, max(0, column - 1) : column + 2] = -np.inf
    kinds = [np.zeros((SLOTS, kind.shape[0]), np.float32) for kind in log_probs]
    for slot, (column, row) in enumerate(sorted(found)):
        for into, kind in zip(kinds, log_probs, strict=True):
            into[slot] = kind[:, row, column]
    taken = np.stack([kind.argmax(1) for kind in kinds], 1).tolist()
    statements = tuple(Statement(slot, tuple(row)) for slot, row in enumerate(taken))
    return Detections(len(found), tuple(kind.tolist() for kind in kinds), statements)


def labels(scene: ClevrScene) -> np.ndarray:
    """What the eye should say: the row and column of each object, from left to right, and its kinds; -1 for none."""
    found = np.full((SLOTS, 2 + len(KINDS)), -1, np.int64)
    for slot, thing in enumerate(scene.record()["objects"][:SLOTS]):
        found[slot, 0] = min(int(thing["picture_y"] * ROWS), ROWS - 1)
        found[slot, 1] = min(int(thing["picture_x"] * COLUMNS), COLUMNS - 1)
        called = (thing["size"], thing["colour"], thing["material"], thing["shape"])
        for kind, (names, name) in enumerate(zip(KINDS, called, strict=True)):
            found[slot, 2 + kind] = names.index(name)
    return found


def picture_of(scene: Any) -> np.ndarray:
    return scene.draw(PIXELS)


class CachedEye:
    """Looks at scenes through an eye and remembers what it saw of the last ones."""

    def __init__(self, eye: Eye, most: int = 8192) -> None:
        self.eye, self.most = eye, most
        self.kept: dict[Any, Detections] = {}

    def __call__(self, scenes: Sequence[Any]) -> list[Detections]:
        new = [scene for scene in dict.fromkeys(scenes) if scene not in self.kept]
        if new:
            if len(self.kept) + len(new) > self.most:
                self.kept = {scene: self.kept[scene] for scene in scenes if scene in self.kept}
            self.kept.update(zip(new, self.eye.see(np.stack([picture_of(scene) for scene in new])), strict=True))
        return [self.kept[scene] for scene in scenes]


def warm_up(eye: Eye, scenes: int, epochs: int, seed: int, device: torch.device, show: bool = True) -> float:
    """Teach the eye on scenes of the generator; the share of objects it gets right altogether on fresh ones."""
    rng, source = np.random.default_rng([seed, 2]), Clevr()
    pictures, truth = [], []
    with Progress(scenes + HELD_OUT, "pictures", 0, show) as bar:
        for _ in range(scenes + HELD_OUT):
            scene = source.scene(rng)
            pictures.append(picture_of(scene))
            truth.append(labels(scene))
            bar.advance(1)
    seen, said = torch.from_numpy(np.stack(pictures[HELD_OUT:])), torch.from_numpy(np.stack(truth[HELD_OUT:]))
    optimizer = torch.optim.Adam(eye.parameters())
    order = torch.Generator().manual_seed(seed)
    many = epochs * -(-scenes // 32)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 3e-3, total_steps=max(3, many))
    with Progress(many, "warm-up", 0, show) as bar:
        for _ in range(epochs):
            for part in torch.randperm(scenes, generator=order).split(32):
                loss = eye_loss(eye, seen[part].to(device), said[part].to(device))
                optimizer.zero_grad(set_to_none=True)
                loss.backward()
                optimizer.step()
                if schedule.last_epoch < schedule.total_steps:
                    schedule.step()
                bar.advance(1)
    return sharpness(eye, np.stack(pictures[:HELD_OUT]), truth[:HELD_OUT])


def eye_loss(eye: Eye, pictures: Tensor, truth: Tensor) -> Tensor:
    """How far the eye is from the middles of the objects and, there, from their kinds."""
    there, kinds = eye(pictures)
    which, slot = (truth[:, :, 0] >= 0).nonzero(as_tuple=True)
    objects = truth[which, slot]
    row, column = objects[:, 0], objects[:, 1]
    middles = torch.zeros_like(there)
    middles[which, row, column] = 1
    weight = torch.where(middles > 0, 40.0, 1.0)  # an object has one cell of some hundred
    loss = functional.binary_cross_entropy_with_logits(there, middles, weight)
    for place, kind in enumerate(kinds):
        loss = loss + functional.cross_entropy(kind[which, :, row, column], objects[:, 2 + place])
    return loss


def sharpness(eye: Eye, pictures: np.ndarray, truth: Sequence[np.ndarray]) -> float:
    """The share of objects of which the eye gets everything right, their place from the left included."""
    right = total = 0
    for seen, objects in zip(eye.see(pictures), truth, strict=True):
        for slot, wanted in enumerate(objects[objects[:, 0] >= 0]):
            total += 1
            right += seen.statements[slot].kinds == tuple(wanted[2:]) if slot < seen.objects else 0
    return right / max(1, total)
