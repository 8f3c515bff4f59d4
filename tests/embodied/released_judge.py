"""A second judge by the released rules, over objects that point at each other, as a measure for the one in the package.

It takes a ground truth in the released form and works on it as the public code does: an asset's place is an object that
several assets may share, a step collects what it writes by name and writes it afterwards, and whatever Python would
raise there is "crash". Nothing here comes from the package.
"""

import ast
import re
from itertools import combinations
from types import SimpleNamespace as Thing

CONTAINERS = ("plate", "cabinet", "drawer", "bowl", "sink", "toaster", "tray", "cardboardbox")
LIDS = {"cabinet", "drawer", "kitchen cabinet", "kitchen drawer"}
DOGS = ("unitree_go2", "anymal_c")
HANDS = {"panda": 1, "fetch": 1, "unitree_go2": 0, "unitree_h1": 2, "stompy": 2, "anymal_c": 0}
ARM = {"reach", "grasp", "place", "open", "close", "handover", "interact"}
VERBS = {name: ARM | {"move"} for name in ("fetch", "unitree_h1", "stompy")}
VERBS |= {"panda": ARM} | {name: {"move", "push", "interact"} for name in DOGS}
TAKES = {
    "move": ["robot asset place"], "reach": ["robot asset"], "grasp": ["asset"], "place": ["asset place"],
    "open": ["asset"], "close": ["asset"], "interact": ["asset"], "push": ["asset", "asset place robot"],
    "handover": ["asset", "robot"],
}  # fmt: skip


def place(name, isolated=False):
    return Thing(sort="place", name=name, isolated=isolated)


class World:
    def __init__(self, truth):
        self.robots = {
            name: Thing(sort="robot", name=name, type=kind, pos=place(name), reached=[], carried=[])
            for name, kind in truth["robots"].items()
        }
        self.assets = {}
        for key, places in truth["init_pos"].items():
            name = key.rsplit("_", 1)[0]
            asset = Thing(sort="asset", name=name, pos=place(places[0]), holders=[], is_activated=False)
            if name in CONTAINERS:
                asset.inside = place(name, name == "cabinet")
            self.assets[name] = asset
        for asset in self.assets.values():
            box = self.assets.get(asset.pos.name)
            if hasattr(box, "inside"):
                asset.pos = box.inside

    def aligned(self, target, name, seen=()):
        at = target.pos.name
        beyond = self.assets.get(at) or self.robots.get(at)
        if beyond is None:
            return name in (at, target.name)
        return at not in seen and (at == name or self.aligned(beyond, name, (*seen, at)))

    def can(self, verb, robot, names):
        if verb not in VERBS[robot.type] or len(names) != len(TAKES[verb]):
            return False
        if any(one.sort not in sorts.split() for one, sorts in zip(names, TAKES[verb], strict=True)):
            return False
        target = names[0]
        if verb in ("open", "close") and target.name not in LIDS:
            return False
        if verb == "push" and target.name not in ("box", "cardboardbox"):
            return False
        free = len(robot.carried) < HANDS[robot.type]
        if verb == "move":
            return True
        if verb in ("reach", "place"):
            if target.sort == "place":
                near = self.aligned(robot, target.name)
            else:
                near = self.aligned(robot, target.pos.name) or self.aligned(target, robot.pos.name)
            if verb == "reach":
                return near and not target.pos.isolated
            return near and bool(robot.carried) and not (hasattr(target, "inside") and target.inside.isolated)
        if verb == "grasp":
            return not target.holders and free and any(one is target for one in robot.reached)
        if verb == "handover":
            other = names[1]
            met = robot.pos.name == other.name or robot.name == other.pos.name
            return met and bool(robot.carried) and len(other.carried) < HANDS[other.type]
        met = robot.pos.name == target.name or robot.name == target.pos.name
        if verb == "push":
            return met
        if verb == "interact":
            held = any(one is target for one in robot.carried)
            return (free or held or robot.type in DOGS) and met and not target.is_activated
        lidded = hasattr(target, "inside") and target.inside.isolated == (verb == "open")
        return met and free and lidded and any(one is target for one in robot.reached)

    def fit(self, step):
        by_asset = {}
        for verb, *names in step:
            for one in names:
                if one.name in self.assets:
                    by_asset.setdefault(one.name, []).append(verb)
        for verbs in by_asset.values():
            for pair in combinations(verbs, 2):
                if "move" not in pair and not set(pair) <= {"reach", "place"}:
                    return False
        if any(verb == "close" for verb, *_ in step):
            raise AttributeError("a robot has no inside")
        return True

    def do(self, step):
        robots, assets = {}, {}
        for verb, robot, *names in step:
            if verb == "move":
                robots[robot.name] = {"pos": place(names[0].name), "reached": []}
            elif verb == "reach":
                kept = robot.reached[1:] if len(robot.reached) >= HANDS[robot.type] else robot.reached[:]
                robots[robot.name] = {"reached": [*kept, names[0]]}
            elif verb == "grasp":
                carried = robot.carried + robot.reached
                robots[robot.name] = {"reached": [], "carried": carried}
                for one in carried:
                    assets[one.name] = {"holders": [*one.holders, robot], "pos": place(robot.name)}
            elif verb == "place":
                for one in robot.carried:
                    there = getattr(names[0], "inside", names[0])
                    assets.setdefault(one.name, {}).update(pos=there, holders=[])
                robots[robot.name] = {"carried": []}
            elif verb == "open":
                assets[names[0].name] = {"inside.isolated": False}
            elif verb == "interact":
                assets[names[0].name] = {"is_activated": True}
            elif verb == "push":
                robots[robot.name] = {"pos.name": names[0].name}
                assets[names[0].name] = {"pos.name": names[1].name}
            else:
                robot.carried.remove(names[1])  # the robot, where the thing should be
                raise ValueError("handover")
        for known, written in ((self.robots, robots), (self.assets, assets)):
            for name, values in written.items():
                for path, value in values.items():
                    *way, last = path.split(".")
                    target = known[name]
                    for part in way:
                        target = getattr(target, part)
                    setattr(target, last, value)

    def holds(self, wanted):
        for status in wanted:
            target = self.assets[status["name"]]
            for path, value in status["status"].items():
                if status.get("check_pos_type") == "aligned" and "pos.name" in path:
                    true = self.aligned(target, value)
                else:
                    true = (target.pos.name if path == "pos.name" else getattr(target, path)) == value
                if true != status["is_satisfied"]:
                    return False
        return True


def verdict(truth, steps):
    """What the released checker says of steps {robot: [verb, name, …]}: the kind of error, or None."""
    commands = []
    for step in steps:
        parsed = []
        for robot, action in step.items():
            said = ",".join(action)
            if not re.match(r"^\s*([^,<>]+\s*)(\s*,\s*[^,<>]+\s*)*$", said):
                return "invalid_command"
            verb, *names = (part.strip() for part in said.split(","))
            parsed.append((verb.lower(), robot, *names))
        commands.append(parsed)
    try:
        return _played(World(truth), truth, commands)
    except (AttributeError, ValueError, KeyError):
        return "crash"


def _played(world, truth, commands):
    chains = list(truth["temporal_constraints"])
    for parsed in commands:
        step = []
        for verb, *names in parsed:
            found = []
            for name in names:
                one = world.robots.get(name) or world.assets.get(name)
                if one is None and verb not in ("move", "place"):
                    return "unknown_entity"
                found.append(one or place(name))
            robot = found[0]
            robot.type  # noqa: B018 - a place or an asset has none, and that is where the public code stops
            if not world.can(verb, robot, found[1:]):
                return "not_feasible"
            step.append((verb, *found))
        if not world.fit(step):
            return "incompatible"
        world.do(step)
        for chain in tuple(chains):
            held = [world.holds(stage) for stage in chain]
            if any(later and not all(held[:number]) for number, later in enumerate(held)):
                return "stage_order"
            if all(held):
                chains.remove(chain)
    if chains:
        return "stage_order"
    return None if all(map(world.holds, truth["goal_constraints"])) else "goal_missed"


def score(truth, reply):
    """The released score of a reply to a planning question: a tenth for its form, the rest for its plan."""
    found = re.search(r"<answer>(.*?)</answer>", reply, re.DOTALL)
    if found is None:
        return 0.0
    try:
        said = ast.literal_eval(found[1].strip())
    except (ValueError, SyntaxError):
        return 0.0
    formed = re.fullmatch(r"<think>.*</think>.*<answer>.*</answer>.*", reply, re.DOTALL) and isinstance(
        said, (list, dict)
    )
    steps = [
        step["actions"]
        for step in (said if isinstance(said, list) else ())
        if isinstance(step, dict) and isinstance(step.get("actions", {}), dict) and step.get("actions")
    ]
    right = bool(steps) and verdict(truth, steps) is None and len(truth["time_steps"]) / len(steps) >= 0.99
    return 0.1 * bool(formed) + 0.9 * right
