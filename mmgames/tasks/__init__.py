"""Tasks: one question about a position, with an answer that can be checked. Each is a one-step Gymnasium environment.

A module of this package that has `declare()` brings tasks, and so does one that the entry-point group `mmgames.tasks`
names; nobody keeps a list. `declare()` is called when all games are registered and yields a TaskSpec for each task.
What a task asks and how it scores is a `Source` (questions.py).
"""

import gymnasium

from mmgames.core import discovery
from mmgames.errors import MmgamesError, nearest
from mmgames.tasks.questions import TaskSpec

__all__ = ["TaskSpec", "discover", "find", "named", "register", "specs"]

specs: dict[str, TaskSpec] = {}
"""Every registered task by id, in the order they were found."""


def discover() -> None:
    """Find and register every task once; the games must be registered before."""
    for found in (*discovery.modules(__name__), *discovery.entry_points("tasks")):
        with discovery.note_failure(found):
            module = found.load()
            for spec in module.declare() if hasattr(module, "declare") else ():
                register(spec)


def register(spec: TaskSpec) -> None:
    """Make a task known to mmgames and to Gymnasium under `spec.id`."""
    if spec.id in specs:
        return
    specs[spec.id] = spec
    for name in (spec.name, *spec.aliases):
        id = f"{spec.namespace}/{name}-v{spec.version}"
        gymnasium.register(id, entry_point="mmgames.tasks.env:TaskEnv", kwargs={"task": spec.id})


def named(name: str) -> TaskSpec | None:
    """The spec for an id; `CoinDilemma-Predict` and `CoinDilemma-Predict-v0` are understood too."""
    for spec in specs.values():
        for called in (spec.name, *spec.aliases):
            if name in (called, f"{called}-v{spec.version}", f"{spec.namespace}/{called}-v{spec.version}"):
                return spec
    return None


def find(name: str) -> TaskSpec:
    """As `named`; a name that no task has is an error."""
    spec = named(name)
    if spec is None:
        raise MmgamesError(f"There is no task {name!r}.{nearest(name, specs)} `mmgames list` shows all of them.")
    return spec
