"""The policy that Iterative-SPO trains on Spy: a small eye, sentences that it can ground in its picture, and a vote.

The eye is a convolutional network that says, for each object from left to right, what it takes its colour, shape,
size and material for; it learns that from the free labels of the generator. A clue is a choice of the object to tell
of, in the eye's own words for it. A vote weighs what every player has said against the own picture. Both choices are
scored by small networks, which begin by holding everything equally good.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from mmgames.baselines.learning import learned
from mmgames.baselines.planners.spy import stated
from mmgames.errors import MmgamesError
from mmgames.games.spy import seat_names
from mmgames.games.spy.pictures.clevr import COLOURS, MATERIALS, SHAPES, SIZES, ClevrScene, place_name
from mmgames.games.spy.pictures.pair import Fact
from mmgames.games.spy.rules import NOBODY, SpyView

PIXELS = 128
ROWS, COLUMNS = 24, 32
"""The grid on which the eye looks for the middles of objects."""
APART = 2
SLOTS = 6
"""The objects of a picture that the eye tells apart, from left to right."""
KINDS: tuple[tuple[str, ...], ...] = (tuple(SIZES), tuple(COLOURS), MATERIALS, SHAPES)
"""What an object is called by, in the order of the sentence."""
CLUE_FEATURES, VOTE_FEATURES = 8, 8
MOST_DOUBT = 8.0
RECIPE = "spy-policy-1"


class Statement(NamedTuple):
    """What a clue says of an object: its place from the left and the number of each kind that it is said to be."""

    slot: int
    kinds: tuple[int, ...]


class Seen(NamedTuple):
    """What the eye makes of a picture: how many objects there are, and log-probabilities of each kind by object."""

    count: int
    likely: tuple[np.ndarray, ...]  # [SLOTS, kinds] each

    def statement(self, slot: int) -> Statement:
        return Statement(slot, tuple(int(kind[slot].argmax()) for kind in self.likely))

    def doubt(self, statement: Statement) -> float:
        """From 0 (just what the eye sees) to 1 (something else altogether)."""
        found = sum(float(kind[statement.slot, said]) for kind, said in zip(self.likely, statement.kinds, strict=True))
        return min(-found, MOST_DOUBT) / MOST_DOUBT


def sentence(statement: Statement, count: int) -> str:
    called = " ".join(names[kind] for names, kind in zip(KINDS, statement.kinds, strict=True))
    return Fact(place_name(statement.slot, count), f"a {called}").sentence


@lru_cache(maxsize=4096)
def understood(clue: str, count: int) -> Statement | None:
    """What a clue states about an object; None if it states nothing of the kind."""
    said = stated(clue)
    if said is None:
        return None
    places = [place_name(slot, count) for slot in range(min(count, SLOTS))]
    words = said[1].split()[1:]
    if said[0] not in places or len(words) != len(KINDS):
        return None
    if any(word not in names for word, names in zip(words, KINDS, strict=True)):
        return None
    return Statement(places.index(said[0]), tuple(names.index(word) for word, names in zip(words, KINDS, strict=True)))


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
    def see(self, pictures: np.ndarray) -> list[Seen]:
        device = next(self.parameters()).device
        there, kinds = self(torch.from_numpy(pictures).to(device))
        likely = [kind.log_softmax(1).cpu().numpy() for kind in kinds]
        return [_seen(cells, [kind[i] for kind in likely]) for i, cells in enumerate(there.cpu().numpy())]


def _seen(cells: np.ndarray, likely: list[np.ndarray]) -> Seen:
    """The objects of a picture from left to right: the cells that promise most, none beside another."""
    left, found = cells.copy(), []
    while len(found) < SLOTS:
        row, column = divmod(int(left.argmax()), left.shape[1])
        if left[row, column] <= 0 and found:
            break
        found.append((column, row))
        left[max(0, row - APART) : row + APART + 1, max(0, column - 1) : column + 2] = -np.inf
    kinds = [np.zeros((SLOTS, kind.shape[0]), np.float32) for kind in likely]
    for slot, (column, row) in enumerate(sorted(found)):
        for into, kind in zip(kinds, likely, strict=True):
            into[slot] = kind[:, row, column]
    return Seen(len(found), tuple(kinds))


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


class Scorer(nn.Module):
    """How good each choice is, from what is known of it; before any update all are equally good."""

    def __init__(self, features: int, width: int = 64) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(features, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.last = nn.Linear(width, 1)
        nn.init.zeros_(self.last.weight)
        nn.init.zeros_(self.last.bias)

    def forward(self, features: Tensor, masks: Tensor) -> Tensor:
        """Log-probabilities of the choices [n, choices]; those that the mask leaves out are never made."""
        return self.last(self.layers(features))[..., 0].masked_fill(~masks, -1e9).log_softmax(1)


class SpyPolicy(nn.Module):
    """An eye and two scorers."""

    def __init__(self) -> None:
        super().__init__()
        self.eye = Eye()
        self.clue = Scorer(CLUE_FEATURES)
        self.vote = Scorer(VOTE_FEATURES)

    @torch.no_grad()
    def say(self, view: SpyView, draw: float | None) -> str:
        """The clue or the vote of a seat, drawn with a number from [0, 1), or the best."""
        seen = self.eye.see(drawn(view.picture)[None])[0]
        voting = view.stage == "vote"
        features, mask, sentences = (vote_choices if voting else clue_choices)(view, seen)
        scorer = self.vote if voting else self.clue
        likely = scorer(torch.from_numpy(features)[None], torch.from_numpy(mask)[None])[0].numpy()
        return sentences[int(likely.argmax()) if draw is None else drawn_from(likely, draw)]


def clue_choices(view: SpyView, seen: Seen) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """What is known of each object that a clue may tell of, which of them there are, and the sentences."""
    features, mask = np.zeros((SLOTS, CLUE_FEATURES), np.float32), np.zeros(SLOTS, bool)
    sentences = [""] * SLOTS
    heard = [(said.seat, understood(said.words, seen.count)) for said in view.clues]
    so_far = len(view.clues) / max(1, view.players * view.setting.rounds)
    for slot in range(min(seen.count, SLOTS)):
        own = seen.statement(slot)
        about = [(seat, seen.doubt(claim)) for seat, claim in heard if claim is not None and claim.slot == slot]
        others = [doubt for seat, doubt in about if seat != view.seat]
        sentences[slot], mask[slot] = sentence(own, seen.count), True
        features[slot] = (
            *(view.role == "spy", so_far, seen.doubt(own)),
            *(min(len(others), 4) / 4, max(others, default=0.0), min(others, default=0.0)),
            *(any(seat == view.seat for seat, _ in about), bool(others)),
        )
    return features, mask, sentences


def vote_choices(view: SpyView, seen: Seen) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """What is known of each player as a suspect, and of N/A, the last choice."""
    names = seat_names(view.players)
    features, mask = np.zeros((view.players + 1, VOTE_FEATURES), np.float32), np.ones(view.players + 1, bool)
    claims: list[list[tuple[Statement, float]]] = [[] for _ in names]
    for number, said in enumerate(view.clues):
        claim = understood(said.words, seen.count)
        if claim is None:
            features[said.seat, 4] += 0.5  # something vague
            continue
        claims[said.seat].append((claim, seen.doubt(claim)))
        repeats = any(other.seat != said.seat and other.words == said.words for other in view.clues[:number])
        features[said.seat, 5] += 0.5 * repeats
    worst = [max((doubt for _, doubt in made), default=0.0) for made in claims]
    for seat, made in enumerate(claims):
        rivals = [claim for other, told in enumerate(claims) if other != seat for claim, _ in told]
        against = sum(claim.slot == one.slot and claim.kinds != one.kinds for one, _ in made for claim in rivals)
        others = [doubt for other, doubt in enumerate(worst) if other not in (seat, view.seat)]
        features[seat, 1:4] = worst[seat], sum(doubt for _, doubt in made) / 2, min(against, 4) / 4
        features[seat, 6] = worst[seat] - max(others, default=0.0)
    if view.seat is not None and view.seat < view.players:
        mask[view.seat] = False
    suspects = sorted((doubt for seat, doubt in enumerate(worst) if seat != view.seat), reverse=True)
    features[-1, 0] = 1
    features[-1, 1] = suspects[0]
    features[-1, 7] = suspects[0] - suspects[1]
    return features, mask, [*names, NOBODY]


def drawn(scene: Any) -> np.ndarray:
    return scene.draw(PIXELS)


class Sight:
    """Looks at scenes through an eye and remembers what it saw of the last ones."""

    def __init__(self, eye: Eye, most: int = 8192) -> None:
        self.eye, self.most = eye, most
        self.kept: dict[Any, Seen] = {}

    def __call__(self, scenes: Sequence[Any]) -> list[Seen]:
        new = [scene for scene in dict.fromkeys(scenes) if scene not in self.kept]
        if new:
            if len(self.kept) + len(new) > self.most:
                self.kept = {scene: self.kept[scene] for scene in scenes if scene in self.kept}
            self.kept.update(zip(new, self.eye.see(np.stack([drawn(scene) for scene in new])), strict=True))
        return [self.kept[scene] for scene in scenes]


def save(path: str | Path, policy: SpyPolicy, about: dict[str, Any]) -> None:
    arrays = {name: value.detach().cpu().numpy().astype(np.float16) for name, value in policy.state_dict().items()}
    learned.write(path, {**about, "recipe": RECIPE, "game": "mmgames/Spy-v0"}, arrays)


def load(path: str | Path) -> SpyPolicy:
    about, arrays = learned.read(path)
    if about.get("recipe") != RECIPE:
        raise MmgamesError(f"{str(path)!r} is no checkpoint of a player of Spy; `mmgames train spo Spy` makes one.")
    policy = SpyPolicy()
    try:
        policy.load_state_dict({name: torch.from_numpy(array).float() for name, array in arrays.items()})
    except RuntimeError as error:
        raise MmgamesError(f"{str(path)!r} does not fit the policy of this mmgames; train it anew.") from error
    return policy.eval()


def drawn_from(likely: np.ndarray, draw: float) -> int:
    """A choice by its log-probabilities, with a number from [0, 1)."""
    up_to = np.cumsum(np.exp(likely.astype(np.float64)))
    return min(int(np.searchsorted(up_to, draw * up_to[-1], side="right")), int(np.flatnonzero(likely > -1e8)[-1]))
