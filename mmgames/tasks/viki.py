"""VIKI-Bench's three levels as tasks. What they ask is in mmgames/embodied/_questions, imported when one is made."""

from collections.abc import Iterator

from mmgames.tasks import TaskSpec

GAME = "mmgames/VikiKitchen-v0"
LEVELS = (
    ("Activate", "VikiActivation", "say which robots should act for a kitchen job"),
    ("Plan", "VikiPlan", "write the whole plan for a kitchen job"),
    ("Trace", "VikiTrajectory", "trace the ways of robots on the picture that one of them sees"),
)


def declare() -> Iterator[TaskSpec]:
    for level, alias, summary in LEVELS:
        yield TaskSpec(
            name=f"VikiKitchen-{level}",
            kind=level.lower(),
            game=GAME,
            summary=summary,
            source=f"mmgames.embodied._questions.{level.lower()}:{level}",
            aliases=(alias,),
            released=f"mmgames.datasets._released.viki:Released{level}",
        )
