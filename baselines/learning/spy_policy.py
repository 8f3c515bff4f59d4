"""The policy that Iterative-SPO trains on Spy: a small eye, sentences that it can ground in its picture, and a vote.

The eye (spy_eye.py) says, for each object from left to right, what it takes its colour, shape, size and material for. A
clue is a choice of the object to tell of, in the eye's own words for it. A vote weighs what every player has said
against the own picture. Both choices are scored by small networks, which begin by holding everything equally good.
"""

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from mmgames.baselines.learning import checkpoint_files
from mmgames.baselines.learning.spy_eye import KINDS, SLOTS, Detections, Eye, Statement, picture_of
from mmgames.baselines.planners.spy import stated
from mmgames.errors import MmgamesError
from mmgames.games.spy import seat_names
from mmgames.games.spy.pictures.clevr import place_name
from mmgames.games.spy.pictures.pair import Fact
from mmgames.games.spy.rules import NOBODY, SpyView

CLUE_FEATURES, VOTE_FEATURES = 8, 8
CHECKPOINT_KIND = "spy-policy-1"


@lru_cache(maxsize=4096)
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
        self.eye, self.clue, self.vote = Eye(), Scorer(CLUE_FEATURES), Scorer(VOTE_FEATURES)

    @torch.no_grad()
    def say(self, view: SpyView, draw: float | None) -> str:
        """The clue or the vote of a seat, picture_of with a number from [0, 1), or the best."""
        seen = self.eye.see(picture_of(view.picture)[None])[0]
        voting = view.stage == "vote"
        features, mask, sentences = (vote_choices if voting else clue_choices)(view, seen)
        scorer = self.vote if voting else self.clue
        log_probs = scorer(torch.from_numpy(features)[None], torch.from_numpy(mask)[None])[0].numpy()
        return sentences[int(log_probs.argmax()) if draw is None else sample_choice(log_probs, draw)]


def clue_choices(view: SpyView, seen: Detections) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """What is known of each object that a clue may tell of, which of them there are, and the sentences."""
    features, mask = np.zeros((SLOTS, CLUE_FEATURES), np.float32), np.zeros(SLOTS, bool)
    sentences = [""] * SLOTS
    heard = [(said.seat, understood(said.words, seen.objects)) for said in view.clues]
    so_far = len(view.clues) / max(1, view.players * view.setting.rounds)
    for slot in range(min(seen.objects, SLOTS)):
        own = seen.statements[slot]
        about = [(seat, seen.doubt(claim)) for seat, claim in heard if claim is not None and claim.slot == slot]
        others = [doubt for seat, doubt in about if seat != view.seat]
        sentences[slot], mask[slot] = sentence(own, seen.objects), True
        features[slot] = (
            *(view.role == "spy", so_far, seen.doubt(own)),
            *(min(len(others), 4) / 4, max(others, default=0.0), min(others, default=0.0)),
            *(any(seat == view.seat for seat, _ in about), bool(others)),
        )
    return features, mask, sentences


def vote_choices(view: SpyView, seen: Detections) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """What is known of each player as a suspect, and of N/A, the last choice."""
    names = seat_names(view.players)
    features, mask = np.zeros((view.players + 1, VOTE_FEATURES), np.float32), np.ones(view.players + 1, bool)
    claims: list[list[tuple[Statement, float]]] = [[] for _ in names]
    for number, said in enumerate(view.clues):
        claim = understood(said.words, seen.objects)
        if claim is None:
            features[said.seat, 4] += 0.5  # something vague
            continue
        claims[said.seat].append((claim, seen.doubt(claim)))
        repeats = any(other.seat != said.seat and other.words == said.words for other in view.clues[:number])
        features[said.seat, 5] += 0.5 * repeats
    worst = [max((doubt for _, doubt in made), default=0.0) for made in claims]
    for seat, made in enumerate(claims):
        rivals = [claim for other, theirs in enumerate(claims) if other != seat for claim, _ in theirs]
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


def save(path: str | Path, policy: SpyPolicy, about: dict[str, Any]) -> None:
    arrays = {name: value.detach().cpu().numpy().astype(np.float16) for name, value in policy.state_dict().items()}
    checkpoint_files.write(path, {**about, "recipe": CHECKPOINT_KIND, "game": "mmgames/Spy-v0"}, arrays)


def load(path: str | Path) -> SpyPolicy:
    about, arrays = checkpoint_files.read(path)
    if about.get("recipe") != CHECKPOINT_KIND:
        raise MmgamesError(f"{str(path)!r} is no checkpoint of a player of Spy; `mmgames train spo Spy` makes one.")
    policy = SpyPolicy()
    try:
        policy.load_state_dict({name: torch.from_numpy(array).float() for name, array in arrays.items()})
    except RuntimeError as error:
        raise MmgamesError(f"{str(path)!r} does not fit the policy of this mmgames; train it anew.") from error
    return policy.eval()


def sample_choice(log_probs: np.ndarray, draw: float) -> int:
    """A choice by its log-probabilities, with a number from [0, 1)."""
    up_to = np.cumsum(np.exp(log_probs.astype(np.float64)))
    return min(int(np.searchsorted(up_to, draw * up_to[-1], side="right")), int(np.flatnonzero(log_probs > -1e8)[-1]))
