"""Tasks that are asked by what stands beside a game, which is imported when an environment is made.

Find the difference, count, compare, read a chart: questions about the pictures that Spy is played with
(mmgames/games/spy/questions.py). VIKI-Bench's three levels: mmgames/embodied/_questions.
"""

from collections.abc import Iterator

from mmgames.core import registry
from mmgames.tasks import TaskSpec

SPY, KITCHEN = "mmgames/Spy-v0", "mmgames/VikiKitchen-v0"
OF_SPY = {
    "Difference": "say which objects of two pictures differ",
    "Count": "count objects of a kind in a picture",
    "Compare": "say of which kind a picture has more objects",
    "ReadChart": "read a value off a chart",
}
OF_VIKI = (
    ("Activate", "VikiActivation", "say which robots should act for a kitchen job"),
    ("Plan", "VikiPlan", "write the whole plan for a kitchen job"),
    ("Trace", "VikiTrajectory", "trace the ways of robots on the picture that one of them sees"),
)


def declare() -> Iterator[TaskSpec]:
    for name, summary in OF_SPY.items() if SPY in registry.specs else ():
        yield TaskSpec(f"Spy-{name}", name.lower(), SPY, summary, f"mmgames.games.spy.questions:{name}")
    for level, alias, summary in OF_VIKI:
        source = f"mmgames.embodied._questions.{level.lower()}:{level}"
        released = f"mmgames.datasets._released.viki:Released{level}"
        name, aliases = f"VikiKitchen-{level}", (alias,)
        yield TaskSpec(name, level.lower(), KITCHEN, summary, source, aliases=aliases, released=released)
