"""The settings of IPPO (ippo.py): what can be set, what ippo_recipes.json sets for a game, and the recipes that have a
name of their own (ippo_named_recipes.json)."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from mmgames.baselines.learning.recipes import changed, from_one_up, from_zero_to_one, numbers_from
from mmgames.core import registry
from mmgames.errors import MmgamesError, unknown

CHOICES = {
    "nets": ("shared", "own"),
    "trunk": ("shared", "separate"),
    "activation": ("relu", "tanh"),
    "core": ("", "gru", "lstm"),
    "critic": ("own", "central"),
    "observe": ("features", "planes", "rgb"),
}


@dataclass(frozen=True)
class IppoRecipe:
    """Everything that decides what is learned; `seed` and the game do the rest."""

    steps: int = 2_000_000
    """How many steps of single episodes to learn from."""
    num_envs: int = 1024
    rollout: int = 32
    """Steps of each episode between two updates."""
    epochs: int = 2
    minibatches: int = 4
    layers: tuple[int, ...] = (64, 64)
    activation: str = "relu"
    core: str = ""
    """A recurrent core after the layers: gru or lstm."""
    nets: str = "shared"
    """One network for all seats, or one each (own)."""
    trunk: str = "shared"
    """Whether the value shares the policy's layers."""
    critic: str = "own"
    """The value of one's own observation, or of all seats' observations together (central)."""
    observe: str = "features"
    """What the policy sees: features, spatial planes, or pictures (rgb) of `size` pixels."""
    size: int = 84
    sharing: float = 0.0
    """How much of the reward is the mean of all seats': 0 one's own, 1 shared, between them mixed."""
    gamma: float = 0.99
    gae: float = 0.95
    clip: float = 0.2
    rate: float = 1e-3
    last_rate: float = 0.0
    """The learning rate goes from `rate` to this one in a straight line, and `entropy` to `last_entropy`."""
    entropy: float = 0.01
    last_entropy: float = 0.0
    deviation: float = 0.5
    """Box actions: the standard deviation to begin with, where the bounds are -1 and 1. What is learned of it holds for
    all observations."""
    value: float = 0.5
    """The weight of the value's loss."""
    norm: float = 0.5
    """Gradients are cut to this length."""
    scale: float = 1.0
    """Rewards are divided by this."""
    greedy: bool = False
    """Whether the trained policy plays its best action, instead of drawing one."""
    begin: str = ""
    """A checkpoint whose policy is learned on from, perhaps one of other options of the game; the value begins anew."""
    others: str = ""
    """Agents who take part, as in `pool:past|optimum`; the policy plays itself where nobody is named."""
    self_play: float = 0.0
    """With `others`, the share of episodes in which the policy plays all seats all the same."""
    snapshots: int = 10
    """Where `past` is among the others: the updates between two snapshots of the policy."""
    average: float = 0.0
    """The policy that plays is a running mean of the weights that keeps this share of itself at each update; 0 is the
    last weights. Where learners go round in circles, as in poker, the middle is better than any point of them."""

    def __post_init__(self) -> None:
        for name, known in CHOICES.items():
            if getattr(self, name) not in known:
                raise unknown(name, getattr(self, name), "ippo", known)
        from_one_up(self, "ippo", "steps", "num_envs", "rollout", "epochs", "minibatches", "size", "snapshots")
        numbers_from(self, "ippo", 0, "rate", "clip", "norm", "scale", "deviation", above=True)
        numbers_from(self, "ippo", 0, "last_rate", "entropy", "last_entropy", "value", "sharing", "average")
        from_zero_to_one(self, "ippo", "gamma", "gae", "self_play")
        if (
            not isinstance(self.layers, tuple)
            or not self.layers
            or any(not isinstance(size, int) or size < 1 for size in self.layers)
        ):
            raise MmgamesError(f"ippo: layers={self.layers!r} is not possible; give widths such as (64, 64).")
        if not 0 <= self.sharing <= 1:
            raise MmgamesError(f"ippo: sharing={self.sharing!r} is out of range; 0 is one's own reward, 1 the shared.")
        if not 0 <= self.average < 1:
            raise MmgamesError(
                f"ippo: average={self.average!r} is out of range; 0 is the last weights, 0.99 a long mean."
            )
        if self.core and self.num_envs % self.minibatches:
            raise MmgamesError(
                f"ippo: with a recurrent core, num_envs={self.num_envs} is split into minibatches evenly."
            )


@functools.cache
def presets() -> dict[str, dict[str, Any]]:
    """What is changed in the recipe for each game, by its id; before that, for all without a kernel, and with boxes."""
    return json.loads((resources.files("mmgames.baselines.learning") / "ippo_recipes.json").read_text(encoding="utf-8"))


@functools.cache
def named_recipes() -> dict[str, dict[str, dict[str, Any]]]:
    """What a named recipe changes, by its name: in all games (""), and in single ones by their ids."""
    file = resources.files("mmgames.baselines.learning") / "ippo_named_recipes.json"
    return json.loads(file.read_text(encoding="utf-8"))


def _of_kind(game_id: str) -> dict[str, Any]:
    """What is changed for all games of a kind."""
    if not game_id or registry.find(game_id).batched:
        return {}
    return presets()["without a kernel"] | (presets()["box"] if registry.find(game_id).actions == "box" else {})


def recipe_for(game_id: str, recipe: str | Sequence[str] = (), **changes: Any) -> IppoRecipe:
    """The recipe of a game with changes: those that named recipes such as `league` and `mappo` make, then one's own."""
    settings = _of_kind(game_id) | presets().get(game_id, {})
    for name in (recipe,) if isinstance(recipe, str) else recipe:
        if name not in named_recipes():
            raise unknown("recipe", name, "ippo", named_recipes())
        settings |= named_recipes()[name].get("", {}) | named_recipes()[name].get(game_id, {})
    settings |= changes
    layers = settings.get("layers")
    if isinstance(layers, (int, list)):
        settings["layers"] = tuple(layers) if isinstance(layers, list) else (layers,)
    return changed(IppoRecipe(), "ippo", settings)
