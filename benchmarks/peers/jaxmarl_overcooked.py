"""JaxMARL's Overcooked."""

import warnings

from _jaxmarl import any_action, read_all, tell
from jaxmarl.environments.overcooked import Overcooked

STEPS = 50

warnings.simplefilter("ignore", DeprecationWarning)  # it recommends its second version, which has other rules
tell(
    Overcooked(max_steps=STEPS),
    "cramped_room, random actions",
    "Overcooked",
    any_action(6),
    (1024, 4096, 16384),
    STEPS,
    lambda observed, rewards, infos: [*read_all(observed, rewards, infos), *infos["shaped_reward"].values()],
)
