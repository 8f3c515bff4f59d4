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
    apple, bowl, bell, spot = map(telling.place, scene.things)
    x, y, heading = base_of(fetch)
    joints = ", ".join(telling.number(joint) for joint in humanoid.joints[:11])
    held = "the arm holds it" if scene.facts[0] else "in the bowl" if done(scene)[0] else "nobody holds it"
    return "\n".join(
        [
            clock(view),
            f"The apple is at {apple}; {held}. The bowl is at {bowl}.",
            f"The spot is at {spot}, the bell at {bell}.",
            f"The arm's hand is {telling.hand(arm.hand, arm.joints)}.",
            f"Fetch stands at ({telling.number(x)}, {telling.number(y)}) and faces "
            f"{round(np.degrees(heading)) % 360} degrees, counted from the x axis to the left.",
            f"The humanoid's right hand is at {telling.place(humanoid.hand)}; its torso and arm joints are at "
            f"{joints} radians.",
        ]
    )
