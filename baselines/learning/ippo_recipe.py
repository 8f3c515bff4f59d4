"""The settings of IPPO (ippo.py): what can be set, what ippo_recipes.json sets for a game, and the recipes that have a
name of their own (ippo_named_recipes.json)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mmgames.baselines.learning import recipes
from mmgames.core import registry
from mmgames.errors import MmgamesError

CHOICES = {
    "nets": ("shared", "own"), "trunk": ("shared", "separate"), "activation": ("relu", "tanh"),
    "core": ("", "gru", "lstm"), "critic": ("own", "central"), "observe": ("features", "planes", "rgb"),
}  # fmt: skip


@dataclass(frozen=True)
class IppoRecipe:
    """Everything that decides what is learned; `seed` and the game do the rest."""

    steps: int = 2_000_000  # of single episodes, to learn from
    num_envs: int = 1024
    rollout: int = 32  # steps of each episode between two updates
    epochs: int = 2
    minibatches: int = 4
    layers: tuple[int, ...] = (64, 64)
    activation: str = "relu"
    core: str = ""  # a recurrent core after the layers: gru or lstm
    nets: str = "shared"  # one network for all seats, or one each (own)
    trunk: str = "shared"  # whether the value shares the policy's layers
    critic: str = "own"  # the value of one's own observation, or of all seats' observations together (central)
    observe: str = "features"  # what the policy sees: features, spatial planes, or pictures (rgb) of `size` pixels
    size: int = 84
    sharing: float = 0.0  # how much of the reward is the mean of all seats': 0 one's own, 1 shared
    gamma: float = 0.99
    gae: float = 0.95
    clip: float = 0.2
    rate: float = 1e-3  # of learning; it goes to `last_rate` in a straight line, and `entropy` to `last_entropy`
    last_rate: float = 0.0
    entropy: float = 0.01
    last_entropy: float = 0.0
    deviation: float = 0.5  # box actions: the standard deviation to begin with, where the bounds are -1 and 1
    value: float = 0.5  # the weight of the value's loss
    norm: float = 0.5  # gradients are cut to this length
    scale: float = 1.0  # rewards are divided by this
    greedy: bool = False  # whether the trained policy plays its best action, instead of drawing one
    begin: str = ""  # a checkpoint whose policy is learned on from, perhaps one of other options; the value begins anew
    others: str = ""  # agents who take part, as in `pool:past|optimum`; else the policy plays itself
    self_play: float = 0.0  # with `others`: the share of episodes in which the policy plays all seats all the same
    snapshots: int = 10  # where `past` is among the others: the updates between two snapshots of the policy
    average: float = 0.0  # above 0 a running mean of the weights plays, which keeps so much of itself in an update:
    # where learners go round in circles, as in poker, the middle is better than any point of them.

    def __post_init__(self) -> None:
        recipes.one_of(self, "ippo", CHOICES)
        whole = ("steps", "num_envs", "rollout", "epochs", "minibatches", "size", "snapshots")
        recipes.from_one_up(self, "ippo", *whole)
        recipes.numbers_from(self, "ippo", 0, "rate", "clip", "norm", "scale", "deviation", above=True)
        recipes.numbers_from(self, "ippo", 0, "last_rate", "entropy", "last_entropy", "value")
        recipes.from_zero_to_one(self, "ippo", "gamma", "gae", "self_play", "sharing", "average")
        recipes.widths(self, "ippo")
        if self.average == 1:
            raise MmgamesError("ippo: average=1.0 is out of range; 0 is the last weights, 0.99 a long mean.")
        if self.core and self.num_envs % self.minibatches:
            raise MmgamesError(f"ippo: with a recurrent core, num_envs={self.num_envs} is split evenly by minibatches.")


def recipe_for(game_id: str, recipe: str | Sequence[str] = (), **changes: Any) -> IppoRecipe:
    """The recipe of a game with changes: those that named recipes such as `league` and `mappo` make, then one's own."""
    spec, by_game = registry.find(game_id), recipes.presets("ippo_recipes.json")
    kind = {} if spec.batched else by_game["without a kernel"] | (by_game["box"] if spec.actions == "box" else {})
    names = recipes.named("ippo", game_id, (recipe,) if isinstance(recipe, str) else recipe)
    return recipes.changed(IppoRecipe(), "ippo", {**kind, **by_game.get(game_id, {}), **names, **changes})
