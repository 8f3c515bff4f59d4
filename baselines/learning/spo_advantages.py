"""Iterative-SPO's advantages of votes and clues in rounds of Spy, its switch between stages, and its KL penalty.

These are functions and small classes over plain numbers, for any policy that tells the log-probability of what it said.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from torch import Tensor

from mmgames.core.live import LiveGame
from mmgames.games.spy.rules import Spy

Stage = Literal["decision", "clue"]
TINY = 1e-6


BASELINES = ("round", "batch")
"""After what the role baselines are brought up to date."""


class RoleBaselines:
    """What each role usually gets: a running mean. It is brought up to date first and then subtracted (Eq. 2).

    `each` says after what: a round, as the paper does, or a batch of rounds.
    """

    def __init__(self, alpha: float = 0.95, each: str = "round") -> None:
        self.alpha, self.each = alpha, each
        self.means: dict[str, float] = {}

    def advantages(self, role: str, rewards: np.ndarray) -> np.ndarray:
        if not len(rewards):
            return rewards
        mean = float(np.mean(rewards))
        self.means[role] = self.alpha * self.means.get(role, 0.0) + (1 - self.alpha) * mean
        return rewards - self.means[role]


def normalised(rewards: Sequence[float]) -> np.ndarray:
    """Rewards of one group, such as the votes of a round, against each other; nothing if they are all alike."""
    values = np.asarray(rewards, float)
    deviation = values.std() if len(values) else 0.0
    return np.zeros_like(values) if deviation < TINY else (values - values.mean()) / deviation


CAUSES = ("", "thresholds", "shortest", "longest")
"""What a switch of stages came from; the first: there was none."""


@dataclass
class StageSwitch:
    """Decisions are trained until they are good, clues until decisions have become bad, both within bounds.

    Accuracy and the share of N/A are running means (Eq. 8): from zero, as the paper's, or from the first value if they
    are None. A stage lasts `shortest` updates at least, and `longest` at most. `cause` says what the last update
    switched by: the thresholds; thresholds that had held before the shortest stage was over; or the longest stage.
    """

    rho: float = 0.95
    good_accuracy: float = 0.9
    good_abstention: float = 0.1
    bad_error: float = 0.4
    bad_abstention: float = 0.5
    shortest: int = 5
    longest: int = 20
    stage: Stage = "decision"
    updates: int = 0
    accuracy: float | None = 0.0
    abstention: float | None = 0.0
    ripe: bool = False
    cause: str = ""

    def update(self, accuracy: float, abstention: float) -> Stage:
        """Take in how the votes of an update went; the stage of the next one."""
        keep = lambda old, new: new if old is None else self.rho * old + (1 - self.rho) * new  # noqa: E731
        self.accuracy, self.abstention = keep(self.accuracy, accuracy), keep(self.abstention, abstention)
        self.updates += 1
        before = self.ripe
        if self.stage == "decision":
            self.ripe = self.accuracy >= self.good_accuracy and self.abstention <= self.good_abstention
        else:
            self.ripe = 1 - self.accuracy >= self.bad_error or self.abstention >= self.bad_abstention
        self.cause = ""
        if self.ripe and self.updates >= self.shortest:
            self.cause = "shortest" if before and self.updates == self.shortest else "thresholds"
        elif self.updates >= self.longest:
            self.cause = "longest"
        if self.cause:
            self.stage, self.updates, self.ripe = ("clue" if self.stage == "decision" else "decision"), 0, False
        return self.stage


def kl_divergence(log_prob: Tensor, reference: Tensor, straight_from: float = math.inf) -> Tensor:
    """An estimate of the KL divergence from the reference by the log-probabilities of what was done, never negative.

    It grows with the ratio of both probabilities. Where the reference's is `straight_from` nats above, it goes on in a
    straight line, so that one choice that has become very unlikely does not outweigh all others.
    """
    gap = reference - log_prob
    curved = gap.clamp(max=straight_from)
    return curved.exp() * (1 + (gap - curved)) - gap - 1


def vote_advantages(game: Spy, rounds: Sequence[LiveGame], where: Sequence[tuple[int, int]]) -> np.ndarray:
    """What votes are worth, given by their round and seat: those of a round against each other."""
    advantages = np.zeros(len(where))
    for number, live in enumerate(rounds):
        rewards = game.vote_rewards(live.state)
        places = [place for place, (there, _) in enumerate(where) if there == number]
        advantages[places] = normalised([rewards[where[place][1]] for place in places])
    return advantages


def clue_advantages(
    game: Spy, rounds: Sequence[LiveGame], where: Sequence[tuple[int, int]], roles: RoleBaselines | None
) -> np.ndarray:
    """What clues are worth, given by their round and seat, less what the role usually gets unless `roles` is None."""
    earned = [game.clue_rewards(live.state) for live in rounds]
    rewards = np.array([earned[number][seat] for number, seat in where])
    if roles is not None:
        spies = np.array([seat in rounds[number].state.spies for number, seat in where], bool)
        played = np.array([number if roles.each == "round" else 0 for number, _ in where])
        for number in range(len(rounds) if roles.each == "round" else 1):
            for role, which in (("spy", spies), ("civilian", ~spies)):
                mine = which & (played == number)
                rewards[mine] = roles.advantages(role, rewards[mine])
    return rewards


def votes_of(game: Spy, rounds: Sequence[LiveGame]) -> dict[str, float]:
    """How the votes of these rounds went, and how often the spy was caught."""
    events = [game.events(live.state) for live in rounds]
    votes = sum(one["votes"] for one in events)
    return {
        "accuracy": sum(one["votes right"] for one in events) / votes,
        "abstention": sum(one["votes N/A"] for one in events) / votes,
        "caught": sum(one["caught"] for one in events) / len(events),
    }
