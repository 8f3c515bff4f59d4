"""The planning world: robots, things and places in a kitchen, and what a plan of primitives does to them.

`KitchenTask` says what is there and what is wanted, `plans` reads a plan, `check` judges it. The rules are kernels over
records (kernel.py), so a check, a step of an environment and a search all run the same code.
"""

from mmgames.embodied._world.judge import Verdict, check, check_text
from mmgames.embodied._world.plans import Feedback
from mmgames.embodied._world.task import Asset, KitchenTask, KitchenWorld, Predicate, Robot

__all__ = [
    "Asset", "Feedback", "KitchenTask", "KitchenWorld", "Predicate", "Robot", "Verdict", "check", "check_text",
]  # fmt: skip
