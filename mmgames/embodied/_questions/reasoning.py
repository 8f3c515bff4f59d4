"""Why these robots and why this order: the reasoning of the planner in words, for answers that are to be learned from.

It is told from a task and a plan that solves it: what is wanted, what is in the way, which abilities that takes, what
each robot that acts does, and how many steps it takes. At level 1, where only the picture has the robots, all that are
there are named first; those that stay idle are not named again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mmgames.embodied._world.names import HANDS, KINDS
from mmgames.embodied._world.planner import OutOfRoom, optimal_plan
from mmgames.embodied._world.plans import Plan
from mmgames.embodied._world.task import KitchenTask, Robot
from mmgames.embodied.viki_kitchen.words import wanted
from mmgames.text.prose import paragraphs

SAID = paragraphs(__package__, "words")
ABILITIES = {verb: SAID[verb] for verb in ("grasp", "open", "close", "interact", "push", "handover")}
AN_ARM = SAID["an arm"]


@dataclass(frozen=True)
class Deed:
    """What a robot does in a plan that matters for the job, the way to it left out."""

    robot: str
    verb: str
    things: tuple[str, ...]
    where: str = ""

    def __str__(self) -> str:
        what = " and ".join(self.things)
        if self.verb == "place":
            return f"brings {what} to {self.where}"
        if self.verb in ("push", "handover"):
            return f"{'pushes' if self.verb == 'push' else 'hands'} {what} to {self.where}"
        return f"{'switches on' if self.verb == 'interact' else self.verb + 's'} {what}"


def deeds(plan: Plan) -> list[Deed]:
    """What is done in a plan, in its order; who grasps something does it to bring or to hand it somewhere."""
    held: dict[str, list[str]] = {}
    found = []
    for step in plan:
        for robot, (word, *names) in step.items():
            verb, carried = word.lower(), held.setdefault(robot, [])
            if verb == "place":
                put = names[:1] if len(names) == 2 else [*carried]
                found.append(Deed(robot, verb, tuple(put), names[-1]))
                held[robot] = [name for name in carried if name not in put]
            elif verb in ("push", "handover"):
                found.append(Deed(robot, verb, (names[0],), names[1]))
                if verb == "handover":
                    carried.remove(names[0])
                    held.setdefault(names[1], []).append(names[0])
            elif verb == "grasp":
                carried.append(names[0])
            elif verb in ("open", "close", "interact"):
                found.append(Deed(robot, verb, (names[0],)))
    return found


def why_these_robots(task: KitchenTask, plan: Plan) -> str:
    """The reasoning of an answer that names the types of robots (level 1)."""
    done = deeds(plan)
    types = {robot.name: robot.type for robot in task.robots}
    team = _acting(task, plan)
    parts = [_seen(task), *_why(task, plan, done)]
    for type in sorted({robot.type for robot in team}):
        one = next(robot for robot in team if robot.type == type)
        own = [replace(deed, where=types.get(deed.where, deed.where)) for deed in done if types[deed.robot] == type]
        parts.append(f"{type}, {one.kind}, {HANDS[KINDS[one.kind].hands]}: {_listed(own)}.")
    return " ".join([*parts, _fewest(task, plan, team)])


def why_this_order(task: KitchenTask, plan: Plan) -> str:
    """The reasoning of a plan (level 2)."""
    done = deeds(plan)
    roles = [
        f"{robot.name}, {robot.kind}: {_listed([deed for deed in done if deed.robot == robot.name])}."
        for robot in _acting(task, plan)
    ]
    return " ".join([*_why(task, plan, done), *roles, f"{len(plan)} steps are the fewest."])


def _seen(task: KitchenTask) -> str:
    """The robots that the picture shows, and where arms stand, as they cannot leave."""
    stands = {robot.name: f" at {robot.at}" for robot in task.robots if robot.kind == "arm" and robot.at != robot.name}
    seen = (f"{robot.name} {robot.type}{stands.get(robot.name, '')}" for robot in task.robots)
    return f"Seen: {', '.join(seen)}."


def _why(task: KitchenTask, plan: Plan, done: Sequence[Deed]) -> list[str]:
    """What is wanted, what has to come first, and what that takes."""
    verbs = {action[0].lower() for step in plan for action in step.values()}
    opened = {deed.things[0] for deed in done if deed.verb == "open"}
    doors = []
    for door in (asset for asset in task.assets if asset.name in opened and not asset.open):
        inside = [asset.name for asset in task.assets if asset.at == door.name]
        holds = f" and holds {' and '.join(inside)}" if inside else ""
        doors.append(f"{door.name} is closed{holds}, so it is opened first.")
    takes = dict.fromkeys(told for verb, told in ABILITIES.items() if verb in verbs)
    arms = [AN_ARM] if any(robot.kind == "arm" for robot in _acting(task, plan)) else []
    return [*wanted(task), *doors, *takes, *arms]


def _acting(task: KitchenTask, plan: Plan) -> list[Robot]:
    acting = {name for step in plan for name in step}
    return [robot for robot in task.robots if robot.name in acting]


def _listed(done: Sequence[Deed]) -> str:
    return ", then ".join(map(str, done)) if done else "comes along"


def _fewest(task: KitchenTask, plan: Plan, team: Sequence[Robot]) -> str:
    """How many steps it takes, and how many any of the robots would need alone."""
    fewest = f"{len(plan)} steps are the fewest"
    if len(team) < 2:
        return f"One robot is enough, and {fewest}."
    alone = set()
    for robot in team:
        try:
            found = optimal_plan(replace(task, active=(robot.name,), optimum=0))
        except OutOfRoom:
            return f"Together {fewest}."
        alone.add(len(found) if found else 0)
    shortest = min(alone - {0}, default=0)
    return f"Alone it takes {shortest}; together {fewest}." if shortest else f"None can do it alone; together {fewest}."
