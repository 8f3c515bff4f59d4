"""PuckPush in words."""

from .rules import STEPS, PuckView


def rules(view: PuckView) -> str:
    return (
        f"A puck slides over a table. In each of {STEPS} steps the left and the right player blow at it at the same "
        "time. Places go from -1 to 1, x to the right and y upwards. The left player wins by how far the puck ends to "
        "the right of the middle, the right player by how far it ends to the left."
    )


def you(view: PuckView) -> str:
    return "You are watching." if view.seat is None else f"You are the {('left', 'right')[view.seat]} player."


def legend(view: PuckView) -> str:
    return "It shows the table from above; the red disc is the puck."


def notation(view: PuckView) -> str:
    return "The first number is the force to the right, the second the force upwards."


def history(view: PuckView) -> str:
    return "It is over." if view.over else f"Step {view.step + 1} of {STEPS}."


def describe(view: PuckView) -> str:
    puck = view.puck
    return (
        f"{history(view)}\nThe puck is at ({puck.x:.2f}, {puck.y:.2f}); in the last step it moved by "
        f"({puck.speed_x:.2f}, {puck.speed_y:.2f})."
    )
