"""VikiKitchen in words."""

from collections.abc import Collection
from functools import lru_cache

from mmgames.core.game_modules import said
from mmgames.embodied._world.names import HANDOVER, KINDS, PLACE, PUSH, VERBS
from mmgames.embodied._world.task import KitchenTask, once_a_task
from mmgames.embodied.viki_kitchen import rules as game
from mmgames.embodied.viki_kitchen.rules import OUT_OF_TIME, KitchenState, KitchenView
from mmgames.embodied.viki_kitchen.sight import LOST, NOT_SEEN
from mmgames.embodied.viki_kitchen.slots import DONE, RUNNING, WHOLE, WRONG_ORDER
from mmgames.text.prose import paragraphs

_SAID = paragraphs(__package__, "words")
(notation,) = said(__package__, "notation")


def rules(view: KitchenView | None) -> str:
    return f"{_SAID['rules']} {_SAID['partial']}" if view is not None and view.partial else _SAID["rules"]


_VERBS = tuple(verb.capitalize() for verb in VERBS)
PLAIN_VERBS = {"Move": "Go to", "Handover": "Hand"}
_UNKNOWN = {NOT_SEEN: "not seen yet", LOST: "no longer where you saw it"}
_ENDS = {number: _SAID[end] for number, end in ((DONE, "done"), (WRONG_ORDER, "too early"), (OUT_OF_TIME, "late"))}


def names(view: KitchenView) -> dict[int, str]:
    state = view.state
    if view.seat is None or state.ended != RUNNING:
        return {}
    known = game.table_of(state.task, view.room).phrases
    actions = (game.legal_as_known if view.partial else game.legal)(state, view.room, view.seat)
    return {action: known.get(action) or _say(view, view.seat, action) for action in actions}


def plain(view: KitchenView) -> dict[int, str]:
    """For people: a robot goes to a place, and hands things over."""
    split = {action: name.partition(" ") for action, name in names(view).items()}
    return {action: f"{PLAIN_VERBS.get(verb, verb)} {rest}".rstrip() for action, (verb, _, rest) in split.items()}


def _say(view: KitchenView, seat: int, action: int) -> str:
    table = game.table_of(view.state.task, view.room)
    said = phrase(view.state.task, *game.meaning(view.state, view.room, seat, action))
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
    told = picture_legend(view.scene, view.labels, "ego" if through_eyes else "above")
    if view.partial:
        told += " It shows only what you have seen."
        if view.scene == "drawn":
            told += f" Furniture that you have not seen yet is {'' if through_eyes else 'striped '}grey."
    return told


@lru_cache(maxsize=32)
def picture_legend(scene: str, labels: bool, *views: str) -> str:
    """How to read pictures of a kitchen from above, from a robot's head (ego) or over its shoulder; without labels,
    also how robots of each type look."""
    drawn = scene == "drawn"
    if labels:
        seen = {"above": _SAID["above" if drawn else "in 3D"], "ego": f"{_SAID['ego']} {_SAID['cards']}"}
        return " ".join(seen[view] for view in views)
    where = "from above" if drawn else "in 3D from high above its south wall"
    told = {
        "above": f"It shows the kitchen {where}, north at the top, without a word on it. {_SAID['row']}",
        "ego": _SAID["ego"],
        "shoulder": _SAID["over the shoulder"],
    }
    solid = "areas of robocasa" if scene == "robocasa" else "areas by colour"
    areas = {"areas from above" if view == "above" and drawn else solid: None for view in views}
    return " ".join([*(told[view] for view in views), _SAID["no cards"], *(_SAID[one] for one in areas)])


def you(view: KitchenView) -> str:
    return _you(view.state.task, view.seat)


@once_a_task
def _you(task: KitchenTask, seat: int | None) -> str:
    job = f"The job: {task.instruction}"
    if seat is None:
        return f"You watch. {job}"
    if seat >= len(task.robots):
        return f"You are R{seat + 1}, but this kitchen has no such robot; you can only wait. {job}"
    robot = task.robots[seat]
    others = "; ".join(f"{other.name} is {_SAID[other.kind]}" for other in task.robots if other.name != robot.name)
    return " ".join(filter(None, (f"You are {robot.name}, {_SAID[robot.kind]}.", f"{others}." if others else "", job)))


def _progress(view: KitchenView) -> tuple[str, tuple[str, ...], str]:
    """What has happened, in words: the time and the last step, what each robot has in reach, how it ended."""
    return _before(view.state, view.partial), _near(view.state), _ENDS.get(view.state.ended, "")


def _before(state: KitchenState, partial: bool) -> str:
    task = state.task
    most = game.horizon(task)
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
    before, near, after = game.once_a_state(view, _progress)
    own = near[view.seat] if view.seat is not None and view.seat < len(near) else ""
    return "\n".join(filter(None, (before, own, after)))


def ending(view: KitchenView) -> str:
    said = _ENDS[view.state.ended]
    if view.state.ended == DONE:
        return f"The job is done, in {view.state.step} steps; the shortest plan has {view.state.task.optimum}."
    return f"The job is not done: {said[:1].lower()}{said[1:]}"


def describe(view: KitchenView) -> str:
    return f"{game.once_a_state(view, _situation)}\n{history(view)}"


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
    return "\n".join([*lines, *wanted(task)])


@once_a_task
def wanted(task: KitchenTask) -> list[str]:
    lines = [f"Wanted in the end: {'; '.join(map(str, task.goals))}."]
    for chain in task.chains:
        order = ", then ".join(" and ".join(map(str, stage)) for stage in chain)
        lines.append(f"In this order: {order}.")
    return lines
