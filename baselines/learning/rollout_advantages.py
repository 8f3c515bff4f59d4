"""What the decisions of rollouts are worth: against their group, turn by turn, or against what their role usually gets.

Each function gives one number for each decision, in their order: 0 for those that are marked, as nothing is learned
from them. They take part in no mean either, except that `group_advantages` compares whole episodes. Before that,
`learned_from` takes away the marks of those that are learned from all the same, and what a refused reply costs.
"""

from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import replace

import numpy as np

from mmgames.baselines.learning.spo_advantages import RoleBaselines, normalised
from mmgames.running.rollouts import Decision, Mark

Group = Callable[[Decision], Hashable]


def same_start(decision: Decision) -> Hashable:
    """The group of all episodes with one start."""
    return decision.env, decision.seed


def learned_from(decisions: Sequence[Decision], marks: Collection[Mark], refusal_cost: float = 0.0) -> list[Decision]:
    """These decisions, unmarked where they have no marks but these; a refused one that is learned from pays its cost.

    The seat pays where it was refused, so what follows its earlier decisions is less, too.
    """
    found: list[Decision] = []
    costs: dict[Hashable, float] = {}
    for one in reversed(decisions):
        cost = 0.0
        if not set(one.marks) - set(marks):
            cost = refusal_cost if one.refused else 0.0
            one = replace(one, marks=(), reward=one.reward - cost)
        later = costs[_trajectory(one)] = costs.get(_trajectory(one), 0.0) + cost
        found.append(replace(one, reward_to_go=one.reward_to_go - later) if later else one)
    return found[::-1]


def group_advantages(decisions: Sequence[Decision], group: Group = same_start) -> np.ndarray:
    """As in GRPO: what a seat's episode came to against the other episodes of its group, for all its decisions alike.

    An episode counts once, however many decisions it took, and counts unless it failed or its seat is frozen.
    """
    returns: dict[Hashable, dict[Hashable, float]] = {}
    for one in decisions:
        if not {"failed", "frozen"}.intersection(one.marks):  # what follows the first decision is all there is
            returns.setdefault((group(one), one.role), {}).setdefault(_trajectory(one), one.reward_to_go)
    worth = {
        key: dict(zip(episodes, normalised([*episodes.values()]), strict=True)) for key, episodes in returns.items()
    }
    return np.array([0.0 if one.marks else worth[group(one), one.role][_trajectory(one)] for one in decisions])


def turn_advantages(decisions: Sequence[Decision], discount: float = 1.0, group: Group = same_start) -> np.ndarray:
    """What followed a decision against what followed the same seat's decision of that turn in its group.

    What is collected at each later decision of the seat counts `discount` times as much as at the one before.
    """
    to_go = np.zeros(len(decisions))
    later: dict[Hashable, float] = {}
    for place in reversed(range(len(decisions))):
        one = decisions[place]
        to_go[place] = one.reward + discount * later.get(_trajectory(one), 0.0)
        later[_trajectory(one)] = to_go[place]
    return _normalised_by(decisions, to_go, lambda one: (group(one), one.role, one.turn))


def role_advantages(decisions: Sequence[Decision], baselines: RoleBaselines | None = None) -> np.ndarray:
    """What followed a decision against what its role got in all of these decisions.

    With `baselines`, which go on from batch to batch, it is less the running mean of its role instead.
    """
    to_go = np.array([one.reward_to_go for one in decisions], float)
    if baselines is None:
        return _normalised_by(decisions, to_go, lambda one: one.role)
    worth = np.zeros(len(decisions))
    for role, places in _places(decisions, lambda one: one.role).items():
        worth[places] = baselines.advantages(str(role), to_go[places])
    return worth


def _trajectory(decision: Decision) -> Hashable:
    return decision.env, decision.episode, decision.seat


def _normalised_by(decisions: Sequence[Decision], values: np.ndarray, key: Group) -> np.ndarray:
    worth = np.zeros(len(decisions))
    for places in _places(decisions, key).values():
        worth[places] = normalised(values[places].tolist())
    return worth


def _places(decisions: Sequence[Decision], key: Group) -> dict[Hashable, list[int]]:
    """Where the decisions of each kind stand that are learned from."""
    found: dict[Hashable, list[int]] = {}
    for place, one in enumerate(decisions):
        if not one.marks:
            found.setdefault(key(one), []).append(place)
    return found
