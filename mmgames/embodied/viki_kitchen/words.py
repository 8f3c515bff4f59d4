"""VikiKitchen in words."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import lru_cache
from typing import Any, NamedTuple

from mmgames.core.rooms import always
from mmgames.embodied._world.names import HANDOVER, KINDS, PLACE, PUSH, VERBS
from mmgames.embodied._world.task import KitchenTask, Predicate
from mmgames.embodied.viki_kitchen.rules import (
    DONE,
    OUT_OF_TIME,
    RUNNING,
    WRONG_ORDER,
    KitchenState,
    KitchenView,
    horizon,
    legal,
    legal_as_known,
    meaning,
    table_of,
)  # fmt: skip
from mmgames.embodied.viki_kitchen.sight import LOST, NOT_SEEN
from mmgames.embodied.viki_kitchen.slots import WHOLE

_RULES = (
    "Robots share a kitchen and have one job. In every step each robot does one primitive or waits; all of them happen "
    "at once. Move X goes to a place, thing or robot. Reach X needs X where you are and nothing closed around it; you "
    "can have as many things in reach as you have hands, and moving forgets them. Grasp X takes a thing in reach into "
    "a free hand. Place P puts down all you carry, at an area where you stand, in an open container or on a board "
    "there. Open X and Close X are for cabinets and drawers in reach, with a free hand, standing at them. Interact X "
    "switches on what you stand at or hold. Push is for dogs at a box: box, content and dog go along. Handover gives a "
    "thing to a robot at the same place with a free hand. Two actions on one thing in the same step get in each "
    "other's way and none is done, unless one is a move or both are reach or place."
)
_PARTIAL = (
    " You know the plan of the kitchen and where robots begin, and else only what your camera has seen, what is where "
    "you stand, and where robots in your sight have gone. You can move only to what you know of, and go to where you "
    "last knew it."
)


def rules(view: KitchenView | None) -> str:
    return _RULES + _PARTIAL if view is not None and view.partial else _RULES


notation = always(
    "An action is written as a verb and names, such as Move apple, Place apple at plate, Push cardboardbox to R2 "
    "or Handover apple to R2, or it is Wait."
)
_KINDS = {
    "arm": "an arm: it cannot move and has one hand",
    "wheeled": "a robot on wheels with one hand",
    "humanoid": "a humanoid with two hands",
    "dog": "a dog: it has no hands, but it moves, pushes boxes and can switch things on",
}
_VERBS = tuple(verb.capitalize() for verb in VERBS)
_UNKNOWN = {NOT_SEEN: "not seen yet", LOST: "no longer where you saw it"}
_ENDS = {
    DONE: "The job is done.",
    WRONG_ORDER: "A stage came too early; the job has failed.",
    OUT_OF_TIME: "Time is up.",
}


def names(view: KitchenView) -> dict[int, str]:
    state = view.state
    if view.seat is None or state.ended != RUNNING:
        return {}
    known = table_of(state.task, view.room).phrases
    actions = (legal_as_known if view.partial else legal)(state, view.room, view.seat)
    return {action: known.get(action) or _say(state, view, action) for action in actions}


def _say(state: KitchenState, view: KitchenView, action: int) -> str:
    assert view.seat is not None
    table = table_of(state.task, view.room)
    said = phrase(state.task, *meaning(state, view.room, view.seat, action))
    if table.entries[table.places[action], 3] == WHOLE:
        table.phrases[action] = said
    return said


def phrase(task: KitchenTask, verb: int, first: int = -1, second: int = -1) -> str:
    """An action of the world in words."""
    if verb == 0:
        return "Wait"
    called, word = task.world.names, _VERBS[verb - 1]
    if verb == PLACE and second >= 0:
        return f"{word} {called[second]} at {called[first]}"
    if verb in (PUSH, HANDOVER):
        return f"{word} {called[first]} to {called[second]}"
    return f"{word} {called[first]}"


def legend(view: KitchenView) -> str:
    through_eyes = view.looks == "ego" and view.seat is not None
    told = picture_legend(view.scene, view.labels, through_eyes)
    if view.partial:
        told += " It shows only what you have seen."
        if view.scene == "drawn":
            told += f" Furniture that you have not seen yet is {'' if through_eyes else 'striped '}grey."
    return told


@lru_cache(maxsize=16)
def picture_legend(scene: str, labels: bool, through_eyes: bool = False) -> str:
    """How to read a picture of a kitchen; without labels, also how robots of each type look."""
    areas = _AREAS_OF_ROBOCASA if scene == "robocasa" else _AREAS_BY_COLOUR
    if through_eyes:
        told = "It shows what the camera in your head sees; what you carry is in the lower corners."
        return f"{told} {_CARDS}" if labels else f"{told} {_NO_CARDS} {areas}"
    if labels:
        return _ABOVE if scene == "drawn" else _IN_3D
    where = "from above" if scene == "drawn" else "in 3D from high above its south wall"
    return (
        f"It shows the kitchen {where}, north at the top, without a word on it. {_NO_CARDS} "
        f"{_AREAS_FROM_ABOVE if scene == 'drawn' else areas} "
        "Below stand all robots in the order of their names, R1 first, each with what it carries."
    )


_IN_3D = (
    "It shows the kitchen in 3D from high above its south wall, north at the top. Dark cards name the areas, "
    "coloured ones the robots, light ones the things. A cabinet or drawer is seen to be open or closed; its "
    "card says so too, and what is behind its doors. Below, every robot has a card with its type and what it "
    "carries."
)
_ABOVE = (
    "It shows the kitchen from above, north at the top. Tinted blocks are furniture, dark cards name the areas. "
    "Robots carry their names on coloured cards: an arm is a jointed arm on a base, a robot on wheels has two "
    "wheels and one arm, a humanoid stands on two legs, a dog on four. Light cards name the things; a cabinet or "
    "drawer says whether it is open or closed and what is behind its doors; a yellow ring means switched on. "
    "Below, every robot has a card with its type and what it carries."
)
_CARDS = (
    "Dark cards name the areas, coloured ones the robots, light ones the things; a cabinet or drawer says whether it "
    "is open or closed and what is behind its doors."
)
_LOOKS = {
    "panda": "an arm of white joints on a base, drawn in orange",
    "fetch": "blue, on wheels, with one arm",
    "unitree_h1": "slim, with a round head, drawn in purple",
    "stompy": "green and broad, with a square head",
    "unitree_go2": "grey, on four legs",
    "anymal_c": "a red box on four bent legs",
}
_NO_CARDS = (
    "Robots are told by their looks: "
    + "; ".join(f"{type} is {look}" for type, look in _LOOKS.items())
    + ". Of several robots or things of one sort, dots count them in the order of their names. Doors of closed "
    "cabinets and drawers are of glass if there is anything behind them, and show it. What glows is switched on."
)
_AREAS_FROM_ABOVE = (
    "The kitchen work area has two stove rings, the kitchen island area is chequered, the table is of planks, a rack "
    "has bright boards on the wall, and dots number the rooms beside the kitchen."
)
_AREAS_BY_COLOUR = (
    "The kitchen work area is dark, the kitchen island area is white, the table is of wood, and a rack hangs on the "
    "wall."
)
_AREAS_OF_ROBOCASA = (
    "The kitchen work area stands at a wall, the kitchen island area and the table stand free, and a rack hangs on the "
    "wall."
)


def you(view: KitchenView) -> str:
    kept = view.state.task.world.kept
    said = kept.get(("you", view.seat))
    if said is None:
        said = kept["you", view.seat] = _you(view.state.task, view.seat)
    return said


def _you(task: KitchenTask, seat: int | None) -> str:
    job = f"The job: {task.instruction}"
    if seat is None:
        return f"You watch. {job}"
    if seat >= len(task.robots):
        return f"You are R{seat + 1}, but this kitchen has no such robot; you can only wait. {job}"
    robot = task.robots[seat]
    others = "; ".join(f"{other.name} is {_KINDS[other.kind]}" for other in task.robots if other.name != robot.name)
    return " ".join(filter(None, (f"You are {robot.name}, {_KINDS[robot.kind]}.", f"{others}." if others else "", job)))


class _Progress(NamedTuple):
    """What has happened, in words."""

    before: str  # the time and the last step
    near: tuple[str, ...]  # what each robot has in reach
    after: str  # how it ended


def _once_a_state(view: KitchenView, tell: Callable[[KitchenView], Any]) -> Any:
    """What is the same for everybody who knows a state is worked out once: all seats ask for it in turn."""
    kept = view.state.task.world.kept
    told = kept.get(tell)
    if told is None or told[0] is not view.state:
        told = kept[tell] = (view.state, tell(view))
    return told[1]


def _progress(view: KitchenView) -> _Progress:
    state = view.state
    return _Progress(_before(state, view.partial), _near(state), _ENDS.get(state.ended, ""))


def _before(state: KitchenState, partial: bool) -> str:
    task = state.task
    most = horizon(task)
    lines = [f"Step {min(state.step + 1, most)} of at most {most}."]
    if state.last:
        done = []
        for number, action in enumerate(state.last):
            if action[0]:
                clash = " (in another's way, not done)" if number in state.failed else ""
                done.append(f"{task.robots[number].name} {phrase(task, *action)}{clash}")
        if partial:
            lines.append(f"Last step, as far as you saw it: {'; '.join(done) or 'nothing was done'}.")
        else:
            lines.append(f"Last step: {'; '.join(done) if done else 'everybody waited'}.")
    return "\n".join(lines)


def _near(state: KitchenState) -> tuple[str, ...]:
    assets, reach = state.task.assets, state.world.near[: len(state.task.robots)]
    named = (", ".join([assets[thing].name for thing in near if thing >= 0]) for near in reach)
    return tuple([f"In your reach: {near or 'nothing'}." for near in named])


def history(view: KitchenView) -> str:
    told = _once_a_state(view, _progress)
    own = told.near[view.seat] if view.seat is not None and view.seat < len(told.near) else ""
    return "\n".join(filter(None, (told.before, own, told.after)))


def ending(view: KitchenView) -> str:
    steps = f"{view.state.step} steps; the shortest plan has {view.state.task.optimum}"
    if view.state.ended == DONE:
        return f"The job is done, in {steps}."
    return f"The job is not done: {_ENDS[view.state.ended][:1].lower()}{_ENDS[view.state.ended][1:]}"


def describe(view: KitchenView) -> str:
    return f"{_once_a_state(view, _situation)}\n{history(view)}"


def _situation(view: KitchenView) -> str:
    return situation(view.state.task, view.state, view.unseen)


def situation(task: KitchenTask, state: KitchenState | None = None, unseen: Collection[str] = ()) -> str:
    """Where everything is, as far as it is known, and what is wanted in the end."""
    world = task.world
    now = world.start if state is None else state.world
    count, number, places = len(task.robots), len(task.assets), len(world.place_names)
    stands, things_at, opened, active, not_seen = now.stands, now.at, now.opened, now.active, now.unseen
    openable = world.kitchen.openable
    areas = [f"{name} (not seen yet)" if name in unseen else name for name in task.places] if unseen else task.places
    lines = [f"Places: {', '.join(areas)}."]
    for i, (robot, at) in enumerate(zip(task.robots, stands, strict=False)):
        where = "at its own place" if at == places - count + i else f"at {world.names[at]}"
        held = [asset.name for asset, at in zip(task.assets, things_at, strict=False) if at == places + number + i]
        hands = f", carries {' and '.join(held)}" if held else ""
        lines.append(f"- {robot.name} ({robot.type}, {KINDS[robot.kind].name}): {_UNKNOWN.get(at, where)}{hands}")
    for i, (asset, at) in enumerate(zip(task.assets, things_at, strict=False)):
        where = f"{'beside' if places - count <= at < places else 'at'} {world.names[at]}"
        if at >= places + number:
            where = f"held by {world.names[at]}"
        elif at < places - count and world.names[at] not in task.places:
            where = "in the kitchen"  # a fixture at a place of its own
        lid = "" if not openable[i] else ", open" if opened[i] else ", closed"
        more = lid + (", on" if active[i] else "")
        if not_seen[i] and at >= 0:
            more = ", not seen yet"
        lines.append(f"- {asset.name}: {_UNKNOWN.get(at, where)}{more}")
    if "wanted" not in world.kept:
        world.kept["wanted"] = wanted(task)
    lines += world.kept["wanted"]
    return "\n".join(lines)


def wanted(task: KitchenTask) -> list[str]:
    lines = [f"Wanted in the end: {'; '.join(map(wish, task.goals))}."]
    for chain in task.chains:
        order = ", then ".join(" and ".join(map(wish, stage)) for stage in chain)
        lines.append(f"In this order: {order}.")
    return lines


def wish(predicate: Predicate) -> str:
    if predicate.at is not None:
        return f"{predicate.asset} at {predicate.at}"
    if predicate.activated is not None:
        return f"{predicate.asset} {'on' if predicate.activated else 'off'}"
    return f"{predicate.asset} {'open' if predicate.open else 'closed'}"
