"""VikiKitchen in words."""

from __future__ import annotations

from mmgames.embodied._world import kernel
from mmgames.embodied._world.names import HANDOVER, KINDS, PLACE, PUSH, VERBS
from mmgames.embodied._world.task import Predicate, Task
from mmgames.embodied.viki_kitchen.rules import (
    DONE,
    OUT_OF_TIME,
    RUNNING,
    WRONG_ORDER,
    KitchenState,
    KitchenView,
    horizon,
    legal,
    meaning,
    row_of,
)  # fmt: skip

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
_KINDS = {
    "arm": "an arm: it cannot move and has one hand",
    "wheeled": "a robot on wheels with one hand",
    "humanoid": "a humanoid with two hands",
    "dog": "a dog: it has no hands, but it moves, pushes boxes and can switch things on",
}
_ENDS = {
    DONE: "The job is done.",
    WRONG_ORDER: "A stage came too early; the job has failed.",
    OUT_OF_TIME: "Time is up.",
}


def fixed(view: KitchenView) -> tuple[int | None, Task]:
    return view.seat, view.state.task


def names(view: KitchenView) -> dict[int, str]:
    state = view.state
    if view.seat is None or state.ended != RUNNING:
        return {}
    return {action: say(state, view, action) for action in legal(state, view.room, view.seat)}


def say(state: KitchenState, view: KitchenView, action: int) -> str:
    assert view.seat is not None
    return phrase(state.task, *meaning(state, view.room, view.seat, action))


def phrase(task: Task, verb: int, first: int = -1, second: int = -1) -> str:
    """An action of the world in words."""
    if verb == 0:
        return "Wait"
    called = task.world.names
    word = VERBS[verb - 1].capitalize()
    if verb == PLACE and second >= 0:
        return f"{word} {called[second]} at {called[first]}"
    if verb in (PUSH, HANDOVER):
        return f"{word} {called[first]} to {called[second]}"
    return f"{word} {called[first]}"


def rules(view: KitchenView) -> str:
    return _RULES


def legend(view: KitchenView) -> str:
    return (
        "It shows the kitchen from above, north at the top. Tinted blocks are furniture, dark cards name the areas. "
        "Robots carry their names on coloured cards: an arm is a jointed arm on a base, a robot on wheels has two "
        "wheels and one arm, a humanoid stands on two legs, a dog on four. Light cards name the things; a cabinet or "
        "drawer says whether it is open or closed and what is behind its doors; a yellow ring means switched on. "
        "Below, every robot has a card with its type and what it carries."
    )


def notation(view: KitchenView) -> str:
    return (
        "An action is written as a verb and names, such as Move apple, Place apple at plate, Push cardboardbox to R2 "
        "or Handover apple to R2, or it is Wait."
    )


def you(view: KitchenView) -> str:
    task, seat = view.state.task, view.seat
    job = f"The job: {task.instruction}"
    if seat is None:
        return f"You watch. {job}"
    if seat >= len(task.robots):
        return f"You are R{seat + 1}, but this kitchen has no such robot; you can only wait. {job}"
    robot = task.robots[seat]
    others = "; ".join(f"{other.name} is {_KINDS[other.kind]}" for other in task.robots if other.name != robot.name)
    return " ".join(filter(None, (f"You are {robot.name}, {_KINDS[robot.kind]}.", f"{others}." if others else "", job)))


def history(view: KitchenView) -> str:
    state = view.state
    lines = [f"Step {min(state.step + 1, horizon(state.task))} of at most {horizon(state.task)}."]
    if state.last:
        done = []
        for number, action in enumerate(state.last):
            if action[0]:
                clash = " (in another's way, not done)" if number in state.failed else ""
                done.append(f"{state.task.robots[number].name} {phrase(state.task, *action)}{clash}")
        lines.append(f"Last step: {'; '.join(done) if done else 'everybody waited'}.")
    if view.seat is not None and view.seat < len(state.task.robots):
        first = len(state.task.robots) + 2 * view.seat
        near = [state.task.assets[int(i)].name for i in row_of(state)[first : first + 2] if i >= 0]
        lines.append(f"In your reach: {', '.join(near) if near else 'nothing'}.")
    if state.ended in _ENDS:
        lines.append(_ENDS[state.ended])
    return "\n".join(lines)


def describe(view: KitchenView) -> str:
    return "\n".join([situation(view.state.task, view.state), history(view)])


def situation(task: Task, state: KitchenState | None = None) -> str:
    """Where everything is, and what is wanted in the end."""
    world = task.world
    row = world.start if state is None else row_of(state)
    count, number, places = len(task.robots), len(task.assets), int(world.size[2])
    lines = [f"Places: {', '.join(task.places)}."]
    for i, robot in enumerate(task.robots):
        at = int(row[i])
        spot = places - count <= at < places
        where = "at its own place" if spot and at == places - count + i else f"at {world.names[at]}"
        held = [task.assets[j].name for j in range(number) if row[count * 3 + j] == places + number + i]
        hands = f", carries {' and '.join(held)}" if held else ""
        lines.append(f"- {robot.name} ({robot.type}, {KINDS[robot.kind].name}): {where}{hands}")
    for i, asset in enumerate(task.assets):
        at, flags = int(row[count * 3 + i]), int(row[count * 3 + number + i])
        where = f"{'beside' if places - count <= at < places else 'at'} {world.names[at]}"
        if at >= places + number:
            where = f"held by {world.names[at]}"
        elif at < places - count and world.names[at] not in task.places:
            where = "in the kitchen"  # a fixture at a place of its own
        lid = "" if not world.things[i] & kernel.OPENABLE else ", open" if flags & kernel.OPENED else ", closed"
        more = lid + (", on" if flags & kernel.ACTIVE else "")
        lines.append(f"- {asset.name}: {where}{more}")
    lines.append(f"Wanted in the end: {'; '.join(map(wish, task.goals))}.")
    for chain in task.chains:
        order = ", then ".join(" and ".join(map(wish, stage)) for stage in chain)
        lines.append(f"In this order: {order}.")
    return "\n".join(lines)


def wish(predicate: Predicate) -> str:
    if predicate.at is not None:
        return f"{predicate.asset} at {predicate.at}"
    if predicate.activated is not None:
        return f"{predicate.asset} {'on' if predicate.activated else 'off'}"
    return f"{predicate.asset} {'open' if predicate.open else 'closed'}"
