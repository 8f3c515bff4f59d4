"""ThreeRobotKitchen in words."""

import numpy as np

from mmgames.embodied._control import telling
from mmgames.embodied._control.scene import ControlView, base_of
from mmgames.embodied.three_robot_kitchen import SPEC, layout
from mmgames.embodied.three_robot_kitchen.rules import done
from mmgames.text.prose import paragraphs

rules, legend = telling.told(SPEC, spot=100 * layout.SPOT_RADIUS, bell=100 * layout.RING_WITHIN)
_SAID = paragraphs(__package__, "words")


def you(view: ControlView) -> str:
    if view.seat is None:
        return "You are watching."
    return f"{_SAID[f'you {SPEC.seats[view.seat]}']} Others move the other robots at the same time."


def notation(view: ControlView) -> str:
    if view.seat is None:
        return ""
    return _SAID.get(f"notation {SPEC.seats[view.seat]}", telling.SHARED["hand"])


def history(view: ControlView) -> str:
    """The picture shows where everything is; in metres it is told on request."""
    return describe(view) if view.coordinates else clock(view)


def clock(view: ControlView) -> str:
    return telling.time(view, SPEC.length, all(done(view.scene)))


def describe(view: ControlView) -> str:
    scene = view.scene
    arm, fetch, humanoid = scene.robots
    x, y, heading = base_of(fetch)
    known = {
        **{name: telling.place(pose) for name, pose in zip(layout.TASK.things, scene.things, strict=True)},
        "held": "the arm holds it" if scene.facts[0] else "in the bowl" if done(scene)[0] else "nobody holds it",
        "hand": telling.hand(arm.hand, arm.joints),
        "base": f"({telling.number(x)}, {telling.number(y)})",
        "heading": round(np.degrees(heading)) % 360,
        "right_hand": telling.place(humanoid.hand),
        "joints": ", ".join(map(telling.number, humanoid.joints[:11])),
    }
    told = (_SAID[f"where {what}"].format(**known) for what in ("food is", "marks are", *SPEC.seats))
    return "\n".join([clock(view), *told])
