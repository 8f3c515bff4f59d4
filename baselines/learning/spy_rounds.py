"""Rounds of Spy that learning policies play side by side, what they chose in them, and how often a policy wins."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from mmgames.baselines.learning.spy_eye import CachedEye, Detections
from mmgames.baselines.learning.spy_policy import SpyPolicy, clue_choices, sample_choice, vote_choices
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.errors import MmgamesError
from mmgames.games.spy.rules import Spy, SpyView

GAME = "mmgames/Spy-v0"


def spy_game(**options: Any) -> Spy:
    game = registry.load(GAME).game(**options)
    assert isinstance(game, Spy)
    return game


def check_judge(options: Mapping[str, Any]) -> None:
    """A sentence where options of the game leave too few votes to learn from."""
    if options.get("judge", "civilians") != "civilians":
        raise MmgamesError("spo: every civilian has to vote to be compared with the others; use judge='civilians'.")


def start_rounds(game: Spy, number: int, rng: np.random.Generator) -> list[LiveGame]:
    """So many rounds at their start."""
    rounds = [LiveGame(registry.load(GAME), game) for _ in range(number)]
    for live, seed in zip(rounds, rng.integers(2**62, size=number).tolist(), strict=True):
        live.start(np.random.default_rng(seed))
    return rounds


@dataclass
class Choices:
    """Choices that were made: what was known of each option, which there were, the one taken, its log-probability."""

    features: list[np.ndarray] = field(default_factory=list)
    masks: list[np.ndarray] = field(default_factory=list)
    taken: list[int] = field(default_factory=list)
    log_probs: list[float] = field(default_factory=list)
    policies: list[np.ndarray] = field(default_factory=list)  # log-probabilities of all options
    where: list[tuple[int, int]] = field(default_factory=list)  # round of the batch, seat


Players = dict[str, tuple[SpyPolicy, CachedEye]]
"""Who plays which side of a round, and the eye that it looks through."""


def side(view: SpyView, players: Collection[str]) -> str:
    """Which of the players a seat is: "all" sit everywhere, a "partner" in every other seat of the civilians."""
    if "all" in players:
        return "all"
    if view.role == "spy":
        return "spy"
    return "partner" if "partner" in players and (view.seat or 0) % 2 else "civilian"


class SpyRounds:
    """Rounds of Spy played side by side, by one policy or by one for each side."""

    def __init__(self, rounds: Sequence[LiveGame], players: Players) -> None:
        self.rounds, self.players = list(rounds), players
        self.clues, self.votes = Choices(), Choices()

    def play(self, rng: np.random.Generator) -> None:
        """Play all rounds to their end."""
        while any(live.movers for live in self.rounds):
            asked = [(number, seat) for number, live in enumerate(self.rounds) for seat in live.movers]
            said = self._decide(asked, rng)
            for number, live in enumerate(self.rounds):
                if live.movers:
                    live.play({seat: live.check(seat, said[number, seat]) for seat in live.movers})

    def _decide(self, asked: list[tuple[int, int]], rng: np.random.Generator) -> dict[tuple[int, int], str]:
        said: dict[tuple[int, int], str] = {}
        views = {key: self.rounds[key[0]].view(key[1]) for key in asked}
        for name, (policy, look) in self.players.items():
            mine = [key for key in asked if side(views[key], self.players) == name]
            seen = look([views[key].picture for key in mine])
            for stage, choices, into, scorer in (
                ("clue", clue_choices, self.clues, policy.clue),
                ("vote", vote_choices, self.votes, policy.vote),
            ):
                here = [(key, eye) for key, eye in zip(mine, seen, strict=True) if views[key].stage == stage]
                if here:
                    self._choose(here, views, choices, into, scorer, rng, said)
        return said

    @staticmethod
    def _choose(
        here: list[tuple[tuple[int, int], Detections]], views: dict, choices: Callable[..., Any], into: Choices,
        scorer: Any, rng: np.random.Generator, said: dict[tuple[int, int], str],
    ) -> None:  # fmt: skip
        known = [choices(views[key], eye) for key, eye in here]
        features, masks = np.stack([one[0] for one in known]), np.stack([one[1] for one in known])
        device = scorer.last.weight.device
        with torch.no_grad():
            log_probs = scorer(torch.from_numpy(features).to(device), torch.from_numpy(masks).to(device)).cpu().numpy()
        for place, (key, _) in enumerate(here):
            taken = sample_choice(log_probs[place], rng.random())
            said[key] = known[place][2][taken]
            into.features.append(features[place])
            into.masks.append(masks[place])
            into.taken.append(taken)
            into.log_probs.append(float(log_probs[place, taken]))
            into.policies.append(log_probs[place])
            into.where.append(key)


class HeldOutRounds:
    """The same rounds again and again, on pictures that nobody learns from, for whoever plays them."""

    def __init__(self, rounds: int, seed: int, **options: Any) -> None:
        self.game = spy_game(**{**options, "instances": 0})
        self.states = [live.state for live in start_rounds(self.game, rounds, np.random.default_rng([seed, 5]))]

    def play(self, players: Players, rng: np.random.Generator) -> SpyRounds:
        rounds = [LiveGame(registry.load(GAME), self.game) for _ in self.states]
        for live, state in zip(rounds, self.states, strict=True):
            live.go_on_from(state, rng)
        played = SpyRounds(rounds, players)
        played.play(rng)
        return played

    def escaped(self, players: Players, rng: np.random.Generator) -> float:
        """How often the spy wins: it does unless it alone has the most votes."""
        return float(np.mean([not self.game.caught(live.state) for live in self.play(players, rng).rounds]))

    def votes(self, players: Players, rng: np.random.Generator) -> dict[str, float]:
        """How often a civilian's likeliest vote is right, and how likely N/A is (Eq. 7)."""
        votes = self.play(players, rng).votes
        right = [int(options.argmax()) in self.states[number].spies
                 for (number, _), options in zip(votes.where, votes.policies, strict=True)]  # fmt: skip
        abstained = [float(np.exp(options[-1])) for options in votes.policies]
        return {"held_out_accuracy": float(np.mean(right)), "held_out_abstention": float(np.mean(abstained))}


def win_rate(trained: SpyPolicy, other: SpyPolicy, rounds: int, seed: int, **options: Any) -> dict[str, float]:
    """How often a policy wins against another, as the spy and as all the civilians, half of the rounds each.

    The spy wins unless it alone has the most votes.
    """
    rng = np.random.default_rng([seed, 1])
    game = spy_game(**options)
    wins: dict[str, list[int]] = {}
    for role in ("spy", "civilian"):
        sides = {"spy": other, "civilian": other} | {role: trained}
        players = {name: (policy, CachedEye(policy.eye)) for name, policy in sides.items()}
        wins[role] = []
        for first in range(0, rounds // 2, 128):
            played = SpyRounds(start_rounds(game, min(128, rounds // 2 - first), rng), players)
            played.play(rng)
            wins[role] += [game.caught(live.state) == (role == "civilian") for live in played.rounds]
    return win_rates(wins)


def win_rates(wins: Mapping[str, Sequence[bool | int]]) -> dict[str, float]:
    """What is told of rounds that were won or lost as the spy and as civilians."""
    both = np.array([*wins["spy"], *wins["civilian"]], float)
    return {
        "win_rate": float(both.mean()),
        "win_error": float(both.std(ddof=1) / len(both) ** 0.5) if len(both) > 1 else 0.0,
        "win_as_spy": float(np.mean(wins["spy"])),
        "win_as_civilian": float(np.mean(wins["civilian"])),
    }
