"""Pong in words. Places are units of the field: 160 by 160, the origin at the top left, y grows downwards."""

from mmgames.core.game_modules import always
from mmgames.games.pong.rules import ACTIONS, FIELD, STEPS, PongView
from mmgames.text.prose import paragraphs

NAMES = dict(enumerate(ACTIONS))
NO_NAMES: dict[int, str] = {}
LEFT_X, RIGHT_X = 18, 142  # where the paddles stand
PADDLE_HEIGHT = 16
_SAID = paragraphs(__package__, "words")
legend = always(_SAID["legend"])
notation = always(f"An action is written {', '.join(ACTIONS[:-1])} or {ACTIONS[-1]}.")


def names(view: PongView) -> dict[int, str]:
    return NO_NAMES if view.over else NAMES


def rules(view: PongView) -> str:
    left, right = "the computer's" if view.computer else "the left player's", "the right player's"
    if view.computer and view.seat is not None:  # a question may put somebody in the computer's place
        left, right = ("yours", "the other player's") if view.seat else (left, "yours")
    points = f"{view.target} point{'s' * (view.target > 1)}"
    places = dict(field=FIELD, left_x=LEFT_X, right_x=RIGHT_X, paddle=PADDLE_HEIGHT)
    field = _SAID["field"].format(left=left, right=right, points=points, steps=STEPS, **places)
    return f"{field}\n{_SAID['moves']}"


def you(view: PongView) -> str:
    if view.seat is None:
        return "You are watching."
    return f"You hold the {'left' if view.seat else 'right'} paddle. Win points and let no ball pass."


def history(view: PongView) -> str:
    """What the picture does not show: how far the episode is."""
    if not view.over:
        return f"Step {view.step + 1} of at most {STEPS}."
    left, right = view.points
    won = "nobody has won" if max(left, right) < view.target else f"{'right' if right > left else 'left'} has won"
    return f"The game is over after {view.step} steps: {won}."


def ending(view: PongView) -> str:
    left, right = view.points
    if max(left, right) < view.target:
        return f"Nobody has won: the time was up at {left} to {right}."
    return f"{'Right' if right > left else 'Left'} has won, {max(left, right)} to {min(left, right)}."


def describe(view: PongView) -> str:
    scene = view.scene
    left, right = view.points
    lines = [
        history(view),
        f"points: left {left}, right {right}",
        ball(view),
        f"left paddle: {_paddle(scene.left, view.before.left)}",
        f"right paddle: {_paddle(scene.right, view.before.right)}",
    ]
    return "\n".join(lines)


def slips(view: PongView, action: int) -> list[str]:
    """The ball is past the paddle, which stood at that height a step ago."""
    x, y = view.scene.ball or (FIELD // 2, 0)
    mine, past = ("left", x < LEFT_X) if view.seat else ("right", x > RIGHT_X)
    was, now = (abs(y - getattr(scene, mine)) for scene in (view.before, view.scene))
    return ["over-adjusting"] * (past and was <= PADDLE_HEIGHT // 2 < now)


def ball(view: PongView) -> str:
    now, before = view.scene.ball, view.before.ball
    if now is None:
        return "ball: out of play"
    if before is None:
        return f"ball: at {now}, just served"
    across, along = now[0] - before[0], now[1] - before[1]
    ways = [f"{abs(across)} {'right' if across > 0 else 'left'}"] if across else []
    ways += [f"{abs(along)} {'down' if along > 0 else 'up'}"] if along else []
    return f"ball: at {now}, in the last step it flew {' and '.join(ways) or 'nowhere'}"


def _paddle(now: int, before: int) -> str:
    if now <= -PADDLE_HEIGHT // 2:
        return "not in the field yet"  # the computer's comes with the first ball
    moved = now - before
    slid = f"in the last step it moved {abs(moved)} {'down' if moved > 0 else 'up'}" if moved else "at rest"
    return f"middle at y = {now}, {slid}"
