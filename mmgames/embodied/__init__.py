"""Worlds with bodies: robots that share a room, from plans in words to real control."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    from mmgames.embodied._execution.executor import ExecutionReport
    from mmgames.embodied._world.task import KitchenTask


def execute(
    task: int | KitchenTask | Mapping[str, Any],
    plan: str | Sequence[Mapping[str, Sequence[str]]] | None = None,
    *,
    split: str = "train",
    engine: str = "physics",
    watch: Callable[[np.ndarray], object] | None = None,
    size: int = 512,
) -> ExecutionReport:
    """Carry a plan for a VIKI kitchen out, and report which action failed and why.

    `task` is the number of a task of `split`, a task, or its JSON; `plan` has one dict a step, {robot: [verb, name,
    …]}, or is a model's reply; without one a shortest plan is carried out. `engine` is what moves robots and things:
    "physics" (ManiSkill's, extra `embodied`, no dogs), or "kinematic", where they go where they are told, on every
    machine. `watch` is called five times a simulated second with a picture that is `size` pixels wide.
    """
    from mmgames.embodied._execution import executor

    return executor.execute(task, plan, engine, watch, size, split)  # type: ignore[arg-type]
