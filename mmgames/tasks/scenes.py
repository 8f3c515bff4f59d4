"""Find the difference, count, compare, read a chart: questions about the pictures that Spy is played with.

They are asked in mmgames/games/spy/questions.py, which is imported when an environment is made.
"""

from collections.abc import Iterator

from mmgames.core import registry
from mmgames.tasks import TaskSpec

GAME = "mmgames/Spy-v0"
SUMMARIES = {
    "Difference": "say which objects of two pictures differ",
    "Count": "count objects of a kind in a picture",
    "Compare": "say of which kind a picture has more objects",
    "ReadChart": "read a value off a chart",
}


def declare() -> Iterator[TaskSpec]:
    if GAME in registry.specs:
        for name, summary in SUMMARIES.items():
            yield TaskSpec(f"Spy-{name}", name.lower(), GAME, summary, f"mmgames.games.spy.questions:{name}")
