"""ThreeRobotKitchen in words."""

from __future__ import annotations

import numpy as np

from mmgames.core.game_modules import always
from mmgames.embodied._control import telling
from mmgames.embodied._control.scene import ControlView, base_of
from mmgames.embodied.three_robot_kitchen import SPEC
from mmgames.embodied.three_robot_kitchen.layout import (
    APPLE,
    BELL,
    BOWL,
    FETCH,
    G1,
    PANDA,
    RING_WITHIN,
    SPOT,
    SPOT_RADIUS,
)
from mmgames.embodied.three_robot_kitchen.rules import at_bell, parked, served

PARTS = (
    "You move the arm on the counter: put the apple into the bowl and let go of it.",
    "You move Fetch, the robot on wheels: drive its middle to the blue spot on the floor.",
    "You move the humanoid: bring its right hand to the bell.",
)
NOTATIONS = (
    telling.HAND_NOTATION,
    "The first seven numbers turn the joints of the arm, where 1 asks for 0.1 radians; then the gripper, head "
    "pan, head tilt and torso lift. The last two drive: forward, where 1 is 1 m/s, and turning to the left, where "
    "1 is 3.14 radians a second; a step lasts a twentieth of a second.",
    "The numbers turn joints: the first the torso, the next ten, left and right in turn, shoulder pitch, shoulder "
    "roll, shoulder yaw, elbow pitch and elbow roll, where 1 asks for 0.2 radians; the others are fingers. In one "
    "step a joint makes about a third of what it is asked for.",
)
rules = always(
    "Three robots serve an apple in a kitchen. Places are x, y and z in metres; the floor is at z 0 and the "
    "counter's top at 0.69. The job is done when at one moment the apple lies in the bowl and the arm has let "
    f"go of it, Fetch stands with its middle within {100 * SPOT_RADIUS:g} cm of the spot's, and the humanoid's "
    f"right hand is within {100 * RING_WITHIN:g} cm of the bell. There are {SPEC.length} steps of a twentieth "
    "of a second. All robots get the same reward: how far the job has come."
)
legend = always(
    "It shows the kitchen from a corner: x grows to the right, y away from you, z up. The arm stands on the near end "
    "of the counter, which is 2.5 m long, the humanoid before it, and Fetch comes from the left. The apple is red, the "
    "bell is the brass ball on the counter, the spot is the blue disc on the floor."
)


def you(view: ControlView) -> str:
    if view.seat is None:
        return "You are watching."
    return f"{PARTS[view.seat]} Others move the other robots at the same time."


def notation(view: ControlView) -> str:
    return "" if view.seat is None else NOTATIONS[view.seat]


def history(view: ControlView) -> str:
    """The picture shows where everything is; in metres it is told on request."""
    return describe(view) if view.coordinates else clock(view)


def clock(view: ControlView) -> str:
    scene = view.scene
    return telling.time(view, SPEC.length, served(scene) and parked(scene) and at_bell(scene))


def describe(view: ControlView) -> str:
    scene = view.scene
    arm, fetch, humanoid = (scene.robots[robot] for robot in (PANDA, FETCH, G1))
    x, y, heading = base_of(fetch)
    joints = ", ".join(telling.number(joint) for joint in humanoid.joints[:11])
    held = "the arm holds it" if scene.facts[0] else "in the bowl" if served(scene) else "nobody holds it"
    return "\n".join(
        [
            clock(view),
            f"The apple is at {telling.place(scene.things[APPLE])}; {held}. The bowl is at "
            f"{telling.place(scene.things[BOWL])}.",
            f"The spot is at {telling.place(scene.things[SPOT])}, the bell at {telling.place(scene.things[BELL])}.",
            f"The arm's hand is {telling.hand(arm.hand, arm.joints)}.",
            f"Fetch stands at ({telling.number(x)}, {telling.number(y)}) and faces "
            f"{round(np.degrees(heading)) % 360} degrees, counted from the x axis to the left.",
            f"The humanoid's right hand is at {telling.place(humanoid.hand)}; its torso and arm joints are at "
            f"{joints} radians.",
        ]
    )
