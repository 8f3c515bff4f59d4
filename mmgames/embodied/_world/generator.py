"""Tasks without end: drawn from a seed, solvable by construction, with a shortest plan.

The 23 released templates are facts (facts.json), ours are own_templates.json; both have the same form. Splits: `train`
and `test` have the same families and layouts but different tasks, `ood` has families or layouts that those two never
show; `hard` and `ood-hard` have the long tasks of both domains; `rooms` has all families in layouts of our own, which
no other split shows. `grown` makes tasks of any size instead.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from itertools import product
from typing import Any, Literal

import numpy as np

from mmgames.embodied._world import facts as world_facts
from mmgames.embodied._world.greedy import greedy_plan
from mmgames.embodied._world.judge import check
from mmgames.embodied._world.names import CLOSED_AT_START, DISHES, FOODS, TOOLS, read
from mmgames.embodied._world.planner import OutOfRoom, optimal_plan
from mmgames.embodied._world.plans import Plan
from mmgames.embodied._world.task import Asset, KitchenTask, Predicate, Robot
from mmgames.errors import MmgamesError, unknown
from mmgames.kernels.compiling import switch_to_compiled

Split = Literal["train", "test", "ood", "hard", "ood-hard", "rooms"]
STREAMS: dict[Split, int] = {"train": 0, "test": 1, "ood": 2, "hard": 4, "ood-hard": 5, "rooms": 6}
"""Where the chances of a split come from; those of grown tasks are 3."""

SPLITS: tuple[Split, ...] = tuple(STREAMS)
HARD_LENGTH = 8  # tasks are hard whose reference plan has so many steps or more
OOD_FAMILIES = frozenset({5, 9, 12, 18, 20})
OOD_LAYOUTS = frozenset({2, 6, 8})
STYLES = 12


@dataclass(frozen=True)
class Template:
    """A kind of task with open slots, in the words of the files."""

    id: str
    family: int
    family_name: str
    active: Mapping[str, str]  # R1, R2, … -> kind
    idle_candidates: Sequence[str]  # kinds that may stand about
    layouts: Sequence[int]
    slots: Mapping[str, Sequence[str]]
    slots_without_asset: Sequence[str]
    starts: Sequence[Mapping[str, Any]]
    goals: Sequence[Mapping[str, Any]]
    stage_chains: Sequence[Any]
    reference_length: int
    released: bool  # one of the benchmark's, not of our own
    only_who_acts: bool = False  # drawn only where it is asked who acts


@lru_cache(maxsize=1)
def templates() -> dict[str, Template]:
    """All templates by id, the released ones first."""
    names = {field.name for field in fields(Template)}
    return {
        value["id"]: Template(**{name: value[name] for name in names & set(value)}, released=released)
        for released, known in ((True, world_facts.facts()), (False, read("own_templates")))
        for value in known["templates"]
    }


@lru_cache(maxsize=16)
def drawable(split: Split, who_acts: bool = False) -> tuple[tuple[Template, int], ...]:
    """The pairs of template and layout that belong to a split; `who_acts`: with those that only that question draws."""
    if split not in SPLITS:
        raise unknown("split", split, "the planning world", SPLITS)
    known = [template for template in templates().values() if who_acts or not template.only_who_acts]
    if split == "rooms":
        return tuple(product(known, world_facts.own_layouts()))
    pairs = ((template, layout) for template in known for layout in template.layouts)
    shortest = HARD_LENGTH if split.endswith("hard") else 0
    return tuple(
        (template, layout)
        for template, layout in pairs
        if (template.family in OOD_FAMILIES or layout in OOD_LAYOUTS) == split.startswith("ood")
        and template.reference_length >= shortest
    )


def one(rng: np.random.Generator, options: Sequence[Any]) -> Any:
    """Any of them."""
    return options[int(rng.integers(len(options)))]


def generate(seed: int, split: Split = "train", template: str | None = None) -> KitchenTask:
    """The task with a number; every number gives one, the same on every machine."""
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
        raise MmgamesError(f"A task's number is a whole number from 0, not {seed!r}.")
    switch_to_compiled()
    pairs: Sequence[tuple[Template, int]] = drawable(split)
    rng = np.random.default_rng([STREAMS[split], int(seed)])
    if template is None:
        family = one(rng, sorted({found.family for found, _ in pairs}))
        pairs = [pair for pair in pairs if pair[0].family == family]
    elif template in templates():  # a template by name comes in all its layouts, whatever the split
        pairs = [(templates()[template], layout) for layout in templates()[template].layouts]
    else:
        raise unknown("template", template, "the planning world", templates())
    drawn, layout = one(rng, pairs)
    task = fill(drawn, layout, rng)
    return replace(task, id=f"{split}-{int(seed)}_{task.template}", seed=int(seed))


def fill(template: Template, layout: int, rng: np.random.Generator) -> KitchenTask:
    """A task from a template in a layout, everything open drawn by `rng`, which has a plan."""
    while True:
        task = draw(template, layout, rng)
        plan = task and optimal_plan(task)
        if task and plan:  # nothing to do or no way to do it: draw again
            return replace(task, optimum=len(plan))


def reference_plan(task: KitchenTask) -> Plan:
    """A shortest plan for the task's team."""
    plan = optimal_plan(task)
    if plan is None:
        raise MmgamesError(f"Task {task.id or '(unnamed)'} has no plan of up to 60 steps.")
    return plan


def works_as_released(task: KitchenTask) -> bool:
    """Whether the released checker can follow the task's shortest plan."""
    return check(task, reference_plan(task), "released").solved


def draw(
    template: Template,
    layout: int,
    rng: np.random.Generator,
    crew: tuple[tuple[Robot, ...], Mapping[str, str]] | None = None,
    there: Mapping[str, str] | None = None,
) -> KitchenTask | None:
    """A task from a template. It may be one for a crew, with the name of the robot for each role, in a kitchen in which
    some things are there already; None if one of these is not where the template wants it."""

    def meant(names: Sequence[str]) -> str:
        known = [name for name in names if there and name in there]
        return one(rng, known if known and rng.random() < 0.5 else names)

    values = {slot: meant(names) for slot, names in template.slots.items()}
    robots, ids = crew or _robots(template, layout, rng)
    has = world_facts.area_names(layout)
    at = dict(there or {})
    for start in template.starts:
        if "slot" not in start:
            continue  # an arm stands where the layout has it
        taken = {values.get(name, name) for name in start.get("not_at", ())}
        places = [values.get(name) or ids.get(name) or name for name in start["at_one_of"]]
        usable = [p for p in places if p not in taken and (p in has or p not in world_facts.AREAS)]
        thing = values[start["slot"]]
        if not there or thing not in there:
            at[thing] = one(rng, usable)
        elif there[thing] not in usable:
            return None
    for slot in sorted(template.slots_without_asset):
        if values[slot] in DISHES and values[slot] not in at:  # a dish that is wanted is there
            at[values[slot]] = one(rng, [place for place in has if place.startswith("kitchen")])
    table = "table" in (*at.values(), *values.values())
    areas = tuple(place for place in has if place != ("kitchen island area" if table else "table"))
    looks = "asset_in_cabinet" if "cabinet" in at.values() else "with_cardboardbox" if "cardboardbox" in at else ""
    style = one(rng, world_facts.facts()["styles"][looks or "otherwise"])
    phrase = one(rng, read("phrases")[template.id]).format(**values)
    return KitchenTask(
        robots=robots,
        assets=tuple(Asset(name, place, name not in CLOSED_AT_START) for name, place in at.items()),
        goals=tuple(_predicate(goal, values) for goal in template.goals),
        chains=tuple(
            tuple(tuple(_predicate(p, values) for p in stage) for stage in chain) for chain in template.stage_chains
        ),
        places=areas,
        reference_length=template.reference_length,
        template=template.id,
        layout=layout,
        style=style,
        instruction=phrase,
        active=tuple(sorted(ids.values())),
    )


def _robots(template: Template, layout: int, rng: np.random.Generator) -> tuple[tuple[Robot, ...], dict[str, str]]:
    """The robots of a task under drawn ids, and which id each role of the template got."""
    roles, counts = world_facts.facts()["roles"], world_facts.layout(layout)["role_counts"]
    kinds = list(template.active.values())
    # A robot that could stand in for one that is to act would make two answers right.
    for kind in (kind for kind in template.idle_candidates if kind in ("dog", "arm")):
        spare = counts.get(kind, 0) - kinds[: len(template.active)].count(kind)
        kinds += [kind for _ in range(spare) if rng.random() < 0.5]
    types = [one(rng, roles[kind]) for kind in kinds]
    order = rng.permutation(len(kinds))
    names = [f"R{int(place) + 1}" for place in order]
    robots = sorted((Robot(name, type, name) for name, type in zip(names, types, strict=True)), key=lambda r: r.name)
    return tuple(robots), dict(zip(template.active, names, strict=False))


def _predicate(value: Mapping[str, Any], values: Mapping[str, str]) -> Predicate:
    filled = {key: values.get(part[1:-1], part) if isinstance(part, str) else part for key, part in value.items()}
    return Predicate.from_dict(filled)


def grown(seed: int, level: int, robots: int = 7, things: int | None = None, places: int | None = None) -> KitchenTask:
    """A task of any size: `level` more goals than two, and with them more rooms, doors and robots.

    It does not grow beyond `robots`, `things` and `places`: for each goal that there is no room for, one robot fewer
    does the job, down to one. The reference is a plan that is known to work; for small levels it is a shortest one.
    """
    switch_to_compiled()
    if level < 0:
        raise MmgamesError(f"level={level} is out of range; it is a whole number from 0.")
    rng = np.random.default_rng([3, int(level), int(seed)])
    wanted = 2 + level
    # Of three goals one wants a dish and one a cabinet as well.
    while wanted and things is not None and wanted + (wanted + 1) // 3 + wanted // 3 > things:
        wanted -= 1
    carriers = min(robots, 1 + (wanted - 1) // 2) - (2 + level - wanted)
    types = ["unitree_h1", "stompy", "fetch"]
    crew = tuple(Robot(f"R{i}", one(rng, types), f"R{i}") for i in range(1, max(1, carriers) + 1))
    rooms = [f"room {i + 2}" for i in range(1 + level // 2)]
    areas = ["kitchen work area", "kitchen island area", "rack", *rooms][:places]
    names: Counter[str] = Counter()

    def numbered(word: str) -> str:
        names[word] += 1
        return word if names[word] == 1 else f"{word} {names[word]}"

    assets: list[Asset] = []
    goals: list[Predicate] = []
    kinds = (*FOODS, *TOOLS, "cup", "bottle", "wine", "kettle")
    for goal in range(wanted):
        thing = numbered(one(rng, kinds))
        order = rng.permutation(len(areas))
        start, end = areas[int(order[0])], areas[int(order[1])]
        if goal % 3 == 2:
            cabinet = numbered("cabinet")
            assets.append(Asset(cabinet, f"room_{cabinet}", False))
            start = cabinet
        elif goal % 3 == 1:
            dish = numbered(one(rng, DISHES[:2]))
            assets.append(Asset(dish, end))
            end = dish
        assets.append(Asset(thing, start))
        goals.append(Predicate(thing, at=end))
    listing = "; ".join(f"{goal.asset} to {goal.at}" for goal in goals)
    task = KitchenTask(
        robots=crew,
        assets=tuple(assets),
        goals=tuple(goals),
        places=tuple(areas),
        id=f"grown-{level}-{seed}",
        template="grown",
        layout=int(rng.integers(1, 10)),
        style=int(rng.integers(STYLES)),
        instruction=one(rng, read("phrases")["grown"][:3]).format(list=listing),
        active=tuple(robot.name for robot in crew),
        seed=int(seed),
    )
    known = len(working_plan(task))
    return replace(task, reference_length=known, optimum=known)


def working_plan(task: KitchenTask) -> Plan:
    """The shortest plan that is found without much searching: an optimum for small tasks, a greedy plan for others."""
    if len(task.team) <= 2 and len(task.goals) <= 3:
        try:
            plan = optimal_plan(task)
            if plan is not None:
                return plan
        except OutOfRoom:
            pass
    plan = greedy_plan(task)
    if plan is None:
        raise MmgamesError(f"Task {task.id} has no plan that the planners find.")
    return plan
